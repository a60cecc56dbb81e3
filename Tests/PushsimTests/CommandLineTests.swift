import Reporting
import ScenarioDecoding
import Testing

@testable import pushsim

/// A command line that must be refused, and why.
struct RefusedCase: Sendable, CustomTestStringConvertible {
  let arguments: [String]
  let command: CommandName?
  let problem: UsageError.Problem
  var testDescription: String { "pushsim " + arguments.joined(separator: " ") }

  init(_ arguments: String, _ command: CommandName?, _ problem: UsageError.Problem) {
    self.arguments = arguments.split(separator: " ").map(String.init)
    self.command = command
    self.problem = problem
  }
}

@Suite struct CommandLineTests {
  @Test func `run takes every option in both spellings`() throws {
    let line = [
      "run", "--strategy", "a", "news.yaml", "--strategy=b", "--set", "x.y=1 /h", "--set=z={failed: 100 %}",
      "--seed", "18446744073709551615", "--devices=10", "--replications", "2", "--threads", "1", "--json",
      "-",
      "--output", "out", "--quiet", "--policy", "guide", "--policy=evidence", "--junit", "junit.xml",
    ]
    let expected = RunOptions(
      shared: SharedOptions(
        scenario: "news.yaml", strategies: ["a", "b"], policies: ["guide", "evidence"],
        assignments: [.init(path: "x.y", value: "1 /h"), .init(path: "z", value: "{failed: 100 %}")],
        seed: .max, devices: 10, replications: 2, threads: 1, json: .standardOutput, isQuiet: true),
      junit: .file("junit.xml"), outputDirectory: "out")
    #expect(Command.parse(line) == .success(.run(expected)))
  }

