import Reporting
import ScenarioDecoding

/// Renders a result again, without simulating.
func report(_ options: ReportOptions) throws -> ExitCode {
  let result = try ResultFolder.read(options.result, allowsStudy: true)
  let slash = options.result.lastIndex(of: "/")
  let directory = options.outputDirectory ?? slash.map { String(options.result[...$0]) } ?? "."
  try Files.makeDirectory(directory)
  let files =
    ResultFile.isStudy(result)
    ? [(name: "sensitivity.html", text: SensitivityPage.text(result))]
    : ResultFolder.files(ResultDocument(result))
  for file in files {
    try Files.write(file.text, to: directory + (directory.hasSuffix("/") ? "" : "/") + file.name)
  }
  return .success
}

/// What a result is written as, beside its JSON.
enum ResultFolder {
  /// Made of the JSON alone: the same result gives the same files.
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
