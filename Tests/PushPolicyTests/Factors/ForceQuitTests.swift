import PushPolicy
import Quantities
import Testing

@Suite struct ForceQuitTests {
  @Test(arguments: [DeliveryContext.Occasion.arrival, .recheck, .powerNapWake])
  func `a force-quit app is never woken, on arrival or later`(occasion: DeliveryContext.Occasion) {
    let policy = testPolicy()
    let memory = freshMemory(policy)
    let quit = ForceQuit.evaluate(context([.plain, .forceQuit], occasion: occasion), memory, policy)
    #expect(quit == .never)
    #expect(ForceQuit.evaluate(context(occasion: occasion), memory, policy) == .abstain)
  }

  @Test func `nothing but the end of the force quit lifts it`() {
    expectReads(ForceQuit.self, only: .forceQuit)
  }
}
