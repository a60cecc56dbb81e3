public import OutputAnalysis
public import PushModel
import Quantities

/// How soon after their sends pushes met each end, in one replication: the cumulative incidences at the cells' limits.
struct ReplicationIncidence: Sendable {
  /// By fate; nil where no push had it, and for ``Fate/pending``.
  private(set) var ends: [[Double]?]
  /// The share still on its way.
  let pending: [Double]
  /// Of ``IncidenceCounts/Segment/all``: delivered; nil where nothing was sent.
  let segments: [[Double]?]

  /// - Returns: nil where nothing was sent.
  init?(_ counts: IncidenceCounts) {
    guard !counts.isEmpty else { return nil }
    // The last cell is what takes longer than the last limit: at risk at all of them.
    let fates = Fate.allCases.filter { fate in fate != .pending && counts[fate].contains { $0 > 0 } }
    let all = CumulativeIncidence.shares(ended: fates.map { counts[$0] }, censored: counts[.pending])
    ends = [[Double]?](repeating: nil, count: Fate.allCases.count)
    for (index, fate) in fates.enumerated() {
      ends[Int(fate.rawValue)] = Array(all.incidence[index].dropLast())
    }
    pending = Array(all.waiting.dropLast())
    segments = IncidenceCounts.Segment.all.map { segment in
      let rows = counts[segment]
      guard [rows.delivered, rows.otherwise, rows.pending].contains(where: { $0.contains { $0 > 0 } }) else {
        return nil
      }
      let part = CumulativeIncidence.shares(ended: [rows.delivered, rows.otherwise], censored: rows.pending)
      return Array(part.incidence[0].dropLast())
    }
  }
}

/// How soon after their sends pushes met each end: the cumulative incidence (Aalen–Johansen) of the pushes of all
/// replications, which counts what was lost and what is still on its way.
///
/// Shares are of all pushes sent. At each time those of all ends and ``pending`` add up to 1.
public struct IncidenceResult: Sendable {
  /// Up to the first one that no push of the run was on its way for longer than. Unit: seconds.
  public let times: [Double]
  /// In the order of the fates, those that occurred.
  public let ends: [(fate: Fate, shares: [Double])]
  /// Neither delivered nor ended otherwise.
  public let pending: [Double]
  /// With limits over replications.
  public let delivered: CurveEstimate
  /// Those in which pushes were sent.
  public let segments: [(segment: IncidenceCounts.Segment, delivered: CurveEstimate)]
  /// When shares of all pushes sent were delivered.
  public let quantiles: [(level: Double, time: CurveEstimate.Quantile)]

  /// The levels of ``quantiles``.
  public static let levels = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]

  /// - Parameters:
  ///   - replications: in order; nil where nothing was sent.
  ///   - all: of the pushes of all of them.
  ///   - latency: of the pushes delivered in all replications: how they spread over a cell. Unit: microseconds.
  ///   - longest: the time that a push can be on its way in the run.
  /// - Returns: nil when no replication sent anything.
  init?(
    _ replications: [ReplicationIncidence?], all: IncidenceCounts, latency: LogHistogram,
    longest: SimDuration, confidence: Double
  ) {
    let known = replications.compactMap { $0 }
    guard let all = ReplicationIncidence(all) else { return nil }
    let last = EndCells.limits.firstIndex { $0 >= longest.seconds } ?? EndCells.limits.count - 1
    let times = Array(EndCells.limits[...last])
    func curve(_ curves: [[Double]?], all: [Double]) -> CurveEstimate {
      CurveEstimate(
        times: times, curves: curves.compactMap { $0.map { Array($0[...last]) } }, all: Array(all[...last]),
        confidence: confidence)
    }
    let zero = [Double](repeating: 0, count: EndCells.limits.count)
    self.times = times
    ends = Fate.allCases.compactMap { fate in
      all.ends[Int(fate.rawValue)].map { (fate, Array($0[...last])) }
    }
    pending = Array(all.pending[...last])
    // Where a fate did not occur in a replication its share was 0.
    let isDelivered = Int(Fate.delivered.rawValue)
    let delivered = curve(known.map { $0.ends[isDelivered] ?? zero }, all: all.ends[isDelivered] ?? zero)
    self.delivered = delivered
    segments = IncidenceCounts.Segment.all.enumerated().compactMap { index, segment in
      all.segments[index].map { (segment, curve(known.map { $0.segments[index] }, all: $0)) }
    }
    quantiles = IncidenceResult.levels.map { level in
      (level, delivered.quantile(level, records: latency, unit: 1e-6))
    }
  }
}
