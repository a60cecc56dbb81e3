import PushPolicy
import Quantities
import Testing

@Suite struct CPULoadTests {
  private func verdict(_ state: DeviceState, _ policy: Policy) -> Verdict {
    CPULoad.evaluate(context(state), freshMemory(policy), policy)
  }

  @Test func `a busy processor holds until the load drops or the charger is connected`() {
    #expect(verdict([.plain, .cpuBusy], testPolicy()) == .hold(Hold(lifts: [.cpuBusy, .charging])))
  }

  @Test func `a processor that is not busy has nothing to say`() {
    #expect(verdict(.plain, testPolicy()) == .abstain)
  }

  @Test func `the charger lifts it, unless the charger is off or told not to`() {
    let state: DeviceState = [.plain, .cpuBusy, .charging]
    #expect(verdict(state, testPolicy()) == .abstain)
    let off = testPolicy { $0.modes[Int(FactorID.charger.rawValue)] = FactorMode.off.rawValue }
    #expect(verdict(state, off) != .abstain)
    #expect(verdict(state, testPolicy { $0.charger.liftsCPULoad = false }) != .abstain)
    expectReads(CPULoad.self, only: [.cpuBusy, .charging])
  }
}
