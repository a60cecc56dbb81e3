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

/// One strategy played against the lives of devices, one after the other: the path of every push from send to fate.
///
/// The events of one device are few at a time, so each kind has a slot of its own; only pushes on their way need a
/// list. Simultaneous events run in the order: changes of the device's life, arrivals, the end of a handler, timers,
/// sends (state before decisions; Decision 0003).
public struct Play<Observer: PlayObserver>: ~Copyable {
  public let setting: PlaySetting
  private let cells = EndCells()
  let storageLimit: SimDuration
  /// Whether APNs may hold pushes for the power of the device.
  let mayHoldForPower: Bool
  /// Without a push mechanism nothing is ever sent on the first.
  let sendsPushes: Bool
  /// The push mechanisms that the strategy uses; the loop sends the first, and timers the others.
  let mechanisms: [PushMechanism]
  let first: PushMechanism
  let hasSeveralMechanisms: Bool
  /// Whether a background session loads what is new.
  let usesDownloads: Bool
  /// Whether the server waits for acknowledgements at all.
  let waitsForAcknowledgement: Bool
  /// Whether changes of the device concern anything beside silent pushes.
  let hasOthers: Bool
  /// The bits of the state that concern no transfer, as only factors ask for them that do not count.
  let unaskedBits: DeviceState
  public var tally = Tally()
  public var observer: Observer

  // What follows belongs to the device at hand.
  var device: UInt32 = 0
  var streams = StreamFamily(seed: 0, replication: 0)
  var traits = DeviceTraits()
  var state: DeviceState = []
  var battery = BatteryGauge()
  let app: UnsafeMutablePointer<AppUnderPolicy>
  var inTransit = PushesInTransit()
  var stored = StoredPushes()
  /// By mechanism.
  var channels: InlineArray<3, Channel>
  var links = DeviceLinks()
  var others = OtherMechanisms()
  var refresh: AppTask?
  var processing: AppTask?
  var downloads = Downloads()
  var alerts = Alerts()
  var held: HoldQueue
  /// What may release held pushes, and what the scheduler's factors need to know.
  var scheduler = SchedulerState()
  var launcher: Launcher
  var tokenReportedGone = SimTime.distantFuture
  var content = Freshness()
  var energy: EnergyMeter
  /// What is counted by class and by kind, of which the device has one each.
  var onDevice = Tally.Segment()
  var unanswered = UnansweredSends()

  public init(setting: PlaySetting, observer: Observer) {
    self.setting = setting
    self.observer = observer
    held = HoldQueue(deadline: SimDuration(seconds: setting.policy.hold.deadline))
    storageLimit = SimDuration(seconds: setting.policy.apns.storageLimit)
    let plans = setting.strategy.pushPlans
    sendsPushes = !plans.isEmpty
    usesDownloads = setting.strategy.backgroundDownload != nil
    waitsForAcknowledgement = setting.strategy.waitsForAcknowledgement
    hasOthers = setting.strategy.usesOthersThanSilentPushes
    mayHoldForPower = plans.contains { setting.policy.mayHoldForPower($0) }
    first = plans.first?.mechanism ?? .background
    mechanisms = PushMechanism.allCases.filter { mechanism in plans.contains { $0.mechanism == mechanism } }
    hasSeveralMechanisms = plans.count > 1
    channels = InlineArray { index in
      Channel(plans.first { $0.mechanism.index == index } ?? PushPlan(send: .at([])))
    }
    app = .allocate(capacity: 1)
    app.initialize(to: AppUnderPolicy(memory: AppMemory(), policy: setting.policy))
    launcher = Launcher(grant: setting.policy.execution.grant)
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
    var sends = sendCursor(first)
    let end = setting.end
    let changeCount = conditions.changes.count
    var change = 0
    var nextChange = changeCount > 0 ? conditions.changes[0].time : .distantFuture
    var instant = SimTime.distantPast
    var decisionsAtInstant = 0
    while true {
      let arrival = inTransit.next
      let timer = min(min(launcher.handler.ends, held.recheckAt), others.next)
      // What is sent at the very end has no time to arrive; every other event at the end of the run still happens.
      let nextSend = sends.time < end ? sends.time : .distantFuture
      let now = min(min(nextChange, arrival), min(timer, nextSend))
      if now > end { break }
      if nextChange == now {
        apply(conditions.changes[change])
        change += 1
        nextChange = change < changeCount ? conditions.changes[change].time : .distantFuture
      } else if arrival == now {
        let push = inTransit.take()
        if push.isAtProvider {
          request(push, at: now)
        } else {
          reach(push, at: now)
        }
      } else if launcher.handler.ends == now {
        endHandler(at: now)
      } else if held.recheckAt == now {
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
        if !channels[first.index].sendingStopped { send(first, at: now) }
        sends.advance(setting.updates)
      }
    }
    finish(at: end)
  }

