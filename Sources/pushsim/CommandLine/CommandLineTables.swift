import DeviceLogs
import Experiments
import Reporting
import ScenarioDecoding

/// One option of one command: how it is written, what it takes, and where its value goes.
struct OptionRow<Options> {
  /// With its dashes.
  let name: String
  /// The name of the value in usage texts; nil when the option takes none.
  let placeholder: String?
  let isRequired: Bool
  let mayRepeat: Bool
  let summary: String
  /// Stores the value, or says what is wrong with it. An option without a value gets an empty string.
  let store: (inout Options, String) -> UsageError.Problem?

  static func flag(_ name: String, _ path: WritableKeyPath<Options, Bool>, _ summary: String) -> Self {
    Self(name: name, placeholder: nil, isRequired: false, mayRepeat: false, summary: summary) { options, _ in
      options[keyPath: path] = true
      return nil
    }
  }

  static func text(
    _ name: String, _ placeholder: String, _ path: WritableKeyPath<Options, String?>, required: Bool = false,
    _ summary: String
  ) -> Self {
    Self(name: name, placeholder: placeholder, isRequired: required, mayRepeat: false, summary: summary) {
      options, value in
      options[keyPath: path] = value
      return nil
    }
  }

  static func texts(
    _ name: String, _ placeholder: String, _ path: WritableKeyPath<Options, [String]>, _ summary: String
  ) -> Self {
    Self(name: name, placeholder: placeholder, isRequired: false, mayRepeat: true, summary: summary) {
      options, value in
      options[keyPath: path].append(value)
      return nil
    }
  }

  /// A whole number within a range, ends included.
  static func integer<Number: FixedWidthInteger>(
    _ name: String, _ placeholder: String, _ range: ClosedRange<Number>,
    _ path: WritableKeyPath<Options, Number?>, _ summary: String
  ) -> Self {
    Self(name: name, placeholder: placeholder, isRequired: false, mayRepeat: false, summary: summary) {
      options, value in
      wholeNumber(value, in: range, option: name) { options[keyPath: path] = $0 }
    }
  }

  /// A whole number that has a default, or must be given.
  static func integer<Number: FixedWidthInteger>(
    _ name: String, _ placeholder: String, _ range: ClosedRange<Number>,
    _ path: WritableKeyPath<Options, Number>, required: Bool = false, _ summary: String
  ) -> Self {
    Self(name: name, placeholder: placeholder, isRequired: required, mayRepeat: false, summary: summary) {
      options, value in
      wholeNumber(value, in: range, option: name) { options[keyPath: path] = $0 }
    }
  }

  /// One of a few words.
  static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ placeholder: String, mayRepeat: Bool = false, aliases: [String: Word] = [:],
    _ summary: String, store: @escaping (inout Options, Word) -> Void
  ) -> Self {
    Self(name: name, placeholder: placeholder, isRequired: false, mayRepeat: mayRepeat, summary: summary) {
      options, value in
      guard let word = Word(rawValue: value) ?? aliases[value] else {
        return .notOneOf(name, value, of: Word.allCases.map(\.rawValue))
      }
      store(&options, word)
      return nil
    }
  }

  static func assignments(_ path: WritableKeyPath<Options, [Assignment]>) -> Self {
    Self(
      name: "--set", placeholder: "PATH=VALUE", isRequired: false, mayRepeat: true,
      summary: "set any key of scenario, population or policy"
    ) { options, value in
      // The first `=` splits: paths have none, values may.
      guard let equals = value.firstIndex(of: "="), equals != value.startIndex else {
        return .notAnAssignment(value)
      }
      options[keyPath: path].append(
        Assignment(path: String(value[..<equals]), value: String(value[value.index(after: equals)...])))
      return nil
    }
  }

  static func target(_ name: String, _ path: WritableKeyPath<Options, OutputTarget?>, _ summary: String)
    -> Self
  {
    Self(name: name, placeholder: "FILE|-", isRequired: false, mayRepeat: false, summary: summary) {
      options, value in
      options[keyPath: path] = value == "-" ? .standardOutput : .file(value)
      return nil
    }
  }
}

