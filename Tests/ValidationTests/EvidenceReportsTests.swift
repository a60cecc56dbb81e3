import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

// What developers report in public, as the profile `evidence` reproduces it: direction and order of magnitude.
// Identifiers and addresses are in Documentation/Sources.md. are of grade B or need other apps.

/// A device that allows so many launches at once, without a factor of its own on the interval, that declares no
/// restriction to APNs, and on which nothing releases a hold by chance.
private func allows(_ burst: Int) -> [String] {
  [1, 2, 4, 9].map { "launch_spacing.burst_of_\($0): \($0 == burst ? 100 : 0) %" } + [
    "launch_spacing.device_sigma: 0", "release.activity: 0 %", "release.keep_alive: 0 %",
    "apns.rest_share: 0 %", "apns.slow_wake: 0 %", "apns.stored_lost: 0 %", "device_pool.empty_periods: 0 %",
    "device_pool.device_sigma: 0",
    "apns.restriction_declared: 0 %",
  ]
}

private func evidence(_ burst: Int = 1, _ change: (inout ScriptedCase) -> Void) -> ScriptedCase {
  ScriptedCase {
    $0.profile = "evidence"
    $0.policy = allows(burst)
    // Shorter than any grant.
    $0.handler = "duration: 500 ms, result: {no_data: 100 %}"
    change(&$0)
  }
}

private func gaps(_ times: [Double]) -> [Double] { zip(times, times.dropFirst()).map { ($1 - $0) / 60 } }

struct EvidenceSpacingReports {
  // R-01 https://github.com/firebase/quickstart-ios/issues/258
  @Test
  func
    `R-01: pushes over and over work for 8 to 10 minutes, then nothing for about an hour, again and again`()
    throws
  {
    let times = try evidence(9) {
      $0.start = "battery: 80 %, last_open: 1 h, charger: connected, screen: on"
      $0.send = "{every: 1 min}"
      $0.duration = "8 h"
    }.trace().launchTimes
    let silences = gaps(times).filter { $0 > 15 }
    #expect((5...9).contains(silences.count))
    #expect(silences.allSatisfy { 30...90 ~= $0 }, "\(silences)")
    // The first time of work.
    let works = times.filter { $0 < 1800 }
    #expect(7...11 ~= (works.last! - works[0]) / 60, "\(works)")
  }

  // R-02 https://github.com/invertase/react-native-firebase/issues/4705
  @Test
  func `R-02: in the background one or two arrive and then none for about ten minutes; in front all do`()
    throws
  {
    for burst in [1, 2] {
      let times = try evidence(burst) {
        $0.start = "battery: 80 %, last_open: 1 h, screen: on"
        $0.send = "{every: 1 min, phase: 1 h}"
        $0.duration = "2 h"
      }.trace().launchTimes
      #expect(times.filter { $0 < 3600 + 180 }.count == burst)
      let silence = gaps(times)[burst - 1]
      #expect(5...20 ~= silence, "\(silence)")
    }
    let front = try evidence {
      $0.timeline = ["at: 59 min, open_app: 61 min"]
      $0.send = "{every: 1 min, phase: 1 h}"
      $0.duration = "119 min"
    }.trace()
    #expect(front.ends.enumerated().allSatisfy { $1 == PushEnd(.delivered, at: 3601 + 60 * Double($0)) })
    #expect(front.launchTimes.isEmpty)
  }

  // R-23 https://github.com/deltachat/deltachat-ios/issues/1143: about every 20 min, about 6 min in use.
  @Test
  func `R-23: a periodic wake comes every 10 to 25 minutes, and about every 6 while the phone is in use`()
    throws
  {
    func typical(_ screen: String) throws -> Double {
      let times = try evidence {
        $0.start = "battery: 80 %, last_open: 1 h, charger: connected, screen: \(screen)"
        $0.send = "{every: 1 min}"
        $0.duration = "4 h"
      }.trace().launchTimes
      return gaps(times).sorted()[times.count / 2]
    }
    #expect(10...25 ~= (try typical("off")))
    #expect(4...8 ~= (try typical("on")))
  }

