public import Experiments
public import OutputAnalysis

extension ResultsStore {
  /// The values of a scenario's first replications: those that the store keeps, and the others simulated in blocks, each
  /// kept as soon as it is done. A study that is stopped anywhere loses one block.
  ///
  /// - Parameters:
  ///   - scenario: its experiment says how many replications.
  ///   - store: nil: nothing is kept.
  ///   - version, build: of the program, as in ``SimulationKey``.
  ///   - blockSize: replications simulated at a time, at least 1.
  ///   - progress: told how many replications are known.
  ///   - simulate: runs replications, as ``Runner/output(of:progress:shouldStop:)`` does.
  /// - Returns: by replication, in the order of ``Scenario/series``.
  /// - Throws: what `simulate` throws, or ``StoreError``.
  public static func replications(
    of scenario: Scenario, in store: ResultsStore?, version: String, build: String, blockSize: Int,
    progress: (_ known: Int) -> Void = { _ in },
    simulate: (_ replications: Range<Int>) throws -> ReplicationOutput
  ) throws -> [[ReplicationSample.Item]] {
    precondition(blockSize >= 1, "blocks of \(blockSize) replications")
    let series = scenario.series
    let key = SimulationKey(scenario, version: version, build: build)
    let all = 0..<scenario.experiment.replications
    var known = try store?.values(of: key, series: series, replications: all) ?? [:]
    progress(known.count)
    var next = 0
    while next < all.upperBound {
      guard known[next] == nil else {
        next += 1
        continue
      }
      // What is kept ends a block: it need not be simulated again.
      var end = next + 1
      while end < all.upperBound, end - next < blockSize, known[end] == nil { end += 1 }
      let rows = try simulate(next..<end).rows(series, of: scenario)
      let block = zip(next..<end, rows).map { (replication: $0, values: $1) }
      try store?.record(block, of: key, series: series)
      for row in block { known[row.replication] = row.values }
      next = end
      progress(known.count)
    }
    return all.map { known[$0]! }
  }
}
