import PushModel
import PushPolicy
import Quantities
import Testing

@Suite struct ConditionsTests {
  private static let on: DeviceState = [.installed, .poweredOn, .wifi]

  private func at(_ hours: Int64) -> SimTime { .zero + .hours(hours) }

  private func compiled(
    battery: [BatterySegment] = [], cpu: [LoadChange] = [], changes: [LifeChange] = [],
    threshold: Double = 0.2
  ) -> Conditions {
    var life = Life()
    life.initial = Self.on
    life.battery = battery
    life.cpu = cpu
    life.changes = changes
    var policy = Policy()
    policy.batteryLevel.threshold = threshold
    policy.cpuLoad.threshold = 0.8
    var conditions = Conditions()
    conditions.compile(life, policy)
    return conditions
  }

  private func segment(_ hours: Int64, _ level: Double, perHour slope: Double) -> BatterySegment {
    BatterySegment(time: at(hours), level: level, slope: slope / 3600)
  }

  /// When a flag changes, and to what, as (time, is on).
  private func switches(_ flag: DeviceState, in conditions: Conditions) -> [(SimTime, Bool)] {
    var isOn = conditions.initial.contains(flag)
    var result: [(SimTime, Bool)] = []
    for change in conditions.changes where change.state.contains(flag) != isOn {
      isOn.toggle()
      result.append((change.time, isOn))
    }
    return result
  }

