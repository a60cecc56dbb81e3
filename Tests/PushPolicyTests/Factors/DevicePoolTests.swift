import PushPolicy
import Quantities
import Testing

@Suite struct DevicePoolTests {
  private var pool = testPolicy().devicePool

  private func emptied(_ pool: DevicePool, at now: SimTime = noon) -> DevicePool.State {
    var state = DevicePool.State()
    state.fill(at: now - .hours(1), phase: 0.5, pool)
    for _ in 0..<10 { state.take(at: now, pool) }
    return state
  }

  private func verdict(_ pool: DevicePool, _ state: DevicePool.State, at now: SimTime) -> Verdict {
    let policy = testPolicy { $0.devicePool = pool }
    var memory = freshMemory(policy)
    memory.pool = state
    return DevicePool.evaluate(context(at: now), memory, policy)
  }

  @Test func `an empty pool holds until its reset, and is then full at once`() {
    let state = emptied(pool)
    let reset = noon - .hours(1) + .hours(12)
    #expect(verdict(pool, state, at: noon) == .hold(Hold(until: reset)))
    #expect(verdict(pool, state, at: reset - .seconds(1)) == .hold(Hold(until: reset)))
    #expect(verdict(pool, state, at: reset) == .abstain)
    #expect(state.left(at: reset, pool) == 10)
  }

  @Test func `resets come once a period, however long nothing is launched`() {
    var state = emptied(pool)
    state.take(at: noon + .days(5), pool)
    #expect(state.left(at: noon + .days(5), pool) == 9)
    #expect(state.resetAt > noon + .days(5))
    #expect(state.resetAt <= noon + .days(6))
  }

  @Test func `a gradual pool refills evenly`() {
    var gradual = pool
    gradual.isGradual = true
    let state = emptied(gradual)
    let next = SimDuration(seconds: 8640 * (1 - state.left(at: noon, gradual)))
    #expect(verdict(gradual, state, at: noon) == .hold(Hold(until: noon + next)))
    #expect(verdict(gradual, state, at: noon + next) == .abstain)
    #expect((state.left(at: noon + .hours(12), gradual) - 5).magnitude < 1)
  }

  @Test func `a device has its own factor on the size, and none in an empty period`() {
    var state = DevicePool.State()
    state.factor = 0.5
    state.empty = 0b110
    state.fill(at: noon, phase: 0.5, pool)
    let reset = noon + .hours(12)
    #expect(state.left(at: noon, pool) == 5)
    #expect(verdict(pool, state, at: reset) == .hold(Hold(until: reset + .days(1))))
    #expect(verdict(pool, state, at: reset + .hours(30)) == .hold(Hold(until: reset + .days(2))))
    #expect(verdict(pool, state, at: reset + .days(2)) == .abstain)
    // After 64 periods they come again, whether or not something was launched meanwhile.
    #expect(state.left(at: reset + .days(64), pool) == 0)
    state.take(at: reset + .hours(50), pool)
    #expect(state.left(at: reset + .hours(50), pool) == 4)
    #expect(state.left(at: reset + .days(64), pool) == 0)
    #expect(state.left(at: reset + .days(66), pool) == 5)
  }

  @Test func `it reads nothing of the device`() { expectReads(DevicePool.self, only: []) }
}
