import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

/// A device that is off runs nothing, whatever factors count.
struct DeviceOffTests {
  private func off(_ change: (inout ScriptedCase) -> Void) -> ScriptedCase {
    ScriptedCase {
      $0.start = "battery: 80 %, low_power_mode: on, last_open: 1 h"
      $0.policy =
        ScriptedCase.only(.lowPowerMode) + ["low_power_mode.cancel_probability: 0 %"]
      $0.timeline = ["at: 2 h, battery: 0 %", "at: 3 h, low_power_mode: off"]
      change(&$0)
    }
  }

  @Test func `what is held on a device that is off is not launched when its hold ends`() throws {
    let trace = try off { _ in }.trace()
    #expect(trace.launches.isEmpty)
    // A day after the arrival its time is up.
    #expect(trace.ends == [.init(.notWakeable, "device_off", at: 25 * 3600 + 1)])
  }

  @Test func `a debugger does not launch it either`() throws {
    let trace = try off {
      $0.timeline = ["at: 2 h, battery: 0 %", "at: 3 h, debugger: attached", "at: 4 h, low_power_mode: off"]
    }.trace()
    #expect(trace.launches.isEmpty)
  }

  @Test func `it is launched as soon as the device is on again`() throws {
    let trace = try off { $0.timeline.append("at: 4 h, charger: connected") }.trace()
    let on = try #require(
      trace.records.first {
        if case .changed(let from, let to, _) = $0.event {
          return !from.contains(.poweredOn) && to.contains(.poweredOn)
        }
        return false
      })
    #expect(trace.ends == [.init(.delivered, at: on.time.seconds)])
  }

  @Test(arguments: ["guide", "evidence"])
  func `from off to on nothing happens on any device`(profile: String) throws {
    let scenario = try Simulation.decode(
      """
      scenario: off
      question: What runs on a device that is off?
      policy: {base: \(profile), set: {network.mode: off, first_unlock.mode: off}}
      population:
        base: consumer_default
        set: {restart.interval: 6 h, restart.off_for: 1 h, low_power_mode.always_on_share: 50 %}
      app: {background_modes: [remote_notification, fetch, processing, voip]}
      content: {updates: {poisson: {rate: 24 /day}}}
      strategies:
        everything:
          background_push: {send: {every: 10 min}}
          alert_push: {send: {every: 11 min}, service_extension: {work: 20 s}, opens: {share: 50 %, after: 10 min}}
          voip_push: {send: {every: 13 min}, syncs: on}
          app_refresh: {}
          processing_task: {}
          background_download: {size: 300 MB}
          websocket: {}
      experiment: {devices: 8, duration: 4 d, warm_up: 0 s, replications: 1}

      """)
    var offs = 0
    for device in 0..<UInt32(8) {
      var isOn = true
      for record in try Simulation.trace(scenario, device: device).records {
        var runs = false
        switch record.event {
        case .changed(_, let to, _):
          if isOn, !to.contains(.poweredOn) { offs += 1 }
          isOn = to.contains(.poweredOn)
        case .launched, .arrived, .called, .handlerEnded, .opened, .ended(.delivered, _), .decided:
          runs = true
        case .extensionEnded(let outcome): runs = outcome.isShown
        case .opportunity(_, _, let started): runs = started
        default: break
        }
        #expect(isOn || !runs, "device \(device), \(record.time.seconds) s: \(record.event)")
      }
    }
    #expect(offs > 50)
  }

  @Test func `an update that comes over a WebSocket comes while the device is on`() throws {
    // The app is in front when the device goes off; of three updates the first came while it was on.
    let trace = try ScriptedCase {
      $0.mechanisms = "websocket: {}"
      $0.app = "syncs_on_open: off"
      $0.timeline = ["at: 1 h, open_app: 2 h", "at: 2 h, battery: 0 %"]
      $0.updates = "{at_server: [\"01:30\", \"02:30\"]}"
    }.trace()
    #expect(trace.tally.energy.bytes > 0)
  }
}
