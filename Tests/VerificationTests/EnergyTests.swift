import Experiments
import Foundation
import PushModel
import PushPolicy
import PushsimTestSupport
import Testing

// Energy and bytes against values reckoned by hand from the shipped population's parameters: waking the radio 0.3 J on
// Wi-Fi and 4 J on cellular, shared within 10 s; 0.92 W on Wi-Fi and 0.96 W on cellular while the app runs; 1.2 J and
// 1.5 J a megabyte. A push takes 1 s to the device and is launched at once.
struct EnergyTests {
  private func scripted(_ change: (inout ScriptedCase) -> Void = { _ in }) -> ScriptedCase {
    ScriptedCase {
      $0.policy = ScriptedCase.only(.foreground)
      $0.app = "syncs_on_open: off"
      $0.handler = "duration: 1.5 s, result: {no_data: 100 %}"
      change(&$0)
    }
  }

  private func joules(_ scripted: ScriptedCase) throws -> Double {
    Double(try scripted.tally().energy.total) * 1e-6
  }

  // The table of the energy model that the parameters come from: 1.7 J, 4.9 J and 23 J; 5.4 J, 8.8 J and 28 J.
  @Test(arguments: [
    ("wifi", 1.5, 1.68), ("wifi", 5, 4.9), ("wifi", 25, 23.3),
    ("cellular", 1.5, 5.44), ("cellular", 5, 8.8), ("cellular", 25, 28),
  ])
  func `a wake costs the radio once, and its run time`(network: String, runTime: Double, expected: Double)
    throws
  {
    let energy = try scripted {
      $0.start = "network: \(network), last_open: 1 h"
      $0.handler = "duration: \(runTime) s, result: {no_data: 100 %}"
    }.tally().energy
    #expect(energy.total == Int64((expected * 1e6).rounded()))
    #expect(energy.wakes == energy.total && energy.usefulWakes == 0)
    #expect(energy.whileCharging == 0)
    #expect(energy.bytes == 256)
  }

  @Test func `wakes within the radio's tail share it`() throws {
    let apart = try joules(scripted { $0.send = "{at: [1 h, 3612 s]}" })
    let close = try joules(scripted { $0.send = "{at: [1 h, 3605 s]}" })
    #expect((apart - 2 * 1.68).magnitude < 1e-9)
    #expect((close - (2 * 1.68 - 0.3)).magnitude < 1e-9)
    // A tail is paid for once every 10 s, however long the traffic goes on.
    let many = (0..<10).map { "\(3600 + 4 * $0) s" }.joined(separator: ", ")
    #expect((try joules(scripted { $0.send = "{at: [\(many)]}" }) - (10 * 1.38 + 4 * 0.3)).magnitude < 1e-9)
  }

  @Test
  func `the radio is up anyway while the device is in use, for a tail afterwards, and at other traffic`()
    throws
  {
    let run = 1.5 * 0.92
    let during = try joules(scripted { $0.timeline = ["at: 59 min, open_app: 2 min"] })
    let after = try joules(scripted { $0.timeline = ["at: 59 min, open_app: 55 s"] })
    let later = try joules(scripted { $0.timeline = ["at: 59 min, open_app: 50 s"] })
    let notified = try joules(scripted { $0.timeline = ["at: 3595 s, other_notification: true"] })
    #expect((during - run).magnitude < 1e-9)
    #expect((after - run).magnitude < 1e-9)
    #expect((later - run - 0.3).magnitude < 1e-9)
    #expect((notified - run).magnitude < 1e-9)
  }

  @Test func `what the charger gives is counted apart, and takes nothing from the battery`() throws {
    let charging = scripted {
      $0.timeline = ["at: 90 min, charger: connected"]
      $0.send = "{at: [1 h, 2 h]}"
    }
    let result = try Simulation.run(charging.scenario()).runs[0].strategies[0]
    #expect(result.total.energy.total == 3_360_000)
    #expect(result.total.energy.whileCharging == 1_680_000)
    // 1.68 J in two days, of a mean iPhone's battery: exp(2.565 + 0.12²/2) Wh at a health of 9/10.2.
    let full = exp(2.565 + 0.12 * 0.12 / 2) * 3600 * 9 / 10.2
    let share = try #require(result.metric("battery_per_device_day")?.estimate)
    #expect((share * full * 2 / 1.68 - 1).magnitude < 1e-5)
    let plugged = try charging.tally().energy
    #expect(plugged.batteryShares > 0)
    let always = try scripted { $0.start = "charger: connected, last_open: 1 h" }.tally().energy
    #expect(always.total == always.whileCharging && always.total > 0 && always.batteryShares == 0)
  }

