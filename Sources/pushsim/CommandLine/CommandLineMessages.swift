/// A command line that asks for nothing the program can do.
struct UsageError: Failure, Equatable {
  enum Problem: Equatable {
    case missingCommand
    case unknownCommand(String, suggestion: String?)
    case unknownOption(String, suggestion: String?)
    case missingValue(option: String, placeholder: String)
    case takesNoValue(String)
    case notAWholeNumber(option: String, value: String)
    /// The bounds are included.
    case outOfRange(option: String, value: String, lowest: String, highest: String)
    /// The name is an option's or an operand's.
    case notOneOf(String, value: String, words: [String], suggestion: String?)
    /// What was given, and what would do.
    case malformed(option: String, value: String, expected: String)
    case notAnAssignment(String)
    case repeated(String)
    case missingOption(String)
    case missingArgument(String)
    case unexpectedArgument(String)
    case emptyArgument
  }

  /// Nil when the mistake is in front of a command.
  var command: CommandName?
  var problem: Problem

  init(_ command: CommandName?, _ problem: Problem) {
    self.command = command
    self.problem = problem
  }

  var exitCode: ExitCode { .badCommandLine }

  var text: String {
    var lines = "pushsim: error: \(message)\n"
    for detail in details { lines += "  \(detail)\n" }
    return lines + Usage.line(command)
  }

  private var message: String {
    switch problem {
    case .missingCommand: "a command is missing"
    case .unknownCommand(let name, _): "unknown command `\(name)`"
    case .unknownOption(let name, _):
      "unknown option `\(name)`" + (command.map { " of `pushsim \($0.rawValue)`" } ?? "")
    case .missingValue(let option, _): "`\(option)` needs a value"
    case .takesNoValue(let option): "`\(option)` takes no value"
    case .notAWholeNumber(let option, _): "`\(option)` needs a whole number"
    case .outOfRange(let option, _, _, _): "`\(option)` is out of range"
    case .notOneOf(let name, let value, _, _): "`\(name)` cannot be `\(value)`"
    case .malformed(let option, _, _): "`\(option)` has another form"
    case .notAnAssignment: "`--set` needs a path and a value with `=` between them"
    case .repeated(let option): "`\(option)` may be given once only"
    case .missingOption(let option): "`\(option)` is missing"
    case .missingArgument(let name): "`\(name)` is missing"
    case .unexpectedArgument(let argument): "unexpected argument `\(argument)`"
    case .emptyArgument: "an argument is empty"
    }
  }

  private var details: [String] {
    switch problem {
    case .missingCommand:
      ["expected: one of \(listed(CommandName.allCases.map(\.rawValue)))"]
    case .unknownCommand(_, let suggestion):
      suggestion.map { ["help: did you mean `\($0)`?"] }
        ?? ["expected: one of \(listed(CommandName.allCases.map(\.rawValue)))"]
    case .unknownOption(_, let suggestion):
      suggestion.map { ["help: did you mean `\($0)`?"] }
        ?? ["help: `\(helpCommand)` lists the options"]
    case .missingValue(let option, let placeholder): ["expected: `\(option) \(placeholder)`"]
    case .notAWholeNumber(_, let value): ["got: `\(value)`"]
    case .outOfRange(_, let value, let lowest, let highest):
      ["expected: a whole number from \(lowest) to \(highest)", "got: `\(value)`"]
    case .notOneOf(_, _, let words, let suggestion):
      ["expected: one of \(listed(words))"] + (suggestion.map { ["help: did you mean `\($0)`?"] } ?? [])
    case .malformed(_, let value, let expected): ["expected: \(expected)", "got: `\(value)`"]
    case .notAnAssignment(let value):
      ["expected: such as `experiment.devices=500`", "got: `\(value)`"]
    case .takesNoValue, .repeated, .missingOption, .missingArgument, .unexpectedArgument, .emptyArgument: []
    }
  }

  private var helpCommand: String {
    command.map { "pushsim help \($0.rawValue)" } ?? "pushsim help"
  }

  private func listed(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }
}