private func wholeNumber<Number: FixedWidthInteger>(
  _ text: String, in range: ClosedRange<Number>, option: String, store: (Number) -> Void
) -> UsageError.Problem? {
  let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
  guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else {
    return .notAWholeNumber(option: option, value: text)
  }
  // What does not fit the type is a number all the same, only out of range.
  guard let number = Number(text), range.contains(number) else {
    return .outOfRange(
      option: option, value: text, lowest: "\(range.lowerBound)", highest: "\(range.upperBound)")
  }
  store(number)
  return nil
}

/// The arguments of a command that are no options.
enum Operands: Equatable {
  case none
  case one(String)
  case optional(String)
  case several(String)
  /// At least one, and no more than that many.
  case upTo(Int, String)
  case two(String, String)

  var usage: String {
    switch self {
    case .none: ""
    case .one(let name): name
    case .optional(let name): "[\(name)]"
    case .several(let name): "\(name)…"
    case .upTo(_, let names): names
    case .two(let first, let second): "\(first) \(second)"
    }
  }
}

private let deviceNumbers = 0...ExperimentSettings.deviceCounts.upperBound - 1
private let replicationNumbers = 0...ExperimentSettings.replicationCounts.upperBound - 1

extension RunOptions {
  static let operands = Operands.one("SCENARIO")
  static var table: [OptionRow<RunOptions>] {
    [
      .texts("--strategy", "NAME", \.strategies, "run this strategy only; may be given several times"),
      .texts(
        "--policy", "NAME", \.policies,
        "run under this policy; may be given several times"),
      .assignments(\.assignments),
      .integer("--seed", "N", UInt64.min...UInt64.max, \.seed, "seed of the random streams"),
      .integer("--devices", "N", ExperimentSettings.deviceCounts, \.devices, "devices per replication"),
      .integer(
        "--replications", "N", ExperimentSettings.replicationCounts, \.replications,
        "independent replications"),
      .integer(
        "--threads", "N", 1...1024, \.threads,
        "threads (default: one per processor); changes no result"),
      .target("--json", \.json, "write the results as JSON; `-`: to standard output"),
      .target(
        "--junit", \.junit, "expectations as JUnit's XML; `-`: to standard output"
      ),
      .text("--output", "DIR", \.outputDirectory, "write the results into this directory"),
      .text("--store", "FILE", \.store, "keep the run and its study in this file (SQLite)"),
      .flag("--no-plausible", \.isChanceOnly, "leave out the range of what is plausible"),
      .flag("--full", \.isFull, "print the whole summary, not only the answer"),
      .flag("--quiet", \.isQuiet, "print neither summary nor progress"),
    ]
  }
}

extension SweepOptions {
  static let operands = Operands.one("SCENARIO")
  static var table: [OptionRow<SweepOptions>] {
    [
      .texts(
        "--over", "PATH=V1,V2,…", \.over,
        "vary this key; twice: all combinations"),
      .texts("--metric", "NAME", \.metrics, "report this metric; may be given several times"),
      .texts("--strategy", "NAME", \.strategies, "run this strategy only; may be given several times"),
      .texts(
        "--policy", "NAME", \.policies,
        "run under this policy; may be given several times"),
      .assignments(\.assignments),
      .integer("--seed", "N", UInt64.min...UInt64.max, \.seed, "seed of the random streams"),
      .integer("--devices", "N", ExperimentSettings.deviceCounts, \.devices, "devices per replication"),
      .integer(
        "--replications", "N", ExperimentSettings.replicationCounts, \.replications,
        "independent replications"),
      .integer(
        "--threads", "N", 1...1024, \.threads,
        "threads (default: one per processor); changes no result"),
      .text("--store", "FILE", \.store, "keep what is done in this file (SQLite)"),
      .target("--csv", \.csv, "write the results as CSV; `-`: to standard output"),
      .target("--json", \.json, "write the results as JSON; `-`: to standard output"),
      .flag("--quiet", \.isQuiet, "print neither tables nor progress"),
    ]
  }
}

