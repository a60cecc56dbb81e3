import Distributions
import PushModel
import PushsimTestSupport
import Quantities
import Testing

struct ContentUpdatesTests {
  private func timeline(_ updates: ContentUpdates, days: Int64, replication: Int = 0) -> [SimTime] {
    updates.timeline(until: .zero + .days(days), StreamFamily(seed: 3, replication: replication))
  }

  private func hour(_ time: SimTime) -> Int { Int(time.microseconds / 3_600_000_000 % 24) }

  @Test func `a daily profile gives each hour of the server's day its share of the mean rate`() {
    // Nothing before six; seven times as much from six to nine as afterwards.
    let weights = (0..<24).map { $0 < 6 ? 0.0 : $0 < 9 ? 7 : 1 }
    let days = 500
    let rate = 36.0
    let times = timeline(.daily(rate: rate / 86_400, weights: weights), days: Int64(days))
    #expect(times == times.sorted())
    // By hour and day: independent, each Poisson.
    var counts = [[Double]](repeating: [Double](repeating: 0, count: days), count: 24)
    for time in times { counts[hour(time)][Int(time.microseconds / 86_400_000_000)] += 1 }
    for hour in 0..<24 {
      let expected = rate * weights[hour] / 36
      if expected == 0 {
        #expect(counts[hour].allSatisfy { $0 == 0 })
      } else {
        #expect(isPlausibleMean(counts[hour], expected), "hour \(hour)")
        // The variance of Poisson counts is their mean: so the gaps are no regular ones.
        let squares = counts[hour].map { ($0 - expected) * ($0 - expected) }
        #expect(isPlausibleMean(squares, expected), "hour \(hour)")
      }
    }
    // Within the hours of one rate the updates are spread evenly.
    let phases = times.map { Double($0.microseconds % 3_600_000_000) / 3.6e9 }
    #expect(isPlausibleMean(phases, 0.5))
  }

  @Test func `only the ratios of the weights count, and each replication has updates of its own`() {
    let weights = (0..<24).map { Double($0) }
    let day = timeline(.daily(rate: 0.001, weights: weights), days: 3)
    let doubled = timeline(.daily(rate: 0.001, weights: weights.map { $0 * 2 }), days: 3)
    #expect(!day.isEmpty && day == doubled)
    #expect(day != timeline(.daily(rate: 0.001, weights: weights), days: 3, replication: 1))
    #expect(timeline(.daily(rate: 0, weights: weights), days: 3) == [])
  }

  @Test func `updates at times of the server's day come every day, up to the end`() {
    let updates = ContentUpdates.atServer([.hours(6), .hours(18)])
    let times = updates.timeline(until: .zero + .hours(54), StreamFamily(seed: 1, replication: 0))
    #expect(times == [6, 18, 30, 42, 54].map { .zero + .hours($0) })
  }
}
