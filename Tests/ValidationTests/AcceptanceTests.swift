import Experiments
import PushModel
import PushsimTestSupport
import Testing

/// The acceptance scenarios of Documentation/Sources.md, each a file with its claims and their sources.
struct AcceptanceTests {
  private static let scenarios = Result {
    try Simulation.shippedScenarios().filter { $0.hasPrefix("Scenarios/validation/t") }
  }

  @Test
  func `each acceptance scenario meets every claim, with its source`() throws {
    let scenarios = try Self.scenarios.get()
    #expect(scenarios.count == 19)
    for path in scenarios {
      let scenario = try Simulation.load(path)
      #expect(!scenario.expectations.isEmpty, "\(path)")
      for expectation in scenario.expectations { #expect(expectation.source?.first == "T", "\(path)") }
      for run in try Simulation.run(scenario).runs {
        for result in run.expectations {
          #expect(
            result.outcome == .met, "\(path): \(result.expectation.metric) \(result.observed ?? -1)")
        }
      }
    }
  }

  @Test
  func `T1: no silence of over 4 h while the user is awake`() throws {
    let scenario = try Simulation.load("Scenarios/validation/t01_steady.yaml")
    for device in 0..<UInt32(scenario.experiment.devices) {
      let times = try Simulation.trace(scenario, device: device).launches.map(\.time)
      let awake = [7.0 * 3600] + times.filter { 7 * 3600...23 * 3600 ~= $0 } + [23 * 3600]
      let longest = zip(awake, awake.dropFirst()).map { $1 - $0 }.max()!
      #expect(longest <= 4 * 3600, "device \(device)")
    }
  }

  @Test
  func `T13: what is above three to five in a row, in the mean, is answered with 429`() throws {
    let scenario = try Simulation.load("Scenarios/validation/t13_too_many_requests.yaml")
    var taken = 0
    for device in 0..<UInt32(scenario.experiment.devices) {
      let reasons = try Simulation.trace(scenario, device: device).ends.map(\.reason)
      let first = reasons.prefix { $0 == nil }.count
      #expect(reasons.count == 6 && first > 0, "\(reasons)")
      // Later ones may find a place again, at the rate at which places come back.
      #expect(reasons.allSatisfy { $0 == nil || $0 == "429 TooManyRequests" }, "\(reasons)")
      taken += first
    }
    // Tokens differ, and some take all six.
    #expect((3...5.3).contains(Double(taken) / Double(scenario.experiment.devices)), "\(taken)")
  }

  @Test
  func `T16: on the charger there are at least as many wakes`() throws {
    func wakes(_ settings: [String]) throws -> Int64 {
      let scenario = try Simulation.load("Scenarios/validation/t16_charger.yaml", set: settings)
      return try Simulation.run(scenario).runs[0].strategies[0].total.wakes
    }
    let off = "population.scripted.start.charger=disconnected"
    #expect(try wakes([]) > wakes([off]))
  }
}
