import Distributions
import Quantities
import Testing

@testable import PushPolicy

/// What a decision says, in a form that can be compared.
private struct Answer: Equatable {
  var outcome: Decision.Outcome
  var isMust: Bool
  var refusing: FactorSet
  var holding: FactorSet
  var hold: Hold
  var usageHeldUntil: SimTime
  var chances: [Chance]
  var score: Double
  var shadow: FactorSet

  init(_ decision: Decision) {
    outcome = decision.outcome
    isMust = decision.isMust
    refusing = decision.refusing
    holding = decision.holding
    hold = decision.hold
    usageHeldUntil = decision.usageHeldUntil
    chances = (0..<decision.chanceCount).map { decision.chances[$0] }.filter { !$0.isShadow }
    score = decision.score
    shadow = decision.shadow
  }

  /// The rule of combination once more, as its documentation puts it, over the registry's list.
  init(naively context: DeliveryContext, _ memory: AppMemory, _ policy: Policy) {
    self.init(Decision())
    let all = verdicts(context, memory: memory, policy: policy)
    let spoken = all.filter { $0.mode == .on && $0.verdict != .abstain }
    if spoken.contains(where: { $0.verdict == .mustDeliver }) {
      isMust = true
      return
    }
    var holds: [Hold] = []
    var scores: [(score: Double, weight: Double)] = []
    for (factor, _, verdict) in spoken {
      switch verdict {
      case .abstain, .mustDeliver: break
      case .never: refusing.insert(factor)
      case .hold(let hold):
        holding.insert(factor)
        holds.append(hold)
        if factor == .usageHistory { usageHeldUntil = hold.until }
      case .proceed(let score, let weight): scores.append((score, weight))
      case .neverWithProbability(let p, let hold):
        chances.append(Chance(factor: factor, probability: p, endsPush: true, hold: hold))
      case .holdWithProbability(let p, let hold):
        chances.append(Chance(factor: factor, probability: p, endsPush: false, hold: hold))
      }
    }
    hold.until = holds.map(\.until).min() ?? .distantFuture
    hold.lifts = holds.reduce([]) { $0.union($1.lifts) }
    outcome = !refusing.isEmpty ? .discard : holds.isEmpty ? .deliver : .hold
    let weight = scores.map(\.weight).reduce(0, +)
    defer { judge(context, policy) }
    if weight > 0 { score = scores.map { $0.score * $0.weight }.reduce(0, +) / weight }
    for (factor, mode, verdict) in all where mode == .shadow {
      switch verdict {
      // A hold that hangs on a draw counts once it is drawn.
      case .abstain, .proceed, .mustDeliver, .holdWithProbability: break
      default: shadow.insert(factor)
      }
    }
  }
}

extension Answer {
  /// The threshold of the score once more.
  fileprivate mutating func judge(_ context: DeliveryContext, _ policy: Policy) {
    guard policy.modes[Int(FactorID.score.rawValue)] != 1, context.occasion != .release else { return }
    let score = policy.score
    let held = (context.now - context.heldSince).seconds
    let threshold = score.first - min(1, held / score.fallsFor) * (score.first - score.last)
    guard self.score < threshold - 1e-6 else { return }
    if policy.shadowed.contains(.score) {
      shadow.insert(.score)
      return
    }
    holding.insert(.score)
    if outcome == .deliver { outcome = .hold }
    hold.lifts.formUnion([.screenOn, .wifi, .inFront])
    if self.score >= score.last {
      let falls = (score.first - self.score) / (score.first - score.last) * score.fallsFor
      hold.until = min(
        hold.until, max(context.now + .seconds(1), context.heldSince + SimDuration(seconds: falls)))
    }
  }
}

/// A random moment of a random device under a random policy, so drawn that every outcome is common.
private struct Case {
  var context: DeliveryContext
  var memory: AppMemory
  var policy: Policy

