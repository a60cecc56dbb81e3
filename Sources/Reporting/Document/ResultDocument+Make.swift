import ExperimentDesign
public import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities
public import ScenarioDecoding

extension ResultDocument {
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
  public init(
    _ result: ExperimentResult, reproduction: Reproduction? = nil, timelines: [[JSONValue]] = []
  ) {
    scenario = result.scenario.name
    question = result.scenario.question
    runs = result.runs.enumerated().map { index, run in
      var record = RunRecord(run, result.scenario)
      if timelines.indices.contains(index), !timelines[index].isEmpty { record.timelines = timelines[index] }
      return record
    }
    for view in RunView.all(self) where view.record.pareto != nil {
      let index = runs.firstIndex { $0.provenance.policy == view.policy }
      if let index { runs[index].recommendation = Answer(view)?.recommendation }
    }
    if runs.count > 1 { policyDifferences = result.policyDifferences.map(ComparisonRecord.init) }
    definitions = Definitions.record(result)
    let idle = result.scenario.settingsWithoutEffect
    if !idle.isEmpty { idleSettings = idle.map { IdleSettingRecord(path: $0.path, reason: $0.why) } }
    reproduce = reproduction.map {
      ReproduceRecord(
        command: $0.command, scenarioFile: $0.scenarioFile, scenarioText: result.scenario.text)
    }
  }
}

extension RunRecord {
  init(_ run: PolicyRun, _ scenario: Scenario) {
    provenance = ProvenanceRecord(run, scenario)
    note = ResultDocument.note
    warmUp = WarmUpRecord(run.warmUp)
    strategies = Named(run.strategies.map { ($0.name, StrategyRecord($0)) })
    let settings = scenario.experiment.comparison
    comparison.against = settings.partners == .allPairs ? "all_pairs" : "baseline"
    comparison.confidence = settings.isJoint ? "joint" : "each"
    comparisons = run.comparisons.map(ComparisonRecord.init)
    expectations = run.expectations.map(ExpectationRecord.init)
    chanceOfAnyWrongMiss = run.chanceOfAnyWrongMiss
    let all = Assumptions.all(scenario, policy: run.policy)
    assumptions = all.filter { $0.setting.evidence.isAssumption }.map(AssumptionRecord.init)
    knownParameters = all.filter { !$0.setting.evidence.isAssumption }.map(AssumptionRecord.init)
    assumptionsThatMatter = Assumptions.thatMatter(scenario, run, limit: 10).map(\.path)
    let replications = Int64(scenario.experiment.replications)
    precision = run.precision.map { PrecisionRecord($0, replications) }
    selection = run.selection.map { SelectionRecord($0, replications) }
    pareto = run.pareto.map(ParetoRecord.init)
    uncertainty = run.uncertainty.map(UncertaintyRecord.init)
    if run.assumesNothing { assumesNothing = true }
    if let uncertainty { spread(uncertainty) }
  }
}

extension RunRecord {
  /// Puts plausible ranges beside the intervals of chance, so that nobody meets one without the other.
  private mutating func spread(_ study: UncertaintyRecord) {
    for index in strategies.items.indices {
      guard let ranges = study.strategies[strategies.items[index].name] else { continue }
      for metric in strategies.items[index].value.metrics.items.indices {
        let range = ranges[strategies.items[index].value.metrics.items[metric].name]
        strategies.items[index].value.metrics.items[metric].value.plausibleLow = range?.low
        strategies.items[index].value.metrics.items[metric].value.plausibleHigh = range?.high
      }
    }
    for index in comparisons.indices {
      let pair = comparisons[index]
      for ranking in study.rankings where ranking.metric == pair.metric {
        if ranking.strategy == pair.strategy, ranking.other == pair.baseline {
          (comparisons[index].plausibleLow, comparisons[index].plausibleHigh) = (
            ranking.difference.low, ranking.difference.high
          )
        } else if ranking.strategy == pair.baseline, ranking.other == pair.strategy {
          (comparisons[index].plausibleLow, comparisons[index].plausibleHigh) = (
            ranking.difference.high.map { -$0 }, ranking.difference.low.map { -$0 }
          )
        }
      }
    }
  }
}

