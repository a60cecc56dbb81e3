public import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities

/// The summary of a run for a terminal.
public enum TextSummary {
  /// - Parameters:
  ///   - width: the terminal's, in columns.
  ///   - style: what the terminal can show; nil for a text without charts.
  public static func text(_ result: ExperimentResult, width: Int, style: TextStyle? = nil) -> String {
    let scenario = result.scenario
    var text = wrapped("\(scenario.name): \(scenario.question)", width: width)
    for run in result.runs {
      text += "\n" + wrapped(setting(scenario, run), width: width)
      if let warning = run.warmUp.warning { text += wrapped("Note: " + warning, width: width) }
      text += strategies(run, scenario, width) + "\n"
      if let style { text += TextCharts.text(run, style: style) }
      text += quantiles(run, width)
      text += fates(run, width)
      text += reasons(run, width)
      text += mechanisms(run, width)
      text += extensions(run, width)
      text += goals(run, scenario, width)
      text += comparisons(run, scenario, width)
      text += recommendation(run, width)
      text += UncertaintyReport.text(run, scenario, width: width)
      text += expectations(run, width)
      text += assumptions(scenario, run, width)
    }
    text += policyDifferences(result, width)
    return fitted(text, width)
  }

  private static func setting(_ scenario: Scenario, _ run: PolicyRun) -> String {
    let replications = scenario.experiment.replications
    return [
      "\(NumberText.grouped(Int64(scenario.experiment.devices))) devices",
      Quantity.format(scenario.input.duration.seconds, .time) + " after a warm-up of "
        + Quantity.format(scenario.input.warmUp.seconds, .time),
      "\(replications) replication\(replications == 1 ? "" : "s")",
      "seed \(scenario.input.seed)", "policy \(run.policy)", "population \(scenario.populationName)",
    ].joined(separator: ", ")
      + ".\nEvery number is an output of the model: Apple publishes no delivery rate. "
      + "± is half a "
      + NumberText.percent(scenario.experiment.confidence, decimals: 0) + " interval over replications.\n"
  }

  // MARK: A row per strategy

  private static func strategies(_ run: PolicyRun, _ scenario: Scenario, _ width: Int) -> String {
    let present = Metric.shown.filter { metric in run.strategies.contains { $0.metric(metric.name) != nil } }
    var table = TextTable(
      [TextTable.Column("strategy", .left, mayShrink: true)]
        + present.map { TextTable.Column($0.display!.column + NumberStyle($0.unit).columnUnit, .right) }
        + [TextTable.Column("median", .right)])
    for strategy in run.strategies {
      let median = strategy.total.latency.quantile(0.5).map {
        NumberText.duration(seconds: Double($0) * 1e-6)
      }
      table.add([strategy.name] + present.map { cell(strategy.metric($0.name)) } + [median ?? "–"])
    }
    var text = table.text(width: width)
    text += wrapped(
      present.map(\.display!.legend).joined(separator: " ") + " median: wait of the pushes delivered.",
      width: width)
    return text
  }

  static func cell(_ result: MetricResult?) -> String {
    guard let result, let estimate = result.estimate else { return "–" }
    return NumberStyle(result.metric.unit).bare(estimate, half: result.halfWidth)
  }

  /// By when shares of the pushes sent were delivered: the median of the pushes delivered says nothing of the others.
  private static func quantiles(_ run: PolicyRun, _ width: Int) -> String {
    let levels = IncidenceResult.levels.filter { $0 <= 0.9 }
    var table = TextTable(
      [TextTable.Column("delivered of all sent", .left, mayShrink: true)]
        + levels.map { TextTable.Column(NumberText.percent($0, decimals: 0), .right) })
    for strategy in run.strategies {
      guard let incidence = strategy.incidence else { continue }
      table.add(
        [strategy.name]
          + levels.map { level in
            let time = incidence.quantiles.first { $0.level == level }?.time.estimate
            return time.map { "in " + NumberText.duration(seconds: $0) } ?? "never"
          })
    }
    return run.strategies.contains { $0.incidence != nil } ? table.text(width: width) + "\n" : ""
  }

  // MARK: Where the pushes went

