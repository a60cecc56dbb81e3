import Distributions
import Testing

@Suite struct ParameterTests {
  private func expectClose(_ a: Double, _ b: Double, _ comment: String = "") {
    #expect((a - b).magnitude <= 1e-9 * max(a.magnitude, b.magnitude), "\(comment)")
  }

  @Test(arguments: ["gaussian", "lognormal", "gamma", "weibull", "beta", "negative_binomial"])
  func `a family made by mean and standard deviation has them`(family: String) throws {
    let pairs: [(Double, Double)] =
      family == "beta" ? [(0.3, 0.1), (0.9, 0.2)] : [(3, 2), (20, 15), (4, 2.5)]
    for (mean, sd) in pairs {
      let made = try Distribution.make(family: family, parameters: ["mean": mean, "sd": sd])
      #expect(made.family == family)
      expectClose(made.mean, mean, "mean of \(family)")
      expectClose(made.standardDeviation, sd, "standard deviation of \(family)")
    }
  }

  @Test(arguments: [0.002, 0.05, 0.5, 1, 2, 30, 900] as [Double])
  func `a weibull is found for any ratio of standard deviation to mean`(ratio: Double) throws {
    let made = try Distribution.weibull(mean: 7, sd: 7 * ratio)
    #expect((made.mean / 7 - 1).magnitude < 1e-6)
    #expect((made.standardDeviation / (7 * ratio) - 1).magnitude < 1e-6)
  }

  @Test(arguments: ["gaussian", "lognormal", "weibull"])
  func `a family made by two quantiles has them`(family: String) throws {
    let names = ["p05", "p10", "p25", "median", "p75", "p90", "p95", "p99", "p999"]
    for (i, lower) in names.enumerated() {
      for upper in names[(i + 1)...] {
        let made = try Distribution.make(family: family, parameters: [lower: 12, upper: 19])
        #expect(made.family == family)
        expectClose(made.quantile(Quantile.level(named: lower)!), 12, "\(lower) of \(family)")
        expectClose(made.quantile(Quantile.level(named: upper)!), 19, "\(upper) of \(family)")
      }
    }
  }

