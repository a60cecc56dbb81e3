/// How much of the start of a series to leave out, so that the mean of the rest is known best.
///
/// Batch means of `batch` values each; left out are the first d batches, where d makes the marginal standard error
/// Σ(Y − Ȳ)²/(n − d)² of the n − d remaining batch means least: MSER-5 with the batches of five. Give it a series
/// averaged over replications.
///
/// - Source: White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for simulation", Winter
///   Simulation Conference 2000; Hoad, Robinson and Davies, "Automating warm-up length estimation", JORS 61, 2010.
/// - Limitations: of a series without any start-up it still leaves out a few values more often than not: ask also whether
///   leaving them out changes the mean. A batch should hold whole cycles of what repeats, such as the day.
public struct WarmUp: Sendable, Hashable {
  /// How many values of the series to leave out.
  public let truncation: Int
  /// The number of values from the start whose batches were judged; the rest filled no batch.
  public let length: Int
  /// The best truncation is in the second half: the series is too short for its start-up, or has none that ends.
  public var isRejected: Bool { 2 * truncation > length }

  /// The last batch means are never judged by themselves: of a few that happen to be alike the error would be least.
  private static let leastKept = 5

  /// - Parameters:
  ///   - series: in order of time.
  ///   - batch: values per batch.
  /// - Returns: nil for fewer than ten batches.
  /// - Precondition: `batch` is positive, and the values are finite.
  public init?(_ series: [Double], batch: Int = 5) {
    precondition(batch > 0, "batches of \(batch)")
    let count = series.count / batch
    guard count >= 2 * WarmUp.leastKept else { return nil }
    let means = (0..<count).map { index in
      Moments(Array(series[(index * batch)..<((index + 1) * batch)])).mean!
    }
    for mean in means { precondition(mean.isFinite, "a batch's mean is \(mean)") }
    // From the end, so that each value is added once.
    var moments = Moments()
    var best: (start: Int, error: Double)?
    for start in means.indices.reversed() {
      moments.add(means[start])
      guard moments.count >= WarmUp.leastKept else { continue }
      let kept = Double(moments.count)
      let error = moments.variance! * (kept - 1) / (kept * kept)
      // Of equal ones the earliest: nothing is left out without a gain.
      if best == nil || error <= best!.error { best = (start, error) }
    }
    truncation = best!.start * batch
    length = count * batch
  }
}
