import CGSL
import Glibc

// Families by what people know of a quantity: mean and standard deviation, or two quantiles.
extension Distribution {
  /// Exponential by one quantile.
  ///
  /// - Throws: ``DistributionError`` unless its value is positive.
  public static func exponential(quantile: Quantile) throws(DistributionError) -> Distribution {
    try Check.positive(quantile.name, quantile.value)
    return try exponential(mean: -quantile.value / log1p(-quantile.level))
  }

  /// Gaussian by two quantiles, in either order.
  ///
  /// - Throws: ``DistributionError`` unless the higher level has the higher value.
  public static func gaussian(quantiles a: Quantile, _ b: Quantile) throws(DistributionError) -> Distribution
  {
    let line = try Line(through: a, b, level: gsl_cdf_ugaussian_Pinv, value: { $0 })
    return try gaussian(mean: line.intercept, sigma: line.slope)
  }

  /// Gaussian by its median and the value that 95 % do not exceed.
  ///
  /// - Throws: ``DistributionError`` unless `p95` > `median`.
  public static func gaussian(median: Double, p95: Double) throws(DistributionError) -> Distribution {
    try gaussian(quantiles: Quantile(level: 0.5, value: median), Quantile(level: 0.95, value: p95))
  }

  /// Lognormal by two quantiles, in either order.
  ///
  /// - Throws: ``DistributionError`` unless both are positive and the higher level has the higher value.
  public static func lognormal(quantiles a: Quantile, _ b: Quantile) throws(DistributionError) -> Distribution
  {
    try Check.positive(a.name, a.value)
    try Check.positive(b.name, b.value)
    let line = try Line(through: a, b, level: gsl_cdf_ugaussian_Pinv, value: log)
    return try lognormal(zeta: line.intercept, sigma: line.slope)
  }

  /// Lognormal by its median and the value that 95 % do not exceed.
  ///
  /// - Throws: ``DistributionError`` unless 0 < `median` < `p95`.
  public static func lognormal(median: Double, p95: Double) throws(DistributionError) -> Distribution {
    try lognormal(quantiles: Quantile(level: 0.5, value: median), Quantile(level: 0.95, value: p95))
  }

  /// Lognormal by its median and the standard deviation of its logarithm.
  ///
  /// - Throws: ``DistributionError`` unless both are positive.
  public static func lognormal(median: Double, sigma: Double) throws(DistributionError) -> Distribution {
    try Check.positive("median", median)
    return try lognormal(zeta: log(median), sigma: sigma)
  }

  /// Lognormal by its mean and standard deviation.
  ///
  /// - Throws: ``DistributionError`` unless both are positive.
  public static func lognormal(mean: Double, sd: Double) throws(DistributionError) -> Distribution {
    try Check.positive("mean", mean)
    try Check.positive("sd", sd)
    let squaredSigma = log1p((sd / mean) * (sd / mean))
    return try lognormal(zeta: log(mean) - squaredSigma / 2, sigma: squaredSigma.squareRoot())
  }

  /// Gamma by its mean and standard deviation.
  ///
  /// - Throws: ``DistributionError`` unless both are positive.
  public static func gamma(mean: Double, sd: Double) throws(DistributionError) -> Distribution {
    try Check.positive("mean", mean)
    try Check.positive("sd", sd)
    return try gamma(a: (mean / sd) * (mean / sd), b: sd * (sd / mean))
  }

  /// Weibull by two quantiles, in either order.
  ///
  /// - Throws: ``DistributionError`` unless both are positive and the higher level has the higher value.
  public static func weibull(quantiles x: Quantile, _ y: Quantile) throws(DistributionError) -> Distribution {
    try Check.positive(x.name, x.value)
    try Check.positive(y.name, y.value)
    // log x = log a + log(−log(1 − p)) / b
    let line = try Line(through: x, y, level: { log(-log1p(-$0)) }, value: log)
    return try weibull(a: exp(line.intercept), b: 1 / line.slope)
  }

  /// Weibull by its mean and standard deviation; the shape is found by bisection.
  ///
  /// - Throws: ``DistributionError`` unless both are positive and `sd`/`mean` is from 0.001 to 1000.
  public static func weibull(mean: Double, sd: Double) throws(DistributionError) -> Distribution {
    try Check.positive("mean", mean)
    try Check.positive("sd", sd)
    let variation = sd / mean
    guard variation >= 1e-3, variation <= 1e3 else {
      throw DistributionError(
        "sd", "must be from a thousandth to a thousand times `mean` (\(plain(mean)))", sd)
    }
    // The variation falls as the shape grows; these shapes enclose the allowed variations.
    var low = log(0.05)
    var high = log(3000.0)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if weibullSquaredVariation(shape: exp(middle)) > variation * variation {
        low = middle
      } else {
        high = middle
      }
    }
    let shape = exp((low + high) / 2)
    return try weibull(a: mean / Distribution(.weibull(a: 1, b: shape)).mean, b: shape)
  }

  /// Beta on [0, `scale`] by its mean and standard deviation.
  ///
  /// - Throws: ``DistributionError`` unless 0 < `mean` < `scale` and `sd` is below that of the two ends alone.
  public static func beta(mean: Double, sd: Double, scale: Double = 1) throws(DistributionError)
    -> Distribution
  {
    try Check.positive("scale", scale)
    try Check.positive("mean", mean)
    guard mean < scale else { throw DistributionError("mean", "must be below \(plain(scale))", mean) }
    try Check.positive("sd", sd)
    let m = mean / scale
    let ratio = m * (1 - m) / ((sd / scale) * (sd / scale)) - 1
    guard ratio > 0 else {
      throw DistributionError("sd", "must be below \(plain((mean * (scale - mean)).squareRoot()))", sd)
    }
    return try beta(a: m * ratio, b: (1 - m) * ratio, scale: scale)
  }

  /// Negative binomial, shifted by `plus`, by its mean and standard deviation.
  ///
  /// - Throws: ``DistributionError`` unless `mean` > `plus` and `sd`² > `mean` − `plus`.
  public static func negativeBinomial(mean: Double, sd: Double, plus: Double = 0)
    throws(DistributionError) -> Distribution
  {
    try Check.finite("plus", plus)
    try Check.finite("mean", mean)
    try Check.above("mean", mean, "plus", plus)
    try Check.positive("sd", sd)
    let failures = mean - plus
    guard sd * sd > failures else {
      throw DistributionError("sd", "must be above \(plain(failures.squareRoot())), the Poisson's", sd)
    }
    let p = failures / (sd * sd)
    return try negativeBinomial(p: p, n: failures * p / (1 - p), plus: plus)
  }
}

/// The line through two quantiles after a family's axes have been straightened.
private struct Line {
  let slope: Double
  let intercept: Double

  init(
    through a: Quantile, _ b: Quantile, level: (Double) -> Double, value: (Double) -> Double
  ) throws(DistributionError) {
    let lower = a.level <= b.level ? a : b
    let upper = a.level <= b.level ? b : a
    try Check.finite(lower.name, lower.value)
    try Check.finite(upper.name, upper.value)
    guard lower.level < upper.level else {
      throw DistributionError(parameter: upper.name, rule: "must be given once")
    }
    try Check.above(upper.name, upper.value, lower.name, lower.value)
    slope = (value(upper.value) - value(lower.value)) / (level(upper.level) - level(lower.level))
    intercept = value(lower.value) - slope * level(lower.level)
  }
}
