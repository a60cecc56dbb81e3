import PushPolicy
import Quantities
import Testing

@Suite struct BootWindowTests {
  @Test func `for five minutes after a start a push is held, whoever uses the device`() {
    let policy = testPolicy()
    var memory = freshMemory(policy)
    memory.boot.startedAt = noon
    for seconds in [Int64(0), 60, 299] {
      let verdict = BootWindow.evaluate(context(at: noon + .seconds(seconds)), memory, policy)
      #expect(verdict == .hold(Hold(until: noon + .seconds(300))))
    }
    #expect(BootWindow.evaluate(context(at: noon + .seconds(300)), memory, policy) == .abstain)
    expectReads(BootWindow.self, only: [])
  }

  @Test func `a device that started before the run has nothing to wait for`() {
    let policy = testPolicy()
    #expect(BootWindow.evaluate(context(at: .zero), freshMemory(policy), policy) == .abstain)
  }
}
