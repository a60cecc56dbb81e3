/// What each mechanism did: calls, notification extensions, background tasks and downloads, of which fates say nothing.
enum MechanismSection {
  static func markup(_ run: ReportRun) -> Markup {
    let parts: [Markup] = [
      pushes(run), calls(run), serviceExtension(run), contentExtension(run), provoked(run), tasks(run),
      refusals(run), downloads(run),
    ]
    return Markup.joined(parts)
  }

  /// The strategies that have a mechanism, and the place of its counts.
  private static func having(_ run: ReportRun, _ isWanted: (String, JSONValue) -> Bool)
    -> [(strategy: String, mechanism: String, keys: [String], value: JSONValue)]
  {
    run.strategies.flatMap { strategy in
      (strategy.value["mechanisms"]?.members ?? []).filter { isWanted($0.key, $0.value) }.map {
        (
          strategy: strategy.name, mechanism: $0.key,
          keys: ["strategies", strategy.name, "mechanisms", $0.key], value: $0.value
        )
      }
    }
  }

  /// A count and its share of another.
  private static func share(_ run: ReportRun, _ keys: [String], of whole: Double?) -> Markup {
    guard let count = run.at(keys)?.double else { return "–" }
    let number = run.number(keys, .count)
    guard let whole, whole > 0 else { return number }
    return "\(NumberText.percent(count / whole))<span class=\"ci\"> \(number)</span>"
  }

  /// Pushes of strategies that send several kinds.
  private static func pushes(_ run: ReportRun) -> Markup {
    let several = Set(run.strategies.filter { run.pushMechanisms($0.value).count > 1 }.map(\.name))
    let rows = having(run) { $1["sent"] != nil }.filter { several.contains($0.strategy) }.map {
      item -> [Markup] in
      let sent = item.value["sent"]?.double
      return [
        ReportParts.name(item.strategy), ReportParts.code(item.mechanism),
        run.number(item.keys + ["sent"], .count),
        share(run, item.keys + ["delivered_within", "5min"], of: sent),
        share(run, item.keys + ["fates", "delivered"], of: sent),
        run.number(item.keys + ["latency_s", "p50"], .duration),
      ]
    }
    guard !rows.isEmpty else { return "" }
    return "<h3>Pushes by kind</h3>\n"
      + ReportParts.table(
        [
          ReportParts.Column("strategy"), ReportParts.Column("kind"),
          ReportParts.Column("sent", number: true),
          ReportParts.Column("delivered within 5 min", number: true),
          ReportParts.Column("delivered", number: true),
          ReportParts.Column("median of those delivered", number: true),
        ], rows, label: "Pushes by kind")
  }

  private static let meanings: [String: String] = [
    "rang": "a call was reported, and rang",
    "silent": "no call was reported, and nothing followed",
    "timed_out": "the app did not process it within the time limit",
    "killed_at_return": "the system ended the app: its delegate method returned without a report",
    "killed_at_check": "the system ended the app at a check some seconds after the push",
    "killed_uncompleted":
      "the system ended the app for want of the completion handler; the call may have rung before",
    "enriched": "shown as the extension made it",
    "without_attachment": "shown as the extension made it, but for the attachment",
    "best_attempt": "shown as far as the extension had got when its time was about to expire",
    "original": "shown as it came",
    "not_shown": "lost with the extension",
    "not_opened": "the user did not expand the notification",
    "standard": "the system's view: no extension has the category",
    "custom": "the extension's view",
    "killed": "the extension was terminated, and the system's view came back",
  ]

  /// What the outcomes are that a table has.
  private static func legend(_ names: [String]) -> Markup {
    let known: [Markup] = names.compactMap { name in
      meanings[name].map { "<b>\(ReportParts.words(name))</b>: \($0)" }
    }
    return "<p class=\"mut\">\(Markup.joined(known, by: "; ")).</p>\n"
  }

