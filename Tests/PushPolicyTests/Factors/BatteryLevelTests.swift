import PushPolicy
import Quantities
import Testing

@Suite struct BatteryLevelTests {
  private let policy = testPolicy { $0.batteryLevel.cancelProbability = 0.4 }

  private func verdict(_ state: DeviceState, _ policy: Policy) -> Verdict {
    BatteryLevel.evaluate(context(state), freshMemory(policy), policy)
  }

  @Test
  func `a low battery cancels with the probability, otherwise holds until the level or the charger lifts it`()
  {
    let expected = Verdict.neverWithProbability(0.4, otherwise: Hold(lifts: [.batteryLow, .charging]))
    #expect(verdict([.plain, .batteryLow], policy) == expected)
  }

  @Test func `a battery that is not low has nothing to say`() { #expect(verdict(.plain, policy) == .abstain) }

  @Test func `the charger lifts it, unless the charger is off, in shadow or told not to`() {
    let state: DeviceState = [.plain, .batteryLow, .charging]
    #expect(verdict(state, policy) == .abstain)
    for mode in [FactorMode.off, .shadow] {
      var other = policy
      other.modes[Int(FactorID.charger.rawValue)] = mode.rawValue
      #expect(verdict(state, other) != .abstain)
    }
    var other = policy
    other.charger.liftsBatteryLevel = false
    #expect(verdict(state, other) != .abstain)
    expectReads(BatteryLevel.self, only: [.batteryLow, .charging])
  }
}
