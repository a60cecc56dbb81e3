import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

// What the guide about background fetch (C4) claims, as far as the profile `guide` models it; beside each claim that Apple
// or a report contradicts the other behaviour of the profile `evidence`. Then the public reports. How often refreshes come
// by the rules alone is in `BackgroundTaskReportsTests`, earliest begin dates and processing tasks in `MechanismTests` of
// VerificationTests, what C4-02, C4-03, C4-08, C4-10 and C4-11 say of pushes in `GuideSilentPushTests`. Identifiers and
// addresses are in Documentation/Sources.md; Documentation/Seeds.md lists every claim.

/// A user who opens the app at 8, 12 and 18 h of every day.
private func dailyOpens(_ days: Int) -> [String] {
  (0..<days).flatMap { day in [8, 12, 18].map { "at: \(day * 24 + $0) h, open_app: 1 min" } }
}

/// An app that is refreshed at every opportunity, of which there is one every two minutes, but for what a test changes.
private func fetching(
  _ profile: String, _ mechanisms: String = "app_refresh: {}", days: Int = 2,
  _ change: (inout ScriptedCase) -> Void = { _ in }
) -> ScriptedCase {
  ScriptedCase {
    $0.profile = profile
    $0.policy = [
      "app_refresh.peak_interval: 2 min", "app_refresh.device_sigma: 0", "usage_history.mode: off",
      "app_refresh.on_battery: 100 %", "app_refresh.grant_sigma: 0", "app_refresh.grant_median: 30 s",
      "app_refresh.grant_shortest: 30 s", "device_pool.mode: off",
    ]
    $0.app = "background_modes: [fetch, processing]"
    $0.mechanisms = mechanisms
    $0.timeline = dailyOpens(days)
    $0.duration = "\(days) d"
    change(&$0)
  }
}

private let profiles = ["guide", "evidence"]

struct GuideFetchTests {
  // The reverse of C4-03 for results without an effect: B18, none is published.
  @Test func `C4-03, C4-08: failed and late runs make the next ones rarer; Apple publishes no such number`()
    throws
  {
    func runs(_ profile: String, _ handler: String) throws -> Int {
      try fetching(profile) {
        $0.handler = handler
        // Nobody's opens forgive.
        $0.timeline = []
      }.trace().runs(.appRefresh).count
    }
    let (good, failed) = (
      "duration: 2 s, result: {new_data: 100 %}", "duration: 2 s, result: {failed: 100 %}"
    )
    let late = "duration: 40 s, result: {new_data: 100 %}"
    #expect(try runs("guide", failed) < runs("guide", good))
    // Too many misses in a row end them.
    #expect(try 2 * runs("guide", late) < runs("guide", failed))
    #expect(try runs("evidence", failed) == runs("evidence", good))
    #expect(try 2 * runs("evidence", late) < runs("evidence", good))
  }

  @Test func `C4-04: a run that finds nothing new brings no data, whatever the app claims`() throws {
    let tally = try fetching("guide") {
      $0.handler = "duration: 2 s, result: {new_data: 100 %}"
      $0.updates = "{at: [1 h]}"
    }.tally()
    let results = tally.tasks[Int(TaskMechanism.appRefresh.rawValue)].results
    // One of them, or the open at 8 h, brings the update.
    #expect(results[Int(LaunchResult.newData.rawValue)] <= 1)
    #expect(results[Int(LaunchResult.noData.rawValue)] > 50)
  }

  @Test(arguments: ["api: task", "api: legacy"])
  func `C4-05, C4-06: an interval of 1 min brings no more refreshes than one of 15`(api: String) throws {
    for profile in profiles {
      func times(_ earliest: String) throws -> [Double] {
        // An open would ask anew, and the wait begin again.
        try fetching(profile, "app_refresh: {\(api), earliest: \(earliest)}") { $0.timeline = [] }
          .trace().runs(.appRefresh)
      }
      let (minute, quarter) = try (times("1 min"), times("15 min"))
      #expect(minute == quarter && minute.count > 100, "\(profile)")
      #expect(zip(minute, minute.dropFirst()).allSatisfy { $1 - $0 >= 900 }, "\(profile)")
    }
  }

  // C4-07, R-86 to R-88: 24 h and more without.
  @Test(arguments: profiles)
  func `C4-07: the system may go many hours without a fetch`(profile: String) throws {
    var longest = 0.0
    for device in 0..<5 as Range<UInt32> {
      let times = try fetching(profile, days: 5) {
        $0.policy = []
        $0.devices = 5
        $0.timeline = (0..<5).map { "at: \($0 * 24 + 18) h, open_app: 1 min" }
      }.trace(device: device).runs(.appRefresh)
      let all = [0] + times + [5 * 86_400]
      longest = max(longest, zip(all, all.dropFirst()).map { $1 - $0 }.max()! / 3600)
    }
    #expect(longest > 8)
  }

