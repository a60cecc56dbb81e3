internal import Distributions
internal import Quantities

// The app's sessions and force quits, restarts, sleep of M-chip devices, load, removal.
extension LifeRun {
  /// Draws how long the app has been on the device and when it is removed.
  mutating func drawChurn(_ plan: LifePlan) {
    let age = max(0, plan.population.churn.tokenAge.draw(&churnStream))
    use.installedAt = SimTime.zero - SimDuration(seconds: age)
    // The lifetime on condition that it is longer than the age: P(T > t | T > age) is uniform.
    let survived = 1 - plan.population.churn.uninstall.cdf(age)
    let left = survived * churnStream.uniformPositive()
    let lag = plan.population.churn.goneReportedAfter.draw(&churnStream)
    let lifetime = left > 0 ? plan.population.churn.uninstall.quantile(1 - left) : .infinity
    if lifetime >= age, survived > 0 {
      use.uninstallAt = SimTime.zero + SimDuration(seconds: lifetime - age)
      use.goneReportedAt = use.uninstallAt + SimDuration(seconds: max(0, lag))
    }
  }

  /// Takes over the history up to the start of the simulation and plans the first event of every process.
  mutating func beginUse(_ plan: LifePlan, opens: [SimTime], into life: inout Life) {
    // Whoever installs an app opens it.
    if use.installedAt > SimTime.zero - .days(Int64(History.opensDays)) {
      life.pastOpens.append(use.installedAt)
    }
    while use.nextOpen < opens.count, opens[use.nextOpen] < now {
      if opens[use.nextOpen] > use.installedAt { life.pastOpens.append(opens[use.nextOpen]) }
      use.nextOpen += 1
    }
    if life.pastOpens.isEmpty { life.pastOpens.append(openBeforeHistory(plan)) }
    drawForceQuitAtStart(plan, lastOpen: life.pastOpens[life.pastOpens.count - 1])
    planNextOpen(opens)
    if use.uninstallAt < plan.horizon {
      schedule(.uninstall, at: use.uninstallAt)
      life.tokenReportedGone = use.goneReportedAt
    }
    schedule(.restart, in: atLeastASecond(plan.population.restart.interval.draw(&restartStream)))
    planNextLoad(plan)
    if traits.kind == .mac {
      charging.pluggedIn = plugStream.bernoulli(plan.population.mac.timeOnCharger)
      if charging.pluggedIn {
        schedule(.charger, in: plugStream.unitExponential() * plan.macPluggedMean)
      } else {
        schedule(.plug, in: atLeastASecond(plan.population.mac.unpluggedFor.draw(&plugStream)))
      }
    }
  }

  /// The last open of a user who has none in the history: the user's days of use, followed back from where the history
  /// begins to the install, which is an open too.
  private func openBeforeHistory(_ plan: LifePlan) -> SimTime {
    let use = plan.population.appUse
    var opens = OpensDraw(traits.userClass, plan: plan, stream: streams.stream(device: device, .opens))
    // The first draw of the history: the probability that held when it began, and for a while before.
    var probability = opens.activeDay.draw(&opens.stream)
    var stream = streams.stream(device: device, .opensBeforeHistory)
    let start = SimTime.zero - .days(Int64(History.opensDays))
    let age = (start - self.use.installedAt).seconds
    var back = 0.0
    // A probability that changes from day to day would take many steps to an install long ago.
    for _ in 0..<1000 where back < age {
      let stretch = max(Clock.day, use.persistence.draw(&stream))
      let idle = plan.idleDays(activeDay: probability, uniform: stream.uniformPositive()) * Clock.day
      // Within the day it may be at any time.
      if idle < stretch { return max(self.use.installedAt, start - SimDuration(seconds: back + idle)) }
      back += stretch
      probability = opens.activeDay.draw(&stream)
    }
    return self.use.installedAt
  }

  /// The state of the force-quit process at the start, given the last open: nothing before it matters. Restarts
  /// clear a force quit; with exponential times between them the probabilities are closed formulas.
  private mutating func drawForceQuitAtStart(_ plan: LifePlan, lastOpen: SimTime) {
    let settings = plan.population.settings
    let since = max(0, (now - lastOpen).seconds)
    let clearing = 1 / max(plan.population.restart.interval.mean, 1)
    let u = forceQuitStream.uniform()
    switch use.forceQuitHabit {
    case .never: break
    case .habitual: use.forceQuit = u < settings.forceQuitAfterSession * exponential(-clearing * since)
    case .sometimes:
      let hazard = settings.forceQuitHazard
      let quit = Self.quitNotCleared(hazard: hazard, clearing: clearing, since: since)
      use.forceQuit = u < quit
      // Between the two lie those who did swipe it away, and whose device has restarted since.
      if u >= 1 - exponential(-hazard * since) { planForceQuit(plan, from: max(now, lastOpen)) }
    }
  }

