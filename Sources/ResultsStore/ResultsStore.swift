public import Experiments
public import OutputAnalysis
import PushModel

/// What decides the numbers of a replication: same key, same values, to the last bit.
public struct SimulationKey: Sendable, Hashable {
  /// ``Scenario/digest``: over the scenario, the files it names and what was set in it.
  public var scenarioDigest: String
  /// The program's version.
  public var version: String
  /// Tells apart programs of the same version, which need not agree.
  public var build: String
  public var seed: UInt64
  /// Devices per replication.
  public var devices: Int

  public init(scenarioDigest: String, version: String, build: String, seed: UInt64, devices: Int) {
    self.scenarioDigest = scenarioDigest
    self.version = version
    self.build = build
    self.seed = seed
    self.devices = devices
  }

  public init(_ scenario: Scenario, version: String, build: String) {
    self.init(
      scenarioDigest: scenario.digest, version: version, build: build, seed: scenario.input.seed,
      devices: scenario.experiment.devices)
  }
}

/// A file that keeps results: the values of single replications, from which a study that was stopped goes on, and the
/// runs that were made of them.
///
/// Everything is written in transactions that are on the disk when the call returns, so that neither a killed process nor
/// a power cut leaves half of one. Several processes may use a file at once. For one thread.
public final class ResultsStore {
  public enum Access: Sendable {
    /// The file has to be there.
    case reading
    /// The file is made if it is not there.
    case writing
  }

  /// How long a call waits for other processes, in milliseconds; each of them holds the file for moments only.
  public static let patience = 60_000

  public let file: String
  let database: Database
  /// Those that this file is known to hold: a study records the same few hundred again and again.
  private var seriesNumbers: [ReplicationSeries: Int] = [:]

  /// Opens a file, and makes or renews its tables.
  ///
  /// - Throws: ``StoreError`` if that cannot be, also when the file may be read but not written.
  public init(_ file: String, _ access: Access, patience: Int = ResultsStore.patience) throws(StoreError) {
    self.file = file
    database = try Database(file, creates: access == .writing, patience: patience)
    // The file may be a stranger's: nothing in its tables' definitions is run that could do more than compute.
    try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    try Schema.prepare(database, creates: access == .writing)
    try database.execute("PRAGMA foreign_keys = ON")
    if access == .writing, database.isReadOnly {
      throw database.error(.cannotOpen, "attempt to write a readonly database")
    }
  }

  /// What a replication's number can be: the streams' paths have 24 bits for it.
  static let replicationNumbers = 0...(1 << 24 - 1)
  /// What a value of a replication can be: no metric comes near these, and squares and sums stay numbers.
  static let values = -1e100...1e100

  // MARK: Values of replications

  /// The values kept of some replications.
  ///
  /// - Returns: by replication, in the order of `series`; only replications of which all the series are kept.
  public func values(
    of key: SimulationKey, series: [ReplicationSeries], replications: Range<Int>
  ) throws(StoreError) -> [Int: [ReplicationSample.Item]] {
    guard let simulation = try find(key) else { return [:] }
    // Of a point that has only been announced nothing is kept: hundreds of series need not be looked for.
    let any = "SELECT 1 FROM replication_values WHERE simulation = ? LIMIT 1"
    guard try database.number(any, [.integer(simulation)]) != nil else { return [:] }
    var found: [Int: [ReplicationSample.Item]] = [:]
    for (index, one) in series.enumerated() {
      var column: [Int: ReplicationSample.Item] = [:]
      try database.query(
        """
        SELECT v.replication, v.value, v.part, v.whole, v.units FROM replication_values v
        JOIN series s ON s.id = v.series
        WHERE v.simulation = ? AND s.policy = ? AND s.strategy = ? AND s.metric = ?
          AND v.replication >= ? AND v.replication < ?
        """,
        [
          .integer(simulation), .text(one.policy), .text(one.strategy), .text(one.metric),
          .integer(replications.lowerBound), .integer(replications.upperBound),
        ]
      ) { row throws(StoreError) in
        column[try row.integer(0, Self.replicationNumbers)] = try row.item(from: 1)
      }
      if index == 0 {
        found = column.mapValues { [$0] }
      } else {
        for (replication, values) in found {
          found[replication] = column[replication].map { values + [$0] }
        }
      }
    }
    return found
  }

