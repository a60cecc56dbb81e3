public import Distributions
internal import EventKernel
internal import PushPolicy
internal import Quantities

extension LifeGenerator {
  /// Replaces `life` by the life that `script` tells.
  ///
  /// The battery drains at the population's median rates for the kind of device, with the screen off or on, and
  /// charges by its curve; at 0 the device is off until it has charged to the population's boot level, and then
  /// locked. Of the random streams only that of a sleeping Mac's Power Nap wakes is used.
  ///
  /// ``Life/tokenReportedGone`` is the median time after the first removal, also when the app is installed again.
  public mutating func generate(
    _ life: inout Life, script: LifeScript, device: UInt32, streams: StreamFamily
  ) {
    life.removeAll()
    var run = ScriptRun(script, plan, naps: streams.stream(device: device, LifeDrawName.powerNap))
    run.play(script, plan, into: &life)
  }
}

/// What can happen next to a device that lives a script. At equal times the script speaks after what was under way.
private enum ScriptProcess {
  static let crossing = 0
  static let sessionEnd = 1
  static let startUp = 2
  static let entry = 3
  static let powerNap = 4
}

private struct ScriptRun {
  var pending = EventSlots<5>()
  var now = SimTime.zero
  var state: DeviceState = []
  var battery = BatteryTrack()
  /// The level of the next crossing.
  var target = 0.0
  /// The user has the screen on, whether or not the app is in front.
  var isScreenOn = false
  var unlocksAfterRestart = true
  var isEmpty = false
  var nextEntry = 0
  var naps: RandomStream

  let kind: DeviceKind
  let idleDrain: Double
  let activeDrain: Double

  init(_ script: LifeScript, _ plan: LifePlan, naps: RandomStream) {
    self.naps = naps
    kind = script.device
    let health = max(plan.population.battery.health.quantile(0.5), 0.05)
    var idle = plan.population.battery.idleDrain.quantile(0.5) / health
    var active = plan.population.battery.activeDrain.quantile(0.5) / health
    switch script.device {
    case .iphone: break
    case .ipad: idle *= plan.population.ipad.idleDrainFactor
    case .mac:
      idle *= plan.population.mac.idleDrainFactor
      active *= plan.population.mac.activeDrainFactor
    }
    idleDrain = idle
    activeDrain = active
  }

  mutating func play(_ script: LifeScript, _ plan: LifePlan, into life: inout Life) {
    start(script, plan, &life)
    while true {
      let (process, time) = pending.next
      if time >= plan.horizon { break }
      now = time
      pending.cancel(process)
      switch process {
      case ScriptProcess.crossing: crosses(plan, &life)
      case ScriptProcess.sessionEnd: sessionEnds(plan, &life)
      case ScriptProcess.startUp: startsUp(plan, &life)
      case ScriptProcess.entry: follows(script, plan, &life)
      default: naps(plan, &life)
      }
    }
  }

  private mutating func start(_ script: LifeScript, _ plan: LifePlan, _ life: inout Life) {
    life.traits.kind = script.device
    life.traits.osVersion = script.osVersion
    life.traits.userClass = .regular
    life.traits.hasMChip = script.device == .mac
    life.traits.utcOffset = plan.localOffset(plan.population.timeZone.utcOffset.quantile(0.5))
    if let lastOpen = script.start.lastOpen { life.pastOpens.append(.zero - lastOpen) }

    state = [.installed, .poweredOn, .unlockedSinceStart, .alertsAllowed]
    set(script.start.network)
    state.formUnion(script.start.flags)
    isScreenOn = script.start.isScreenOn
    battery.time = .zero
    battery.level = min(1, max(0, script.start.battery))
    if battery.level == 0 { loseBattery() }
    showScreen(plan)
    life.initial = state
    battery.slope = slope(plan)
    life.battery.append(BatterySegment(time: .zero, level: battery.level, slope: battery.slope))
    planCrossing(plan)
    planEntry(script)
  }

