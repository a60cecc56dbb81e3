public import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities

/// The result file: one object, its fields a contract (Documentation/ResultFiles.md). Fields may be added, never renamed.
public enum JSONReport {
  public static let format = "pushsim-result/1"
  /// With more replications than this the values of single ones are left out.
  static let valuesListed = 100

  /// How somebody else gets the same result.
  public struct Reproduction: Sendable {
    /// For a shell.
    public var command: String
    /// As the command names it.
    public var scenarioFile: String

    public init(command: String, scenarioFile: String) {
      self.command = command
      self.scenarioFile = scenarioFile
    }
  }

  /// - Parameters:
  ///   - reproduction: nil where nobody can reproduce it, as in a test.
  ///   - timelines: by run, single devices as ``Timeline`` gives them; none: left out.
  public static func value(
    _ result: ExperimentResult, reproduction: Reproduction? = nil, timelines: [[JSONValue]] = []
  ) -> JSONValue {
    let runs = result.runs.indices.map { index in
      run(
        result.runs[index], result.scenario,
        timelines: timelines.indices.contains(index) ? timelines[index] : [])
    }
    var common: [(String, JSONValue)] = [("definitions", Definitions.value(result))]
    let idle = result.scenario.settingsWithoutEffect
    if !idle.isEmpty {
      common.append(
        (
          "settings_without_effect",
          .array(idle.map { .object([("path", .string($0.path)), ("reason", .string($0.why))]) })
        ))
    }
    if let reproduction {
      common.append(
        (
          "reproduce",
          .object([
            ("command", .string(reproduction.command)),
            ("scenario_file", .string(reproduction.scenarioFile)),
            ("scenario_text", .string(result.scenario.text)),
          ])
        ))
    }
    if runs.count == 1, case .object(let members) = runs[0] {
      return .object(members + common.map { JSONValue.Member($0.0, $0.1) })
    }
    return .object(
      [
        ("format", .string(format)),
        ("scenario", .string(result.scenario.name)),
        ("question", .string(result.scenario.question)),
        ("runs", .array(runs)),
        ("policy_differences", .array(result.policyDifferences.map(comparison))),
      ] + common)
  }