extension RunsOptions {
  static let operands = Operands.upTo(3, "FILE [RUN [RUN]]")
  static var table: [OptionRow<RunsOptions>] {
    [.target("--json", \.json, "write the answer as JSON; `-`: to standard output")]
  }
}

extension ExplainOptions {
  static let operands = Operands.one("SCENARIO")
  static var table: [OptionRow<ExplainOptions>] {
    [
      .integer("--device", "N", deviceNumbers, \.device, required: true, "the device to follow, from 0"),
      .integer(
        "--replication", "R", replicationNumbers, \.replication, "its replication, from 0 (default: 0)"),
      .text("--strategy", "NAME", \.strategy, "strategy to follow (default: the scenario's first)"),
      .texts(
        "--policy", "NAME", \.policies,
        "follow under this policy; may be given several times"),
      .integer("--push", "N", 0...Int(UInt32.max), \.push, "only this push of the device, from 0"),
      .assignments(\.assignments),
      .integer("--seed", "N", UInt64.min...UInt64.max, \.seed, "seed of the random streams"),
    ]
  }
}

extension NewOptions {
  static let operands = Operands.optional("NAME")
  static var table: [OptionRow<NewOptions>] {
    [
      .word("--question", "QUESTION", "what you want to know") { $0.question = $1 },
      OptionRow(
        name: "--updates", placeholder: "RATE", isRequired: false, mayRepeat: false,
        summary: "how often there is something new, such as '12 /day'"
      ) { options, value in
        guard StartingScenario.isRate(value) else {
          return .malformed(option: "--updates", value: value, expected: "a rate such as `12 /day` or `2 /h`")
        }
        options.updates = value
        return nil
      },
      .word(
        "--mechanism", "NAME", mayRepeat: true, aliases: StartingScenario.Mechanism.aliases,
        "what may bring it; may be given several times"
      ) {
        $0.mechanisms.append($1)
      },
      .texts("--policy", "NAME", \.policies, "guide, evidence, …; may be given several times"),
      .integer("--devices", "N", ExperimentSettings.deviceCounts, \.devices, "devices per replication"),
      .flag("--force", \.replaces, "replace a file of that name"),
    ]
  }
}

extension CheckOptions {
  static let operands = Operands.several("SCENARIO")
  static var table: [OptionRow<CheckOptions>] { [.assignments(\.assignments)] }
}

extension ReportOptions {
  static let operands = Operands.one("RESULT.json")
  static var table: [OptionRow<ReportOptions>] {
    [
      .text(
        "--output", "DIR", \.outputDirectory, "write into this directory (default: that of the result)")
    ]
  }
}

extension SensitivityOptions {
  static let operands = Operands.one("SCENARIO")
  static var table: [OptionRow<SensitivityOptions>] {
    [
      .text("--metric", "NAME", \.metric, required: true, "the metric to look at"),
      .texts("--strategy", "NAME", \.strategies, "report this strategy only; may be repeated"),
      .text(
        "--method", "METHOD", \.method, "tornado, morris, sobol or all (default: all)"),
      .texts(
        "--parameter", "PATH", \.parameters,
        "vary this, `*` for any; may be repeated (else all assumed)"),
      .text("--policy", "NAME", \.policy, "under this policy (default: the scenario's first)"),
      .integer("--samples", "N", 2...1_000_000, \.samples, "base points of the Sobol indices (default: 64)"),
      .integer("--trajectories", "N", 2...1_000_000, \.trajectories, "of Morris's design (default: 10)"),
      .assignments(\.assignments),
      .integer("--seed", "N", UInt64.min...UInt64.max, \.seed, "seed of the random streams"),
      .integer("--devices", "N", ExperimentSettings.deviceCounts, \.devices, "devices per replication"),
      .integer(
        "--replications", "N", 2...ExperimentSettings.replicationCounts.upperBound, \.replications,
        "replications per point (default: 4)"),
      .integer(
        "--threads", "N", 1...1024, \.threads,
        "threads (default: one per processor); changes no result"),
      .text("--store", "FILE", \.store, "keep what is done in this file (SQLite)"),
      .target("--json", \.json, "write the results as JSON; `-`: to standard output"),
      .flag("--quiet", \.isQuiet, "print neither summary nor progress"),
    ]
  }
}

