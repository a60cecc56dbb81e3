public import Experiments
import OutputAnalysis
import PushModel
import Quantities
public import ScenarioDecoding

/// The result of a sweep as text, JSON and CSV.
public enum SweepReport {
  public static let format = "pushsim-sweep/1"

  /// What a table shows when the user names no metric.
  private static let shown = Metric.main.map(\.name)

  static let kneeMethod =
    "The knee is the point of the mean curve farthest from the chord between its ends, both axes scaled to 0...1. A curve "
    + "has one only if some distance differs from 0 (Student's t over replications, Bonferroni over points); the range "
    + "holds the points that cannot be told from the farthest one."

  // MARK: Text

  /// - Parameters:
  ///   - metrics: those that the user asked for; none: a few.
  ///   - width: of the terminal, in columns.
  public static func text(_ result: SweepResult, metrics: [String], width: Int) -> String {
    let sweep = result.sweep
    let base = sweep.base
    let wanted = metrics.isEmpty ? shown : metrics
    var text = "\(base.name): \(base.question)\n"
    text += "\n\(sweep.points.count) points over \(sweep.inputs.map(\.path).joined(separator: " and "))\n"
    text += setting(sweep) + "\n"
    var unchanged: [String] = []
    var hasKnee = false
    for group in groups(result.curves) {
      let name = heading(group[0], result)
      if group.allSatisfy(\.isConstant) {
        unchanged.append(name)
        continue
      }
      let curves = wanted.compactMap { name in group.first { $0.metric.name == name } }
      guard !curves.isEmpty else { continue }
      text += "\n\(name)\n" + table(curves, sweep, width)
      for curve in curves {
        guard let knee = curve.knee, !curve.isConstant else { continue }
        hasKnee = true
        text += "  " + sentence(knee, curve, sweep) + "\n"
      }
    }
    if !unchanged.isEmpty { text += "\nthe same at every point: \(unchanged.joined(separator: ", "))\n" }
    if hasKnee { text += "\n" + TextRenderer.wrapped(kneeMethod, width: width) }
    return text
  }

  /// What all points share.
  private static func setting(_ sweep: Sweep) -> String {
    let base = sweep.base
    func isVaried(_ key: String) -> Bool { sweep.inputs.contains { $0.path == "experiment.\(key)" } }
    let replications = base.experiment.replications
    var parts = ["\(replications) replication\(replications == 1 ? "" : "s")", "seed \(base.input.seed)"]
    if !isVaried("duration"), !isVaried("warm_up") {
      parts.insert(
        Quantity.format(base.input.duration.seconds, .time) + " after a warm-up of "
          + Quantity.format(base.input.warmUp.seconds, .time), at: 0)
    }
    if !isVaried("devices") {
      parts.insert("\(NumberText.grouped(Int64(base.experiment.devices))) devices", at: 0)
    }
    return parts.joined(separator: ", ") + " at every point.\n"
      + "Every number is an output of the model. ± is half a "
      + NumberText.percent(base.experiment.confidence, decimals: 0) + " interval over replications."
  }

  /// The curves of each policy and strategy together.
  private static func groups(_ curves: [SweepResult.Curve]) -> [[SweepResult.Curve]] {
    var groups: [[SweepResult.Curve]] = []
    for curve in curves {
      if let index = groups.firstIndex(where: {
        $0[0].policy == curve.policy && $0[0].strategy == curve.strategy
      }) {
        groups[index].append(curve)
      } else {
        groups.append([curve])
      }
    }
    return groups
  }

  private static func heading(_ curve: SweepResult.Curve, _ result: SweepResult) -> String {
    let hasPolicies = result.curves.contains { $0.policy != curve.policy }
    return curve.strategy + (hasPolicies ? " under \(curve.policy)" : "")
  }

  private static func table(_ curves: [SweepResult.Curve], _ sweep: Sweep, _ width: Int) -> String {
    let last = sweep.inputs.map { $0.path.split(separator: ".").last.map(String.init) ?? $0.path }
    var table = TextTable(
      last.map { TextTable.Column($0, .right) }
        + curves.map { TextTable.Column($0.metric.name + NumberStyle($0.metric.unit).columnUnit, .right) })
    for (index, point) in sweep.points.enumerated() {
      guard curves.contains(where: { $0.results[index] != nil }) else { continue }
      table.add(
        zip(sweep.inputs, point.indices).map { $0.values[$1] }
          + curves.map { $0.results[index].map(cell) ?? "–" })
    }
    return table.text(width: width, indentation: 2)
  }

  private static func cell(_ result: MetricResult) -> String {
    result.estimate.map { NumberStyle(result.metric.unit).bare($0, half: result.halfWidth) } ?? "–"
  }