  init(_ stream: inout RandomStream, shuffleModes: Bool = true) {
    var policy = testPolicy()
    policy.lowPowerMode.cancelProbability = stream.uniform()
    policy.batteryLevel.cancelProbability = stream.uniform()
    policy.hourlyBudget.ignoreProbability = stream.uniform()
    policy.charger.liftsBatteryLevel = stream.bernoulli(0.7)
    policy.charger.liftsCPULoad = stream.bernoulli(0.7)
    policy.usageHistory.habitWeight = stream.bernoulli(0.5) ? stream.uniform() : 0
    if shuffleModes {
      for factor in FactorID.allCases {
        policy.modes[Int(factor.rawValue)] = stream.bernoulli(0.7) ? 0 : 1 + stream.below(2)
      }
    }
    var state: DeviceState = []
    for flag: DeviceState in [.installed, .poweredOn, .unlockedSinceStart, .wifi, .alertsAllowed] {
      if stream.bernoulli(0.92) { state.insert(flag) }
    }
    for flag: DeviceState in [
      .cellular, .charging, .lowPowerMode, .asleep, .inFront, .forceQuit, .refreshOff, .refreshOnWiFiOnly,
      .screenOn, .batteryLow, .cpuBusy, .camera, .debugger,
    ] where stream.bernoulli(flag == .charging ? 0.4 : 0.08) {
      state.insert(flag)
    }
    let now = noon + SimDuration(microseconds: Int64(stream.bits()) * 50)
    var memory = AppMemory()
    memory.budget.fill(at: now - .hours(1), policy)
    memory.use.utcOffset = .minutes(Int64(stream.below(53) - 24) * 30)
    for _ in 0..<stream.below(6) {
      memory.use.recordOpen(at: now - SimDuration(seconds: stream.uniform() * 8 * 86_400), policy)
    }
    memory.excess.reset(policy)
    for _ in 0..<stream.below(9) { memory.excess.recordArrival(at: now - .minutes(20)) }
    memory.feedback.reputation = 1.3 * stream.uniform()
    if stream.bernoulli(0.1) { memory.feedback.missesInARow = 3 }
    policy.usageHistory.gate = stream.bernoulli(0.7) ? 0 : 1 + stream.below(2)
    memory.pool.fill(at: now - .hours(2), phase: stream.uniform(), policy.devicePool)
    memory.spacing.burst = stream.bernoulli(0.5) ? 1 : 4
    memory.spacing.fill(at: now - .hours(2))
    if stream.bernoulli(0.1) { memory.boot.startedAt = now - .minutes(Int64(stream.below(10))) }
    if stream.bernoulli(0.1) { memory.herd.since = now - .minutes(Int64(stream.below(30))) }
    for _ in 0..<stream.below(6) { memory.recordLaunch(at: now, policy) }
    memory.voipRate.lastTaken = now - .seconds(Int64(stream.below(120)))
    memory.voipReport.violations = stream.below(6)
    let occasion = DeliveryContext.Occasion(rawValue: UInt8(stream.below(4)))!
    let heldFor = SimDuration(seconds: (stream.uniform() - 0.5) * 7200)
    context = DeliveryContext(
      now: now, state: state,
      request: stream.bernoulli(0.9) ? .silent : PushRequest(rawValue: UInt8(stream.below(64))),
      backgroundModes: stream.bernoulli(0.95) ? [.remoteNotification, .voip] : .fetch, occasion: occasion,
      usageHeldUntil: stream.bernoulli(0.2) ? now + heldFor : .distantPast,
      heldSince: occasion == .arrival ? now : now - SimDuration(seconds: 90_000 * stream.uniform()))
    self.memory = memory
    self.policy = policy
  }

  var decision: Decision { decide(context, memory: memory, policy: policy) }

  func answer(with mode: FactorMode, for factor: FactorID) -> Answer {
    var policy = policy
    policy.modes[Int(factor.rawValue)] = mode.rawValue
    return Answer(decide(context, memory: memory, policy: policy))
  }
}

/// The budget is used up; spacing and pool are not.
private func budgetless(_ policy: Policy) -> AppMemory {
  var memory = exhaustedMemory(policy)
  memory.spacing.fill(at: noon)
  return memory
}

@Suite struct DecideTests {
  @Test func `with nothing to say against it a push is delivered with a score of 1`() {
    let policy = testPolicy()
    let decision = decide(context(), memory: freshMemory(policy), policy: policy)
    #expect(Answer(decision) == Answer(Decision()))
    #expect(decision.outcome == .deliver)
    #expect(!decision.isMust)
    #expect(decision.score == 1)
  }

