import Experiments
public import PushModel
import ScenarioDecoding

/// A policy's name with what the scenario or the command line sets in it: the name alone would tell of another policy.
public enum PolicyWords {
  public static func text(_ profile: PolicyProfile) -> String {
    text(profile.name, profile.parameters.overrides.map { ($0.path, $0.text) })
  }

  static func text(_ name: String, _ settings: [(path: String, value: String)]) -> String {
    guard !settings.isEmpty else { return name }
    // A study may set every value.
    let shown = settings.prefix(6).map { "\($0.path) = \($0.value)" }.joined(separator: ", ")
    return "\(name) with \(shown)" + (settings.count > 6 ? " and \(settings.count - 6) more" : "")
  }

  /// Members of a provenance.
  static func members(_ profile: PolicyProfile) -> [(String, JSONValue)] {
    [("policy", .string(profile.name))] + settings("policy_settings", profile.parameters.overrides)
  }

  /// Nothing where nothing is set.
  static func settings(_ key: String, _ overrides: [ParameterSetting]) -> [(String, JSONValue)] {
    let members = overrides.map { ($0.path, JSONValue.string($0.text)) }
    return members.isEmpty ? [] : [(key, .object(members))]
  }
}

extension RunView {
  /// The policy with what the scenario sets in it.
  var policyText: String {
    PolicyWords.text(policy, (record.provenance.policySettings?.items ?? []).map { ($0.name, $0.value) })
  }
}
