import Glibc
import Reporting
import ScenarioDecoding

/// Does what the user asked for.
func execute(_ command: Command) throws -> ExitCode {
  switch command {
  case .run(let options): return try run(options)
  case .sweep(let options): return try sweep(options)
  case .runs(let options): return try showRuns(options)
  case .explain(let options): return try explain(options)
  case .check(let options): return try check(options)
  case .report(let options): return try report(options)
  case .compare(let options): return try compare(options)
  case .sensitivity(let options): return try sensitivity(options)
  case .diagnose(let options): return try diagnose(options)
  case .policy(let name): return try showPolicy(name)
  case .factors: return try showFactors()
  case .metrics: return try showMetrics()
  case .keys(let file): return try showKeys(file)
  case .schema(let file): return try showSchema(file)
  case .new(let options): return try writeNew(options)
  case .completion(let shell): return try showCompletion(shell)
  case .manual:
    try Terminal.write(Manual.page, to: .standardOutput)
    return .success
  case .help(let topic):
    try Terminal.write(Usage.page(topic), to: .standardOutput)
    return .success
  case .version:
    try Terminal.write("pushsim \(pushsimVersion)\n", to: .standardOutput)
    return .success
  }
}

/// What stands after the program's name. Names of files are texts here, so a name that is none can only be refused.
func commandLineArguments() throws(CommandFailure) -> [String] {
  var arguments: [String] = []
  for index in 1..<max(1, Int(CommandLine.argc)) {
    guard let bytes = CommandLine.unsafeArgv[index] else { break }
    guard let argument = String(validatingCString: bytes) else {
      throw CommandFailure(
        .badCommandLine,
        "the argument `\(String(cString: bytes))` is not valid UTF-8\n"
          + "  help: rename the file, or give a scenario through standard input: `pushsim run - < FILE`")
    }
    arguments.append(argument)
  }
  return arguments
}

Terminal.ignoreBrokenPipes()
Interrupt.install()
do {
  let command = try Command.parse(commandLineArguments()).get()
  exit(try execute(command).rawValue)
} catch let failure as any Failure {
  Terminal.report(failure.text)
  exit(failure.exitCode.rawValue)
} catch {
  Terminal.report("pushsim: error: \(error)\n")
  exit(ExitCode.runFailed.rawValue)
}
