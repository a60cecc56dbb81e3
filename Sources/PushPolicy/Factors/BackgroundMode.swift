public import Quantities

/// **What it models.** The capability Background Modes → Remote notifications.
///
/// **Rule.** Without `remote_notification` among the app's background modes the push arrives and wakes nothing: never.
///
/// **Interactions.** None.
///
/// **Scope and limitations.** The app declares its modes for all its users alike.
///
/// **Validation.** `ValidationTests`: C0-14.
///
/// **Sources.** C0-13, C0-14.
public struct BackgroundMode: PolicyFactor {
  public static let id = FactorID.backgroundMode
  public static let summary = "Without the background mode `remote_notification` the app is never woken."
  public static let sources = "C0-13, C0-14"
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    context.backgroundModes.contains(.remoteNotification) ? .abstain : .never
  }

  public init() {}
}