extension ProvenanceRecord {
  init(_ run: PolicyRun, _ scenario: Scenario) {
    version = pushsimVersion
    digest = scenario.digest
    policy = run.policy
    func named(_ settings: [ParameterSetting]) -> Named<String>? {
      settings.isEmpty ? nil : Named(settings.map { ($0.path, $0.text) })
    }
    let profile = scenario.input.policies.first { $0.name == run.policy }
    policySettings = named(profile?.parameters.overrides ?? [])
    populationSettings = named(scenario.input.population.parameters.overrides)
    population = scenario.populationName
    seed = scenario.input.seed
    devices = Int64(scenario.experiment.devices)
    replications = Int64(scenario.experiment.replications)
    duration = Seconds(value: scenario.input.duration.seconds)
    warmUp = Seconds(value: scenario.input.warmUp.seconds)
    confidence = scenario.experiment.confidence
  }
}

extension WarmUpRecord {
  init(_ check: WarmUpCheck) {
    given = Seconds(value: check.given.seconds)
    suggested = check.suggested.map { Seconds(value: $0.seconds) }
    isAdequate = check.isAdequate
    strategy = check.slowest?.strategy
    metric = check.slowest?.metric
  }
}

/// The counts of a closed set, by name.
private func counted<Case: CaseIterable & RawRepresentable>(
  _ cases: Case.Type, _ name: KeyPath<Case, String>, isAll: Bool = true, _ count: (Int) -> Int64
) -> Named<Int64> where Case.RawValue == UInt8 {
  Named(
    Case.allCases.map { ($0[keyPath: name], count(Int($0.rawValue))) }.filter { isAll || $0.1 > 0 })
}

extension StrategyRecord {
  init(_ result: StrategyResult) {
    let tally = result.total
    title = result.strategy.title
    sent = tally.sent
    fates = counted(Fate.self, \.name) { tally.fates[$0] }
    reasons = Named(
      Fate.allCases.map { fate in
        let all = (0..<Reason.count).map(Reason.init(index:)).map { ($0.name, tally.reasonCount(fate, $0)) }
        return (fate.name, Named(all.filter { $0.1 > 0 }))
      }.filter { !$0.1.isEmpty })
    results = counted(LaunchResult.self, \.name) { tally.results[$0] }
    deliveredInForeground = tally.deliveredInForeground
    shown = tally.shown
    launches = tally.wakes
    opens = tally.opens
    energy = EnergyRecord(tally.energy, of: result.strategy)
    metrics = Named(result.metrics.map { ($0.metric.name, MetricRecord($0, tally)) })
    latency = LatencyRecord(tally.latency)
    heldTime = Named(
      FactorID.allCases.filter { tally.held[Int($0.rawValue)] > 0 }
        .map { ($0.name, Double(tally.held[Int($0.rawValue)]) / 1000) })
    byHour = (0..<24).map { SegmentRecord(tally.byHour[$0]) }
    byClass = Named(UserClass.allCases.map { ($0.name, SegmentRecord(tally.byClass[Int($0.rawValue)])) })
    byDeviceKind = Named(
      DeviceKind.allCases.map { ($0.name, SegmentRecord(tally.byKind[Int($0.rawValue)])) })
    if tally.sent > 0 { byShareDelivered = tally.byShareDelivered.indices.map { tally.byShareDelivered[$0] } }
    if let found = result.incidence {
      let counts = tally.byHourAndBattery
      byHourAndBattery = (0..<24).map { hour in
        (0..<10).map { tenth in
          HourCellRecord(
            sent: counts.sent(hour: hour, tenth: tenth),
            within5min: counts.deliveredWithin5min(hour: hour, tenth: tenth))
        }
      }
      incidence = IncidenceRecord(found)
      quantilesOfSent = Named(
        found.quantiles.map { level, time in
          (
            "p\(Int((level * 100).rounded()))",
            EstimateRecord(estimate: time.estimate, low: time.low, high: time.high)
          )
        })
    }
    var all =
      result.plans.map { ($0.mechanism.name, MechanismRecord($0.mechanism, result)) }
      + result.tasks.map { ($0.name, MechanismRecord(tally.tasks[Int($0.rawValue)])) }
    if result.strategy.backgroundDownload != nil {
      all.append(("background_download", MechanismRecord(tally.downloads)))
    }
    if !all.isEmpty { mechanisms = Named(all) }
    let apns = result.plans.map { plan in (plan, tally.apns[Int(plan.mechanism.rawValue)]) }
    let days = apns.map(\.1.days).max() ?? 0
    if !apns.isEmpty { apnsMetrics = APNsMetricsCSV.counts(apns, days: days) }
    let watched = counted(FactorID.self, \.name, isAll: false) { tally.shadow[$0] }
    if !watched.isEmpty { shadow = watched }
  }
}

