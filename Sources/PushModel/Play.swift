public import Distributions
public import EventKernel
import OutputAnalysis
public import PushPolicy
public import Quantities

/// What all devices of a replication share when a strategy is played.
public struct PlaySetting: Sendable {
  public var strategy: Strategy
  public var policy: Policy
  public var app: AppModel
  /// Run time of the push handler.
  public var handlerDuration: Distribution
  /// Transit from APNs to a connected device.
  public var transit: Distribution
  /// How fast the device loads from a server. Unit: bytes per second.
  var bandwidthOnWiFi: Distribution
  var bandwidthOnCellular: Distribution
  public var slowTransitProbability: Double
  public var slowTransit: Distribution
  /// The content updates of the replication, ascending.
  public var updates: [SimTime]
  /// When APNs answers with errors.
  public var outages: [Outage] = []
  /// Whether there is content at all: without, freshness has no meaning.
  public var hasContent: Bool
  /// What the strategy's doings cost.
  public var energy = EnergyModel()
  /// Pushes sent before this, and opens and launches before this, do not count.
  public var warmUp: SimTime
  public var end: SimTime

  public init(
    strategy: Strategy, policy: Policy, app: AppModel, population: borrowing Population, updates: [SimTime],
    hasContent: Bool, warmUp: SimTime, end: SimTime
  ) {
    self.strategy = strategy
    self.policy = policy
    self.app = app
    handlerDuration = app.handlerDuration ?? population.latency.handler
    transit = population.latency.apnsOnline
    bandwidthOnWiFi = population.network.bandwidthWiFi
    bandwidthOnCellular = population.network.bandwidthCellular
    slowTransitProbability = population.latency.apnsSlowTailProbability
    slowTransit = population.latency.apnsSlowTail
    self.updates = updates
    self.hasContent = hasContent
    self.warmUp = warmUp
    self.end = end
  }
}

/// A launch in the background that brought something.
struct Wake: Sendable, BitwiseCopyable {
  var counts: Bool
  /// Unit: microjoules.
  var energy: Int64
}

/// One strategy played against the lives of devices, one after the other: the path of every push from send to fate.
///
/// The events of one device are few at a time, so each kind has a slot of its own; only pushes on their way need a
/// list. Simultaneous events run in the order: changes of the device's life, arrivals, the end of a handler, timers,
/// sends (state before decisions; Decision 0003).
public struct Play<Observer: PlayObserver>: ~Copyable {
  /// A push on its way: its mechanism, its number among those sent to the device by it, and when it was sent.
  struct Push: Sendable, BitwiseCopyable {
    var number: Int32
    /// Handed to the device so many times, counted up to 7.
    var attempts: UInt8 = 0
    /// Tries of the provider after the first.
    var tries: UInt8 = 0
    /// Ten times the device's hour of the day at the send, and the tenths of its battery's full charge; 0 before the end
    /// of the warm-up.
    var place: UInt8
    private var marks: UInt8
    var sent: SimTime

    init(number: Int32, _ mechanism: PushMechanism, place: UInt8, counts: Bool, sent: SimTime) {
      self.number = number
      self.place = place
      marks = (counts ? 1 : 0) | mechanism.rawValue << 6
      self.sent = sent
    }

    var mechanism: PushMechanism { PushMechanism(rawValue: marks >> 6) ?? .background }
    /// The device's hour of the day at the send.
    var hour: Int { Int(place) / 10 }
    /// Whether it was sent after the warm-up.
    var counts: Bool { marks & 1 != 0 }
    /// The provider has not had an answer to it that it accepts.
    var isAtProvider: Bool {
      get { marks & 2 != 0 }
      set { marks = newValue ? marks | 2 : marks & ~2 }
    }
    /// It was in the one slot once.
    var wasStored: Bool {
      get { marks & 4 != 0 }
      set { marks = newValue ? marks | 4 : marks & ~4 }
    }
    /// The wake that an alert asks for beside being shown: the push itself has had its end.
    var isEcho: Bool { marks & 16 != 0 }
    var echo: Push {
      var echo = self
      echo.marks = marks & ~1 | 16
      return echo
    }

    func isNewer(than other: Push) -> Bool {
      mechanism == other.mechanism ? number > other.number : sent > other.sent
    }
  }

  /// A push that waits on the device.
  struct HeldPush: Sendable, BitwiseCopyable {
    var push: Push
    var since: SimTime
    var usageHeldUntil: SimTime
    /// What held it when it arrived.
    var factor: FactorID
    /// What holds it now, and since when that has not been counted.
    var holding: FactorID
    var uncounted: SimTime
  }

  /// The launch that is running.
  struct Handler: Sendable, BitwiseCopyable {
    var ends = SimTime.distantFuture
    var runTime = SimDuration.zero
    var result = LaunchResult.newData
    var isBackground = false
    /// The task that it runs; nil for a push.
    var task: TaskMechanism?
    /// Whether the data is on the device when it ends, and of which version.
    var brings = false
    var version = 0
    var counts = false
    /// It ran out of what it was granted, before it ran out of the limit: no fault of the app.
    var isExcused = false
    /// What the launch has cost so far. Unit: microjoules.
    var energy: Int64 = 0
    var isRunning: Bool { ends != .distantFuture }
  }

