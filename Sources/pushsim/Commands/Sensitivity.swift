import Experiments
import PushModel
import Reporting
import ResultsStore
import ScenarioDecoding
import Synchronization

/// Finds out which parameters a metric depends on, and which would change a conclusion.
func sensitivity(_ options: SensitivityOptions) throws -> ExitCode {
  guard let metric = Metric.named(options.metric ?? "") else {
    throw CommandFailure.unknown("metric", options.metric ?? "", among: Metric.all.map(\.name))
  }
  var scenario = try ScenarioLoading.load(
    options.scenario, options.assignments, policies: options.policies)
  let names = scenario.input.strategies.map(\.name)
  for name in options.strategies where !names.contains(name) {
    throw CommandFailure.unknown("strategy", name, among: names)
  }
  ScenarioLoading.warnOfIdleSettings([scenario])
  options.shared.apply(to: &scenario)
  for pattern in options.parameters where !ParameterSpace.hasParameter(scenario, pattern: pattern) {
    throw CommandFailure(.badCommandLine, "no parameter with a prior fits `\(pattern)`")
  }
  if scenario.input.policies.count > 1, !options.isQuiet {
    Terminal.report(
      "pushsim: note: under the first of the scenario's policies only; `--policy NAME` takes another\n")
  }
  let settings = settings(options, metric, scenario)

  let study = SensitivityStudy(
    scenario, policy: 0, settings: settings, threads: options.threads ?? Runner.processors)
  let isQuiet = options.isQuiet
  var targets = Targets()
  targets.add("--json", options.json)
  targets.add("--store", file: options.store)
  targets.add("--output", folder: options.outputDirectory) {
    ["sensitivity.html", "sensitivity.json"].contains($0)
  }
  try targets.prepare()
  let store = try options.store.map(openStore)
  let keeper = try store.map {
    try KeptStudy(
      "sensitivity", of: scenario, replications: settings.replications, overrides: options.overrides,
      in: $0, isQuiet: isQuiet)
  }
  let line = Mutex(
    StudyProgress(
      study.stages, devices: settings.replications * scenario.experiment.devices, isWanted: !isQuiet))
  let ran: SensitivityResult?
  do {
    defer { line.withLock { $0.line.finish() } }
    ran = try study.run(
      keeper: keeper,
      progress: { part, done, all in line.withLock { $0.update(part, done: done, of: all) } },
      shouldStop: { Interrupt.isRequested })
  } catch let error as RunError {
    throw failure(error, keeper, points: "points")
  }
  let result = try meaningful(ran, options, of: settings, scenario)
  let report = SensitivityReport.json(result, only: options.strategies)
  let json = report.text + "\n"
  var delivery = Delivery()
  try delivery.attempt { try keeper?.finish(json: json) }
  try delivery.attempt { try options.json?.write(json) }
  if let directory = options.outputDirectory {
    let files = [("sensitivity.html", SensitivityPage.text(report)), ("sensitivity.json", json)]
    try delivery.attempt { try ResultFolder(directory).write(files, isWhole: false) }
  }
  if !targets.takeStandardOutput, !options.isQuiet {
    let width = Terminal.outputWidth()
    let text = SensitivityReport.text(result, only: options.strategies, width: width)
    try delivery.attempt { try Terminal.write(text, to: .standardOutput) }
  }
  return delivery.status(.success)
}

/// What the command line asks for, and the scenario where it is silent.
private func settings(_ options: SensitivityOptions, _ metric: Metric, _ scenario: Scenario)
  -> SensitivitySettings
{
  var settings = SensitivitySettings(metric: metric)
  settings.method = options.method ?? settings.method
  settings.samples = options.samples ?? settings.samples
  settings.trajectories = options.trajectories ?? settings.trajectories
  settings.replications = options.replications ?? settings.replications
  settings.parameters =
    options.parameters.isEmpty
    ? scenario.experiment.uncertainty?.parameters ?? [] : options.parameters
  return settings
}

/// The result, or why the metric says nothing of the scenario or of a strategy that is asked for.
private func meaningful(
  _ result: SensitivityResult?, _ options: SensitivityOptions, of settings: SensitivitySettings,
  _ scenario: Scenario
) throws(CommandFailure) -> SensitivityResult {
  let metric = settings.metric
  let applies = scenario.series.filter { $0.metric == metric.name }.map(\.strategy)
  let nothing =
    "there was nothing to divide `\(metric.name)` by (\(metric.summary)) in \(settings.replications) replications "
    + "of \(scenario.experiment.devices) devices: use more devices or a longer duration"
  guard let result else {
    throw applies.isEmpty
      ? CommandFailure(.badCommandLine, "no strategy of the scenario has the metric `\(metric.name)`")
      : CommandFailure(.badScenario, nothing)
  }
  for name in options.strategies where !result.strategies.contains(name) {
    throw applies.contains(name)
      ? CommandFailure(.badScenario, "of the strategy `\(name)` \(nothing)")
      : CommandFailure(.badCommandLine, "the strategy `\(name)` has no metric `\(metric.name)`")
  }
  return result
}

/// What to say when a study ended without a result.
func failure(_ error: RunError, _ keeper: KeptStudy?, points: String) -> CommandFailure {
  guard case .interrupted(let completed, let all) = error else { return CommandFailure(error) }
  if let keeper { return keeper.interruption(points: points) }
  return CommandFailure(
    .interrupted,
    lines: "pushsim: interrupted after \(completed) of \(all) replications of the study, nothing was kept; "
      + "with `--store FILE` the same command can go on\n")
}

extension CommandFailure {
  init(_ error: RunError) {
    switch error {
    case .interrupted(let completed, let all):
      self.init(
        .interrupted,
        lines: "pushsim: interrupted after \(completed) of \(all) replications, nothing was written\n")
    case .sumTooLarge(let replication):
      self.init(
        .runFailed,
        "the run cannot go on: a sum of energy, bytes or time is too large to be counted\n  in replication \(replication)\n"
          + "  help: fewer devices, a shorter run or smaller sizes")
    case .simulation(let error, let device, let replication, let seed):
      self.init(
        .runFailed,
        "the run cannot go on: \(error)\n  in device \(device) of replication \(replication), seed \(seed)")
    }
  }
}