  /// Outcomes that some strategy has, with shares of a whole.
  private static func outcomes(
    _ run: ReportRun, _ title: Markup, _ field: String, leaving: [String] = [], label: String, first: Markup,
    whole: (JSONValue) -> Double?, firstKeys: [String]?,
    more: [(title: Markup, cell: ([String], JSONValue) -> Markup)] = []
  ) -> Markup {
    let items = having(run) { $1[field] != nil }
    var names: [String] = []
    for item in items {
      for outcome in item.value[field]?.members ?? []
      where !names.contains(outcome.key) && !leaving.contains(outcome.key) && (outcome.value.count ?? 0) > 0 {
        names.append(outcome.key)
      }
    }
    guard !items.isEmpty, !names.isEmpty else { return "" }
    let order = items[0].value[field]?.members.map(\.key) ?? []
    names.sort { (order.firstIndex(of: $0) ?? .max) < (order.firstIndex(of: $1) ?? .max) }
    let columns =
      [ReportParts.Column("strategy"), ReportParts.Column(first, number: true)]
      + names.map { ReportParts.Column("\(ReportParts.words($0))", number: true) }
      + more.map { ReportParts.Column($0.title, number: true) }
    let rows = items.map { item -> [Markup] in
      let total = whole(item.value)
      let count: Markup =
        firstKeys.map { run.number(item.keys + $0, .count) } ?? "\(NumberText.grouped(total ?? 0))"
      return [ReportParts.name(item.strategy), count]
        + names.map { share(run, item.keys + [field, $0], of: total) }
        + more.map { $0.cell(item.keys, item.value) }
    }
    return "<h3>\(title)</h3>\n" + ReportParts.table(columns, rows, label: label) + legend(names)
  }

  private static func sum(_ value: JSONValue?, without: [String] = []) -> Double {
    (value?.members ?? []).filter { !without.contains($0.key) }.reduce(0) { $0 + ($1.value.double ?? 0) }
  }

  private static func calls(_ run: ReportRun) -> Markup {
    outcomes(
      run, "Calls: what became of VoIP pushes", "calls", label: "Outcomes of VoIP pushes", first: "sent",
      whole: { $0["sent"]?.double }, firstKeys: ["sent"],
      more: [
        (
          "not handed to the app",
          { _, value in
            guard let sent = value["sent"]?.double, sent > 0 else { return "–" }
            let left = sent - sum(value["calls"])
            return "\(NumberText.percent(left / sent))<span class=\"ci\"> \(NumberText.grouped(left))</span>"
          }
        ),
        (
          "rang within 5 s of the push",
          { keys, value in share(run, keys + ["rang_within_5s"], of: value["sent"]?.double) }
        ),
        ("median until it rings", { keys, _ in run.number(keys + ["ring_s", "p50"], .duration) }),
        ("p95", { keys, _ in run.number(keys + ["ring_s", "p95"], .duration) }),
      ])
  }

  private static func serviceExtension(_ run: ReportRun) -> Markup {
    outcomes(
      run, "Notification service extension", "service_extension", leaving: ["not_permitted"],
      label: "Outcomes of the service extension", first: "alerts that reached it",
      whole: { sum($0["service_extension"], without: ["not_permitted"]) }, firstKeys: nil)
  }

  private static func contentExtension(_ run: ReportRun) -> Markup {
    outcomes(
      run, "Notification content extension", "content_extension", label: "Views of notifications",
      first: "notifications shown", whole: { sum($0["content_extension"]) }, firstKeys: nil)
  }

  private static func provoked(_ run: ReportRun) -> Markup {
    ReportParts.list(
      having(run) { $1["opens_provoked"] != nil }.map { item in
        "<bdi>\(item.strategy)</bdi>: alerts brought about \(run.number(item.keys + ["opens_provoked"], .count)) of \(run.number(["strategies", item.strategy, "opens"], .count)) opens."
      })
  }

  private static func tasks(_ run: ReportRun) -> Markup {
    let rows = having(run) { $1["opportunities"] != nil }.map { item -> [Markup] in
      let all = item.value["opportunities"]?.double
      let refused = sum(item.value["refused"])
      let runs = item.value["runs"]?.double
      return [
        ReportParts.name(item.strategy), ReportParts.code(item.mechanism),
        run.number(item.keys + ["opportunities"], .count), share(run, item.keys + ["not_due"], of: all),
        all.map { $0 > 0 ? "\(NumberText.percent(refused / $0))" : "–" } ?? "–",
        share(run, item.keys + ["passed_over"], of: all), share(run, item.keys + ["runs"], of: all),
        share(run, item.keys + ["results", "new_data"], of: runs),
        share(run, item.keys + ["interrupted"], of: runs),
      ]
    }
    guard !rows.isEmpty else { return "" }
    return "<h3>Background tasks</h3>\n"
      + ReportParts.table(
        [
          ReportParts.Column("strategy"), ReportParts.Column("task"),
          ReportParts.Column("opportunities", number: true), ReportParts.Column("not due", number: true),
          ReportParts.Column("refused", number: true), ReportParts.Column("passed over", number: true),
          ReportParts.Column("run", number: true), ReportParts.Column("of the runs: new data", number: true),
          ReportParts.Column("interrupted", number: true),
        ], rows, label: "Background tasks")
      + "<p class=\"mut\">At an opportunity the system could have started the task. It was not yet due, or a factor refused it, or the system passed it over (it chose not to, or the app was running anyhow), or it ran.</p>\n"
  }

