import PushPolicy
import Quantities
import Testing

@Suite struct ForegroundTests {
  @Test func `an app in the front, or with a debugger, must get the push`() {
    let policy = testPolicy()
    for state: DeviceState in [[.plain, .inFront], [.plain, .debugger]] {
      #expect(Foreground.evaluate(context(state), freshMemory(policy), policy) == .mustDeliver)
    }
  }

  @Test func `an app that is not in the front is left to the other factors`() {
    let policy = testPolicy()
    #expect(Foreground.evaluate(context(), freshMemory(policy), policy) == .abstain)
    expectReads(Foreground.self, only: [.inFront, .debugger])
  }

  @Test func `a push for an app in the front goes past everything that refuses or holds it`() {
    let policy = testPolicy()
    var memory = exhaustedMemory(policy)
    for _ in 0..<10 { memory.excess.recordArrival(at: noon) }
    for _ in 0..<10 { memory.feedback.recordResult(.killed, runTime: .seconds(30), policy) }
    let state: DeviceState = [
      .installed, .inFront, .forceQuit, .refreshOff, .lowPowerMode, .batteryLow, .cpuBusy, .asleep,
    ]
    let decision = decide(context(state, request: .alert, modes: []), memory: memory, policy: policy)
    #expect(decision.outcome == .deliver)
    #expect(decision.isMust)
    #expect(decision.refusing.isEmpty)
    #expect(decision.holding.isEmpty)
    #expect(decision.chanceCount == 0)
  }

  @Test func `a push that finds the app in the front only after arrival is delivered too`() {
    let policy = testPolicy()
    for occasion in [DeliveryContext.Occasion.recheck, .powerNapWake] {
      let decision = decide(
        context([.plain, .inFront, .lowPowerMode], occasion: occasion), memory: exhaustedMemory(policy),
        policy: policy)
      #expect(decision.isMust)
    }
  }
}
