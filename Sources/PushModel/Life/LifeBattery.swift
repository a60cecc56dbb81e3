internal import Distributions
internal import Quantities

/// A battery's level as a piecewise linear function of time.
struct BatteryTrack {
  var time = SimTime.distantPast
  /// Fraction of the full charge at `time`.
  var level = 0.5
  /// Fraction per second.
  var slope = 0.0

  mutating func advance(to t: SimTime) {
    level = min(1, max(0, level + slope * (t - time).seconds))
    time = t
  }

  /// When the level is `target`, at the present slope, which leads there.
  func arrival(at target: Double) -> SimTime { after(time, (target - level) / slope) }
}

/// Where the speed of charging changes: the levels are in the names of the population's parameters.
enum ChargeCurve {
  static let firstKnee = 0.80
  static let secondKnee = 0.95

  /// The lowest level above `level` at which the speed changes.
  static func nextKnee(above level: Double) -> Double {
    level < firstKnee ? firstKnee : level < secondKnee ? secondKnee : 1
  }

  /// Fraction per second at `level`.
  static func speed(at level: Double, _ battery: Population.Battery) -> Double {
    if level >= 1 { return 0 }
    if level >= secondKnee { return battery.chargeAbove95 }
    return level >= firstKnee ? battery.chargeFrom80To95 : battery.chargeBelow80
  }
}

/// The battery and charger of one device, and its user's habits with them.
struct ChargingState {
  var battery = BatteryTrack()
  var pluggedIn = false
  var lowPowerMode = false
  /// The level at which the next crossing happens.
  var target = 0.0
  /// Until when a night's charge stays at 80 %.
  var holdUntil = SimTime.distantPast
  var unplugAt = SimTime.distantPast
  /// A prompt that came while the user slept, to be answered in the morning: its level, or 0.
  var openPrompt = 0.0
  /// A Mac's charger is plugged and unplugged in waking hours only: what was left to wait at bedtime.
  var paused = SimDuration.zero

  // Drawn once (fractions per second, levels, rates per second, probabilities).
  let idleDrain: Double
  let activeDrain: Double
  let anxiety: Double
  let topupRate: Double
  let overnight: Double
  let acceptFirst: Double
  let acceptSecond: Double
  let policy: LowPowerPolicy

  init(
    plan: LifePlan, traits: DeviceTraits, phoneUse: PhoneUse, charging: inout RandomStream,
    lowPower: inout RandomStream
  ) {
    let health = max(plan.population.battery.health.draw(&charging), 0.05)
    var idle = plan.population.battery.idleDrain.draw(&charging) / health
    var active = plan.population.battery.activeDrain.draw(&charging) / health
    anxiety = plan.population.battery.anxietyLevel.draw(&charging)
    var topups = plan.population.battery.topupHeterogeneity.draw(&charging)
    var overnight: Double
    switch phoneUse {
    case .light:
      topups *= plan.population.battery.topups.light
      overnight = plan.population.battery.overnightChargeProbability.light.draw(&charging)
    case .regular:
      topups *= plan.population.battery.topups.regular
      overnight = plan.population.battery.overnightChargeProbability.regular.draw(&charging)
    case .heavy:
      topups *= plan.population.battery.topups.heavy
      overnight = plan.population.battery.overnightChargeProbability.heavy.draw(&charging)
    }
    switch traits.kind {
    case .iphone: break
    case .ipad:
      idle *= plan.population.ipad.idleDrainFactor
      topups *= plan.population.ipad.chargeFactor
      overnight *= plan.population.ipad.chargeFactor
    case .mac:
      idle *= plan.population.mac.idleDrainFactor
      active *= plan.population.mac.activeDrainFactor
    }
    idleDrain = idle
    activeDrain = active
    // Stated per day, made in waking hours.
    topupRate = topups / max(1 - plan.nightShare, 0.1)
    self.overnight = overnight

    let acceptFirst = plan.population.lowPowerMode.acceptAtFirst.draw(&lowPower)
    let acceptSecond = plan.population.lowPowerMode.acceptAtSecond.draw(&lowPower)
    self.acceptFirst = acceptFirst
    self.acceptSecond = acceptSecond
    let u = lowPower.uniform()
    if traits.kind == .mac {
      let mac = plan.population.mac
      let x = u * (mac.lowPowerNever + mac.lowPowerOnBattery + mac.lowPowerAlways)
      policy =
        x < mac.lowPowerAlways
        ? .always : x < mac.lowPowerAlways + mac.lowPowerOnBattery ? .onBattery : .never
    } else {
      policy = u < plan.population.lowPowerMode.alwaysOnShare ? .always : .prompted
    }
    lowPowerMode = policy == .always
  }
}

/// When a device is in Low Power Mode.
enum LowPowerPolicy: UInt8 {
  /// When its user accepts a prompt, until the charger or the user ends it.
  case prompted
  case always
  /// A Mac's settings.
  case onBattery
  case never
}

