/// The mean of a − b over replications that share their random numbers, alone and as one of several.
public struct PairedComparison: Sendable, Hashable {
  /// The mean of the differences, with its own interval.
  public let difference: MeanEstimate
  /// The interval that covers together with those of the other comparisons of its family; nil for one replication.
  ///
  /// By Bonferroni's inequality, which holds whatever the dependence between the comparisons and needs no equal variances.
  public let joint: ConfidenceInterval?
  /// How many times less the difference varies than one of independent replications would: (var a + var b) over
  /// var (a − b). Below 1 where pairing does harm; nil where it cannot be told, as when no difference varies.
  public let varianceReduction: Double?
  /// Whether no replication differs.
  public let isSame: Bool

  /// How many independent replications of each would tell the difference as closely.
  public var equivalentIndependentReplications: Double? {
    varianceReduction.map { $0 * Double(difference.count) }
  }

  /// Compares a quantity of the same replications, each paired with the one in its place.
  ///
  /// - Parameters:
  ///   - confidence: of the interval of this difference, and of all joint intervals of the family together.
  ///   - family: how many comparisons are made together, this one included.
  ///   - widening: times Student's half-width, as of ``MeanEstimate/init(_:confidence:widening:)``.
  /// - Returns: nil when one has nothing to divide by.
  /// - Precondition: as many replications in `b` as in `a`, all numbers finite; `family` is at least 1.
  /// - Source: Law, "Simulation Modeling and Analysis", comparing alternative configurations.
  public init?(
    _ a: ReplicationSample, _ b: ReplicationSample, confidence: Double = 0.95, family: Int = 1,
    widening: Double = 1
  ) {
    precondition(family >= 1, "a family of \(family) comparisons")
    let one = 1 - (1 - confidence) / Double(family)
    guard
      let difference = MeanEstimate.pairedDifference(a, b, confidence: confidence, widening: widening),
      let all = MeanEstimate.pairedDifference(a, b, confidence: one, widening: widening)
    else { return nil }
    self.difference = difference
    joint = all.interval.map {
      ConfidenceInterval(estimate: $0.estimate, $0.lower...$0.upper, confidence: confidence)
    }
    isSame = a.items.map(\.value) == b.items.map(\.value)
    // Differences that vary in the last digits only do not vary.
    if let first = a.linearised.flatMap({ Moments($0).variance }),
      let second = b.linearised.flatMap({ Moments($0).variance }),
      let spread = difference.standardDeviation, spread * spread > 1e-20 * (first + second)
    {
      varianceReduction = (first + second) / (spread * spread)
    } else {
      varianceReduction = nil
    }
  }

  /// Compares numbers that weigh the same.
  ///
  /// - Precondition: at least one value, and as many in `b` as in `a`; else as above.
  public init(_ a: [Double], _ b: [Double], confidence: Double = 0.95, family: Int = 1, widening: Double = 1)
  {
    self.init(
      ReplicationSample(values: a), ReplicationSample(values: b), confidence: confidence, family: family,
      widening: widening)!
  }
}
