import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

// What the guide about silent pushes (C0) claims, as far as the profile `guide` models it. The identifiers are those of
// Documentation/Sources.md; Documentation/Model.md lists the claims that no test here covers, and why.

/// C0-01, C0-02, C0-12, C0-15: what is a silent push, and what is an ordinary notification.
struct GuidePayloadTests {
  private func tally(aps: String) throws -> Tally {
    try ScriptedCase {
      $0.send = "{every: 1 h}"
      $0.push = "payload: {aps: \(aps)}"
      $0.duration = "12.5 h"
    }.tally()
  }

  // C0-01
  @Test
  func `C0-01: content-available alone wakes the app and shows nothing`() throws {
    let tally = try tally(aps: "{content-available: 1}")
    #expect(tally.sent == 13)
    #expect(tally.deliveredInBackground == 13 && tally.wakes == 13)
    #expect(tally.shown == 0)
  }

  // C0-01
  @Test(arguments: ["{content-available: 0}", "[]"])
  func `C0-01: without content-available no app is woken`(aps: String) throws {
    let tally = try tally(aps: aps)
    #expect(tally.count(.notWakeable, .payload) == 13)
    #expect(tally.wakes == 0)
  }

  // C0-02: whatever `content-available` says, where the user permits alerts, as the scripted user does.
  @Test(arguments: ["{alert: hello}", "{alert: hello, content-available: 1}", "[alert, sound]"])
  func `C0-02: a push with an alert is always shown`(aps: String) throws {
    let tally = try tally(aps: aps)
    #expect(tally.sent == 13 && tally.shown == 13)
  }

  // C0-15, and C0-12 as C0-01 resolves it: a badge makes it an alert push too.
  @Test(arguments: ["[content-available, alert]", "[content-available, sound]", "[content-available, badge]"])
  func `C0-15: an alert, a sound or a badge makes an ordinary notification that wakes no app`(aps: String)
    throws
  {
    let tally = try tally(aps: aps)
    #expect(tally.count(.notWakeable, .payload) == 13)
    #expect(tally.wakes == 0)
  }
}

/// C0-03 and C0-19: the conditions under which a push is delayed or cancelled.
struct GuideConditionTests {
  /// The conditions named by C0-03 (battery, Low Power Mode, frequency, app activity, load of the processor), each as
  /// a change of a case in which nothing is in the way.
  enum Condition: CaseIterable {
    case battery, lowPowerMode, frequency, appActivity, cpuLoad

    func apply(_ scripted: inout ScriptedCase) {
      switch self {
      case .battery: scripted.start = "battery: 15 %, last_open: 1 h"
      case .lowPowerMode: scripted.start = "battery: 80 %, last_open: 1 h, low_power_mode: on"
      case .frequency: scripted.send = "{at: [51 min, 54 min, 57 min, 1 h]}"
      case .appActivity: scripted.start = "battery: 80 %, last_open: 60 d"
      case .cpuLoad: scripted.timeline = ["at: 30 min, cpu_load: 95 %"]
      }
    }

    var factor: FactorID {
      switch self {
      case .battery: .batteryLevel
      case .lowPowerMode: .lowPowerMode
      case .frequency: .hourlyBudget
      case .appActivity: .usageHistory
      case .cpuLoad: .cpuLoad
      }
    }
  }

  // C0-03
  @Test(arguments: Condition.allCases)
  func `C0-03: delivery depends on the condition`(condition: Condition) throws {
    var scripted = ScriptedCase { $0.duration = "6 h" }
    #expect(try scripted.trace().ends == [PushEnd(.delivered, at: 3601)])
    condition.apply(&scripted)
    let last = try #require(try scripted.trace().ends.last)
    #expect(last != PushEnd(.delivered, at: 3601))
    // Without the factor there is nothing in the way.
    scripted.policy.append("\(condition.factor.name).mode: off")
    #expect(try scripted.trace().ends.last == PushEnd(.delivered, at: 3601))
  }