extension EnergyRecord {
  init(_ sums: EnergySums, of strategy: Strategy) {
    total = Double(sums.total) / 1e6
    onCharger = Double(sums.whileCharging) / 1e6
    wakes = Double(sums.wakes) / 1e6
    wastedWakes = Double(sums.wakes - sums.usefulWakes) / 1e6
    let left = EnergyGap.names(strategy)
    if !left.isEmpty { notPriced = left }
  }
}

extension MetricRecord {
  init(_ result: MetricResult, _ tally: Tally) {
    estimate = result.estimate
    low = result.low
    high = result.high
    unit = result.metric.unit.rawValue
    if result.metric.name == "staleness_at_open_s" {
      p50 = .some(tally.staleness.seconds(0.5))
      p90 = .some(tally.staleness.seconds(0.9))
      p99 = .some(tally.staleness.seconds(0.99))
    }
    // For differences to another run, which are paired by replication.
    let items = result.sample.items
    guard items.count <= ResultDocument.valuesListed else { return }
    byReplication = items.map(\.value)
    // What the values weigh; without it they weigh the same.
    if Set(items.map(\.whole)).count > 1 {
      parts = items.map(\.part)
      wholes = items.map(\.whole)
    }
    if result.sample.kind == .share { units = items.map(\.units) }
  }
}

extension LogHistogram {
  /// A quantile of a histogram of microseconds, whose cells are wider than that.
  fileprivate func seconds(_ p: Double) -> Double? { quantile(p).map { Double($0).rounded() / 1e6 } }
}

extension LatencyRecord {
  init(_ latency: LogHistogram) {
    count = Int64(clamping: latency.count)
    p50 = latency.seconds(0.5)
    p90 = latency.seconds(0.9)
    p95 = latency.seconds(0.95)
    p99 = latency.seconds(0.99)
  }
}

extension SegmentRecord {
  init(_ segment: Tally.Segment) {
    sent = segment.sent
    delivered = segment.delivered
    within5min = segment.within5min
    notWakeable = segment.notWakeable
    opens = segment.opens
    freshOpens = segment.freshOpens
  }
}

extension CurveRecord {
  /// With six decimals: they are many.
  private static func rounded(_ values: [Double]) -> [Double] { values.map { ($0 * 1e6).rounded() / 1e6 } }

  init(_ values: [Double]) { estimate = Self.rounded(values) }

  init(_ curve: CurveEstimate) {
    estimate = Self.rounded(curve.estimate)
    low = .some(curve.low.map(Self.rounded))
    high = .some(curve.high.map(Self.rounded))
  }
}

extension IncidenceRecord {
  init(_ incidence: IncidenceResult) {
    var segments: [(String, [(String, CurveRecord)])] = [
      ("by_class", []), ("by_device_kind", []), ("by_hours", []),
    ]
    for (segment, curve) in incidence.segments {
      switch segment {
      case .userClass(let value): segments[0].1.append((value.name, CurveRecord(curve)))
      case .deviceKind(let value): segments[1].1.append((value.name, CurveRecord(curve)))
      case .quarter(let quarter):
        segments[2].1.append((["0-6", "6-12", "12-18", "18-24"][quarter], CurveRecord(curve)))
      }
    }
    times = incidence.times
    ends = Named(
      incidence.ends.map {
        ($0.fate.name, $0.fate == .delivered ? CurveRecord(incidence.delivered) : CurveRecord($0.shares))
      })
    pending = CurveRecord(incidence.pending)
    delivered = Named(segments.map { ($0.0, Named($0.1)) })
  }
}

extension MechanismRecord {
  init(_ mechanism: PushMechanism, _ strategy: StrategyResult) {
    let counts = strategy.counts(mechanism)
    let tally = strategy.total
    sent = counts.sent
    fates = counted(Fate.self, \.name) { counts.fates[$0] }
    deliveredWithin = Named(
      Tally.thresholdNames.enumerated().map { ($1, counts.within[$0]) })
    latency = LatencyRecord(counts.latency)
    switch mechanism {
    case .background: break
    case .alert:
      let alerts = strategy.strategy.alerts
      if alerts.serviceExtension != nil {
        serviceExtension = counted(ServiceExtension.Outcome.self, \.name) { tally.alerts[$0] }
      }
      if alerts.contentExtension != nil {
        contentExtension = counted(ContentExtension.Outcome.self, \.name) { tally.contentViews[$0] }
      }
      if alerts.opens > 0 { opensProvoked = tally.provokedOpens }
    case .voip:
      calls = counted(VoIPPush.Outcome.self, \.name) { tally.calls[$0] }
      rangWithin5s = tally.rangWithin5s
      ring = LatencyRecord(tally.ring)
    }
  }

