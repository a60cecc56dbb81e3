public import Experiments
public import OutputAnalysis

/// A run, a sweep or another study as the store lists it.
public struct KeptRun: Sendable, Equatable {
  /// 0 until the store has given it a number.
  public var id = 0
  /// `run`, `sweep` or another word for a study.
  public var kind: String
  public var scenario: String
  /// Of the scenario as it is without what a study varies; its devices and seed are those used.
  public var key: SimulationKey
  public var replications: Int
  /// Of the intervals, 0 to 1.
  public var confidence: Double
  public var policies: [String]
  /// What the command line changed or chose, as it would be typed; tells apart studies of the same scenario.
  public var overrides: String
  public var isFinished = false

  public init(
    kind: String, scenario: String, key: SimulationKey, replications: Int, confidence: Double,
    policies: [String], overrides: String
  ) {
    self.kind = kind
    self.scenario = scenario
    self.key = key
    self.replications = replications
    self.confidence = confidence
    self.policies = policies
    self.overrides = overrides
  }

  /// Equal for the same study made twice, which is kept once.
  fileprivate var identity: String {
    [
      kind, key.scenarioDigest, key.version, key.build, "\(key.seed)", "\(key.devices)", "\(replications)",
      overrides,
    ].joined(separator: "|")
  }
}

/// One point of a kept run; a plain run has one.
public struct KeptPoint: Sendable, Equatable {
  /// The values of what is varied; empty for a plain run.
  public var label: String
  /// How many of its replications are kept.
  public var replications: Int
}

/// An estimate of a kept run.
public struct KeptMetric: Sendable, Equatable {
  /// From 0.
  public var point: Int
  public var series: ReplicationSeries
  public var estimate: Double?
  public var low: Double?
  public var high: Double?

  public init(point: Int, series: ReplicationSeries, estimate: Double?, low: Double?, high: Double?) {
    self.point = point
    self.series = series
    self.estimate = estimate
    self.low = low
    self.high = high
  }
}

extension ResultsStore {
  /// Enters a run and its points, before its work begins. A run that was entered before keeps its number.
  ///
  /// - Returns: its number.
  public func begin(_ run: KeptRun, points: [(label: String, key: SimulationKey)]) throws(StoreError) -> Int {
    try database.transaction { () throws(StoreError) in
      let find = "SELECT id FROM runs WHERE identity = ?"
      if let id = try database.number(find, [.text(run.identity)]) { return id }
      try database.query(
        """
        INSERT INTO runs (identity, kind, scenario, scenario_sha256, pushsim, build, seed, devices, replications,
          confidence, policies, overrides, status)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'unfinished')
        """,
        [
          .text(run.identity), .text(run.kind), .text(run.scenario), .text(run.key.scenarioDigest),
          .text(run.key.version), .text(run.key.build), .text("\(run.key.seed)"), .integer(run.key.devices),
          .integer(run.replications), .real(run.confidence), .text(run.policies.joined(separator: ", ")),
          .text(run.overrides),
        ])
      guard let id = try database.number(find, [.text(run.identity)]) else {
        throw database.error(.failed, "a row is gone that was just written")
      }
      try insert(points, into: id, from: 0)
      return id
    }
  }

  /// Enters points of a run that turn out while it works. Points that were entered before stay as they are.
  ///
  /// - Parameter first: the number of the first of them.
  public func add(
    _ points: [(label: String, key: SimulationKey)], to id: Int, from first: Int
  ) throws(StoreError) {
    try database.transaction { () throws(StoreError) in try insert(points, into: id, from: first) }
  }

  private func insert(
    _ points: [(label: String, key: SimulationKey)], into id: Int, from first: Int
  ) throws(StoreError) {
    for (index, point) in points.enumerated() {
      try database.query(
        "INSERT OR IGNORE INTO points (run, point, label, simulation) VALUES (?, ?, ?, ?)",
        [.integer(id), .integer(first + index), .text(point.label), .integer(try intern(point.key))])
    }
  }

