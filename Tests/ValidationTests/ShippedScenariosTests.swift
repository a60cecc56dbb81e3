import Foundation
import Experiments
import PushsimTestSupport
import Testing

struct ShippedScenariosTests {
  private static let scenarios = Result { try Simulation.shippedScenarios() }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Simulation.packageRoot.appending(path: path), encoding: .utf8)
  }

  @Test
  func `there are scenarios`() throws {
    #expect(try Self.scenarios.get().contains("Scenarios/news_feed.yaml"))
  }

  @Test
  func `each scenario reads without mistakes and is named like its file`() throws {
    for path in try Self.scenarios.get() {
      let scenario = try Simulation.load(path)
      let file = URL(filePath: path).deletingPathExtension().lastPathComponent
      #expect(scenario.name == file, "\(path)")
      #expect(scenario.question.hasSuffix("?"), "\(path)")
    }
  }

  @Test
  func `each scenario expects something of its result, or says in a comment why not`() throws {
    for path in try Self.scenarios.get() {
      let comments = try text(path).split(separator: "\n").filter { $0.contains("#") }
      let says = comments.contains { $0.localizedCaseInsensitiveContains("expect") }
      #expect(try !Simulation.load(path).expectations.isEmpty || says, "\(path)")
    }
  }

  @Test
  func `the list of scenarios names each, with its question, and no other`() throws {
    let readme = try text("Scenarios/README.md")
    let scenarios = try Self.scenarios.get()
    for path in scenarios {
      let link = path.dropFirst("Scenarios/".count)
      let line = readme.split(separator: "\n").first { $0.contains("](\(link))") }
      #expect(line?.contains(try Simulation.load(path).question) == true, "\(path)")
    }
    let listed = readme.split(separator: "\n").count { $0.hasPrefix("| [") }
    #expect(listed == scenarios.count)
  }
}