  // S9 to S11, R-27 https://github.com/LoopKit/loopdocs/pull/851
  @Test
  func `S11, R-27: a pool that is used up is full again a day later`() throws {
    let trace = try evidence {
      $0.policy += ["device_pool.size: 3"]
      $0.start = "battery: 80 %, charger: connected, last_open: 1 h"
      $0.send = "{every: 1 h}"
      $0.duration = "4 d"
    }.trace()
    let bursts = gaps(trace.launchTimes).filter { $0 > 600 }
    #expect(bursts.count >= 3)
    #expect(trace.launchTimes.count <= 3 * 5)
    #expect(bursts.allSatisfy { 18 * 60...24 * 60 ~= $0 }, "\(bursts)")
  }

  // R-24 https://github.com/deltachat/deltachat-ios/issues/569
  @Test(arguments: ["soft", "hard"])
  func `R-24: an app in frequent use is woken within minutes, one that is not used after hours or never`(
    gate: String
  ) throws {
    func end(_ lastOpen: String) throws -> PushEnd {
      try evidence {
        $0.policy += ["usage_history.gate: \(gate)"]
        $0.start = "battery: 80 %, charger: connected, last_open: \(lastOpen)"
      }.trace().ends[0]
    }
    #expect(try end("1 h").time < 3600 + 1200)
    #expect(try end("20 d").time > 3600 + 3600)
    #expect(try end("20 d").fate == (gate == "soft" ? .delivered : .discardedByPolicy))
  }
}