  @Test func `sweep takes every option, runs up to two numbers`() {
    let line = [
      "sweep", "a.yaml", "--over", "x.y=1 h,2 h", "--over=z=1,2", "--metric", "delivered", "--strategy", "s",
      "--policy", "p", "--set", "k=v", "--seed", "2", "--devices", "3", "--replications", "4", "--threads",
      "5",
      "--store", "r.sqlite", "--csv", "-", "--json", "f.json", "--quiet",
    ]
    let expected = SweepOptions(
      shared: SharedOptions(
        scenario: "a.yaml", strategies: ["s"], policies: ["p"], assignments: [.init(path: "k", value: "v")],
        seed: 2, devices: 3, replications: 4, threads: 5, store: "r.sqlite", json: .file("f.json"),
        isQuiet: true), over: ["x.y=1 h,2 h", "z=1,2"], metrics: ["delivered"], csv: .standardOutput)
    #expect(Command.parse(line) == .success(.sweep(expected)))
    #expect(
      Command.parse(["runs", "r.sqlite", "2", "1", "--json", "-"])
        == .success(
          .runs(
            RunsOptions(shared: SharedOptions(json: .standardOutput), file: "r.sqlite", ids: [2, 1]))))
    #expect(Command.parse(["runs", "r.sqlite"]) == .success(.runs(RunsOptions(file: "r.sqlite"))))
  }

  @Test func `explain needs a device and counts everything from zero`() {
    #expect(
      Command.parse(["explain", "a.yaml", "--device", "0"])
        == .success(.explain(ExplainOptions(shared: SharedOptions(scenario: "a.yaml")))))
    #expect(
      Command.parse([
        "explain", "a.yaml", "--device=17", "--replication=3", "--strategy=s", "--push=2", "--policy=p",
      ])
        == .success(
          .explain(
            ExplainOptions(
              shared: SharedOptions(scenario: "a.yaml", policies: ["p"]), device: 17, replication: 3,
              strategy: "s", selection: .init(push: 2)))))
  }

  @Test func `check takes several scenarios, policy at most one name, factors nothing`() {
    #expect(
      Command.parse(["check", "a.yaml", "b.yaml", "--set", "k=v"])
        == .success(
          .check(
            CheckOptions(
              shared: SharedOptions(assignments: [.init(path: "k", value: "v")]),
              scenarios: ["a.yaml", "b.yaml"]))))
    #expect(Command.parse(["policy"]) == .success(.policy(name: nil)))
    #expect(Command.parse(["policy", "guide"]) == .success(.policy(name: "guide")))
    #expect(Command.parse(["factors"]) == .success(.factors))
  }

  @Test func `help is one command in every spelling`() {
    for line in [["help"], ["--help"], ["-h"], ["help", "--help"]] {
      #expect(Command.parse(line) == .success(.help(nil)))
    }
    for line in [["help", "run"], ["run", "--help"], ["run", "a.yaml", "-h"]] {
      #expect(Command.parse(line) == .success(.help(.run)))
    }
    #expect(Command.parse(["--version"]) == .success(.version))
  }

  @Test func `after two dashes an argument is a file whatever it looks like`() {
    #expect(
      Command.parse(["check", "--", "--odd.yaml"]) == .success(.check(.init(scenarios: ["--odd.yaml"]))))
  }

  @Test func `the value of set is split at the first equals sign and may be empty`() {
    let assignments = [Assignment(path: "a.b", value: "c=d"), Assignment(path: "e", value: "")]
    let expected = CheckOptions(shared: SharedOptions(assignments: assignments), scenarios: ["a"])
    #expect(Command.parse(["check", "a", "--set", "a.b=c=d", "--set=e="]) == .success(.check(expected)))
  }

  static let refused: [RefusedCase] = [
    .init("", nil, .missingCommand),
    .init("rnu a.yaml", nil, .unknownCommand("rnu", suggestion: "run")),
    .init("RUN a.yaml", nil, .unknownCommand("RUN", suggestion: "run")),
    .init("simulate", nil, .unknownCommand("simulate", suggestion: nil)),
    .init("--verison", nil, .unknownOption("--verison", suggestion: "--version")),
    .init("help expalin", .help, .unknownCommand("expalin", suggestion: "explain")),
    .init("run a --sed 1", .run, .unknownOption("--sed", suggestion: "--seed")),
    .init("run a --thread=1", .run, .unknownOption("--thread", suggestion: "--threads")),
    .init("run a --device 1", .run, .unknownOption("--device", suggestion: "--devices")),
    .init("run a -x", .run, .unknownOption("-x", suggestion: nil)),
    .init("check a --seed 1", .check, .unknownOption("--seed", suggestion: "--set")),
    .init("factors --json -", .factors, .unknownOption("--json", suggestion: nil)),
    .init("run a --seed", .run, .missingValue(option: "--seed", placeholder: "N")),
    .init("run a --seed=", .run, .missingValue(option: "--seed", placeholder: "N")),
    .init("run a --json --quiet", .run, .missingValue(option: "--json", placeholder: "FILE|-")),
    .init("run a --quiet=yes", .run, .takesNoValue("--quiet")),
    .init("run a --devices many", .run, .notAWholeNumber(option: "--devices", value: "many")),
    .init("run a --devices 1e3", .run, .notAWholeNumber(option: "--devices", value: "1e3")),
    .init("run a --threads 1.5", .run, .notAWholeNumber(option: "--threads", value: "1.5")),
    .init(
      "run a --threads 0", .run,
      .outOfRange(option: "--threads", value: "0", lowest: "1", highest: "1024")),
    .init(
      "run a --seed -1", .run,
      .outOfRange(option: "--seed", value: "-1", lowest: "0", highest: "18446744073709551615")),
    .init(
      "run a --replications 99999999999999999999", .run,
      .outOfRange(
        option: "--replications", value: "99999999999999999999", lowest: "1", highest: "1000000")),
    .init("run a --set devices", .run, .notAnAssignment("devices")),
    .init("run a --set =3", .run, .notAnAssignment("=3")),
    .init("run a --seed 1 --seed 1", .run, .repeated("--seed")),
    .init("run a --quiet --quiet", .run, .repeated("--quiet")),
    .init("run", .run, .missingArgument("SCENARIO")),
    .init("check", .check, .missingArgument("SCENARIO")),
    .init("run a b", .run, .unexpectedArgument("b")),
    .init("factors a", .factors, .unexpectedArgument("a")),
    .init("policy a b", .policy, .unexpectedArgument("b")),
    .init(
      "schema scenarios", .schema,
      .notOneOf(
        "FILE", value: "scenarios", words: ["scenario", "population", "policy", "result"],
        suggestion: "scenario")),
    .init(
      "new --question fresh", .new,
      .notOneOf(
        "--question", value: "fresh", words: ["freshness", "delivery", "calls", "background-work"],
        suggestion: nil)),
    .init(
      "new --updates 3", .new,
      .malformed(option: "--updates", value: "3", expected: "a rate such as `12 /day` or `2 /h`")),
    .init(
      "sensitivity a --metric m --method tornadoes", .sensitivity,
      .notOneOf(
        "--method", value: "tornadoes", words: ["tornado", "morris", "sobol", "all"], suggestion: "tornado")),
    .init(
      "completion zhs", .completion,
      .notOneOf("SHELL", value: "zhs", words: ["bash", "zsh", "fish"], suggestion: "zsh")),
    .init("completion", .completion, .missingArgument("bash|zsh|fish")),
    .init("help --man run", .help, .unexpectedArgument("run")),
    .init(
      "diagnose a --zone CET", .diagnose,
      .malformed(
        option: "--zone", value: "CET", expected: "a time zone such as `+0200` or `-0530`")),
    .init("explain a", .explain, .missingOption("--device N")),
    .init("sensitivity a", .sensitivity, .missingOption("--metric NAME")),
  ]

  @Test(arguments: refused)
  func `a command line that makes no sense is refused with the reason`(refused: RefusedCase) {
    #expect(
      Command.parse(refused.arguments) == .failure(UsageError(refused.command, refused.problem)))
  }

  @Test func `an empty argument is refused, since no file has an empty name`() {
    #expect(Command.parse(["run", ""]) == .failure(UsageError(.run, .emptyArgument)))
  }

  @Test func `help pages and usage lines fit a terminal of 80 columns and name every option`() {
    for command in CommandName.allCases.map(Optional.some) + [nil] {
      let page = Usage.page(command)
      for line in page.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
    for command in CommandName.allCases {
      for option in command.description.options { #expect(Usage.page(command).contains(option.usage)) }
    }
  }

  @Test func `a word that names nothing is answered with the words that would do, everywhere alike`() {
    let below = "\n  expected: one of `bash`, `zsh`, `fish`\n  help: did you mean `zsh`?\n"
    let operand = UsageError(.completion, .notOneOf("SHELL", "zhs", of: ["bash", "zsh", "fish"]))
    #expect(operand.text.hasPrefix("pushsim: error: `SHELL` cannot be `zhs`" + below))
    let failure = CommandFailure.unknown("shell", "zhs", among: ["bash", "zsh", "fish"])
    #expect(failure.text == "pushsim: error: there is no shell `zhs`" + below)
    #expect(failure.exitCode == .badCommandLine)
    let command = UsageError(nil, .unknownCommand("rnu"))
    #expect(command.text.contains("\n  expected: one of `run`, `sweep`, "))
    #expect(command.text.contains("\n  help: did you mean `run`?\n"))
  }
}

/// What options say of themselves, which kept runs and the command of a result are made of.
@Suite struct OptionWordsTests {
  static let lines: [[String]] = [
    ["run", "a b.yaml", "--strategy", "it's", "--set", "x={a: 1}", "--set", "y=", "--seed", "7", "--quiet"],
    [
      "run", "a", "--strategy=--odd", "--policy", "guide", "--devices", "3", "--replications", "4",
      "--threads", "2", "--junit", "-", "--output", "out", "--full", "--store", "s", "--json", "f.json",
    ],
    ["sweep", "a", "--over", "x=1,2", "--over", "y=3", "--metric", "delivered", "--csv", "-"],
    [
      "sensitivity", "a", "--metric", "delivered", "--method", "sobol", "--parameter", "policy.*",
      "--policy", "evidence", "--samples", "8", "--trajectories", "3", "--replications", "2",
    ],
    ["explain", "a", "--device", "3", "--replication", "2", "--strategy", "s", "--push", "0"],
    ["new", "--question", "calls", "--updates", "2 /h", "--mechanism", "voip_push", "--force"],
    ["check", "a", "--set", "k=v"], ["report", "r.json", "--output", "d"],
    [
      "diagnose", "a.log", "b.log", "--app", "x", "--app", "y", "--year", "2026", "--zone", "-0530", "--json",
      "-", "--output", "d", "--send-log", "s", "--replay", "guide", "--write-scenario", "w", "--anonymise",
      "n",
    ],
    ["compare", "a", "b", "--output", "d"], ["runs", "f", "--json", "-"],
  ]

  private static func words(_ command: Command) -> [String] {
    let all: Set<OptionEffect> = [.result, .column, .nothing]
    return switch command {
    case .run(let options): options.words(of: all)
    case .sweep(let options): options.words(of: all)
    case .sensitivity(let options): options.words(of: all)
    case .explain(let options): options.words(of: all)
    case .new(let options): options.words(of: all)
    case .check(let options): options.words(of: all)
    case .report(let options): options.words(of: all)
    case .compare(let options): options.words(of: all)
    case .diagnose(let options): options.words(of: all)
    case .runs(let options): options.words(of: all)
    default: []
    }
  }

  @Test(arguments: lines) func `the words of parsed options are parsed as the same options`(line: [String])
    throws
  {
    let command = try Command.parse(line).get()
    let operands = line.dropFirst().prefix { !$0.hasPrefix("--") }
    #expect(Command.parse([line[0]] + operands + Self.words(command)) == .success(command))
  }

  /// To be extended with every option that changes no value; one that does belongs into the command of a result, and
  /// tells kept runs apart.
  @Test func `only options that change no value are left out of the command of a result`() {
    func names<Options: CommandOptions>(_ type: Options.Type, _ effect: OptionEffect) -> [String] {
      Options.table.filter { $0.decides == effect }.map(\.name)
    }
    let display = ["--full", "--json", "--junit", "--output", "--quiet", "--store", "--threads"]
    #expect(names(RunOptions.self, .nothing).sorted() == display)
    #expect(
      names(SweepOptions.self, .nothing).sorted()
        == ["--csv", "--json", "--output", "--quiet", "--store", "--threads"])
    #expect(
      names(SensitivityOptions.self, .nothing).sorted()
        == ["--json", "--output", "--quiet", "--store", "--threads"])
    // A kept run has columns for these and no other.
    for columns in [
      names(RunOptions.self, .column), names(SweepOptions.self, .column),
      names(SensitivityOptions.self, .column),
    ] {
      #expect(columns.sorted() == ["--devices", "--replications", "--seed"])
    }
  }

  @Test func `the command of a result holds what decides it, for a shell`() throws {
    guard case .run(let options) = try Command.parse(Self.lines[0]).get() else { return }
    #expect(
      options.command
        == #"pushsim run 'a b.yaml' --strategy 'it'\''s' --set 'x={a: 1}' --set y= --seed 7"#)
    #expect(options.overrides == #"--strategy 'it'\''s' --set 'x={a: 1}' --set y="#)
  }

  @Test func `what a study varies tells it from another that is kept`() throws {
    guard case .sensitivity(let study) = try Command.parse(Self.lines[3]).get() else { return }
    #expect(
      study.overrides
        == "--metric delivered --method sobol --parameter 'policy.*' --policy evidence --samples 8 --trajectories 3"
    )
    guard case .sweep(let sweep) = try Command.parse(Self.lines[2]).get() else { return }
    #expect(sweep.overrides == "--over x=1,2 --over y=3 --metric delivered")
  }
}

