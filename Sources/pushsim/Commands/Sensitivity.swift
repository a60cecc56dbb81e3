import Experiments
import PushModel
import Reporting
import ResultsStore
import ScenarioDecoding
import Synchronization

/// Finds out which parameters a metric depends on, and which would change a conclusion.
func sensitivity(_ options: SensitivityOptions) throws -> ExitCode {
  guard let metric = Metric.named(options.metric ?? "") else {
    throw unknown("metric", options.metric ?? "", among: Metric.all.map(\.name))
  }
  let methods = SensitivitySettings.Method.allCases
  guard let method = methods.first(where: { $0.rawValue == options.method ?? "all" }) else {
    throw unknown("method", options.method ?? "", among: methods.map(\.rawValue))
  }
  var scenario = try ScenarioLoading.load(
    options.scenario, options.assignments, policies: options.policy.map { [$0] } ?? [])
  let names = scenario.input.strategies.map(\.name)
  for name in options.strategies where !names.contains(name) {
    throw unknown("strategy", name, among: names)
  }
  ScenarioLoading.warnOfIdleSettings([scenario])
  if let seed = options.seed { scenario.seed = seed }
  if let devices = options.devices { scenario.devices = devices }
  for pattern in options.parameters where !ParameterSpace.hasParameter(scenario, pattern: pattern) {
    throw CommandFailure(.badCommandLine, "no parameter with a prior fits `\(pattern)`")
  }
  if scenario.input.policies.count > 1, !options.isQuiet {
    Terminal.report(
      "pushsim: note: under the first of the scenario's policies only; `--policy NAME` takes another\n")
  }
  var settings = SensitivitySettings(metric: metric)
  settings.method = method
  settings.samples = options.samples ?? settings.samples
  settings.trajectories = options.trajectories ?? settings.trajectories
  settings.replications = options.replications ?? settings.replications
  settings.parameters =
    options.parameters.isEmpty
    ? scenario.experiment.uncertainty?.parameters ?? [] : options.parameters

  let study = SensitivityStudy(
    scenario, policy: 0, settings: settings, threads: options.threads ?? Runner.processors)
  let isQuiet = options.isQuiet
  var targets = Targets()
  targets.add("--json", options.json)
  targets.add("--store", file: options.store)
  try targets.prepare()
  let store = try options.store.map(openStore)
  let keeper = try store.map {
    try KeptStudy(
      "sensitivity", of: scenario, replications: settings.replications, overrides: Overrides.text(options),
      in: $0, isQuiet: isQuiet)
  }
  let line = Mutex<(part: String, line: ProgressLine)>(
    ("", ProgressLine(total: 1, unit: "", isWanted: false)))
  let result: SensitivityResult?
  do {
    defer { line.withLock { $0.line.finish() } }
    result = try study.run(
      keeper: keeper,
      progress: { part, done, all in
        line.withLock {
          if $0.part != part {
            $0 = (part, ProgressLine(total: all, unit: "devices, \(part)", isWanted: !isQuiet))
          }
          $0.line.update(done: done)
        }
      }, shouldStop: { Interrupt.isRequested })
  } catch let error as RunError {
    throw failure(error, keeper, points: "points")
  }
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
  let json = SensitivityReport.json(result, only: options.strategies).text + "\n"
  var delivery = Delivery()
  try delivery.attempt { try keeper?.finish(json: json) }
  try delivery.attempt { try options.json?.write(json) }
  if !targets.takeStandardOutput, !options.isQuiet {
    let width = Terminal.isTerminal(.standardOutput) ? Terminal.width(of: .standardOutput) : 110
    let text = SensitivityReport.text(result, only: options.strategies, width: width)
    try delivery.attempt { try Terminal.write(text, to: .standardOutput) }
  }
  return delivery.status(.success)
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

private func unknown(_ kind: String, _ name: String, among known: [String]) -> CommandFailure {
  let hint = Suggestion.best(for: name, among: known).map { "\n  help: did you mean `\($0)`?" } ?? ""
  return CommandFailure(
    .badCommandLine,
    "there is no \(kind) `\(name)`\n  expected: one of \(known.map { "`\($0)`" }.joined(separator: ", "))\(hint)"
  )
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
