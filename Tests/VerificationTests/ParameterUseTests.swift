import Experiments
import PushModel
import PushsimTestSupport
import Testing

// Which parameters a run reads is said in one place, and compared here with what happens when each is set to another
// value: one that is said to be unread changes nothing, and each changes something in one of the scenarios.
struct ParameterUseTests {
  @Test(arguments: ProbedScenarios.all.map(\.name))
  func `what is said to be unread changes nothing`(name: String) throws {
    let (scenario, probe) = try ProbedScenarios.probe(name)
    let use = ParameterUse(scenario.input, policy: 0)
    let unread = ParameterProbe.keys.filter { !use.reads($0.path) }
    #expect(!unread.isEmpty)
    #expect(try probe.thatMatter(among: unread) == [])
  }

  @Test(arguments: ProbedScenarios.scripted.map(\.name))
  func `under a script exactly what is read of the population is listed`(name: String) throws {
    let (scenario, probe) = try ProbedScenarios.probe(name)
    let use = ParameterUse(scenario.input, policy: 0)
    let read = ParameterProbe.keys.filter { $0.path.hasPrefix("population.") && use.reads($0.path) }
    #expect(try read.filter { try !probe.matters($0) }.map(\.path) == [])
    #expect(read.contains { $0.path.hasPrefix("population.energy.") })
  }

  @Test func `every parameter changes something where it is read, save those that nothing reads`() throws {
    var left = ParameterProbe.keys
    for name in ProbedScenarios.all.map(\.name) {
      let (scenario, probe) = try ProbedScenarios.probe(name)
      let use = ParameterUse(scenario.input, policy: 0)
      left = try left.filter { key in try !use.reads(key.path) || !probe.matters(key) }
    }
    #expect(
      left.map(\.path) == [
        // Calls have no length.
        "policy.voip_report.exempt_in_call",
        "population.latency.rtt_ms.wifi", "population.latency.rtt_ms.cellular",
        "population.latency.handler_s.max",
      ])
  }
}
