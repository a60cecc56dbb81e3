import CSQLite
import Experiments
import Foundation
import OutputAnalysis
import ResultsStore
import Testing

private let series = [
  ReplicationSeries(policy: "guide", strategy: "s", metric: "delivered"),
  ReplicationSeries(policy: "guide", strategy: "t", metric: "fresh_open"),
]

/// A small file with two runs and a sweep, as bytes.
private func sound() throws -> [UInt8] {
  try withStore([]) { file in
    let store = try ResultsStore(file, .writing)
    for seed in 1...3 as ClosedRange<UInt64> {
      let key = SimulationKey(
        scenarioDigest: "digest \(seed)", version: "1", build: "b", seed: seed, devices: 100)
      var run = KeptRun(
        kind: seed == 3 ? "sweep" : "run", scenario: "news", key: key, replications: 3, confidence: 0.95,
        policies: ["guide", "evidence"], overrides: "--set a=b")
      try store.record(
        (0..<3).map { ($0, [ReplicationSample.Item(Double($0), of: 7), ReplicationSample.Item(0, of: 0)]) },
        of: key, series: series)
      run.id = try store.begin(run, points: [(label: seed == 3 ? "x 1" : "", key: key)])
      let metrics = series.map { KeptMetric(point: 0, series: $0, estimate: 0.5, low: 0.25, high: nil) }
      try store.finish(run.id, result: "{}", metrics: metrics)
    }
    return Array(try Data(contentsOf: URL(filePath: file)))
  }
}

private func withStore<Value>(_ bytes: [UInt8], _ body: (String) throws -> Value) throws -> Value {
  let file = FileManager.default.temporaryDirectory.appending(path: "pushsim-\(UUID().uuidString).sqlite")
  try Data(bytes).write(to: file)
  defer {
    for ending in ["", "-journal"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
  }
  return try body(file.path)
}

private func execute(_ script: String, _ file: String) -> Bool {
  var handle: OpaquePointer?
  defer { sqlite3_close(handle) }
  return sqlite3_open(file, &handle) == SQLITE_OK && sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK
}

/// Reads all that a file holds, as the commands do, and writes into it. A value that gets through has to be one that the
/// program can go on with.
///
/// - Returns: whether nothing was refused.
private func readAll(_ file: String) -> StoreError? {
  do throws(StoreError) {
    let store = try ResultsStore(file, .reading, patience: 1)
    let runs = try store.runs()
    for run in runs {
      let points = try store.points(of: run)
      for metric in try store.metrics(of: run.id) where !points.isEmpty {
        #expect(points.indices.contains(metric.point))
      }
      _ = try store.result(of: run.id)
      for one in series {
        for value in try store.sample(of: one, in: run).values { #expect(value?.isFinite != false) }
      }
      _ = try store.values(of: run.key, series: series, replications: 0..<10)
      // Equal, shifted and unpaired.
      for other in runs { _ = try store.compare(run, other) }
      try store.record(
        [(9, [ReplicationSample.Item(1, of: 1), ReplicationSample.Item(2, of: 1)])], of: run.key,
        series: series)
    }
    return nil
  } catch {
    #expect(!error.message.isEmpty)
    return error
  }
}

@Suite struct DamagedStoreTests {
  @Test func `bytes that flip anywhere are refused or do no harm`() throws {
    let bytes = try sound()
    #expect(try withStore(bytes) { readAll($0) } == nil)
    var state: UInt64 = 1
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    // Most of the file is free space; what is written in it is what counts.
    let written = bytes.indices.filter { bytes[$0] != 0 }
    var refused = 0
    for round in 0..<400 {
      var damaged = bytes
      for _ in 0...next(3) {
        let index = round % 2 == 0 ? written[next(written.count)] : next(bytes.count)
        damaged[index] = UInt8(truncatingIfNeeded: next(4) == 0 ? 0xFF : next(256))
      }
      if next(10) == 0 { damaged.removeLast(next(damaged.count)) }
      if try withStore(damaged, { readAll($0) }) != nil { refused += 1 }
    }
    // Were all of them harmless, this test would look at the wrong bytes.
    #expect(refused > 40)
  }

  @Test(arguments: [
    ("UPDATE runs SET replications = -1 WHERE id = 2", "run 2 is damaged: `replications` is -1"),
    ("UPDATE runs SET replications = 9223372036854775807 WHERE id = 2", "run 2 is damaged: `replications`"),
    ("UPDATE runs SET devices = 0 WHERE id = 1", "run 1 is damaged: `devices` is 0"),
    ("UPDATE runs SET confidence = 0 WHERE id = 3", "run 3 is damaged: `confidence` is 0.0"),
    ("UPDATE runs SET confidence = -9e999 WHERE id = 3", "run 3 is damaged: `confidence` is -inf"),
    ("UPDATE runs SET seed = 'x' WHERE id = 1", "run 1 is damaged: `seed` is a text"),
    ("UPDATE runs SET id = -4 WHERE id = 2", "the file is damaged: `id` is -4"),
    ("UPDATE runs SET scenario = CAST(x'ff' AS TEXT) WHERE id = 2", "run 2 is damaged: `scenario` is a text"),
    ("UPDATE points SET point = 5 WHERE run = 1", "run 1 is damaged: `point` is 5"),
    ("UPDATE metrics SET point = -1 WHERE run = 1", "run 1 is damaged: `point` is -1"),
    ("UPDATE replication_values SET value = 9e999", "run 1 is damaged: `value` is inf"),
    ("UPDATE replication_values SET value = 1e308", "run 1 is damaged: `value` is 1e+308"),
    ("PRAGMA user_version = -1", "the file is damaged: its format is -1"),
    ("PRAGMA user_version = 0", "the file is damaged: its format is 0"),
    ("DROP TABLE metrics", "the file is damaged: the table `metrics` is missing"),
    ("CREATE TRIGGER t AFTER INSERT ON series BEGIN DELETE FROM series; END", "the file has a trigger, `t`"),
    // Rows without end in place of a table.
    (
      "DROP TABLE runs; CREATE VIEW runs AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n",
      "the file is damaged: `runs` is not the table that pushsim makes"
    ),
    // The same names, but columns that take any type.
    (
      "DROP TABLE series; CREATE TABLE series (id INTEGER PRIMARY KEY, policy, strategy, metric)",
      "the file is damaged: `series` is not the table that pushsim makes"
    ),
  ])
  func `a value that pushsim does not write is refused with its place`(sql: String, words: String) throws {
    try withStore(try sound()) { file in
      #expect(execute("PRAGMA ignore_check_constraints = ON; " + sql, file))
      let error = readAll(file)
      #expect(error?.reason == .damaged)
      #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "accepted")")
    }
  }

  @Test func `what people add to a file does no harm`() throws {
    try withStore(try sound()) { file in
      #expect(execute("CREATE VIEW mine AS SELECT * FROM runs; CREATE INDEX i ON runs (seed)", file))
      #expect(readAll(file) == nil)
    }
  }
}