  /// Pushes of 100 devices, four each, two hours apart, to devices that recover at 12 h.
  private func share(of factor: FactorID, start: String, recovery: String) throws -> (ended: Int, late: Int) {
    let tally = try ScriptedCase {
      $0.start = start
      $0.timeline = ["at: 12 h, \(recovery)"]
      $0.send = "{at: [1 h, 3 h, 5 h, 7 h]}"
      $0.devices = 100
      $0.duration = "1 d"
      // What the factor under test leaves is not to meet another.
      $0.policy = ScriptedCase.only(factor)
    }.tally()
    #expect(tally.sent == 400)
    #expect(tally.within[3] == 0, "delivered within the hour")
    return (tally.count(.discardedByPolicy, factor), tally.count(.delivered))
  }

  // C0-19 says delayed or cancelled; that half is cancelled is assumed.
  @Test
  func `C0-19: Low Power Mode delays or cancels`() throws {
    let (cancelled, delayed) = try share(
      of: .lowPowerMode, start: "battery: 80 %, low_power_mode: on", recovery: "low_power_mode: off")
    #expect(cancelled + delayed == 400)
    #expect(isPlausible(cancelled, of: 400, probability: 0.5))
  }

  // C0-19, C4-10; that a quarter is cancelled is assumed.
  @Test
  func `C0-19: a battery under 20 % delays or cancels`() throws {
    let (cancelled, delayed) = try share(of: .batteryLevel, start: "battery: 18 %", recovery: "battery: 60 %")
    #expect(cancelled + delayed == 400)
    #expect(isPlausible(cancelled, of: 400, probability: 0.25))
  }

  // C0-19; how fast an app is forgotten is assumed.
  @Test
  func `C0-19: an app long unused is woken by none of its pushes, one opened lately by all, others by some`()
    throws
  {
    func delivered(lastOpen: String) throws -> Int {
      try ScriptedCase {
        $0.start = "battery: 80 %, last_open: \(lastOpen)"
        $0.send = "{at: [1 h]}"
        $0.devices = 200
        $0.duration = "12 h"
      }.tally().count(.delivered)
    }
    #expect(try delivered(lastOpen: "20 d") == 0)
    #expect(try delivered(lastOpen: "1 h") == 200)
    // From 1 at 24 h to 0 at 14 d, at 4 d and the hour of the push: 1 − (97 − 24) / (336 − 24).
    #expect(try isPlausible(delivered(lastOpen: "4 d"), of: 200, probability: 1 - 73.0 / 312))
  }

  // C0-19
  @Test
  func `C0-19: after many pushes one is delayed or cancelled`() throws {
    let tally = try ScriptedCase {
      $0.send = "{every: 12 min}"
      $0.devices = 20
      $0.duration = "12 h"
    }.tally()
    #expect(tally.count(.discardedByPolicy, .hourlyBudget) > 0)
    #expect(tally.within[3] - tally.within[0] > 0, "some are late")
    #expect(tally.within[0] > 0, "some are on time")
  }

  // C0-19 and C4-10 put the line at 20 %.
  @Test
  func `C0-19: the battery counts from below 20 % on`() throws {
    func fate(_ level: String) throws -> Fate? {
      try ScriptedCase {
        $0.start = "battery: \(level), last_open: 1 h"
        $0.send = "{at: [0 s]}"
        $0.duration = "1 h"
      }.trace().ends.last?.fate
    }
    #expect(try fate("20.1 %") == .delivered)
    #expect(try fate("19.9 %") != .delivered)
  }

  // C0-18: an optimisation, no reliable channel.
  @Test
  func `C0-18: whatever the sender sets, some pushes wake no app`() throws {
    let run = try Simulation.run(
      """
      scenario: unreliable
      question: Can a sender make sure?
      strategies:
        plain: {background_push: {send: {every: 2 h}}}
        urgent: {background_push: {send: {every: 2 h}, priority: 10}}
        eager: {background_push: {send: {every: 2 h}, priority: 1}}
        patient: {background_push: {send: {every: 2 h}, expiration: 30 d}}
        hasty: {background_push: {send: {every: 2 h}, expiration: 0 s}}
        small: {background_push: {send: {every: 2 h}, payload: {bytes: 40 B}}}
      experiment: {devices: 40, duration: 2 d, warm_up: 0 s, replications: 1}
      """)
    for strategy in run.runs[0].strategies {
      #expect(strategy.total.count(.delivered) > 0, "\(strategy.name)")
      #expect(strategy.total.count(.delivered) * 10 < strategy.total.sent * 9, "\(strategy.name)")
    }
  }
}

