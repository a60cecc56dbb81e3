import OutputAnalysis
import PushModel
import Quantities

/// Turns the tallies of replications into estimates, comparisons and outcomes of expectations.
struct Estimation {
  let scenario: Scenario

  private var confidence: Double { scenario.experiment.confidence }

  func result(_ output: ReplicationOutput) -> ExperimentResult {
    let runs = scenario.input.policies.indices.map {
      run(policy: scenario.input.policies[$0].name, values: output.values[$0], totals: output.totals[$0])
    }
    return ExperimentResult(scenario: scenario, runs: runs, policyDifferences: policyDifferences(runs))
  }

  /// - Parameters:
  ///   - values: by strategy, metric and replication.
  ///   - totals: by strategy.
  private func run(policy: String, values: [[[Double?]]], totals: [Tally]) -> PolicyRun {
    let strategies = scenario.input.strategies.indices.map { index in
      let strategy = scenario.input.strategies[index]
      return StrategyResult(
        name: strategy.name, plans: strategy.pushPlans, tasks: strategy.tasks,
        total: totals[index],
        metrics: Metric.all.indices.compactMap { metric in
          guard applies(Metric.all[metric], to: strategy) else { return nil }
          return estimate(Metric.all[metric], values[index][metric])
        })
    }
    return PolicyRun(
      policy: policy, strategies: strategies, comparisons: comparisons(strategies),
      expectations: judge(strategies), pareto: Pareto(strategies, confidence: confidence))
  }

  func applies(_ metric: Metric, to strategy: Strategy) -> Bool {
    (!metric.isAboutPushes || strategy.sendsPushes)
      && (!metric.isAboutWakes || strategy.sendsPushes || !strategy.tasks.isEmpty)
      && (!metric.needsContent || scenario.input.content != nil)
  }

  private func estimate(_ metric: Metric, _ values: [Double?]) -> MetricResult {
    let known = values.compactMap { $0 }
    var result = MetricResult(metric: metric, values: values)
    guard !known.isEmpty else { return result }
    let estimate = MeanEstimate(known, confidence: confidence)
    result.estimate = estimate.mean
    // A share lies between 0 and 1, and a rate is not negative, whatever the t distribution says.
    let highest = metric.unit == .proportion ? 1 : Double.infinity
    result.low = estimate.interval.map { max(0, $0.lower) }
    result.high = estimate.interval.map { min(highest, $0.upper) }
    return result
  }

  private func difference(_ a: MetricResult, _ b: MetricResult) -> (
    difference: Double, low: Double?, high: Double?
  )? {
    let pairs = zip(a.values, b.values).compactMap { x, y in x.flatMap { x in y.map { x - $0 } } }
    guard !pairs.isEmpty else { return nil }
    let estimate = MeanEstimate(pairs, confidence: confidence)
    return (estimate.mean, estimate.interval?.lower, estimate.interval?.upper)
  }

  private func comparisons(_ strategies: [StrategyResult]) -> [ComparisonResult] {
    guard let name = scenario.experiment.baseline, let baseline = strategies.first(where: { $0.name == name })
    else { return [] }
    var comparisons: [ComparisonResult] = []
    for metric in Metric.all {
      guard let base = baseline.metric(metric.name) else { continue }
      for strategy in strategies where strategy.name != name {
        guard let other = strategy.metric(metric.name), let paired = difference(other, base) else { continue }
        comparisons.append(
          ComparisonResult(
            metric: metric.name, strategy: strategy.name, baseline: name, difference: paired.difference,
            low: paired.low, high: paired.high))
      }
    }
    return comparisons
  }

  private func judge(_ strategies: [StrategyResult]) -> [ExpectationResult] {
    scenario.expectations.compactMap { expectation in
      // `--strategy` may have left the strategy out of this run.
      guard let strategy = strategies.first(where: { $0.name == expectation.strategy }) else { return nil }
      let result = strategy.metric(expectation.metric)
      return ExpectationResult(
        expectation: expectation, observed: result?.estimate, low: result?.low, high: result?.high,
        outcome: outcome(expectation, result))
    }
  }

  private func outcome(_ expectation: Expectation, _ result: MetricResult?) -> ExpectationResult.Outcome {
    // Without a second replication there is no interval, and nothing can be decided.
    guard let low = result?.low, let high = result?.high else { return .undecided }
    if low >= expectation.low, high <= expectation.high { return .met }
    if high < expectation.low || low > expectation.high { return .missed }
    return .undecided
  }

  /// Each later policy minus the first, for every strategy and metric.
  private func policyDifferences(_ runs: [PolicyRun]) -> [ComparisonResult] {
    guard let first = runs.first else { return [] }
    var differences: [ComparisonResult] = []
    for run in runs.dropFirst() {
      for (strategy, base) in zip(run.strategies, first.strategies) {
        for metric in strategy.metrics {
          guard let other = base.metric(metric.metric.name), let paired = difference(metric, other) else {
            continue
          }
          differences.append(
            ComparisonResult(
              metric: metric.metric.name, strategy: strategy.name,
              baseline: "\(run.policy) - \(first.policy)",
              difference: paired.difference, low: paired.low, high: paired.high))
        }
      }
    }
    return differences
  }
}
