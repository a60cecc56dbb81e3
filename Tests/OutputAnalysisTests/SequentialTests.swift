import Distributions
import OutputAnalysis
import Testing

@Suite struct SequentialPrecisionTests {
  private func normal(_ count: Int, mean: Double = 10, deviation: Double = 1) -> [Double] {
    var stream = StreamFamily(seed: 11, replication: 0).stream(.test)
    return (0..<count).map { _ in mean + deviation * stream.unitGaussian() }
  }

  /// Follows the rule from its first question to its end.
  private func follow(_ rule: SequentialPrecision, _ values: [Double]) -> (
    count: Int, end: SequentialPrecision.Step
  ) {
    var count = 0
    while true {
      switch rule.step(Array(values.prefix(count))) {
      case .more(let next):
        #expect(next > count && next <= rule.maximum)
        count = next
      case let end: return (count, end)
      }
    }
  }

  @Test func `it stops when the interval is within the target, and not before`() throws {
    let values = normal(1000)
    for width in [0.5, 0.2, 0.1] {
      let rule = SequentialPrecision(.absolute(width), maximum: 1000)
      let (count, end) = follow(rule, values)
      #expect(end == .reached)
      let interval = try #require(rule.interval(Array(values.prefix(count))))
      #expect(interval.halfWidth <= width)
      // Not a bare stroke of luck: each of the looks before was enough as well, and long before it was not.
      for before in (count - SequentialPrecision.lookAhead(count))..<count {
        #expect(rule.interval(Array(values.prefix(before)))!.halfWidth <= width)
      }
      if count > 20 { #expect(rule.interval(Array(values.prefix(count / 2)))!.halfWidth > width) }
    }
  }

  @Test func `half the width takes about four times the replications`() {
    let values = normal(2000)
    let wide = follow(SequentialPrecision(.absolute(0.2), maximum: 2000), values).count
    let narrow = follow(SequentialPrecision(.absolute(0.1), maximum: 2000), values).count
    // z² σ²/d² widened is 106 and 424.
    #expect((80...140).contains(wide), "\(wide)")
    #expect((360...500).contains(narrow), "\(narrow)")
  }

  @Test func `a relative target is a share of the mean`() throws {
    let values = normal(1000, mean: -50, deviation: 10)
    let rule = SequentialPrecision(.relative(0.04), maximum: 1000)
    let (count, end) = follow(rule, values)
    #expect(end == .reached)
    let interval = try #require(rule.interval(Array(values.prefix(count))))
    // Of the true mean: wherever in the interval it lies, the estimate is off by at most 4 % of it.
    for mean in [interval.lower, interval.upper] {
      #expect((interval.estimate - mean).magnitude <= 0.04 * mean.magnitude + 1e-12)
    }
  }

  @Test func `within a tenth of the true mean is within an eleventh of the estimate`() throws {
    let rule = SequentialPrecision(.relative(0.1), maximum: 100)
    let width = try #require(rule.targetHalfWidth(at: -110))
    #expect(abs(width - 10) < 1e-12)
    // At an estimate of 110 the true mean may be 100, which 10 is a tenth of; 11 would be more than a tenth of 99.
  }

  @Test func `a share without an event is not known before enough units were seen`() {
    // 3.7 in n are at most 0.1 %, 1.05 times as wide or not, from 3687 units on.
    let none = ReplicationSample(
      [ReplicationSample.Item](repeating: .init(0, of: 200, units: 100), count: 100), kind: .share)
    let rule = SequentialPrecision(.absolute(0.001), maximum: 100)
    #expect(rule.step(none.prefix(15)) != .reached)
    #expect(rule.step(none.prefix(36)) != .reached)
    #expect(rule.step(none.prefix(42)) == .reached)
  }

  @Test func `what cannot be reached ends at the maximum, and says so`() {
    let (count, end) = follow(SequentialPrecision(.absolute(1e-3), maximum: 40), normal(40))
    #expect(count == 40)
    #expect(end == .exhausted)
    // Nothing is a share of 0.
    let zeros = [Double](repeating: 0, count: 30)
    #expect(follow(SequentialPrecision(.relative(0.1), maximum: 30), zeros).end == .exhausted)
    #expect(follow(SequentialPrecision(.absolute(0.1), maximum: 30), zeros) == (15, .reached))
  }

  @Test func `one lucky look does not stop it`() {
    // The 10th value brings the interval within the target for a moment; the next take it out again.
    var values = [Double](repeating: 1, count: 10)
    values += [0, 2, 0, 2, 0, 2, 0, 2, 0, 2]
    let rule = SequentialPrecision(.absolute(0.3), maximum: 20)
    #expect(rule.step(Array(values.prefix(10))) == .more(upTo: 15))
    #expect(follow(rule, values).end == .exhausted)
  }

  @Test func `the interval after the rule is wider than Student's`() throws {
    let values = normal(20)
    let rule = SequentialPrecision(.absolute(1), maximum: 20)
    let student = try #require(MeanEstimate(values).interval)
    let interval = try #require(rule.interval(values))
    #expect(interval.estimate == student.estimate)
    #expect(interval.halfWidth > student.halfWidth)
  }
}

@Suite struct PairedComparisonTests {
  @Test func `together intervals are wider than alone, and as wide for a family of one`() throws {
    let a = [5.0, 7, 9, 4, 6]
    let b = [4.0, 7, 6, 5, 5]
    let alone = PairedComparison(a, b)
    #expect(alone.joint == alone.difference.interval)
    var last = try #require(alone.joint).halfWidth
    for family in [2, 3, 10] {
      let joint = try #require(PairedComparison(a, b, family: family).joint)
      #expect(joint.halfWidth > last)
      #expect(joint.estimate == alone.difference.mean)
      last = joint.halfWidth
    }
  }

