import Distributions
import PushModel
import PushPolicy
import Quantities
import Testing

/// What holds of every life, whatever was drawn.
struct LifeInvariantTests {
  static let days: Int64 = 21
  static let horizon = SimTime.zero + .days(days)

  /// Calls `body` with lives of all kinds of devices.
  private func withEveryLife(_ body: (UInt32, borrowing Life) throws -> Void) throws {
    var population = try DefaultPopulation.values()
    // As many iPads and Macs as iPhones: each kind has code of its own.
    population.mix.device.iphone = 1
    population.mix.device.ipad = 1
    population.mix.device.mac = 1
    try withLives(of: population, devices: 0..<150, days: Self.days, body)
  }

  @Test
  func `the same inputs give the same life`() throws {
    var population = try DefaultPopulation.values()
    population.mix.device.mac = 1
    let streams = StreamFamily(seed: 42, replication: 3)
    var first = LifeGenerator(
      population: population, powerNapInterval: try powerNapInterval(), horizon: Self.horizon)
    var second = first
    var a = Life()
    var b = Life()
    for device: UInt32 in 0..<20 {
      first.generate(&a, device: device, streams: streams)
      // The second generator has another history: it has just drawn another device.
      second.generate(&b, device: device + 100, streams: streams)
      second.generate(&b, device: device, streams: streams)
      #expect(a.isIdentical(to: b), "device \(device)")
    }
  }

  @Test
  func `another seed, replication or device gives another life`() throws {
    let base = try life(device: 5)
    #expect(!base.isIdentical(to: try life(device: 6)))
    #expect(!base.isIdentical(to: try life(device: 5, seed: 2)))
  }

  @Test
  func `a longer run begins like the shorter one`() throws {
    let weeks = try lives(devices: 0..<30, days: 7)
    let fortnights = try lives(devices: 0..<30, days: 14)
    for (device, (short, long)) in zip(weeks, fortnights).enumerated() {
      let end = SimTime.zero + .days(7)
      #expect(short.initial == long.initial)
      #expect(short.changes.map(\.time) == long.changes.map(\.time).filter { $0 < end }, "device \(device)")
      #expect(short.changes.map(\.state) == long.changes.filter { $0.time < end }.map(\.state))
    }
  }

  @Test
  func `everything is in order of time and inside the run`() throws {
    try withEveryLife { device, life in
      #expect(isSorted(life.changes.map(\.time)), "device \(device)")
      #expect(isSorted(life.battery.map(\.time)), "device \(device)")
      #expect(isSorted(life.cpu.map(\.time)), "device \(device)")
      #expect(isSorted(life.pastOpens), "device \(device)")
      #expect(life.battery.first?.time == .zero)
      let all = life.changes.map(\.time) + life.battery.map(\.time) + life.cpu.map(\.time)
      #expect(all.allSatisfy { $0 >= .zero && $0 < Self.horizon })
      #expect(!life.pastOpens.isEmpty && life.pastOpens.allSatisfy { $0 < .zero }, "device \(device)")
      // The first may be from before the history.
      #expect(life.pastOpens.dropFirst().allSatisfy { $0 >= .zero - .days(61) })
    }
  }

