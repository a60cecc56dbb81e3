import Distributions
import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

@Suite struct UncertaintyDecodingTests {
  private static let scenario = """
    scenario: test
    question: What is it?
    policy: guide
    strategies:
      hourly: {background_push: {send: {every: 1 h}}}
    experiment: {uncertainty: {samples: 20, replications: 3, parameters: [policy.hourly_budget.*]}}
    """

  @Test func `samples, replications and parameters are read, and have defaults`() throws {
    let given = try Simulation.decode(Self.scenario).experiment.uncertainty
    #expect(
      given == UncertaintySettings(samples: 20, replications: 3, parameters: ["policy.hourly_budget.*"]))
    let short = try Simulation.decode(Self.scenario, set: ["experiment.uncertainty={}"])
    #expect(short.experiment.uncertainty == UncertaintySettings(samples: 200, replications: 4))
    let plain = try Simulation.decode(Self.scenario.replacing(/experiment:.*/, with: ""))
    #expect(plain.experiment.uncertainty == nil)
  }

  @Test func `a path that no parameter with a prior has is a mistake, with a suggestion and its place`() {
    let error = #expect(throws: ScenarioMistakes.self) {
      try Simulation.decode(Self.scenario.replacing("hourly_budget.*", with: "hourly_budget.limitt"))
    }
    #expect(error?.text.contains("test.yaml:6:71: error: no parameter with a prior fits") == true)
    #expect(error?.text.contains("did you mean `policy.hourly_budget.limit`?") == true)
  }

  @Test func `fewer than two samples or replications are refused`() {
    for setting in ["samples=1", "replications=1"] {
      #expect(throws: ScenarioMistakes.self) {
        try Simulation.decode(Self.scenario, set: ["experiment.uncertainty.\(setting)"])
      }
    }
  }

  /// Paths by default.
  private func paths(_ settings: String...) throws -> [String] {
    ParameterSpace(try Simulation.decode(Self.scenario, set: settings), policy: 0).parameters.map(\.path)
  }

  @Test func `without a list the assumed parameters are uncertain, unless the scenario sets or draws them`()
    throws
  {
    let assumed = try paths()
    #expect(assumed.contains("policy.hourly_budget.ignore_probability"))
    #expect(assumed.contains("population.low_power_mode.always_on_share"))
    // Observed, though it has a prior.
    #expect(!assumed.contains("policy.power_nap.median"))
    // Of a factor that is off, and of a mechanism that no strategy has.
    #expect(!assumed.contains { $0.hasPrefix("policy.device_pool.") || $0.hasPrefix("policy.app_refresh.") })
    #expect(
      !(try paths("policy.hourly_budget.ignore_probability=70 %")).contains(
        "policy.hourly_budget.ignore_probability"))
    let drawn = "policy.hourly_budget.ignore_probability={uniform: [50 %, 60 %]}"
    #expect(!(try paths(drawn)).contains("policy.hourly_budget.ignore_probability"))
    #expect(try paths("policy=evidence").contains("policy.device_pool.size"))
    #expect(
      try paths(
        "strategies.hourly.app_refresh={}", "app.background_modes=[remote_notification, fetch]"
      ).contains { $0.hasPrefix("policy.app_refresh.") })
  }

  @Test
  func `a parameter at a level has the quantile of its prior, within its range, and nothing else moves`()
    throws
  {
    let scenario = try Simulation.decode(Self.scenario)
    let space = ParameterSpace(
      scenario, policy: 0, patterns: ["policy.hourly_budget.ignore*", "population.settings.*.wifi_only"])
    #expect(
      space.parameters.map(\.path) == [
        "policy.hourly_budget.ignore_probability",
        "population.settings.background_app_refresh_off.wifi_only",
      ])
    let moved = space.scenario(at: [0.5, nil]).input
    let policy = moved.policies[0].parameters.values
    #expect(policy.hourlyBudget.ignoreProbability == 0.75)
    #expect(policy.hourlyBudget.limit == scenario.input.policies[0].parameters.values.hourlyBudget.limit)
    #expect(
      moved.population.parameters.values.settings.refreshOnWiFiOnly
        == scenario.input.population.parameters.values.settings.refreshOnWiFiOnly)
    // The end of a distribution without an end is that of the parameter.
    for parameter in ParameterSpace(scenario, policy: 0, patterns: ["*"]).parameters {
      for level in [0, 0.5, 1] {
        #expect(parameter.range.contains(parameter.value(at: level)), "\(parameter.path) at \(level)")
      }
    }
  }

  @Test func `what is named is drawn once for a set, though each replication would draw it`() throws {
    let scenario = try Simulation.decode(
      Self.scenario, set: ["policy.hourly_budget.ignore_probability={uniform: [50 %, 60 %]}"])
    #expect(scenario.input.policies[0].parameters.drawn.count == 1)
    let space = ParameterSpace(scenario, policy: 0, patterns: ["policy.hourly_budget.ignore_probability"])
    #expect(space.scenario(at: space.parameters.map { _ in nil }).input.policies[0].parameters.drawn.isEmpty)
    #expect(space.parameters[0].value(at: 0.5) == 0.55)
    #expect(ParameterSpace(scenario, policy: 0).scenario.input.policies[0].parameters.drawn.count == 1)
  }
}

