/// How old the content was that users found.
enum FreshnessSection {
  static func markup(_ run: ReportRun) -> Markup {
    let metric = "staleness_at_open_s"
    let names = ["p50", "p90", "p99"]
    var rows: [(label: String, values: [(name: String, seconds: Double)])] = []
    var cells: [[Markup]] = []
    for strategy in run.strategies {
      guard let value = strategy.value["metrics"]?[metric] else { continue }
      let found = names.compactMap { name in value[name]?.double.map { (name: name, seconds: $0) } }
      if !found.isEmpty { rows.append((strategy.name, found)) }
      cells.append(
        [ReportParts.name(strategy.name), run.estimate(strategy.name, metric)]
          + names.map { run.number(["strategies", strategy.name, "metrics", metric, $0], .duration) }
          + [run.estimate(strategy.name, "fresh_open"), run.estimate(strategy.name, "fresh_open_per_user")])
    }
    guard !rows.isEmpty else { return "" }
    let table = ReportParts.table(
      [
        ReportParts.Column("strategy"), ReportParts.Column("mean staleness", number: true),
        ReportParts.Column("p50", number: true), ReportParts.Column("p90", number: true),
        ReportParts.Column("p99", number: true), ReportParts.Column("fresh opens", number: true),
        ReportParts.Column("fresh opens per user", number: true),
      ], cells, label: "Staleness at open")
    let best = rows.compactMap { row in row.values.first.map { (row.label, $0.seconds) } }
      .min { $0.1 < $1.1 }
    return "<div class=\"charts\">"
      + ReportParts.figure(
        "Age of what users found",
        takeaway:
          "The age of the first missed update at an open, 0 when fresh: median, and the age below which 90 and 99 % of opens lie. Lowest median: \(best.map { "\($0.0), \(NumberText.duration(seconds: $0.1))" } ?? "–").",
        Chart.ranges(rows, title: "age of the content", label: "Staleness at open by strategy"), table: "")
      + "</div>\n" + table
  }
}

/// The choice between fresh and frugal.
enum ParetoSection {
  static func markup(_ run: ReportRun) -> Markup {
    guard let pareto = run.value["pareto"], let x = pareto["x"]?.string, let y = pareto["y"]?.string else {
      return ""
    }
    let front = pareto["front"]?.elements.compactMap(\.string) ?? []
    var points: [Chart.Point] = []
    var rows: [[Markup]] = []
    var xUnit = ""
    var yUnit = ""
    for (index, strategy) in run.strategies.enumerated() {
      guard let cost = run.metric(strategy.value, x), let gain = run.metric(strategy.value, y) else {
        continue
      }
      (xUnit, yUnit) = (cost.unit, gain.unit)
      let isOnFront = front.contains(strategy.name)
      let by = pareto["dominated"]?.elements.first { $0["strategy"]?.string == strategy.name }?["by"]?.string
      points.append(
        Chart.Point(
          name: strategy.name, index: index, x: cost, y: gain, isOnFront: isOnFront,
          title:
            "\(strategy.name): \(NumberStyle(unit: gain.unit).text(gain.estimate)), \(NumberStyle(unit: cost.unit).text(cost.estimate))\(EnergyGap.mark(x, of: strategy.value))"
        ))
      rows.append([
        ReportParts.name(strategy.name), run.estimate(strategy.name, y), run.estimate(strategy.name, x),
        isOnFront ? "on the front" : "beaten by \(by ?? "–")",
      ])
    }
    guard points.count > 1 else { return "" }
    return "<div class=\"charts\">"
      + ReportParts.figure(
        "The front",
        takeaway:
          "Up is fresher, left is cheaper. Filled: no other strategy beats it (\(front.joined(separator: ", "))). Hollow: beaten. Lines through points: \(run.confidence) intervals.",
        Chart.scatter(
          points, xStyle: NumberStyle(unit: xUnit), yStyle: NumberStyle(unit: yUnit),
          xTitle: "energy, \(xUnit)", yTitle: "fresh opens", label: "Freshness against energy"),
        live: LiveCharts.scatter(
          points, xStyle: NumberStyle(unit: xUnit), yStyle: NumberStyle(unit: yUnit),
          xTitle: "energy, \(xUnit)", yTitle: "fresh opens", label: "Freshness against energy"),
        table: ReportParts.table(
          [
            ReportParts.Column("strategy"), ReportParts.Column("\(ReportParts.metric(y))", number: true),
            ReportParts.Column("\(ReportParts.metric(x))", number: true), ReportParts.Column("place"),
          ], rows, label: "Freshness against energy")) + "</div>\n"
  }
}

