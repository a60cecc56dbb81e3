import Distributions
import Foundation
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

private typealias Handling = VoIPPush.Handling

/// An app as it should be: reports within a second, before the delegate method returns.
private let wellBehaved = Handling(
  reportsAfter: .seconds(1), returnsFirst: false, completesAfter: .seconds(2))
private let silent = Handling(reportsAfter: nil, returnsFirst: false, completesAfter: .seconds(2))

private func seconds(_ number: Double) -> SimDuration { SimDuration(seconds: number) }

private func app(_ policy: Policy) -> AppUnderPolicy {
  AppUnderPolicy(memory: freshMemory(policy), policy: policy)
}

private func handle(
  _ handling: Handling, _ app: inout AppUnderPolicy, state: DeviceState = .plain, isInCall: Bool = false,
  version: Double = 18, isKilledUncompleted: Bool = true
) -> VoIPPush.Result {
  withUnsafePointer(to: &app) {
    VoIPPush.handle(
      handling, state: state, isInCall: isInCall, systemVersion: version,
      isKilledUncompleted: isKilledUncompleted, app: $0)
  }
}

private func outcome(
  _ handling: Handling, _ policy: Policy, state: DeviceState = .plain, isInCall: Bool = false,
  version: Double = 18, isKilledUncompleted: Bool = true
) -> VoIPPush.Outcome {
  var app = app(policy)
  return handle(
    handling, &app, state: state, isInCall: isInCall, version: version,
    isKilledUncompleted: isKilledUncompleted
  ).outcome
}

private func decision(
  _ app: AppMemory, _ policy: Policy, state: DeviceState = .plain, at now: SimTime = noon,
  modes: BackgroundModes = .voip
) -> Decision {
  decide(context(state, at: now, request: .voip, modes: modes), memory: app, policy: policy)
}

@Suite struct VoIPDecisionTests {
  @Test(arguments: ["guide", "evidence"])
  func `a VoIP push launches an app that is closed, on an empty battery in Low Power Mode (C1-09)`(
    profile: String
  ) throws {
    let policy = try Simulation.policy(profile)
    var memory = freshMemory(policy)
    // Everything that stops a silent push.
    memory.use = UsageHistory.State()
    memory.feedback.missesInARow = 10
    memory.boot.startedAt = noon - .seconds(1)
    for _ in 0..<1000 { memory.pool.take(at: noon, policy.devicePool) }
    let state = DeviceState.plain.union([
      .forceQuit, .lowPowerMode, .batteryLow, .cpuBusy, .camera, .screenOn,
    ])
    var decision = decision(memory, policy, state: state)
    #expect(decision.resolve(isArrival: true) { _ in 0 } == nil)
    #expect(decision.outcome == .deliver)
    #expect(!decision.isMust)
    #expect(decide(context(state), memory: memory, policy: policy).outcome != .deliver)
  }

  @Test(arguments: ["guide", "evidence"])
  func `without the background mode voip there is no VoIP push, in the front or not`(profile: String) throws {
    let policy = try Simulation.policy(profile)
    for state in [DeviceState.plain, DeviceState.plain.union(.inFront)] {
      let decision = decision(freshMemory(policy), policy, state: state, modes: .remoteNotification)
      #expect(decision.outcome == .discard)
      #expect(decision.refusing.factors == [.backgroundMode])
    }
  }

  @Test func `the guides take one a minute, the surplus is lost and does not count (C3-10)`() throws {
    let policy = try Simulation.policy("guide")
    var app = app(policy)
    // Seconds after the first one, and whether it is taken.
    for (second, isTaken) in [(0, true), (59, false), (61, true), (119, false), (120, false), (121, true)] {
      let now = noon + .seconds(Int64(second))
      let decision = decision(app.memory, policy, at: now)
      #expect(decision.outcome == (isTaken ? .deliver : .discard), "\(second) s")
      #expect(decision.refusing.factors == (isTaken ? [] : [.voipRate]))
      if isTaken { app.recordVoIPPush(handle(wellBehaved, &app), at: now) }
    }
  }

  @Test func `no source beside the guides knows a rate (V11)`() throws {
    let policy = try Simulation.policy("evidence")
    var app = app(policy)
    for second in 0..<100 {
      let now = noon + .seconds(Int64(second))
      #expect(decision(app.memory, policy, at: now).outcome == .deliver)
      app.recordVoIPPush(handle(wellBehaved, &app), at: now)
    }
  }
}

@Suite struct VoIPReportRuleTests {
  @Test func `unreported pushes are withheld from the fourth on, until the app is reinstalled (T10)`() throws
  {
    let policy = try Simulation.policy("evidence")
    var app = app(policy)
    for number in 1...4 {
      #expect(decision(app.memory, policy).outcome == .deliver, "push \(number)")
      let result = handle(silent, &app)
      #expect(result.isViolation)
      #expect(result.ringsAfter == nil)
      app.recordVoIPPush(result, at: noon)
    }
    // Neither time, nor an open, nor a restart lifts the block (V10).
    app.recordOpen(at: noon + .hours(1))
    app.memory.boot.startedAt = noon + .hours(2)
    let blocked = decision(app.memory, policy, at: noon + .days(30))
    #expect(blocked.outcome == .discard)
    #expect(blocked.refusing.factors == [.voipReport])
    app.memory.voipReport = .init()
    #expect(decision(app.memory, policy, at: noon + .days(30)).outcome == .deliver)
  }

