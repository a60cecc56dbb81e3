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
      scenario: "news.yaml", strategies: ["a", "b"], policies: ["guide", "evidence"],
      assignments: [.init(path: "x.y", value: "1 /h"), .init(path: "z", value: "{failed: 100 %}")],
      seed: .max, devices: 10, replications: 2, threads: 1, json: .standardOutput, junit: .file("junit.xml"),
      outputDirectory: "out", isQuiet: true)
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
      scenario: "a.yaml", over: ["x.y=1 h,2 h", "z=1,2"], metrics: ["delivered"], strategies: ["s"],
      policies: ["p"], assignments: [.init(path: "k", value: "v")], seed: 2, devices: 3, replications: 4,
      threads: 5, store: "r.sqlite", csv: .standardOutput, json: .file("f.json"), isQuiet: true)
    #expect(Command.parse(line) == .success(.sweep(expected)))
    #expect(
      Command.parse(["runs", "r.sqlite", "2", "1", "--json", "-"])
        == .success(.runs(RunsOptions(file: "r.sqlite", ids: [2, 1], json: .standardOutput))))
    #expect(Command.parse(["runs", "r.sqlite"]) == .success(.runs(RunsOptions(file: "r.sqlite"))))
  }

  @Test func `explain needs a device and counts everything from zero`() {
    #expect(
      Command.parse(["explain", "a.yaml", "--device", "0"])
        == .success(.explain(ExplainOptions(scenario: "a.yaml"))))
    #expect(
      Command.parse([
        "explain", "a.yaml", "--device=17", "--replication=3", "--strategy=s", "--push=2", "--policy=p",
      ])
        == .success(
          .explain(
            ExplainOptions(
              scenario: "a.yaml", device: 17, replication: 3, strategy: "s", policies: ["p"], selection: .init(push: 2)))))
  }

  @Test func `check takes several scenarios, policy at most one name, factors nothing`() {
    #expect(
      Command.parse(["check", "a.yaml", "b.yaml", "--set", "k=v"])
        == .success(
          .check(
            CheckOptions(scenarios: ["a.yaml", "b.yaml"], assignments: [.init(path: "k", value: "v")]))))
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
    let expected = CheckOptions(
      scenarios: ["a"], assignments: [.init(path: "a.b", value: "c=d"), .init(path: "e", value: "")])
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
        "FILE", value: "scenarios", words: ["scenario", "population", "policy"], suggestion: "scenario")),
    .init(
      "new --question fresh", .new,
      .notOneOf(
        "--question", value: "fresh", words: ["freshness", "delivery", "calls", "background-work"],
        suggestion: nil)),
    .init(
      "new --updates 3", .new,
      .malformed(option: "--updates", value: "3", expected: "a rate such as `12 /day` or `2 /h`")),
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
    for row in RunOptions.table { #expect(Usage.page(.run).contains(row.name)) }
    for row in SensitivityOptions.table { #expect(Usage.page(.sensitivity).contains(row.name)) }
    for row in ExplainOptions.table { #expect(Usage.page(.explain).contains(row.name)) }
  }
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
