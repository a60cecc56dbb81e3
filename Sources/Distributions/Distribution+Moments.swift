import CPushsim
import Glibc

extension Distribution {
  /// The expectation; infinite for a Pareto of exponent 1 or less.
  public var mean: Double {
    switch storage {
    case .constant(let value): return value
    case .uniform(let low, let high): return low + (high - low) / 2
    case .logUniform(let low, let high): return (high - low) / log(high / low)
    case .exponential(let mean): return mean
    case .gaussian(let mean, _): return mean
    case .lognormal(let zeta, let sigma): return exp(zeta + sigma * sigma / 2)
    case .bernoulli(let p): return p
    case .gamma(let a, let b): return a * b
    case .weibull(let a, let b): return a * exp(gsl_sf_lngamma(1 + 1 / b))
    case .beta(let a, let b, let scale): return scale * a / (a + b)
    case .pareto(let a, let b): return a > 1 ? a * b / (a - 1) : .infinity
    case .poisson(let mean): return mean
    case .negativeBinomial(let p, let n, let plus): return plus + n * (1 - p) / p
    case .geometric(let p): return 1 / p
    case .discrete(let table): return zip(table.values, table.probabilities).reduce(0) { $0 + $1.0 * $1.1 }
    case .empirical(let sample): return sample.values.reduce(0, +) / Double(sample.values.count)
    case .truncated(let truncation): return truncation.mean
    case .capped(let cap): return cap.mean
    case .mixture(let mixture): return mixture.mean
    }
  }

  /// The variance of the distribution (of an empirical one: about its own mean, divided by the number of values);
  /// infinite for a Pareto of exponent 2 or less.
  public var variance: Double {
    switch storage {
    case .constant: return 0
    case .uniform(let low, let high): return (high - low) * (high - low) / 12
    case .logUniform(let low, let high):
      return (high * high - low * low) / (2 * log(high / low)) - mean * mean
    case .exponential(let mean): return mean * mean
    case .gaussian(_, let sigma): return sigma * sigma
    case .lognormal(_, let sigma): return mean * mean * expm1(sigma * sigma)
    case .bernoulli(let p): return p * (1 - p)
    case .gamma(let a, let b): return a * b * b
    case .weibull(_, let b): return mean * mean * weibullSquaredVariation(shape: b)
    case .beta(let a, let b, let scale):
      return scale * scale * a * b / ((a + b) * (a + b) * (a + b + 1))
    case .pareto(let a, let b):
      return a > 2 ? a * b * b / ((a - 1) * (a - 1) * (a - 2)) : .infinity
    case .poisson(let mean): return mean
    case .negativeBinomial(let p, let n, _): return n * (1 - p) / (p * p)
    case .geometric(let p): return (1 - p) / (p * p)
    case .discrete(let table):
      let mean = mean
      return zip(table.values, table.probabilities).reduce(0) { $0 + ($1.0 - mean) * ($1.0 - mean) * $1.1 }
    case .empirical(let sample):
      let mean = mean
      return sample.values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(sample.values.count)
    case .truncated(let truncation): return truncation.variance
    case .capped(let cap): return cap.variance
    case .mixture(let mixture): return mixture.variance
    }
  }

  /// The square root of the ``variance``.
  public var standardDeviation: Double { variance.squareRoot() }

  /// The smallest closed interval that holds all values; its ends may be infinite.
  public var support: ClosedRange<Double> {
    switch storage {
    case .constant(let value): return value...value
    case .uniform(let low, let high), .logUniform(let low, let high): return low...high
    case .exponential, .lognormal, .gamma, .weibull, .poisson: return 0...(.infinity)
    case .gaussian: return -.infinity...(.infinity)
    case .bernoulli(let p): return (p < 1 ? 0 : 1)...(p > 0 ? 1 : 0)
    case .beta(_, _, let scale): return 0...scale
    case .pareto(_, let b): return b...(.infinity)
    case .negativeBinomial(let p, _, let plus): return plus...(p < 1 ? .infinity : plus)
    case .geometric(let p): return 1...(p < 1 ? .infinity : 1)
    case .discrete(let table): return table.values.first!...table.values.last!
    case .empirical(let sample): return sample.values.first!...sample.values.last!
    case .truncated(let truncation):
      let base = truncation.base.support
      return max(base.lowerBound, truncation.low)...min(base.upperBound, truncation.high)
    case .capped(let cap):
      let base = cap.base.support
      return cap.clamp(base.lowerBound)...cap.clamp(base.upperBound)
    case .mixture(let mixture):
      let supports = mixture.parts.map(\.support)
      return supports.map(\.lowerBound).min()!...supports.map(\.upperBound).max()!
    }
  }
}

