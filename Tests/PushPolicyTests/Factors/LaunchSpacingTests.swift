import PushPolicy
import Quantities
import Testing

@Suite struct LaunchSpacingTests {
  private let spacing = testPolicy().launchSpacing

  private func state(burst: Double, spent: Int) -> LaunchSpacing.State {
    var state = LaunchSpacing.State()
    state.burst = burst
    state.fill(at: noon)
    for _ in 0..<spent { state.spend(at: noon, spacing) }
    return state
  }

  private func verdict(
    _ state: LaunchSpacing.State, at now: SimTime, _ occasion: DeliveryContext.Occasion = .recheck
  ) -> Verdict {
    let policy = testPolicy()
    var memory = freshMemory(policy)
    memory.spacing = state
    return LaunchSpacing.evaluate(context(at: now, occasion: occasion), memory, policy)
  }

  @Test(arguments: [1.0, 2, 4, 9])
  func `a burst is launched at once, then nothing until it has refilled wholly`(burst: Double) {
    #expect(verdict(state(burst: burst, spent: Int(burst) - 1), at: noon) == .abstain)
    let closed = state(burst: burst, spent: Int(burst))
    let opens = noon + .minutes(Int64(15 * burst))
    #expect(verdict(closed, at: noon) == .hold(Hold(until: opens, lifts: .screenOn)))
    #expect(verdict(closed, at: opens - .seconds(1)) != .abstain)
    #expect(verdict(closed, at: opens) == .abstain)
  }

  @Test func `with the switch off it reopens at the first launch refilled`() {
    var soon = spacing
    soon.reopensFull = false
    #expect(state(burst: 4, spent: 4).wait(at: noon + .minutes(15), soon) == 0)
    #expect(state(burst: 4, spent: 4).wait(at: noon + .minutes(14), soon) > 0)
  }

  @Test func `in use it refills faster, and what was refilled before stays`() {
    var state = state(burst: 1, spent: 1)
    state.use(true, at: noon + .minutes(5), spacing)
    // A third in 5 minutes, the rest at twice the speed.
    #expect((state.wait(at: noon + .minutes(5), spacing) - 300).magnitude < 1e-3)
    state.use(false, at: noon + .minutes(5), spacing)
    #expect((state.wait(at: noon + .minutes(5), spacing) - 600).magnitude < 1e-3)
  }

  @Test func `missed handlers stretch it, completed ones shrink it back`() {
    let policy = testPolicy {
      $0.fetchFeedback.missFactor = 2
      $0.fetchFeedback.missCap = 4
    }
    var memory = freshMemory(policy)
    var factors: [Double] = []
    for result in [LaunchResult.killed, .timedOut, .killed, .noData, .newData, .failed] {
      memory.recordResult(result, runTime: .seconds(2), at: noon, policy)
      factors.append(memory.spacing.slowdown)
    }
    #expect(factors == [2, 4, 4, 2, 1, 1])
    #expect(memory.spacing.interval(policy.launchSpacing) == 900)
  }

  @Test func `beside other work of the system it does not count`() {
    #expect(verdict(state(burst: 1, spent: 1), at: noon, .release) == .abstain)
  }

  @Test func `bursts come by their weights`() {
    #expect([0, 0.49, 0.51, 0.999_999].map(spacing.burst(at:)) == [1, 1, 4, 4])
    expectReads(LaunchSpacing.self, only: [])
  }
}
