import Experiments
import Quantities

/// The result in Markdown, short enough for a pull request.
public enum MarkdownSummary {
  public static func text(_ result: JSONValue) -> String {
    let runs = ReportRun.all(result)
    var text = "## \(escaped(result["scenario"]?.string ?? "result"))\n\n"
    text += "\(escaped(result["question"]?.string ?? ""))\n"
    for run in runs {
      if runs.count > 1 { text += "\n### Policy \(escaped(run.policy))\n" }
      text += answer(run) + strategies(run) + mechanisms(run) + expectations(run) + assumptions(run)
    }
    if let note = runs.first?.value["note"]?.string { text += "\n\(escaped(note))\n" }
    text += provenance(result, runs)
    if let command = result["reproduce"]?["command"]?.string {
      let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: command) + 1))
      text += "\nReproduce with pushsim \(escaped(version(runs))):\n\n\(fence)\n\(command)\n\(fence)\n"
    }
    return text
  }

  /// What made the numbers, without a date: of one program, the same line means the same numbers.
  private static func provenance(_ result: JSONValue, _ runs: [ReportRun]) -> String {
    guard let given = runs.first?.value["provenance"] else { return "" }
    func text(_ key: String) -> String { escaped(given[key]?.plainText ?? "–") }
    func length(_ key: String) -> String {
      given[key]?.double.map { Quantity.format($0, .time) } ?? "–"
    }
    return "\nProvenance: pushsim \(escaped(version(runs))), \(escaped(result["format"]?.string ?? "–")); "
      + "scenario SHA-256 \(text("scenario_sha256")); "
      + "\(runs.count == 1 ? "policy" : "policies") \(runs.map { escaped($0.policy) }.joined(separator: ", ")); "
      + "population \(text("population")); seed \(text("seed")); devices \(text("devices")); "
      + "replications \(text("replications")) of \(length("duration_s")) after a warm-up of \(length("warm_up_s")).\n"
  }

  private static func version(_ runs: [ReportRun]) -> String {
    runs.first?.value["provenance"]?["pushsim"]?.string ?? "–"
  }

  private static func answer(_ run: ReportRun) -> String {
    var sentences = AnswerText.sentences(run)
    sentences += UncertaintySection.sentences(run) + GoalWords.sentences(run)
    if let warning = GoalWords.warmUp(run) { sentences.append("Note: " + warning) }
    return sentences.isEmpty ? "" : "\n" + sentences.map { "- \(escaped($0))\n" }.joined()
  }

  /// Calls, extensions, tasks and downloads.
  private static func mechanisms(_ run: ReportRun) -> String {
    let sentences = MechanismWords.sentences(run)
    return sentences.isEmpty ? "" : "\n" + sentences.map { "- \(escaped($0))\n" }.joined()
  }

  private static func strategies(_ run: ReportRun) -> String {
    let metrics = Metric.shown.map(\.name).filter(run.has)
    var rows = [["strategy"] + metrics.map(ReportParts.metric)]
    for strategy in run.strategies {
      rows.append([escaped(strategy.name)] + metrics.map { cell(run.metric(strategy.value, $0)) })
    }
    return "\n" + table(rows) + "\nIn brackets: \(run.confidence) intervals over replications.\n"
  }

  static func cell(_ estimate: Estimate?) -> String {
    guard let estimate else { return "–" }
    let style = NumberStyle(unit: estimate.unit)
    return style.estimate(estimate.estimate, estimate.low, estimate.high)
  }

  private static func expectations(_ run: ReportRun) -> String {
    let all = run.value["expectations"]?.elements ?? []
    guard !all.isEmpty else { return "" }
    var text = "\n"
    for value in all {
      let metric = value["metric"]?.string ?? ""
      let style = ComparisonWords.style(run, metric)
      let observed = value["observed"]?.double.map(style.text) ?? "nothing"
      text +=
        "- **\(escaped(value["outcome"]?.string ?? "–"))**: \(escaped(value["strategy"]?.string ?? "–")), \(escaped(metric)); observed \(observed)\n"
    }
    return text
  }

  private static func assumptions(_ run: ReportRun) -> String {
    let all = run.value["assumptions"]?.elements ?? []
    guard !all.isEmpty else { return "" }
    let known = run.value["known_parameters"]?.elements.count ?? 0
    // The file lists what matters in this run, if it was written by a version that says so.
    let named = run.value["assumptions_that_matter"]?.elements.compactMap(\.string) ?? []
    let top = named.compactMap { name in all.first { $0["parameter"]?.string == name } }
    var text = "\nAssumed, not known: \(all.count) of \(all.count + known) parameters"
    guard !top.isEmpty else { return text + ".\n" }
    text += "; behind the commonest reasons here:\n\n"
    var rows = [["parameter", "value", "plausible"]]
    for item in top {
      rows.append([
        escaped(item["parameter"]?.string ?? ""), escaped(item["value"]?.plainText ?? ""),
        escaped(item["prior"]?.string ?? ""),
      ])
    }
    return text + table(rows)
  }

  static func table(_ rows: [[String]]) -> String {
    var text = ""
    for (index, row) in rows.enumerated() {
      text += "| " + row.joined(separator: " | ") + " |\n"
      if index == 0 { text += "|" + String(repeating: " --- |", count: row.count) + "\n" }
    }
    return text
  }

  /// Text that Markdown shows as it stands, on one line.
  static func escaped(_ string: String) -> String {
    var text = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": text += " "
      // Else a name could mention somebody, or an address become a link.
      case "@": text += "&#64;"
      case "<": text += "&lt;"
      case "&": text += "&amp;"
      case "\\", "`", "*", "[", "]", "|", "#", "~", "!": text += "\\" + String(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var longest = 0
    var current = 0
    for next in text {
      current = next == character ? current + 1 : 0
      longest = max(longest, current)
    }
    return longest
  }
}
