import Experiments
import OutputAnalysis
public import ResultsStore
public import ScenarioDecoding

/// Kept runs as text and JSON.
public enum RunsReport {
  public static let listFormat = "pushsim-runs/1"
  public static let comparisonFormat = "pushsim-run-comparison/1"

  /// - Parameter known: by run, how many replications of all are kept.
  public static func list(_ runs: [KeptRun], known: [(kept: Int, of: Int)], width: Int) -> String {
    guard !runs.isEmpty else { return "no runs are kept here\n" }
    var table = TextTable([
      .init("run", .right), .init("kind"), .init("scenario", mayShrink: true),
      .init("policies", mayShrink: true),
      .init("seed", .right), .init("devices", .right), .init("replications", .right), .init("status"),
      .init("changed by the command line", mayShrink: true),
    ])
    for (run, known) in zip(runs, known) {
      table.add([
        "\(run.id)", run.kind, run.scenario, run.policies.joined(separator: ", "), "\(run.key.seed)",
        "\(run.key.devices)", "\(run.replications)", status(run, known), run.overrides,
      ])
    }
    return table.text(width: width)
  }

  public static func listJSON(_ runs: [KeptRun], known: [(kept: Int, of: Int)]) -> JSONValue {
    .object([
      ("format", .string(listFormat)),
      ("runs", .array(zip(runs, known).map { run($0, $1) })),
    ])
  }

  private static func run(_ run: KeptRun, _ known: (kept: Int, of: Int)) -> JSONValue {
    .object([
      ("id", .integer(run.id)),
      ("kind", .string(run.kind)),
      ("scenario", .string(run.scenario)),
      ("scenario_sha256", .string(run.key.scenarioDigest)),
      ("pushsim", .string(run.key.version)),
      ("build", .string(run.key.build)),
      ("seed", .unsigned(run.key.seed)),
      ("devices", .integer(run.key.devices)),
      ("replications", .integer(run.replications)),
      ("policies", .array(run.policies.map(JSONValue.string))),
      ("overrides", .string(run.overrides)),
      ("finished", .bool(run.isFinished)),
      ("replications_kept", .integer(known.kept)),
      ("replications_wanted", .integer(known.of)),
    ])
  }

  private static func status(_ run: KeptRun, _ known: (kept: Int, of: Int)) -> String {
    run.isFinished ? "finished" : "unfinished, \(known.kept) of \(known.of) replications"
  }

  /// One run with its estimates.
  public static func text(_ run: KeptRun, points: [KeptPoint], metrics: [KeptMetric], width: Int) -> String {
    let kept = points.reduce(0) { $0 + $1.replications }
    var text = heading(run, "\(run.kind) \(run.id)")
    text += "  \(status(run, (kept, run.replications * points.count)))\n"
    text += "  scenario_sha256 \(run.key.scenarioDigest)\n  build \(run.key.build)\n"
    // Of a sweep; other studies have hundreds.
    if !run.isFinished, run.kind == "sweep" {
      for point in points where points.count > 1 {
        text += "  \(point.label): \(point.replications) of \(run.replications) replications\n"
      }
    }
    guard !metrics.isEmpty else { return text }
    let hasPoints = points.count > 1 || points.first?.label.isEmpty == false
    let hasPolicies = Set(metrics.map(\.series.policy)).count > 1
    var table = TextTable(
      (hasPoints ? [.init("point", mayShrink: true)] : []) + (hasPolicies ? [.init("policy")] : [])
        + [.init("strategy", mayShrink: true), .init("metric"), .init("estimate", .right)]
        + [.init("low", .right), .init("high", .right)])
    for row in metrics {
      guard let metric = Metric.named(row.series.metric) else { continue }
      table.add(
        (hasPoints ? [points[row.point].label] : []) + (hasPolicies ? [row.series.policy] : [])
          + [row.series.strategy, metric.name + NumberStyle(metric.unit).columnUnit]
          + [row.estimate, row.low, row.high].map { $0.map { NumberStyle(metric.unit).bare($0) } ?? "–" })
    }
    return text + "\n" + table.text(width: width)
  }

  private static func heading(_ run: KeptRun, _ name: String) -> String {
    "\(name): \(run.scenario), policy \(run.policies.joined(separator: ", ")), seed \(run.key.seed), "
      + "\(run.key.devices) devices, \(run.replications) replications, pushsim \(run.key.version)\n"
      + (run.overrides.isEmpty ? "" : "  \(run.overrides)\n")
  }

  /// Two runs side by side.
  public static func text(_ comparison: RunComparison, _ a: KeptRun, _ b: KeptRun, width: Int) -> String {
    var text = heading(a, "run \(a.id)") + heading(b, "run \(b.id)") + "\n"
    text +=
      comparison.isPaired
      ? "Paired by replication: both have the same seed and number of replications.\n"
      : "Not paired, intervals by Welch: seed or number of replications differ.\n"
    let hasPolicies = Set(comparison.rows.map(\.series.policy)).count > 1
    var table = TextTable(
      (hasPolicies ? [.init("policy")] : [])
        + [
          .init("strategy", mayShrink: true), .init("metric"), .init("run \(a.id)", .right),
          .init("run \(b.id)", .right), .init("difference", .right), .init(""),
        ])
    for row in comparison.rows {
      guard let metric = Metric.named(row.series.metric) else { continue }
      let half = row.interval.map { " ±" + NumberStyle(metric.unit).bare($0.halfWidth) } ?? ""
      let isUnclear = row.interval.map { $0.contains(0) } ?? true
      table.add(
        (hasPolicies ? [row.series.policy] : [])
          + [
            row.series.strategy, metric.name + NumberStyle(metric.unit).columnUnit,
            NumberStyle(metric.unit).bare(row.first),
            NumberStyle(metric.unit).bare(row.second), NumberStyle(metric.unit).bare(row.difference) + half,
            row.isSame ? "same" : isUnclear ? "not clear" : "",
          ])
    }
    text += comparison.rows.isEmpty ? "They have no strategy in common.\n" : table.text(width: width)
    for (run, names) in [(a, comparison.onlyIn.first), (b, comparison.onlyIn.second)] where !names.isEmpty {
      text += "only in run \(run.id): \(names.joined(separator: ", "))\n"
    }
    return text
  }

  public static func json(_ comparison: RunComparison, _ a: KeptRun, _ b: KeptRun) -> JSONValue {
    func whole(_ kept: KeptRun) -> JSONValue { run(kept, (kept.replications, kept.replications)) }
    return .object([
      ("format", .string(comparisonFormat)),
      ("first", whole(a)),
      ("second", whole(b)),
      ("paired", .bool(comparison.isPaired)),
      ("confidence", .number(a.confidence)),
      (
        "differences",
        .array(
          comparison.rows.map { row in
            .object([
              ("policy", .string(row.series.policy)),
              ("strategy", .string(row.series.strategy)),
              ("metric", .string(row.series.metric)),
              ("first", .number(row.first)),
              ("second", .number(row.second)),
              ("difference", .number(row.difference)),
              ("low", row.interval.map { .number($0.lower) } ?? .null),
              ("high", row.interval.map { .number($0.upper) } ?? .null),
            ])
          })
      ),
    ])
  }
}
