import Reporting
import ScenarioDecoding

/// Renders a result again, without simulating.
func report(_ options: ReportOptions) throws -> ExitCode {
  let result = try ResultFolder.read(options.result, allowsStudy: true)
  let slash = options.result.lastIndex(of: "/")
  let directory = options.outputDirectory ?? slash.map { String(options.result[...$0]) } ?? "."
  let page = ResultFile.studyPage(result)
  guard page == nil || !options.isDecision else {
    throw CommandFailure(
      .badScenario, "`\(options.result)` is a study\n  expected: the result of `pushsim run`")
  }
  let files =
    page.map { [$0] }
    ?? (options.isDecision
      ? DecisionRecord.files(ResultDocument(result)) : ResultFolder.files(ResultDocument(result)))
  try ResultFolder.write(files, to: directory)
  return .success
}

extension ResultFolder {
  /// Writes what is made of results into a folder, beside what else is there, unless it would write over one of them.
  static func write(_ files: [(name: String, text: String)], to directory: String) throws {
    var targets = Targets()
    targets.add("--output", folder: directory) { name in files.contains { $0.name == name } }
    try targets.prepare()
    try ResultFolder(directory).write(files, isWhole: false)
  }

  /// What a result is written as, beside its JSON. Made of the JSON alone: the same result gives the same files.
  static func files(_ result: ResultDocument) -> [(name: String, text: String)] {
    [
      ("report.html", ReportPage.text(result)), ("summary.md", MarkdownSummary.text(result)),
      ("summary.txt", TextSummary.text(result, width: 110)),
    ] + ResultCSV.files(result) + APNsMetricsCSV.files(result)
  }

  /// Reads a result file, or fails with what is wrong with it and where.
  static func read(_ path: String, allowsStudy: Bool = false) throws -> JSONValue {
    let log = DiagnosticLog()
    let source = SourceText(name: path, bytes: try Files.read(path, limit: ResultFile.sizeLimit))
    guard let result = ResultFile.decode(source, log: log, allowsStudy: allowsStudy) else {
      throw ScenarioLoading.failure(log)
    }
    return result
  }
}
