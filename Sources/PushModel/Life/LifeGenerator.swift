public import Distributions
internal import EventKernel
internal import PushPolicy
public import Quantities

/// Draws the lives of devices from a population.
///
/// Each device is simulated by itself, from two days before time zero (by when battery, network and sleep have
/// forgotten how they began) to the horizon; its opens of the app go back sixty days. Every process of a life draws
/// from streams of its own, so that a change in one (more force quits, say) leaves the others as they were, apart
/// from what it causes.
///
/// ### Scope and limitations
/// - What drains the battery is screen use spread over the waking hours; the uses of the device among the
///   ``Life/surroundings`` are drawn apart from it. The ends of uses at which apps are swiped away are a rate in the waking
///   hours, one for each unlock, and drawn apart from both.
/// - The energy that pushes cost does not feed back into the battery.
/// - A user who habitually force-quits does so at the end of a session, never later; one who sometimes does, at most once
///   after an open. A device whose battery ran empty counts as restarted, except in what is drawn for the start.
/// - A removed app is not installed again.
///
/// Memory for a device's opens is reused, so make one generator per thread.
public struct LifeGenerator: Sendable {
  let plan: LifePlan
  private var opens: [SimTime] = []
  private var gaps: [Double] = []

  /// - Parameters:
  ///   - population: from whose distributions lives are drawn.
  ///   - powerNapInterval: time between Power Nap wakes of a sleeping M-chip device (s): a matter of the system, so
  ///     of the policy profile.
  ///   - horizon: the end of the run.
  public init(population: Population, powerNapInterval: Distribution, horizon: SimTime) {
    self.init(population: population, powerNapInterval: powerNapInterval, horizon: horizon, like: nil)
  }

  /// - Parameters:
  ///   - other: a generator of the same population, whose networks serve again: they take longest to work out.
  ///   - isScripted: whether every life is one by a script.
  init(
    population: Population, powerNapInterval: Distribution, horizon: SimTime, like other: LifeGenerator?,
    isScripted: Bool = false
  ) {
    plan = LifePlan(
      population: population, powerNapInterval: powerNapInterval, horizon: horizon,
      networks: other?.plan.networks, drawsNetworks: !isScripted)
  }

  /// Replaces `life` by the life of `device`.
  ///
  /// - Complexity: in proportion to the run's length; no allocation once the arrays of `life` have grown.
  public mutating func generate(_ life: inout Life, device: UInt32, streams: StreamFamily) {
    life.removeAll()
    opens.removeAll(keepingCapacity: true)
    var run = LifeRun(plan: plan, device: device, streams: streams)
    life.traits = run.traits
    run.drawOpens(plan, into: &opens, gaps: &gaps)
    run.play(plan, opens: opens, into: &life)
    life.drawSurroundings(plan, device: device, streams: streams)
  }
}

/// How far before time zero a device's processes start, and its history of opens.
enum History {
  static let spinUpDays = 2
  static let opensDays = 60
}

/// What can happen to a device next: one pending event each. At equal times the lower raw value comes first.
enum LifeProcess: UInt8 {
  /// The next local hour, waking, or bedtime.
  case clock
  /// The battery reaches a level at which something happens.
  case crossing
  /// The user may plug in because the level is low (or a Mac is plugged in).
  case plug
  /// The user may plug in anyway.
  case topup
  /// The end of the hold at 80 %, or unplugging.
  case charger
  case network
  case outage
  case open
  case sessionEnd
  case forceQuit
  case restart
  case unlock
  case sleep
  case powerNap
  case cpu
  case uninstall
}

/// One device being simulated. Everything it needs lies in the value itself; what it draws from and writes to is
/// passed in, so that the loop allocates nothing.
struct LifeRun {
  let traits: DeviceTraits
  let streams: StreamFamily
  let device: UInt32

  // Where the simulation stands.
  var pending = EventSlots<16>()
  var now = SimTime.distantPast
  var emitting = false
  var state: DeviceState = []
  /// The bits of the state that settings fix for the whole run.
  var settings: DeviceState = []

  // The day.
  var dayClock = DayClock()

  // Power and use.
  var power = PowerState()
  var use = UseState()
  var charging: ChargingState
  var network: NetworkState

  // One stream per process; processes of one purpose have numbered ones.
  var nightStream: RandomStream
  var outageStream: RandomStream
  var plugStream: RandomStream
  var topupStream: RandomStream
  var stretchStream: RandomStream
  var sleepStream: RandomStream
  var screenStream: RandomStream
  var chargingStream: RandomStream
  var lowPowerStream: RandomStream
  var networkStream: RandomStream
  var sessionStream: RandomStream
  var forceQuitStream: RandomStream
  var restartStream: RandomStream
  var powerNapStream: RandomStream
  var cpuStream: RandomStream
  var churnStream: RandomStream