  @Test func `an arrival that wakes nobody costs the radio, and a device without network nothing`() throws {
    let refused = scripted {
      $0.app = "background_modes: [], syncs_on_open: off"
      $0.policy = ScriptedCase.only(.backgroundMode)
    }
    #expect(try refused.tally().energy.total == 300_000)
    let offline = try scripted { $0.start = "network: offline, last_open: 1 h" }.tally()
    #expect(offline.energy.total == 0 && offline.energy.bytes == 0)
  }

  @Test func `a launch that brings something loads it; what nobody saw is wasted`() throws {
    // Three launches bring a version each; the second supersedes the first, the user sees it, the third stays unseen.
    let total = try scripted {
      $0.updates = "{every: 1 h, phase: 30 min}, size: 5 MB"
      $0.send = "{at: [1 h, 2 h, 3 h]}"
      $0.handler = "duration: 1.5 s, result: {new_data: 100 %}"
      $0.timeline = ["at: 140 min, open_app: 1 min"]
      $0.duration = "4 h"
    }.tally()
    let wake: Int64 = 1_680_000 + 6_000_000
    #expect(total.wakes == 3 && total.usefulWakes == 1)
    #expect(total.energy.total == 3 * wake && total.energy.wakes == 3 * wake)
    #expect(total.energy.usefulWakes == wake)
    #expect(total.energy.bytes == 3 * (256 + 5_000_000))
  }

  @Test func `loading when the app is opened costs its bytes, and only if there is something new`() throws {
    let total = try scripted {
      $0.app = "syncs_on_open: on"
      $0.updates = "{at: [30 min]}"
      $0.send = nil
      $0.timeline = ["at: 1 h, open_app: 1 min", "at: 2 h, open_app: 1 min"]
    }.tally()
    // The radio is up for the user; 20 KB on Wi-Fi.
    #expect(total.energy.bytes == 20_000)
    #expect(total.energy.total == 24_000)
    #expect(total.energy.wakes == 0)
  }

  @Test func `a launch that is cut short costs what it ran`() throws {
    let total = try scripted {
      $0.policy = ScriptedCase.only(.foreground, .forceQuit)
      $0.handler = "duration: 20 s, result: {no_data: 100 %}"
      $0.timeline = ["at: 3606 s, force_quit: true"]
    }.tally()
    // From 1 h 1 s to 1 h 6 s.
    #expect(total.energy.total == 300_000 + 5 * 920_000)
  }

  @Test func `what is spent in the warm-up does not count`() throws {
    let total = try scripted {
      $0.send = "{at: [1 h, 3 h]}"
      $0.warmUp = "2 h"
    }.tally()
    #expect(total.energy.total == 1_680_000)
  }

  @Test func `the metrics are the sums by device and day, and by fresh open`() throws {
    let scenario = try scripted {
      $0.updates = "{at: [30 min]}"
      $0.handler = "duration: 1.5 s, result: {new_data: 100 %}"
      $0.timeline = ["at: 2 h, open_app: 1 min", "at: 3 h, open_app: 1 min"]
      $0.devices = 3
    }.scenario()
    let strategy = try Simulation.run(scenario).runs[0].strategies[0]
    let spent = 1.68 + 0.024
    func expect(_ name: String, _ value: Double) throws {
      let estimate = try #require(strategy.metric(name)?.estimate)
      #expect((estimate - value).magnitude < 1e-9, "\(name)")
    }
    try expect("energy_j_per_device_day", spent / 2)
    try expect("joules_per_fresh_open", spent / 2)
    try expect("bytes_per_device_day", 20_256 / 2)
    try expect("wasted_energy_share", 0)
  }
}
