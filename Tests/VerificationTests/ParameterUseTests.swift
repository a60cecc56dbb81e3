import Experiments
import PushModel
import PushsimTestSupport
import Testing

// Which parameters a run reads is said in one place, and compared here with what happens when each is set to another
// value: one that is said to be unread changes nothing, and each changes something in one of the scenarios.
struct ParameterUseTests {
  /// What a script reads and its few devices never meet; a list that may only shrink.
  private static let tooRare = ["tablet": ["population.latency.apns_slow_tail.delay"]]

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
    let idle = try read.filter { try !probe.matters($0) }.map(\.path)
    #expect(idle == (Self.tooRare[name] ?? []), "\(name): \(idle)")
    #expect(read.contains { $0.path.hasPrefix("population.energy.") })
  }

  @Test func `every parameter changes something where it is read, save those that nothing reads`() throws {
    var left = ParameterProbe.keys
    for name in ProbedScenarios.all.map(\.name) {
      let (scenario, probe) = try ProbedScenarios.probe(name)
      let use = ParameterUse(scenario.input, policy: 0)
      left = try left.filter { key in try !use.reads(key.path) || !probe.matters(key) }
    }
    #expect(Set(left.map(\.path)).subtracting(Self.readByNothing + Self.neverMet) == [])
    #expect(Set(Self.readByNothing + Self.neverMet).subtracting(left.map(\.path)) == [])
  }

  private static let readByNothing = [
    // Calls have no length.
    "policy.voip_report.exempt_in_call",
    "population.latency.rtt_ms.wifi", "population.latency.rtt_ms.cellular",
    "population.latency.handler_s.max",
  ]

  /// What is read, and met by none of the few devices of these scenarios; a list that may only shrink.
  private static let neverMet = [
    // Traits that few devices have; `LinkTests`, `DevicePoolTests` and the tests of the mechanisms set them.
    "policy.apns.styles_off_ignored", "policy.apns.stored_lost", "policy.device_pool.device_sigma",
    "policy.processing_task.warm_up",
    "policy.background_mode.mode", "policy.force_quit.mode", "policy.device_pool.mode",
    "policy.device_pool.gradual", "policy.usage_history.hard_after", "policy.usage_history.usual_hour_from",
    "policy.voip_report.change_window", "policy.voip_report.fails_after_change",
    "policy.apns.priority_10_ignored_from", "policy.apns.priority_10_ignored", "policy.app_refresh.warm_up",
    "policy.app_refresh.low_battery", "policy.processing_task.after_force_quit_from",
    "policy.background_download.force_quit_cancels", "policy.service_extension.missed_while_busy",
    "policy.service_extension.image_limit", "population.settings.force_quit.sometimes_per_day",
    "population.connectivity.outage_short_s.length", "population.connectivity.outage_short_s.max",
    "population.connectivity.outage_long_h.length", "population.connectivity.outage_long_h.share_of_outages",
  ]
}
