import Experiments

/// Every strategy and its metrics.
enum StrategySection {
  static func markup(_ run: ReportRun) -> Markup {
    let present = Metric.shown.map(\.name).filter(run.has)
    var body = ReportParts.table(
      [ReportParts.Column("strategy")]
        + present.map { ReportParts.Column("\(ReportParts.metric($0))", number: true) },
      run.strategies.map { strategy in
        [ReportParts.name(strategy.name)] + present.map { run.estimate(strategy.name, $0) }
      }, label: "Strategies and their main metrics")
    // Of calls, whether they rang says more than whether the app had them.
    let drawn = Metric.main.map(\.name).filter {
      run.has($0) && !($0 == "delivered_within_5min" && isAllCalls(run))
    }
    body += ReportParts.charts(drawn.map { chart(run, $0) }, shown: 4, rest: "More metrics as charts")
    let names = allMetrics(run)
    body +=
      "<details><summary>All \(names.count) metrics</summary>"
      + ReportParts.table(
        [ReportParts.Column("metric")]
          + run.strategies.map { ReportParts.Column(ReportParts.name($0.name), number: true) }
          + [ReportParts.Column("meaning")],
        names.map { metric in
          [ReportParts.code(metric)] + run.strategies.map { run.estimate($0.name, metric) }
            + ["\(run.meaning("metrics", metric) ?? "")"]
        }, label: "All metrics") + "</details>\n"
    return body
  }

  private static func isAllCalls(_ run: ReportRun) -> Bool {
    run.senders.allSatisfy { run.pushMechanisms($0.value) == ["voip_push"] } && !run.senders.isEmpty
  }

  private static func allMetrics(_ run: ReportRun) -> [String] {
    var names: [String] = []
    for strategy in run.strategies {
      for member in strategy.value["metrics"]?.members ?? [] where !names.contains(member.key) {
        names.append(member.key)
      }
    }
    return names
  }

  private static func chart(_ run: ReportRun, _ metric: String) -> Markup {
    var bars: [(name: String, bar: Chart.Bar)] = []
    for strategy in run.strategies {
      guard let found = run.metric(strategy.value, metric) else { continue }
      let style = NumberStyle(unit: found.unit)
      bars.append(
        (
          strategy.name,
          Chart.Bar(
            label: strategy.name, value: found.estimate, low: found.low, high: found.high,
            text: style.text(found.estimate))
        ))
    }
    guard let first = bars.first, let unit = run.metric(run.at(["strategies", first.name])!, metric)?.unit
    else { return "" }
    let style = NumberStyle(unit: unit)
    let most = bars.max { $0.bar.value < $1.bar.value }!
    let least = bars.min { $0.bar.value < $1.bar.value }!
    let takeaway: Markup =
      bars.count == 1
      ? "\(ReportParts.name(first.name)): \(first.bar.text)."
      : most.bar.text == least.bar.text
        ? "All: \(most.bar.text)."
        : "Most: \(ReportParts.name(most.name)), \(most.bar.text). Least: \(ReportParts.name(least.name)), \(least.bar.text)."
    let title: Markup = "\(ReportParts.metric(metric))"
    return ReportParts.figure(
      title,
      takeaway: "\(run.meaning("metrics", metric).map { ReportParts.sentence($0) + " " } ?? "")\(takeaway)",
      Chart.bars(
        bars.map(\.bar), axis: axis(metric, unit), style: style,
        limit: unit == "proportion" ? 1 : .infinity, label: "\(ReportParts.metric(metric)) by strategy"),
      table: ReportParts.table(
        [ReportParts.Column("strategy"), ReportParts.Column("estimate and interval", number: true)],
        bars.map { [ReportParts.name($0.name), run.estimate($0.name, metric)] },
        label: "\(ReportParts.metric(metric)) by strategy"))
  }

  static func axis(_ metric: String, _ unit: String) -> String {
    switch unit {
    case "proportion":
      metric.hasPrefix("fresh")
        ? "share of opens" : metric == "wasted_wakes" ? "share of wakes" : "share of pushes"
    case "s": "time"
    default: unit
    }
  }
}

/// From what was sent to how each push ended, with the reasons.
enum FateSection {
  /// Smaller parts of what was sent than this share a row of their fate.
  private static let smallest = 0.004

  static func markup(_ run: ReportRun) -> Markup {
    guard !run.senders.isEmpty else { return "" }
    let fates = (run.senders[0].value["fates"]?.members ?? []).map(\.key).filter { fate in
      run.senders.contains { ($0.value["fates"]?[fate]?.count ?? 0) > 0 }
    }
    var body: Markup =
      "<p>Every push has one fate. Widths are shares of what was sent; the reason is the policy factor, or the answer of APNs, that ended the push or held it when the run ended.</p>\n"
    body += ReportParts.charts(
      run.senders.map { flow(run, $0.name, $0.value) }, shown: 4, rest: "The pushes of the other strategies")
    body += "<h3>Counts</h3>\n"
    body += ReportParts.table(
      [ReportParts.Column("strategy"), ReportParts.Column("sent", number: true)]
        + fates.map { ReportParts.Column("\(ReportParts.words($0))", number: true) },
      run.senders.map { strategy in
        let keys = ["strategies", strategy.name]
        return [ReportParts.name(strategy.name), run.number(keys + ["sent"], .count)]
          + fates.map { run.number(keys + ["fates", $0], .count) }
      }, label: "Fates by strategy")
    return body + meanings(run, fates)
  }

