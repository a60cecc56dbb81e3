internal import PushPolicy
internal import Quantities

/// Which parameters of its policy and its population a run reads, and what keeps it from reading the others.
///
/// The one place that says so: lists of assumptions, studies and the warning of `--set` ask here. A parameter counts as
/// read if another value of it may change a result; tests set every one and compare.
public struct ParameterUse {
  private let facts: RunFacts
  private let isScripted: Bool

  /// - Parameter policy: the index of the policy under which the strategies are played.
  public init(_ input: ModelInput, policy: Int) {
    facts = RunFacts(input, policy: policy)
    isScripted = facts.script != nil
  }

  public func reads(_ path: String) -> Bool { whyUnread(path) == nil }

  /// What keeps the run from reading a parameter, as in "`launch_spacing.mode` is off"; nil: it is read.
  ///
  /// - Parameter path: from the scenario's root, as in `policy.launch_spacing.interval`.
  public func whyUnread(_ path: String) -> String? {
    guard let dot = path.firstIndex(of: ".") else { return nil }
    let rest = String(path[path.index(after: dot)...])
    switch path[..<dot] {
    case "policy": return first(UseRule.ofPolicy, rest) ?? whyFactorUnread(rest)
    case "population":
      if isScripted, !UseRule.scripted.contains(where: { covers($0, rest) }) {
        return "the script says what happens, not the population"
      }
      return first(UseRule.ofPopulation, rest)
    default: return first(UseRule.ofScenario, path)
    }
  }

  /// The same of a key of one strategy, as in `alert_push.collapse_id`; its facts have that strategy alone.
  func whyUnread(ofStrategy key: String) -> String? { first(UseRule.ofStrategy, key) }

  private func covers(_ rule: String, _ path: String) -> Bool { path == rule || path.hasPrefix(rule + ".") }

  private func first(_ rules: [UseRule], _ path: String) -> String? {
    for rule in rules where rule.paths.contains(where: { covers($0, path) }) {
      if let why = rule.why(facts) { return why }
    }
    return nil
  }

  /// What holds for every parameter of a factor.
  private func whyFactorUnread(_ path: String) -> String? {
    guard let factor = FactorID.allCases.first(where: { covers($0.name, path) }) else { return nil }
    if path == factor.name + ".mode" { return facts.isAsked(factor) ? nil : facts.noMechanism(factor) }
    // Read whatever the mode.
    if UseRule.whateverTheMode.contains(path) { return nil }
    return UseRule.ofPushesOnly.contains(where: { covers($0, path) })
      ? facts.unaskedByPushes(factor) : facts.unasked(factor)
  }
}

/// Something without which a run does not read some parameters.
struct UseRule: Sendable {
  let paths: [String]
  let why: @Sendable (RunFacts) -> String?

  init(_ paths: String..., why: @escaping @Sendable (RunFacts) -> String?) {
    self.paths = paths
    self.why = why
  }

  init(_ paths: String..., when: @escaping @Sendable (RunFacts) -> Bool, else why: String) {
    self.paths = paths
    self.why = { when($0) ? nil : why }
  }
}
