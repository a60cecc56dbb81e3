public import Quantities

/// **What it models.** Low Power Mode, in which the system may delay or cancel background work.
///
/// **Rule.** With `cancel_probability` never; otherwise hold until the mode ends. The charger does not lift it.
///
/// **Interactions.** The mode ends by itself when the battery is charged to 80 %; an open of the app releases what is
/// held.
///
/// **Scope and limitations.** The guides say *may delay or cancel* and give no share.
///
/// **Validation.** `ValidationTests`: C0-19, R-22 (held until the app was opened).
///
/// **Sources.** C0-03, C0-19, S16, R-21, R-22; the share is assumed.
public struct LowPowerMode: PolicyFactor {
  /// The share of pushes cancelled rather than delayed. Unit: dimensionless, 0 to 1.
  public var cancelProbability = 0.0

  public static let id = FactorID.lowPowerMode
  public static let summary = "Low Power Mode cancels a push or holds it until the mode ends."
  public static let sources = "C0-03, C0-19, S16, R-21, R-22"
  public static let gates: GatedWork = [.refresh, .processingByParameter, .discretionaryDownload]
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "low_power_mode.cancel_probability", .number(.proportion, 0...1, \.lowPowerMode.cancelProbability),
      "share of pushes that Low Power Mode cancels; the others wait for its end")
  ]

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard context.state.contains(.lowPowerMode) else { return .abstain }
    return .neverWithProbability(
      app.pointee.policy.lowPowerMode.cancelProbability, otherwise: Hold(lifts: .lowPowerMode))
  }

  public init() {}
}
