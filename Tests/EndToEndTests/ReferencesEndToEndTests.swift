import Foundation
import Testing

@Suite struct ReferencesEndToEndTests {
  /// What bash offers for the last word of a command line.
  private func completions(_ words: [String]) throws -> [String] {
    let ask = """
      eval "$("$0" completion bash)"
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _pushsim
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let program = products.appendingPathComponent("pushsim").path
    let result = try runProgram(
      URL(fileURLWithPath: "/bin/bash"), ["--norc", "-c", ask, program] + words)
    #expect(result.status == 0 && result.stderr == "", "\(result.stderr)")
    return result.stdout.split(separator: "\n").map(String.init)
  }

  @Test func `bash completes commands, options, values, keys and files`() throws {
    #expect(try completions(["pushsim", "sw"]) == ["sweep"])
    #expect(try completions(["pushsim", "run", "--se"]) == ["--set", "--seed"])
    #expect(try completions(["pushsim", "sensitivity", "a", "--method", "so"]) == ["sobol"])
    #expect(try completions(["pushsim", "run", "a", "--policy", ""]) == ["evidence", "guide"])
    // Bash makes three words of an option with its value.
    #expect(try completions(["pushsim", "run", "a", "--policy", "=", "gu"]) == ["guide"])
    #expect(try completions(["pushsim", "run", "a", "--policy", "="]) == ["evidence", "guide"])
    #expect(
      try completions(["pushsim", "run", "a", "--set", "policy.hourly_budget.li"])
        == ["policy.hourly_budget.limit="])
    #expect(try completions(["pushsim", "run", "a", "--set", "policy.hourly_budget.limit", "=", ""]) == [])
    #expect(try completions(["pushsim", "run", "Scenarios/news_f"]) == ["Scenarios/news_feed.yaml"])
    #expect(try completions(["pushsim", "run", "a", "--output", "Scena"]) == ["Scenarios"])
    #expect(try completions(["pushsim", "run", "a", "--seed", ""]) == [])
    #expect(try completions(["pushsim", "schema", "p"]) == ["population", "policy"])
  }

  /// Each with the argument that makes it read without running. Only bash is on every machine.
  @Test(arguments: [("bash", "/bin/bash"), ("zsh", "/usr/bin/zsh"), ("fish", "/usr/bin/fish")])
  func `a shell reads its completion`(shell: String, program: String) throws {
    guard shell == "bash" || FileManager.default.isExecutableFile(atPath: program) else { return }
    try withFolder { folder in
      let file = folder.appending(path: "completion").path
      #expect(try runShell("pushsim completion \(shell) > '\(file)'").status == 0)
      let result = try runProgram(URL(fileURLWithPath: program), ["-n", file])
      #expect(result.status == 0 && result.stderr == "", "\(result.stderr)")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
  func `groff sets the manual without a complaint`() throws {
    let result = try runShell("pushsim help --man | groff -man -ww -Tutf8 -P-c")
    #expect(result.status == 0 && result.stderr == "", "\(result.stderr)")
    // A value of a table, through all escapes.
    let example = "pushsim run Scenarios/news_feed.yaml --set policy.hourly_budget.limit='2 /h'"
    #expect(result.stdout.contains(example))
  }

  @Test func `metrics and keys are rows for grep when piped, with defaults of the shipped profiles`() throws {
    let metrics = try runPushsim("metrics").stdout.split(separator: "\n")
    #expect(metrics.contains { $0.hasPrefix("fresh_open ") && $0.contains(" proportion ") })
    let scenario = try runPushsim("keys").stdout
    #expect(try runPushsim("keys", "scenario").stdout == scenario)
    let rows = scenario.split(separator: "\n")
    func row(_ path: String) throws -> Substring {
      try #require(rows.first { $0.hasPrefix(path + " ") }, "\(path)")
    }
    let duration = try row("experiment.duration")
    #expect(duration.contains(/\ a duration from 1 min to 7300 d.* 14 d +measured time/))
    #expect(try row("experiment.selection.indifference").contains(/\ required +the least difference/))
    #expect(try row("strategies.NAME.background_push.send.every").contains("at an interval"))
    #expect(try row("expect[].at_least").contains("lowest value"))
    // What has been told once is not told again.
    #expect(try row("strategies.NAME.voip_push.provider").contains(" as `provider`"))
    let policy = try runPushsim("keys", "policy").stdout
    #expect(policy.contains(/policy.hourly_budget.limit +a rate .* 2.5 \/h +/))
    #expect(try runPushsim("keys", "population").stdout.contains(/population.classes.light.share .* 31 % +/))
  }

  @Test func `every path that is listed is one that set takes`() throws {
    let paths = try ["scenario", "population", "policy"].flatMap { file in
      try runPushsim("keys", file).stdout.split(separator: "\n").dropFirst().map { row in
        String(row.prefix { $0 != " " })
      }
    }
    #expect(paths.count > 300)
    // Of a scripted life there are keys only where there is one, and a mapping that is set has its keys no longer.
    let leaves = paths.filter { path in
      !path.contains("NAME") && !path.contains("[]") && !path.hasPrefix("population.scripted")
        && !paths.contains { $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[]") }
    }
    let settings = leaves.flatMap { ["--set", "\($0)={no_such_value: 1}"] }
    let result = try runPushsim(["check", news] + settings)
    #expect(result.status == 65)
    #expect(result.stderr.contains("`no_such_value`"))
    for line in result.stderr.split(separator: "\n") where line.contains("unknown key") {
      #expect(line.contains("`no_such_value`"), "\(line)")
    }
  }
}