  private static var decisionCap: Int { 1_000_000 }

  mutating func sendCursor(_ mechanism: PushMechanism) -> SendCursor {
    SendCursor(
      channels[mechanism.index].plan.send, device: device, streams: streams,
      lane: channels[mechanism.index].lane, utcOffset: traits.utcOffset, updates: setting.updates)
  }

  private mutating func begin(
    _ life: borrowing Life, _ conditions: borrowing Conditions, device: UInt32, streams: StreamFamily
  ) {
    self.device = device
    self.streams = streams
    traits = life.traits
    state = conditions.initial
    battery.begin(life.battery)
    inTransit.removeAll()
    stored = StoredPushes()
    held.clear()
    launcher.begin()
    tokenReportedGone = life.tokenReportedGone
    content = Freshness()
    onDevice = Tally.Segment()
    unanswered.removeAll()
    if !conditions.showsSurroundings { energy.look(around: life) }
    beginScheduler()
    forget(at: .zero)
    app.pointee.memory.use = conditions.use
    app.pointee.memory.voipRate = VoIPRate.State()
    links = DeviceLinks()
    links.mayBeDead = setting.policy.apns.deadLinkOnWiFi > 0 || setting.policy.apns.deadLinkOnCellular > 0
    if mayHoldForPower { considerPower(changed: state) }
    beginAPNs(first)
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
    content.follow(setting.updates, until: now)
    guard !content.isFresh else { return }
    if usesDownloads {
      let isInFront = isOpened || state.contains(.inFront)
      return startDownload(content.latest, inFront: isInFront, wake: nil, at: now)
    }
    content.takeLatest()
    energy.download(state, counts: measures(now))
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
      if !held.isEmpty, held.lifts.contains(.asleep) { recheck(at: now, occasion: .powerNapWake) }
    case .restart: break
    case .uninstall: uninstall(at: now)
    case .install:
      forget(at: now)
      // It comes with what is newest.
      content.follow(setting.updates, until: now)
      content.takeLatest()
      // The new install registers a new token.
      for mechanism in mechanisms { channels[mechanism.index].sendingStopped = false }
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
    if !stored.isEmpty, state.isReachable, !wasReachable || mayHoldForPower {
      // Of a device that is already connected there is nothing to wait for.
      let delay = wasReachable ? .zero : SimDuration(seconds: setting.policy.apns.reconnectDelay)
      releaseStored(after: delay, at: now)
    }
    if hasOthers { othersSee(changed, change.moment, at: now) }
    if !held.isEmpty, !changed.isDisjoint(with: held.lifts.union(.poweredOn)) {
      recheck(at: now, occasion: .recheck)
    }
    if !held.isEmpty, setting.policy.schedules, isReleased(by: changed, change.moment, at: now) {
      recheck(at: now, occasion: .release)
    }
  }

  /// Nothing runs on a device that is off, and nothing is decided: what it holds waits for the start, or for its deadline.
  private mutating func turnOff(at now: SimTime) {
    stopHandler(at: now)
    if hasOthers { stopExtension(at: now) }
    if !held.isEmpty { held.waitForDeadline() }
  }

  mutating func open(at now: SimTime) {
    content.follow(setting.updates, until: now)
    measureOpen(at: now)
    answer(upTo: now, at: now)
    app.pointee.recordOpen(at: now)
    if let wake = content.see() { count(useful: wake) }
    // The app is in use again: what its disuse held is free, whether or not the foreground factor counts.
    held.endDisuse()
    if !held.isEmpty { recheck(at: now, occasion: .recheck) }
    if setting.app.syncsOnOpen, state.isReachable { loadWhatIsNew(isOpened: true, at: now) }
    acknowledge(at: now)
    if refresh != nil || processing != nil { tasksSeeOpen(at: now) }
  }

