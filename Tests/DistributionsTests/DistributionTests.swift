import Distributions
import Testing

@Suite struct DistributionTests {
  /// The average over the midpoints of equal steps of probability: knows the quantiles and nothing else.
  private static func average(_ distribution: Distribution, of f: (Double) -> Double) -> Double {
    let steps = distribution.family == "mixture" || distribution.family == "truncated" ? 4000 : 20_000
    var sum = 0.0
    for step in 0..<steps { sum += f(distribution.quantile((Double(step) + 0.5) / Double(steps))) }
    return sum / Double(steps)
  }

  private static func sample(_ distribution: Distribution, item: UInt32) -> [Double] {
    var stream = testStream(item)
    return (0..<sampleSize).map { _ in distribution.draw(&stream) }
  }

  @Test(arguments: DistributionCase.all)
  func `draws follow the distribution function`(tested: DistributionCase) {
    let sample = Self.sample(tested.distribution, item: 100)
    #expect(distance(of: sample, from: tested.distribution.cdf) < dkwBound(sampleSize))
  }

  @Test(arguments: DistributionCase.all)
  func `draws stay within the support`(tested: DistributionCase) {
    let support = tested.distribution.support
    for x in Self.sample(tested.distribution, item: 101) where !support.contains(x) {
      Issue.record("\(x) is outside \(support)")
    }
  }

  // The bounds come from the normal approximation, widened by half for skewed distributions.
  @Test(arguments: DistributionCase.all)
  func `draws have the mean and the variance of the distribution`(tested: DistributionCase) {
    let distribution = tested.distribution
    let sample = Self.sample(distribution, item: 102)
    let count = Double(sampleSize)
    let mean = sample.reduce(0, +) / count
    let meanBound = 1.5 * zAlpha * distribution.standardDeviation / count.squareRoot()
    let rounding = 1e-9 * (1 + distribution.mean.magnitude)
    #expect((mean - distribution.mean).magnitude <= meanBound + rounding)
    if tested.isHeavyTailed { return }
    let about = distribution.mean
    let variance = sample.reduce(0) { $0 + ($1 - about) * ($1 - about) } / count
    let fourth = Self.average(distribution) { x in
      let square = (x - about) * (x - about)
      return square * square
    }
    let spread = max(fourth * 1.1 - distribution.variance * distribution.variance, 0).squareRoot()
    let varianceBound = 1.5 * zAlpha * spread / count.squareRoot()
    #expect((variance - distribution.variance).magnitude <= varianceBound + rounding * rounding)
  }

  // The moments are formulas or integrals; the midpoint rule over quantiles knows neither.
  @Test(arguments: DistributionCase.all)
  func `the mean and the variance are the averages over the quantiles`(tested: DistributionCase) {
    let distribution = tested.distribution
    let mean = Self.average(distribution) { $0 }
    let deviation = distribution.standardDeviation
    #expect((mean - distribution.mean).magnitude <= 0.002 * deviation + 1e-12)
    if tested.isHeavyTailed { return }
    let about = distribution.mean
    let variance = Self.average(distribution) { ($0 - about) * ($0 - about) }
    #expect((variance - distribution.variance).magnitude <= 0.01 * distribution.variance + 1e-12)
  }

  @Test(arguments: DistributionCase.all)
  func `a quantile is the smallest value whose probability reaches its level`(tested: DistributionCase) {
    let distribution = tested.distribution
    for step in 1..<200 {
      let p = Double(step) / 200
      let x = distribution.quantile(p)
      // Formulas for quantiles are rounded, so a value may miss its level by a few ulps.
      #expect(distribution.cdf(x) >= p - 1e-10, "level \(p)")
      let before = x - 1e-6 * max(x.magnitude, 1e-3)
      #expect(distribution.cdf(before) <= p + 1e-10, "level \(p)")
    }
  }

  @Test(arguments: DistributionCase.all)
  func `the quantile of a value's probability is the value`(tested: DistributionCase) {
    let distribution = tested.distribution
    let support = distribution.support
    for step in 1..<100 {
      let x = distribution.quantile(Double(step) / 100)
      let back = distribution.quantile(distribution.cdf(x))
      #expect((back - x).magnitude <= 1e-9 * max(x.magnitude, distribution.standardDeviation), "value \(x)")
    }
    #expect(distribution.quantile(0) == support.lowerBound)
    #expect(distribution.quantile(1) == support.upperBound)
  }

  @Test(arguments: DistributionCase.all)
  func `the distribution function grows from 0 to 1 over the support`(tested: DistributionCase) {
    let distribution = tested.distribution
    let support = distribution.support
    #expect(distribution.cdf(-.infinity) == 0)
    #expect(distribution.cdf(.infinity) == 1)
    #expect(distribution.cdf(support.upperBound) == 1)
    #expect(distribution.cdf(support.lowerBound.nextDown) == 0)
    let low = distribution.quantile(0.001)
    let high = distribution.quantile(0.999)
    var last = 0.0
    for step in 0...1000 {
      let value = distribution.cdf(low + (high - low) * Double(step) / 1000)
      #expect(value >= last - 1e-15)
      last = value
    }
  }