  public let setting: PlaySetting
  private let cells = EndCells()
  private let holdDeadline: SimDuration
  let storageLimit: SimDuration
  /// Whether APNs may hold pushes for the power of the device.
  let mayHoldForPower: Bool
  /// Without a push mechanism the channel at hand is an empty one, never sent on.
  let sendsPushes: Bool
  /// Whether a background session loads what is new.
  let usesDownloads: Bool
  /// Whether the server waits for acknowledgements at all.
  let waitsForAcknowledgement: Bool
  /// Whether changes of the device concern anything beside silent pushes.
  let hasOthers: Bool
  /// The bits of the state that concern no transfer, as only factors ask for them that do not count.
  let unaskedBits: DeviceState
  /// What the system grants to a launch; nil: the limit.
  let grant: Distribution?
  public var tally = Tally()
  public var observer: Observer

  // What follows belongs to the device at hand.
  var device: UInt32 = 0
  var streams = StreamFamily(seed: 0, replication: 0)
  var traits = DeviceTraits()
  var state: DeviceState = []
  /// The life's; the segment at hand, and where the next begins.
  var battery: [BatterySegment] = []
  var batteryIndex = 0
  var batterySegment = BatterySegment(time: .zero, level: 1, slope: 0)
  var batteryUntil = SimTime.distantFuture
  let app: UnsafeMutablePointer<AppUnderPolicy>
  /// The arrival of the push that went out while none was on its way, which is nearly every one, and all others.
  var firstArrival = SimTime.distantFuture
  var firstInTransit = Push(number: 0, .background, place: 0, counts: false, sent: .zero)
  var inTransit = EventQueue<Push>()
  /// What APNs stores for the device: one push of the app's topic, whatever its mechanism.
  var slot: Push?
  /// The same of the topic of VoIP pushes.
  var voipSlot: Push?
  /// The push mechanism at hand, outside its events the strategy's first, and the strategy's others.
  var channel: Channel
  var parked: [Channel] = []
  let firstMechanism: PushMechanism
  var links = DeviceLinks()
  var others = OtherMechanisms()
  var refresh: AppTask?
  var processing: AppTask?
  var downloads = Downloads()
  var alertEvents = EventQueue<AlertEvent>()
  /// What waits on the device, oldest first from `heldFrom`.
  var held: [HeldPush] = []
  var heldFrom = 0
  /// The factor that holds all of them; nil where they differ.
  private var allHeldBy: FactorID?
  /// What may release held pushes, and what the scheduler's factors need to know.
  var scheduler = SchedulerState()
  private var holdLifts: DeviceState = []
  /// The earliest instant that could lift a hold, and the earlier of it and the next deadline.
  private var liftsAt = SimTime.distantFuture
  private var recheckAt = SimTime.distantFuture
  var handler = Handler()
  var launches: UInt32 = 0
  var tokenReportedGone = SimTime.distantFuture
  /// The number of updates so far, and the version the app has.
  private(set) var latestVersion = 0
  var version = 0
  /// The launch that brought a version which nobody has seen yet.
  private var unseenWake: Wake?
  var energy: EnergyMeter
  /// What is counted by class and by kind, of which the device has one each.
  var onDevice = Tally.Segment()
  /// Sends after which nothing has woken or opened the app yet, oldest first from `unansweredFrom`.
  var unanswered: [SimTime] = []
  private var unansweredFrom = 0

  public init(setting: PlaySetting, observer: Observer) {
    self.setting = setting
    self.observer = observer
    holdDeadline = SimDuration(seconds: setting.policy.hold.deadline)
    storageLimit = SimDuration(seconds: setting.policy.apns.storageLimit)
    let plans = setting.strategy.pushPlans
    sendsPushes = !plans.isEmpty
    usesDownloads = setting.strategy.backgroundDownload != nil
    waitsForAcknowledgement = setting.strategy.waitsForAcknowledgement
    hasOthers = setting.strategy.usesOthersThanSilentPushes
    mayHoldForPower = plans.contains { setting.policy.mayHoldForPower($0) }
    channel = Channel(plans.first ?? PushPlan(send: .at([])))
    parked = plans.dropFirst().map(Channel.init)
    firstMechanism = channel.mechanism
    app = .allocate(capacity: 1)
    app.initialize(to: AppUnderPolicy(memory: AppMemory(), policy: setting.policy))
    grant = setting.policy.execution.grant
    let enabled = setting.policy.enabled
    unaskedBits = [
      .cpuOverCap, enabled.contains(.batteryLevel) ? [] : .batteryLow,
      enabled.contains(.cpuLoad) ? [] : .cpuBusy,
    ]
    energy = EnergyMeter(setting.energy)
  }

  deinit {
    app.deinitialize(count: 1)
    app.deallocate()
  }

