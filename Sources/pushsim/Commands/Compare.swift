import Experiments
import Reporting
import ScenarioDecoding

/// Shows how two results differ, judges what must not come of it, and keeps results under names.
func compare(_ options: CompareOptions) throws -> ExitCode {
  let log = DiagnosticLog()
  let conditions = options.failIf.compactMap {
    Condition.parse($0, option: "--fail-if", allowsBaseline: true, log: log)
  }
  guard !log.hasErrors else { throw CommandFailure(.badCommandLine, lines: DiagnosticText.render(log)) }
  let kept = try options.with.map(options.file)
  let files = (kept.map { [$0] } ?? []) + options.results
  guard files.count == 2 || files.count == 1 && options.keep != nil && conditions.isEmpty else {
    throw CommandFailure(
      .badCommandLine,
      files.count < 2
        ? "a second result is missing"
        : "there are \(files.count) results"
          + "\n  expected: two results, one and `--with NAME`, or one and `--keep NAME`")
  }
  let results = try files.map { try ResultFolder.read($0) }
  var status = ExitCode.success
  if results.count == 2 {
    let comparison = ResultComparison(
      ResultDocument(results[0]), named: files[0], ResultDocument(results[1]), named: files[1],
      conditions: conditions)
    if let directory = options.outputDirectory {
      try ResultFolder.write(
        [("compare.html", comparison.page), ("compare.md", comparison.markdown)], to: directory)
    }
    let width = Terminal.outputWidth()
    try Terminal.write(comparison.text(width: width), to: .standardOutput)
    status = try judge(comparison, conditions)
  }
  if let name = options.keep {
    _ = try options.file(name)
    try ResultFolder.write([("\(name).json", results.last!.text + "\n")], to: options.folder)
    Terminal.report("pushsim: kept as `\(name)` in \(options.folder)\n")
  }
  return status
}

/// The status that says what became of the conditions that must not come true.
private func judge(_ comparison: ResultComparison, _ conditions: [Condition]) throws(CommandFailure)
  -> ExitCode
{
  let judgements = comparison.judgements
  for condition in conditions where !judgements.contains(where: { $0.condition == condition }) {
    throw CommandFailure(
      .badCommandLine,
      "`--fail-if '\(condition.text)'` judges nothing\n  expected: a metric of a strategy that both results have"
    )
  }
  // The first reason is enough; the comparison has all.
  if let failed = judgements.first(where: { $0.outcome == .met }) {
    Terminal.report("pushsim: failed: \(failed.condition.text): \(failed.words)\n")
    return .expectationMissed
  }
  if let open = judgements.first(where: { $0.outcome == .undecided }) {
    Terminal.report("pushsim: undecided: \(open.condition.text): \(open.words)\n")
    return .undecided
  }
  return .success
}

extension CompareOptions {
  /// Where kept results are.
  fileprivate var folder: String { baselines ?? ".pushsim" }

  /// The file of a kept result.
  fileprivate func file(_ name: String) throws(CommandFailure) -> String {
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
      throw CommandFailure(
        .badCommandLine, "`\(name)` cannot be the name of a result\n  expected: a word such as `main`")
    }
    return "\(folder)/\(name).json"
  }
}
