import PushPolicy
import Quantities
import Testing

@Suite struct HerdWindowTests {
  private func verdict(_ state: DeviceState, after seconds: Int64) -> Verdict {
    let policy = testPolicy()
    var memory = freshMemory(policy)
    memory.herd.since = noon
    return HerdWindow.evaluate(context(state, at: noon + .seconds(seconds)), memory, policy)
  }

  @Test func `for fifteen minutes after the trigger a push is held while the device is in use`() {
    let hold = Verdict.hold(Hold(until: noon + .seconds(900), lifts: [.screenOn, .inFront]))
    #expect(verdict([.plain, .screenOn], after: 0) == hold)
    #expect(verdict([.plain, .screenOn], after: 899) == hold)
    #expect(verdict([.plain, .screenOn], after: 900) == .abstain)
    #expect(verdict(.plain, after: 60) == .abstain)
    expectReads(HerdWindow.self, only: [.screenOn, .inFront])
  }
}
