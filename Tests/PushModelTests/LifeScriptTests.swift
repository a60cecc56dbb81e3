import Distributions
import PushModel
import PushPolicy
import Quantities
import Testing

/// Each line of a script does what the design page says (design §5, "Scripted life").
struct LifeScriptTests {
  private func at(_ hours: Double, _ event: LifeScript.Event) -> LifeScript.Entry {
    LifeScript.Entry(.zero + SimDuration(seconds: hours * 3600), event)
  }

  private func hour(_ hours: Double) -> SimTime { .zero + SimDuration(seconds: hours * 3600) }

  private func told(
    _ entries: [LifeScript.Entry], device: DeviceKind = .iphone, start: LifeScript.Start = .init(),
    days: Int64 = 2
  ) throws -> Life {
    try life(LifeScript(device: device, start: start, timeline: entries), days: days)
  }

  @Test
  func `without a timeline the device stays as it started`() throws {
    let start = LifeScript.Start(
      battery: 0.8, network: .cellular, isScreenOn: false, lastOpen: .hours(2))
    let life = try told([], start: start)
    #expect(life.initial == [.installed, .poweredOn, .unlockedSinceStart, .cellular, .alertsAllowed])
    #expect(life.changes.isEmpty)
    #expect(life.pastOpens == [.zero - .hours(2)])
    #expect(life.battery.count == 1)
    #expect(life.battery[0].level == 0.8)
    #expect(life.traits.userClass == .regular)
  }

  @Test
  func `the network is as the script says, to the microsecond`() throws {
    let life = try told([at(1, .network(.offline)), at(3, .network(.cellular)), at(5, .network(.wifi))])
    #expect(life.changes.map(\.time) == [hour(1), hour(3), hour(5)])
    #expect(life.changes.map(\.state.isReachable) == [false, true, true])
    #expect(life.changes.map { $0.state.contains(.wifi) } == [false, false, true])
  }

  @Test
  func `an open brings the app to the front, unlocks and ends a force quit`() throws {
    let life = try told([
      at(1, .forceQuit), at(2, .reboot(unlocked: false)), at(3, .forceQuit), at(4, .openApp(.minutes(2))),
    ])
    #expect(life.state(at: hour(3)).contains(.forceQuit))
    let open = try #require(life.changes.first { $0.moment == .open })
    #expect(open.time == hour(4))
    #expect(open.state.isSuperset(of: [.inFront, .unlockedSinceStart, .screenOn]))
    #expect(!open.state.contains(.forceQuit))
    #expect(life.times(of: .inFront, turning: false) == [hour(4) + .minutes(2)])
  }

  @Test
  func `an open while the app is in front lengthens the session and is no second open`() throws {
    let life = try told([at(1, .openApp(.hours(1))), at(1.5, .openApp(.hours(1)))])
    #expect(life.changes.filter { $0.moment == .open }.count == 1)
    #expect(life.times(of: .inFront, turning: false) == [hour(2.5)])
  }

  @Test
  func `Low Power Mode and charger change only where the script says so`() throws {
    let life = try told(
      [
        at(1, .flag(.lowPowerMode, true)), at(2, .flag(.charging, true)), at(40, .flag(.lowPowerMode, false)),
      ],
      start: .init(battery: 0.3))
    // Full for a day by then, and yet the mode is on.
    #expect(life.level(at: hour(39)) == 1)
    #expect(life.times(of: .lowPowerMode, turning: true) == [hour(1)])
    #expect(life.times(of: .lowPowerMode, turning: false) == [hour(40)])
    #expect(life.times(of: .charging, turning: true) == [hour(2)])
  }

