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
  static let everyFlag = (0..<16).map { DeviceState(rawValue: 1 << $0) }
}

/// A push that arrives at a phone about which no factor has anything to say, but for what is given.
func context(
  _ state: DeviceState = .plain, at now: SimTime = noon, request: PushRequest = .silent,
  modes: BackgroundModes = [.remoteNotification], occasion: DeliveryContext.Occasion = .arrival,
  usageHeldUntil: SimTime = .distantPast
) -> DeliveryContext {
  DeliveryContext(
    now: now, state: state, request: request, backgroundModes: modes, occasion: occasion,
    usageHeldUntil: usageHeldUntil)
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
    let state = DeviceState(rawValue: stream.bits() & 0xFFFF)
    let verdict = Factor.evaluate(context(state), memory, policy)
    for flag in DeviceState.everyFlag where read.isDisjoint(with: flag) {
      let other = Factor.evaluate(context(state.symmetricDifference(flag)), memory, policy)
      #expect(verdict == other, "\(state.rawValue), flag \(flag.rawValue)", sourceLocation: sourceLocation)
    }
  }
}
