import Quantities
import ScenarioDecoding

/// A result as tidy tables: a row for each value, the columns described in `Documentation/ResultFiles.md`.
public enum ResultCSV {
  public static func files(_ result: ResultDocument) -> [(name: String, text: String)] {
    let views = RunView.all(result)
    /// Rows of every strategy after its policy and name.
    func each(_ rows: (RunView.Strategy) -> [[String]]) -> [[String]] {
      views.flatMap { view in
        view.strategies.flatMap { strategy in rows(strategy).map { [view.policy, strategy.key] + $0 } }
      }
    }
    func table(_ columns: [String], _ rows: (RunView.Strategy) -> [[String]]) -> String {
      text(["policy", "strategy"] + columns, each(rows))
    }
    return [
      (
        "metrics.csv",
        table(["metric", "unit", "estimate", "low", "high", "plausible_low", "plausible_high"]) { strategy in
          strategy.record.metrics.items.map { name, value in
            [name, value.unit]
              + [value.estimate, value.low, value.high, value.plausibleLow, value.plausibleHigh].map {
                number($0.json)
              }
          }
        }
      ),
      (
        "replications.csv",
        table(["replication", "metric", "unit", "value"]) { strategy in
          strategy.record.metrics.items.flatMap { name, metric in
            (metric.byReplication ?? []).enumerated().map { ["\($0)", name, metric.unit, number($1.json)] }
          }
        }
      ),
      ("fates.csv", table(["fate", "reason", "count", "share"], fates)),
      (
        "by_hour.csv",
        table(["hour"] + counts) { strategy in
          strategy.record.byHour.enumerated().map { ["\($0)"] + values($1) }
        }
      ),
      (
        "segments.csv",
        table(["dimension", "segment"] + counts) { strategy in
          [("user_class", strategy.record.byClass), ("device_kind", strategy.record.byDeviceKind)].flatMap {
            dimension, segments in segments.items.map { [dimension, $0.name] + values($0.value) }
          }
        }
      ),
      (
        "devices.csv",
        table(["share_over", "share_up_to", "devices", "share"]) { strategy in
          DeviceShares(strategy.record).map { shares in
            shares.counts.enumerated().map { tenth, count in
              let ends =
                tenth == 0
                ? ["", "0"] : [decimalText(Double(tenth - 1) / 10), decimalText(Double(tenth) / 10)]
              return ends + ["\(count)", JSONValue.number(shares.share(tenth...tenth)).text]
            }
          } ?? []
        }
      ),
      (
        "latency.csv",
        table(["statistic", "value"]) { strategy in
          strategy.record.sent == 0
            ? [] : strategy.record.latency.members.map { [$0.key, number($0.value)] }
        }
      ), ("mechanisms.csv", table(["mechanism", "count", "part", "value"], mechanisms)),
      ("comparisons.csv", comparisons(result, views)), ("assumptions.csv", assumptions(views)),
    ]
  }

  private static func fates(_ strategy: RunView.Strategy) -> [[String]] {
    let sent = Double(strategy.record.sent)
    guard sent > 0 else { return [] }
    return strategy.record.fates.items.flatMap { fate in
      var rest = fate.value
      var lines: [[String]] = []
      func add(_ reason: String, _ count: Int64) {
        lines.append([fate.name, reason, "\(count)", JSONValue.number(Double(count) / sent).text])
      }
      for reason in strategy.record.reasons[fate.name]?.items ?? [] {
        add(reason.name, reason.value)
        rest -= reason.value
      }
      // What has no reason, so that the rows of a strategy add up to what was sent.
      if rest > 0 || lines.isEmpty { add("", rest) }
      return lines
    }
  }

  private static let counts = SegmentRecord.fields.map(\.name)

  private static func values(_ segment: SegmentRecord) -> [String] {
    segment.members.map { number($0.value) }
  }

  /// A row for each number of a mechanism: `count` names it, `part` what it is of a count that is split up.
  private static func mechanisms(_ strategy: RunView.Strategy) -> [[String]] {
    (strategy.record.mechanisms?.items ?? []).flatMap { name, mechanism in
      mechanism.members.flatMap { count -> [[String]] in
        let parts = count.value.members
        guard parts.isEmpty else { return parts.map { [name, count.key, $0.key, number($0.value)] } }
        return count.value.double == nil ? [] : [[name, count.key, "", number(count.value)]]
      }
    }
  }

  private static func comparisons(_ result: ResultDocument, _ views: [RunView]) -> String {
    func line(_ policy: String, _ kind: String, _ value: ComparisonRecord) -> [String] {
      [policy, kind, value.metric, value.strategy, value.baseline]
        + [value.difference, value.low, value.high, value.plausibleLow, value.plausibleHigh].map {
          number($0.json)
        }
    }
    return text(
      [
        "policy", "kind", "metric", "strategy", "baseline", "difference", "low", "high", "plausible_low",
        "plausible_high",
      ],
      views.flatMap { view in view.record.comparisons.map { line(view.policy, "strategies", $0) } }
        + (result.policyDifferences ?? []).map { line("", "policies", $0) })
  }

  private static func assumptions(_ views: [RunView]) -> String {
    text(
      ["policy"] + AssumptionRecord.fields.map(\.name),
      views.flatMap { view in
        (view.record.assumptions + view.record.knownParameters).map {
          [view.policy] + $0.members.map { $0.value.string ?? "" }
        }
      })
  }

  /// As the JSON has it; empty for null.
  private static func number(_ value: JSONValue) -> String { value.double == nil ? "" : value.text }

  /// Lines of cells, the columns' names first.
  static func text(_ columns: [String], _ rows: [[String]]) -> String {
    var text = ""
    for row in [columns] + rows { text += row.map(field).joined(separator: ",") + "\n" }
    return text
  }

  /// RFC 4180: quoted where it must be.
  static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