  @Test
  func `the battery drains at the population's median rates`() throws {
    let population = try DefaultPopulation.values()
    let health = population.battery.health.quantile(0.5)
    let idle = population.battery.idleDrain.quantile(0.5) / health
    let active = population.battery.activeDrain.quantile(0.5) / health
    let life = try told(
      [at(1, .screen(true)), at(2, .screen(false)), at(3, .flag(.lowPowerMode, true))],
      start: .init(battery: 0.9))
    #expect(abs(life.level(at: hour(1)) - (0.9 - 3600 * idle)) < 1e-9)
    #expect(abs(life.level(at: hour(2)) - (0.9 - 7200 * idle - 3600 * active)) < 1e-9)
    let slow = life.battery.last { $0.time <= hour(4) }?.slope
    #expect(slow == -idle * population.lowPowerMode.drainFactor)
  }

  @Test
  func `the battery charges by the population's curve`() throws {
    let population = try DefaultPopulation.values()
    let life = try told([at(0, .flag(.charging, true))], start: .init(battery: 0.5))
    let to80 = 0.3 / population.battery.chargeBelow80
    let to95 = to80 + 0.15 / population.battery.chargeFrom80To95
    let toFull = to95 + 0.05 / population.battery.chargeAbove95
    for (time, level) in [(to80, 0.8), (to95, 0.95), (toFull, 1), (toFull + 3600, 1)] {
      #expect(abs(life.level(at: .zero + SimDuration(seconds: time)) - level) < 1e-9)
    }
  }

  @Test
  func `a level that the script sets holds from there on, draining`() throws {
    let life = try told([at(6, .battery(0.15))], start: .init(battery: 0.8))
    let segment = try #require(life.battery.last { $0.time == hour(6) })
    #expect(segment.level == 0.15)
    #expect(segment.slope < 0)
    #expect(life.level(at: hour(7)) < 0.15)
  }

  @Test
  func `an empty battery turns the device off, and a charged one starts it locked`() throws {
    let population = try DefaultPopulation.values()
    let life = try told(
      [at(1, .battery(0.001)), at(20, .flag(.charging, true)), at(21, .screen(true))],
      start: .init(battery: 0.8))
    let off = try #require(life.times(of: .poweredOn, turning: false).first)
    #expect(off > hour(1) && off < hour(2))
    let restart = try #require(life.changes.first { $0.moment == .restart })
    let charged =
      hour(20) + SimDuration(seconds: population.battery.bootLevel / population.battery.chargeBelow80)
    #expect(abs((restart.time - charged).seconds) < 1e-5)
    #expect(!restart.state.contains(.unlockedSinceStart))
    #expect(life.times(of: .unlockedSinceStart, turning: true) == [hour(21)])
  }

  @Test
  func `a force quit lasts until the next open`() throws {
    let life = try told([at(7, .forceQuit), at(9, .openApp(.minutes(1)))])
    #expect(life.times(of: .forceQuit, turning: true) == [hour(7)])
    #expect(life.times(of: .forceQuit, turning: false) == [hour(9)])
  }

  @Test
  func `a reboot takes the population's median time and ends a force quit`() throws {
    let off = try DefaultPopulation.values().restart.offFor.quantile(0.5)
    let life = try told([at(7, .forceQuit), at(8, .reboot(unlocked: true))])
    let back = hour(8) + SimDuration(seconds: off)
    #expect(life.times(of: .poweredOn, turning: false) == [hour(8)])
    #expect(life.changes.filter { $0.moment == .restart }.map(\.time) == [back])
    #expect(life.times(of: .forceQuit, turning: false) == [back])
    // Whoever restarts a phone unlocks it.
    #expect(life.times(of: .unlockedSinceStart, turning: true) == [back])
  }

  @Test
  func `after a locked reboot the screen unlocks`() throws {
    let life = try told(
      [at(8, .reboot(unlocked: false)), at(9, .screen(true))], start: .init(flags: [.charging]))
    #expect(life.times(of: .unlockedSinceStart, turning: false) == [hour(8)])
    #expect(life.times(of: .unlockedSinceStart, turning: true) == [hour(9)])
    #expect(life.times(of: .screenOn, turning: true) == [hour(9)])
  }

