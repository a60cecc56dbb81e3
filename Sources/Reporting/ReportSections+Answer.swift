import Experiments
import Quantities

/// What the run comes to, in sentences made from its numbers.
enum AnswerSection {
  static func markup(_ run: ReportRun) -> Markup {
    var body = premise(run)
    body += ReportParts.list(chosen(run).map { sentence(run, $0.name) })
    let left = run.strategies.count - chosen(run).count
    if left > 0 {
      body += "<p>\(left) more strategies: see <a href=\"#strategies\(run.suffix)\">the table</a>.</p>\n"
    }
    let advice = run.value["recommendation"]?.elements.compactMap(\.string) ?? []
    if !advice.isEmpty {
      body += "<p>Freshness against energy:</p>\n"
      body += ReportParts.list(advice.map { "\(ReportParts.name($0))" }, shown: 4)
    }
    body += ReportParts.list(GoalWords.sentences(run).map { "\(ReportParts.name($0))" })
    if let words = expectations(run) { body += "<p>\(words)</p>\n" }
    return "<div class=\"answer\">\(body)</div>\n" + warning(run)
  }

  /// What the numbers are, before the first of them.
  private static func premise(_ run: ReportRun) -> Markup {
    let assumed = run.value["assumptions"]?.elements.count ?? 0
    let known = run.value["known_parameters"]?.elements.count ?? 0
    let basis: Markup =
      assumed == 0
      ? "."
      : ", of whose \(assumed + known) parameters \(assumed) are <a href=\"#assumptions\(run.suffix)\">assumed</a>."
    let hasIntervals = run.strategies.contains { strategy in
      strategy.value["metrics"]?.members.contains { Estimate($0.value)?.low != nil } ?? false
    }
    let brackets: Markup =
      hasIntervals
      ? "In brackets: \(run.confidence) intervals over replications. They say how precise the simulation is, not how well the model fits the world."
      : "A single replication gives no intervals: how precise these numbers are is not known."
    return "<p class=\"mut\">Every number is an output of the model\(basis) \(brackets)</p>\n"
  }

  /// All strategies; of many, those that stand out in the headline metric, and the baseline.
  private static func chosen(_ run: ReportRun) -> [(name: String, value: JSONValue)] {
    guard run.strategies.count > 7, let metric = run.headline else { return run.strategies }
    let ranked = run.strategies.compactMap { strategy in
      run.metric(strategy.value, metric).map { (name: strategy.name, estimate: $0.estimate) }
    }.sorted { $1.estimate < $0.estimate }
    let baselines = (run.value["comparisons"]?.elements ?? []).compactMap { $0["baseline"]?.string }
    let names = Set(
      ranked.prefix(3).map(\.name) + ranked.suffix(1).map(\.name)
        + (Set(baselines).count == 1 ? baselines.prefix(1) : []))
    return run.strategies.filter { names.contains($0.name) }
  }

  /// One strategy's main numbers, and what it gains on the baseline.
  private static func sentence(_ run: ReportRun, _ strategy: String) -> Markup {
    var parts = HeadlineWords.parts(run, strategy)
    if let metric = run.headline {
      let all = run.value["comparisons"]?.elements ?? []
      let of = all.indices.filter {
        all[$0]["metric"]?.string == metric && all[$0]["strategy"]?.string == strategy
      }
      if of.count == 1, let index = of.first {
        parts.append(
          "against <bdi>\(all[index]["baseline"]?.string ?? "–")</bdi> \(ComparisonWords.cells(run, ["comparisons", "\(index)"], metric))"
        )
      }
      parts += UncertaintySection.range(run, strategy, metric)
    }
    return "<b><bdi>\(strategy)</bdi></b>: \(parts.isEmpty ? "–" : Markup.joined(parts, by: "; "))."
  }

  private static func expectations(_ run: ReportRun) -> Markup? {
    let outcomes = run.value["expectations"]?.elements.compactMap { $0["outcome"]?.string } ?? []
    guard !outcomes.isEmpty else { return nil }
    let counts = ["met", "missed", "undecided"].map { word in
      "\(outcomes.filter { $0 == word }.count) \(word)"
    }
    return
      "Of \(outcomes.count) <a href=\"#expectations\(run.suffix)\">expectation\(outcomes.count == 1 ? "" : "s")</a>: \(counts.joined(separator: ", "))."
  }

