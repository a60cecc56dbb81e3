import CSQLite
import Experiments
import Foundation
import OutputAnalysis
import PushModel
import PushsimTestSupport
import Quantities
import ResultsStore
import Testing

private let key = SimulationKey(
  scenarioDigest: "d", version: "1", build: "b", seed: .max, devices: 100)
private let series = [
  ReplicationSeries(policy: "guide", strategy: "s", metric: "delivered"),
  ReplicationSeries(policy: "guide", strategy: "s", metric: "fresh_open"),
]

/// Values that weigh the same; nil: nothing to divide by.
private func items(_ values: [Double?]) -> [ReplicationSample.Item] {
  values.map { $0.map { ReplicationSample.Item($0, of: 1) } ?? ReplicationSample.Item(0, of: 0) }
}

/// Gives a test the name of a file that is not there yet.
private func withFile<Value>(_ body: (String) throws -> Value) throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appending(path: "pushsim-store-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.appending(path: "results.sqlite").path)
}

/// Runs a script of SQL as another program would.
private func execute(_ script: String, _ file: String) throws {
  var handle: OpaquePointer?
  #expect(sqlite3_open(file, &handle) == SQLITE_OK)
  defer { sqlite3_close(handle) }
  #expect(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
}

private func reason(_ file: String, _ access: ResultsStore.Access) -> StoreError.Reason? {
  do throws(StoreError) {
    _ = try ResultsStore(file, access)
    return nil
  } catch {
    #expect(error.file == file)
    #expect(!error.message.isEmpty)
    return error.reason
  }
}

@Suite struct ResultsStoreTests {
  /// The only way to change what is simulated changes what a store looks for.
  @Test func `a changed scenario never finds kept values`() throws {
    let scenario = try Simulation.load("Scenarios/news_feed.yaml")
    func key(_ scenario: Scenario) -> SimulationKey { SimulationKey(scenario, version: "1", build: "b") }
    var longer = scenario
    longer.change("duration 20 d") { $0.duration = .days(20) }
    var longest = scenario
    longest.change("duration 30 d") { $0.duration = .days(30) }
    var seeded = scenario
    seeded.seed = 9
    var fewer = scenario
    fewer.devices = 7
    #expect(Set([scenario, longer, longest, seeded, fewer].map(key)).count == 5)
    // What changes no value of a strategy that stays finds them.
    var one = scenario
    one.keep(strategies: ["push_hourly"])
    one.fixReplications(3)
    #expect(key(one) == key(scenario))
    // The points of a study have their parameters in their digests.
    let space = ParameterSpace(scenario, policy: 0)
    let levels = space.parameters.map { _ in Double?.none }
    var moved = levels
    moved[0] = 0.9
    #expect(Set([levels, moved].map { key(space.scenario(at: $0)) } + [key(scenario)]).count == 3)
  }

  @Test func `values come back to the last bit, in another connection too`() throws {
    let numbers: [Double?] = [
      0.1 + 0.2, .leastNonzeroMagnitude, -1e100, -1.0 / 3, 1e100, 42, nil,
    ]
    try withFile { file in
      try ResultsStore(file, .writing).record(
        numbers.enumerated().map { ($0, items([$1, numbers[0]])) }, of: key, series: series)
      let found = try ResultsStore(file, .reading).values(of: key, series: series, replications: 0..<100)
      #expect(found.count == numbers.count)
      for (replication, number) in numbers.enumerated() {
        #expect(found[replication]?[0].value?.bitPattern == number?.bitPattern)
      }
    }
  }

