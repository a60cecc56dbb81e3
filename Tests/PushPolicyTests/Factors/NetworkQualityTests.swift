import PushPolicy
import Quantities
import Testing

@Suite struct NetworkQualityTests {
  @Test func `Wi-Fi has a score of 1, any other network its own`() {
    let policy = testPolicy()
    let memory = freshMemory(policy)
    #expect(NetworkQuality.evaluate(context(), memory, policy) == .proceed(score: 1, weight: 10))
    let cellular = context([.installed, .poweredOn, .unlockedSinceStart, .cellular])
    #expect(NetworkQuality.evaluate(cellular, memory, policy) == .proceed(score: 0.5, weight: 10))
    expectReads(NetworkQuality.self, only: .wifi)
  }
}
