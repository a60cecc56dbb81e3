public import Quantities

/// **What it models.** A payload with `content-available` and without alert, sound or badge is a background
/// notification. By a report, one with both is shown and may wake the app as well.
///
/// **Rule.** Without `content-available`: an ordinary notification, which launches nothing in the background: never. With
/// alert, sound or badge beside it: never, unless ``alertMayWake``; then the launch is up to the other factors.
///
/// **Interactions.** Whether the notification is shown depends on the permission, not on the policy: what blocks the launch,
/// as ``RefreshSwitch``, does not keep it from being shown.
///
/// **Scope and limitations.** No source says whether an alert draws on the same budget; here its launch costs the same.
///
/// **Validation.** `ValidationTests`: C0-01, C0-02, C0-15.
///
/// **Sources.** C0-01, C0-02, C0-15; S22, R-43, R-44.
public struct Payload: PolicyFactor {
  public static let id = FactorID.payload
  public static let summary =
    "A payload without content-available, or with alert, sound or badge, wakes no app; the latter may be allowed."
  public static let sources = "C0-01, C0-02, C0-15, S22, R-43, R-44"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "payload.alert_may_wake", .flag(\.payload.alertMayWake),
      "whether an alert with `content-available` may also wake the app")
  ]

  /// An alert with `content-available` may also wake the app.
  public var alertMayWake = false

  /// Whether a push with this payload may wake the app at all.
  @inlinable
  public func mayWake(_ request: PushRequest) -> Bool {
    request.contains(.contentAvailable) && (alertMayWake || !request.isVisible)
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    app.pointee.policy.payload.mayWake(context.request) ? .abstain : .never
  }

  public init() {}
}
