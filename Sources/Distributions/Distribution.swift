public import CPushsim

/// A probability distribution of a real number: what a scenario's random quantities are drawn from.
///
/// The set of families is closed, so that a draw is one switch: no closure, no existential. A value is immutable, and
/// a draw consumes nothing but the stream that is passed in; whatever a family needs besides a few numbers (alias
/// table, sample, parts of a mixture) stands behind one reference that never changes.
///
/// - Unit: the caller's; a distribution does not know what it measures.
/// - Source: the families, their parameters and most samplers are those of GSL 2.7, "Random Number Distributions".
@frozen
public struct Distribution: Sendable, Equatable {
  @usableFromInline
  @frozen
  enum Storage: Sendable, Equatable {
    case constant(Double)
    case uniform(low: Double, high: Double)
    case logUniform(low: Double, high: Double)
    case exponential(mean: Double)
    case gaussian(mean: Double, sigma: Double)
    case lognormal(zeta: Double, sigma: Double)
    case bernoulli(p: Double)
    case gamma(a: Double, b: Double)
    case weibull(a: Double, b: Double)
    case beta(a: Double, b: Double, scale: Double)
    case pareto(a: Double, b: Double)
    case poisson(mean: Double)
    case negativeBinomial(p: Double, n: Double, plus: Double)
    case geometric(p: Double)
    case discrete(DiscreteTable)
    case empirical(Sample)
    case truncated(Truncation)
    case capped(Cap)
    case mixture(Mixture)
  }

  @usableFromInline let storage: Storage

  init(_ storage: Storage) { self.storage = storage }

  /// Draws one value.
  ///
  /// A constant takes nothing from the stream. Uniform, log-uniform, exponential, Bernoulli, Weibull, Pareto,
  /// geometric, discrete and empirical draws take a fixed number of outputs; the others vary, so whoever compares
  /// strategies by common random numbers gives each such draw a stream of its own.
  @inlinable
  public func draw(_ stream: inout RandomStream) -> Double {
    switch storage {
    case .constant(let value): value
    case .uniform(let low, let high): low + (high - low) * stream.uniform()
    case .exponential(let mean): mean * stream.unitExponential()
    case .gaussian(let mean, let sigma): mean + sigma * stream.unitGaussian()
    case .lognormal(let zeta, let sigma): ps_ran_lognormal(&stream.state, zeta, sigma)
    case .bernoulli(let p): stream.uniform() < p ? 1 : 0
    default: drawOutOfLine(&stream)
    }
  }

  /// The rarer families, kept out of the caller's code.
  @usableFromInline
  func drawOutOfLine(_ stream: inout RandomStream) -> Double {
    switch storage {
    case .logUniform: quantile(stream.uniform())
    case .gamma(let a, let b): ps_ran_gamma(&stream.state, a, b)
    case .weibull(let a, let b): ps_ran_weibull(&stream.state, a, b)
    case .beta(let a, let b, let scale): scale * ps_ran_beta(&stream.state, a, b)
    case .pareto(let a, let b): ps_ran_pareto(&stream.state, a, b)
    case .poisson(let mean): ps_ran_poisson(&stream.state, mean)
    case .negativeBinomial(let p, let n, let plus):
      plus + ps_ran_negative_binomial(&stream.state, p, n)
    case .geometric(let p): ps_ran_geometric(&stream.state, p)
    case .discrete(let table): table.draw(&stream)
    case .empirical(let sample): sample.values[stream.index(below: sample.values.count)]
    case .truncated(let truncation): truncation.draw(&stream)
    case .capped(let cap): cap.clamp(cap.base.draw(&stream))
    case .mixture(let mixture): mixture.part(at: stream.uniform()).draw(&stream)
    case .constant, .uniform, .exponential, .gaussian, .lognormal, .bernoulli: draw(&stream)
    }
  }

  /// The family's name as in a scenario, in snake_case.
  public var family: String {
    switch storage {
    case .constant: "constant"
    case .uniform: "uniform"
    case .logUniform: "log_uniform"
    case .exponential: "exponential"
    case .gaussian: "gaussian"
    case .lognormal: "lognormal"
    case .bernoulli: "bernoulli"
    case .gamma: "gamma"
    case .weibull: "weibull"
    case .beta: "beta"
    case .pareto: "pareto"
    case .poisson: "poisson"
    case .negativeBinomial: "negative_binomial"
    case .geometric: "geometric"
    case .discrete: "discrete"
    case .empirical: "empirical"
    case .truncated: "truncated"
    case .capped: "capped"
    case .mixture: "mixture"
    }
  }

  /// Whether every draw gives the same value.
  public var isConstant: Bool { support.lowerBound == support.upperBound }

  /// Whether the distribution consists of atoms only.
  ///
  /// False for a capped continuous distribution, which has both a density and an atom at the bound.
  public var isDiscrete: Bool {
    switch storage {
    case .constant, .bernoulli, .poisson, .negativeBinomial, .geometric, .discrete, .empirical: true
    case .uniform, .logUniform, .exponential, .gaussian, .lognormal, .gamma, .weibull, .beta, .pareto: false
    case .truncated(let truncation): truncation.base.isDiscrete
    case .capped(let cap): cap.base.isDiscrete
    case .mixture(let mixture): mixture.parts.allSatisfy(\.isDiscrete)
    }
  }
}
