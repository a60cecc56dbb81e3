public import Distributions
public import EventKernel
import OutputAnalysis
import PushPolicy
import Quantities

/// One strategy played against the lives of devices, one after the other: the path of every push from send to fate.
///
/// The events of one device are few at a time, so each kind has a slot of its own; only pushes on their way need a
/// list. Simultaneous events run in the order: changes of the device's life, arrivals, the end of a handler, timers,
/// sends (state before decisions; Decision 0003).
///
/// A play keeps the loop, the decisions and the counts. What else a device has at hand belongs to rooms, each a type that
/// owns its state and says who may touch it: ``PushesInTransit``, ``StoredPushes``, ``Channel``, ``HoldQueue``,
/// ``Launcher``, ``Freshness``, ``UnansweredSends``, ``Silence``, ``AppTasks``, ``Alerts``, ``Downloads``, ``ExtensionSide``,
/// ``DeviceDefects``, ``BatteryGauge``. A room is
/// changed in place and never copied out; it knows no other room and no play.
public struct Play<Observer: PlayObserver>: ~Copyable {
  public let setting: PlaySetting
  let cells = EndCells()
  let storageLimit: SimDuration
  /// Whether APNs may hold pushes for the power of the device.
  let mayHoldForPower: Bool
  /// Without a push mechanism nothing is ever sent on the first.
  let sendsPushes: Bool
  /// The push mechanisms that the strategy uses; the loop sends the first, and timers the others.
  let mechanisms: [PushMechanism]
  let first: PushMechanism
  let hasSeveralMechanisms: Bool
  /// Whether background pushes go to an extension of the app, and whether anything hits all devices at once.
  let usesExtensions: Bool
  let hasDefects: Bool
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

  // What follows belongs to the device at hand; most of it are rooms.
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
  var timers = Timers()
  var tasks = AppTasks()
  var downloads = Downloads()
  var alerts = Alerts()
  var extensions = ExtensionSide()
  var defects = DeviceDefects()
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
  var silence = Silence()

  public init(setting: PlaySetting, observer: Observer) {
    self.setting = setting
    self.observer = observer
    held = HoldQueue(deadline: SimDuration(seconds: setting.policy.hold.deadline))
    storageLimit = SimDuration(seconds: setting.policy.apns.storageLimit)
    let plans = setting.strategy.pushPlans
    sendsPushes = !plans.isEmpty
    usesDownloads = setting.strategy.backgroundDownload != nil
    usesExtensions = setting.strategy.usesExtensions
    hasDefects = !setting.sharedEvents.isEmpty
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
      let timer = min(min(launcher.handler.ends, held.recheckAt), timers.next)
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
      } else if timers.next == now {
        runTimers(at: now)
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
    silence = Silence(since: setting.warmUp)
    if !conditions.showsSurroundings { energy.look(around: life) }
    beginScheduler()
    forget(at: .zero)
    app.pointee.memory.use = conditions.use
    app.pointee.memory.voipRate = VoIPRate.State()
    beginLinks()
    if mayHoldForPower { considerPower(changed: state) }
    beginAPNs(first)
    if usesExtensions { beginExtensions() }
    if hasDefects { beginSharedEvents() }
    beginTimers()
    tally.devices += 1
  }

  /// A new install: the system knows nothing of the app.
  mutating func forget(at now: SimTime) {
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

  private mutating func finish(at end: SimTime) {
    for index in held.indices {
      endHeld(index, .pending, Reason(held[index].factor), at: end)
    }
    finishAPNs(at: end)
    finishAlerts(at: end)
    if usesExtensions { finishExtensions(at: end) }
    finishDownload(at: end)
    stopHandler(at: end)
    battery.end()
    countDevice()
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
