extension Distribution {
  /// The families that ``make(family:parameters:)`` knows: all but those made of data or of other distributions.
  public static let families: [FamilyDescription] = [
    FamilyDescription("constant", [("value", .sameDimension)], sets: [["value"]]),
    FamilyDescription(
      "uniform", [("low", .sameDimension), ("high", .sameDimension)], sets: [["low", "high"]]),
    FamilyDescription(
      "log_uniform", [("low", .sameDimension), ("high", .sameDimension)], sets: [["low", "high"]]),
    FamilyDescription("exponential", [("mean", .sameDimension)], sets: [["mean"]], quantiles: 1),
    FamilyDescription(
      "gaussian", [("mean", .sameDimension), ("sigma", .sameDimension), ("sd", .sameDimension)],
      sets: [["mean", "sigma"], ["mean", "sd"]], quantiles: 2),
    FamilyDescription(
      "lognormal",
      [
        ("zeta", .logarithm), ("sigma", .pure), ("median", .sameDimension), ("mean", .sameDimension),
        ("sd", .sameDimension),
      ], sets: [["zeta", "sigma"], ["median", "sigma"], ["mean", "sd"]], quantiles: 2),
    FamilyDescription(
      "gamma", [("a", .pure), ("b", .sameDimension), ("mean", .sameDimension), ("sd", .sameDimension)],
      sets: [["a", "b"], ["mean", "sd"]]),
    FamilyDescription(
      "weibull", [("a", .sameDimension), ("b", .pure), ("mean", .sameDimension), ("sd", .sameDimension)],
      sets: [["a", "b"], ["mean", "sd"]], quantiles: 2),
    FamilyDescription(
      "beta",
      [
        ("a", .pure), ("b", .pure), ("mean", .sameDimension), ("sd", .sameDimension),
        ("scale", .sameDimension),
      ], sets: [["a", "b"], ["mean", "sd"]], optional: ["scale"]),
    FamilyDescription("pareto", [("a", .pure), ("b", .sameDimension)], sets: [["a", "b"]]),
    FamilyDescription("poisson", [("mean", .pure)], sets: [["mean"]], isCount: true),
    FamilyDescription(
      "negative_binomial",
      [("p", .proportion), ("n", .pure), ("mean", .pure), ("sd", .pure), ("plus", .pure)],
      sets: [["p", "n"], ["mean", "sd"]], optional: ["plus"], isCount: true),
    FamilyDescription("geometric", [("p", .proportion)], sets: [["p"]], isCount: true),
    FamilyDescription("bernoulli", [("p", .proportion)], sets: [["p"]], isCount: true),
  ]

  /// Makes a distribution from the names and numbers of a scenario, all in one unit.
  ///
  /// - Parameters:
  ///   - family: one of ``families`` by its snake_case name.
  ///   - parameters: one of the family's parameter sets, and optional parameters.
  /// - Returns: the distribution, in the parameters' unit.
  /// - Throws: ``DistributionError`` when the family is unknown, the names are no accepted set, or a number breaks a
  ///   rule.
  public static func make(family: String, parameters: [String: Double]) throws(DistributionError)
    -> Distribution
  {
    guard let description = families.first(where: { $0.name == family }) else {
      throw DistributionError(
        parameter: nil,
        rule: "the family must be one of " + families.map { "`\($0.name)`" }.joined(separator: ", "),
        value: "`\(family)`")
    }
    let arguments = try Arguments(parameters, of: description)
    return try make(description.name, arguments)
  }

  private static func make(_ family: String, _ x: Arguments) throws(DistributionError) -> Distribution {
    switch family {
    case "constant":
      try Check.finite("value", x["value"])
      return constant(x["value"])
    case "uniform": return try uniform(low: x["low"], high: x["high"])
    case "log_uniform": return try logUniform(low: x["low"], high: x["high"])
    case "exponential":
      return x.quantiles.isEmpty
        ? try exponential(mean: x["mean"]) : try exponential(quantile: x.quantiles[0])
    case "gaussian":
      if x.has("sigma") { return try gaussian(mean: x["mean"], sigma: x["sigma"]) }
      if x.has("sd") {
        try Check.positive("sd", x["sd"])
        return try gaussian(mean: x["mean"], sigma: x["sd"])
      }
      return try gaussian(quantiles: x.quantiles[0], x.quantiles[1])
    case "lognormal":
      if x.has("zeta") { return try lognormal(zeta: x["zeta"], sigma: x["sigma"]) }
      if x.has("sigma") { return try lognormal(median: x["median"], sigma: x["sigma"]) }
      if x.has("mean") { return try lognormal(mean: x["mean"], sd: x["sd"]) }
      return try lognormal(quantiles: x.quantiles[0], x.quantiles[1])
    case "gamma":
      return x.has("a") ? try gamma(a: x["a"], b: x["b"]) : try gamma(mean: x["mean"], sd: x["sd"])
    case "weibull":
      if x.has("a") { return try weibull(a: x["a"], b: x["b"]) }
      if x.has("mean") { return try weibull(mean: x["mean"], sd: x["sd"]) }
      return try weibull(quantiles: x.quantiles[0], x.quantiles[1])
    case "beta":
      let scale = x.has("scale") ? x["scale"] : 1
      return x.has("a")
        ? try beta(a: x["a"], b: x["b"], scale: scale) : try beta(mean: x["mean"], sd: x["sd"], scale: scale)
    case "pareto": return try pareto(a: x["a"], b: x["b"])
    case "poisson": return try poisson(mean: x["mean"])
    case "negative_binomial":
      let plus = x.has("plus") ? x["plus"] : 0
      return x.has("p")
        ? try negativeBinomial(p: x["p"], n: x["n"], plus: plus)
        : try negativeBinomial(mean: x["mean"], sd: x["sd"], plus: plus)
    case "geometric": return try geometric(p: x["p"])
    case "bernoulli": return try bernoulli(p: x["p"])
    default: preconditionFailure("the family `\(family)` is described but not made")
    }
  }
}

/// Parameters that are known to be an accepted set of their family.
private struct Arguments {
  private let values: [String: Double]
  /// By ascending level; empty when a named set was given.
  let quantiles: [Quantile]

  init(_ parameters: [String: Double], of family: FamilyDescription) throws(DistributionError) {
    let names = parameters.keys.sorted()
    for name in names where family.role(of: name) == nil {
      throw DistributionError(
        parameter: name, rule: "is no parameter of `\(family.name)`, which takes \(family.expectation)")
    }
    values = parameters
    let required = names.filter { !family.optionalParameters.contains($0) }
    if family.parameterSets.contains(where: { $0.sorted() == required }) {
      quantiles = []
      return
    }
    let found = names.compactMap { name in
      Quantile.level(named: name).map { Quantile(level: $0, value: parameters[name]!) }
    }
    guard family.quantileCount > 0, found.count == required.count, found.count == family.quantileCount else {
      throw DistributionError(
        parameter: nil, rule: "`\(family.name)` takes \(family.expectation)",
        value: names.isEmpty ? "nothing" : names.map { "`\($0)`" }.joined(separator: " and "))
    }
    quantiles = found.sorted { $0.level < $1.level }
  }

  subscript(name: String) -> Double { values[name]! }

  func has(_ name: String) -> Bool { values[name] != nil }
}
