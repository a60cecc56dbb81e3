import Foundation
import Testing

@Suite struct ReportEndToEndTests {
  private let small = [
    "--devices", "20", "--replications", "2", "--set", "experiment.duration=1 d", "--set",
    "experiment.warm_up=1 d",
  ]

  @Test func `a result is rendered again to the same bytes, and compared with another`() throws {
    try withFolder { folder in
      let first = folder.appending(path: "first").path
      let run = try runPushsim(
        ["run", "Scenarios/news_feed.yaml", "--quiet", "--threads", "2", "--output", first] + small)
      #expect(run.status == 0, "\(run.stderr)")
      let again = folder.appending(path: "again").path
      #expect(try runPushsim("report", first + "/result.json", "--output", again).status == 0)
      let names = [
        "report.html", "summary.md", "summary.txt", "metrics.csv", "replications.csv", "fates.csv",
        "by_hour.csv", "apns_metrics.push_hourly.csv",
      ]
      for name in names {
        let before = try Data(contentsOf: URL(filePath: "\(first)/\(name)"))
        #expect(try Data(contentsOf: URL(filePath: "\(again)/\(name)")) == before, "\(name)")
        #expect(before.count > 100, "\(name)")
      }

      // The command in the result gives the result.
      let json = try String(contentsOfFile: first + "/result.json", encoding: .utf8)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      let command = try #require((object["reproduce"] as? [String: String])?["command"])
      let repeated = try runShell("\(command) --json - --threads 1")
      #expect(repeated.stdout == json)

      let other = folder.appending(path: "other.json").path
      let changed = try runPushsim(
        ["run", "Scenarios/news_feed.yaml", "--quiet", "--json", other] + small
          + ["--set", "policy.hourly_budget.limit=1 /h"])
      #expect(changed.status == 0)
      let compared = try runPushsim("compare", first + "/result.json", other, "--output", again)
      #expect(compared.status == 0, "\(compared.stderr)")
      #expect(compared.stdout.contains("paired by replication"))
      let change = compared.stdout.split(separator: "\n").first {
        $0.contains("policy.hourly_budget.limit") && $0.contains("1 /h")
      }
      #expect(change != nil, "\(compared.stdout)")
      #expect(try String(contentsOfFile: again + "/compare.html", encoding: .utf8).contains("</html>"))
      #expect(try String(contentsOfFile: again + "/compare.md", encoding: .utf8).contains("| fresh open |"))
    }
  }

  @Test func `a sensitivity study is rendered as a page`() throws {
    try withFolder { folder in
      let study = folder.appending(path: "study.json").path
      let made = try runPushsim(
        "sensitivity", "Scenarios/news_feed.yaml", "--metric", "fresh_open", "--method", "tornado",
        "--parameter",
        "policy.hourly_budget.limit", "--devices", "10", "--replications", "2", "--set",
        "experiment.duration=1 d",
        "--set", "experiment.warm_up=0 s", "--json", study)
      #expect(made.status == 0, "\(made.stderr)")
      #expect(try runPushsim("report", study).status == 0)
      let page = try String(contentsOf: folder.appending(path: "sensitivity.html"), encoding: .utf8)
      #expect(page.contains("What would change the conclusion") && page.contains("</html>"))
      // It is no result that could be compared.
      #expect(try runPushsim("compare", study, study).status == 65)
    }
  }

  @Test func `what is no result is refused with its place, and a missing one as unreadable`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "r.json")
      try Data("{\"format\": \"pushsim-result/1\",\n \"strategies\": [}".utf8).write(to: file)
      let broken = try runPushsim("report", file.path)
      #expect(broken.status == 65)
      #expect(broken.stderr.hasPrefix("\(file.path):2:"), "\(broken.stderr)")
      let missing = try runPushsim("compare", file.path, folder.appending(path: "none.json").path)
      #expect(missing.status == 65 || missing.status == 66)
      #expect(try runPushsim("compare", file.path).status == 64)
    }
  }
}
