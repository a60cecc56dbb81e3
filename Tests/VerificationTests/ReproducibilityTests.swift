import Experiments
import OutputAnalysis
import PushModel
import PushsimTestSupport
import Quantities
import Reporting
import ScenarioDecoding
import Testing

private let yaml = """
  scenario: reproducible
  question: Is it the same again?
  content: {updates: {poisson: {rate: 24 /day}}}
  app:
    background_modes: [remote_notification]
    handler: {duration: {lognormal: {median: 2 s, p95: 20 s}}, result: {new_data: 80 %, failed: 15 %, never_completes: 5 %}}
  strategies:
    updates: {background_push: {send: each_update, expiration: 1 h}}
    hourly: {background_push: {send: {every: 1 h, jitter: 5 min}}}
    random: {background_push: {send: {poisson: {rate: 3 /h}}}}
    none: {sync_on_open: {}}
  experiment: {devices: 18, duration: 1 d, warm_up: 12 h, replications: 3, baseline: none}
  """

extension StrategyResult {
  fileprivate var values: [[Double?]] { metrics.map(\.values) }
}

struct ReproducibilityTests {
  @Test
  func `the result is the same text again, and on one, two or three threads`() throws {
    let scenario = try Simulation.decode(yaml)
    func text(threads: Int) throws -> String {
      try ResultDocument(Simulation.run(scenario, threads: threads)).json.text
    }
    let first = try text(threads: 1)
    for threads in [1, 2, 3] { #expect(try text(threads: threads) == first, "\(threads) threads") }
    #expect(try ResultDocument(Simulation.run(yaml, set: ["experiment.seed=2"])).json.text != first)
  }

  @Test
  func `adding, removing or permuting strategies changes no number of the others`() throws {
    var scenario = try Simulation.decode(yaml)
    let all = try Simulation.run(scenario).runs[0].strategies
    let strategies = scenario.input.strategies
    for order in [[2, 0, 3, 1], [1], [0, 1], [3, 1]] {
      scenario.change("order \(order)") { $0.strategies = order.map { strategies[$0] } }
      let results = try Simulation.run(scenario).runs[0].strategies
      #expect(results.map(\.name) == order.map { strategies[$0].name })
      for (result, index) in zip(results, order) {
        #expect(result.total.numbers == all[index].total.numbers, "\(result.name) of \(order)")
        #expect(result.values == all[index].values, "\(result.name) of \(order)")
      }
    }
  }

  @Test
  func `a device's numbers depend neither on the devices before it nor on how many there are`() throws {
    let input = try Simulation.decode(yaml).input
    func tallies(_ devices: [UInt32]) throws -> [[Int64]] {
      var worker = DeviceWorker(input, replication: 1)
      var last: [[Int64]] = []
      for device in devices {
        _ = worker.takeTallies()
        try worker.run(device: device)
        last = worker.takeTallies()[0].map(\.numbers)
      }
      return last
    }
    let after = (0..<8).map { UInt32($0) }
    for device in after {
      #expect(try tallies(after.filter { $0 != device } + [device]) == tallies([device]), "device \(device)")
    }
  }

  @Test
  func `a replication's values do not depend on how many there are`() throws {
    var scenario = try Simulation.decode(yaml)
    let three = try Simulation.run(scenario).runs[0].strategies.map(\.values)
    scenario.replications = 2
    let two = try Simulation.run(scenario).runs[0].strategies.map(\.values)
    #expect(three.map { $0.map { Array($0.prefix(2)) } } == two)
    // Independent all the same.
    #expect(three[1].contains { $0[0] != $0[1] })
  }

  @Test
  func `a trace counts what the run counts`() throws {
    let scenario = try Simulation.decode(yaml)
    var worker = DeviceWorker(scenario.input, replication: 2)
    try worker.run(device: 7)
    let tallies = worker.takeTallies()[0]
    for index in tallies.indices {
      let trace = try Simulation.trace(scenario, strategy: index, device: 7, replication: 2)
      #expect(trace.tally.numbers == tallies[index].numbers)
    }
  }
}

struct CommonRandomNumbersTests {
  /// Shares delivered by replication, at sends every 60 and every 50 minutes.
  private func delivered(seed: Int) throws -> (hourly: [Double], oftener: [Double]) {
    let result = try Simulation.run(
      """
      scenario: paired
      question: What do ten minutes change?
      strategies:
        hourly: {background_push: {send: {every: 60 min}}}
        oftener: {background_push: {send: {every: 50 min}}}
      experiment: {devices: 12, duration: 2 d, warm_up: 0 s, replications: 16, seed: \(seed)}
      """)
    func values(_ index: Int) throws -> [Double] {
      try #require(result.runs[0].strategies[index].metric("delivered")).values.compactMap(\.self)
    }
    return (try values(0), try values(1))
  }

  private func variance(_ a: [Double], _ b: [Double]) throws -> Double {
    try #require(Moments(zip(a, b).map { $0 - $1 }).variance)
  }

  @Test
  func `on the same lives the difference of two strategies varies at least ten times less`() throws {
    let (first, second) = (try delivered(seed: 1), try delivered(seed: 2))
    let paired = try (variance(first.hourly, first.oftener) + variance(second.hourly, second.oftener)) / 2
    let unpaired = try (variance(first.hourly, second.oftener) + variance(second.hourly, first.oftener)) / 2
    print("variance of a difference: on the same lives \(unpaired / paired) times less")
    #expect(unpaired > 10 * paired)
    // What a result says of it needs one seed only. Both ratios are F distributed about the same, of about 30 degrees of
    // freedom: they differ by a factor of 6 with less than 10⁻⁵.
    let said = try #require(PairedComparison(first.hourly, first.oftener).varianceReduction)
    #expect((unpaired / paired / 6...unpaired / paired * 6).contains(said), "\(said)")
  }
}
