import Distributions
import PushPolicy
import Quantities

extension Play {
  mutating func beginTasks() {
    let policy = setting.policy
    tasks = AppTasks()
    if setting.strategy.appRefresh != nil {
      tasks.refresh = AppTask(
        streams.stream(device: device, .refreshOpportunities), interval: policy.appRefresh.peakInterval,
        sigma: policy.appRefresh.deviceSigma)
      let stops = policy.appRefresh.unusedStops
      if stops < 1 {
        var stream = streams.stream(device: device, .refreshFading)
        tasks.refresh?.memory.stopsUnused = stream.bernoulli(stops)
      }
    }
    if setting.strategy.processingTask != nil {
      tasks.processing = AppTask(
        streams.stream(device: device, .processingOpportunities),
        interval: policy.processingTask.peakInterval, sigma: policy.processingTask.deviceSigma)
    }
  }

  mutating func runTasks(at now: SimTime) {
    if var task = tasks.refresh, task.next <= now {
      let choice = task.choice
      task.advance()
      tasks.refresh = task
      meet(.appRefresh, judgeRefresh(task.memory, at: now), choice, at: now)
    }
    if var task = tasks.processing, task.next <= now {
      let choice = task.choice
      task.advance()
      tasks.processing = task
      meet(.processingTask, judgeProcessing(task.memory, at: now), choice, at: now)
    }
  }

  private mutating func judgeRefresh(_ memory: TaskMemory, at now: SimTime) -> TaskVerdict {
    guard let requests = setting.strategy.appRefresh else { return .notDue }
    guard hasMode(.fetch) else { return .refused(TaskReason(.backgroundMode)) }
    let request: AppRefresh.Request =
      requests.api == .legacy ? .legacy(minimumInterval: requests.earliest) : .task
    return AppRefresh.judge(now: now, state: state, request: request, task: memory, app: app)
  }

  private mutating func judgeProcessing(_ memory: TaskMemory, at now: SimTime) -> TaskVerdict {
    guard hasMode(.processing) else { return .refused(TaskReason(.backgroundMode)) }
    return ProcessingTask.judge(
      now: now, state: state, load: state.contains(.cpuOverCap) ? 1 : 0,
      systemVersion: Double(traits.osVersion), request: processingConditions, task: memory, app: app)
  }

  /// Whether the app declares the mode, as far as the policy asks.
  private mutating func hasMode(_ mode: BackgroundModes) -> Bool {
    setting.app.backgroundModes.contains(mode) || !setting.policy.enabled.contains(.backgroundMode)
  }

  private var processingConditions: ProcessingTask.Request {
    ProcessingTask.Request(
      requiresPower: setting.strategy.processingTask?.requiresPower ?? false,
      requiresNetwork: setting.strategy.processingTask?.requiresNetwork ?? false)
  }

  /// Counts what became of an opportunity; every one ends in exactly one way.
  private mutating func meet(_ task: TaskMechanism, _ verdict: TaskVerdict, _ choice: Double, at now: SimTime)
  {
    let index = Int(task.rawValue)
    let counts = measures(now)
    var runs = false
    switch verdict {
    case .notDue: if counts { tally.tasks[index].notDue += 1 }
    case .refused(let reason): if counts { tally.tasks[index].refused[Int(reason.index)] += 1 }
    case .runs(let probability, let reason):
      // An app that runs already is not started for a task.
      runs = choice < probability && !launcher.isRunning
      if counts, !runs {
        tally.tasks[index].passedOver += 1
        if let reason, choice >= probability { tally.tasks[index].passedOverFor[Int(reason.index)] += 1 }
      }
    }
    trace(now, nil, .opportunity(task, verdict, runs: runs))
    if runs { startTask(task, at: now) }
  }

