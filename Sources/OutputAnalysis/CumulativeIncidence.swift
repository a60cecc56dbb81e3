/// The share of units that have met each of several competing ends by a time, where some were still without an end when
/// they were last seen (Aalen–Johansen).
///
/// A unit that meets one end can meet no other, so 1 − Kaplan–Meier, which takes the other ends for censoring, would claim
/// too much. With one end this is 1 − Kaplan–Meier; without censoring it is the plain share. At every time the shares
/// of all ends and of what waits add up to 1.
///
/// - Source: Aalen and Johansen, 1978; Kaplan and Meier, 1958.
/// - Limitations: being censored must say nothing about what would have come. What is censored within a cell counts as seen
///   until the cell's end. Pushes of one device are not independent, so the error of these shares comes from replications:
///   ``CurveEstimate``.
public enum CumulativeIncidence {
  /// Estimates from counts in cells of time.
  ///
  /// - Parameters:
  ///   - ended: by end, then cell: how many units met it.
  ///   - censored: by cell: how many were last seen without an end.
  /// - Returns: at each cell's end, the share that has met an end, by end, then cell, and the share that waits.
  public static func shares(ended: [[Int64]], censored: [Int64]) -> (
    incidence: [[Double]], waiting: [Double]
  ) {
    var atRisk = censored.reduce(0, +)
    for row in ended { atRisk = row.reduce(atRisk, +) }
    var incidence = [[Double]](
      repeating: [Double](repeating: 0, count: censored.count), count: ended.count)
    var waiting: [Double] = []
    waiting.reserveCapacity(censored.count)
    var remaining = 1.0
    for index in censored.indices {
      var all: Int64 = 0
      for end in ended.indices {
        let count = ended[end][index]
        all += count
        let before = index == 0 ? 0 : incidence[end][index - 1]
        incidence[end][index] = count > 0 ? before + remaining * Double(count) / Double(atRisk) : before
      }
      if all > 0 { remaining *= Double(atRisk - all) / Double(atRisk) }
      waiting.append(remaining)
      atRisk -= all + censored[index]
    }
    return (incidence, waiting)
  }
}
