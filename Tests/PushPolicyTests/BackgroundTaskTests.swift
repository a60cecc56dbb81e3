import PushPolicy
import Quantities
import Testing

/// A policy whose tasks are easy to reckon with: every opportunity is taken, but for what a test changes.
private func taskPolicy(_ change: (inout Policy) -> Void = { _ in }) -> Policy {
  testPolicy {
    $0.appRefresh.floor = 900
    $0.appRefresh.legacyFloorAtMost = 9000
    $0.appRefresh.sureUse = 0
    $0.appRefresh.unusedAfter = 86_400
    $0.appRefresh.lowBattery = 0.3
    $0.processingTask.spacing = 3600
    $0.processingTask.needsIdle = true
    $0.processingTask.cpuCap = 0.5
    $0.processingTask.unusedAfter = 14 * 86_400
    $0.processingTask.afterForceQuitFrom = 18
    $0.backgroundDownload.needsWiFi = true
    $0.backgroundDownload.needsPower = true
    $0.backgroundDownload.longestWait = 86_400
    change(&$0)
  }
}

private func app(_ policy: Policy, at now: SimTime = noon, _ change: (inout AppMemory) -> Void = { _ in })
  -> AppUnderPolicy
{
  var memory = freshMemory(policy, at: now)
  change(&memory)
  return AppUnderPolicy(memory: memory, policy: policy)
}

/// A request that has been pending since an hour ago.
private func pending() -> TaskMemory {
  var task = TaskMemory()
  task.submit(at: noon - .hours(1), earliest: .zero)
  return task
}

private func refresh(
  _ state: DeviceState = .plain, at now: SimTime = noon, request: AppRefresh.Request = .task,
  task: TaskMemory = pending(), policy: Policy = taskPolicy(), memory: (inout AppMemory) -> Void = { _ in }
) -> TaskVerdict {
  var app = app(policy, memory)
  return withUnsafePointer(to: &app) {
    AppRefresh.judge(now: now, state: state, request: request, task: task, app: $0)
  }
}

private func process(
  _ state: DeviceState = .plain, load: Double = 0.1, version: Double = 18,
  request: ProcessingTask.Request = .init(), task: TaskMemory = pending(), policy: Policy = taskPolicy(),
  memory: (inout AppMemory) -> Void = { _ in }
) -> TaskVerdict {
  var app = app(policy, memory)
  return withUnsafePointer(to: &app) {
    ProcessingTask.judge(
      now: noon, state: state, load: load, systemVersion: version, request: request, task: task, app: $0)
  }
}

private func download(
  _ state: DeviceState, discretionary: Bool = true, inFront: Bool = true, age: SimDuration = .hours(1),
  policy: Policy = taskPolicy()
) -> TaskVerdict {
  var app = app(policy)
  let transfer = BackgroundDownload.Transfer(
    markedDiscretionary: discretionary, enqueuedInFront: inFront, at: noon - age)
  return withUnsafePointer(to: &app) {
    BackgroundDownload.judge(now: noon, state: state, transfer: transfer, app: $0)
  }
}

private let always = TaskVerdict.runs(probability: 1)

@Suite struct AppRefreshTests {
  @Test func `a request is met from its earliest begin date on, once, and after the floor`() {
    var task = TaskMemory()
    #expect(refresh(task: task) == .notDue)
    task.submit(at: noon, earliest: .minutes(20))
    #expect(refresh(at: noon + .minutes(19), task: task) == .notDue)
    #expect(refresh(at: noon + .minutes(20), task: task) == always)
    task.recordRun(at: noon + .minutes(20))
    #expect(refresh(at: noon + .hours(3), task: task) == .notDue)
    // Submitted by the run itself, without an earliest begin date: the floor holds.
    task.submit(at: noon + .minutes(20), earliest: .zero)
    #expect(refresh(at: noon + .minutes(34), task: task) == .notDue)
    #expect(refresh(at: noon + .minutes(35), task: task) == always)
    // The same identifier replaces what is pending.
    task.submit(at: noon + .minutes(30), earliest: .hours(2))
    #expect(refresh(at: noon + .minutes(149), task: task) == .notDue)
    #expect(refresh(at: noon + .minutes(150), task: task) == always)
  }