  private mutating func planEntry(_ script: LifeScript) {
    if nextEntry < script.timeline.count {
      pending.schedule(ScriptProcess.entry, at: script.timeline[nextEntry].time)
    }
  }

  // MARK: The script

  private mutating func follows(_ script: LifeScript, _ plan: LifePlan, _ life: inout Life) {
    let event = script.timeline[nextEntry].event
    nextEntry += 1
    planEntry(script)
    let before = state
    var moment = Moment.none
    switch event {
    case .network(let network): set(network)
    case .openApp(let length): if opens(for: length) { moment = .open }
    case .flag(let flag, let on): set(flag, on)
    case .battery(let level): jump(to: level, plan, &life)
    case .forceQuit:
      if state.isSuperset(of: [.installed, .poweredOn]) {
        endSession()
        state.insert(.forceQuit)
      }
    case .reboot(let unlocked):
      unlocksAfterRestart = unlocked
      if !isEmpty {
        turnOff()
        let off = plan.population.restart.offFor.quantile(0.5)
        pending.schedule(ScriptProcess.startUp, at: after(now, max(0, off)))
      }
    case .screen(let on):
      isScreenOn = on
      if on, state.contains(.poweredOn) { state.insert(.unlockedSinceStart) }
    case .backgroundAppRefresh(let setting):
      set(.refreshOff, setting == .off)
      set(.refreshOnWiFiOnly, setting == .wifiOnly)
    case .notifications(let setting):
      set(.alertsAllowed, setting != .refused)
      set(.alertStylesOff, setting == .shownNowhere)
    case .cpuLoad(let load): life.cpu.append(LoadChange(time: now, load: min(1, max(0, load))))
    case .otherNotification: moment = .otherNotification
    case .uninstall: if uninstalls(plan, &life) { moment = .uninstall }
    case .install:
      if !state.contains(.installed) {
        state.insert(.installed)
        moment = .install
      }
    }
    settle(before, moment, plan, &life)
  }

  private mutating func set(_ network: LifeScript.Network) {
    set(.wifi, network == .wifi)
    set(.cellular, network == .cellular)
  }

  private mutating func set(_ bit: DeviceState, _ on: Bool) {
    if on { state.insert(bit) } else { state.remove(bit) }
  }

  /// Whether the app came to the front, which it does not twice.
  private mutating func opens(for length: SimDuration) -> Bool {
    guard state.contains([.installed, .poweredOn]) else { return false }
    let end = now + max(.zero, length)
    if state.contains(.inFront) {
      pending.schedule(ScriptProcess.sessionEnd, at: max(pending.time(of: ScriptProcess.sessionEnd), end))
      return false
    }
    state.insert([.inFront, .unlockedSinceStart])
    state.remove(.forceQuit)
    pending.schedule(ScriptProcess.sessionEnd, at: end)
    return true
  }

  private mutating func endSession() {
    state.remove(.inFront)
    pending.cancel(ScriptProcess.sessionEnd)
  }

  private mutating func uninstalls(_ plan: LifePlan, _ life: inout Life) -> Bool {
    guard state.contains(.installed) else { return false }
    endSession()
    state.remove([.installed, .forceQuit])
    if life.tokenReportedGone == .distantFuture {
      let lag = plan.population.churn.goneReportedAfter.quantile(0.5)
      life.tokenReportedGone = after(now, max(0, lag))
    }
    return true
  }

  // MARK: What follows from it

  private mutating func sessionEnds(_ plan: LifePlan, _ life: inout Life) {
    let before = state
    state.remove(.inFront)
    settle(before, .none, plan, &life)
  }

  private mutating func turnOff() {
    endSession()
    state.remove([.poweredOn, .unlockedSinceStart])
    pending.cancel(ScriptProcess.startUp)
  }

  private mutating func startsUp(_ plan: LifePlan, _ life: inout Life) {
    let before = state
    state.insert(.poweredOn)
    state.remove(.forceQuit)
    settle(before, .restart, plan, &life)
    guard unlocksAfterRestart else { return }
    let locked = state
    state.insert(.unlockedSinceStart)
    settle(locked, .none, plan, &life)
  }

