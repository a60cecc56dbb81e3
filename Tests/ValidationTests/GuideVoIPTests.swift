import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

// What the guide about PushKit (C3), and the others where they speak of VoIP pushes, claim, as far as the profile `guide`
// models it; beside each claim that Apple or a report contradicts the other behaviour of the profile `evidence`. Then the
// public reports. Identifiers and addresses are in Documentation/Sources.md; Documentation/Seeds.md lists every claim.

/// Calls to one device that is online, each a second on its way.
///
/// - Parameter keys: further keys of the mechanism.
private func calls(
  _ profile: String, at times: String, _ keys: String = "", _ change: (inout ScriptedCase) -> Void = { _ in }
) -> ScriptedCase {
  ScriptedCase {
    $0.profile = profile
    $0.policy = ["voip.transit_median: 1 s", "voip.transit_sigma: 0"]
    $0.start = "battery: 80 %, charger: connected, last_open: 1 h"
    $0.app = "background_modes: [voip]"
    $0.mechanisms = "voip_push: {send: {at: [\(times)]}\(keys.isEmpty ? "" : ", " + keys)}"
    $0.duration = "10 d"
    change(&$0)
  }
}

/// Each of them delivered a second after the send.
private func delivered(_ times: Double...) -> [PushEnd] { times.map { PushEnd(.delivered, at: $0 + 1) } }

struct GuideVoIPDeliveryTests {
  // C1-09, and C3-16: there is nothing to show but the call.
  @Test(arguments: ["guide", "evidence"])
  func `C1-09, C3-16: a call rings at once, whatever stops a silent push, and shows no alert`(profile: String)
    throws
  {
    let scripted = calls(profile, at: "1 h") {
      $0.start = "battery: 4 %, low_power_mode: on, background_app_refresh: off, last_open: 60 d"
      $0.timeline = ["at: 30 min, force_quit: true"]
    }
    #expect(try scripted.trace().ends == delivered(3600))
    let tally = try scripted.tally()
    #expect(tally.count(call: .rang) == 1 && tally.shown == 0)
    #expect(tally.rangWithin5s == 1)
  }

  @Test(arguments: ["guide", "evidence"])
  func `C3-05: without the background mode for VoIP no push reaches the app`(profile: String) throws {
    let trace = try calls(profile, at: "1 h") { $0.app = "background_modes: [remote_notification]" }.trace()
    #expect(trace.ends == [PushEnd(.notWakeable, "background_mode", at: 3601)])
  }

  /// Longest of so many times from the send to the delivery, by the profile's own distribution. Unit: seconds.
  private func longest(_ profile: String) throws -> Double {
    let scripted = calls(profile, at: "") {
      $0.policy = ["voip_rate.mode: off"]
      $0.mechanisms = "voip_push: {send: {every: 1 min}}"
      $0.duration = "5 d"
    }
    let trace = try scripted.trace()
    return trace.ends.enumerated().map { $1.time - 60 * Double($0) }.max()!
  }

  // V12: no such promise. Of 7200 draws of the fleet's distribution none would be above 5 s with probability 6e-6.
  @Test func `C3-04: the guide's whole cycle takes 5 s at most, that of a fleet now and then more`() throws {
    #expect(try longest("guide") <= 5)
    #expect(try longest("evidence") > 5)
  }

  @Test(arguments: ["guide", "evidence"])
  func `C3-09: the limit is C1-14's 5 KB, not 4 KB`(profile: String) throws {
    func end(_ bytes: Int) throws -> PushEnd {
      try calls(profile, at: "1 h", "payload: {bytes: \(bytes) B}").trace().ends[0]
    }
    #expect(try end(4097).fate == .delivered)
    #expect(try end(5120).fate == .delivered)
    #expect(try end(5121).reason == "413 PayloadTooLarge")
  }