  @Test func `the constructors by quantiles agree with the names of scenarios`() throws {
    #expect(
      try Distribution.lognormal(median: 2, p95: 9)
        == .make(family: "lognormal", parameters: ["median": 2, "p95": 9]))
    #expect(
      try Distribution.gaussian(median: 2, p95: 9)
        == .make(family: "gaussian", parameters: ["p50": 2, "p95": 9]))
    #expect(
      try Distribution.lognormal(quantiles: Quantile(level: 0.9, value: 4), Quantile(level: 0.1, value: 1))
        == .make(family: "lognormal", parameters: ["p10": 1, "p90": 4]))
    expectClose(try Distribution.lognormal(median: 30, sigma: 0.4).quantile(0.5), 30)
  }

  @Test(arguments: ["median", "p95", "p05", "p999"])
  func `an exponential made by one quantile has it`(name: String) throws {
    let made = try Distribution.make(family: "exponential", parameters: [name: 60])
    expectClose(made.quantile(Quantile.level(named: name)!), 60)
  }

  @Test(
    arguments: [
      ("median", 0.5), ("p50", 0.5), ("p05", 0.05), ("p99", 0.99), ("p999", 0.999), ("p025", 0.025),
      ("p5", nil),
      ("p00", nil), ("p9999", nil), ("q95", nil), ("p9x", nil), ("", nil), ("mean", nil),
    ] as [(String, Double?)])
  func `a quantile's name gives its level`(name: String, level: Double?) {
    #expect(Quantile.level(named: name) == level)
  }

  @Test(arguments: Distribution.families)
  func `every described set of parameters makes its family`(description: FamilyDescription) throws {
    let values: [String: Double] = [
      "value": 2, "low": 1, "high": 3, "mean": 0.5, "sigma": 1.5, "sd": 0.4, "zeta": 0.2, "median": 2,
      "a": 2.5,
      "b": 3, "p": 0.4, "n": 2, "scale": 1, "plus": 0,
    ]
    for names in description.parameterSets {
      var parameters = values.filter { names.contains($0.key) }
      if description.name == "negative_binomial" { parameters["sd"] = names.contains("sd") ? 2 : nil }
      #expect(
        try Distribution.make(family: description.name, parameters: parameters).family == description.name)
      for optional in description.optionalParameters {
        parameters[optional] = values[optional]
        #expect(
          try Distribution.make(family: description.name, parameters: parameters).family == description.name)
      }
      for name in names + description.optionalParameters { #expect(description.role(of: name) != nil) }
    }
  }

  @Test func `a parameter's role says whether it carries the unit`() {
    func role(_ family: String, _ parameter: String) -> FamilyDescription.Role? {
      Distribution.families.first { $0.name == family }!.role(of: parameter)
    }
    #expect(role("lognormal", "zeta") == .logarithm)
    #expect(role("lognormal", "sigma") == .pure)
    #expect(role("lognormal", "p95") == .sameDimension)
    #expect(role("gaussian", "sigma") == .sameDimension)
    #expect(role("gamma", "a") == .pure)
    #expect(role("weibull", "a") == .sameDimension)
    #expect(role("bernoulli", "p") == .proportion)
    #expect(role("gamma", "p95") == nil)
    #expect(role("gamma", "c") == nil)
  }

  // A change of unit by the roles changes the values by the same factor: what a decoder relies on.
  @Test(arguments: Distribution.families.filter { !$0.isCount })
  func `scaling the parameters by their roles scales the distribution`(description: FamilyDescription) throws
  {
    let values: [String: Double] = [
      "value": 2, "low": 1, "high": 3, "mean": 0.5, "sigma": 0.7, "sd": 0.4, "zeta": 0.2, "median": 2,
      "a": 2.5,
      "b": 3, "scale": 1,
    ]
    let logarithmOf60 = 4.0943445622221
    for names in description.parameterSets {
      var parameters = values.filter { (names + description.optionalParameters).contains($0.key) }
      let plain = try Distribution.make(family: description.name, parameters: parameters)
      for (name, value) in parameters {
        switch description.role(of: name)! {
        case .sameDimension: parameters[name] = value * 60
        case .logarithm: parameters[name] = value + logarithmOf60
        case .pure, .proportion: break
        }
      }
      let scaled = try Distribution.make(family: description.name, parameters: parameters)
      for p in [0.1, 0.5, 0.9] { expectClose(scaled.quantile(p), 60 * plain.quantile(p), description.name) }
    }
  }

  @Test func `an expectation lists the accepted parameters in words`() {
    let lognormal = Distribution.families.first { $0.name == "lognormal" }!
    #expect(
      lognormal.expectation
        == "`zeta` and `sigma`, or `median` and `sigma`, or `mean` and `sd`, or two quantiles such as `median` and `p95`"
    )
    let beta = Distribution.families.first { $0.name == "beta" }!
    #expect(beta.expectation == "`a` and `b`, or `mean` and `sd`; optionally `scale`")
    let exponential = Distribution.families.first { $0.name == "exponential" }!
    #expect(exponential.expectation == "`mean`, or a quantile such as `median` or `p95`")
  }
}