/// How long each factor held pushes; from the optional field `held_time_s`.
enum HeldSection {
  static func markup(_ run: ReportRun) -> Markup {
    var charts: [Markup] = []
    for strategy in run.senders {
      let bars = (strategy.value["held_time_s"]?.members ?? []).compactMap { member -> Chart.Bar? in
        guard
          let seconds = member.value.double ?? member.value["total"]?.double
            ?? member.value["estimate"]?.double, seconds > 0
        else { return nil }
        return Chart.Bar(
          label: ReportParts.words(member.key), value: seconds, low: nil, high: nil,
          text: NumberText.duration(seconds: seconds))
      }.sorted { $1.value < $0.value }
      guard let most = bars.first else { continue }
      charts.append(
        ReportParts.figure(
          ReportParts.name(strategy.name),
          takeaway: "Longest: \(most.label), \(most.text).",
          Chart.bars(
            bars, axis: "time pushes were held", style: .duration, limit: .infinity,
            label: "Time held by factor, \(strategy.name)"),
          table: ReportParts.table(
            [ReportParts.Column("factor"), ReportParts.Column("time", number: true)],
            bars.map { ["\($0.label)", "\($0.text)"] }, label: "Time held by factor")))
    }
    guard !charts.isEmpty else { return "" }
    return
      "<p>How long pushes waited on devices, added up over all pushes, by the factor of the policy that held them when they arrived.</p>\n"
      + ReportParts.charts(charts, shown: 2, rest: "The other strategies")
  }
}

/// What the scenario's author claimed in advance.
enum ExpectationSection {
  static func markup(_ run: ReportRun) -> Markup {
    let rows = (run.value["expectations"]?.elements ?? []).enumerated().map { index, value -> [Markup] in
      let metric = value["metric"]?.string ?? ""
      let style = ComparisonWords.style(run, metric)
      let keys = ["expectations", "\(index)"]
      let outcome = value["outcome"]?.string ?? "–"
      let remedy: Markup =
        switch (outcome, value["replications_to_decide"]) {
        case ("undecided", let count?) where value["low"]?.double != nil:
          ", \(ExpectationText.remedy(replications: count.double.flatMap { Int(exactly: $0) }))"
        default: ""
        }
      let mark: Markup =
        "<span class=\"tag\(outcome == "met" ? " good" : outcome == "missed" ? " bad" : "")\">\(outcome)</span>\(remedy)"
      let claim: Markup =
        if let within = value["within"]?.elements, within.count == 2 {
          "\(run.number(keys + ["within", "0"], style)) to \(run.number(keys + ["within", "1"], style))"
        } else if value["at_least"] != nil {
          "at least \(run.number(keys + ["at_least"], style))"
        } else {
          "at most \(run.number(keys + ["at_most"], style))"
        }
      return [
        ReportParts.name(value["strategy"]?.string ?? "–"), "\(ReportParts.metric(metric))", claim,
        "\(run.number(keys + ["observed"], style))\(run.interval(keys, style))", mark,
        "\(value["source"]?.string ?? "")",
      ]
    }
    guard !rows.isEmpty else { return "" }
    return
      "<p>Met: the whole interval lies where it should. Missed: the whole interval lies elsewhere. Undecided: it lies across the bound, and more replications would tell. \(ExpectationText.together(rows.count, run.value["chance_of_any_wrong_miss"]?.double) ?? "")</p>\n"
      + ReportParts.table(
        [
          ReportParts.Column("strategy"), ReportParts.Column("metric"), ReportParts.Column("expected"),
          ReportParts.Column("observed"), ReportParts.Column("outcome"), ReportParts.Column("source"),
        ], rows, label: "Expectations")
  }
}

