import CGSL
import Glibc

/// The difference of two means over independent replications, whose variances and numbers may differ.
///
/// - Source: Welch, "The generalization of 'Student's' problem when several different population variances are involved",
///   1947; degrees of freedom by Satterthwaite, 1946.
/// - Limitations: close to exact for normal values. Where the two share random numbers, pairing is right and this is not.
public struct WelchDifference: Sendable, Hashable {
  /// The mean of `a` minus the mean of `b`.
  public let difference: Double
  /// Nil if either has fewer than two values.
  public let interval: ConfidenceInterval?

  /// The difference of two quantities, each a ratio of sums. Where one is a rare share or rate, whose limits are wider than
  /// Student's, the limits are at least as far off as those of both together.
  ///
  /// - Returns: nil when one has nothing to divide by.
  /// - Source: Newcombe, "Interval estimation for the difference between independent proportions", 1998, method 10.
  public init?(_ a: ReplicationSample, _ b: ReplicationSample, confidence: Double = 0.95) {
    guard let first = MeanEstimate(a, confidence: confidence), let x = a.linearised,
      let second = MeanEstimate(b, confidence: confidence), let y = b.linearised
    else { return nil }
    let welch = WelchDifference(x, y, confidence: confidence)
    difference = first.mean - second.mean
    func isRare(_ estimate: MeanEstimate, _ values: [Double]) -> Bool {
      guard let own = estimate.interval, let student = MeanEstimate(values, confidence: confidence).interval
      else { return false }
      return own.halfWidth > student.halfWidth * (1 + 1e-9)
    }
    guard isRare(first, x) || isRare(second, y), let own = welch.interval, let i = first.interval,
      let j = second.interval
    else {
      interval = welch.interval
      return
    }
    let down = hypot(first.mean - i.lower, j.upper - second.mean)
    let up = hypot(i.upper - first.mean, second.mean - j.lower)
    interval = ConfidenceInterval(
      estimate: difference, min(own.lower, difference - down)...max(own.upper, difference + up),
      confidence: confidence)
  }

  /// - Precondition: both have a value, all finite; `confidence` is strictly between 0 and 1.
  public init(_ a: [Double], _ b: [Double], confidence: Double = 0.95) {
    let first = MeanEstimate(a, confidence: confidence)
    let second = MeanEstimate(b, confidence: confidence)
    difference = first.mean - second.mean
    guard let s = first.standardDeviation, let t = second.standardDeviation else {
      interval = nil
      return
    }
    let u = s * s / Double(a.count)
    let v = t * t / Double(b.count)
    let variance = u + v
    guard variance > 0 else {
      interval = ConfidenceInterval(estimate: difference, halfWidth: 0, confidence: confidence)
      return
    }
    let degrees = variance * variance / (u * u / Double(a.count - 1) + v * v / Double(b.count - 1))
    interval = ConfidenceInterval(
      estimate: difference,
      halfWidth: gsl_cdf_tdist_Qinv((1 - confidence) / 2, degrees) * variance.squareRoot(),
      confidence: confidence)
  }
}
