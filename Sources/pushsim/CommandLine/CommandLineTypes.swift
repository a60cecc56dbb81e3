import Reporting
import ScenarioDecoding

/// What the user asked for, every value checked as far as that is possible without reading a file.
enum Command: Equatable, Sendable {
  case run(RunOptions)
  case sweep(SweepOptions)
  case runs(RunsOptions)
  case explain(ExplainOptions)
  case check(CheckOptions)
  case report(ReportOptions)
  case compare(CompareOptions)
  case sensitivity(SensitivityOptions)
  case diagnose(DiagnoseOptions)
  /// Without a name: the profiles there are.
  case policy(name: String?)
  case factors
  case schema(JSONSchema.File)
  case new(NewOptions)
  /// Without a topic: the overview.
  case help(CommandName?)
  case version
}

/// The words that may stand after `pushsim`, in the order of the overview.
enum CommandName: String, CaseIterable, Sendable {
  case run, sweep, runs, sensitivity, report, compare, explain, diagnose, check, policy, factors, schema, new,
    help, version
}

/// One `--set PATH=VALUE`. The value is YAML text for the decoder, which knows what the path may hold.
struct Assignment: Equatable, Sendable {
  var path: String
  var value: String
}

/// Where an option such as `--json` writes.
enum OutputTarget: Equatable, Sendable {
  /// `-`: standard output then holds that and nothing else.
  case standardOutput
  case file(String)
}

struct RunOptions: Equatable, Sendable {
  var scenario = ""
  /// Empty: all strategies of the scenario.
  var strategies: [String] = []
  /// Empty: the policies of the scenario.
  var policies: [String] = []
  var assignments: [Assignment] = []
  var seed: UInt64?
  var devices: Int?
  var replications: Int?
  /// Nil: one per processor.
  var threads: Int?
  var json: OutputTarget?
  /// Where the expectations go as JUnit's XML.
  var junit: OutputTarget?
  var outputDirectory: String?
  /// A file of results that keeps the run.
  var store: String?
  /// Whether to leave out the range of what is plausible.
  var isChanceOnly = false
  var isFull = false
  var isQuiet = false

  /// The command, for a shell, that gives the same result anywhere: without what changes no result.
  var command: String {
    var words = ["pushsim", "run", scenario]
    for name in strategies { words += ["--strategy", name] }
    for name in policies { words += ["--policy", name] }
    for assignment in assignments { words += ["--set", "\(assignment.path)=\(assignment.value)"] }
    if let seed { words += ["--seed", "\(seed)"] }
    if let devices { words += ["--devices", "\(devices)"] }
    if let replications { words += ["--replications", "\(replications)"] }
    if isChanceOnly { words.append("--no-plausible") }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}

struct SweepOptions: Equatable, Sendable {
  var scenario = ""
  /// `PATH=V1,V2,…` each; empty: the `sweep:` of the scenario.
  var over: [String] = []
  /// Names; empty: all in files, a few in the table.
  var metrics: [String] = []
  var strategies: [String] = []
  var policies: [String] = []
  var assignments: [Assignment] = []
  var seed: UInt64?
  var devices: Int?
  var replications: Int?
  /// Nil: one per processor.
  var threads: Int?
  /// A file of results that keeps each finished block.
  var store: String?
  var csv: OutputTarget?
  var json: OutputTarget?
  var isQuiet = false
}

struct RunsOptions: Equatable, Sendable {
  var file = ""
  /// None: list; one: show; two: compare.
  var ids: [Int] = []
  var json: OutputTarget?
}

struct ExplainOptions: Equatable, Sendable {
  var scenario = ""
  /// Counted from 0, as the streams' paths count.
  var device = 0
  /// Counted from 0.
  var replication = 0
  /// Nil: the first strategy of the scenario.
  var strategy: String?
  /// Empty: the policies of the scenario.
  var policies: [String] = []
  /// Counted from 0 over the pushes that the strategy sent to this device; nil: all of them.
  var push: Int?
  var assignments: [Assignment] = []
  var seed: UInt64?
}

struct NewOptions: Equatable, Sendable {
  /// The file without its ending; nil: standard output.
  var name: String?
  // What is nil or empty is asked for on a terminal, and else follows from the question.
  var question: StartingScenario.Question?
  var updates: String?
  var mechanisms: [StartingScenario.Mechanism] = []
  var policies: [String] = []
  var devices: Int?
  /// Whether a file of that name is replaced.
  var replaces = false

  /// Whether everything is left open.
  var asksNothing: Bool {
    question == nil && updates == nil && mechanisms.isEmpty && policies.isEmpty && devices == nil
  }
}

struct SensitivityOptions: Equatable, Sendable {
  var scenario = ""
  /// Its name; there is no default.
  var metric: String?
  /// Strategies to report; empty: all.
  var strategies: [String] = []
  /// Nil: all methods.
  var method: String?
  /// Paths with `*`; empty: those of the scenario's study of uncertainty, or all assumed ones.
  var parameters: [String] = []
  /// Nil: the first policy of the scenario.
  var policy: String?
  var samples: Int?
  var trajectories: Int?
  var assignments: [Assignment] = []
  var seed: UInt64?
  var devices: Int?
  var replications: Int?
  /// Nil: one per processor.
  var threads: Int?
  /// A file of results that keeps each finished point.
  var store: String?
  var json: OutputTarget?
  var isQuiet = false
}

struct DiagnoseOptions: Equatable, Sendable {
  /// Files, or `-`.
  var logs: [String] = []
  /// Bundles; empty: all.
  var apps: [String] = []
  var year: Int?
  /// `+0200`
  var zone: String?
  var json: OutputTarget?
  var outputDirectory: String?
  /// Where the log goes without what names its owner.
  var anonymous: String?
  /// The provider's log.
  var sendLog: String?
  /// Policies under which the log's timeline is run.
  var replays: [String] = []
  var scenario: String?
}

struct CheckOptions: Equatable, Sendable {
  var scenarios: [String] = []
  var assignments: [Assignment] = []
}

struct ReportOptions: Equatable, Sendable {
  var result = ""
  /// Nil: the directory of the result.
  var outputDirectory: String?
}

struct CompareOptions: Equatable, Sendable {
  /// Two result files; the differences are the second minus the first.
  var results: [String] = []
  /// Nil: only to standard output.
  var outputDirectory: String?
}