  /// Plays the strategy against one life.
  ///
  /// - Parameters:
  ///   - life: the device's traits and its history of opens.
  ///   - conditions: the life's changes, with the policy's thresholds.
  ///   - device: the device's number, which names its streams.
  public mutating func run(
    _ life: borrowing Life, _ conditions: borrowing Conditions, device: UInt32, streams: StreamFamily
  ) throws(SimulationError) {
    begin(life, conditions, device: device, streams: streams)
    var sends = SendCursor(
      channel.plan.send, device: device, streams: streams, lane: channel.lane, utcOffset: traits.utcOffset,
      updates: setting.updates)
    let end = setting.end
    let changeCount = conditions.changes.count
    var change = 0
    var nextChange = changeCount > 0 ? conditions.changes[0].time : .distantFuture
    var instant = SimTime.distantPast
    var decisionsAtInstant = 0
    while true {
      let arrival = min(firstArrival, inTransit.peekTime)
      let timer = min(min(handler.ends, recheckAt), others.next)
      // What is sent at the very end has no time to arrive; every other event at the end of the run still happens.
      let nextSend = sends.time < end ? sends.time : .distantFuture
      let now = min(min(nextChange, arrival), min(timer, nextSend))
      if now > end { break }
      if nextChange == now {
        apply(conditions.changes[change])
        change += 1
        nextChange = change < changeCount ? conditions.changes[change].time : .distantFuture
      } else if arrival == now {
        let push = takeArrival()
        if push.mechanism != channel.mechanism {
          takeOther(push, at: now)
        } else if push.isAtProvider {
          request(push, at: now)
        } else {
          reach(push, at: now)
        }
      } else if handler.ends == now {
        endHandler(at: now)
      } else if recheckAt == now {
        // Only a decision can bring about another one without delay: many mean that two rules wake each other for ever.
        decisionsAtInstant = now == instant ? decisionsAtInstant + 1 : 0
        instant = now
        if decisionsAtInstant > Self.decisionCap {
          throw .tooManyEventsAtOneInstant(cap: Self.decisionCap, event: "decision", at: now)
        }
        timeIsUp(at: now)
      } else if others.next == now {
        runOthers(at: now)
      } else {
        if !channel.sendingStopped { send(at: now) }
        sends.advance(setting.updates)
      }
    }
    finish(at: end)
  }

  private static var decisionCap: Int { 1_000_000 }

  private mutating func begin(
    _ life: borrowing Life, _ conditions: borrowing Conditions, device: UInt32, streams: StreamFamily
  ) {
    self.device = device
    self.streams = streams
    traits = life.traits
    state = conditions.initial
    battery = life.battery
    batteryIndex = -1
    batterySegment = BatterySegment(time: .zero, level: 1, slope: 0)
    batteryUntil = battery.isEmpty ? .distantFuture : .distantPast
    firstArrival = .distantFuture
    inTransit.removeAll()
    slot = nil
    voipSlot = nil
    clearHeld()
    handler = Handler()
    launches = 0
    tokenReportedGone = life.tokenReportedGone
    latestVersion = 0
    version = 0
    unseenWake = nil
    onDevice = Tally.Segment()
    unanswered.removeAll(keepingCapacity: true)
    unansweredFrom = 0
    if !conditions.showsSurroundings { energy.look(around: life) }
    beginScheduler()
    forget(at: .zero)
    app.pointee.memory.use = conditions.use
    app.pointee.memory.voipRate = VoIPRate.State()
    links = DeviceLinks()
    links.mayBeDead = setting.policy.apns.deadLinkOnWiFi > 0 || setting.policy.apns.deadLinkOnCellular > 0
    if mayHoldForPower { considerPower(changed: state) }
    beginAPNs()
    beginOthers()
    tally.devices += 1
  }

  /// A new install: the system knows nothing of the app.
  private mutating func forget(at now: SimTime) {
    let offset = app.pointee.memory.use.utcOffset
    app.pointee.memory.use = UsageHistory.State()
    app.pointee.memory.use.utcOffset = offset
    app.pointee.memory.feedback = FetchFeedback.State()
    app.pointee.memory.excess.reset(setting.policy)
    app.pointee.memory.budget.fill(at: now, setting.policy)
    app.pointee.memory.spacing.fill(at: now)
    app.pointee.memory.voipReport = VoIPReport.State()
  }

  func measures(_ time: SimTime) -> Bool { time >= setting.warmUp }

  /// The app loads what is new.
  ///
  /// - Parameter isOpened: whether the user has opened it just now. An open that an alert provoked leaves no trace in the
  ///   device's state.
  mutating func loadWhatIsNew(isOpened: Bool = false, at now: SimTime) {
    learnUpdates(until: now)
    guard version < latestVersion else { return }
    if usesDownloads {
      let isInFront = isOpened || state.contains(.inFront)
      return startDownload(latestVersion, inFront: isInFront, wake: nil, at: now)
    }
    version = latestVersion
    energy.download(state, counts: measures(now))
  }

