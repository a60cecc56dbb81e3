import DeviceLogs
import Experiments
import PushModel
import Quantities
import Reporting

/// The arguments of a command that are no options.
enum Operands: Equatable {
  case none
  case one(String)
  case optional(String)
  case several(String)
  /// At least one, and no more than that many.
  case upTo(Int, String)
  case two(String, String)

  var usage: String {
    switch self {
    case .none: ""
    case .one(let name): name
    case .optional(let name): "[\(name)]"
    case .several(let name): "\(name)…"
    case .upTo(_, let names): names
    case .two(let first, let second): "\(first) \(second)"
    }
  }
}

private let deviceNumbers = 0...ExperimentSettings.deviceCounts.upperBound - 1
private let replicationNumbers = 0...ExperimentSettings.replicationCounts.upperBound - 1

extension RunOptions {
  static let operands = Operands.one("SCENARIO")
  static var table: [OptionRow<RunOptions>] {
    rows(then: SharedOptions.simulation) + [
      .texts(
        "--expect", "CONDITION", \.expectations,
        "expect this too, as 'fresh_open of feed_push >= 60 %'"),
      .target("--junit", \.junit, "expectations as JUnit's XML; `-`: to standard output"),
      .text(
        "--output", "DIR", \.outputDirectory, decides: .nothing, "write the results into this directory"),
      .flag("--no-plausible", \.isChanceOnly, "leave out the range of what is plausible"),
      .flag("--full", \.isFull, decides: .nothing, "print the whole summary, not only the answer"),
    ] + rows(then: SharedOptions.delivery)
  }
}

extension SweepOptions {
  static let operands = Operands.one("SCENARIO")
  static var table: [OptionRow<SweepOptions>] {
    rows(
      [
        .texts("--over", "PATH=V1,V2,…", \.over, hint: .keys, "vary this key; twice: all combinations"),
        .texts(
          "--metric", "NAME", \.metrics, hint: .words(Metric.all.map(\.name)),
          "report this metric; may be given several times"),
      ], then: SharedOptions.simulation)
      + [
        .target("--csv", \.csv, "write the results as CSV; `-`: to standard output"),
        .text(
          "--output", "DIR", \.outputDirectory, decides: .nothing,
          "write page, CSV and JSON into this directory"),
      ]
      + rows(then: SharedOptions.delivery)
  }
}

extension RunsOptions {
  static let operands = Operands.upTo(3, "FILE [RUN [RUN]]")
  static var table: [OptionRow<RunsOptions>] { rows(then: [SharedOptions.json]) }
}

extension ExplainOptions {
  static let operands = Operands.one("SCENARIO")
  static var table: [OptionRow<ExplainOptions>] {
    rows(
      [
        .integer("--device", "N", deviceNumbers, \.device, required: true, "the device to follow, from 0"),
        .integer(
          "--replication", "R", replicationNumbers, \.replication, "its replication, from 0 (default: 0)"),
        .text("--strategy", "NAME", \.strategy, "strategy to follow (default: the scenario's first)"),
        .integer(
          "--push", "N", 0...Int(UInt32.max), \.selection.push, "only this push of the device, from 0"),
        .integer("--day", "N", 0...100_000, \.selection.day, "only this day of the run, from 0"),
        fate,
        .flag(
          "--undelivered", \.selection.isUndelivered, "list the pushes that did not arrive, and why"),
        .flag("--full", \.selection.isFull, "every day, and factors that have nothing to say"),
        .target("--json", \.shared.json, "write pushes and days as JSON; `-`: to standard output"),
      ], then: [SharedOptions.policy, SharedOptions.set, SharedOptions.seed])
  }

  private static var fate: OptionRow<Self> {
    let names = Fate.allCases.map(\.name)
    return OptionRow(
      name: "--fate", placeholder: "FATE", isRequired: false, mayRepeat: false,
      summary: "list the pushes that ended so, as `not_wakeable`", hint: .words(names),
      values: { $0.selection.fate.map { [$0.name] } ?? [] }
    ) { options, value in
      guard let fate = Fate.allCases.first(where: { $0.name == value }) else {
        return .notOneOf("--fate", value, of: names)
      }
      options.selection.fate = fate
      return nil
    }
  }
}

extension NewOptions {
  static let operands = Operands.optional("NAME")
  static var table: [OptionRow<NewOptions>] {
    [
      .word("--question", "QUESTION", \.question, "what you want to know"),
      .text(
        "--updates", "RATE", \.updates, "how often there is something new, such as '12 /day'",
        expected: "a rate such as `12 /day` or `2 /h`", isValid: StartingScenario.isRate),
      .words(
        "--mechanism", "NAME", \.mechanisms, aliases: StartingScenario.Mechanism.aliases,
        "what may bring it; may be given several times"),
      .texts(
        "--policy", "NAME", \.policies, hint: .policies, "guide, evidence, …; may be given several times"),
      .integer("--devices", "N", ExperimentSettings.deviceCounts, \.devices, "devices per replication"),
      .flag("--force", \.replaces, decides: .nothing, "replace a file of that name"),
    ]
  }
}

