import CGSL

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