@Suite struct DistributionErrorTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let family: String
    let parameters: [String: Double]
    let message: String
    var testDescription: String { message }
  }

  @Test(arguments: [
    Mistake(family: "constant", parameters: ["value": .infinity], message: "`value` must be finite, got inf"),
    Mistake(
      family: "uniform", parameters: ["low": 2, "high": 2], message: "`high` must be above `low` (2), got 2"),
    Mistake(
      family: "uniform", parameters: ["low": .nan, "high": 2], message: "`low` must be finite, got nan"),
    Mistake(
      family: "log_uniform", parameters: ["low": 0, "high": 2], message: "`low` must be positive, got 0"),
    Mistake(family: "exponential", parameters: ["mean": -0.5], message: "`mean` must be positive, got -0.5"),
    Mistake(family: "exponential", parameters: ["p95": 0], message: "`p95` must be positive, got 0"),
    Mistake(
      family: "gaussian", parameters: ["mean": 0, "sigma": -1], message: "`sigma` must be positive, got -1"),
    Mistake(family: "gaussian", parameters: ["mean": 0, "sd": 0], message: "`sd` must be positive, got 0"),
    Mistake(
      family: "gaussian", parameters: ["median": 10, "p95": 3],
      message: "`p95` must be above `median` (10), got 3"),
    Mistake(family: "gaussian", parameters: ["median": 1, "p50": 3], message: "`median` must be given once"),
    Mistake(
      family: "lognormal", parameters: ["zeta": 0, "sigma": 0], message: "`sigma` must be positive, got 0"),
    Mistake(
      family: "lognormal", parameters: ["median": -3, "p95": 3], message: "`median` must be positive, got -3"),
    Mistake(
      family: "lognormal", parameters: ["p999": 1, "p05": 3], message: "`p999` must be above `p05` (3), got 1"
    ),
    Mistake(family: "gamma", parameters: ["a": 1, "b": 0], message: "`b` must be positive, got 0"),
    Mistake(
      family: "weibull", parameters: ["mean": 2, "sd": 1e-5],
      message: "`sd` must be from a thousandth to a thousand times `mean` (2), got 1e-05"),
    Mistake(family: "beta", parameters: ["mean": 1, "sd": 0.1], message: "`mean` must be below 1, got 1"),
    Mistake(
      family: "beta", parameters: ["mean": 0.5, "sd": 0.5], message: "`sd` must be below 0.5, got 0.5"),
    Mistake(family: "pareto", parameters: ["a": 0, "b": 1], message: "`a` must be positive, got 0"),
    Mistake(
      family: "poisson", parameters: ["mean": 1e9],
      message: "`mean` must be at most 100000000, got 1000000000"),
    Mistake(
      family: "negative_binomial", parameters: ["p": 0, "n": 1],
      message: "`p` must be above 0 and at most 1, got 0"),
    Mistake(
      family: "negative_binomial", parameters: ["p": 1, "n": 1, "plus": 0.5],
      message: "`plus` must be a whole number, got 0.5"),
    Mistake(
      family: "negative_binomial", parameters: ["mean": 4, "sd": 2],
      message: "`sd` must be above 2, the Poisson's, got 2"),
    Mistake(family: "geometric", parameters: ["p": 2], message: "`p` must be from 0.00000001 to 1, got 2"),
    Mistake(family: "bernoulli", parameters: ["p": 1.4], message: "`p` must be from 0 to 1, got 1.4"),
    Mistake(
      family: "gamma", parameters: ["a": 1, "c": 0],
      message: "`c` is no parameter of `gamma`, which takes `a` and `b`, or `mean` and `sd`"),
    Mistake(
      family: "gamma", parameters: ["a": 1], message: "`gamma` takes `a` and `b`, or `mean` and `sd`, got `a`"
    ),
    Mistake(family: "poisson", parameters: [:], message: "`poisson` takes `mean`, got nothing"),
    Mistake(
      family: "exponential", parameters: ["median": 1, "p95": 9],
      message: "`exponential` takes `mean`, or a quantile such as `median` or `p95`, got `median` and `p95`"),
    Mistake(
      family: "normal", parameters: [:],
      message:
        "the family must be one of `constant`, `uniform`, `log_uniform`, `exponential`, `gaussian`, `lognormal`, "
        + "`gamma`, `weibull`, `beta`, `pareto`, `poisson`, `negative_binomial`, `geometric`, `bernoulli`, got `normal`"
    ),
  ])
  func `a wrong parameter is named with its rule and its value`(mistake: Mistake) {
    let error = #expect(throws: DistributionError.self) {
      try Distribution.make(family: mistake.family, parameters: mistake.parameters)
    }
    #expect(error?.description == mistake.message)
  }

  private func message(_ body: () throws -> Distribution) -> String? {
    #expect(throws: DistributionError.self, performing: body)?.description
  }

  @Test func `wrong data are named with their rule`() throws {
    let gaussian = try Distribution.gaussian(mean: 0, sigma: 1)
    #expect(message { try .empirical([]) } == "`values` must not be empty")
    #expect(message { try .empirical([1, .nan]) } == "`values` must be finite, got nan")
    #expect(message { try .discrete(values: [], weights: []) } == "`weights` must not be empty")
    #expect(
      message { try .discrete(values: [1], weights: [1, 2]) }
        == "`weights` must be as many as `values` (1), got 2")
    #expect(
      message { try .discrete(values: [1, 2], weights: [1, -2]) } == "`weights` must not be negative, got -2")
    #expect(
      message { try .discrete(values: [1], weights: [0]) } == "`weights` must have a positive sum, got 0")
    #expect(message { try .truncated(gaussian, low: 1, high: 1) } == "`high` must be above `low` (1), got 1")
    #expect(
      message { try .truncated(gaussian, low: 40) }
        == "`low` and `high` must hold at least 0.000000001 of the probability, got 0 from 40 to inf")
    #expect(message { try .capped(gaussian, low: 1, high: 0) } == "`high` must not be below `low` (1), got 0")
    #expect(message { try .mixture([]) } == "`weight` must not be empty")
    #expect(message { try .mixture([(-1, gaussian)]) } == "`weight` must not be negative, got -1")
  }
}
