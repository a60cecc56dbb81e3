import PushPolicy
import Quantities
import Testing

@Suite struct CameraTests {
  @Test func `while the camera is in use a push is held`() {
    let policy = testPolicy()
    let memory = freshMemory(policy)
    #expect(Camera.evaluate(context([.plain, .camera]), memory, policy) == .hold(Hold(lifts: .camera)))
    #expect(Camera.evaluate(context(), memory, policy) == .abstain)
    expectReads(Camera.self, only: .camera)
  }
}