/// C0-04 to C0-06: Power Nap. Apple describes it for Macs only (P2, P6); the profile follows the guide.
struct GuidePowerNapTests {
  /// A sleeping Mac that wakes every hour on the hour.
  private let sleepingMac = ScriptedCase {
    $0.device = "mac"
    $0.policy = ["power_nap.sigma: 0"]
    $0.duration = "6 h"
  }

  // C0-04
  @Test
  func `C0-04: a device with an M chip that sleeps is woken periodically, and pushes with it`() throws {
    var mac = sleepingMac
    mac.send = "{at: [10 min, 90 min, 200 min]}"
    let trace = try mac.trace()
    #expect(trace.launchTimes == [3600, 7200, 14400])
    #expect(trace.ends.map(\.fate) == [.delivered, .delivered, .delivered])
    // Awake, or without an M chip, there is nothing to wait for.
    mac.timeline = ["at: 0 s, screen: on"]
    #expect(try mac.trace().launchTimes == [601, 5401, 12001])
    mac.timeline = []
    mac.device = "iphone"
    #expect(try mac.trace().launchTimes == [601, 5401, 12001])
  }

  // C0-04: the intervals the profile assumes are 15 to 195 min around an hour.
  @Test
  func `C0-04: at the profile's own intervals a launch falls on a Power Nap wake`() throws {
    var mac = sleepingMac
    mac.policy = []
    mac.send = "{every: 2 h, phase: 1 min}"
    mac.duration = "2 d"
    let trace = try mac.trace()
    var wakes: Set<Double> = []
    for record in trace.records {
      if case .changed(_, _, .powerNapWake) = record.event { wakes.insert(record.time.seconds) }
    }
    #expect(trace.launchTimes.count > 5)
    #expect(Set(trace.launchTimes).isSubset(of: wakes))
  }

  // C0-05
  @Test
  func `C0-05: Power Nap gathers several pushes into one launch`() throws {
    var mac = sleepingMac
    mac.send = "{at: [5 min, 25 min, 50 min, 70 min, 110 min]}"
    let launches = try mac.trace().launches
    #expect(launches.map(\.time) == [3600, 7200])
    #expect(launches.map(\.handled) == [3, 2])
  }

  // C0-06: no push brings the wake forward; which app history decides is left to `usage_history`.
  @Test(arguments: [
    "priority: 5", "priority: 1", "expiration: 30 min", "payload: {bytes: 4 KB}", "collapse_id: x",
  ])
  func `C0-06: the sender does not control Power Nap`(push: String) throws {
    var mac = sleepingMac
    mac.send = "{at: [10 min]}"
    mac.push = push
    #expect(try mac.trace().launchTimes == [3600])
  }
}

/// C0-07, C0-08, C0-17, C0-23, C4-03, C4-08: the handler and what follows from it.
struct GuideHandlerTests {
  private func handler(_ duration: String, _ result: String) -> String {
    "duration: \(duration), result: {\(result): 100 %}"
  }

  // C0-07, C4-08
  @Test
  func `C0-07: a handler has 30 s`() throws {
    func launch(_ duration: String) throws -> LaunchNote? {
      try ScriptedCase { $0.handler = handler(duration, "no_data") }.trace().launches.first
    }
    let quick = try #require(try launch("29.9 s"))
    #expect(quick.result == .noData && quick.runTime == 29.9)
    let late = try #require(try launch("30.1 s"))
    #expect(late.result == .timedOut && late.runTime == 30)
  }

  // C0-17, C4-08
  @Test
  func `C4-08: a handler that never completes is killed after 30 s`() throws {
    let trace = try ScriptedCase { $0.handler = handler("2 s", "never_completes") }.trace()
    #expect(trace.launches.map(\.result) == [.killed])
    #expect(trace.launches.map(\.runTime) == [30])
    let ended = trace.records.first {
      if case .handlerEnded = $0.event { true } else { false }
    }
    #expect(ended?.time.seconds == 3631)
  }