  mutating func learnUpdates(until now: SimTime) {
    while latestVersion < setting.updates.count, setting.updates[latestVersion] <= now { latestVersion += 1 }
  }

  @inline(__always)
  mutating func trace(_ now: SimTime, _ push: Push?, _ event: TraceRecord.Event) {
    guard Observer.isListening, push?.isEcho != true else { return }
    observer.record(
      TraceRecord(
        time: now, mechanism: push?.mechanism ?? .background, push: push.map { Int($0.number) }, event: event)
    )
  }
}

// MARK: - The life goes on

extension Play {
  private mutating func apply(_ change: LifeChange) {
    let now = change.time
    let changed = state.symmetricDifference(change.state)
    trace(now, nil, .changed(from: state, to: change.state, moment: change.moment))
    let wasReachable = state.isReachable
    state = change.state
    switch change.moment {
    case .none: break
    case .otherNotification, .otherPush: if state.isReachable { energy.otherTraffic(at: now) }
    case .open: open(at: now)
    case .powerNapWake:
      if hasHeld, holdLifts.contains(.asleep) { recheck(at: now, occasion: .powerNapWake) }
    case .restart: break
    case .uninstall: uninstall(at: now)
    case .install:
      forget(at: now)
      // It comes with what is newest.
      learnUpdates(until: now)
      version = latestVersion
      // The new install registers a new token.
      channel.sendingStopped = false
      for index in parked.indices { parked[index].sendingStopped = false }
      tokenReportedGone = .distantFuture
    }
    if !changed.isDisjoint(with: .inUse) { energy.otherTraffic(at: now) }
    if !changed.isDisjoint(with: [.poweredOn, .asleep, .wifi, .cellular]) {
      energy.see(change.state, changed, at: now)
    }
    if links.mayBeDead, !changed.isDisjoint(with: [.wifi, .cellular, .poweredOn, .inFront]) {
      links.connectedSince = now
    }
    if changed.contains(.forceQuit), state.contains(.forceQuit), setting.policy.enabled.contains(.forceQuit) {
      endAllHeld(.notWakeable, Reason(.forceQuit), at: now)
      stopHandler(at: now)
    }
    if changed.contains(.poweredOn), !state.contains(.poweredOn) { turnOff(at: now) }
    if setting.policy.schedules { schedulerSees(changed, change.moment, wasReachable: wasReachable, at: now) }
    if mayHoldForPower { considerPower(changed: changed) }
    if slot != nil || voipSlot != nil, state.isReachable, !wasReachable || mayHoldForPower {
      // Of a device that is already connected there is nothing to wait for.
      let delay = wasReachable ? .zero : SimDuration(seconds: setting.policy.apns.reconnectDelay)
      releaseStored(after: delay, at: now)
    }
    if hasOthers { othersSee(changed, change.moment, at: now) }
    if hasHeld, !changed.isDisjoint(with: holdLifts.union(.poweredOn)) {
      recheck(at: now, occasion: .recheck)
    }
    if hasHeld, setting.policy.schedules, isReleased(by: changed, change.moment, at: now) {
      recheck(at: now, occasion: .release)
    }
  }

  /// Nothing runs on a device that is off, and nothing is decided: what it holds waits for the start, or for its deadline.
  private mutating func turnOff(at now: SimTime) {
    stopHandler(at: now)
    if hasOthers { stopExtension(at: now) }
    guard hasHeld else { return }
    liftsAt = .distantFuture
    recheckAt = deadline(of: held[heldFrom])
  }

  mutating func open(at now: SimTime) {
    learnUpdates(until: now)
    measureOpen(at: now)
    answer(upTo: now, at: now)
    app.pointee.recordOpen(at: now)
    if let wake = unseenWake {
      count(useful: wake)
      unseenWake = nil
    }
    // The app is in use again: what its disuse held is free, whether or not the foreground factor counts.
    for index in heldFrom..<held.count { held[index].usageHeldUntil = .distantPast }
    if hasHeld { recheck(at: now, occasion: .recheck) }
    if setting.app.syncsOnOpen, state.isReachable { loadWhatIsNew(isOpened: true, at: now) }
    acknowledge(at: now)
    if refresh != nil || processing != nil { tasksSeeOpen(at: now) }
  }

  private mutating func measureOpen(at now: SimTime) {
    let isFresh = version == latestVersion
    trace(
      now, nil, .opened(isFresh: setting.hasContent ? isFresh : nil, versionsBehind: latestVersion - version))
    tally.daily.count(.opens, at: now)
    if isFresh { tally.daily.count(.freshOpens, at: now) }
    guard measures(now) else { return }
    tally.opens += 1
    guard setting.hasContent else { return }
    onDevice.opens += 1
    // The age of the first update that the app has missed.
    let age = isFresh ? SimDuration.zero : now - setting.updates[version]
    tally.staleness.record(age.microseconds)
    tally.stalenessMilliseconds.addSaturating(age.microseconds / 1000)
    let hour = localHour(now)
    tally.byHour[hour].opens += 1
    if isFresh {
      onDevice.freshOpens += 1
      tally.byHour[hour].freshOpens += 1
    }
  }

