public import Quantities

/// **What it models.** Background fetch (`setMinimumBackgroundFetchInterval`) and its successor `BGAppRefreshTask`.
///
/// **Rule.** The system has *opportunities* to refresh an app: a Poisson process of the device at a rate of one in
/// `peak_interval`, times a lognormal factor of the device (`device_sigma`), the same whatever the app asks for. At each
/// ``judge(now:state:request:task:app:)`` says whether the app is due, which gate refuses it, and with what probability
/// it runs otherwise: the opens that this user's history lets expect within `look_ahead`, relative to `sure_use` (at
/// which the system always takes the opportunity), times the app's reputation. So windows come before the usual opens,
/// and there are few for an app that is seldom opened. From `unused_after` without an open on, the probability halves with
/// every `unused_half_life` on some devices, and is 0 until the next open on the others, a share of `unused_stops`.
///
/// **Interactions.** Gates as of pushes, by the modes of their factors. ``UsageHistory`` off: use does not matter.
/// ``FetchFeedback``: a reputation of the mechanism's own; with `miss_factor` missed handlers make runs rarer. A run
/// draws on ``DevicePool``: ``AppUnderPolicy/recordTaskLaunch(at:)``.
///
/// **Scope and limitations.** The prediction is by hour of day, weekdays and weekends apart, of each user alone; Apple
/// publishes neither its method nor any rate. Days before the install count as days without opens, so a new install
/// warms up by itself, and `warm_up` adds what reports saw beyond that. One pending request, as the system allows (B2).
///
/// **Sources.** C4-02, C4-03, C4-05 to C4-08, C4-10, C4-11, C4-15, W3, W10, B1 to B3, B5 to B8, B16, B19, R-85 to,
/// the shape and the sizes are assumed.
public struct AppRefresh: Sendable {
  /// Mean time between opportunities on the median device. Unit: seconds.
  public var peakInterval = 3600.0
  /// Standard deviation of the logarithm of a device's factor on that rate.
  public var deviceSigma = 0.0
  /// Shortest time between two runs. Unit: seconds.
  public var floor = 0.0
  /// Longest time for which the minimum interval of the legacy interface is kept. Unit: seconds.
  public var legacyFloorAtMost = Double.infinity
  /// Expected opens at which every opportunity is taken. Unit: per second.
  public var sureUse = 0.0
  /// How far the prediction looks ahead. Unit: seconds.
  public var lookAhead = 3600.0
  /// Time since the last open from which on runs fade, or stop. Unit: seconds.
  public var unusedAfter = Double.infinity
  /// How long it then takes for the probability to halve, where runs fade. Unit: seconds.
  public var unusedHalfLife = 0.0
  /// The share of devices on which runs stop instead, as ``TaskMemory/stopsUnused`` says of a device.
  public var unusedStops = 1.0
  /// Time since the install before which there is no run. Unit: seconds.
  public var warmUp = 0.0
  /// Factor on the probability under the battery threshold. Unit: dimensionless, 0 to 1; 0: no run.
  public var lowBattery = 0.0
  /// Factor on the probability while no charger is connected. Unit: dimensionless, 0 to 1.
  public var onBattery = 1.0
  /// The time that a run gets.
  public var execution = Policy.Execution()

  public init() {}

  /// How the app asks for refreshes.
  @frozen
  public enum Request: Equatable, Sendable, BitwiseCopyable {
    /// `BGAppRefreshTask`: one pending request, kept in ``TaskMemory``.
    case task
    /// `setMinimumBackgroundFetchInterval`: a standing request.
    case legacy(minimumInterval: SimDuration)
  }

  /// The factors that are asked, beside those of the request.
  package static let asks = gates.union(FactorSet([.batteryLevel, .usageHistory, .fetchFeedback]))

  static let gates = FactorRegistry.gates(of: .refresh)

  /// The first instant at which ``judge(now:state:request:task:app:)`` may find the app due; distant future when no
  /// request is pending. Opportunities before it need not be drawn.
  public func due(_ request: Request, _ task: TaskMemory) -> SimTime {
    switch request {
    case .task:
      return max(task.pendingFrom, task.lastRun + SimDuration(seconds: floor))
    case .legacy(let minimumInterval):
      let kept = min(minimumInterval.seconds, legacyFloorAtMost)
      return task.lastRun + SimDuration(seconds: max(kept, floor))
    }
  }