  private mutating func naps(_ plan: LifePlan, _ life: inout Life) {
    life.changes.append(LifeChange(time: now, state: state, moment: .powerNapWake))
    planNap(plan)
  }

  private mutating func planNap(_ plan: LifePlan) {
    pending.schedule(
      ScriptProcess.powerNap, at: after(now, atLeastASecond(plan.powerNapInterval.draw(&naps))))
  }

  /// Derives what the screen implies: its bit, and the sleep of a Mac.
  private mutating func showScreen(_ plan: LifePlan) {
    let on = state.contains(.poweredOn)
    let lit = on && (isScreenOn || state.contains(.inFront))
    set(.screenOn, lit)
    guard kind == .mac else { return }
    let sleeps = on && !lit
    if sleeps, !state.contains(.asleep) { planNap(plan) }
    if !sleeps { pending.cancel(ScriptProcess.powerNap) }
    set(.asleep, sleeps)
  }

  /// Brings screen and battery in line with the new state, and records it.
  private mutating func settle(
    _ before: DeviceState, _ moment: Moment, _ plan: LifePlan, _ life: inout Life
  ) {
    showScreen(plan)
    battery.advance(to: now)
    updateSlope(plan, &life)
    guard state != before || moment != .none else { return }
    life.changes.append(LifeChange(time: now, state: state, moment: moment))
  }

  // MARK: The battery

  private mutating func jump(to level: Double, _ plan: LifePlan, _ life: inout Life) {
    battery.advance(to: now)
    battery.level = min(1, max(0, level))
    if battery.level == 0, !state.contains(.charging) { loseBattery() }
    battery.slope = slope(plan)
    life.battery.append(BatterySegment(time: now, level: battery.level, slope: battery.slope))
    planCrossing(plan)
    if isEmpty, battery.level >= plan.population.battery.bootLevel { regainBattery(plan, &life) }
  }

  private func slope(_ plan: LifePlan) -> Double {
    if state.contains(.charging) { return ChargeCurve.speed(at: battery.level, plan.population.battery) }
    guard state.contains(.poweredOn), battery.level > 0 else { return 0 }
    let drain = idleDrain + (state.contains(.screenOn) ? activeDrain : 0)
    return state.contains(.lowPowerMode) ? -drain * plan.population.lowPowerMode.drainFactor : -drain
  }

  private mutating func updateSlope(_ plan: LifePlan, _ life: inout Life) {
    let slope = slope(plan)
    if slope != battery.slope {
      battery.slope = slope
      life.battery.append(BatterySegment(time: now, level: battery.level, slope: slope))
    }
    planCrossing(plan)
  }

  private mutating func planCrossing(_ plan: LifePlan) {
    guard battery.slope != 0 else {
      pending.cancel(ScriptProcess.crossing)
      return
    }
    target = 0
    if battery.slope > 0 {
      target = ChargeCurve.nextKnee(above: battery.level)
      if isEmpty, battery.level < plan.population.battery.bootLevel {
        target = min(target, plan.population.battery.bootLevel)
      }
    }
    pending.schedule(ScriptProcess.crossing, at: battery.arrival(at: target))
  }

  private mutating func crosses(_ plan: LifePlan, _ life: inout Life) {
    battery.advance(to: now)
    battery.level = target
    let before = state
    if target == 0 {
      loseBattery()
    } else if isEmpty, target >= plan.population.battery.bootLevel {
      regainBattery(plan, &life)
      return
    }
    settle(before, .none, plan, &life)
  }

  private mutating func loseBattery() {
    isEmpty = true
    turnOff()
  }

  /// An empty device starts by itself and stays locked.
  private mutating func regainBattery(_ plan: LifePlan, _ life: inout Life) {
    isEmpty = false
    unlocksAfterRestart = false
    startsUp(plan, &life)
  }
}