  func localHour(_ time: SimTime) -> Int {
    let day: Int64 = 86_400_000_000
    let ofDay = (time + traits.utcOffset).microseconds % day
    // West of the server the run begins the day before.
    return Int((ofDay < 0 ? ofDay + day : ofDay) / 3_600_000_000)
  }

  /// The level of the battery in tenths of a full charge, from 0 to 9; a life without a battery's is at the top.
  @inline(__always)
  mutating func batteryTenth(at now: SimTime) -> Int {
    while batteryUntil <= now {
      batteryIndex += 1
      batterySegment = battery[batteryIndex]
      batteryUntil = batteryIndex + 1 < battery.count ? battery[batteryIndex + 1].time : .distantFuture
    }
    return min(9, Int(batterySegment.level(at: now) * 10))
  }

  private mutating func uninstall(at now: SimTime) {
    endAllHeld(.notWakeable, .notInstalled, at: now)
    stopHandler(at: now)
    discardStored(at: now)
  }
}

// MARK: - On the device

extension Play {
  mutating func arrive(_ push: Push, at now: SimTime) {
    if channel.request.isVisible, state.contains(.alertsAllowed), push.counts { tally.shown += 1 }
    if channel.request == .silent, !state.contains(.inFront) {
      app.pointee.memory.excess.recordArrival(at: now)
    }
    if handler.isRunning, channel.mayWake {
      // The app runs for an earlier push: this one joins that launch.
      answer(upTo: push.sent, at: now)
      return deliver(push, at: now)
    }
    let context = context(at: now, .arrival, usageHeldUntil: .distantPast)
    var decision = Decision()
    decide(context, app, into: &decision)
    let ended = resolve(&decision, push, context)
    if decision.shadow.rawValue != 0 { countShadow(decision.shadow, push) }
    switch decision.outcome {
    case .deliver:
      if setting.policy.hold.newestWins { coalesceHeld(at: now) }
      launch(with: push, isMust: decision.isMust, at: now)
    case .discard:
      let factor = ended ?? decision.refusing.first!
      end(push, factor.refusalMeansNotWakeable ? .notWakeable : .discardedByPolicy, Reason(factor), at: now)
    case .hold:
      hold(
        push, by: decision.holding, decision.hold, usageHeldUntil: decision.usageHeldUntil, at: now)
    }
  }

  mutating func countShadow(_ shadow: FactorSet, _ push: Push) {
    guard push.counts else { return }
    for factor in shadow.factors { tally.shadow[Int(factor.rawValue)] += 1 }
  }

  func context(
    at now: SimTime, _ occasion: DeliveryContext.Occasion, usageHeldUntil: SimTime, heldSince: SimTime? = nil
  ) -> DeliveryContext {
    DeliveryContext(
      now: now, state: state, request: channel.request,
      backgroundModes: setting.app.backgroundModes, occasion: occasion, usageHeldUntil: usageHeldUntil,
      heldSince: heldSince)
  }

  /// Makes the draws that the policy asked for.
  mutating func resolve(
    _ decision: inout Decision, _ push: Push, _ context: DeliveryContext
  ) -> FactorID? {
    let streams = streams
    let device = device
    let lane = UInt32(push.mechanism.rawValue)
    func uniform(_ factor: FactorID) -> Double {
      var stream = streams.stream(
        device: device, .verdict(UInt32(push.number), factor), lane: lane)
      return stream.uniform()
    }
    guard Observer.isListening else {
      return decision.resolve(isArrival: context.occasion == .arrival, draw: uniform)
    }
    var draws: [(factor: FactorID, uniform: Double, probability: Double)] = []
    if context.occasion == .arrival, !decision.isMust, decision.refusing.isEmpty {
      for index in 0..<decision.chanceCount {
        let chance = decision.chances[index]
        draws.append((chance.factor, uniform(chance.factor), chance.probability))
      }
    }
    let ended = decision.resolve(isArrival: context.occasion == .arrival, draw: uniform)
    trace(context.now, push, .decided(context, app.pointee.memory, decision, draws: draws))
    return ended
  }

  private mutating func hold(
    _ push: Push, by holding: FactorSet, _ hold: Hold, usageHeldUntil: SimTime, at now: SimTime
  ) {
    if setting.policy.hold.newestWins { coalesceHeld(at: now) }
    if holding == FactorSet(.hourlyBudget) { coalesceForToken(sparing: nil, at: now) }
    let factor = holding.first ?? .usageHistory
    if !hasHeld {
      allHeldBy = factor
    } else if allHeldBy != factor {
      allHeldBy = nil
    }
    held.append(
      HeldPush(
        push: push, since: now, usageHeldUntil: usageHeldUntil, factor: factor, holding: factor,
        uncounted: now))
    holdLifts.formUnion(hold.lifts)
    liftsAt = min(liftsAt, hold.until)
    if scheduler.releaseRate > 0 { liftsAt = min(liftsAt, nextRelease(after: now)) }
    recheckAt = min(liftsAt, deadline(of: held[heldFrom]))
  }