extension CheckOptions {
  static let operands = Operands.several("SCENARIO")
  static var table: [OptionRow<CheckOptions>] { rows(then: [SharedOptions.set]) }
}

extension ReportOptions {
  static let operands = Operands.one("RESULT.json")
  static var table: [OptionRow<ReportOptions>] {
    [
      .text(
        "--output", "DIR", \.outputDirectory, decides: .nothing,
        "write into this directory (default: that of the result)"),
      .flag("--decision", \.isDecision, "write a decision of one page instead"),
    ]
  }
}

extension SensitivityOptions {
  static let operands = Operands.one("SCENARIO")
  static var table: [OptionRow<SensitivityOptions>] {
    rows(
      [
        .text(
          "--metric", "NAME", \.metric, required: true, hint: .words(Metric.all.map(\.name)),
          "the metric to look at"),
        .word("--method", "METHOD", \.method, "tornado, morris, sobol or all (default: all)"),
        .texts(
          "--parameter", "PATH", \.parameters,
          "vary this, `*` for any; may be repeated (else all assumed)"),
        onePolicy,
        .integer(
          "--samples", "N", 2...1_000_000, \.samples, "base points of the Sobol indices (default: 64)"),
        .integer(
          "--trajectories", "N", 2...1_000_000, \.trajectories, "of Morris's design (default: 10)"),
        .integer(
          "--replications", "N", 2...ExperimentSettings.replicationCounts.upperBound, \.replications,
          decides: .column, "replications per point (default: 4)"),
        .text(
          "--output", "DIR", \.outputDirectory, decides: .nothing,
          "write page and JSON into this directory"),
      ], then: SharedOptions.simulation + SharedOptions.delivery)
  }

  private static var onePolicy: OptionRow<Self> {
    OptionRow(
      name: "--policy", placeholder: "NAME", isRequired: false, mayRepeat: false,
      summary: "under this policy (default: the scenario's first)", hint: .policies,
      values: { $0.policies }
    ) { options, value in
      options.policies = [value]
      return nil
    }
  }
}

extension DiagnoseOptions {
  static let operands = Operands.several("LOG")
  static var table: [OptionRow<DiagnoseOptions>] {
    [
      .texts("--app", "BUNDLE", \.apps, "tell of this app only; may be given several times"),
      .integer("--year", "N", 2000...2100, \.year, "the year, for lines without one"),
      .text(
        "--zone", "±HHMM", \.zone, "the time zone, for lines without one",
        expected: "a time zone such as `+0200` or `-0530`"
      ) { LogOptions.zone($0) != nil },
      .target("--json", \.json, "write the diagnosis as JSON; `-`: to standard output"),
      .text(
        "--output", "DIR", \.outputDirectory, decides: .nothing,
        "write page, Markdown and JSON into this directory"),
      .text("--send-log", "FILE", \.sendLog, "the provider's log: which pushes never arrived"),
      .texts(
        "--replay", "POLICY", \.replays, hint: .policies,
        "replay the log under this policy; may be repeated"),
      .text(
        "--write-scenario", "FILE", \.scenario, decides: .nothing, "write the log's timeline as a scenario"),
      .text(
        "--anonymise", "FILE", \.anonymous, decides: .nothing,
        "write the log without what names its owner"),
    ]
  }
}

extension CompareOptions {
  static let operands = Operands.upTo(2, "[A.json] B.json")
  static var table: [OptionRow<CompareOptions>] {
    [
      .texts(
        "--fail-if", "CONDITION", \.failIf, "exit with 1 if so, as 'fresh_open < baseline - 2 %'"),
      .text("--with", "NAME", \.with, "take the result kept under this name as A"),
      .text("--keep", "NAME", \.keep, "keep the last result under this name"),
      .text(
        "--baselines", "DIR", \.baselines, decides: .nothing,
        "where kept results are (default: .pushsim)"),
      .text(
        "--output", "DIR", \.outputDirectory, decides: .nothing,
        "write compare.html and compare.md into this directory"),
    ]
  }
}

extension HelpOptions {
  static let operands = Operands.optional("COMMAND")
  static var table: [OptionRow<HelpOptions>] {
    [.flag("--man", \.isManual, decides: .nothing, "print the whole manual, for `man -l`")]
  }
}

extension CommandOptions {
  /// The words that say what these options decide, in the order of the table: another parse of them gives the same.
  func words(of effects: Set<OptionEffect>) -> [String] {
    Self.table.filter { effects.contains($0.decides) }.flatMap { row in
      row.values(self).flatMap { value in
        if row.placeholder == nil { return [row.name] }
        // Two dashes would begin the next option.
        return value.hasPrefix("--") || value.isEmpty ? ["\(row.name)=\(value)"] : [row.name, value]
      }
    }
  }

  /// What tells a kept run from others of the same scenario, seed, devices and replications, as it would be typed.
  var overrides: String { words(of: [.result]).map(ShellWord.quoted).joined(separator: " ") }
}
