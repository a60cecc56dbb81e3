import Experiments
import PushModel
import Reporting

/// Reads and validates scenarios, runs nothing. Every file is looked at, also after a bad one.
func check(_ options: CheckOptions) throws -> ExitCode {
  var worst = ExitCode.success
  for path in options.scenarios {
    do {
      let scenario = try ScenarioLoading.load(path, options.assignments)
      ScenarioLoading.warnOfIdleSettings([scenario])
      let input = scenario.input
      // Every point of a sweep is read too.
      let points =
        scenario.swept.isEmpty
        ? nil : try ScenarioLoading.loadSweep(path, over: [], options.assignments, isQuiet: true).points.count
      try Terminal.write(
        "\(path): \(scenario.name) is valid: \(count(input.strategies.count, "strateg", "y", "ies")), "
          + "\(count(scenario.experiment.devices, "device", "", "s")), "
          + (scenario.experiment.mostReplications.map { "up to \(count($0, "replication", "", "s")), " }
            ?? "\(count(scenario.experiment.replications, "replication", "", "s")), ")
          + "\(input.policies.count == 1 ? "policy" : "policies") "
          + input.policies.map(PolicyWords.text).joined(separator: ", ")
          + ", population \(scenario.populationName), \(count(scenario.expectations.count, "expectation", "", "s"))"
          + (points.map { ", a sweep of \(count($0, "point", "", "s"))" } ?? "") + "\n"
          + PopulationText.asRun(input.population),
        to: .standardOutput)
    } catch let error as CommandFailure {
      Terminal.report(error.text)
      if worst == .success || error.exitCode.rawValue > worst.rawValue { worst = error.exitCode }
    }
  }
  return worst
}

private func count(_ number: Int, _ stem: String, _ one: String, _ many: String) -> String {
  "\(number) \(stem)\(number == 1 ? one : many)"
}