struct EvidenceHoldReports {
  // R-13 https://github.com/firebase/flutterfire/issues/8277, S2, D22
  @Test
  func `R-13: a newer push cancels the older one that waits`() throws {
    let trace = try evidence { $0.send = "{at: [60 min, 61 min, 62 min]}" }.trace()
    #expect(
      trace.ends == [
        PushEnd(.delivered, at: 3601), PushEnd(.coalescedOnDevice, "launch_spacing", at: 3721),
        PushEnd(.delivered, at: 4501),
      ])
    #expect(trace.launches.map(\.handled) == [1, 1])
  }

  // R-14 https://github.com/firebase/flutterfire/issues/13146, D21
  @Test
  func `R-14: a held push waits for exactly 24 h, and a debugger lets it through at once`() throws {
    var scripted = evidence { $0.start = "battery: 80 %, last_open: 1 h, low_power_mode: on" }
    #expect(try scripted.trace().ends == [PushEnd(.discardedByPolicy, "low_power_mode", at: 3601 + 86400)])
    scripted.start += ", debugger: attached"
    #expect(try scripted.trace().ends == [PushEnd(.delivered, at: 3601)])
  }

  // D22
  @Test
  func `D22: a newer push starts the deadline anew`() throws {
    let ends = try evidence {
      $0.start = "battery: 80 %, last_open: 1 h, low_power_mode: on"
      $0.send = "{at: [1 h, 20 h]}"
    }.trace().ends
    #expect(ends[0] == PushEnd(.coalescedOnDevice, "low_power_mode", at: 72001))
    #expect(ends[1] == PushEnd(.discardedByPolicy, "low_power_mode", at: 72001 + 86400))
  }

  // R-22 https://github.com/deltachat/deltachat-ios/issues/3272
  @Test
  func `R-22: in Low Power Mode the newer of two reaches the app when it is opened`() throws {
    let trace = try evidence {
      $0.start = "battery: 60 %, last_open: 1 h, low_power_mode: on"
      $0.timeline = ["at: 150 min, open_app: 1 min"]
      $0.send = "{at: [60 min, 61 min]}"
    }.trace()
    #expect(
      trace.ends == [
        PushEnd(.coalescedOnDevice, "low_power_mode", at: 3661), PushEnd(.delivered, at: 9000),
      ])
  }

  // R-22 https://github.com/deltachat/deltachat-ios/issues/3272, A13, A14: the other of two stages in series.
  @Test
  func `R-22, A14: of two that a restriction keeps at APNs one comes when the app is opened`() throws {
    let restricted = evidence {
      $0.policy.removeAll { $0 == "apns.restriction_declared: 0 %" }
      $0.policy += ["apns.restriction_declared: 100 %", "apns.newest_wins: 100 %"]
      $0.start = "battery: 60 %, last_open: 1 h, low_power_mode: on"
      $0.timeline = ["at: 150 min, open_app: 1 min"]
      $0.send = "{at: [60 min, 61 min]}"
    }
    let trace = try restricted.trace()
    #expect(
      trace.ends == [
        PushEnd(.overwrittenAtAPNs, "newer_push", at: 3660), PushEnd(.delivered, at: 9001),
      ])
    let apns = try restricted.tally().apns
    #expect(apns[0].total(.storedForPower) == 2 && apns[0].total(.deliveredFromStorage) == 1)
  }

  // A9, A12, A14
  @Test
  func `A14: half of the Low Power Modes are declared to APNs; priority 10 passes all the same`() throws {
    func stored(priority: Int) throws -> Int64 {
      try evidence {
        $0.policy.removeAll { $0 == "apns.restriction_declared: 0 %" }
        $0.start = "battery: 60 %, last_open: 1 h, low_power_mode: on"
        $0.push = "priority: \(priority), payload: {aps: [alert]}"
        $0.devices = 200
      }.tally().apns[0].total(.storedForPower)
    }
    #expect(isPlausible(Int(try stored(priority: 5)), of: 200, probability: 0.5))
    #expect(try stored(priority: 10) == 0)
  }

  // A10
  @Test
  func `C1-12, A10: priority 1 does not wake the device, but comes when somebody uses it`() throws {
    func ends(_ profile: String) throws -> [PushEnd] {
      try evidence {
        $0.profile = profile
        if profile == "guide" { $0.policy = [] }
        $0.timeline = ["at: 3 h, screen: on"]
        $0.push = "priority: 1"
      }.trace().ends
    }
    #expect(try ends("evidence") == [PushEnd(.delivered, at: 10801)])
    #expect(try ends("guide") == [PushEnd(.delivered, at: 3601)])
  }

  // R-04 https://github.com/firebase/firebase-ios-sdk/issues/4605, S18
  @Test
  func `R-04, S18: a push that waits for the spacing is released with another notification, not past a gate`()
    throws
  {
    func ends(_ start: String) throws -> [PushEnd] {
      try evidence {
        $0.start = start
        $0.policy += ["release.other_notification: 100 %"]
        $0.timeline = ["at: 64 min, other_notification: true"]
        $0.send = "{at: [60 min, 62 min]}"
      }.trace().ends
    }
    #expect(try ends("battery: 80 %, last_open: 1 h")[1] == PushEnd(.delivered, at: 3840))
    #expect(try ends("battery: 80 %, last_open: 1 h, low_power_mode: on")[1].fate == .discardedByPolicy)
  }

  // R-10 https://github.com/e-mission/e-mission-phone/issues/290
  @Test
  func `R-10: a held push runs beside other work of the system, hours late`() throws {
    let waits = try (0..<40).map { device in
      try evidence {
        $0.policy[$0.policy.firstIndex(of: "release.activity: 0 %")!] = "release.activity: 10 %"
        $0.policy += ["usage_history.soft_weight: 1000"]
        $0.start = "battery: 80 %, charger: connected, last_open: 20 d"
        $0.devices = 40
      }.trace(device: device).ends[0].time - 3601
    }
    #expect(waits.contains { $0 < 6 * 3600 } && waits.contains { $0 > 6 * 3600 })
  }
}