  private static func fates(_ run: PolicyRun, _ width: Int) -> String {
    let senders = run.strategies.filter { $0.total.sent > 0 }
    guard !senders.isEmpty else { return "" }
    func count(_ fate: Fate, _ strategy: StrategyResult) -> Int64 { strategy.total.fates[Int(fate.rawValue)] }
    let seen = Fate.allCases.filter { fate in senders.contains { count(fate, $0) > 0 } }
    // Fates that are rare everywhere share a column, so that the table fits; the result file has them all.
    var rare = seen.filter { fate in
      fate != .delivered && senders.allSatisfy { count(fate, $0) * 200 < $0.total.sent }
    }
    if rare.count < 2 { rare = [] }
    let shown = seen.filter { !rare.contains($0) }
    let titles: [Fate: String] = [
      .rejected: "rejected", .discardedAtAPNs: "discarded", .expiredAtAPNs: "expired",
      .overwrittenAtAPNs: "overwritten", .lost: "lost", .notWakeable: "not wakeable",
      .coalescedOnDevice: "coalesced", .discardedByPolicy: "by policy", .delivered: "delivered",
      .pending: "pending",
    ]
    var columns = [
      TextTable.Column("where pushes went, %", .left, mayShrink: true), TextTable.Column("sent", .right),
    ]
    columns += shown.map { TextTable.Column(titles[$0] ?? $0.name, .right) }
    if !rare.isEmpty { columns.append(TextTable.Column("other", .right)) }
    var table = TextTable(columns)
    for strategy in senders {
      let sent = strategy.total.sent
      var cells = [strategy.name, NumberText.grouped(sent)]
      cells += shown.map { bareShare(count($0, strategy), of: sent) }
      if !rare.isEmpty { cells.append(bareShare(rare.reduce(0) { $0 + count($1, strategy) }, of: sent)) }
      table.add(cells)
    }
    var text = table.text(width: width)
    if !rare.isEmpty { text += "other: \(rare.map(\.name).joined(separator: ", "))\n" }
    return text + "\n"
  }

  private static func bareShare(_ part: Int64, of whole: Int64) -> String {
    let text = share(part, of: whole)
    return text.hasSuffix(" %") ? String(text.dropLast(2)) : text
  }

  private static func share(_ part: Int64, of whole: Int64) -> String {
    guard part > 0 else { return "–" }
    let percent = Double(part) / Double(whole)
    return percent < 0.0005 ? "<0.1 %" : NumberText.percent(percent)
  }

  private static func reasons(_ run: PolicyRun, _ width: Int) -> String {
    let senders = run.strategies.filter { $0.total.sent > 0 }
    guard !senders.isEmpty else { return "" }
    var text = "why, as shares of what was sent\n"
    for strategy in senders {
      var counted: [(name: String, count: Int64)] = []
      for fate in Fate.allCases where fate != .delivered {
        for index in 0..<Reason.count {
          let count = strategy.total.reasonCount(fate, Reason(index: index))
          guard count > 0 else { continue }
          let name = Reason(index: index).name
          // The same reason ends pushes in several ways; only then does the way tell more.
          counted.append((fate == .pending ? "\(name) (pending)" : name, count))
        }
      }
      var merged: [(name: String, count: Int64)] = []
      for item in counted {
        if let known = merged.firstIndex(where: { $0.name == item.name }) {
          merged[known].count += item.count
        } else {
          merged.append(item)
        }
      }
      let top = merged.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        .prefix(6).map { "\($0.element.name) \(share($0.element.count, of: strategy.total.sent))" }
      text += wrapped(
        "  \(strategy.name): " + (top.isEmpty ? "every push was delivered" : top.joined(separator: ", ")),
        width: width, hanging: 4)
    }
    return text + "\n"
  }

  // MARK: Comparisons, expectations, assumptions