extension LifeRun {
  /// Brings level and slope up to date after anything that may change the drain, and plans the next crossing.
  mutating func powerChanged(_ plan: LifePlan, _ life: inout Life) {
    charging.battery.advance(to: now)
    let level = charging.battery.level
    if traits.kind == .mac, charging.policy == .onBattery { charging.lowPowerMode = !charging.pluggedIn }
    let slope = currentSlope(plan, level)
    if slope != charging.battery.slope {
      charging.battery.slope = slope
      if emitting { life.battery.append(BatterySegment(time: now, level: level, slope: slope)) }
    }
    if slope == 0 {
      cancel(.crossing)
    } else {
      charging.target = slope < 0 ? nextLevelDown(plan, from: level) : nextLevelUp(plan, from: level)
      schedule(.crossing, at: charging.battery.arrival(at: charging.target))
    }
  }

  // Inlined, as a call would copy the whole device for its borrowed `self`.
  @inline(__always)
  private func currentSlope(_ plan: LifePlan, _ level: Double) -> Double {
    if charging.pluggedIn {
      if level >= ChargeCurve.firstKnee, now < charging.holdUntil { return 0 }
      return ChargeCurve.speed(at: level, plan.population.battery)
    }
    if !power.off.isEmpty || level <= 0 { return 0 }
    let screen = traits.kind == .mac ? (use.asleep ? 0 : 1) : dayClock.screenShare
    let drain = charging.idleDrain + charging.activeDrain * screen
    return charging.lowPowerMode ? -drain * plan.population.lowPowerMode.drainFactor : -drain
  }

  /// The highest level below `level` at which something happens.
  @inline(__always)
  private func nextLevelDown(_ plan: LifePlan, from level: Double) -> Double {
    var target = 0.0
    if plan.firstPrompt < level, plan.firstPrompt > target { target = plan.firstPrompt }
    if plan.secondPrompt < level, plan.secondPrompt > target { target = plan.secondPrompt }
    if charging.anxiety < level, charging.anxiety > target { target = charging.anxiety }
    return target
  }

  /// The lowest level above `level` at which something happens.
  @inline(__always)
  private func nextLevelUp(_ plan: LifePlan, from level: Double) -> Double {
    var target = ChargeCurve.nextKnee(above: level)
    if power.off.contains(.emptyBattery), plan.population.battery.bootLevel > level {
      target = min(target, plan.population.battery.bootLevel)
    }
    if charging.lowPowerMode, plan.population.lowPowerMode.autoOffLevel > level {
      target = min(target, plan.population.lowPowerMode.autoOffLevel)
    }
    return target
  }

  mutating func levelCrossed(_ plan: LifePlan, _ life: inout Life) {
    charging.battery.advance(to: now)
    // Not what rounding to a microsecond makes of it.
    charging.battery.level = charging.target
    let level = charging.target
    if charging.battery.slope < 0 {
      if level == plan.firstPrompt || level == plan.secondPrompt { prompt(plan) }
      if level == charging.anxiety { watchForCharger(plan) }
      if level == 0 { turnOff(.emptyBattery, &life) }
    } else {
      if power.off.contains(.emptyBattery), level >= plan.population.battery.bootLevel {
        turnOn(.emptyBattery, plan, &life)
      }
      endLowPowerModeIfCharged(plan)
    }
    powerChanged(plan, &life)
    emit(&life)
  }

  // MARK: Low Power Mode

  /// The system offers Low Power Mode at the present level.
  private mutating func prompt(_ plan: LifePlan) {
    guard charging.policy == .prompted, !charging.lowPowerMode, power.off.isEmpty else { return }
    if dayClock.awake {
      answerPrompt(at: charging.battery.level, plan)
    } else {
      charging.openPrompt = charging.battery.level
    }
  }

  private mutating func answerPrompt(at level: Double, _ plan: LifePlan) {
    let first = level == plan.firstPrompt
    charging.lowPowerMode = lowPowerStream.bernoulli(first ? charging.acceptFirst : charging.acceptSecond)
    charging.openPrompt = 0
  }

  private mutating func endLowPowerModeIfCharged(_ plan: LifePlan) {
    if charging.policy == .prompted, charging.pluggedIn,
      charging.battery.level >= plan.population.lowPowerMode.autoOffLevel
    {
      charging.lowPowerMode = false
    }
  }

  // MARK: The charger

  private mutating func plugIn(_ plan: LifePlan, until unplugAt: SimTime) {
    charging.pluggedIn = true
    charging.unplugAt = unplugAt
    charging.openPrompt = 0
    schedule(.charger, at: unplugAt)
    cancel(.plug)
    cancel(.topup)
    if charging.policy == .prompted, charging.lowPowerMode {
      if lowPowerStream.bernoulli(plan.population.lowPowerMode.manualOffAtPlugIn) {
        charging.lowPowerMode = false
      }
      endLowPowerModeIfCharged(plan)
    }
  }

