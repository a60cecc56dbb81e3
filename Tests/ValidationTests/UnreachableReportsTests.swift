import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

/// What developers report of phones that cannot be reached though they are on, of work that fades, and of silences: under
/// the profile `evidence` with what it ships. One report is one observation, so the bands are wide; see
/// `Documentation/Validation.md`.
struct UnreachableReportsTests {
  private func run(
    _ body: String, set: String = "", devices: Int, duration: String, warmUp: String = "0 s"
  ) throws -> Tally {
    try Simulation.run(
      """
      scenario: report
      question: What happens?
      policy: {base: evidence, set: {\(set)}}
      \(body)
      experiment: {devices: \(devices), replications: 1, duration: \(duration), warm_up: \(warmUp), seed: 1}

      """
    ).runs[0].strategies[0].total
  }

  private func share(_ part: some BinaryInteger, _ whole: some BinaryInteger) -> Double {
    Double(part) / Double(whole)
  }

  // about 88 % delivered, nearly all of the rest overwritten.
  @Test func `R-141: a chat fleet loses about a tenth of its alerts, nearly all of it overwritten`() throws {
    let tally = try run(
      """
      population: {base: consumer_default, set: {settings.push_opt_in: 100 %}}
      strategies: {chat: {alert_push: {send: {poisson: {rate: 24 /day}}}}}
      """, devices: 250, duration: "3 d", warmUp: "1 d")
    let overwritten = share(tally.count(.overwrittenAtAPNs), tally.sent)
    let delivered = share(tally.count(.delivered), tally.sent)
    #expect((0.06...0.2).contains(overwritten), "\(overwritten)")
    #expect((0.78...0.94).contains(delivered), "\(delivered)")
    #expect(overwritten > 0.75 * (1 - delivered))
  }

  // a visible part takes about 6 s; R-71: of a fleet a twentieth takes over 2 s.
  @Test func `R-143, R-71: a few calls to idle phones take 5 s and more, nearly all others a second or two`()
    throws
  {
    let tally = try run(
      """
      population: {scripted: {os: 26, start: {battery: 80 %, last_open: 1 h}}}
      app: {background_modes: [voip]}
      strategies: {ring: {voip_push: {send: {at: [1 h, 2 h, 3 h, 4 h]}}}}
      """, devices: 1000, duration: "12 h")
    let late = 1 - share(tally.rangWithin5s, Int64(tally.ring.count))
    #expect((0.01...0.15).contains(late), "\(late)")
  }

  //
  @Test func `R-147: a part of the alerts stored for a phone without network is never shown`() throws {
    let tally = try run(
      """
      population:
        scripted:
          start: {battery: 80 %, last_open: 1 h}
          timeline: [{at: 1 h, network: offline}, {at: 5 h, network: cellular}]
      strategies: {alert: {alert_push: {send: {at: [3 h]}}}}
      """, devices: 1000, duration: "24 h")
    let lost = share(tally.count(.lost), tally.sent)
    #expect((0.02...0.1).contains(lost), "\(lost)")
  }

  private static let opens =
    (0..<4).map { "{at: \($0 * 24 + 9) h, open_app: 3 min}, {at: \($0 * 24 + 18) h, open_app: 3 min}" }
    .joined(separator: ", ")

  // they go on for days: none until an open.
  @Test func `R-148, R-88, R-89: after three days without an open some devices still refresh, others do not`()
    throws
  {
    let scenario = try Simulation.decode(
      """
      scenario: report
      question: What happens?
      policy: evidence
      population:
        scripted:
          start: {battery: 80 %, last_open: 3 h, charger: connected}
          timeline: [\(Self.opens)]
      app: {background_modes: [fetch], handler: {duration: 500 ms, result: {new_data: 100 %}}}
      strategies: {refresh: {app_refresh: {earliest: 15 min}}}
      experiment: {devices: 100, replications: 1, duration: 9 d, warm_up: 0 s, seed: 1}

      """)
    let lastOpen = Double(3 * 24 + 18) * 3600
    let later = try (0..<100 as Range<UInt32>).map { device in
      try Simulation.trace(scenario, device: device).runs(.appRefresh)
        .count { (lastOpen + 3 * 86_400...lastOpen + 5 * 86_400).contains($0) }
    }
    let some = later.count { $0 > 0 }
    #expect((15...85).contains(some), "\(some)")
  }

  // 0 or 1 a night; R-93: nearly every night.
  @Test func `R-144, R-96, R-93: a night on the charger brings some devices a task, and others none`() throws
  {
    for policy in ["evidence", "guide"] {
      let scenario = try Simulation.decode(
        """
        scenario: report
        question: What happens?
        policy: \(policy)
        population:
          scripted:
            start: {battery: 60 %, last_open: 3 h}
            timeline:
              - {at: 22 h, open_app: 10 min}
              - {at: 23 h, charger: connected}
              - {at: 31 h, charger: disconnected}
        app: {background_modes: [processing]}
        strategies: {it: {processing_task: {requires_power: on, requires_network: on, duration: 60 min}}}
        experiment: {devices: 200, replications: 1, duration: 32 h, warm_up: 0 s, seed: 1}

        """)
      let tally = try Simulation.run(scenario).runs[0].strategies[0].total
      // At most one a night, under either profile.
      #expect(tally.tasks[1].runs <= 200)
      // An hour of work never gets to its end.
      #expect(tally.tasks[1].results[Int(LaunchResult.newData.rawValue)] == 0)
      if policy == "evidence" { #expect((100...185).contains(tally.tasks[1].runs), "\(tally.tasks[1].runs)") }
    }
  }

  // S9: the number may be zero: hours to days.
  @Test func `S9, R-09, R-27: hourly silent pushes to phones that are well leave some silent for a day`()
    throws
  {
    func silent(_ set: String) throws -> [Double] {
      let tally = try run(
        """
        population: {scripted: {start: {battery: 80 %, last_open: 1 h, charger: connected}}}
        strategies: {push: {background_push: {send: {every: 1 h}}}}
        """, set: set, devices: 300, duration: "4 d")
      return (0..<3).map { share(tally.silentFor[$0], Int64(tally.silence.count)) }
    }
    let found = try silent("")
    #expect((0.02...0.4).contains(found[1]), "\(found)")
    #expect(found[2] < 0.1, "\(found)")
    // It is the pool that does it.
    let all = try silent("device_pool.empty_periods: 0 %, device_pool.device_sigma: 0")
    #expect(all[1] < found[1] / 4, "\(all) \(found)")
  }
}