  /// Launches of one app over three days at six pushes an hour, more than its budget serves.
  private func launches(_ handler: String, _ policy: [String] = []) throws -> Int {
    let trace = try ScriptedCase {
      $0.start = "battery: 80 %, last_open: 1 h, charger: connected"
      $0.send = "{every: 10 min}"
      $0.handler = handler
      // Signs only: a stop is tested apart, an unused app is not the point, and no push is ignored.
      $0.policy =
        policy + ScriptedCase.only(.fetchFeedback, .hourlyBudget) + ["hourly_budget.ignore_probability: 0 %"]
      $0.duration = "3 d"
    }.trace()
    return trace.launchTimes.count
  }

  private let neverStops = ["fetch_feedback.stop_after: 1000"]

  // C0-08: reduces the frequency …
  @Test
  func `C0-08: late processing makes launches rarer`() throws {
    let prompt = try launches(handler("2 s", "no_data"), neverStops)
    let late = try launches(handler("40 s", "no_data"), neverStops)
    // At 2.5 an hour and a burst of 3, and at the share that late handlers leave in the long run.
    #expect((180...184).contains(prompt))
    #expect(late * 2 < prompt)
  }

  // C0-08: … or stops it entirely. After how many is assumed.
  @Test(arguments: ["duration: 40 s", "duration: 2 s, result: {never_completes: 100 %}"])
  func `C0-08, C0-17: missed completions in a row stop launches until the user opens the app`(handler: String)
    throws
  {
    let trace = try ScriptedCase {
      $0.timeline = ["at: 20.5 h, open_app: 1 min"]
      $0.send = "{every: 1 h}"
      $0.handler = handler
    }.trace()
    let launches = trace.launchTimes
    #expect(launches.prefix(5) == [1, 3601, 7201, 10801, 14401])
    #expect(launches.dropFirst(5).prefix(5) == [75601, 79201, 82801, 86401, 90001])
    #expect(launches.count == 10)
    // What waited is handed over at the open, 15 pushes, in one go.
    #expect(trace.launches.filter(\.inForeground).map(\.handled) == [16])
  }

  // C0-17
  @Test
  func `C0-17: a forgotten completion handler makes launches rarer`() throws {
    let completing = try launches(handler("2 s", "no_data"), neverStops)
    let forgetting = try launches(handler("2 s", "never_completes"), neverStops)
    #expect(forgetting * 2 < completing)
  }

  // C0-23
  @Test
  func `C0-23: the longer the processing, the rarer the launches`() throws {
    let counts = try ["1 s", "10 s", "15 s", "20 s", "25 s", "29 s"].map {
      try launches(handler($0, "no_data"), neverStops)
    }
    for (quicker, slower) in zip(counts, counts.dropFirst()) { #expect(quicker > slower, "\(counts)") }
  }

  // C4-03
  @Test
  func `C4-03: new data may raise, no data leaves, failure lowers the frequency`() throws {
    let neutral = try launches(handler("2 s", "no_data"), ["fetch_feedback.mode: off"])
    let newData = try launches(handler("2 s", "new_data"))
    let noData = try launches(handler("2 s", "no_data"))
    let failed = try launches(handler("2 s", "failed"))
    #expect(newData > neutral)
    #expect(noData == neutral)
    #expect(failed < noData)
  }
}

/// C0-09, C0-10, C0-21: how often.
struct GuideFrequencyTests {
  // C0-09 advises 2–3 an hour.
  @Test
  func `C0-09: two pushes an hour all wake the app at once`() throws {
    let trace = try ScriptedCase {
      $0.send = "{every: 30 min}"
      $0.duration = "12.1 h"
    }.trace()
    #expect(trace.ends.allSatisfy { $0.fate == .delivered })
    #expect(trace.launchTimes == (0...24).map { Double($0) * 1800 + 1 })
  }

