import Reporting
import ScenarioDecoding

/// Prints the JSON Schema of a kind of file.
func showSchema(_ file: JSONSchema.File) throws -> ExitCode {
  try Terminal.write(JSONSchema.value(file).text + "\n", to: .standardOutput)
  return .success
}