  private func expect(
    _ flag: DeviceState, in conditions: Conditions, _ expected: [(SimTime, Bool)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = switches(flag, in: conditions)
    #expect(found.map(\.0) == expected.map(\.0), sourceLocation: sourceLocation)
    #expect(found.map(\.1) == expected.map(\.1), sourceLocation: sourceLocation)
  }

  @Test func `a falling battery is low from the instant at which it crosses the threshold`() {
    // From a half at 10 % an hour: a fifth is reached after three hours.
    let conditions = compiled(battery: [segment(0, 0.5, perHour: -0.1)])
    #expect(!conditions.initial.contains(.batteryLow))
    expect(.batteryLow, in: conditions, [(at(3), true)])
  }

  @Test func `a rising battery is no longer low from the instant at which it reaches the threshold`() {
    let conditions = compiled(battery: [segment(0, 0.1, perHour: 0.05)])
    #expect(conditions.initial.contains(.batteryLow))
    expect(.batteryLow, in: conditions, [(at(2), false)])
  }

  @Test func `a battery that goes down and up again crosses twice, in the segments in which it does`() {
    let conditions = compiled(
      battery: [segment(0, 0.5, perHour: -0.05), segment(8, 0.1, perHour: 0.1), segment(17, 1, perHour: 0)])
    expect(.batteryLow, in: conditions, [(at(6), true), (at(9), false)])
  }

  @Test func `a crossing that falls on the border of two segments is one crossing`() {
    let down = compiled(battery: [segment(0, 0.5, perHour: -0.1), segment(3, 0.2, perHour: -0.05)])
    expect(.batteryLow, in: down, [(at(3), true)])
    // It touches the threshold and rises again: under it for no time.
    let touch = compiled(battery: [segment(0, 0.5, perHour: -0.1), segment(3, 0.2, perHour: 0.05)])
    expect(.batteryLow, in: touch, [])
    let flat = compiled(battery: [segment(0, 0.5, perHour: -0.1), segment(3, 0.2, perHour: 0)])
    expect(.batteryLow, in: flat, [])
  }

  @Test(arguments: [1e-10, 4e-10, 1e-12])
  func `a battery that starts a hair under the threshold and drains is low`(hair: Double) {
    let conditions = compiled(battery: [segment(0, 0.2 - hair, perHour: -0.0001)])
    #expect(conditions.initial.contains(.batteryLow))
    expect(.batteryLow, in: conditions, [])
  }

  @Test func `a scripted jump of the level takes effect at its instant`() {
    let conditions = compiled(
      battery: [segment(0, 0.9, perHour: 0), segment(5, 0.1, perHour: 0), segment(7, 0.2, perHour: 0)])
    expect(.batteryLow, in: conditions, [(at(5), true), (at(7), false)])
  }

  @Test func `a battery that stays on one side of the threshold changes nothing`() {
    let battery = [
      segment(0, 0.5, perHour: -0.1), segment(2, 0.3, perHour: 0.1), segment(3, 0.4, perHour: 0),
    ]
    #expect(compiled(battery: battery).changes.isEmpty)
    #expect(compiled(battery: battery, threshold: 0.6).initial.contains(.batteryLow))
    #expect(compiled(battery: battery, threshold: 0.6).changes.isEmpty)
  }

  @Test func `no level is under a threshold of zero, and an empty battery is no exception`() {
    let conditions = compiled(
      battery: [segment(0, 0.5, perHour: -0.1), segment(6, 0, perHour: 0), segment(7, 0, perHour: 0.5)],
      threshold: 0)
    #expect(!conditions.initial.contains(.batteryLow))
    expect(.batteryLow, in: conditions, [])
  }

  @Test func `under a threshold of one every level but a full charge is low`() {
    let conditions = compiled(
      battery: [segment(0, 0.5, perHour: 0.25), segment(2, 1, perHour: 0), segment(3, 1, perHour: -0.1)],
      threshold: 1)
    #expect(conditions.initial.contains(.batteryLow))
    expect(.batteryLow, in: conditions, [(at(2), false), (at(3), true)])
  }

  @Test func `the processor is busy above the threshold, and not at it`() {
    let loads: [(Int64, Double)] = [(1, 0.8), (2, 0.81), (3, 0.95), (4, 0.8), (5, 0.9), (6, 0)]
    let conditions = compiled(cpu: loads.map { LoadChange(time: at($0.0), load: $0.1) })
    expect(.cpuBusy, in: conditions, [(at(2), true), (at(4), false), (at(5), true), (at(6), false)])
    #expect(conditions.changes.count == 4)
  }

  @Test func `a processor busy from the start is busy in the first state`() {
    let conditions = compiled(cpu: [LoadChange(time: .zero, load: 1), LoadChange(time: at(1), load: 0.1)])
    #expect(conditions.initial == [Self.on, .cpuBusy])
    expect(.cpuBusy, in: conditions, [(at(1), false)])
  }

  @Test func `changes of the life keep the thresholds' flags, and the thresholds keep the life's`() {
    let conditions = compiled(
      battery: [segment(0, 0.5, perHour: -0.1)], cpu: [LoadChange(time: at(4), load: 1)],
      changes: [
        LifeChange(time: at(1), state: [Self.on, .lowPowerMode], moment: .none),
        LifeChange(time: at(5), state: [Self.on, .inFront], moment: .open),
      ])
    let states = conditions.changes.map(\.state)
    #expect(
      states == [
        [Self.on, .lowPowerMode], [Self.on, .lowPowerMode, .batteryLow],
        [Self.on, .lowPowerMode, .batteryLow, .cpuBusy], [Self.on, .inFront, .batteryLow, .cpuBusy],
      ])
    #expect(conditions.changes.map(\.time) == [at(1), at(3), at(4), at(5)])
    #expect(conditions.changes.map(\.moment) == [.none, .none, .none, .open])
  }

  @Test func `at the same instant the threshold comes before the change of the life`() {
    let conditions = compiled(
      battery: [segment(0, 0.5, perHour: -0.1)],
      changes: [
        LifeChange(time: at(3), state: [Self.on, .charging], moment: .none),
        LifeChange(time: at(3), state: [Self.on, .charging, .inFront], moment: .open),
      ])
    #expect(conditions.changes.map(\.time) == [at(3), at(3), at(3)])
    #expect(
      conditions.changes.map(\.state) == [
        [Self.on, .batteryLow], [Self.on, .charging, .batteryLow],
        [Self.on, .charging, .inFront, .batteryLow],
      ])
  }

  @Test func `conditions compiled again hold nothing of the life before`() {
    var life = Life()
    life.initial = Self.on
    life.battery = [segment(0, 0.1, perHour: 0)]
    life.changes = [LifeChange(time: at(1), state: [], moment: .none)]
    var policy = Policy()
    policy.batteryLevel.threshold = 0.2
    var conditions = Conditions()
    conditions.compile(life, policy)
    #expect(conditions.initial.contains(.batteryLow))
    life.battery = [segment(0, 0.9, perHour: 0)]
    life.changes = []
    conditions.compile(life, policy)
    #expect(conditions.initial == Self.on)
    #expect(conditions.changes.isEmpty)
  }
}
