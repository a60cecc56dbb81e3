import Experiments
import OutputAnalysis
import PushModel
import PushsimTestSupport
import Quantities
import Testing

/// Every metric is a ratio of sums over all replications.
struct RatioTests {
  /// Few devices for a short time: in some replications nothing is fresh, in some nobody opens the app.
  private static let yaml = """
    scenario: ratios
    question: What is a ratio?
    content: {updates: {every: 8 h}}
    app: {background_modes: [remote_notification]}
    strategies:
      silent: {background_push: {send: {every: 2 h}}}
      mixed: {background_push: {send: {every: 4 h}}, alert_push: {send: {every: 12 h}, opens: {share: 5 %, after: 1 min}}}
      open: {sync_on_open: {}}
    experiment: {devices: 3, duration: 1 d, warm_up: 0 s, replications: 30, baseline: open}
    """

  private func result() throws -> ExperimentResult {
    try Simulation.run(Self.yaml)
  }

  @Test func `every metric is that of all replications together, whatever each of them has to divide by`()
    throws
  {
    let result = try result()
    let days = result.scenario.input.duration.days
    var uneven: Set<String> = []
    for strategy in result.runs[0].strategies {
      for metric in strategy.metrics {
        let name = "\(metric.metric.name) of \(strategy.name)"
        let whole = metric.metric.item(strategy.total, days).value
        let (estimate, together) = (try #require(metric.estimate, "\(name)"), try #require(whole, "\(name)"))
        #expect((estimate - together).magnitude <= 1e-9 * max(1, together.magnitude), "\(name)")
        if metric.values.contains(nil) { uneven.insert(metric.metric.name) }
      }
    }
    // The case is one in which replications have nothing to divide by, and the mean of ratios would be another number.
    #expect(uneven.contains("joules_per_fresh_open") && uneven.contains("fresh_open"))
    let joules = try #require(result.runs[0].strategies[0].metric("joules_per_fresh_open"))
    let known = joules.values.compactMap(\.self)
    let mean = known.reduce(0, +) / Double(known.count)
    #expect((mean / joules.estimate! - 1).magnitude > 0.2)
  }

  @Test func `differences are those of the estimates, and pair all replications`() throws {
    let result = try result()
    for comparison in result.runs[0].comparisons {
      func estimate(_ name: String) throws -> Double {
        let strategy = try #require(result.runs[0].strategies.first { $0.name == name })
        return try #require(strategy.metric(comparison.metric)?.estimate)
      }
      let expected = try estimate(comparison.strategy) - estimate(comparison.baseline)
      #expect(
        (comparison.difference - expected).magnitude < 1e-9 * max(1, expected.magnitude),
        "\(comparison.metric) of \(comparison.strategy)")
    }
    #expect(result.runs[0].comparisons.contains { $0.metric == "joules_per_fresh_open" })
  }

  // Both estimate one number, from as many devices. Their joint standard error is that of the wider twice at most; 5 of it
  // is left with less than 10⁻⁶. The mean of ratios was 72 % too high with few devices.
  @Test func `few devices often and many devices seldom agree`() throws {
    func joules(devices: Int, replications: Int) throws -> (estimate: Double, error: Double) {
      var scenario = try Simulation.decode(
        """
        scenario: agree
        question: Does it matter how devices are grouped?
        content: {updates: {every: 6 h}}
        strategies: {open: {sync_on_open: {}}}
        experiment: {devices: \(devices), duration: 3 d, warm_up: 0 s, replications: \(replications)}
        """)
      scenario.seed = UInt64(devices)
      let metric = try #require(
        try Simulation.run(scenario).runs[0].strategies[0].metric("joules_per_fresh_open"))
      let mean = try #require(MeanEstimate(metric.sample))
      return (mean.mean, mean.standardDeviation! / Double(replications).squareRoot())
    }
    let few = try joules(devices: 5, replications: 80)
    let many = try joules(devices: 80, replications: 5)
    #expect((few.estimate - many.estimate).magnitude < 5 * (few.error + many.error), "\(few), \(many)")
    #expect((few.estimate / many.estimate - 1).magnitude < 0.3, "\(few), \(many)")
  }

  @Test func `strategies without a value in different replications are compared all the same`() throws {
    // One strategy alone has opens in a replication, so the values that are missing are not the same ones.
    for seed in 1...3 {
      let result = try Simulation.run(
        """
        scenario: pareto_trap
        question: ok?
        content: {updates: {every: 1 h}}
        strategies:
          silent: {background_push: {send: {every: 1 h}}}
          alert: {alert_push: {send: {every: 1 h}, opens: {share: 50 %, after: 1 min}}}
        experiment: {devices: 3, duration: 1 d, warm_up: 0 s, replications: 2, seed: \(seed)}
        """)
      let run = result.runs[0]
      let fresh = try run.strategies.map { try #require($0.metric("fresh_open")) }
      guard fresh.allSatisfy({ $0.estimate != nil }) else { continue }
      #expect(run.pareto != nil)
    }
  }
}

