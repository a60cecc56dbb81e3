import CGSL

/// An interval that covers the estimated quantity with a stated probability, over repetitions of the experiment.
public struct ConfidenceInterval: Sendable, Hashable {
  /// Within the interval, and in its middle unless it is one of something rare.
  public let estimate: Double
  /// The ends.
  public let lower: Double
  public let upper: Double
  /// From the estimate to the farther end.
  public let halfWidth: Double
  /// The probability, such as 0.95.
  public let confidence: Double

  /// Creates an interval around its estimate.
  ///
  /// - Precondition: `halfWidth` is not negative and `confidence` strictly between 0 and 1.
  public init(estimate: Double, halfWidth: Double, confidence: Double) {
    precondition(halfWidth >= 0, "a half-width of \(halfWidth)")
    precondition(confidence > 0 && confidence < 1, "a confidence of \(confidence)")
    self.estimate = estimate
    self.halfWidth = halfWidth
    self.confidence = confidence
    lower = estimate - halfWidth
    upper = estimate + halfWidth
  }

  /// Creates an interval from its ends; an estimate outside, by rounding, moves the end.
  ///
  /// - Precondition: `confidence` is strictly between 0 and 1.
  init(estimate: Double, _ limits: ClosedRange<Double>, confidence: Double) {
    precondition(confidence > 0 && confidence < 1, "a confidence of \(confidence)")
    self.estimate = estimate
    self.confidence = confidence
    lower = min(estimate, limits.lowerBound)
    upper = max(estimate, limits.upperBound)
    halfWidth = max(estimate - lower, upper - estimate)
  }

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
    self.init(values, confidence: confidence, widening: widening, repeated: 1, limits: nil)
  }

  /// Estimates a quantity from its replications: the ratio of sums, with an interval by the delta method. Of shares and
  /// rates the interval also holds where they are rare, or nothing of the kind was seen at all (``RareEvents``).
  ///
  /// - Parameters:
  ///   - widening: as above.
  ///   - repeated: as if there were so many times as many replications, which vary as these do.
  /// - Returns: nil when there is nothing to divide by.
  /// - Precondition: all numbers are finite, and `confidence` is strictly between 0 and 1.
  public init?(
    _ sample: ReplicationSample, confidence: Double = 0.95, widening: Double = 1, repeated: Double = 1
  ) {
    guard let values = sample.linearised, let estimate = sample.estimate else { return nil }
    let limits: ((ClosedRange<Double>) -> ClosedRange<Double>)?
    switch sample.kind {
    case .amount: limits = nil
    case .share:
      let units = sample.units * repeated
      limits = { RareEvents.share(estimate, units: units, student: $0, confidence: confidence) }
    case .rate:
      let whole = sample.items.reduce(0) { $0 + $1.whole } * repeated
      limits = { RareEvents.rate(estimate, whole: whole, student: $0, confidence: confidence) }
    }
    self.init(
      values, estimate: estimate, confidence: confidence, widening: widening, repeated: repeated,
      limits: limits)
  }

  /// Estimates a − b over replications that share their random numbers, each paired with the one in its place.
  ///
  /// What both have in common falls out of each difference, so the interval is narrower than that of two separate
  /// experiments, and it is right whatever the dependence within a pair. Of two shares it also holds where they hardly
  /// differ, or did not differ at all.
  ///
  /// - Returns: nil when one has nothing to divide by.
  /// - Precondition: as many replications in `b` as in `a`; else as for one quantity.
  public static func pairedDifference(
    _ a: ReplicationSample, _ b: ReplicationSample, confidence: Double = 0.95, widening: Double = 1
  ) -> MeanEstimate? {
    precondition(a.count == b.count, "\(a.count) replications paired with \(b.count)")
    guard let first = a.linearised, let second = b.linearised else { return nil }
    let limits: ((ClosedRange<Double>) -> ClosedRange<Double>)? = RareEvents.Balance(a, b).map { balance in
      { balance.limits(student: $0, confidence: confidence) }
    }
    return MeanEstimate(
      zip(first, second).map { $0 - $1 }, confidence: confidence, widening: widening, repeated: 1,
      limits: limits)
  }

  /// Estimates the mean of a − b over pairs of numbers that weigh the same.
  ///
  /// - Precondition: as many values in `b` as in `a`, in the same order of replications; else as for one mean.
  public static func pairedDifference(
    _ a: [Double], _ b: [Double], confidence: Double = 0.95, widening: Double = 1
  ) -> MeanEstimate {
    precondition(a.count == b.count, "\(a.count) replications paired with \(b.count)")
    return MeanEstimate(zip(a, b).map { $0 - $1 }, confidence: confidence, widening: widening)
  }

  /// - Parameter limits: what becomes of Student's limits; nil: they stay.
  private init(
    _ values: [Double], estimate: Double? = nil, confidence: Double, widening: Double, repeated: Double,
    limits: ((ClosedRange<Double>) -> ClosedRange<Double>)?
  ) {
    precondition(!values.isEmpty, "a mean of no replications")
    precondition(confidence > 0 && confidence < 1, "a confidence of \(confidence)")
    for value in values { precondition(value.isFinite, "a replication's value is \(value)") }
    let moments = Moments(values)
    let mean = estimate ?? moments.mean!
    self.mean = mean
    count = values.count
    standardDeviation = moments.standardDeviation
    let replications = Double(values.count) * repeated
    interval = moments.standardError.map { error in
      let half =
        widening
        * studentQuantile(
          confidence: confidence, degreesOfFreedom: max(values.count - 1, Int(replications) - 1))
        * (error / repeated.squareRoot())
      guard let limits else {
        return ConfidenceInterval(estimate: mean, halfWidth: half, confidence: confidence)
      }
      return ConfidenceInterval(
        estimate: mean, limits((mean - half)...(mean + half)), confidence: confidence)
    }
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
