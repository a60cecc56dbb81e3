import Distributions
import PushModel
import PushPolicy
import Quantities
import Testing

/// A change in one process leaves the others as they were (design: common random numbers).
struct LifeStreamTests {
  private static let devices: Range<UInt32> = 0..<40

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

  private func expectEqual(_ a: [LifeChange], _ b: [LifeChange]) {
    #expect(
      a.elementsEqual(b) { $0.time == $1.time && $0.state == $1.state && $0.moment == $1.moment })
  }

  @Test
  func `more force quits change nothing but force quits`() throws {
    let few = try lives(devices: Self.devices) { $0.settings.forceQuitHabitual = 0 }
    let many = try lives(devices: Self.devices) { $0.settings.forceQuitHabitual = 100 }
    for (few, many) in zip(few, many) {
      expectEqual(changes(of: few, without: .forceQuit), changes(of: many, without: .forceQuit))
    }
  }

  @Test
  func `more outages change nothing but the network`() throws {
    let network: DeviceState = [.wifi, .cellular]
    let few = try lives(devices: Self.devices) { $0.connectivity.timeOffline = 0 }
    let many = try lives(devices: Self.devices) { $0.connectivity.timeOffline = 0.2 }
    for (few, many) in zip(few, many) {
      expectEqual(changes(of: few, without: network), changes(of: many, without: network))
    }
  }

  @Test
  func `more frequent busy episodes change nothing but the load`() throws {
    let few = try lives(devices: Self.devices)
    let many = try lives(devices: Self.devices) { $0.cpu.episodes *= 10 }
    for (few, many) in zip(few, many) {
      expectEqual(changes(of: few, without: []), changes(of: many, without: []))
      #expect(few.cpu.count < many.cpu.count)
    }
  }

  @Test
  func `another Power Nap interval changes nothing but the wakes`() throws {
    var population = try DefaultPopulation.values()
    population.mix.device.iphone = 0
    let streams = StreamFamily(seed: 1, replication: 0)
    var short = LifeGenerator(
      population: population, powerNapInterval: .constant(1800), horizon: .zero + .days(7))
    var long = LifeGenerator(
      population: population, powerNapInterval: .constant(7200), horizon: .zero + .days(7))
    var a = Life()
    var b = Life()
    for device in Self.devices {
      short.generate(&a, device: device, streams: streams)
      long.generate(&b, device: device, streams: streams)
      expectEqual(changes(of: a, without: [], [.powerNapWake]), changes(of: b, without: [], [.powerNapWake]))
    }
  }

  @Test
  func `opens do not depend on the network, the charger or the settings`() throws {
    func opens(_ life: Life) -> [SimTime] { life.changes.filter { $0.moment == .open }.map(\.time) }
    // A device that never runs empty is never off when its user wants to open the app.
    let base = try lives(devices: Self.devices) {
      $0.battery.idleDrain = .constant(1e-9); $0.battery.activeDrain = .constant(0)
    }
    let other = try lives(devices: Self.devices) {
      $0.battery.idleDrain = .constant(2e-9)
      $0.battery.activeDrain = .constant(0)
      $0.connectivity.timeOnWiFi = 0.1
      $0.settings.refreshOffGlobally = 1
      $0.battery.topups = .init(10 / 86_400)
    }
    for (base, other) in zip(base, other) {
      #expect(opens(base) == opens(other))
    }
  }
}
