import Experiments

/// Values of metrics as tables show them: shares in percent, under a title that says so.
enum MetricText {
  /// The metric's name, with `%` if its values are in percent.
  static func title(_ metric: Metric) -> String { isShare(metric) ? metric.name + " %" : metric.name }

  /// A value, without its unit.
  static func value(_ value: Double, _ metric: Metric, decimals: Int? = nil) -> String {
    let scaled = isShare(metric) ? value * 100 : value
    return NumberText.fixed(scaled, decimals ?? (scaled.magnitude >= 1000 ? 0 : 2))
  }

  /// `12.34 ±0.56`; a dash where there is nothing.
  static func cell(_ result: MetricResult?) -> String {
    guard let result, let estimate = result.estimate else { return "–" }
    return value(estimate, result.metric) + (result.halfWidth.map { " ±" + value($0, result.metric) } ?? "")
  }

  private static func isShare(_ metric: Metric) -> Bool {
    metric.unit == .proportion || metric.unit == .proportionPerDeviceDay
  }
}
