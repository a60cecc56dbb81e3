import PushPolicy
import Quantities
import Testing

@Suite struct ScoreTests {
  /// In use and on cellular: (10 + 2.5 + 5) / 30.
  private let mean = 17.5 / 30
  private let state: DeviceState = [.installed, .poweredOn, .unlockedSinceStart, .cellular, .screenOn]
  private let policy = testPolicy(only: .score, .deviceInUse, .networkQuality)

  private func decision(
    heldFor seconds: Double, _ occasion: DeliveryContext.Occasion = .recheck
  ) -> Decision {
    let since = noon - SimDuration(seconds: seconds)
    return decide(
      context(state, occasion: occasion, heldSince: since), memory: freshMemory(policy), policy: policy)
  }

  @Test func `a push is held until the falling threshold has come down to the mean`() {
    let arrival = decision(heldFor: 0, .arrival)
    #expect((arrival.score - mean).magnitude < 1e-12)
    #expect(arrival.outcome == .hold)
    #expect(arrival.holding.factors == [.score])
    let wait = (0.8 - mean) / 0.4 * 86_400
    #expect(((arrival.hold.until - noon).seconds - wait).magnitude < 1e-3)
    #expect(decision(heldFor: wait - 60).outcome == .hold)
    #expect(decision(heldFor: wait + 1).outcome == .deliver)
  }

  @Test func `beside other work of the system the score does not count`() {
    #expect(decision(heldFor: 0, .release).outcome == .deliver)
  }

  @Test func `a mean under the last threshold waits for a change`() {
    var strict = policy
    strict.score.last = 0.7
    let decision = decide(context(state), memory: freshMemory(strict), policy: strict)
    #expect(decision.hold == Hold(lifts: [.screenOn, .wifi, .inFront]))
  }

  @Test func `watched, it holds nothing and says that it would`() {
    var watched = policy
    watched.modes[Int(FactorID.score.rawValue)] = FactorMode.shadow.rawValue
    let decision = decide(context(state), memory: freshMemory(watched), policy: watched)
    #expect(decision.outcome == .deliver)
    #expect(decision.shadow.factors == [.score])
  }

  @Test func `by itself it speaks for the policies that do not object`() {
    #expect(Score.evaluate(context(), freshMemory(policy), policy) == .proceed(score: 1, weight: 10))
    expectReads(Score.self, only: [])
  }
}