  private static func run(_ run: PolicyRun, _ scenario: Scenario, timelines: [JSONValue]) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("format", .string(format)),
      ("scenario", .string(scenario.name)),
      ("question", .string(scenario.question)),
      ("provenance", provenance(run, scenario)),
      ("note", .string("Apple publishes no delivery rate: every number here is an output of the model.")),
      ("warm_up", warmUp(run.warmUp)),
      ("strategies", .object(run.strategies.map { ($0.name, strategy($0)) })),
      (
        "comparison",
        .object([
          (
            "against",
            .string(scenario.experiment.comparison.partners == .allPairs ? "all_pairs" : "baseline")
          ), ("confidence", .string(scenario.experiment.comparison.isJoint ? "joint" : "each")),
        ])
      ),
      ("comparisons", .array(run.comparisons.map(comparison))),
      ("expectations", .array(run.expectations.map(expectation))),
      ("chance_of_any_wrong_miss", .number(run.chanceOfAnyWrongMiss)),
      ("assumptions", .array(Assumptions.list(scenario, policy: run.policy).map(assumption))),
    ]
    let known = Assumptions.all(scenario, policy: run.policy).filter { !$0.setting.evidence.isAssumption }
    members += [
      ("known_parameters", .array(known.map(assumption))),
      (
        "assumptions_that_matter",
        .array(Assumptions.thatMatter(scenario, run, limit: 10).map { .string($0.path) })
      ),
    ]
    let replications = scenario.experiment.replications
    if let result = run.precision { members.append(("precision", precision(result, replications))) }
    if let result = run.selection { members.append(("selection", selection(result, replications))) }
    if let front = run.pareto {
      members += [
        ("pareto", pareto(front)),
        ("recommendation", .array(Recommendation.sentences(front, of: run.strategies).map(JSONValue.string))),
      ]
    }
    if !timelines.isEmpty { members.append(("timelines", .array(timelines))) }
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
    let profile = scenario.input.policies.first { $0.name == run.policy }
    return .object(
      [
        ("pushsim", .string(pushsimVersion)),
        ("scenario_sha256", .string(scenario.digest)),
      ] + (profile.map(PolicyWords.members) ?? []) + [
        ("population", .string(scenario.populationName))
      ] + PolicyWords.settings("population_settings", scenario.input.population.parameters.overrides) + [
        ("seed", .unsigned(scenario.input.seed)),
        ("devices", .integer(scenario.experiment.devices)),
        ("replications", .integer(scenario.experiment.replications)),
        ("duration_s", seconds(scenario.input.duration)),
        ("warm_up_s", seconds(scenario.input.warmUp)),
        ("confidence", .number(scenario.experiment.confidence)),
      ])
  }

  private static func warmUp(_ check: WarmUpCheck) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("given_s", seconds(check.given)),
      ("suggested_s", check.suggested.map(seconds) ?? .null),
      ("adequate", check.isAdequate.map(JSONValue.bool) ?? .null),
    ]
    if let slowest = check.slowest {
      members += [("strategy", .string(slowest.strategy)), ("metric", .string(slowest.metric))]
    }
    return .object(members)
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
      ("energy_j", energy(tally.energy, of: strategy.strategy)),
      ("metrics", .object(strategy.metrics.map { ($0.metric.name, metric($0, tally)) })),
      ("latency_s", latency(tally.latency)),
      ("held_time_s", held(tally)),
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
    if let incidence = strategy.incidence {
      members += [
        ("by_hour_and_battery", byHourAndBattery(tally.byHourAndBattery)),
        ("incidence", self.incidence(incidence)),
        ("latency_quantiles_of_sent", quantiles(incidence)),
      ]
    }
    var mechanisms =
      strategy.plans.map { ($0.mechanism.name, pushes($0.mechanism, strategy)) }
      + strategy.tasks.map { ($0.name, task(tally.tasks[Int($0.rawValue)])) }
    if strategy.strategy.backgroundDownload != nil {
      mechanisms.append(("background_download", downloads(tally.downloads)))
    }
    if !mechanisms.isEmpty { members.append(("mechanisms", .object(mechanisms))) }
    let watched = FactorID.allCases.filter { tally.shadow[Int($0.rawValue)] > 0 }
    if !watched.isEmpty {
      members.append(
        ("shadow", .object(watched.map { ($0.name, .integer(tally.shadow[Int($0.rawValue)])) })))
    }
    return .object(members)
  }

  private static func pushes(_ mechanism: PushMechanism, _ strategy: StrategyResult) -> JSONValue {
    let counts = strategy.counts(mechanism)
    let tally = strategy.total
    var members: [(String, JSONValue)] = [
      ("sent", .integer(counts.sent)),
      ("fates", .object(Fate.allCases.map { ($0.name, .integer(counts.fates[Int($0.rawValue)])) })),
      (
        "delivered_within",
        .object(Tally.thresholds.indices.map { (Tally.thresholds[$0].name, .integer(counts.within[$0])) })
      ),
      ("latency_s", latency(counts.latency)),
    ]
    switch mechanism {
    case .background: break
    case .alert:
      let alerts = strategy.strategy.alerts
      if alerts.serviceExtension != nil {
        members.append(
          (
            "service_extension",
            .object(
              ServiceExtension.Outcome.allCases.map { ($0.name, .integer(tally.alerts[Int($0.rawValue)])) })
          ))
      }
      if alerts.contentExtension != nil {
        members.append(
          (
            "content_extension",
            .object(
              ContentExtension.Outcome.allCases.map {
                ($0.name, .integer(tally.contentViews[Int($0.rawValue)]))
              })
          ))
      }
      if alerts.opens > 0 { members.append(("opens_provoked", .integer(tally.provokedOpens))) }
    case .voip:
      members += [
        (
          "calls",
          .object(VoIPPush.Outcome.allCases.map { ($0.name, .integer(tally.calls[Int($0.rawValue)])) })
        ),
        ("rang_within_5s", .integer(tally.rangWithin5s)),
        ("ring_s", latency(tally.ring)),
      ]
    }
    return .object(members)
  }

  private static func downloads(_ counts: Tally.DownloadCounts) -> JSONValue {
    .object([
      ("started", .integer(counts.started)),
      ("completed", .integer(counts.completed)),
      ("cancelled", .integer(counts.cancelled)),
      ("superseded", .integer(counts.superseded)),
      ("pending", .integer(counts.pending)),
      ("time_s", latency(counts.time)),
    ])
  }

  private static func task(_ counts: Tally.TaskCounts) -> JSONValue {
    func byReason(_ count: (Int) -> Int64) -> JSONValue {
      let reasons = TaskReason.allCases.filter { count(Int($0.index)) > 0 }
      return .object(reasons.map { ($0.name, .integer(count(Int($0.index)))) })
    }
    return .object([
      ("opportunities", .integer(counts.opportunities)),
      ("not_due", .integer(counts.notDue)),
      ("refused", byReason { counts.refused[$0] }),
      ("passed_over", .integer(counts.passedOver)),
      ("passed_over_for", byReason { counts.passedOverFor[$0] }),
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
    // For differences to another run, which are paired by replication.
    if result.sample.count <= valuesListed {
      let items = result.sample.items
      members.append(("by_replication", .array(items.map { number($0.value) })))
      // What the values weigh; without it they weigh the same.
      if Set(items.map(\.whole)).count > 1 {
        members.append(("parts_by_replication", .array(items.map { .number($0.part) })))
        members.append(("wholes_by_replication", .array(items.map { .number($0.whole) })))
      }
      if result.sample.kind == .share {
        members.append(("units_by_replication", .array(items.map { .number($0.units) })))
      }
    }
    return .object(members)
  }

  /// Of all devices and replications.
  private static func energy(_ sums: EnergySums, of strategy: Strategy) -> JSONValue {
    let notPriced = EnergyGap.names(strategy)
    return .object(
      [
        ("total", .number(Double(sums.total) / 1e6)),
        ("on_charger", .number(Double(sums.whileCharging) / 1e6)),
        ("wakes", .number(Double(sums.wakes) / 1e6)),
        ("wasted_wakes", .number(Double(sums.wakes - sums.usefulWakes) / 1e6)),
      ] + (notPriced.isEmpty ? [] : [("not_priced", .array(notPriced.map(JSONValue.string)))]))
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

  private static func held(_ tally: Tally) -> JSONValue {
    .object(
      FactorID.allCases.filter { tally.held[Int($0.rawValue)] > 0 }
        .map { ($0.name, .number(Double(tally.held[Int($0.rawValue)]) / 1000)) })
  }

  /// By hour, then tenth of the charge.
  private static func byHourAndBattery(_ counts: HourBatteryCounts) -> JSONValue {
    .array(
      (0..<24).map { hour in
        .array(
          (0..<10).map { tenth in
            .object([
              ("sent", .integer(counts.sent(hour: hour, tenth: tenth))),
              ("delivered_within_5min", .integer(counts.deliveredWithin5min(hour: hour, tenth: tenth))),
            ])
          })
      })
  }

  /// Columns, by the index of the time.
  private static func incidence(_ incidence: IncidenceResult) -> JSONValue {
    var delivered: [(name: String, segments: [(String, JSONValue)])] = [
      ("by_class", []), ("by_device_kind", []), ("by_hours", []),
    ]
    for (segment, curve) in incidence.segments {
      switch segment {
      case .userClass(let value): delivered[0].segments.append((value.name, shares(curve)))
      case .deviceKind(let value): delivered[1].segments.append((value.name, shares(curve)))
      case .quarter(let quarter):
        delivered[2].segments.append((["0-6", "6-12", "12-18", "18-24"][quarter], shares(curve)))
      }
    }
    let ends = incidence.ends.map { end in
      (
        end.fate.name,
        end.fate == .delivered
          ? shares(incidence.delivered) : JSONValue.object([("estimate", shares(end.shares))])
      )
    }
    return .object([
      ("times_s", .array(incidence.times.map(JSONValue.number))),
      ("ends", .object(ends)),
      ("pending", .object([("estimate", shares(incidence.pending))])),
      ("delivered", .object(delivered.map { ($0.name, .object($0.segments)) })),
    ])
  }

  private static func shares(_ curve: CurveEstimate) -> JSONValue {
    .object([
      ("estimate", shares(curve.estimate)),
      ("low", curve.low.map(shares) ?? .null),
      ("high", curve.high.map(shares) ?? .null),
    ])
  }

  /// With six decimals: they are many.
  private static func shares(_ values: [Double]) -> JSONValue {
    .array(values.map { .number(($0 * 1e6).rounded() / 1e6) })
  }

  private static func quantiles(_ incidence: IncidenceResult) -> JSONValue {
    .object(
      incidence.quantiles.map { level, time in
        (
          "p\(Int((level * 100).rounded()))",
          .object([
            ("estimate", number(time.estimate)), ("low", number(time.low)), ("high", number(time.high)),
          ])
        )
      })
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
      ("joint_low", number(comparison.jointLow)),
      ("joint_high", number(comparison.jointHigh)),
      ("variance_reduction", number(comparison.varianceReduction)),
      ("equivalent_independent_replications", number(comparison.equivalentIndependentReplications)),
      ("no_replication_differs", .bool(comparison.isSame)),
    ])
  }

  private static func precision(_ result: PrecisionResult, _ replications: Int) -> JSONValue {
    var members: [(String, JSONValue)] = [("metric", .string(result.goal.metric))]
    if let strategy = result.goal.strategy { members.append(("strategy", .string(strategy))) }
    switch result.goal.target {
    case .absolute(let width): members += [("target", .number(width)), ("relative", .bool(false))]
    case .relative(let share): members += [("target", .number(share)), ("relative", .bool(true))]
    }
    members += [
      ("reached", .bool(result.isReached)),
      ("replications", .integer(replications)),
      ("half_width", number(result.halfWidth)),
      (
        "strategies",
        .object(
          result.items.map {
            (
              $0.strategy,
              .object([
                ("reached", .bool($0.isReached)), ("half_width", number($0.halfWidth)),
                ("wanted", number($0.wanted)),
              ])
            )
          })
      ),
    ]
    return .object(members)
  }

  private static func selection(_ result: SelectionResult, _ replications: Int) -> JSONValue {
    .object([
      ("metric", .string(result.goal.metric)),
      ("best", .string(result.goal.goal == .highest ? "highest" : "lowest")),
      ("indifference", .number(result.goal.indifference)),
      ("confidence", .number(result.goal.confidence)),
      ("selected", result.best.map(JSONValue.string) ?? .null),
      ("ties", .array(result.ties.map(JSONValue.string))),
      ("undecided", .array((result.best == nil ? result.survivors : []).map(JSONValue.string))),
      (
        "eliminated",
        .array(
          result.eliminated.map {
            .object([("strategy", .string($0.strategy)), ("replications", .integer($0.replications))])
          })
      ),
      ("replications", .integer(replications)),
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
    if result.outcome == .undecided {
      members.append(
        ("replications_to_decide", result.replicationsToDecide.map { .integer($0) } ?? .null))
    }
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