  // var a = var b = 1 and the correlation is 0.9, so var (a − b) is 0.2 and the ratio 10; of 4000 pairs the estimate's
  // logarithm has a standard deviation of 0.04, and 6 of them lie outside with 2 · 10⁻⁹.
  @Test func `variance reduction is what the pairs have in common`() throws {
    var stream = StreamFamily(seed: 12, replication: 0).stream(.test)
    var a: [Double] = []
    var b: [Double] = []
    for _ in 0..<4000 {
      let shared = 0.9.squareRoot() * stream.unitGaussian()
      a.append(shared + 0.1.squareRoot() * stream.unitGaussian())
      b.append(shared + 0.1.squareRoot() * stream.unitGaussian())
    }
    let comparison = PairedComparison(a, b)
    let ratio = try #require(comparison.varianceReduction)
    #expect((8...12.5).contains(ratio), "\(ratio)")
    #expect(comparison.equivalentIndependentReplications == ratio * 4000)
  }

  @Test func `what does not vary has no ratio`() {
    #expect(PairedComparison([1, 2, 3], [0, 1, 2]).varianceReduction == nil)
    #expect(PairedComparison([1], [0]).varianceReduction == nil)
    // In the last digit only.
    let values = [0.1, 0.2, 0.3, 0.7]
    #expect(PairedComparison(values.map { $0 + 0.1 }, values).varianceReduction == nil)
    #expect(PairedComparison([1], [0]).joint == nil)
  }
}

@Suite struct KimNelsonTests {
  /// Selects among normal systems that share a part of their randomness.
  private func select(
    means: [Double], indifference: Double, shared: Double = 0, goal: KimNelson.Goal = .highest, trial: Int = 0
  ) -> KimNelson {
    var stream = StreamFamily(seed: 13, replication: trial).stream(.test)
    var procedure = KimNelson(systems: means.count, indifference: indifference, goal: goal)
    while procedure.best == nil {
      let common = shared * stream.unitGaussian()
      procedure.add(means.map { $0 + common + stream.unitGaussian() })
    }
    return procedure
  }

