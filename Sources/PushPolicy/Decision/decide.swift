/// Decides whether the system may launch the app for a push now.
///
/// Pure: no clock, no randomness, no mutation, no allocation. The combination is order-free (Decision 0007): any *must
/// deliver* delivers; else any *never* discards; else any *hold* holds until the earliest moment that could lift one;
/// else the weighted mean of the scores decides. Probabilities come back as ``Chance``s: the model draws them, once
/// per push and factor, when the push arrives, and completes the decision with ``Decision/resolve(isArrival:draw:)``.
///
/// - Parameter decision: a fresh one, to be filled where it stands.
///
/// The app comes by its address: see ``PolicyFactor/evaluate(_:_:)``.
@inlinable
public func decide(
  _ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>, into decision: inout Decision
) {
  if context.request.contains(.voip) { return judgeVoIP(context, app, into: &decision) }
  decision.add(.foreground, Foreground.evaluate(context, app), app)
  if decision.isMust { return }
  decision.add(.payload, Payload.evaluate(context, app), app)
  decision.add(.backgroundMode, BackgroundMode.evaluate(context, app), app)
  // The commonest state, in which none of the factors that judge it has anything to say.
  if !context.state.isOrdinary { judgeDevice(context, app, into: &decision) }
  decision.add(.usageHistory, UsageHistory.evaluate(context, app), app)
  decision.add(.fetchFeedback, FetchFeedback.evaluate(context, app), app)
  decision.add(.sustainedExcess, SustainedExcess.evaluate(context, app), app)
  decision.add(.hourlyBudget, HourlyBudget.evaluate(context, app), app)
  if app.pointee.policy.schedules { addScheduler(context, app, into: &decision) }
  decision.finish()
}

/// The factors that judge a VoIP push: nothing about the device holds it (see ``VoIPPush``).
@usableFromInline
func judgeVoIP(
  _ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>, into decision: inout Decision
) {
  decision.add(.backgroundMode, BackgroundMode.evaluate(context, app), app)
  decision.add(.voipRate, VoIPRate.evaluate(context, app), app)
  decision.add(.voipReport, VoIPReport.evaluate(context, app), app)
  decision.finish()
}

/// The factors that hang on the state of the device alone; each abstains while ``DeviceState/isOrdinary``.
@usableFromInline
func judgeDevice(
  _ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>, into decision: inout Decision
) {
  decision.add(.forceQuit, ForceQuit.evaluate(context, app), app)
  decision.add(.refreshSwitch, RefreshSwitch.evaluate(context, app), app)
  decision.add(.firstUnlock, FirstUnlock.evaluate(context, app), app)
  decision.add(.network, Network.evaluate(context, app), app)
  decision.add(.powerNap, PowerNap.evaluate(context, app), app)
  decision.add(.lowPowerMode, LowPowerMode.evaluate(context, app), app)
  decision.add(.batteryLevel, BatteryLevel.evaluate(context, app), app)
  decision.add(.cpuLoad, CPULoad.evaluate(context, app), app)
}

/// The factors of the system's scheduler, apart from the others: a profile without them pays nothing for them.
@usableFromInline
func addScheduler(
  _ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>, into decision: inout Decision
) {
  decision.add(.bootWindow, BootWindow.evaluate(context, app), app)
  decision.add(.herdWindow, HerdWindow.evaluate(context, app), app)
  decision.add(.camera, Camera.evaluate(context, app), app)
  decision.add(.devicePool, DevicePool.evaluate(context, app), app)
  decision.add(.launchSpacing, LaunchSpacing.evaluate(context, app), app)
  decision.add(.deviceInUse, DeviceInUse.evaluate(context, app), app)
  decision.add(.networkQuality, NetworkQuality.evaluate(context, app), app)
  decision.add(.score, Score.evaluate(context, app), app)
  Score.judge(context, app, &decision)
}

/// As ``decide(_:_:)``, on values that are kept apart, as in a trace.
public func decide(_ context: DeliveryContext, memory: AppMemory, policy: Policy) -> Decision {
  var app = AppUnderPolicy(memory: memory, policy: policy)
  var decision = Decision()
  withUnsafePointer(to: &app) { decide(context, $0, into: &decision) }
  return decision
}

/// Every factor's verdict on a decision, for traces and explanations: the same functions that ``decide(_:_:)``
/// calls, in the registry's order, with what each factor's mode makes of it.
public func verdicts(
  _ context: DeliveryContext, memory: AppMemory, policy: Policy
) -> [(factor: FactorID, mode: FactorMode, verdict: Verdict)] {
  var all: [(factor: FactorID, mode: FactorMode, verdict: Verdict)] = []
  for factor in FactorRegistry.all where factor.id.judges(context.request) {
    let mode = FactorMode(rawValue: policy.modes[Int(factor.id.rawValue)]) ?? .on
    if mode == .off { continue }
    all.append((factor.id, mode, factor.evaluate(context, memory, policy)))
  }
  return all
}
