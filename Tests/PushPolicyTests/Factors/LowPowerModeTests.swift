import PushPolicy
import Quantities
import Testing

@Suite struct LowPowerModeTests {
  private let policy = testPolicy { $0.lowPowerMode.cancelProbability = 0.3 }

  @Test
  func `in Low Power Mode a push is cancelled with the probability, otherwise held until the mode ends`() {
    let verdict = LowPowerMode.evaluate(context([.plain, .lowPowerMode]), freshMemory(policy), policy)
    #expect(verdict == .neverWithProbability(0.3, otherwise: Hold(lifts: .lowPowerMode)))
  }

  @Test func `the charger does not lift it, nor does anything but its end`() {
    let state: DeviceState = [.plain, .lowPowerMode, .charging]
    #expect(LowPowerMode.evaluate(context(state), freshMemory(policy), policy) != .abstain)
    expectReads(LowPowerMode.self, only: .lowPowerMode)
  }

  @Test func `out of Low Power Mode it has nothing to say`() {
    #expect(LowPowerMode.evaluate(context(), freshMemory(policy), policy) == .abstain)
  }

  @Test(arguments: [(0.299_999, true), (0.3, false)])
  func `a push is cancelled if its draw is below the probability, and only on arrival`(
    draw: Double, cancels: Bool
  ) {
    for occasion in [DeliveryContext.Occasion.arrival, .recheck] {
      var decision = decide(
        context([.plain, .lowPowerMode], occasion: occasion), memory: freshMemory(policy), policy: policy)
      let ended = decision.resolve(isArrival: occasion == .arrival) { _ in draw }
      let expectsEnd = cancels && occasion == .arrival
      #expect(ended == (expectsEnd ? .lowPowerMode : nil))
      #expect(decision.outcome == (expectsEnd ? .discard : .hold))
    }
  }
}