  @Test
  func `Background App Refresh has three settings`() throws {
    let life = try told([
      at(1, .backgroundAppRefresh(.off)), at(2, .backgroundAppRefresh(.wifiOnly)),
      at(3, .backgroundAppRefresh(.on)),
    ])
    #expect(life.changes.map { $0.state.contains(.refreshOff) } == [true, false, false])
    #expect(life.changes.map { $0.state.contains(.refreshOnWiFiOnly) } == [false, true, false])
  }

  @Test
  func `the processor's load and other notifications are told on`() throws {
    let life = try told([at(11, .cpuLoad(0.95)), at(12, .otherNotification)])
    #expect(life.cpu.map(\.load) == [0.95])
    #expect(life.cpu.map(\.time) == [hour(11)])
    #expect(life.changes.map(\.moment) == [.otherNotification])
  }

  @Test
  func `a removed app cannot be opened until it is installed again`() throws {
    let life = try told([
      at(1, .forceQuit), at(13, .uninstall), at(13.5, .openApp(.minutes(1))), at(14, .install),
      at(15, .openApp(.minutes(1))),
    ])
    #expect(life.changes.filter { $0.moment != .none }.map(\.moment) == [.uninstall, .install, .open])
    #expect(!life.state(at: hour(13)).contains(.installed))
    #expect(!life.state(at: hour(14)).contains(.forceQuit))
    let lag = try DefaultPopulation.values().churn.goneReportedAfter.quantile(0.5)
    #expect(abs((life.tokenReportedGone - hour(13)).seconds - lag) < 1e-5)
  }

  @Test
  func `a Mac with its screen off sleeps and wakes for Power Nap`() throws {
    let life = try told(
      [at(24, .screen(true)), at(30, .screen(false))], device: .mac, start: .init(flags: [.charging]))
    #expect(life.traits.hasMChip)
    #expect(life.initial.contains(.asleep))
    let naps = life.changes.filter { $0.moment == .powerNapWake }.map(\.time)
    #expect(naps.contains { $0 < hour(24) } && naps.contains { $0 > hour(30) })
    #expect(!naps.contains { $0 > hour(24) && $0 < hour(30) })
    // The interval is cut to 15 … 195 min.
    let gaps = zip(naps, naps.dropFirst()).filter { $1 < hour(24) || $0 > hour(30) }.map { ($1 - $0).seconds }
    #expect(gaps.allSatisfy { $0 >= 900 && $0 <= 11_700 })
  }

  @Test
  func `an open wakes a sleeping Mac for as long as it lasts`() throws {
    let life = try told([at(2, .openApp(.minutes(30)))], device: .mac)
    #expect(life.times(of: .asleep, turning: false) == [hour(2)])
    #expect(life.times(of: .asleep, turning: true) == [hour(2.5)])
  }

  @Test
  func `an iPhone with its screen off does not sleep`() throws {
    let life = try told([at(1, .screen(true)), at(2, .screen(false))])
    #expect(life.changes.allSatisfy { !$0.state.contains(.asleep) })
  }

  @Test
  func `every device lives the script, and a Mac's naps are its own`() throws {
    let phone = LifeScript(timeline: [at(1, .openApp(.minutes(5))), at(2, .forceQuit)])
    #expect(try life(phone, device: 1).isIdentical(to: try life(phone, device: 2)))
    let mac = LifeScript(device: .mac)
    #expect(!(try life(mac, device: 1).isIdentical(to: try life(mac, device: 2))))
  }

  @Test
  func `entries are followed in order of time whatever their order in the file`() throws {
    let life = try told([at(3, .network(.wifi)), at(1, .network(.offline))])
    #expect(life.changes.map(\.time) == [hour(1), hour(3)])
    #expect(life.changes.map(\.state.isReachable) == [false, true])
  }
}
