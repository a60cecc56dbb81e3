/// A quantile of the records of all replications together, with an interval by sectioning: the replications' own
/// quantiles, each with its bias, say how much the quantile varies; the estimate is that of all records.
///
/// - Source: Asmussen and Glynn, "Stochastic Simulation", 2007, III.5a; Nakayama, "Confidence intervals for quantiles using
///   sectioning when applying variance-reduction techniques", ACM TOMACS 24 (2014).
/// - Limitations: needs some hundred records a replication, and more for a quantile far out; replications should have
///   about as many records each. Records are taken as spread evenly over their bin: with its middle instead, the interval
///   would be too narrow, since it does not know of that error.
public struct QuantileEstimate: Sendable, Hashable {
  /// The quantile of all records.
  public let quantile: Double
  /// How many replications had records.
  public let count: Int
  /// Student's interval; nil for one replication.
  public let interval: ConfidenceInterval?

  /// Estimates from a histogram per replication; those without records say nothing.
  ///
  /// - Parameters:
  ///   - level: from 0 to 1.
  ///   - confidence: of the interval.
  /// - Returns: nil when there is no record.
  /// - Precondition: `level` is from 0 to 1, `confidence` strictly between 0 and 1.
  public init?(_ replications: [LogHistogram], level: Double, confidence: Double = 0.95) {
    var all = LogHistogram()
    for replication in replications { all.merge(replication) }
    guard let estimate = all.interpolatedQuantile(level) else { return nil }
    let sections = replications.compactMap { $0.interpolatedQuantile(level) }
    quantile = estimate
    count = sections.count
    guard sections.count > 1 else {
      interval = nil
      return
    }
    // About the estimate and not about their mean, from which their bias would be gone.
    let squares = sections.reduce(0) { $0 + ($1 - estimate) * ($1 - estimate) }
    let error = (squares / Double(sections.count - 1) / Double(sections.count)).squareRoot()
    interval = ConfidenceInterval(
      estimate: estimate,
      halfWidth: studentQuantile(confidence: confidence, degreesOfFreedom: sections.count - 1) * error,
      confidence: confidence)
  }
}

extension LogHistogram {
  /// As ``quantile(_:)``, with the record's place among those of its bin for its place within the bin.
  fileprivate func interpolatedQuantile(_ level: Double) -> Double? {
    guard let minimum, let maximum else { return nil }
    precondition(level >= 0 && level <= 1, "a quantile's level must be from 0 to 1, got \(level)")
    let rank = max(1, (level * Double(count)).rounded(.up))
    var passed = 0.0
    for bin in bins {
      let records = Double(bin.count)
      if passed + records >= rank {
        let low = Double(max(bin.low, minimum))
        let high = Double(min(bin.high, maximum))
        return low + (high - low) * (rank - passed - 0.5) / records
      }
      passed += records
    }
    return Double(maximum)
  }
}