  /// Factors by which tasks are refused for what the app itself asks for.
  private static let asked = ["charger": "The task asks for external power, and there was none."]

  private static func refusals(_ run: ReportRun) -> Markup {
    let items = having(run) { !($1["refused"]?.members ?? []).isEmpty }
    var reasons: [String] = []
    for item in items {
      for reason in item.value["refused"]?.members ?? [] where !reasons.contains(reason.key) {
        reasons.append(reason.key)
      }
    }
    guard !items.isEmpty else { return "" }
    return "<h3>What tasks were refused for</h3>\n"
      + ReportParts.table(
        [ReportParts.Column("factor")]
          + items.map {
            ReportParts.Column(
              "\(ReportParts.name($0.strategy)): \(ReportParts.words($0.mechanism))", number: true)
          }
          + [ReportParts.Column("what the factor does")],
        reasons.map { reason in
          ["\(ReportParts.words(reason))"]
            + items.map {
              share(run, $0.keys + ["refused", reason], of: $0.value["opportunities"]?.double)
            }
            + ["\(asked[reason] ?? run.meaning("reasons", reason) ?? "")"]
        }, label: "Refusals of tasks by factor")
      + "<p class=\"mut\">Shares of the opportunities.</p>\n"
  }

  private static func downloads(_ run: ReportRun) -> Markup {
    let rows = having(run) { $1["started"] != nil }.map { item -> [Markup] in
      let started = item.value["started"]?.double
      return [ReportParts.name(item.strategy), run.number(item.keys + ["started"], .count)]
        + ["completed", "superseded", "cancelled", "pending"].map {
          share(run, item.keys + [$0], of: started)
        }
        + ["p50", "p95"].map { run.number(item.keys + ["time_s", $0], .duration) }
    }
    guard !rows.isEmpty else { return "" }
    return "<h3>Background downloads</h3>\n"
      + ReportParts.table(
        [
          ReportParts.Column("strategy"), ReportParts.Column("started", number: true),
          ReportParts.Column("completed", number: true), ReportParts.Column("superseded", number: true),
          ReportParts.Column("cancelled", number: true), ReportParts.Column("pending", number: true),
          ReportParts.Column("median to completion", number: true), ReportParts.Column("p95", number: true),
        ], rows, label: "Background downloads")
      + "<p class=\"mut\"><b>superseded</b>: called off for one that brings what is newer, or does not wait; <b>cancelled</b>: by a force quit, or with the app; <b>pending</b>: under way when the run ended.</p>\n"
  }
}

/// What mechanisms did, in a sentence for each mechanism of each strategy.
enum MechanismWords {
  static func sentences(_ run: ReportRun) -> [String] {
    run.strategies.flatMap { strategy in
      (strategy.value["mechanisms"]?.members ?? []).compactMap { member in
        words(member.value).map { "\(strategy.name), \(ReportParts.words(member.key)): \($0)." }
      }
    }
  }

