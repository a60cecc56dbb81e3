import Experiments
import OutputAnalysis

/// How two results differ: the metrics of the strategies that both have, and what was changed between the runs.
public struct ResultComparison {
  private let a: JSONValue
  private let b: JSONValue
  private let names: (a: String, b: String)
  /// The runs of both that are about the same policy.
  private let pairs: [(a: ReportRun, b: ReportRun)]

  /// One metric of one strategy in both results. The difference is the second minus the first.
  private struct Row {
    var strategy: String
    var metric: String
    var a: Estimate
    var b: Estimate
    var difference: Double
    var low: Double?
    var high: Double?

    /// Nil: there is no interval to tell.
    var isClear: Bool? {
      guard let low, let high else { return nil }
      return low > 0 || high < 0
    }
  }

  /// - Parameters:
  ///   - a: a result as ``ResultFile`` reads it.
  ///   - nameA: what to call it, such as its file.
  public init(_ a: JSONValue, named nameA: String, _ b: JSONValue, named nameB: String) {
    self.a = a
    self.b = b
    names = (nameA, nameB)
    let (runsA, runsB) = (
      ReportRun.all(a).map { $0.moved(below: "a") }, ReportRun.all(b).map { $0.moved(below: "b") }
    )
    if runsA.count == 1, runsB.count == 1 {
      pairs = [(runsA[0], runsB[0])]
    } else {
      pairs = runsA.compactMap { run in runsB.first { $0.policy == run.policy }.map { (run, $0) } }
    }
  }

  // MARK: What differs

  private static let main = Metric.shown.map(\.name)

  private func rows(_ pair: (a: ReportRun, b: ReportRun)) -> [Row] {
    pair.a.strategies.flatMap { strategy -> [Row] in
      guard let other = pair.b.strategies.first(where: { $0.name == strategy.name }) else { return [] }
      return (strategy.value["metrics"]?.members ?? []).compactMap { member in
        guard let x = Estimate(member.value), let field = other.value["metrics"]?[member.key],
          let y = Estimate(field)
        else { return nil }
        var row = Row(
          strategy: strategy.name, metric: member.key, a: x, b: y, difference: y.estimate - x.estimate)
        interval(&row, member.value, field, pair)
        return row
      }
    }
  }

  /// Replications share their random numbers if seed, devices and number are the same; then differences are taken
  /// within them. Else the two results are as good as independent.
  private func arePaired(_ pair: (a: ReportRun, b: ReportRun)) -> Bool {
    ["seed", "devices", "replications", "duration_s", "warm_up_s"].allSatisfy { key in
      pair.a.value["provenance"]?[key]?.double == pair.b.value["provenance"]?[key]?.double
    }
  }

  private func interval(
    _ row: inout Row, _ x: JSONValue, _ y: JSONValue, _ pair: (a: ReportRun, b: ReportRun)
  ) {
    let (valuesX, valuesY) = (
      x["by_replication"]?.elements.map(\.double) ?? [], y["by_replication"]?.elements.map(\.double) ?? []
    )
    if arePaired(pair), valuesX.count == valuesY.count, !valuesX.isEmpty {
      let differences = zip(valuesX, valuesY).compactMap { x, y in x.flatMap { x in y.map { $0 - x } } }
      guard !differences.isEmpty else { return }
      let estimate = MeanEstimate(differences, confidence: confidence(pair))
      row.difference = estimate.mean
      row.low = estimate.interval?.lower
      row.high = estimate.interval?.upper
    } else if let lowX = row.a.low, let highX = row.a.high, let lowY = row.b.low, let highY = row.b.high {
      // The squares of independent half-widths add up.
      let (halfX, halfY) = ((highX - lowX) / 2, (highY - lowY) / 2)
      let half = (halfX * halfX + halfY * halfY).squareRoot()
      row.low = row.difference - half
      row.high = row.difference + half
    }
  }

  private func confidence(_ pair: (a: ReportRun, b: ReportRun)) -> Double {
    let given = pair.a.value["provenance"]?["confidence"]?.double ?? 0.95
    return given > 0 && given < 1 ? given : 0.95
  }

