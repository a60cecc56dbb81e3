public import PushModel
import Quantities

/// How a scenario is run.
public struct ExperimentSettings: Sendable {
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
  public var strategy: String
  public var metric: String
  /// The claim holds when the true value lies between these, ends included; infinite where open.
  public var low: Double
  public var high: Double
  public var source: String?

  public init(strategy: String, metric: String, low: Double, high: Double, source: String?) {
    self.strategy = strategy
    self.metric = metric
    self.low = low
    self.high = high
    self.source = source
  }
}

/// A question, the world in which it is asked, and how often it is simulated.
public struct Scenario: Sendable {
  public var name: String
  public var question: String
  public var input: ModelInput
  public var experiment: ExperimentSettings
  public var expectations: [Expectation]
  /// SHA-256 over everything that was read: the scenario, the files it names and what was set on the command line.
  public var digest: String
  /// Where the population comes from, in words: a file's name, or "scripted".
  public var populationName: String
  /// The paths that its `sweep:` varies, which only a sweep looks at.
  public var swept: [String] = []
  /// The scenario file as its author wrote it.
  public var text = ""
  /// The keys that the command line sets, from the root: `policy.hourly_budget.limit`.
  public var assignments: [String] = []

  public init(
    name: String, question: String, input: ModelInput, experiment: ExperimentSettings,
    expectations: [Expectation], digest: String, populationName: String
  ) {
    self.name = name
    self.question = question
    self.input = input
    self.experiment = experiment
    self.expectations = expectations
    self.digest = digest
    self.populationName = populationName
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