  private static func warning(_ run: ReportRun) -> Markup {
    GoalWords.warmUp(run).map { "<p class=\"warn\"><b>Note:</b> \(ReportParts.name($0))</p>\n" } ?? ""
  }
}

/// The numbers of a strategy that answer a scenario's question, in words.
enum HeadlineWords {
  static func parts(_ run: ReportRun, _ strategy: String) -> [Markup] {
    let known = Set(run.at(["strategies", strategy, "metrics"])?.members.map(\.key) ?? [])
    func number(_ metric: String) -> Markup? { known.contains(metric) ? run.estimate(strategy, metric) : nil }
    var parts: [Markup] = []
    if let fresh = number("fresh_open") { parts.append("\(fresh) of opens found the newest content") }
    if let soon = number("calls_rung_within_5s"), let ever = number("calls_rung") {
      parts.append("\(soon) of calls rang within 5 s of the push, \(ever) at all")
    }
    let mechanisms = run.pushMechanisms(run.at(["strategies", strategy]) ?? .null)
    if let enriched = number("alerts_enriched"), run.headline != "fresh_open" {
      parts.append("\(enriched) of alerts were shown as the extension made them")
    }
    if mechanisms != ["voip_push"], let soon = number("delivered_within_5min") {
      var part: Markup = "\(soon) of \(what(mechanisms)) within 5 min"
      if !known.contains("fresh_open"), let ever = number("delivered") { part += ", \(ever) at all" }
      parts.append(part)
    }
    if let energy = number("energy_j_per_device_day") { parts.append("\(energy) per device and day") }
    return parts
  }

  /// What being delivered means for what is sent.
  static func what(_ mechanisms: [String]) -> String {
    switch mechanisms {
    case ["alert_push"]: "alerts were shown"
    case ["voip_push"]: "VoIP pushes were handed to the app"
    case ["background_push"]: "pushes reached the app"
    case []: "pushes were delivered"
    default: "pushes reached the app or were shown"
    }
  }
}

/// A difference in words.
enum ComparisonWords {
  static func style(_ run: ReportRun, _ metric: String) -> NumberStyle {
    NumberStyle(unit: unit(run, metric))
  }

  static func unit(_ run: ReportRun, _ metric: String) -> String {
    run.strategies.lazy.compactMap { run.metric($0.value, metric)?.unit }.first ?? ""
  }

  /// The difference, its interval and what that says.
  static func cells(_ run: ReportRun, _ keys: [String], _ metric: String) -> Markup {
    let style = style(run, metric)
    let ends = run.jointly ? ("joint_low", "joint_high") : ("low", "high")
    let words = run.differenceAndInterval(keys, style, ends)
    guard let low = run.at(keys + [ends.0])?.double, let high = run.at(keys + [ends.1])?.double,
      low <= 0, high >= 0
    else { return words }
    return words + (low == 0 && high == 0 ? ", no difference" : ", no clear difference")
  }
}

/// Every pair of strategies that was compared.
enum ComparisonSection {
  static func markup(_ run: ReportRun) -> Markup {
    let all = run.value["comparisons"]?.elements ?? []
    guard let headline = run.headline, !all.isEmpty else { return "" }
    func table(_ metric: String) -> Markup {
      ReportParts.table(
        [
          ReportParts.Column("strategy"), ReportParts.Column("rather than"),
          ReportParts.Column("difference and interval", number: true), ReportParts.Column("clear"),
        ],
        all.indices.filter { all[$0]["metric"]?.string == metric }.map { index in
          let keys = ["comparisons", "\(index)"]
          let ends = run.jointly ? ("joint_low", "joint_high") : ("low", "high")
          let clear: Markup =
            if let low = all[index][ends.0]?.double, let high = all[index][ends.1]?.double {
              low > 0 || high < 0 ? "yes" : "no"
            } else {
              "unknown"
            }
          return [
            ReportParts.name(all[index]["strategy"]?.string ?? "–"),
            ReportParts.name(all[index]["baseline"]?.string ?? "–"),
            run.differenceAndInterval(keys, ComparisonWords.style(run, metric), ends), clear,
          ]
        }, label: "Differences in \(ReportParts.metric(metric))")
    }
    var metrics: [String] = []
    for value in all {
      if let metric = value["metric"]?.string, !metrics.contains(metric) { metrics.append(metric) }
    }
    let family: Markup =
      run.jointly
      ? "With \(run.confidence) all intervals of a metric hold together."
      : "Each interval holds with \(run.confidence) by itself: of many, a few leave out the true difference."
    var body: Markup =
      "<p>Differences are taken within each replication, in which all strategies meet the same lives of the same devices. \(family) Clear: the interval leaves 0 out.</p>\n"
    if metrics.contains(headline) { body += "<h3>\(ReportParts.metric(headline))</h3>\n" + table(headline) }
    let others = metrics.filter { $0 != headline }
    if !others.isEmpty {
      body +=
        "<details><summary>The other metrics (\(others.count))</summary>"
        + Markup.joined(others.map { "<h3>\(ReportParts.metric($0))</h3>\n" + table($0) }) + "</details>\n"
    }
    return body
  }
}

