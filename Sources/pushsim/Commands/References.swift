import PushModel
import Reporting
import ScenarioDecoding

/// Prints every metric with its unit and meaning.
func showMetrics() throws -> ExitCode {
  try Terminal.write(MetricReference.text(width: Terminal.tableWidth), to: .standardOutput)
  return .success
}

/// Prints every key of a kind of file with its form, default and meaning.
func showKeys(_ file: KeyReference.File) throws -> ExitCode {
  let text = KeyReference.text(file, defaults: try defaults(file), width: Terminal.tableWidth)
  try Terminal.write(text, to: .standardOutput)
  return .success
}

/// What the values are of a population or policy that nobody names.
private func defaults(_ file: KeyReference.File) throws -> [ParameterSetting] {
  switch file {
  case .scenario: return []
  case .policy: return try policyProfile("guide").profile.parameters.settings
  case .population:
    let log = DiagnosticLog()
    guard
      let population = ScenarioDecoder.defaultPopulation(files: ScenarioLoading.files(for: "."), log: log)
    else { throw ScenarioLoading.failure(log) }
    return population.settings
  }
}