  /// The end of the hold at 80 %, or of the charge.
  mutating func chargerChanges(_ plan: LifePlan, _ life: inout Life) {
    if now < charging.unplugAt {
      charging.holdUntil = .distantPast
      schedule(.charger, at: charging.unplugAt)
    } else if !dayClock.awake {
      // Nobody unplugs in their sleep.
      charging.unplugAt = dayClock.wakeAt
      schedule(.charger, at: charging.unplugAt)
      return
    } else {
      charging.battery.advance(to: now)
      charging.pluggedIn = false
      charging.holdUntil = .distantPast
      if traits.kind == .mac {
        schedule(.plug, in: atLeastASecond(plan.population.mac.unpluggedFor.draw(&plugStream)))
      } else {
        planTopup()
        if charging.battery.level < charging.anxiety { watchForCharger(plan) }
      }
    }
    powerChanged(plan, &life)
    emit(&life)
  }

  /// Plans the next moment at which a user whose battery is low may plug in; the hazard varies, so such moments come
  /// at the greatest one and are thinned.
  private mutating func watchForCharger(_ plan: LifePlan) {
    guard traits.kind != .mac else { return }
    let hazard = max(plan.population.battery.lowPlugHazardHome, plan.population.battery.lowPlugHazardAway)
    if hazard > 0 { schedule(.plug, in: plugStream.unitExponential() / hazard) }
  }

  private mutating func planTopup() {
    // The frequency is in proportion to 1 − level, and is `topupRate` at half a battery.
    if charging.topupRate > 0 {
      schedule(.topup, in: topupStream.unitExponential() / (2 * charging.topupRate))
    }
  }

  mutating func mayPlugIn(_ plan: LifePlan, _ life: inout Life) {
    if traits.kind == .mac {
      plugIn(plan, until: now + SimDuration(seconds: plugStream.unitExponential() * plan.macPluggedMean))
    } else {
      let atHome = plan.population.battery.lowPlugHazardHome
      let away = plan.population.battery.lowPlugHazardAway
      let time = timeOfDay
      let isHome = time >= plan.population.battery.homeFrom || time < plan.population.battery.homeUntil
      let greatest = max(atHome, away)
      let hazard = isHome ? atHome : away
      guard dayClock.awake, plugStream.uniform() * greatest < hazard else {
        watchForCharger(plan)
        return
      }
      plugIn(
        plan, until: now + SimDuration(seconds: plan.population.battery.topupDuration.draw(&plugStream)))
    }
    powerChanged(plan, &life)
    emit(&life)
  }

  mutating func mayTopUp(_ plan: LifePlan, _ life: inout Life) {
    charging.battery.advance(to: now)
    guard dayClock.awake, topupStream.bernoulli(1 - charging.battery.level) else {
      planTopup()
      return
    }
    plugIn(
      plan, until: now + SimDuration(seconds: plan.population.battery.topupDuration.draw(&topupStream)))
    powerChanged(plan, &life)
    emit(&life)
  }

  /// At bedtime: the charge of the night.
  mutating func chargerSleeps(_ plan: LifePlan, _ life: inout Life) {
    if traits.kind == .mac {
      let waiting: LifeProcess = charging.pluggedIn ? .charger : .plug
      charging.paused = time(of: waiting) - now
      cancel(.plug)
      cancel(.charger)
      return
    }
    let tonight = nightStream.bernoulli(charging.overnight)
    let hold = nightStream.bernoulli(plan.population.battery.holdAt80OvernightProbability)
    guard tonight else { return }
    charging.battery.advance(to: now)
    if charging.pluggedIn {
      charging.unplugAt = dayClock.wakeAt
      schedule(.charger, at: dayClock.wakeAt)
    } else {
      plugIn(plan, until: dayClock.wakeAt)
    }
    if hold, charging.battery.level < ChargeCurve.firstKnee {
      charging.holdUntil =
        dayClock.wakeAt - SimDuration(seconds: plan.population.battery.holdEndsBeforeWake)
      if charging.holdUntil > now { schedule(.charger, at: charging.holdUntil) }
    }
  }

  mutating func chargerWakes(_ plan: LifePlan) {
    if traits.kind == .mac {
      if charging.pluggedIn {
        charging.unplugAt = now + charging.paused
        schedule(.charger, at: charging.unplugAt)
      } else {
        schedule(.plug, at: now + charging.paused)
      }
    } else if charging.openPrompt > 0 {
      if power.off.isEmpty, !charging.pluggedIn {
        answerPrompt(at: charging.openPrompt, plan)
      } else {
        charging.openPrompt = 0
      }
    }
  }
}