  private mutating func measureOpen(at now: SimTime) {
    let isFresh = content.isFresh
    trace(
      now, nil, .opened(isFresh: setting.hasContent ? isFresh : nil, versionsBehind: content.behind))
    tally.daily.count(.opens, at: now)
    if isFresh { tally.daily.count(.freshOpens, at: now) }
    guard measures(now) else { return }
    tally.opens += 1
    guard setting.hasContent else { return }
    onDevice.opens += 1
    // The age of the first update that the app has missed.
    let age = isFresh ? SimDuration.zero : now - setting.updates[content.version]
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

  private mutating func uninstall(at now: SimTime) {
    endAllHeld(.notWakeable, .notInstalled, at: now)
    stopHandler(at: now)
    discardStored(at: now)
  }
}

// MARK: - On the device

extension Play {
  mutating func arrive(_ push: Push, at now: SimTime) {
    let index = push.mechanism.index
    if channels[index].request.isVisible, state.contains(.alertsAllowed), push.counts { tally.shown += 1 }
    if channels[index].request == .silent, !state.contains(.inFront) {
      app.pointee.memory.excess.recordArrival(at: now)
    }
    if launcher.isRunning, channels[index].mayWake {
      // The app runs for an earlier push: this one joins that launch.
      answer(upTo: push.sent, at: now)
      return deliver(push, at: now)
    }
    let context = context(for: push.mechanism, at: now, .arrival, usageHeldUntil: .distantPast)
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

  /// Mutating though it changes nothing: asked of a lent play, the whole play would be copied first.
  mutating func context(
    for mechanism: PushMechanism, at now: SimTime, _ occasion: DeliveryContext.Occasion,
    usageHeldUntil: SimTime, heldSince: SimTime? = nil
  ) -> DeliveryContext {
    DeliveryContext(
      now: now, state: state, request: channels[mechanism.index].request,
      backgroundModes: setting.app.backgroundModes, occasion: occasion, usageHeldUntil: usageHeldUntil,
      heldSince: heldSince)
  }

  /// Makes the draws that the policy asked for.
  mutating func resolve(
    _ decision: inout Decision, _ push: Push, _ context: DeliveryContext
  ) -> FactorID? {
    let streams = streams
    let device = device
    let lane = push.lane
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
    held.append(
      push, by: holding.first ?? .usageHistory, hold, usageHeldUntil: usageHeldUntil,
      release: releaseOfHeld(after: now), at: now)
  }

  /// When something that neither the user nor another app does may release what is held.
  private mutating func releaseOfHeld(after now: SimTime) -> SimTime {
    scheduler.releaseRate > 0 ? nextRelease(after: now) : .distantFuture
  }

  /// Of the pushes held for nothing but a token only the newest is kept, or none when a newer one is on its way in.
  private mutating func coalesceForToken(sparing newest: Int?, at now: SimTime) {
    var kept = held.indices.lowerBound
    for index in held.indices {
      if held[index].usageHeldUntil <= now, index != newest {
        endHeld(index, .coalescedOnDevice, Reason(.hourlyBudget), at: now)
      } else {
        held.move(index, to: kept)
        kept += 1
      }
    }
    held.truncate(to: kept)
  }

  /// A hold may end by itself now, or the oldest push has waited too long; the latter lifts nothing for the others.
  private mutating func timeIsUp(at now: SimTime) {
    if held.mayBeLifted(at: now) {
      return recheck(at: now, occasion: scheduler.nextRelease == now ? .release : .recheck)
    }
    endOverdue(at: now)
    held.lookAgain()
  }

  /// Something that holds may have been lifted: decides again for all that is held.
  private mutating func recheck(at now: SimTime, occasion: DeliveryContext.Occasion) {
    guard state.contains(.poweredOn) else { return }
    endOverdue(at: now)
    guard !held.isEmpty else { return }
    // One launch handles everything held, so one push that may go takes the others along.
    let context = context(
      for: first, at: now, occasion, usageHeldUntil: held.usageHeldUntil, heldSince: held.oldest.since)
    var decision = Decision()
    decide(context, app, into: &decision)
    _ = resolve(&decision, held.newest.push, context)
    switch decision.outcome {
    case .deliver:
      launch(with: nil, isMust: decision.isMust, at: now)
    case .discard:
      // What refuses for good came true while the pushes waited, as when the switch is turned off.
      let factor = decision.refusing.first!
      endAllHeld(factor.refusalMeansNotWakeable ? .notWakeable : .discardedByPolicy, Reason(factor), at: now)
    case .hold:
      if decision.holding == FactorSet(.hourlyBudget) {
        coalesceForToken(sparing: held.newestNotHeldForDisuse(at: now), at: now)
      }
      held.hold(
        by: decision.holding.first, decision.hold, isOneWait: setting.policy.hold.newestWins,
        release: releaseOfHeld(after: now), at: now, times: &tally.held)
    }
  }

  private mutating func endOverdue(at now: SimTime) {
    let overdue = held.overdue(at: now)
    for index in overdue {
      guard state.contains(.poweredOn) else {
        endHeld(index, .notWakeable, .deviceOff, at: now)
        continue
      }
      let context = context(
        for: first, at: now, .recheck, usageHeldUntil: held[index].usageHeldUntil, heldSince: held[index].since)
      var decision = Decision()
      decide(context, app, into: &decision)
      _ = resolve(&decision, held[index].push, context)
      let factor = decision.holding.first ?? held[index].factor
      endHeld(
        index, factor.expiryMeansNotWakeable ? .notWakeable : .discardedByPolicy, Reason(factor), at: now)
    }
    held.remove(upTo: overdue.upperBound)
  }

  private mutating func endAllHeld(_ fate: Fate, _ reason: Reason, at now: SimTime) {
    for index in held.indices { endHeld(index, fate, reason, at: now) }
    held.clear()
  }

  mutating func endHeld(_ index: Int, _ fate: Fate, _ reason: Reason, at now: SimTime) {
    held.countTime(of: index, until: now, in: &tally.held)
    end(held[index].push, fate, reason, at: now)
  }
}

// MARK: - Launch, handler, result

extension Play {
  /// Launches the app, or hands over to an app in the front, for everything held and for `push`.
  private mutating func launch(with push: Push?, isMust: Bool, at now: SimTime) {
    let handled = held.count + (push == nil ? 0 : 1)
    if !launcher.isRunning { startHandler(isBackground: !isMust, handled: handled, at: now) }
    // Pushes overtake each other on their way, so the newest need not be the last to arrive.
    answer(upTo: held.lastSent(or: push?.sent ?? .distantPast), at: now)
    for index in held.indices {
      held.countTime(of: index, until: now, in: &tally.held)
      deliver(held[index].push, at: now)
    }
    held.clear()
    if let push { deliver(push, at: now) }
  }

