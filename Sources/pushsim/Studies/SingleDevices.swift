import Experiments
import PushModel
import Quantities
import Reporting
import ScenarioDecoding

/// Simulates a few devices once more, with their traces, for the report.
enum SingleDevices {
  /// So many devices of replication 0 are looked at.
  private static let candidates = 20

  /// By policy: the devices of which the fewest, a middling and the largest share of pushes were delivered, under the
  /// first strategy that sends any.
  static func timelines(_ scenario: Scenario) throws -> [[JSONValue]] {
    let input = scenario.input
    let strategy = input.strategies.firstIndex(where: \.sendsPushes) ?? 0
    return try input.policies.indices.map { policy in
      var ranked: [(share: Double, device: UInt32, trace: DeviceTrace)] = []
      for device in 0..<UInt32(min(candidates, scenario.experiment.devices)) {
        try Interrupt.check()
        let trace = try DeviceWorker.trace(
          input, replication: 0, device: device, policy: policy, strategy: strategy)
        ranked.append((share(trace.tally), device, trace))
      }
      ranked.sort { ($0.share, $0.device) < ($1.share, $1.device) }
      var picked: [(role: String, index: Int)] = []
      for (role, index) in [("median", ranked.count / 2), ("worst", 0), ("best", ranked.count - 1)]
      where !picked.contains(where: { $0.index == index }) {
        picked.append((role, index))
      }
      return picked.map { role, index in
        Timeline.value(
          ranked[index].trace, role: role, strategy: input.strategies[strategy].name,
          device: ranked[index].device, replication: 0, warmUp: input.warmUp, end: input.end)
      }
    }
  }

  /// Of the pushes; of the opens, where no push is sent.
  private static func share(_ tally: Tally) -> Double {
    if tally.sent > 0 { return Double(tally.fates[Int(Fate.delivered.rawValue)]) / Double(tally.sent) }
    return tally.opens > 0 ? Double(tally.freshOpens) / Double(tally.opens) : 0
  }
}
