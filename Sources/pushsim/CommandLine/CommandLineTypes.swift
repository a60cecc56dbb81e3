import Experiments
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
  case schema(SchemaFile)
  case new(NewOptions)
  case metrics
  case keys(KeyReference.File)
  case completion(Completion.Shell)
  /// Without a topic: the overview.
  case help(CommandName?)
  case manual
  case version
}

/// The words that may stand after `pushsim`, in the order of the overview.
enum CommandName: String, CaseIterable, Sendable {
  case run, sweep, runs, sensitivity, report, compare, explain, diagnose, check, policy, factors, metrics,
    keys
  case schema, new, completion, help, version
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

/// What one command can be told. Its values say what is asked for, and its rows how that is written.
protocol CommandOptions: Equatable, Sendable {
  init()
  static var operands: Operands { get }
  static var table: [OptionRow<Self>] { get }
}

struct RunOptions: TakesSharedOptions {
  var shared = SharedOptions()
  /// Conditions, beside the expectations of the scenario.
  var expectations: [String] = []
  /// Where the expectations go as JUnit's XML.
  var junit: OutputTarget?
  var outputDirectory: String?
  /// Whether to leave out the range of what is plausible.
  var isChanceOnly = false
  /// Whether the whole summary is printed, not only the answer.
  var isFull = false

  /// The command, for a shell, that gives the same result anywhere: without what changes no result.
  var command: String {
    (["pushsim", "run", self.scenario] + words(of: [.result, .column])).map(ShellWord.quoted)
      .joined(separator: " ")
  }
}

struct SweepOptions: TakesSharedOptions {
  var shared = SharedOptions()
  /// `PATH=V1,V2,…` each; empty: the `sweep:` of the scenario.
  var over: [String] = []
  /// Names; empty: all in files, a few in the table.
  var metrics: [String] = []
  var csv: OutputTarget?
  var outputDirectory: String?
}

struct RunsOptions: TakesSharedOptions {
  var shared = SharedOptions()
  var file = ""
  /// None: list; one: show; two: compare.
  var ids: [Int] = []
}

struct ExplainOptions: TakesSharedOptions {
  var shared = SharedOptions()
  /// Counted from 0, as the streams' paths count.
  var device = 0
  /// Counted from 0.
  var replication = 0
  /// Nil: the first strategy of the scenario.
  var strategy: String?
  /// Its pushes are counted from 0 over those that the strategy sent to this device.
  var selection = ExplainSelection()
}

struct NewOptions: CommandOptions {
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

struct SensitivityOptions: TakesSharedOptions {
  /// Its policies are one at most.
  var shared = SharedOptions()
  /// Its name; there is no default.
  var metric: String?
  /// Nil: all methods.
  var method: SensitivitySettings.Method?
  /// Paths with `*`; empty: those of the scenario's study of uncertainty, or all assumed ones.
  var parameters: [String] = []
  var samples: Int?
  var trajectories: Int?
  var outputDirectory: String?
}

struct DiagnoseOptions: CommandOptions {
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

struct CheckOptions: TakesSharedOptions {
  var shared = SharedOptions()
  var scenarios: [String] = []
}

struct ReportOptions: CommandOptions {
  var result = ""
  /// Nil: the directory of the result.
  var outputDirectory: String?
  /// Whether a decision record is written in place of everything else.
  var isDecision = false
}

struct CompareOptions: CommandOptions {
  /// Result files; the differences are the second minus the first.
  var results: [String] = []
  /// A kept result that stands for the first.
  var with: String?
  /// Under which name the last result is kept.
  var keep: String?
  /// The folder of kept results; nil: `.pushsim`.
  var baselines: String?
  /// Conditions that must not come true.
  var failIf: [String] = []
  /// Nil: only to standard output.
  var outputDirectory: String?
}

struct HelpOptions: CommandOptions {
  /// Whether the whole manual is wanted, for `man`.
  var isManual = false
}

/// Of a command that takes no option.
struct NoOptions: CommandOptions {
  static let operands = Operands.none
  static var table: [OptionRow<NoOptions>] { [] }
}