  /// The probability that a quit has come, once and with the hazard, since an open so long ago, and that no restart has
  /// cleared it. Units: per second, seconds.
  static func quitNotCleared(hazard: Double, clearing: Double, since: Double) -> Double {
    let difference = hazard - clearing
    // The two rates may agree.
    guard abs(difference) * since > 1e-6 else { return hazard * since * exponential(-clearing * since) }
    return hazard / difference * (exponential(-clearing * since) - exponential(-hazard * since))
  }

  // MARK: Sessions

  private mutating func planNextOpen(_ opens: [SimTime]) {
    if use.nextOpen < opens.count {
      schedule(.open, at: opens[use.nextOpen])
    } else {
      cancel(.open)
    }
  }

  mutating func appOpens(_ plan: LifePlan, _ opens: [SimTime], _ life: inout Life) {
    use.nextOpen += 1
    planNextOpen(opens)
    let length = max(1e-3, plan.population.appUse.session.draw(&sessionStream))
    guard use.installed, power.off.isEmpty, now >= use.installedAt else { return }
    let end = now + SimDuration(seconds: length)
    if use.inFront {
      use.sessionEnd = max(use.sessionEnd, end)
      schedule(.sessionEnd, at: use.sessionEnd)
      return
    }
    if !emitting { life.pastOpens.append(now) }
    use.inFront = true
    use.sessionEnd = end
    use.forceQuit = false
    power.unlocked = true
    schedule(.sessionEnd, at: end)
    if use.forceQuitHabit == .sometimes { planForceQuit(plan, from: now) }
    cancel(.unlock)
    if use.asleep {
      use.asleep = false
      cancel(.sleep)
      cancel(.powerNap)
      powerChanged(plan, &life)
    }
    emit(&life, .open)
  }

  mutating func sessionEnds(_ plan: LifePlan, _ life: inout Life) {
    use.inFront = false
    if use.forceQuitHabit == .habitual {
      use.forceQuit = forceQuitStream.bernoulli(plan.population.settings.forceQuitAfterSession)
    }
    if traits.hasMChip {
      if !dayClock.awake {
        cancel(.sleep)
        fallAsleep(plan)
        powerChanged(plan, &life)
      } else if time(of: .sleep) == .distantFuture {
        schedule(.sleep, in: stretch(asleep: false, plan))
      }
    }
    emit(&life)
  }

  /// Plans the one quit that may follow an open: the hazard strikes, and the user swipes the app away when the use of the
  /// phone ends that is going on or comes next, whatever it was for.
  private mutating func planForceQuit(_ plan: LifePlan, from time: SimTime) {
    let hazard = plan.population.settings.forceQuitHazard
    guard hazard > 0 else { return cancel(.forceQuit) }
    let wait = forceQuitStream.unitExponential() / hazard
    schedule(.forceQuit, at: after(after(time, wait), timeToEndOfUse(plan)))
  }

  /// Uses of the phone end at a constant rate while its user is awake: once for each unlock (s).
  private mutating func timeToEndOfUse(_ plan: LifePlan) -> Double {
    atLeastASecond(plan.meanTimeToUnlock * forceQuitStream.unitExponential())
  }

  mutating func forceQuits(_ plan: LifePlan, _ life: inout Life) {
    let isInHand = power.off.isEmpty && dayClock.awake && !use.asleep && !use.inFront
    guard isInHand else {
      // A rate without memory starts afresh, but is not asked every second of a night.
      schedule(.forceQuit, in: max(60, timeToEndOfUse(plan)))
      return
    }
    use.forceQuit = true
    emit(&life)
  }

  // MARK: Power