  private static func comparisons(_ run: PolicyRun, _ scenario: Scenario, _ width: Int) -> String {
    let asked = [run.selection?.goal.metric, run.precision?.goal.metric].compactMap(\.self)
    let wanted = asked + Metric.headlines.map(\.name)
    guard let metric = wanted.first(where: { name in run.comparisons.contains { $0.metric == name } }) else {
      return ""
    }
    let settings = scenario.experiment.comparison
    let compared = run.comparisons.filter { $0.metric == metric }
    let isEachWithEach = settings.partners == .allPairs
    var heading = "\(metric), difference " + (isEachWithEach ? "of pairs" : "to \(compared[0].baseline)")
    heading += ", paired by replication"
    if settings.isJoint, compared.count > 1 {
      let confidence = NumberText.percent(scenario.experiment.confidence, decimals: 0)
      heading += "; with \(confidence) all intervals hold together"
    }
    var text = wrapped(heading, width: width)
    let style = NumberStyle(metric: metric)
    for comparison in compared {
      let low = settings.isJoint ? comparison.jointLow : comparison.low
      let high = settings.isJoint ? comparison.jointHigh : comparison.high
      let name = comparison.strategy + (isEachWithEach ? " - \(comparison.baseline)" : "")
      var line = "  \(name): \(style.change(comparison.difference, low, high))"
      if let low, let high, low <= 0, high >= 0 {
        line += low == 0 && high == 0 ? " (no difference)" : " (no clear difference)"
      } else if let equivalent = comparison.equivalentIndependentReplications, equivalent < 1e6,
        equivalent >= Double(2 * scenario.experiment.replications)
      {
        line += ", as precise as \(NumberText.grouped(Int64(equivalent.rounded()))) replications not paired"
      }
      text += wrapped(line, width: width, hanging: 4)
    }
    return text + "\n"
  }

  private static func goals(_ run: PolicyRun, _ scenario: Scenario, _ width: Int) -> String {
    let replications = scenario.experiment.replications
    var text = ""
    if let result = run.precision {
      let metric = result.goal.metric
      let of = result.goal.strategy.map { "\(metric) of \($0)" } ?? metric
      let wanted =
        switch result.goal.target {
        case .absolute(let width): "±\(NumberStyle(metric: metric).size(width, decimals: 2))"
        case .relative(let share): "±\(NumberText.percent(share)) of the value"
        }
      let widest = result.halfWidth.map { ", ±\(NumberStyle(metric: metric).size($0, decimals: 2))" } ?? ""
      text += wrapped(
        "precision: \(of) within \(wanted): \(result.isReached ? "reached" : "not reached") after "
          + "\(replications) replications\(widest)", width: width, hanging: 4)
    }
    if let result = run.selection {
      let goal = result.goal
      let kind = goal.goal == .highest ? "highest" : "lowest"
      let confidence = NumberText.percent(goal.confidence, decimals: 0)
      let matters = NumberStyle(metric: goal.metric).size(goal.indifference, decimals: 2)
      var line = "selection: "
      if let best = result.best {
        line +=
          "\(best) has the \(kind) \(goal.metric), right with \(confidence) if it is ahead by \(matters) "
        line += "or more"
        if !result.ties.isEmpty {
          line +=
            "; \(result.ties.joined(separator: ", ")) less than that behind: as good, as far as it matters"
        }
      } else {
        line += "after \(replications) replications it is undecided which of "
        line += "\(result.survivors.joined(separator: ", ")) has the \(kind) \(goal.metric)"
      }
      if !result.eliminated.isEmpty {
        let out = result.eliminated.map { "\($0.strategy) (\($0.replications))" }.joined(separator: ", ")
        line += "; left out, after so many replications: \(out)"
      }
      text += wrapped(line, width: width, hanging: 4)
    }
    return text.isEmpty ? "" : text + "\n"
  }

  private static func recommendation(_ run: PolicyRun, _ width: Int) -> String {
    guard let pareto = run.pareto else { return "" }
    var text = "freshness against energy\n"
    for sentence in Recommendation.sentences(pareto) {
      text += wrapped("  " + sentence, width: width, hanging: 4)
    }
    return text + "\n"
  }

  private static func expectations(_ run: PolicyRun, _ width: Int) -> String {
    guard !run.expectations.isEmpty else { return "" }
    var text = "expectations\n"
    for result in run.expectations {
      let words = ExpectationText(result)
      text += wrapped(
        "  \(result.outcome.rawValue): \(words.claim); \(words.observation)", width: width, hanging: 4)
    }
    return text + "\n"
  }

  private static func assumptions(_ scenario: Scenario, _ run: PolicyRun, _ width: Int) -> String {
    let total = Assumptions.list(scenario, policy: run.policy).count
    guard total > 0 else { return "" }
    let items = Assumptions.thatMatter(scenario, run, limit: 10)
    var text =
      "assumed, not known: \(total) parameters; behind the commonest reasons here\n"
    var table = TextTable([
      TextTable.Column(""), TextTable.Column("", .left, mayShrink: true),
      TextTable.Column("", .left, mayShrink: true),
    ])
    for item in items {
      table.add([item.path, item.setting.text, item.setting.priorText.map { "plausible: \($0)" } ?? ""])
    }
    text += table.text(width: width, indentation: 2)
    return text + "  (`pushsim policy \(run.policy)` lists every parameter with its evidence and source)\n\n"
  }

