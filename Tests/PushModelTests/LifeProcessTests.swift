import Distributions
import PushModel
import PushPolicy
import Quantities
import Testing

/// Each process of a drawn life follows its parameters.
///
/// Statistical assertions: z = 4.9 standard errors, a false alarm in 10⁶ per assertion; the seed is fixed.
struct LifeProcessTests {
  private static let z = 4.9

  private func population(_ change: (inout Population) throws -> Void = { _ in }) throws -> Population {
    var population = try DefaultPopulation.values()
    population.mix.device.ipad = 0
    population.mix.device.mac = 0
    try change(&population)
    return population
  }

  /// Checks a count of successes against a probability.
  private func expect(
    _ successes: Int, of trials: Int, at p: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = (p * (1 - p) / Double(trials)).squareRoot()
    let share = Double(successes) / Double(trials)
    #expect(
      abs(share - p) < Self.z * error, "\(share) of \(trials), expected \(p)", sourceLocation: sourceLocation)
  }

  // MARK: Low Power Mode and the battery

  @Test
  func `a user who accepts the prompt turns Low Power Mode on at exactly 20 percent`() throws {
    let population = try population {
      $0.lowPowerMode.acceptAtFirst = .constant(1)
      $0.lowPowerMode.alwaysOnShare = 0
      // Whoever ends the mode by hand may meet the prompt at 10 %.
      $0.lowPowerMode.manualOffAtPlugIn = 0
      $0.battery.topups = .init(0)
      // In bed from midnight to one, so that nearly every crossing is answered at once.
      $0.battery.bedtime = .constant(24 * 3600)
      $0.battery.wake = .constant(3600)
      $0.battery.bedtimeNightlySigma = 0
      $0.battery.wakeNightlySigma = 0
    }
    var prompts = 0
    try withLives(of: population, devices: 0..<50, days: 14) { device, life in
      for time in life.times(of: .lowPowerMode, turning: true) {
        let timeOfDay = (time - .zero).hours.truncatingRemainder(dividingBy: 24)
        if timeOfDay == 1 { continue }  // answered in the morning
        prompts += 1
        #expect(abs(life.level(at: time) - 0.2) < 1e-9, "device \(device)")
      }
    }
    #expect(prompts > 100)
  }

  @Test
  func `charging ends Low Power Mode at exactly 80 percent`() throws {
    let population = try population {
      $0.lowPowerMode.acceptAtFirst = .constant(1)
      $0.lowPowerMode.alwaysOnShare = 0
      $0.lowPowerMode.manualOffAtPlugIn = 0
    }
    var ends = 0
    try withLives(of: population, devices: 0..<50, days: 14) { device, life in
      for time in life.times(of: .lowPowerMode, turning: false) {
        ends += 1
        #expect(abs(life.level(at: time) - 0.8) < 1e-9, "device \(device)")
        #expect(life.state(at: time).contains(.charging))
      }
    }
    #expect(ends > 100)
  }

  @Test
  func `Low Power Mode that is always on stays on while charging`() throws {
    let population = try population { $0.lowPowerMode.alwaysOnShare = 1 }
    try withLives(of: population, devices: 0..<30, days: 7) { _, life in
      #expect(life.initial.contains(.lowPowerMode))
      #expect(life.times(of: .lowPowerMode, turning: false).isEmpty)
    }
  }

  @Test
  func `nobody who declines every prompt is in Low Power Mode`() throws {
    let population = try population {
      $0.lowPowerMode.acceptAtFirst = .constant(0)
      $0.lowPowerMode.acceptAtSecond = .constant(0)
      $0.lowPowerMode.alwaysOnShare = 0
    }
    try withLives(of: population, devices: 0..<50, days: 14) { _, life in
      #expect(!life.initial.contains(.lowPowerMode))
      #expect(life.times(of: .lowPowerMode, turning: true).isEmpty)
    }
  }

  @Test
  func `an empty battery turns the device off until it has charged to the boot level`() throws {
    let population = try population {
      $0.battery.topups = .init(0)
      $0.battery.overnightChargeProbability = .init(.constant(0))
      $0.connectivity.nightlyOffUsers = 0
      $0.restart.interval = .constant(1e9)
    }
    var deaths = 0
    try withLives(of: population, devices: 0..<50, days: 14) { device, life in
      for time in life.times(of: .poweredOn, turning: false) {
        deaths += 1
        #expect(life.level(at: time) < 1e-9, "device \(device)")
      }
      for change in life.changes where change.moment == .restart {
        #expect(abs(life.level(at: change.time) - population.battery.bootLevel) < 1e-9, "device \(device)")
      }
    }
    #expect(deaths > 50)
  }

  @Test
  func `a night's charge holds at 80 percent until an hour before waking`() throws {
    let population = try population {
      $0.battery.overnightChargeProbability = .init(.constant(1))
      $0.battery.holdAt80OvernightProbability = 1
      $0.battery.topups = .init(0)
      $0.battery.wake = .constant(7 * 3600)
      $0.battery.wakeNightlySigma = 0
      // From half a battery in bed by 23 h to 80 % takes less than an hour.
      $0.battery.bedtime = .constant(22 * 3600)
    }
    var holds = 0
    try withLives(of: population, devices: 0..<40, days: 7) { _, life in
      for day: Int64 in 1..<7 {
        let midnight = SimTime.zero + .days(day)
        guard life.state(at: midnight).contains(.charging), life.level(at: midnight + .hours(3)) == 0.8 else {
          continue
        }
        holds += 1
        #expect(abs(life.level(at: midnight + .hours(6)) - 0.8) < 1e-9)
        #expect(life.level(at: midnight + .hours(7)) > 0.9)
      }
    }
    #expect(holds > 150)
  }

  @Test
  func `the first night's level is that of the seventh`() throws {
    // The spin-up before time zero is long enough for the battery to forget how it began, iPads' too.
    var population = try DefaultPopulation.values()
    population.mix.device.ipad = 1
    population.mix.device.mac = 0
    population.mix.device.iphone = 1
    var sum = 0.0
    var squares = 0.0
    try withLives(of: population, devices: 0..<400, days: 7) { _, life in
      let change = life.level(at: .zero + .days(6)) - life.level(at: .zero)
      sum += change
      squares += change * change
    }
    #expect(abs(sum / 400) < Self.z * squares.squareRoot() / 400, "\(sum / 400)")
  }

  // MARK: Opens

  @Test
  func `days of use and opens on them follow the population`() throws {
    let population = try population {
      $0.appUse.activeDayProbability = .init(.constant(0.4))
      $0.appUse.opensOnActiveDay = .init(try .negativeBinomial(p: 0.4, n: 1.2, plus: 1))
      // No session swallows the next open, and no device is off.
      $0.appUse.session = .constant(0.001)
      $0.battery.idleDrain = .constant(1e-9)
      $0.battery.activeDrain = .constant(0)
      $0.connectivity.nightlyOffUsers = 0
      $0.restart.interval = .constant(1e9)
      $0.churn.uninstall = .constant(1e12)
    }
    var days = 0
    var opens = 0
    try withLives(of: population, devices: 0..<300, days: 28) { _, life in
      let times = life.changes.filter { $0.moment == .open }.map { Int(($0.time - .zero).days) }
      days += Set(times).count
      opens += times.count
    }
    expect(days, of: 300 * 28, at: 0.4)
    // 1 + NB(0.4, 1.2): mean 2.8, variance n(1 − p)/p² = 4.5.
    let mean = Double(opens) / Double(days)
    #expect(abs(mean - 2.8) < Self.z * (4.5 / Double(days)).squareRoot(), "\(mean)")
  }

  /// Counts of opens by local hour on working days.
  private func opensByHour(_ change: (inout Population) throws -> Void) throws -> (
    counts: [Int], weights: [Double], bursts: Double
  ) {
    let population = try population {
      $0.appUse.activeDayProbability = .init(.constant(1))
      $0.appUse.opensOnActiveDay = .init(.constant(5))
      $0.appUse.session = .constant(0.001)
      $0.battery.idleDrain = .constant(1e-9)
      $0.battery.activeDrain = .constant(0)
      $0.connectivity.nightlyOffUsers = 0
      try change(&$0)
    }
    var counts = [Int](repeating: 0, count: 24)
    var short = 0
    var gaps = 0
    try withLives(of: population, devices: 0..<150, days: 12) { _, life in
      let times = life.changes.filter { $0.moment == .open }.map {
        ($0.time + life.traits.utcOffset - .zero).hours
      }
      for time in times where Int(time / 24) % 7 < 5 { counts[Int(time) % 24] += 1 }
      for (a, b) in zip(times, times.dropFirst()) {
        gaps += 1
        if b - a < 0.1 { short += 1 }
      }
    }
    return (counts, population.appUse.diurnalWeights, Double(short) / Double(gaps))
  }

  /// Pearson's statistic of counts by hour, by its approximation to a standard normal (23 degrees of freedom).
  private func excess(_ counts: [Int], _ weights: [Double]) -> Double {
    let total = Double(counts.reduce(0, +))
    let sum = weights.reduce(0, +)
    var statistic = 0.0
    for (count, weight) in zip(counts, weights) {
      let expected = total * weight / sum
      statistic += (Double(count) - expected) * (Double(count) - expected) / expected
    }
    return (statistic - 23) / (2.0 * 23).squareRoot()
  }

  @Test
  func `opens fall into local hours by the diurnal weights`() throws {
    let result = try opensByHour { $0.timeZone.utcOffset = .constant(5.5 * 3600) }
    // The chi-square's upper tail is heavier than the normal's: 6.5 instead of 4.9 standard deviations for 10⁻⁶.
    #expect(excess(result.counts, result.weights) < 6.5)
  }

  @Test
  func `gaps with a falling hazard make bursts and leave the hours as they are`() throws {
    let even = try opensByHour { _ in }
    let bursts = try opensByHour { $0.appUse.withinDayGap = try .weibull(a: 640, b: 0.473) }
    #expect(bursts.bursts > 2 * even.bursts)
    // The five opens of a day may fall together, which multiplies the statistic by at most 5: the bound above becomes
    // 5 · 6.5 + 4 · 23/√46.
    let bound = 46.1
    #expect(excess(bursts.counts, bursts.weights) < bound)
  }

  @Test
  func `at weekends the mornings come an hour later`() throws {
    let population = try population {
      $0.appUse.activeDayProbability = .init(.constant(1))
      $0.appUse.weekendShift = 3600
      $0.appUse.weekendShiftBefore = 11 * 3600
      $0.appUse.diurnalWeights = (0..<24).map { $0 == 8 ? 1 : 0 }
      $0.battery.idleDrain = .constant(1e-9)
      $0.battery.activeDrain = .constant(0)
    }
    try withLives(of: population, devices: 0..<20, days: 7) { _, life in
      for change in life.changes where change.moment == .open {
        let hours = (change.time - .zero).hours
        #expect(Int(hours) % 24 == (hours < 5 * 24 ? 8 : 9))
      }
    }
  }

  @Test
  func `a recent install has an open when it was installed and none before`() throws {
    let population = try population { $0.churn.tokenAge = .constant(10 * 86_400) }
    try withLives(of: population, devices: 0..<50, days: 1) { _, life in
      #expect(life.pastOpens.first == .zero - .days(10))
    }
  }

  // MARK: Force quits, restarts, removal

  @Test
  func `a habitual user force-quits at the end of four sessions in five`() throws {
    let population = try population {
      $0.settings.forceQuitHabitual = 1000
      $0.appUse.activeDayProbability = .init(.constant(1))
    }
    var ends = 0
    var quits = 0
    try withLives(of: population, devices: 0..<100, days: 14) { _, life in
      var before = life.initial
      for change in life.changes {
        if before.contains(.inFront), !change.state.contains(.inFront),
          change.state.isSuperset(of: [.poweredOn, .installed])
        {
          ends += 1
          if change.state.contains(.forceQuit) { quits += 1 }
        }
        before = change.state
      }
    }
    expect(quits, of: ends, at: population.settings.forceQuitAfterSession)
  }

  @Test
  func `the share of force-quit apps at the start is that at the end`() throws {
    // The history before the run is drawn so that the run starts in the middle of things: no trend.
    let population = try population {
      $0.settings.forceQuitNever = 0
      $0.churn.uninstall = .constant(1e12)
    }
    var first = 0
    var last = 0
    try withLives(of: population, devices: 0..<1500, days: 7) { _, life in
      if life.initial.contains(.forceQuit) { first += 1 }
      if life.state(at: .zero + .days(7)).contains(.forceQuit) { last += 1 }
    }
    // Paired counts of the same devices: the difference varies less than that of independent ones.
    let p = Double(first) / 1500
    #expect(abs(Double(last - first)) < Self.z * (2 * 1500 * p * (1 - p)).squareRoot(), "\(first) → \(last)")
    #expect(first > 300)
  }

  @Test
  func `removals follow the lifetime on condition of the age`() throws {
    for age in [0.0, 365] {
      let population = try population { $0.churn.tokenAge = .constant(age * 86_400) }
      let lifetime = population.churn.uninstall
      var removals = 0
      try withLives(of: population, devices: 0..<300, days: 30) { _, life in
        if life.changes.contains(where: { $0.moment == .uninstall }) { removals += 1 }
      }
      let survived = 1 - lifetime.cdf(age * 86_400)
      let p = (lifetime.cdf((age + 30) * 86_400) - lifetime.cdf(age * 86_400)) / survived
      // Row 47, §2: for a new install 1 − .76.
      if age == 0 { #expect(abs(p - 0.24) < 0.01) }
      expect(removals, of: 300, at: p)
    }
  }

  @Test
  func `restarts come at the stated interval`() throws {
    let population = try population {
      $0.battery.idleDrain = .constant(1e-9)
      $0.battery.activeDrain = .constant(0)
      $0.connectivity.nightlyOffUsers = 0
    }
    var restarts = 0
    try withLives(of: population, devices: 0..<400, days: 30) { _, life in
      restarts += life.changes.count { $0.moment == .restart }
    }
    // A Poisson count: one in 30 days.
    #expect(abs(Double(restarts) - 400) < Self.z * 20, "\(restarts)")
  }

  @Test
  func `after a restart by day the user unlocks within minutes`() throws {
    let population = try population {
      $0.battery.idleDrain = .constant(1e-9)
      $0.battery.activeDrain = .constant(0)
      $0.connectivity.nightlyOffUsers = 0
      $0.restart.interval = .constant(37_000)
      $0.battery.bedtime = .constant(24 * 3600)
      $0.battery.wake = .constant(8 * 3600)
      $0.battery.bedtimeNightlySigma = 0
      $0.battery.wakeNightlySigma = 0
      $0.deviceUse.unlocksPerDay = .constant(80)
      $0.appUse.activeDayProbability = .init(.constant(0))
    }
    var waits: [Double] = []
    try withLives(of: population, devices: 0..<100, days: 14) { _, life in
      for change in life.changes where change.moment == .restart {
        let hour = (change.time - .zero).hours.truncatingRemainder(dividingBy: 24)
        let unlock = life.changes.first { $0.time >= change.time && $0.state.contains(.unlockedSinceStart) }
        guard let unlock else { continue }
        let wait = (unlock.time - change.time).seconds
        // Nobody is awake from midnight to 8 h, so nobody unlocks.
        if hour < 8 { #expect(wait <= (8 - hour) * 3600 + 1) } else if hour < 22 { waits.append(wait) }
      }
    }
    // Exponential with mean 16 h / 80 = 12 min.
    let mean = waits.reduce(0, +) / Double(waits.count)
    #expect(abs(mean - 720) < Self.z * 720 / Double(waits.count).squareRoot(), "\(mean)")
  }

  // MARK: Network and load

  @Test
  func `shares of time on networks are met whatever the population asks for`() throws {
    for (wifi, offline) in [(0.4, 0.03), (0.55, 0.1), (0.8, 0.02)] {
      let population = try population {
        $0.connectivity.timeOnWiFi = wifi
        $0.connectivity.timeOffline = offline
        $0.connectivity.timeOnCellular = 1 - wifi - offline
        $0.battery.idleDrain = .constant(1e-9)
        $0.battery.activeDrain = .constant(0)
      }
      let statistics = try LifeStatistics(population, devices: 0..<250, days: 14)
      // Long outages have a heavy tail, and bedtimes cut stays short: 2 points, against a sampling error of half a point.
      #expect(abs(statistics.share(.wifi) - wifi) < 0.02, "\(wifi): \(statistics.share(.wifi))")
      #expect(abs(statistics.shareUnreachable - offline) < 0.02, "\(offline): \(statistics.shareUnreachable)")
    }
  }

  @Test
  func `a user who switches the device off at night does so from bedtime to waking`() throws {
    let population = try population {
      $0.connectivity.nightlyOffUsers = 1
      $0.connectivity.nightlyOffProbability = 1
      $0.connectivity.nightlyOffPoweredOff = 1
      $0.battery.bedtime = .constant(23 * 3600)
      $0.battery.wake = .constant(7 * 3600)
      $0.battery.bedtimeNightlySigma = 0
      $0.battery.wakeNightlySigma = 0
    }
    try withLives(of: population, devices: 0..<20, days: 7) { _, life in
      for day: Int64 in 1..<7 {
        let midnight = SimTime.zero + .days(day)
        #expect(!life.state(at: midnight).contains(.poweredOn))
        #expect(!life.state(at: midnight + .hours(6)).contains(.poweredOn))
      }
      #expect(life.changes.contains { $0.moment == .restart && $0.time == .zero + .hours(7) })
    }
  }

  @Test
  func `busy episodes come as often and last as long as the population says`() throws {
    let population = try population { $0.cpu.episodeLength = .constant(600) }
    var episodes = 0
    try withLives(of: population, devices: 0..<200, days: 14) { _, life in
      episodes += life.cpu.count { $0.load > 0 && $0.time > .zero }
      for (change, next) in zip(life.cpu, life.cpu.dropFirst()) where change.load > 0 && change.time > .zero {
        #expect(abs((next.time - change.time).seconds - 600) < 1e-5)
      }
    }
    // An episode and the time to the next: 3 a day of free time.
    let expected = 200.0 * 14 / (1.0 / 3 + 600.0 / 86_400)
    #expect(abs(Double(episodes) - expected) < Self.z * expected.squareRoot(), "\(episodes)")
  }

  // MARK: Traits

  @Test
  func `kinds and classes have their shares, and iPads are used one class less`() throws {
    let population = try DefaultPopulation.values()
    var kinds: [DeviceKind: Int] = [:]
    var classes: [UserClass: Int] = [:]
    var heavyIPads = 0
    var chips = 0
    try withLives(of: population, devices: 0..<3000, days: 1) { _, life in
      kinds[life.traits.kind, default: 0] += 1
      if life.traits.kind == .iphone { classes[life.traits.userClass, default: 0] += 1 }
      if life.traits.kind == .ipad {
        if life.traits.userClass == .heavy { heavyIPads += 1 }
        if life.traits.hasMChip { chips += 1 }
      }
      if life.traits.kind == .iphone { #expect(!life.traits.hasMChip) }
      if life.traits.kind == .mac { #expect(life.traits.hasMChip) }
    }
    expect(kinds[.iphone]!, of: 3000, at: 0.82)
    expect(kinds[.ipad]!, of: 3000, at: 0.12)
    expect(classes[.dormant]!, of: kinds[.iphone]!, at: 0.50)
    expect(classes[.light]!, of: kinds[.iphone]!, at: 0.31)
    expect(classes[.heavy]!, of: kinds[.iphone]!, at: 0.05)
    expect(chips, of: kinds[.ipad]!, at: 0.5)
    #expect(heavyIPads == 0)
  }

  @Test
  func `settings have their shares`() throws {
    let population = try population()
    var off = 0
    var wifiOnly = 0
    var allowed = 0
    try withLives(of: population, devices: 0..<3000, days: 1) { _, life in
      if life.initial.contains(.refreshOff) { off += 1 }
      if life.initial.contains(.refreshOnWiFiOnly) { wifiOnly += 1 }
      if life.initial.contains(.alertsAllowed) { allowed += 1 }
    }
    expect(off, of: 3000, at: 1 - 0.92 * 0.93)
    expect(wifiOnly, of: 3000, at: 0.92 * 0.93 * 0.06)
    expect(allowed, of: 3000, at: 0.56)
  }
}
