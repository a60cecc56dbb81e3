import Glibc

/// A curve of all replications, or the mean of one curve per replication, with pointwise limits.
///
/// The curve is a share that grows with time, such as the cumulative incidence of an end. The replication is the unit, so
/// the limits hold however alike the units within a replication are. They are Student's on the scale of the logit (delta
/// method), so they contain the estimate and stay from 0 to 1.
///
/// - Unit: times are the caller's.
/// - Source: Asmussen and Glynn, "Stochastic Simulation", 2007, III.5a, on sectioning.
/// - Limitations: each limit holds at its own time with the stated confidence, not all at once. Where all replications
///   agree, as on a share of 0, the limits are the estimate.
public struct CurveEstimate: Sendable {
  /// Ascending.
  public let times: [Double]
  /// By time; empty when no replication has a curve.
  public private(set) var estimate: [Double] = []
  /// By time; nil with fewer than two curves, which say nothing of their error.
  public private(set) var low: [Double]?
  public private(set) var high: [Double]?

  /// Estimates from the curves of replications.
  ///
  /// - Parameters:
  ///   - times: ascending.
  ///   - curves: by replication, in order, then time: from 0 to 1.
  ///   - all: the curve of the units of all replications together, which is the estimate; nil: the mean of the curves. An
  ///     incidence with few units left at risk is too low in each replication, and the more units the less so. How the
  ///     replications spread about it tells the error, with their bias (sectioning).
  /// - Precondition: each curve has a value for each time; `confidence` is strictly between 0 and 1.
  public init(times: [Double], curves: [[Double]], all: [Double]? = nil, confidence: Double = 0.95) {
    precondition(zip(times, times.dropFirst()).allSatisfy(<), "times that do not ascend")
    for curve in curves + [all].compactMap(\.self) {
      precondition(curve.count == times.count, "a curve that does not fit the times")
    }
    self.times = times
    guard !curves.isEmpty else { return }
    var (low, high): ([Double], [Double]) = ([], [])
    for index in times.indices {
      let moments = Moments(curves.map { $0[index] })
      let mean = all?[index] ?? moments.mean!
      estimate.append(min(1, max(0, mean)))
      guard let variance = moments.variance else { continue }
      let count = Double(curves.count)
      let bias = moments.mean! - mean
      let error = ((variance + bias * bias * count / (count - 1)) / count).squareRoot()
      let half = studentQuantile(confidence: confidence, degreesOfFreedom: curves.count - 1) * error
      let limits = logitLimits(estimate[index], half: half)
      low.append(limits.lowerBound)
      high.append(limits.upperBound)
    }
    if curves.count > 1 { (self.low, self.high) = (low, high) }
  }

  /// When a curve reaches a level, with the times between which it may do so.
  public struct Quantile: Sendable, Hashable {
    /// nil when the estimate never reaches the level.
    public var estimate: Double?
    /// When the upper limit of the curve reaches the level; nil when even that never does, or without limits.
    public var low: Double?
    /// When the lower limit does; nil when it never does, so that the true time may be beyond every bound.
    public var high: Double?

    public init(estimate: Double? = nil, low: Double? = nil, high: Double? = nil) {
      self.estimate = estimate
      self.low = low
      self.high = high
    }
  }

  /// The time by which the share `p` of all units has met the end.
  ///
  /// The limits invert those of the curve: the times at which the level `p` lies between the curve's limits.
  ///
  /// - Parameters:
  ///   - p: strictly above 0, up to 1.
  ///   - within: where in the cell that ends at the time of the index the curve has grown by the fraction of its growth
  ///     over the cell; by default in proportion to time.
  /// - Source: Nakayama, "Confidence intervals for quantiles using sectioning", TOMACS 24(4), 2014, on why a quantile's
  ///   interval should come from sections that are independent: here the replications.
  public func quantile(_ p: Double, within: ((_ index: Int, _ fraction: Double) -> Double)? = nil) -> Quantile
  {
    precondition(p > 0 && p <= 1, "a quantile's level must be above 0 and not above 1, got \(p)")
    func time(_ curve: [Double]?) -> Double? {
      guard let curve, let index = curve.firstIndex(where: { $0 >= p - 1e-12 }) else { return nil }
      // Limits need not ascend everywhere, but a first crossing comes from below.
      let before = index == 0 ? 0 : curve[index - 1]
      let fraction = curve[index] > before ? min(1, max(0, (p - before) / (curve[index] - before))) : 1
      if let within { return within(index, fraction) }
      let start = index == 0 ? 0 : times[index - 1]
      return start + fraction * (times[index] - start)
    }
    return Quantile(estimate: time(estimate), low: time(high), high: time(low))
  }

  /// The time by which the share `p` of all units has met the end, with the records of those that did for how they spread
  /// over a cell: as ``quantile(_:within:)``.
  ///
  /// - Parameters:
  ///   - records: when units met the end, of all replications together.
  ///   - unit: how much of a time one of a record's units is, such as 1e-6 for records in microseconds of times in seconds.
  public func quantile(_ p: Double, records: LogHistogram, unit: Double) -> Quantile {
    quantile(p) { index, fraction in
      let start = index == 0 ? 0 : times[index - 1]
      let before = index == 0 ? 0 : records.share(upTo: Int64(start / unit)) ?? 0
      let after = records.share(upTo: Int64(times[index] / unit)) ?? 0
      guard let found = records.quantile(min(1, max(0, before + fraction * (after - before)))) else {
        return times[index]
      }
      return min(times[index], max(start, Double(found) * unit))
    }
  }
}

/// Limits of a share on the scale of the logit.
///
/// - Parameter half: half the width that the limits would have on the plain scale.
private func logitLimits(_ share: Double, half: Double) -> ClosedRange<Double> {
  guard share > 0, share < 1, half > 0 else { return share...share }
  let odds = share / (1 - share)
  // Of a share near 0 or 1 the error may be greater than the scale can tell; then this is infinite, the limits 0 and 1.
  let factor = exp(half / (share * (1 - share)))
  return min(share, 1 / (1 + factor / odds))...max(share, 1 / (1 + 1 / (odds * factor)))
}
