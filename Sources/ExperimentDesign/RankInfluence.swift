import OutputAnalysis

/// What the inputs of a design do to its output: how much of the order of the outputs follows from the order of an input.
///
/// - Source: regression of ranks (Iman and Conover, "The use of the rank transform in regression", 1979), one input after the
///   other, the strongest first.
/// - Limitations: sees effects that go one way. An input whose effect turns round in the middle of its range, or lies only in
///   combinations, has no place here.
public struct RankInfluence: Sendable, Hashable {
  /// The index of the input.
  public let input: Int
  /// The share of the variance of the outputs' ranks that it explains beyond those named before it.
  public let share: Double
  /// The mean output in the third of the points in which the input is lowest, and highest.
  public let low: Double
  public let high: Double

  /// The inputs that explain most, the strongest first. One is named only if chance would put so much into any of the
  /// others with a probability of at most `error` (Bonferroni).
  ///
  /// - Parameters:
  ///   - points: by point, then input.
  ///   - outputs: by point, finite.
  public static func strongest(
    _ most: Int, _ points: [[Double]], _ outputs: [Double], error: Double = 0.05
  ) -> [RankInfluence] {
    guard let first = points.first, !first.isEmpty, outputs.count >= 8 else { return [] }
    precondition(points.count == outputs.count, "\(points.count) points with \(outputs.count) outputs")
    var rest = centred(ranks(outputs))
    let all = product(rest, rest)
    guard all > 0 else { return [] }
    var columns = first.indices.map { input in centred(ranks(points.map { $0[input] })) }
    var left = Array(first.indices)
    var found: [RankInfluence] = []
    while found.count < most, !left.isEmpty {
      func share(_ input: Int) -> Double {
        let (own, with) = (product(columns[input], columns[input]), product(columns[input], rest))
        return own > 0 ? with * with / own : 0
      }
      let shares = left.map(share)
      let best = shares.indices.max { (shares[$0], left[$1]) < (shares[$1], left[$0]) }!
      let (input, explained) = (left[best], shares[best])
      let unexplained = product(rest, rest)
      let freedom = outputs.count - 2 - found.count
      let bound = studentQuantile(confidence: 1 - error / Double(left.count), degreesOfFreedom: freedom)
      guard freedom > 0, explained > 0,
        explained * Double(freedom) > bound * bound * max(0, unexplained - explained)
      else { break }
      let ends = thirds(points.map { $0[input] }, outputs)
      found.append(RankInfluence(input: input, share: explained / all, low: ends.low, high: ends.high))
      left.remove(at: best)
      let column = columns[input]
      rest = without(column, rest)
      for other in left { columns[other] = without(column, columns[other]) }
    }
    return found
  }

  private static func thirds(_ input: [Double], _ outputs: [Double]) -> (low: Double, high: Double) {
    let order = input.indices.sorted { (input[$0], $0) < (input[$1], $1) }
    let third = max(1, order.count / 3)
    func mean(_ part: some Sequence<Int>) -> Double {
      part.reduce(0) { $0 + outputs[$1] } / Double(third)
    }
    return (mean(order.prefix(third)), mean(order.suffix(third)))
  }

  /// From 0 on; values that are equal share the mean of their ranks.
  private static func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start
      while end + 1 < order.count, values[order[end + 1]] == values[order[start]] { end += 1 }
      for place in start...end { ranks[order[place]] = Double(start + end) / 2 }
      start = end + 1
    }
    return ranks
  }

  private static func centred(_ values: [Double]) -> [Double] {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.map { $0 - mean }
  }

  private static func product(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }

  /// What of `other` is orthogonal to `column`.
  private static func without(_ column: [Double], _ other: [Double]) -> [Double] {
    let own = product(column, column)
    guard own > 0 else { return other }
    let factor = product(column, other) / own
    return other.indices.map { other[$0] - factor * column[$0] }
  }
}