struct EvidenceWindowReports {
  // R-16 https://stackoverflow.com/questions/58525436
  @Test
  func `R-16: after a restart the second of two pushes runs when 300 s are over`() throws {
    let trace = try evidence {
      $0.timeline = ["at: 1 h, reboot: true"]
      $0.send = "{at: [3690 s, 3694 s]}"
    }.trace()
    // The restart takes 30 s.
    #expect(
      trace.ends == [PushEnd(.coalescedOnDevice, "boot_window", at: 3695), PushEnd(.delivered, at: 3930)])
  }

  // R-18 https://developer.apple.com/forums/thread/689582
  @Test
  func `R-18: held in use for 900 s after a start, and while the camera is on; else at once`() throws {
    func end(_ screen: String, _ timeline: [String], send: String) throws -> PushEnd {
      try evidence {
        $0.start = "battery: 80 %, last_open: 1 h, screen: \(screen)"
        $0.timeline = timeline
        $0.send = "{at: [\(send)]}"
      }.trace().ends[0]
    }
    let reboot = ["at: 1 h, reboot: true"]
    #expect(try end("on", reboot, send: "70 min") == PushEnd(.delivered, at: 4530))
    #expect(try end("off", reboot, send: "70 min") == PushEnd(.delivered, at: 4201))
    #expect(try end("on", reboot, send: "80 min") == PushEnd(.delivered, at: 4801))
    let camera = ["at: 1 h, camera: on", "at: 90 min, camera: off"]
    #expect(try end("on", camera, send: "70 min") == PushEnd(.delivered, at: 5400))
    #expect(try end("on", camera, send: "95 min") == PushEnd(.delivered, at: 5701))
  }

  // R-19, a developer's post
  @Test
  func `R-19: held in use after a long outage, at once after a short one or with a debugger`() throws {
    func end(minutes: Int, debugger: String = "detached") throws -> PushEnd {
      try evidence {
        $0.start = "battery: 80 %, last_open: 1 h, screen: on, debugger: \(debugger)"
        $0.timeline = ["at: \(120 - minutes) min, network: offline", "at: 120 min, network: wifi"]
        $0.send = "{at: [121 min]}"
      }.trace().ends[0]
    }
    #expect(try end(minutes: 20) == PushEnd(.delivered, at: 8100))
    #expect(try end(minutes: 5) == PushEnd(.delivered, at: 7261))
    #expect(try end(minutes: 20, debugger: "attached") == PushEnd(.delivered, at: 7261))
  }
}

struct EvidenceStateReports {
  // R-21 https://github.com/firebase/flutterfire/issues/6112
  @Test
  func `R-21: under 10 % or in Low Power Mode none, over 20 % fine`() throws {
    func delivered(_ start: String) throws -> Int {
      try evidence {
        $0.start = start
        $0.send = "{at: [0 s, 30 min, 1 h]}"
        $0.duration = "90 min"
      }.tally().count(.delivered)
    }
    #expect(try delivered("battery: 9 %, last_open: 1 h") == 0)
    #expect(try delivered("battery: 25 %, last_open: 1 h") == 3)
    #expect(try delivered("battery: 80 %, last_open: 1 h, low_power_mode: on") == 0)
  }

  // R-05 https://github.com/firebase/quickstart-ios/issues/497
  @Test
  func `R-05: the charger lifts the battery gate`() throws {
    let ends = try evidence {
      $0.start = "battery: 12 %, last_open: 1 h"
      $0.timeline = ["at: 3 h, charger: connected"]
    }.trace().ends
    #expect(ends == [PushEnd(.delivered, at: 10800)])
  }

  // R-39 https://github.com/ole/SilentPush/issues/1
  @Test
  func `R-39: after a force quit none until the user opens the app`() throws {
    let ends = try evidence {
      $0.timeline = ["at: 30 min, force_quit: true", "at: 4 h, open_app: 1 min"]
      $0.send = "{every: 1 h, phase: 1 h}"
      $0.duration = "6.5 h"
    }.trace().ends
    // The fourth is sent in the moment of the open.
    #expect(ends.prefix(3).allSatisfy { $0.fate == .notWakeable && $0.reason == "force_quit" })
    #expect(ends.dropFirst(3).allSatisfy { $0.fate == .delivered })
  }

