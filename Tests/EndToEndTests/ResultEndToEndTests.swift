import Foundation
import Reporting
import ScenarioDecoding
import Testing

/// A JSON object as a test looks at it.
typealias JSONObject = [String: Any]

/// The object that a small run writes.
private func result(_ arguments: String..., status: Int32 = 0) throws -> JSONObject {
  try object(bytes(arguments, status: status))
}

private func bytes(_ arguments: [String], status: Int32 = 0, notes: String = "") throws -> String {
  let result = try runPushsim(["run", news] + small + ["--json", "-"] + arguments)
  #expect(result.status == status, "\(result.stderr)")
  #expect(result.stderr == notes)
  return result.stdout
}

private func object(_ text: String) throws -> JSONObject {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? JSONObject)
}

private func strategy(_ name: String, _ result: JSONObject) throws -> JSONObject {
  try #require((result["strategies"] as? JSONObject)?[name] as? JSONObject)
}

private func count(_ path: String..., in object: JSONObject) throws -> Int {
  var value: Any = object
  for key in path { value = try #require((value as? JSONObject)?[key], "\(path) lacks \(key)") }
  return try #require(value as? Int)
}

private func estimate(_ metric: String, _ strategy: JSONObject) throws -> Double {
  let metric = try #require((strategy["metrics"] as? JSONObject)?[metric] as? JSONObject)
  return try #require(metric["estimate"] as? Double)
}

@Suite struct ResultEndToEndTests {
  @Test func `policies of the command line replace the scenario's and are told side by side`() throws {
    let both = ["run", news] + small + ["--policy", "guide", "--policy", "evidence"]
    let result = try object(runPushsim(both + ["--quiet", "--json", "-"]).stdout)
    let runs = try #require(result["runs"] as? [JSONObject])
    #expect(
      runs.map { ($0["provenance"] as? JSONObject)?["policy"] as? String } == ["guide", "evidence"])
    let differences = try #require(result["policy_differences"] as? [JSONObject])
    #expect(!differences.isEmpty)
    let text = try runPushsim(both).stdout
    #expect(text.contains("where the answer depends on which policy is right"))
    #expect(text.contains("as the guides say") && text.contains("as developers observe"))
    #expect(try runPushsim(both + ["--full"]).stdout.contains("evidence - guide"))
    let wrong = try runPushsim("run", news, "--policy", "evidense")
    #expect(wrong.status == 65)
    #expect(wrong.stderr.contains("did you mean `evidence`?"))
  }

  @Test func `every field of the contract is there, with its type`() throws {
    let result = try result(
      "--set", "expect=[{strategy: push_hourly, metric: delivered, within: [0 %, 100 %], source: a test}]")
    #expect(result["format"] as? String == "pushsim-result/1")
    #expect(result["scenario"] as? String == "news_feed")
    #expect((result["question"] as? String)?.hasSuffix("?") == true)
    let provenance = try #require(result["provenance"] as? JSONObject)
    #expect(provenance["pushsim"] as? String == pushsimVersion)
    #expect((provenance["scenario_sha256"] as? String)?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
    #expect(provenance["policy"] as? String == "guide")
    for (key, value) in [
      ("seed", 1), ("devices", 50), ("replications", 2), ("duration_s", 172_800), ("warm_up_s", 86_400),
    ] {
      #expect(provenance[key] as? Int == value, "\(key)")
    }

    // Three days are too few to tell.
    let warmUp = try #require(result["warm_up"] as? JSONObject)
    #expect(warmUp["given_s"] as? Int == 86_400)
    #expect(warmUp["suggested_s"] is NSNull && warmUp["adequate"] is NSNull)

    let strategies = try #require(result["strategies"] as? JSONObject)
    #expect(
      strategies.keys.sorted() == [
        "on_open_only", "push_each_update", "push_every_2_h", "push_every_30_min", "push_hourly",
      ])
    for name in strategies.keys {
      try checkStrategy(try strategy(name, result), name)
    }

    let comparisons = try #require(result["comparisons"] as? [JSONObject])
    #expect(!comparisons.isEmpty)
    for comparison in comparisons {
      for key in ["metric", "strategy"] { #expect(comparison[key] is String) }
      #expect(comparison["baseline"] as? String == "on_open_only")
      for key in ["difference", "low", "high"] { #expect(comparison[key] is Double, "\(key)") }
    }
    let pareto = try #require(result["pareto"] as? JSONObject)
    #expect(pareto["x"] as? String == "energy_j_per_device_day" && pareto["y"] as? String == "fresh_open")
    let front = try #require(pareto["front"] as? [String])
    let dominated = try #require(pareto["dominated"] as? [JSONObject])
    #expect((front + dominated.compactMap { $0["strategy"] as? String }).sorted() == strategies.keys.sorted())
    #expect(dominated.allSatisfy { strategies.keys.contains($0["by"] as? String ?? "") })
    for tie in try #require(pareto["ties"] as? [[String]]) { #expect(tie.count >= 2) }
    let sentences = try #require(result["recommendation"] as? [String])
    #expect(!sentences.isEmpty && sentences.allSatisfy { $0.hasSuffix(".") })
    for name in strategies.keys {
      let title = try #require(try strategy(name, result)["title"] as? String)
      #expect(sentences.contains { $0.contains(title) }, "\(name): \(sentences)")
    }
    let expectations = try #require(result["expectations"] as? [JSONObject])
    #expect(expectations.count == 1)
    #expect(expectations[0]["strategy"] as? String == "push_hourly")
    #expect(expectations[0]["metric"] as? String == "delivered")
    #expect(expectations[0]["within"] as? [Double] == [0, 1])
    #expect(expectations[0]["observed"] is Double)
    #expect(expectations[0]["met"] as? Bool == true)
  }

  @Test func `without content, or with one strategy, there is no front`() throws {
    let single = try result("--strategy", "push_hourly", "--set", "experiment.baseline=push_hourly")
    #expect(single["pareto"] == nil && single["recommendation"] == nil)
    let text = try runPushsim(["run", "Scenarios/send_rate.yaml"] + small).stdout
    #expect(!text.contains("opens fresh"))
    #expect(try runPushsim(["run", news] + small).stdout.contains("more of 100 opens fresh"))
  }

  /// How soon pushes came, and where they waited.
  private func checkTimes(_ strategy: JSONObject) throws {
    let incidence = try #require(strategy["incidence"] as? JSONObject)
    let times = try #require(incidence["times_s"] as? [Double])
    let ends = try #require(incidence["ends"] as? [String: [String: [Double]]])
    let pending = try #require(incidence["pending"] as? [String: [Double]])
    for index in times.indices {
      let sum = try ends.values.reduce(try #require(pending["estimate"])[index]) {
        $0 + (try #require($1["estimate"])[index])
      }
      // Each is written with six decimals.
      #expect((sum - 1).magnitude < 1e-5)
    }
    let delivered = try #require(ends["delivered"])
    for key in ["low", "high"] { #expect(delivered[key]?.count == times.count) }
    let segments = try #require(incidence["delivered"] as? [String: [String: JSONObject]])
    #expect(segments.keys.sorted() == ["by_class", "by_device_kind", "by_hours"])
    #expect(segments["by_hours"]?.keys.sorted() == ["0-6", "12-18", "18-24", "6-12"])
    let quantiles = try #require(strategy["latency_quantiles_of_sent"] as? [String: JSONObject])
    #expect(quantiles["p10"]?["estimate"] is Double)
    #expect(quantiles["p99"]?["estimate"] is NSNull)
    let hours = try #require(strategy["by_hour_and_battery"] as? [[[String: Int]]])
    #expect(hours.count == 24 && hours.allSatisfy { $0.count == 10 })
    #expect(hours.joined().reduce(0) { $0 + ($1["sent"] ?? 0) } == strategy["sent"] as? Int)
    let held = try #require(strategy["held_time_s"] as? [String: Double])
    #expect(held["low_power_mode"] ?? 0 > 0)
  }

  private func checkStrategy(_ strategy: JSONObject, _ name: String) throws {
    let sent = try count("sent", in: strategy)
    #expect((sent > 0) == (name != "on_open_only"))
    if sent > 0 { try checkTimes(strategy) }
    let fates = try #require(strategy["fates"] as? [String: Int])
    #expect(
      fates.keys.sorted() == [
        "coalesced_on_device", "delivered", "discarded_at_apns", "discarded_by_policy", "expired_at_apns",
        "lost", "not_wakeable", "overwritten_at_apns", "pending", "rejected",
      ])
    #expect(fates.values.reduce(0, +) == sent, "\(name)")
    let results = try #require(strategy["results"] as? [String: Int])
    #expect(results.keys.sorted() == ["failed", "killed", "new_data", "no_data", "timed_out"])
    for (fate, reasons) in try #require(strategy["reasons"] as? [String: [String: Int]]) {
      #expect(reasons.values.reduce(0, +) <= fates[fate] ?? -1, "\(name): \(fate)")
    }
    for (metric, value) in try #require(strategy["metrics"] as? [String: JSONObject]) {
      #expect(value["unit"] is String, "\(metric)")
      for key in ["estimate", "low", "high"] { #expect(value[key] is Double || value[key] is NSNull) }
    }
    let latency = try #require(strategy["latency_s"] as? JSONObject)
    #expect(latency["count"] is Int)
    for key in ["p50", "p90", "p95", "p99"] { #expect(latency[key] is Double || latency[key] is NSNull) }
    let hours = try #require(strategy["by_hour"] as? [JSONObject])
    #expect(hours.count == 24)
    #expect(try hours.map { try count("sent", in: $0) }.reduce(0, +) == sent)
    #expect(try hours.allSatisfy { try count("delivered_within_5min", in: $0) <= count("sent", in: $0) })
    for key in ["by_class", "by_device_kind"] {
      let segments = try #require(strategy[key] as? [String: JSONObject])
      #expect(try segments.values.map { try count("sent", in: $0) }.reduce(0, +) == sent, "\(key)")
    }
  }

  @Test func `JSON on standard output is all there is, and equals the file`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "a.json")
      let output = folder.appending(path: "out/deep")
      let first = try bytes(["--output", output.path])
      let quiet = try runPushsim(["run", news] + small + ["--quiet", "--json", file.path])
      #expect(quiet.status == 0)
      #expect(quiet.stdout == "")
      #expect(quiet.stderr == "")
      #expect(try String(contentsOf: file, encoding: .utf8) == first)
      #expect(try String(contentsOf: output.appending(path: "result.json"), encoding: .utf8) == first)
      let metrics = output.appending(path: "apns_metrics.push_hourly.csv")
      #expect(
        try String(contentsOf: metrics, encoding: .utf8).hasPrefix("Push Type,Status,Date (UTC),Count\n"))
      #expect(try runJSONTool(first).status == 0)
      let summary = try runPushsim(["run", news] + small + ["--full"])
      #expect(
        try String(contentsOf: output.appending(path: "summary.txt"), encoding: .utf8) == summary.stdout)
      #expect(summary.stdout.contains("Push hourly"))
    }
  }

  @Test func `fresh processes and any number of threads give the same bytes`() throws {
    let first = try bytes(["--threads", "1"])
    #expect(try bytes(["--threads", "1"]) == first)
    #expect(try bytes(["--threads", "2"]) == first)
    #expect(try bytes(["--threads", "1", "--seed", "2"]) != first)
  }

  @Test func `another strategy leaves the objects of the others as they are`() throws {
    func strategies(_ text: String) throws -> JSONObject {
      try #require(try object(text)["strategies"] as? JSONObject)
    }
    let before = try strategies(bytes([]))
    var after = try strategies(
      bytes(["--set", "strategies.aaa={background_push: {send: {every: 15 min}, expiration: 0}}"]))
    #expect(after.removeValue(forKey: "aaa") != nil)
    #expect(NSDictionary(dictionary: after).isEqual(to: before))
    let alone = try strategies(
      bytes(
        ["--strategy", "push_hourly"],
        notes:
          "pushsim: note: nothing is compared, since the baseline `on_open_only` is not among the strategies\n"
      ))
    #expect(alone.count == 1)
    // Without the baseline there is nothing to compare with, and the rest is the same.
    #expect(NSDictionary(dictionary: alone).isEqual(to: ["push_hourly": before["push_hourly"] as Any]))
  }

  @Test func `settings reach scenario, population and policy, also where the scenario says nothing`() throws {
    let plain = try result()
    let hourly = try strategy("push_hourly", plain)

    let often = try strategy(
      "push_hourly", try result("--set", "strategies.push_hourly.background_push.send.every=20 min"))
    // Nearly: a send at the very end is one for either interval.
    let ratio = try Double(count("sent", in: often)) / Double(count("sent", in: hourly))
    #expect((2.9...3.0).contains(ratio))

    let saving = try strategy(
      "push_hourly", try result("--set", "population.low_power_mode.always_on_share=100 %"))
    #expect(
      try count("reasons", "discarded_by_policy", "low_power_mode", in: saving)
        > 2 * count("reasons", "discarded_by_policy", "low_power_mode", in: hourly))

    let failing = try strategy("push_hourly", try result("--set", "app.handler.result={failed: 100 %}"))
    #expect(try count("results", "new_data", in: failing) == 0)
    #expect(try count("results", "failed", in: failing) > 0)

    let closed = try strategy("push_every_30_min", try result("--set", "policy.hourly_budget.limit=0.1 /h"))
    let half = try strategy("push_every_30_min", plain)
    #expect(try count("fates", "delivered", in: closed) < count("fates", "delivered", in: half))

    let narrow = try result("--set", "experiment.confidence=50 %")
    func width(_ result: JSONObject) throws -> Double {
      let metrics = try #require(try strategy("push_hourly", result)["metrics"] as? [String: JSONObject])
      let delivered = try #require(metrics["delivered"])
      return try #require(delivered["high"] as? Double) - #require(delivered["low"] as? Double)
    }
    #expect(try width(narrow) < width(plain))
    #expect((plain["provenance"] as? JSONObject)?["confidence"] as? Double == 0.95)

    let unsynced = try result("--set", "app.syncs_on_open=off")
    #expect(
      try estimate("staleness_at_open_s", try strategy("on_open_only", unsynced))
        > estimate("staleness_at_open_s", try strategy("on_open_only", plain)))

    let regular = try result("--set", "content.updates={every: 1 h}")
    // Two days of hourly updates on fifty devices, twice; drawn ones come in other numbers on other devices.
    let updates = try count("sent", in: try strategy("push_each_update", regular))
    #expect((2 * 50 * 48...2 * 50 * 49).contains(updates) && updates.isMultiple(of: 100))

    let all = [plain, narrow, unsynced, regular].compactMap {
      ($0["provenance"] as? JSONObject)?["scenario_sha256"] as? String
    }
    #expect(Set(all).count == 4)
  }

  @Test func `a prior in place of a number is drawn anew in each replication`() throws {
    let often = "strategies.push_hourly.background_push.send.every=10 min"
    func delivered(_ limit: String) throws -> Int {
      try count(
        "fates", "delivered",
        in: strategy(
          "push_hourly", result("--set", often, "--set", "policy.hourly_budget.limit=\(limit)")))
    }
    let drawn = try delivered("{uniform: [2 /h, 3 /h]}")
    #expect(try drawn != delivered("2.5 /h"))
    // What is drawn lies between the ends.
    #expect(try (delivered("2 /h")...delivered("3 /h")).contains(drawn))
  }

  @Test(arguments: [("at_least: 1 %", 0), ("at_most: 1 %", 1)] as [(String, Int32)])
  func `an expectation decides the exit status`(bound: String, status: Int32) throws {
    let setting = "expect=[{strategy: push_hourly, metric: delivered, \(bound)}]"
    let run = try runPushsim(["run", news] + small + ["--json", "-", "--set", setting])
    #expect(run.status == status, "\(run.stderr)")
    // The JSON takes the place of the summary, which would say it.
    #expect(run.stderr.hasPrefix("pushsim: missed: push_hourly delivered at most 1.0 %; ") == (status == 1))
    let result = try object(run.stdout)
    let expectation = try #require((result["expectations"] as? [JSONObject])?.first)
    #expect(expectation["met"] as? Bool == (status == 0))
    // A strategy that does not run cannot be held to anything, and nothing else may go wrong.
    let other = try runPushsim(["run", news] + small + ["--set", setting, "--strategy", "on_open_only"])
    #expect(other.status < 128, "\(other.stderr)")
  }
}

