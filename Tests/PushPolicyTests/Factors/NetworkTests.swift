import PushPolicy
import Quantities
import Testing

@Suite struct NetworkTests {
  private func verdict(_ state: DeviceState) -> Verdict {
    let policy = testPolicy()
    return Network.evaluate(context(state, occasion: .recheck), freshMemory(policy), policy)
  }

  @Test func `one network is enough, whichever it is`() {
    #expect(verdict([.poweredOn, .wifi]) == .abstain)
    #expect(verdict([.poweredOn, .cellular]) == .abstain)
    #expect(verdict([.poweredOn, .wifi, .cellular]) == .abstain)
  }

  @Test
  func `a push is held while the device is offline or off, until either network or the power comes back`() {
    let hold = Verdict.hold(Hold(lifts: [.wifi, .cellular, .poweredOn]))
    #expect(verdict([.poweredOn]) == hold)
    #expect(verdict([.wifi, .cellular]) == hold)
    expectReads(Network.self, only: [.wifi, .cellular, .poweredOn])
  }
}
