import PushModel
import Reporting
import ScenarioDecoding

/// Prints every parameter of a policy profile with value, unit, evidence and source; without a name, the profiles.
func showPolicy(_ name: String?) throws -> ExitCode {
  let name = name ?? "guide"
  let (profile, summary) = try policyProfile(name)
  let text = ParameterTables.policy(
    name: profile.name, summary: summary, profile.parameters.settings, width: Terminal.tableWidth)
  try Terminal.write(text, to: .standardOutput)
  return .success
}

/// Reads a shipped profile by its name.
func policyProfile(_ name: String) throws(CommandFailure) -> (profile: PolicyProfile, summary: String) {
  let log = DiagnosticLog()
  guard let policy = ScenarioDecoder.policy(name, files: ScenarioLoading.files(for: "."), log: log) else {
    throw ScenarioLoading.failure(log)
  }
  return policy
}