  private func deadline(of held: HeldPush) -> SimTime {
    held.since + holdDeadline
  }

  /// Of the pushes held for nothing but a token only the newest is kept, or none when a newer one is on its way in.
  private mutating func coalesceForToken(sparing newest: Int?, at now: SimTime) {
    var kept = heldFrom
    for index in heldFrom..<held.count {
      if held[index].usageHeldUntil <= now, index != newest {
        endHeld(index, .coalescedOnDevice, Reason(.hourlyBudget), at: now)
      } else {
        held[kept] = held[index]
        kept += 1
      }
    }
    held.removeLast(held.count - kept)
    if !hasHeld { clearHeld() }
  }

  private var hasHeld: Bool { heldFrom < held.count }

  /// Nothing waits, so there is nothing to look out for.
  mutating func clearHeld() {
    if !held.isEmpty { held.removeAll(keepingCapacity: true) }
    heldFrom = 0
    holdLifts = []
    liftsAt = .distantFuture
    recheckAt = .distantFuture
  }

  /// A hold may end by itself now, or the oldest push has waited too long; the latter lifts nothing for the others.
  private mutating func timeIsUp(at now: SimTime) {
    guard now < liftsAt else {
      return recheck(at: now, occasion: scheduler.nextRelease == now ? .release : .recheck)
    }
    endOverdue(at: now)
    recheckAt = hasHeld ? min(liftsAt, deadline(of: held[heldFrom])) : .distantFuture
  }

  /// Something that holds may have been lifted: decides again for all that is held.
  private mutating func recheck(at now: SimTime, occasion: DeliveryContext.Occasion) {
    guard state.contains(.poweredOn) else { return }
    endOverdue(at: now)
    guard hasHeld else { return }
    // One launch handles everything held, so one push that may go takes the others along.
    var usageHeldUntil = SimTime.distantFuture
    for index in heldFrom..<held.count { usageHeldUntil = min(usageHeldUntil, held[index].usageHeldUntil) }
    let context = context(
      at: now, occasion, usageHeldUntil: usageHeldUntil, heldSince: held[heldFrom].since)
    var decision = Decision()
    decide(context, app, into: &decision)
    _ = resolve(&decision, held[held.count - 1].push, context)
    switch decision.outcome {
    case .deliver:
      launch(with: nil, isMust: decision.isMust, at: now)
    case .discard:
      // What refuses for good came true while the pushes waited, as when the switch is turned off.
      let factor = decision.refusing.first!
      endAllHeld(factor.refusalMeansNotWakeable ? .notWakeable : .discardedByPolicy, Reason(factor), at: now)
    case .hold:
      if decision.holding == FactorSet(.hourlyBudget) {
        coalesceForToken(sparing: held.lastIndex { $0.usageHeldUntil <= now }, at: now)
      }
      if let factor = decision.holding.first, factor != allHeldBy {
        for index in heldFrom..<held.count where held[index].holding != factor {
          countHeld(index, until: now)
          held[index].holding = factor
        }
        allHeldBy = factor
      }
      holdLifts = decision.hold.lifts
      liftsAt = decision.hold.until
      if setting.policy.hold.newestWins, let factor = decision.holding.first {
        held[held.count - 1].factor = factor
      }
      if scheduler.releaseRate > 0 { liftsAt = min(liftsAt, nextRelease(after: now)) }
      recheckAt = min(liftsAt, deadline(of: held[heldFrom]))
    }
  }

  private mutating func endOverdue(at now: SimTime) {
    var overdue = heldFrom
    while overdue < held.count, deadline(of: held[overdue]) <= now { overdue += 1 }
    for index in heldFrom..<overdue {
      guard state.contains(.poweredOn) else {
        endHeld(index, .notWakeable, .deviceOff, at: now)
        continue
      }
      let context = context(
        at: now, .recheck, usageHeldUntil: held[index].usageHeldUntil, heldSince: held[index].since)
      var decision = Decision()
      decide(context, app, into: &decision)
      _ = resolve(&decision, held[index].push, context)
      let factor = decision.holding.first ?? held[index].factor
      endHeld(
        index, factor.expiryMeansNotWakeable ? .notWakeable : .discardedByPolicy, Reason(factor), at: now)
    }
    heldFrom = overdue
    if !hasHeld { clearHeld() }
  }

  private mutating func endAllHeld(_ fate: Fate, _ reason: Reason, at now: SimTime) {
    for index in heldFrom..<held.count { endHeld(index, fate, reason, at: now) }
    clearHeld()
  }

  mutating func endHeld(_ index: Int, _ fate: Fate, _ reason: Reason, at now: SimTime) {
    countHeld(index, until: now)
    end(held[index].push, fate, reason, at: now)
  }

