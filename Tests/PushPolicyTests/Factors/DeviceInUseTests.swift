import PushPolicy
import Quantities
import Testing

@Suite struct DeviceInUseTests {
  @Test func `a device in use has its score, any other 1`() {
    let policy = testPolicy()
    let memory = freshMemory(policy)
    let idle = DeviceInUse.evaluate(context(), memory, policy)
    #expect(idle == .proceed(score: 1, weight: 10))
    #expect(
      DeviceInUse.evaluate(context([.plain, .screenOn]), memory, policy) == .proceed(score: 0.25, weight: 10))
    expectReads(DeviceInUse.self, only: [.screenOn, .inFront])
  }
}