extension DiagnoseOptions {
  static let operands = Operands.several("LOG")
  static var table: [OptionRow<DiagnoseOptions>] {
    [
      .texts("--app", "BUNDLE", \.apps, "tell of this app only; may be given several times"),
      .integer("--year", "N", 2000...2100, \.year, "the year, for lines without one"),
      OptionRow(
        name: "--zone", placeholder: "±HHMM", isRequired: false, mayRepeat: false,
        summary: "the time zone, for lines without one"
      ) { options, value in
        guard LogOptions.zone(value) != nil else {
          return .malformed(
            option: "--zone", value: value, expected: "a time zone such as `+0200` or `-0530`")
        }
        options.zone = value
        return nil
      },
      .target("--json", \.json, "write the diagnosis as JSON; `-`: to standard output"),
      .text("--output", "DIR", \.outputDirectory, "write page, Markdown and JSON into this directory"),
      .text("--send-log", "FILE", \.sendLog, "the provider's log: which pushes never arrived"),
      .texts(
        "--replay", "POLICY", \.replays,
        "replay the log under this policy; may be repeated"),
      .text("--write-scenario", "FILE", \.scenario, "write the log's timeline as a scenario"),
      .text("--anonymise", "FILE", \.anonymous, "write the log without what names its owner"),
    ]
  }
}

extension CompareOptions {
  static let operands = Operands.two("A.json", "B.json")
  static var table: [OptionRow<CompareOptions>] {
    [.text("--output", "DIR", \.outputDirectory, "write compare.html and compare.md into this directory")]
  }
}

extension CommandName {
  /// One line for the overview.
  var summary: String {
    switch self {
    case .run: "run a scenario and report what became of its pushes"
    case .sweep: "run a scenario at several values of one or two of its keys"
    case .runs: "list the runs of a file of results, show one, or compare two"
    case .report: "render a result as page and tables again, without simulating"
    case .compare: "show how two results differ"
    case .explain: "show one device's days: every push, the verdicts on it, its fate"
    case .check: "read and validate scenarios; run nothing"
    case .diagnose: "read a device's log: what became of its pushes, and why"
    case .sensitivity: "find what a metric depends on and what turns a ranking round"
    case .policy: "list the policy profiles, or one's parameters with their sources"
    case .factors: "list the policy factors and their parameters"
    case .schema: "print the JSON Schema of scenario, population or policy files"
    case .new: "write a first scenario with comments"
    case .help: "explain a command"
    case .version: "print the version"
    }
  }

  var operands: Operands {
    switch self {
    case .run: RunOptions.operands
    case .sweep: SweepOptions.operands
    case .runs: RunsOptions.operands
    case .report: ReportOptions.operands
    case .compare: CompareOptions.operands
    case .explain: ExplainOptions.operands
    case .check: CheckOptions.operands
    case .sensitivity: SensitivityOptions.operands
    case .diagnose: DiagnoseOptions.operands
    case .policy: .optional("NAME")
    case .factors: .none
    case .schema: .optional(JSONSchema.File.allCases.map(\.rawValue).joined(separator: "|"))
    case .new: NewOptions.operands
    case .help: .optional("COMMAND")
    case .version: .none
    }
  }
}
