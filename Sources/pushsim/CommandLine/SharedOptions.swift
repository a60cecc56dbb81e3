import Experiments

/// Options that several commands take, and the scenario they are about. A new one is a property here and a row in the
/// group of the commands that take it.
struct SharedOptions: Equatable, Sendable {
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
  /// A file of results that keeps what is done.
  var store: String?
  var json: OutputTarget?
  var isQuiet = false

  /// Puts the seed and the number of devices into a scenario. What replications mean differs between the commands.
  func apply(to scenario: inout Scenario) {
    if let seed { scenario.seed = seed }
    if let devices { scenario.devices = devices }
  }
}

/// The options of a command that takes shared ones, which then read as its own.
@dynamicMemberLookup
protocol TakesSharedOptions: CommandOptions {
  var shared: SharedOptions { get set }
}

extension TakesSharedOptions {
  subscript<Value>(dynamicMember path: WritableKeyPath<SharedOptions, Value>) -> Value {
    get { shared[keyPath: path] }
    set { shared[keyPath: path] = newValue }
  }

  /// A command's own rows, then the shared ones that it takes. Its own row stands in place of a shared one of the same
  /// name.
  static func rows(
    _ own: [OptionRow<Self>] = [], then shared: [OptionRow<SharedOptions>]
  ) -> [OptionRow<Self>] {
    own + shared.filter { row in !own.contains { $0.name == row.name } }.map { $0.lifted() }
  }
}

extension OptionRow<SharedOptions> {
  fileprivate func lifted<Command: TakesSharedOptions>() -> OptionRow<Command> {
    OptionRow<Command>(
      name: name, placeholder: placeholder, isRequired: isRequired, mayRepeat: mayRepeat, summary: summary,
      decides: decides, hint: hint, values: { values($0.shared) }, store: { store(&$0.shared, $1) })
  }
}

extension SharedOptions {
  static var strategy: OptionRow<Self> {
    .texts("--strategy", "NAME", \.strategies, "only this strategy; may be given several times")
  }

  static var policy: OptionRow<Self> {
    .texts(
      "--policy", "NAME", \.policies, hint: .policies, "under this policy; may be given several times")
  }

  static var set: OptionRow<Self> { .assignments(\.assignments) }

  static var seed: OptionRow<Self> {
    .integer(
      "--seed", "N", UInt64.min...UInt64.max, \.seed, decides: .column, "seed of the random streams")
  }

  static var json: OptionRow<Self> {
    .target("--json", \.json, "write the results as JSON; `-`: to standard output")
  }

  /// What is simulated: of every command that runs replications.
  static var simulation: [OptionRow<Self>] {
    [
      strategy, policy, set, seed,
      .integer(
        "--devices", "N", ExperimentSettings.deviceCounts, \.devices, decides: .column,
        "devices per replication"),
      .integer(
        "--replications", "N", ExperimentSettings.replicationCounts, \.replications, decides: .column,
        "independent replications"),
      .integer(
        "--threads", "N", 1...1024, \.threads, decides: .nothing,
        "threads (default: one per processor); changes no result"),
    ]
  }

  /// Where its results go.
  static var delivery: [OptionRow<Self>] {
    [
      .text("--store", "FILE", \.store, decides: .nothing, "keep what is done in this file (SQLite)"),
      json,
      .flag("--quiet", \.isQuiet, decides: .nothing, "print neither results nor progress"),
    ]
  }
}