  /// What was changed: name, in the first, in the second.
  private func changes(_ pair: (a: ReportRun, b: ReportRun)) -> [(what: String, a: String, b: String)] {
    func changed(_ x: [(String, String)], _ y: [(String, String)]) -> [(what: String, a: String, b: String)] {
      let (before, after) = (Dictionary(x) { $1 }, Dictionary(y) { $1 })
      let names = x.map(\.0) + y.map(\.0).filter { before[$0] == nil }
      return names.filter { before[$0] != after[$0] }.map { ($0, before[$0] ?? "–", after[$0] ?? "–") }
    }
    func provenance(_ run: ReportRun) -> [(String, String)] {
      (run.value["provenance"]?.members ?? []).map { ($0.key, $0.value.plainText) }
    }
    func parameters(_ run: ReportRun) -> [(String, String)] {
      ((run.value["assumptions"]?.elements ?? []) + (run.value["known_parameters"]?.elements ?? [])).map {
        ($0["parameter"]?.string ?? "", $0["value"]?.plainText ?? "")
      }
    }
    let whole = [
      ("scenario", a["scenario"]?.string ?? "", b["scenario"]?.string ?? ""),
      ("command", a["reproduce"]?["command"]?.string ?? "–", b["reproduce"]?["command"]?.string ?? "–"),
    ].filter { $0.1 != $0.2 }.map { (what: $0.0, a: $0.1, b: $0.2) }
    return whole + changed(provenance(pair.a), provenance(pair.b))
      + changed(parameters(pair.a), parameters(pair.b))
  }

  /// The lines of the scenario that were taken out and put in, with `-` and `+`.
  private var scenarioLines: [String] {
    func lines(_ result: JSONValue) -> [Substring] {
      (result["reproduce"]?["scenario_text"]?.string ?? "").split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }
    let (before, after) = (lines(a), lines(b))
    // Finding what is common takes the square of the number of changes.
    guard before != after, before.count <= 5000, after.count <= 5000 else { return [] }
    let difference = after.difference(from: before)
    let all = difference.map { change in
      switch change {
      case .remove(let offset, let line, _): (offset, 0, "- \(line)")
      case .insert(let offset, let line, _): (offset, 1, "+ \(line)")
      }
    }
    return all.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(200).map(\.2)
  }

  private func lonely(_ pair: (a: ReportRun, b: ReportRun)) -> [String] {
    func missing(_ x: ReportRun, _ y: ReportRun, _ name: String) -> [String] {
      let only = x.strategies.map(\.name).filter { name in !y.strategies.contains { $0.name == name } }
      return only.isEmpty ? [] : ["only in \(name): \(only.joined(separator: ", "))"]
    }
    return missing(pair.a, pair.b, "A") + missing(pair.b, pair.a, "B")
  }

  private func method(_ pair: (a: ReportRun, b: ReportRun)) -> String {
    let level = NumberText.percent(confidence(pair), decimals: 0)
    return arePaired(pair)
      ? "B minus A, paired by replication since both share seed, devices and length; in brackets: \(level) intervals."
      : "B minus A; the results share no random numbers, so the intervals (\(level), in brackets) are those of independent runs."
  }

  /// How many differences are clear, in a sentence.
  private func verdict(_ rows: [Row]) -> String {
    let clear = rows.filter { $0.isClear == true }
    if rows.allSatisfy({ $0.difference == 0 }) { return "No metric differs at all." }
    guard rows.contains(where: { $0.isClear != nil }) else {
      return "One replication gives no precision, so no difference can be told from chance."
    }
    return "\(clear.count) of \(rows.count) metrics differ clearly: their interval leaves 0 out."
  }

  private func differenceText(_ row: Row) -> String {
    let style = NumberStyle(unit: row.a.unit)
    return style.change(row.difference, row.low, row.high)
  }

  // MARK: As text

