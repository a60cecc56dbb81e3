import Distributions
import OutputAnalysis
import PushPolicy
import Quantities

extension Play {
  /// A VoIP push has reached the device: PushKit hands it to the app at once or never.
  mutating func arriveCall(_ push: Push, at now: SimTime) {
    let context = context(for: push.mechanism, at: now, .arrival, usageHeldUntil: .distantPast)
    var decision = Decision()
    decide(context, app, into: &decision)
    _ = resolve(&decision, push, context)
    if decision.shadow.rawValue != 0 { countShadow(decision.shadow, push) }
    if let factor = decision.refusing.first {
      return end(
        push, factor.refusalMeansNotWakeable ? .notWakeable : .discardedByPolicy, Reason(factor), at: now)
    }
    let result = handleCall(push, at: now)
    app.pointee.recordVoIPPush(result, at: now)
    trace(now, push, .called(result))
    let counts = measures(now)
    let isBackground = !state.contains(.inFront)
    let spent =
      energy.launch(state, counts: counts, at: now) + energy.run(result.runTime, state, counts: counts)
    let wake = Wake(counts: counts, energy: spent)
    if isBackground { tally.daily.count(.wakes, at: now) }
    if isBackground, counts {
      tally.wakes += 1
      energy.wake(spent)
    }
    if push.counts {
      tally.calls[Int(result.outcome.rawValue)] += 1
      if let rings = result.ringsAfter { countRing(push, at: now + rings) }
    }
    answer(upTo: push.sent, at: now)
    countDelivered(push, at: now)
    // What rings has been seen.
    if isBackground, result.ringsAfter != nil { count(useful: wake) }
    let wasKilled = result.isViolation || result.outcome == .killedUncompleted
    if setting.strategy.calls.syncs, !wasKilled, state.isReachable {
      content.follow(setting.updates, until: now)
      if !content.isFresh {
        if result.ringsAfter == nil, isBackground, !usesDownloads {
          _ = energy.download(state, counts: counts)
          take(content.latest, wake)
        } else {
          loadWhatIsNew(at: now)
        }
      }
      acknowledge(at: now)
    }
  }

  private mutating func handleCall(_ push: Push, at now: SimTime) -> VoIPPush.Result {
    let calls = setting.strategy.calls
    var stream = streams.stream(device: device, .call(UInt32(push.number)), lane: push.lane)
    let (fails, isKilled) = (stream.uniform(), stream.uniform())
    let (forgetsReport, forgetsCompletion) = (stream.uniform(), stream.uniform())
    let reports = SimDuration(seconds: calls.reportsAfter.draw(&stream))
    let completes = SimDuration(seconds: calls.completesAfter.draw(&stream))
    // An app that runs has connected anew already; one that the user has closed comes up in the middle of it.
    let modes = setting.policy.enabled
    let failure =
      modes.contains(.voipReport)
      ? setting.policy.voipReport.failure(
        sinceChange: now - timers.interfaceChangedAt,
        wasKilled: state.contains(.forceQuit) && modes.contains(.forceQuit)) : 0
    let handling =
      fails < failure
      ? VoIPPush.Handling.stuck
      : VoIPPush.Handling(
        reportsAfter: forgetsReport < calls.neverReports ? nil : reports, returnsFirst: calls.returnsFirst,
        completesAfter: forgetsCompletion < calls.neverCompletes ? nil : completes)
    return VoIPPush.handle(
      handling, state: state, isInCall: false, systemVersion: Double(traits.osVersion),
      isKilledUncompleted: isKilled < setting.policy.voip.killedUncompleted, app: app)
  }

  private mutating func countRing(_ push: Push, at time: SimTime) {
    let latency = time - push.sent
    tally.ring.record(latency.microseconds)
    if latency <= .seconds(5) { tally.rangWithin5s += 1 }
  }
}
