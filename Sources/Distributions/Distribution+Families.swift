// Families of one formula each, by the parameters that GSL's manual gives them.
extension Distribution {
  /// Always `value`.
  ///
  /// - Precondition: `value` is finite.
  public static func constant(_ value: Double) -> Distribution {
    precondition(value.isFinite, "a constant must be finite, got \(value)")
    return Distribution(.constant(value))
  }

  /// Uniform from `low` to `high`.
  ///
  /// - Throws: ``DistributionError`` unless `low` < `high`, both finite.
  public static func uniform(low: Double, high: Double) throws(DistributionError) -> Distribution {
    try Check.finite("low", low)
    try Check.finite("high", high)
    try Check.above("high", high, "low", low)
    return Distribution(.uniform(low: low, high: high))
  }

  /// The exponential of a uniform: each factor of two between `low` and `high` is equally likely.
  ///
  /// - Throws: ``DistributionError`` unless 0 < `low` < `high`, both finite.
  public static func logUniform(low: Double, high: Double) throws(DistributionError) -> Distribution {
    try Check.positive("low", low)
    try Check.finite("high", high)
    try Check.above("high", high, "low", low)
    return Distribution(.logUniform(low: low, high: high))
  }

  /// Exponential, density exp(−x/mean)/mean.
  ///
  /// - Throws: ``DistributionError`` unless `mean` is positive.
  public static func exponential(mean: Double) throws(DistributionError) -> Distribution {
    try Check.positive("mean", mean)
    return Distribution(.exponential(mean: mean))
  }

  /// Gaussian with standard deviation `sigma`.
  ///
  /// - Throws: ``DistributionError`` unless `sigma` is positive.
  public static func gaussian(mean: Double, sigma: Double) throws(DistributionError) -> Distribution {
    try Check.finite("mean", mean)
    try Check.positive("sigma", sigma)
    return Distribution(.gaussian(mean: mean, sigma: sigma))
  }

  /// The exponential of a Gaussian of mean `zeta` and standard deviation `sigma`; the median is exp(zeta).
  ///
  /// - Throws: ``DistributionError`` unless `sigma` is positive.
  public static func lognormal(zeta: Double, sigma: Double) throws(DistributionError) -> Distribution {
    try Check.finite("zeta", zeta)
    try Check.positive("sigma", sigma)
    return Distribution(.lognormal(zeta: zeta, sigma: sigma))
  }

  /// Gamma of shape `a` and scale `b`; the mean is a·b.
  ///
  /// - Throws: ``DistributionError`` unless both are positive.
  public static func gamma(a: Double, b: Double) throws(DistributionError) -> Distribution {
    try Check.positive("a", a)
    try Check.positive("b", b)
    return Distribution(.gamma(a: a, b: b))
  }

  /// Weibull of scale `a` and shape `b`: P(X > x) = exp(−(x/a)ᵇ).
  ///
  /// - Throws: ``DistributionError`` unless both are positive.
  public static func weibull(a: Double, b: Double) throws(DistributionError) -> Distribution {
    try Check.positive("a", a)
    try Check.positive("b", b)
    return Distribution(.weibull(a: a, b: b))
  }

  /// Beta of shapes `a` and `b`, stretched from [0, 1] to [0, `scale`].
  ///
  /// - Throws: ``DistributionError`` unless all are positive.
  public static func beta(a: Double, b: Double, scale: Double = 1) throws(DistributionError) -> Distribution {
    try Check.positive("a", a)
    try Check.positive("b", b)
    try Check.positive("scale", scale)
    return Distribution(.beta(a: a, b: b, scale: scale))
  }

  /// Pareto of exponent `a` from `b` upwards: P(X > x) = (x/b)⁻ᵃ.
  ///
  /// - Throws: ``DistributionError`` unless both are positive.
  public static func pareto(a: Double, b: Double) throws(DistributionError) -> Distribution {
    try Check.positive("a", a)
    try Check.positive("b", b)
    return Distribution(.pareto(a: a, b: b))
  }

