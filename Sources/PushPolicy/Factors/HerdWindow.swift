public import Quantities

/// **What it models.** The minutes after a start or a long outage, in which much work waits to run at once.
///
/// **Rule.** For `length` after a start or after the end of an outage of at least `outage`, while the device is in use: hold.
///
/// **Interactions.** A restart is also an outage.
///
/// **Scope and limitations.** Logs name the trigger and the window (D5, D6), not how long an outage must be.
///
/// **Validation.** `ValidationTests`.
///
/// **Sources.** D5, D6, R-18, R-19; the length of the outage is assumed.
public struct HerdWindow: PolicyFactor {
  /// Unit: seconds.
  public var length = 0.0
  /// The shortest outage that counts. Unit: seconds.
  public var outage = 0.0

  public static let id = FactorID.herdWindow
  public static let summary = "After a start or a long outage nothing is launched while the device is in use."
  public static let sources = "D5, D6, R-18, R-19"
  public static let gates: GatedWork = [.refresh, .processing]
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "herd_window.length", .number(.time, 0...86_400, \.herdWindow.length),
      "how long pushes wait after a restart or a long outage, while the device is in use"),
    ParameterKey(
      "herd_window.outage", .number(.time, 0...86_400, \.herdWindow.outage),
      "shortest outage that starts the waiting time"),
  ]

  /// When the device last started or came back from a long outage.
  public struct State: Sendable {
    public var since = SimTime.distantPast
    public init() {}
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard context.state.isInUse else { return .abstain }
    let end = app.pointee.memory.herd.since + SimDuration(seconds: app.pointee.policy.herdWindow.length)
    return context.now < end ? .hold(Hold(until: end, lifts: [.screenOn, .inFront])) : .abstain
  }

  public init() {}
}
