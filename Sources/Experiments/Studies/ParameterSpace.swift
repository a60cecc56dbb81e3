public import Distributions
internal import ExperimentDesign
public import PushModel
import PushPolicy
public import Quantities

/// A parameter that nobody outside Apple knows, or no source states, with what is plausible of it.
public struct UncertainParameter: Sendable {
  enum Target: Sendable {
    case policy(any WritableKeyPath<Policy, Double> & Sendable)
    case population(any WritableKeyPath<Population, Double> & Sendable)
  }

  /// From the scenario's root: `policy.hourly_budget.burst`, `population.settings.…`.
  public var path: String
  /// As the file writes it, with what it stands on.
  public var setting: ParameterSetting
  public var dimension: Dimension
  public var range: ClosedRange<Double>
  /// What is plausible.
  public var prior: Distribution
  /// The value with which the scenario runs, in the dimension's SI unit.
  public var value: Double
  /// Whether the scenario gives a prior in place of a value, which each replication of a run draws.
  public var isGivenAsPrior: Bool
  let target: Target

  /// The value of which the prior has the probability `level` to lie below, within the parameter's range.
  public func value(at level: Double) -> Double {
    min(range.upperBound, max(range.lowerBound, prior.quantile(level)))
  }

  /// A value with its unit, in three digits.
  public func text(_ value: Double) -> String { Quantity.format(value, dimension, digits: 3) }
}

/// The parameters of a scenario under one policy that a study varies, and the scenario at any of their values.
public struct ParameterSpace: Sendable {
  public let parameters: [UncertainParameter]
  /// The scenario under the one policy.
  public let scenario: Scenario

  /// Paths of parameters, in which `*` stands for any characters.
  ///
  /// - Parameters:
  ///   - policy: the index of the policy.
  ///   - patterns: which parameters, of those that have a prior; empty: those that are assumed or could not be verified,
  ///     and that the scenario reads.
  ///   - devices: of each replication; nil: as the scenario says.
  public init(_ scenario: Scenario, policy: Int, patterns: [String] = [], devices: Int? = nil) {
    var scenario = scenario
    scenario.keep(policy: policy)
    if let devices { scenario.devices = devices }
    let all = Self.all(scenario.input)
    parameters =
      patterns.isEmpty
      ? all.filter { $0.isDefault }.map(\.parameter)
      : all.filter { item in patterns.contains { Self.matches(item.parameter.path, $0) } }.map(\.parameter)
    self.scenario = scenario
  }

  /// Whether a pattern fits a parameter of the scenario that has a prior.
  public static func hasParameter(_ scenario: Scenario, pattern: String) -> Bool {
    scenario.input.policies.indices.contains {
      !ParameterSpace(scenario, policy: $0, patterns: [pattern]).parameters.isEmpty
    }
  }

  /// The scenario with parameters at quantiles of their priors. What the study varies is not drawn by each replication.
  ///
  /// - Parameter levels: by parameter, from 0 to 1; nil leaves the value.
  public func scenario(at levels: [Double?]) -> Scenario {
    precondition(levels.count == parameters.count, "\(levels.count) levels of \(parameters.count) parameters")
    var scenario = scenario
    let paths = Set(parameters.map(\.path))
    var policy = scenario.input.policies[0].parameters.values
    var population = scenario.input.population.parameters.values
    for (parameter, level) in zip(parameters, levels) {
      guard let level else { continue }
      switch parameter.target {
      case .policy(let path): policy[keyPath: path] = parameter.value(at: level)
      case .population(let path): population[keyPath: path] = parameter.value(at: level)
      }
    }
    scenario.change(settings(at: levels)) { input in
      input.policies[0].parameters.values = policy
      input.policies[0].parameters.drawn.removeAll { paths.contains("policy." + $0.key.path) }
      input.changePopulation {
        $0.values = population
        $0.drawn.removeAll { paths.contains("population." + $0.key.path) }
      }
    }
    return scenario
  }

