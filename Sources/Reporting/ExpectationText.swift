import Experiments

/// An expectation and what became of it, in words.
struct ExpectationText {
  /// Such as "push_hourly delivered at least 70.0 %".
  let claim: String
  /// Such as "observed 71.2 % (70.5 % to 71.9 %)".
  let observation: String
  /// What would decide an undecided one, such as "about 40 replications would decide"; nil for one that is decided.
  let remedy: String?

  init(_ result: ExpectationResult) {
    let expectation = result.expectation
    let unit = Metric.named(expectation.metric)?.unit
    func number(_ value: Double) -> String { NumberText.value(value, unit) }
    /// 99.95 % is not 100 %, nor 0.05 % nothing.
    func bound(_ value: Double) -> String {
      let tenths = value * 1000
      guard unit == .proportion, (tenths - tenths.rounded()).magnitude > 1e-6 else { return number(value) }
      return NumberText.percent(value, decimals: 3)
    }
    let bounds =
      switch (expectation.low.isFinite, expectation.high.isFinite) {
      case (true, true): "within \(bound(expectation.low)) and \(bound(expectation.high))"
      case (true, false): "at least \(bound(expectation.low))"
      default: "at most \(bound(expectation.high))"
      }
    claim = "\(expectation.strategy) \(expectation.metric) \(bounds)"
    let interval =
      result.low.flatMap { low in result.high.map { " (\(number(low)) to \(number($0)))" } } ?? ""
    let exact = result.isExact && result.outcome == .met ? ", in every replication" : ""
    observation = "observed \(result.observed.map(number) ?? "nothing")\(interval)\(exact)"
    remedy =
      result.outcome != .undecided
      ? nil
      : result.observed == nil
        ? "there was nothing to divide by"
        : result.low == nil
          ? "one replication has no interval"
          : Self.remedy(replications: result.replicationsToDecide)
  }

  /// - Parameter replications: nil where not even the most that are looked at would do.
  static func remedy(replications: Int?) -> String {
    guard let replications else {
      return
        "not even \(NumberText.grouped(Int64(ExpectationResult.mostReplications))) replications would decide"
    }
    // A guess from an estimate: two digits say enough.
    var scale = 1
    while replications / scale >= 100 { scale *= 10 }
    let rounded = (replications + scale - 1) / scale * scale
    return "about \(NumberText.grouped(Int64(rounded))) replications would decide"
  }

  /// What several expectations come to together; nil for one.
  static func together(_ count: Int, _ chance: Double?) -> String? {
    guard count > 1, let chance else { return nil }
    return
      "Each is judged by itself: if all \(count) are true, the chance that one or more are missed is up to \(NumberText.percent(chance))."
  }
}

extension NumberText {
  /// A metric's value with its unit, where the unit is not said by the metric's name.
  static func value(_ value: Double, _ unit: Metric.Unit?) -> String {
    switch unit {
    case .proportion: percent(value)
    case .proportionPerDeviceDay: percent(value, decimals: 3)
    case .joules, .joulesPerDeviceDay: fixed(value, 2) + " J"
    case .bytesPerDeviceDay: fixed(value, 0) + " B"
    default: fixed(value, 2)
    }
  }
}