@Suite struct ExplainingEndToEndTests {
  @Test func `explain tells what became of each push, in the order of time`() throws {
    let arguments = ["--set", "experiment.duration=1 d", "--set", "experiment.warm_up=0 s"]
    let device = ["explain", news, "--device", "3", "--strategy", "push_hourly"] + arguments
    let result = try runPushsim(device + ["--full"])
    #expect(result.status == 0)
    #expect(result.stderr == "")
    let lines = result.stdout.split(separator: "\n")
    #expect(
      lines.first == "news_feed: device 3, replication 0, strategy push_hourly, policy guide, seed 1")
    #expect(result.stdout.contains("nothing to say: "))
    let one = try runPushsim(device + ["--push", "0"])
    #expect(one.status == 0)
    #expect(one.stdout.count < result.stdout.count)
    #expect(!one.stdout.contains("nothing to say: "))
    let fates = [
      "delivered", "not_wakeable", "coalesced_on_device", "discarded_by_policy", "lost", "pending",
      "overwritten_at_apns", "expired_at_apns",
    ]
    #expect(fates.contains { one.stdout.contains($0) }, "\(one.stdout)")
  }

  @Test func `explain lists every push that did not arrive with its sentence`() throws {
    let device = ["explain", news, "--device", "3", "--strategy", "push_hourly"]
    let json = try object(runPushsim(device + ["--json", "-"]).stdout)
    let run = try #require((json["runs"] as? [JSONObject])?.first)
    let pushes = try #require(run["pushes"] as? [JSONObject])
    let lost = pushes.filter { $0["fate"] as? String != "delivered" }
    #expect(!lost.isEmpty)
    // Each has a sentence, and only those.
    #expect(lost.allSatisfy { ($0["sentence"] as? String)?.isEmpty == false })
    #expect(pushes.count { $0["sentence"] is String } == lost.count)
    let listed = try runPushsim(device + ["--undelivered"]).stdout
    #expect(listed.split(separator: "\n").count { $0.hasPrefix("day ") } == lost.count)
    // The list of a fate has as many as the result of the device says.
    let fate = try #require(lost[0]["fate"] as? String)
    let day = try #require(lost[0]["day"] as? Int)
    let same = lost.filter { $0["fate"] as? String == fate && $0["day"] as? Int == day }
    let some = try runPushsim(device + ["--fate", fate, "--day", "\(day)"]).stdout
    #expect(some.split(separator: "\n").count { $0.hasPrefix("day \(day) ") } == same.count)
    let summary = try runPushsim(device).stdout
    #expect(summary.split(separator: "\n").count < 40, "\(summary)")
    #expect(try runPushsim(device + ["--fate", "deliverd"]).stderr.contains("did you mean `delivered`?"))
  }

  @Test(arguments: [
    (["--device", "1000"], "there is no device 1000"),
    (["--device", "0", "--replication", "20"], "there is no replication 20"),
  ])
  func `explain says what there is to explain`(arguments: [String], message: String) throws {
    let result = try runPushsim(["explain", news] + arguments)
    #expect(result.status == 64)
    #expect(result.stderr.contains(message))
  }

  @Test func `a setting without effect is told on standard error and in the result`() throws {
    let setting = "policy.launch_spacing.interval=5 min"
    let result = try runPushsim(["run", news, "--quiet", "--json", "-", "--set", setting] + small)
    #expect(result.status == 0)
    #expect(
      result.stderr == """
        pushsim: warning: setting `policy.launch_spacing.interval` has no effect on this run: \
        `launch_spacing.mode` is off

        """)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(result.stdout.utf8)) as? [String: Any])
    let idle = json["settings_without_effect"] as? [[String: String]]
    #expect(
      idle == [["path": "policy.launch_spacing.interval", "reason": "`launch_spacing.mode` is off"]])
    // Under a policy that has the factor on there is nothing to say.
    let read = try runPushsim(["check", news, "--set", "policy=evidence", "--set", setting])
    #expect(read.stderr == "")
  }

  @Test func `every parameter of the policy is listed with its evidence and its source`() throws {
    let policy = try runPushsim("policy")
    let factors = try runPushsim("factors")
    for result in [policy, factors] {
      #expect(result.status == 0)
      #expect(result.stderr == "")
    }
    #expect(try runPushsim("policy", "guide").stdout == policy.stdout)
    let paths = try guidePaths()
    #expect(paths.count > 40)
    let evidence = /documented|observed|reported|unverified|assumed|given/
    let others: Set<Substring> = [
      "execution", "hold", "release", "apns", "app_refresh", "processing_task",
      "background_download", "voip", "service_extension", "content_extension", "live_activity", "widget",
    ]
    for path in paths {
      let row = policy.stdout.split(separator: "\n").filter { $0.hasPrefix("\(path) ") }
      #expect(row.count == 1, "\(path)")
      // Name, value, evidence and source at least.
      let columns = row.first?.split(separator: /\ {2,}/).map(String.init) ?? []
      #expect(columns.count >= 4 || path.count > 30, "\(row)")
      #expect(row.first?.firstMatch(of: evidence) != nil, "\(row)")
      // What is no factor's is the policy's own.
      if path.split(separator: ".").first.map(others.contains) == true { continue }
      let told = factors.stdout.split(separator: "\n").filter { $0.hasPrefix("  \(path) ") }
      #expect(told.count == 1, "\(path)")
      #expect(told.first?.firstMatch(of: evidence) != nil, "\(told)")
    }
    #expect(policy.stdout.contains("C0-09: 2–3 an hour; the middle is ours"))
    let names = Set(paths.compactMap { $0.split(separator: ".").first }).subtracting(others)
    #expect(factors.stdout.split(separator: "\n").count { $0.hasPrefix("  sources: ") } >= names.count)
    let unknown = try runPushsim("policy", "giude")
    #expect(unknown.status == 65)
    #expect(unknown.stderr.contains("did you mean `guide`?"))
  }

  /// The parameters of the shipped policy, from its file: two levels, the second indented by two.
  private func guidePaths() throws -> [String] {
    let file = try String(
      contentsOf: packageRoot.appending(path: "Scenarios/policies/guide.yaml"), encoding: .utf8)
    var factor = ""
    var paths: [String] = []
    for line in file.split(separator: "\n") {
      if let match = line.firstMatch(of: /^([a-z_]+):$/) { factor = String(match.1) }
      if let match = line.firstMatch(of: /^  ([a-z_]+):/) { paths.append("\(factor).\(match.1)") }
    }
    return paths
  }

  @Test func `results tell a policy from the same policy with settings`() throws {
    let plain = ["run", news, "--policy", "guide", "--strategy", "push_hourly"] + small
    let changed = plain + ["--set", "policy.hourly_budget.limit=1 /h"]
    func json(_ arguments: [String]) throws -> JSONObject? {
      let result = try runPushsim(arguments + ["--json", "-"])
      let object = try JSONSerialization.jsonObject(with: Data(result.stdout.utf8)) as? JSONObject
      return object?["provenance"] as? JSONObject
    }
    let (before, after) = (try json(plain), try json(changed))
    #expect(before?["policy"] as? String == "guide" && after?["policy"] as? String == "guide")
    #expect(before?["policy_settings"] == nil)
    #expect(after?["policy_settings"] as? [String: String] == ["hourly_budget.limit": "1 /h"])
    let words = "guide with hourly_budget.limit = 1 /h"
    try withFolder { folder in
      let text = try runPushsim(changed + ["--output", folder.path]).stdout
      #expect(text.replacing("\n", with: " ").contains("policy \(words)"), "\(text.prefix(400))")
      for file in ["summary.md", "report.html"] {
        let written = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        #expect(written.contains(words) || written.replacing("\\_", with: "_").contains(words), "\(file)")
      }
    }
    // `explain` follows a device under the same policy.
    let explained = try runPushsim(
      "explain", news, "--device", "0", "--policy", "guide", "--set", "policy.hourly_budget.limit=1 /h")
    #expect(explained.stdout.contains(words))
  }
}
