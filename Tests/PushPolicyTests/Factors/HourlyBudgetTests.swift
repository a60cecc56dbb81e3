import Distributions
import PushPolicy
import Quantities
import Testing

@Suite struct HourlyBudgetTests {
  /// One token in 20 minutes, three at most.
  private let policy = testPolicy()

  @Test func `with a token in the bucket a push passes`() {
    var memory = freshMemory(policy)
    memory.recordLaunch(at: noon, policy)
    memory.recordLaunch(at: noon, policy)
    #expect(HourlyBudget.evaluate(context(), memory, policy) == .abstain)
  }

  @Test
  func `without a token an arriving push is ignored with the probability, otherwise held for the next token`()
  {
    let verdict = HourlyBudget.evaluate(context(), exhaustedMemory(policy), policy)
    #expect(verdict == .neverWithProbability(0.8, otherwise: Hold(until: noon + .minutes(20))))
  }

  @Test func `a held push that finds no token waits for the next one and is not ignored`() {
    for occasion in [DeliveryContext.Occasion.recheck, .powerNapWake] {
      let verdict = HourlyBudget.evaluate(context(occasion: occasion), exhaustedMemory(policy), policy)
      #expect(verdict == .hold(Hold(until: noon + .minutes(20))))
    }
  }

  @Test func `the token is there at the instant promised and not a second earlier`() {
    let memory = exhaustedMemory(policy)
    let due = noon + .minutes(20)
    #expect(HourlyBudget.evaluate(context(at: due), memory, policy) == .abstain)
    let early = HourlyBudget.evaluate(context(at: due - .seconds(1), occasion: .recheck), memory, policy)
    #expect(early == .hold(Hold(until: due)))
  }

  @Test(arguments: [2.5 / 3600, 7.0 / 3600, 1.0 / 86_400, 0.1, 1.0 / 31_536_000])
  func
    `re-deciding at the instant promised finds the token whatever the rate, so no rounding holds a push for ever`(
      limit: Double
    ) throws
  {
    let policy = testPolicy { $0.hourlyBudget.limit = limit }
    var stream = testStream(100)
    for _ in 0..<500 {
      let now = noon + SimDuration(microseconds: Int64(stream.bits()))
      var memory = freshMemory(policy, at: noon)
      for _ in 0..<stream.below(6) { memory.recordLaunch(at: now, policy) }
      guard case .hold(let hold) = HourlyBudget.evaluate(context(at: now, occasion: .recheck), memory, policy)
      else { continue }
      #expect(hold.until > now)
      #expect(HourlyBudget.evaluate(context(at: hold.until, occasion: .recheck), memory, policy) == .abstain)
    }
  }

  @Test func `without refill the next token never comes`() {
    let policy = testPolicy { $0.hourlyBudget.limit = 0 }
    let verdict = HourlyBudget.evaluate(context(occasion: .recheck), exhaustedMemory(policy), policy)
    #expect(verdict == .hold(Hold(until: .distantFuture)))
  }

  @Test func `the bucket holds no more than its burst, however long nothing is launched`() {
    var memory = exhaustedMemory(policy)
    let later = noon + .days(30)
    #expect(memory.budget.tokens(at: later, policy, memory.feedback) == 3)
    for _ in 0..<3 {
      #expect(HourlyBudget.evaluate(context(at: later), memory, policy) == .abstain)
      memory.recordLaunch(at: later, policy)
    }
    #expect(HourlyBudget.evaluate(context(at: later), memory, policy) != .abstain)
  }

  @Test func `a launch costs exactly one token and never more than there is`() {
    var memory = freshMemory(policy)
    memory.recordLaunch(at: noon, policy)
    #expect(memory.budget.tokens(at: noon, policy, memory.feedback) == 2)
    for _ in 0..<5 { memory.recordLaunch(at: noon, policy) }
    #expect(memory.budget.tokens(at: noon, policy, memory.feedback) == 0)
  }

  @Test func `the reputation multiplies the refill and leaves the burst alone`() {
    var memory = exhaustedMemory(policy)
    memory.feedback.reputation = 0.5
    #expect(abs(memory.budget.tokens(at: noon + .minutes(20), policy, memory.feedback) - 0.5) < 1e-12)
    #expect(memory.budget.tokens(at: noon + .days(9), policy, memory.feedback) == 3)
    var off = policy
    off.modes[Int(FactorID.fetchFeedback.rawValue)] = FactorMode.off.rawValue
    #expect(abs(memory.budget.tokens(at: noon + .minutes(20), off, memory.feedback) - 1) < 1e-12)
  }

  @Test func `a change of the reputation slows only what is refilled after it`() {
    // Each launch from here on is worth nothing, so one result takes the reputation from 1 to 0.
    let policy = testPolicy {
      $0.fetchFeedback.gain = 1
      $0.fetchFeedback.neverCompleting = 0
    }
    var memory = exhaustedMemory(policy)
    memory.recordResult(.killed, runTime: .seconds(30), at: noon + .minutes(10), policy)
    #expect(memory.feedback.reputation == 0)
    #expect(abs(memory.budget.tokens(at: noon + .hours(5), policy, memory.feedback) - 0.5) < 1e-12)
    // An open moves it a quarter of the way back to 1.
    memory.recordOpen(at: noon + .hours(5), policy)
    let tokens = memory.budget.tokens(at: noon + .hours(5) + .minutes(20), policy, memory.feedback)
    #expect(abs(tokens - 0.75) < 1e-12)
  }
}

