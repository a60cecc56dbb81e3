public import Quantities

/// **What it models.** `BGProcessingTask`: long work that waits until nobody needs the device.
///
/// **Rule.** Opportunities are a Poisson process of the device at a rate of one in `peak_interval`, times a lognormal
/// factor of the device (`device_sigma`), so that a night on the charger may pass without one. At each
/// ``judge(now:state:load:systemVersion:request:task:app:)`` asks: is a request pending, and the last run `spacing` ago;
/// was the app installed `warm_up` ago;
/// do the conditions of the request hold (charger, network); is the device idle and its processor under `cpu_cap`; was the
/// app used within `unused_after`; does no gate refuse. A run takes up to its limit, and ends before when
/// ``interruption(state:request:_:)`` says so.
///
/// **Interactions.** Gates as of pushes, by the modes of their factors. From `after_force_quit_from` on a force quit does
/// not matter. A run draws on ``DevicePool``: ``AppUnderPolicy/recordTaskLaunch(at:)``.
///
/// **Scope and limitations.** One pending request, of the ten that the system allows an app (B2). The CPU monitor that
/// ends runs on battery (B10, R-100) is not modelled.
///
/// **Sources.** C4-13, C4-14, W11, B2, B4, B5, B9, B10, B14, B19b, D10, D11, R-86, R-93, R-95, R-96, R-101, R-103, R-120, R-144.
public struct ProcessingTask: Sendable {
  /// Mean time between opportunities on the median device. Unit: seconds.
  public var peakInterval = 3600.0
  /// Standard deviation of the logarithm of a device's factor on that rate.
  public var deviceSigma = 0.0
  /// Shortest time between two runs. Unit: seconds.
  public var spacing = 0.0
  public var needsIdle = false
  /// Load of the processor above which no task is started. Unit: fraction of its capacity.
  public var cpuCap = 1.0
  /// Time since the last open after which there is no run. Unit: seconds.
  public var unusedAfter = Double.infinity
  /// Time since the install before which there is no run. Unit: seconds.
  public var warmUp = 0.0
  /// The first system version that runs the task after a force quit.
  public var afterForceQuitFrom = 1000.0
  /// Whether Low Power Mode and a low battery refuse it.
  public var obeysPowerGates = true
  /// Factor on the probability while no charger is connected. Unit: dimensionless, 0 to 1.
  public var onBattery = 1.0
  /// The time that a run gets.
  public var execution = Policy.Execution()

  public init() {}

  /// The factors that are asked, beside those of the request.
  package static let asks = FactorRegistry.gates(of: [.processing, .processingByParameter])
    .union(FactorSet([.usageHistory, .fetchFeedback]))

  private static let gates = FactorRegistry.gates(of: .processing)

  /// The conditions of the request.
  @frozen
  public struct Request: Equatable, Sendable, BitwiseCopyable {
    /// `requiresExternalPower`.
    public var requiresPower: Bool
    /// `requiresNetworkConnectivity`.
    public var requiresNetwork: Bool

    @inlinable
    public init(requiresPower: Bool = false, requiresNetwork: Bool = false) {
      self.requiresPower = requiresPower
      self.requiresNetwork = requiresNetwork
    }
  }

  /// The first instant at which ``judge(now:state:load:systemVersion:request:task:app:)`` may find the app due; distant
  /// future when no request is pending.
  public func due(_ task: TaskMemory) -> SimTime {
    max(task.pendingFrom, task.lastRun + SimDuration(seconds: spacing))
  }

