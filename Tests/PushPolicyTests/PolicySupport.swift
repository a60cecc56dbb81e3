import Distributions
import PushPolicy
import Quantities
import Testing

/// Two-sided normal quantile for a false-alarm rate of 10⁻⁶ per assertion.
let zAlpha = 4.891638

/// A stream of its own for each test.
func testStream(_ item: UInt32) -> RandomStream {
  StreamFamily(seed: 20_260_102, replication: 0).stream(.test, item: item)
}

extension RandomStream {
  /// A whole number from 0 to `count` − 1.
  mutating func below(_ count: Int) -> Int { Int(uniform() * Double(count)) }
}

/// An instant of the run, far enough from its start that a memory may reach back. A Thursday at noon, UTC.
let noon = SimTime.zero + .days(10) + .hours(12)

extension DeviceState {
  /// A phone on Wi-Fi about which no factor has anything to say.
  static let plain: DeviceState = [.installed, .poweredOn, .unlockedSinceStart, .wifi, .alertsAllowed]
  /// Every flag that the model knows.
  static let everyFlag = DeviceFlag.all.map(\.state)
}

/// A push that arrives at a phone about which no factor has anything to say, but for what is given.
func context(
  _ state: DeviceState = .plain, at now: SimTime = noon, request: PushRequest = .silent,
  modes: BackgroundModes = [.remoteNotification], occasion: DeliveryContext.Occasion = .arrival,
  usageHeldUntil: SimTime = .distantPast, heldSince: SimTime? = nil
) -> DeliveryContext {
  DeliveryContext(
    now: now, state: state, request: request, backgroundModes: modes, occasion: occasion,
    usageHeldUntil: usageHeldUntil, heldSince: heldSince)
}

/// A policy whose numbers are easy to reckon with: one token in 20 minutes, three at most; probabilities of a half.
func testPolicy(_ change: (inout Policy) -> Void = { _ in }) -> Policy {
  var policy = Policy()
  policy.powerNap.median = 3600
  policy.lowPowerMode.cancelProbability = 0.5
  policy.batteryLevel.threshold = 0.2
  policy.batteryLevel.cancelProbability = 0.25
  policy.charger.liftsBatteryLevel = true
  policy.charger.liftsCPULoad = true
  policy.cpuLoad.threshold = 0.8
  policy.usageHistory.freshFor = 86_400
  policy.usageHistory.forgottenAfter = 5 * 86_400
  policy.usageHistory.habitWeight = 0.5
  policy.usageHistory.halfLife = 7 * 86_400
  policy.usageHistory.opensNeeded = 3
  policy.usageHistory.usualHourFrom = 0.5
  policy.fetchFeedback.gain = 0.1
  policy.fetchFeedback.newData = 1.2
  policy.fetchFeedback.noData = 1
  policy.fetchFeedback.failed = 0.4
  policy.fetchFeedback.late = 0.2
  policy.fetchFeedback.neverCompleting = 0.1
  policy.fetchFeedback.slowFrom = 5
  policy.fetchFeedback.forgiveness = 0.25
  policy.fetchFeedback.stopAfter = 3
  policy.sustainedExcess.factor = 2
  policy.sustainedExcess.window = 3600
  policy.sustainedExcess.block = 1800
  policy.hourlyBudget.limit = 3.0 / 3600
  policy.hourlyBudget.burst = 3
  policy.hourlyBudget.ignoreProbability = 0.8
  policy.usageHistory.softWeight = 10
  policy.usageHistory.hardAfter = 3 * 86_400
  policy.bootWindow.length = 300
  policy.herdWindow.length = 900
  policy.herdWindow.outage = 600
  policy.devicePool.size = 10
  policy.devicePool.period = 86_400
  policy.launchSpacing.interval = 900
  policy.launchSpacing.inUseFactor = 0.5
  policy.launchSpacing.reopensFull = true
  policy.launchSpacing.weight1 = 0.5
  policy.launchSpacing.weight4 = 0.5
  policy.deviceInUse.weight = 10
  policy.deviceInUse.score = 0.25
  policy.networkQuality.weight = 10
  policy.networkQuality.cellular = 0.5
  policy.score.weight = 10
  policy.score.first = 0.8
  policy.score.last = 0.4
  policy.score.fallsFor = 86_400
  policy.voipRate.interval = 60
  policy.voipReport.violations = 4
  policy.voipReport.checkAfter = 7
  policy.voipReport.since = 13
  policy.voipReport.changeWindow = 60
  policy.voipReport.failsAfterChange = 0.5
  policy.voip.limit = 30
  policy.execution.limit = 30
  policy.hold.deadline = 86_400
  policy.apns.storageLimit = 28 * 86_400
  change(&policy)
  return policy
}

