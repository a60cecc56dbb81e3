public import PushPolicy
public import Quantities

/// How a push ends: each push that is sent has exactly one fate. The raw value is the index in tallies.
public enum Fate: UInt8, NamedByCase, Sendable, CaseIterable {
  case rejected
  case discardedAtAPNs
  case expiredAtAPNs
  case overwrittenAtAPNs
  case lost
  case notWakeable
  case coalescedOnDevice
  case discardedByPolicy
  case delivered
  case pending
}

/// Why a push ended as it did: a policy factor, or a reason outside the policy.
public struct Reason: Hashable, Sendable {
  /// The index in tallies: factors first, then the others.
  public var index: Int

  public init(_ factor: FactorID) { index = Int(factor.rawValue) }
  private init(other: Int) { index = FactorID.allCases.count + other }
  public init(index: Int) { self.index = index }

  /// The app was removed while the push was on the device.
  public static let notInstalled = Reason(other: 0)
  /// APNs knows that the token is gone.
  public static let tokenInactive = Reason(other: 1)
  /// The user does not allow notifications, and the push is one that would be shown.
  public static let notificationsDisabled = Reason(other: 2)
  /// 410: the token is no longer valid.
  public static let unregistered = Reason(other: 3)
  /// 400: a background push with priority 10.
  public static let badPriority = Reason(other: 4)
  /// The header, or APNs' own limit.
  public static let expired = Reason(other: 5)
  /// A newer push took the one slot.
  public static let newerPush = Reason(other: 6)

  /// The token belongs to another environment, or to nobody.
  public static let badDeviceToken = Reason(other: 7)
  public static let payloadTooLarge = Reason(other: 8)
  /// More requests than APNs takes, on a connection or to a device token.
  public static let tooManyRequests = Reason(other: 9)
  /// The provider makes itself new authentication tokens too often.
  public static let tooManyTokenUpdates = Reason(other: 10)
  public static let internalServerError = Reason(other: 11)
  public static let serviceUnavailable = Reason(other: 12)
  public static let expiredProviderToken = Reason(other: 13)
  public static let badPath = Reason(other: 14)
  public static let methodNotAllowed = Reason(other: 15)
  public static let wrongTopic = Reason(other: 16)
  public static let missingTopic = Reason(other: 17)
  /// A push to be shown that calls itself a background push.
  public static let invalidPushType = Reason(other: 18)
  /// The one slot kept the push that was there.
  public static let olderPush = Reason(other: 19)
  /// The device ignores a silent push whose type is not `background`.
  public static let pushTypeIgnored = Reason(other: 20)
  /// The device ignores a silent push whose priority is 10.
  public static let priorityIgnored = Reason(other: 21)
  /// The service extension was terminated, and the alert lost with it.
  public static let extensionTerminated = Reason(other: 22)
  /// The device was off when the push had waited for as long as it may.
  public static let deviceOff = Reason(other: 23)

  /// The user has the app's alerts shown in no place.
  public static let alertStylesOff = Reason(other: 24)
  /// The device has shown as many starts or updates of Live Activities as it grants.
  public static let activityBudget = Reason(other: 25)
  /// No Live Activity runs that the push could change.
  public static let noActivity = Reason(other: 26)
  /// The widget has no reload left.
  public static let widgetBudget = Reason(other: 27)
  /// A defect of the system version on the device.
  public static let systemDefect = Reason(other: 28)

  private static let otherNames = [
    "not_installed", "token_inactive", "notifications_disabled", "410 Unregistered", "400 BadPriority",
    "expired", "newer_push", "400 BadDeviceToken", "413 PayloadTooLarge", "429 TooManyRequests",
    "429 TooManyProviderTokenUpdates", "500 InternalServerError", "503 ServiceUnavailable",
    "403 ExpiredProviderToken", "404 BadPath", "405 MethodNotAllowed", "400 DeviceTokenNotForTopic",
    "400 MissingTopic", "400 InvalidPushType", "older_push", "push_type_ignored",
    "priority_ignored", "extension_terminated", "device_off", "alert_styles_off", "activity_budget",
    "no_activity", "widget_budget", "system_defect",
  ]

  public static let count = FactorID.allCases.count + otherNames.count

  /// The name in results.
  public var name: String {
    index < FactorID.allCases.count
      ? FactorID.allCases[index].name : Self.otherNames[index - FactorID.allCases.count]
  }

  /// The status code that APNs answers with; nil for what happens to a push that it took.
  public var status: Int? {
    switch self {
    case .badPriority, .badDeviceToken, .wrongTopic, .missingTopic, .invalidPushType: 400
    case .expiredProviderToken: 403
    case .badPath: 404
    case .methodNotAllowed: 405
    case .unregistered: 410
    case .payloadTooLarge: 413
    case .tooManyRequests, .tooManyTokenUpdates: 429
    case .internalServerError: 500
    case .serviceUnavailable: 503
    default: nil
    }
  }

  /// What an outage of APNs, or of the provider's credentials, is answered with.
  public static let outages: [Reason] = [
    .expiredProviderToken, .badPath, .methodNotAllowed, .tooManyRequests, .internalServerError,
    .serviceUnavailable,
  ]
}
