/// What the user asked for, every value checked as far as that is possible without reading a file.
enum Command: Equatable, Sendable {
  case run(RunOptions)
  case explain(ExplainOptions)
  case check(CheckOptions)
  case sensitivity(SensitivityOptions)
  /// Without a name: the profiles there are.
  case policy(name: String?)
  case factors
  /// Without a topic: the overview.
  case help(CommandName?)
  case version
}

/// The words that may stand after `pushsim`, in the order of the overview.
enum CommandName: String, CaseIterable, Sendable {
  case run, explain, check, sensitivity, policy, factors, help
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
  var outputDirectory: String?
  var isQuiet = false
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
  var json: OutputTarget?
  var isQuiet = false
}

struct CheckOptions: Equatable, Sendable {
  var scenarios: [String] = []
  var assignments: [Assignment] = []
}