  private func isSorted(_ times: [SimTime]) -> Bool { zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } }

  @Test
  func `every change changes something or marks a moment`() throws {
    try withEveryLife { _, life in
      var before = life.initial
      for change in life.changes {
        #expect(change.state != before || change.moment != .none)
        before = change.state
      }
    }
  }

  @Test
  func `states contradict themselves nowhere`() throws {
    try withEveryLife { device, life in
      for (state, _, _) in life.stretches(until: Self.horizon) {
        let comment = Comment("device \(device): \(state.rawValue)")
        if state.contains(.inFront) {
          #expect(state.isSuperset(of: [.poweredOn, .unlockedSinceStart, .installed]), comment)
          #expect(state.isDisjoint(with: [.forceQuit, .asleep]), comment)
        }
        if !state.contains(.poweredOn) {
          #expect(!state.isReachable, comment)
          #expect(state.isDisjoint(with: [.wifi, .cellular, .unlockedSinceStart, .asleep]), comment)
        }
        #expect(!state.isSuperset(of: [.wifi, .cellular]), comment)
        #expect(!state.isSuperset(of: [.refreshOff, .refreshOnWiFiOnly]), comment)
        #expect(state.isDisjoint(with: [.screenOn, .batteryLow, .cpuBusy]), comment)
        if state.contains(.asleep) { #expect(life.traits.hasMChip, comment) }
        if state.contains(.cellular) { #expect(life.traits.kind != .mac, comment) }
        if state.contains(.forceQuit) {
          #expect(life.traits.kind != .mac && state.contains(.installed), comment)
        }
      }
    }
  }

  @Test
  func `the battery's level is continuous and between empty and full`() throws {
    try withEveryLife { device, life in
      for (segment, next) in zip(life.battery, life.battery.dropFirst()) {
        let raw = segment.level + segment.slope * (next.time - segment.time).seconds
        // Events fall on whole microseconds, in which no device drains or charges 1e-9.
        #expect(abs(raw - next.level) < 1e-9, "device \(device) at \(next.time.seconds) s")
        #expect(segment.level >= 0 && segment.level <= 1)
        #expect(segment.slope != next.slope)
      }
    }
  }

  @Test
  func `the level rises on the charger only, and falls off it only`() throws {
    try withEveryLife { device, life in
      for segment in life.battery {
        let charging = life.state(at: segment.time).contains(.charging)
        if segment.slope > 0 { #expect(charging, "device \(device) at \(segment.time.seconds) s") }
        if segment.slope < 0 { #expect(!charging, "device \(device) at \(segment.time.seconds) s") }
      }
    }
  }

  @Test
  func `an open brings the app to the front, and none comes while it is there`() throws {
    try withEveryLife { _, life in
      var before = life.initial
      for change in life.changes {
        let comes = change.state.contains(.inFront) && !before.contains(.inFront)
        #expect((change.moment == .open) == comes)
        before = change.state
      }
    }
  }

  @Test
  func `after a restart nothing is force-quit and nothing unlocked`() throws {
    var restarts = 0
    try withEveryLife { _, life in
      for change in life.changes where change.moment == .restart {
        restarts += 1
        #expect(change.state.contains(.poweredOn))
        #expect(change.state.isDisjoint(with: [.forceQuit, .unlockedSinceStart]))
      }
    }
    #expect(restarts > 50)
  }

  @Test
  func `a device comes on only by a restart`() throws {
    try withEveryLife { _, life in
      var before = life.initial
      for change in life.changes {
        if change.state.contains(.poweredOn), !before.contains(.poweredOn) {
          #expect(change.moment == .restart)
        }
        before = change.state
      }
    }
  }

  @Test
  func `Power Nap wakes come to sleeping devices only and change no state`() throws {
    var wakes = 0
    try withEveryLife { _, life in
      var before = life.initial
      for change in life.changes {
        if change.moment == .powerNapWake {
          wakes += 1
          #expect(change.state.contains(.asleep))
          #expect(change.state == before)
        }
        before = change.state
      }
    }
    #expect(wakes > 1000)
  }

  @Test
  func `after its removal the app is neither opened nor in front`() throws {
    var removals = 0
    try withEveryLife { _, life in
      guard let removal = life.changes.first(where: { $0.moment == .uninstall }) else { return }
      removals += 1
      #expect(life.tokenReportedGone >= removal.time)
      for change in life.changes where change.time >= removal.time {
        #expect(!change.state.contains(.installed))
        #expect(change.moment != .open)
      }
    }
    #expect(removals > 0)
  }

  @Test
  func `processor loads alternate between an episode and none`() throws {
    try withEveryLife { _, life in
      for (change, next) in zip(life.cpu, life.cpu.dropFirst()) {
        #expect((change.load > 0) != (next.load > 0))
        #expect(change.load >= 0 && change.load <= 1)
      }
    }
  }
}
