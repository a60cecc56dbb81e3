import Experiments

/// Values of metrics: in tables under a title that says so if they are in percent, in sentences with their unit.
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

  // MARK: In sentences

  /// With its unit where that is short.
  static func value(_ value: Double, _ unit: Metric.Unit) -> String {
    switch unit {
    case .proportion: NumberText.percent(value)
    case .proportionPerDeviceDay: NumberText.percent(value, decimals: 3)
    case .seconds: NumberText.duration(seconds: value)
    case .joules, .joulesPerDeviceDay: number(value) + " J"
    case .bytesPerDeviceDay: number(value) + " B"
    case .perDeviceDay: number(value)
    }
  }

  /// As ``value(_:_:)``, a share in points of a hundred.
  static func difference(_ value: Double, _ unit: Metric.Unit) -> String {
    unit == .proportion
      ? signed(value) + NumberText.fixed(value.magnitude * 100, 1) + " points"
      : signed(value) + self.value(value.magnitude, unit)
  }

  /// Without a unit; a share in points of a hundred.
  static func bare(_ value: Double, _ unit: Metric.Unit) -> String {
    switch unit {
    case .proportion: NumberText.fixed(value * 100, 1)
    case .proportionPerDeviceDay: NumberText.fixed(value * 100, 3)
    case .seconds: NumberText.duration(seconds: value)
    case .joules, .joulesPerDeviceDay, .bytesPerDeviceDay, .perDeviceDay: number(value)
    }
  }

  private static func signed(_ value: Double) -> String { value < 0 ? "-" : "+" }

  private static func number(_ value: Double) -> String {
    NumberText.fixed(value, value.magnitude >= 100 ? 0 : value.magnitude >= 10 ? 1 : 2)
  }
}
