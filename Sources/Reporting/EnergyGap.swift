import Experiments
import PushModel

/// What the energy of a strategy leaves out, marked wherever the figure stands.
enum EnergyGap {
  /// Stands behind the figure.
  static let mark = "†"
  static let note =
    "without what it costs to keep the WebSocket's connection, for which no source has a figure"

  /// As result files name it: what of the strategy is not priced.
  static func names(_ strategy: Strategy) -> [String] {
    strategy.usesWebSocket ? ["websocket_connection"] : []
  }

  private static let metrics = [
    Pareto.cost, "battery_per_device_day", "joules_per_fresh_open", "wasted_energy_share",
  ]

  /// The mark behind a value of the metric, or nothing.
  static func mark(_ metric: String, of strategy: Strategy) -> String {
    names(strategy).isEmpty || !metrics.contains(metric) ? "" : mark
  }

  /// The same, from a result file's entry for a strategy.
  static func mark(_ metric: String, of strategy: JSONValue?) -> String {
    let isWhole = (strategy?["energy_j"]?["not_priced"]?.elements ?? []).isEmpty
    return isWhole || !metrics.contains(metric) ? "" : mark
  }
}
