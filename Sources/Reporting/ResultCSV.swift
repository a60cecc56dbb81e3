/// A result as tidy tables: a row for each value, the columns described in `Documentation/ResultFiles.md`.
public enum ResultCSV {
  public static func files(_ result: JSONValue) -> [(name: String, text: String)] {
    let runs = ReportRun.all(result)
    return [
      ("metrics.csv", metrics(runs)), ("replications.csv", replications(runs)), ("fates.csv", fates(runs)),
      ("by_hour.csv", hours(runs)), ("segments.csv", segments(runs)), ("latency.csv", latency(runs)),
      ("mechanisms.csv", mechanisms(runs)), ("comparisons.csv", comparisons(result, runs)),
      ("assumptions.csv", assumptions(runs)),
    ]
  }

  private static func metrics(_ runs: [ReportRun]) -> String {
    rows(
      ["policy", "strategy", "metric", "unit", "estimate", "low", "high"],
      runs.flatMap { run in
        run.strategies.flatMap { strategy in
          (strategy.value["metrics"]?.members ?? []).map { metric in
            [run.policy, strategy.name, metric.key, metric.value["unit"]?.string ?? ""]
              + ["estimate", "low", "high"].map { number(metric.value[$0]) }
          }
        }
      })
  }

  private static func replications(_ runs: [ReportRun]) -> String {
    rows(
      ["policy", "strategy", "replication", "metric", "unit", "value"],
      runs.flatMap { run in
        run.strategies.flatMap { strategy in
          (strategy.value["metrics"]?.members ?? []).flatMap { metric in
            (metric.value["by_replication"]?.elements ?? []).enumerated().map { index, value in
              [
                run.policy, strategy.name, "\(index)", metric.key, metric.value["unit"]?.string ?? "",
                number(value),
              ]
            }
          }
        }
      })
  }

  private static func fates(_ runs: [ReportRun]) -> String {
    rows(
      ["policy", "strategy", "fate", "reason", "count", "share"],
      runs.flatMap { run in
        run.senders.flatMap { strategy -> [[String]] in
          let sent = strategy.value["sent"]?.double ?? 0
          return (strategy.value["fates"]?.members ?? []).flatMap { fate -> [[String]] in
            var rest = fate.value.count ?? 0
            var lines: [[String]] = []
            func add(_ reason: String, _ count: Int64) {
              let share = JSONValue.number(sent > 0 ? Double(count) / sent : 0).text
              lines.append([run.policy, strategy.name, fate.key, reason, "\(count)", share])
            }
            for reason in strategy.value["reasons"]?[fate.key]?.members ?? [] {
              add(reason.key, reason.value.count ?? 0)
              rest -= reason.value.count ?? 0
            }
            // What has no reason, so that the rows of a strategy add up to what was sent.
            if rest > 0 || lines.isEmpty { add("", rest) }
            return lines
          }
        }
      })
  }

  private static let counts = [
    "sent", "delivered", "delivered_within_5min", "not_wakeable", "opens", "fresh_opens",
  ]

  private static func hours(_ runs: [ReportRun]) -> String {
    rows(
      ["policy", "strategy", "hour"] + counts,
      runs.flatMap { run in
        run.strategies.flatMap { strategy in
          (strategy.value["by_hour"]?.elements ?? []).enumerated().map { hour, cell in
            [run.policy, strategy.name, "\(hour)"] + counts.map { number(cell[$0]) }
          }
        }
      })
  }

  private static func segments(_ runs: [ReportRun]) -> String {
    rows(
      ["policy", "strategy", "dimension", "segment"] + counts,
      runs.flatMap { run in
        run.strategies.flatMap { strategy in
          [("user_class", "by_class"), ("device_kind", "by_device_kind")].flatMap { dimension, field in
            (strategy.value[field]?.members ?? []).map { segment in
              [run.policy, strategy.name, dimension, segment.key] + counts.map { number(segment.value[$0]) }
            }
          }
        }
      })
  }

  private static func latency(_ runs: [ReportRun]) -> String {
    rows(
      ["policy", "strategy", "statistic", "value"],
      runs.flatMap { run in
        run.senders.flatMap { strategy in
          (strategy.value["latency_s"]?.members ?? []).map { member in
            [run.policy, strategy.name, member.key, number(member.value)]
          }
        }
      })
  }

  /// A row for each number of a mechanism: `count` names it, `part` what it is of a count that is split up.
  private static func mechanisms(_ runs: [ReportRun]) -> String {
    rows(
      ["policy", "strategy", "mechanism", "count", "part", "value"],
      runs.flatMap { run in
        run.strategies.flatMap { strategy in
          (strategy.value["mechanisms"]?.members ?? []).flatMap { mechanism in
            mechanism.value.members.flatMap { count -> [[String]] in
              let start = [run.policy, strategy.name, mechanism.key, count.key]
              let parts = count.value.members
              guard parts.isEmpty else { return parts.map { start + [$0.key, number($0.value)] } }
              return count.value.double == nil ? [] : [start + ["", number(count.value)]]
            }
          }
        }
      })
  }

  private static func comparisons(_ result: JSONValue, _ runs: [ReportRun]) -> String {
    let keys = ["metric", "strategy", "baseline", "difference", "low", "high"]
    func line(_ policy: String, _ kind: String, _ value: JSONValue) -> [String] {
      [policy, kind] + keys.map { key in value[key]?.string ?? number(value[key]) }
    }
    return rows(
      ["policy", "kind"] + keys,
      runs.flatMap { run in
        (run.value["comparisons"]?.elements ?? []).map { line(run.policy, "strategies", $0) }
      } + (result["policy_differences"]?.elements ?? []).map { line("", "policies", $0) })
  }

  private static func assumptions(_ runs: [ReportRun]) -> String {
    let keys = ["parameter", "value", "prior", "evidence", "source"]
    return rows(
      ["policy"] + keys,
      runs.flatMap { run in
        ((run.value["assumptions"]?.elements ?? []) + (run.value["known_parameters"]?.elements ?? [])).map {
          item in [run.policy] + keys.map { item[$0]?.string ?? "" }
        }
      })
  }

  /// As the JSON has it; empty for null.
  private static func number(_ value: JSONValue?) -> String {
    guard let value, value.double != nil else { return "" }
    return value.text
  }

  private static func rows(_ columns: [String], _ rows: [[String]]) -> String {
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