  @Test func `part, whole and units come back, and a part without a whole too`() throws {
    try withFile { file in
      let all: [ReplicationSample.Item] = [.init(3, of: 7, units: 5), .init(2.5, of: 0)]
      try ResultsStore(file, .writing).record([(0, all)], of: key, series: series)
      #expect(
        try ResultsStore(file, .reading).values(of: key, series: series, replications: 0..<1) == [0: all])
    }
  }

  @Test func `a file of the first format is brought up to date, and its values weigh the same`() throws {
    try withFile { file in
      try ResultsStore(file, .writing).record(
        [(0, items([0.25, nil])), (1, items([0.75, 4]))], of: key, series: series)
      let columns = ["part", "whole", "units"].map { "ALTER TABLE replication_values DROP COLUMN \($0);" }
      try execute(
        "DROP VIEW named_values;" + columns.joined()
          + "CREATE VIEW named_values AS SELECT value FROM replication_values; PRAGMA user_version = 1", file)
      let found = try ResultsStore(file, .reading).values(of: key, series: series, replications: 0..<2)
      #expect(found == [0: items([0.25, nil]), 1: items([0.75, 4])])
      try ResultsStore(file, .writing).record([(2, items([1, 2]))], of: key, series: series)
    }
  }

  @Test func `a replication counts as kept only with all series asked for, and under the very same key`()
    throws
  {
    try withFile { file in
      let store = try ResultsStore(file, .writing)
      try store.record([(0, items([1, 2])), (5, items([3, 4]))], of: key, series: series)
      try store.record([(1, items([9]))], of: key, series: [series[0]])
      #expect(try store.values(of: key, series: series, replications: 0..<10).keys.sorted() == [0, 5])
      #expect(try store.values(of: key, series: series, replications: 0..<5).keys.sorted() == [0])
      #expect(try store.values(of: key, series: [series[1]], replications: 0..<10)[5] == items([4]))
      var others = [SimulationKey](repeating: key, count: 5)
      others[0].scenarioDigest = "e"
      others[1].version = "2"
      others[2].build = "c"
      others[3].seed = 1
      others[4].devices = 99
      for other in others {
        #expect(try store.values(of: other, series: series, replications: 0..<10).isEmpty)
      }
    }
  }

  @Test func `of a block that cannot be kept nothing is kept`() throws {
    try withFile { file in
      let store = try ResultsStore(file, .writing)
      // The tables refuse a negative replication.
      #expect(throws: StoreError.self) {
        try store.record([(0, items([1, 2])), (-1, items([1, 2]))], of: key, series: series)
      }
      #expect(try store.values(of: key, series: series, replications: 0..<10).isEmpty)
      // And the store can be used after that.
      try store.record([(0, items([1, 2]))], of: key, series: series)
      #expect(try store.values(of: key, series: series, replications: 0..<10) == [0: items([1, 2])])
    }
  }

  @Test func `files that are not ours are refused and left as they are`() throws {
    try withFile { file in
      #expect(reason(file, .reading) == .cannotOpen)
      #expect(!FileManager.default.fileExists(atPath: file))
      try Data("scenario: news\n".utf8).write(to: URL(filePath: file))
      #expect(reason(file, .writing) == .notADatabase)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "scenario: news\n")
    }
    try withFile { file in
      try execute("CREATE TABLE theirs (x)", file)
      let before = try Data(contentsOf: URL(filePath: file))
      #expect(reason(file, .writing) == .foreign)
      #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }
    // An empty file can become ours, but holds nothing to read.
    try withFile { file in
      try Data().write(to: URL(filePath: file))
      #expect(reason(file, .reading) == .foreign)
      #expect(reason(file, .writing) == nil)
    }
  }

  @Test func `a file of a later format is refused`() throws {
    try withFile { file in
      _ = try ResultsStore(file, .writing)
      try execute("PRAGMA user_version = 99", file)
      #expect(reason(file, .reading) == .newer(format: 99))
    }
  }

  @Test func `a file that another process keeps locked is given up after a while`() throws {
    try withFile { file in
      let store = try ResultsStore(file, .writing, patience: 50)
      var handle: OpaquePointer?
      #expect(sqlite3_open(file, &handle) == SQLITE_OK)
      defer { sqlite3_close(handle) }
      #expect(sqlite3_exec(handle, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
      let error = #expect(throws: StoreError.self) {
        try store.record([(0, items([1, 2]))], of: key, series: series)
      }
      #expect(error?.reason == .locked)
      #expect(sqlite3_exec(handle, "COMMIT", nil, nil, nil) == SQLITE_OK)
      try store.record([(0, items([1, 2]))], of: key, series: series)
    }
  }
}

@Suite struct ContinuationTests {
  private static func scenario() throws -> Scenario {
    try Simulation.decode(
      """
      scenario: continuing
      question: Does it go on where it was?
      content: {updates: {every: 6 h}}
      strategies: {hourly: {background_push: {send: {every: 1 h}}}, open: {sync_on_open: {}}}
      experiment: {devices: 3, duration: 1 d, warm_up: 0 s, replications: 7}
      """)
  }

