import Distributions
public import ExperimentDesign
import OutputAnalysis
import PushModel

/// How the uncertainty of parameters is carried through to the answer.
public struct UncertaintySettings: Sendable, Equatable {
  /// Parameter sets.
  public var samples: Int
  /// Of each set; at least 2, or chance could not be told from ignorance.
  public var replications: Int
  /// Which parameters, see ``ParameterSpace``; empty: the assumed ones.
  public var parameters: [String]

  public init(samples: Int = 200, replications: Int = 4, parameters: [String] = []) {
    self.samples = samples
    self.replications = replications
    self.parameters = parameters
  }
}

/// What a metric comes to over the parameter sets.
public struct UncertainMetric: Sendable {
  public var metric: Metric
  public var effects: CrossedEffects
  /// The central interval of the sets' means, corrected for chance.
  public var low: Double
  public var high: Double
}

/// Two strategies over the parameter sets, each set's replications paired.
public struct UncertainRanking: Sendable {
  public var metric: Metric
  public var first: String
  public var second: String
  /// The first minus the second.
  public var effects: CrossedEffects
  public var low: Double
  public var high: Double
  /// The share of sets in which the first has more; where they are equal, half of the set counts.
  public var firstIsMore: Double
  /// The share of sets whose difference is within chance at the confidence of the scenario.
  public var undecided: Double
}

/// What of an answer is ignorance, and what is chance.
public struct UncertaintyResult: Sendable {
  public var settings: UncertaintySettings
  public var confidence: Double
  public var parameters: [UncertainParameter]
  /// Whether the sets are scrambled Sobol points; else a Latin hypercube, since there are too many parameters.
  public var isSobol: Bool
  public var strategies: [(name: String, metrics: [UncertainMetric])]
  /// Of all pairs of strategies.
  public var rankings: [UncertainRanking]

  /// - Parameter metric: the name.
  public func metric(_ name: String, of strategy: String) -> UncertainMetric? {
    strategies.first { $0.name == strategy }?.metrics.first { $0.metric.name == name }
  }
}

/// Runs a scenario with many parameter sets drawn from the priors of one policy and the population.
///
/// Every set is run with the same replications, that is on common random numbers: a set differs from another in its
/// parameters alone. The sets follow from the scenario's seed, whatever the threads.
public struct UncertaintyStudy: Sendable {
  private let space: ParameterSpace
  private let settings: UncertaintySettings
  private let threads: Int

  /// - Parameters:
  ///   - policy: the index of the policy.
  ///   - threads: at least 1.
  public init(_ scenario: Scenario, policy: Int, settings: UncertaintySettings, threads: Int) {
    precondition(settings.samples >= 2 && settings.replications >= 2, "the study \(settings)")
    space = ParameterSpace(scenario, policy: policy, patterns: settings.parameters)
    self.settings = settings
    self.threads = threads
  }

  /// How many devices are simulated in all.
  public var devices: Int {
    space.parameters.isEmpty
      ? 0 : settings.samples * settings.replications * space.scenario.experiment.devices
  }

  /// Nil when there is no uncertain parameter.
  ///
  /// - Parameters:
  ///   - keeper: of the sets that are done; nil: none is kept.
  ///   - progress, shouldStop: as of ``Runner/run(progress:shouldStop:)``.
  /// - Throws: ``RunError``, or what the keeper throws.
  public func run(
    keeper: (any StudyKeeper)? = nil,
    progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> UncertaintyResult? {
    guard !space.parameters.isEmpty else { return nil }
    let points = DesignPoints.points(
      count: settings.samples, dimensions: space.parameters.count,
      StreamFamily(seed: space.scenario.input.seed, replication: 0))
    return result(
      try space.values(
        at: points, part: "\(space.scenario.input.policies[0].name), set",
        replications: settings.replications,
        threads: threads, keeper: keeper, progress: progress, shouldStop: shouldStop))
  }

  /// - Parameter outputs: by set, strategy, metric and replication.
  private func result(_ outputs: [[[[Double]?]]]) -> UncertaintyResult {
    let confidence = space.scenario.experiment.confidence
    let strategies = space.scenario.input.strategies
    // By strategy and metric: values by set and replication; nil unless every set has them.
    let values = strategies.indices.map { strategy in
      Metric.all.indices.map { metric -> [[Double]]? in
        let sets = outputs.compactMap { $0[strategy][metric] }
        return sets.count == outputs.count ? sets : nil
      }
    }
    let estimation = Estimation(scenario: space.scenario)
    let applies = strategies.map { strategy in Metric.all.map { estimation.applies($0, to: strategy) } }
    var result = UncertaintyResult(
      settings: settings, confidence: confidence, parameters: space.parameters,
      isSobol: space.parameters.count <= DesignPoints.sobolDimensions, strategies: [], rankings: [])
    for (index, strategy) in strategies.enumerated() {
      let metrics = Metric.all.indices.compactMap { metric -> UncertainMetric? in
        guard applies[index][metric], let effects = values[index][metric].flatMap(CrossedEffects.init) else {
          return nil
        }
        let interval = effects.interval(share: confidence)
        return UncertainMetric(
          metric: Metric.all[metric], effects: effects, low: interval.low, high: interval.high)
      }
      result.strategies.append((strategy.name, metrics))
    }
    for metric in Metric.all.indices {
      for first in strategies.indices {
        for second in strategies.indices where second > first {
          guard applies[first][metric], applies[second][metric], let a = values[first][metric],
            let b = values[second][metric]
          else { continue }
          let differences = zip(a, b).map { zip($0, $1).map { $0 - $1 } }
          guard let effects = CrossedEffects(differences) else { continue }
          result.rankings.append(
            ranking(
              Metric.all[metric], strategies[first].name, strategies[second].name, differences, effects,
              confidence))
        }
      }
    }
    return result
  }

  private func ranking(
    _ metric: Metric, _ first: String, _ second: String, _ differences: [[Double]], _ effects: CrossedEffects,
    _ confidence: Double
  ) -> UncertainRanking {
    let means = differences.map { $0.reduce(0, +) / Double($0.count) }
    // The error of a set's mean is estimated from all sets: a few replications of one say little.
    let freedom = effects.settings * (effects.replications - 1)
    let error =
      effects.chanceVariance.squareRoot() * studentQuantile(confidence: confidence, degreesOfFreedom: freedom)
    let more = means.reduce(0.0) { $0 + ($1 > 0 ? 1 : $1 == 0 ? 0.5 : 0) }
    let interval = effects.interval(share: confidence)
    return UncertainRanking(
      metric: metric, first: first, second: second, effects: effects, low: interval.low, high: interval.high,
      firstIsMore: more / Double(means.count),
      undecided: Double(means.filter { $0.magnitude <= error }.count) / Double(means.count))
  }
}
