import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

/// Alerts, the app's extensions, and the opens that alerts provoke.
struct AlertTests {
  /// - Parameter alert: the keys of `alert_push`.
  private func alerts(
    _ alert: String, beside: String = "", _ change: (inout ScriptedCase) -> Void = { _ in }
  ) -> ScriptedCase {
    ScriptedCase {
      $0.mechanisms = "alert_push: {\(alert)}\(beside)"
      $0.duration = "6 h"
      change(&$0)
    }
  }

  private func staleness(_ trace: DeviceTrace) -> [Int] {
    trace.records.compactMap { if case .opened(_, let behind) = $0.event { behind } else { nil } }
  }

  @Test func `the extension works on one alert after the other, and each is late by its wait and its work`()
    throws
  {
    let trace = try alerts(
      "send: {at: [3600 s, 3601 s, 3602 s, 2 h]}, service_extension: {work: 5 s}"
    ).trace()
    #expect(trace.ends == [3606, 3611, 3616, 7206].map { PushEnd(.delivered, at: $0) })
    // One that passes it by does not wait for the others.
    let missed = try alerts(
      "send: {at: [3600 s, 3601 s]}, service_extension: {work: 5 s}"
    ) { $0.policy = ["service_extension.missed_while_busy: 100 %"] }.trace()
    #expect(missed.ends == [3606, 3602].map { PushEnd(.delivered, at: $0) })
    #expect(missed.alerts == [.original, .enriched])
  }

  @Test func `an alert that is at work when the run ends is pending`() throws {
    let tally = try alerts(
      "send: {at: [359 min]}, service_extension: {work: 2 min, best_attempt: off}"
    ) { $0.policy = ["service_extension.limit: 10 min"] }.tally()
    #expect(tally.count(.pending) == 1 && tally.sent == 1 && tally.shown == 0)
  }

  @Test func `a device that is switched off while the extension works shows nothing`() throws {
    func end(_ timeline: [String]) throws -> PushEnd {
      try alerts("send: {at: [1 h]}, service_extension: {work: 20 s}") { $0.timeline = timeline }.trace()
        .ends[0]
    }
    #expect(try end([]) == PushEnd(.delivered, at: 3621))
    // The device is off at once, and with it the extension.
    #expect(
      try end(["at: 3610 s, reboot: true"]) == PushEnd(.discardedByPolicy, "extension_terminated", at: 3610))
    #expect(
      try end(["at: 3610 s, uninstall: true"])
        == PushEnd(.discardedByPolicy, "extension_terminated", at: 3621))
  }

  @Test func `an open that an alert provokes counts, and loads what is new`() throws {
    let scripted = alerts("send: {at: [1 h]}, opens: {share: 100 %, after: 5 min}") {
      $0.updates = "{at: [30 min]}"
      $0.timeline = ["at: 2 h, open_app: 1 min"]
    }
    let trace = try scripted.trace()
    #expect(staleness(trace) == [1, 0])
    #expect(trace.records.contains { if case .opened = $0.event { $0.time.seconds == 3901 } else { false } })
    let tally = try scripted.tally()
    #expect(tally.provokedOpens == 1 && tally.opens == 2 && tally.freshOpens == 1)
    // By chance; one that is not shown provokes nothing, nor does one while the app is in the front.
    let half = try alerts("send: {at: [1 h]}, opens: {share: 30 %, after: 1 min}") { $0.devices = 200 }
      .tally()
    #expect(isPlausible(Int(half.provokedOpens), of: 200, probability: 0.3))
    let inFront = try alerts("send: {at: [1 h]}, opens: {share: 100 %, after: 1 min}") {
      $0.timeline = ["at: 59 min, open_app: 10 min"]
    }.tally()
    #expect(inFront.provokedOpens == 0 && inFront.opens == 1)
    let killed = try alerts(
      "send: {at: [1 h]}, service_extension: {memory: 60 MB}, opens: {share: 100 %, after: 1 min}"
    ) { $0.policy = ["service_extension.shown_if_killed: 0 %"] }.tally()
    #expect(killed.provokedOpens == 0 && killed.shown == 0)
  }

  @Test(arguments: ["guide", "evidence"])
  func
    `an open that an alert provokes does not lift a force quit, for the life is the same for all strategies`(
      policy: String
    ) throws
  {
    let trace = try alerts(
      "send: {at: [1 h]}, opens: {share: 100 %, after: 1 min}",
      beside: ", background_push: {send: {at: [2 h]}}"
    ) {
      $0.profile = policy
      $0.timeline = ["at: 30 min, force_quit: true"]
    }.trace()
    #expect(trace.tally.provokedOpens == 1)
    #expect(trace.ends(.background) == [PushEnd(.notWakeable, "force_quit", at: 7201)])
  }

  @Test(arguments: ["guide", "evidence"])
  func `what the extension has stored makes the next open fresh, even of an app that was force-quit`(
    policy: String
  ) throws {
    func behind(_ work: String, network: String = "wifi") throws -> [Int] {
      try staleness(
        alerts("send: {at: [1 h]}, service_extension: {\(work)}") {
          $0.profile = policy
          $0.updates = "{at: [50 min]}"
          $0.timeline = [
            "at: 30 min, force_quit: true", "at: 3603 s, network: \(network)", "at: 2 h, open_app: 1 min",
          ]
        }.trace())
    }
    #expect(try behind("stores_content: on, work: 3 s") == [0])
    #expect(try behind("stores_content: off, work: 3 s") == [1])
    // Its time was up, or it was offline by then.
    #expect(try behind("stores_content: on, work: 40 s") == [1])
    #expect(try behind("stores_content: on, work: 3 s", network: "offline") == [1])
  }

  @Test func `the bytes of an attachment count, of one cut off as far as they came, of a cached one not`()
    throws
  {
    func bytes(_ attachment: String) throws -> Int64 {
      try alerts("send: {at: [1 h]}, service_extension: {work: 0 s, attachment: {\(attachment)}}") {
        $0.population = ["network.bandwidth.wifi: 8 Mbit/s"]
        $0.policy = ["service_extension.round_trips: 0"]
      }.tally().energy.bytes - 256
    }
    #expect(try bytes("format: jpeg, size: 3 MB") == 3_000_000)
    #expect(try bytes("format: jpeg, size: 58 MB") == 29_000_000)
    #expect(try bytes("format: jpeg, size: 3 MB, cached: 100 %") == 0)
  }
}