  /// Poisson: a count 0, 1, ….
  ///
  /// - Throws: ``DistributionError`` unless 0 < `mean` ≤ 10⁸, beyond which counts would not fit GSL's 32 bits.
  public static func poisson(mean: Double) throws(DistributionError) -> Distribution {
    try Check.positive("mean", mean)
    guard mean <= 1e8 else { throw DistributionError("mean", "must be at most 100000000", mean) }
    return Distribution(.poisson(mean: mean))
  }

  /// `plus` and the failures before the `n`-th success of independent trials of success probability `p`.
  ///
  /// `n` need not be whole. `plus` shifts the count, for things of which there is at least one.
  ///
  /// - Throws: ``DistributionError`` unless 0 < `p` ≤ 1, `n` > 0 and `plus` is a whole number.
  public static func negativeBinomial(p: Double, n: Double, plus: Double = 0)
    throws(DistributionError) -> Distribution
  {
    try Check.positiveProportion("p", p)
    try Check.positive("n", n)
    try Check.finite("plus", plus)
    guard plus == plus.rounded() else { throw DistributionError("plus", "must be a whole number", plus) }
    return Distribution(.negativeBinomial(p: p, n: n, plus: plus))
  }

  /// Trials up to and including the first success: a count 1, 2, ….
  ///
  /// - Throws: ``DistributionError`` unless 10⁻⁸ ≤ `p` ≤ 1, below which counts would not fit GSL's 32 bits.
  public static func geometric(p: Double) throws(DistributionError) -> Distribution {
    guard p >= 1e-8, p <= 1 else { throw DistributionError("p", "must be from 0.00000001 to 1", p) }
    return Distribution(.geometric(p: p))
  }

  /// 1 with probability `p`, else 0.
  ///
  /// - Throws: ``DistributionError`` unless 0 ≤ `p` ≤ 1.
  public static func bernoulli(p: Double) throws(DistributionError) -> Distribution {
    try Check.proportion("p", p)
    return Distribution(.bernoulli(p: p))
  }
}

// Families made of data or of other distributions.
extension Distribution {
  /// Each of `values` with a probability in proportion to its weight; equal values are joined.
  ///
  /// - Throws: ``DistributionError`` unless there are as many weights as values, at least one, all finite, no weight
  ///   is negative and their sum is positive.
  public static func discrete(values: [Double], weights: [Double])
    throws(DistributionError) -> Distribution
  {
    Distribution(.discrete(try DiscreteTable(values: values, weights: weights)))
  }

  /// Resampling: each element of `values` is equally likely, and no other value is ever drawn.
  ///
  /// - Limitations: no interpolation between the values, and nothing beyond the largest.
  /// - Throws: ``DistributionError`` when `values` is empty or holds a number that is not finite.
  public static func empirical(_ values: [Double]) throws(DistributionError) -> Distribution {
    Distribution(.empirical(try Sample(values)))
  }

  /// The distribution of `base` on condition that the value is in [`low`, `high`], ends included.
  ///
  /// - Throws: ``DistributionError`` unless `low` < `high` and the interval holds at least 10⁻⁹ of the probability.
  /// - Complexity: see ``Truncation``: inversion, one uniform a draw, or rejection with at most ten tries on average.
  public static func truncated(_ base: Distribution, low: Double = -.infinity, high: Double = .infinity)
    throws(DistributionError) -> Distribution
  {
    Distribution(.truncated(try Truncation(base, low: low, high: high)))
  }

  /// `base` with values beyond a bound replaced by the bound.
  ///
  /// Unlike a truncation it has atoms at its bounds: a handler that would run longer than 30 s runs 30 s.
  ///
  /// - Throws: ``DistributionError`` unless `low` ≤ `high`.
  public static func capped(_ base: Distribution, low: Double = -.infinity, high: Double = .infinity)
    throws(DistributionError) -> Distribution
  {
    Distribution(.capped(try Cap(base, low: low, high: high)))
  }

  /// One of `parts`, chosen with a probability in proportion to its weight.
  ///
  /// - Throws: ``DistributionError`` unless there is a part, no weight is negative and their sum is positive.
  public static func mixture(_ parts: [(weight: Double, distribution: Distribution)])
    throws(DistributionError) -> Distribution
  {
    Distribution(.mixture(try Mixture(parts)))
  }
}
