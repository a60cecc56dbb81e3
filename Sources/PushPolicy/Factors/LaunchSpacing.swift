public import Quantities

/// **What it models.** The shortest time between launches of one app.
///
/// **Rule.** A device allows an app a burst of launches (1, 2, 4 or 9, by weight), each refilled in `interval` (times a factor of the
/// device, lognormal with `device_sigma`; times `in_use_factor` while the device is in use). Once used up it stays closed until it is full again, or, with `reopens_full` off, until one launch is.
///
/// **Interactions.** ``FetchFeedback`` stretches the interval. A launch beside other work of the system passes it.
///
/// **Scope and limitations.** One law with bursts by device reproduces the reports, no single burst does; Apple's talk
/// draws one launch in about 15 min (W7).
///
/// **Validation.** `ValidationTests`: T2, T3, R-01, R-02, R-23.
///
/// **Sources.** W7, R-01, R-02, R-23, R-24, R-25, R-30; the shares of the bursts are ours.
public struct LaunchSpacing: PolicyFactor {
  /// Unit: seconds.
  public var interval = 0.0
  /// Standard deviation of the logarithm of a device's factor.
  public var deviceSigma = 0.0
  public var inUseFactor = 1.0
  public var reopensFull = false
  /// Weights of the bursts in ``bursts``.
  public var weight1 = 0.0
  public var weight2 = 0.0
  public var weight4 = 0.0
  public var weight9 = 0.0

  public static let bursts: [Double] = [1, 2, 4, 9]

  public static let id = FactorID.launchSpacing
  public static let summary = "Launches of one app keep a distance, after a burst."
  public static let sources = "W7, R-01, R-02, R-23, R-24, R-25, R-30"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "launch_spacing.interval", .number(.time, 1...86_400, \.launchSpacing.interval),
      "time after which an app may be launched once more"),
    ParameterKey(
      "launch_spacing.device_sigma", .number(.count, 0...3, \.launchSpacing.deviceSigma),
      "spread (sigma of the logarithm) of the launch spacing over devices"),
    ParameterKey(
      "launch_spacing.in_use_factor", .number(.count, 0.01...10, \.launchSpacing.inUseFactor),
      "factor on the launch spacing while the device is in use"),
    ParameterKey(
      "launch_spacing.reopens_full", .flag(\.launchSpacing.reopensFull),
      "whether a burst that is used up must refill completely before the next launch"),
    ParameterKey(
      "launch_spacing.burst_of_1", .number(.proportion, 0...1, \.launchSpacing.weight1),
      "share of devices that allow 1 launch without spacing; with its siblings 100 %",
      rule: .share(rest: "launch_spacing.burst_of_rest")),
    ParameterKey(
      "launch_spacing.burst_of_2", .number(.proportion, 0...1, \.launchSpacing.weight2),
      "share of devices that allow 2 launches without spacing; with its siblings 100 %",
      rule: .share(rest: "launch_spacing.burst_of_rest")),
    ParameterKey(
      "launch_spacing.burst_of_4", .number(.proportion, 0...1, \.launchSpacing.weight4),
      "share of devices that allow 4 launches without spacing; with its siblings 100 %",
      rule: .share(rest: "launch_spacing.burst_of_rest")),
    ParameterKey(
      "launch_spacing.burst_of_9", .number(.proportion, 0...1, \.launchSpacing.weight9),
      "share of devices that allow 9 launches without spacing; with its siblings 100 %",
      rule: .share(rest: "launch_spacing.burst_of_rest")),
  ]

  /// The burst of the device at a uniform variate.
  public func burst(at uniform: Double) -> Double {
    let weights = [weight1, weight2, weight4, weight9]
    var left = uniform * weights.reduce(0, +)
    for (weight, burst) in zip(weights, Self.bursts) {
      if left < weight { return burst }
      left -= weight
    }
    // What rounding leaves goes to the largest burst that has a weight.
    return weights.lastIndex { $0 > 0 }.map { Self.bursts[$0] } ?? 1
  }

  /// The spacing of one app on one device.
  public struct State: Sendable {
    /// What the device allows at once, and its factor on the interval.
    public var burst = 1.0
    public var deviceFactor = 1.0
    public var isInUse = false
    /// The factor of missed handlers.
    public var slowdown = 1.0
    @usableFromInline var launches = 1.0
    @usableFromInline var settledAt = SimTime.zero
    /// Used up, and not yet full again.
    @usableFromInline var isClosed = false

    public init() {}

    public mutating func fill(at now: SimTime) {
      launches = burst
      settledAt = now
      isClosed = false
      slowdown = 1
    }

    /// Seconds in which one launch is refilled.
    @inlinable
    public func interval(_ spacing: LaunchSpacing) -> Double {
      spacing.interval * deviceFactor * slowdown * (isInUse ? spacing.inUseFactor : 1)
    }

    @inlinable
    public func launches(at now: SimTime, _ spacing: LaunchSpacing) -> Double {
      let interval = interval(spacing)
      return interval > 0 ? min(burst, launches + (now - settledAt).seconds / interval) : burst
    }

    /// Seconds until a launch is allowed; 0 when it is.
    @inlinable
    public func wait(at now: SimTime, _ spacing: LaunchSpacing) -> Double {
      let needed = isClosed && spacing.reopensFull ? burst : 1
      let launches = launches(at: now, spacing)
      // Times are rounded to the microsecond, so what is due now may be short by the last digits.
      return launches >= needed - 1e-6 ? 0 : (needed - launches) * interval(spacing)
    }

    /// Books the refill up to `now`: before the rate changes.
    public mutating func settle(at now: SimTime, _ spacing: LaunchSpacing) {
      if wait(at: now, spacing) == 0 { isClosed = false }
      launches = launches(at: now, spacing)
      settledAt = now
    }

    public mutating func use(_ isInUse: Bool, at now: SimTime, _ spacing: LaunchSpacing) {
      settle(at: now, spacing)
      self.isInUse = isInUse
    }

    public mutating func spend(at now: SimTime, _ spacing: LaunchSpacing) {
      settle(at: now, spacing)
      launches = max(0, launches - 1)
      if launches < 1 - 1e-6 { isClosed = true }
    }
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard context.occasion != .release else { return .abstain }
    let wait = app.pointee.memory.spacing.wait(at: context.now, app.pointee.policy.launchSpacing)
    return wait > 0
      ? .hold(Hold(until: context.now + SimDuration(seconds: wait), lifts: .screenOn)) : .abstain
  }

  public init() {}
}
