import Distributions
import EventKernel
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities

/// An instant of the run by minutes and seconds from its start.
func at(_ minutes: Int64, _ seconds: Int64 = 0) -> SimTime { .zero + .minutes(minutes) + .seconds(seconds) }

/// One device whose life is laid down by hand, and one strategy: transit and handler take a second each, the app is in
/// use, and no factor has anything to say until a test gives it a reason.
struct Stage {
  var life = Life()
  var policy = Stage.policy
  var app = AppModel()
  var push: PushPlan
  var updates: [SimTime]
  var handler = Distribution.constant(1)
  var transit = Distribution.constant(1)
  var slowTransit: (probability: Double, time: Distribution) = (0, .constant(0))
  var outages: [Outage] = []
  var warmUp = SimTime.zero
  var end = at(3 * 1440)
  private var state: DeviceState

  /// - Parameters:
  ///   - sends: minutes from the start of the run.
  ///   - updates: minutes from the start of the run; nil for an app without content.
  ///   - state: at the start of the run.
  init(sends: [Int64], updates: [Int64]? = nil, state: DeviceState = Stage.plain) {
    push = PushPlan(send: .at(sends.map(SimDuration.minutes)))
    self.updates = (updates ?? []).map { at($0) }
    hasContent = updates != nil
    self.state = state
    life.initial = state
    life.pastOpens = [.zero - .hours(1)]
  }
  var hasContent: Bool

  static let plain: DeviceState = [.installed, .poweredOn, .unlockedSinceStart, .wifi, .alertsAllowed]

  /// One token an hour, three at most; a push without one waits for it.
  static var policy: Policy {
    var policy = Policy()
    policy.powerNap.median = 3600
    policy.batteryLevel.threshold = 0.2
    policy.cpuLoad.threshold = 0.8
    policy.usageHistory.freshFor = 1e7
    policy.usageHistory.forgottenAfter = 2e7
    policy.usageHistory.halfLife = 7 * 86_400
    policy.usageHistory.opensNeeded = 5
    policy.usageHistory.usualHourFrom = 0.5
    policy.fetchFeedback.gain = 0.1
    policy.fetchFeedback.newData = 1
    policy.fetchFeedback.noData = 1
    policy.fetchFeedback.failed = 0.4
    policy.fetchFeedback.late = 0.2
    policy.fetchFeedback.neverCompleting = 0.1
    policy.fetchFeedback.slowFrom = 30
    policy.fetchFeedback.forgiveness = 0.25
    policy.fetchFeedback.stopAfter = 3
    policy.sustainedExcess.factor = 50
    policy.sustainedExcess.window = 3600
    policy.sustainedExcess.block = 3600
    policy.hourlyBudget.limit = 1.0 / 3600
    policy.hourlyBudget.burst = 3
    policy.execution.limit = 60
    policy.hold.deadline = 86_400
    policy.apns.storageLimit = 28 * 86_400
    for factor in FactorID.scheduler { policy.modes[Int(factor.rawValue)] = FactorMode.off.rawValue }
    return policy
  }

  /// The life changes: flags are added to and removed from what was true before.
  mutating func change(
    _ time: SimTime, add: DeviceState = [], remove: DeviceState = [], _ moment: Moment = .none
  ) {
    state = state.union(add).subtracting(remove)
    life.changes.append(LifeChange(time: time, state: state, moment: moment))
  }

  /// The user has the app in front for `minutes`.
  mutating func open(_ time: SimTime, minutes: Int64 = 1) {
    change(time, add: .inFront, remove: .forceQuit, .open)
    change(time + .minutes(minutes), remove: .inFront)
  }

  var setting: PlaySetting {
    var setting = PlaySetting(
      strategy: Strategy(name: "push", backgroundPush: push), policy: policy, app: app,
      population: Population(), updates: updates, hasContent: hasContent, warmUp: warmUp, end: end)
    setting.handlerDuration = handler
    setting.transit = transit
    setting.slowTransitProbability = slowTransit.probability
    setting.slowTransit = slowTransit.time
    setting.outages = outages
    return setting
  }

  func play(device: UInt32 = 0) throws -> Played {
    var conditions = Conditions()
    conditions.compile(life, policy)
    var play = Play(setting: setting, observer: TraceObserver())
    try play.run(life, conditions, device: device, streams: StreamFamily(seed: 1, replication: 0))
    return Played(records: play.observer.records, tally: play.tally)
  }
}

/// What came of it.
struct Played {
  struct End: Equatable {
    var fate: Fate
    var reason: Reason?
    var time: SimTime

    init(_ fate: Fate, _ reason: Reason? = nil, _ time: SimTime) {
      self.fate = fate
      self.reason = reason
      self.time = time
    }
    init(_ fate: Fate, _ factor: FactorID, _ time: SimTime) { self.init(fate, Reason(factor), time) }
  }

  struct Launch: Equatable {
    var time: SimTime
    var inForeground: Bool
    var handled: Int
    init(_ time: SimTime, inForeground: Bool = false, handled: Int = 1) {
      self.time = time
      self.inForeground = inForeground
      self.handled = handled
    }
  }

  var records: [TraceRecord]
  var tally: Tally

  /// The ends of all pushes, in the order of their sends.
  var ends: [End] {
    var ends: [Int: End] = [:]
    for record in records {
      if case .ended(let fate, let reason) = record.event, let push = record.push {
        ends[push] = End(fate, reason, record.time)
      }
    }
    return ends.sorted { $0.key < $1.key }.map(\.value)
  }

  var launches: [Launch] {
    records.compactMap {
      guard case .launched(let inForeground, _, _, let handled) = $0.event else { return nil }
      return Launch($0.time, inForeground: inForeground, handled: handled)
    }
  }

  var results: [LaunchResult] {
    records.compactMap { if case .launched(_, let result, _, _) = $0.event { result } else { nil } }
  }

  /// The reputation after each launch that ended.
  var reputations: [Double] {
    records.compactMap { if case .handlerEnded(_, let reputation) = $0.event { reputation } else { nil } }
  }

  /// How many versions behind the app was at each open.
  var versionsBehind: [Int] {
    records.compactMap { if case .opened(_, let behind) = $0.event { behind } else { nil } }
  }
}