/// Expectations where nothing of the kind was seen, or nothing else.
struct RareExpectationTests {
  /// A push that waits is called off with the probability given when Low Power Mode ends; else it is delivered.
  private func run(
    _ cancelled: String, _ claims: [String], devices: Int = 40, replications: Int = 3, seed: Int = 1
  ) throws -> ExperimentResult {
    try Simulation.run(
      """
      scenario: rare
      question: What is the known answer?
      population:
        scripted:
          base: {base: consumer_default, set: {latency.apns_online_s: 0 s, latency.apns_slow_tail.p: 0 %}}
          device: iphone
          start: {battery: 80 %, low_power_mode: on, last_open: 1 h}
          timeline: [{at: 1 min, low_power_mode: off}]
      policy: {base: guide, set: {force_quit.mode: off, network.mode: off, herd_window.mode: off, hourly_budget.mode: off, low_power_mode.cancel_probability: \(cancelled)}}
      strategies: {s: {background_push: {send: {at: [30 s]}}}}
      expect: [\(claims.map { "{strategy: s, metric: delivered, \($0)}" }.joined(separator: ", "))]
      experiment: {devices: \(devices), duration: 10 min, warm_up: 0 s, replications: \(replications), seed: \(seed)}
      """)
  }

  @Test func `no event among 120 devices neither meets nor misses what 120 devices cannot tell`() throws {
    let none = try run("100 %", ["at_least: 0.1 %", "at_most: 0.05 %", "at_most: 5 %", "at_least: 10 %"])
    #expect(none.outcomes == [.undecided, .undecided, .met, .missed])
    let delivered = try #require(none.runs[0].strategies[0].metric("delivered"))
    #expect(delivered.estimate == 0 && delivered.low == 0)
    // Clopper and Pearson: 1 − 0.025^(1/120).
    #expect(try abs(#require(delivered.high) - 0.030272) < 1e-5)
    let all = try run("0 %", ["at_least: 99.95 %", "at_least: 95 %", "at_most: 90 %"])
    #expect(all.outcomes == [.undecided, .met, .missed])
  }

  @Test func `a claim without room for chance is about what was simulated`() throws {
    #expect(try run("100 %", ["at_most: 0 %"]).outcomes == [.met])
    #expect(try run("0 %", ["at_least: 100 %", "within: [100 %, 100 %]"]).outcomes == [.met, .met])
    // One exception refutes it.
    let some = try run("95 %", ["at_most: 0 %"])
    #expect(some.runs[0].strategies[0].total.fates[Int(Fate.delivered.rawValue)] > 0)
    #expect(some.outcomes == [.missed])
    #expect(some.runs[0].chanceOfAnyWrongMiss == 0)
  }

  @Test func `what is undecided says how many replications would decide`() throws {
    let claim = "at_least: 40 %"
    let expectation = try #require(try run("50 %", [claim]).runs[0].expectations.first)
    #expect(expectation.outcome == .undecided)
    let wanted = try #require(expectation.replicationsToDecide)
    #expect(wanted > 3)
    // The estimate of three replications is a rough one: three times as many decide, and half as many do not.
    #expect(try run("50 %", [claim], replications: 3 * wanted).outcomes != [.undecided])
    #expect(try run("50 %", [claim], replications: max(3, wanted / 2)).outcomes == [.undecided])
    // Without an event the limit falls with the number itself: 3.7/n is below 0.5 % from 738 devices on, 19 replications.
    let none = try #require(try run("100 %", ["at_most: 0.5 %"]).runs[0].expectations.first)
    #expect(none.replicationsToDecide == 19)
    let one = try #require(try run("50 %", [claim], replications: 1).runs[0].expectations.first)
    #expect(one.outcome == .undecided && one.replicationsToDecide == nil)
  }

  @Test func `several expectations say how likely one is missed by chance`() throws {
    let result = try run("50 %", ["at_least: 10 %", "within: [10 %, 90 %]", "at_most: 90 %"])
    #expect(abs(result.runs[0].chanceOfAnyWrongMiss - 0.1) < 1e-12)
  }

  @Test func `strategies that never differed are not said to be equal beyond what was seen`() throws {
    let result = try Simulation.run(
      """
      scenario: same
      question: Do they differ?
      strategies:
        a: {background_push: {send: {every: 6 h}}}
        b: {background_push: {send: {every: 6 h}}}
      experiment: {devices: 20, duration: 1 d, warm_up: 0 s, replications: 3, baseline: a}
      """)
    let comparison = try #require(result.runs[0].comparisons.first { $0.metric == "delivered" })
    #expect(comparison.difference == 0 && comparison.isSame)
    // Two tails of 1.25 % each: 1 − 0.0125^(1/60).
    #expect(abs(try #require(comparison.high) - 0.070435) < 1e-4)
    #expect(comparison.low == comparison.high.map { -$0 })
  }
}
