import OutputAnalysis
import Testing

@Suite struct WelchDifferenceTests {
  // The reference is scipy.stats.ttest_ind(equal_var=False).confidence_interval().
  @Test func `unequal numbers and variances give the interval of an independent program`() throws {
    let a = [0.52, 0.61, 0.48, 0.57, 0.55]
    let b = [0.70, 0.41, 0.66, 0.59, 0.80, 0.62, 0.49]
    let welch = WelchDifference(a, b, confidence: 0.95)
    let interval = try #require(welch.interval)
    #expect(abs(welch.difference + 0.06400000000000017) < 1e-12)
    #expect(abs(interval.lower + 0.18786965541448053) < 1e-9)
    #expect(abs(interval.upper - 0.05986965541448018) < 1e-9)
  }

  @Test func `values that do not vary have an interval of no width, a single one has none`() {
    #expect(WelchDifference([2, 2], [1, 1, 1]).interval?.halfWidth == 0)
    #expect(WelchDifference([2], [1, 1, 1]).interval == nil)
  }

  @Test func `two shares of which nothing was seen may differ by what their devices cannot tell`() throws {
    func none(_ replications: Int) -> ReplicationSample {
      ReplicationSample(Array(repeating: .init(0, of: 100, units: 100), count: replications), kind: .share)
    }
    let interval = try #require(WelchDifference(none(3), none(10))?.interval)
    // Up to 1 − 0.025^(1/300) for the first alone, and 1 − 0.025^(1/1000) for the second.
    #expect(abs(interval.upper - 0.0122208) < 1e-6 && abs(interval.lower + 0.0036821) < 1e-6)
    // Amounts are Welch's as before.
    let (a, b) = ([1.0, 2, 4], [2.0, 2, 5, 3])
    #expect(
      WelchDifference(ReplicationSample(values: a), ReplicationSample(values: b))?.interval
        == WelchDifference(a, b).interval)
  }
}