  public func text(width: Int) -> String {
    var text = "A: \(names.a)\nB: \(names.b)\n"
    if pairs.isEmpty { text += "the results have no policy in common\n" }
    for pair in pairs {
      let rows = rows(pair)
      text += "\npolicy \(policyName(pair)): \(verdict(rows))\n"
      var table = TextTable([
        TextTable.Column("strategy", .left, mayShrink: true), TextTable.Column("metric"),
        TextTable.Column("A", .right), TextTable.Column("B", .right), TextTable.Column("difference"),
      ])
      let main = rows.filter { Self.main.contains($0.metric) }
      let changed = main.filter { $0.difference != 0 }
      for row in changed {
        let style = NumberStyle(unit: row.a.unit)
        table.add([
          row.strategy, row.metric, style.text(row.a.estimate), style.text(row.b.estimate),
          differenceText(row),
        ])
      }
      if !changed.isEmpty { text += table.text(width: width) }
      if changed.count < main.count, !changed.isEmpty {
        text += "\(main.count - changed.count) of the \(main.count) main metrics do not differ at all\n"
      }
      text += TextSummary.wrapped(method(pair), width: width)
      for line in lonely(pair) { text += TextSummary.wrapped(line, width: width) }
      let changes = changes(pair)
      if !changes.isEmpty {
        text += "what was changed\n"
        var table = TextTable([
          TextTable.Column(""), TextTable.Column("A", .left, mayShrink: true),
          TextTable.Column("B", .left, mayShrink: true),
        ])
        // Commands differ at their ends, which a column would cut off.
        let isLong: (String) -> Bool = { $0 == "command" }
        for change in changes where !isLong(change.what) { table.add([change.what, change.a, change.b]) }
        if changes.contains(where: { !isLong($0.what) }) { text += table.text(width: width, indentation: 2) }
        for change in changes where isLong(change.what) {
          text += TextSummary.wrapped("  A: \(change.a)", width: width, hanging: 5)
          text += TextSummary.wrapped("  B: \(change.b)", width: width, hanging: 5)
        }
      }
    }
    let lines = scenarioLines
    if !lines.isEmpty { text += "the scenario\n" + lines.map { "  \($0)\n" }.joined() }
    return text
  }

  private func policyName(_ pair: (a: ReportRun, b: ReportRun)) -> String {
    pair.a.policy == pair.b.policy ? pair.a.policy : "\(pair.a.policy) (A) and \(pair.b.policy) (B)"
  }

  public var markdown: String {
    let escaped = MarkdownSummary.escaped
    var text = "## \(escaped(title))\n\nA: \(escaped(names.a)), B: \(escaped(names.b))\n"
    for pair in pairs {
      let rows = rows(pair)
      if pairs.count > 1 { text += "\n### Policy \(escaped(policyName(pair)))\n" }
      text += "\n\(verdict(rows))\n\n"
      text += MarkdownSummary.table(
        [["strategy", "metric", "A", "B", "difference"]]
          + rows.filter { Self.main.contains($0.metric) || $0.isClear == true }.map { row in
            [
              escaped(row.strategy), ReportParts.metric(row.metric), MarkdownSummary.cell(row.a),
              MarkdownSummary.cell(row.b), differenceText(row),
            ]
          })
      text += "\n\(method(pair))\n"
      for line in lonely(pair) { text += "\n\(escaped(line))\n" }
      let changes = changes(pair)
      if !changes.isEmpty {
        text += "\nWhat was changed:\n\n"
        text += MarkdownSummary.table(
          [["", "A", "B"]] + changes.map { [escaped($0.what), escaped($0.a), escaped($0.b)] })
      }
    }
    return text
  }

  private var title: String {
    let (x, y) = (a["scenario"]?.string ?? "A", b["scenario"]?.string ?? "B")
    return x == y ? "\(x): two results" : "\(x) and \(y)"
  }

  // MARK: As a page

