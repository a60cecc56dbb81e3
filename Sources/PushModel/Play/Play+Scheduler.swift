internal import Distributions
internal import Glibc
internal import PushPolicy
internal import Quantities

/// What a play remembers of one device for the scheduler's factors and for releases.
struct SchedulerState: Sendable {
  /// The next release that neither the user nor another app causes.
  var nextRelease = SimTime.distantFuture
  /// Rate of such releases. Unit: per second.
  var releaseRate = 0.0
  var releases = RandomStreamBox()
  /// Since when the device is not reachable; distant future while it is.
  var unreachableSince = SimTime.distantFuture
}

/// A stream that is there once a device has begun.
struct RandomStreamBox: Sendable {
  var stream: RandomStream?
  mutating func unitExponential() -> Double { stream?.unitExponential() ?? .infinity }
}

extension Play {
  /// Draws what the system is on this device.
  mutating func beginScheduler() {
    scheduler = SchedulerState()
    app.pointee.memory.boot = BootWindow.State()
    app.pointee.memory.herd = HerdWindow.State()
    guard setting.policy.schedules else { return }
    let policy = setting.policy
    var stream = streams.stream(device: device, .systemTraits)
    let (burst, phase) = (stream.uniform(), stream.uniform())
    let spread = try? Distribution.lognormal(zeta: 0, sigma: policy.launchSpacing.deviceSigma)
    app.pointee.memory.spacing = LaunchSpacing.State()
    app.pointee.memory.spacing.burst = policy.launchSpacing.burst(at: burst)
    app.pointee.memory.spacing.deviceFactor =
      policy.launchSpacing.deviceSigma > 0 ? spread?.draw(&stream) ?? 1 : 1
    app.pointee.memory.spacing.isInUse = state.isInUse
    beginPool(phase: phase)
    scheduler.unreachableSince = state.isReachable ? .distantFuture : .zero
    scheduler.releaseRate = policy.release.backgroundRate
    if scheduler.releaseRate > 0 {
      scheduler.releases.stream = streams.stream(device: device, .backgroundReleases)
      scheduler.nextRelease = .zero
      _ = nextRelease(after: .zero)
    }
  }

  /// Draws how large the device's pool is, and which of its periods are empty.
  private mutating func beginPool(phase: Double) {
    let pool = setting.policy.devicePool
    app.pointee.memory.pool = DevicePool.State()
    if pool.deviceSigma > 0 || pool.emptyPeriods > 0 {
      var stream = streams.stream(device: device, .poolTraits)
      var empty: UInt64 = 0
      for period in 0..<64 as Range<UInt64> where stream.uniform() < pool.emptyPeriods {
        empty |= 1 << period
      }
      app.pointee.memory.pool.empty = empty
      app.pointee.memory.pool.factor = exp(pool.deviceSigma * stream.unitGaussian())
    }
    app.pointee.memory.pool.fill(at: .zero, phase: phase, pool)
  }

  /// The next release by other work of the system or by a keep-alive: a Poisson process of those events that do release,
  /// the same whatever is held.
  mutating func nextRelease(after now: SimTime) -> SimTime {
    while scheduler.nextRelease <= now {
      scheduler.nextRelease += SimDuration(
        seconds: max(1, scheduler.releases.unitExponential() / scheduler.releaseRate))
    }
    return scheduler.nextRelease
  }

  /// Brings the scheduler's memory up to a change of the device.
  mutating func schedulerSees(
    _ changed: DeviceState, _ moment: Moment, wasReachable: Bool, at now: SimTime
  ) {
    if state.contains(.poweredOn), changed.contains(.poweredOn) {
      app.pointee.memory.boot.startedAt = now
      app.pointee.memory.herd.since = now
    }
    if wasReachable, !state.isReachable { scheduler.unreachableSince = now }
    if !wasReachable, state.isReachable {
      if now - scheduler.unreachableSince >= SimDuration(seconds: setting.policy.herdWindow.outage) {
        app.pointee.memory.herd.since = now
      }
      scheduler.unreachableSince = .distantFuture
    }
    if state.isInUse != app.pointee.memory.spacing.isInUse {
      app.pointee.memory.spacing.use(state.isInUse, at: now, setting.policy.launchSpacing)
    }
    // Another app's push launches that app, unless one of the gates that all apps share is shut.
    if moment == .otherPush, state.isReachable,
      !(state.contains(.lowPowerMode) && setting.policy.enabled.contains(.lowPowerMode)),
      app.pointee.memory.pool.left(at: now, setting.policy.devicePool) >= 1
    {
      app.pointee.memory.pool.take(at: now, setting.policy.devicePool)
    }
  }

  /// Whether what has just happened makes the system decide again about what is held.
  mutating func isReleased(by changed: DeviceState, _ moment: Moment, at now: SimTime) -> Bool {
    let release = setting.policy.release
    var chance = 0.0
    if moment == .otherNotification { chance = release.otherNotification }
    if changed.contains(.charging), state.contains(.charging) { chance = max(chance, release.charger) }
    if changed.contains(.screenOn), state.contains(.screenOn) { chance = max(chance, release.unlock) }
    guard chance > 0 else { return false }
    // Named by the instant, so that it is the same whatever is held.
    var stream = streams.stream(
      device: device, .release(second: UInt32(truncatingIfNeeded: now.microseconds / 1_000_000)))
    return stream.bernoulli(chance)
  }

  /// A newer push takes the place of whatever is held.
  mutating func coalesceHeld(at now: SimTime) {
    for index in held.indices {
      endHeld(index, .coalescedOnDevice, Reason(held[index].factor), at: now)
    }
    held.clear()
  }

  /// The time that a launch for a push may take.
  ///
  /// - Parameter launch: its number, from 1.
  /// - Returns: Unit: seconds.
  mutating func grantedTime(_ launch: UInt32) -> Double {
    let limit = setting.policy.execution.limit
    guard let grant = launcher.grant else { return limit }
    var stream = streams.stream(device: device, .grant(launch))
    return min(limit, grant.draw(&stream))
  }
}

extension Policy {
  /// The time that a launch for a task, or for a push, may take.
  func execution(of task: TaskMechanism?) -> Execution {
    switch task {
    case nil: execution
    case .appRefresh: appRefresh.execution
    case .processingTask: processingTask.execution
    }
  }
}

extension Policy.Execution {
  /// What the system grants to a launch; nil: the limit.
  var grant: Distribution? {
    guard grantSigma > 0, grantMedian > 0, limit > grantShortest,
      let base = try? Distribution.lognormal(median: grantMedian, sigma: grantSigma),
      let cut = try? Distribution.truncated(base, low: grantShortest, high: limit)
    else { return nil }
    return cut
  }
}
