import Reporting
import ScenarioDecoding

/// A kind of file that has a schema.
enum SchemaFile: String, CaseIterable, Sendable { case scenario, population, policy, result }

/// Prints the JSON Schema of a kind of file.
func showSchema(_ file: SchemaFile) throws -> ExitCode {
  let schema =
    switch file {
    case .scenario: JSONSchema.value(.scenario)
    case .population: JSONSchema.value(.population)
    case .policy: JSONSchema.value(.policy)
    case .result: ResultSchema.value
    }
  try Terminal.write(schema.text + "\n", to: .standardOutput)
  return .success
}
