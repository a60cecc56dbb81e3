import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

// In which direction an answer moves, on the drawn population. Both runs of a comparison live the same lives with the
// same draws, so a difference is the effect of the change and of nothing else.

/// Two pushes an hour to the default population.
private func drawn(
  devices: Int = 60, send: String = "{every: 30 min}", duration: String = "2 d", set settings: [String] = []
) throws -> Scenario {
  try Simulation.decode(
    """
    scenario: direction
    question: Which way?
    content: {updates: {poisson: {rate: 24 /day}}}
    strategies: {push: {background_push: {send: \(send)}}}
    experiment: {devices: \(devices), duration: \(duration), warm_up: 0 s, replications: 1}
    """, set: settings)
}

private func tally(_ scenario: Scenario) throws -> Tally {
  try Simulation.run(scenario).runs[0].strategies[0].total
}

extension Tally {
  /// Pushes to phones and tablets: sent, and delivered within 5 min.
  fileprivate var mobile: (sent: Int64, within5min: Int64) {
    let kinds = [byKind[Int(DeviceKind.iphone.rawValue)], byKind[Int(DeviceKind.ipad.rawValue)]]
    return (kinds.reduce(0) { $0 + $1.sent }, kinds.reduce(0) { $0 + $1.within5min })
  }
}

struct DirectionTests {
  // C0-19, C4-11
  @Test
  func `Low Power Mode at all times leaves almost nothing within 5 min`() throws {
    let usual = try tally(drawn()).mobile
    let saving = try tally(drawn(set: ["population.low_power_mode.always_on_share=100 %"])).mobile
    #expect(usual.within5min * 10 > usual.sent)
    #expect(saving.sent == usual.sent)
    #expect(saving.within5min * 50 < saving.sent)
  }

  // Who is held might be force-quit while waiting, so here nothing is: all factors that hold are off but Low Power
  // Mode, which cancels everything; and it drains no slower, so only its own effect differs.
  @Test
  func `Low Power Mode does not change who may be woken`() throws {
    let on: [FactorID] = [.foreground, .payload, .backgroundMode, .forceQuit, .refreshSwitch, .lowPowerMode]
    let settings =
      FactorID.allCases.filter { !on.contains($0) }.map { "policy.\($0.name).mode=off" } + [
        "policy.low_power_mode.cancel_probability=100 %", "population.low_power_mode.drain_factor=1",
        "population.settings.background_app_refresh_off.wifi_only=0 %",
      ]
    let usual = try tally(drawn(set: settings))
    let saving = try tally(drawn(set: settings + ["population.low_power_mode.always_on_share=100 %"]))
    #expect(usual.count(.notWakeable) > 0)
    for fate in [Fate.notWakeable, .rejected, .discardedAtAPNs, .overwrittenAtAPNs, .expiredAtAPNs] {
      #expect(saving.count(fate) == usual.count(fate), "\(fate.name)")
    }
    #expect(saving.count(.discardedByPolicy, .lowPowerMode) > usual.count(.discardedByPolicy, .lowPowerMode))
  }

  // C0-19, C4-10
  @Test
  func `under 20 % nothing is delivered before the charger comes`() throws {
    let tally = try ScriptedCase {
      $0.start = "battery: 19 %, last_open: 1 h"
      $0.timeline = ["at: 9 h, charger: connected"]
      $0.send = "{every: 30 min}"
      $0.devices = 20
      $0.duration = "8.9 h"
    }.tally()
    #expect(tally.sent > 0 && tally.count(.delivered) == 0 && tally.count(.notWakeable) == 0)
  }

  // C0-19, R-24
  @Test
  func `the more an app is used, the more of its pushes wake it`() throws {
    let even = UserClass.allCases.map { "population.classes.\($0.name).share=25 %" }
    let tally = try tally(drawn(devices: 200, send: "{every: 2 h}", set: even))
    let shares = UserClass.allCases.map { userClass in
      let segment = tally.byClass[Int(userClass.rawValue)]
      return Double(segment.within5min) / Double(segment.sent - segment.notWakeable)
    }
    #expect(shares[0] < 0.5 * shares[2])
    #expect(shares[0] < shares[1] && shares[1] < shares[2] && shares[2] < shares[3] + 0.05, "\(shares)")
  }

  // T16
  @Test
  func `a charger never lowers what is delivered`() throws {
    let with = try tally(drawn())
    let without = try tally(drawn(set: ["policy.charger.mode=off"]))
    #expect(with.within[1] > without.within[1])
    #expect(with.count(.delivered) >= without.count(.delivered))
  }

