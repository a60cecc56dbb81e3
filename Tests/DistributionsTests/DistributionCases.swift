import Distributions
import Testing

/// A distribution under test, with a name to print.
struct DistributionCase: Sendable, CustomTestStringConvertible {
  let name: String
  let distribution: Distribution
  /// Whether the fourth moment is so large that 40,000 draws say nothing sure about the variance.
  let isHeavyTailed: Bool

  var testDescription: String { name }

  /// Every family, several parameter sets each.
  static let all: [DistributionCase] = {
    do { return try simple() + composite() } catch { preconditionFailure("\(error)") }
  }()

  private static func simple() throws(DistributionError) -> [DistributionCase] {
    var cases: [DistributionCase] = []
    func add(_ name: String, _ distribution: Distribution, heavy: Bool = false) {
      cases.append(DistributionCase(name: name, distribution: distribution, isHeavyTailed: heavy))
    }
    add("constant 3", .constant(3))
    add("constant -2.5", .constant(-2.5))
    add("uniform 0 to 1", try .uniform(low: 0, high: 1))
    add("uniform -7 to 11", try .uniform(low: -7, high: 11))
    add("log-uniform 1 to 100", try .logUniform(low: 1, high: 100))
    add("log-uniform 0.5 to 0.6", try .logUniform(low: 0.5, high: 0.6))
    add("exponential 1", try .exponential(mean: 1))
    add("exponential 3600", try .exponential(mean: 3600))
    add("gaussian 0, 1", try .gaussian(mean: 0, sigma: 1))
    add("gaussian -40, 0.1", try .gaussian(mean: -40, sigma: 0.1))
    add("lognormal 0, 0.5", try .lognormal(zeta: 0, sigma: 0.5))
    add("lognormal 6, 0.2", try .lognormal(zeta: 6, sigma: 0.2))
    add("lognormal -1, 1.5", try .lognormal(zeta: -1, sigma: 1.5), heavy: true)
    add("bernoulli 0", try .bernoulli(p: 0))
    add("bernoulli 0.3", try .bernoulli(p: 0.3))
    add("bernoulli 1", try .bernoulli(p: 1))
    add("gamma 0.5, 2", try .gamma(a: 0.5, b: 2))
    add("gamma 1, 1", try .gamma(a: 1, b: 1))
    add("gamma 30, 0.1", try .gamma(a: 30, b: 0.1))
    add("weibull 1, 1", try .weibull(a: 1, b: 1))
    add("weibull 5, 3", try .weibull(a: 5, b: 3))
    add("weibull 2, 0.5", try .weibull(a: 2, b: 0.5), heavy: true)
    add("beta 2, 5", try .beta(a: 2, b: 5))
    add("beta 0.5, 0.5 on 0 to 30", try .beta(a: 0.5, b: 0.5, scale: 30))
    add("beta 1, 3", try .beta(a: 1, b: 3))
    add("pareto 6, 1", try .pareto(a: 6, b: 1), heavy: true)
    add("pareto 3, 20", try .pareto(a: 3, b: 20), heavy: true)
    add("poisson 0.2", try .poisson(mean: 0.2))
    add("poisson 4", try .poisson(mean: 4))
    add("poisson 200", try .poisson(mean: 200))
    add("negative binomial 0.4, 3", try .negativeBinomial(p: 0.4, n: 3))
    add("negative binomial 0.5, 0.7, plus 1", try .negativeBinomial(p: 0.5, n: 0.7, plus: 1))
    add("geometric 0.2", try .geometric(p: 0.2))
    add("geometric 1", try .geometric(p: 1))
    return cases
  }

  private static func composite() throws(DistributionError) -> [DistributionCase] {
    let gaussian = try Distribution.gaussian(mean: 0, sigma: 1)
    let exponential = try Distribution.exponential(mean: 10)
    let lognormal = try Distribution.lognormal(zeta: 1, sigma: 1)
    let gamma = try Distribution.gamma(a: 2.5, b: 4)
    let poisson = try Distribution.poisson(mean: 3)
    let capped = try Distribution.capped(exponential, low: 2, high: 30)
    let mixed = try Distribution.mixture([(3, exponential), (1, .constant(60))])
    let named: [(String, Distribution)] = [
      ("discrete", try .discrete(values: [5, 1, 2.5, 1], weights: [1, 2, 3, 4])),
      ("discrete of one", try .discrete(values: [7], weights: [0.1])),
      ("discrete with a zero weight", try .discrete(values: [0, 1, 2], weights: [1, 0, 1])),
      ("empirical", try .empirical([3, 1, 4, 1, 5, 9, 2, 6])),
      ("empirical of one", try .empirical([42])),
      ("gaussian from 0 up", try .truncated(gaussian, low: 0)),
      ("gaussian from 3 to 4", try .truncated(gaussian, low: 3, high: 4)),
      ("gaussian from -5 to -4", try .truncated(gaussian, low: -5, high: -4)),
      ("exponential up to 5", try .truncated(exponential, high: 5)),
      ("lognormal from 1 to 10", try .truncated(lognormal, low: 1, high: 10)),
      ("gamma from 5 to 20, by rejection", try .truncated(gamma, low: 5, high: 20)),
      ("gamma from 30 up, by inversion", try .truncated(gamma, low: 30)),
      ("poisson from 2 to 4", try .truncated(poisson, low: 2, high: 4)),
      ("exponential capped at 30", try .capped(exponential, high: 30)),
      ("exponential capped at 2 and 30", capped),
      ("gaussian raised to 0", try .capped(gaussian, low: 0)),
      ("poisson capped at 4", try .capped(poisson, high: 4)),
      ("gamma capped at its ends", try .capped(gamma, low: -1, high: 1000)),
      ("a cap of a cap", try .capped(capped, low: 3, high: 20)),
      ("a truncation of a cap", try .truncated(capped, low: 2, high: 25)),
      ("a cap of a mixture", try .capped(mixed, high: 50)),
      ("a truncation of a mixture", try .truncated(mixed, low: 5, high: 60)),
      ("a mixture with an atom", mixed),
      ("a mixture of gaussians", try .mixture([(0.2, gaussian), (0.8, try .gaussian(mean: 4, sigma: 0.5))])),
      ("a mixture of counts", try .mixture([(1, poisson), (1, try .geometric(p: 0.3))])),
    ]
    return named.map { DistributionCase(name: $0.0, distribution: $0.1, isHeavyTailed: false) }
  }
}