  mutating func startHandler(
    isBackground: Bool, handled: Int, task: TaskMechanism? = nil, at now: SimTime
  ) {
    content.follow(setting.updates, until: now)
    var stream: RandomStream
    let coin: Double
    let (wanted, limit): (Double, Double)
    if let task {
      stream = streams.stream(device: device, .handler(taskRun(task)), lane: Self.lane(task))
      coin = stream.uniform()
      (wanted, limit) = taskTimes(task, &stream)
    } else {
      let number = launcher.takeNumber()
      stream = streams.stream(device: device, .handler(number))
      coin = stream.uniform()
      wanted = setting.handlerDuration.draw(&stream)
      limit = grantedTime(number + 1)
    }
    var handler = Handler()
    handler.task = task
    handler.isBackground = isBackground
    handler.version = content.latest
    handler.counts = measures(now)
    handler.settle(
      wanted: wanted, limit: limit, coin: coin, setting.app.results, isReachable: state.isReachable,
      findsNothing: setting.hasContent && content.isFresh)
    handler.isExcused =
      handler.result == .timedOut && wanted < setting.policy.execution(of: task).limit
    handler.ends = now + handler.runTime
    handler.energy = energy.launch(state, counts: handler.counts, at: now)
    launcher.start(handler)
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
    guard launcher.isRunning else { return }
    let runTime = launcher.runTime(at: now)
    let ended = launcher.end()
    if let task = ended.task, ended.counts {
      tally.tasks[Int(task.rawValue)].results[Int(LaunchResult.killed.rawValue)] += 1
    }
    _ = spentOnLaunch(ended, runTime, loads: false)
  }

  /// The launch that ended has run for so long.
  ///
  /// - Returns: what it cost in all. Unit: microjoules.
  private mutating func spentOnLaunch(_ launch: Handler, _ runTime: SimDuration, loads: Bool) -> Int64 {
    var spent = launch.energy + energy.run(runTime, state, counts: launch.counts)
    if loads, !usesDownloads {
      spent += energy.download(state, counts: launch.counts)
    }
    if launch.isBackground, launch.counts { energy.wake(spent) }
    return spent
  }

  mutating func endHandler(at now: SimTime) {
    let ended = launcher.end()
    let spent = spentOnLaunch(ended, ended.runTime, loads: ended.brings)
    if ended.result == .newData || ended.result == .noData { acknowledge(at: now) }
    if let task = ended.task {
      recordTask(task, ended, at: now)
    } else if ended.isBackground, !ended.isExcused {
      app.pointee.recordResult(ended.result, runTime: ended.runTime, at: now)
    }
    if ended.brings, ended.version > content.version {
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
    let seen = content.take(version, wake, isInFront: state.contains(.inFront))
    if let seen { count(useful: seen) }
  }

  mutating func count(useful wake: Wake) {
    guard wake.counts else { return }
    tally.usefulWakes += 1
    energy.useful(wake.energy)
  }

  private mutating func deliver(_ push: Push, at now: SimTime) {
    if push.counts {
      tally.results[Int(launcher.handler.result.rawValue)] += 1
      if !launcher.handler.isBackground { tally.deliveredInForeground += 1 }
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
    if hasSeveralMechanisms { tally.byMechanism[Int(push.mechanism.rawValue)].countDelivered(latency) }
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
    if hasSeveralMechanisms {
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
    tally.wokenWithin15min += unanswered.answer(upTo: sent, at: now)
  }

  private mutating func finish(at end: SimTime) {
    for index in held.indices {
      endHeld(index, .pending, Reason(held[index].factor), at: end)
    }
    finishAPNs(at: end)
    finishAlerts(at: end)
    finishDownload(at: end)
    stopHandler(at: end)
    battery.end()
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