  init(plan: LifePlan, device: UInt32, streams: StreamFamily) {
    self.device = device
    self.streams = streams
    func stream(_ name: LifeDrawName) -> RandomStream { streams.stream(device: device, name) }
    sleepStream = stream(.sleep)
    stretchStream = stream(.stretches)
    plugStream = stream(.plug)
    topupStream = stream(.topup)
    nightStream = stream(.nightCharge)
    outageStream = stream(.outages)
    screenStream = stream(.screen)
    chargingStream = stream(.charging)
    lowPowerStream = stream(.lowPowerMode)
    networkStream = stream(.network)
    sessionStream = stream(.sessions)
    forceQuitStream = stream(.forceQuit)
    restartStream = stream(.restart)
    powerNapStream = stream(.powerNap)
    cpuStream = stream(.cpu)
    churnStream = stream(.churn)

    var draw = TraitsDraw(stream: stream(.traits))
    traits = draw.traits(plan)
    let phoneUse = draw.phoneUse
    settings = draw.settings(plan)
    let withoutStyle = plan.population.settings.alertStylesOff
    if withoutStyle > 0, settings.contains(.alertsAllowed) {
      var draw = stream(.alertStyles)
      if draw.bernoulli(withoutStyle) { settings.insert(.alertStylesOff) }
    }
    use.forceQuitHabit = draw.forceQuitHabit(plan)
    if traits.kind == .mac { use.forceQuitHabit = .never }
    charging = ChargingState(
      plan: plan, traits: traits, phoneUse: phoneUse, charging: &chargingStream, lowPower: &lowPowerStream)
    network = NetworkState(plan: plan, traits: traits, stream: &networkStream)
    dayClock.drawUser(plan, &sleepStream, &screenStream, traits: traits, phoneUse: phoneUse)
  }
}

/// Draws what a device is. All its draws come from one stream in a fixed order.
private struct TraitsDraw {
  var stream: RandomStream
  var phoneUse = PhoneUse.regular

  mutating func traits(_ plan: LifePlan) -> DeviceTraits {
    var traits = DeviceTraits()
    let mix = plan.population.mix
    switch pick(mix.device.iphone, mix.device.ipad, mix.device.mac, 0) {
    case 0: traits.kind = .iphone
    case 1: traits.kind = .ipad
    default: traits.kind = .mac
    }
    let classes = plan.population.classes
    var appClass = pick(classes.dormant, classes.light, classes.regular, classes.heavy)
    let shares = plan.population.deviceUse.shares
    var use = pick(shares.light, shares.regular, shares.heavy, 0)
    let shifted = stream.bernoulli(plan.population.ipad.classShift)
    if shifted, traits.kind == .ipad {
      appClass = lower(appClass) { [classes.dormant, classes.light, classes.regular, classes.heavy][$0] > 0 }
      use = lower(use) { [shares.light, shares.regular, shares.heavy][$0] > 0 }
    }
    traits.userClass = UserClass(rawValue: UInt8(appClass))!
    phoneUse = PhoneUse(rawValue: use)!
    switch pick(mix.os27, mix.os26, mix.os18, mix.osOlder) {
    case 0: traits.osVersion = 27
    case 1: traits.osVersion = 26
    case 2: traits.osVersion = 18
    default: traits.osVersion = 17
    }
    let chip = stream.bernoulli(mix.ipadMChip)
    traits.hasMChip = traits.kind == .mac || (traits.kind == .ipad && chip)
    traits.utcOffset = plan.localOffset(plan.population.timeZone.utcOffset.draw(&stream))
    return traits
  }

  /// The next class below that the population has at all: one without light users has none on iPads either.
  private func lower(_ index: Int, _ exists: (Int) -> Bool) -> Int {
    var candidate = index - 1
    while candidate >= 0, !exists(candidate) { candidate -= 1 }
    return candidate >= 0 ? candidate : index
  }

  mutating func settings(_ plan: LifePlan) -> DeviceState {
    let settings = plan.population.settings
    var state: DeviceState = []
    let globally = stream.bernoulli(settings.refreshOffGlobally)
    let forApp = stream.bernoulli(settings.refreshOffForApp)
    let onWiFi = stream.bernoulli(settings.refreshOnWiFiOnly)
    if globally || forApp {
      state.insert(.refreshOff)
    } else if onWiFi {
      state.insert(.refreshOnWiFiOnly)
    }
    if stream.bernoulli(settings.pushOptIn) { state.insert(.alertsAllowed) }
    return state
  }

  mutating func forceQuitHabit(_ plan: LifePlan) -> ForceQuitHabit {
    let settings = plan.population.settings
    switch pick(settings.forceQuitNever, settings.forceQuitSometimes, settings.forceQuitHabitual, 0) {
    case 0: return .never
    case 1: return .sometimes
    default: return .habitual
    }
  }

