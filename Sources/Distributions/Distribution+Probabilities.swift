import CGSL
import Glibc

extension Distribution {
  /// P(X ≤ `x`); continuous from the right.
  ///
  /// - Precondition: `x` is a number.
  public func cdf(_ x: Double) -> Double {
    precondition(!x.isNaN, "the distribution function of NaN was asked")
    if x == .infinity { return 1 }
    if x == -.infinity { return 0 }
    switch storage {
    case .constant(let value): return x >= value ? 1 : 0
    case .uniform(let low, let high): return min(max((x - low) / (high - low), 0), 1)
    case .logUniform(let low, let high):
      return x <= low ? 0 : min(log(x / low) / log(high / low), 1)
    case .exponential(let mean): return x <= 0 ? 0 : -expm1(-x / mean)
    case .gaussian(let mean, let sigma): return gsl_cdf_ugaussian_P((x - mean) / sigma)
    case .lognormal(let zeta, let sigma): return x <= 0 ? 0 : gsl_cdf_ugaussian_P((log(x) - zeta) / sigma)
    case .bernoulli(let p): return x < 0 ? 0 : x < 1 ? 1 - p : 1
    case .gamma(let a, let b): return x <= 0 ? 0 : gsl_cdf_gamma_P(x, a, b)
    case .weibull(let a, let b): return x <= 0 ? 0 : gsl_cdf_weibull_P(x, a, b)
    case .beta(let a, let b, let scale):
      return x <= 0 ? 0 : x >= scale ? 1 : gsl_cdf_beta_P(x / scale, a, b)
    case .pareto(let a, let b): return x <= b ? 0 : gsl_cdf_pareto_P(x, a, b)
    case .poisson(let mean): return x < 0 ? 0 : gsl_cdf_poisson_P(wholeCount(x), mean)
    case .negativeBinomial(let p, let n, let plus):
      return x < plus ? 0 : gsl_cdf_negative_binomial_P(wholeCount(x - plus), p, n)
    case .geometric(let p): return x < 1 ? 0 : gsl_cdf_geometric_P(wholeCount(x), p)
    case .discrete(let table):
      let count = firstIndex(in: table.values) { $0 > x }
      return count == 0 ? 0 : table.cumulative[count - 1]
    case .empirical(let sample): return Double(sample.count(upTo: x)) / Double(sample.values.count)
    case .truncated(let truncation): return truncation.cdf(x)
    case .capped(let cap): return x < cap.low ? 0 : x >= cap.high ? 1 : cap.base.cdf(x)
    case .mixture(let mixture): return min(mixture.average { $0.cdf(x) }, 1)
    }
  }

  /// The smallest value whose ``cdf(_:)`` reaches `p`; the ends of the ``support`` for 0 and 1.
  ///
  /// - Precondition: `p` is from 0 to 1.
  public func quantile(_ p: Double) -> Double {
    precondition(p >= 0 && p <= 1, "a quantile's level must be from 0 to 1, got \(p)")
    if p == 0 { return support.lowerBound }
    if p == 1 { return support.upperBound }
    switch storage {
    case .constant(let value): return value
    case .uniform(let low, let high): return low + (high - low) * p
    case .logUniform(let low, let high): return min(max(low * exp(p * log(high / low)), low), high)
    case .exponential(let mean): return -mean * log1p(-p)
    case .gaussian(let mean, let sigma): return mean + sigma * gsl_cdf_ugaussian_Pinv(p)
    case .lognormal(let zeta, let sigma): return exp(zeta + sigma * gsl_cdf_ugaussian_Pinv(p))
    case .bernoulli(let successes): return p <= 1 - successes ? 0 : 1
    case .gamma(let a, let b): return orBySearch(gsl_cdf_gamma_Pinv(p, a, b), p)
    case .weibull(let a, let b): return gsl_cdf_weibull_Pinv(p, a, b)
    case .beta(let a, let b, let scale): return orBySearch(scale * gsl_cdf_beta_Pinv(p, a, b), p)
    case .pareto(let a, let b): return gsl_cdf_pareto_Pinv(p, a, b)
    case .poisson, .negativeBinomial, .geometric: return quantileOfCount(p)
    case .discrete(let table):
      let index = firstIndex(in: table.cumulative) { $0 >= p }
      return table.values[min(index, table.values.count - 1)]
    case .empirical(let sample):
      let count = sample.values.count
      // The product may round to a neighbour: the definition decides.
      var index = min(max(Int((p * Double(count)).rounded(.up)) - 1, 0), count - 1)
      while index > 0, Double(index) / Double(count) >= p { index -= 1 }
      while index < count - 1, Double(index + 1) / Double(count) < p { index += 1 }
      return sample.values[index]
    case .truncated(let truncation): return truncation.quantile(p)
    case .capped(let cap): return cap.clamp(cap.base.quantile(p))
    case .mixture(let mixture):
      let candidates = mixture.parts.map { $0.quantile(p) }
      return quantileBySearch(p, from: candidates.min()!, to: candidates.max()!)
    }
  }