  private static func sentence(_ knee: Knee, _ curve: SweepResult.Curve, _ sweep: Sweep) -> String {
    switch knee {
    case .straight: return "\(curve.metric.name): no knee, straight within its error"
    case .bend(let index, _, let candidates):
      let values = sweep.inputs[0].values
      let ends = (values[candidates[0]], values[candidates[candidates.count - 1]])
      let range = candidates.count > 1 ? "between \(ends.0) and \(ends.1)" : "no other point comes near it"
      return "\(curve.metric.name): knee at \(values[index]) "
        + "(\(NumberText.percent(sweep.base.experiment.confidence, decimals: 0)): \(range))"
    }
  }

  // MARK: JSON

  public static func json(_ result: SweepResult) -> JSONValue {
    let sweep = result.sweep
    let base = sweep.base
    return .object([
      ("format", .string(format)),
      ("scenario", .string(base.name)),
      ("question", .string(base.question)),
      (
        "provenance",
        .object([
          ("pushsim", .string(pushsimVersion)),
          ("scenario_sha256", .string(base.digest)),
          ("population", .string(base.populationName)),
          ("seed", .unsigned(base.input.seed)),
          ("devices", .integer(base.experiment.devices)),
          ("replications", .integer(base.experiment.replications)),
          ("duration_s", .number(base.input.duration.seconds)),
          ("warm_up_s", .number(base.input.warmUp.seconds)),
          ("confidence", .number(base.experiment.confidence)),
        ])
      ),
      ("note", .string("Apple publishes no delivery rate: every number here is an output of the model.")),
      (
        "inputs",
        .array(
          sweep.inputs.map { input in
            .object([
              ("path", .string(input.path)),
              ("values", .array(input.values.map(JSONValue.string))),
              ("numbers", input.numbers.map { .array($0.map(JSONValue.number)) } ?? .null),
            ])
          })
      ),
      (
        "points",
        .array(
          sweep.points.map { point in
            .object([
              ("values", .array(zip(sweep.inputs, point.indices).map { .string($0.values[$1]) })),
              ("scenario_sha256", .string(point.scenario.digest)),
              ("devices", .integer(point.scenario.experiment.devices)),
            ])
          })
      ),
      ("curves", .array(result.curves.map { curve($0, sweep) })),
      ("knee_method", .string(kneeMethod)),
    ])
  }

  private static func curve(_ curve: SweepResult.Curve, _ sweep: Sweep) -> JSONValue {
    func number(_ value: Double?) -> JSONValue { value.map(JSONValue.number) ?? .null }
    let points = zip(curve.results, curve.changes).map { result, change -> JSONValue in
      .object([
        ("estimate", number(result?.estimate)),
        ("low", number(result?.low)),
        ("high", number(result?.high)),
        ("change", number(change?.mean)),
        ("change_low", number(change?.interval?.lower)),
        ("change_high", number(change?.interval?.upper)),
      ])
    }
    return .object([
      ("policy", .string(curve.policy)),
      ("strategy", .string(curve.strategy)),
      ("metric", .string(curve.metric.name)),
      ("unit", .string(curve.metric.unit.rawValue)),
      ("points", .array(points)),
      ("knee", knee(curve.knee, sweep)),
    ])
  }

  private static func knee(_ knee: Knee?, _ sweep: Sweep) -> JSONValue {
    switch knee {
    case nil: return .null
    case .straight: return .object([("found", .bool(false))])
    case .bend(let index, let distance, let candidates):
      let values = sweep.inputs[0].values
      return .object([
        ("found", .bool(true)),
        ("value", .string(values[index])),
        ("distance", .number(distance)),
        ("low", .string(values[candidates[0]])),
        ("high", .string(values[candidates[candidates.count - 1]])),
        ("candidates", .array(candidates.map { .string(values[$0]) })),
      ])
    }
  }

  // MARK: CSV

  /// A line for each point, strategy and metric, by RFC 4180 with plain line ends; nothing is rounded.
  public static func csv(_ result: SweepResult) -> String {
    let sweep = result.sweep
    var text =
      (sweep.inputs.map(\.path)
      + [
        "policy", "strategy", "metric", "unit", "replications", "estimate", "low", "high", "change",
        "change_low", "change_high",
      ]).map(ResultCSV.field).joined(separator: ",") + "\n"
    func number(_ value: Double?) -> String { value.map { JSONValue.number($0).text } ?? "" }
    for (index, point) in sweep.points.enumerated() {
      let values = zip(sweep.inputs, point.indices).map { $0.values[$1] }
      for curve in result.curves {
        guard let result = curve.results[index] else { continue }
        let change = curve.changes[index]
        let cells =
          values
          + [
            curve.policy, curve.strategy, curve.metric.name, curve.metric.unit.rawValue,
            "\(result.values.count { $0 != nil })", number(result.estimate), number(result.low),
            number(result.high), number(change?.mean), number(change?.interval?.lower),
            number(change?.interval?.upper),
          ]
        text += cells.map(ResultCSV.field).joined(separator: ",") + "\n"
      }
    }
    return text
  }
}
