import Experiments
import Glibc
import OutputAnalysis
import PushModel
import Reporting
import ResultsStore
import ScenarioDecoding

extension StoreError: Failure {
  var exitCode: ExitCode {
    switch reason {
    case .notADatabase, .damaged, .foreign, .newer: .badScenario
    case .cannotOpen, .locked, .failed: .cannotWrite
    }
  }

  var text: String { "pushsim: error: cannot use `\(file)`: \(message)\n" }
}

enum Build {
  /// Tells this program from others of the same version: the start of the SHA-256 of its file. Values of one program are
  /// never continued with those of another.
  static func name() throws(FileError) -> String {
    String(Digest.hex([try Files.read("/proc/self/exe", limit: 1 << 32)]).prefix(16))
  }
}

/// Opens a file of results to write into it.
func openStore(_ file: String) throws(StoreError) -> ResultsStore {
  let store = try ResultsStore(file, .writing)
  // What is kept in it is there for good, however the command ends.
  Unfinished.noteWritten()
  return store
}

/// Puts a run with its values into a file of results, and says under which number.
func keep(_ result: ExperimentResult, json: String, in store: ResultsStore, _ options: RunOptions) throws {
  let scenario = result.scenario
  var series: [ReplicationSeries] = []
  var columns: [ReplicationSample] = []
  var metrics: [KeptMetric] = []
  for run in result.runs {
    for strategy in run.strategies {
      for metric in strategy.metrics {
        let one = ReplicationSeries(policy: run.policy, strategy: strategy.name, metric: metric.metric.name)
        series.append(one)
        columns.append(metric.sample)
        metrics.append(
          KeptMetric(point: 0, series: one, estimate: metric.estimate, low: metric.low, high: metric.high))
      }
    }
  }
  let key = SimulationKey(scenario, version: pushsimVersion, build: try Build.name())
  let replications = columns.first?.count ?? 0
  let run = KeptRun(
    kind: "run", scenario: scenario.name, key: key, replications: replications,
    confidence: scenario.experiment.confidence, policies: result.runs.map(\.policy),
    overrides: options.overrides)
  try store.record(
    (0..<replications).map { replication in (replication, columns.map { $0[replication] }) }, of: key,
    series: series)
  let id = try store.begin(run, points: [(label: "", key: key)])
  try store.finish(id, result: json, metrics: metrics)
  if !options.isQuiet { Terminal.report("pushsim: kept as run \(id) of \(store.file)\n") }
}
