import Experiments
import PushModel
import Reporting
import ScenarioDecoding
import Synchronization

/// Runs a scenario and reports what became of its pushes.
func run(_ options: RunOptions) throws -> ExitCode {
  var scenario = try ScenarioLoading.load(
    options.scenario, options.assignments, policies: options.policies)
  try select(options.strategies, in: &scenario, isQuiet: options.isQuiet)
  if let seed = options.seed { scenario.input.seed = seed }
  if let devices = options.devices { scenario.experiment.devices = devices }
  if let replications = options.replications { scenario.experiment.replications = replications }
  // Before the work: a run whose result cannot be kept is a waste.
  if let directory = options.outputDirectory { try Files.makeDirectory(directory) }

  let result = try simulate(scenario, threads: options.threads ?? Runner.processors, isQuiet: options.isQuiet)
  let json = JSONReport.value(result).text + "\n"
  let width = Terminal.isTerminal(.standardOutput) ? Terminal.width(of: .standardOutput) : 110
  let style =
    Terminal.isTerminal(.standardOutput) ? TextStyle(width: width, variable: Terminal.environment) : nil
  let summary = TextSummary.text(result, width: width, style: style)
  if let directory = options.outputDirectory {
    try Files.write(json, to: directory + "/result.json")
    try Files.write(TextSummary.text(result, width: 110), to: directory + "/summary.txt")
    for file in APNsMetricsCSV.files(result) { try Files.write(file.text, to: directory + "/" + file.name) }
  }
  var isOutputTaken = false
  switch options.json {
  case .standardOutput?:
    isOutputTaken = true
    try Terminal.write(json, to: .standardOutput)
  case .file(let path)?: try Files.write(json, to: path)
  case nil: break
  }
  if !isOutputTaken, !options.isQuiet { try Terminal.write(summary, to: .standardOutput) }
  return exitCode(result)
}

/// Keeps only the strategies named on the command line, in the scenario's order; all when none is named.
private func select(_ names: [String], in scenario: inout Scenario, isQuiet: Bool) throws(CommandFailure) {
  guard !names.isEmpty else { return }
  let known = scenario.input.strategies.map(\.name)
  for name in names where !known.contains(name) {
    let hint = Suggestion.best(for: name, among: known).map { "\n  help: did you mean `\($0)`?" } ?? ""
    throw CommandFailure(
      .badCommandLine,
      "the scenario has no strategy `\(name)`\n  expected: one of \(known.map { "`\($0)`" }.joined(separator: ", "))\(hint)"
    )
  }
  scenario.input.strategies.removeAll { !names.contains($0.name) }
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
  let total = scenario.experiment.devices * scenario.experiment.replications
  let progress = Mutex(ProgressLine(total: total, unit: "devices", isWanted: !isQuiet))
  defer { progress.withLock { $0.finish() } }
  do throws(RunError) {
    return try Runner(scenario, threads: threads).run(
      progress: { done, _ in progress.withLock { $0.update(done: done) } },
      shouldStop: { Interrupt.isRequested })
  } catch {
    progress.withLock { $0.finish() }
    switch error {
    case .interrupted(let completed, let all):
      throw CommandFailure(
        .interrupted,
        lines: "pushsim: interrupted after \(completed) of \(all) replications, nothing was written\n")
    case .simulation(let error, let device, let replication, let seed):
      throw CommandFailure(
        .runFailed,
        "the run cannot go on: \(error)\n  in device \(device) of replication \(replication), seed \(seed)")
    }
  }
}

private func exitCode(_ result: ExperimentResult) -> ExitCode {
  if result.outcomes.contains(.missed) { return .expectationMissed }
  return result.outcomes.contains(.undecided) ? .undecided : .success
}
