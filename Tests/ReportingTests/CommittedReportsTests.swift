import Experiments
import Foundation
import PushModel
import PushsimTestSupport
import ScenarioDecoding
import Testing

@testable import Reporting

/// Whether the files in `Reports/` belong to the scenarios as they are, by what is stamped in them; nothing is simulated.
/// Where one of these fails, `make reports` mends it.
@Suite struct CommittedReportsTests {
  private static let folder = Simulation.packageRoot.appending(path: "Reports")

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// The shipped scenarios that have a report: not those that validate the model.
  private static func names() throws -> [String] {
    try Simulation.shippedScenarios().filter { !$0.hasPrefix("Scenarios/validation/") }
      .map { String($0.dropFirst("Scenarios/".count).dropLast(".yaml".count)) }
  }

  /// What a report of the scenario has to carry.
  private static func stamps(_ scenario: Scenario) -> [String] {
    [
      "pushsim \(pushsimVersion), \(ResultDocument.format);", "SHA-256 \(scenario.digest);",
      "seed \(scenario.input.seed);", "devices \(scenario.experiment.devices);",
      "replications \(scenario.experiment.replications) of",
    ]
  }

  @Test func `every scenario has a report of its present text, policies and population`() throws {
    let index = try Self.text("README.md")
    let sections = index.components(separatedBy: "\n## ")
    for name in try Self.names() {
      let scenario = try Simulation.load("Scenarios/\(name).yaml")
      let report = try #require(try? Self.text("\(name).md"), "Reports/\(name).md is missing: `make reports`")
      let section = try #require(
        sections.first { $0.hasPrefix("[\(name)](\(name).md)") }, "\(name) is not in Reports/README.md")
      for stamp in Self.stamps(scenario) {
        // Apart, lest a failure prints the whole report.
        let (isStamped, isListed) = (report.contains(stamp), section.contains(stamp))
        #expect(isStamped, "Reports/\(name).md is stale (\(stamp)): `make reports`")
        #expect(isListed, "Reports/README.md is stale (\(name), \(stamp)): `make reports`")
      }
      // Sentences of the answer, for each policy.
      let answers = section.split(separator: "\n").filter { $0.hasPrefix("- ") }
      let policies = scenario.input.policies.map(\.name)
      for policy in policies {
        #expect(
          answers.contains { policies.count == 1 || $0.hasPrefix("- \(policy), ") }, "\(name): \(policy)")
      }
      for answer in answers {
        let words = answer.dropFirst(2).split(separator: ": ", maxSplits: policies.count > 1 ? 1 : 0)
        let sentence = try #require(words.last)
        let isThere = report.contains("\n- \(sentence)\n")
        #expect(isThere, "Reports/README.md is stale (\(name)): `make reports`")
      }
    }
  }

  @Test func `no report has lost its scenario, and pages are as new as the summaries`() throws {
    let names = Set(try Self.names())
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let pages = files.filter { $0.hasSuffix(".html") }
    #expect(pages.count == 3)
    for file in files where file != "README.md" && (file.hasSuffix(".md") || file.hasSuffix(".html")) {
      #expect(names.contains(file.split(separator: ".").dropLast().joined(separator: ".")), "\(file)")
    }
    for page in pages {
      let scenario = try Simulation.load("Scenarios/\(page.dropLast(".html".count)).yaml")
      let text = try Self.text(page)
      for stamp in [scenario.digest, "Written by pushsim \(pushsimVersion)."] {
        let isStamped = text.contains(stamp)
        #expect(isStamped, "Reports/\(page) is stale (\(stamp)): `make reports`")
      }
    }
  }

  @Test func `another text, policy or population gives another stamp`() throws {
    let digests = try [[], ["policy=evidence"], ["population.low_power_mode.always_on_share=1 %"]].map {
      try Simulation.load("Scenarios/news_feed.yaml", set: $0).digest
    }
    #expect(Set(digests).count == 3)
  }

  /// The first page that a reader sees quotes the news feed.
  @Test func `the numbers of the README are those of the report`() throws {
    let readme = try String(
      contentsOf: Simulation.packageRoot.appending(path: "README.md"), encoding: .utf8)
    let lines = try Self.text("news_feed.md").split(separator: "\n")
    var quoted = 0
    for quote in readme.split(separator: "\n").filter({ $0.hasPrefix("> ") }) {
      for sentence in quote.dropFirst(2).split(separator: " … ") {
        quoted += 1
        #expect(lines.contains { $0.hasPrefix("- ") && $0.contains(sentence) }, "README.md: \(sentence)")
      }
    }
    #expect(quoted >= 2)
  }
}