  init(_ counts: Tally.DownloadCounts) {
    started = counts.started
    completed = counts.completed
    cancelled = counts.cancelled
    superseded = counts.superseded
    pending = counts.pending
    time = LatencyRecord(counts.time)
  }

  init(_ counts: Tally.TaskCounts) {
    opportunities = counts.opportunities
    notDue = counts.notDue
    func byReason(_ count: (Int) -> Int64) -> Named<Int64> {
      Named(TaskReason.allCases.map { ($0.name, count(Int($0.index))) }.filter { $0.1 > 0 })
    }
    refused = byReason { counts.refused[$0] }
    passedOver = counts.passedOver
    passedOverFor = byReason { counts.passedOverFor[$0] }
    runs = counts.runs
    results = counted(LaunchResult.self, \.name) { counts.results[$0] }
    interrupted = counts.interrupted
  }
}

extension ComparisonRecord {
  init(_ comparison: ComparisonResult) {
    metric = comparison.metric
    strategy = comparison.strategy
    baseline = comparison.baseline
    difference = comparison.difference
    low = comparison.low
    high = comparison.high
    jointLow = comparison.jointLow
    jointHigh = comparison.jointHigh
    varianceReduction = comparison.varianceReduction
    equivalentReplications = comparison.equivalentIndependentReplications
    isSame = comparison.isSame
  }
}

extension ExpectationRecord {
  init(_ result: ExpectationResult) {
    let expectation = result.expectation
    strategy = expectation.strategy
    metric = expectation.metric
    switch (expectation.low.isFinite, expectation.high.isFinite) {
    case (true, true): within = [expectation.low, expectation.high]
    case (true, false): atLeast = expectation.low
    default: atMost = expectation.high
    }
    observed = result.observed
    low = result.low
    high = result.high
    isMet = result.outcome == .met
    outcome = result.outcome.rawValue
    if result.outcome == .undecided {
      replicationsToDecide = .some(result.replicationsToDecide.map { Int64($0) })
    }
    source = expectation.source
    if expectation.interval == .plausible { interval = expectation.interval.rawValue }
    plausibleLow = result.plausible?.low
    plausibleHigh = result.plausible?.high
  }
}

extension AssumptionRecord {
  init(_ item: Assumptions.Item) {
    parameter = item.path
    value = item.setting.text
    prior = item.setting.priorText
    evidence = item.setting.evidence.rawValue
    source = item.setting.source
  }
}

extension UncertaintyRecord {
  init(_ result: UncertaintyResult) {
    samples = Int64(result.settings.samples)
    replications = Int64(result.settings.replications)
    confidence = UncertaintyResult.share
    devices = Int64(result.devices)
    design = result.isSobol ? "scrambled_sobol" : "latin_hypercube"
    parameters = result.parameters.map(Parameter.init)
    strategies = Named(
      result.strategies.map { strategy in
        (
          strategy.name,
          Named(
            strategy.metrics.map { metric in
              var effects = Effects(metric.effects, mean: metric.mean, low: metric.low, high: metric.high)
              if metric.metric.display != nil {
                effects.influences = metric.influences.map {
                  UncertaintyRecord.Influence($0, result.parameters[$0.input])
                }
              }
              return (metric.metric.name, effects)
            })
        )
      })
    rankings = result.rankings.map {
      Ranking(
        metric: $0.metric.name, strategy: $0.first, other: $0.second, shareHigher: $0.firstIsMore,
        shareUndecided: $0.undecided,
        difference: Effects($0.effects, mean: $0.mean, low: $0.low, high: $0.high))
    }
    orders = result.orders.map {
      Order(metric: $0.metric.name, order: $0.order, shareSame: $0.holds, shareSameFirst: $0.firstHolds)
    }
  }
}

extension UncertaintyRecord.Parameter {
  init(_ item: UncertainParameter) {
    parameter = item.path
    value = item.setting.text
    prior = item.setting.priorText
    evidence = item.setting.evidence.rawValue
  }
}

extension UncertaintyRecord.Influence {
  init(_ influence: RankInfluence, _ parameter: UncertainParameter) {
    self.parameter = parameter.path
    share = influence.share
    low = influence.low
    high = influence.high
  }
}

extension UncertaintyRecord.Effects {
  init(_ effects: CrossedEffects, mean: Double, low: Double, high: Double) {
    self.mean = mean
    standardError = effects.standardError
    self.low = low
    self.high = high
    chanceVariance = effects.chanceVariance
    ignoranceVariance = effects.settingVariance
    ignoranceShare = effects.settingShare
  }
}
