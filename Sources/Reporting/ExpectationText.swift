import Experiments

/// An expectation and what became of it, in words.
struct ExpectationText {
  /// Such as "push_hourly delivered at least 70.0 %".
  let claim: String
  /// Such as "observed 71.2 % (70.5 % to 71.9 %)".
  let observation: String

  init(_ result: ExpectationResult) {
    let expectation = result.expectation
    let number = NumberStyle(metric: expectation.metric).text
    let bounds =
      switch (expectation.low.isFinite, expectation.high.isFinite) {
      case (true, true): "within \(number(expectation.low)) and \(number(expectation.high))"
      case (true, false): "at least \(number(expectation.low))"
      default: "at most \(number(expectation.high))"
      }
    claim = "\(expectation.strategy) \(expectation.metric) \(bounds)"
    let interval =
      result.low.flatMap { low in result.high.map { " (\(number(low)) to \(number($0)))" } } ?? ""
    observation = "observed \(result.observed.map(number) ?? "nothing")\(interval)"
  }
}
