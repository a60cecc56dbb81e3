import Experiments
import OutputAnalysis
import PushModel
import PushsimTestSupport
import Quantities
import Testing

struct IncidenceTests {
  private let scenario = """
    scenario: how_soon
    question: How soon do they come, and how many never?
    app: {background_modes: [remote_notification], handler: {duration: 2 s, result: {new_data: 90 %, failed: 10 %}}}
    content: {updates: {poisson: {rate: 24 /day}}}
    strategies:
      hourly: {background_push: {send: {every: 1 h}, expiration: 3 h}}
      none: {sync_on_open: {}}
    experiment: {devices: 12, duration: 5 d, warm_up: 12 h, replications: 4}
    """
  private let offline = ["population.connectivity.time_share={offline: 20 %, rest: scaled}"]

  @Test func `at every time the ends and what is on its way add up to 1, and no share falls`() throws {
    let strategies = try Simulation.run(scenario, set: offline).runs[0].strategies
    #expect(strategies[1].incidence == nil)
    let incidence = try #require(strategies[0].incidence)
    #expect(incidence.times.last! >= 5 * 86_400 && incidence.times.count <= 60)
    #expect(incidence.ends.count >= 4)
    for index in incidence.times.indices {
      let sum = incidence.ends.reduce(incidence.pending[index]) { $0 + $1.shares[index] }
      #expect((sum - 1).magnitude < 1e-12, "at \(incidence.times[index]) s")
    }
    for end in incidence.ends {
      #expect(zip(end.shares, end.shares.dropFirst()).allSatisfy { $0 <= $1 }, "\(end.fate.name)")
      guard end.fate == .delivered else { continue }
      for (a, b) in zip(end.shares, incidence.delivered.estimate) { #expect((a - b).magnitude < 1e-12) }
    }
  }

  @Test func `shares and times are those of the counts, but for what the end of the run hides`() throws {
    let strategy = try Simulation.run(scenario, set: offline).runs[0].strategies[0]
    let incidence = try #require(strategy.incidence)
    for (name, seconds) in [("1min", 60.0), ("5min", 300), ("15min", 900), ("1h", 3600)] {
      let metric = try #require(strategy.metric("delivered_within_" + name))
      let index = try #require(incidence.times.firstIndex(of: seconds))
      // Of hourly pushes of five days less than one in a hundred was sent in the last hour.
      #expect((incidence.delivered.estimate[index] - metric.estimate!).magnitude < 0.01, "\(name)")
    }
    let delivered = Double(strategy.total.latency.count) / Double(strategy.total.sent)
    for (level, time) in incidence.quantiles {
      guard let time = time.estimate else {
        #expect(delivered < level + 0.01)
        continue
      }
      let share = try #require(strategy.total.latency.share(upTo: Int64(time * 1e6))) * delivered
      #expect((share - level).magnitude < 0.02, "\(level) within \(time) s")
    }
    #expect(incidence.quantiles.contains { $0.time.estimate != nil })
    #expect(incidence.quantiles.contains { $0.time.estimate == nil })
  }

  @Test func `the curves of segments average to the curve of all`() throws {
    let strategy = try Simulation.run(scenario, set: ["experiment.replications=1"]).runs[0].strategies[0]
    let incidence = try #require(strategy.incidence)
    let index = try #require(incidence.times.firstIndex(of: 300))
    var quarters = 0.0
    for (segment, curve) in incidence.segments {
      guard case .quarter = segment else { continue }
      let rows = strategy.total.incidence[segment]
      let sent = [rows.delivered, rows.otherwise, rows.pending].reduce(0) { $0 + $1.reduce(0, +) }
      quarters += curve.estimate[index] * Double(sent) / Double(strategy.total.sent)
      #expect(curve.low == nil)
    }
    // Censoring within 5 min of the end makes the difference.
    #expect((quarters - incidence.delivered.estimate[index]).magnitude < 0.001)
  }
}
