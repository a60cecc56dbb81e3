import Experiments
import Glibc
import PushModel
import Reporting
import ScenarioDecoding

/// Runs a scenario on one thread and prints, as one JSON line, what share of the processor's time goes into making
/// estimates of what was counted, and JSON and text of those. The shortest of three turns of each.
func measureEstimation(_ options: Options) {
  let scenario = options.scenario
  let runner = Runner(scenario, threads: 1)
  func seconds(_ body: () -> Void) -> Double {
    (0..<3).map { _ in
      let start = processorSeconds()
      body()
      return processorSeconds() - start
    }.min()!
  }
  var output: ReplicationOutput?
  let simulating = seconds {
    output = try? runner.output(of: 0..<scenario.experiment.replications)
  }
  guard let output else { fail("the run cannot go on") }
  var result: ExperimentResult?
  let estimating = seconds { result = runner.estimates(from: output) }
  guard let result else { return }
  var bytes = 0
  let writing = seconds {
    let document = ResultDocument(result)
    bytes = document.json.text.utf8.count + TextSummary.text(document, width: 110).utf8.count
  }
  let pushes = result.runs.reduce(0) { $0 + $1.strategies.reduce(0) { $0 + Int($1.total.sent) } }
  let share = (estimating + writing) / (simulating + estimating + writing)
  print(
    "{\"pushes\":\(pushes),\"simulating_s\":\(short(simulating)),\"estimating_s\":\(short(estimating)),"
      + "\"writing_s\":\(short(writing)),\"written_bytes\":\(bytes),\"share\":\(short(share))}")
}

private func processorSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}