/// What the answer stands on.
enum AssumptionSection {
  static func markup(_ run: ReportRun) -> Markup {
    let assumed = run.value["assumptions"]?.elements ?? []
    let known = run.value["known_parameters"]?.elements ?? []
    guard !assumed.isEmpty || !known.isEmpty else { return "" }
    func table(_ items: [JSONValue], _ label: String) -> Markup {
      ReportParts.table(
        [
          ReportParts.Column("parameter"), ReportParts.Column("value"), ReportParts.Column("plausible"),
          ReportParts.Column("evidence"), ReportParts.Column("source"),
        ],
        items.map { item in
          [
            ReportParts.code(item["parameter"]?.string ?? ""), "\(item["value"]?.plainText ?? "")",
            "\(item["prior"]?.string ?? "")", "<span class=\"tag\">\(item["evidence"]?.string ?? "")</span>",
            "\(item["source"]?.string ?? "")",
          ]
        }, label: label, isFluid: true)
    }
    func folded(_ items: [JSONValue], _ title: Markup, _ label: String) -> Markup {
      items.isEmpty
        ? "" : "<details><summary>\(title) (\(items.count))</summary>\(table(items, label))</details>\n"
    }
    var body: Markup =
      "<p>\(assumed.count) of \(assumed.count + known.count) parameters are assumed, or rest on a source that could not be checked: nobody outside Apple knows them. Another value may give another answer.</p>\n"
    let named = run.value["assumptions_that_matter"]?.elements.compactMap(\.string) ?? []
    let matter = named.compactMap { name in assumed.first { $0["parameter"]?.string == name } }
    if !matter.isEmpty {
      body +=
        "<h3>Behind the commonest reasons here</h3>\n" + table(matter, "Assumptions that matter most here")
    }
    let first = assumed.filter { $0["evidence"]?.string == "assumed" }
    let others = assumed.filter { $0["evidence"]?.string != "assumed" }
    body += folded(first, "All that are assumed: no source was found", "Assumed parameters")
    body += folded(
      others, "All that are unverified: the source could not be checked", "Unverified parameters")
    body += folded(known, "The other parameters, with their sources", "Other parameters")
    return body
  }
}

/// How the numbers came about.
enum MethodSection {
  static func markup(_ run: ReportRun) -> Markup {
    func number(_ key: String, _ style: NumberStyle) -> Markup { run.number(["provenance", key], style) }
    var items: [Markup] = [
      "\(number("replications", .count)) independent replications of \(number("devices", .count)) devices each, seed <span class=\"num\">\(run.at(["provenance", "seed"])?.plainText ?? "–")</span>.",
      "\(number("warm_up_s", .duration)) of warm-up, then \(number("duration_s", .duration)) that count. A push counts if it was sent after the warm-up.",
      "Every strategy meets the same lives of the same devices, so differences between strategies are taken within each replication.",
      "Intervals are \(run.confidence) Student-t intervals over replications; a single replication gives none. Shares over all replications, such as fates and those by hour, are ratios of counts and have no interval.",
    ]
    if run.policyText != run.policy { items.append("The policy: <bdi>\(run.policyText)</bdi>.") }
    let devices = run.value["timelines"]?.elements ?? []
    if !devices.isEmpty {
      items.append("The single devices were picked among the first of replication 0 and simulated once more.")
    }
    return ReportParts.list(items)
      + "<p>The model: a discrete-event simulation of each device's life, of APNs and of the system's policy, factor by factor. Its description, what it leaves out and how it was checked: <code>Documentation/Model.md</code> and <code>Documentation/Validation.md</code> of pushsim.</p>\n"
  }
}

/// Where the numbers come from.
enum ProvenanceSection {
  static func markup(_ run: ReportRun) -> Markup {
    ReportParts.table(
      [ReportParts.Column("what"), ReportParts.Column("value")],
      (run.value["provenance"]?.members ?? []).map { member in
        [ReportParts.code(member.key), "\(member.value.plainText)"]
      }, label: "Provenance")
  }
}

/// The command and the scenario.
enum ReproduceSection {
  static func markup(_ result: JSONValue) -> Markup {
    let given = result["reproduce"]
    var body: Markup = ""
    if let command = given?["command"]?.string {
      body +=
        "<p>The same version with the same files gives the same bytes, on any number of threads:</p>\n<pre class=\"wrap\" tabindex=\"0\">\(command)</pre>\n"
    }
    if let scenario = given?["scenario_text"]?.string {
      body +=
        "<details><summary>The scenario<bdi>\(given?["scenario_file"]?.string.map { " " + $0 } ?? "")</bdi></summary><pre tabindex=\"0\">\(scenario)</pre></details>\n"
    }
    if body.isEmpty { body = "<p>The result file does not say how it was made.</p>\n" }
    return "<section aria-labelledby=\"reproduce\">\n<h2 id=\"reproduce\">Reproduce</h2>\n\(body)</section>\n"
  }
}
