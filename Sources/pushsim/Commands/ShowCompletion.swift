import Reporting
import ScenarioDecoding

/// Prints the script by which a shell completes.
func showCompletion(_ shell: Completion.Shell) throws -> ExitCode {
  let files = ScenarioLoading.files(for: ".")
  var policies: [String] = []
  for directory in files.directories {
    policies += files.profiles(directory + "/policies").filter { !policies.contains($0) }
  }
  let completion = Completion(policies: policies.sorted(), keys: KeyReference.settablePaths)
  try Terminal.write(completion.script(shell), to: .standardOutput)
  return .success
}
