public import Quantities

/// **What it models.** The 2–3 silent pushes an hour that the system serves per app.
///
/// **Rule.** A token bucket: it refills at `limit` times the app's reputation and holds at most `burst`. A launch in
/// the background costs one token. Without a token a push is ignored with `ignore_probability`, otherwise held for the
/// next token; of those held for a token only the newest is kept.
///
/// **Interactions.** ``FetchFeedback`` scales the refill.
///
/// **Scope and limitations.** Apple advises senders ("two or three per hour"); the rule inside the system is not known,
/// nor whether it counts per app or per device (C0-09 against S9).
///
/// **Validation.** `ValidationTests`: C0-09, C0-10; long-run rate against the closed form.
///
/// **Sources.** C0-09, C0-10, S1; the shape is assumed.
public struct HourlyBudget: PolicyFactor {
  /// Unit: tokens per second.
  public var limit = 0.0
  /// Unit: tokens.
  public var burst = 0.0
  /// Unit: dimensionless, 0 to 1.
  public var ignoreProbability = 0.0

  public static let id = FactorID.hourlyBudget
  public static let summary = "A budget of two to three launches an hour per app."
  public static let sources = "C0-09, C0-10, S1"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "hourly_budget.limit", .number(.rate, 0...0.1, \.hourlyBudget.limit),
      "launches per hour that the budget grants to an app with a reputation of 1"),
    ParameterKey(
      "hourly_budget.burst", .number(.count, 1...1000, \.hourlyBudget.burst),
      "largest number of launches that the budget can save up"),
    ParameterKey(
      "hourly_budget.ignore_probability", .number(.proportion, 0...1, \.hourlyBudget.ignoreProbability),
      "share of pushes over the budget that are ignored; the others wait for the budget"),
  ]

  /// The bucket of one app on one device.
  public struct State: Sendable {
    /// Tokens at `settledAt`.
    @usableFromInline var tokens = 0.0
    @usableFromInline var settledAt = SimTime.zero

    public init() {}

    /// A full bucket at `now`.
    public mutating func fill(at now: SimTime, _ policy: borrowing Policy) {
      tokens = policy.hourlyBudget.burst
      settledAt = now
    }

    /// Tokens at `now`.
    ///
    /// - Parameters:
    ///   - refill: tokens per second, as of the last ``settle(_:refill:burst:)``.
    ///   - burst: tokens that the bucket holds.
    @inlinable @inline(__always)
    public func tokens(at now: SimTime, refill: Double, burst: Double) -> Double {
      min(burst, tokens + (now - settledAt).seconds * refill)
    }

    /// Books the refill up to `now`: before the reputation, and with it the rate, changes.
    @inlinable @inline(__always)
    public mutating func settle(_ now: SimTime, refill: Double, burst: Double) {
      tokens = tokens(at: now, refill: refill, burst: burst)
      settledAt = now
    }

    @inlinable @inline(__always)
    mutating func spend(_ now: SimTime, refill: Double, burst: Double) {
      settle(now, refill: refill, burst: burst)
      tokens = max(0, tokens - 1)
    }
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    let refill = app.pointee.refill
    let tokens = app.pointee.memory.budget.tokens(
      at: context.now, refill: refill, burst: app.pointee.policy.hourlyBudget.burst)
    // Times are rounded to the microsecond, so a token due now may be short of 1 by the last digits.
    if tokens >= 1 - 1e-6 { return .abstain }
    let wait = refill > 0 ? SimDuration(seconds: (1 - tokens) / refill) : SimDuration(microseconds: .max)
    let hold = Hold(until: context.now + wait)
    return context.occasion == .arrival
      ? .neverWithProbability(app.pointee.policy.hourlyBudget.ignoreProbability, otherwise: hold)
      : .hold(hold)
  }

  public init() {}
}
