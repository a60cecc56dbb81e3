import Distributions
import Foundation
import PushModel
import PushPolicy
import Quantities
import Testing

/// Users who force-quit now and then: at most once after an open, with the phone in the hand.
///
/// Statistical assertions: z = 4.9 standard errors, a false alarm in 10⁶ per assertion; the seed is fixed.
struct ForceQuitTests {
  private func population(_ change: (inout Population) throws -> Void = { _ in }) throws -> Population {
    var population = try DefaultPopulation.values()
    population.mix.device.ipad = 0
    population.mix.device.mac = 0
    try change(&population)
    return population
  }

  /// Users who installed the app so many days ago and have never opened it since.
  private func neverOpened(since days: Double, restartEvery interval: Double) throws -> Population {
    try population {
      $0.settings.forceQuitNever = 0
      $0.settings.forceQuitHabitual = 0
      $0.settings.forceQuitHazard = 0.25 / 86_400
      $0.churn.tokenAge = .constant(days * 86_400)
      $0.churn.uninstall = .constant(1e12)
      $0.restart.interval = try .exponential(mean: interval * 86_400)
      $0.appUse.activeDayProbability = .init(.constant(0))
      // No restart but those.
      $0.battery.idleDrain = .constant(1e-9)
      $0.battery.activeDrain = .constant(0)
    }
  }

  @Test(arguments: [(20.0, 30.0), (58, 30), (100, 30), (8, 2), (58, 5), (58, 1), (10, 4)])
  func `an app that is never opened again is force-quit once, until a restart`(
    days: Double, interval: Double
  ) throws {
    let population = try neverOpened(since: days, restartEvery: interval)
    let devices = 400
    var counts = (first: 0, last: 0)
    try withLives(of: population, devices: 0..<UInt32(devices), days: 5) { _, life in
      if life.initial.contains(.forceQuit) { counts.first += 1 }
      if life.state(at: .zero + .days(5)).contains(.forceQuit) { counts.last += 1 }
    }
    // A quit at the rate h, cleared at the rate c; where both are equal the formula has a limit.
    let (h, c) = (0.25, 1 / interval)
    for (count, t) in [(counts.first, days), (counts.last, days + 5)] {
      let p =
        abs(h - c) < 1e-9
        ? h * t * exp(-h * t) : h / (h - c) * (exp(-c * t) - exp(-h * t))
      let error = (p * (1 - p) / Double(devices)).squareRoot()
      // The night, in which nobody swipes, moves a quit by hours.
      #expect(
        abs(Double(count) / Double(devices) - p) < 4.9 * error + 0.02, "\(count) at \(t) d, expected \(p)")
    }
  }

  @Test func `a user who never opened the app since an install long ago has not force-quit it`() throws {
    for interval in [30.0, 5, 1] {
      try withLives(
        of: neverOpened(since: 3650, restartEvery: interval), devices: 0..<100, days: 10
      ) { _, life in
        #expect(!life.initial.contains(.forceQuit))
        #expect(life.times(of: .forceQuit, turning: true).isEmpty)
        // Whoever installs an app opens it.
        #expect(life.pastOpens == [.zero - .days(3650)])
      }
    }
  }

  @Test func `there is at most one force quit for each open, and none in the dead of night`() throws {
    let population = try population {
      $0.settings.forceQuitNever = 0
      $0.settings.forceQuitHabitual = 0
      $0.settings.forceQuitHazard = 4 / 86_400
      $0.restart.interval = .constant(2 * 86_400)
      $0.timeZone.utcOffset = .constant(0)
      $0.battery.bedtime = .constant(23 * 3600)
      $0.battery.wake = .constant(7 * 3600)
      $0.battery.bedtimeNightlySigma = 0
      $0.battery.wakeNightlySigma = 0
    }
    var quits = 0
    try withLives(of: population, devices: 0..<150, days: 14) { device, life in
      var wasOpened = !life.initial.contains(.forceQuit)
      var before = life.initial
      for change in life.changes {
        if change.moment == .open { wasOpened = true }
        if change.state.contains(.forceQuit), !before.contains(.forceQuit) {
          quits += 1
          #expect(wasOpened, "device \(device) at \(change.time)")
          wasOpened = false
          #expect(before.contains(.poweredOn))
          let hour = (change.time - .zero).hours.truncatingRemainder(dividingBy: 24)
          #expect(hour >= 7 && hour <= 23, "device \(device): \(hour) h")
        }
        before = change.state
      }
    }
    #expect(quits > 400)
  }

  @Test func `a tenth of the installed base has force-quit the app`() throws {
    // An independent program of the same rules has 10.0 % of the sends end so; a twentieth of the lives is off or gone.
    var devices = 0
    var quit = 0
    try withLives(of: population(), devices: 0..<1500, days: 4) { _, life in
      let state = life.state(at: .zero + .days(3))
      guard state.contains(.installed) else { return }
      devices += 1
      if state.contains(.forceQuit) { quit += 1 }
    }
    let share = Double(quit) / Double(devices)
    #expect(share > 0.07 && share < 0.13, "\(share)")
  }
}
