/// What the user asked for, every value checked as far as that is possible without reading a file.
enum Command: Equatable, Sendable {
  case run(RunOptions)
  case sweep(SweepOptions)
  case runs(RunsOptions)
  case explain(ExplainOptions)
  case check(CheckOptions)
  /// Without a name: the profiles there are.
  case policy(name: String?)
  case factors
  /// Without a topic: the overview.
  case help(CommandName?)
  case version
}

/// The words that may stand after `pushsim`, in the order of the overview.
enum CommandName: String, CaseIterable, Sendable {
  case run, sweep, runs, explain, check, policy, factors, help
}

/// One `--set PATH=VALUE`. The value is YAML text for the decoder, which knows what the path may hold.
struct Assignment: Equatable, Sendable {
  var path: String
  var value: String
}

/// Where `--json` writes.
enum OutputTarget: Equatable, Sendable {
  /// `-`: standard output then holds the JSON and nothing else.
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
  var junit: String?
  var outputDirectory: String?
  /// A file of results that keeps the run.
  var store: String?
  var isQuiet = false
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

struct CheckOptions: Equatable, Sendable {
  var scenarios: [String] = []
  var assignments: [Assignment] = []
}
