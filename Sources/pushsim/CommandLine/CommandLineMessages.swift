import ScenarioDecoding

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
    case .missingCommand: KnownWords.lines(CommandName.allCases.map(\.rawValue), suggestion: nil)
    case .unknownCommand(_, let suggestion):
      KnownWords.lines(CommandName.allCases.map(\.rawValue), suggestion: suggestion)
    case .unknownOption(_, let suggestion):
      [KnownWords.help(suggestion) ?? "help: `\(helpCommand)` lists the options"]
    case .missingValue(let option, let placeholder): ["expected: `\(option) \(placeholder)`"]
    case .notAWholeNumber(_, let value): ["got: `\(value)`"]
    case .outOfRange(_, let value, let lowest, let highest):
      ["expected: a whole number from \(lowest) to \(highest)", "got: `\(value)`"]
    case .notOneOf(_, _, let words, let suggestion):
      KnownWords.lines(words, suggestion: suggestion)
    case .malformed(_, let value, let expected): ["expected: \(expected)", "got: `\(value)`"]
    case .notAnAssignment(let value):
      ["expected: such as `experiment.devices=500`", "got: `\(value)`"]
    case .takesNoValue, .repeated, .missingOption, .missingArgument, .unexpectedArgument, .emptyArgument: []
    }
  }

  private var helpCommand: String {
    command.map { "pushsim help \($0.rawValue)" } ?? "pushsim help"
  }
}

/// What is said below a message about a word that is none of a few.
enum KnownWords {
  static func lines(_ known: [String], suggestion: String?) -> [String] {
    ["expected: one of \(known.map { "`\($0)`" }.joined(separator: ", "))"]
      + [help(suggestion)].compactMap(\.self)
  }

  static func help(_ suggestion: String?) -> String? { suggestion.map { "help: did you mean `\($0)`?" } }
}

extension CommandFailure {
  /// The command line names something that is not there.
  ///
  /// - Parameter kind: what it should be, as in `strategy`.
  static func unknown(_ kind: String, _ word: String, among known: [String]) -> CommandFailure {
    let lines = KnownWords.lines(known, suggestion: Suggestion.best(for: word, among: known))
    return CommandFailure(
      .badCommandLine, (["there is no \(kind) `\(word)`"] + lines).joined(separator: "\n  "))
  }
}

/// The usage lines and help pages, written from the same tables that the parser reads.
enum Usage {
  /// `usage: pushsim run SCENARIO [--strategy NAME]… …`, broken so that it fits 80 columns.
  static func line(_ command: CommandName?) -> String {
    guard let command else { return "usage: pushsim COMMAND …, see `pushsim help`\n" }
    let words =
      ["pushsim", command.rawValue, command.description.operands.usage].filter { !$0.isEmpty }
      + command.description.options.map(usage)
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
    let description = command.description
    var page = "\(description.summary)\n\n\(line(command))"
    if !description.options.isEmpty {
      page += "\noptions\n" + aligned(description.options.map { ($0.usage, $0.summary) })
    }
    let below =
      (description.notes.isEmpty ? "" : description.notes + "\n")
      + (description.examples.isEmpty ? "" : "example:\n")
      + description.examples.map { indented($0) + "\n" }.joined()
    return page + (below.isEmpty ? "" : "\n" + below)
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
  }

  private static var overview: String {
    """
    pushsim simulates how iOS decides to deliver silent pushes.

    usage: pushsim COMMAND …

    commands
    \(aligned(CommandName.allCases.map { ($0.rawValue, $0.description.summary) }))
    `pushsim help COMMAND` lists the options of a command.

    exit status
    \(aligned(ExitCode.allCases.map { ("\($0.rawValue)", $0.summary) }))
    """
  }

  /// An option as usage lines have it: in brackets if it may be left out.
  static func usage(_ option: CommandDescription.Option) -> String {
    if option.isRequired { return option.usage }
    return option.mayRepeat ? "[\(option.usage)]…" : "[\(option.usage)]"
  }

  private static func aligned(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, summary in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(summary)\n"
    }.joined()
  }
}
