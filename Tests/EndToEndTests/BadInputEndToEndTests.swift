import Foundation
import Testing

/// Bad input, as its author meets it: the exit status, and words on standard error.
@Suite struct BadInputEndToEndTests {
  private static let fixtures = packageRoot.appending(path: "Tests/ScenarioDecodingTests/Fixtures/Invalid")

  @Test func `every scenario with a mistake is refused with status 65 and its diagnostic`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.fixtures.path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
    #expect(names.count >= 55)
    // One shell for all of them: a process per file would take longer than the checks.
    let result = try runShell(
      """
      cd '\(Self.fixtures.path)'
      said=$(mktemp)
      for file in *.yaml; do
        pushsim run "$file" --output /nonexistent/never 2>"$said" </dev/null
        echo "$file $?"
        cmp -s "$said" "${file%.yaml}.expected.txt" || { echo "$file says:"; cat "$said"; } >&2
      done
      rm "$said"
      """)
    #expect(result.stdout == names.map { "\($0) 65\n" }.joined())
    #expect(result.stderr == "")
  }

  @Test func `a scenario that is not there, or is a folder, ends with status 66 and the system's words`()
    throws
  {
    let missing = try runPushsim("run", "/nonexistent/night.yaml")
    #expect(missing.status == 66)
    #expect(
      missing.stderr == "/nonexistent/night.yaml: error: cannot read the file: No such file or directory\n")
    let folder = try runPushsim("check", "Scenarios")
    #expect(folder.status == 66)
    #expect(folder.stderr == "Scenarios: error: cannot read the file: Is a directory\n")
    #expect(try runPushsim("check", "").status == 64)
  }

  @Test(.timeLimit(.minutes(1))) func `huge and endless files are refused before memory is full`() throws {
    try withFolder { folder in
      let sparse = folder.appending(path: "sparse.yaml")
      try Data().write(to: sparse)
      let handle = try FileHandle(forWritingTo: sparse)
      try handle.truncate(atOffset: 100_000_000)
      try handle.close()
      for path in [sparse.path, "/dev/zero"] {
        // A hundred megabytes of address space more than the program needs.
        let result = try runShell("ulimit -v 600000; pushsim check \(path)")
        #expect(result.status == 65)
        #expect(result.stderr.hasPrefix("\(path): error: the file is larger than 4 MiB\n"))
      }
      let long = folder.appending(path: "long.yaml")
      var text = "scenario: long\nquestion: How long?\nstrategies: {a: {sync_on_open: {}}}\n"
      for number in 0..<100_000 { text += "a_key_that_nobody_knows_\(number): 1 h\n" }
      try text.write(to: long, atomically: true, encoding: .utf8)
      let result = try runPushsim("check", long.path)
      #expect(result.status == 65)
      #expect(result.stderr.contains("unknown key `a_key_that_nobody_knows_0` in the scenario"))
      #expect(result.stderr.hasSuffix("\n… and 99980 more\n"))
    }
  }

  @Test func `a setting without its parts is a bad command line, one with a bad value a bad scenario`() throws
  {
    for form in ["experiment.devices", "=3", ""] {
      let result = try runPushsim("run", news, "--set", form)
      #expect(result.status == 64, "\(form): \(result.stderr)")
      #expect(result.stdout == "")
    }
    let result = try runPushsim("run", news, "--set", "experiment.devices=none")
    #expect(result.status == 65)
    #expect(
      result.stderr == """
        --set:1:20: error: `devices` is not a whole number
            1 | experiment.devices=none
              |                    ^^^^
          expected: a whole number from 1 to 100000000
          got: `none`

        """)
  }

  @Test(arguments: ["run", "explain"])
  func `an unknown strategy is a bad command line`(command: String) throws {
    let device = command == "explain" ? ["--device", "0"] : []
    let result = try runPushsim([command, news, "--strategy", "push_hurly"] + device)
    #expect(result.status == 64)
    #expect(result.stderr.contains("there is no strategy `push_hurly`"))
    #expect(result.stderr.contains("help: did you mean `push_hourly`?"))
  }

  @Test func `check looks at every file and leaves with the worst status`() throws {
    let bad = Self.fixtures.appending(path: "devices-zero.yaml").path
    let result = try runPushsim("check", news, "/nonexistent/a.yaml", bad, news)
    #expect(result.status == 66)
    #expect(result.stdout.split(separator: "\n").count { $0.contains(" is valid: ") } == 2)
    #expect(result.stdout.hasPrefix("\(news): news_feed is valid: 5 strategies"))
    #expect(result.stderr.contains("/nonexistent/a.yaml: error: cannot read the file"))
    #expect(result.stderr.contains("`devices` is out of range"))
    #expect(try runPushsim("check", bad, news).status == 65)
    #expect(try runPushsim("check", news).status == 0)
  }

  @Test func `what cannot be written ends with status 74`() throws {
    for option in [
      ["--output", "/proc/none"], ["--output", "/dev/null/x"], ["--json", "/nonexistent/a.json"],
    ] {
      let result = try runPushsim(["run", news] + small + option)
      #expect(result.status == 74, "\(option): \(result.stderr)")
      #expect(result.stderr.hasPrefix("pushsim: error: cannot write `\(option[1])`: "), "\(result.stderr)")
    }
    let full = try runShell(
      "pushsim run \(news) '\(small.joined(separator: "' '"))' --json - > /dev/full")
    #expect(full.status == 74)
    #expect(full.stderr.contains("No space left on device"))
  }

  @Test(.timeLimit(.minutes(1))) func `an interrupted run leaves with status 130 and writes nothing`() throws
  {
    try withFolder { folder in
      let output = folder.appending(path: "out")
      let json = folder.appending(path: "a.json")
      let result = try runPushsim(
        ["run", news, "--devices", "1000000", "--json", json.path, "--output", output.path],
        interruptOnce: folder)
      #expect(result.status == 130)
      #expect(result.stdout == "")
      #expect(result.stderr == "pushsim: interrupted after 0 of 20 replications, nothing was written\n")
      #expect(FileManager.default.subpaths(atPath: folder.path) == [])
    }
  }
}
