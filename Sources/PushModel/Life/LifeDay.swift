internal import Distributions
internal import Quantities

/// The user's waking and sleeping, and through it the drain of the screen.
struct DayClock {
  /// The local day whose waking hours are running or come next; day 0 starts at the local midnight at or before zero.
  var day = 0
  var awake = false
  var wakeAt = SimTime.distantPast
  var bedAt = SimTime.distantPast
  /// The user's usual times (s after local midnight).
  var usualWake = 0.0
  var usualBed = 0.0
  /// The running local hour, and its end.
  var hour = 0
  var hourEnds = SimTime.distantPast
  /// Mean screen time of the device (s per day).
  var screenPerDay = 0.0
  /// Screen time of the running day for each unit of diurnal weight (1/weight).
  var screenPerWeight = 0.0
  /// The share of the running hour with the screen on.
  var screenShare = 0.0

  mutating func drawUser(
    _ plan: LifePlan, _ sleep: inout RandomStream, _ screen: inout RandomStream,
    traits: DeviceTraits, phoneUse: PhoneUse
  ) {
    usualWake = plan.population.battery.wake.draw(&sleep)
    usualBed = plan.population.battery.bedtime.draw(&sleep)
    let mean =
      switch phoneUse {
      case .light: plan.population.deviceUse.screenOn.light
      case .regular: plan.population.deviceUse.screenOn.regular
      case .heavy: plan.population.deviceUse.screenOn.heavy
      }
    screenPerDay = mean * plan.population.deviceUse.screenOnJitter.draw(&screen)
    if traits.kind == .ipad { screenPerDay *= plan.population.ipad.screenOnFactor }
  }
}

extension LifeRun {
  /// The run's time at `seconds` after the local midnight of `day`.
  @inline(__always)
  private func local(_ day: Int, _ seconds: Double) -> SimTime {
    SimTime.zero + SimDuration(seconds: Double(day) * Clock.day + seconds) - traits.utcOffset
  }

  /// Starts every process at the bedtime before the spin-up.
  mutating func begin(_ plan: LifePlan, opens: [SimTime], into life: inout Life) {
    dayClock.day = -History.spinUpDays - 1
    dayClock.awake = true
    dayClock.bedAt = local(dayClock.day, dayClock.usualBed)
    now = dayClock.bedAt
    schedule(.clock, at: now)
    charging.battery.time = now
    beginUse(plan, opens: opens, into: &life)
    // The state before the first event is an arbitrary one, two days before anybody looks.
    emit(&life)
  }

  mutating func clockTicks(_ plan: LifePlan, _ life: inout Life) {
    if !dayClock.awake {
      wakeUp(plan, &life)
    } else if now >= dayClock.bedAt {
      goToBed(plan, &life)
    } else {
      dayClock.hour = dayClock.hour == 23 ? 0 : dayClock.hour + 1
      dayClock.hourEnds += .hours(1)
      setScreen(plan)
      powerChanged(plan, &life)
    }
  }

  private mutating func wakeUp(_ plan: LifePlan, _ life: inout Life) {
    dayClock.awake = true
    let unlocks = plan.population.deviceUse.unlocksPerDay.draw(&screenStream)
    let midnight = local(dayClock.day, 0)
    let weight =
      plan.diurnalWeight(until: (dayClock.bedAt - midnight).seconds)
      - plan.diurnalWeight(until: (now - midnight).seconds)
    let screenTime =
      plan.meanUnlocks > 0 ? dayClock.screenPerDay * unlocks / plan.meanUnlocks : dayClock.screenPerDay
    dayClock.screenPerWeight = weight > 0 ? screenTime / weight : 0
    findHour()
    setScreen(plan)

    networkWakes(plan)
    if power.off.contains(.night) {
      turnOn(.night, plan, &life)
    } else if power.off.isEmpty, !power.unlocked {
      power.unlocked = true
    }
    chargerWakes(plan)
    if use.asleep { schedule(.sleep, in: stretch(asleep: true, plan)) }
    powerChanged(plan, &life)
    emit(&life)
  }

  private mutating func goToBed(_ plan: LifePlan, _ life: inout Life) {
    let bedAt = dayClock.bedAt
    dayClock.awake = false
    dayClock.day += 1
    dayClock.screenShare = 0
    let wake = dayClock.usualWake + plan.population.battery.wakeNightlySigma * sleepStream.unitGaussian()
    let bed = dayClock.usualBed + plan.population.battery.bedtimeNightlySigma * sleepStream.unitGaussian()
    // However early the alarm and late the night, an hour lies between them.
    dayClock.wakeAt = max(local(dayClock.day, wake), bedAt + .hours(1))
    dayClock.bedAt = max(local(dayClock.day, bed), dayClock.wakeAt + .hours(1))
    schedule(.clock, at: dayClock.wakeAt)

    networkSleeps(plan)
    chargerSleeps(plan, &life)
    // Drawn for every user, so that their share moves no other draw.
    let isOffTonight = nightStream.bernoulli(plan.population.connectivity.nightlyOffProbability)
    if isOffTonight, network.offAtNight, traits.kind != .mac {
      if network.poweredOffAtNight { turnOff(.night, &life) } else { network.airplane = true }
    }
    if traits.hasMChip, power.off.isEmpty, !use.inFront {
      cancel(.sleep)
      fallAsleep(plan)
    }
    powerChanged(plan, &life)
    emit(&life)
  }

  /// Finds the local hour that is running when the user wakes.
  private mutating func findHour() {
    let hours = (timeOfDay / Clock.hour).rounded(.down)
    dayClock.hour = min(23, Int(hours))
    dayClock.hourEnds = now + SimDuration(seconds: (hours + 1) * Clock.hour - timeOfDay)
  }

  /// Sets the screen's share for the running hour, and the next tick.
  private mutating func setScreen(_ plan: LifePlan) {
    schedule(.clock, at: min(dayClock.hourEnds, dayClock.bedAt))
    let weight = plan.diurnal[dayClock.hour + 1] - plan.diurnal[dayClock.hour]
    dayClock.screenShare = min(1, dayClock.screenPerWeight * weight)
  }

  /// Local time of day (s).
  @inline(__always)
  var timeOfDay: Double {
    let time = (now + traits.utcOffset).seconds
    return time - (time / Clock.day).rounded(.down) * Clock.day
  }
}
