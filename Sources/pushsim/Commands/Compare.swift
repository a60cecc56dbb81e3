import Reporting

/// Shows how two results differ.
func compare(_ options: CompareOptions) throws -> ExitCode {
  let comparison = ResultComparison(
    ResultDocument(try ResultFolder.read(options.results[0])), named: options.results[0],
    ResultDocument(try ResultFolder.read(options.results[1])), named: options.results[1])
  if let directory = options.outputDirectory {
    try ResultFolder.write(
      [("compare.html", comparison.page), ("compare.md", comparison.markdown)], to: directory)
  }
  let width = Terminal.outputWidth()
  try Terminal.write(comparison.text(width: width), to: .standardOutput)
  return .success
}
