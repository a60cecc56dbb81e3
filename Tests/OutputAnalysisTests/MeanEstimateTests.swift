import Distributions
import OutputAnalysis
import Testing

private func expectClose(_ a: Double?, _ b: Double, _ relative: Double = 1e-9) {
  guard let a else {
    Issue.record("no value, expected \(b)")
    return
  }
  #expect((a - b).magnitude <= relative * b.magnitude)
}

@Suite struct MeanEstimateTests {
  // Tables of Student's t; 1 and 2 degrees of freedom have closed forms.
  @Test(
    arguments: [
      (0.95, 1, 12.706204736432095), (0.90, 2, 2.9199855803537256), (0.95, 4, 2.7764451051977987),
      (0.95, 9, 2.2621571627409915), (0.99, 29, 2.756385903670335), (0.95, 100_000, 1.9599877075),
    ] as [(Double, Int, Double)])
  func `the quantile is that of student's tables`(confidence: Double, degrees: Int, table: Double) {
    expectClose(studentQuantile(confidence: confidence, degreesOfFreedom: degrees), table)
  }

  // Five values 1...5: mean 3, variance 2.5, half-width 2.7764 · √(2.5/5).
  @Test func `an interval has its closed form`() {
    let estimate = MeanEstimate([1, 2, 3, 4, 5], confidence: 0.95)
    #expect(estimate.mean == 3)
    #expect(estimate.count == 5)
    expectClose(estimate.standardDeviation, 2.5.squareRoot())
    expectClose(estimate.interval?.halfWidth, 2.7764451051977987 * 0.5.squareRoot())
    #expect(estimate.interval?.estimate == 3)
    #expect(estimate.interval?.confidence == 0.95)
    expectClose(estimate.interval?.lower, 3 - 1.9632431614775139)
    expectClose(estimate.interval?.upper, 3 + 1.9632431614775139)
  }

  @Test func `one replication has a mean and no interval`() {
    let estimate = MeanEstimate([7])
    #expect(estimate.mean == 7)
    #expect(estimate.interval == nil)
    #expect(estimate.standardDeviation == nil)
  }

  @Test func `equal replications have an interval of no width`() {
    let interval = MeanEstimate([0.1, 0.1, 0.1]).interval
    #expect(interval?.halfWidth == 0)
    #expect(interval?.contains(0.1) == true)
  }

  @Test func `an interval contains its ends and nothing beyond`() {
    let interval = ConfidenceInterval(estimate: 2, halfWidth: 1, confidence: 0.9)
    #expect(interval.contains(1))
    #expect(interval.contains(3))
    #expect(!interval.contains(1.0.nextDown))
    #expect(!interval.contains(3.0.nextUp))
  }