  mutating func restarts(_ plan: LifePlan, _ life: inout Life) {
    if power.off.contains(.restarting) {
      schedule(.restart, in: atLeastASecond(plan.population.restart.interval.draw(&restartStream)))
      turnOn(.restarting, plan, &life)
    } else if power.off.isEmpty {
      schedule(.restart, in: max(0, plan.population.restart.offFor.draw(&restartStream)))
      turnOff(.restarting, &life)
    } else {
      schedule(.restart, in: atLeastASecond(plan.population.restart.interval.draw(&restartStream)))
      return
    }
    powerChanged(plan, &life)
    emit(&life)
  }

  /// Ends what needs a running device. The caller brings the battery up to date and emits.
  mutating func turnOff(_ reason: PowerState.Off, _ life: inout Life) {
    power.off.insert(reason)
    power.unlocked = false
    if use.inFront {
      use.inFront = false
      cancel(.sessionEnd)
    }
    use.asleep = false
    cancel(.sleep)
    cancel(.powerNap)
    cancel(.unlock)
  }

  /// Removes a reason for being off. When it was the last the device starts: nothing is force-quit any more, and
  /// nothing is unlocked until its user does so.
  mutating func turnOn(_ reason: PowerState.Off, _ plan: LifePlan, _ life: inout Life) {
    power.off.remove(reason)
    guard power.off.isEmpty else { return }
    power.unlocked = false
    use.forceQuit = false
    if dayClock.awake { schedule(.unlock, in: plan.meanTimeToUnlock * restartStream.unitExponential()) }
    if traits.hasMChip {
      if dayClock.awake { schedule(.sleep, in: stretch(asleep: false, plan)) } else { fallAsleep(plan) }
    }
    emit(&life, .restart)
  }

  mutating func unlocks(_ life: inout Life) {
    power.unlocked = true
    emit(&life)
  }

  // MARK: Sleep of an M-chip device

  /// A stretch of sleeping or waking by day (s).
  mutating func stretch(asleep: Bool, _ plan: LifePlan) -> Double {
    let length =
      if traits.kind == .mac {
        asleep
          ? plan.population.mac.asleepFor.draw(&stretchStream)
          : plan.population.mac.awakeFor.draw(&stretchStream)
      } else {
        asleep
          ? plan.population.ipad.asleepFor.draw(&stretchStream)
          : plan.population.ipad.awakeFor.draw(&stretchStream)
      }
    return atLeastASecond(length)
  }

  mutating func fallAsleep(_ plan: LifePlan) {
    guard !use.asleep else { return }
    use.asleep = true
    schedule(.powerNap, in: atLeastASecond(plan.powerNapInterval.draw(&powerNapStream)))
  }

  mutating func sleepChanges(_ plan: LifePlan, _ life: inout Life) {
    if use.asleep {
      use.asleep = false
      cancel(.powerNap)
      schedule(.sleep, in: stretch(asleep: false, plan))
    } else if use.inFront {
      schedule(.sleep, at: use.sessionEnd)
      return
    } else {
      fallAsleep(plan)
      if dayClock.awake { schedule(.sleep, in: stretch(asleep: true, plan)) }
    }
    powerChanged(plan, &life)
    emit(&life)
  }

  mutating func powerNaps(_ plan: LifePlan, _ life: inout Life) {
    emit(&life, .powerNapWake)
    schedule(.powerNap, in: atLeastASecond(plan.powerNapInterval.draw(&powerNapStream)))
  }

  // MARK: Load

  private mutating func planNextLoad(_ plan: LifePlan) {
    let rate = plan.population.cpu.episodes
    if rate > 0 { schedule(.cpu, in: cpuStream.unitExponential() / rate) }
  }

  mutating func loadChanges(_ plan: LifePlan, _ life: inout Life) {
    if use.load > 0 {
      use.load = 0
      planNextLoad(plan)
    } else {
      let load = plan.population.cpu.episodeLoad.draw(&cpuStream)
      let length = plan.population.cpu.episodeLength.draw(&cpuStream)
      guard load > 0, length > 0 else {
        planNextLoad(plan)
        return
      }
      use.load = min(1, load)
      schedule(.cpu, in: length)
    }
    if emitting { life.cpu.append(LoadChange(time: now, load: use.load)) }
  }

  // MARK: Removal

  mutating func uninstalls(_ life: inout Life) {
    if use.inFront, traits.hasMChip { schedule(.sleep, at: use.sessionEnd) }
    use.installed = false
    use.inFront = false
    use.forceQuit = false
    cancel(.open)
    cancel(.sessionEnd)
    cancel(.forceQuit)
    emit(&life, .uninstall)
  }
}
