public import Quantities

/// **What it models.** A low battery, at which the system may delay or cancel background work.
///
/// **Rule.** Under `threshold` and not relieved by the charger: with `cancel_probability` never; otherwise hold until
/// the level is above it or the charger is connected.
///
/// **Interactions.** ``Charger`` lifts it.
///
/// **Scope and limitations.** The guides name 20 % and no share.
///
/// **Validation.** `ValidationTests`: C0-19 (none under the threshold), R-05 and R-94 (the charger lifts it), R-21.
///
/// **Sources.** C0-19, C4-10, W1, R-21; the share is assumed.
public struct BatteryLevel: PolicyFactor {
  /// Unit: fraction of the full charge.
  public var threshold = 0.0
  /// The share of pushes cancelled rather than delayed. Unit: dimensionless, 0 to 1.
  public var cancelProbability = 0.0

  public static let id = FactorID.batteryLevel
  public static let summary = "A battery under the threshold cancels a push or holds it until it is charged."
  public static let sources = "C0-03, C0-19, C4-10, W1, R-21"
  public static let gates: GatedWork = [.processingByParameter, .discretionaryDownload]
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "battery_level.threshold", .number(.proportion, 0...1, \.batteryLevel.threshold),
      "battery level below which the system delays or cancels background work"),
    ParameterKey(
      "battery_level.cancel_probability", .number(.proportion, 0...1, \.batteryLevel.cancelProbability),
      "share of pushes that a low battery cancels; the others wait"),
  ]

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard context.state.contains(.batteryLow) else { return .abstain }
    if app.pointee.policy.charger.liftsBatteryLevel, app.pointee.policy.chargerRelieves(context.state) {
      return .abstain
    }
    return .neverWithProbability(
      app.pointee.policy.batteryLevel.cancelProbability, otherwise: Hold(lifts: [.batteryLow, .charging]))
  }

  public init() {}
}