  @Test(arguments: [(5, 15), (60, 60), (720, 150)])
  func `the legacy interval is a standing request, no shorter than the floor and kept for so long only`(
    asked: Int64, kept: Int64
  ) {
    var task = TaskMemory()
    let request = AppRefresh.Request.legacy(minimumInterval: .minutes(asked))
    #expect(refresh(request: request, task: task) == always)
    task.recordRun(at: noon)
    #expect(refresh(at: noon + .minutes(kept) - .seconds(1), request: request, task: task) == .notDue)
    #expect(refresh(at: noon + .minutes(kept), request: request, task: task) == always)
  }

  @Test func `without an open runs stop on some devices, and fade by halves on others`() {
    let policy = taskPolicy { $0.appRefresh.unusedHalfLife = 43_200 }
    func after(_ age: SimDuration, stops: Bool) -> TaskVerdict {
      var task = pending()
      task.stopsUnused = stops
      return refresh(task: task, policy: policy) { $0.use.lastOpen = noon - age }
    }
    let unused = TaskReason(.usageHistory)
    for stops in [true, false] { #expect(after(.hours(24), stops: stops) == always) }
    #expect(after(.hours(36), stops: false) == .runs(probability: 0.5, mostlyFor: unused))
    #expect(after(.hours(72), stops: false) == .runs(probability: 0.0625, mostlyFor: unused))
    #expect(after(.days(90), stops: false) == .refused(unused))
    #expect(after(.hours(25), stops: true) == .refused(unused))
    var neverOpened = pending()
    neverOpened.stopsUnused = false
    #expect(
      refresh(task: neverOpened, policy: policy) { $0.use.lastOpen = .distantPast } == .refused(unused))
  }

