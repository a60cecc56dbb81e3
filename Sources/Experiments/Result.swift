public import PushModel

/// An estimate over replications.
public struct MetricResult: Sendable {
  public var metric: Metric
  /// By replication; nil where there was nothing to divide by.
  public var values: [Double?]
  /// The mean over replications; nil when no replication has a value.
  public var estimate: Double?
  /// Student-t interval over replications; nil with fewer than two.
  public var low: Double?
  public var high: Double?

  /// Half the length of the interval.
  public var halfWidth: Double? {
    guard let low, let high else { return nil }
    return (high - low) / 2
  }
}

/// What one strategy did, over all replications.
public struct StrategyResult: Sendable {
  public var strategy: Strategy
  /// Sums over all replications.
  public var total: Tally
  /// In the order of ``Metric/all``, those that apply to the strategy.
  public var metrics: [MetricResult]
  /// How soon after their sends pushes met each end; nil without pushes.
  public var incidence: IncidenceResult?

  public var name: String { strategy.name }
  /// Its push mechanisms.
  public var plans: [PushPlan] { strategy.pushPlans }
  /// Its mechanisms that the system starts when it likes.
  public var tasks: [TaskMechanism] { strategy.tasks }
  public var sendsPushes: Bool { strategy.sendsPushes }

  /// What became of the pushes of one of its mechanisms.
  public func counts(_ mechanism: PushMechanism) -> Tally.MechanismCounts {
    if plans.count > 1 { return total.byMechanism[Int(mechanism.rawValue)] }
    var counts = Tally.MechanismCounts()
    counts.fates = total.fates
    counts.within = total.within
    counts.latency = total.latency
    return counts
  }

  public func metric(_ name: String) -> MetricResult? { metrics.first { $0.metric.name == name } }
}

/// The difference of a metric between a strategy and the baseline or another, paired by replication.
public struct ComparisonResult: Sendable {
  public var metric: String
  public var strategy: String
  public var baseline: String
  /// The strategy minus the baseline.
  public var difference: Double
  public var low: Double?
  public var high: Double?
  /// The interval that holds together with those of the metric's other comparisons.
  public var jointLow: Double?
  public var jointHigh: Double?
  /// How many times less the difference varies than one of independent replications; nil where nothing varies.
  public var varianceReduction: Double?
  /// How many independent replications of each would tell as much.
  public var equivalentIndependentReplications: Double?
}

/// What became of an expectation.
public struct ExpectationResult: Sendable {
  public enum Outcome: String, Sendable {
    /// The whole interval lies where it should.
    case met
    /// The whole interval lies elsewhere.
    case missed
    /// The interval lies across the bound: more replications would tell.
    case undecided
  }

  public var expectation: Expectation
  public var observed: Double?
  public var low: Double?
  public var high: Double?
  public var outcome: Outcome
}

/// The results under one policy.
public struct PolicyRun: Sendable {
  public var policy: String
  public var strategies: [StrategyResult]
  public var comparisons: [ComparisonResult]
  public var expectations: [ExpectationResult]
  /// Freshness against energy; nil without content, or without a choice of strategies.
  public var pareto: Pareto?
  /// Whether the run's warm-up is long enough.
  public var warmUp: WarmUpCheck
  /// Nil where the scenario asks for none.
  public var precision: PrecisionResult?
  public var selection: SelectionResult?
  /// Nil unless the scenario asks for it and there is an uncertain parameter.
  public var uncertainty: UncertaintyResult?
}

/// The results of an experiment, a run per policy.
public struct ExperimentResult: Sendable {
  /// As it was run: ``ExperimentSettings/replications`` is how many there were.
  public var scenario: Scenario
  public var runs: [PolicyRun]
  /// By strategy and metric: each later policy minus the first; `strategy` names the strategy, `baseline` the policies.
  public var policyDifferences: [ComparisonResult]

  public var outcomes: [ExpectationResult.Outcome] { runs.flatMap { $0.expectations.map(\.outcome) } }
}
