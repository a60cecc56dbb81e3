import OutputAnalysis
import PushModel
import Quantities

/// Turns the tallies of replications into estimates, comparisons and outcomes of expectations.
struct Estimation {
  let scenario: Scenario

  private var confidence: Double { scenario.experiment.confidence }
  /// Of every interval, where the values decided how many replications there are.
  var widening: Double { scenario.experiment.mostReplications == nil ? 1 : SequentialPrecision.widening }

  func result(_ output: ReplicationOutput) -> ExperimentResult {
    let runs = scenario.input.policies.indices.map {
      run(
        policy: scenario.input.policies[$0].name, samples: output.samples[$0], totals: output.totals[$0],
        incidences: output.incidences[$0], daily: output.daily[$0])
    }
    return ExperimentResult(scenario: scenario, runs: runs, policyDifferences: policyDifferences(runs))
  }

  /// - Parameters:
  ///   - samples: by strategy and metric.
  ///   - totals: by strategy.
  ///   - incidences: by strategy and replication.
  ///   - daily: by strategy and replication.
  private func run(
    policy: String, samples: [[ReplicationSample]], totals: [Tally], incidences: [[ReplicationIncidence?]],
    daily: [[DailyCounts]]
  ) -> PolicyRun {
    let strategies = scenario.input.strategies.indices.map { index in
      let strategy = scenario.input.strategies[index]
      return StrategyResult(
        strategy: strategy, total: totals[index],
        metrics: Metric.all.indices.compactMap { metric in
          guard applies(Metric.all[metric], to: strategy) else { return nil }
          return estimate(Metric.all[metric], samples[index][metric])
        },
        incidence: IncidenceResult(
          incidences[index], all: totals[index].incidence, latency: totals[index].latency,
          longest: scenario.input.duration, confidence: confidence))
    }
    return PolicyRun(
      policy: policy, strategies: strategies, comparisons: comparisons(strategies),
      expectations: judge(strategies),
      pareto: Pareto(strategies, confidence: confidence, widening: widening),
      warmUp: WarmUpCheck(
        given: scenario.input.warmUp, duration: scenario.input.duration, strategies: strategies, daily: daily,
        devices: scenario.experiment.devices, confidence: confidence),
      precision: precision(samples), selection: selection(samples))
  }

  func applies(_ metric: Metric, to strategy: Strategy) -> Bool {
    metric.applies(to: strategy, hasContent: scenario.input.content != nil)
  }

  private func estimate(_ metric: Metric, _ sample: ReplicationSample) -> MetricResult {
    MetricResult(metric, sample, confidence: confidence, widening: widening)
  }

  /// Two results of a metric that are to be compared.
  private struct Pair {
    var strategy: String
    var baseline: String
    var first: MetricResult
    var second: MetricResult
  }

  /// Compares the pairs of one metric, which are a family: their joint intervals hold together.
  private func compare(_ pairs: [Pair]) -> [ComparisonResult] {
    let known = pairs.filter { $0.first.estimate != nil && $0.second.estimate != nil }
    return known.compactMap { pair in
      let comparison = PairedComparison(
        pair.first.sample, pair.second.sample, confidence: confidence, family: known.count, widening: widening
      )
      guard let paired = comparison else { return nil }
      return ComparisonResult(
        metric: pair.first.metric.name, strategy: pair.strategy, baseline: pair.baseline,
        difference: paired.difference.mean, low: paired.difference.interval?.lower,
        high: paired.difference.interval?.upper, jointLow: paired.joint?.lower,
        jointHigh: paired.joint?.upper, varianceReduction: paired.varianceReduction,
        equivalentIndependentReplications: paired.equivalentIndependentReplications, isSame: paired.isSame)
    }
  }

  private func comparisons(_ strategies: [StrategyResult]) -> [ComparisonResult] {
    let baseline = scenario.experiment.baseline
    // By name: the one that is subtracted last.
    let partners: [(StrategyResult, StrategyResult)]
    switch scenario.experiment.comparison.partners {
    case .baseline:
      guard let base = strategies.first(where: { $0.name == baseline }) else { return [] }
      partners = strategies.filter { $0.name != baseline }.map { ($0, base) }
    case .allPairs:
      // The baseline first, so that it is what others are compared with.
      let order = strategies.filter { $0.name == baseline } + strategies.filter { $0.name != baseline }
      partners = order.indices.flatMap { a in order[..<a].map { (order[a], $0) } }
    }
    return Metric.all.flatMap { metric in
      compare(
        partners.compactMap { strategy, base in
          guard let first = strategy.metric(metric.name), let second = base.metric(metric.name) else {
            return nil
          }
          return Pair(strategy: strategy.name, baseline: base.name, first: first, second: second)
        })
    }
  }

