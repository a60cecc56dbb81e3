import Experiments
import PushModel
import Reporting
import ScenarioDecoding

/// Tells one device's days under one strategy, with every verdict.
func explain(_ options: ExplainOptions) throws -> ExitCode {
  var scenario = try ScenarioLoading.load(
    options.scenario, options.assignments, policies: options.policies)
  options.shared.apply(to: &scenario)
  let names = scenario.input.strategies.map(\.name)
  let wanted =
    options.strategy ?? scenario.input.strategies.first { $0.sendsPushes }?.name ?? names[0]
  guard let strategy = names.firstIndex(of: wanted) else {
    throw CommandFailure.unknown("strategy", wanted, among: names)
  }
  var explained = scenario
  explained.keep(strategies: [wanted])
  ScenarioLoading.warnOfIdleSettings([explained])
  guard options.device < scenario.experiment.devices else {
    throw CommandFailure(
      .badCommandLine,
      "there is no device \(options.device)\n  expected: a number from 0 to \(scenario.experiment.devices - 1)"
    )
  }
  let replications = scenario.experiment.mostReplications ?? scenario.experiment.replications
  guard options.replication < replications else {
    throw CommandFailure(
      .badCommandLine,
      "there is no replication \(options.replication)\n  expected: a number from 0 to "
        + "\(replications - 1)")
  }
  var targets = Targets()
  targets.add("--json", options.json)
  try targets.prepare()
  var runs: [JSONValue] = []
  for (policy, profile) in scenario.input.policies.enumerated() {
    let trace = try DeviceWorker.trace(
      scenario.input, replication: options.replication, device: UInt32(options.device), policy: policy,
      strategy: strategy)
    if options.json != nil {
      runs.append(
        ExplainText.json(
          trace, warmUp: scenario.input.warmUp, options.selection,
          head: [("policy", .string(PolicyWords.text(profile)))]))
    } else {
      let heading =
        "\(scenario.name): device \(options.device), replication \(options.replication), strategy \(wanted), "
        + "policy \(PolicyWords.text(profile)), seed \(scenario.input.seed)"
      let width = Terminal.outputWidth()
      try Terminal.write(
        ExplainText.text(
          trace, heading: heading, warmUp: scenario.input.warmUp, options.selection, width: width),
        to: .standardOutput)
    }
  }
  let json = JSONValue.object([
    ("format", .string(ExplainText.format)), ("scenario", .string(scenario.name)),
    ("strategy", .string(wanted)), ("device", .integer(options.device)),
    ("replication", .integer(options.replication)), ("seed", .unsigned(scenario.input.seed)),
    ("runs", .array(runs)),
  ])
  try options.json?.write(json.text + "\n")
  return .success
}