  @Test func `what refuses a push refuses a refresh, by the same name, if its factor counts`() {
    let cases: [(FactorID, DeviceState)] = [
      (.forceQuit, [.forceQuit]), (.refreshSwitch, [.refreshOff]), (.powerNap, [.asleep]),
      (.lowPowerMode, [.lowPowerMode]), (.camera, [.camera]), (.cpuLoad, [.cpuBusy]),
    ]
    for (factor, flags) in cases {
      #expect(refresh(DeviceState.plain.union(flags)) == .refused(TaskReason(factor)))
      var off = taskPolicy()
      off.modes[Int(factor.rawValue)] = FactorMode.off.rawValue
      #expect(refresh(DeviceState.plain.union(flags), policy: off) == always, "\(factor) off")
    }
    #expect(refresh(DeviceState.plain.subtracting(.wifi)) == .refused(TaskReason(.network)))
    #expect(refresh(DeviceState.plain.subtracting(.unlockedSinceStart)) == .refused(TaskReason(.firstUnlock)))
    #expect(refresh(DeviceState.plain.union(.inFront)) == .refused(TaskReason(.foreground)))
    #expect(refresh { $0.boot.startedAt = noon - .seconds(10) } == .refused(TaskReason(.bootWindow)))
    let policy = taskPolicy()
    #expect(
      refresh { memory in for _ in 0..<10 { memory.pool.take(at: noon, policy.devicePool) } }
        == .refused(TaskReason(.devicePool)))
    for gone in [DeviceState.installed, .poweredOn] {
      #expect(refresh(DeviceState.plain.subtracting(gone)) == .notDue)
    }
  }

  @Test func `a low battery makes refreshes rarer or, at 0, ends them, unless a charger is connected`() {
    let low = DeviceState.plain.union(.batteryLow)
    #expect(refresh(low) == .runs(probability: 0.3, mostlyFor: TaskReason(.batteryLevel)))
    #expect(
      refresh(low, policy: taskPolicy { $0.appRefresh.lowBattery = 0 }) == .refused(TaskReason(.batteryLevel))
    )
    #expect(refresh(low.union(.charging)) == always)
    let shy = taskPolicy { $0.appRefresh.onBattery = 0.5 }
    #expect(refresh(policy: shy) == .runs(probability: 0.5, mostlyFor: .onBattery))
    #expect(refresh(low.union(.charging), policy: shy) == always)
  }

  @Test func `an app not opened for a day is not refreshed, nor one just installed`() {
    var task = pending()
    // The last open was at 11 h.
    #expect(refresh(at: noon + .hours(23), task: task) == always)
    #expect(refresh(at: noon + .hours(23) + .seconds(1), task: task) == .refused(TaskReason(.usageHistory)))
    #expect(refresh { $0.use = UsageHistory.State() } == .refused(TaskReason(.usageHistory)))
    let warmingUp = taskPolicy { $0.appRefresh.warmUp = 7200 }
    task.installedAt = noon - .hours(2) + .seconds(1)
    #expect(refresh(task: task, policy: warmingUp) == .refused(TaskReason(.usageHistory)))
    task.installedAt = noon - .hours(2)
    #expect(refresh(task: task, policy: warmingUp) == always)
    var off = warmingUp
    off.modes[Int(FactorID.usageHistory.rawValue)] = FactorMode.off.rawValue
    #expect(refresh(at: noon + .days(3), task: task, policy: off) == always)
  }

  @Test func `refreshes come before the hours of use, and more of them the more the app is opened`() {
    let policy = taskPolicy {
      $0.appRefresh.sureUse = 2.0 / 3600
      $0.appRefresh.lookAhead = 3600
    }
    // Opened at 8:30 on every weekday, once or twice; asked on a Thursday.
    func probability(_ hour: Double, opens: Int) -> Double {
      let verdict = refresh(
        at: .zero + .days(66) + SimDuration(seconds: hour * 3600), policy: policy
      ) { memory in
        memory.use = UsageHistory.State()
        for day in 0..<66 where day % 7 < 5 {
          for _ in 0..<opens {
            memory.use.recordOpen(at: .zero + .days(Int64(day)) + .minutes(510), policy)
          }
        }
      }
      guard case .runs(let probability, _) = verdict else { return 0 }
      return probability
    }
    #expect(probability(6.9, opens: 1) == 0)
    // The hour ahead: half of it, all of it, half of it.
    #expect(abs(probability(7.5, opens: 1) - 0.25) < 0.01)
    #expect(abs(probability(8, opens: 1) - 0.5) < 0.01)
    #expect(abs(probability(8.5, opens: 1) - 0.25) < 0.01)
    #expect(abs(probability(8, opens: 2) - 1) < 0.01)
  }

  @Test func `a bad reputation makes refreshes rare, and too many misses stop them until the next open`() {
    let policy = taskPolicy()
    var task = pending()
    task.recordResult(.failed, runTime: .seconds(1), at: noon, execution: policy.execution, policy)
    #expect(
      refresh(task: task)
        == .runs(probability: task.feedback.reputation, mostlyFor: TaskReason(.fetchFeedback)))
    #expect(task.feedback.reputation < 1)
    for _ in 0..<3 {
      task.recordResult(.killed, runTime: .seconds(30), at: noon, execution: policy.execution, policy)
    }
    #expect(refresh(task: task) == .refused(TaskReason(.fetchFeedback)))
    task.recordOpen(policy)
    #expect(
      refresh(task: task)
        == .runs(probability: task.feedback.reputation, mostlyFor: TaskReason(.fetchFeedback)))
    var off = policy
    off.modes[Int(FactorID.fetchFeedback.rawValue)] = FactorMode.off.rawValue
    #expect(refresh(task: task, policy: off) == always)
    // A good one never makes more than a certainty.
    task.feedback.reputation = 1.2
    #expect(refresh(task: task) == always)
  }

  @Test func `a run draws on the device's pool and on no budget of pushes`() {
    let policy = taskPolicy()
    var app = app(policy)
    let pool = app.memory.pool.left(at: noon, policy.devicePool)
    let tokens = app.tokens(at: noon)
    app.recordTaskLaunch(at: noon)
    #expect(app.memory.pool.left(at: noon, policy.devicePool) == pool - 1)
    #expect(app.tokens(at: noon) == tokens)
    #expect(app.memory.spacing.wait(at: noon, policy.launchSpacing) == 0)
  }
}

