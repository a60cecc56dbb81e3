public import Quantities

/// **What it models.** The capabilities Background Modes → Remote notifications and Voice over IP.
///
/// **Rule.** Without `remote_notification` among the app's background modes the push arrives and wakes nothing: never.
/// A VoIP push asks for `voip` in its place.
///
/// **Interactions.** None.
///
/// **Scope and limitations.** The app declares its modes for all its users alike.
///
/// **Validation.** `ValidationTests`: C0-14.
///
/// **Sources.** C0-13, C0-14, C3-05.
public struct BackgroundMode: PolicyFactor {
  public static let id = FactorID.backgroundMode
  public static let summary =
    "Without the background mode `remote_notification`, or `voip` for VoIP pushes, the app is never woken."
  public static let sources = "C0-13, C0-14, C3-05"
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    let needed: BackgroundModes = context.request.contains(.voip) ? .voip : .remoteNotification
    return context.backgroundModes.contains(needed) ? .abstain : .never
  }

  public init() {}
}
