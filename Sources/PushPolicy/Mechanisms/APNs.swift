import Quantities

extension Policy {
  /// Apple's push service.
  public struct APNs: Sendable {
    /// The longest time that a push is stored for a device that is not reachable. Unit: seconds.
    public var storageLimit = 0.0
    /// The chance that a background push sent with priority 10 is rejected. Unit: dimensionless, 0 to 1.
    public var wrongPriorityRejected = 0.0
    /// The chance that a push to be shown, sent as a background push, is rejected. Unit: dimensionless, 0 to 1.
    public var wrongTypeRejected = 0.0
    /// The first system version that ignores a silent push of the type `alert`.
    public var alertTypeIgnoredFrom = 1000.0
    /// The first system version that ignores a silent push without a type.
    public var missingTypeIgnoredFrom = 1000.0
    /// The first system version that ignores a background push sent with priority 10, and the share of devices with such
    /// a system that do. Unit of the share: dimensionless, 0 to 1.
    public var priority10IgnoredFrom = 1000.0
    public var priority10Ignored = 0.0
    /// The largest payload. Unit: bytes.
    public var payloadLimit = Double.infinity
    /// Requests that a connection may make; what is above is answered with 429. Unit: per second.
    public var connectionRate = Double.infinity
    /// Requests that a provider makes on a connection, where the scenario does not say. Unit: per second.
    public var providerRate = 100.0
    /// Requests in a row to one device token before 429, of the median token; 0 for no limit.
    public var tokenBurst = 0.0
    /// Standard deviation of the logarithm of that number among device tokens.
    public var tokenBurstSigma = 0.0
    /// How fast a device token gets room for more. Unit: requests per second.
    public var tokenRefill = 0.0
    /// The shortest time between two new authentication tokens of a provider. Unit: seconds.
    public var tokenUpdateInterval = 0.0
    /// The chance that a newer push takes the place of the one stored. Unit: dimensionless, 0 to 1.
    public var newestWins = 1.0
    /// A push may go out up to this much after its expiration. Unit: seconds.
    public var expirySoftness = 0.0
    /// How often the link over an interface goes dead without APNs noticing. Unit: per second.
    public var deadLinkOnWiFi = 0.0
    public var deadLinkOnCellular = 0.0
    /// How long it stays dead, on average, unless the network changes or the app is opened. Unit: seconds.
    public var deadLinkLength = 0.0
    /// From the return of a network to the first push from the storage. Unit: seconds.
    public var reconnectDelay = 0.0
    /// The share of Low Power Modes in which the device declares a power restriction: while nobody uses the device, APNs
    /// then stores pushes of priority 5 and 1. Unit: dimensionless, 0 to 1.
    public var restrictionDeclared = 0.0
    /// Whether APNs stores a push of priority 1 until somebody uses the device.
    public var priority1WaitsForUse = false
    /// The share of the time off the charger in which the connection of the median device rests, so that APNs stores
    /// pushes for it, and the standard deviation of the logarithm of a device's factor on the odds of that share.
    public var restShare = 0.0
    public var restSigma = 0.0
    /// How long a rest is, on average, unless the app is opened or the charger connected. Unit: seconds.
    public var restLength = 0.0
    /// The share of devices that are slow to wake, and the share of the pushes to such a device, idle and off the charger,
    /// that come late for it. Unit: dimensionless, 0 to 1.
    public var slowWakeDevices = 0.0
    public var slowWake = 0.0
    /// How late: the median, and the standard deviation of the logarithm. Unit of the median: seconds.
    public var slowWakeMedian = 0.0
    public var slowWakeSigma = 0.0
    /// The share of devices that lose pushes stored while they were off the network, and the share of such pushes that
    /// one of them loses. Unit: dimensionless, 0 to 1.
    public var storedLostDevices = 0.0
    public var storedLost = 0.0
    /// The share of devices on which nothing reaches an app whose alerts are shown in no place. Unit: dimensionless,
    /// 0 to 1.
    public var stylesOffIgnored = 0.0
    public init() {}
  }