  /// Keeps the values of some replications, all or none of them.
  ///
  /// - Parameter values: by replication, in the order of `series`. A value that is kept already is written again: it is
  ///   the same.
  public func record(
    _ values: [(replication: Int, values: [ReplicationSample.Item])], of key: SimulationKey,
    series: [ReplicationSeries]
  ) throws(StoreError) {
    var numbers = seriesNumbers
    try database.transaction { () throws(StoreError) in
      let simulation = try intern(key)
      for (index, one) in series.enumerated() {
        let id: Int
        if let known = numbers[one] { id = known } else { id = try intern(one) }
        numbers[one] = id
        for row in values {
          precondition(
            row.values.count == series.count, "\(row.values.count) values of \(series.count) series")
          try database.query(
            """
            INSERT OR REPLACE INTO replication_values (simulation, series, replication, value, part, whole, units)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [.integer(simulation), .integer(id), .integer(row.replication)] + columns(row.values[index]))
        }
      }
    }
    // Not before: a number of a transaction that failed means nothing.
    seriesNumbers = numbers
  }

  private func columns(_ item: ReplicationSample.Item) -> [ColumnValue] {
    [ColumnValue(item.value), .real(item.part), .real(item.whole), .real(item.units)]
  }

  private func find(_ key: SimulationKey) throws(StoreError) -> Int? {
    try database.number(
      """
      SELECT id FROM simulations
      WHERE scenario_sha256 = ? AND pushsim = ? AND build = ? AND seed = ? AND devices = ?
      """, Self.columns(key))
  }

  /// The number of a key, new or not.
  func intern(_ key: SimulationKey) throws(StoreError) -> Int {
    try database.query(
      "INSERT OR IGNORE INTO simulations (scenario_sha256, pushsim, build, seed, devices) VALUES (?, ?, ?, ?, ?)",
      Self.columns(key))
    guard let id = try find(key) else { throw database.error(.failed, "a row is gone that was just written") }
    return id
  }

  func intern(_ series: ReplicationSeries) throws(StoreError) -> Int {
    let columns: [ColumnValue] = [.text(series.policy), .text(series.strategy), .text(series.metric)]
    try database.query("INSERT OR IGNORE INTO series (policy, strategy, metric) VALUES (?, ?, ?)", columns)
    let id = try database.number(
      "SELECT id FROM series WHERE policy = ? AND strategy = ? AND metric = ?", columns)
    guard let id else { throw database.error(.failed, "a row is gone that was just written") }
    return id
  }

  /// The seed as text: an integer of SQLite has 63 bits and a sign.
  private static func columns(_ key: SimulationKey) -> [ColumnValue] {
    [
      .text(key.scenarioDigest), .text(key.version), .text(key.build), .text("\(key.seed)"),
      .integer(key.devices),
    ]
  }
}

extension ResultRow {
  /// The columns `value`, `part`, `whole` and `units`. A row of format 1 has its value only, and weighs the same as others.
  func item(from column: Int) throws(StoreError) -> ReplicationSample.Item {
    let numbers = ResultsStore.values
    let value = try real(column, numbers)
    guard let part = try real(column + 1, numbers), let whole = try real(column + 2, 0...numbers.upperBound)
    else { return value.map { ReplicationSample.Item($0, of: 1) } ?? ReplicationSample.Item(0, of: 0) }
    let units = try real(column + 3, 0...numbers.upperBound) ?? 0
    return ReplicationSample.Item(part, of: whole, units: units)
  }
}
