public import Quantities

/// **What it models.** The camera, which needs the memory.
///
/// **Rule.** While the camera is in use: hold.
///
/// **Interactions.** None.
///
/// **Scope and limitations.** One log (D7).
///
/// **Validation.** `ValidationTests`: R-18.
///
/// **Sources.** D7, R-18.
public struct Camera: PolicyFactor {
  public static let id = FactorID.camera
  public static let summary = "While the camera is in use nothing is launched."
  public static let sources = "D7, R-18"
  public static let gates: GatedWork = [.refresh, .processing]
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    context.state.contains(.camera) ? .hold(Hold(lifts: .camera)) : .abstain
  }

  public init() {}
}
