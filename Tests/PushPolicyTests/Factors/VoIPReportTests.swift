import PushPolicy
import Quantities
import Testing

@Suite struct VoIPReportTests {
  private let policy = testPolicy()

  @Test func `from the fourth violation on there are no more VoIP pushes, and other pushes go on (V8, V9)`() {
    for violations in 0..<8 {
      var memory = freshMemory(policy)
      memory.voipReport.violations = violations
      let verdict = VoIPReport.evaluate(context(request: .voip), memory, policy)
      #expect(verdict == (violations < 4 ? .abstain : .never), "\(violations)")
      #expect(VoIPReport.evaluate(context(), memory, policy) == .abstain)
    }
  }

  @Test func `a report may fail just after a change of network, in an app that was killed (V14, R-84)`() {
    let rule = policy.voipReport
    #expect(rule.failure(sinceChange: .seconds(59), wasKilled: true) == 0.5)
    #expect(rule.failure(sinceChange: .seconds(60), wasKilled: true) == 0)
    #expect(rule.failure(sinceChange: .seconds(59), wasKilled: false) == 0)
  }

  @Test func `an app in the front gets its calls, blocked or not (V7)`() {
    var memory = freshMemory(policy)
    memory.voipReport.violations = 8
    let inFront = DeviceState.plain.union(.inFront)
    #expect(VoIPReport.evaluate(context(inFront, request: .voip), memory, policy) == .abstain)
    #expect(VoIPReport.evaluate(context(request: .voip), memory, policy) == .never)
  }

  @Test func `of the device's state only what is in the front counts`() {
    expectReads(VoIPReport.self, only: [.inFront])
  }
}
