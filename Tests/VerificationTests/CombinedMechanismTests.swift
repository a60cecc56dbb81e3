import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Reporting
import ScenarioDecoding
import Testing

/// Strategies that use every mechanism at once.
struct CombinedMechanismTests {
  /// On lives in which much happens.
  private func eventful(_ policy: String) -> String {
    """
    scenario: everything
    question: Does it add up?
    policy: \(policy)
    population:
      base: consumer_default
      set:
        population.churn.uninstall_days: {exponential: {mean: 20 d}}
        population.restart.interval: 2 d
        population.restart.off_for: 10 min
        population.connectivity.time_share: {offline: 20 %, rest: scaled}
    app:
      background_modes: [remote_notification, fetch, processing, voip]
      handler: {result: {new_data: 70 %, no_data: 10 %, failed: 10 %, never_completes: 10 %}}
    content: {updates: {poisson: {rate: 24 /day}}}
    strategies:
      everything:
        background_push: {send: each_update, expiration: 1 h}
        alert_push:
          send: {poisson: {rate: 40 /day}}
          content_available: on
          service_extension:
            work: {lognormal: {median: 3 s, p95: 40 s}}
            memory: {lognormal: {median: 15 MB, p95: 60 MB}}
            attachment: {format: jpeg, size: {lognormal: {median: 2 MB, p95: 20 MB}}, cached: 20 %}
            stores_content: on
          content_extension: {opened: 30 %, memory: {lognormal: {median: 20 MB, p95: 80 MB}}}
          opens: {share: 20 %}
        voip_push:
          send: {poisson: {rate: 40 /day}}
          expiration: 1 min
          report: {never: 3 %, after: {lognormal: {median: 1 s, p95: 9 s}}}
          completion: {never: 10 %, after: 2 s}
          syncs: on
        app_refresh: {}
        processing_task: {}
        background_download: {size: 30 MB}
      calls:
        voip_push: {send: {every: 10 min}, report: {never: 1 %}}
      alerts:
        alert_push: {send: {every: 1 h}, service_extension: {memory: 30 MB}, content_extension: {}}
    experiment: {devices: 60, duration: 3 d, warm_up: 12 h, replications: 2}

    """
  }

  @Test(arguments: ["guide", "evidence"])
  func `everything at once accounts for each push, call, alert and transfer`(policy: String) throws {
    let run = try Simulation.run(eventful(policy)).runs[0]
    for strategy in run.strategies { expectConservation(strategy, "\(policy): \(strategy.name)") }
    let everything = run.strategies[0]
    let total = everything.total
    var sent: Int64 = 0
    for mechanism in PushMechanism.allCases {
      let counts = everything.counts(mechanism)
      #expect(counts.sent > 500 && counts.fates[Int(Fate.delivered.rawValue)] > 100, "\(mechanism)")
      sent += counts.sent
    }
    #expect(sent == total.sent)
    for fate in Fate.allCases {
      let sum = PushMechanism.allCases.reduce(0) { $0 + everything.counts($1).fates[Int(fate.rawValue)] }
      #expect(sum == total.fates[Int(fate.rawValue)], "\(fate)")
    }
    // All that was asked for has happened.
    #expect(total.provokedOpens > 0 && total.downloads.completed > 0 && total.downloads.superseded > 0)
    #expect(total.downloads.cancelled > 0)
    #expect(TaskMechanism.allCases.allSatisfy { total.tasks[Int($0.rawValue)].runs > 0 })
    for outcome in ServiceExtension.Outcome.allCases where outcome != .notPermitted {
      #expect(total.count(alert: outcome) > 0 || policy == "guide" && outcome == .notShown, "\(outcome)")
    }
    #expect(total.count(call: .rang) > 0)
  }