/// The squared coefficient of variation of a Weibull: Γ(1 + 2/b)/Γ(1 + 1/b)² − 1.
func weibullSquaredVariation(shape b: Double) -> Double {
  expm1(gsl_sf_lngamma(1 + 2 / b) - 2 * gsl_sf_lngamma(1 + 1 / b))
}

/// `x` to the power of 0, 1 or 2.
func power(_ x: Double, _ order: Int) -> Double {
  switch order {
  case 0: 1
  case 1: x
  default: x * x
  }
}

extension Distribution {
  /// E[(X − centre)ᵏ; low < X ≤ high] for k = 1 or 2: what truncations and caps are made of.
  ///
  /// The interval is open below, so that adjacent ones share no atom; whoever wants the lower end passes its
  /// predecessor.
  func partialMoment(_ order: Int, about centre: Double, above low: Double, upTo high: Double) -> Double {
    guard low < high else { return 0 }
    switch storage {
    case .mixture(let mixture):
      return mixture.average { $0.partialMoment(order, about: centre, above: low, upTo: high) }
    case .truncated(let truncation):
      return truncation.base.partialMoment(
        order, about: centre, above: max(low, truncation.low.nextDown), upTo: min(high, truncation.high))
        / truncation.mass
    case .capped(let cap):
      var sum = cap.base.partialMoment(
        order, about: centre, above: max(low, cap.low), upTo: min(high, cap.high))
      if low < cap.low, cap.low <= high {
        sum += atoms(cap.base.cdf(cap.low), cap.low, order, centre)
      }
      if low < cap.high, cap.high <= high {
        sum += atoms(cap.base.upperTail(cap.high), cap.high, order, centre)
      }
      return sum
    default:
      return isDiscrete
        ? sumOfAtoms(order, about: centre, above: low, upTo: high)
        : integralOfQuantile(order, about: centre, above: low, upTo: high)
    }
  }

  /// The sum over the atoms, each found as the quantile just beyond the probability passed so far.
  private func sumOfAtoms(_ order: Int, about centre: Double, above low: Double, upTo high: Double) -> Double
  {
    var sum = 0.0
    var passed = cdf(low)
    let last = cdf(high)
    // Ends: `passed` grows with each atom until nothing is left in doubles.
    while passed < last {
      let x = quantile(passed.nextUp)
      if x > high { break }
      let reached = cdf(x)
      sum += (reached - passed) * power(x - centre, order)
      if reached <= passed { break }
      passed = reached
    }
    return sum
  }

  /// The integral of (Q(u) − centre)ᵏ over the probabilities of the interval, from the median outwards on each side so
  /// that both tails keep their digits.
  private func integralOfQuantile(_ order: Int, about centre: Double, above low: Double, upTo high: Double)
    -> Double
  {
    let from = cdf(low)
    let to = upperTail(high)
    var sum = 0.0
    if from < 0.5 {
      let end = min(0.5, 1 - to)
      sum += integral(from: from, to: end) { power(quantile($0) - centre, order) }
    }
    if to < 0.5 {
      let end = min(0.5, upperTail(low))
      sum += integral(from: to, to: end) { power(upperQuantile($0) - centre, order) }
    }
    return sum
  }
}

/// The integral of `f` over [a, b] by the double exponential rule, which bears a singularity at `a`.
///
/// - Source: Takahasi and Mori, "Double exponential formulas for numerical integration", 1974.
private func integral(from a: Double, to b: Double, of f: (Double) -> Double) -> Double {
  guard b > a else { return 0 }
  let step = 1.0 / 32
  var sum = 0.0
  for node in -195...112 {
    let t = Double(node) * step
    let e = exp(-Double.pi * sinh(t))
    let x = 1 / (1 + e)
    let weight = Double.pi * cosh(t) * x * x * e
    let u = a + (b - a) * x
    // The outermost nodes have weights near 0; where they round onto an end, `f` may be infinite.
    guard weight > 0, u > a || a > 0, u > 0, u < b else { continue }
    let value = f(u)
    if value.isFinite { sum += weight * value }
  }
  return sum * step * (b - a)
}
