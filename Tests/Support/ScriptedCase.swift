public import Experiments
public import PushModel
public import PushPolicy
import Quantities

/// The scenario of one scripted life, ready to be changed.
///
/// As it stands nothing is in the way of a push: the device is on Wi-Fi at 80 %, and the app was opened an hour ago.
/// A push takes 1 s from APNs to the device, and the handler 2 s without finding anything new, which moves no
/// reputation. So whatever happens otherwise in a test is due to what the test changes.
public struct ScriptedCase {
  public var device = "iphone"
  /// The major version of the system.
  public var os = 18
  /// The keys of `start`.
  public var start = "battery: 80 %, last_open: 1 h"
  /// Entries without their braces, as in `at: 1 h, network: offline`.
  public var timeline: [String] = []
  /// When pushes are sent; nil for an app that loads what is new when it is opened, and gets none.
  public var send: String? = "{at: [1 h]}"
  /// More keys of the background push, as in `priority: 10`.
  public var push = ""
  /// All mechanisms of the strategy, as in `alert_push: {send: {at: [1 h]}}`, in place of what `send` and `push` say.
  public var mechanisms: String?
  /// More keys of the app, as in `syncs_on_open: off`.
  public var app = "background_modes: [remote_notification]"
  public var handler = "duration: 2 s, result: {no_data: 100 %}"
  /// The content's `updates`; nil for an app without content.
  public var updates: String?
  public var transit = "1 s"
  public var profile = "guide"
  /// Overrides of the population, as in `network.bandwidth.wifi: 10 Mbit/s`.
  public var population: [String] = []
  /// Overrides of the policy, as in `low_power_mode.cancel_probability: 0 %`.
  public var policy: [String] = []
  /// Whether idle devices are as hard to reach, and tokens as different, as the policy says; else each device is reached at
  /// once, unless `policy` says something of the matter.
  public var isHardToReach = false
  /// Outages of APNs, as in `{from: 1 h, for: 20 min}`.
  public var outages = ""
  public var devices = 1
  public var replications = 1
  public var duration = "2 d"
  public var warmUp = "0 s"
  public var seed = 1

  public init() {}

  public init(_ change: (inout ScriptedCase) -> Void) {
    change(&self)
  }

  /// A policy of which only `factors` are on.
  public static func only(_ factors: FactorID...) -> [String] {
    FactorID.allCases.filter { !factors.contains($0) }.map { "\($0.name).mode: off" }
  }

  public var yaml: String {
    """
    scenario: scripted
    question: What happens?
    population:
      scripted:
        base: {base: consumer_default, set: {\(settings.joined(separator: ", "))}}
        device: \(device)
        os: \(os)
        start: {\(start)}
        timeline: [\(timeline.map { "{\($0)}" }.joined(separator: ", "))]
    policy: {base: \(profile), set: {\(overrides.joined(separator: ", "))}}
    app: {\(app), handler: {\(handler)}}
    \(updates.map { "content: {updates: \($0)}" } ?? "")
    apns: {outages: [\(outages)]}
    strategies:
      \(strategy)
    experiment:
      devices: \(devices)
      replications: \(replications)
      duration: \(duration)
      warm_up: \(warmUp)
      seed: \(seed)

    """
  }

  private var overrides: [String] {
    if isHardToReach { return policy }
    let neutral = [
      "apns.rest_share: 0 %", "apns.slow_wake: 0 %", "apns.stored_lost: 0 %", "apns.token_burst_sigma: 0",
    ]
    return policy
      + neutral.filter { one in
        let group = one.split(separator: "_")[0]
        return !policy.contains { $0.hasPrefix(group) }
      }
  }

  private var settings: [String] {
    ["latency.apns_online_s: \(transit)", "latency.apns_slow_tail.p: 0 %"] + population
  }

  private var strategy: String {
    if let mechanisms { return "it: {\(mechanisms)}" }
    guard let send else { return "none: {sync_on_open: {}}" }
    return "push: {background_push: {send: \(send)\(push.isEmpty ? "" : ", " + push)}}"
  }

  public func scenario() throws -> Scenario { try Simulation.decode(yaml) }

  /// What happens to one device that is sent pushes.
  public func trace(device: UInt32 = 0) throws -> DeviceTrace {
    try Simulation.trace(scenario(), device: device)
  }

  /// What the pushes come to over all devices and replications.
  public func tally() throws -> Tally {
    try Simulation.run(scenario()).runs[0].strategies[0].total
  }
}
