import ScenarioDecoding

/// Writes a first scenario: to standard output, or to a file that does not exist yet.
func writeNew(_ options: NewOptions) throws -> ExitCode {
  var options = options
  if let name = options.name, name.hasSuffix("/") {
    throw CommandFailure(
      .badCommandLine, "`\(name)` is a folder\n  expected: a file's name, such as `\(name)feed`")
  }
  let path = options.name.map { $0.hasSuffix(".yaml") ? $0 : $0 + ".yaml" }
  // Before the questions: nobody likes to answer for nothing.
  if let path {
    if !options.replaces, Files.exists(path) { throw alreadyExists(path) }
    var targets = Targets()
    targets.add("NAME", file: path)
    try targets.prepare()
  }
  if options.asksNothing, Terminal.isTerminal(.standardError), Terminal.isStandardInputTerminal {
    Interrupt.endAtOnce()
    options = StartingScenario.ask(options, read: { readLine() }, say: Terminal.report)
  }
  // What the user typed is judged by itself, and not where it would stand in a file that nobody has.
  for policy in options.policies { _ = try policyProfile(policy) }
  if let file = path?.split(separator: "/").last, file.dropLast(".yaml".count).allSatisfy(\.isWhitespace) {
    throw CommandFailure(
      .badCommandLine,
      "`\(options.name ?? "")` has no name before its ending\n  expected: a name such as `feed`")
  }
  var text = StartingScenario(options).text
  let schema = "pushsim-scenario.schema.json"
  if let path, Files.exists("\(Files.parent(of: path))/\(schema)") {
    text = "# yaml-language-server: $schema=\(schema)\n" + text
  }
  // What is written here has to be a scenario.
  let log = DiagnosticLog()
  let source = SourceText(name: path ?? "new scenario", text: text)
  guard ScenarioDecoder.decode(source, files: ScenarioLoading.files(for: path ?? "."), log: log) != nil else {
    throw ScenarioLoading.failure(log)
  }
  guard let path else {
    try Terminal.write(text, to: .standardOutput)
    return .success
  }
  do throws(FileError) {
    if options.replaces { try Files.write(text, to: path) } else { try Files.create(text, at: path) }
  } catch {
    // Somebody was faster.
    if error == Files.alreadyExists(path) { throw alreadyExists(path) }
    throw error
  }
  let word = ShellWord.quoted(path.hasPrefix("-") ? "./" + path : path)
  Terminal.report("pushsim: wrote \(path); `pushsim run \(word)` runs it\n")
  return .success
}

private func alreadyExists(_ path: String) -> CommandFailure {
  CommandFailure(
    .cannotWrite,
    "\(Files.alreadyExists(path).message)\n  help: choose another name, or give `--force` to replace the file"
  )
}