  // C0-09, C0-10: between two and three launches an hour, whatever is sent beyond.
  @Test(arguments: ["20 min", "15 min", "12 min", "10 min"])
  func `C0-10: beyond 2–3 an hour pushes are ignored`(interval: String) throws {
    let trace = try ScriptedCase {
      $0.start = "battery: 80 %, last_open: 1 h, charger: connected"
      $0.timeline = ["at: 18 h, open_app: 1 s", "at: 36 h, open_app: 1 s"]
      $0.send = "{every: \(interval)}"
    }.trace()
    #expect(trace.ends.contains { $0.fate == .discardedByPolicy && $0.reason == "hourly_budget" })
    let perHour = Double(trace.launchTimes.count) / 48
    #expect(2...3 ~= perHour, "\(perHour) an hour")
  }

  // C0-21; when and for how long is assumed: more than 3 × 2.5 within an hour, for an hour.
  @Test
  func `C0-21: far more than 2–3 an hour leads to a block`() throws {
    let trace = try ScriptedCase {
      $0.send = "{every: 5 min}"
      $0.duration = "95 min"
    }.trace()
    let ends = trace.ends
    // The eighth, at 35 min, is one too many; the block lasts an hour from its arrival.
    for (number, end) in ends.enumerated() where 7...18 ~= number {
      #expect(end == PushEnd(.discardedByPolicy, "sustained_excess", at: Double(number) * 300 + 1))
    }
    #expect(ends.prefix(7).allSatisfy { $0.reason != "sustained_excess" })
    #expect(trace.launchTimes.allSatisfy { $0 < 2101 })
  }
}

/// C0-13, C0-14, C4-02, C4-10, C4-11: settings and habits.
struct GuideSettingTests {
  // C0-13, C0-14
  @Test
  func `C0-14: without the background mode the push arrives and wakes nothing`() throws {
    let trace = try ScriptedCase { $0.app = "background_modes: [fetch]" }.trace()
    #expect(trace.ends == [PushEnd(.notWakeable, "background_mode", at: 3601)])
    #expect(trace.launches.isEmpty)
    let arrives = trace.records.contains {
      if case .arrived = $0.event { true } else { false }
    }
    #expect(arrives)
  }

  // C4-11
  @Test
  func `C4-11: Background App Refresh off stops all background launches`() throws {
    let trace = try ScriptedCase {
      $0.timeline = [
        "at: 90 min, background_app_refresh: off", "at: 150 min, background_app_refresh: on",
      ]
      $0.send = "{every: 1 h, phase: 1 h}"
      $0.duration = "4 h"
    }.trace()
    #expect(
      trace.ends == [
        PushEnd(.delivered, at: 3601), PushEnd(.notWakeable, "refresh_switch", at: 7201),
        PushEnd(.delivered, at: 10801),
      ])
  }

  // C4-11
  @Test
  func `C4-11: Low Power Mode stops launches until it ends, also on the charger`() throws {
    let trace = try ScriptedCase {
      $0.start = "battery: 80 %, last_open: 1 h, low_power_mode: on, charger: connected"
      $0.timeline = ["at: 6 h, low_power_mode: off"]
      $0.policy = ["low_power_mode.cancel_probability: 0 %"]
      $0.duration = "12 h"
    }.trace()
    #expect(trace.ends == [PushEnd(.delivered, at: 21600)])
  }

  // C4-10
  @Test
  func `C4-10: under 20 % a push waits for the level`() throws {
    let trace = try ScriptedCase {
      $0.start = "battery: 15 %, last_open: 1 h"
      $0.timeline = ["at: 5 h, battery: 25 %"]
      $0.policy = ["battery_level.cancel_probability: 0 %"]
      $0.duration = "12 h"
    }.trace()
    #expect(trace.ends == [PushEnd(.delivered, at: 18000)])
  }

  // C4-02; how long a habit lasts and what it counts for is assumed.
  @Test
  func `C4-02: the system learns at what hour the user opens the app, and waits for it`() throws {
    var scripted = ScriptedCase {
      $0.start = "battery: 80 %, charger: connected"
      // Opened every evening for two weeks, then not any more; forgotten after two days.
      $0.timeline = (0..<14).map { "at: \($0 * 24 + 20).25 h, open_app: 1 min" }
      $0.send = "{at: [418 h]}"
      $0.policy = ["usage_history.forgotten_after: 2 d"]
      $0.duration = "20 d"
    }
    // Thursday of the third week at 10 h.
    #expect(try scripted.trace().ends == [PushEnd(.delivered, at: 428 * 3600)])
    // A user without the habit.
    scripted.timeline = []
    #expect(try scripted.trace().ends == [PushEnd(.discardedByPolicy, "usage_history", at: 442 * 3600 + 1)])
  }

