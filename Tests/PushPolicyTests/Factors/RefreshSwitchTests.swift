import PushPolicy
import Quantities
import Testing

@Suite struct RefreshSwitchTests {
  private func verdict(_ state: DeviceState) -> Verdict {
    let policy = testPolicy()
    return RefreshSwitch.evaluate(context(state), freshMemory(policy), policy)
  }

  @Test func `with background refresh off the app is never woken, on Wi-Fi or not`() {
    #expect(verdict([.plain, .refreshOff]) == .never)
    #expect(verdict([.poweredOn, .cellular, .refreshOff]) == .never)
    #expect(verdict([.plain, .refreshOff, .refreshOnWiFiOnly]) == .never)
  }

  @Test func `on Wi-Fi only, a push is held without Wi-Fi until there is Wi-Fi or the setting changes`() {
    let hold = Verdict.hold(Hold(lifts: [.wifi, .refreshOnWiFiOnly]))
    #expect(verdict([.poweredOn, .cellular, .refreshOnWiFiOnly]) == hold)
    #expect(verdict([.poweredOn, .refreshOnWiFiOnly]) == hold)
  }

  @Test func `on Wi-Fi only, a push on Wi-Fi passes, with or without cellular beside it`() {
    #expect(verdict([.plain, .refreshOnWiFiOnly]) == .abstain)
    #expect(verdict([.plain, .cellular, .refreshOnWiFiOnly]) == .abstain)
  }

  @Test func `with background refresh on, the network does not matter`() {
    #expect(verdict(.plain) == .abstain)
    #expect(verdict([.poweredOn, .cellular]) == .abstain)
    expectReads(RefreshSwitch.self, only: [.refreshOff, .refreshOnWiFiOnly, .wifi])
  }
}