  public var page: String {
    var body: Markup = ""
    if pairs.isEmpty { body += "<p>The results have no policy in common.</p>\n" }
    for (index, pair) in pairs.enumerated() { body += section(pair, suffix: "-\(index + 1)") }
    let lines = scenarioLines
    if !lines.isEmpty {
      body +=
        "<section aria-labelledby=\"scenario\">\n<h2 id=\"scenario\">The scenario</h2>\n<pre tabindex=\"0\">\(lines.joined(separator: "\n"))</pre>\n</section>\n"
    }
    return ReportPage.page(
      title: title, question: a["question"]?.string ?? "",
      note: ReportRun.all(a).first?.value["note"]?.string,
      contents: "<p>A: <bdi>\(names.a)</bdi><br/>B: <bdi>\(names.b)</bdi></p>", body)
  }

  private func section(_ pair: (a: ReportRun, b: ReportRun), suffix: String) -> Markup {
    let rows = rows(pair)
    var body: Markup =
      "<section aria-labelledby=\"policy\(suffix)\">\n<h2 id=\"policy\(suffix)\">Policy <bdi>\(policyName(pair))</bdi></h2>\n"
    body += "<div class=\"answer\"><p>\(verdict(rows))</p>"
    let clear = rows.filter { $0.isClear == true && Self.main.contains($0.metric) }
    body += ReportParts.list(
      clear.map { "<b><bdi>\($0.strategy)</bdi></b>: \(ReportParts.metric($0.metric)) \(differenceText($0))" }
    )
    body += "<p class=\"mut\">\(method(pair))</p></div>\n"
    for line in lonely(pair) { body += "<p><bdi>\(line)</bdi></p>\n" }
    let changes = changes(pair)
    body += "<h3>What was changed</h3>\n"
    body +=
      changes.isEmpty
      ? "<p>Nothing that the results tell.</p>\n"
      : ReportParts.table(
        [ReportParts.Column("what"), ReportParts.Column("A"), ReportParts.Column("B")],
        changes.map { [ReportParts.code($0.what), "\($0.a)", "\($0.b)"] }, label: "What was changed",
        isFluid: true)
    body += "<div class=\"charts\">\(charts(rows, pair))</div>\n"
    body += "<h3>All metrics</h3>\n"
    body += ReportParts.table(
      [
        ReportParts.Column("strategy"), ReportParts.Column("metric"), ReportParts.Column("A", number: true),
        ReportParts.Column("B", number: true), ReportParts.Column("difference", number: true),
      ],
      rows.map { row in
        [
          ReportParts.name(row.strategy), ReportParts.code(row.metric),
          pair.a.estimate(row.strategy, row.metric),
          pair.b.estimate(row.strategy, row.metric),
          row.isClear == true ? "<b>\(differenceText(row))</b>" : "\(differenceText(row))",
        ]
      }, label: "All metrics")
    return body + "</section>\n"
  }

  private func charts(_ rows: [Row], _ pair: (a: ReportRun, b: ReportRun)) -> Markup {
    var charts: Markup = ""
    for metric in Self.main {
      let chosen = rows.filter { $0.metric == metric }
      guard let first = chosen.first, chosen.contains(where: { $0.difference != 0 }) else { continue }
      let style = NumberStyle(unit: first.a.unit)
      let bars = chosen.flatMap { row in
        [("A", row.a), ("B", row.b)].map { name, estimate in
          Chart.Bar(
            label: "\(name)  \(row.strategy)", value: estimate.estimate, low: estimate.low,
            high: estimate.high,
            text: style.text(estimate.estimate))
        }
      }
      let clear = chosen.filter { $0.isClear == true }
      charts += ReportParts.figure(
        "\(ReportParts.metric(metric))",
        takeaway:
          "\(clear.isEmpty ? "No clear difference." : "Clear: " + clear.map { "\($0.strategy) \(style.difference($0.difference))" }.joined(separator: ", ") + ".")",
        Chart.bars(
          bars, axis: StrategySection.axis(metric, first.a.unit), style: style,
          limit: first.a.unit == "proportion" ? 1 : .infinity,
          label: "\(ReportParts.metric(metric)) in both results"), table: "")
    }
    return charts
  }
}
