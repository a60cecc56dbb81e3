import Experiments
import OutputAnalysis
import PushModel
import Reporting
import ResultsStore
import ScenarioDecoding
import Synchronization

/// Runs a scenario at every point of a sweep.
func sweep(_ options: SweepOptions) throws -> ExitCode {
  var sweep = try ScenarioLoading.loadSweep(
    options.scenario, over: options.over, options.assignments, policies: options.policies)
  var targets = Targets()
  targets.add("--csv", options.csv)
  targets.add("--json", options.json)
  targets.add("--store", file: options.store)
  targets.add("--output", folder: options.outputDirectory) {
    ["sweep.html", "sweep.csv", "sweep.json"].contains($0)
  }
  try targets.prepare()
  if options.devices != nil, sweep.inputs.contains(where: { $0.path == "experiment.devices" }) {
    throw CommandFailure(.badCommandLine, "`--devices` sets what the sweep varies")
  }
  try apply(options, to: &sweep.base)
  for index in sweep.points.indices { try apply(options, to: &sweep.points[index].scenario) }
  ScenarioLoading.warnOfIdleSettings(sweep.points.map(\.scenario))
  try check(options.metrics, sweep)

  let study = try SweepStudy(sweep, options)
  let result = SweepResult(sweep, items: try study.run(), metrics: options.metrics)
  let json = SweepReport.json(result).text + "\n"
  var delivery = Delivery()
  try delivery.attempt { try study.finish(result, json: json) }
  try delivery.attempt { try options.csv?.write(SweepReport.csv(result)) }
  try delivery.attempt { try options.json?.write(json) }
  if let directory = options.outputDirectory {
    let files = [
      ("sweep.html", SweepPage.text(SweepReport.json(result))), ("sweep.csv", SweepReport.csv(result)),
      ("sweep.json", json),
    ]
    try delivery.attempt { try ResultFolder(directory).write(files, isWhole: false) }
  }
  if !targets.takeStandardOutput, !options.isQuiet {
    let width = Terminal.outputWidth()
    let text = SweepReport.text(result, metrics: options.metrics, width: width)
    try delivery.attempt { try Terminal.write(text, to: .standardOutput) }
  }
  return delivery.status(.success)
}

private func apply(_ options: SweepOptions, to scenario: inout Scenario) throws(CommandFailure) {
  // Quiet: a sweep neither judges expectations nor compares with the baseline.
  try select(options.strategies, in: &scenario, isQuiet: true)
  options.shared.apply(to: &scenario)
  if let replications = options.replications { scenario.replications = replications }
}

private func check(_ metrics: [String], _ sweep: Sweep) throws(CommandFailure) {
  let known = Metric.all.map(\.name)
  let yielded = Set(sweep.points.flatMap { $0.scenario.series.map(\.metric) })
  for name in metrics where !yielded.contains(name) {
    guard !known.contains(name) else {
      throw CommandFailure(.badCommandLine, "no strategy of the scenario has the metric `\(name)`")
    }
    throw .unknown("metric", name, among: known)
  }
}

/// The work of a sweep: what is kept already, what is left to simulate, and where it is kept.
private struct SweepStudy {
  private let sweep: Sweep
  private let options: SweepOptions
  private let store: ResultsStore?
  private let build: String
  /// The number in the store; 0 without one.
  private let id: Int
  /// Replications that the store had before, over all points.
  private let kept: Int

  init(_ sweep: Sweep, _ options: SweepOptions) throws {
    self.sweep = sweep
    self.options = options
    guard let file = options.store else {
      (store, build, id, kept) = (nil, "", 0, 0)
      return
    }
    let store = try openStore(file)
    let build = try Build.name()
    var run = KeptRun(
      kind: "sweep", scenario: sweep.base.name,
      key: SimulationKey(sweep.base, version: pushsimVersion, build: build),
      replications: sweep.base.experiment.replications, confidence: sweep.base.experiment.confidence,
      policies: sweep.base.input.policies.map(\.name), overrides: options.overrides)
    run.id = try store.begin(
      run,
      points: sweep.points.map {
        (
          label: sweep.label($0),
          key: SimulationKey($0.scenario, version: pushsimVersion, build: build)
        )
      })
    (self.store, self.build, id) = (store, build, run.id)
    kept = try store.points(of: run).reduce(0) { $0 + $1.replications }
    if !options.isQuiet {
      try KeptStudy.tell(run, in: store, of: sweep.points.count * run.replications)
    }
  }

  /// What replications say, by point and replication, in the order of the point's series.
  func run() throws -> [[[ReplicationSample.Item]]] {
    let perReplication = sweep.points.map(\.scenario.experiment.devices)
    let replications = sweep.base.experiment.replications
    let all = perReplication.reduce(0) { $0 + $1 * replications }
    let progress = Mutex(
      ProgressLine(
        total: all - kept * (perReplication.first ?? 0), unit: "devices", isWanted: !options.isQuiet))
    defer { progress.withLock { $0.finish() } }
    var done = 0
    var values: [[[ReplicationSample.Item]]] = []
    var isPointDone = 0
    do {
      for point in sweep.points {
        let scenario = point.scenario
        let devices = scenario.experiment.devices
        let runner = Runner(scenario, threads: options.threads ?? Runner.processors)
        values.append(
          try ResultsStore.replications(
            of: scenario, in: store, version: pushsimVersion, build: build,
            blockSize: KeptStudy.blockSize(devices: devices), progress: { isPointDone = $0 },
            simulate: { block in
              let before = done
              let output = try runner.output(
                of: block, progress: { now, _ in progress.withLock { $0.update(done: before + now) } },
                shouldStop: { Interrupt.isRequested })
              done += block.count * devices
              return output
            }))
        isPointDone = 0
      }
      return values
    } catch let error as RunError {
      progress.withLock { $0.finish() }
      switch error {
      case .interrupted:
        throw interruption(known: values.count * replications + isPointDone)
      case .sumTooLarge: throw CommandFailure(error)
      case .simulation(let error, let device, let replication, let seed):
        throw CommandFailure(
          .runFailed,
          "the sweep cannot go on: \(error)\n  at \(sweep.label(sweep.points[values.count])), "
            + "in device \(device) of replication \(replication), seed \(seed)")
      }
    }
  }

  private func interruption(known: Int) -> CommandFailure {
    let all = sweep.points.count * sweep.base.experiment.replications
    let what = "pushsim: interrupted after \(known) of \(all) replications"
    return CommandFailure(
      .interrupted,
      lines: store.map { "\(what), which are kept in \($0.file): the same command goes on from there\n" }
        ?? "\(what), nothing was kept; with `--store FILE` the same command can go on\n")
  }

  func finish(_ result: SweepResult, json: String) throws {
    guard let store else { return }
    var metrics: [KeptMetric] = []
    for curve in result.curves {
      let series = ReplicationSeries(
        policy: curve.policy, strategy: curve.strategy, metric: curve.metric.name)
      for (point, result) in curve.results.enumerated() {
        guard let result else { continue }
        metrics.append(
          KeptMetric(
            point: point, series: series, estimate: result.estimate, low: result.low, high: result.high))
      }
    }
    try store.finish(id, result: json, metrics: metrics)
  }
}