  private mutating func startTask(_ task: TaskMechanism, at now: SimTime) {
    if measures(now) { tally.tasks[Int(task.rawValue)].runs += 1 }
    switch task {
    case .appRefresh:
      tasks.refresh?.memory.recordRun(at: now)
      if setting.strategy.appRefresh?.resubmits == true { submitRefresh(at: now) }
    case .processingTask:
      tasks.processing?.memory.recordRun(at: now)
      submitProcessing(at: now)
    }
    silence.end(at: now)
    startHandler(isBackground: true, handled: 0, task: task, at: now)
  }

  private mutating func submitRefresh(at now: SimTime) {
    guard let requests = setting.strategy.appRefresh else { return }
    tasks.refresh?.memory.submit(
      at: now, earliest: max(requests.earliest, requests.onlyAfterSilence ?? .zero))
  }

  private mutating func submitProcessing(at now: SimTime) {
    guard let requests = setting.strategy.processingTask else { return }
    tasks.processing?.memory.submit(at: now, earliest: requests.earliest)
  }

  /// What a run wants and what it gets. Unit: seconds.
  mutating func taskTimes(_ task: TaskMechanism, _ stream: inout RandomStream) -> (
    wanted: Double, limit: Double
  ) {
    let wanted: Double
    let execution = setting.policy.execution(of: task)
    let run = tasks.takeRun(task)
    switch task {
    case .appRefresh:
      wanted = setting.handlerDuration.draw(&stream)
    case .processingTask:
      wanted = processingWork.draw(&stream)
    }
    guard let grant = execution.grant else { return (wanted, execution.limit) }
    var granted = streams.stream(device: device, .grant(run), lane: Self.lane(task))
    return (wanted, min(execution.limit, grant.draw(&granted)))
  }

  /// What a run of the processing task wants: its work, or no more than to find that there is none.
  private var processingWork: Distribution {
    mutating get {
      guard let requests = setting.strategy.processingTask else { return .constant(0) }
      guard setting.hasContent, content.isFresh else { return requests.duration }
      return requests.durationIfNothingNew ?? setting.handlerDuration
    }
  }

  /// After the lanes of the push mechanisms.
  static func lane(_ task: TaskMechanism) -> UInt32 { 4 + UInt32(task.rawValue) }

  mutating func recordTask(_ task: TaskMechanism, _ ended: Handler, at now: SimTime) {
    if ended.counts { tally.tasks[Int(task.rawValue)].results[Int(ended.result.rawValue)] += 1 }
    if ended.isExcused { return }
    switch task {
    case .appRefresh:
      tasks.refresh?.memory.recordResult(
        ended.result, runTime: ended.runTime, at: now, execution: setting.policy.appRefresh.execution,
        setting.policy)
    case .processingTask:
      tasks.processing?.memory.recordResult(
        ended.result, runTime: ended.runTime, at: now, execution: setting.policy.processingTask.execution,
        setting.policy)
    }
  }

  /// The user opens the app: it asks for its next runs when it leaves the front, which is as good as now.
  mutating func tasksSeeOpen(at now: SimTime) {
    tasks.refresh?.memory.recordOpen(setting.policy)
    tasks.processing?.memory.recordOpen(setting.policy)
    submitRefresh(at: now)
    submitProcessing(at: now)
  }

  /// A push has started the app, so that its refreshes may wait.
  mutating func tasksSeeLaunch(at now: SimTime) {
    if setting.strategy.appRefresh?.onlyAfterSilence != nil { submitRefresh(at: now) }
  }

  mutating func tasksSee(_ changed: DeviceState, _ moment: Moment, at now: SimTime) {
    if moment == .install { tasks.forget(installedAt: now) }
    if launcher.isRunning, launcher.handler.task == .processingTask,
      ProcessingTask.interruption(state: state, request: processingConditions, app) != nil
    {
      if launcher.handler.counts { tally.tasks[Int(TaskMechanism.processingTask.rawValue)].interrupted += 1 }
      launcher.interrupt(at: now)
      endHandler(at: now)
    }
  }
}