@Suite struct CompletionTests {
  @Test(arguments: Completion.Shell.allCases)
  func `a completion knows every command and every option of each`(shell: Completion.Shell) throws {
    let script = Completion(policies: ["guide"], keys: ["policy.a.b"]).script(shell)
    #expect(script.contains("policy.a.b="))
    for name in CommandName.allCases {
      let part =
        switch shell {
        case .bash: script.part(from: "\n  \(name.rawValue))\n", to: "esac ;;\n")
        case .zsh: script.part(from: "\n    \(name.rawValue))\n", to: " ;;\n")
        case .fish: script.part(from: "-a \(name.rawValue) -d", to: "__fish_use_subcommand")
        }
      let found = try #require(part, "\(name)")
      for option in name.description.options {
        let word = shell == .fish ? "-l \(option.name.dropFirst(2)) " : option.name
        #expect(found.contains(word), "\(name) \(option.name)")
      }
    }
  }

  @Test func `the manual has a section of every command with all its options, and is plain ASCII`() throws {
    let page = Manual.page
    #expect(page.utf8.allSatisfy { $0 < 128 })
    for name in CommandName.allCases {
      let section = try #require(page.part(from: ".SS pushsim \(name.rawValue)\n", to: "\n.S"))
      for option in name.description.options {
        #expect(section.contains(".TP\n\\fB\(Manual.roff(option.usage))\\fR\n"), "\(name) \(option.name)")
      }
    }
    for code in ExitCode.allCases { #expect(page.contains(".TP\n\\fB\(code.rawValue)\\fR\n")) }
    for line in page.split(separator: "\n") where line.utf8.count > 80 { #expect(line.contains("\\-")) }
  }

  @Test func `no text of a table is a request or an escape of the manual`() {
    #expect(Manual.roff(".x \\ a-b `c` … 'd'") == "\\&.x \\e a\\-b \\fBc\\fR \\[u2026] \\(aqd\\(aq")
  }
}

extension String {
  /// What stands from one text to the next other one, or to the end.
  fileprivate func part(from start: String, to end: String) -> Substring? {
    guard let first = range(of: start) else { return nil }
    let rest = self[first.upperBound...]
    return rest.firstRange(of: end).map { rest[..<$0.lowerBound] } ?? rest
  }

  private func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("SEED", "seed"), ("sede", "seed"), ("see", "seed"), ("replicatoins", "replications"), ("xyz", nil),
    ("", nil),
  ])
  func `a suggestion is near the typed word or is not made`(typed: String, expected: String?) {
    #expect(Suggestion.best(for: typed, among: ["seed", "replications", "output"]) == expected)
  }

  @Test func `of words equally near the first in the alphabet is suggested`() {
    #expect(Suggestion.best(for: "bat", among: ["cat", "bar"]) == "bar")
  }
}