  private func judge(_ strategies: [StrategyResult]) -> [ExpectationResult] {
    scenario.expectations.compactMap { expectation in
      // `--strategy` may have left the strategy out of this run.
      guard let strategy = strategies.first(where: { $0.name == expectation.strategy }) else { return nil }
      let result = strategy.metric(expectation.metric)
      if expectation.interval == .plausible {
        // The study that follows tells.
        return ExpectationResult(
          expectation: expectation, observed: result?.estimate, outcome: .undecided, chanceOfWrongMiss: 0,
          isExact: false)
      }
      let outcome = outcome(expectation, result)
      // Wrong on the one side or the other: only a range has both.
      let sides = [expectation.low, expectation.high].count { $0.isFinite }
      let isExact = result.map { expectation.isExact($0.metric) } ?? false
      return ExpectationResult(
        expectation: expectation, observed: result?.estimate, low: result?.low, high: result?.high,
        outcome: outcome,
        replicationsToDecide: outcome == .undecided
          ? result.flatMap { replicationsToDecide(expectation, $0) } : nil,
        chanceOfWrongMiss: isExact ? 0 : Double(sides) * (1 - confidence) / 2, isExact: isExact)
    }
  }

  private func outcome(_ expectation: Expectation, _ result: MetricResult?) -> ExpectationResult.Outcome {
    // Without a second replication there is no interval, and nothing can be decided.
    guard let result, let low = result.low, let high = result.high else { return .undecided }
    // No interval can lie at a point. What holds of each replication is all that can be said, and one exception refutes it.
    if expectation.isExact(result.metric) {
      let values = result.sample.items.compactMap(\.value)
      return values.allSatisfy { $0 >= expectation.low && $0 <= expectation.high } ? .met : .missed
    }
    if low >= expectation.low, high <= expectation.high { return .met }
    if high < expectation.low || low > expectation.high { return .missed }
    return .undecided
  }

  /// By doubling, then halving what is left; nil also where a single replication tells nothing of how they vary.
  private func replicationsToDecide(_ expectation: Expectation, _ result: MetricResult) -> Int? {
    let count = result.sample.count
    guard count > 1 else { return nil }
    func isDecided(_ replications: Int) -> Bool {
      let longer = MetricResult(
        result.metric, result.sample, confidence: confidence, widening: widening,
        repeated: Double(replications) / Double(count))
      return outcome(expectation, longer) != .undecided
    }
    var (few, many) = (count, 2 * count)
    while !isDecided(many) {
      (few, many) = (many, 2 * many)
      if few > ExpectationResult.mostReplications { return nil }
    }
    while many - few > max(1, few / 50) {
      let middle = (few + many) / 2
      if isDecided(middle) { many = middle } else { few = middle }
    }
    return many
  }

  /// Each later policy minus the first, for every strategy and metric.
  private func policyDifferences(_ runs: [PolicyRun]) -> [ComparisonResult] {
    guard let first = runs.first else { return [] }
    return Metric.all.flatMap { metric in
      compare(
        runs.dropFirst().flatMap { run in
          zip(run.strategies, first.strategies).compactMap { strategy, base in
            guard let result = strategy.metric(metric.name), let other = base.metric(metric.name) else {
              return nil
            }
            return Pair(
              strategy: strategy.name, baseline: "\(run.policy) - \(first.policy)", first: result,
              second: other)
          }
        })
    }
  }
}

extension MetricResult {
  /// Estimates from what the replications said.
  ///
  /// - Parameters:
  ///   - widening, repeated: as of ``MeanEstimate/init(_:confidence:widening:repeated:)``.
  init(
    _ metric: Metric, _ sample: ReplicationSample, confidence: Double, widening: Double = 1,
    repeated: Double = 1
  ) {
    self.init(metric: metric, sample: sample)
    guard
      let mean = MeanEstimate(sample, confidence: confidence, widening: widening, repeated: repeated)
    else { return }
    estimate = mean.mean
    // No metric is negative, whatever the t distribution says.
    low = mean.interval.map { max(0, $0.lower) }
    high = mean.interval?.upper
  }
}
