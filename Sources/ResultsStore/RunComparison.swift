public import Experiments
public import OutputAnalysis

/// Two kept runs side by side.
public struct RunComparison: Sendable {
  public struct Row: Sendable {
    /// In the first run.
    public var series: ReplicationSeries
    /// Over all replications.
    public var first: Double
    public var second: Double
    /// The second minus the first.
    public var difference: Double
    /// Nil with fewer than two replications.
    public var interval: ConfidenceInterval?
    /// Whether no replication differs.
    public var isSame: Bool
  }

  /// Whether replications were compared one by one: they share their random numbers if seed and number agree.
  public var isPaired: Bool
  /// In the order of the first run's metrics.
  public var rows: [Row]
  /// Strategies that only one of them has, by run.
  public var onlyIn: (first: [String], second: [String])
}

extension ResultsStore {
  /// Compares two finished runs: strategies of the same name under the same policy, or under whatever policy if each run
  /// has but one.
  ///
  /// - Precondition: both are plain runs, of one point.
  public func compare(_ a: KeptRun, _ b: KeptRun) throws(StoreError) -> RunComparison {
    let isPaired = a.key.seed == b.key.seed && a.replications == b.replications
    let second = try metrics(of: b.id).map(\.series)
    let ignoresPolicy = a.policies.count == 1 && b.policies.count == 1
    var rows: [RunComparison.Row] = []
    let first = try metrics(of: a.id).map(\.series)
    for series in first {
      let other = second.first {
        $0.strategy == series.strategy && $0.metric == series.metric
          && (ignoresPolicy || $0.policy == series.policy)
      }
      guard let other else { continue }
      let (x, y) = (try sample(of: series, in: a), try sample(of: other, in: b))
      guard let first = x.estimate, let second = y.estimate else { continue }
      let interval: ConfidenceInterval?
      var isSame = false
      if isPaired {
        let comparison = PairedComparison(y, x, confidence: a.confidence)
        interval = comparison?.difference.interval
        isSame = comparison?.isSame ?? false
      } else {
        interval = WelchDifference(y, x, confidence: a.confidence)?.interval
      }
      rows.append(
        RunComparison.Row(
          series: series, first: first, second: second, difference: second - first, interval: interval,
          isSame: isSame))
    }
    func names(_ series: [ReplicationSeries], without other: [ReplicationSeries]) -> [String] {
      var names: [String] = []
      for one in series
      where !names.contains(one.strategy) && !other.contains(where: { $0.strategy == one.strategy }) {
        names.append(one.strategy)
      }
      return names
    }
    return RunComparison(
      isPaired: isPaired, rows: rows,
      onlyIn: (names(first, without: second), names(second, without: first)))
  }
}
