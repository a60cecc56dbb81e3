import Distributions
import PushModel
import PushPolicy
import Quantities
import Testing

/// A change in one process leaves the others as they were (design: common random numbers).
struct LifeStreamTests {
  /// The changes of a life with the given bits and moments left out.
  private func changes(of life: Life, without bits: DeviceState, _ moments: Set<Moment> = []) -> [LifeChange]
  {
    var before = life.initial.subtracting(bits)
    var result: [LifeChange] = []
    for change in life.changes {
      let state = change.state.subtracting(bits)
      let moment = moments.contains(change.moment) ? .none : change.moment
      if state != before || moment != .none {
        result.append(LifeChange(time: change.time, state: state, moment: moment))
      }
      before = state
    }
    return result
  }

  private func expectEqual(_ a: [LifeChange], _ b: [LifeChange], _ comment: Comment) {
    #expect(
      a.elementsEqual(b) { $0.time == $1.time && $0.state == $1.state && $0.moment == $1.moment }, comment)
  }

  @Test
  func `more force quits change nothing but force quits`() throws {
    for device: UInt32 in 0..<40 {
      let few = try life(device: device) { $0.settings.forceQuitHabitual = 0 }
      let many = try life(device: device) { $0.settings.forceQuitHabitual = 100 }
      expectEqual(changes(of: few, without: .forceQuit), changes(of: many, without: .forceQuit), "\(device)")
    }
  }

  @Test
  func `more outages change nothing but the network`() throws {
    let network: DeviceState = [.wifi, .cellular]
    for device: UInt32 in 0..<40 {
      let few = try life(device: device) { $0.connectivity.timeOffline = 0 }
      let many = try life(device: device) { $0.connectivity.timeOffline = 0.2 }
      expectEqual(changes(of: few, without: network), changes(of: many, without: network), "\(device)")
    }
  }

  @Test
  func `more frequent busy episodes change nothing but the load`() throws {
    for device: UInt32 in 0..<40 {
      let few = try life(device: device)
      let many = try life(device: device) { $0.cpu.episodes *= 10 }
      expectEqual(changes(of: few, without: []), changes(of: many, without: []), "\(device)")
      #expect(few.cpu.count < many.cpu.count)
    }
  }

  @Test
  func `another Power Nap interval changes nothing but the wakes`() throws {
    var population = try DefaultPopulation.values()
    population.mix.device.iphone = 0
    for device: UInt32 in 0..<40 {
      var lives: [Life] = []
      for interval in [Distribution.constant(1800), .constant(7200)] {
        var generator = LifeGenerator(
          population: population, powerNapInterval: interval, horizon: .zero + .days(7))
        var life = Life()
        generator.generate(&life, device: device, streams: StreamFamily(seed: 1, replication: 0))
        lives.append(life)
      }
      expectEqual(
        changes(of: lives[0], without: [], [.powerNapWake]),
        changes(of: lives[1], without: [], [.powerNapWake]),
        "\(device)")
    }
  }

  @Test
  func `opens do not depend on the network, the charger or the settings`() throws {
    func opens(_ life: Life) -> [SimTime] { life.changes.filter { $0.moment == .open }.map(\.time) }
    for device: UInt32 in 0..<40 {
      // A device that never runs empty is never off when its user wants to open the app.
      let base = try life(device: device) {
        $0.battery.idleDrain = .constant(1e-9); $0.battery.activeDrain = .constant(0)
      }
      let other = try life(device: device) {
        $0.battery.idleDrain = .constant(2e-9)
        $0.battery.activeDrain = .constant(0)
        $0.connectivity.timeOnWiFi = 0.1
        $0.settings.refreshOffGlobally = 1
        $0.battery.topups = .init(10 / 86_400)
      }
      #expect(opens(base) == opens(other), "\(device)")
    }
  }
}