  // S22, R-43 https://github.com/andrei-m-code/net-core-push-notifications/issues/9
  @Test
  func `R-43: an alert with content-available is always shown, and wakes the app with the switch on`() throws
  {
    func tally(_ refresh: String, aps: String = "[alert, content-available]") throws -> Tally {
      try evidence {
        $0.start = "battery: 80 %, last_open: 1 h, background_app_refresh: \(refresh)"
        $0.send = "{every: 1 h}"
        $0.push = "priority: 10, payload: {aps: \(aps)}"
        $0.duration = "9.5 h"
      }.tally()
    }
    let (on, off) = (try tally("on"), try tally("off"))
    #expect(on.shown == on.sent && on.wakes == on.sent && on.sent > 0)
    #expect(off.shown == off.sent && off.wakes == 0)
    #expect(off.count(.notWakeable, .refreshSwitch) == Int(off.sent))
    // without content-available an alert never wakes.
    let plain = try tally("on", aps: "[alert]")
    #expect(plain.shown == plain.sent && plain.wakes == 0)
  }

  // S15, R-40 https://github.com/node-apn/node-apn/issues/241
  // R-44 https://developer.apple.com/forums/thread/745345
  @Test(arguments: [12, 13, 18])
  func `C1-13, R-40, R-44, T12: from iOS 13 on a push of priority 10 is accepted and wakes nothing`(
    version: Int
  ) throws {
    func tally(_ priority: Int, _ policy: [String] = []) throws -> Tally {
      try evidence {
        $0.os = version
        $0.policy += policy
        $0.send = "{every: 1 h}"
        $0.push = "priority: \(priority)"
        $0.duration = "9.5 h"
      }.tally()
    }
    let wrong = try tally(10)
    #expect(wrong.count(.rejected) == 0)
    #expect(wrong.wakes == (version < 13 ? wrong.sent : 0))
    if version >= 13 { #expect(wrong.reasonCount(.notWakeable, .priorityIgnored) == wrong.sent) }
    #expect(try tally(5).wakes == wrong.sent)
    // R-44 saw it wake at both: the other end of the range.
    #expect(try tally(10, ["apns.priority_10_ignored: 0 %"]).wakes == wrong.sent)
  }

  // R-41 https://github.com/parse-community/parse-server/issues/6106
  // R-42 https://github.com/codedge-llc/pigeon/issues/155
  @Test(arguments: ["alert", "missing"])
  func `R-41, R-42: iOS 12 delivers a silent push that does not call itself one, iOS 13 drops it`(
    type: String
  )
    throws
  {
    func end(_ version: Int, _ type: String) throws -> PushEnd {
      try evidence {
        $0.os = version
        $0.push = "type: \(type)"
      }.trace().ends[0]
    }
    #expect(try end(12, type) == PushEnd(.delivered, at: 3601))
    #expect(try end(13, type) == PushEnd(.notWakeable, "push_type_ignored", at: 3601))
    #expect(try end(13, "background") == PushEnd(.delivered, at: 3601))
  }

  // R-119 https://github.com/zo0r/react-native-push-notification/issues/263
  @Test
  func `R-119: a handler rule that is not followed stops launches after one or two, for a day`() throws {
    let trace = try evidence {
      $0.send = "{every: 1 h}"
      $0.handler = "duration: 500 ms, result: {never_completes: 100 %}"
      $0.duration = "23 h"
    }.trace()
    #expect((1...2).contains(trace.launchTimes.count))
  }

  // S20, R-34 https://github.com/firebase/flutterfire/issues/2813, R-35
  @Test
  func `R-34, R-35: a handler of 20 s rarely completes, and is not penalised for its short grant`() throws {
    let scripted = evidence {
      $0.handler = "duration: 20 s, result: {no_data: 100 %}"
      $0.send = "{every: 1 h}"
      $0.devices = 20
    }
    let tally = try scripted.tally()
    #expect(tally.count(.timedOut) > 9 * tally.count(.noData) && tally.count(.noData) > 0)
    let launches = try scripted.trace().launches
    #expect(launches.count > 40)
    #expect(launches.allSatisfy { 1...30 ~= $0.runTime })
  }
}
