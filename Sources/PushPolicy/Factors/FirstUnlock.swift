public import Quantities

/// **What it models.** After a restart the app's data stay encrypted until the user unlocks the device once.
///
/// **Rule.** Hold until the first unlock.
///
/// **Interactions.** A push whose deadline passes before the first unlock counts as not wakeable.
///
/// **Scope and limitations.** Apps that need no protected data are treated alike.
///
/// **Validation.** `ValidationTests`: B11.
///
/// **Sources.** B11. The guides are silent.
public struct FirstUnlock: PolicyFactor {
  public static let id = FactorID.firstUnlock
  public static let summary = "Held after a restart until the device is unlocked for the first time."
  public static let sources = "B11"
  public static let gates: GatedWork = [.refresh, .processing, .download]
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    context.state.contains(.unlockedSinceStart) ? .abstain : .hold(Hold(lifts: .unlockedSinceStart))
  }

  public init() {}
}
