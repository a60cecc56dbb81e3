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
  /// Of each replication; nil: as many as the scenario says.
  public var devices: Int?
  /// Which parameters, see ``ParameterSpace``; empty: the assumed ones.
  public var parameters: [String]

  public init(samples: Int = 200, replications: Int = 4, devices: Int? = nil, parameters: [String] = []) {
    self.samples = samples
    self.replications = replications
    self.devices = devices
    self.parameters = parameters
  }

  /// What every run adds: as many lives in all as cost no more than the run itself, in few sets, each of few devices.
  ///
  /// - Parameter scenario: as it was run, with the replications that it had.
  public static func small(_ scenario: Scenario) -> UncertaintySettings {
    let (samples, replications) = (64, 4)
    // Part of the run's own, for strict or lax parameters make more work than the scenario's.
    let lives = 0.8 * Double(scenario.devices) * Double(scenario.replications)
    let devices = Int(lives / Double(samples * replications))
    return UncertaintySettings(
      samples: samples, replications: replications,
      devices: min(scenario.devices, max(leastDevices, devices)))
  }

  private static let leastDevices = 4
}

/// What a metric comes to over the parameter sets.
public struct UncertainMetric: Sendable {
  public var metric: Metric
  public var effects: CrossedEffects
  /// The mean of the sets, and the central interval of ``UncertaintyResult/share`` of them: chance is taken out of its
  /// width, and its place is that of the run, which has more devices.
  public var mean: Double
  public var low: Double
  public var high: Double
  /// The parameters that matter most, indices of ``UncertaintyResult/parameters``; only of metrics that results show first.
  public var influences: [RankInfluence]
}

/// Two strategies over the parameter sets, each set's replications paired.
public struct UncertainRanking: Sendable {
  public var metric: Metric
  public var first: String
  public var second: String
  /// The first minus the second.
  public var effects: CrossedEffects
  public var mean: Double
  public var low: Double
  public var high: Double
  /// The share of sets in which the first has more; where they are equal, half of the set counts.
  public var firstIsMore: Double
  /// The share of sets whose difference is within chance at the confidence of the scenario.
  public var undecided: Double
}

/// Whether all strategies keep the order that they have in the run.
public struct UncertainOrder: Sendable {
  public var metric: Metric
  /// The names, the one with the most first.
  public var order: [String]
  /// The share of sets in which the whole order is the same, and the one in which the first is. Equal strategies have any
  /// order.
  public var holds: Double
  public var firstHolds: Double
}

/// What of an answer is ignorance, and what is chance.
public struct UncertaintyResult: Sendable {
  /// What a plausible range holds of what the priors give: it is no confidence, for nothing was measured.
  public static let share = 0.9

  public var settings: UncertaintySettings
  /// Of each replication.
  public var devices: Int
  public var parameters: [UncertainParameter]
  /// Whether the sets are scrambled Sobol points; else a Latin hypercube, since there are too many parameters.
  public var isSobol: Bool
  public var strategies: [(name: String, metrics: [UncertainMetric])]
  /// Of all pairs of strategies.
  public var rankings: [UncertainRanking]
  /// Of metrics that results show first, and of at least two strategies.
  public var orders: [UncertainOrder]

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
  /// The run of the scenario's own values, to which ranges belong.
  private let run: PolicyRun?
  /// Whether the first replications of the run are those of a set, and tell what the scenario's values come to in them.
  private let runHasAll: Bool

  /// - Parameters:
  ///   - policy: the index of the policy.
  ///   - run: of the scenario under the policy; nil: ranges lie where the few replications of the sets put them.
  ///   - threads: at least 1.
  public init(
    _ scenario: Scenario, policy: Int, settings: UncertaintySettings, run: PolicyRun? = nil, threads: Int
  ) {
    precondition(settings.samples >= 2 && settings.replications >= 2, "the study \(settings)")
    space = ParameterSpace(
      scenario, policy: policy, patterns: settings.parameters, devices: settings.devices)
    self.settings = settings
    self.threads = threads
    // What each replication of the run draws anew, a set may fix: then the run is of something else.
    self.run = space.parameters.contains(where: \.isGivenAsPrior) ? nil : run
    runHasAll = space.scenario.devices == scenario.devices && settings.replications <= scenario.replications
  }

  private var addsOwnValues: Bool { run != nil && !runHasAll }

  /// How many devices are simulated in all.
  public var devices: Int {
    space.parameters.isEmpty
      ? 0
      : (settings.samples + (addsOwnValues ? 1 : 0)) * settings.replications * space.scenario.devices
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
    let own: [[Double?]] = addsOwnValues ? [space.parameters.map { _ in nil }] : []
    var outputs = try space.values(
      at: points + own, part: "\(space.scenario.input.policies[0].name), set",
      replications: settings.replications,
      threads: threads, keeper: keeper, progress: progress, shouldStop: shouldStop)
    let ownOutput = addsOwnValues ? outputs.removeLast() : nil
    return UncertaintyEstimation(
      space: space, settings: settings, points: points, outputs: outputs, own: ownOutput, run: run
    ).result
  }
}
