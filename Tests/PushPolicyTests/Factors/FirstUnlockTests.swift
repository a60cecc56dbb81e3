import PushPolicy
import Quantities
import Testing

@Suite struct FirstUnlockTests {
  @Test func `before the first unlock after a start a push is held until that unlock`() {
    let policy = testPolicy()
    let state = DeviceState.plain.subtracting(.unlockedSinceStart)
    let verdict = FirstUnlock.evaluate(context(state), freshMemory(policy), policy)
    #expect(verdict == .hold(Hold(lifts: .unlockedSinceStart)))
  }

  @Test func `after the first unlock it has nothing to say`() {
    let policy = testPolicy()
    #expect(FirstUnlock.evaluate(context(), freshMemory(policy), policy) == .abstain)
    expectReads(FirstUnlock.self, only: .unlockedSinceStart)
  }
}