  @Test func `C3-10: one a minute and device, the surplus rejected; no other source knows a rate`() throws {
    let times = "3600 s, 3620 s, 3659 s, 3661 s"
    let guide = try calls("guide", at: times).trace()
    #expect(
      guide.ends == [
        PushEnd(.delivered, at: 3601), PushEnd(.discardedByPolicy, "voip_rate", at: 3621),
        PushEnd(.discardedByPolicy, "voip_rate", at: 3660), PushEnd(.delivered, at: 3662),
      ])
    #expect(try calls("evidence", at: times).trace().ends == delivered(3600, 3620, 3659, 3661))
  }

  @Test func `a rate that is only watched rejects no call, and counts those that it would have rejected`()
    throws
  {
    let tally = try calls("guide", at: "3600 s, 3620 s, 3640 s, 3650 s, 3655 s, 2 h") {
      $0.policy += ["voip_rate.mode: shadow"]
    }.tally()
    #expect(tally.count(.delivered) == 6)
    // Each was taken, so that the minute starts anew with it.
    #expect(tally.shadow[Int(FactorID.voipRate.rawValue)] == 4)
  }

  // A5, A6, V3.
  @Test
  func `C3-12, C3-15: offline a call is lost for good; Apple stores it up to its expiration, the newest`()
    throws
  {
    func ends(_ profile: String, _ keys: String = "expiration: 1 h") throws -> [PushEnd] {
      try calls(profile, at: "1 h, 61 min, 3 h", keys) {
        $0.policy += ["apns.newest_wins: 100 %", "apns.expiry_softness: 0 s", "apns.reconnect_delay: 0 s"]
        $0.timeline = ["at: 30 min, network: offline", "at: 90 min, network: wifi"]
      }.trace().ends
    }
    let expired = [3600, 3660].map { PushEnd(.expiredAtAPNs, "expired", at: $0) }
    #expect(try ends("guide") == expired + delivered(10_800))
    #expect(
      try ends("evidence") == [
        PushEnd(.overwrittenAtAPNs, "newer_push", at: 3660), PushEnd(.delivered, at: 5401),
        PushEnd(.delivered, at: 10_801),
      ])
    // What Apple advises: not to be stored.
    #expect(try ends("evidence", "expiration: 0") == expired + delivered(10_800))
  }
}

struct GuideVoIPHandlingTests {
  @Test
  func
    `C3-07: an app that does not call the completion handler within 30 s may be killed; Apple asks for none`()
    throws
  {
    func tally(_ profile: String, _ keys: String) throws -> Tally {
      try calls(profile, at: "1 h", keys) { $0.devices = 200 }.tally()
    }
    let guide = try tally("guide", "completion: {never: 100 %}")
    #expect(isPlausible(guide.count(call: .killedUncompleted), of: 200, probability: 0.5))
    #expect(guide.count(call: .killedUncompleted) + guide.count(call: .rang) == 200)
    #expect(try tally("guide", "completion: {after: 31 s}").count(call: .killedUncompleted) > 0)
    #expect(try tally("guide", "completion: {after: 29 s}").count(call: .rang) == 200)
    // V6.
    #expect(try tally("evidence", "completion: {never: 100 %}").count(call: .rang) == 200)
  }

  // V1; C0-11 recommends calls that are none.
  @Test
  func `C3-08, C0-11: the guide lets an app sync by VoIP push without a call; Apple ends it from iOS 13 on`()
    throws
  {
    let times = (1...6).map { "\($0) h" }.joined(separator: ", ")
    func trace(_ profile: String, os: Int = 18) throws -> DeviceTrace {
      try calls(profile, at: times, "report: {never: 100 %}, syncs: on") {
        $0.os = os
        $0.updates = "{every: 1 h, phase: 30 min}"
        $0.timeline = ["at: 375 min, open_app: 1 min"]
        $0.duration = "6.4 h"
      }.trace()
    }
    #expect(try trace("guide").calls == Array(repeating: .silent, count: 6))
    #expect(try trace("guide").tally.freshOpens == 1)
    #expect(try trace("evidence", os: 12).calls == Array(repeating: .silent, count: 6))
    for os in [13, 18] {
      let evidence = try trace("evidence", os: os)
      #expect(evidence.calls == Array(repeating: .killedAtReturn, count: 4), "iOS \(os)")
      #expect(evidence.tally.freshOpens == 0, "iOS \(os)")
    }
  }

