import Experiments

/// What a run's strategies come to for somebody who has to choose one, in sentences.
enum Recommendation {
  /// One sentence each: the choice, its price, what is beaten, what cannot be told apart.
  static func sentences(_ pareto: Pareto) -> [String] {
    var sentences: [String] = []
    let front = pareto.front
    if let freshest = front.first {
      var parts = [
        "\(freshest.strategy) is fresh at \(percent(freshest)) of opens for \(energy(freshest)) a day"
      ]
      // Of a long front its ends say most; the front stands in full elsewhere.
      let isLong = front.count > 6
      let named = isLong ? Array(front[1...2] + front.suffix(1)) : Array(front.dropFirst())
      parts += named.map { "\($0.strategy) at \(percent($0)) for \(energy($0))" }
      var sentence = parts.joined(separator: "; ")
      if front.count == 1 { sentence += ", and no other strategy is fresher or cheaper" }
      if isLong { sentence += "; \(front.count - 4) others lie between these" }
      sentences.append(sentence + ".")
    }
    if let freshest = front.first, let cheapest = front.min(by: { $0.energy < $1.energy }),
      freshest.freshness > cheapest.freshness, !areTied(freshest, cheapest, pareto)
    {
      let points = NumberText.fixed((freshest.freshness - cheapest.freshness) * 100, 1)
      let price = NumberStyle(.joulesPerDeviceDay).text(freshest.energy - cheapest.energy)
      sentences.append(
        "\(freshest.strategy) rather than \(cheapest.strategy): \(points) more of 100 opens fresh, for \(price) "
          + "more a day.")
    }
    for beaten in pareto.dominated {
      let why =
        switch (beaten.isStaler, beaten.isDearer) {
        case (true, true): "less fresh and dearer"
        case (true, false): "less fresh, and no difference in energy at this precision"
        default: "dearer, and no difference in freshness at this precision"
        }
      sentences.append("\(beaten.strategy) is beaten by \(beaten.by): \(why).")
    }
    if !pareto.hasIntervals {
      sentences.append("One replication gives no precision: more of them would tell strategies apart.")
    }
    for group in pareto.ties {
      sentences.append("\(list(group)) cannot be told apart at this precision.")
    }
    return sentences
  }

  private static func areTied(_ a: Pareto.Point, _ b: Pareto.Point, _ pareto: Pareto) -> Bool {
    pareto.ties.contains { $0.contains(a.strategy) && $0.contains(b.strategy) }
  }

  private static func list(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  private static func percent(_ point: Pareto.Point) -> String {
    NumberStyle(.proportion).text(point.freshness)
  }

  private static func energy(_ point: Pareto.Point) -> String {
    NumberStyle(.joulesPerDeviceDay).text(point.energy)
  }
}
