import Experiments
import Foundation
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

/// Strategies that combine mechanisms, each played against one scripted life: the device is on Wi-Fi at 80 %, and the app
/// was opened an hour before.
@Suite struct MechanismTests {
  /// A scenario of one strategy.
  private func yaml(
    _ strategy: String, timeline: String = "",
    start: String = "battery: 80 %, charger: connected, last_open: 1 h",
    policy: String = "guide", set: String = "", duration: String = "1 d", devices: Int = 1,
    updates: String = "{at: [30 min, 5 h]}"
  ) -> String {
    """
    scenario: mechanisms
    question: What happens?
    population:
      scripted:
        base: {base: consumer_default, set: {latency.apns_online_s: 1 s, latency.apns_slow_tail.p: 0 %}}
        start: {\(start)}
        timeline: [\(timeline)]
    policy: {base: \(policy), set: {\(set)}}
    app:
      background_modes: [remote_notification, fetch, processing]
      handler: {duration: 2 s, result: {new_data: 100 %}}
    content: {updates: \(updates)}
    strategies: {it: \(strategy)}
    experiment: {devices: \(devices), replications: 1, duration: \(duration), warm_up: 0 s}

    """
  }

  private func times(
    _ trace: DeviceTrace, _ mechanism: PushMechanism, _ isWanted: (TraceRecord.Event) -> Bool
  ) -> [Double] {
    trace.records.filter { $0.mechanism == mechanism && $0.push != nil && isWanted($0.event) }.map(
      \.time.seconds)
  }

  private func sends(_ trace: DeviceTrace, _ mechanism: PushMechanism) -> [Double] {
    times(trace, mechanism) { if case .sent = $0 { true } else { false } }
  }

  // MARK: Acknowledgements

  @Test func `an acknowledged push is not sent again, and no alert follows it`() throws {
    let trace = try Simulation.trace(
      yaml(
        "{background_push: {send: {at: [1 h]}, resend: {after: 10 min, at_most: 3}}, alert_push: {send: {unacknowledged: 1 h}}}"
      ))
    #expect(sends(trace, .background) == [3600])
    #expect(sends(trace, .alert) == [])
  }

  @Test
  func `what is not acknowledged is sent again at its interval, as often as allowed, then an alert goes out`()
    throws
  {
    let trace = try Simulation.trace(
      yaml(
        "{background_push: {send: {at: [1 h]}, resend: {after: 10 min, at_most: 3}}, alert_push: {send: {unacknowledged: 1 h}}}",
        timeline: "{at: 30 min, network: offline}"))
    #expect(sends(trace, .background) == [3600, 4200, 4800, 5400])
    #expect(sends(trace, .alert) == [7200])
  }

  @Test func `an open with a network acknowledges, one without does not`() throws {
    let strategy = "{background_push: {send: {at: [1 h]}, resend: {after: 10 min, at_most: 3}}}"
    let offline = "{at: 30 min, network: offline}, {at: 65 min, open_app: 10 s}"
    #expect(sends(try Simulation.trace(yaml(strategy, timeline: offline)), .background).count == 4)
    let back = "{at: 30 min, network: offline}, {at: 64 min, network: wifi}, {at: 65 min, open_app: 10 s}"
    // Force-quit, so that the push itself does not wake the app.
    let trace = try Simulation.trace(
      yaml(strategy, timeline: "{at: 10 min, force_quit: true}, " + back))
    #expect(sends(trace, .background) == [3600])
  }

  @Test func `a newer push starts the wait for an acknowledgement afresh`() throws {
    let trace = try Simulation.trace(
      yaml(
        "{background_push: {send: {at: [1 h, 65 min]}, resend: {after: 10 min, at_most: 1}}}",
        timeline: "{at: 30 min, network: offline}"))
    #expect(sends(trace, .background) == [3600, 3900, 4500])
  }

  // MARK: Two mechanisms at APNs

  // A3: one stored notification per app and device.
  @Test func `an alert takes the one slot from a stored background push`() throws {
    let result = try Simulation.run(
      yaml(
        "{background_push: {send: {at: [1 h]}}, alert_push: {send: {at: [2 h]}}}",
        timeline: "{at: 30 min, network: offline}, {at: 3 h, network: wifi}"))
    let strategy = result.runs[0].strategies[0]
    #expect(strategy.counts(.background).fates[Int(Fate.overwrittenAtAPNs.rawValue)] == 1)
    #expect(strategy.counts(.alert).fates[Int(Fate.delivered.rawValue)] == 1)
    #expect(strategy.total.shown == 1)
  }

