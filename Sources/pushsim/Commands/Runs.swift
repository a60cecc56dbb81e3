import Reporting
import ResultsStore
import ScenarioDecoding

/// Lists the runs of a file of results, shows one or compares two.
func showRuns(_ options: RunsOptions) throws -> ExitCode {
  var targets = Targets()
  targets.add("--json", options.json)
  try targets.prepare(reading: options.file)
  let (text, json) = try answer(options)
  if let target = options.json {
    try target.write(json)
  } else {
    try Terminal.write(text, to: .standardOutput)
  }
  return .success
}

private func answer(_ options: RunsOptions) throws -> (text: String, json: String) {
  do {
    let store = try ResultsStore(options.file, .reading)
    switch options.ids.count {
    case 0:
      let runs = try store.runs()
      var known: [(kept: Int, of: Int)] = []
      for run in runs {
        let points = try store.points(of: run)
        known.append((points.reduce(0) { $0 + $1.replications }, points.count * run.replications))
      }
      return (
        RunsReport.list(runs, known: known, width: Terminal.tableWidth),
        RunsReport.listJSON(runs, known: known).text + "\n"
      )
    case 1:
      let run = try find(options.ids[0], store)
      let text = RunsReport.text(
        run, points: try store.points(of: run), metrics: try store.metrics(of: run.id),
        width: Terminal.tableWidth)
      guard let json = try store.result(of: run.id) else {
        guard options.json == nil else {
          throw refusal(store, "run \(run.id) is not finished, so it has no result")
        }
        return (text, "")
      }
      return (text, json)
    default:
      let (a, b) = (try find(options.ids[0], store), try find(options.ids[1], store))
      for run in [a, b] {
        guard run.kind == "run" else {
          throw refusal(store, "run \(run.id) is a \(run.kind), and only plain runs can be compared")
        }
        guard run.isFinished else { throw refusal(store, "run \(run.id) is not finished") }
      }
      let comparison = try store.compare(a, b)
      return (
        RunsReport.text(comparison, a, b, width: Terminal.tableWidth),
        RunsReport.json(comparison, a, b).text + "\n"
      )
    }
  } catch let error as StoreError where error.reason == .cannotOpen {
    // For who only reads, that is an unreadable file.
    throw CommandFailure(.unreadableFile, lines: error.text)
  }
}

private func find(_ id: Int, _ store: ResultsStore) throws -> KeptRun {
  guard let run = try store.run(id) else { throw refusal(store, "there is no run \(id)") }
  return run
}

private func refusal(_ store: ResultsStore, _ what: String) -> CommandFailure {
  CommandFailure(.badCommandLine, "in `\(store.file)`: \(what)")
}