/// Where the answer depends on which policy is right.
enum PolicySection {
  static func differences(_ result: JSONValue, _ runs: [ReportRun]) -> Markup {
    guard let first = runs.first else { return "" }
    var body = answer(first, runs)
    let metrics = Metric.shown.map(\.name).filter { name in
      first.strategies.contains { first.metric($0.value, name) != nil }
    }
    if let headline = first.headline, metrics.contains(headline) {
      body += table(result, runs, headline)
      let others = metrics.filter { $0 != headline }
      if !others.isEmpty {
        body +=
          "<details><summary>The other metrics (\(others.count))</summary>"
          + Markup.joined(others.map { table(result, runs, $0) }) + "</details>\n"
      }
    } else {
      for metric in metrics { body += table(result, runs, metric) }
    }
    guard !body.isEmpty else { return "" }
    return
      "<section aria-labelledby=\"policies\">\n<h2 id=\"policies\">Answer: where it depends on which policy is right</h2>\n\(body)</section>\n"
  }

  /// A sentence for each strategy.
  private static func answer(_ first: ReportRun, _ runs: [ReportRun]) -> Markup {
    guard let metric = first.headline else { return "" }
    let rows: [Markup] = first.strategies.compactMap { strategy in
      guard first.metric(strategy.value, metric) != nil else { return nil }
      let parts: [Markup] = runs.map {
        "\($0.estimate(strategy.name, metric)) under <bdi>\($0.policy)</bdi>"
      }
      return "<b><bdi>\(strategy.name)</bdi></b>: \(Markup.joined(parts, by: ", "))."
    }
    let highest = runs.map { run in
      let best = run.strategies.compactMap { strategy in
        run.metric(strategy.value, metric).map { (strategy.name, $0.estimate) }
      }.max { $0.1 < $1.1 }
      return "\(best?.0 ?? "–") under \(run.policy)"
    }
    let meaning = first.meaning("metrics", metric).map { " (" + $0 + ")" } ?? ""
    return
      "<div class=\"answer\"><p class=\"mut\">Every number is an output of the model, under rules of which nobody outside Apple knows which hold. In brackets: \(first.confidence) intervals over replications; what is assumed stands under each policy.</p>\n<p>\(ReportParts.sentence(ReportParts.metric(metric) + meaning))</p>\n\(ReportParts.list(rows, shown: 8))<p>Highest: <bdi>\(highest.joined(separator: ", "))</bdi>.</p></div>\n"
  }

