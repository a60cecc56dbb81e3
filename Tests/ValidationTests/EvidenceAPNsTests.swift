import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

private func evidence(_ change: (inout ScriptedCase) -> Void) -> ScriptedCase {
  ScriptedCase {
    $0.profile = "evidence"
    $0.policy = [
      "release.activity: 0 %", "release.keep_alive: 0 %", "apns.newest_wins: 100 %",
      // Traits that some devices have: `UnreachableReportsTests` is about them.
      "apns.rest_share: 0 %", "apns.slow_wake: 0 %", "apns.stored_lost: 0 %",
      "device_pool.empty_periods: 0 %", "device_pool.device_sigma: 0",
    ]
    // Shorter than any grant.
    $0.handler = "duration: 500 ms, result: {no_data: 100 %}"
    change(&$0)
  }
}

/// Where Apple says other than the guide about APNs, beside `GuideAPNsTests`: the profile `evidence` follows Apple.
/// C1-08, C1-12 and C1-13 are in `EvidenceReportsTests`.
struct EvidenceAgainstGuideTests {
  // A2
  @Test
  func `C1-05: Apple stores a push for 30 days, not four weeks`() throws {
    func fate(backAt days: String) throws -> Fate? {
      try evidence {
        $0.start = "battery: 80 %, network: offline, charger: connected"
        $0.timeline = ["at: \(days), network: wifi"]
        $0.send = "{at: [0 s]}"
        $0.duration = "32 d"
        $0.policy += ["usage_history.mode: off"]
      }.trace().ends.first?.fate
    }
    #expect(try fate(backAt: "28.1 d") == .delivered)
    #expect(try fate(backAt: "29.9 d") == .delivered)
    #expect(try fate(backAt: "30.1 d") == .expiredAtAPNs)
  }

  // A13, R-81 https://developer.apple.com/forums/thread/758973
  @Test
  func `C1-15, R-81: 200 and even "Delivered to Device" are no delivery on a dead cellular link`() throws {
    func lost(_ network: String) throws -> (lost: Int64, metrics: Int64, rejected: Int) {
      let tally = try evidence {
        $0.policy += ["apns.dead_link_on_cellular: 1 /day", "apns.restriction_declared: 0 %"]
        $0.start = "battery: 80 %, last_open: 1 h, charger: connected, network: \(network)"
        $0.send = "{every: 5 min}"
        $0.duration = "1 d"
        $0.devices = 20
      }.tally()
      #expect(tally.apns[0].total(.received) == tally.sent)
      return (Int64(tally.count(.lost)), tally.apns[0].total(.lost), tally.count(.rejected))
    }
    let cellular = try lost("cellular")
    #expect(cellular.lost > 0 && cellular.metrics == cellular.lost && cellular.rejected == 0)
    #expect(try lost("wifi").lost == 0)
  }

  // hours; R-82 https://developer.apple.com/forums/thread/834530
  @Test
  func `R-81, R-82: a dead link loses everything for hours, and the user or another network ends it`() throws
  {
    func lostFor(_ timeline: [String]) throws -> [Double] {
      try (0..<10 as Range<UInt32>).map { device in
        let ends = try evidence {
          $0.policy += ["apns.dead_link_on_cellular: 1 /day"]
          $0.start = "battery: 80 %, last_open: 1 h, charger: connected, network: cellular"
          $0.timeline = timeline
          $0.send = "{every: 10 min}"
          $0.duration = "1 d"
          $0.devices = 10
        }.trace(device: device).ends
        // The longest row of losses, in hours.
        var (row, longest) = (0, 0)
        for end in ends {
          row = end.fate == .lost ? row + 1 : 0
          longest = max(longest, row)
        }
        return Double(longest) / 6
      }
    }
    #expect(try lostFor([]).max()! > 3)
    #expect(try lostFor((1...47).map { "at: \($0 * 30) min, open_app: 1 min" }).max()! <= 0.5)
  }

