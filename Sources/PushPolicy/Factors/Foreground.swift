public import Quantities

/// **What it models.** An app in the front gets every push at once.
///
/// **Rule.** In the foreground, or with a debugger attached to the app: must deliver, whatever the other factors say.
/// Such a delivery costs no token and gives no feedback.
///
/// **Interactions.** Overrides every other factor; a user who opens the app so releases all that is held for it.
///
/// **Scope and limitations.** Only a scripted life attaches a debugger (S13).
///
/// **Validation.** `ValidationTests`: R-02 (foreground: all, about a second), S4 (opening the app delivers at once), T17 (a debugger
/// lifts every throttle).
///
/// **Sources.** S4, S13, R-02, D2.
public struct Foreground: PolicyFactor {
  public static let id = FactorID.foreground
  public static let summary = "An app in the front gets every push at once."
  public static let sources = "S4, S13, R-02, D2"
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    context.state.isDisjoint(with: [.inFront, .debugger]) ? .abstain : .mustDeliver
  }

  public init() {}
}
