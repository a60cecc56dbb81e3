import Experiments
import PushsimTestSupport
import Quantities
import Testing

/// Pushes at every hour to a device that comes back after some days: from then on each is delivered at once.
struct WarmUpCheckTests {
  private func check(backAfter hours: String, _ change: (inout ScriptedCase) -> Void = { _ in }) throws
    -> WarmUpCheck
  {
    let scripted = ScriptedCase {
      $0.send = "{every: 1 h}"
      $0.start = "battery: 80 %, last_open: 1 h, charger: connected, network: offline"
      $0.timeline = ["at: \(hours), network: wifi"]
      $0.policy = ScriptedCase.only()
      $0.replications = 2
      $0.duration = "16 d"
      change(&$0)
    }
    return try Simulation.run(scripted.yaml).runs[0].warmUp
  }

  @Test func `a start that shows in the result is warned of, with the day from which it does not`() throws {
    let check = try check(backAfter: "71.5 h")
    #expect(check.isAdequate == false)
    #expect(check.suggested == .days(3))
    #expect(check.slowest?.metric == "delivered_within_5min")
    #expect(check.warning?.contains("settles after about 3 d") == true)
  }

  @Test func `a warm-up that covers the start is enough`() throws {
    let check = try check(backAfter: "71.5 h") {
      $0.warmUp = "3 d"
      $0.duration = "13 d"
    }
    #expect(check.isAdequate == true)
    #expect(check.suggested == .days(3))
    #expect(check.warning == nil)
  }

  @Test func `what settles in the second half of the run has not been seen to settle`() throws {
    let check = try check(backAfter: "239.5 h")
    #expect(check.isAdequate == false)
    #expect(check.suggested == nil)
    #expect(check.warning?.contains("has not settled") == true)
  }

  @Test func `one replication, or fewer than ten days, say nothing`() throws {
    for check in [
      try check(backAfter: "71.5 h") { $0.replications = 1 },
      try check(backAfter: "71.5 h") { $0.duration = "9 d" },
    ] {
      #expect(check.isAdequate == nil && check.suggested == nil && check.warning == nil)
    }
  }
}
