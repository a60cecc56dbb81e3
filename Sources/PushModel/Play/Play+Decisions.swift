import Distributions
import PushPolicy
import Quantities

// A silent push on the device: what the policy decides, at its arrival and again while it waits.

extension Play {
  mutating func arrive(_ push: Push, at now: SimTime) {
    let index = push.mechanism.index
    if channels[index].request.isVisible, state.contains(.alertsAllowed), push.counts { tally.shown += 1 }
    if channels[index].request == .silent, !state.contains(.inFront) {
      app.pointee.memory.excess.recordArrival(at: now)
    }
    if launcher.isRunning, channels[index].mayWake, joinsLaunch(push) {
      // The app runs for an earlier push: this one joins that launch.
      answer(upTo: push.sent, at: now)
      return deliver(push, at: now)
    }
    let context = context(for: push.mechanism, at: now, .arrival, usageHeldUntil: .distantPast)
    var decision = Decision()
    decide(context, app, into: &decision)
    let ended = resolve(&decision, push, context)
    if decision.shadow.rawValue != 0 { countShadow(decision.shadow, push) }
    switch decision.outcome {
    case .deliver:
      if setting.policy.hold.newestWins { coalesceHeld(at: now) }
      launch(with: push, isMust: decision.isMust, at: now)
    case .discard:
      let factor = ended ?? decision.refusing.first!
      end(push, factor.refusalMeansNotWakeable ? .notWakeable : .discardedByPolicy, Reason(factor), at: now)
    case .hold:
      hold(
        push, by: decision.holding, decision.hold, usageHeldUntil: decision.usageHeldUntil, at: now)
    }
  }

  /// Whether the app that runs for another push is handed this one at once; else it is judged like any other.
  private mutating func joinsLaunch(_ push: Push) -> Bool {
    let chance = setting.policy.hold.joinsLaunch
    guard chance < 1 else { return true }
    var stream = streams.stream(device: device, .joinsLaunch(UInt32(push.number)), lane: push.lane)
    return stream.bernoulli(chance)
  }

  /// Mutating though it changes nothing: asked of a lent play, the whole play would be copied first.
  mutating func context(
    for mechanism: PushMechanism, at now: SimTime, _ occasion: DeliveryContext.Occasion,
    usageHeldUntil: SimTime, heldSince: SimTime? = nil
  ) -> DeliveryContext {
    DeliveryContext(
      now: now, state: state, request: channels[mechanism.index].request,
      backgroundModes: setting.app.backgroundModes, occasion: occasion, usageHeldUntil: usageHeldUntil,
      heldSince: heldSince)
  }

  /// Makes the draws that the policy asked for.
  mutating func resolve(
    _ decision: inout Decision, _ push: Push, _ context: DeliveryContext
  ) -> FactorID? {
    let streams = streams
    let device = device
    let lane = push.lane
    func uniform(_ factor: FactorID) -> Double {
      var stream = streams.stream(
        device: device, .verdict(UInt32(push.number), factor), lane: lane)
      return stream.uniform()
    }
    guard Observer.isListening else {
      return decision.resolve(isArrival: context.occasion == .arrival, draw: uniform)
    }
    var draws: [(factor: FactorID, uniform: Double, probability: Double)] = []
    if context.occasion == .arrival, !decision.isMust, decision.refusing.isEmpty {
      for index in 0..<decision.chanceCount {
        let chance = decision.chances[index]
        draws.append((chance.factor, uniform(chance.factor), chance.probability))
      }
    }
    let ended = decision.resolve(isArrival: context.occasion == .arrival, draw: uniform)
    trace(context.now, push, .decided(context, app.pointee.memory, decision, draws: draws))
    return ended
  }

