/// Decides whether the system may launch the app for a push now.
///
/// Pure: no clock, no randomness, no mutation, no allocation. The combination is order-free (Decision 0007): any *must
/// deliver* delivers; else any *never* discards; else any *hold* holds until the earliest moment that could lift one;
/// else the weighted mean of the scores decides. Probabilities come back as ``Chance``s: the model draws them, once
/// per push and factor, when the push arrives, and completes the decision with ``Decision/resolve(isArrival:draw:)``.
@inlinable @inline(__always)
public func decide(
  _ context: DeliveryContext, memory: borrowing AppMemory, policy: borrowing Policy
) -> Decision {
  var decision = Decision()
  decision.add(.foreground, Foreground.evaluate(context, memory, policy), policy)
  if decision.isMust { return decision }
  decision.add(.payload, Payload.evaluate(context, memory, policy), policy)
  decision.add(.backgroundMode, BackgroundMode.evaluate(context, memory, policy), policy)
  decision.add(.forceQuit, ForceQuit.evaluate(context, memory, policy), policy)
  decision.add(.refreshSwitch, RefreshSwitch.evaluate(context, memory, policy), policy)
  decision.add(.firstUnlock, FirstUnlock.evaluate(context, memory, policy), policy)
  decision.add(.network, Network.evaluate(context, memory, policy), policy)
  decision.add(.powerNap, PowerNap.evaluate(context, memory, policy), policy)
  decision.add(.lowPowerMode, LowPowerMode.evaluate(context, memory, policy), policy)
  decision.add(.batteryLevel, BatteryLevel.evaluate(context, memory, policy), policy)
  decision.add(.cpuLoad, CPULoad.evaluate(context, memory, policy), policy)
  decision.add(.usageHistory, UsageHistory.evaluate(context, memory, policy), policy)
  decision.add(.fetchFeedback, FetchFeedback.evaluate(context, memory, policy), policy)
  decision.add(.sustainedExcess, SustainedExcess.evaluate(context, memory, policy), policy)
  decision.add(.hourlyBudget, HourlyBudget.evaluate(context, memory, policy), policy)
  decision.finish()
  return decision
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
