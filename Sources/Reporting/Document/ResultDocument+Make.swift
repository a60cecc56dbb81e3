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
