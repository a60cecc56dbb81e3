public import Quantities

/// **What it models.** A sender that far exceeds the recommended rate is blocked for a while.
///
/// **Rule.** More than `factor` times the nominal limit arriving within `window`: nothing is launched for `block`, and
/// what arrives meanwhile is discarded under this factor. The count starts afresh when the block ends; counted
/// through the block, it would never end.
///
/// **Interactions.** The nominal limit is ``HourlyBudget``'s: with that factor off or in shadow there is none to exceed.
///
/// **Scope and limitations.** The guides say that excess leads to blocking (C0-21) and give no numbers.
///
/// **Validation.** `ValidationTests`: C0-21, R-01.
///
/// **Sources.** C0-10, C0-21; the numbers are assumed.
public struct SustainedExcess: PolicyFactor {
  /// Unit: dimensionless.
  public var factor = 0.0
  /// Unit: seconds.
  public var window = 0.0
  /// Unit: seconds.
  public var block = 0.0

  public static let id = FactorID.sustainedExcess
  public static let summary = "A sender far above the limit is blocked for a while."
  public static let sources = "C0-10, C0-21, R-01"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "sustained_excess.factor", .number(.count, 1...100, \.sustainedExcess.factor),
      "multiple of the hourly limit from which sending counts as excess"),
    ParameterKey(
      "sustained_excess.window", .number(.time, 60...86_400, \.sustainedExcess.window),
      "time over which arrivals are counted for the excess"),
    ParameterKey(
      "sustained_excess.block", .number(.time, 0...604_800, \.sustainedExcess.block),
      "how long the system blocks silent pushes after sustained excess"),
  ]

  /// The recent arrivals of one app's pushes.
  public struct State: Sendable {
    public var blockedUntil = SimTime.distantPast
    /// A ring of the last arrivals, as many as the window may hold; empty where there is no limit.
    @usableFromInline var recent: [SimTime] = []
    @usableFromInline var next = 0
    @usableFromInline var count = 0
    @usableFromInline var window = SimDuration.zero
    @usableFromInline var block = SimDuration.zero

    public init() {}

    /// Forgets everything under a policy; keeps the storage.
    public mutating func reset(_ policy: borrowing Policy) {
      let allowed =
        policy.enabled.contains(.hourlyBudget)
        ? policy.sustainedExcess.allowedArrivals(policy.hourlyBudget.limit) : 0
      if recent.count != allowed { recent = [SimTime](repeating: .distantPast, count: allowed) }
      window = SimDuration(seconds: policy.sustainedExcess.window)
      block = SimDuration(seconds: policy.sustainedExcess.block)
      blockedUntil = .distantPast
      next = 0
      count = 0
    }

    /// Counts a push that arrives for an app that is not in the front. Needs a ``reset(_:)`` before the first.
    @inlinable @inline(__always)
    public mutating func recordArrival(at now: SimTime) {
      guard now >= blockedUntil, !recent.isEmpty else { return }
      // As many arrivals as allowed lie in the ring; this one is too many if the oldest of them is still in the window.
      if count == recent.count, now - recent[next] < window {
        blockedUntil = now + block
        count = 0
        next = 0
        return
      }
      recent[next] = now
      next = next + 1 == recent.count ? 0 : next + 1
      if count < recent.count { count += 1 }
    }
  }

  /// How many arrivals a window may hold.
  ///
  /// - Parameter limit: the hourly budget's limit, per second.
  @inlinable @inline(__always)
  public func allowedArrivals(_ limit: Double) -> Int {
    max(1, Int(min(1e6, factor * limit * window + 1e-9)))
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard context.now < app.pointee.memory.excess.blockedUntil else { return .abstain }
    return context.occasion == .arrival ? .never : .hold(Hold(until: app.pointee.memory.excess.blockedUntil))
  }

  public init() {}
}
