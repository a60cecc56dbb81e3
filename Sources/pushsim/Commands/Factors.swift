import PushModel
import Reporting

/// Prints every policy factor with its rule in a line, its sources and its parameters.
func showFactors() throws -> ExitCode {
  let (profile, _) = try policyProfile("guide")
  let text = ParameterTables.factors(
    profile: profile.name, profile.parameters.settings, width: Terminal.tableWidth)
  try Terminal.write(text, to: .standardOutput)
  return .success
}