  /// What each mechanism did, of strategies that combine several or let the system choose the time.
  private static func mechanisms(_ run: PolicyRun, _ width: Int) -> String {
    let shown = run.strategies.filter {
      $0.plans.count > 1 || !$0.tasks.isEmpty || $0.strategy.backgroundDownload != nil
    }
    guard !shown.isEmpty else { return "" }
    var table = TextTable([
      TextTable.Column("mechanisms", .left, mayShrink: true), TextTable.Column("", .left),
      TextTable.Column("sent", .right), TextTable.Column("delivered %", .right),
      TextTable.Column("5 min %", .right), TextTable.Column("runs", .right),
      TextTable.Column("new data %", .right), TextTable.Column("mostly refused for", .left),
    ])
    for strategy in shown {
      for plan in strategy.plans {
        let counts = strategy.counts(plan.mechanism)
        let delivered = counts.fates[Int(Fate.delivered.rawValue)]
        table.add([
          strategy.name, plan.mechanism.name, NumberText.grouped(counts.sent),
          bareShare(delivered, of: counts.sent), bareShare(counts.within[1], of: counts.sent), "", "", "",
        ])
      }
      for task in strategy.tasks {
        let counts = strategy.total.tasks[Int(task.rawValue)]
        let most = FactorID.allCases.max {
          counts.refused[Int($0.rawValue)] < counts.refused[Int($1.rawValue)]
        }
        let reason = most.flatMap { counts.refused[Int($0.rawValue)] > 0 ? $0.name : nil } ?? "–"
        table.add([
          strategy.name, task.name, "", "", "", NumberText.grouped(counts.runs),
          bareShare(counts.results[Int(LaunchResult.newData.rawValue)], of: counts.runs), reason,
        ])
      }
      if strategy.strategy.backgroundDownload != nil {
        let counts = strategy.total.downloads
        let wait = counts.time.quantile(0.5).map { NumberText.duration(seconds: Double($0) * 1e-6) }
        table.add([
          strategy.name, "background_download", "", "", "", NumberText.grouped(counts.started),
          bareShare(counts.completed, of: counts.started), wait.map { "half done within \($0)" } ?? "–",
        ])
      }
    }
    return table.text(width: width) + "\n"
  }

  /// What became of calls and notifications after they had reached the app or its extension.
  private static func extensions(_ run: PolicyRun, _ width: Int) -> String {
    var text = ""
    let callers = run.strategies.filter { $0.strategy.voipPush != nil }
    if !callers.isEmpty {
      let outcomes = VoIPPush.Outcome.allCases.filter { outcome in
        callers.contains { $0.total.calls[Int(outcome.rawValue)] > 0 }
      }
      text += "calls: what became of the VoIP pushes, % of those sent\n"
      var table = TextTable(
        [TextTable.Column("", .left, mayShrink: true)]
          + outcomes.map { TextTable.Column(words($0.name), .right) }
          + [TextTable.Column("rang within 5 s", .right), TextTable.Column("not handed over", .right)])
      for strategy in callers {
        let tally = strategy.total
        let sent = strategy.counts(.voip).sent
        let handled = tally.calls.indices.reduce(0) { $0 + tally.calls[$1] }
        table.add(
          [strategy.name]
            + outcomes.map { bareShare(tally.calls[Int($0.rawValue)], of: sent) }
            + [bareShare(tally.rangWithin5s, of: sent), bareShare(sent - handled, of: sent)])
      }
      text += table.text(width: width, indentation: 2) + "\n"
    }
    let changed = run.strategies.filter { $0.strategy.alerts.serviceExtension != nil }
    if !changed.isEmpty {
      // What the user does not allow has not come as far as the device.
      let outcomes = ServiceExtension.Outcome.allCases.filter { outcome in
        outcome != .notPermitted && changed.contains { $0.total.alerts[Int(outcome.rawValue)] > 0 }
      }
      text += "service extension: how the alerts were shown that reached the device, %\n"
      var table = TextTable(
        [TextTable.Column("", .left, mayShrink: true)]
          + outcomes.map { TextTable.Column(words($0.name), .right) })
      for strategy in changed {
        let alerts = strategy.total.alerts
        let arrived =
          alerts.indices.reduce(0) { $0 + alerts[$1] }
          - alerts[Int(ServiceExtension.Outcome.notPermitted.rawValue)]
        table.add([strategy.name] + outcomes.map { bareShare(alerts[Int($0.rawValue)], of: arrived) })
      }
      text += table.text(width: width, indentation: 2) + "\n"
    }
    let viewed = run.strategies.filter { $0.strategy.alerts.contentExtension != nil }
    for strategy in viewed {
      let views = strategy.total.contentViews
      func count(_ outcome: ContentExtension.Outcome) -> Int64 { views[Int(outcome.rawValue)] }
      let opened = count(.standard) + count(.custom) + count(.killed)
      text += wrapped(
        "\(strategy.name): users expanded \(NumberText.grouped(opened)) alerts; the content extension was terminated in \(bareShare(count(.killed), of: opened)) % of these.",
        width: width, hanging: 2)
    }
    for strategy in run.strategies where strategy.total.provokedOpens > 0 {
      text += wrapped(
        "\(strategy.name): \(NumberText.grouped(strategy.total.provokedOpens)) of \(NumberText.grouped(strategy.total.opens)) opens were brought about by alerts.",
        width: width, hanging: 2)
    }
    return text.isEmpty || text.hasSuffix("\n\n") ? text : text + "\n"
  }

