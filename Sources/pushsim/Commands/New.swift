import ScenarioDecoding

/// Writes a first scenario: to standard output, or to a file that does not exist yet.
func writeNew(_ options: NewOptions) throws -> ExitCode {
  var options = options
  let path = options.name.map { $0.hasSuffix(".yaml") ? $0 : $0 + ".yaml" }
  // Before the questions: nobody likes to answer for nothing.
  if let path { try refuseToOverwrite(path) }
  if options.asksNothing, Terminal.isTerminal(.standardError), Terminal.isStandardInputTerminal {
    Interrupt.endAtOnce()
    options = StartingScenario.ask(options, read: { readLine() }, say: Terminal.report)
  }
  // What the user typed is judged by itself, and not where it would stand in a file that nobody has.
  for policy in options.policies { _ = try policyProfile(policy) }
  let start = StartingScenario(options)
  guard !start.name.allSatisfy(\.isWhitespace) else {
    throw CommandFailure(
      .badCommandLine,
      "`\(options.name ?? "")` has no name before its ending\n  expected: a name such as `feed`")
  }
  let text = start.text
  let log = DiagnosticLog()
  let source = SourceText(name: path ?? "new scenario", text: text)
  guard ScenarioDecoder.decode(source, files: ScenarioLoading.files(for: path ?? "."), log: log) != nil else {
    throw ScenarioLoading.failure(log)
  }
  guard let path else {
    try Terminal.write(text, to: .standardOutput)
    return .success
  }
  try Files.create(text, at: path)
  let word = ShellWord.quoted(path.hasPrefix("-") ? "./" + path : path)
  Terminal.report("pushsim: wrote \(path); `pushsim run \(word)` runs it\n")
  return .success
}

private func refuseToOverwrite(_ path: String) throws(FileError) {
  if Files.exists(path) { throw Files.alreadyExists(path) }
}