  // the switch stops the silent push and not the alert.
  @Test func `Background App Refresh off stops the silent push, not the alert`() throws {
    for policy in ["guide", "evidence"] {
      let result = try Simulation.run(
        yaml(
          "{background_push: {send: {at: [1 h]}}, alert_push: {send: {at: [2 h]}, content_available: on}}",
          timeline: "{at: 30 min, background_app_refresh: off}", policy: policy))
      let strategy = result.runs[0].strategies[0]
      #expect(strategy.counts(.background).fates[Int(Fate.notWakeable.rawValue)] == 1, "\(policy)")
      #expect(strategy.counts(.alert).fates[Int(Fate.delivered.rawValue)] == 1, "\(policy)")
      #expect(strategy.total.wakes == 0, "\(policy)")
    }
  }

  // C0-15 against S22, R-43, R-44.
  @Test(arguments: [("guide", 0), ("evidence", 1)])
  func `an alert with content-available also wakes the app under evidence, and never under guide`(
    policy: String, wakes: Int64
  ) throws {
    let result = try Simulation.run(
      yaml("{alert_push: {send: {at: [3 h]}, content_available: on}}", policy: policy))
    let strategy = result.runs[0].strategies[0]
    #expect(strategy.total.sent == 1 && strategy.total.shown == 1)
    #expect(strategy.total.fates[Int(Fate.delivered.rawValue)] == 1)
    #expect(strategy.total.wakes == wakes)
  }

  @Test(arguments: ["opens: {share: 100 %, after: 5 h}", "service_extension: {work: 20 s}"])
  func `an alert that something is still to come of does not put off the next alert`(key: String) throws {
    let trace = try Simulation.trace(
      yaml("{background_push: {send: {at: [10 h]}}, alert_push: {send: {at: [3600 s, 3605 s]}, \(key)}}"))
    #expect(sends(trace, .alert) == [3600, 3605])
    #expect(sends(trace, .background) == [36_000])
  }

  @Test func `the random numbers of one mechanism do not depend on another's`() throws {
    func latencies(_ strategy: String) throws -> [Double] {
      let yaml = yaml(strategy).replacingOccurrences(of: "latency.apns_online_s: 1 s, ", with: "")
      return times(try Simulation.trace(yaml), .background) { if case .arrived = $0 { true } else { false } }
    }
    let alone = try latencies("{background_push: {send: {every: 1 h}}}")
    let beside = try latencies(
      "{background_push: {send: {every: 1 h}}, alert_push: {send: {every: 50 min}}, app_refresh: {}}")
    #expect(alone.count == 24 && alone == beside)
  }

  // MARK: Tasks

  private func refreshes(_ trace: DeviceTrace) -> [Double] {
    trace.records.filter {
      if case .opportunity(.appRefresh, _, runs: true) = $0.event { true } else { false }
    }.map(\.time.seconds)
  }

  private let daily = (0..<14).flatMap { day in
    [8, 12, 18].map { "{at: \(day * 24 + $0) h, open_app: 1 min}" }
  }.joined(separator: ", ")

  // C4-02, C4-05, C4-15.
  @Test func `refreshes keep the earliest begin date, and none comes without a request`() throws {
    let often = "app_refresh.peak_interval: 2 min, app_refresh.device_sigma: 0, usage_history.mode: off"
    func gaps(_ strategy: String) throws -> [Double] {
      let runs = refreshes(
        try Simulation.trace(yaml(strategy, timeline: daily, set: often, duration: "3 d")))
      return zip(runs.dropFirst(), runs).map { $0 - $1 }
    }
    let quarter = try gaps("{app_refresh: {}}")
    #expect(quarter.count > 200 && quarter.min() ?? 0 >= 900)
    let hours = try gaps("{app_refresh: {earliest: 4 h}}")
    #expect(hours.count > 10 && hours.min() ?? 0 >= 4 * 3600)
    // An app that forgets to ask again runs once after each open, of which there are three a day.
    let forgets = refreshes(
      try Simulation.trace(
        yaml("{app_refresh: {resubmits: off}}", timeline: daily, set: often, duration: "3 d")))
    #expect((9...10).contains(forgets.count))
  }

