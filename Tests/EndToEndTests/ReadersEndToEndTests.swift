import Foundation
import Testing

private let brief = [
  "--set", "experiment.duration=2 d", "--set", "experiment.warm_up=0 s", "--quiet",
]

private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

/// What different readers get of a result: gates, pages of studies, a decision, devices apart.
@Suite struct ReadersEndToEndTests {
  @Test func `a gate ends with 0, 1 or 75, against a result kept under a name`() throws {
    try withFolder { folder in
      let kept = ["--baselines", folder.appending(path: "kept").path]
      func result(_ name: String, _ arguments: String...) throws -> String {
        let file = folder.appending(path: name).path
        let run = ["run", news, "--devices", "20", "--replications", "3", "--json", file] + brief + arguments
        #expect(try runPushsim(run).status == 0)
        return file
      }
      let before = try result("before.json")
      let keep = try runPushsim(["compare", before, "--keep", "main"] + kept)
      #expect(keep.status == 0 && keep.stderr.contains("kept as `main`"), "\(keep.stderr)")
      func gate(_ file: String, _ condition: String) throws -> (status: Int32, stdout: String, stderr: String)
      {
        let run = try runPushsim(["compare", file, "--with", "main", "--fail-if", condition] + kept)
        return (run.status, run.stdout, run.stderr)
      }
      // The same result cannot have become worse, however few its devices.
      #expect(try gate(before, "fresh_open < baseline - 2 %").status == 0)
      let seldom = try result("after.json", "--set", "policy.hourly_budget.limit=1 /h")
      let worse = try gate(seldom, "wakes_per_device_day of push_every_30_min < baseline * 0.9")
      #expect(worse.status == 1, "\(worse)")
      #expect(
        worse.stderr.hasPrefix(
          "pushsim: failed: wakes_per_device_day of push_every_30_min < baseline * 0.9: "))
      #expect(worse.stdout.contains("failed: wakes_per_device_day"))
      // The interval of so few devices holds the bound.
      #expect(try gate(seldom, "fresh_open of push_every_30_min < baseline - 1 %").status == 75)
      let unknown = try gate(seldom, "fresh_opn < baseline")
      #expect(unknown.status == 64)
      #expect(
        unknown.stderr.hasPrefix("--fail-if:1:1: error: there is no metric `fresh_opn`"), "\(unknown.stderr)")
      #expect(try gate(seldom, "fresh_open of nobody < baseline").status == 64)
      #expect(try runPushsim(["compare", before, "--with", "../main"] + kept).status == 64)
      #expect(try runPushsim(["compare", before, "--with", "other"] + kept).status == 66)
    }
  }

  @Test func `an expectation of the command line is judged, and stands in the command of the result`() throws
  {
    let run = ["run", news, "--devices", "20", "--replications", "3", "--json", "-"] + brief
    let claim = "delivered of push_hourly <= 1 %"
    let missed = try runPushsim(run + ["--expect", claim])
    #expect(missed.status == 1)
    let result = try object(missed.stdout)
    let command = (result["reproduce"] as? [String: String])?["command"]
    #expect(command?.contains("--expect '\(claim)'") == true, "\(command ?? "")")
    #expect(try runPushsim(run + ["--expect", "delivered <= 100 %"]).status == 0)
    let nobody = try runPushsim(run + ["--expect", "delivered of push_hourl <= 1 %"])
    #expect(nobody.status == 64 && nobody.stderr.contains("did you mean `push_hourly`?"), "\(nobody.stderr)")
    #expect(
      try runPushsim(run + ["--expect", "delivered < baseline"]).stderr.contains("there is no baseline here"))
  }

  @Test func `a sweep has a page, which report makes again`() throws {
    try withFolder { folder in
      let every = "strategies.push_hourly.background_push.send.every"
      for (name, over) in [
        ("one", ["\(every)=30 min,1 h,4 h"]),
        ("two", ["\(every)=1 h,4 h", "policy.hourly_budget.limit=1 /h,2 /h,3 /h"]),
      ] {
        let output = folder.appending(path: name).path
        let made = try runPushsim(
          ["sweep", news, "--devices", "10", "--replications", "2", "--output", output] + brief
            + over.flatMap { ["--over", $0] })
        #expect(made.status == 0, "\(made.stderr)")
        let page = try String(contentsOfFile: output + "/sweep.html", encoding: .utf8)
        #expect(page.contains("</html>") && page.contains(every))
        // A heat map has a cell for each point of each strategy shown.
        #expect(page.contains("class=\"cell\"") == (name == "two"))
        #expect(page.contains("class=\"curve") == (name == "one"))
        let again = folder.appending(path: "again").path
        #expect(try runPushsim("report", output + "/sweep.json", "--output", again).status == 0)
        #expect(try String(contentsOfFile: again + "/sweep.html", encoding: .utf8) == page)
        #expect(try runPushsim("report", output + "/sweep.json", "--decision").status == 65)
      }
    }
  }

  @Test func `a decision names question, choice and a gate that the result itself passes`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "r.json").path
      let run = ["run", news, "--devices", "20", "--replications", "3", "--json", file] + brief
      #expect(try runPushsim(run).status == 0)
      #expect(try runPushsim("report", file, "--decision").status == 0)
      let text = try String(contentsOf: folder.appending(path: "decision.md"), encoding: .utf8)
      for title in ["Question", "Options", "Choice", "Confidence", "Assumptions to watch", "Gate for CI"] {
        #expect(text.contains("## \(title)\n"), "\(title)")
      }
      #expect(
        try String(contentsOf: folder.appending(path: "decision.html"), encoding: .utf8).contains("</html>"))
      let gate = try #require(text.split(separator: "\n").first { $0.hasPrefix("pushsim run ") })
      #expect(try runShell("\(gate) --quiet").status == 0, "\(gate)")
    }
  }

  @Test func `the distribution over devices is that of the devices one by one`() throws {
    let scenario = brief + ["--set", "experiment.devices=10", "--set", "experiment.duration=5 d"]
    let run = try object(
      runPushsim(["run", news, "--replications", "1", "--strategy", "push_hourly", "--json", "-"] + scenario)
        .stdout)
    let strategy = try #require((run["strategies"] as? [String: [String: Any]])?["push_hourly"])
    var counts = [Int](repeating: 0, count: 11)
    for device in 0..<10 {
      let told = try object(
        runPushsim(
          ["explain", news, "--device", "\(device)", "--strategy", "push_hourly", "--json", "-"]
            + scenario.filter { $0 != "--quiet" }
        ).stdout)
      let runs = try #require(told["runs"] as? [[String: Any]])
      let pushes = try #require(runs[0]["pushes"] as? [[String: Any]])
      let delivered = pushes.count { $0["fate"] as? String == "delivered" }
      if !pushes.isEmpty { counts[(10 * delivered + pushes.count - 1) / pushes.count] += 1 }
    }
    #expect(strategy["devices_by_share_delivered"] as? [Int] == counts)
    // Else nothing is told apart.
    #expect(counts.count { $0 > 0 } > 2, "\(counts)")
  }
}