  mutating func hold(
    _ push: Push, by holding: FactorSet, _ hold: Hold, usageHeldUntil: SimTime, at now: SimTime
  ) {
    if setting.policy.hold.newestWins { coalesceHeld(at: now) }
    if holding == FactorSet(.hourlyBudget) { coalesceForToken(sparing: nil, at: now) }
    held.append(
      push, by: holding.first ?? .usageHistory, hold, usageHeldUntil: usageHeldUntil,
      release: releaseOfHeld(after: now), at: now)
  }

  /// When something that neither the user nor another app does may release what is held.
  mutating func releaseOfHeld(after now: SimTime) -> SimTime {
    scheduler.releaseRate > 0 ? nextRelease(after: now) : .distantFuture
  }

  /// Of the pushes held for nothing but a token only the newest is kept, or none when a newer one is on its way in.
  mutating func coalesceForToken(sparing newest: Int?, at now: SimTime) {
    var kept = held.indices.lowerBound
    for index in held.indices {
      if held[index].usageHeldUntil <= now, index != newest {
        endHeld(index, .coalescedOnDevice, Reason(.hourlyBudget), at: now)
      } else {
        held.move(index, to: kept)
        kept += 1
      }
    }
    held.truncate(to: kept)
  }

  /// A hold may end by itself now, or the oldest push has waited too long; the latter lifts nothing for the others.
  mutating func timeIsUp(at now: SimTime) {
    if held.mayBeLifted(at: now) {
      return recheck(at: now, occasion: scheduler.nextRelease == now ? .release : .recheck)
    }
    endOverdue(at: now)
    held.lookAgain()
  }

  /// Something that holds may have been lifted: decides again for all that is held.
  mutating func recheck(at now: SimTime, occasion: DeliveryContext.Occasion) {
    guard state.contains(.poweredOn) else { return }
    endOverdue(at: now)
    guard !held.isEmpty else { return }
    // One launch handles everything held, so one push that may go takes the others along.
    let context = context(
      for: first, at: now, occasion, usageHeldUntil: held.usageHeldUntil, heldSince: held.oldest.since)
    var decision = Decision()
    decide(context, app, into: &decision)
    _ = resolve(&decision, held.newest.push, context)
    switch decision.outcome {
    case .deliver:
      launch(with: nil, isMust: decision.isMust, at: now)
    case .discard:
      // What refuses for good came true while the pushes waited, as when the switch is turned off.
      let factor = decision.refusing.first!
      endAllHeld(factor.refusalMeansNotWakeable ? .notWakeable : .discardedByPolicy, Reason(factor), at: now)
    case .hold:
      if decision.holding == FactorSet(.hourlyBudget) {
        coalesceForToken(sparing: held.newestNotHeldForDisuse(at: now), at: now)
      }
      held.hold(
        by: decision.holding.first, decision.hold, isOneWait: setting.policy.hold.newestWins,
        release: releaseOfHeld(after: now), at: now, times: &tally.held)
    }
  }

  mutating func endOverdue(at now: SimTime) {
    let overdue = held.overdue(at: now)
    for index in overdue {
      guard state.contains(.poweredOn) else {
        endHeld(index, .notWakeable, .deviceOff, at: now)
        continue
      }
      let context = context(
        for: first, at: now, .recheck, usageHeldUntil: held[index].usageHeldUntil,
        heldSince: held[index].since)
      var decision = Decision()
      decide(context, app, into: &decision)
      _ = resolve(&decision, held[index].push, context)
      let factor = decision.holding.first ?? held[index].factor
      endHeld(
        index, factor.expiryMeansNotWakeable ? .notWakeable : .discardedByPolicy, Reason(factor), at: now)
    }
    held.remove(upTo: overdue.upperBound)
  }

  mutating func endAllHeld(_ fate: Fate, _ reason: Reason, at now: SimTime) {
    for index in held.indices { endHeld(index, fate, reason, at: now) }
    held.clear()
  }

  mutating func endHeld(_ index: Int, _ fate: Fate, _ reason: Reason, at now: SimTime) {
    held.countTime(of: index, until: now, in: &tally.held)
    end(held[index].push, fate, reason, at: now)
  }
}
