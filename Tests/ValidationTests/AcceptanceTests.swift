import Experiments
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
    #expect(scenarios.count == 13)
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
}
