import Foundation
import ScenarioDecoding
import Testing

/// The tree of a text, and the log of its reading.
func compose(_ text: String, name: String = "test.yaml", origin: SourceText.Origin = .scenario) -> (
  root: YAMLNode?, log: DiagnosticLog
) {
  let log = DiagnosticLog()
  return (YAMLComposer.compose(SourceText(name: name, text: text, origin: origin), log: log), log)
}

/// The tree of a text that has to be without mistakes.
func tree(_ text: String, name: String = "test.yaml", origin: SourceText.Origin = .scenario) throws
  -> YAMLNode
{
  let (root, log) = compose(text, name: name, origin: origin)
  #expect(DiagnosticText.render(log) == "")
  return try #require(root)
}

/// Files with one mistake each, and what they have to be answered with.
///
/// `RECORD=1 swift test` writes the answers anew; the difference is reviewed like code.
enum Golden {
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

  static func names(_ directory: String) -> [String] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: fixtures.appending(path: directory), includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "yaml" }
      .map { $0.deletingPathExtension().lastPathComponent }.sorted()
  }

  static func check(_ directory: String, _ name: String, answer: (SourceText) -> String) throws {
    let stem = fixtures.appending(path: directory).appending(path: name)
    let bytes = try Data(contentsOf: stem.appendingPathExtension("yaml"))
    let expected = stem.appendingPathExtension("expected.txt")
    let text = answer(SourceText(name: "\(name).yaml", bytes: Array(bytes)))
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try text.write(to: expected, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: expected, encoding: .utf8))
  }
}
