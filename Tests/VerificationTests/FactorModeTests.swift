import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

/// A factor that is off, or only watched, is as if it were not there.
struct FactorModeTests {
  /// Lives in which every factor has something to say, and a strategy with every mechanism.
  private static func eventful(_ profile: String) -> String {
    """
    scenario: everything
    question: What do factors do that do not count?
    policy: \(profile)
    population:
      base: consumer_default
      set:
        mix.device: {iphone: 60 %, ipad: 20 %, mac: 20 %}
        mix.ipad_m_chip_share: 100 %
        classes: {dormant.share: 0 %, light.share: 0 %, regular.share: 50 %, heavy.share: 50 %}
        settings.force_quit.shares: {never: 0 %, sometimes: 100 %, habitual: 0 %}
        settings.force_quit.sometimes_per_day: 24 /day
        restart.interval: 1 d
        restart.off_for: 10 min
        connectivity.time_share: {offline: 10 %, rest: scaled}
        low_power_mode.always_on_share: 30 %
    app:
      background_modes: [remote_notification, fetch, processing, voip]
      handler: {result: {new_data: 70 %, no_data: 10 %, failed: 10 %, never_completes: 10 %}}
    content: {updates: {poisson: {rate: 24 /day}}}
    strategies:
      everything:
        background_push: {send: {every: 17 min}, expiration: 1 h}
        alert_push: {send: {every: 50 min}, content_available: on, service_extension: {work: 2 s}, opens: {share: 10 %}}
        voip_push: {send: {every: 40 min}, report: {never: 5 %, after: 1 s}, syncs: on}
        app_refresh: {}
        processing_task: {}
        background_download: {size: 30 MB, discretionary: on}
        websocket: {}
    experiment: {devices: 3, duration: 2 d, warm_up: 0 s, replications: 1}

    """
  }

  /// Every parameter of the factor at one end of its range.
  private enum End { case low, high }

  private func tally(
    _ scenario: Scenario, _ factor: FactorDescription, _ mode: FactorMode, _ end: End? = nil
  ) throws -> Tally {
    var input = scenario.input
    input.policies[0].parameters.values.modes[Int(factor.id.rawValue)] = mode.rawValue
    if let end {
      for key in factor.keys { set(key, to: end, &input.policies[0].parameters.values) }
    }
    var worker = DeviceWorker(input, replication: 0)
    for device in 0..<UInt32(scenario.experiment.devices) { try worker.run(device: device) }
    return worker.takeTallies()[0][0]
  }

  private func set(_ key: ParameterKey<Policy>, to end: End, _ policy: inout Policy) {
    switch key.kind {
    case .number(_, let range, let field):
      policy[keyPath: field] = end == .low ? range.lowerBound : range.upperBound
    case .numbers(_, let range, let count, let field):
      policy[keyPath: field] = Array(
        repeating: end == .low ? range.lowerBound : range.upperBound, count: count)
    case .choice(let names, let field): policy[keyPath: field] = end == .low ? 0 : names.count - 1
    case .flag(let field): policy[keyPath: field] = end == .high
    }
  }

  @Test(arguments: ["guide", "evidence"], [FactorMode.off, .shadow])
  func `without its mode a factor has no effect, whatever its parameters, and nothing is put down to it`(
    profile: String, mode: FactorMode
  ) throws {
    let scenario = try Simulation.decode(Self.eventful(profile))
    var effective = 0
    for factor in FactorRegistry.all {
      let low = try tally(scenario, factor, mode, .low)
      if !factor.keys.isEmpty {
        #expect(try low.numbers == tally(scenario, factor, mode, .high).numbers, "\(factor.id.name)")
      }
      for fate in Fate.allCases { #expect(low.count(fate, factor.id) == 0, "\(factor.id.name): \(fate)") }
      let index = Int(factor.id.rawValue)
      #expect(low.held[index] == 0, "\(factor.id.name) holds")
      for task in low.tasks.indices {
        #expect(low.tasks[task].refused[index] == 0, "\(factor.id.name) refuses tasks")
        #expect(low.tasks[task].passedOverFor[index] == 0, "\(factor.id.name) passes tasks over")
      }
      if mode == .off, try tally(scenario, factor, .on).numbers != low.numbers { effective += 1 }
      // The guides' profile draws what the scheduler's factors ask for only if one of them is watched.
      let drawsMore = profile == "guide" && FactorID.scheduler.contains(factor.id)
      if mode == .shadow, !drawsMore {
        #expect(try low.numbers == tally(scenario, factor, .off).numbers, "\(factor.id.name) watched")
      }
    }
    // What cannot make a difference cannot be seen to make none.
    if mode == .off { #expect(effective >= 10, "\(effective) factors have an effect here") }
  }

  @Test(arguments: ["on", "off", "shadow"])
  func `a force quit ends a hold only if its factor counts`(mode: String) throws {
    let ends = try ScriptedCase {
      $0.start = "battery: 80 %, low_power_mode: on, last_open: 1 h"
      $0.timeline = ["at: 2 h, force_quit: true", "at: 3 h, low_power_mode: off"]
      $0.policy = [
        "low_power_mode.cancel_probability: 0 %", "usage_history.mode: off", "force_quit.mode: \(mode)",
      ]
      $0.send = "{at: [1 h, 150 min]}"
    }.trace().ends
    let free = PushEnd(.delivered, at: 3 * 3600)
    #expect(
      ends
        == (mode == "on"
          ? [.init(.notWakeable, "force_quit", at: 7200), .init(.notWakeable, "force_quit", at: 9001)]
          : [free, free]))
  }
}
