public import PushModel
import Quantities

/// How a scenario is run.
public struct ExperimentSettings: Sendable {
  /// How many devices and replications a file or the command line may ask for.
  public static let deviceCounts = 1...100_000_000
  public static let replicationCounts = 1...1_000_000

  public var devices = 1000
  public var replications = 10
  /// For intervals; 0 to 1.
  public var confidence = 0.95
  /// The strategy with which the others are compared.
  public var baseline: String?
  public var comparison = ComparisonSettings()
  /// With one of these the values decide how many replications there are, unless ``fixesReplications``.
  public var precision: PrecisionGoal?
  public var selection: SelectionGoal?
  /// Whether there are as many as ``replications`` says in any case.
  public var fixesReplications = false
  /// The study of what the uncertainty of parameters does to the answer; nil: none.
  public var uncertainty: UncertaintySettings?

  public init() {}

  /// The most replications there may be where the values decide; nil where their number is fixed.
  public var mostReplications: Int? {
    fixesReplications ? nil : [precision?.maximum, selection?.maximum].compactMap(\.self).max()
  }
}

/// A claim about a result that the scenario states in advance.
public struct Expectation: Sendable {
  /// What must lie where the claim says.
  public enum Interval: String, Sendable, CaseIterable {
    /// The interval over replications: the model with the scenario's values.
    case chance
    /// The range over what is plausible of the parameters that are assumed.
    case plausible
  }

  public var strategy: String
  public var metric: String
  /// The claim holds when the true value lies between these, ends included; infinite where open.
  public var low: Double
  public var high: Double
  public var source: String?
  public var interval: Interval

  public init(
    strategy: String, metric: String, low: Double, high: Double, source: String?, interval: Interval = .chance
  ) {
    self.interval = interval
    self.strategy = strategy
    self.metric = metric
    self.low = low
    self.high = high
    self.source = source
  }

  /// Whether it names a point, or an end of what the metric can be: the chance in a run then has no room.
  func isExact(_ metric: Metric) -> Bool {
    low == high || high == 0 || (metric.unit == .proportion && low == 1)
  }
}

/// A question, the world in which it is asked, and how often it is simulated.
///
/// A store of results finds the values of replications by ``digest``, ``seed`` and ``devices``. So a scenario cannot be
/// changed past them: seed, devices and the number of replications are properties of their own, leaving out strategies
/// or policies changes no value of those that stay, and everything else goes through ``change(_:_:)``.
public struct Scenario: Sendable {
  public let name: String
  public let question: String
  public private(set) var input: ModelInput
  public private(set) var experiment: ExperimentSettings
  public private(set) var expectations: [Expectation]
  /// SHA-256 over everything that was read: the scenario, the files it names and what was set on the command line; after
  /// a change, over that and the change.
  public private(set) var digest: String
  /// Where the population comes from, in words: a file's name, or "scripted".
  public let populationName: String
  /// The paths that its `sweep:` varies, which only a sweep looks at.
  public let swept: [String]
  /// The scenario file as its author wrote it.
  public let text: String
  /// The keys that the command line sets, from the root: `policy.hourly_budget.limit`.
  public let assignments: [String]

  public init(
    name: String, question: String, input: ModelInput, experiment: ExperimentSettings,
    expectations: [Expectation], digest: String, populationName: String, swept: [String] = [],
    text: String = "", assignments: [String] = []
  ) {
    self.name = name
    self.question = question
    self.input = input
    self.experiment = experiment
    self.expectations = expectations
    self.digest = digest
    self.populationName = populationName
    self.swept = swept
    self.text = text
    self.assignments = assignments
  }

  // What a store keeps in columns of its own.

  public var seed: UInt64 {
    get { input.seed }
    set { input.seed = newValue }
  }

  public var devices: Int {
    get { experiment.devices }
    set { experiment.devices = newValue }
  }

  public var replications: Int {
    get { experiment.replications }
    set { experiment.replications = newValue }
  }

  /// Runs so many replications, whatever their values are.
  public mutating func fixReplications(_ count: Int) {
    experiment.replications = count
    experiment.fixesReplications = true
  }

  // What changes no value.

  /// Claims more than the file does.
  public mutating func expect(_ more: [Expectation]) { expectations += more }

  /// Leaves out the other strategies, and what is asked of them.
  ///
  /// - Returns: the strategy of which a precision was asked that is left out; nil if there is none.
  @discardableResult
  public mutating func keep(strategies names: [String]) -> String? {
    input.strategies.removeAll { !names.contains($0.name) }
    guard let only = experiment.precision?.strategy, !names.contains(only) else { return nil }
    experiment.precision = nil
    return only
  }

  /// Leaves out the other policies.
  mutating func keep(policy index: Int) { input.policies = [input.policies[index]] }

  /// Scenarios that differ in their only policy alone as one of all these policies. It is simulated and not kept: the
  /// digest is that of the first.
  static func together(_ scenarios: ArraySlice<Scenario>) -> Scenario {
    var one = scenarios.first!
    one.input.policies = scenarios.map { $0.input.policies[0] }
    return one
  }

  /// Changes what is simulated, and the digest with it.
  ///
  /// - Parameters:
  ///   - text: says what is changed, to the last bit.
  ///   - change: changes nothing that the text does not say.
  public mutating func change(_ text: String, _ change: (inout ModelInput) -> Void) {
    let (seed, before) = (input.seed, digest)
    change(&input)
    precondition(input.seed == seed, "the seed has a property of its own")
    digest = Digest.hex([Array(before.utf8), Array(text.utf8)])
  }
}

extension Scenario {
  /// What the command line sets without any effect on this run, under any of its policies, and what keeps it from having
  /// one, as in "`launch_spacing.mode` is off".
  public var settingsWithoutEffect: [(path: String, why: String)] {
    assignments.compactMap { path in whyUnread(path).map { (path, $0) } }
  }

  /// Whether a key has an effect under any of the policies.
  public func reads(_ path: String) -> Bool { whyUnread(path) == nil }

  private func whyUnread(_ path: String) -> String? {
    var reasons: [String] = []
    for policy in input.policies.indices {
      guard let why = input.whyUnread(path, policy: policy) else { return nil }
      reasons.append(why)
    }
    return reasons.first
  }
}