  /// P(X > `x`), which keeps its digits where ``cdf(_:)`` is next to 1.
  func upperTail(_ x: Double) -> Double {
    if x == .infinity { return 0 }
    if x == -.infinity { return 1 }
    switch storage {
    case .exponential(let mean): return x <= 0 ? 1 : exp(-x / mean)
    case .gaussian(let mean, let sigma): return gsl_cdf_ugaussian_Q((x - mean) / sigma)
    case .lognormal(let zeta, let sigma): return x <= 0 ? 1 : gsl_cdf_ugaussian_Q((log(x) - zeta) / sigma)
    case .gamma(let a, let b): return x <= 0 ? 1 : gsl_cdf_gamma_Q(x, a, b)
    case .weibull(let a, let b): return x <= 0 ? 1 : gsl_cdf_weibull_Q(x, a, b)
    case .beta(let a, let b, let scale): return x <= 0 ? 1 : x >= scale ? 0 : gsl_cdf_beta_Q(x / scale, a, b)
    case .pareto(let a, let b): return x <= b ? 1 : gsl_cdf_pareto_Q(x, a, b)
    case .poisson(let mean): return x < 0 ? 1 : gsl_cdf_poisson_Q(wholeCount(x), mean)
    case .negativeBinomial(let p, let n, let plus):
      return x < plus ? 1 : gsl_cdf_negative_binomial_Q(wholeCount(x - plus), p, n)
    case .geometric(let p): return x < 1 ? 1 : gsl_cdf_geometric_Q(wholeCount(x), p)
    case .capped(let cap): return x < cap.low ? 1 : x >= cap.high ? 0 : cap.base.upperTail(x)
    case .mixture(let mixture): return mixture.average { $0.upperTail(x) }
    case .constant, .uniform, .logUniform, .bernoulli, .discrete, .empirical, .truncated: return 1 - cdf(x)
    }
  }

  /// The value that is exceeded with probability `q`.
  func upperQuantile(_ q: Double) -> Double {
    if q <= 0 { return support.upperBound }
    switch storage {
    case .exponential(let mean): return -mean * log(q)
    case .gaussian(let mean, let sigma): return mean + sigma * gsl_cdf_ugaussian_Qinv(q)
    case .lognormal(let zeta, let sigma): return exp(zeta + sigma * gsl_cdf_ugaussian_Qinv(q))
    case .gamma(let a, let b): return orBySearch(gsl_cdf_gamma_Qinv(q, a, b), 1 - q)
    case .weibull(let a, let b): return gsl_cdf_weibull_Qinv(q, a, b)
    case .beta(let a, let b, let scale): return orBySearch(scale * gsl_cdf_beta_Qinv(q, a, b), 1 - q)
    case .pareto(let a, let b): return gsl_cdf_pareto_Qinv(q, a, b)
    default: return quantile(1 - q)
    }
  }

  /// Whether ``quantile(_:)`` is a formula, not a search.
  var hasClosedQuantile: Bool {
    switch storage {
    case .constant, .uniform, .logUniform, .exponential, .gaussian, .lognormal, .weibull, .pareto: true
    case .bernoulli, .discrete, .empirical: true
    case .gamma, .beta, .poisson, .negativeBinomial, .geometric, .mixture: false
    case .truncated(let truncation): truncation.base.hasClosedQuantile
    case .capped(let cap): cap.base.hasClosedQuantile
    }
  }
}

extension Distribution {
  /// GSL's inverse, or a search where GSL's iteration has failed: it returns NaN or has stopped short.
  private func orBySearch(_ found: Double, _ p: Double) -> Double {
    if found.isFinite, (cdf(found) - p).magnitude <= 1e-10 { return found }
    var high = max(mean, .leastNormalMagnitude)
    while cdf(high) < p, high < .greatestFiniteMagnitude / 2 { high *= 2 }
    return quantileBySearch(p, from: support.lowerBound, to: min(high, support.upperBound))
  }

  /// The smallest double in the bracket whose cdf reaches `p`, by bisection over doubles in their order.
  private func quantileBySearch(_ p: Double, from low: Double, to high: Double) -> Double {
    var below = orderedBits(low)
    var reaching = orderedBits(high)
    if cdf(low) >= p { return low }
    // Ends: each turn halves the distance of two 64-bit numbers.
    while below + 1 < reaching {
      // The mean, rounded down, of numbers whose difference may not fit.
      let middle = (below >> 1) + (reaching >> 1) + (below & reaching & 1)
      if cdf(fromOrderedBits(middle)) >= p { reaching = middle } else { below = middle }
    }
    return fromOrderedBits(reaching)
  }

  /// The smallest whole number whose cdf reaches `p`.
  private func quantileOfCount(_ p: Double) -> Double {
    let first = support.lowerBound
    var width = 1.0
    // Ends: the cdf is 1 in doubles long before 2³².
    while cdf(first + width) < p, width < 0x1p32 { width *= 2 }
    var below = -1.0
    var reaching = width
    while reaching - below > 1 {
      let middle = ((below + reaching) / 2).rounded(.down)
      if cdf(first + middle) >= p { reaching = middle } else { below = middle }
    }
    return first + reaching
  }
}

/// A count as GSL takes it.
private func wholeCount(_ x: Double) -> UInt32 { UInt32(min(x, 4_294_967_295)) }

// Doubles as whole numbers in the same order.
private func orderedBits(_ x: Double) -> Int64 {
  let bits = Int64(bitPattern: x.bitPattern)
  return bits >= 0 ? bits : Int64.min &- bits
}

private func fromOrderedBits(_ bits: Int64) -> Double {
  Double(bitPattern: UInt64(bitPattern: bits >= 0 ? bits : Int64.min &- bits))
}