  /// The parameters of Apple's push service.
  static let apnsKeys: [ParameterKey<Policy>] = [
    ParameterKey(
      "apns.storage_limit", .number(.time, 0...7_776_000, \.apns.storageLimit),
      "longest time APNs stores a push for a device that it cannot reach"),
    ParameterKey(
      "apns.wrong_priority_rejected", .number(.proportion, 0...1, \.apns.wrongPriorityRejected),
      "probability that APNs rejects a background push sent with priority 10"),
    ParameterKey(
      "apns.wrong_type_rejected", .number(.proportion, 0...1, \.apns.wrongTypeRejected),
      "probability that APNs rejects an alert sent with the type `background`"),
    ParameterKey(
      "apns.alert_type_ignored_from", .number(.count, 1...1000, \.apns.alertTypeIgnoredFrom),
      "first system version that ignores a silent push sent with the type `alert`"),
    ParameterKey(
      "apns.missing_type_ignored_from", .number(.count, 1...1000, \.apns.missingTypeIgnoredFrom),
      "first system version that ignores a silent push without a type"),
    ParameterKey(
      "apns.priority_10_ignored_from", .number(.count, 1...1000, \.apns.priority10IgnoredFrom),
      "first system version that ignores a background push sent with priority 10"),
    ParameterKey(
      "apns.priority_10_ignored", .number(.proportion, 0...1, \.apns.priority10Ignored),
      "share of devices that ignore a background push of priority 10, from `priority_10_ignored_from` on"),
    ParameterKey(
      "apns.payload_limit", .number(.bytes, 1...1_000_000, \.apns.payloadLimit),
      "largest payload of a push; APNs answers a larger one with 413"),
    ParameterKey(
      "apns.connection_rate", .number(.rate, 0.001...1_000_000, \.apns.connectionRate),
      "requests that one connection to APNs may make per time; APNs answers the surplus with 429"),
    ParameterKey(
      "apns.provider_rate", .number(.rate, 0.001...1_000_000, \.apns.providerRate),
      "requests that a provider makes on a connection, where the scenario says no `provider.rate`"),
    ParameterKey(
      "apns.token_burst", .number(.count, 0...1000, \.apns.tokenBurst),
      "requests in a row that the median device token takes before APNs answers 429; 0 means no limit"),
    ParameterKey(
      "apns.token_burst_sigma", .number(.count, 0...3, \.apns.tokenBurstSigma),
      "spread (sigma of the logarithm) of that number among device tokens"),
    ParameterKey(
      "apns.token_refill", .number(.rate, 0...1000, \.apns.tokenRefill),
      "rate at which a device token at its limit takes requests again"),
    ParameterKey(
      "apns.token_update_interval", .number(.time, 0...86_400, \.apns.tokenUpdateInterval),
      "shortest time between two new authentication tokens of a provider; APNs answers earlier ones with 429"),
    ParameterKey(
      "apns.newest_wins", .number(.proportion, 0...1, \.apns.newestWins),
      "probability that a newer push replaces the stored one"),
    ParameterKey(
      "apns.expiry_softness", .number(.time, 0...3600, \.apns.expirySoftness),
      "longest time after its expiration at which APNs may still send a push"),
    ParameterKey(
      "apns.dead_link_on_wifi", .number(.rate, 0...0.01, \.apns.deadLinkOnWiFi),
      "how often the Wi-Fi link goes dead unnoticed and loses what APNs sends"),
    ParameterKey(
      "apns.dead_link_on_cellular", .number(.rate, 0...0.01, \.apns.deadLinkOnCellular),
      "how often the cellular link goes dead unnoticed and loses what APNs sends"),
    ParameterKey(
      "apns.dead_link_length", .number(.time, 1...604_800, \.apns.deadLinkLength),
      "mean time until a dead link is noticed; a change of network or an open of the app ends it earlier"),
    ParameterKey(
      "apns.reconnect_delay", .number(.time, 0...3600, \.apns.reconnectDelay),
      "time from the return of the network to the first stored push"),
    ParameterKey(
      "apns.restriction_declared", .number(.proportion, 0...1, \.apns.restrictionDeclared),
      "share of Low Power Mode periods in which APNs stores pushes of priority 5 and 1 until somebody uses the device"
    ),
    ParameterKey(
      "apns.priority_1_waits_for_use", .flag(\.apns.priority1WaitsForUse),
      "whether APNs stores a push of priority 1 until somebody uses the device"),
    ParameterKey(
      "apns.rest_share", .number(.proportion, 0...0.9, \.apns.restShare),
      "share of the time off the charger in which the connection of the median device rests and APNs stores"),
    ParameterKey(
      "apns.rest_sigma", .number(.count, 0...3, \.apns.restSigma),
      "spread of the logarithm of a device's factor on the odds of that share"),
    ParameterKey(
      "apns.rest_length", .number(.time, 60...604_800, \.apns.restLength),
      "mean time that a connection rests; an open of the app, the charger or a new connection ends it earlier"
    ),
    ParameterKey(
      "apns.slow_wake_devices", .number(.proportion, 0...1, \.apns.slowWakeDevices),
      "share of devices that are slow to wake for a push"),
    ParameterKey(
      "apns.slow_wake", .number(.proportion, 0...1, \.apns.slowWake),
      "share of the pushes to such a device, idle and off the charger, that come late"),
    ParameterKey(
      "apns.slow_wake_median", .number(.time, 0.1...3600, \.apns.slowWakeMedian),
      "median time by which these come late"),
    ParameterKey(
      "apns.slow_wake_sigma", .number(.count, 0...3, \.apns.slowWakeSigma),
      "spread of the logarithm of that time"),
    ParameterKey(
      "apns.stored_lost_devices", .number(.proportion, 0...1, \.apns.storedLostDevices),
      "share of devices that lose pushes which APNs stored while they were off the network"),
    ParameterKey(
      "apns.stored_lost", .number(.proportion, 0...1, \.apns.storedLost),
      "share of such pushes that one of these devices loses"),
    ParameterKey(
      "apns.styles_off_ignored", .number(.proportion, 0...1, \.apns.stylesOffIgnored),
      "share of devices on which no push reaches an app whose alerts are allowed but shown in no place"),
  ]
}