  // R-67 https://github.com/nightscout/cgm-remote-monitor/issues/8166
  @Test
  func `C1-16, R-67: a token of the wrong environment is called bad though the app is there`() throws {
    let trace = try evidence {
      $0.timeline = ["at: 90 min, open_app: 1 min"]
      $0.send = "{at: [1 h, 2 h]}"
      $0.push = "provider: {bad_tokens: 100 %, on_bad_token: keep}"
    }.trace()
    #expect(trace.ends.map(\.reason) == ["400 BadDeviceToken", "400 BadDeviceToken"])
    #expect(trace.conditions.changes.allSatisfy { $0.state.contains(.installed) })
  }

  // R-68 https://github.com/Lyle-Du/Swifty-Pusher/issues/3
  @Test
  func `C1-18, R-68: 429 is for many in a row to one device, not for many a second on a connection`() throws {
    func refused(_ send: String, rate: String) throws -> Int {
      try evidence {
        // Of an idle device only what the policy says above is off.
        $0.isHardToReach = true
        $0.send = send
        $0.push = "provider: {rate: \(rate)}"
        $0.devices = 100
        $0.duration = "4 h"
      }.tally().count(.rejected)
    }
    #expect(try refused("{at: [1 h, 2 h, 3 h]}", rate: "1000 /s") == 0)
    // Tokens differ: of six in a row one is refused in the mean (1.1), none by half of the tokens. Within 5 standard errors.
    let inARow = try refused("{at: [3600 s, 3601 s, 3602 s, 3603 s, 3604 s, 3605 s]}", rate: "100 /s")
    #expect((40...180).contains(inARow), "\(inARow)")
  }

  // A-RESP: 5xx after 15 minutes, with back-off. How a provider tries again is the scenario's, not the profile's.
  @Test(arguments: [500, 503])
  func `C1-19: an outage of 20 min outlives three tries within seconds, not Apple's after 15 min`(status: Int)
    throws
  {
    func end(_ retries: String) throws -> PushEnd {
      try evidence {
        $0.outages = "{from: 1 h, for: 20 min, status: \(status)}"
        $0.push = "provider: {retries: {\(retries)}}"
      }.trace().ends[0]
    }
    #expect(try end("delay: 5 s").fate == .rejected)
    #expect(try end("delay: 15 min, factor: 2") == PushEnd(.delivered, at: 3600 + 45 * 60 + 1))
  }
}

/// Reports of grade A about expiration, tokens and blocks.
struct EvidenceDeliveryReports {
  /// Over 200 devices: the times at which a push sent at 1 h to a device that is offline for `seconds` arrives.
  private func arrivals(expiration: String, offlineFor seconds: Int) throws -> [Double] {
    let scenario = try evidence {
      $0.timeline = ["at: 3600 s, network: offline", "at: \(3600 + seconds) s, network: wifi"]
      $0.push = "expiration: \(expiration)"
      $0.devices = 200
    }.scenario()
    return try (0..<200 as Range<UInt32>).compactMap { device in
      let end = try Simulation.trace(scenario, device: device).ends[0]
      return end.fate == .delivered ? end.time - 3600 : nil
    }
  }

  // R-83 https://developer.apple.com/forums/thread/795610
  @Test
  func `R-83: with expiration 0 a push may arrive after 25 s offline, never after minutes`() throws {
    let late = try arrivals(expiration: "0", offlineFor: 25)
    #expect(!late.isEmpty && late.allSatisfy { 20...40 ~= $0 })
    #expect(try arrivals(expiration: "0", offlineFor: 120).isEmpty)
  }

  // R-116 https://github.com/Pr0Ger/PyAPNs2/issues/50
  @Test
  func `R-116: pushes arrive 10 s past an expiration of 45 s, and 10 s past one of 0`() throws {
    #expect(try !arrivals(expiration: "45 s", offlineFor: 55).isEmpty)
    #expect(try !arrivals(expiration: "0", offlineFor: 10).isEmpty)
    #expect(try arrivals(expiration: "45 s", offlineFor: 120).isEmpty)
  }

  // R-52, an answer on offline delivery order at https://itecnotes.com/
  @Test
  func `R-52: now and then it is an older push that was kept`() throws {
    let scripted = evidence {
      $0.policy.removeAll { $0 == "apns.newest_wins: 100 %" }
      $0.timeline = ["at: 30 min, network: offline", "at: 3 h, network: wifi"]
      $0.send = "{at: [1 h, 2 h]}"
      $0.devices = 300
    }
    let tally = try scripted.tally()
    let kept = Int(tally.reasonCount(.overwrittenAtAPNs, .olderPush))
    #expect(0 < kept && isPlausible(kept, of: 300, probability: 0.03))
    #expect(tally.count(.overwrittenAtAPNs) == 300)
  }

