import Experiments
import PushModel
import PushPolicy
import ScenarioDecoding
import Testing

/// A scenario whose policy is written as in `policy`.
private func source(_ policy: String) -> SourceText {
  SourceText(
    name: "night.yaml",
    text: """
      scenario: night
      question: How many pushes arrive at night?
      strategies:
        hourly: {background_push: {send: {every: 1 h}}}
      \(policy)
      """)
}

private let changed = "policy: {base: guide, set: {hourly_budget.limit: 1 /h}}"

/// The policies that run, and what was said.
private func policies(
  _ policy: String, choosing chosen: [String], settings: [String] = [], memory: [String: String] = [:]
) -> (policies: [PolicyProfile], digest: String?, diagnostics: String) {
  let log = DiagnosticLog()
  let scenario = ScenarioDecoder.decode(
    source(policy), settings: settings, policies: chosen, files: shippedFiles(and: memory), log: log)
  return (scenario?.input.policies ?? [], scenario?.digest, DiagnosticText.render(log))
}

private func text(_ profile: PolicyProfile) -> String {
  profile.parameters.overrides.reduce(profile.name) { "\($0) with \($1.path) = \($1.text)" }
}

private func limit(_ profile: PolicyProfile?) -> Double? {
  profile.map { ($0.parameters.values.hourlyBudget.limit * 3600).rounded() }
}

struct PolicyChoiceTests {
  @Test(arguments: [
    changed, "policy: {hourly_budget.limit: 1 /h}", "policy: {set: {hourly_budget: {limit: 1 /h}}}",
    "policy: [evidence, {base: guide, set: {hourly_budget.limit: 1 /h}}]",
    "policy: {base: {base: guide, set: {hourly_budget.limit: 1 /h}}}",
  ])
  func `the scenario's own policy keeps what the scenario sets in it`(policy: String) {
    let (found, _, diagnostics) = policies(policy, choosing: ["guide"])
    #expect(diagnostics == "")
    #expect(found.map(\.name) == ["guide"])
    #expect(limit(found.first) == 1)
    #expect(found.first.map(text) == "guide with hourly_budget.limit = 1 /h")
  }

  @Test func `another policy is refused, with what to write for it with and without the values`() {
    let (_, _, diagnostics) = policies(changed, choosing: ["evidence"])
    #expect(
      diagnostics == """
        --policy:1:1: error: the scenario sets values in the policy `guide`, and `evidence` is another one
            1 | evidence
              | ^^^^^^^^
          expected: `guide`
          help: `--set policy=evidence` runs `evidence` without the scenario's values, `--set policy.base=evidence` with them
          note: night.yaml:5:9: it sets them here

        """)
    let plain = policies(changed, choosing: [], settings: ["policy=evidence"])
    #expect(plain.diagnostics == "")
    #expect(plain.policies.map(text) == ["evidence"])
    #expect(limit(plain.policies.first) != 1)
    let moved = policies(changed, choosing: [], settings: ["policy.base=evidence"])
    #expect(moved.diagnostics == "")
    #expect(moved.policies.map(text) == ["evidence with hourly_budget.limit = 1 /h"])
  }

  @Test(arguments: ["policy: guide", "policy: [guide, evidence]", "policy: {base: guide}", ""])
  func `a scenario that sets nothing may run under any policy`(policy: String) {
    let (found, _, diagnostics) = policies(policy, choosing: ["evidence", "guide"])
    #expect(diagnostics == "")
    #expect(found.map(text) == ["evidence", "guide"])
  }

  @Test func `what the command line sets reaches the policy that it chooses, and is told`() {
    let (found, _, diagnostics) = policies(
      "policy: guide", choosing: ["evidence"], settings: ["policy.hourly_budget.limit=1 /h"])
    #expect(diagnostics == "")
    #expect(found.map(text) == ["evidence with hourly_budget.limit = 1 /h"])
  }

  @Test func `values of a file that the scenario names by its path are the profile's own`() {
    let (found, _, diagnostics) = policies(
      "policy: mine.yaml", choosing: [],
      memory: ["mine.yaml": "policy: mine\nbase: guide\nhourly_budget.limit: 1 /h\n"])
    #expect(diagnostics == "")
    #expect(found.map(text) == ["mine"])
    #expect(limit(found.first) == 1)
  }

  @Test(arguments: ["policy=evidence", "policy.base=evidence"])
  func `two ways to choose a policy at once are refused`(setting: String) {
    let (_, _, diagnostics) = policies("policy: guide", choosing: ["guide"], settings: [setting])
    #expect(diagnostics.contains("`--policy` chooses the policies as well"))
  }

  @Test func `a name that is no policy is shown as it was typed`() {
    let (_, _, diagnostics) = policies("policy: guide", choosing: ["evidense"])
    #expect(diagnostics.hasPrefix("--policy:1:1: error: there is no policy `evidense`"))
    #expect(diagnostics.contains("did you mean `evidence`?"))
  }

  @Test func `a chosen policy is part of the digest`() {
    let digests = [[], ["guide"], ["evidence"]].map { policies("policy: guide", choosing: $0).digest }
    #expect(Set(digests).count == 3 && !digests.contains(nil))
  }
}
