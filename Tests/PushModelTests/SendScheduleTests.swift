import Distributions
import Quantities
import Testing

@testable import PushModel

@Suite struct SendScheduleTests {
  private let streams = StreamFamily(seed: 7, replication: 0)

  /// The sends of a schedule up to an instant, ends included.
  private func sends(
    _ schedule: SendSchedule, until end: SimTime, device: UInt32 = 0, offset: SimDuration = .zero,
    updates: [SimTime] = []
  ) -> [SimTime] {
    var cursor = SendCursor(
      schedule, device: device, streams: streams, lane: 0, utcOffset: offset, updates: updates)
    var times: [SimTime] = []
    while cursor.time <= end, cursor.time != .distantFuture {
      times.append(cursor.time)
      cursor.advance(updates)
    }
    return times
  }

  private func minutes(_ minutes: [Int64]) -> [SimTime] { minutes.map { .zero + .minutes($0) } }

  @Test func `a schedule without times sends nothing`() {
    #expect(sends(.at([]), until: .zero + .days(9)) == [])
  }

  @Test func `every interval starts at its phase, and a phase of zero at the start of the run`() {
    let end = SimTime.zero + .minutes(100)
    #expect(
      sends(.every(.minutes(30), phase: .zero, jitter: .zero), until: end) == minutes([0, 30, 60, 90]))
    #expect(
      sends(.every(.minutes(30), phase: .minutes(10), jitter: .zero), until: end)
        == minutes([10, 40, 70, 100]))
  }

  @Test
  func `jitter delays each send by a part of its own, without drift and without one send passing another`() {
    let end = SimTime.zero + .days(60)
    for jitter in [SimDuration.minutes(5), .minutes(30)] {
      let times = sends(.every(.minutes(30), phase: .minutes(10), jitter: jitter), until: end)
      #expect(times == times.sorted())
      var delays: [Double] = []
      for (index, time) in times.enumerated() {
        let delay = time - (SimTime.zero + .minutes(10) + .minutes(30) * Int64(index))
        #expect(delay >= .zero && delay <= jitter)
        delays.append(delay.seconds / jitter.seconds)
      }
      // Uniform from 0 to 1: mean 1/2, variance 1/12; α = 10⁻⁶.
      let mean = delays.reduce(0, +) / Double(delays.count)
      #expect(abs(mean - 0.5) < 4.891638 * (1 / 12.0 / Double(delays.count)).squareRoot())
    }
  }

  @Test func `devices jitter each on their own, and the same device always alike`() {
    let schedule = SendSchedule.every(.hours(1), phase: .zero, jitter: .minutes(30))
    let end = SimTime.zero + .days(2)
    #expect(sends(schedule, until: end, device: 1) == sends(schedule, until: end, device: 1))
    #expect(sends(schedule, until: end, device: 1) != sends(schedule, until: end, device: 2))
  }

  @Test(arguments: [-720, -480, -210, 0, 60, 330, 540, 840])
  func `local times of day follow the device's clock: none before the start of the run, none left out`(
    minutes: Int
  ) {
    let offset = SimDuration.minutes(Int64(minutes))
    let clock: [SimDuration] = [.zero, .hours(7), .hours(12) + .minutes(30), .hours(23) + .minutes(59)]
    let end = SimTime.zero + .days(9)
    let times = sends(.atLocal(clock), until: end, offset: offset)
    var expected: [SimTime] = []
    for day: Int64 in -3..<13 {
      for time in clock {
        let send = SimTime.zero + .days(day) + time - offset
        if send >= .zero, send <= end { expected.append(send) }
      }
    }
    #expect(times == expected)
    #expect(times.count >= 35)
  }

  @Test func `a local time that falls on the start of the run is sent`() {
    #expect(
      sends(.atLocal([.hours(9)]), until: .zero + .days(1), offset: .hours(9)) == [.zero, .zero + .days(1)])
    let west = sends(.atLocal([.hours(16)]), until: .zero + .hours(23), offset: .hours(-8))
    #expect(west == [.zero])
  }

  @Test func `server times of day are the same for every device`() {
    let clock: [SimDuration] = [.hours(6), .hours(18)]
    let expected = [6, 18, 30, 42].map { SimTime.zero + .hours($0) }
    for offset in [SimDuration.hours(-8), .zero, .hours(14)] {
      #expect(sends(.atServer(clock), until: .zero + .days(2), offset: offset) == expected)
    }
  }

  @Test func `Poisson sends have exponential gaps of their rate`() {
    let days: Int64 = 500
    let times = sends(.poisson(rate: 3 / 3600.0), until: .zero + .days(days))
    #expect(times == times.sorted())
    // Poisson count, α = 10⁻⁶.
    let mean = 3.0 * 24 * Double(days)
    #expect(abs(Double(times.count) - mean) < 4.891638 * mean.squareRoot())
    // Gaps against 1 − exp(−x/20 min): the bound of Dvoretzky, Kiefer, Wolfowitz and Massart at α = 10⁻⁶.
    let gaps = zip(times.dropFirst(), times).map { ($0 - $1).seconds / 1200 }.sorted()
    // A quantile is enough: the share of gaps under the median ln 2.
    let share = Double(gaps.count { $0 < 0.693_147_180_559_945_3 }) / Double(gaps.count)
    #expect(abs(share - 0.5) < (14.508657738524219 / (2 * Double(gaps.count))).squareRoot())
    let far = Double(gaps.count { $0 > 3 * 0.693_147_180_559_945_3 }) / Double(gaps.count)
    #expect(abs(far - 0.125) < (14.508657738524219 / (2 * Double(gaps.count))).squareRoot())
  }

  @Test func `a Poisson rate of zero sends nothing, and devices send at times of their own`() {
    #expect(sends(.poisson(rate: 0), until: .zero + .days(99)) == [])
    let schedule = SendSchedule.poisson(rate: 1 / 3600.0)
    #expect(
      sends(schedule, until: .zero + .days(2), device: 1)
        != sends(schedule, until: .zero + .days(2), device: 2))
  }

  @Test func `each update is sent at its instant`() {
    let updates = minutes([0, 5, 5, 90])
    #expect(sends(.eachUpdate, until: .zero + .days(1), updates: updates) == updates)
    #expect(sends(.eachUpdate, until: .zero + .days(1)) == [])
  }

  @Test func `times from the start are sent as given and end with the last`() {
    let times = sends(.at([.zero, .minutes(7), .hours(3)]), until: .zero + .days(30))
    #expect(times == minutes([0, 7, 180]))
    #expect(sends(.at([]), until: .zero + .days(30)) == [])
    #expect(sends(.atServer([]), until: .zero + .days(30)) == [])
  }
}