  private static func table(_ result: JSONValue, _ runs: [ReportRun], _ metric: String) -> Markup {
    let first = runs[0]
    let all = result["policy_differences"]?.elements ?? []
    let whole = ReportRun(result, in: result, path: [], suffix: "")
    let style = ComparisonWords.style(first, metric)
    let columns =
      [ReportParts.Column("strategy")]
      + runs.map { ReportParts.Column(ReportParts.name($0.policy), number: true) }
      + runs.dropFirst().map {
        ReportParts.Column("\(ReportParts.name($0.policy)) − \(ReportParts.name(first.policy))", number: true)
      }
    let rows = first.strategies.filter { first.metric($0.value, metric) != nil }.map { strategy in
      [ReportParts.name(strategy.name)] + runs.map { $0.estimate(strategy.name, metric) }
        + runs.dropFirst().map { run -> Markup in
          let baseline = "\(run.policy) - \(first.policy)"
          guard
            let index = all.firstIndex(where: {
              $0["metric"]?.string == metric && $0["strategy"]?.string == strategy.name
                && $0["baseline"]?.string == baseline
            })
          else { return "–" }
          return whole.differenceAndInterval(["policy_differences", "\(index)"], style)
        }
    }
    return "<h3>\(ReportParts.metric(metric))</h3>\n"
      + ReportParts.table(columns, rows, label: "\(ReportParts.metric(metric)) by policy")
  }
}

/// What became of the aims of an experiment, in sentences.
enum GoalWords {
  static func sentences(_ run: ReportRun) -> [String] {
    [precision(run), selection(run)].compactMap(\.self)
  }

  private static func precision(_ run: ReportRun) -> String? {
    guard let goal = run.value["precision"], let metric = goal["metric"]?.string,
      let target = goal["target"]?.double
    else { return nil }
    let wanted =
      goal["relative"]?.bool == true
      ? "±\(NumberText.percent(target)) of the value" : "±\(amount(run, target, metric))"
    let of = goal["strategy"]?.string.map { " of \($0)" } ?? ""
    let got = goal["half_width"]?.double.map { ", with ±\(amount(run, $0, metric)) at most" } ?? ""
    return
      "Precision of \(ReportParts.metric(metric))\(of), \(wanted): \(goal["reached"]?.bool == true ? "reached" : "not reached") after \(goal["replications"]?.plainText ?? "–") replications\(got)."
  }

  private static func selection(_ run: ReportRun) -> String? {
    guard let goal = run.value["selection"], let metric = goal["metric"]?.string else { return nil }
    let kind = goal["best"]?.string ?? "highest"
    let replications = goal["replications"]?.plainText ?? "–"
    func names(_ key: String) -> String {
      (goal[key]?.elements ?? []).compactMap(\.string).joined(separator: ", ")
    }
    var text: String
    if let best = goal["selected"]?.string {
      let confidence = NumberText.percent(goal["confidence"]?.double ?? 0.95, decimals: 0)
      let least = goal["indifference"]?.double.map { amount(run, $0, metric) } ?? "–"
      text =
        "Selected: \(best) has the \(kind) \(ReportParts.metric(metric)), which is right with \(confidence) if it is ahead by \(least) or more"
      if !names("ties").isEmpty { text += "; less than that behind: \(names("ties"))" }
    } else {
      text =
        "Selection: after \(replications) replications it is undecided which of \(names("undecided")) has the \(kind) \(ReportParts.metric(metric))"
    }
    let out = (goal["eliminated"]?.elements ?? []).map {
      "\($0["strategy"]?.string ?? "–") (\($0["replications"]?.plainText ?? "–"))"
    }
    if !out.isEmpty { text += "; left out, after so many replications: \(out.joined(separator: ", "))" }
    return text + "."
  }

  private static func amount(_ run: ReportRun, _ value: Double, _ metric: String) -> String {
    ComparisonWords.style(run, metric).size(value, decimals: 2)
  }

  /// The warning of a warm-up that was too short.
  static func warmUp(_ run: ReportRun) -> String? {
    guard let check = run.value["warm_up"], check["adequate"]?.bool == false,
      let metric = check["metric"]?.string, let strategy = check["strategy"]?.string
    else { return nil }
    let given = check["given_s"]?.double.map(span) ?? "–"
    let what = ReportParts.metric(metric)
    guard let enough = check["suggested_s"]?.double else {
      let settled = "has not settled by the middle of the run: it is the mean of a change that goes on."
      return ReportParts.sentence(
        "\(what) of \(strategy) \(settled) For a lasting state raise warm_up and duration")
    }
    return
      "The warm-up of \(given) is too short: \(what) of \(strategy) settles after about \(span(enough)). Raise warm_up."
  }

  /// A length as a scenario gives it.
  static func span(_ seconds: Double) -> String { Quantity.format(seconds, .time) }
}
