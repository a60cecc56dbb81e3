public import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities

/// The result file: one object, its fields a contract (README, "The result file"). Fields may be added, never renamed.
public enum JSONReport {
  public static let format = "pushsim-result/1"

  public static func value(_ result: ExperimentResult) -> JSONValue {
    if result.runs.count == 1 { return run(result.runs[0], result.scenario) }
    return .object([
      ("format", .string(format)),
      ("scenario", .string(result.scenario.name)),
      ("question", .string(result.scenario.question)),
      ("runs", .array(result.runs.map { run($0, result.scenario) })),
      ("policy_differences", .array(result.policyDifferences.map(comparison))),
    ])
  }

  private static func run(_ run: PolicyRun, _ scenario: Scenario) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("format", .string(format)),
      ("scenario", .string(scenario.name)),
      ("question", .string(scenario.question)),
      ("provenance", provenance(run, scenario)),
      ("note", .string("Apple publishes no delivery rate: every number here is an output of the model.")),
      ("strategies", .object(run.strategies.map { ($0.name, strategy($0)) })),
      ("comparisons", .array(run.comparisons.map(comparison))),
      ("expectations", .array(run.expectations.map(expectation))),
      ("assumptions", .array(Assumptions.list(scenario, policy: run.policy).map(assumption))),
    ]
    if let front = run.pareto {
      members += [
        ("pareto", pareto(front)),
        ("recommendation", .array(Recommendation.sentences(front).map(JSONValue.string))),
      ]
    }
    if let uncertainty = run.uncertainty {
      members.append(("uncertainty", UncertaintyReport.json(uncertainty)))
    }
    return .object(members)
  }

  private static func pareto(_ pareto: Pareto) -> JSONValue {
    .object([
      ("x", .string(Pareto.cost)),
      ("y", .string(Pareto.benefit)),
      ("front", .array(pareto.front.map { .string($0.strategy) })),
      (
        "dominated",
        .array(
          pareto.dominated.map { .object([("strategy", .string($0.strategy)), ("by", .string($0.by))]) })
      ),
      ("ties", .array(pareto.ties.map { .array($0.map(JSONValue.string)) })),
    ])
  }

  private static func provenance(_ run: PolicyRun, _ scenario: Scenario) -> JSONValue {
    .object([
      ("pushsim", .string(pushsimVersion)),
      ("scenario_sha256", .string(scenario.digest)),
      ("policy", .string(run.policy)),
      ("population", .string(scenario.populationName)),
      ("seed", .unsigned(scenario.input.seed)),
      ("devices", .integer(scenario.experiment.devices)),
      ("replications", .integer(scenario.experiment.replications)),
      ("duration_s", seconds(scenario.input.duration)),
      ("warm_up_s", seconds(scenario.input.warmUp)),
      ("confidence", .number(scenario.experiment.confidence)),
    ])
  }

  private static func seconds(_ duration: SimDuration) -> JSONValue {
    duration.microseconds % 1_000_000 == 0
      ? .integer(duration.microseconds / 1_000_000) : .number(duration.seconds)
  }

  private static func strategy(_ strategy: StrategyResult) -> JSONValue {
    let tally = strategy.total
    var reasons: [(String, JSONValue)] = []
    for fate in Fate.allCases {
      let counted = (0..<Reason.count).map(Reason.init(index:))
        .map { ($0.name, tally.reasonCount(fate, $0)) }
        .filter { $0.1 > 0 }
      if !counted.isEmpty { reasons.append((fate.name, .object(counted.map { ($0.0, .integer($0.1)) }))) }
    }
    var members: [(String, JSONValue)] = [
      ("sent", .integer(tally.sent)),
      ("fates", .object(Fate.allCases.map { ($0.name, .integer(tally.fates[Int($0.rawValue)])) })),
      ("reasons", .object(reasons)),
      (
        "results", .object(LaunchResult.allCases.map { ($0.name, .integer(tally.results[Int($0.rawValue)])) })
      ),
      ("delivered_in_foreground", .integer(tally.deliveredInForeground)),
      ("shown", .integer(tally.shown)),
      ("launches_in_background", .integer(tally.wakes)),
      ("opens", .integer(tally.opens)),
      ("energy_j", energy(tally.energy)),
      ("metrics", .object(strategy.metrics.map { ($0.metric.name, metric($0, tally)) })),
      ("latency_s", latency(tally.latency)),
      ("by_hour", .array((0..<24).map { segment(tally.byHour[$0]) })),
      (
        "by_class",
        .object(UserClass.allCases.map { ($0.name, segment(tally.byClass[Int($0.rawValue)])) })
      ),
      (
        "by_device_kind",
        .object(DeviceKind.allCases.map { ($0.name, segment(tally.byKind[Int($0.rawValue)])) })
      ),
    ]
    let mechanisms =
      strategy.plans.map { ($0.mechanism.name, pushes(strategy.counts($0.mechanism))) }
      + strategy.tasks.map { ($0.name, task(tally.tasks[Int($0.rawValue)])) }
    if !mechanisms.isEmpty { members.append(("mechanisms", .object(mechanisms))) }
    let watched = FactorID.allCases.filter { tally.shadow[Int($0.rawValue)] > 0 }
    if !watched.isEmpty {
      members.append(
        ("shadow", .object(watched.map { ($0.name, .integer(tally.shadow[Int($0.rawValue)])) })))
    }
    return .object(members)
  }

  private static func pushes(_ counts: Tally.MechanismCounts) -> JSONValue {
    .object([
      ("sent", .integer(counts.sent)),
      ("fates", .object(Fate.allCases.map { ($0.name, .integer(counts.fates[Int($0.rawValue)])) })),
      (
        "delivered_within",
        .object(Tally.thresholds.indices.map { (Tally.thresholds[$0].name, .integer(counts.within[$0])) })
      ),
      ("latency_s", latency(counts.latency)),
    ])
  }

  private static func task(_ counts: Tally.TaskCounts) -> JSONValue {
    let refused = FactorID.allCases.filter { counts.refused[Int($0.rawValue)] > 0 }
    return .object([
      ("opportunities", .integer(counts.opportunities)),
      ("not_due", .integer(counts.notDue)),
      ("refused", .object(refused.map { ($0.name, .integer(counts.refused[Int($0.rawValue)])) })),
      ("passed_over", .integer(counts.passedOver)),
      ("runs", .integer(counts.runs)),
      (
        "results",
        .object(LaunchResult.allCases.map { ($0.name, .integer(counts.results[Int($0.rawValue)])) })
      ),
      ("interrupted", .integer(counts.interrupted)),
    ])
  }

  private static func metric(_ result: MetricResult, _ tally: Tally) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("estimate", number(result.estimate)),
      ("low", number(result.low)),
      ("high", number(result.high)),
      ("unit", .string(result.metric.unit.rawValue)),
    ]
    if result.metric.name == "staleness_at_open_s" {
      for (name, p) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
        members.append((name, quantile(tally.staleness, p)))
      }
    }
    return .object(members)
  }

  /// Of all devices and replications.
  private static func energy(_ sums: EnergySums) -> JSONValue {
    .object([
      ("total", .number(Double(sums.total) / 1e6)),
      ("on_charger", .number(Double(sums.whileCharging) / 1e6)),
      ("wakes", .number(Double(sums.wakes) / 1e6)),
      ("wasted_wakes", .number(Double(sums.wakes - sums.usefulWakes) / 1e6)),
    ])
  }

  private static func latency(_ latency: LogHistogram) -> JSONValue {
    .object([
      ("count", .unsigned(latency.count)),
      ("p50", quantile(latency, 0.5)),
      ("p90", quantile(latency, 0.9)),
      ("p95", quantile(latency, 0.95)),
      ("p99", quantile(latency, 0.99)),
    ])
  }

  private static func quantile(_ histogram: LogHistogram, _ p: Double) -> JSONValue {
    guard let microseconds = histogram.quantile(p) else { return .null }
    // Microseconds; the histogram's cells are wider than that.
    return .number((Double(microseconds)).rounded() / 1e6)
  }

  private static func segment(_ segment: Tally.Segment) -> JSONValue {
    .object([
      ("sent", .integer(segment.sent)),
      ("delivered", .integer(segment.delivered)),
      ("delivered_within_5min", .integer(segment.within5min)),
      ("not_wakeable", .integer(segment.notWakeable)),
      ("opens", .integer(segment.opens)),
      ("fresh_opens", .integer(segment.freshOpens)),
    ])
  }

  private static func comparison(_ comparison: ComparisonResult) -> JSONValue {
    .object([
      ("metric", .string(comparison.metric)),
      ("strategy", .string(comparison.strategy)),
      ("baseline", .string(comparison.baseline)),
      ("difference", .number(comparison.difference)),
      ("low", number(comparison.low)),
      ("high", number(comparison.high)),
    ])
  }

  private static func expectation(_ result: ExpectationResult) -> JSONValue {
    let expectation = result.expectation
    var members: [(String, JSONValue)] = [
      ("strategy", .string(expectation.strategy)),
      ("metric", .string(expectation.metric)),
    ]
    switch (expectation.low.isFinite, expectation.high.isFinite) {
    case (true, true):
      members.append(("within", .array([.number(expectation.low), .number(expectation.high)])))
    case (true, false): members.append(("at_least", .number(expectation.low)))
    default: members.append(("at_most", .number(expectation.high)))
    }
    members += [
      ("observed", number(result.observed)),
      ("low", number(result.low)),
      ("high", number(result.high)),
      ("met", .bool(result.outcome == .met)),
      ("outcome", .string(result.outcome.rawValue)),
    ]
    if let source = expectation.source { members.append(("source", .string(source))) }
    return .object(members)
  }

  private static func assumption(_ assumption: Assumptions.Item) -> JSONValue {
    .object([
      ("parameter", .string(assumption.path)),
      ("value", .string(assumption.setting.text)),
      ("prior", assumption.setting.priorText.map(JSONValue.string) ?? .null),
      ("evidence", .string(assumption.setting.evidence.rawValue)),
      ("source", .string(assumption.setting.source)),
    ])
  }

  private static func number(_ value: Double?) -> JSONValue { value.map(JSONValue.number) ?? .null }
}
