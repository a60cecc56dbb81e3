/// How many replications an interval of a stated width takes: a rule that looks at the values so far and says whether to
/// go on.
///
/// The rule stops when the half-width has been within the target at the last look and at each of the ``lookAhead(_:)``
/// replications before it, so that one lucky value does not stop it. It still stops, more often than not, where Student's
/// interval happens to be too narrow. So the rule, and the interval that holds after it, ``interval(_:)``, use Student's
/// interval made wider by ``widening``.
///
/// The answer depends on the values in the order of the replications and on nothing else.
///
/// - Source: Chow and Robbins, "On the asymptotic theory of fixed-width sequential confidence intervals", 1965; for the
///   relative form Law, "Simulation Modeling and Analysis"; for looking ahead Hoad, Robinson and Davies, "Automated
///   selection of the number of replications for a discrete-event simulation", 2010.
/// - Limitations: needs values that are nearly normal, as means over many devices are. Of a share the half-width also counts
///   what may be rare: with no event it does not stop before enough units were seen.
public struct SequentialPrecision: Sendable, Hashable {
  /// How narrow the interval has to be.
  public enum Target: Sendable, Hashable {
    /// The half-width, in the unit of the values.
    case absolute(Double)
    /// The greatest error as a share of the true mean, from 0 to 1, ends left out.
    case relative(Double)
  }

  /// What to do next.
  public enum Step: Sendable, Hashable {
    /// Take replications until there are so many, then ask again.
    case more(upTo: Int)
    /// The interval is narrow enough.
    case reached
    /// It is not, and there may be no more replications.
    case exhausted
  }

  /// Times Student's half-width. Chosen by measurement: without it intervals of normal values cover less than they say
  /// after this rule, by most where it stops at about 20; with it none does (Documentation/Coverage.md).
  public static let widening = 1.05

  /// The fewest replications at which a variance is taken at its word.
  public static let leastMinimum = 10

  public let target: Target
  /// Of the interval.
  public let confidence: Double
  /// Replications before the first look.
  public let minimum: Int
  /// Most replications.
  public let maximum: Int

  /// - Precondition: the target is positive, and a relative one below 1; `confidence` is strictly between 0 and 1;
  ///   `minimum` is at least ``leastMinimum`` and at most `maximum`.
  public init(_ target: Target, confidence: Double = 0.95, minimum: Int = leastMinimum, maximum: Int) {
    switch target {
    case .absolute(let width): precondition(width > 0 && width.isFinite, "a half-width of \(width)")
    case .relative(let share): precondition(share > 0 && share < 1, "a relative half-width of \(share)")
    }
    precondition(confidence > 0 && confidence < 1, "a confidence of \(confidence)")
    precondition(minimum >= Self.leastMinimum, "a first look after \(minimum) replications")
    precondition(maximum >= minimum, "at least \(minimum) and at most \(maximum) replications")
    self.target = target
    self.confidence = confidence
    self.minimum = minimum
    self.maximum = maximum
  }

  /// How many replications before the last must have been narrow enough as well: 5, and 5 % of many.
  public static func lookAhead(_ count: Int) -> Int { count <= 100 ? 5 : count / 20 }

  /// The half-width that the target means at an estimate; nil when there is none, as relative to 0.
  public func targetHalfWidth(at mean: Double) -> Double? {
    switch target {
    case .absolute(let width): return width
    case .relative(let share):
      // The mean is an estimate itself: within share/(1 + share) of it means within `share` of the true one.
      let width = share / (1 + share) * mean.magnitude
      return width > 0 ? width : nil
    }
  }

  /// What to do after these replications.
  ///
  /// - Precondition: all numbers are finite.
  public func step(_ sample: ReplicationSample) -> Step {
    let count = sample.count
    if count < minimum { return .more(upTo: minimum) }
    // How many of the last looks in a row were narrow enough.
    let wanted = Self.lookAhead(count) + 1
    var streak = 0
    while streak < wanted, count - streak >= minimum, isNarrow(sample.prefix(count - streak)) { streak += 1 }
    if streak >= wanted { return .reached }
    if count >= maximum { return .exhausted }
    if streak > 0 { return .more(upTo: min(maximum, count + wanted - streak)) }
    return .more(upTo: min(maximum, prediction(sample)))
  }

  /// What to do after replications whose values weigh the same.
  public func step(_ values: [Double]) -> Step { step(ReplicationSample(values: values)) }

  /// The interval of the mean of the values at which the rule stopped; nil for fewer than two.
  ///
  /// - Precondition: there is a value, and all are finite.
  public func interval(_ values: [Double]) -> ConfidenceInterval? {
    MeanEstimate(values, confidence: confidence, widening: Self.widening).interval
  }

  private func estimate(_ sample: ReplicationSample) -> MeanEstimate? {
    MeanEstimate(sample, confidence: confidence, widening: Self.widening)
  }

  private func isNarrow(_ sample: ReplicationSample) -> Bool {
    guard let estimate = estimate(sample), let interval = estimate.interval,
      let width = targetHalfWidth(at: estimate.mean)
    else { return false }
    return interval.halfWidth <= width
  }

  /// Where the half-width would be the target, if it fell with the root of the number; never more than twice as far,
  /// since the variance is a guess.
  private func prediction(_ sample: ReplicationSample) -> Int {
    let count = sample.count
    guard let estimate = estimate(sample), let interval = estimate.interval,
      let width = targetHalfWidth(at: estimate.mean)
    else { return 2 * count }
    let ratio = interval.halfWidth / width
    let growth = min(2, ratio * ratio)
    return max(count + 1, Int((Double(count) * growth).rounded(.up)))
  }
}
