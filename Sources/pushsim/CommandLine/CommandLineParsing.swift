import ScenarioDecoding

extension Command {
  /// The command that the arguments after the program's name ask for. Reads nothing but its arguments.
  static func parse(_ arguments: [String]) -> Result<Command, UsageError> {
    guard let first = arguments.first else { return .failure(UsageError(nil, .missingCommand)) }
    switch first {
    case "--help", "-h": return .success(.help(nil))
    case "--version", "-V": return .success(.version)
    default: break
    }
    guard !first.hasPrefix("-") else {
      let guess = Suggestion.best(for: first, among: ["--help", "--version"])
      return .failure(UsageError(nil, .unknownOption(first, suggestion: guess)))
    }
    guard let name = CommandName(rawValue: first) else {
      return .failure(UsageError(nil, .unknownCommand(first)))
    }
    do throws(UsageError) {
      return .success(try name.description.parse(Array(arguments.dropFirst())))
    } catch {
      return .failure(error)
    }
  }

  /// Sorts the arguments of a command into operands and options, in the order in which they stand, and makes the
  /// command of them; or the command for help, if the user asks for that.
  static func scan<Options: CommandOptions>(
    _ command: CommandName, _ expected: Operands, _ arguments: [String], into initial: Options,
    make: (_ operands: [String], _ options: inout Options) throws(UsageError) -> Command
  ) throws(UsageError) -> Command {
    let table = Options.table
    var options = initial
    var operands: [String] = []
    var seen: Set<String> = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      // A lone dash is an operand, as everywhere.
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      if argument == "--" {
        operands += rest
        break
      }
      if argument == "--help" || argument == "-h" { return .help(command == .help ? nil : command) }
      if argument == "--version", !table.contains(where: { $0.name == argument }) { return .version }
      let (name, attached) = split(argument)
      guard let row = table.first(where: { $0.name == name }) else {
        let names = table.map(\.name) + ["--help"]
        throw UsageError(command, .unknownOption(name, suggestion: Suggestion.best(for: name, among: names)))
      }
      guard seen.insert(name).inserted || row.mayRepeat else { throw UsageError(command, .repeated(name)) }
      let value = try value(of: row, attached: attached, rest: &rest, command)
      if let problem = row.store(&options, value) { throw UsageError(command, problem) }
    }
    try check(operands, expected, command)
    for row in table where row.isRequired && !seen.contains(row.name) {
      throw UsageError(command, .missingOption("\(row.name) \(row.placeholder ?? "")"))
    }
    return try make(operands, &options)
  }

  private static func value<Options>(
    of row: OptionRow<Options>, attached: String?, rest: inout ArraySlice<String>, _ command: CommandName
  ) throws(UsageError) -> String {
    guard let placeholder = row.placeholder else {
      guard attached == nil else { throw UsageError(command, .takesNoValue(row.name)) }
      return ""
    }
    if let attached {
      guard !attached.isEmpty else {
        throw UsageError(command, .missingValue(option: row.name, placeholder: placeholder))
      }
      return attached
    }
    // The next argument is the value even with one dash (`-`, `-1`); two dashes are the next option, and a value
    // that begins so can be attached with `=`.
    guard let next = rest.first, !next.isEmpty, !next.hasPrefix("--") else {
      throw UsageError(command, .missingValue(option: row.name, placeholder: placeholder))
    }
    rest.removeFirst()
    return next
  }

  private static func check(
    _ operands: [String], _ expected: Operands, _ command: CommandName
  ) throws(UsageError) {
    if operands.contains("") { throw UsageError(command, .emptyArgument) }
    switch expected {
    case .one(let name), .several(let name), .upTo(_, let name):
      if operands.isEmpty { throw UsageError(command, .missingArgument(name)) }
    case .two(let first, let second):
      if operands.count < 2 { throw UsageError(command, .missingArgument([first, second][operands.count])) }
    case .none, .optional: break
    }
    let most =
      switch expected {
      case .none: 0
      case .one, .optional: 1
      case .two: 2
      case .several: Int.max
      case .upTo(let count, _): count
      }
    if operands.count > most { throw UsageError(command, .unexpectedArgument(operands[most])) }
  }

  /// `--name=value` in two; without `=` there is no value.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}

extension UsageError.Problem {
  static func unknownCommand(_ word: String) -> Self {
    let names = CommandName.allCases.map(\.rawValue)
    return .unknownCommand(word, suggestion: Suggestion.best(for: word, among: names))
  }

  /// A word that is none of a few, with the one that was probably meant.
  static func notOneOf(_ name: String, _ value: String, of words: [String]) -> Self {
    .notOneOf(name, value: value, words: words, suggestion: Suggestion.best(for: value, among: words))
  }
}
