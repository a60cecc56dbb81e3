import Distributions
import ExperimentDesign
import Experiments
import OutputAnalysis
import PushModel
import PushsimTestSupport
import Testing

/// Studies of a case with a closed form: in Low Power Mode a push is cancelled with a probability p that nobody knows
/// (C0-19), and held to the end of it otherwise. So the share delivered is 1 − p, and with p uniform on 0 to 1 it is
/// uniform too.
@Suite struct UncertaintyTests {
  private static let devices = 20
  private static let pushes = 5
  private static let yaml = """
    scenario: low_power_mode_share
    question: What share arrives?
    population:
      scripted:
        start: {battery: 80 %, network: wifi, low_power_mode: on, last_open: 1 h}
        timeline:
          - {at: 11 h, low_power_mode: off}
          - {at: 12 h, open_app: 1 min}
          - {at: 20 h, force_quit: true}
    policy: guide
    strategies:
      in_mode: {background_push: {send: {at: [1 h, 3 h, 5 h, 7 h, 9 h]}}}
      half_lost: {background_push: {send: {at: [14 h, 16 h, 21 h, 22 h]}}}
    experiment: {devices: \(devices), duration: 24 h, warm_up: 0 s, replications: 2, baseline: half_lost}
    """
  private static let unknown = "policy.low_power_mode.cancel_probability"

