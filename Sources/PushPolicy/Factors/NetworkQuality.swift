public import Quantities

/// **What it models.** The system prefers to work on Wi-Fi.
///
/// **Rule.** A part of the score: 1 on Wi-Fi, `cellular` otherwise, with `weight`.
///
/// **Interactions.** Read by ``Score``.
///
/// **Scope and limitations.** The weight is a Mac's (D15); the value on cellular is assumed.
///
/// **Validation.** `PushPolicyTests`.
///
/// **Sources.** D15, W6; the value on cellular is assumed.
public struct NetworkQuality: PolicyFactor {
  public var weight = 0.0
  /// On a network other than Wi-Fi.
  public var cellular = 0.0

  public static let id = FactorID.networkQuality
  public static let summary = "A cellular network lowers the score."
  public static let sources = "D15, W6"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "network_quality.weight", .number(.count, 0...1000, \.networkQuality.weight),
      "weight of this factor in the total score"),
    ParameterKey(
      "network_quality.cellular", .number(.proportion, 0...1, \.networkQuality.cellular),
      "score of this factor on a network other than Wi-Fi"),
  ]

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    .proceed(
      score: context.state.contains(.wifi) ? 1 : app.pointee.policy.networkQuality.cellular,
      weight: app.pointee.policy.networkQuality.weight)
  }

  public init() {}
}