// MARK: - The long run

/// What to do with a push that finds no token.
private enum Surplus { case ignored, heldInOrder }

@Suite struct HourlyBudgetLongRunTests {
  private static let days: Int64 = 400

  /// Launches of a run of ``days`` from a full bucket; `nextGap` gives the time between arrivals.
  private func launches(_ policy: Policy, _ surplus: Surplus, nextGap: () -> SimDuration) -> (
    launched: [SimTime], arrived: Int
  ) {
    var memory = AppMemory()
    memory.budget.fill(at: .zero, policy)
    let end = SimTime.zero + .days(Self.days)
    var launched: [SimTime] = []
    var arrived = 0
    var waiting = 0
    var arrival = SimTime.zero + nextGap()
    var recheck = SimTime.distantFuture
    while min(arrival, recheck) <= end {
      let now = min(arrival, recheck)
      let isArrival = arrival <= recheck
      if isArrival {
        arrived += 1
        arrival = now + nextGap()
        if waiting > 0 {
          waiting += 1
          continue
        }
      }
      switch HourlyBudget.evaluate(context(at: now, occasion: .recheck), memory, policy) {
      case .abstain:
        memory.recordLaunch(at: now, policy)
        launched.append(now)
        if !isArrival { waiting -= 1 }
        recheck = waiting > 0 ? now : .distantFuture
      case .hold(let hold) where surplus == .heldInOrder:
        if isArrival { waiting += 1 }
        recheck = hold.until
      default: break
      }
    }
    return (launched, arrived)
  }

  @Test(arguments: [1.0, 2, 3, 4, 7.5, 60], [Surplus.ignored, .heldInOrder])
  private func `with periodic arrivals the launches are as many as arrive, or as the bucket refills`(
    rate: Double, surplus: Surplus
  ) {
    let policy = testPolicy()
    let (launched, arrived) = launches(policy, surplus) { SimDuration(seconds: 3600 / rate) }
    let hours = Double(Self.days * 24)
    if rate <= 3 {
      #expect(launched.count == arrived)
    } else if surplus == .heldInOrder {
      // The burst, and one more for each interval of the refill; the last may fall on the end.
      #expect(abs(Double(launched.count) - (3 + 3 * hours)) <= 1)
    } else {
      // A push takes a token, on average, as soon as there is one: no token is lost once the burst is used up.
      #expect(abs(Double(launched.count) - (3 + 3 * hours)) <= 2)
    }
  }

  @Test(arguments: [1.0, 2, 4, 6])
  func
    `with Poisson arrivals that wait in order the launches are as many as arrive, or as the bucket refills`(
      rate: Double
    )
  {
    var stream = testStream(101)
    let (launched, arrived) = launches(testPolicy(), .heldInOrder) {
      SimDuration(seconds: stream.unitExponential() * 3600 / rate)
    }
    let hours = Double(Self.days * 24)
    // Arrivals: Poisson, α = 10⁻⁶. Under saturation the count is the refill's, but for idle time at the start.
    #expect(abs(Double(arrived) - rate * hours) <= zAlpha * (rate * hours).squareRoot())
    if rate < 3 {
      // An M/D/1 queue at load 2/3 holds more than 60 with a probability far below 10⁻⁶.
      #expect(arrived - launched.count >= 0)
      #expect(arrived - launched.count <= 60)
    } else {
      // Tokens spilled while the queue is empty, early on: bounded as the queue before, with the roles changed.
      #expect(Double(launched.count) <= 3 + 3 * hours)
      #expect(Double(launched.count) >= 3 * hours - 60)
    }
  }

  @Test(arguments: [0.5, 1, 3, 6, 24])
  func `with a burst of one and the surplus ignored the launches are a renewal process with a dead time`(
    rate: Double
  ) {
    // After a launch the bucket is empty for 20 minutes, then waits for an arrival: rate λ/(1 + λ/r).
    let policy = testPolicy { $0.hourlyBudget.burst = 1 }
    var stream = testStream(102)
    let (launched, _) = launches(policy, .ignored) {
      SimDuration(seconds: stream.unitExponential() * 3600 / rate)
    }
    let hours = Double(Self.days * 24)
    let cycle = 1.0 / 3 + 1 / rate
    let deviation = (hours / (rate * rate) / (cycle * cycle * cycle)).squareRoot()
    // Central limit theorem for renewals, α = 10⁻⁶; 2 for the ends of the run.
    #expect(abs(Double(launched.count) - hours / cycle) <= zAlpha * deviation + 2)
  }

  @Test func `no span of time sees more launches than the burst and its refill`() {
    var stream = testStream(103)
    let (launched, _) = launches(testPolicy(), .ignored) {
      SimDuration(seconds: stream.unitExponential() * 3600 / 5)
    }
    for first in launched.indices {
      for last in first..<min(first + 40, launched.count) {
        let refill = (launched[last] - launched[first]).hours * 3
        #expect(Double(last - first + 1) <= 3 + refill + 1e-4)
      }
    }
  }
}
