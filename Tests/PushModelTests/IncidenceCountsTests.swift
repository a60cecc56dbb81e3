import Distributions
import EventKernel
import PushModel
import PushPolicy
import Quantities
import Testing

@Suite struct IncidenceCountsTests {
  /// The cell of the only push that met an end.
  private func cell(_ fate: Fate, _ tally: Tally) -> Int? {
    #expect(tally.incidence[fate].reduce(0, +) == 1)
    return tally.incidence[fate].firstIndex(of: 1)
  }

  @Test(arguments: [0, 0.1, 0.100001, 1, 1.000001, 59.9, 60, 299, 300, 301, 86_400] as [Double])
  func `a delivery is in the cell whose limit is the first that it did not take longer than`(transit: Double)
    throws
  {
    var stage = Stage(sends: [10])
    stage.transit = .constant(transit)
    let played = try stage.play()
    #expect(cell(.delivered, played.tally) == EndCells.limits.firstIndex { $0 >= transit })
  }

  @Test func `what is still on its way is counted by how long it has been`() throws {
    var stage = Stage(sends: [10], state: Stage.plain.subtracting(.wifi))
    let played = try stage.play()
    #expect(cell(.pending, played.tally) == EndCells.limits.firstIndex { $0 >= 3 * 86_400 - 600 })
    // One that expires meanwhile ends when the device is back, or the run is over.
    stage.push.expiration = .after(.minutes(30))
    stage.change(at(70), add: .wifi)
    #expect(cell(.expiredAtAPNs, try stage.play().tally) == EndCells.limits.firstIndex(of: 3600))
  }

  @Test func `a segment tells deliveries from other ends and from what is on its way`() throws {
    // Seven hours, so that the second quarter of the day is on.
    var stage = Stage(sends: [430, 500])
    stage.life.traits.userClass = .heavy
    stage.life.traits.kind = .ipad
    stage.change(at(440), remove: .wifi)
    let tally = try stage.play().tally
    for segment in IncidenceCounts.Segment.all {
      let rows = tally.incidence[segment]
      let isOurs = [.userClass(.heavy), .deviceKind(.ipad)].contains(segment)
      let delivered: Int64 = isOurs || segment == .quarter(1) ? 1 : 0
      let pending: Int64 = isOurs || segment == .quarter(1) ? 1 : 0
      #expect(rows.delivered.reduce(0, +) == delivered)
      #expect(rows.pending.reduce(0, +) == pending)
      #expect(rows.otherwise.reduce(0, +) == 0)
    }
  }

  @Test func `a held push is counted to the factor that holds it at the time`() throws {
    var stage = Stage(sends: [10])
    stage.life.cpu = [LoadChange(time: at(30), load: 0.9), LoadChange(time: at(60), load: 0.1)]
    stage.change(at(5), add: .lowPowerMode)
    stage.change(at(40), remove: .lowPowerMode)
    let played = try stage.play()
    #expect(played.ends == [.init(.delivered, nil, at(60))])
    for factor in FactorID.allCases {
      let expected: Int64 =
        switch factor {
        case .lowPowerMode: 1_799_000
        case .cpuLoad: 1_200_000
        default: 0
        }
      #expect(played.tally.held[Int(factor.rawValue)] == expected, "\(factor.name)")
    }
  }

  @Test func `sends are counted by local hour and by tenths of the battery`() throws {
    var stage = Stage(sends: [10, 30, 70])
    stage.life.traits.utcOffset = .hours(2)
    stage.life.battery = [
      BatterySegment(time: .zero, level: 1, slope: 0),
      BatterySegment(time: at(20), level: 0.45, slope: -0.1 / 600),
    ]
    // Below the threshold the third waits, so that it is late.
    stage.policy.batteryLevel.threshold = 0.3
    let tally = try stage.play().tally
    for hour in 0..<24 {
      for tenth in 0..<10 {
        let place = (hour, tenth)
        let isSent = [(2, 9), (2, 3), (3, 0)].contains { $0 == place }
        #expect(tally.byHourAndBattery.sent(hour: hour, tenth: tenth) == (isSent ? 1 : 0))
        #expect(
          tally.byHourAndBattery.deliveredWithin5min(hour: hour, tenth: tenth)
            == (isSent && hour == 2 ? 1 : 0))
      }
    }
  }

  @Test func `the days count what was before the end of the warm-up too`() throws {
    var stage = Stage(sends: [10, 1450, 1500], updates: [])
    stage.warmUp = at(1490)
    stage.open(at(20))
    stage.open(at(2 * 1440 + 5))
    let tally = try stage.play().tally
    #expect(tally.sent == 1 && tally.opens == 1)
    #expect((0..<3).map { tally.daily[.sent, day: $0] } == [1, 2, 0])
    #expect((0..<3).map { tally.daily[.deliveredWithin5min, day: $0] } == [1, 2, 0])
    #expect((0..<3).map { tally.daily[.wakes, day: $0] } == [1, 2, 0])
    #expect((0..<3).map { tally.daily[.opens, day: $0] } == [1, 0, 1])
    #expect((0..<3).map { tally.daily[.freshOpens, day: $0] } == [1, 0, 1])
  }
}