@Suite struct ExpectedOpensTests {
  @Test func `what is expected of steady use is that use, on weekdays, weekends and across them`() {
    let policy = testPolicy()
    let monday = SimTime.zero + .days(140) + .hours(5)
    let expected: [(start: SimTime, ahead: Double, opens: Double)] = [
      (monday, 3600, 2), (monday + .days(3) + .minutes(17), 7200, 4), (monday + .days(5), 3600, 1),
      (monday + .days(4) + .minutes(23 * 60 + 30), 3600, 1.5), (monday + .days(6) + .hours(23), 7200, 3),
    ]
    for (start, ahead, opens) in expected {
      var use = UsageHistory.State()
      use.utcOffset = .hours(-5)
      // Twice an hour on weekdays, once on weekends, by local time.
      for hour in 0..<(24 * 150) {
        let open = SimTime.zero + .hours(Int64(hour) + 5) + .minutes(30)
        if open >= start { break }
        for _ in 0..<(hour / 24 % 7 < 5 ? 2 : 1) { use.recordOpen(at: open, policy) }
      }
      let found = use.expectedOpens(from: start, within: ahead, halfLife: policy.usageHistory.halfLife)
      #expect(abs(found / opens - 1) < 0.01, "\(start.seconds): \(found)")
    }
  }

  @Test func `a new install is learned over days`() {
    let policy = testPolicy()
    var use = UsageHistory.State()
    var expected: [Double] = []
    for day in 0..<21 {
      let now = SimTime.zero + .days(Int64(day)) + .hours(12)
      expected.append(use.expectedOpens(from: now, within: 3600, halfLife: policy.usageHistory.halfLife))
      use.recordOpen(at: now, policy)
    }
    #expect(expected[0] == 0)
    #expect(expected[1] > 0.05 && expected[1] < 0.2)
    #expect(expected[17] > 0.75 && expected[17] < 1)
  }
}

@Suite struct ProcessingTaskTests {
  @Test func `a task waits for its request, its spacing and its conditions`() {
    #expect(process() == always)
    #expect(process(task: TaskMemory()) == .notDue)
    var task = TaskMemory()
    task.recordRun(at: noon - .minutes(59))
    task.submit(at: noon - .minutes(59), earliest: .zero)
    #expect(process(task: task) == .notDue)
    task.lastRun = noon - .minutes(60)
    #expect(process(task: task) == always)

    let power = ProcessingTask.Request(requiresPower: true)
    #expect(process(request: power) == .refused(.requiresPower))
    #expect(process(DeviceState.plain.union(.charging), request: power) == always)
    let offline = DeviceState.plain.subtracting(.wifi)
    #expect(process(offline) == always)
    #expect(process(offline, request: .init(requiresNetwork: true)) == .refused(.requiresNetwork))
  }