  /// Counts for how long the factor has held the push.
  private mutating func countHeld(_ index: Int, until now: SimTime) {
    let waited = now - held[index].uncounted
    held[index].uncounted = now
    guard held[index].push.counts else { return }
    tally.held[Int(held[index].holding.rawValue)].addSaturating(waited.microseconds / 1000)
  }
}

// MARK: - Launch, handler, result

extension Play {
  /// Launches the app, or hands over to an app in the front, for everything held and for `push`.
  private mutating func launch(with push: Push?, isMust: Bool, at now: SimTime) {
    let handled = held.count - heldFrom + (push == nil ? 0 : 1)
    if !handler.isRunning { startHandler(isBackground: !isMust, handled: handled, at: now) }
    // Pushes overtake each other on their way, so the newest need not be the last to arrive.
    var newest = push?.sent ?? .distantPast
    for index in heldFrom..<held.count { newest = max(newest, held[index].push.sent) }
    answer(upTo: newest, at: now)
    for index in heldFrom..<held.count {
      countHeld(index, until: now)
      deliver(held[index].push, at: now)
    }
    clearHeld()
    if let push { deliver(push, at: now) }
  }

  mutating func startHandler(
    isBackground: Bool, handled: Int, task: TaskMechanism? = nil, at now: SimTime
  ) {
    learnUpdates(until: now)
    var stream: RandomStream
    let coin: Double
    var (wanted, limit) = (0.0, 0.0)
    if let task {
      stream = streams.stream(device: device, .handler(taskRun(task)), lane: Self.lane(task))
      coin = stream.uniform()
      (wanted, limit) = taskTimes(task, &stream)
    } else {
      stream = streams.stream(device: device, .handler(launches))
      launches += 1
      coin = stream.uniform()
      wanted = setting.handlerDuration.draw(&stream)
      limit = grantedTime()
    }
    let shares = setting.app.results
    handler.task = task
    handler.isBackground = isBackground
    handler.isExcused = false
    handler.version = latestVersion
    handler.counts = measures(now)
    handler.runTime = SimDuration(seconds: max(0, min(wanted, limit)))
    if coin >= 1 - shares.neverCompletes {
      handler.result = .killed
      handler.runTime = SimDuration(seconds: limit)
    } else if wanted >= limit {
      handler.result = .timedOut
      handler.isExcused = wanted < setting.policy.execution(of: task).limit
    } else if coin >= shares.newData + shares.noData || !state.isReachable {
      handler.result = .failed
    } else if coin >= shares.newData || (setting.hasContent && version == latestVersion) {
      // A launch that finds nothing newer on the server brings no data, whatever the app hoped for.
      handler.result = .noData
    } else {
      handler.result = .newData
    }
    // A handler that forgets its completion handler has done its work all the same, if the network let it.
    handler.brings =
      handler.result == .newData || (handler.result == .killed && wanted < limit && state.isReachable)
    handler.ends = now + handler.runTime
    handler.energy = energy.launch(state, counts: handler.counts, at: now)
    if isBackground {
      if task == nil {
        app.pointee.recordLaunch(at: now)
        if refresh != nil { tasksSeeLaunch(at: now) }
      } else {
        app.pointee.recordTaskLaunch(at: now)
      }
      if handler.counts { tally.wakes += 1 }
      tally.daily.count(.wakes, at: now)
    } else if handler.counts {
      tally.launchesInForeground += 1
    }
    trace(
      now, nil,
      .launched(
        inForeground: !isBackground, result: handler.result, runTime: handler.runTime, handled: handled))
  }

  /// The app is ended from outside.
  private mutating func stopHandler(at now: SimTime) {
    if handler.isRunning {
      if let task = handler.task, handler.counts {
        tally.tasks[Int(task.rawValue)].results[Int(LaunchResult.killed.rawValue)] += 1
      }
      _ = spentOnLaunch(handler.runTime - (handler.ends - now), loads: false)
    }
    handler = Handler()
  }

  /// The system ends the run: the app puts its work away, and has nothing to show for it.
  mutating func interruptHandler(at now: SimTime) {
    handler.runTime = handler.runTime - (handler.ends - now)
    handler.ends = now
    handler.result = .failed
    handler.brings = false
    handler.isExcused = true
    endHandler(at: now)
  }

  /// The launch that ends has run for so long.
  ///
  /// - Returns: what it cost in all. Unit: microjoules.
  private mutating func spentOnLaunch(_ runTime: SimDuration, loads: Bool) -> Int64 {
    var spent = handler.energy + energy.run(runTime, state, counts: handler.counts)
    if loads, !usesDownloads {
      spent += energy.download(state, counts: handler.counts)
    }
    if handler.isBackground, handler.counts { energy.wake(spent) }
    return spent
  }

