public import Quantities

/// **What it models.** The system prefers to work while nobody uses the device.
///
/// **Rule.** A part of the score: `score` while the device is in use, else 1, with `weight`.
///
/// **Interactions.** Read by ``Score``.
///
/// **Scope and limitations.** Logged for iPhones at weight 5 (D8) and for Macs at 20 (D13).
///
/// **Validation.** `ValidationTests`: R-18.
///
/// **Sources.** D8, D13.
public struct DeviceInUse: PolicyFactor {
  public var weight = 0.0
  /// While the device is in use.
  public var score = 0.0

  public static let id = FactorID.deviceInUse
  public static let summary = "A device in use lowers the score."
  public static let sources = "D8, D13"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "device_in_use.weight", .number(.count, 0...1000, \.deviceInUse.weight),
      "weight of this factor in the total score"),
    ParameterKey(
      "device_in_use.score", .number(.proportion, 0...1, \.deviceInUse.score),
      "score of this factor while the device is in use"),
  ]

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    .proceed(
      score: context.state.isInUse ? app.pointee.policy.deviceInUse.score : 1,
      weight: app.pointee.policy.deviceInUse.weight)
  }

  public init() {}
}