  /// Keeps the result of a run that has been entered.
  ///
  /// - Parameters:
  ///   - result: the JSON that the run writes.
  ///   - metrics: its estimates.
  public func finish(_ id: Int, result: String, metrics: [KeptMetric]) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      for metric in metrics {
        try database.query(
          "INSERT OR REPLACE INTO metrics (run, point, series, estimate, low, high) VALUES (?, ?, ?, ?, ?, ?)",
          [
            .integer(id), .integer(metric.point), .integer(try intern(metric.series)),
            ColumnValue(metric.estimate), ColumnValue(metric.low), ColumnValue(metric.high),
          ])
      }
      try database.query(
        "UPDATE runs SET status = 'finished', result = ? WHERE id = ?", [.text(result), .integer(id)])
    }
  }

  /// All runs, in the order of their numbers.
  public func runs() throws(StoreError) -> [KeptRun] { try runs("", []) }

  /// A run; nil if there is none of that number.
  public func run(_ id: Int) throws(StoreError) -> KeptRun? {
    try runs("WHERE id = ?", [.integer(id)]).first
  }

  private func runs(_ condition: String, _ values: [ColumnValue]) throws(StoreError) -> [KeptRun] {
    var runs: [KeptRun] = []
    try database.query(
      """
      SELECT id, kind, scenario, scenario_sha256, pushsim, build, seed, devices, replications, confidence, policies,
        overrides, status = 'finished'
      FROM runs \(condition) ORDER BY id
      """, values
    ) { row throws(StoreError) in runs.append(try Self.run(row)) }
    return runs
  }

  /// A run as it stands in the file, every value looked at.
  private static func run(_ row: ResultRow) throws(StoreError) -> KeptRun {
    var row = row
    let id = try row.integer(0, 1...(.max))
    row.place = "run \(id)"
    guard let seed = UInt64(try row.text(6)) else {
      throw row.damage(6, expected: "a whole number from 0 to \(UInt64.max)")
    }
    guard let confidence = try row.real(9, 0...1), confidence > 0, confidence < 1 else {
      throw row.damage(9, expected: "a number between 0 and 1")
    }
    var run = KeptRun(
      kind: try row.text(1), scenario: try row.text(2),
      key: SimulationKey(
        scenarioDigest: try row.text(3), version: try row.text(4), build: try row.text(5), seed: seed,
        devices: try row.integer(7, 1...Int(UInt32.max))),
      replications: try row.integer(8, 0...(1 << 24)), confidence: confidence,
      policies: try row.text(10).split(separator: ", ").map(String.init), overrides: try row.text(11))
    run.id = id
    run.isFinished = try row.integer(12, 0...1) != 0
    return run
  }

  /// The points of a run, with how far each has come.
  public func points(of run: KeptRun) throws(StoreError) -> [KeptPoint] {
    var points: [KeptPoint] = []
    try database.query(
      """
      SELECT label, (
        SELECT count(DISTINCT v.replication) FROM replication_values v
        WHERE v.simulation = p.simulation AND v.replication >= 0 AND v.replication < ?
      ) AS kept, point FROM points p WHERE run = ? ORDER BY point
      """, [.integer(run.replications), .integer(run.id)], of: "run \(run.id)"
    ) { row throws(StoreError) in
      // They are counted from 0, and what is kept of them goes by that number.
      _ = try row.integer(2, points.count...points.count)
      points.append(
        KeptPoint(label: try row.text(0), replications: try row.integer(1, 0...run.replications)))
    }
    return points
  }

  /// The JSON of a run; nil if it is not finished.
  public func result(of id: Int) throws(StoreError) -> String? {
    var result: String?
    try database.query("SELECT result FROM runs WHERE id = ?", [.integer(id)], of: "run \(id)") {
      row throws(StoreError) in
      if !row.isNull(0) { result = try row.text(0) }
    }
    return result
  }

  /// The estimates of a run, in the order of the points and, within a point, in which they came first into the file.
  public func metrics(of id: Int) throws(StoreError) -> [KeptMetric] {
    var metrics: [KeptMetric] = []
    let points = try database.number("SELECT count(*) FROM points WHERE run = ?", [.integer(id)]) ?? 0
    let numbers = -Double.infinity...Double.infinity
    try database.query(
      """
      SELECT m.point, s.policy, s.strategy, s.metric, m.estimate, m.low, m.high
      FROM metrics m JOIN series s ON s.id = m.series WHERE m.run = ? ORDER BY m.point, m.series
      """, [.integer(id)], of: "run \(id)"
    ) { row throws(StoreError) in
      metrics.append(
        KeptMetric(
          point: try row.integer(0, 0...max(0, points - 1)),
          series: ReplicationSeries(
            policy: try row.text(1), strategy: try row.text(2), metric: try row.text(3)),
          estimate: try row.real(4, numbers), low: try row.real(5, numbers), high: try row.real(6, numbers)))
    }
    return metrics
  }

  /// What the replications of the first point of a run say of a series; those that are not kept have no whole.
  public func sample(of series: ReplicationSeries, in run: KeptRun) throws(StoreError) -> ReplicationSample {
    let none = [ReplicationSample.Item](
      repeating: ReplicationSample.Item(0, of: 0), count: run.replications)
    var sample = ReplicationSample(none, kind: Metric.named(series.metric)?.kind ?? .amount)
    try database.query(
      """
      SELECT v.replication, v.value, v.part, v.whole, v.units FROM replication_values v
      JOIN points p ON p.simulation = v.simulation AND p.point = 0
      JOIN series s ON s.id = v.series
      WHERE p.run = ? AND s.policy = ? AND s.strategy = ? AND s.metric = ? AND v.replication < ?
      """,
      [
        .integer(run.id), .text(series.policy), .text(series.strategy), .text(series.metric),
        .integer(run.replications),
      ], of: "run \(run.id)"
    ) { row throws(StoreError) in
      // The statement keeps it below the count.
      sample[try row.integer(0, Self.replicationNumbers)] = try row.item(from: 1)
    }
    return sample
  }
}