  private mutating func endHandler(at now: SimTime) {
    let spent = spentOnLaunch(handler.runTime, loads: handler.brings)
    let ended = handler
    handler = Handler()
    if ended.result == .newData || ended.result == .noData { acknowledge(at: now) }
    if let task = ended.task {
      recordTask(task, ended, at: now)
    } else if ended.isBackground, !ended.isExcused {
      app.pointee.recordResult(ended.result, runTime: ended.runTime, at: now)
    }
    if ended.brings, ended.version > version {
      let wake = ended.isBackground ? Wake(counts: ended.counts, energy: spent) : nil
      if usesDownloads {
        startDownload(ended.version, inFront: !ended.isBackground, wake: wake, at: now)
      } else {
        take(ended.version, wake)
      }
    }
    trace(now, nil, .handlerEnded(ended.result, reputation: app.pointee.memory.feedback.reputation))
  }

  /// The app has a version; of a launch in the background it is to be seen whether anybody ever sees it.
  mutating func take(_ version: Int, _ wake: Wake?) {
    self.version = version
    guard let wake else { return }
    if state.contains(.inFront) {
      // Already on the screen.
      count(useful: wake)
      unseenWake = nil
    } else {
      unseenWake = wake
    }
  }

  mutating func count(useful wake: Wake) {
    guard wake.counts else { return }
    tally.usefulWakes += 1
    energy.useful(wake.energy)
  }

  private mutating func deliver(_ push: Push, at now: SimTime) {
    if push.counts {
      tally.results[Int(handler.result.rawValue)] += 1
      if !handler.isBackground { tally.deliveredInForeground += 1 }
    }
    countDelivered(push, at: now)
  }

  /// The push has reached what it was for: the app, or the user's eyes.
  mutating func countDelivered(_ push: Push, at now: SimTime) {
    trace(now, push, .ended(.delivered, nil))
    let latency = now - push.sent
    if latency <= .minutes(5), !push.isEcho { tally.daily.count(.deliveredWithin5min, at: push.sent) }
    guard push.counts else { return }
    tally.fates[Int(Fate.delivered.rawValue)] += 1
    tally.latency.record(latency.microseconds)
    if !parked.isEmpty { tally.byMechanism[Int(push.mechanism.rawValue)].countDelivered(latency) }
    let hour = push.hour
    let kind = Int(traits.kind.rawValue)
    let userClass = Int(traits.userClass.rawValue)
    tally.incidence.count(
      .delivered, cell: cells.cell(of: latency), userClass: userClass, kind: kind, hour: hour)
    tally.byHour[hour].delivered += 1
    onDevice.delivered += 1
    guard latency <= .hours(1) else { return }
    tally.within[3] += 1
    guard latency <= .minutes(15) else { return }
    tally.within[2] += 1
    guard latency <= .minutes(5) else { return }
    tally.within[1] += 1
    tally.byHourAndBattery.countWithin5min(Int(push.place))
    tally.byHour[hour].within5min += 1
    onDevice.within5min += 1
    if latency <= .minutes(1) { tally.within[0] += 1 }
  }

  mutating func end(_ push: Push, _ fate: Fate, _ reason: Reason?, at now: SimTime) {
    trace(now, push, .ended(fate, reason))
    guard push.counts else { return }
    tally.fates[Int(fate.rawValue)] += 1
    tally.incidence.count(
      fate, cell: cells.cell(of: now - push.sent), userClass: Int(traits.userClass.rawValue),
      kind: Int(traits.kind.rawValue), hour: push.hour)
    if !parked.isEmpty {
      tally.byMechanism[Int(push.mechanism.rawValue)].fates[Int(fate.rawValue)] += 1
    }
    if let reason { tally.count(fate, reason) }
    if fate == .notWakeable {
      tally.byHour[push.hour].notWakeable += 1
      onDevice.notWakeable += 1
    }
  }

  /// The app runs, or the user opened it: what was sent up to `sent` has had its wake.
  mutating func answer(upTo sent: SimTime, at now: SimTime) {
    while unansweredFrom < unanswered.count, unanswered[unansweredFrom] <= sent {
      if now - unanswered[unansweredFrom] <= .minutes(15) { tally.wokenWithin15min += 1 }
      unansweredFrom += 1
    }
    // Mostly there is one: room is made once there were many.
    if unansweredFrom == unanswered.count, unansweredFrom >= 64 {
      unanswered.removeAll(keepingCapacity: true)
      unansweredFrom = 0
    }
  }

  private mutating func finish(at end: SimTime) {
    for index in heldFrom..<held.count {
      endHeld(index, .pending, Reason(held[index].factor), at: end)
    }
    finishAPNs(at: end)
    finishAlerts(at: end)
    finishDownload(at: end)
    stopHandler(at: end)
    // Given back, so that the next life is laid down in place.
    battery = []
    tally.energy.add(energy.take(traits.kind))
    tally.sent += onDevice.sent
    tally.freshOpens += onDevice.freshOpens
    tally.byClass[Int(traits.userClass.rawValue)].add(onDevice)
    tally.byKind[Int(traits.kind.rawValue)].add(onDevice)
    if onDevice.opens > 0 {
      tally.users += 1
      tally.userFreshShares += (onDevice.freshOpens << 32) / onDevice.opens
    }
  }
}
