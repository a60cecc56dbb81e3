import CGSL

/// An interval that covers the estimated quantity with a stated probability, over repetitions of the experiment.
public struct ConfidenceInterval: Sendable, Hashable {
  /// The middle, which is the estimate.
  public let estimate: Double
  /// Half of the width, in the unit of the estimate.
  public let halfWidth: Double
  /// The probability, such as 0.95.
  public let confidence: Double

  /// Creates an interval from its parts.
  ///
  /// - Precondition: `halfWidth` is not negative and `confidence` strictly between 0 and 1.
  public init(estimate: Double, halfWidth: Double, confidence: Double) {
    precondition(halfWidth >= 0, "a half-width of \(halfWidth)")
    precondition(confidence > 0 && confidence < 1, "a confidence of \(confidence)")
    self.estimate = estimate
    self.halfWidth = halfWidth
    self.confidence = confidence
  }

  /// The lower end.
  public var lower: Double { estimate - halfWidth }

  /// The upper end.
  public var upper: Double { estimate + halfWidth }

  /// Whether a value lies in the interval, ends included.
  public func contains(_ value: Double) -> Bool { value >= lower && value <= upper }
}

/// The mean of one number per replication, with Student's interval.
///
/// The replication is the unit because it alone is independent: pushes of one device are alike, and an interval over
/// pushes would be several times too narrow.
///
/// - Source: Law, "Simulation Modeling and Analysis", fixed-sample-size procedure.
/// - Limitations: exact for normal values; close to it for means and shares over many devices.
public struct MeanEstimate: Sendable, Hashable {
  /// The mean over the replications.
  public let mean: Double
  /// The sample standard deviation between replications; nil for one replication.
  public let standardDeviation: Double?
  /// How many replications there were.
  public let count: Int
  /// The interval of the mean; nil for one replication, which says nothing of its own error.
  public let interval: ConfidenceInterval?

  /// Estimates the mean of `values`, one per replication, in the order of the replications.
  ///
  /// - Parameter widening: times Student's half-width, where the values decided how many there are
  ///   (``SequentialPrecision/widening``).
  /// - Precondition: there is a value, all are finite, and `confidence` is strictly between 0 and 1.
  public init(_ values: [Double], confidence: Double = 0.95, widening: Double = 1) {
    precondition(!values.isEmpty, "a mean of no replications")
    precondition(confidence > 0 && confidence < 1, "a confidence of \(confidence)")
    for value in values { precondition(value.isFinite, "a replication's value is \(value)") }
    let moments = Moments(values)
    mean = moments.mean!
    count = values.count
    standardDeviation = moments.standardDeviation
    interval = moments.standardError.map { [mean] error in
      ConfidenceInterval(
        estimate: mean,
        halfWidth: widening * studentQuantile(confidence: confidence, degreesOfFreedom: values.count - 1)
          * error,
        confidence: confidence)
    }
  }

  /// Estimates the mean of a − b over pairs of replications that share their random numbers.
  ///
  /// What both have in common falls out of each difference, so the interval is narrower than that of two separate
  /// experiments, and it is right whatever the dependence within a pair.
  ///
  /// - Precondition: as many values in `b` as in `a`, in the same order of replications; else as for one mean.
  public static func pairedDifference(
    _ a: [Double], _ b: [Double], confidence: Double = 0.95, widening: Double = 1
  ) -> MeanEstimate {
    precondition(a.count == b.count, "\(a.count) replications paired with \(b.count)")
    return MeanEstimate(zip(a, b).map { $0 - $1 }, confidence: confidence, widening: widening)
  }
}

/// The factor of the standard error that makes a two-sided interval.
///
/// - Parameters:
///   - confidence: strictly between 0 and 1.
///   - degreesOfFreedom: at least 1.
/// - Returns: the (1 + confidence)/2 quantile of Student's t.
public func studentQuantile(confidence: Double, degreesOfFreedom: Int) -> Double {
  precondition(degreesOfFreedom >= 1, "\(degreesOfFreedom) degrees of freedom")
  return gsl_cdf_tdist_Qinv((1 - confidence) / 2, Double(degreesOfFreedom))
}
