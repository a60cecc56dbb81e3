public import OutputAnalysis
public import PushModel

/// An estimate over replications.
public struct MetricResult: Sendable {
  public var metric: Metric
  /// By replication.
  public var sample: ReplicationSample
  /// The replications' own values, to be shown; nil where there was nothing to divide by.
  public var values: [Double?] { sample.values }
  /// The ratio of sums over all replications; nil when none has anything to divide by.
  public var estimate: Double?
  /// The interval over replications; nil with fewer than two.
  public var low: Double?
  public var high: Double?

  /// From the estimate to the farther end of the interval.
  public var halfWidth: Double? {
    guard let estimate, let low, let high else { return nil }
    return max(high - estimate, estimate - low)
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
  /// Whether no replication differs.
  public var isSame: Bool
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
  /// About how many replications would decide what is undecided, if the estimate stays; nil where it is decided, or no
  /// number up to ``mostReplications`` is enough.
  public var replicationsToDecide: Int?
  /// At most the probability with which it is missed though it is true.
  public var chanceOfWrongMiss: Double
  /// Whether it leaves no room for chance, as `at_most: 0 %` and `at_least: 100 %`: then it is met if all replications agree with
  /// it, and says nothing beyond them.
  public var isExact: Bool
  /// The range over what is plausible of the parameters that are assumed; nil where it is not known.
  public var plausible: (low: Double, high: Double)?

  public static let mostReplications = 1_000_000

  /// Judges by a range over what is plausible; more replications do not change it.
  mutating func judge(low: Double?, high: Double?) {
    (self.low, self.high, replicationsToDecide) = (low, high, nil)
    outcome =
      if let low, let high {
        low >= expectation.low && high <= expectation.high
          ? .met : high < expectation.low || low > expectation.high ? .missed : .undecided
      } else {
        .undecided
      }
  }
}

/// The results under one policy.
public struct PolicyRun: Sendable {
  public var policy: String
  public var strategies: [StrategyResult]
  public var comparisons: [ComparisonResult]
  public var expectations: [ExpectationResult]
  /// At most the probability that one of the expectations or several are missed though all are true. Each is held at its
  /// own confidence, so that its outcome does not depend on what else is expected.
  public var chanceOfAnyWrongMiss: Double {
    min(1, expectations.reduce(0) { $0 + $1.chanceOfWrongMiss })
  }
  /// Freshness against energy; nil without content, or without a choice of strategies.
  public var pareto: Pareto?
  /// Whether the run's warm-up is long enough.
  public var warmUp: WarmUpCheck
  /// Nil where the scenario asks for none.
  public var precision: PrecisionResult?
  public var selection: SelectionResult?
  /// What becomes of the answer over what is assumed; nil where it was not looked at or there is no such parameter.
  public var uncertainty: UncertaintyResult?
  /// Whether there is nothing to look at: no parameter that is read is assumed and has a prior.
  public var assumesNothing = false

  /// Takes what a study of the policy came to, and judges what is expected of plausible ranges.
  ///
  /// - Parameter study: nil where the study found no uncertain parameter.
  public mutating func add(_ study: UncertaintyResult?) {
    uncertainty = study
    assumesNothing = study == nil
    for index in expectations.indices {
      let claim = expectations[index].expectation
      let metric = strategies.first { $0.name == claim.strategy }?.metric(claim.metric)
      let range = study?.metric(claim.metric, of: claim.strategy)
      expectations[index].plausible = range.map { ($0.low, $0.high) }
      guard claim.interval == .plausible else { continue }
      // Where nothing is assumed chance is all that there is.
      expectations[index].judge(
        low: study == nil ? metric?.low : range?.low, high: study == nil ? metric?.high : range?.high)
    }
  }
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