  // B3: up to 30 s.
  @Test(arguments: profiles)
  func `C4-08: a run has 30 s, and is then ended`(profile: String) throws {
    func launch(_ seconds: Int) throws -> LaunchNote {
      try fetching(profile) { $0.handler = "duration: \(seconds) s, result: {no_data: 100 %}" }
        .trace().launches[0]
    }
    #expect(try launch(29).result == .noData && launch(29).runTime == 29)
    #expect(try launch(31).result == .timedOut && launch(31).runTime == 30)
  }

  // W1: below 20 % only essential work.
  @Test func `C4-10: a battery below 20 % makes fetches rarer; by Apple's word there are none`() throws {
    func runs(_ profile: String, battery: Int) throws -> Int {
      try fetching(profile) {
        $0.start = "battery: \(battery) %, last_open: 1 h"
        $0.timeline = ["at: 6 h, battery: \(battery) %"]
        $0.duration = "12 h"
      }.trace().runs(.appRefresh).count
    }
    let (fine, low) = try (runs("guide", battery: 90), runs("guide", battery: 15))
    #expect(0 < low && low < fine, "\(low) of \(fine)")
    #expect(try runs("evidence", battery: 90) > 0 && runs("evidence", battery: 15) == 0)
  }

  @Test(arguments: profiles)
  func `C4-11: Low Power Mode and the switch stop fetches and processing tasks`(profile: String) throws {
    func runs(_ start: String) throws -> [Int] {
      let trace = try fetching(profile, "app_refresh: {}, processing_task: {}") {
        $0.policy += ["processing_task.on_battery: 100 %", "processing_task.spacing: 1 h"]
        $0.start = "battery: 80 %, last_open: 1 h\(start)"
        $0.timeline = []
        $0.duration = "12 h"
      }.trace()
      return TaskMechanism.allCases.map { trace.runs($0).count }
    }
    #expect(try runs("").allSatisfy { $0 > 0 })
    #expect(try runs(", low_power_mode: on") == [0, 0])
    #expect(try runs(", background_app_refresh: off") == [0, 0])
  }

  // B23: what is enqueued in the background counts as discretionary.
  @Test(arguments: profiles)
  func `C4-12: a fetch may hand a large download to a background session, which loads when it suits`(
    profile: String
  ) throws {
    func downloads(_ timeline: [String]) throws -> (tally: Tally, launched: Double) {
      let trace = try fetching(profile, "app_refresh: {}, background_download: {size: 200 MB}") {
        $0.handler = "duration: 2 s, result: {new_data: 100 %}"
        $0.population = ["network.bandwidth.wifi: 8 Mbit/s"]
        $0.updates = "{at: [30 min]}"
        $0.timeline = timeline
        $0.duration = "12 h"
      }.trace()
      return (trace.tally, trace.launches.first { $0.result == .newData }!.runTime)
    }
    let waiting = try downloads([])
    #expect(waiting.tally.downloads.started == 1 && waiting.tally.downloads.pending == 1)
    // 200 s of loading take no time of the run.
    #expect(waiting.launched == 2)
    let charged = try downloads(["at: 6 h, charger: connected"]).tally.downloads
    #expect(charged.completed == 1)
  }

  @Test func `C4-13, C4-14: a processing task has 10 min in the guide; Apple says several`() throws {
    func runTimes(_ profile: String) throws -> [Double] {
      try fetching(profile, "processing_task: {requires_power: on, duration: 1 h}") {
        $0.policy += ["processing_task.spacing: 30 min", "fetch_feedback.mode: off"]
        $0.start = "battery: 80 %, last_open: 1 h, charger: connected"
        $0.timeline = []
      }.trace().launches.map(\.runTime)
    }
    let guide = try runTimes("guide")
    #expect(guide.count > 3 && guide.allSatisfy { $0 == 600 })
    let evidence = try runTimes("evidence")
    #expect(evidence.count > 3 && evidence.allSatisfy { 30...600 ~= $0 })
    #expect(evidence.contains { $0 < 500 })
  }
}

/// What developers report of refreshes and processing tasks, beside `BackgroundTaskReportsTests`.
struct FetchReports {
  // R-86 https://github.com/transistorsoft/react-native-background-fetch/issues/164; that they then came exactly a day
  // apart is not reproduced.
  @Test func `R-86: the first refresh of a new install comes a day later`() throws {
    let times = try fetching("evidence", days: 4) {
      $0.policy.removeAll { $0.hasPrefix("usage_history") }
      $0.timeline =
        ["at: 10 min, uninstall: true", "at: 20 min, install: true"] + dailyOpens(4)
    }.trace().runs(.appRefresh).filter { $0 > 1200 }
    #expect(try #require(times.first) >= 86_400 + 1200)
  }

