public import Quantities

/// **What it models.** The launches of a day that all apps of the device share.
///
/// **Rule.** `size` launches in 24 hours, reset at once every `period` at a moment of the device's own, or, when `gradual`, refilled
/// evenly. With less than one left: hold until the reset.
///
/// **Interactions.** Other apps' launches draw on it too: see `population.surroundings.other_pushes`.
///
/// **Scope and limitations.** Apple's engineers give the law (S9 to S11), nobody the size; the energy and the data of a launch are not told apart.
///
/// **Validation.** `ValidationTests`: R-01, R-27 (a reset a day).
///
/// **Sources.** S9, S10, S11, W6, R-27; the size is assumed.
public struct DevicePool: PolicyFactor {
  /// Unit: launches.
  public var size = 0.0
  /// Unit: seconds.
  public var period = 0.0
  public var isGradual = false

  public static let id = FactorID.devicePool
  public static let summary = "All apps of the device share the launches of a day."
  public static let sources = "S9, S10, S11, W6, R-27"
  public static let gates: GatedWork = [.refresh, .processing, .discretionaryDownload]
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "device_pool.size", .number(.count, 1...100_000, \.devicePool.size),
      "background launches of all apps together in one period"),
    ParameterKey(
      "device_pool.period", .number(.time, 60...2_592_000, \.devicePool.period),
      "time between two resets of the pool"),
    ParameterKey(
      "device_pool.gradual", .flag(\.devicePool.isGradual),
      "whether the pool refills evenly instead of all at once"),
  ]

  /// The pool of one device.
  public struct State: Sendable {
    @usableFromInline var remaining = 0.0
    @usableFromInline var settledAt = SimTime.zero
    /// The next reset.
    public var resetAt = SimTime.distantFuture

    public init() {}

    /// A full pool at `now`, of which the next reset is a share of the period away.
    public mutating func fill(at now: SimTime, phase: Double, _ pool: DevicePool) {
      remaining = pool.size
      settledAt = now
      resetAt = now + SimDuration(seconds: max(1, phase * pool.period))
    }

    /// Launches left at `now`.
    @inlinable
    public func left(at now: SimTime, _ pool: DevicePool) -> Double {
      if pool.isGradual {
        return min(pool.size, remaining + (now - settledAt).seconds * pool.size / pool.period)
      }
      return now >= resetAt ? pool.size : remaining
    }

    /// A launch of any app.
    public mutating func take(at now: SimTime, _ pool: DevicePool) {
      remaining = max(0, left(at: now, pool) - 1)
      settledAt = now
      while resetAt <= now { resetAt += SimDuration(seconds: max(1, pool.period)) }
    }
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    let pool = app.pointee.policy.devicePool
    let left = app.pointee.memory.pool.left(at: context.now, pool)
    if left >= 1 - 1e-6 { return .abstain }
    let until =
      pool.isGradual
      ? context.now + SimDuration(seconds: (1 - left) * pool.period / pool.size)
      : app.pointee.memory.pool.resetAt
    return .hold(Hold(until: until))
  }

  public init() {}
}
