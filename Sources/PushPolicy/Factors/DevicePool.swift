public import Quantities

/// **What it models.** The launches of a day that all apps of the device share.
///
/// **Rule.** `size` launches in 24 hours, times a lognormal factor of the device (`device_sigma`), reset at once every
/// `period` at a moment of the device's own, or, when `gradual`, refilled evenly. A share of the periods
/// (`empty_periods`) brings none. With less than one left: hold until the reset.
///
/// **Interactions.** Other apps' launches draw on it too: see `population.surroundings.other_pushes`.
///
/// **Scope and limitations.** Apple's engineers give the law, and that the number of launches may be zero (S9 to S11),
/// nobody the size; the energy and the data of a launch are not told apart. Which periods are empty repeats after 64.
///
/// **Validation.** `ValidationTests`: R-01, R-27 (a reset a day), S9 (days without).
///
/// **Sources.** S9, S10, S11, W6, R-27, R-145; the size, its spread and the share of empty periods are assumed.
public struct DevicePool: PolicyFactor {
  /// Of the median device. Unit: launches.
  public var size = 0.0
  /// Standard deviation of the logarithm of a device's factor on the size.
  public var deviceSigma = 0.0
  /// The share of periods that begin with an empty pool. Unit: dimensionless, 0 to 1.
  public var emptyPeriods = 0.0
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
      "background launches of all apps together in one period, on the median device"),
    ParameterKey(
      "device_pool.device_sigma", .number(.count, 0...3, \.devicePool.deviceSigma),
      "spread of the logarithm of a device's factor on the size"),
    ParameterKey(
      "device_pool.empty_periods", .number(.proportion, 0...1, \.devicePool.emptyPeriods),
      "share of periods without a single launch, where the pool is reset all at once"),
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
    /// What the device is, drawn by the model: its factor on the size, and a bit for each of its first 64 periods, which
    /// then repeat, that says whether the pool is empty throughout.
    public var factor = 1.0
    public var empty: UInt64 = 0
    /// The number of the period that ends with the next reset.
    @usableFromInline var period: Int64 = 0

    public init() {}

    /// A pool at `now`, full unless this is a period without, of which the next reset is a share of the period away.
    public mutating func fill(at now: SimTime, phase: Double, _ pool: DevicePool) {
      settledAt = now
      resetAt = now + SimDuration(seconds: max(1, phase * pool.period))
      period = 0
      remaining = size(in: 0, pool)
    }

    /// Launches of a period.
    @inlinable
    func size(in period: Int64, _ pool: DevicePool) -> Double {
      !pool.isGradual && empty >> UInt64(period & 63) & 1 != 0 ? 0 : pool.size * factor
    }

    /// Resets from ``resetAt`` up to `now`.
    @inlinable
    func resets(until now: SimTime, _ pool: DevicePool) -> Int64 {
      if now < resetAt { return 0 }
      return 1 + (now - resetAt).microseconds / SimDuration(seconds: max(1, pool.period)).microseconds
    }

    /// The first reset after `now`.
    @inlinable
    func nextReset(after now: SimTime, _ pool: DevicePool) -> SimTime {
      let period = SimDuration(seconds: max(1, pool.period)).microseconds
      return resetAt + SimDuration(microseconds: resets(until: now, pool) * period)
    }

    /// Launches left at `now`.
    @inlinable
    public func left(at now: SimTime, _ pool: DevicePool) -> Double {
      if pool.isGradual {
        let rate = pool.size * factor / pool.period
        return min(pool.size * factor, remaining + (now - settledAt).seconds * rate)
      }
      return now >= resetAt ? size(in: period + resets(until: now, pool), pool) : remaining
    }

    /// A launch of any app.
    public mutating func take(at now: SimTime, _ pool: DevicePool) {
      remaining = max(0, left(at: now, pool) - 1)
      settledAt = now
      let next = nextReset(after: now, pool)
      period += resets(until: now, pool)
      resetAt = next
    }
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    let pool = app.pointee.policy.devicePool
    let left = app.pointee.memory.pool.left(at: context.now, pool)
    if left >= 1 - 1e-6 { return .abstain }
    let until =
      pool.isGradual
      ? context.now
        + SimDuration(seconds: (1 - left) * pool.period / (pool.size * app.pointee.memory.pool.factor))
      : app.pointee.memory.pool.nextReset(after: context.now, pool)
    return .hold(Hold(until: until))
  }

  public init() {}
}