  @Test func `a refusal wins over holds, and the first in the order of the registry names the fate`() {
    let policy = testPolicy()
    let decision = decide(
      context([.plain, .cpuBusy, .forceQuit, .refreshOff]), memory: freshMemory(policy), policy: policy)
    #expect(decision.outcome == .discard)
    #expect(decision.refusing.factors == [.forceQuit, .refreshSwitch])
    #expect(decision.refusing.first == .forceQuit)
    #expect(decision.holding.factors == [.cpuLoad])
  }

  @Test func `several holds end at the earliest instant, or at any change that lifts one of them`() {
    let policy = testPolicy()
    let decision = decide(
      context([.plain, .cpuBusy, .asleep], occasion: .recheck, usageHeldUntil: noon + .minutes(5)),
      memory: budgetless(policy), policy: policy)
    #expect(decision.outcome == .hold)
    #expect(decision.holding.factors == [.powerNap, .cpuLoad, .usageHistory, .hourlyBudget])
    #expect(
      decision.hold == Hold(until: noon + .minutes(5), lifts: [.asleep, .cpuBusy, .charging, .inFront]))
    #expect(decision.usageHeldUntil == noon + .minutes(5))
  }

  @Test func `a decision has room for the chances of all factors that can state one, at once`() {
    let policy = testPolicy()
    var memory = budgetless(policy)
    memory.use = UsageHistory.State()
    memory.use.recordOpen(at: noon - .hours(48), policy)
    var decision = decide(context([.plain, .lowPowerMode, .batteryLow]), memory: memory, policy: policy)
    let factors = (0..<decision.chanceCount).map { decision.chances[$0].factor }
    #expect(factors == [.lowPowerMode, .batteryLevel, .usageHistory, .hourlyBudget])
    #expect(decision.outcome == .deliver)
    let ended = decision.resolve(isArrival: true) { _ in 0.999 }
    #expect(ended == nil)
    #expect(decision.holding.factors == [.lowPowerMode, .batteryLevel, .hourlyBudget])
  }
}

