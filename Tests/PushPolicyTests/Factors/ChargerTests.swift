import PushPolicy
import Quantities
import Testing

@Suite struct ChargerTests {
  @Test(arguments: [DeviceState.plain, [.plain, .charging], [.plain, .charging, .batteryLow, .cpuBusy]])
  func `the charger by itself has nothing to say`(state: DeviceState) {
    let policy = testPolicy()
    #expect(Charger.evaluate(context(state), freshMemory(policy), policy) == .abstain)
  }

  @Test func `it relieves only while it is connected and the factor counts`() {
    let on = testPolicy()
    let off = testPolicy { $0.modes[Int(FactorID.charger.rawValue)] = FactorMode.off.rawValue }
    let shadow = testPolicy { $0.modes[Int(FactorID.charger.rawValue)] = FactorMode.shadow.rawValue }
    #expect(on.chargerRelieves([.plain, .charging]))
    #expect(!on.chargerRelieves(.plain))
    #expect(!off.chargerRelieves([.plain, .charging]))
    #expect(!shadow.chargerRelieves([.plain, .charging]))
  }

  @Test func `each of its two switches lifts its own factor and no other`() {
    let state: DeviceState = [.plain, .charging, .batteryLow, .cpuBusy]
    for (liftsBattery, liftsLoad) in [(true, true), (true, false), (false, true), (false, false)] {
      let policy = testPolicy {
        $0.charger.liftsBatteryLevel = liftsBattery
        $0.charger.liftsCPULoad = liftsLoad
      }
      var decision = decide(context(state), memory: freshMemory(policy), policy: policy)
      _ = decision.resolve(isArrival: false) { _ in 0 }
      #expect(decision.holding.contains(.batteryLevel) == !liftsBattery)
      #expect(decision.holding.contains(.cpuLoad) == !liftsLoad)
    }
  }
}
