import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

// What happens around the app belongs to the life: the same under every policy, whether or not the policy reads it.
struct SurroundingsTests {
  // Devices that restart often, sleep, and are switched off at night: where it is hardest to follow the surroundings.
  private func scenario(_ policy: String, _ strategy: String, population: String = "") -> String {
    """
    scenario: surroundings
    question: What does it cost?
    version: 1
    population:
      set:
        restart.interval: {exponential: {mean: 6 h}}
        restart.off_for: 20 min
        connectivity.nightly_off_or_airplane.user_share: 50 %
        mix.device: {mac: 30 %, rest: scaled}
        surroundings.camera: 40 /day
        \(population)
    policy: \(policy)
    strategies:
      pushes: \(strategy)
    experiment: {devices: 40, duration: 4 d, warm_up: 0 s, replications: 2, seed: 5}

    """
  }

  private let silent = "{background_push: {send: {every: 7 min}}}"

  private func energy(_ yaml: String, _ settings: [String] = [], policy: Int = 0) throws -> EnergySums {
    try Simulation.run(yaml, set: settings).runs[policy].strategies[0].total.energy
  }

  @Test func `a policy that reads the surroundings counts the same energy as one that does not`() throws {
    let unread = try energy(scenario("guide", silent))
    // A factor that is only watched: the changes of the device now show what happens around the app.
    let read = try energy(scenario("{base: guide, set: {camera.mode: shadow}}", silent))
    #expect(read.total == unread.total && read.batteryShares == unread.batteryShares)
    #expect(unread.total > 0)
  }

  @Test func `each of the surroundings shares the radio under a policy that reads none`() throws {
    let alone = ["notifications=0 /day", "other_pushes=0 /day", "in_use=0 %"]
    let none = alone.map { "population.surroundings." + $0 }
    let dear = try energy(scenario("guide", silent), none).total
    for more in ["notifications=200 /day", "other_pushes=200 /day", "in_use=30 %"] {
      let shared = try energy(scenario("guide", silent), none + ["population.surroundings." + more]).total
      #expect(shared < dear, "\(more)")
    }
  }

  // Beside when it arrives nothing of an alert is the policy's: what it costs is the same under both. It was less by a third under `evidence`.
  @Test func `an alert costs the same under both policies`() throws {
    let alerts = "{alert_push: {send: {poisson: {rate: 15 /day}}, expiration: 0}}"
    let yaml = scenario(
      "[guide, {base: evidence, set: {apns: {expiry_softness: 0 s, rest_share: 0 %, slow_wake: 0 %}}}]",
      alerts)
    let result = try Simulation.run(yaml)
    let totals = result.runs.map { $0.strategies[0].total.energy.total }
    #expect(totals[0] == totals[1] && totals[0] > 0)
  }

  @Test(arguments: [
    ("{base: guide, set: {surroundings.in_use: 30 %}}", [String]()),
    ("{surroundings: {in_use: 30 %}}", []), ("guide", ["policy.surroundings.in_use=30 %"]),
    ("[guide, evidence]", ["policy.surroundings.in_use=30 %"]),
  ])
  func `the old path under the policy is read as the population's`(policy: String, settings: [String]) throws
  {
    let old = try Simulation.decode(scenario(policy, silent), set: settings)
    #expect(old.input.population.parameters.values.surroundings.inUse == 0.3)
    let setting = old.input.population.parameters.settings.first { $0.path == "surroundings.in_use" }
    #expect(setting?.evidence == .given)
    if settings.isEmpty { return }
    // Whichever path sets it, it has an effect.
    #expect(old.assignments == ["population.surroundings.in_use"])
    #expect(old.settingsWithoutEffect.isEmpty)
  }

  @Test(arguments: [
    ("guide", "policy.launch_spacing.interval=5 min", "`launch_spacing.mode` is off"),
    (
      "guide", "policy.execution.grant_sigma=0.5", "`execution.limit` is not above `execution.grant_shortest`"
    ),
    ("guide", "policy.surroundings.camera=9 /day", "`camera.mode` is off"),
    ("evidence", "policy.hourly_budget.limit=1 /h", "`hourly_budget.mode` is off"),
    ("evidence", "policy={app_refresh: {floor: 1 h}}", "no strategy has `app_refresh`"),
    ("guide", "population.settings.push_opt_in=90 %", "no strategy sends alerts"),
    ("guide", "population.latency.rtt_ms.wifi=1 s", "no part of the model reads it"),
    ("guide", "app.syncs_on_open=off", "the scenario has no `content`"),
    ("guide", "strategies.pushes.background_push.collapse_id=a", "no part of the model reads it"),
    ("guide", "provider.connections=7", "`audience` is 1"),
  ])
  func `a setting without effect says what turns it off`(policy: String, setting: String, why: String) throws
  {
    let scenario = try Simulation.decode(scenario(policy, silent), set: [setting])
    #expect(scenario.settingsWithoutEffect.map(\.why) == [why])
    let path = String(setting.prefix { $0 != "=" })
    if setting.hasPrefix("policy.surroundings") {
      #expect(scenario.settingsWithoutEffect[0].path == "population.surroundings.camera")
    } else if path != "policy" {
      #expect(scenario.settingsWithoutEffect[0].path == path)
    }
  }

  @Test func `a setting that one of the policies reads has an effect`() throws {
    let both = try Simulation.decode(
      scenario("[guide, evidence]", silent), set: ["policy.launch_spacing.interval=5 min"])
    #expect(both.settingsWithoutEffect.isEmpty)
  }
}