  // C4-02
  @Test
  func `C4-02: a forgotten app is woken more often in its user's usual hour than in others`() throws {
    func prompt(_ hour: Int) throws -> Int {
      try Int(
        ScriptedCase {
          $0.start = "battery: 80 %, charger: connected"
          $0.timeline = (0..<14).map { "at: \($0 * 24 + 20).25 h, open_app: 1 min" }
          $0.send = "{at: [\(17 * 24 + hour).5 h]}"
          $0.policy = ["usage_history.forgotten_after: 2 d"]
          $0.devices = 100
          $0.duration = "20 d"
        }.tally().within[0])
    }
    #expect(try prompt(10) == 0)
    #expect(try isPlausible(prompt(20), of: 100, probability: 0.3))
  }
}

/// C1-01, C1-02, C1-04, C1-05, C1-10, C1-13 to C1-19: APNs, from the guide about it.
struct GuideAPNsTests {
  // C1-01; reports know links that are dead while APNs believes them alive.
  @Test
  func `C1-01: the connection persists, so that nothing is lost on it`() throws {
    func lost(_ policy: [String]) throws -> Int {
      try ScriptedCase {
        $0.send = "{every: 1 h}"
        $0.duration = "7 d"
        $0.devices = 20
        $0.policy = policy
      }.tally().count(.lost)
    }
    #expect(try lost([]) == 0)
    #expect(try lost(["apns.dead_link_on_wifi: 1 /day"]) > 0)
  }

  // C1-02
  @Test
  func `C1-02: APNs sends again when the device is back`() throws {
    let trace = try ScriptedCase {
      $0.timeline = ["at: 30 min, network: offline", "at: 5 h, network: cellular"]
    }.trace()
    #expect(trace.ends == [PushEnd(.delivered, at: 18001)])
  }

