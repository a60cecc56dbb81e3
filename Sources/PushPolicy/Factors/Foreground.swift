public import Quantities

/// **What it models.** An app in the front gets every push at once.
///
/// **Rule.** In the foreground: must deliver, whatever the other factors say. Such a delivery costs no token and gives
/// no feedback.
///
/// **Interactions.** Overrides every other factor; a user who opens the app so releases all that is held for it.
///
/// **Scope and limitations.** A debugger attached to the app has the same effect on a real device (S13); no scenario
/// can attach one yet.
///
/// **Validation.** `ValidationTests`: R-02 (foreground: all, about a second), S4 (opening the app delivers at once).
///
/// **Sources.** S4, R-02, D2.
public struct Foreground: PolicyFactor {
  public static let id = FactorID.foreground
  public static let summary = "An app in the front gets every push at once."
  public static let sources = "S4, R-02, D2"
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    context.state.contains(.inFront) ? .mustDeliver : .abstain
  }

  public init() {}
}