  /// Of points in the order of a design, ranges of neighbours that set the same in the population, and so differ in the
  /// policy alone.
  func neighbours(_ levels: [[Double?]], most: Int) -> [Range<Int>] {
    let ofPopulation = parameters.indices.filter {
      if case .population = parameters[$0].target { true } else { false }
    }
    var ranges: [Range<Int>] = []
    for (index, point) in levels.enumerated() {
      if let last = ranges.last, last.count < most,
        ofPopulation.allSatisfy({ levels[last.lowerBound][$0] == point[$0] })
      {
        ranges[ranges.count - 1] = last.lowerBound..<index + 1
      } else {
        ranges.append(index..<index + 1)
      }
    }
    return ranges
  }

  /// What a point sets, to the last bit: also a parameter that replications would draw, and the study leaves at its value.
  private func settings(at levels: [Double?]) -> String {
    let set = zip(parameters, levels).compactMap { parameter, level -> String? in
      guard level != nil || parameter.isGivenAsPrior else { return nil }
      let value = level.map(parameter.value(at:)) ?? parameter.value
      return "\(parameter.path)=\(String(value.bitPattern, radix: 16))\n"
    }
    return "\(scenario.input.policies[0].name)\n" + set.joined()
  }

  // MARK: Which parameters

  private struct Item {
    var parameter: UncertainParameter
    var isDefault: Bool
  }

  private static func all(_ input: ModelInput) -> [Item] {
    let policy = input.policies[0].parameters
    let population = input.population.parameters
    let use = ParameterUse(input, policy: 0)
    var items = items(
      policy, Policy.keys, prefix: "policy.", target: UncertainParameter.Target.policy, use)
    items += Self.items(
      population,
      Population.keys.compactMap { row in
        if case .parameter(let key) = row { key } else { nil }
      }, prefix: "population.", target: UncertainParameter.Target.population, use)
    return items
  }

  private static func items<Root>(
    _ parameters: Parameterised<Root>, _ keys: [ParameterKey<Root>], prefix: String,
    target: (any WritableKeyPath<Root, Double> & Sendable) -> UncertainParameter.Target,
    _ use: ParameterUse
  ) -> [Item] {
    let settings = Dictionary(
      parameters.settings.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    return keys.compactMap { key in
      guard case .number(let dimension, let range, let path) = key.kind, let setting = settings[key.path]
      else {
        return nil
      }
      let drawn = parameters.drawn.first { $0.key.path == key.path }?.prior
      guard let prior = drawn ?? setting.prior else { return nil }
      return Item(
        parameter: UncertainParameter(
          path: prefix + key.path, setting: setting, dimension: dimension, range: range, prior: prior,
          value: parameters.values[keyPath: path], isGivenAsPrior: drawn != nil, target: target(path)),
        // What a scenario gives as a prior each replication draws, and what it sets is known.
        isDefault: drawn == nil && setting.evidence.isAssumption && use.reads(prefix + key.path))
    }
  }

  private static func matches(_ path: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return path == pattern }
    var rest = path[...]
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let end = firstEnd(of: part, in: rest) else { return false }
      rest = rest[end...]
    }
    let last = parts[parts.count - 1]
    return rest.count >= last.count && rest.hasSuffix(last)
  }

  private static func firstEnd(of part: Substring, in text: Substring) -> String.Index? {
    text.indices.first { text[$0...].hasPrefix(part) }.map { text.index($0, offsetBy: part.count) }
  }
}

extension ModelInput {
  /// Changes the parameters of the population, also of one under a script.
  mutating func changePopulation(_ change: (inout Parameterised<Population>) -> Void) {
    switch population {
    case .drawn(var parameters):
      change(&parameters)
      population = .drawn(parameters)
    case .scripted(let script, var base):
      change(&base)
      population = .scripted(script, base: base)
    }
  }
}