  /// What the system makes of an opportunity at `now`.
  ///
  /// Pure. When the model lets the app run it books: ``TaskMemory/recordRun(at:)`` and
  /// ``AppUnderPolicy/recordTaskLaunch(at:)`` at the start, ``TaskMemory/recordResult(_:runTime:at:execution:_:)`` at the
  /// end, and ``TaskMemory/submit(at:earliest:)`` when the app submits its next request.
  ///
  /// - Parameters:
  ///   - task: what the system remembers of the app's refreshes.
  ///   - app: by its address: see ``PolicyFactor/evaluate(_:_:)``. Its memory's `use`, `pool`, `boot` and `herd` are read.
  public static func judge(
    now: SimTime, state: DeviceState, request: Request, task: TaskMemory, app: UnsafePointer<AppUnderPolicy>
  ) -> TaskVerdict {
    guard TaskGates.isThere(state), now >= app.pointee.policy.appRefresh.due(request, task) else {
      return .notDue
    }
    // Content is refreshed in the front anyhow.
    if state.contains(.inFront), app.pointee.policy.enabled.contains(.foreground) {
      return .refused(TaskReason(.foreground))
    }
    if let gate = TaskGates.firstRefusing(gates, now: now, state: state, app) { return .refused(gate) }

    var chance = TaskChance()
    if let gate = TaskGates.firstRefusing(FactorSet(.batteryLevel), now: now, state: state, app) {
      chance.times(app.pointee.policy.appRefresh.lowBattery, for: gate)
      if chance.probability <= 0 { return .refused(gate) }
    }
    if !state.contains(.charging) {
      chance.times(app.pointee.policy.appRefresh.onBattery, for: .onBattery)
    }

    if app.pointee.policy.enabled.contains(.usageHistory) {
      let use = expectedUse(at: now, task, app)
      if use <= 0 { return .refused(TaskReason(.usageHistory)) }
      chance.times(use, for: TaskReason(.usageHistory))
    }
    if task.isStopped(at: now, app) { return .refused(TaskReason(.fetchFeedback)) }
    chance.times(task.pace(app), for: TaskReason(.fetchFeedback))
    return chance.verdict
  }

  /// Expected use ahead of `now` relative to ``sureUse``: 0 to 1; 0 for an app that is not in use or too new.
  static func expectedUse(
    at now: SimTime, _ task: TaskMemory, _ app: UnsafePointer<AppUnderPolicy>
  ) -> Double {
    let age = UsageHistory.age(now, app.pointee.memory.use.lastOpen)
    let left = app.pointee.policy.appRefresh.leftOfUse(age: age, stops: task.stopsUnused)
    if left <= 0 { return 0 }
    if now < task.installedAt + SimDuration(seconds: app.pointee.policy.appRefresh.warmUp) { return 0 }
    let ahead = max(1, app.pointee.policy.appRefresh.lookAhead)
    let opens = app.pointee.memory.use.expectedOpens(
      from: now, within: ahead, halfLife: app.pointee.policy.usageHistory.halfLife)
    let sure = app.pointee.policy.appRefresh.sureUse * ahead
    return left * (sure > 0 ? min(1, opens / sure) : 1)
  }

  /// What disuse leaves of the probability of a run: 1 to 0.
  ///
  /// - Parameters:
  ///   - age: seconds since the last open; infinite for an app that was never opened.
  ///   - stops: whether runs stop on this device, rather than fade.
  func leftOfUse(age: Double, stops: Bool) -> Double {
    let unused = age - unusedAfter
    if unused <= 0 { return 1 }
    if stops || unusedHalfLife <= 0 || unused > 100 * unusedHalfLife { return 0 }
    return powerOfTwo(-unused / unusedHalfLife)
  }

  static let keys: [ParameterKey<Policy>] =
    [
      ParameterKey(
        "app_refresh.peak_interval", .number(.time, 60...2_592_000, \.appRefresh.peakInterval),
        "mean time between two opportunities for a refresh"),
      ParameterKey(
        "app_refresh.device_sigma", .number(.count, 0...3, \.appRefresh.deviceSigma),
        "spread of the logarithm of a device's factor on their rate"),
      ParameterKey(
        "app_refresh.floor", .number(.time, 0...604_800, \.appRefresh.floor),
        "shortest time between two refreshes of an app"),
      ParameterKey(
        "app_refresh.legacy_floor_at_most", .number(.time, 0...31_536_000, \.appRefresh.legacyFloorAtMost),
        "longest time for which the legacy minimum interval is kept"),
      ParameterKey(
        "app_refresh.sure_use", .number(.rate, 0...1, \.appRefresh.sureUse),
        "predicted opens per time from which every opportunity for a refresh is taken"),
      ParameterKey(
        "app_refresh.look_ahead", .number(.time, 60...86_400, \.appRefresh.lookAhead),
        "how far ahead the system predicts the use of the app"),
      ParameterKey(
        "app_refresh.unused_after", .number(.time, 60...31_536_000, \.appRefresh.unusedAfter),
        "time since the last open from which on refreshes fade, or stop"),
      ParameterKey(
        "app_refresh.unused_half_life", .number(.time, 0...31_536_000, \.appRefresh.unusedHalfLife),
        "time in which the chance of a refresh then halves, on devices where they fade"),
      ParameterKey(
        "app_refresh.unused_stops", .number(.proportion, 0...1, \.appRefresh.unusedStops),
        "share of devices on which refreshes stop then, until the next open"),
      ParameterKey(
        "app_refresh.warm_up", .number(.time, 0...2_592_000, \.appRefresh.warmUp),
        "time since the install before which the app gets no refreshes"),
      ParameterKey(
        "app_refresh.low_battery", .number(.proportion, 0...1, \.appRefresh.lowBattery),
        "share of the opportunities for a refresh that are taken while the battery is low"),
      ParameterKey(
        "app_refresh.on_battery", .number(.proportion, 0...1, \.appRefresh.onBattery),
        "share of the opportunities for a refresh that are taken without a charger"),
    ]
    + TaskGates.executionKeys(
      "app_refresh", longest: 3600, limit: \.appRefresh.execution.limit,
      median: \.appRefresh.execution.grantMedian,
      sigma: \.appRefresh.execution.grantSigma, shortest: \.appRefresh.execution.grantShortest)
}