/// The usage lines and help pages, written from the same tables that the parser reads.
enum Usage {
  /// `usage: pushsim run SCENARIO [--strategy NAME]… …`, broken so that it fits 80 columns.
  static func line(_ command: CommandName?) -> String {
    guard let command else { return "usage: pushsim COMMAND …, see `pushsim help`\n" }
    let words =
      ["pushsim", command.rawValue, command.operands.usage].filter { !$0.isEmpty } + optionUsages(command)
    var lines: [String] = []
    var line = "usage:"
    for word in words {
      if line.count + 1 + word.count > 80 {
        lines.append(line)
        line = "      "
      }
      line += " \(word)"
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }

  /// What `pushsim help` prints.
  static func page(_ command: CommandName?) -> String {
    guard let command else { return overview }
    var page = "\(command.summary)\n\n\(line(command))"
    let rows = optionRows(command)
    if !rows.isEmpty { page += "\noptions\n" + aligned(rows) }
    if let note = notes[command] { page += "\n\(note)\n" }
    return page
  }

  private static var overview: String {
    """
    pushsim simulates how iOS decides to deliver silent pushes.

    usage: pushsim COMMAND …

    commands
    \(aligned(CommandName.allCases.map { ($0.rawValue, $0.summary) }))
    `pushsim help COMMAND` lists the options of a command.

    exit status
      0 done · 1 an expectation of the scenario was not met · 75 one is undecided
      64 bad command line · 65 bad scenario · 66 unreadable file
      70 the run cannot go on · 74 cannot write · 130 interrupted

    """
  }

  private static let notes: [CommandName: String] = [
    .run: """
    Results go to standard output, progress and diagnostics to standard error. The
    scenario `-` is read from standard input. No output may be a file that is read,
    or that another output goes to. --output replaces the results of an earlier run
    in DIR, as a whole, and leaves other files there alone.
    With --store, a study of uncertainty that was stopped goes on where it was when
    the same command is given again.
    example:
      pushsim run Scenarios/news_feed.yaml --set policy.hourly_budget.limit='2 /h'
    """,
    .sweep: """
    Without --over the scenario's own `sweep` is run. All values are checked before
    anything runs. With --store, a sweep that was stopped goes on where it was when
    the same command is given again. Expectations are not judged.
    example:
      pushsim sweep Scenarios/news_feed.yaml --store results.sqlite \\
        --over 'strategies.push_hourly.background_push.send.every=20 min,1 h,4 h'
    """,
    .runs: "example:\n  pushsim runs results.sqlite 1 2",
    .check: "The scenario `-` is read from standard input.",
    .report: "The result is that of `pushsim run --json FILE`, or result.json of `--output`.",
    .compare: "Differences are the second result minus the first.",
    .sensitivity: """
    Parameters move over what is plausible of them: from 5 % to 95 % of each prior
    one at a time and in Morris's design, over all of it for Sobol indices.
    With --store, a study that was stopped goes on where it was when the same
    command is given again.
    example:
      pushsim sensitivity Scenarios/news_feed.yaml --metric fresh_open --devices 200
    """,
    .explain: "example:\n  pushsim explain Scenarios/news_feed.yaml --device 17 --strategy push_hourly",
    .diagnose: """
    Reads copies of Console, `idevicesyslog`, `log show` in its styles, Xcode's
    console and crash reports, packed by gzip or zstd or not; `-` is standard input.
    Documentation/Diagnose.md says how to capture one and what it cannot show.
    example:
      pushsim diagnose device.log --app com.example.news
    """,
    .schema: """
    For editors and other checkers; Documentation/Editing.md says how.
    example:
      pushsim schema scenario > pushsim-scenario.schema.json
    """,
    .new: """
    Without a name the scenario goes to standard output. Without an option a
    terminal is asked for everything; elsewhere the defaults count. A file of that
    name stays as it is, unless --force is given.
    questions: \(StartingScenario.Question.allCases.map(\.rawValue).joined(separator: ", "))
    mechanisms: \(StartingScenario.Mechanism.allCases.prefix(4).map(\.rawValue).joined(separator: ", ")),
      \(StartingScenario.Mechanism.allCases.dropFirst(4).map(\.rawValue).joined(separator: ", "))
    example:
      pushsim new feed --question freshness --updates '12 /day'
    """,
  ]

  private static func optionUsages(_ command: CommandName) -> [String] {
    switch command {
    case .run: RunOptions.table.map(usage)
    case .sweep: SweepOptions.table.map(usage)
    case .runs: RunsOptions.table.map(usage)
    case .explain: ExplainOptions.table.map(usage)
    case .check: CheckOptions.table.map(usage)
    case .report: ReportOptions.table.map(usage)
    case .compare: CompareOptions.table.map(usage)
    case .new: NewOptions.table.map(usage)
    case .sensitivity: SensitivityOptions.table.map(usage)
    case .diagnose: DiagnoseOptions.table.map(usage)
    case .policy, .factors, .schema, .help, .version: []
    }
  }

  private static func usage<Options>(_ row: OptionRow<Options>) -> String {
    let words = row.placeholder.map { "\(row.name) \($0)" } ?? row.name
    if row.isRequired { return words }
    return row.mayRepeat ? "[\(words)]…" : "[\(words)]"
  }

  private static func optionRows(_ command: CommandName) -> [(String, String)] {
    switch command {
    case .run: RunOptions.table.map(described)
    case .sweep: SweepOptions.table.map(described)
    case .runs: RunsOptions.table.map(described)
    case .explain: ExplainOptions.table.map(described)
    case .check: CheckOptions.table.map(described)
    case .report: ReportOptions.table.map(described)
    case .compare: CompareOptions.table.map(described)
    case .new: NewOptions.table.map(described)
    case .sensitivity: SensitivityOptions.table.map(described)
    case .diagnose: DiagnoseOptions.table.map(described)
    case .policy, .factors, .schema, .help, .version: []
    }
  }

  private static func described<Options>(_ row: OptionRow<Options>) -> (String, String) {
    (row.placeholder.map { "\(row.name) \($0)" } ?? row.name, row.summary)
  }

  private static func aligned(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, summary in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(summary)\n"
    }.joined()
  }
}
