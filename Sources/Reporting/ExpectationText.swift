/// An expectation and what became of it, in words.
struct ExpectationText {
  /// Such as "push_hourly delivered at least 70.0 %".
  let claim: String
  /// Such as "observed 71.2 % (70.5 to 71.9 %)".
  let observation: String

  init(_ value: ExpectationRecord, _ view: RunView? = nil) {
    let style = NumberStyle(metric: value.metric)
    let bounds =
      if let within = value.within, within.count == 2 {
        "within \(style.text(within[0])) and \(style.text(within[1]))"
      } else if let least = value.atLeast {
        "at least \(style.text(least))"
      } else {
        "at most \(value.atMost.map { style.text($0) } ?? "–")"
      }
    claim = "\(view?.label(value.strategy) ?? value.strategy) \(value.metric) \(bounds)"
    observation = "observed \(value.observed.map { style.estimate($0, value.low, value.high) } ?? "nothing")"
  }
}
