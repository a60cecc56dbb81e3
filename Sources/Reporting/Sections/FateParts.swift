import Experiments

/// How pushes of a strategy ended, in words and as shares of what was sent, the largest first.
struct FateParts {
  struct Part {
    var name: String
    var share: Double
    /// As results call it; empty for several.
    var key: String
  }

  /// What was aimed at, such as `delivered`; of calls that they rang.
  var aim = "delivered"
  var reached = 0.0
  var others: [Part] = []

  init(_ strategy: StrategyRecord) {
    let sent = Double(strategy.sent)
    guard sent > 0 else { return }
    let calls = strategy.pushMechanisms == ["voip_push"] ? strategy.mechanisms?["voip_push"]?.calls : nil
    var reached = strategy.fates["delivered"] ?? 0
    var counts: [(name: String, key: String, count: Int64)] = []
    func add(_ name: String, _ key: String, _ count: Int64) {
      guard count > 0 else { return }
      if let known = counts.firstIndex(where: { $0.name == name }) {
        counts[known].count += count
      } else {
        counts.append((name, key, count))
      }
    }
    if let calls {
      aim = "rang"
      reached = calls["rang"] ?? 0
      for outcome in calls.items where outcome.name != "rang" {
        add(Wording.call(outcome.name), outcome.name, outcome.value)
      }
    }
    self.reached = Double(reached) / sent
    for fate in strategy.fates.items where fate.name != "delivered" {
      var rest = fate.value
      for reason in strategy.reasons[fate.name]?.items ?? [] {
        // What is still held when the run ends may yet be delivered.
        let waiting = fate.name == "pending" ? ", still waiting" : ""
        add(Wording.reason(reason.name) + waiting, reason.name, reason.value)
        rest -= reason.value
      }
      add(Wording.words(fate.name), fate.name, rest)
    }
    others = counts.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map { Part(name: $0.element.name, share: Double($0.element.count) / sent, key: $0.element.key) }
  }

  /// Whether another strategy's end alike, to a few in a hundred.
  func agrees(_ other: FateParts) -> Bool {
    func share(_ parts: FateParts, _ name: String) -> Double {
      parts.others.first { $0.name == name }?.share ?? 0
    }
    return (reached - other.reached).magnitude < 0.02
      && (others + other.others).allSatisfy {
        (share(self, $0.name) - share(other, $0.name)).magnitude < 0.02
      }
  }

  /// The largest, and the rest as one.
  func largest(_ count: Int) -> [Part] {
    let named = others.prefix(count).filter { $0.share >= 0.002 }
    let rest = others.dropFirst(named.count).reduce(0) { $0 + $1.share }
    return Array(named) + (rest > 0.0005 ? [Part(name: "other", share: rest, key: "")] : [])
  }
}