  /// The index of one of four weights, drawn in proportion to them.
  private mutating func pick(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Int {
    let x = stream.uniform() * (a + b + c + d)
    if x < a { return 0 }
    if x < a + b { return 1 }
    // The last index with a weight takes what rounding leaves.
    return x < a + b + c || d <= 0 ? 2 : 3
  }
}

/// How much the device as a whole is used.
enum PhoneUse: Int {
  case light
  case regular
  case heavy
}

enum ForceQuitHabit: UInt8 {
  case never
  case sometimes
  case habitual
}

// The loop.
extension LifeRun {
  mutating func drawOpens(_ plan: LifePlan, into opens: inout [SimTime], gaps: inout [Double]) {
    drawChurn(plan)
    var draw = OpensDraw(
      traits.userClass, plan: plan, stream: streams.stream(device: device, LifeDrawName.opens))
    let firstDay = -History.opensDays
    let lastDay = Int((plan.horizon + traits.utcOffset - .zero).days.rounded(.up))
    draw.append(
      days: firstDay..<max(lastDay, 0) + 1, utcOffset: traits.utcOffset, plan: plan, to: &opens, gaps: &gaps)
  }

  mutating func play(_ plan: LifePlan, opens: [SimTime], into life: inout Life) {
    begin(plan, opens: opens, into: &life)
    while true {
      let (slot, time) = pending.next
      if !emitting, time >= .zero { startEmitting(into: &life) }
      if time >= plan.horizon { break }
      now = time
      pending.cancel(slot)
      // The raw values are 0 to 15 without a gap, so each slot is a process.
      handle(unsafeBitCast(UInt8(truncatingIfNeeded: slot), to: LifeProcess.self), plan, opens, &life)
    }
  }

  private mutating func handle(
    _ process: LifeProcess, _ plan: LifePlan, _ opens: [SimTime], _ life: inout Life
  ) {
    switch process {
    case .clock: clockTicks(plan, &life)
    case .crossing: levelCrossed(plan, &life)
    case .plug: mayPlugIn(plan, &life)
    case .topup: mayTopUp(plan, &life)
    case .charger: chargerChanges(plan, &life)
    case .network: networkChanges(plan, &life)
    case .outage: outageChanges(plan, &life)
    case .open: appOpens(plan, opens, &life)
    case .sessionEnd: sessionEnds(plan, &life)
    case .forceQuit: forceQuits(plan, &life)
    case .restart: restarts(plan, &life)
    case .unlock: unlocks(&life)
    case .sleep: sleepChanges(plan, &life)
    case .powerNap: powerNaps(plan, &life)
    case .cpu: loadChanges(plan, &life)
    case .uninstall: uninstalls(&life)
    }
  }

  /// Fixes the state at time zero: the spin-up is over.
  private mutating func startEmitting(into life: inout Life) {
    emitting = true
    life.initial = state
    charging.battery.advance(to: .zero)
    life.battery.append(
      BatterySegment(time: .zero, level: charging.battery.level, slope: charging.battery.slope))
    if use.load > 0 { life.cpu.append(LoadChange(time: .zero, load: use.load)) }
  }

  mutating func schedule(_ process: LifeProcess, at time: SimTime) {
    pending.schedule(Int(process.rawValue), at: time)
  }
  mutating func schedule(_ process: LifeProcess, in seconds: Double) {
    pending.schedule(Int(process.rawValue), at: after(now, seconds))
  }
  mutating func cancel(_ process: LifeProcess) { pending.cancel(Int(process.rawValue)) }
  @inline(__always)
  func time(of process: LifeProcess) -> SimTime { pending.time(of: Int(process.rawValue)) }

  /// Works out the state and, if it changed or something happened, records it.
  mutating func emit(_ life: inout Life, _ moment: Moment = .none) {
    var new = settings
    let on = power.off.isEmpty
    if use.installed { new.insert(.installed) }
    if on {
      new.insert(.poweredOn)
      if !network.airplane {
        if network.onWiFi {
          new.insert(.wifi)
        } else if network.hasCellular, !network.outage {
          new.insert(.cellular)
        }
      }
      if power.unlocked { new.insert(.unlockedSinceStart) }
      if use.inFront { new.insert(.inFront) }
      if use.asleep { new.insert(.asleep) }
    }
    if charging.pluggedIn { new.insert(.charging) }
    if charging.lowPowerMode { new.insert(.lowPowerMode) }
    if use.forceQuit { new.insert(.forceQuit) }
    guard new != state || moment != .none else { return }
    state = new
    if emitting { life.changes.append(LifeChange(time: now, state: new, moment: moment)) }
  }
}

/// Why the device is off, and whether it was unlocked since it started.
struct PowerState {
  struct Off: OptionSet {
    var rawValue: UInt8
    static let emptyBattery = Off(rawValue: 1)
    static let restarting = Off(rawValue: 2)
    static let night = Off(rawValue: 4)
  }
  var off: Off = []
  var unlocked = true
}

/// The app and its user.
struct UseState {
  var installed = true
  var inFront = false
  var sessionEnd = SimTime.distantPast
  var forceQuit = false
  var forceQuitHabit = ForceQuitHabit.never
  /// An M-chip device sleeps.
  var asleep = false
  /// Index of the next open in the device's list.
  var nextOpen = 0
  var load = 0.0
  /// When the app was installed.
  var installedAt = SimTime.distantPast
  var uninstallAt = SimTime.distantFuture
  var goneReportedAt = SimTime.distantFuture
}
