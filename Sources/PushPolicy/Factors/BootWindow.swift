public import Quantities

/// **What it models.** The first minutes after the device has started, in which the system runs no background work.
///
/// **Rule.** For `length` after a start: hold.
///
/// **Interactions.** None.
///
/// **Scope and limitations.** Seen in logs for pushes and other work alike.
///
/// **Validation.** `ValidationTests`: R-16, T7.
///
/// **Sources.** D4, R-15, R-16, R-17.
public struct BootWindow: PolicyFactor {
  /// Unit: seconds.
  public var length = 0.0

  public static let id = FactorID.bootWindow
  public static let summary = "After a start nothing is launched for some minutes."
  public static let sources = "D4, R-15, R-16, R-17"
  public static let gates: GatedWork = [.refresh, .processing]
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "boot_window.length", .number(.time, 0...86_400, \.bootWindow.length),
      "how long after a restart pushes wait")
  ]

  /// When the device last started.
  public struct State: Sendable {
    public var startedAt = SimTime.distantPast
    public init() {}
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    let end = app.pointee.memory.boot.startedAt + SimDuration(seconds: app.pointee.policy.bootWindow.length)
    return context.now < end ? .hold(Hold(until: end)) : .abstain
  }

  public init() {}
}
