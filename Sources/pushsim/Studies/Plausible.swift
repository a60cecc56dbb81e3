import Experiments
import ResultsStore
import Synchronization

/// Runs the study of what is assumed, as large as the scenario asks for or else a small one, and puts what it yields into
/// each policy's run.
///
/// - Returns: what keeps a study that the scenario asks for, to be finished with the result; nil without one or a store.
func addUncertainty(
  to result: inout ExperimentResult, threads: Int, _ options: RunOptions, _ store: ResultsStore?
) throws -> KeptStudy? {
  if options.isChanceOnly { return nil }
  let asked = result.scenario.experiment.uncertainty
  let settings = asked ?? .small(result.scenario)
  let studies = result.runs.indices.map {
    UncertaintyStudy(
      result.scenario, policy: $0, settings: settings, run: result.runs[$0], threads: threads)
  }
  let keeper =
    try asked == nil
    ? nil
    : store.map {
      try KeptStudy(
        "uncertainty", of: result.scenario, replications: settings.replications,
        overrides: Overrides.text(options), in: $0, isQuiet: options.isQuiet)
    }
  let total = studies.reduce(0) { $0 + $1.devices }
  let progress = Mutex(
    ProgressLine(
      total: total, unit: "devices of parameter sets", isWanted: !options.isQuiet && total > 0))
  defer { progress.withLock { $0.finish() } }
  var before = 0
  for (index, study) in studies.enumerated() {
    do {
      result.runs[index].add(
        try study.run(
          keeper: keeper,
          progress: { [before] done, _ in progress.withLock { $0.update(done: before + done) } },
          shouldStop: { Interrupt.isRequested }))
    } catch let error as RunError {
      progress.withLock { $0.finish() }
      throw failure(error, keeper, points: "of \(studies.count * settings.samples) parameter sets")
    }
    before += study.devices
  }
  return keeper
}