/// What nobody knows must say what is plausible, or a study of the uncertainty would take it for known.
@Suite struct PriorTests {
  private func scenario(_ policy: String) throws -> Scenario {
    try Simulation.decode(
      "scenario: a\nquestion: b?\npolicy: \(policy)\nstrategies: {a: {background_push: {send: {every: 1 h}}}}\n"
    )
  }

  private func check<Root>(_ parameters: Parameterised<Root>, _ rows: [TableRow<Root>], _ label: String) {
    let settings = Dictionary(uniqueKeysWithValues: parameters.settings.map { ($0.path, $0) })
    for row in rows {
      // A mode or a list is no quantity that a prior could be of; a distribution spreads its values itself.
      guard case .parameter(let key) = row, case .number(_, let range, let path) = key.kind,
        let setting = settings[key.path], setting.evidence.isAssumption
      else { continue }
      guard let prior = setting.prior else {
        // Unverified figures of a device are known, if not by us; what is assumed is not known by anybody.
        if setting.evidence == .assumed { Issue.record("\(label): \(key.path) is assumed and has no prior") }
        continue
      }
      let value = parameters.values[keyPath: path]
      #expect(
        // The end of what is possible, such as no delay at all, may be the value.
        (0.01...0.99).contains(prior.cdf(value)) || value == prior.quantile(0) || value == prior.quantile(1),
        "\(label): \(key.path) is \(setting.text), hardly plausible by its prior \(setting.priorText ?? "")")
      #expect(
        prior.quantile(0.05) < prior.quantile(0.95),
        "\(label): the prior of \(key.path) has no width")
      #expect(
        prior.quantile(0.001) >= range.lowerBound && prior.quantile(0.999) <= range.upperBound,
        "\(label): the prior of \(key.path) leaves the parameter's range")
    }
  }

  @Test(arguments: ["guide", "evidence"]) func `every assumed number of a policy has a prior around it`(
    policy: String
  ) throws {
    let parameters = try scenario(policy).input.policies[0].parameters
    check(parameters, Policy.keys.map(TableRow.parameter), policy)
    #expect(parameters.settings.filter { $0.evidence == .assumed && $0.prior != nil }.count >= 30)
  }

  @Test func `every assumed number of the population has a prior around it`() throws {
    let parameters = try scenario("guide").input.population.parameters
    check(parameters, Population.keys, "consumer_default")
    #expect(parameters.settings.filter { $0.evidence == .assumed && $0.prior != nil }.count >= 50)
  }

  /// Modes and switches can have none; each new one says here why it needs none.
  @Test func `choices without a prior are these`() throws {
    var found: [String] = []
    for policy in ["guide", "evidence"] {
      let parameters = try scenario(policy).input.policies[0].parameters
      for setting in parameters.settings where setting.evidence == .assumed && setting.prior == nil {
        found.append("\(policy) \(setting.path)")
      }
    }
    #expect(
      found == [
        // Without it a launch could only fail: no rival to weigh.
        "guide network.mode", "evidence network.mode",
        // Rivals to run and compare, as by `--set policy.usage_history.gate=hard`.
        "evidence usage_history.gate", "evidence apns.priority_1_waits_for_use",
      ])
  }
}