  @Test(arguments: DistributionCase.all)
  func `equal seeds give equal draws and a draw depends on its stream alone`(tested: DistributionCase) {
    var a = testStream(103)
    let first = (0..<50).map { _ in tested.distribution.draw(&a) }
    // Draws from another stream in between must not show.
    var b = testStream(103)
    var other = testStream(104)
    let second = (0..<50).map { _ in
      _ = tested.distribution.draw(&other)
      return tested.distribution.draw(&b)
    }
    #expect(first == second)
  }

  @Test(arguments: DistributionCase.all)
  func `a distribution equals itself alone among the cases`(tested: DistributionCase) {
    let equal = DistributionCase.all.filter { $0.distribution == tested.distribution }
    #expect(equal.map(\.name) == [tested.name])
  }

  @Test func `distributions made twice from the same data are equal`() throws {
    let values = [1.0, 2, 3]
    #expect(try Distribution.empirical(values) == .empirical([3, 2, 1]))
    #expect(
      try Distribution.discrete(values: values, weights: [1, 2, 1])
        == .discrete(values: [1, 2, 2, 3], weights: [2, 2, 2, 2]))
    let base = try Distribution.exponential(mean: 1)
    #expect(try Distribution.capped(base, high: 2) == .capped(base, high: 2))
    #expect(try Distribution.truncated(base, high: 2) == .truncated(base, high: 2))
    #expect(
      try Distribution.mixture([(1, base), (1, .constant(1))]) == .mixture([(2, base), (2, .constant(1))]))
  }

  @Test func `a constant takes nothing from the stream`() {
    var drawn = testStream(105)
    var untouched = testStream(105)
    #expect(Distribution.constant(4).draw(&drawn) == 4)
    #expect(drawn.bits() == untouched.bits())
  }

  @Test(arguments: ["uniform", "log-uniform", "exponential", "weibull", "pareto", "geometric"])
  func `a draw by inversion takes one uniform`(name: String) {
    let tested = DistributionCase.all.first { $0.name.hasPrefix(name) }!
    var drawn = testStream(106)
    var reference = testStream(106)
    for _ in 0..<100 {
      _ = tested.distribution.draw(&drawn)
      _ = reference.uniform()
    }
    #expect(drawn.bits() == reference.bits())
  }

  @Test func `only distributions of one value are constant and only those of atoms are discrete`() throws {
    let exponential = try Distribution.exponential(mean: 1)
    #expect(Distribution.constant(1).isConstant)
    #expect(try Distribution.bernoulli(p: 1).isConstant)
    #expect(try Distribution.geometric(p: 1).isConstant)
    #expect(try Distribution.capped(exponential, low: 2, high: 2).isConstant)
    #expect(!exponential.isConstant)
    #expect(try Distribution.poisson(mean: 1).isDiscrete)
    #expect(try Distribution.capped(.poisson(mean: 1), high: 2).isDiscrete)
    #expect(!exponential.isDiscrete)
    #expect(try !Distribution.capped(exponential, high: 2).isDiscrete)
    #expect(try !Distribution.mixture([(1, exponential), (1, .constant(1))]).isDiscrete)
  }

  // A mean of 10 cut at 30: E = 10·(1 − e⁻³), and E[X²] = 2·100·(1 − 4e⁻³).
  @Test func `an exponential cap has its closed-form moments`() throws {
    let capped = try Distribution.capped(.exponential(mean: 10), high: 30)
    let tail = 0.049787068367863944
    let mean = 10 * (1 - tail)
    #expect((capped.mean - mean).magnitude < 1e-12)
    #expect((capped.variance - (200 * (1 - 4 * tail) - mean * mean)).magnitude < 1e-9)
  }

  // The half-normal: mean √(2/π), variance 1 − 2/π.
  @Test func `a gaussian above its mean has the half-normal's moments`() throws {
    let half = try Distribution.truncated(.gaussian(mean: 0, sigma: 1), low: 0)
    #expect((half.mean - (2 / Double.pi).squareRoot()).magnitude < 1e-12)
    #expect((half.variance - (1 - 2 / Double.pi)).magnitude < 1e-12)
  }

  // Without memory: beyond 20 it starts anew.
  @Test func `an exponential above a bound is the exponential from the bound`() throws {
    let rest = try Distribution.truncated(.exponential(mean: 2), low: 20)
    #expect((rest.mean - 22).magnitude < 1e-11)
    #expect((rest.variance - 4).magnitude < 1e-10)
  }

  @Test func `a pareto of a small exponent has infinite moments`() throws {
    #expect(try Distribution.pareto(a: 1, b: 1).mean == .infinity)
    #expect(try Distribution.pareto(a: 2, b: 1).variance == .infinity)
  }
}