  @Test func `a device in use or busy, or a user long gone, refuses a task`() {
    #expect(process(DeviceState.plain.union(.screenOn)) == .refused(.needsIdle))
    #expect(process(DeviceState.plain.union(.inFront)) == .refused(.needsIdle))
    #expect(
      process(DeviceState.plain.union(.screenOn), policy: taskPolicy { $0.processingTask.needsIdle = false })
        == always)
    #expect(process(load: 0.5) == always)
    #expect(process(load: 0.9) == .refused(.cpuCap))
    #expect(process { $0.use.lastOpen = noon - .days(14) } == always)
    #expect(process { $0.use.lastOpen = noon - .days(15) } == .refused(TaskReason(.usageHistory)))
    let shy = taskPolicy { $0.processingTask.onBattery = 0.2 }
    #expect(process(policy: shy) == .runs(probability: 0.2, mostlyFor: .onBattery))
    #expect(process(DeviceState.plain.union(.charging), policy: shy) == always)
  }

  // B19b
  @Test func `a new install waits for its warm-up`() {
    let policy = taskPolicy { $0.processingTask.warmUp = 86_400 }
    var task = pending()
    task.installedAt = noon - .hours(23)
    #expect(process(task: task, policy: policy) == .refused(TaskReason(.usageHistory)))
    task.installedAt = noon - .hours(24)
    #expect(process(task: task, policy: policy) == always)
  }

  @Test func `a force quit ends tasks on the older systems only, Low Power Mode where the policy says so`() {
    let quit = DeviceState.plain.union(.forceQuit)
    #expect(process(quit, version: 17) == .refused(TaskReason(.forceQuit)))
    #expect(process(quit, version: 18) == always)
    for (factor, flag) in [(FactorID.lowPowerMode, DeviceState.lowPowerMode), (.batteryLevel, .batteryLow)] {
      let state = DeviceState.plain.union(flag)
      #expect(process(state) == .refused(TaskReason(factor)))
      #expect(process(state, policy: taskPolicy { $0.processingTask.obeysPowerGates = false }) == always)
    }
    #expect(process(DeviceState.plain.union(.refreshOff)) == .refused(TaskReason(.refreshSwitch)))
  }

  @Test func `a run ends when the user comes or a condition that it asked for goes`() {
    var app = app(taskPolicy())
    let request = ProcessingTask.Request(requiresPower: true, requiresNetwork: true)
    let fine = DeviceState.plain.union(.charging)
    let cases: [(DeviceState, ProcessingTask.Request, TaskReason?)] = [
      (fine, request, nil), (fine.union(.screenOn), request, .needsIdle),
      (fine.union(.inFront), request, .needsIdle), (fine.subtracting(.charging), request, .requiresPower),
      (fine.subtracting(.wifi), request, .requiresNetwork), (fine.union(.forceQuit), request, nil),
      (fine.subtracting([.charging, .wifi]), .init(), nil),
    ]
    for (state, request, ended) in cases {
      withUnsafePointer(to: &app) {
        #expect(ProcessingTask.interruption(state: state, request: request, $0) == ended)
      }
    }
  }
}

@Suite struct BackgroundDownloadTests {
  private let cellular = DeviceState.plain.subtracting(.wifi).union(.cellular)

  @Test func `a discretionary transfer waits for Wi-Fi and a charger, but not forever`() {
    #expect(download(DeviceState.plain.union(.charging)) == always)
    #expect(download(.plain) == .refused(.requiresPower))
    #expect(download(cellular.union(.charging)) == .refused(.requiresNetwork))
    #expect(download(cellular, age: .hours(24) - .seconds(1)) == .refused(.requiresNetwork))
    #expect(download(cellular, age: .hours(24)) == always)
    // Past its wait it still needs a network and no gate.
    #expect(download(DeviceState.plain.subtracting(.wifi), age: .hours(25)) == .refused(.requiresNetwork))
    #expect(download(cellular.union(.lowPowerMode), age: .hours(25)) == .refused(TaskReason(.lowPowerMode)))
  }

  @Test func `another transfer runs at once over any network, but only if enqueued in the foreground`() {
    for state in [cellular, cellular.union([.lowPowerMode, .batteryLow, .refreshOff])] {
      #expect(download(state, discretionary: false) == always)
    }
    #expect(download(cellular, discretionary: false, inFront: false) == .refused(.requiresNetwork))
    #expect(download(.plain, discretionary: false, inFront: false) == .refused(.requiresPower))
  }

  @Test func `a force quit cancels transfers of either kind`() {
    let quit = DeviceState.plain.union([.charging, .forceQuit])
    let policy = taskPolicy()
    #expect(BackgroundDownload.isCancelled(quit, policy))
    #expect(!BackgroundDownload.isCancelled(.plain, policy))
    #expect(BackgroundDownload.isCancelled(DeviceState.plain.subtracting(.installed), policy))
    for discretionary in [false, true] {
      #expect(download(quit, discretionary: discretionary) == .refused(TaskReason(.forceQuit)))
      #expect(
        download(
          quit, discretionary: discretionary,
          policy: taskPolicy { $0.backgroundDownload.forceQuitCancels = false }) == always)
    }
  }
}
