/// Decides whether the system may launch the app for a push now.
///
/// Pure: no clock, no randomness, no mutation, no allocation. The combination is order-free (Decision 0007): any *must
/// deliver* delivers; else any *never* discards; else any *hold* holds until the earliest moment that could lift one;
/// else the weighted mean of the scores decides. Probabilities come back as ``Chance``s: the model draws them, once
/// per push and factor, when the push arrives, and completes the decision with ``Decision/resolve(_:draw:)``.
@inlinable
public func decide(
  _ context: DeliveryContext, memory: borrowing AppMemory, policy: borrowing Policy
) -> Decision {
  var sum = Combination()
  sum.add(.foreground, Foreground.evaluate(context, memory, policy), policy)
  if sum.decision.isMust { return sum.decision }
  sum.add(.payload, Payload.evaluate(context, memory, policy), policy)
  sum.add(.backgroundMode, BackgroundMode.evaluate(context, memory, policy), policy)
  sum.add(.forceQuit, ForceQuit.evaluate(context, memory, policy), policy)
  sum.add(.refreshSwitch, RefreshSwitch.evaluate(context, memory, policy), policy)
  sum.add(.firstUnlock, FirstUnlock.evaluate(context, memory, policy), policy)
  sum.add(.network, Network.evaluate(context, memory, policy), policy)
  sum.add(.powerNap, PowerNap.evaluate(context, memory, policy), policy)
  sum.add(.lowPowerMode, LowPowerMode.evaluate(context, memory, policy), policy)
  sum.add(.batteryLevel, BatteryLevel.evaluate(context, memory, policy), policy)
  sum.add(.cpuLoad, CPULoad.evaluate(context, memory, policy), policy)
  sum.add(.usageHistory, UsageHistory.evaluate(context, memory, policy), policy)
  sum.add(.fetchFeedback, FetchFeedback.evaluate(context, memory, policy), policy)
  sum.add(.sustainedExcess, SustainedExcess.evaluate(context, memory, policy), policy)
  sum.add(.hourlyBudget, HourlyBudget.evaluate(context, memory, policy), policy)
  return sum.finished()
}

/// The combination of verdicts, order-free.
@usableFromInline
struct Combination {
  @usableFromInline var decision = Decision()
  @usableFromInline var weightedScore = 0.0
  @usableFromInline var weight = 0.0

  @usableFromInline init() {}

  @inlinable
  mutating func add(_ factor: FactorID, _ verdict: Verdict, _ policy: borrowing Policy) {
    if case .abstain = verdict { return }
    guard policy.enabled.contains(factor) else {
      if policy.shadowed.contains(factor) { decision.watch(factor, verdict) }
      return
    }
    apply(factor, verdict)
  }

  @usableFromInline
  mutating func apply(_ factor: FactorID, _ verdict: Verdict) {
    switch verdict {
    case .abstain: break
    case .mustDeliver: decision.isMust = true
    case .never: decision.refusing.insert(factor)
    case .hold(let hold): decision.add(hold, by: factor)
    case .proceed(let score, let weight):
      weightedScore += weight * score
      self.weight += weight
    case .neverWithProbability(let probability, let hold):
      decision.append(Chance(factor: factor, probability: probability, endsPush: true, hold: hold))
    case .holdWithProbability(let probability, let hold):
      decision.append(Chance(factor: factor, probability: probability, endsPush: false, hold: hold))
    }
  }

  @inlinable
  mutating func finished() -> Decision {
    if weight > 0 { decision.score = weightedScore / weight }
    if decision.isMust {
      decision.outcome = .deliver
    } else if decision.refusing.rawValue != 0 {
      decision.outcome = .discard
    }
    return decision
  }
}

extension Decision {
  @usableFromInline
  mutating func watch(_ factor: FactorID, _ verdict: Verdict) {
    switch verdict {
    case .abstain, .proceed, .mustDeliver: break
    case .holdWithProbability(let probability, let hold):
      append(Chance(factor: factor, probability: probability, endsPush: false, isShadow: true, hold: hold))
    default: shadow.insert(factor)
    }
  }

  @usableFromInline
  mutating func append(_ chance: Chance) {
    chances[chanceCount] = chance
    chanceCount += 1
  }

  /// Completes a decision with the draws that it owes.
  ///
  /// A re-decision after arrival owes draws of ending factors too (they still refuse the launch), but never draws
  /// them: it passes `false` for all, which holds.
  ///
  /// - Parameters:
  ///   - isArrival: whether the draws are made; otherwise every ending chance spares the push and holds it.
  ///   - draw: a uniform variate on [0, 1) for a factor, the same for the same push and factor.
  /// - Returns: the factor that ended the push, if a draw did; holding chances that struck are added as holds.
  @inlinable
  public mutating func resolve(isArrival: Bool, draw: (FactorID) -> Double) -> FactorID? {
    guard chanceCount > 0, !isMust, refusing.rawValue == 0 else { return nil }
    var ended: FactorID?
    for index in 0..<chanceCount {
      let chance = chances[index]
      // Always drawn, even after another draw ended the push, so that a factor's draw depends on nothing but the push.
      let strikes = isArrival && draw(chance.factor) < chance.probability
      if chance.isShadow {
        if strikes { shadow.insert(chance.factor) }
      } else if chance.endsPush {
        if strikes {
          if ended == nil { ended = chance.factor }
          refusing.insert(chance.factor)
        } else {
          add(chance.hold, by: chance.factor)
        }
      } else if strikes {
        add(chance.hold, by: chance.factor)
      }
    }
    if ended != nil { outcome = .discard }
    return ended
  }
}

/// Every factor's verdict on a decision, for traces and explanations: the same functions that ``decide(_:memory:policy:)``
/// calls, in the registry's order, with what each factor's mode makes of it.
public func verdicts(
  _ context: DeliveryContext, memory: borrowing AppMemory, policy: borrowing Policy
) -> [(factor: FactorID, mode: FactorMode, verdict: Verdict)] {
  var all: [(factor: FactorID, mode: FactorMode, verdict: Verdict)] = []
  for factor in FactorRegistry.all {
    let mode = FactorMode(rawValue: policy.modes[Int(factor.id.rawValue)]) ?? .on
    if mode == .off { continue }
    all.append((factor.id, mode, factor.evaluate(context, memory, policy)))
  }
  return all
}