@Suite struct DecidePropertyTests {
  @Test func `a decision is what the rule of combination says of the registry's verdicts`() {
    var stream = testStream(200)
    var seen: [Decision.Outcome: Int] = [:]
    for _ in 0..<20_000 {
      let one = Case(&stream)
      let decision = one.decision
      seen[decision.outcome, default: 0] += 1
      #expect(Answer(decision) == Answer(naively: one.context, one.memory, one.policy))
    }
    // The comparison says little unless every outcome comes up often.
    for outcome in [Decision.Outcome.deliver, .hold, .discard] { #expect(seen[outcome, default: 0] > 1000) }
  }

  @Test func `the same question has the same answer`() {
    var stream = testStream(201)
    for _ in 0..<2000 {
      let one = Case(&stream)
      let first = Answer(one.decision)
      _ = decide(context(), memory: AppMemory(), policy: testPolicy())
      #expect(Answer(one.decision) == first)
    }
  }

  @Test func `taking away a factor that has nothing to say changes nothing`() {
    var stream = testStream(202)
    for _ in 0..<2000 {
      var one = Case(&stream)
      // What other factors read of these two is another matter: it is taken away too.
      one.context.state.remove(.charging)
      one.memory.feedback.reputation = 1
      let answer = Answer(one.decision)
      for factor in FactorRegistry.all
      where factor.evaluate(one.context, one.memory, one.policy) == .abstain {
        #expect(one.answer(with: .off, for: factor.id) == answer, "\(factor.id)")
      }
    }
  }

  @Test func `a factor in shadow decides as if it were off, and only says what it would have done`() {
    var stream = testStream(203)
    for _ in 0..<2000 {
      let one = Case(&stream)
      for factor in FactorRegistry.all {
        let off = one.answer(with: .off, for: factor.id)
        var shadow = one.answer(with: .shadow, for: factor.id)
        if shadow.shadow.contains(factor.id) {
          #expect(factor.evaluate(one.context, one.memory, one.policy) != .abstain)
        }
        shadow.shadow.remove(FactorSet(factor.id))
        #expect(shadow == off, "\(factor.id)")
        #expect(!off.holding.contains(factor.id))
        #expect(!off.refusing.contains(factor.id))
        #expect(!off.chances.contains { $0.factor == factor.id })
      }
    }
  }

  @Test func `no factor that judges the device objects to an ordinary one`() {
    let factors: [FactorID] = [
      .forceQuit, .refreshSwitch, .firstUnlock, .network, .powerNap, .lowPowerMode, .batteryLevel, .cpuLoad,
    ]
    var stream = testStream(231)
    var ordinary = 0
    for _ in 0..<20_000 {
      let one = Case(&stream)
      guard one.context.state.isOrdinary else { continue }
      ordinary += 1
      for factor in FactorRegistry.all where factors.contains(factor.id) {
        #expect(factor.evaluate(one.context, one.memory, one.policy) == .abstain, "\(factor.id)")
      }
    }
    #expect(ordinary > 20)
  }

  @Test func `one more hold never delivers what was held or discarded`() {
    var stream = testStream(204)
    for _ in 0..<5000 {
      var one = Case(&stream)
      // Nothing about the device holds a VoIP push.
      one.context.request.remove(.voip)
      one.context.state.remove(.cpuBusy)
      let before = one.decision
      one.context.state.insert(.cpuBusy)
      one.context.state.remove(.charging)
      one.policy.modes[Int(FactorID.cpuLoad.rawValue)] = 0
      let after = one.decision
      if before.outcome != .deliver { #expect(after.outcome != .deliver) }
      if before.outcome == .discard { #expect(after.outcome == .discard) }
      if !after.isMust {
        #expect(after.outcome != .deliver)
        #expect(after.holding.contains(.cpuLoad))
        #expect(after.hold.until <= before.hold.until)
        #expect(after.hold.lifts.isSuperset(of: [.cpuBusy, .charging]))
      }
    }
  }

  @Test func `probabilities of ending a push are those of factors that would hold it later`() {
    var stream = testStream(205)
    for _ in 0..<5000 {
      let one = Case(&stream)
      var arrival = one.decision
      guard arrival.chanceCount > 0, arrival.refusing.isEmpty else { continue }
      let ended = arrival.resolve(isArrival: true) { _ in 0 }
      var recheck = one.decision
      #expect(recheck.resolve(isArrival: false) { _ in 0 } == nil)
      #expect(recheck.outcome != .discard)
      if let ended {
        #expect(arrival.outcome == .discard)
        #expect(arrival.refusing.first == ended)
        #expect(recheck.holding.contains(ended))
      }
    }
  }
}

// MARK: - The combination by itself

extension Decision {
  /// What was added so far, combined.
  fileprivate func finished() -> Decision {
    var decision = self
    decision.finish()
    return decision
  }
}

@Suite struct CombinationTests {
  /// Random verdicts, at most one for each factor and at most four with a probability.
  private func randomVerdicts(_ stream: inout RandomStream, must: Bool = true) -> [(FactorID, Verdict)] {
    var chances = 0
    return FactorID.allCases.map { factor in
      func hold() -> Hold {
        Hold(
          until: stream.bernoulli(0.3) ? .distantFuture : noon + .minutes(Int64(stream.below(90))),
          lifts: DeviceState(rawValue: 1 << UInt32(stream.below(16))))
      }
      switch stream.below(24) {
      case 0: return (factor, must ? .mustDeliver : .abstain)
      case 1: return (factor, .never)
      case 2, 3: return (factor, .hold(hold()))
      // Dyadic, so that sums are exact in any order.
      case 4...7:
        return (factor, .proceed(score: Double(stream.below(9)) / 8, weight: Double(stream.below(5))))
      case 8 where chances < 4:
        chances += 1
        return (factor, .neverWithProbability(0.5, otherwise: hold()))
      case 9 where chances < 4:
        chances += 1
        return (factor, .holdWithProbability(0.5, hold()))
      default: return (factor, .abstain)
      }
    }
  }

  private func combine(_ verdicts: [(FactorID, Verdict)]) -> Answer {
    let policy = testPolicy()
    var sum = Decision()
    for (factor, verdict) in verdicts { sum.add(factor, verdict, policy) }
    var answer = Answer(sum.finished())
    answer.chances.sort { $0.factor.rawValue < $1.factor.rawValue }
    return answer
  }

  @Test func `the order in which factors speak does not matter`() {
    var stream = testStream(210)
    for _ in 0..<5000 {
      var verdicts = randomVerdicts(&stream)
      let answer = combine(verdicts)
      for index in verdicts.indices.reversed() { verdicts.swapAt(index, stream.below(index + 1)) }
      #expect(combine(verdicts) == answer)
    }
  }

  @Test func `a must wins, then a never, then a hold`() {
    var stream = testStream(211)
    for _ in 0..<5000 {
      let verdicts = randomVerdicts(&stream, must: stream.bernoulli(0.5))
      let answer = combine(verdicts)
      func has(_ test: (Verdict) -> Bool) -> Bool { verdicts.contains { test($0.1) } }
      if has({ $0 == .mustDeliver }) {
        #expect(answer.outcome == .deliver && answer.isMust)
      } else if has({ $0 == .never }) {
        #expect(answer.outcome == .discard)
      } else if has({ if case .hold = $0 { true } else { false } }) {
        #expect(answer.outcome == .hold)
      } else {
        #expect(answer.outcome == .deliver && !answer.isMust)
      }
    }
  }

  @Test func `scores are averaged by weight, and without weight the score is 1`() {
    #expect(
      combine([(.payload, .proceed(score: 1, weight: 3)), (.network, .proceed(score: 0.5, weight: 1))]).score
        == 0.875)
    #expect(combine([(.payload, .proceed(score: 0.25, weight: 0))]).score == 1)
    #expect(combine([]).score == 1)
  }

  @Test func `a draw decides below its probability, ends a push or holds it, and spares it after arrival`() {
    func decision() -> Decision {
      var sum = Decision()
      sum.apply(.lowPowerMode, .neverWithProbability(0.5, otherwise: Hold(lifts: .lowPowerMode)))
      sum.apply(.usageHistory, .holdWithProbability(0.5, Hold(until: noon, lifts: .inFront)))
      return sum.finished()
    }
    /// What comes of the two draws, on arrival.
    func resolved(_ lowPower: Double, _ usage: Double) -> Decision {
      var decision = decision()
      let ended = decision.resolve(isArrival: true) { $0 == .lowPowerMode ? lowPower : usage }
      #expect(ended == (lowPower < 0.5 ? .lowPowerMode : nil))
      return decision
    }
    #expect(resolved(0.49, 0.5).outcome == .discard)
    #expect(resolved(0.49, 0.49).refusing == FactorSet(.lowPowerMode))
    #expect(resolved(0.5, 0.5).holding.factors == [.lowPowerMode])
    #expect(resolved(0.5, 0.5).usageHeldUntil == .distantPast)
    #expect(resolved(0.5, 0.49).holding.factors == [.lowPowerMode, .usageHistory])
    #expect(resolved(0.5, 0.49).hold == Hold(until: noon, lifts: [.lowPowerMode, .inFront]))
    #expect(resolved(0.5, 0.49).usageHeldUntil == noon)
    var later = decision()
    let ended = later.resolve(isArrival: false) { _ in
      Issue.record("drawn after arrival")
      return 0
    }
    #expect(ended == nil)
    #expect(later.holding.factors == [.lowPowerMode])
  }

  @Test func `every draw is made even if the first ends the push, so that draws stay with their factors`() {
    var sum = Decision()
    sum.apply(.lowPowerMode, .neverWithProbability(1, otherwise: Hold()))
    sum.apply(.batteryLevel, .neverWithProbability(1, otherwise: Hold()))
    var decision = sum.finished()
    var drawn: [FactorID] = []
    let ended = decision.resolve(isArrival: true) {
      drawn.append($0)
      return 0
    }
    #expect(drawn == [.lowPowerMode, .batteryLevel])
    #expect(ended == .lowPowerMode)
    #expect(decision.refusing.factors == [.lowPowerMode, .batteryLevel])
  }

  @Test func `a push that is refused or must be delivered owes no draws`() {
    for verdict in [Verdict.never, .mustDeliver] {
      var sum = Decision()
      sum.apply(.lowPowerMode, .neverWithProbability(1, otherwise: Hold()))
      sum.apply(.foreground, verdict)
      var decision = sum.finished()
      let outcome = decision.outcome
      #expect(decision.resolve(isArrival: true) { _ in 0 } == nil)
      #expect(decision.outcome == outcome)
      #expect(decision.holding.isEmpty)
    }
  }
}
