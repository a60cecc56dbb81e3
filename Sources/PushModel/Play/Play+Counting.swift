import Distributions
import OutputAnalysis
import PushPolicy
import Quantities

// What goes into the tally: the end of every push, every open, and what a device comes to.

extension Play {
  /// The push has reached what it was for: the app, or the user's eyes.
  mutating func countDelivered(_ push: Push, at now: SimTime) {
    trace(now, push, .ended(.delivered, nil))
    silence.end(at: now)
    let latency = now - push.sent
    let isPrompt = latency <= Tally.headline
    if isPrompt, !push.isEcho { tally.daily.count(.deliveredWithin5min, at: push.sent) }
    guard push.counts else { return }
    tally.fates[Int(Fate.delivered.rawValue)] += 1
    tally.latency.record(latency.microseconds)
    if hasSeveralMechanisms { tally.byMechanism[Int(push.mechanism.rawValue)].countDelivered(latency) }
    let hour = push.hour
    let kind = Int(traits.kind.rawValue)
    let userClass = Int(traits.userClass.rawValue)
    tally.incidence.count(
      .delivered, cell: cells.cell(of: latency), userClass: userClass, kind: kind, hour: hour)
    tally.byHour[hour].delivered += 1
    onDevice.delivered += 1
    Tally.countWithin(&tally.within, latency)
    guard isPrompt else { return }
    tally.byHourAndBattery.countWithin5min(Int(push.place))
    tally.byHour[hour].within5min += 1
    onDevice.within5min += 1
  }

  mutating func end(_ push: Push, _ fate: Fate, _ reason: Reason?, at now: SimTime) {
    trace(now, push, .ended(fate, reason))
    guard push.counts else { return }
    tally.fates[Int(fate.rawValue)] += 1
    tally.incidence.count(
      fate, cell: cells.cell(of: now - push.sent), userClass: Int(traits.userClass.rawValue),
      kind: Int(traits.kind.rawValue), hour: push.hour)
    if hasSeveralMechanisms {
      tally.byMechanism[Int(push.mechanism.rawValue)].fates[Int(fate.rawValue)] += 1
    }
    if let reason { tally.count(fate, reason) }
    if fate == .notWakeable {
      tally.byHour[push.hour].notWakeable += 1
      onDevice.notWakeable += 1
    }
  }

  /// The app runs, or the user opened it: what was sent up to `sent` has had its wake.
  mutating func answer(upTo sent: SimTime, at now: SimTime) {
    tally.wokenWithin15min += unanswered.answer(upTo: sent, at: now)
  }

  mutating func countShadow(_ shadow: FactorSet, _ push: Push) {
    guard push.counts else { return }
    for factor in shadow.factors { tally.shadow[Int(factor.rawValue)] += 1 }
  }

  mutating func count(useful wake: Wake) {
    guard wake.counts else { return }
    tally.usefulWakes += 1
    energy.useful(wake.energy)
  }

  mutating func measureOpen(at now: SimTime) {
    let isFresh = content.isFresh
    trace(
      now, nil, .opened(isFresh: setting.hasContent ? isFresh : nil, versionsBehind: content.behind))
    tally.daily.count(.opens, at: now)
    if isFresh { tally.daily.count(.freshOpens, at: now) }
    guard measures(now) else { return }
    tally.opens += 1
    guard setting.hasContent else { return }
    onDevice.opens += 1
    // The age of the first update that the app has missed.
    let age = isFresh ? SimDuration.zero : now - setting.updates[content.version]
    tally.staleness.record(age.microseconds)
    tally.stalenessMilliseconds.addSaturating(age.microseconds / 1000)
    let hour = localHour(now)
    tally.byHour[hour].opens += 1
    if isFresh {
      onDevice.freshOpens += 1
      tally.byHour[hour].freshOpens += 1
    }
  }

  func localHour(_ time: SimTime) -> Int {
    let day: Int64 = 86_400_000_000
    let ofDay = (time + traits.utcOffset).microseconds % day
    // West of the server the run begins the day before.
    return Int((ofDay < 0 ? ofDay + day : ofDay) / 3_600_000_000)
  }

  /// The device at hand has been played to its end.
  mutating func countDevice() {
    tally.energy.add(energy.take(traits.kind))
    tally.sent += onDevice.sent
    tally.freshOpens += onDevice.freshOpens
    tally.byClass[Int(traits.userClass.rawValue)].add(onDevice)
    tally.byKind[Int(traits.kind.rawValue)].add(onDevice)
    if onDevice.sent > 0 {
      let tenth = (10 * onDevice.delivered + onDevice.sent - 1) / onDevice.sent
      tally.byShareDelivered[Int(min(10, tenth))] += 1
    }
    if state.contains(.installed) {
      silence.end(at: setting.end)
      tally.countSilence(silence.longest)
    }
    if onDevice.opens > 0 {
      tally.users += 1
      tally.userFreshShares += (onDevice.freshOpens << 32) / onDevice.opens
    }
  }
}