  // R-94 https://github.com/corona-warn-app/cwa-app-ios/issues/916
  @Test func `R-94: on battery refreshes are rarer than with power, and may stay out for a day`() throws {
    func counts(_ charger: String, _ policy: [String] = []) throws -> [Int] {
      try (0..<10 as Range<UInt32>).map { device in
        try fetching("evidence", days: 1) {
          $0.policy.removeAll { $0.hasPrefix("app_refresh.on_battery") || $0.hasPrefix("app_refresh.peak") }
          $0.policy += policy
          $0.start = "battery: 90 %, last_open: 1 h, charger: \(charger)"
          $0.devices = 10
        }.trace(device: device).runs(.appRefresh).count
      }
    }
    let (battery, power) = try (counts("disconnected"), counts("connected"))
    #expect(battery.reduce(0, +) < power.reduce(0, +))
    // At the lower end of the parameter's range as reported.
    let rarely = try counts("disconnected", ["app_refresh.on_battery: 5 %"])
    #expect(rarely.contains(0) && power.allSatisfy { $0 > 0 })
  }

  // R-96 https://github.com/transistorsoft/react-native-background-fetch/issues/322,
  // R-93 https://github.com/corona-warn-app/cwa-app-ios/issues/740
  @Test func `R-93, R-96: a nightly task runs no more than once a night, and drifts`() throws {
    let nights = 14
    let times = try fetching("evidence", "processing_task: {requires_power: on}", days: nights) {
      $0.policy = ["processing_task.device_sigma: 0"]
      $0.timeline = (0..<nights).flatMap { night in
        [
          "at: \(night * 24) h, charger: connected", "at: \(night * 24 + 7) h, charger: disconnected",
          "at: \(night * 24 + 12) h, open_app: 1 min",
        ]
      }
    }.trace().runs(.processingTask)
    #expect(times.count >= 3 && times.count <= nights)
    #expect(Set(times.map { Int($0 / 86_400) }).count == times.count)
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 >= 86_400 })
    #expect(gaps.contains { 86_400 + 600...86_400 + 6 * 3600 ~= $0 })
  }

  // R-99 https://developer.apple.com/forums/thread/780956
  @Test func `R-99: a refresh may have no more than 2 to 5 s`() throws {
    let times = try fetching("evidence", days: 5) {
      $0.policy.removeAll { $0.hasPrefix("app_refresh.grant") }
      $0.policy.append("fetch_feedback.mode: off")
      $0.handler = "duration: 30 s, result: {no_data: 100 %}"
    }.trace().launches.map(\.runTime)
    let short = times.count { 2...5 ~= $0 }
    #expect(times.count > 100 && short * 5 > times.count, "\(short) of \(times.count)")
    #expect(times.allSatisfy { 1...30 ~= $0 })
  }

  // R-101 https://github.com/cocoa-mhlw/cocoa/pull/644
  @Test func `R-101: no processing task while the device is in use, nor at a load of 90 %`() throws {
    func runs(_ timeline: [String]) throws -> Int {
      try fetching("evidence", "processing_task: {}") {
        $0.policy += ["processing_task.on_battery: 100 %", "processing_task.peak_interval: 5 min"]
        $0.start = "battery: 80 %, last_open: 1 h, charger: connected"
        $0.timeline = timeline
        $0.duration = "6 h"
      }.trace().runs(.processingTask).count
    }
    #expect(try runs([]) == 1)
    #expect(try runs(["at: 1 s, screen: on"]) == 0)
    #expect(try runs(["at: 1 s, cpu_load: 90 %"]) == 0)
  }

  // R-103 https://developer.apple.com/forums/thread/793189
  @Test func `R-103: from iOS 18 on a processing task runs after a force quit, a refresh does not`() throws {
    func runs(_ profile: String, os: Int) throws -> [Int] {
      let trace = try fetching(profile, "app_refresh: {}, processing_task: {}") {
        $0.os = os
        $0.policy += ["processing_task.on_battery: 100 %", "processing_task.peak_interval: 5 min"]
        $0.start = "battery: 80 %, last_open: 1 h, charger: connected"
        $0.timeline = ["at: 1 s, force_quit: true"]
        $0.duration = "6 h"
      }.trace()
      return TaskMechanism.allCases.map { trace.runs($0).count }
    }
    #expect(try runs("evidence", os: 18) == [0, 1])
    #expect(try runs("evidence", os: 17) == [0, 0])
    #expect(try runs("guide", os: 18) == [0, 0])
  }
}
