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
  static func mark(_ metric: String, of strategy: StrategyRecord) -> String {
    (strategy.energy?.notPriced ?? []).isEmpty || !metrics.contains(metric) ? "" : mark
  }

  /// What the mark means, if some strategy has it.
  static func note(_ view: RunView) -> [Block] {
    view.strategies.contains { !mark(Pareto.cost, of: $0.record).isEmpty }
      ? [.paragraph("\(mark) \(note).", .faint)] : []
  }
}