  @Test func `only what is not kept is simulated, in blocks, and the values are those of one run`() throws {
    let scenario = try Self.scenario()
    let runner = Runner(scenario, threads: 1)
    let whole = try runner.output(of: 0..<7).rows(scenario.series, of: scenario)
    try withFile { file in
      let store = try ResultsStore(file, .writing)
      struct Stop: Error {}
      func values(stopAfter: Int) throws -> (values: [[ReplicationSample.Item]], blocks: [Range<Int>]) {
        var blocks: [Range<Int>] = []
        let values = try ResultsStore.replications(
          of: scenario, in: store, version: "1", build: "b", blockSize: 2,
          simulate: { block in
            guard blocks.count < stopAfter else { throw Stop() }
            blocks.append(block)
            return try runner.output(of: block)
          })
        return (values, blocks)
      }
      #expect(throws: Stop.self) { try values(stopAfter: 1) }
      // One in the middle is there from elsewhere.
      let key = SimulationKey(scenario, version: "1", build: "b")
      try store.record([(3, whole[3])], of: key, series: scenario.series)
      let rest = try values(stopAfter: 9)
      #expect(rest.blocks == [2..<3, 4..<6, 6..<7])
      #expect(rest.values == whole)
      #expect(try values(stopAfter: 0).values == whole)
    }
    let without = try ResultsStore.replications(
      of: scenario, in: nil, version: "", build: "", blockSize: 3, simulate: { try runner.output(of: $0) })
    #expect(without == whole)
  }
}

@Suite struct KeptRunsTests {
  private func run(_ seed: UInt64, _ replications: Int, _ overrides: String) -> KeptRun {
    var key = key
    key.seed = seed
    key.scenarioDigest = overrides
    return KeptRun(
      kind: "run", scenario: "news", key: key, replications: replications, confidence: 0.95,
      policies: ["guide"], overrides: overrides)
  }

  private func keep(_ run: KeptRun, _ values: [Double?], in store: ResultsStore) throws -> KeptRun {
    var run = run
    let one = [series[0]]
    try store.record(values.enumerated().map { ($0, items([$1])) }, of: run.key, series: one)
    run.id = try store.begin(run, points: [(label: "", key: run.key)])
    try store.finish(
      run.id, result: "{}", metrics: [KeptMetric(point: 0, series: one[0], estimate: 1, low: nil, high: 2)])
    run.isFinished = true
    return run
  }

  @Test func `a run is found again as it was kept, once however often it was made`() throws {
    try withFile { file in
      let store = try ResultsStore(file, .writing)
      let first = try keep(run(1, 3, "--set 'a=b'"), [1, nil, 3], in: store)
      let second = try keep(run(2, 3, ""), [1, 2, 3], in: store)
      #expect(try keep(run(1, 3, "--set 'a=b'"), [1, nil, 3], in: store).id == first.id)
      #expect(try store.runs() == [first, second])
      #expect(try store.points(of: first).map(\.replications) == [3])
      #expect(try store.sample(of: series[0], in: first).values == [1, nil, 3])
      #expect(try store.result(of: first.id) == "{}")
      #expect(
        try store.metrics(of: first.id) == [
          KeptMetric(point: 0, series: series[0], estimate: 1, low: nil, high: 2)
        ])
      #expect(try store.run(9) == nil)
    }
  }

  @Test func `runs are paired if seed and replications agree, else compared by Welch`() throws {
    try withFile { file in
      let store = try ResultsStore(file, .writing)
      let base = try keep(run(1, 4, "a"), [1, 2, 3, 4], in: store)
      // Always 0.5 more, give or take a little: paired the difference is clear, unpaired it is not.
      let paired = try keep(run(1, 4, "b"), [1.5, 2.5, 3.5, 4.6], in: store)
      let other = try keep(run(2, 4, "b"), [1.5, 2.5, 3.5, 4.6], in: store)
      let longer = try keep(run(1, 5, "b"), [1.5, 2.5, 3.5, 4.6, 3], in: store)
      let first = try store.compare(base, paired)
      let second = try store.compare(base, other)
      #expect(first.isPaired)
      #expect(!second.isPaired)
      #expect(try !store.compare(base, longer).isPaired)
      #expect(abs(first.rows[0].difference - 0.525) < 1e-12)
      #expect(abs(second.rows[0].difference - 0.525) < 1e-12)
      #expect(first.rows[0].interval?.contains(0) == false)
      #expect(second.rows[0].interval?.contains(0) == true)
    }
  }
}