  @Test func `C0-24: in the guide nothing stops a call to a device that is online, and it has 30 s`() throws {
    func rung(_ profile: String) throws -> (outcomes: [VoIPPush.Outcome], sent: Int64) {
      let trace = try calls(profile, at: "", "") {
        $0.mechanisms = "voip_push: {send: {every: 1 h}, report: {after: 25 s}, completion: {after: 25 s}}"
        $0.duration = "23.5 h"
      }.trace()
      return (trace.calls, trace.tally.sent)
    }
    let guide = try rung("guide")
    #expect(guide.sent == 24 && guide.outcomes == Array(repeating: .rang, count: 24))
    // V5: the check after 7 s.
    #expect(try rung("evidence").outcomes == Array(repeating: .killedAtCheck, count: 4))
  }
}

/// What developers report of VoIP pushes.
struct VoIPReports {
  private let unreported = "report: {never: 100 %}"

  // T10; R-74 https://github.com/VoIPGRID/VialerSIPLib/issues/197,
  // R-76 https://bot.dharman.net/reports.php?id=1997894,
  // R-72 https://github.com/react-native-webrtc/react-native-callkeep/issues/163
  @Test
  func
    `T10, R-72, R-74, R-76: unreported pushes end after three to five, with 200 all along, until a reinstall`()
    throws
  {
    let times = (1...6).map { "\($0) h" }.joined(separator: ", ")
    for threshold in 3...5 {
      let scripted = calls("evidence", at: times + ", 31 h", unreported) {
        $0.policy += ["voip_report.violations: \(threshold)"]
        // Neither the user nor a restart ends it, V10.
        $0.timeline = [
          "at: 330 min, open_app: 1 min", "at: 340 min, reboot: true", "at: 30 h, uninstall: true",
          "at: 30.5 h, install: true",
        ]
      }
      let trace = try scripted.trace()
      #expect(trace.calls == Array(repeating: .killedAtReturn, count: threshold + 1))
      let blocked = trace.ends[threshold..<6]
      #expect(
        blocked.allSatisfy { $0.fate == .discardedByPolicy && $0.reason == "voip_report" }, "\(trace.ends)")
      #expect(trace.ends[6].fate == .delivered)
      let tally = try scripted.tally()
      #expect(tally.count(.rejected) == 0)
      #expect(tally.apns[Int(PushMechanism.voip.rawValue)].total(.delivered) == 7)
    }
  }

  // R-72: an app in normal use that now and then does not report.
  @Test func `R-72: a careless app rings for days, and then no more`() throws {
    var last: [Double] = []
    for device in 0..<20 as Range<UInt32> {
      let trace = try calls("evidence", at: "") {
        $0.mechanisms = "voip_push: {send: {every: 2 h}, report: {never: 5 %}}"
        $0.duration = "60 d"
        $0.devices = 20
      }.trace(device: device)
      #expect(trace.calls.count { $0 == .killedAtReturn } == 4, "device \(device)")
      last.append(trace.ends.last { $0.fate == .delivered }!.time / 86_400)
    }
    // The fourth of one in twenty, at twelve a day: after 6.7 days on average.
    #expect(isPlausibleMean(last, 80.0 / 12))
    #expect(last.allSatisfy { $0 > 0.2 })
  }

  // R-75 https://developer.apple.com/forums/thread/764376: several calls in a row; that they were not reported is the
  // likely cause, and an assumption.
  @Test func `R-75: after several calls in a row there are none, and a reinstall brings them back`() throws {
    let trace = try calls(
      "evidence", at: "3600 s, 3610 s, 3620 s, 3630 s, 3640 s, 2 h, 1 d, 3 d", unreported
    ) {
      $0.os = 17
      $0.timeline = ["at: 2 d, uninstall: true", "at: 49 h, install: true"]
    }.trace()
    #expect(trace.ends.map { $0.fate == .delivered } == [true, true, true, true, false, false, false, true])
  }

  // T11.
  @Test(arguments: [
    ("report: {after: 100 ms, returns_first: on}", VoIPPush.Outcome.killedAtReturn),
    ("report: {never: 100 %}", .killedAtReturn),
    ("report: {after: 6 s}, completion: {after: 6 s}", .rang),
    ("report: {after: 8 s}, completion: {after: 8 s}", .killedAtCheck),
  ])
  func `T11: killed at the return without a report, or at about 7 s`(
    keys: String, outcome: VoIPPush.Outcome
  ) throws {
    let trace = try calls("evidence", at: "1 h", keys).trace()
    #expect(trace.calls == [outcome])
    for record in trace.records {
      guard case .called(let result) = record.event, outcome == .killedAtCheck else { continue }
      #expect(result.runTime == .seconds(7))
    }
  }

  // R-84 https://developer.apple.com/forums/thread/781211
  @Test func `R-84: an app killed and called just after a switch to Wi-Fi is terminated every time`() throws {
    func outcomes(quit: Bool, after seconds: Int) throws -> [VoIPPush.Outcome] {
      try calls("evidence", at: "\(3600 + seconds) s") {
        $0.start = "battery: 80 %, last_open: 1 h, network: cellular"
        $0.timeline = ["at: 1 h, network: wifi"] + (quit ? ["at: 3601 s, force_quit: true"] : [])
      }.trace().calls
    }
    #expect(try outcomes(quit: true, after: 10) == [.killedAtCheck])
    #expect(try outcomes(quit: true, after: 600) == [.rang])
    #expect(try outcomes(quit: false, after: 10) == [.rang])
  }

  // R-83 https://developer.apple.com/forums/thread/795610
  @Test func `R-83: a call with expiration 0 may come 20 to 30 s late, never minutes`() throws {
    func rang(offlineFor seconds: Int) throws -> Int {
      try calls("evidence", at: "1 h", "expiration: 0") {
        $0.timeline = ["at: 3600 s, network: offline", "at: \(3600 + seconds) s, network: wifi"]
        $0.policy += ["apns.reconnect_delay: 0 s"]
        $0.devices = 200
      }.tally().count(call: .rang)
    }
    #expect(try (1..<200).contains(rang(offlineFor: 25)))
    #expect(try rang(offlineFor: 120) == 0)
  }

  // R-71 https://developer.apple.com/forums/thread/825224
  @Test func `R-71: a call is there after 0.8 s on average, and after 2 s in 95 %`() throws {
    let trace = try calls("evidence", at: "") {
      $0.policy = []
      $0.mechanisms = "voip_push: {send: {every: 1 min}}"
      $0.duration = "2 d"
    }.trace()
    let times = trace.ends.enumerated().map { $1.time - 60 * Double($0) }
    #expect(isPlausibleMean(times, 0.8, bias: 0.05))
    let within = Double(times.count { $0 <= 2 }) / Double(times.count)
    #expect((0.94...0.96).contains(within))
  }

  // T18; R-81 https://developer.apple.com/forums/thread/758973, R-82 https://developer.apple.com/forums/thread/834530
  @Test
  func
    `T18, R-81, R-82: a link dead on cellular loses the pushes of all mechanisms for hours, on Wi-Fi none`()
    throws
  {
    func trace(_ network: String, device: UInt32 = 0) throws -> DeviceTrace {
      try calls("evidence", at: "") {
        $0.policy += ["apns.dead_link_on_cellular: 2 /day", "apns.restriction_declared: 0 %"]
        $0.app = "background_modes: [voip, remote_notification]"
        $0.start = "battery: 80 %, last_open: 1 h, charger: connected, network: \(network)"
        let send = "{send: {every: 10 min}}"
        $0.mechanisms = "background_push: \(send), alert_push: \(send), voip_push: \(send)"
        $0.duration = "10 h"
        $0.devices = 40
      }.trace(device: device)
    }
    var nights = 0
    for device in 0..<40 as Range<UInt32> {
      let night = try trace("cellular", device: device)
      let lost = PushMechanism.allCases.map { mechanism in night.ends(mechanism).map { $0.fate == .lost } }
      #expect(lost[0] == lost[1] && lost[1] == lost[2], "device \(device)")
      // At least 3.5 h in which none of the calls arrived, and APNs took all.
      if lost[2].count(where: \.self) >= 21 { nights += 1 }
      #expect(night.ends(.voip).allSatisfy { $0.fate != .rejected })
    }
    #expect(nights > 0)
    #expect(
      try PushMechanism.allCases.allSatisfy { try trace("wifi").ends($0).allSatisfy { $0.fate != .lost } })
  }
}