  /// What the system makes of an opportunity at `now`. What the model books of a run: see
  /// ``AppRefresh/judge(now:state:request:task:app:)``.
  ///
  /// - Parameters:
  ///   - load: of the processor, as a fraction of its capacity.
  ///   - systemVersion: the major version, such as 18.
  ///   - task: what the system remembers of the app's processing tasks.
  public static func judge(
    now: SimTime, state: DeviceState, load: Double, systemVersion: Double, request: Request, task: TaskMemory,
    app: UnsafePointer<AppUnderPolicy>
  ) -> TaskVerdict {
    guard TaskGates.isThere(state), now >= app.pointee.policy.processingTask.due(task) else { return .notDue }
    var gates = Self.gates
    if systemVersion < app.pointee.policy.processingTask.afterForceQuitFrom { gates.insert(.forceQuit) }
    if app.pointee.policy.processingTask.obeysPowerGates {
      gates.insert(.lowPowerMode)
      gates.insert(.batteryLevel)
    }
    if let gate = TaskGates.firstRefusing(gates, now: now, state: state, app) { return .refused(gate) }
    if let unmet = unmetCondition(state: state, request: request, app) { return .refused(unmet) }
    if load > app.pointee.policy.processingTask.cpuCap { return .refused(.cpuCap) }
    if app.pointee.policy.enabled.contains(.usageHistory),
      UsageHistory.age(now, app.pointee.memory.use.lastOpen) > app.pointee.policy.processingTask.unusedAfter
        || now < task.installedAt + SimDuration(seconds: app.pointee.policy.processingTask.warmUp)
    {
      return .refused(TaskReason(.usageHistory))
    }
    if task.isStopped(at: now, app) { return .refused(TaskReason(.fetchFeedback)) }
    var chance = TaskChance()
    if !state.contains(.charging) {
      chance.times(app.pointee.policy.processingTask.onBattery, for: .onBattery)
    }
    chance.times(task.pace(app), for: TaskReason(.fetchFeedback))
    return chance.verdict
  }

  /// What ends a run that is under way before its time: a condition that no longer holds, or the user who turns to the
  /// device; nil while it may go on. To be asked at each change of the device's state. (A force quit ends whatever runs,
  /// at its moment; a run that starts after one goes on.)
  public static func interruption(
    state: DeviceState, request: Request, _ app: UnsafePointer<AppUnderPolicy>
  ) -> TaskReason? {
    unmetCondition(state: state, request: request, app)
  }

  private static func unmetCondition(
    state: DeviceState, request: Request, _ app: UnsafePointer<AppUnderPolicy>
  ) -> TaskReason? {
    if request.requiresNetwork, !state.isReachable { return .requiresNetwork }
    if request.requiresPower, !state.contains(.charging) { return .requiresPower }
    if app.pointee.policy.processingTask.needsIdle, state.isInUse { return .needsIdle }
    return nil
  }

  static let keys: [ParameterKey<Policy>] =
    [
      ParameterKey(
        "processing_task.peak_interval", .number(.time, 60...2_592_000, \.processingTask.peakInterval),
        "mean time between two opportunities for a processing task"),
      ParameterKey(
        "processing_task.device_sigma", .number(.count, 0...3, \.processingTask.deviceSigma),
        "spread of the logarithm of a device's factor on their rate"),
      ParameterKey(
        "processing_task.spacing", .number(.time, 0...2_592_000, \.processingTask.spacing),
        "shortest time between two processing tasks of an app"),
      ParameterKey(
        "processing_task.needs_idle", .flag(\.processingTask.needsIdle),
        "whether a processing task runs only while nobody uses the device"),
      ParameterKey(
        "processing_task.cpu_cap", .number(.proportion, 0...1, \.processingTask.cpuCap),
        "processor load above which no processing task starts"),
      ParameterKey(
        "processing_task.unused_after", .number(.time, 60...31_536_000, \.processingTask.unusedAfter),
        "time since the last open after which the app gets no processing tasks"),
      ParameterKey(
        "processing_task.warm_up", .number(.time, 0...2_592_000, \.processingTask.warmUp),
        "time since the install before which the app gets no processing tasks"),
      ParameterKey(
        "processing_task.after_force_quit_from",
        .number(.count, 1...1000, \.processingTask.afterForceQuitFrom),
        "first system version that runs a processing task after a force quit"),
      ParameterKey(
        "processing_task.power_gates", .flag(\.processingTask.obeysPowerGates),
        "whether Low Power Mode and a low battery refuse a processing task"),
      ParameterKey(
        "processing_task.on_battery", .number(.proportion, 0...1, \.processingTask.onBattery),
        "share of the opportunities for a processing task that are taken without a charger"),
    ]
    + TaskGates.executionKeys(
      "processing_task", longest: 86_400, limit: \.processingTask.execution.limit,
      median: \.processingTask.execution.grantMedian,
      sigma: \.processingTask.execution.grantSigma, shortest: \.processingTask.execution.grantShortest)
}
