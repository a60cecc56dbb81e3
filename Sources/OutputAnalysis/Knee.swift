/// Where a curve bends most: the point farthest from the chord between its ends.
///
/// Each replication gives a whole curve, and the curve that is looked at is their mean. A point's distance to the chord
/// is linear in the values, so each replication gives it too, and Student's interval of the distances tells a bend from
/// noise. Common random numbers between the points make that interval narrow.
///
/// The knee is one of the points that were simulated, so its uncertainty is a set of points: those that cannot be told
/// from the farthest one, by paired one-sided t tests.
///
/// - Source: Satopaa et al., "Finding a 'Kneedle' in a haystack", 2011, for the distance to the chord after scaling
///   both axes to 0…1, whose largest point is that of the vertical distance; Gupta, "On some multiple decision rules",
///   1965, for the set; Bonferroni's inequality for several tests at once.
/// - Limitations: the answer depends on the ends of the range, and on the scale of x, which is taken as it is.
public enum Knee: Sendable, Hashable {
  /// No distance can be told from 0.
  case straight
  /// - Parameters:
  ///   - index: the point's place among the points given.
  ///   - distance: from the chord, in the unit of y; above the chord is positive.
  ///   - candidates: the points that cannot be told from it, in the order of x, itself included.
  case bend(index: Int, distance: Double, candidates: [Int])

  /// Looks for the knee.
  ///
  /// - Parameters:
  ///   - x: of the points, in any order.
  ///   - y: by point and replication; only replications of which every point has a value are looked at.
  ///   - confidence: strictly between 0 and 1. A straight line is said to bend with at most the probability that is left
  ///     over, and the candidates miss the farthest point of the true curve with at most that probability.
  /// - Returns: nil with fewer than three different x, x that stand twice, or fewer than two replications.
  public static func find(x: [Double], y: [[Double?]], confidence: Double) -> Knee? {
    precondition(x.count == y.count, "\(x.count) points with \(y.count) curves")
    let order = x.indices.sorted { x[$0] < x[$1] }
    guard order.count >= 3, zip(order, order.dropFirst()).allSatisfy({ x[$0] < x[$1] }) else { return nil }
    let replications = (0..<(y.map(\.count).min() ?? 0)).filter { r in y.allSatisfy { $0[r] != nil } }
    guard replications.count >= 2 else { return nil }
    let first = order[0]
    let last = order[order.count - 1]
    let inner = Array(order[1..<(order.count - 1)])
    /// By inner point and replication: how far above the chord.
    let distances = inner.map { point in
      let t = (x[point] - x[first]) / (x[last] - x[first])
      return replications.map { r in (y[point][r]! - y[first][r]!) - t * (y[last][r]! - y[first][r]!) }
    }
    // What rounding leaves of a straight line does not vary, and so would look certain.
    let scale = y.joined().reduce(0) { max($0, ($1 ?? 0).magnitude) }
    let means = distances.map { Moments($0).mean! }.map { $0.magnitude <= 1e-9 * scale ? 0 : $0 }
    let each = 1 - (1 - confidence) / Double(inner.count)
    let isBent = inner.indices.contains { index in
      let interval = MeanEstimate(distances[index], confidence: each).interval!
      return means[index] != 0 && !interval.contains(0)
    }
    guard isBent, let farthest = means.indices.max(by: { means[$0].magnitude < means[$1].magnitude }) else {
      return .straight
    }
    func outward(_ index: Int) -> [Double] { distances[index].map { means[index] < 0 ? -$0 : $0 } }
    // One-sided, so twice the probability that a two-sided interval leaves out.
    let others = Double(max(1, inner.count - 1))
    let oneSided = max(0.5, 1 - 2 * (1 - confidence) / others)
    let candidates = inner.indices.filter { index in
      guard index != farthest else { return true }
      let lead = MeanEstimate.pairedDifference(outward(farthest), outward(index), confidence: oneSided)
      return lead.interval!.lower <= 0
    }
    return .bend(index: inner[farthest], distance: means[farthest], candidates: candidates.map { inner[$0] })
  }
}
