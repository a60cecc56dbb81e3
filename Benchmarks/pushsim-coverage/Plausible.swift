import Distributions
import Experiments
import PushModel
import PushsimTestSupport

/// How often the plausible range of a run holds what a set of parameters drawn from the same priors comes to. Each trial
/// has a run with other random numbers, and a set of its own with many devices.
struct PlausibleStudy {
  var trials: Int
  var metrics = [
    "delivered", "delivered_within_5min", "fresh_open", "wakes_per_device_day", "energy_j_per_device_day",
  ]
  /// Lives of the true set: so many that chance moves it little.
  var devices = 12_000

  static let claim = 0.86...0.94

  static let text = """
    scenario: coverage
    question: Does the range hold what another set comes to?
    content: {updates: {poisson: {rate: 6 /day}}}
    strategies:
      push: {background_push: {send: {every: 4 h}}}
    experiment: {devices: 250, duration: 2 d, warm_up: 0 s, replications: 10}
    """

  /// Prints a table.
  ///
  /// - Returns: whether every row is as claimed.
  func print() throws -> Bool {
    Swift.print("| plausible range of | trials | held, % | claimed, % |\n|---|---:|---:|---:|")
    var isAsClaimed = true
    for row in try shares(Simulation.decode(Self.text)) {
      let share = Double(row.right) / Double(trials)
      isAsClaimed = isAsClaimed && Self.claim.contains(share)
      Swift.print(
        "| `\(row.metric)` | \(trials) | \(fixed(share * 100, 2)) | 86–94\(Self.claim.contains(share) ? "" : " **no**") |"
      )
    }
    return isAsClaimed
  }

  /// By metric: how often the range held the value.
  func shares(_ scenario: Scenario) throws -> [(metric: String, right: Int)] {
    var right = metrics.map { _ in 0 }
    for trial in 0..<trials {
      var scenario = scenario
      scenario.seed = UInt64(1000 + trial)
      var run = try Runner(scenario, threads: Runner.processors).run()
      let study = UncertaintyStudy(
        run.scenario, policy: 0, settings: .small(run.scenario), run: run.runs[0], threads: Runner.processors)
      run.runs[0].add(try study.run())
      let space = ParameterSpace(scenario, policy: 0)
      var stream = StreamFamily(seed: 1, replication: trial).stream(device: 0, .test)
      var truth = space.scenario(at: space.parameters.map { _ in max(1e-9, stream.uniform()) })
      truth.seed = UInt64(1_000_000 + trial)
      truth.devices = devices / 4
      truth.replications = 4
      let own = try Runner(truth, threads: Runner.processors).run()
      for (index, metric) in metrics.enumerated() {
        let strategy = scenario.input.strategies[0].name
        guard let range = run.runs[0].uncertainty?.metric(metric, of: strategy),
          let value = own.runs[0].strategies[0].metric(metric)?.estimate
        else { continue }
        if value >= range.low, value <= range.high { right[index] += 1 }
      }
    }
    return zip(metrics, right).map { ($0, $1) }
  }
}