  // C1-04
  @Test
  func `C1-04: for a device that is off or offline APNs keeps the last push of the app`() throws {
    let trace = try ScriptedCase {
      $0.timeline = ["at: 30 min, network: offline", "at: 5 h, network: wifi"]
      $0.send = "{every: 1 h, phase: 1 h}"
      $0.duration = "5.5 h"
    }.trace()
    #expect(
      trace.ends == [
        PushEnd(.overwrittenAtAPNs, "newer_push", at: 7200),
        PushEnd(.overwrittenAtAPNs, "newer_push", at: 10800),
        PushEnd(.overwrittenAtAPNs, "newer_push", at: 14400), PushEnd(.delivered, at: 18001),
        PushEnd(.delivered, at: 18001),
      ])
  }

  // C1-05. Apple: 30 days or less (A2); the profile follows the guide.
  @Test
  func `C1-05: APNs stores a push for four weeks`() throws {
    func fate(backAt days: String) throws -> PushEnd? {
      try ScriptedCase {
        $0.start = "battery: 80 %, network: offline, charger: connected"
        $0.timeline = ["at: \(days), network: wifi"]
        $0.send = "{at: [0 s]}"
        $0.duration = "30 d"
        $0.policy = ["usage_history.mode: off"]
      }.trace().ends.first
    }
    #expect(try fate(backAt: "27.9 d")?.fate == .delivered)
    #expect(try fate(backAt: "28.1 d") == PushEnd(.expiredAtAPNs, "expired", at: 28.1 * 86400))
  }

  // C1-10, C1-13; that half is rejected is assumed.
  @Test
  func `C1-13: APNs may reject a background push of priority 10, none of priority 5`() throws {
    func rejected(_ priority: Int) throws -> Int {
      try ScriptedCase {
        $0.send = "{at: [1 h, 2 h, 3 h]}"
        $0.push = "priority: \(priority)"
        $0.devices = 100
        $0.duration = "4 h"
      }.tally().count(.rejected)
    }
    #expect(try rejected(5) == 0)
    #expect(try isPlausible(rejected(10), of: 300, probability: 0.5))
  }

  // C1-14, C1-17
  @Test
  func `C1-14, C1-17: a payload of more than 4 KB is answered with 413`() throws {
    func end(bytes: Int) throws -> PushEnd? {
      try ScriptedCase { $0.push = "payload: {bytes: \(bytes) B}" }.trace().ends.first
    }
    #expect(try end(bytes: 4096)?.fate == .delivered)
    #expect(try end(bytes: 4097) == PushEnd(.rejected, "413 PayloadTooLarge", at: 3600))
  }

  // C1-15: the guide takes 200 for a delivery. In the model APNs counts what it took apart from what arrived.
  @Test
  func `C1-15: what APNs takes is not what arrives`() throws {
    let tally = try ScriptedCase {
      $0.timeline = ["at: 90 min, network: offline"]
      $0.send = "{every: 1 h, phase: 1 h}"
      $0.duration = "5.5 h"
    }.tally()
    #expect(tally.apns[0].total(.received) == 5)
    #expect(tally.apns[0].total(.delivered) == 1)
    #expect(tally.count(.rejected) == 0)
  }

  // C1-18; Apple counts per device token.
  @Test
  func `C1-18: above 100 requests a second on a connection the surplus is answered with 429`() throws {
    func refused(_ rate: String) throws -> Int {
      let tally = try ScriptedCase {
        $0.send = "{at: [1 h, 2 h, 3 h]}"
        $0.push = "provider: {rate: \(rate)}"
        $0.devices = 100
        $0.duration = "4 h"
      }.tally()
      #expect(tally.reasonCount(.rejected, .tooManyRequests) == Int64(tally.count(.rejected)))
      return tally.count(.rejected)
    }
    #expect(try refused("100 /s") == 0)
    #expect(try isPlausible(refused("200 /s"), of: 300, probability: 0.5))
    // However fast, requests in a row to one device are no matter.
    let burst = try ScriptedCase { $0.send = "{at: [3600 s, 3601 s, 3602 s, 3603 s, 3604 s, 3605 s]}" }
      .tally()
    #expect(burst.count(.rejected) == 0)
  }

  // C1-19; Apple: after 15 min.
  @Test(arguments: [(500, "InternalServerError"), (503, "ServiceUnavailable")])
  func `C1-19: after 500 and 503 a provider tries again, within 1 to 5 s and at most three times`(
    status: Int, name: String
  ) throws {
    func end(_ seconds: String) throws -> PushEnd? {
      try ScriptedCase { $0.outages = "{from: 1 h, for: \(seconds), status: \(status)}" }.trace().ends.first
    }
    #expect(try end("1 s") == PushEnd(.delivered, at: 3602))
    #expect(try end("3 s") == PushEnd(.delivered, at: 3604))
    #expect(try end("7 s") == PushEnd(.delivered, at: 3608))
    #expect(try end("8 s") == PushEnd(.rejected, "\(status) \(name)", at: 3607))
  }

  // C1-16
  @Test
  func `C1-16: a token that APNs calls bad is sent to no more`() throws {
    func ends(_ provider: String) throws -> [PushEnd] {
      try ScriptedCase {
        $0.send = "{at: [1 h, 2 h]}"
        $0.push = "provider: {\(provider)}"
      }.trace().ends
    }
    let first = PushEnd(.rejected, "400 BadDeviceToken", at: 3600)
    #expect(try ends("bad_tokens: 100 %") == [first])
    #expect(try ends("bad_tokens: 100 %, on_bad_token: keep").count == 2)
  }

  // C1-16
  @Test
  func `C1-16: a token that APNs reports as unregistered is sent to no more`() throws {
    let trace = try ScriptedCase {
      $0.timeline = ["at: 30 min, uninstall: true"]
      $0.send = "{every: 1 h, phase: 1 h}"
      $0.duration = "14 d"
    }.trace()
    let fates = trace.ends.map(\.fate)
    #expect(fates.count { $0 == .rejected } == 1)
    #expect(fates.last == .rejected)
    #expect(trace.ends.last?.reason == "410 Unregistered")
    #expect(fates.dropLast().allSatisfy { $0 == .discardedAtAPNs })
    #expect(fates.count > 1 && fates.count < 14 * 24)
  }
}