  @Test func `pushes that are reported do not wipe out those that were not`() throws {
    let policy = try Simulation.policy("evidence")
    var app = app(policy)
    for number in 0..<8 {
      #expect(decision(app.memory, policy).outcome == (number < 7 ? .deliver : .discard))
      app.recordVoIPPush(handle(number % 2 == 0 ? silent : wellBehaved, &app), at: noon)
    }
  }

  @Test func `the guides know no such rule: an app that never reports goes on`() throws {
    let policy = try Simulation.policy("guide")
    var app = app(policy)
    for minute in 0..<20 {
      let now = noon + .minutes(Int64(minute))
      #expect(decision(app.memory, policy, at: now).outcome == .deliver)
      let result = handle(silent, &app)
      #expect(result == .init(outcome: .silent, ringsAfter: nil, runTime: .seconds(2), isViolation: false))
      app.recordVoIPPush(result, at: now)
    }
  }

  @Test(arguments: [
    (6.0, VoIPPush.Outcome.rang), (7.0, .rang), (7.1, .killedAtCheck), (8.0, .killedAtCheck),
  ])
  func `a delegate method that blocks must have reported by 7 s (T11)`(
    report: Double, expected: VoIPPush.Outcome
  ) throws {
    let policy = try Simulation.policy("evidence")
    var app = app(policy)
    let result = handle(
      Handling(reportsAfter: seconds(report), returnsFirst: false, completesAfter: seconds(report)), &app)
    #expect(result.outcome == expected)
    #expect(result.isViolation == (expected != .rang))
    #expect(result.ringsAfter == (expected == .rang ? seconds(report) : nil))
    #expect(result.runTime == seconds(min(report, 7)))
  }

  @Test func `one that returns first is terminated at once, however soon the report would come (V4)`() throws
  {
    let policy = try Simulation.policy("evidence")
    var app = app(policy)
    let result = handle(
      Handling(reportsAfter: seconds(0.1), returnsFirst: true, completesAfter: .seconds(1)), &app)
    #expect(
      result == .init(outcome: .killedAtReturn, ringsAfter: nil, runTime: .zero, isViolation: true))
    // An app that cannot report is still there at the check (V14).
    let stuck = handle(.stuck, &app)
    #expect(
      stuck == .init(outcome: .killedAtCheck, ringsAfter: nil, runTime: .seconds(7), isViolation: true))
  }

  @Test func `exempt are the front, an app in a call, and old systems (V1, V7)`() throws {
    let policy = try Simulation.policy("evidence")
    #expect(outcome(silent, policy) == .killedAtReturn)
    #expect(outcome(silent, policy, state: DeviceState.plain.union(.inFront)) == .silent)
    #expect(outcome(silent, policy, isInCall: true) == .silent)
    #expect(outcome(silent, policy, version: 12) == .silent)
    #expect(outcome(silent, policy, version: 13) == .killedAtReturn)
    // a second call that is not reported ends the app.
    var strict = policy
    strict.voipReport.exemptInCall = false
    #expect(outcome(silent, strict, isInCall: true) == .killedAtReturn)
  }

  @Test func `the completion handler matters to the guides only (C3-07, V6)`() throws {
    let guide = try Simulation.policy("guide")
    let evidence = try Simulation.policy("evidence")
    let forgets = Handling(reportsAfter: .seconds(1), returnsFirst: false, completesAfter: nil)
    var app = app(guide)
    let killed = handle(forgets, &app)
    #expect(
      killed
        == .init(
          outcome: .killedUncompleted, ringsAfter: .seconds(1), runTime: .seconds(30), isViolation: false))
    #expect(outcome(forgets, guide, isKilledUncompleted: false) == .rang)
    #expect(evidence.voip.killedUncompleted == 0)
    #expect(outcome(forgets, evidence, isKilledUncompleted: false) == .rang)
  }

  @Test func `under the guides an app has 30 s to report`() throws {
    let policy = try Simulation.policy("guide")
    func late(_ report: Double) -> Handling {
      Handling(reportsAfter: seconds(report), returnsFirst: true, completesAfter: seconds(report))
    }
    #expect(outcome(late(29.9), policy) == .rang)
    #expect(outcome(late(30), policy) == .rang)
    #expect(outcome(late(30.1), policy) == .killedUncompleted)
    #expect(outcome(late(30.1), policy, isKilledUncompleted: false) == .timedOut)
  }
}

@Suite struct VoIPTransportTests {
  @Test func `the guides store no VoIP push, Apple stores it up to its expiration (C3-12, A5, A6)`() throws {
    let guide = try Simulation.policy("guide").voip
    let evidence = try Simulation.policy("evidence").voip
    // That it is so on the way of a push: `GuideVoIPTests`.
    #expect(!guide.stores && evidence.stores)
    #expect(guide.payloadLimit == 5120 && evidence.payloadLimit == 5120)
    #expect(guide.transitLongest == 5)
  }

  @Test func `the time from APNs has the mean and the 95th percentile of the report (R-71)`() throws {
    let voip = try Simulation.policy("evidence").voip
    var stream = testStream(900)
    let count = 200_000
    var times = (0..<count).map { _ in
      voip.transitMedian * exp(voip.transitSigma * stream.unitGaussian())
    }
    times.sort()
    let mean = times.reduce(0, +) / Double(count)
    // Both figures are rounded to a digit; the standard errors are 0.0014 s and 0.01 s.
    #expect(abs(mean - 0.8) < 0.05)
    #expect(abs(times[count * 95 / 100] - 2) < 0.1)
  }
}