  private func study(samples: Int, replications: Int, threads: Int = 1) throws -> UncertaintyResult {
    let settings = UncertaintySettings(
      samples: samples, replications: replications, parameters: [Self.unknown])
    let scenario = try Simulation.decode(Self.yaml)
    return try #require(
      try UncertaintyStudy(scenario, policy: 0, settings: settings, threads: threads).run())
  }

  @Test func `ignorance and chance are those of the closed form`() throws {
    let (samples, replications) = (24, 3)
    let result = try study(samples: samples, replications: replications, threads: 2)
    let metric = try #require(result.metric("delivered", of: "in_mode"))
    let effects = metric.effects
    // In a replication a set's share is of 100 draws u above p, with variance p (1 − p)/100, 1/600 on average. All sets
    // share the draws, so that half of it, the variance of the mean u, is the replications' own, and the mean of all
    // may miss ½ by 0.017; tolerances are 5 such errors.
    let draws = Double(Self.devices * Self.pushes)
    #expect(abs(effects.mean - 0.5) < 0.085)
    #expect(abs(effects.settingVariance - 1.0 / 12) < 0.02)
    #expect((0.5...2).contains(effects.restVariance * 12 * draws))
    // The replications' half has two degrees of freedom only: more than 14 times it has a probability below 1e-6.
    #expect((0.3...7.5).contains(effects.chanceVariance * 6 * draws * Double(replications)))
    #expect(try #require(effects.settingShare) > 0.98)
    #expect(abs(metric.low - 0.025) < 0.06 && abs(metric.high - 0.975) < 0.06)

    // Nothing unknown, and nothing random, is in the other strategy: half of its pushes come after the force quit.
    let other = try #require(result.metric("delivered", of: "half_lost"))
    #expect(other.effects.mean == 0.5 && other.low == 0.5 && other.high == 0.5)
    #expect(other.effects.settingShare == nil)
    // 1 − p is more than ½ in half of the sets.
    let ranking = try #require(result.rankings.first { $0.metric.name == "delivered" })
    #expect(ranking.first == "in_mode" && ranking.second == "half_lost")
    #expect(abs(ranking.firstIsMore - 0.5) < 0.15)
    #expect(ranking.undecided > 0 && ranking.undecided < 0.5)
  }

  @Test func `the parameter that matters is found, and the value at which it turns the ranking round`() throws
  {
    let scenario = try Simulation.decode(Self.yaml)
    var settings = SensitivitySettings(metric: try #require(Metric.named("delivered")))
    settings.parameters = [Self.unknown, "policy.cpu_load.threshold"]
    settings.replications = 3
    settings.trajectories = 2
    settings.samples = 4
    let result = try #require(
      try SensitivityStudy(scenario, policy: 0, settings: settings, threads: 1).run())
    #expect(result.strategies == ["in_mode", "half_lost"])
    let parameter = try #require(result.parameters.firstIndex { $0.path == Self.unknown })
    let bars = try #require(result.tornado)
    #expect(bars[0].parameter == parameter)
    // From ½ to 0.95 and 0.05, each a share of 300 draws.
    let (low, high) = (try #require(bars[0].low.effects[0]), try #require(bars[0].high.effects[0]))
    #expect(abs(low.mean - 0.45) < 0.15 && abs(high.mean + 0.45) < 0.15)
    #expect(bars[1].size(0) == 0 && !bars[1].isWithinChance(0))
    // 1 − p over the nine tenths of the range.
    let morris = try #require(result.morris)
    let effect = morris[0][parameter]
    #expect(effect.isAboveChance)
    #expect(abs(try #require(effect.mean) + 0.9) < 0.15)
    // What nothing reads is not indexed, and the one that is makes all of the variance.
    #expect(result.indexed == [parameter])
    let sobol = try #require(result.sobol)
    let indices = try #require(sobol[0])
    #expect(abs(indices[0].total - 1) < 0.35)
    #expect(sobol[1] == nil)

    #expect(result.flips.count == 1)
    let flip = try #require(result.flips.first)
    #expect(flip.parameter == parameter && flip.firstIsMoreBelow)
    #expect(abs(flip.at - 0.5) < 0.1)
    #expect(flip.between.contains(flip.at))
    #expect(flip.between.upperBound - flip.between.lowerBound < 0.5)
  }

  @Test func `sets that share lives come to what each comes to alone`() throws {
    let scenario = try Simulation.decode(
      """
      scenario: shared
      question: Is it the same?
      content: {updates: {poisson: {rate: 24 /day}}}
      strategies:
        push: {background_push: {send: {every: 1 h}}}
      experiment: {devices: 40, duration: 1 d, warm_up: 0 s, replications: 2}
      """)
    // The intervals of Power Nap change the lives of what sleeps, and of nothing else.
    let patterns = ["policy.*"]
    let settings = UncertaintySettings(samples: 5, replications: 2, parameters: patterns)
    let result = try #require(
      try UncertaintyStudy(scenario, policy: 0, settings: settings, threads: 2).run())
    let space = ParameterSpace(scenario, policy: 0, patterns: patterns)
    #expect(space.parameters.contains { $0.path.hasPrefix("policy.power_nap") })
    let points = DesignPoints.points(
      count: 5, dimensions: space.parameters.count, StreamFamily(seed: scenario.seed, replication: 0))
    let alone = try points.map { try Simulation.run(space.scenario(at: $0)).runs[0].strategies[0] }
    for name in ["delivered", "fresh_open", "wakes_per_device_day", "energy_j_per_device_day"] {
      let mean = try alone.reduce(0) { try $0 + #require($1.metric(name)?.estimate) } / 5
      let effects = try #require(result.metric(name, of: "push")).effects
      #expect(abs(effects.mean - mean) <= 1e-12 * mean, "\(name)")
    }
  }

  @Test func `a gate on what is plausible waits for the study, and one on chance does not change`() throws {
    let claims = """

      expect:
        - {strategy: in_mode, metric: delivered, within: [30 %, 70 %]}
        - {strategy: in_mode, metric: delivered, within: [30 %, 70 %], interval: plausible}
        - {strategy: half_lost, metric: delivered, within: [40 %, 60 %], interval: plausible}
      """
    let scenario = try Simulation.decode(Self.yaml + claims, set: ["experiment.replications=10"])
    var result = try Simulation.run(scenario)
    #expect(result.outcomes == [.met, .undecided, .undecided])
    let settings = UncertaintySettings(samples: 12, replications: 2, parameters: [Self.unknown])
    result.runs[0].add(
      try UncertaintyStudy(scenario, policy: 0, settings: settings, run: result.runs[0], threads: 1).run())
    // The share delivered may be anything from 0 to 1.
    #expect(result.outcomes == [.met, .undecided, .met])
    let judged = result.runs[0].expectations[1]
    #expect(try #require(judged.low) < 0.3 && #require(judged.high) > 0.7)
    // Nothing assumed: chance is all there is.
    result.runs[0].add(nil)
    #expect(result.outcomes == [.met, .met, .met] && result.runs[0].assumesNothing)
  }

  @Test(arguments: ["guide", "evidence"])
  func `the model runs at the ends of what is plausible, all parameters at once`(policy: String) throws {
    let scenario = try Simulation.decode(
      """
      scenario: ends
      question: Does it run?
      policy: \(policy)
      content: {updates: {poisson: {rate: 24 /day}}}
      strategies:
        push: {background_push: {send: {every: 1 h}}}
        tasks: {app_refresh: {}, processing_task: {}}
      experiment: {devices: 3, duration: 2 d, warm_up: 0 s, replications: 1}
      """)
    let space = ParameterSpace(scenario, policy: 0)
    #expect(space.parameters.count > 80)
    for level in [1e-6, 1 - 1e-6] {
      let extreme = space.scenario(at: space.parameters.map { _ in level })
      let result = try Simulation.run(extreme)
      #expect(result.runs[0].strategies[0].total.sent > 0)
    }
  }
}
