import Foundation
import OutputAnalysis

/// Chance of a false alarm of each statistical assertion; seeds are fixed, so a test that passes once passes always.
public let falseAlarmRate = 1e-6

/// Whether `successes` of `trials` are compatible with a probability: the exact two-sided binomial test at the
/// false-alarm rate.
public func isPlausible(_ successes: Int, of trials: Int, probability: Double) -> Bool {
  var below = 0.0
  var above = 0.0
  for k in 0...trials {
    let logarithm =
      lgamma(Double(trials) + 1) - lgamma(Double(k) + 1) - lgamma(Double(trials - k) + 1)
      + Double(k) * log(probability) + Double(trials - k) * log1p(-probability)
    if k <= successes { below += exp(logarithm) }
    if k >= successes { above += exp(logarithm) }
  }
  return min(below, above) > falseAlarmRate / 2
}

/// Whether independent values are compatible with a mean: Student's t test at the false-alarm rate.
///
/// - Parameter bias: what the mean may differ by, as where theory is an approximation.
public func isPlausibleMean(_ values: [Double], _ mean: Double, bias: Double = 0) -> Bool {
  let estimate = MeanEstimate(values, confidence: 1 - falseAlarmRate)
  guard let interval = estimate.interval else { return false }
  return (estimate.mean - mean).magnitude <= interval.halfWidth + bias
}