  @Test func `all of it is the same text again on one, two or three threads`() throws {
    var scenario = try Simulation.decode(eventful("evidence"))
    scenario.devices = 18
    func text(_ threads: Int) throws -> String {
      try ResultDocument(Simulation.run(scenario, threads: threads)).json.text
    }
    let first = try text(1)
    for threads in [1, 2, 3] { #expect(try text(threads) == first, "\(threads) threads") }
  }

  @Test func `a trace of everything counts what the run counts`() throws {
    let scenario = try Simulation.decode(eventful("evidence"))
    var worker = DeviceWorker(scenario.input, replication: 1)
    for device in 0..<6 as Range<UInt32> {
      try worker.run(device: device)
      let tallies = worker.takeTallies()[0]
      for index in tallies.indices {
        let trace = try Simulation.trace(scenario, strategy: index, device: device, replication: 1)
        #expect(trace.tally.numbers == tallies[index].numbers, "device \(device), strategy \(index)")
      }
    }
  }

  /// Ends of one mechanism's pushes, alone and with all others beside it.
  private func ends(_ mechanism: PushMechanism, _ alone: String, beside: String, policy: String = "guide")
    throws -> (
      alone: [PushEnd], beside: [PushEnd]
    )
  {
    func ends(_ mechanisms: String) throws -> [PushEnd] {
      try ScriptedCase {
        $0.profile = policy
        $0.transit = "{lognormal: {median: 1 s, p95: 20 s}}"
        $0.app = "background_modes: [remote_notification, fetch, processing, voip]"
        // Nothing that the mechanisms share is scarce.
        $0.policy = ["device_pool.mode: off"]
        $0.updates = "{every: 3 h}"
        $0.mechanisms = mechanisms
        $0.duration = "1 d"
      }.trace().ends(mechanism)
    }
    return (try ends(alone), try ends(alone + ", " + beside))
  }

  private let alert =
    "alert_push: {send: {every: 50 min}, service_extension: {work: {lognormal: {median: 2 s, p95: 9 s}}}, content_extension: {}, opens: {share: 0 %}}"
  private let call =
    "voip_push: {send: {every: 40 min}, report: {after: {lognormal: {median: 1 s, p95: 9 s}}}}"
  private let others = "app_refresh: {}, processing_task: {}, background_download: {size: 1 MB}"

  @Test(arguments: ["guide", "evidence"])
  func `the random numbers of calls and alerts do not depend on what is beside them`(policy: String) throws {
    let silent = "background_push: {send: {every: 1 h}}"
    let calls = try ends(.voip, call, beside: "\(silent), \(alert), \(others)", policy: policy)
    #expect(calls.alone.count == 36 && calls.alone == calls.beside)
    let alerts = try ends(.alert, alert, beside: "\(silent), \(call), \(others)", policy: policy)
    #expect(alerts.alone.count == 29 && alerts.alone == alerts.beside)
  }

  @Test func `nor do those of silent pushes depend on calls and downloads`() throws {
    let silent = "background_push: {send: {every: 1 h}}"
    let pushes = try ends(.background, silent, beside: "\(call), background_download: {size: 1 MB}")
    #expect(pushes.alone.count == 24 && pushes.alone == pushes.beside)
  }

  // A3: one stored notification per topic; calls have a topic of their own.
  @Test func `a stored call leaves the slot of the app alone, and the app's pushes leave the call's`() throws
  {
    let trace = try ScriptedCase {
      $0.profile = "evidence"
      $0.policy = ["apns.newest_wins: 100 %", "apns.reconnect_delay: 0 s"]
      $0.app = "background_modes: [remote_notification, voip]"
      $0.mechanisms =
        "background_push: {send: {at: [1 h]}}, alert_push: {send: {at: [2 h]}}, voip_push: {send: {at: [80 min, 90 min]}}"
      $0.timeline = ["at: 30 min, network: offline", "at: 3 h, network: wifi"]
    }.trace()
    #expect(trace.ends(.background) == [PushEnd(.overwrittenAtAPNs, "newer_push", at: 7200)])
    #expect(trace.ends(.alert).map(\.fate) == [.delivered])
    #expect(trace.ends(.voip).map(\.fate) == [.overwrittenAtAPNs, .delivered])
    #expect(trace.ends(.voip)[0] == PushEnd(.overwrittenAtAPNs, "newer_push", at: 5400))
  }
}
