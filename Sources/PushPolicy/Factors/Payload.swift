public import Quantities

/// **What it models.** Only a payload with `content-available` and without alert, sound or badge is a background
/// notification.
///
/// **Rule.** Anything else is an ordinary notification: shown if the user permits, no launch in the background by
/// itself: never.
///
/// **Interactions.** Whether the notification is shown depends on the permission, not on the policy.
///
/// **Scope and limitations.** The guides' reading. Apple also lets an alert with `content-available` wake the app
/// (S22), which the `evidence` profile will follow.
///
/// **Validation.** `ValidationTests`: C0-01, C0-02, C0-15.
///
/// **Sources.** C0-01, C0-02, C0-15.
public struct Payload: PolicyFactor {
  public static let id = FactorID.payload
  public static let summary =
    "A payload with alert, sound or badge, or without content-available, wakes no app."
  public static let sources = "C0-01, C0-02, C0-15"
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    context.request == .silent ? .abstain : .never
  }

  public init() {}
}
