import Reporting
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
      return .failure(UsageError(nil, unknown(first)))
    }
    do throws(UsageError) {
      return .success(try parse(name, Array(arguments.dropFirst())))
    } catch {
      return .failure(error)
    }
  }

  private static func parse(_ name: CommandName, _ arguments: [String]) throws(UsageError) -> Command {
    switch name {
    case .run:
      try scan(name, arguments, RunOptions.table, into: RunOptions()) { operands, options in
        options.scenario = operands[0]
        return .run(options)
      }
    case .sweep:
      try scan(name, arguments, SweepOptions.table, into: SweepOptions()) { operands, options in
        options.scenario = operands[0]
        return .sweep(options)
      }
    case .runs:
      try scan(name, arguments, RunsOptions.table, into: RunsOptions()) {
        operands, options throws(UsageError) in
        options.file = operands[0]
        for operand in operands.dropFirst() {
          guard let id = Int(operand), id > 0 else {
            throw UsageError(name, .notAWholeNumber(option: "RUN", value: operand))
          }
          options.ids.append(id)
        }
        return .runs(options)
      }
    case .explain:
      try scan(name, arguments, ExplainOptions.table, into: ExplainOptions()) { operands, options in
        options.scenario = operands[0]
        return .explain(options)
      }
    case .check:
      try scan(name, arguments, CheckOptions.table, into: CheckOptions()) { operands, options in
        options.scenarios = operands
        return .check(options)
      }
    case .report:
      try scan(name, arguments, ReportOptions.table, into: ReportOptions()) { operands, options in
        options.result = operands[0]
        return .report(options)
      }
    case .compare:
      try scan(name, arguments, CompareOptions.table, into: CompareOptions()) { operands, options in
        options.results = operands
        return .compare(options)
      }
    case .sensitivity:
      try scan(name, arguments, SensitivityOptions.table, into: SensitivityOptions()) { operands, options in
        options.scenario = operands[0]
        return .sensitivity(options)
      }
    case .diagnose:
      try scan(name, arguments, DiagnoseOptions.table, into: DiagnoseOptions()) { operands, options in
        options.logs = operands
        return .diagnose(options)
      }
    case .policy: try scan(name, arguments, [], into: ()) { operands, _ in .policy(name: operands.first) }
    case .factors: try scan(name, arguments, [], into: ()) { _, _ in .factors }
    case .schema:
      try scan(name, arguments, [], into: ()) { operands, _ throws(UsageError) in
        guard let word = operands.first else { return .schema(.scenario) }
        guard let file = JSONSchema.File(rawValue: word) else {
          throw UsageError(name, .notOneOf("FILE", word, of: JSONSchema.File.allCases.map(\.rawValue)))
        }
        return .schema(file)
      }
    case .new:
      try scan(name, arguments, NewOptions.table, into: NewOptions()) { operands, options in
        options.name = operands.first
        return .new(options)
      }
    case .help:
      try scan(name, arguments, [], into: ()) { operands, _ throws(UsageError) in
        guard let topic = operands.first else { return .help(nil) }
        guard let command = CommandName(rawValue: topic) else { throw UsageError(name, unknown(topic)) }
        return .help(command)
      }
    case .version: try scan(name, arguments, [], into: ()) { _, _ in .version }
    }
  }

  /// Sorts the arguments of a command into operands and options, in the order in which they stand, and makes the
  /// command of them; or the command for help, if the user asks for that.
  private static func scan<Options>(
    _ command: CommandName, _ arguments: [String], _ table: [OptionRow<Options>], into initial: Options,
    make: (_ operands: [String], _ options: inout Options) throws(UsageError) -> Command
  ) throws(UsageError) -> Command {
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
    try checkOperands(operands, of: command)
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

  private static func checkOperands(_ operands: [String], of command: CommandName) throws(UsageError) {
    if operands.contains("") { throw UsageError(command, .emptyArgument) }
    switch command.operands {
    case .one(let name), .several(let name), .upTo(_, let name):
      if operands.isEmpty { throw UsageError(command, .missingArgument(name)) }
    case .two(let first, let second):
      if operands.count < 2 { throw UsageError(command, .missingArgument([first, second][operands.count])) }
    case .none, .optional: break
    }
    let most =
      switch command.operands {
      case .none: 0
      case .one, .optional: 1
      case .two: 2
      case .several: Int.max
      case .upTo(let count, _): count
      }
    if operands.count > most { throw UsageError(command, .unexpectedArgument(operands[most])) }
  }

  private static func unknown(_ command: String) -> UsageError.Problem {
    let names = CommandName.allCases.map(\.rawValue)
    return .unknownCommand(command, suggestion: Suggestion.best(for: command, among: names))
  }

  /// `--name=value` in two; without `=` there is no value.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}

extension UsageError.Problem {
  /// A word that is none of a few, with the one that was probably meant.
  static func notOneOf(_ name: String, _ value: String, of words: [String]) -> Self {
    .notOneOf(name, value: value, words: words, suggestion: Suggestion.best(for: value, among: words))
  }
}