  private static func words(_ name: String) -> String { name.replacing("_", with: " ") }

  /// The policies side by side.
  private static func policyDifferences(_ result: ExperimentResult, _ width: Int) -> String {
    guard let first = result.runs.first, result.runs.count > 1 else { return "" }
    var text = "where the answer depends on which policy is right\n"
    for metric in Metric.shown {
      let name = metric.name
      let strategies = first.strategies.filter { $0.metric(name) != nil }
      guard !strategies.isEmpty else { continue }
      var table = TextTable(
        [TextTable.Column(name, .left, mayShrink: true)]
          + result.runs.map { TextTable.Column($0.policy, .right) }
          + result.runs.dropFirst().map { TextTable.Column("\($0.policy) - \(first.policy)", .right) })
      for strategy in strategies {
        let values = result.runs.map { run in
          cell(run.strategies.first { $0.name == strategy.name }?.metric(name))
        }
        let differences = result.runs.dropFirst().map { run in
          let baseline = "\(run.policy) - \(first.policy)"
          return difference(
            result.policyDifferences.first {
              $0.metric == name && $0.strategy == strategy.name && $0.baseline == baseline
            })
        }
        table.add([strategy.name] + values + differences)
      }
      text += table.text(width: width)
    }
    return text + "\n"
  }

  /// In points; a dash when it is not known, and in words when it may be none.
  private static func difference(_ comparison: ComparisonResult?) -> String {
    guard let comparison else { return "–" }
    let style = NumberStyle(metric: comparison.metric)
    guard let low = comparison.low, let high = comparison.high else {
      return style.difference(comparison.difference)
    }
    if low <= 0, high >= 0 { return "not clear" }
    return style.difference(comparison.difference) + " ±" + style.bare((high - low) / 2)
  }

  /// The text with the lines broken that a narrow terminal would break in the middle of a word.
  static func fitted(_ text: String, _ width: Int) -> String {
    guard width < 80 else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // Charts fit, and their colours count no columns.
      guard line.count > width, !line.contains("\u{1B}") else { return String(line) }
      let indentation = line.prefix { $0 == " " }.count
      return String(wrapped(String(line), width: width, hanging: indentation + 2).dropLast())
    }.joined(separator: "\n")
  }

  /// Text broken at spaces, continued lines set in by `hanging`.
  static func wrapped(_ text: String, width: Int, hanging: Int = 0) -> String {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      let indentation = String(paragraph.prefix { $0 == " " })
      for word in paragraph.split(separator: " ") {
        let start = line.isEmpty && lines.isEmpty ? indentation : line
        if start.count > 0, start.contains(where: { $0 != " " }), start.count + 1 + word.count > width {
          lines.append(line)
          line = String(repeating: " ", count: hanging) + word
        } else {
          line =
            start.contains(where: { $0 != " " })
            ? start + " " + word : (line.isEmpty ? indentation : line) + word
        }
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
