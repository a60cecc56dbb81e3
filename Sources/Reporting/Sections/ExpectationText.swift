import Experiments

/// An expectation and what became of it, in words.
struct ExpectationText {
  /// Such as "push_hourly delivered at least 70.0 %".
  let claim: String
  /// Such as "observed 71.2 % (70.5 to 71.9 %)".
  let observation: String
  /// What would decide an undecided one, such as "about 40 replications would decide"; nil for one that is decided.
  let remedy: String?

  init(_ value: ExpectationRecord, _ view: RunView? = nil) {
    let style = NumberStyle(metric: value.metric)
    let isShare = style == .percent(decimals: 1)
    /// 99.95 % is not 100 %, nor 0.05 % nothing.
    func bound(_ value: Double) -> String {
      let tenths = value * 1000
      guard isShare, (tenths - tenths.rounded()).magnitude > 1e-6 else { return style.text(value) }
      return NumberText.percent(value, decimals: 3)
    }
    let within = value.within.flatMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
    let bounds =
      if let within {
        "within \(bound(within.0)) and \(bound(within.1))"
      } else if let least = value.atLeast {
        "at least \(bound(least))"
      } else {
        "at most \(value.atMost.map(bound) ?? "–")"
      }
    let isPlausible = value.interval == "plausible"
    let over = isPlausible ? " over all that is plausible" : ""
    claim = "\(view?.label(value.strategy) ?? value.strategy) \(value.metric) \(bounds)\(over)"
    let plausible = value.plausibleLow.flatMap { low in value.plausibleHigh.map { (low, $0) } }
    let (low, high) = isPlausible ? (nil, nil) : (value.low, value.high)
    // It leaves no room for chance: then it says nothing beyond the replications.
    let isExact =
      within.map { $0.0 == $0.1 } ?? false || value.atMost == 0 || within?.1 == 0
      || (isShare && (value.atLeast == 1 || within?.0 == 1))
    let exact = isExact && value.outcome == "met" ? ", in every replication" : ""
    observation =
      "observed \(value.observed.map { style.estimate($0, low, high, plausible: plausible) } ?? "nothing")\(exact)"
    remedy =
      value.outcome != "undecided"
      ? nil
      : value.observed == nil
        ? "there was nothing to divide by"
        : isPlausible
          ? value.low == nil
            ? "its plausible range is not known" : "only to know more of what is assumed would decide"
          : value.low == nil
            ? "one replication has no interval"
            : Self.remedy(replications: (value.replicationsToDecide ?? nil).map { Int($0) })
  }

  /// All of it, in a line.
  var said: String { "\(claim); \(observation)" + (remedy.map { "; \($0)" } ?? "") }

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