  // R-64 https://github.com/AndrewBarba/apns2/issues/44: 36 of 2600.
  @Test
  func `R-64: a provider that renews its token more often than every 20 min is answered with 429`() throws {
    func refused(_ refresh: String) throws -> Int64 {
      try evidence {
        $0.send = "{every: 1 h}"
        $0.push = "provider: {token_refresh: \(refresh)}"
        $0.devices = 50
        $0.duration = "23.5 h"
      }.tally().reasonCount(.rejected, .tooManyTokenUpdates)
    }
    #expect(try refused("50 min") == 0)
    #expect(try refused("19 min") > 0)
  }

  // R-09 https://github.com/e-mission/e-mission-phone/issues/290
  @Test
  func `R-09: of hourly pushes some run within minutes, and some hours after the last that ran`() throws {
    var (soon, silences) = (0, 0)
    for device in 0..<10 as Range<UInt32> {
      let trace = try evidence {
        $0.policy = ["release.activity: 50 %", "usage_history.soft_weight: 1000"]
        $0.start = "battery: 80 %, charger: connected, last_open: 20 d"
        $0.send = "{every: 1 h}"
        $0.duration = "1 d"
        $0.devices = 10
      }.trace(device: device)
      let times = trace.launchTimes
      soon += times.count { $0.truncatingRemainder(dividingBy: 3600) < 900 }
      silences += zip(times, times.dropFirst()).count { $1 - $0 > 3 * 3600 }
    }
    #expect(soon > 0 && silences > 0, "\(soon) \(silences)")
  }

  // R-15 https://github.com/firebase/flutterfire/issues/13073; that pushes were disallowed for the app besides is another
  // matter, here the switch.
  @Test
  func `R-15: after a power cycle none within 300 s, and none at all with pushes disallowed for the app`()
    throws
  {
    func end(refresh: String) throws -> PushEnd {
      try evidence {
        $0.start = "battery: 80 %, last_open: 1 h, background_app_refresh: \(refresh)"
        $0.timeline = ["at: 1 h, reboot: true"]
        $0.send = "{at: [62 min]}"
      }.trace().ends[0]
    }
    // The restart takes 30 s.
    #expect(try end(refresh: "on") == PushEnd(.delivered, at: 3930))
    #expect(try end(refresh: "off").fate == .notWakeable)
  }

  // R-20 https://developer.apple.com/forums/thread/835645; its cause is not known, a switch that is off looks the same.
  @Test
  func `R-20: alerts are shown, silent pushes never wake the app, but with a debugger they do`() throws {
    func tally(_ aps: String, debugger: String = "detached") throws -> Tally {
      try evidence {
        $0.start =
          "battery: 80 %, last_open: 1 h, background_app_refresh: off, debugger: \(debugger)"
        $0.push = "payload: {aps: [\(aps)]}"
        $0.send = "{every: 1 h}"
        $0.duration = "9.5 h"
      }.tally()
    }
    let alerts = try tally("alert")
    #expect(alerts.shown == alerts.sent && alerts.sent > 0)
    #expect(try tally("content-available").count(.delivered) == 0)
    #expect(try tally("content-available", debugger: "attached").count(.delivered) == Int(alerts.sent))
  }

  // R-36, a developer's post about a podcast app; the crash of the app that followed is not modelled.
  @Test
  func `R-36: some launches have no more than 2 s`() throws {
    let times = try evidence {
      $0.handler = "duration: 20 s, result: {no_data: 100 %}"
      $0.start = "battery: 80 %, last_open: 1 h, charger: connected"
      $0.send = "{every: 1 h}"
      $0.duration = "10 d"
      $0.policy += ["usage_history.mode: off", "score.mode: off"]
    }.trace().launches.map(\.runTime)
    let short = times.count { $0 <= 2 }
    #expect(short > 0 && short * 3 < times.count, "\(short) of \(times.count)")
  }
}
