import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

/// Connections that rest, are slow to wake, or lose what was stored for them, beside what theory says of the shares.
struct LinkTests {
  private static let devices = 400

  private func linked(_ policy: [String], _ change: (inout ScriptedCase) -> Void = { _ in }) -> ScriptedCase {
    ScriptedCase {
      $0.policy = policy
      $0.send = "{at: [12 h]}"
      $0.duration = "14 h"
      $0.devices = Self.devices
      change(&$0)
    }
  }

  /// Half of the time, with a mean of an hour: 12 h are as good as for ever.
  private let half = ["apns.rest_share: 50 %", "apns.rest_sigma: 0", "apns.rest_length: 1 h"]

  @Test func `a connection rests for its share of the time, and APNs stores meanwhile`() throws {
    let tally = try linked(half).tally()
    let stored = Int(tally.apns[0].total(.storedForPower))
    #expect(isPlausible(stored, of: Self.devices, probability: 0.5), "\(stored)")
    // What is stored arrives when the rest is over: after an hour, on average, or is still there after two.
    let waiting = tally.count(.pending)
    #expect(isPlausible(waiting, of: stored, probability: 0.135), "\(waiting) of \(stored)")
    #expect(tally.count(.delivered) + waiting == Self.devices)
    let charging = try linked(half) { $0.start += ", charger: connected" }.tally()
    #expect(charging.apns[0].total(.storedForPower) == 0)
    #expect(charging.count(.delivered) == Self.devices)
  }

  @Test func `a push that may not be stored ends when the connection rests`() throws {
    let tally = try linked(half) { $0.push = "expiration: 0" }.tally()
    #expect(isPlausible(tally.count(.expiredAtAPNs), of: Self.devices, probability: 0.5))
    let voip = try linked(half + ["voip.stores: on"]) {
      $0.app = "background_modes: [voip]"
      $0.mechanisms = "voip_push: {send: {at: [12 h]}, expiration: 0}"
    }.tally()
    #expect(isPlausible(voip.count(.expiredAtAPNs), of: Self.devices, probability: 0.5))
  }

  @Test(arguments: ["open_app: 1 min", "charger: connected"])
  func `an open of the app or the charger ends a rest`(event: String) throws {
    let scenario = try linked(["apns.rest_share: 90 %", "apns.rest_sigma: 0", "apns.rest_length: 100 h"]) {
      $0.timeline = ["at: 13 h, \(event)"]
      $0.devices = 60
    }.scenario()
    let times = try (0..<60 as Range<UInt32>).map { try Simulation.trace(scenario, device: $0).ends[0].time }
    let ended = Double(13 * 3600 + 1)
    #expect(times.count { $0 == ended } > 20)
    #expect(times.allSatisfy { $0 <= ended })
  }

  @Test func `a share of the devices is slow to wake, off the charger`() throws {
    let slow = [
      "apns.slow_wake_devices: 40 %", "apns.slow_wake: 100 %", "apns.slow_wake_median: 10 s",
      "apns.slow_wake_sigma: 0",
    ]
    let latency = try linked(slow).tally().latency
    #expect(latency.minimum == 1_000_000 && latency.maximum == 11_000_000)
    let late = Int(((latency.mean! - 1e6) / 1e7 * Double(Self.devices)).rounded())
    #expect(isPlausible(late, of: Self.devices, probability: 0.4), "\(late)")
    let charging = linked(slow) { $0.start += ", charger: connected" }
    #expect(try charging.tally().latency.maximum == 1_000_000)
  }

  @Test func `a share of the devices loses what was stored while they were off the network, each time`()
    throws
  {
    let scripted = linked(["apns.stored_lost_devices: 40 %", "apns.stored_lost: 100 %"]) {
      $0.send = "{at: [90 min, 210 min, 5 h]}"
      $0.timeline = [
        "at: 1 h, network: offline", "at: 2 h, network: wifi", "at: 3 h, network: offline",
        "at: 4 h, network: wifi",
      ]
    }
    let tally = try scripted.tally()
    #expect(tally.count(.lost) % 2 == 0)
    #expect(isPlausible(tally.count(.lost) / 2, of: Self.devices, probability: 0.4))
    #expect(tally.apns[0].total(.lostFromStorage) == Int64(tally.count(.lost)))
    let scenario = try scripted.scenario()
    for device in 0..<20 as Range<UInt32> {
      let fates = try Simulation.trace(scenario, device: device).ends.map(\.fate)
      // What was sent to a device on the network arrives.
      #expect(fates[0] == fates[1] && fates[2] == .delivered)
    }
  }
}

struct SilenceTests {
  private func tally(_ duration: String, warmUp: String = "0 s", sends: String = "1 h, 4 h") throws -> Tally {
    try ScriptedCase {
      $0.send = "{at: [\(sends)]}"
      $0.duration = duration
      $0.warmUp = warmUp
    }.tally()
  }

  @Test func `the longest silence runs from one push to the next, or to the end`() throws {
    // A push takes a second.
    let short = try tally("36001 s")
    #expect(short.silence.count == 1 && short.silence.maximum == 6 * 3_600_000_000)
    #expect(short.silentFor[0] == 0)
    let long = try tally("36002 s")
    #expect(long.silence.maximum == 21_601_000_000)
    #expect((0..<3).map { long.silentFor[$0] } == [1, 0, 0])
    // Before the measured time nothing counts.
    #expect(try tally("3 h", warmUp: "2 h").silence.maximum == 7_201_000_000)
  }

  @Test func `tasks end a silence, and a removed app has none`() throws {
    let silent = try ScriptedCase {
      $0.timeline = ["at: 2 h, uninstall: true"]
      $0.duration = "3 d"
    }.tally()
    #expect(silent.silence.count == 0)
    func over6h(_ mechanisms: String) throws -> Int64 {
      try ScriptedCase {
        $0.app = "background_modes: [processing]"
        $0.mechanisms = mechanisms
        $0.start = "battery: 80 %, last_open: 1 h, charger: connected"
        $0.policy = ["processing_task.spacing: 15 min", "processing_task.peak_interval: 10 min"]
        $0.duration = "1 d"
      }.tally().silentFor[0]
    }
    #expect(try over6h("processing_task: {duration: 10 s}") == 0)
    #expect(try over6h("processing_task: {requires_network: on, earliest: 2 d, duration: 10 s}") == 1)
  }
}
