import PushPolicy
import Quantities
import Testing

@Suite struct BackgroundModeTests {
  @Test(arguments: (0..<16).map { BackgroundModes(rawValue: $0) })
  func `without the mode remote_notification the app is never woken, whatever other modes it has`(
    modes: BackgroundModes
  ) {
    let policy = testPolicy()
    for occasion in [DeliveryContext.Occasion.arrival, .recheck, .powerNapWake] {
      let verdict = BackgroundMode.evaluate(
        context(modes: modes, occasion: occasion), freshMemory(policy), policy)
      #expect(verdict == (modes.contains(.remoteNotification) ? .abstain : .never))
    }
  }

  @Test(arguments: (0..<16).map { BackgroundModes(rawValue: $0) })
  func `a VoIP push needs the mode voip and no other`(modes: BackgroundModes) {
    let policy = testPolicy()
    let verdict = BackgroundMode.evaluate(context(request: .voip, modes: modes), freshMemory(policy), policy)
    #expect(verdict == (modes.contains(.voip) ? .abstain : .never))
  }

  @Test func `the modes are judged whatever the state of the device`() {
    expectReads(BackgroundMode.self, only: [])
  }
}