/// The same policy with only some factors on.
func testPolicy(only factors: FactorID..., change: (inout Policy) -> Void = { _ in }) -> Policy {
  var policy = testPolicy(change)
  for factor in FactorID.allCases { policy.modes[Int(factor.rawValue)] = factors.contains(factor) ? 0 : 1 }
  return policy
}

/// What the system remembers of an app opened an hour ago, with a full budget.
func freshMemory(_ policy: Policy, at now: SimTime = noon) -> AppMemory {
  var memory = AppMemory()
  memory.budget.fill(at: now, policy)
  memory.excess.reset(policy)
  memory.pool.fill(at: now - .hours(1), phase: 0.5, policy.devicePool)
  memory.spacing.burst = 3
  memory.spacing.fill(at: now)
  memory.use.recordOpen(at: now - .hours(1), policy)
  return memory
}

/// What the system remembers of an app that has just used up its budget.
func exhaustedMemory(_ policy: Policy, at now: SimTime = noon) -> AppMemory {
  var memory = freshMemory(policy, at: now)
  for _ in 0..<Int(policy.hourlyBudget.burst) { memory.recordLaunch(at: now, policy) }
  return memory
}

/// Expects that a factor's verdict hangs on no flag of the device's state but those given.
func expectReads<Factor: PolicyFactor>(
  _ factor: Factor.Type, only read: DeviceState, sourceLocation: SourceLocation = #_sourceLocation
) {
  var stream = testStream(UInt32(Factor.id.rawValue))
  let policy = testPolicy()
  let memory = freshMemory(policy)
  for _ in 0..<200 {
    let state = DeviceState(rawValue: stream.bits() & (1 << UInt32(DeviceState.flagCount)) - 1)
    let verdict = Factor.evaluate(context(state), memory, policy)
    for flag in DeviceState.everyFlag where read.isDisjoint(with: flag) {
      let other = Factor.evaluate(context(state.symmetricDifference(flag)), memory, policy)
      #expect(verdict == other, "\(state.rawValue), flag \(flag.rawValue)", sourceLocation: sourceLocation)
    }
  }
}

// The same questions on values that the tests keep apart.

extension Policy {
  /// The multiplier of the budget's refill.
  func reputation(_ feedback: FetchFeedback.State) -> Double {
    enabled.contains(.fetchFeedback) ? feedback.reputation : 1
  }

  fileprivate func refill(_ feedback: FetchFeedback.State) -> Double {
    hourlyBudget.limit * reputation(feedback)
  }
}

extension HourlyBudget.State {
  func tokens(at now: SimTime, _ policy: Policy, _ feedback: FetchFeedback.State) -> Double {
    tokens(at: now, refill: policy.refill(feedback), burst: policy.hourlyBudget.burst)
  }

  mutating func settle(_ now: SimTime, _ policy: Policy, _ feedback: FetchFeedback.State) {
    settle(now, refill: policy.refill(feedback), burst: policy.hourlyBudget.burst)
  }
}

extension Decision {
  mutating func add(_ factor: FactorID, _ verdict: Verdict, _ policy: Policy) {
    var app = AppUnderPolicy(memory: AppMemory(), policy: policy)
    withUnsafePointer(to: &app) { add(factor, verdict, $0) }
  }
}

extension AppMemory {
  /// The app is in the front: forgiven, and one more open is remembered.
  mutating func recordOpen(at now: SimTime, _ policy: Policy) {
    change(policy) { $0.recordOpen(at: now) }
  }

  /// One launch in the background costs one token, whatever it handles.
  mutating func recordLaunch(at now: SimTime, _ policy: Policy) {
    change(policy) { $0.recordLaunch(at: now) }
  }

  /// A launch in the background ended.
  mutating func recordResult(
    _ result: LaunchResult, runTime: SimDuration, at now: SimTime, _ policy: Policy
  ) {
    change(policy) { $0.recordResult(result, runTime: runTime, at: now) }
  }

  private mutating func change(_ policy: Policy, _ body: (inout AppUnderPolicy) -> Void) {
    var app = AppUnderPolicy(memory: self, policy: policy)
    body(&app)
    self = app.memory
  }
}
