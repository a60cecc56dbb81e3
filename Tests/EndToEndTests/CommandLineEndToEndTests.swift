import Reporting
import ScenarioDecoding
import Testing

@Suite struct CommandLineEndToEndTests {
  @Test func `a wrong option is refused on standard error with a suggestion and status 64`() throws {
    let result = try runPushsim("run", "a.yaml", "--sed", "1")
    #expect(result.status == 64)
    #expect(result.stdout == "")
    #expect(
      result.stderr.hasPrefix(
        """
        pushsim: error: unknown option `--sed` of `pushsim run`
          help: did you mean `--seed`?
        usage: pushsim run SCENARIO [--strategy NAME]… [--policy NAME]…
               [--set PATH=VALUE]… [--seed N]
        """))
  }

  @Test func `a number out of range is refused with the range and what was given`() throws {
    let result = try runPushsim("explain", "a.yaml", "--device=-1")
    #expect(result.status == 64)
    #expect(
      result.stderr.hasPrefix(
        """
        pushsim: error: `--device` is out of range
          expected: a whole number from 0 to 99999999
          got: `-1`
        usage: pushsim explain SCENARIO --device N
        """))
  }

  @Test func `without a command the commands are listed, with status 64`() throws {
    let result = try runPushsim()
    #expect(result.status == 64)
    #expect(
      result.stderr.contains(
        "expected: one of `run`, `sweep`, `runs`, `sensitivity`, `report`, `compare`, `explain`, `diagnose`, `check`, `policy`, `factors`, `metrics`, `keys`, `schema`, `new`, `completion`, `help`, `version`"
      ))
  }

  @Test func `help and version are results: standard output and status 0`() throws {
    for arguments in [["--help"], ["help", "run"], ["run", "--help"], ["--version"]] {
      let result = try runPushsim(arguments)
      #expect(result.status == 0)
      #expect(result.stderr == "")
      #expect(!result.stdout.isEmpty)
    }
    for spelling in [["--version"], ["-V"], ["version"], ["run", "--version"]] {
      #expect(try runPushsim(spelling).stdout == "pushsim \(pushsimVersion)\n")
    }
  }

  @Test func `an argument that is no text is named as such`() throws {
    let result = try runShell(#"pushsim check "$(printf 'caf\351.yaml')""#)
    #expect(result.status == 64)
    #expect(result.stderr.contains("`caf\u{FFFD}.yaml` is not valid UTF-8\n  help: rename the file, or"))
  }

  @Test func `output that cannot be written ends the program with status 74`() throws {
    let result = try runShell("pushsim help > /dev/full")
    #expect(result.status == 74)
    #expect(result.stderr.contains("No space left on device"))
  }

  @Test func `a reader that goes away ends the program without a word`() throws {
    // The reader is gone before the program starts.
    let result = try runShell("{ sleep 0.2; pushsim help; echo \"status $?\" >&2; } | true")
    #expect(result.stderr == "status 74\n")
  }
}

@Suite struct JSONEndToEndTests {
  @Test func `another program reads the JSON that is written here`() throws {
    let value: JSONValue = [
      "text": "quote \" backslash \\ newline \n tab \t bell \u{7} é 🙂 \u{2028}", "whole": 3.0,
      "tiny": .number(.leastNonzeroMagnitude), "huge": .number(.greatestFiniteMagnitude),
      "seed": .unsigned(.max), "undefined": .number(.nan),
      "none": [], "no": [:], "nested": [["a": [1, 2, [true, false, nil]]]],
    ]
    let result = try runJSONTool(value.text)
    #expect(result.status == 0, "\(result.stderr)")
    #expect(result.stdout.contains(#""seed": 18446744073709551615"#))
    #expect(result.stdout.contains(#""tiny": 5e-324"#))
    #expect(result.stdout.contains(#""undefined": null"#))
    #expect(result.stdout.contains(#"bell \u0007 é 🙂"#))
  }
}