  private static func words(_ value: JSONValue) -> String? {
    var parts: [String] = []
    if let sent = value["sent"]?.double, value["calls"] != nil {
      parts.append("\(NumberText.grouped(sent)) sent")
      parts += shares(value["calls"], of: sent)
      if let soon = value["rang_within_5s"]?.double, sent > 0 {
        parts.append("rang within 5 s of the push \(NumberText.percent(soon / sent))")
      }
    }
    for (field, what) in [
      ("service_extension", "alerts at the service extension"), ("content_extension", "notifications shown"),
    ] {
      let outcomes = (value[field]?.members ?? []).filter { $0.key != "not_permitted" }
      let whole = outcomes.reduce(0) { $0 + ($1.value.double ?? 0) }
      guard whole > 0 else { continue }
      parts.append("\(NumberText.grouped(whole)) \(what)")
      parts += shares(.object(outcomes), of: whole)
    }
    if let opens = value["opens_provoked"]?.double {
      parts.append("\(NumberText.grouped(opens)) opens brought about")
    }
    if let all = value["opportunities"]?.double, let runs = value["runs"]?.double {
      parts.append("\(NumberText.grouped(all)) opportunities, \(NumberText.grouped(runs)) runs")
      if runs > 0, let new = value["results"]?["new_data"]?.double {
        parts.append("new data in \(NumberText.percent(new / runs)) of the runs")
      }
      let most = value["refused"]?.members.max { ($0.value.double ?? 0) < ($1.value.double ?? 0) }
      if let most, let count = most.value.double, all > 0 {
        parts.append("mostly refused for \(ReportParts.words(most.key)) (\(NumberText.percent(count / all)))")
      }
    }
    if let started = value["started"]?.double {
      parts.append("\(NumberText.grouped(started)) downloads started")
      parts += shares(
        .object(
          value.members.filter { ["completed", "superseded", "cancelled", "pending"].contains($0.key) }),
        of: started)
      if let half = value["time_s"]?["p50"]?.double {
        parts.append("half of those completed within \(NumberText.duration(seconds: half))")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func shares(_ outcomes: JSONValue?, of whole: Double) -> [String] {
    guard whole > 0 else { return [] }
    return (outcomes?.members ?? []).compactMap { outcome in
      guard let count = outcome.value.double, count > 0 else { return nil }
      return "\(ReportParts.words(outcome.key)) \(NumberText.percent(count / whole))"
    }
  }
}

/// What is not known about parameters, carried through to the answer; from the field `uncertainty`.
enum UncertaintySection {
  static func markup(_ run: ReportRun) -> Markup {
    guard let study = run.value["uncertainty"], !(study["strategies"]?.members ?? []).isEmpty else {
      return ""
    }
    let parameters = study["parameters"]?.elements ?? []
    let level = NumberText.percent(study["confidence"]?.double ?? 0.95, decimals: 0)
    var body: Markup =
      "<p>The scenario was run with \(run.number(["uncertainty", "samples"], .count)) sets of \(parameters.count) assumed parameters, drawn from what is plausible, with \(run.number(["uncertainty", "replications"], .count)) replications each. In brackets: where the answer lies in \(level) of the sets, had each been run without end. It is the range of what the model says, not of what iOS does.</p>\n"
    var metrics: [String] = []
    for strategy in study["strategies"]?.members ?? [] {
      for metric in strategy.value.members where !metrics.contains(metric.key) { metrics.append(metric.key) }
    }
    let first = run.headline.flatMap { metrics.contains($0) ? $0 : nil } ?? metrics.first
    guard let first else { return "" }
    body +=
      "<div class=\"charts\">\(chart(run, study, first, level))</div>\n" + table(run, study, first, level)
    body +=
      "<p class=\"mut\">Ignorance: the standard deviation of the answer over the sets, because the parameters are not known. Chance: the standard error of one set's mean, because a set has few replications; only this falls with more of them.</p>\n"
    body += rankings(run, study, first)
    let others = metrics.filter { $0 != first }
    if !others.isEmpty {
      body +=
        "<details><summary>The other metrics (\(others.count))</summary>"
        + Markup.joined(others.map { "<h3>\(ReportParts.metric($0))</h3>\n" + table(run, study, $0, level) })
        + "</details>\n"
    }
    body +=
      "<details><summary>The parameters that were drawn (\(parameters.count))</summary>"
      + ReportParts.table(
        [
          ReportParts.Column("parameter"), ReportParts.Column("value of the scenario"),
          ReportParts.Column("drawn from"), ReportParts.Column("evidence"),
        ],
        parameters.map { item in
          [ReportParts.code(item["parameter"]?.string ?? "")]
            + ["value", "prior", "evidence"].map { "\(item[$0]?.string ?? "–")" }
        }, label: "Parameters drawn", isFluid: true) + "</details>\n"
    return body
  }

  /// For the answer: where a metric lies over the sets.
  static func range(_ run: ReportRun, _ strategy: String, _ metric: String) -> [Markup] {
    let keys = ["uncertainty", "strategies", strategy, metric]
    guard run.at(keys) != nil else { return [] }
    let level = NumberText.percent(run.value["uncertainty"]?["confidence"]?.double ?? 0.95, decimals: 0)
    return [
      "over what is plausible\(run.interval(keys, ComparisonWords.style(run, metric))) in \(level) of the draws"
    ]
  }

  /// The ranges of the headline metric.
  static func sentences(_ run: ReportRun) -> [String] {
    guard let metric = run.headline, let study = run.value["uncertainty"] else { return [] }
    let style = ComparisonWords.style(run, metric)
    let level = NumberText.percent(study["confidence"]?.double ?? 0.95, decimals: 0)
    return (study["strategies"]?.members ?? []).compactMap { strategy in
      guard let low = strategy.value[metric]?["low"]?.double,
        let high = strategy.value[metric]?["high"]?.double
      else { return nil }
      let ends = style.interval(low, high)
      return
        "\(strategy.key): \(ReportParts.metric(metric)) \(ends.low) to \(ends.high) in \(level) of the draws of what is assumed."
    }
  }

  private static func chart(_ run: ReportRun, _ study: JSONValue, _ metric: String, _ level: String) -> Markup
  {
    let style = ComparisonWords.style(run, metric)
    let bars = (study["strategies"]?.members ?? []).compactMap { strategy -> Chart.Bar? in
      guard let value = strategy.value[metric], let mean = value["mean"]?.double else { return nil }
      return Chart.Bar(
        label: strategy.key, value: mean, low: value["low"]?.double, high: value["high"]?.double,
        text: style.text(mean))
    }
    let widest = bars.max { ($0.high ?? 0) - ($0.low ?? 0) < ($1.high ?? 0) - ($1.low ?? 0) }
    guard let widest, let low = widest.low, let high = widest.high else { return "" }
    let ends = style.interval(low, high)
    let isShare = ComparisonWords.unit(run, metric) == "proportion"
    return ReportParts.figure(
      "\(ReportParts.metric(metric)), parameters drawn",
      takeaway:
        "Bars: mean of all sets. Whiskers: \(level) of the sets. Widest: \(ReportParts.name(widest.label)), \(ends.low) to \(ends.high).",
      Chart.bars(
        bars, axis: StrategySection.axis(metric, ComparisonWords.unit(run, metric)), style: style,
        limit: isShare ? 1 : .infinity, label: "\(ReportParts.metric(metric)) with parameters drawn"),
      table: "")
  }

  private static func table(_ run: ReportRun, _ study: JSONValue, _ metric: String, _ level: String) -> Markup
  {
    let style = ComparisonWords.style(run, metric)
    return ReportParts.table(
      [
        ReportParts.Column("strategy"), ReportParts.Column("at the scenario's values", number: true),
        ReportParts.Column("mean of the sets, \(level) of them", number: true),
        ReportParts.Column("ignorance ±", number: true), ReportParts.Column("chance ±", number: true),
        ReportParts.Column("ignorance, share of the variance", number: true),
      ],
      (study["strategies"]?.members ?? []).compactMap { strategy in
        guard let value = strategy.value[metric] else { return nil }
        let keys = ["uncertainty", "strategies", strategy.key, metric]
        func deviation(_ key: String) -> Markup {
          value[key]?.double.map { "\(style.size(max(0, $0).squareRoot()))" } ?? "–"
        }
        return [
          ReportParts.name(strategy.key), run.estimate(strategy.key, metric),
          run.number(keys + ["mean"], style) + run.interval(keys, style), deviation("ignorance_variance"),
          deviation("chance_variance"), run.number(keys + ["ignorance_share"], .percent(decimals: 0)),
        ]
      }, label: "\(ReportParts.metric(metric)) with parameters drawn")
  }

  private static func rankings(_ run: ReportRun, _ study: JSONValue, _ metric: String) -> Markup {
    let style = ComparisonWords.style(run, metric)
    let all = study["rankings"]?.elements ?? []
    let rows = all.indices.filter { all[$0]["metric"]?.string == metric }.map { index -> [Markup] in
      let keys = ["uncertainty", "rankings", "\(index)"]
      let mean = all[index]["difference"]?["mean"]?.double
      let ends = ["low", "high"].compactMap { all[index]["difference"]?[$0]?.double }
      let range: Markup =
        ends.count == 2
        ? "<span class=\"ci\"> (\(style.difference(ends[0])) to \(style.difference(ends[1])))</span>" : ""
      return [
        ReportParts.name(all[index]["strategy"]?.string ?? "–"),
        ReportParts.name(all[index]["other"]?.string ?? "–"),
        run.number(keys + ["share_higher"], .percent(decimals: 0)),
        run.number(keys + ["share_undecided"], .percent(decimals: 0)),
        (mean.map { "\(style.difference($0))" } ?? "–") + range,
      ]
    }
    guard !rows.isEmpty else { return "" }
    let heading: Markup = "Does the order hold?"
    let table = ReportParts.table(
      [
        ReportParts.Column("strategy"), ReportParts.Column("has more than"),
        ReportParts.Column("in so many of the sets", number: true),
        ReportParts.Column("chance may have decided", number: true),
        ReportParts.Column("difference", number: true),
      ], rows, label: "Order of strategies over the sets")
    return rows.count > 12
      ? "<details><summary>\(heading) (\(rows.count) pairs)</summary>\(table)</details>\n"
      : "<h3>\(heading)</h3>\n\(table)"
  }
}