  @Test func `a paired difference is the estimate of the differences`() {
    let a = [5.0, 7, 9, 4]
    let b = [4.0, 7, 6, 5]
    #expect(
      MeanEstimate.pairedDifference(a, b, confidence: 0.9) == MeanEstimate([1, 0, 3, -1], confidence: 0.9))
  }

  @Test func `what paired replications share falls out of the difference`() throws {
    var stream = StreamFamily(seed: 3, replication: 0).stream(.test)
    let shared = (0..<20).map { _ in 100 * stream.unitGaussian() }
    let a = shared.map { $0 + 1 }
    let difference = MeanEstimate.pairedDifference(a, shared)
    expectClose(difference.mean, 1)
    #expect(difference.interval!.halfWidth < 1e-9)
  }

  /// The fewest and most of `trials` that happen with probability `p`, outside of which lies at most 10⁻⁶.
  private func binomialBounds(_ trials: Int, _ p: Double) -> ClosedRange<Int> {
    var terms = [Double](repeating: 0, count: trials + 1)
    terms[0] = 1
    for _ in 0..<trials {
      for k in stride(from: trials, through: 1, by: -1) { terms[k] = terms[k] * (1 - p) + terms[k - 1] * p }
      terms[0] *= 1 - p
    }
    var low = 0
    var high = trials
    var below = terms[0]
    while below <= 0.5e-6 {
      low += 1
      below += terms[low]
    }
    var above = terms[trials]
    while above <= 0.5e-6 {
      high -= 1
      above += terms[high]
    }
    return low...high
  }

  // The interval is exact for normal values, so the misses are binomial; false-alarm rate 10⁻⁶ an assertion.
  @Test(arguments: [(2, 0.95), (5, 0.95), (5, 0.5), (20, 0.8)])
  func `intervals of normal replications cover the mean as often as they say`(count: Int, confidence: Double)
  {
    let experiments = 1000
    var covered = 0
    for experiment in 0..<experiments {
      var stream = StreamFamily(seed: 4, replication: experiment).stream(.test, item: UInt32(count))
      let values = (0..<count).map { _ in 10 + 3 * stream.unitGaussian() }
      if MeanEstimate(values, confidence: confidence).interval!.contains(10) { covered += 1 }
    }
    let bounds = binomialBounds(experiments, confidence)
    #expect(bounds.contains(covered), "\(covered) outside \(bounds)")
  }

  @Test func `intervals of paired differences cover the difference as often as they say`() {
    let experiments = 1000
    var covered = 0
    for experiment in 0..<experiments {
      var stream = StreamFamily(seed: 5, replication: experiment).stream(.test)
      var a: [Double] = []
      var b: [Double] = []
      for _ in 0..<6 {
        let shared = 5 * stream.unitGaussian()
        a.append(2 + shared + stream.unitGaussian())
        b.append(shared + stream.unitGaussian())
      }
      if MeanEstimate.pairedDifference(a, b, confidence: 0.9).interval!.contains(2) { covered += 1 }
    }
    let bounds = binomialBounds(experiments, 0.9)
    #expect(bounds.contains(covered), "\(covered) outside \(bounds)")
  }

  @Test func `a mean of nothing or of no numbers stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = MeanEstimate([]) }
    await #expect(processExitsWith: .failure) { _ = MeanEstimate([1, .nan]) }
    await #expect(processExitsWith: .failure) { _ = MeanEstimate.pairedDifference([1, 2], [1]) }
  }
}

@Suite struct MomentsTests {
  @Test func `moments of few numbers are missing where they mean nothing`() {
    var moments = Moments()
    #expect(moments.count == 0)
    #expect(moments.mean == nil)
    #expect(moments.variance == nil)
    moments.add(4)
    #expect(moments.mean == 4)
    #expect(moments.variance == nil)
    #expect(moments.standardError == nil)
    moments.add(6)
    #expect(moments.mean == 5)
    #expect(moments.variance == 2)
    #expect(moments.standardError == 1)
  }

  // Sums of squares of such numbers lose all digits of the variance.
  @Test func `a variance far from zero keeps its digits`() {
    let moments = Moments((0..<1000).map { 1e9 + Double($0 % 2) })
    expectClose(moments.variance, 0.25 * 1000 / 999, 1e-6)
  }

  @Test(arguments: [0, 1, 500, 999, 1000])
  func `merged parts have the moments of the whole`(split: Int) {
    var stream = StreamFamily(seed: 6, replication: 0).stream(.test)
    let values = (0..<1000).map { _ in 50 + stream.unitGaussian() }
    var merged = Moments(Array(values[..<split]))
    merged.merge(Moments(Array(values[split...])))
    let whole = Moments(values)
    #expect(merged.count == 1000)
    expectClose(merged.mean, whole.mean!, 1e-12)
    expectClose(merged.variance, whole.variance!, 1e-10)
  }
}

@Suite struct ReplicationSampleTests {
  @Test func `the estimate is the ratio of sums, and a replication without a whole counts with its part`()
    throws
  {
    let sample = ReplicationSample([.init(2, of: 4), .init(3, of: 0), .init(1, of: 8)])
    #expect(sample.values == [0.5, nil, 0.125])
    #expect(sample.estimate == 0.5)
    let values = try #require(sample.linearised)
    // (part − 0.5 · whole) over the mean whole of 4.
    #expect(values == [0.5, 1.25, -0.25])
    let mean = try #require(MeanEstimate(sample))
    #expect(mean.mean == 0.5 && mean.count == 3)
    // The delta method: √(Σ(p − Rw)²/(n − 1)/n) over the mean whole.
    let error = ((0 + 9 + 9) / 2.0 / 3).squareRoot() / 4
    #expect(abs(mean.interval!.halfWidth - 4.30265 * error) < 1e-4)
    #expect(ReplicationSample([.init(3, of: 0)]).estimate == nil)
  }

  @Test func `values that weigh the same are what they were`() {
    let values = [0.1, 0.2, 0.7, 0.3]
    let sample = ReplicationSample(values: values)
    #expect(sample.linearised == values && sample.estimate == MeanEstimate(values).mean)
    #expect(MeanEstimate(sample) == MeanEstimate(values))
  }

  @Test func `samples are paired by place, whatever is missing where`() throws {
    // Each lacks another replication, which the other has; the ratios are 4 and 4.
    let a = ReplicationSample([.init(0, of: 0), .init(5, of: 1), .init(3, of: 1), .init(4, of: 1)])
    let b = ReplicationSample([.init(7, of: 1), .init(0, of: 0), .init(2, of: 1), .init(3, of: 1)])
    let comparison = try #require(PairedComparison(a, b))
    #expect(comparison.difference.count == 4)
    #expect(abs(comparison.difference.mean) < 1e-12)
    // Each replication adds (part − 4 · whole)/0.75: 0, 4/3, −4/3, 0 less 4, 0, −8/3, −4/3.
    #expect(abs(comparison.difference.standardDeviation! - 8.0 / 3) < 1e-12)
    #expect(PairedComparison(a, ReplicationSample(Array(repeating: .init(0, of: 0), count: 4))) == nil)
  }

  @Test func `of nothing seen the limits are Clopper and Pearson's, and many events are Student's`() throws {
    func sample(_ events: [Double]) -> ReplicationSample {
      ReplicationSample(events.map { .init($0, of: 100, units: 100) }, kind: .share)
    }
    let none = try #require(MeanEstimate(sample([0, 0, 0]))?.interval)
    #expect(none.lower == 0 && abs(none.upper - 0.0122208) < 1e-6)
    #expect(none.halfWidth == none.upper)
    let all = try #require(MeanEstimate(sample([100, 100, 100]))?.interval)
    #expect(all.upper == 1 && abs(all.lower - 0.9877792) < 1e-6)
    // One of 300: 0.0000844 and 0.0184 by a table, but Student's interval reaches down to 0.
    let one = try #require(MeanEstimate(sample([0, 1, 0]))?.interval)
    #expect(one.lower == 0 && abs(one.upper - 0.0184349) < 1e-5)
    let many = sample([20, 31, 25])
    #expect(
      abs(MeanEstimate(many)!.interval!.halfWidth - MeanEstimate(many.linearised!).interval!.halfWidth)
        < 1e-12)
    // A rate: Garwood's 3.689 events.
    let rate = ReplicationSample([.init(0, of: 50), .init(0, of: 50)], kind: .rate)
    #expect(abs(MeanEstimate(rate)!.interval!.upper - 0.0368888) < 1e-6)
  }

  @Test func `numbers of a file that are too large say nothing, and do not trap`() {
    let large = ReplicationSample(values: [1e308, -1e308])
    #expect(large.estimate == nil && MeanEstimate(large) == nil)
    let shares = ReplicationSample([.init(5, of: 1, units: 9), .init(7, of: 1, units: 9)], kind: .share)
    #expect(
      MeanEstimate.pairedDifference(
        shares, ReplicationSample([.init(0, of: 1), .init(0, of: 1)], kind: .share)) != nil)
    #expect(MeanEstimate(shares) != nil)
  }
}
