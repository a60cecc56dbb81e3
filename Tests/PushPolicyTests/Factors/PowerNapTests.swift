import PushPolicy
import Quantities
import Testing

@Suite struct PowerNapTests {
  private func verdict(_ state: DeviceState, _ occasion: DeliveryContext.Occasion) -> Verdict {
    let policy = testPolicy()
    return PowerNap.evaluate(context(state, occasion: occasion), freshMemory(policy), policy)
  }

  @Test(arguments: [DeliveryContext.Occasion.arrival, .recheck])
  func `a push to a sleeping device is held until it wakes`(occasion: DeliveryContext.Occasion) {
    #expect(verdict([.plain, .asleep], occasion) == .hold(Hold(lifts: .asleep)))
  }

  @Test func `in a Power Nap wake the sleeping device holds nothing`() {
    #expect(verdict([.plain, .asleep], .powerNapWake) == .abstain)
  }

  @Test(arguments: [DeliveryContext.Occasion.arrival, .recheck, .powerNapWake])
  func `a device that is awake holds nothing`(occasion: DeliveryContext.Occasion) {
    #expect(verdict(.plain, occasion) == .abstain)
  }

  @Test func `a launch in a Power Nap wake still obeys the other factors`() {
    let policy = testPolicy()
    let decision = decide(
      context([.plain, .asleep, .cpuBusy], occasion: .powerNapWake), memory: freshMemory(policy),
      policy: policy)
    #expect(decision.outcome == .hold)
    #expect(decision.holding == FactorSet(.cpuLoad))
    expectReads(PowerNap.self, only: .asleep)
  }
}
