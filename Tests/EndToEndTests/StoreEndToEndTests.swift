import Foundation
import Testing

private let every = "strategies.push_hourly.background_push.send.every"

/// A sweep that takes a moment only.
private let sweep = [
  "sweep", news, "--over", "\(every)=30 min,1 h,4 h", "--strategy", "push_hourly", "--devices", "10",
  "--replications", "2", "--set", "experiment.duration=1 d", "--set", "experiment.warm_up=6 h",
]

@Suite struct StoreEndToEndTests {
  // `Tests/EndToEndTests/kill_test.py --pushsim .build/release/pushsim --rounds 20` does it more often.
  @Test func `studies that are killed go on to the same bytes, and writers do not disturb each other`() throws
  {
    let script = packageRoot.appending(path: "Tests/EndToEndTests/kill_test.py").path
    let result = try runProgram(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "python3", script, "--pushsim", products.appending(path: "pushsim").path, "--rounds", "1", "--kills",
        "2",
      ])
    #expect(result.status == 0, "\(result.stdout)\(result.stderr)")
  }

  @Test func `an interrupted sweep says how to go on, and does`() throws {
    try withFolder { folder in
      let store = folder.appending(path: "results.sqlite")
      // Far too long for a test, unless it is stopped once the file is there.
      let long = [
        "sweep", news, "--over", "\(every)=30 min,1 h", "--strategy", "push_hourly", "--devices", "4096",
        "--store", store.path,
      ]
      let result = try runPushsim(long, interruptOnce: store)
      #expect(result.status == 130)
      #expect(result.stdout == "")
      #expect(
        result.stderr.hasSuffix(
          "of 40 replications, which are kept in \(store.path): the same command goes on from there\n"),
        "\(result.stderr)")
      let kept = try runPushsim("runs", store.path)
      #expect(kept.stdout.contains("unfinished"))
      #expect(try runPushsim("runs", store.path, "1", "--json", "-").status == 64)
    }
  }

  @Test func `an interrupted study of parameters says how to go on, and is kept unfinished`() throws {
    try withFolder { folder in
      let store = folder.appending(path: "results.sqlite")
      // Far too long for a test, unless it is stopped once the file is there.
      let long = ["sensitivity", news, "--metric", "delivered", "--devices", "4096", "--store", store.path]
      let result = try runPushsim(long, interruptOnce: store)
      #expect(result.status == 130)
      #expect(
        result.stderr.hasSuffix(
          "points, which are kept in \(store.path): the same command goes on from there\n"),
        "\(result.stderr)")
      let kept = try runPushsim("runs", store.path)
      #expect(kept.stdout.contains("sensitivity"))
      #expect(kept.stdout.contains("unfinished"))
    }
  }

  @Test func `a study of uncertainty finds in its store what it kept, and ends with the same bytes`() throws {
    try withFolder { folder in
      let store = folder.appending(path: "results.sqlite").path
      let study = [
        "run", news, "--devices", "4", "--replications", "2", "--strategy", "push_hourly", "--set",
        "experiment.duration=1 d", "--set", "experiment.warm_up=6 h", "--set",
        "experiment.uncertainty={samples: 3, replications: 2}", "--json", "-",
      ]
      let plain = try runPushsim(study)
      #expect(plain.status == 0, "\(plain.stderr)")
      let first = try runPushsim(study + ["--store", store])
      #expect(!first.stderr.contains("already"))
      let again = try runPushsim(study + ["--store", store])
      #expect(again.stderr.contains("6 replications are kept in \(store) already"))
      #expect(first.stdout == plain.stdout && again.stdout == plain.stdout)
      // The run and its study are two entries, with the same result.
      let list = try runPushsim("runs", store)
      #expect(list.stdout.contains("uncertainty") && !list.stdout.contains("unfinished"))
      #expect(try runPushsim("runs", store, "1", "--json", "-").stdout == plain.stdout)
      // Other sets are other simulations.
      let other = try runPushsim(study + ["--store", store, "--seed", "2"])
      #expect(!other.stderr.contains("already"))
    }
  }

  @Test func `a changed option never finds kept values`() throws {
    try withFolder { folder in
      let store = ["--store", folder.appending(path: "results.sqlite").path]
      #expect(try runPushsim(sweep + store).status == 0)
      #expect(try runPushsim(sweep + store).stderr.contains("already"))
      for option in [
        ["--seed", "9"], ["--devices", "11"], ["--policy", "evidence"], ["--set", "experiment.duration=2 d"],
        ["--set", "app.syncs_on_open=off"], ["--set", "population.settings.push_opt_in=1 %"],
        ["--set", "policy.hourly_budget.limit=1 /h"],
      ] {
        var command = sweep
        // What is given twice would be refused.
        if let index = option.first.flatMap(command.firstIndex), option[0] == "--devices" {
          command.removeSubrange(index...index + 1)
        }
        let other = try runPushsim(command + store + option)
        #expect(other.status == 0, "\(option): \(other.stderr)")
        #expect(!other.stderr.contains("already"), "\(option): \(other.stderr)")
      }
    }
  }

  @Test func `a sweep finds in its store what another one kept`() throws {
    try withFolder { folder in
      let store = ["--store", folder.appending(path: "results.sqlite").path]
      let plain = try runPushsim(sweep + ["--json", "-"])
      #expect(plain.status == 0, "\(plain.stderr)")
      let first = try runPushsim(sweep + store + ["--json", "-"])
      #expect(first.stdout == plain.stdout)
      // More points and more replications: those of the first sweep are there.
      var longer = sweep
      longer[3] += ",6 h"
      longer[longer.firstIndex(of: "--replications")! + 1] = "3"
      let second = try runPushsim(longer + store + ["--json", "-"])
      #expect(second.stderr.contains("6 of 12 replications are kept"))
      #expect(try second.stdout == runPushsim(longer + ["--json", "-"]).stdout)
      // Another world is another simulation.
      let other = try runPushsim(sweep + store + ["--seed", "2"])
      #expect(!other.stderr.contains("are kept"))
      // The result is kept as it was written.
      #expect(try runPushsim("runs", store[1], "1", "--json", "-").stdout == first.stdout)
    }
  }

  @Test func `the JSON and the CSV of a sweep hold every point`() throws {
    let json = try runPushsim(sweep + ["--json", "-", "--metric", "delivered"]).stdout
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["format"] as? String == "pushsim-sweep/1")
    #expect((object["points"] as? [Any])?.count == 3)
    let curves = try #require(object["curves"] as? [[String: Any]])
    #expect(curves.count == 1)
    #expect((curves[0]["points"] as? [Any])?.count == 3)
    let csv = try runPushsim(sweep + ["--csv", "-", "--metric", "delivered"]).stdout.split(separator: "\n")
    #expect(csv.count == 4)
    #expect(csv[0].hasPrefix("\(every),policy,strategy,metric,unit,replications,estimate,low,high,change"))
    #expect(csv[1].hasPrefix("30 min,guide,push_hourly,delivered,proportion,2,0."))
    #expect(try runPushsim(sweep + ["--csv", "-", "--json", "-"]).status == 64)
  }

  @Test func `kept runs are listed, shown and compared`() throws {
    try withFolder { folder in
      let store = folder.appending(path: "results.sqlite").path
      let run = ["run", news, "--strategy", "push_hourly", "--store", store, "--json", "-"] + small
      let first = try runPushsim(run)
      #expect(first.stderr.hasSuffix("pushsim: kept as run 1 of \(store)\n"))
      #expect(try runPushsim(run + ["--set", "app.handler.duration=9 s"]).stderr.contains("as run 2"))
      #expect(try runPushsim(run + ["--seed", "2"]).stderr.contains("as run 3"))
      #expect(try runPushsim(run).stderr.contains("as run 1"))
      let list = try runPushsim("runs", store)
      #expect(list.stdout.split(separator: "\n").count == 4)
      #expect(list.stdout.contains("app.handler.duration=9 s"))
      #expect(try runPushsim("runs", store, "1").stdout.contains("push_hourly  fresh_open %"))
      #expect(try runPushsim("runs", store, "1", "--json", "-").stdout == first.stdout)
      #expect(try runPushsim("runs", store, "1", "2").stdout.contains("Paired by replication"))
      #expect(try runPushsim("runs", store, "1", "3").stdout.contains("intervals by Welch"))
      let missing = try runPushsim("runs", store, "9")
      #expect(missing.status == 64)
      #expect(missing.stderr == "pushsim: error: in `\(store)`: there is no run 9\n")
    }
  }

  @Test func `a file that cannot keep results is refused before the work`() throws {
    let place = try runPushsim(["run", news, "--store", "/proc/results.sqlite"] + small)
    #expect(place.status == 74)
    #expect(place.stderr.hasPrefix("pushsim: error: cannot write `/proc/results.sqlite`: "))
    let text = try runPushsim(sweep + ["--store", "README.md"])
    #expect(text.status == 65)
    #expect(text.stderr == "pushsim: error: cannot use `README.md`: file is not a database\n")
    #expect(try runPushsim("runs", "/no/such.sqlite").status == 66)
    #expect(try runPushsim("runs", news).status == 65)
    // SQLite's own meaning of the name would keep nothing.
    try withFolder { folder in
      _ = try runShell(
        "cd '\(folder.path)' && pushsim run '\(packageRoot.path)/\(news)' --store :memory: --quiet "
          + small.map { "'\($0)'" }.joined(separator: " "))
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: ":memory:").path))
    }
  }

  @Test func `a damaged file of results is refused with what is wrong in it, never a trap`() throws {
    try withFolder { folder in
      let store = folder.appending(path: "results.sqlite").path
      let run = ["run", news, "--strategy", "push_hourly", "--store", store, "--quiet"] + small
      #expect(try runPushsim(run).status == 0)
      #expect(try runPushsim(run + ["--seed", "2"]).status == 0)
      func damage(_ sql: String, _ arguments: [String], _ words: String) throws {
        let copy = store + ".damaged"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: store, toPath: copy)
        let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2])"
        let done = try runProgram(
          URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script, copy, sql])
        #expect(done.status == 0, "\(done.stderr)")
        let result = try runPushsim(arguments.map { $0 == store ? copy : $0 })
        #expect(result.status == 65, "\(sql): \(result.status)")
        #expect(result.stderr == "pushsim: error: cannot use `\(copy)`: \(words)\n")
      }
      try damage(
        "PRAGMA user_version = -1", ["runs", store],
        "the file is damaged: its format is -1, and not 1 or more")
      try damage(
        "UPDATE runs SET replications = -5 WHERE id = 2", ["runs", store],
        "run 2 is damaged: `replications` is -5, and not a whole number from 0 to 16777216")
      try damage(
        "UPDATE runs SET confidence = 1.5 WHERE id = 2", ["runs", store, "1", "2"],
        "run 2 is damaged: `confidence` is 1.5, and not a number from 0.0 to 1.0, or nothing")
      try damage(
        "UPDATE runs SET seed = '-1' WHERE id = 1", ["runs", store],
        "run 1 is damaged: `seed` is a text, and not a whole number from 0 to 18446744073709551615")
      try damage(
        "UPDATE metrics SET point = 7 WHERE run = 1", ["runs", store, "1"],
        "run 1 is damaged: `point` is 7, and not a whole number from 0 to 0")
      try damage("DROP TABLE series", run, "the file is damaged: the table `series` is missing")
    }
  }

  @Test func `a run of a scenario with a sweep says that it leaves the sweep alone`() throws {
    try withFolder { folder in
      let file = folder.appending(path: "swept.yaml")
      let text = try String(contentsOf: packageRoot.appending(path: news), encoding: .utf8)
      try (text + "\nsweep: {experiment.devices: [5, 10]}\n").write(
        to: file, atomically: true, encoding: .utf8)
      let run = try runPushsim(["run", file.path, "--json", "-"] + small)
      #expect(run.stderr.contains("note: this runs the scenario as it is; `pushsim sweep` varies"))
      let check = try runPushsim("check", file.path)
      #expect(check.stdout.contains(", a sweep of 2 points\n"))
      let settings = ["--set", "experiment.duration=1 d", "--set", "experiment.warm_up=6 h"]
      let sweep = try runPushsim(["sweep", file.path, "--replications", "1"] + settings)
      #expect(sweep.status == 0, "\(sweep.stderr)")
      #expect(sweep.stdout.contains("2 points over experiment.devices"))
      let clash = try runPushsim(["sweep", file.path, "--devices", "5"])
      #expect(clash.status == 64)
      #expect(clash.stderr.contains("`--devices` sets what the sweep varies"))
    }
  }
}