  // T15.
  @Test(arguments: ["guide", "evidence"])
  func `an app not opened for a day is not refreshed`(policy: String) throws {
    let trace = try Simulation.trace(
      yaml(
        "{app_refresh: {}}", timeline: daily, policy: policy,
        set: "app_refresh.device_sigma: 0, app_refresh.unused_stops: 100 %", duration: "20 d"))
    let runs = refreshes(trace)
    let lastOpen = Double(13 * 24 + 18) * 3600
    #expect(runs.contains { $0 < lastOpen })
    #expect(!runs.contains { $0 > lastOpen + 86_400 })
  }

  @Test func `refreshes wait while pushes come`() throws {
    let often = "app_refresh.peak_interval: 2 min, app_refresh.device_sigma: 0, usage_history.mode: off"
    let strategy = "{background_push: {send: {at: [4 h, 6 h]}}, app_refresh: {only_after_silence: 3 h}}"
    let runs = refreshes(
      try Simulation.trace(yaml(strategy, timeline: daily, set: often, duration: "12 h")))
    // Until the first push, then not before three hours after the second; an open at 8 h and at 12 h starts them afresh.
    #expect(!runs.contains { (4 * 3600 + 1...11 * 3600).contains($0) })
    #expect(runs.contains { $0 > 11 * 3600 })
  }

  // C4-13, C4-14, B9, D10.
  @Test(arguments: ["guide", "evidence"])
  func `a processing task runs on the charger, and ends when the user turns to the device`(policy: String)
    throws
  {
    let set =
      "processing_task.peak_interval: 60 s, processing_task.grant_sigma: 0, processing_task.grant_median: 10 min"
    let strategy = "{processing_task: {requires_power: on, duration: 8 min}}"
    func tally(_ timeline: String) throws -> Tally.TaskCounts {
      try Simulation.run(
        yaml(
          strategy, timeline: timeline, start: "battery: 80 %, last_open: 1 h", policy: policy, set: set,
          duration: "3 h", updates: "{at: [0 s]}"
        )
      ).runs[0].strategies[0].total.tasks[Int(TaskMechanism.processingTask.rawValue)]
    }
    #expect(try tally("").runs == 0)
    let charging = try tally("{at: 1 h, charger: connected}")
    #expect(charging.runs > 0 && charging.interrupted == 0)
    // In the hand from two minutes after the first opportunities on.
    let used = try tally("{at: 1 h, charger: connected}, {at: 64 min, screen: on}")
    #expect(used.runs == 1 && used.interrupted == 1)
    #expect(used.results[Int(LaunchResult.failed.rawValue)] == 1)
  }

  @Test func `every opportunity ends in one way, and every run has a result`() throws {
    for policy in ["guide", "evidence"] {
      let result = try Simulation.run(
        """
        scenario: tasks
        question: Do they add up?
        policy: \(policy)
        app: {background_modes: [fetch, processing]}
        content: {updates: {poisson: {rate: 24 /day}}}
        strategies:
          both: {app_refresh: {}, processing_task: {duration: 5 min}}
        experiment: {devices: 200, replications: 1, duration: 4 d, warm_up: 1 d}

        """)
      let total = result.runs[0].strategies[0].total
      for task in TaskMechanism.allCases {
        let counts = total.tasks[Int(task.rawValue)]
        #expect(counts.runs > 20)
        #expect(counts.opportunities > counts.runs)
        let ended = counts.results.indices.reduce(0) { $0 + counts.results[$1] }
        // At most one run of each device is under way when the run ends.
        #expect((counts.runs - 200...counts.runs).contains(ended) && ended > counts.runs / 2)
      }
    }
  }

  @Test func `a WebSocket keeps the app fresh until it leaves the front`() throws {
    func staleness(_ strategy: String) throws -> [Int] {
      try Simulation.trace(
        yaml(
          strategy, timeline: "{at: 1 h, open_app: 1 h}, {at: 3 h, open_app: 1 min}",
          updates: "{at: [90 min]}")
      ).records.compactMap { if case .opened(_, let behind) = $0.event { behind } else { nil } }
    }
    #expect(try staleness("{websocket: {}}") == [0, 0])
    #expect(try staleness("{sync_on_open: {}}") == [0, 1])
  }
}
