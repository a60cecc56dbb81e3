import Foundation
import Testing

@Suite struct NewEndToEndTests {
  @Test func `a new scenario is written once, is valid, and runs`() throws {
    try withFolder { folder in
      let path = folder.appending(path: "feed").path
      let written = try runPushsim("new", path, "--question", "freshness", "--updates", "12 /day")
      #expect(written.status == 0)
      #expect(written.stdout == "")
      let text = try String(contentsOfFile: path + ".yaml", encoding: .utf8)
      #expect(text.contains("scenario: feed\n"))

      let again = try runPushsim("new", path, "--question", "delivery")
      #expect(again.status == 74)
      #expect(
        again.stderr == """
          pushsim: error: cannot write `\(path).yaml`: File exists
            help: choose another name, or give `--force` to replace the file

          """)
      #expect(try String(contentsOfFile: path + ".yaml", encoding: .utf8) == text)
      #expect(try runPushsim("new", path, "--question", "delivery", "--force").status == 0)
      #expect(try String(contentsOfFile: path + ".yaml", encoding: .utf8) != text)

      #expect(try runPushsim("check", path + ".yaml").status == 0)
      let run = try runPushsim(
        "run", path + ".yaml", "--devices", "20", "--replications", "2", "--set", "experiment.duration=2 d")
      #expect(run.status == 0)
      #expect(run.stdout.contains("push_each_update"))
    }
  }

  @Test func `a strange name becomes a scenario that runs, and the hint can be typed`() throws {
    try withFolder { folder in
      for name in [#"a: "b"\"#, "it's", "x\ty", "on", "é\u{2028}", "[1]"] {
        let result = try runPushsim("new", folder.path + "/" + name)
        #expect(result.status == 0, "\(name): \(result.stderr)")
        let hint = try #require(result.stderr.split(separator: ";", maxSplits: 1).last)
        let command = hint.dropFirst(2).dropLast("` runs it\n".count)
        let check = try runShell("\(command.replacing("pushsim run", with: "pushsim check"))")
        #expect(check.status == 0, "\(command): \(check.stderr)")
      }
      let slash = try runPushsim("new", folder.path + "/")
      #expect(slash.status == 64 && slash.stderr.contains("is a folder"))
    }
  }

  @Test func `a new scenario beside a printed schema names it for editors`() throws {
    try withFolder { folder in
      let path = folder.appending(path: "feed.yaml").path
      let line = "# yaml-language-server: $schema=pushsim-scenario.schema.json\n"
      #expect(try runPushsim("new", path, "--question", "calls").status == 0)
      #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(line))
      try Data().write(to: folder.appending(path: "pushsim-scenario.schema.json"))
      #expect(try runPushsim("new", path, "--question", "calls", "--force").status == 0)
      #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix(line + "# A start"))
    }
  }

  @Test func `every question gives a scenario that check accepts`() throws {
    try withFolder { folder in
      var files: [String] = []
      for question in ["freshness", "delivery", "calls", "background-work"] {
        let result = try runPushsim("new", "--question", question)
        #expect(result.status == 0)
        #expect(result.stderr == "")
        let file = folder.appending(path: question + ".yaml")
        try Data(result.stdout.utf8).write(to: file)
        files.append(file.path)
      }
      let check = try runPushsim(["check"] + files)
      #expect(check.status == 0)
      #expect(check.stdout.split(separator: "\n").count { $0.contains(" is valid: ") } == 4)
    }
  }

  @Test func `without a terminal and without an option it is the default, and nothing is asked`() throws {
    let result = try runPushsim(["new"], stdin: "calls\n")
    #expect(result.status == 0)
    #expect(result.stderr == "")
    #expect(try runPushsim("new", "--question", "freshness").stdout == result.stdout)
  }

  @Test func `a name that is strange to YAML or to a shell is written so that both read it back`() throws {
    try withFolder { folder in
      for name in ["my app", "a'b", "two\nlines", "bell\u{7}", "\u{202E}abc", "[x]: {y}", "tab\t", "null"] {
        let path = folder.appending(path: name).path
        let written = try runPushsim("new", path)
        #expect(written.status == 0, "\(name): \(written.stderr)")
        // The command as the message gives it, in a shell.
        let command = try #require(written.stderr.firstRange(of: "; `"))
        let end = try #require(written.stderr.range(of: "` runs it", options: .backwards))
        let words = written.stderr[command.upperBound..<end.lowerBound]
          .replacing("pushsim run", with: "pushsim check", maxReplacements: 1)
        let check = try runShell(String(words))
        #expect(check.status == 0, "\(words): \(check.stderr)")
        #expect(check.stdout.contains(": \(name) is valid"), "\(check.stdout)")
      }
      for name in [".yaml", " .yaml"] {
        let blank = try runPushsim("new", folder.appending(path: name).path)
        #expect(blank.status == 64)
        #expect(!blank.stderr.contains("question:"), "\(blank.stderr)")
      }
    }
  }

  @Test func `an unknown policy is found before anything is written`() throws {
    try withFolder { folder in
      let path = folder.appending(path: "feed").path
      let result = try runPushsim("new", path, "--policy", "evidense")
      #expect(result.status == 65)
      // Not a line of a file that nobody has.
      #expect(result.stderr.hasPrefix("command line:1:1: error: there is no policy `evidense`\n"))
      #expect(result.stderr.contains("did you mean `evidence`?"))
      #expect(result.stderr.hasPrefix("command line:1:1: error: there is no policy `evidense`"))
      #expect(!FileManager.default.fileExists(atPath: path + ".yaml"))
    }
  }

  @Test func `a schema is JSON`() throws {
    for kind in ["scenario", "population", "policy"] {
      let result = try runPushsim("schema", kind)
      #expect(result.status == 0)
      #expect(try runJSONTool(result.stdout).status == 0)
    }
    #expect(try runPushsim("schema").stdout == runPushsim("schema", "scenario").stdout)
  }

  @Test func `piped text has neither charts nor control sequences`() throws {
    let result = try runPushsim(["run", news] + small)
    #expect(!result.stdout.contains("\u{1B}"))
    #expect(!result.stdout.contains("by the device's hour"))
  }
}