  @Test func `far apart it takes the first stage only, and each system is left out once`() {
    let procedure = select(means: [1, 50, 3, 20], indifference: 1)
    #expect(procedure.best == 1)
    #expect(procedure.count == 10)
    #expect(procedure.eliminated.map(\.system) == [0, 2, 3])
    #expect(procedure.eliminated.allSatisfy { $0.count == 10 })
    #expect(select(means: [1, 50, 3, 20], indifference: 1, goal: .lowest).best == 0)
  }

  @Test func `what systems share does not slow it down`() {
    let means = [0.0, 0.5]
    let own = select(means: means, indifference: 0.5)
    let common = select(means: means, indifference: 0.5, shared: 100)
    // The same individual draws are not to be had, but the same order of magnitude is.
    #expect(common.count < 10 * own.count)
  }

  @Test func `it ends even if nothing tells the systems apart`() {
    var procedure = KimNelson(systems: 3, indifference: 0.1)
    for _ in 0..<10 { procedure.add([1, 1, 1]) }
    #expect(procedure.best == 0)
    #expect(procedure.eliminated.map(\.system) == [1, 2])
    // Nothing is looked at any more.
    procedure.add([.nan, .nan, .nan])
    #expect(procedure.count == 10)
  }

  @Test func `a system is left out when it is behind by the allowance of the procedure`() {
    // Differences of 1 and −1 in the first stage have the variance 10/9, and then the second is half ahead each time. With
    // h²S² from η, its lead of (n − 10)/2 passes the allowance δ/2 · (h²S²/δ² − n) first at this n.
    let indifference = 0.5
    let eta = KimNelson.eta(systems: 2, confidence: 0.95, firstStage: 10)
    let spread = 2 * eta * 9 * 10 / 9
    let bound = (5 + spread / (2 * indifference)) / (0.5 + indifference / 2)
    var procedure = KimNelson(systems: 2, indifference: indifference)
    for number in 0..<10 { procedure.add([number.isMultiple(of: 2) ? 1.0 : -1, 0]) }
    while procedure.best == nil { procedure.add([0, 0.5]) }
    #expect(procedure.best == 1)
    #expect(procedure.count == Int(bound) + 1, "\(bound)")
  }

  @Test func `systems of which nothing was seen are not selected among at once`() {
    var procedure = KimNelson(systems: 2, indifference: 0.002, kind: .share)
    let none = ReplicationSample.Item(0, of: 100, units: 100)
    for _ in 0..<10 { procedure.add([none, none]) }
    #expect(procedure.best == nil)
    // One that has the event in 1 % of its units is found, though it had none in the first stage.
    while procedure.best == nil { procedure.add([none, ReplicationSample.Item(1, of: 100, units: 100)]) }
    #expect(procedure.best == 1)
  }

  @Test func `ratios are compared as ratios of sums`() {
    // The mean of the second's ratios is the greater, the ratio of its sums the smaller.
    var procedure = KimNelson(systems: 2, indifference: 0.1)
    var number = 0
    while procedure.best == nil {
      let isLarge = number.isMultiple(of: 2)
      procedure.add([
        ReplicationSample.Item(isLarge ? 50 : 0.5, of: isLarge ? 100 : 1),
        ReplicationSample.Item(isLarge ? 20 : 1, of: isLarge ? 100 : 1),
      ])
      number += 1
    }
    #expect(procedure.best == 0)
  }

  // The least favourable case: all others behind by just the indifference. 200 trials, at least 95 % of them right: a
  // procedure that keeps its word fails below 173 with 10⁻⁶.
  @Test func `it selects rightly as often as it says`() {
    let right = (0..<200).count { select(means: [0, 0, 0.5, 0], indifference: 0.5, trial: $0).best == 2 }
    #expect(right >= 173, "\(right) of 200")
  }
}