  private static func meanings(_ run: ReportRun, _ fates: [String]) -> Markup {
    var rows: [[Markup]] = fates.compactMap { fate in
      run.meaning("fates", fate).map { ["\(ReportParts.words(fate))", "fate", "\($0)"] }
    }
    var reasons: [String] = []
    for strategy in run.senders {
      for fate in strategy.value["reasons"]?.members ?? [] {
        for reason in fate.value.members where !reasons.contains(reason.key) { reasons.append(reason.key) }
      }
    }
    rows += reasons.compactMap { reason in
      run.meaning("reasons", reason).map { ["\(ReportParts.words(reason))", "reason", "\($0)"] }
    }
    guard !rows.isEmpty else { return "" }
    return "<details><summary>What the fates and reasons mean</summary>"
      + ReportParts.table(
        [ReportParts.Column("name"), ReportParts.Column("kind"), ReportParts.Column("meaning")], rows,
        label: "Meanings") + "</details>\n"
  }

  private static func flow(_ run: ReportRun, _ name: String, _ strategy: JSONValue) -> Markup {
    let sent = strategy["sent"]?.double ?? 0
    var ends: [Chart.FlowEnd] = []
    var rows: [[Markup]] = []
    var small = 0.0
    for (index, fate) in (strategy["fates"]?.members ?? []).enumerated() {
      guard let count = fate.value.double, count > 0 else { continue }
      let words = ReportParts.words(fate.key)
      let keys = ["strategies", name]
      rows.append([
        "\(words)", "", run.number(keys + ["fates", fate.key], .count),
        "\(NumberText.percent(count / sent))",
      ])
      var rest = count
      var parts: [Chart.FlowEnd] = []
      for reason in strategy["reasons"]?[fate.key]?.members ?? [] {
        guard let part = reason.value.double, part > 0 else { continue }
        rows.append([
          "\(words)", "\(ReportParts.words(reason.key))",
          run.number(keys + ["reasons", fate.key, reason.key], .count), "\(NumberText.percent(part / sent))",
        ])
        guard part / sent >= smallest else { continue }
        rest -= part
        parts.append(end(words, ReportParts.words(reason.key), part, index, sent))
      }
      parts.sort { ($1.count, $0.reason ?? "") < ($0.count, $1.reason ?? "") }
      if parts.isEmpty, count / sent < smallest {
        small += count
        continue
      }
      if rest / sent < 0.0005 {
        small += rest
        rest = 0
      }
      if rest > 0.5 { parts.append(end(words, parts.isEmpty ? nil : "other", rest, index, sent)) }
      ends += parts
    }
    // The delivered ones first, then the larger fates.
    let sums = Dictionary(grouping: ends, by: \.kind).mapValues { $0.reduce(0) { $0 + $1.count } }
    ends = ends.enumerated().sorted { a, b in
      let (x, y) = (a.element, b.element)
      if (x.kind == "delivered") != (y.kind == "delivered") { return x.kind == "delivered" }
      if x.kind != y.kind { return (sums[y.kind]!, x.kind) < (sums[x.kind]!, y.kind) }
      return a.offset < b.offset
    }.map(\.element)
    if small > 0 { ends.append(end("others", nil, small, 3, sent)) }
    let most = ends.filter { $0.kind != "delivered" }.max { $0.count < $1.count }
    let delivered = sums["delivered"] ?? 0
    let takeaway: Markup =
      "Delivered: \(NumberText.percent(delivered / sent)) of \(NumberText.grouped(sent)) pushes."
      + (most.map {
        " Largest of the others: \($0.kind)\($0.reason.map { ", \($0)" } ?? ""), \(NumberText.percent($0.count / sent))."
      } ?? "")
    return ReportParts.figure(
      ReportParts.name(name), takeaway: takeaway,
      Chart.flow(
        ends, total: sent, from: "\(NumberText.grouped(sent)) pushes sent",
        label: "Where the pushes of \(name) went"),
      table: ReportParts.table(
        [
          ReportParts.Column("fate"), ReportParts.Column("reason"),
          ReportParts.Column("pushes", number: true),
          ReportParts.Column("share", number: true),
        ], rows, label: "Fates and reasons of \(name)"))
  }

  private static func end(_ kind: String, _ reason: String?, _ count: Double, _ color: Int, _ sent: Double)
    -> Chart.FlowEnd
  {
    let words = kind + (reason.map { ": \($0)" } ?? "")
    return Chart.FlowEnd(
      kind: kind, reason: reason, count: count, color: color,
      title: "\(words): \(NumberText.grouped(count)) pushes, \(NumberText.percent(count / sent))")
  }
}