  // C0-23
  @Test
  func `a faster handler never lowers what is delivered`() throws {
    let delivered = try ["29 s", "20 s", "10 s", "1 s"].map {
      try tally(drawn(send: "{every: 20 min}", set: ["app.handler.duration=\($0)"])).wakes
    }
    for (slower, faster) in zip(delivered, delivered.dropFirst()) {
      #expect(slower <= faster, "\(delivered)")
    }
    #expect(delivered[0] < delivered[3])
  }
}

/// C0-08, C0-17, C4-03 together: how the result of a handler moves the launches to come.
struct FeedbackDirectionTests {
  /// Wakes of an app that is sent six pushes an hour and opened four times a day, by how its handler ends.
  private func wakes(policy: [String]) throws -> [Int64] {
    let handlers = [
      "duration: 2 s, result: {new_data: 100 %}", "duration: 2 s, result: {no_data: 100 %}",
      "duration: 2 s, result: {failed: 100 %}", "duration: 31 s, result: {no_data: 100 %}",
      "duration: 2 s, result: {never_completes: 100 %}",
    ]
    return try handlers.map { handler in
      try ScriptedCase {
        $0.start = "battery: 80 %, last_open: 1 h, charger: connected"
        $0.timeline = (0..<28).map { "at: \($0 * 6 + 3) h, open_app: 1 min" }
        $0.send = "{every: 10 min}"
        $0.handler = handler
        $0.policy = policy
        $0.devices = 3
        $0.duration = "7 d"
      }.tally().wakes
    }
  }

  @Test
  func `new data, no data, failed, late, never completing: in this order launches get rarer`() throws {
    let wakes = try wakes(policy: [])
    #expect(wakes[0] > wakes[1] && wakes[1] > wakes[2] && wakes[2] > wakes[3], "\(wakes)")
    #expect(wakes[3] >= wakes[4], "\(wakes)")
    let averaged = try self.wakes(policy: ["fetch_feedback.stop_after: 1000"])
    #expect(averaged[2] > averaged[3] && averaged[3] > averaged[4], "\(averaged)")
  }

  @Test
  func `without feedback the result of a handler changes no launch`() throws {
    let wakes = try wakes(policy: ["fetch_feedback.mode: off"])
    #expect(Set(wakes).count == 1 && wakes[0] > 0, "\(wakes)")
  }
}

struct ShadowTests {
  /// A scenario in which every factor has something to say.
  private func busy() throws -> Scenario {
    try drawn(
      devices: 12, send: "{every: 7 min}", duration: "1 d",
      set: [
        "app.handler.result={new_data: 60 %, never_completes: 40 %}", "app.background_modes=[fetch]",
        "population.mix.device={iphone: 40 %, ipad: 30 %, mac: 30 %}",
        "population.settings.background_app_refresh_off.global=20 %",
        "population.cpu.episodes_per_day=10 /day", "population.restart.interval=12 h",
        "population.restart.off_for=20 min", "policy.fetch_feedback.stop_after=2",
      ])
  }

  private func run(_ scenario: Scenario, _ factor: FactorID, _ mode: FactorMode) throws -> Tally {
    var scenario = scenario
    scenario.change("\(factor.name) \(mode)") {
      $0.policies[0].parameters.values.modes[Int(factor.rawValue)] = mode.rawValue
      // Without the background mode nothing but what is never woken would be seen.
      if factor != .backgroundMode { $0.app.backgroundModes = [.remoteNotification] }
      if factor == .payload { $0.strategies[0].backgroundPush?.request = [.contentAvailable, .alert] }
    }
    return try tally(scenario)
  }

  @Test
  func `a factor that is only watched changes no result, and counts what it would have done`() throws {
    let scenario = try busy()
    for factor in FactorID.allCases {
      let off = try run(scenario, factor, .off)
      let watched = try run(scenario, factor, .shadow)
      #expect(watched.numbers == off.numbers, "\(factor.name)")
      #expect(off.shadow[Int(factor.rawValue)] == 0)
      switch factor {
      // In favour of a push, or about others: nothing to count.
      case .foreground, .charger: #expect(watched.shadow[Int(factor.rawValue)] == 0)
      // At arrival the device is on, reachable and was unlocked by its user's restart.
      case .network, .firstUnlock: break
      // Nobody is called; see `GuideVoIPDeliveryTests`.
      case .voipRate, .voipReport: #expect(watched.shadow[Int(factor.rawValue)] == 0)
      // Nobody is seen to use a device under the guide; its pool is large, and its scores are perfect.
      case .bootWindow, .herdWindow, .camera, .devicePool, .deviceInUse, .networkQuality, .score: break
      default: #expect(watched.shadow[Int(factor.rawValue)] > 0, "\(factor.name)")
      }
    }
  }
}
