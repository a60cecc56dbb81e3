import PushPolicy
import Quantities
import Testing

@Suite struct VoIPRateTests {
  private let policy = testPolicy()

  private func verdict(after gap: SimDuration?, _ request: PushRequest = .voip) -> Verdict {
    var memory = freshMemory(policy)
    if let gap { memory.voipRate.lastTaken = noon - gap }
    return VoIPRate.evaluate(context(request: request), memory, policy)
  }

  @Test func `a second VoIP push within the interval is rejected, one at its end is not (C3-10)`() {
    #expect(verdict(after: nil) == .abstain)
    #expect(verdict(after: .zero) == .never)
    #expect(verdict(after: .seconds(60) - SimDuration(microseconds: 1)) == .never)
    #expect(verdict(after: .seconds(60)) == .abstain)
  }

  @Test func `pushes of other types are not asked`() {
    for request in [PushRequest.silent, .alert, [.alert, .mutableContent]] {
      #expect(verdict(after: .seconds(1), request) == .abstain)
    }
  }

  @Test func `the rate is judged whatever the state of the device`() { expectReads(VoIPRate.self, only: []) }
}
