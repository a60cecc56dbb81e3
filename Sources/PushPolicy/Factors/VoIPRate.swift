public import Quantities

/// **What it models.** The limit of one VoIP push a minute per device that a guide states.
///
/// **Rule.** Within `interval` after a VoIP push that the device took, a further one is rejected: never. It is lost, not
/// held, and does not start the interval again.
///
/// **Interactions.** None; other pushes are not asked.
///
/// **Scope and limitations.** The guide counts per device; the model knows one app with VoIP pushes on it. No source but
/// the guide has this limit (V11), so the profile `evidence` has the factor off.
///
/// **Validation.** `GuideVoIPDeliveryTests`.
///
/// **Sources.** C3-10, V11.
public struct VoIPRate: PolicyFactor {
  /// Unit: seconds.
  public var interval = 0.0

  public static let id = FactorID.voipRate
  public static let summary = "A device takes one VoIP push in an interval and rejects the surplus."
  public static let sources = "C3-10, V11"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "voip_rate.interval", .number(.time, 0...86_400, \.voipRate.interval),
      "time after a VoIP push during which the device rejects the next one")
  ]

  /// The last VoIP push that a device took.
  public struct State: Sendable {
    public var lastTaken = SimTime.distantPast
    public init() {}
  }

  @inlinable
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard context.request.contains(.voip) else { return .abstain }
    let end =
      app.pointee.memory.voipRate.lastTaken + SimDuration(seconds: app.pointee.policy.voipRate.interval)
    return context.now < end ? .never : .abstain
  }

  public init() {}
}
