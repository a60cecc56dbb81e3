import Experiments
import PushModel
import Reporting
import ResultsStore
import ScenarioDecoding
import Synchronization

/// Runs a scenario and reports what became of its pushes.
func run(_ options: RunOptions) throws -> ExitCode {
  var scenario = try ScenarioLoading.load(
    options.scenario, options.assignments, policies: options.policies)
  try select(options.strategies, in: &scenario, isQuiet: options.isQuiet)
  ScenarioLoading.warnOfIdleSettings([scenario])
  options.shared.apply(to: &scenario)
  if let replications = options.replications { scenario.fixReplications(replications) }
  scenario.expect(try expectations(options.expectations, of: scenario))
  var targets = Targets()
  targets.add("--json", options.json)
  targets.add("--junit", options.junit)
  targets.add("--store", file: options.store)
  targets.add("--output", folder: options.outputDirectory, owns: ResultFolder.isOurs)
  try targets.prepare()
  let store = try options.store.map(openStore)
  if !scenario.swept.isEmpty, !options.isQuiet {
    Terminal.report(
      "pushsim: note: this runs the scenario as it is; `pushsim sweep` varies what its `sweep` names\n")
  }

  let threads = options.threads ?? Runner.processors
  var result = try simulate(scenario, threads: threads, isQuiet: options.isQuiet)
  let study = try addUncertainty(to: &result, threads: threads, options, store)
  if !options.isQuiet {
    for warning in result.runs.compactMap(\.warmUp.warning) {
      Terminal.report("pushsim: warning: \(warning)\n")
    }
  }
  let isKept = options.json != nil || options.outputDirectory != nil || store != nil
  let document = ResultDocument(
    result,
    reproduction: ResultDocument.Reproduction(command: options.command, scenarioFile: options.scenario),
    timelines: isKept ? try SingleDevices.timelines(scenario) : [])
  let json = isKept ? document.json.text + "\n" : ""
  let width = Terminal.outputWidth()
  let style =
    Terminal.isTerminal(.standardOutput) ? TextStyle(width: width, variable: Terminal.environment) : nil
  var delivery = Delivery()
  if let directory = options.outputDirectory {
    let files = [("result.json", json)] + ResultFolder.files(document)
    try delivery.attempt { try ResultFolder(directory).write(files, isWhole: true) }
  }
  try delivery.attempt { try study?.finish(json: json) }
  if let store { try delivery.attempt { try keep(result, json: json, in: store, options) } }
  try delivery.attempt { try options.junit?.write(JUnitReport.text(result)) }
  try delivery.attempt { try options.json?.write(json) }
  if !targets.takeStandardOutput, !options.isQuiet {
    let summary = TextSummary.text(
      document, width: width, style: style, isFull: options.isFull,
      page: options.outputDirectory.map { $0 + "/report.html" })
    try delivery.attempt { try Terminal.write(summary, to: .standardOutput) }
  } else {
    // The summary would have said why the status is not 0.
    for line in TextSummary.unmet(document) { Terminal.report("pushsim: \(line)\n") }
  }
  return delivery.status(exitCode(result))
}

/// What `--expect` claims, of each strategy that it is about.
private func expectations(_ texts: [String], of scenario: Scenario) throws -> [Expectation] {
  let log = DiagnosticLog()
  let conditions = texts.compactMap {
    Condition.parse($0, option: "--expect", allowsBaseline: false, log: log)
  }
  guard !log.hasErrors else { throw CommandFailure(.badCommandLine, lines: DiagnosticText.render(log)) }
  let hasContent = scenario.input.content != nil
  return try conditions.flatMap { condition in
    let metric = Metric.named(condition.metric)!
    let able = scenario.input.strategies.filter { metric.applies(to: $0, hasContent: hasContent) }.map(\.name)
    let names = able.filter { condition.strategy ?? $0 == $0 }
    guard !names.isEmpty else {
      let hint = condition.strategy.flatMap { Suggestion.best(for: $0, among: able) }
      throw CommandFailure(
        .badCommandLine,
        "`--expect '\(condition.text)'` is about no strategy that runs"
          + "\n  expected: one that has the metric: \(able.isEmpty ? "there is none" : able.map { "`\($0)`" }.joined(separator: ", "))"
          + (hint.map { "\n  help: did you mean `\($0)`?" } ?? ""))
    }
    return names.map { condition.expectation(of: $0) }
  }
}

/// Keeps only the strategies named on the command line, in the scenario's order; all when none is named.
func select(_ names: [String], in scenario: inout Scenario, isQuiet: Bool) throws(CommandFailure) {
  guard !names.isEmpty else { return }
  let known = scenario.input.strategies.map(\.name)
  for name in names where !known.contains(name) {
    throw .unknown("strategy", name, among: known)
  }
  // What is asked of a strategy that does not run cannot be answered, and must not keep the run going.
  if let only = scenario.keep(strategies: names), !isQuiet {
    Terminal.report("pushsim: note: the precision is asked of `\(only)`, which is not among the strategies\n")
  }
  let unjudged = scenario.expectations.filter { !names.contains($0.strategy) }.count
  if isQuiet { return }
  if unjudged > 0 {
    Terminal.report(
      "pushsim: note: \(unjudged) of \(scenario.expectations.count) expectations are on other strategies\n")
  }
  if let baseline = scenario.experiment.baseline, !names.contains(baseline) {
    Terminal.report(
      "pushsim: note: nothing is compared, since the baseline `\(baseline)` is not among the strategies\n")
  }
}

private func simulate(_ scenario: Scenario, threads: Int, isQuiet: Bool) throws -> ExperimentResult {
  let experiment = scenario.experiment
  let total = experiment.devices * (experiment.mostReplications ?? experiment.replications)
  let progress = Mutex(ProgressLine(total: total, unit: "devices", isWanted: !isQuiet))
  defer { progress.withLock { $0.finish() } }
  do throws(RunError) {
    return try Runner(scenario, threads: threads).run(
      progress: { done, _ in progress.withLock { $0.update(done: done) } },
      shouldStop: { Interrupt.isRequested })
  } catch {
    progress.withLock { $0.finish() }
    throw CommandFailure(error)
  }
}

private func exitCode(_ result: ExperimentResult) -> ExitCode {
  if result.outcomes.contains(.missed) { return .expectationMissed }
  return result.outcomes.contains(.undecided) ? .undecided : .success
}
