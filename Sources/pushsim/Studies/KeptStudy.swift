import Experiments
import OutputAnalysis
import PushModel
import Reporting
import ResultsStore
import ScenarioDecoding

/// A study of parameters of which each finished point is kept in a file of results.
final class KeptStudy: StudyKeeper {
  private let store: ResultsStore
  private let run: KeptRun
  private let build: String
  private var points = 0
  /// How many points are known, from the file or simulated.
  private(set) var finished = 0

  /// - Parameters:
  ///   - kind: the word for the study in lists.
  ///   - scenario: as it is without what the study varies.
  ///   - replications: of each point.
  ///   - overrides: what the command line chose; tells the study from others of the scenario.
  init(
    _ kind: String, of scenario: Scenario, replications: Int, overrides: String, in store: ResultsStore,
    isQuiet: Bool
  ) throws {
    self.store = store
    build = try Build.name()
    var run = KeptRun(
      kind: kind, scenario: scenario.name,
      key: SimulationKey(scenario, version: pushsimVersion, build: build), replications: replications,
      confidence: scenario.experiment.confidence, policies: scenario.input.policies.map(\.name),
      overrides: overrides)
    run.id = try store.begin(run, points: [])
    self.run = run
    if !isQuiet { try Self.tell(run, in: store, of: nil) }
  }

  func begin(_ points: [StudyPoint]) throws {
    try store.add(points.map { ($0.label, key(of: $0)) }, to: run.id, from: self.points)
    self.points += points.count
  }

  func values(
    of point: StudyPoint, simulate: (_ replications: Range<Int>) throws -> ReplicationOutput
  ) throws -> [[ReplicationSample.Item]] {
    let scenario = point.scenario
    let values = try ResultsStore.replications(
      of: scenario, in: store, version: pushsimVersion, build: build,
      blockSize: Self.blockSize(devices: scenario.experiment.devices), simulate: simulate)
    finished += 1
    return values
  }

  /// - Parameter json: the result that the study belongs to.
  func finish(json: String) throws(StoreError) {
    try store.finish(run.id, result: json, metrics: [])
  }

  /// What to say when the study was stopped.
  ///
  /// - Parameter points: what people call them.
  func interruption(points: String) -> CommandFailure {
    CommandFailure(
      .interrupted,
      lines: "pushsim: interrupted after \(finished) \(points), which are kept in \(store.file): "
        + "the same command goes on from there\n")
  }

  private func key(of point: StudyPoint) -> SimulationKey {
    SimulationKey(point.scenario, version: pushsimVersion, build: build)
  }

  /// How many replications are simulated before they are kept: enough devices to keep all processors busy, and few enough
  /// that a stop loses little.
  static func blockSize(devices: Int) -> Int { max(1, 4096 / devices) }

  /// Says what is taken from a file of results, and what is not and why.
  ///
  /// - Parameter all: how many replications the study takes; nil if that turns out while it works.
  static func tell(_ run: KeptRun, in store: ResultsStore, of all: Int?) throws {
    let kept = try store.points(of: run).reduce(0) { $0 + $1.replications }
    if kept > 0 {
      let all = all.map { " of \($0)" } ?? ""
      Terminal.report("pushsim: \(kept)\(all) replications are kept in \(store.file) already\n")
    }
    let others = try store.runs().filter {
      $0.kind == run.kind && !$0.isFinished && $0.scenario == run.scenario && $0.id != run.id
        && $0.overrides == run.overrides && $0.key.seed == run.key.seed && $0.key.devices == run.key.devices
    }
    let name = run.kind == "sweep" ? "sweep" : "study"
    for other in others {
      let cause =
        other.key.scenarioDigest != run.key.scenarioDigest
        ? "another version of the scenario"
        : other.key.build != run.key.build || other.key.version != run.key.version ? "another pushsim" : nil
      if let cause {
        Terminal.report(
          "pushsim: note: \(store.file) also holds an unfinished \(name) of \(cause), run \(other.id); this one begins anew\n"
        )
      }
    }
  }
}
