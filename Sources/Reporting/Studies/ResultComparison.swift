public import Experiments
import OutputAnalysis
public import ScenarioDecoding

/// How two results differ: the metrics of the strategies that both have, and what was changed between the runs.
public struct ResultComparison {
  private typealias Pair = (a: RunView, b: RunView)

  private let a: ResultDocument
  private let b: ResultDocument
  private let names: (a: String, b: String)
  private let conditions: [Condition]
  /// The runs of both that are about the same policy.
  private let pairs: [Pair]

  /// One metric of one strategy in both results. The difference is the second minus the first.
  private struct Row {
    var strategy: RunView.Strategy
    var other: RunView.Strategy
    var metric: String
    var a: MetricRecord
    var b: MetricRecord
    var difference: Double
    var low: Double?
    var high: Double?

    /// Nil: there is no interval to tell.
    var isClear: Bool? {
      guard let low, let high else { return nil }
      return low > 0 || high < 0
    }

    var words: String { a.style.change(difference, low, high) }
  }

  /// What became of a condition, of one strategy.
  public struct Judgement: Sendable {
    public var condition: Condition
    public var outcome: ExpectationResult.Outcome
    /// What was found, in words.
    public var words: String
  }

  /// - Parameters:
  ///   - a: a result as ``ResultFile`` reads it.
  ///   - nameA: what to call it, such as its file.
  ///   - conditions: judged of the second result, with the first as their baseline.
  public init(
    _ a: ResultDocument, named nameA: String, _ b: ResultDocument, named nameB: String,
    conditions: [Condition] = []
  ) {
    self.a = a
    self.b = b
    self.conditions = conditions
    names = (nameA, nameB)
    let (viewsA, viewsB) = (
      RunView.all(a).map { $0.moved(below: "a") }, RunView.all(b).map { $0.moved(below: "b") }
    )
    if viewsA.count == 1, viewsB.count == 1 {
      pairs = [(viewsA[0], viewsB[0])]
    } else {
      pairs = viewsA.compactMap { view in viewsB.first { $0.policy == view.policy }.map { (view, $0) } }
    }
  }

  // MARK: What differs

  private static let main = Set(Metric.shown.map(\.name))

  private func rows(_ pair: Pair) -> [Row] {
    pair.a.strategies.flatMap { strategy -> [Row] in
      guard let other = pair.b.strategy(strategy.key) else { return [] }
      return strategy.record.metrics.names.compactMap { name in
        guard let x = strategy.record.metric(name), let y = other.record.metric(name) else { return nil }
        var row = Row(
          strategy: strategy, other: other, metric: name, a: x, b: y, difference: y.estimate! - x.estimate!)
        interval(&row, pair)
        return row
      }
    }
  }

  /// Replications share their random numbers if seed, devices and number are the same; then differences are taken
  /// within them. Else the two results are as good as independent.
  private func arePaired(_ pair: Pair) -> Bool {
    let (x, y) = (pair.a.record.provenance, pair.b.record.provenance)
    return x.seed == y.seed && x.devices == y.devices && x.replications == y.replications
      && x.duration?.value == y.duration?.value && x.warmUp?.value == y.warmUp?.value
  }

  /// - Parameter factor: what the first result's values are multiplied with before.
  private func interval(_ row: inout Row, _ pair: Pair, factor: Double = 1) {
    let (x, y) = (sample(row.a, factor: factor), sample(row.b))
    if arePaired(pair), x.count == y.count, x.count > 0 {
      guard let estimate = MeanEstimate.pairedDifference(y, x, confidence: confidence(pair)) else { return }
      row.difference = estimate.mean
      row.low = estimate.interval?.lower
      row.high = estimate.interval?.upper
    } else if let lowX = row.a.low, let highX = row.a.high, let lowY = row.b.low, let highY = row.b.high {
      // The squares of independent half-widths add up.
      let (halfX, halfY) = (factor * (highX - lowX) / 2, (highY - lowY) / 2)
      let half = (halfX * halfX + halfY * halfY).squareRoot()
      row.low = row.difference - half
      row.high = row.difference + half
    }
  }

  /// What the replications said of a metric. Values without parts and wholes weigh the same.
  private func sample(_ metric: MetricRecord, factor: Double = 1) -> ReplicationSample {
    let values = metric.byReplication ?? []
    let (parts, wholes, units) = (metric.parts ?? [], metric.wholes ?? [], metric.units ?? [])
    let items = values.indices.map { index -> ReplicationSample.Item in
      let own = units.count == values.count ? max(0, units[index] ?? 0) : 0
      if parts.count == values.count, wholes.count == values.count, let part = parts[index],
        let whole = wholes[index], whole >= 0
      {
        return ReplicationSample.Item(factor * part, of: whole, units: own)
      }
      return values[index].map { ReplicationSample.Item(factor * $0, of: 1, units: own) }
        ?? ReplicationSample.Item(0, of: 0)
    }
    return ReplicationSample(
      items, kind: factor == 1 && metric.unit == Metric.Unit.proportion.rawValue ? .share : .amount)
  }

  /// What became of the conditions, a line for each strategy that has the metric in both results. None of a condition:
  /// nothing has it.
  public var judgements: [Judgement] {
    conditions.flatMap { condition in
      pairs.flatMap { pair in
        rows(pair).filter {
          $0.metric == condition.metric && (condition.strategy ?? $0.strategy.key) == $0.strategy.key
        }.map { judge(condition, $0, pair) }
      }
    }
  }

  private func judge(_ condition: Condition, _ row: Row, _ pair: Pair) -> Judgement {
    var (low, high) = (row.b.low, row.b.high)
    if condition.factor != 0 {
      var scaled = row
      (scaled.low, scaled.high) = (nil, nil)
      scaled.difference = row.b.estimate! - condition.factor * row.a.estimate!
      interval(&scaled, pair, factor: condition.factor)
      (low, high) = (scaled.low, scaled.high)
    }
    // A strategy of which nothing differs anywhere was not changed: there chance has no part.
    let isSame =
      condition.factor == 1 && low != nil && arePaired(pair)
      && row.strategy.record.json == row.other.record.json
    if isSame { (low, high) = (0, 0) }
    let style = row.a.style
    let found =
      isSame
      ? "\(style.text(row.b.estimate!)) in both, the same in all that was counted"
      : condition.factor == 0
        ? style.estimate(row.b.estimate!, row.b.low, row.b.high)
        : "\(style.text(row.b.estimate!)) instead of \(style.text(row.a.estimate!)), \(row.words)"
    let policy = pairs.count > 1 ? " (\(policyName(pair)))" : ""
    return Judgement(
      condition: condition, outcome: condition.outcome(low: low, high: high, bound: condition.offset),
      words: "\(row.strategy.label)\(policy): \(found)")
  }

  /// What became of the conditions that must not come true.
  private var gates: [Block] {
    let lines = judgements.map { judgement -> Words in
      let (word, mood): (String, Span.Mood) =
        switch judgement.outcome {
        case .met: ("failed", .bad)
        case .missed: ("passed", .good)
        case .undecided: ("undecided", .plain)
        }
      return Words([.tag(word, mood), .text(": \(judgement.condition.text): \(judgement.words)")])
    }
    return lines.isEmpty ? [] : [.list(lines)]
  }

  private func confidence(_ pair: Pair) -> Double {
    let given = pair.a.record.provenance.confidence
    return given > 0 && given < 1 ? given : 0.95
  }

  private struct Change {
    var what: String
    var a: String
    var b: String
    /// Says only that something differs, not what.
    var isDigest: Bool { what == "scenario_sha256" || what == "command" }
  }

  private func changes(_ pair: Pair) -> [Change] {
    func changed(_ x: [(String, String)], _ y: [(String, String)]) -> [Change] {
      let (before, after) = (Dictionary(x) { $1 }, Dictionary(y) { $1 })
      let names = x.map(\.0) + y.map(\.0).filter { before[$0] == nil }
      return names.filter { before[$0] != after[$0] }.map {
        Change(what: $0, a: before[$0] ?? "–", b: after[$0] ?? "–")
      }
    }
    func all(_ view: RunView) -> [(String, String)] {
      [("scenario", view.document.scenario)]
        + (view.record.assumptions + view.record.knownParameters).map { ($0.parameter, $0.value) }
        + view.record.provenance.members.map { ($0.key, $0.value.plainText) }
        + [("command", view.document.reproduce?.command ?? "–")]
    }
    return changed(all(pair.a), all(pair.b))
  }

  /// The lines of the scenario that were taken out and put in, with `-` and `+`.
  private var scenarioLines: [String] {
    func lines(_ result: ResultDocument) -> [Substring] {
      (result.reproduce?.scenarioText ?? "").split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }
    let (before, after) = (lines(a), lines(b))
    // Finding what is common takes the square of the number of changes.
    guard before != after, before.count <= 5000, after.count <= 5000 else { return [] }
    let all = after.difference(from: before).map { change in
      switch change {
      case .remove(let offset, let line, _): (offset, 0, "- \(line)")
      case .insert(let offset, let line, _): (offset, 1, "+ \(line)")
      }
    }
    return all.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(200).map(\.2)
  }

  private func method(_ pair: Pair) -> String {
    let level = NumberText.percent(confidence(pair), decimals: 0)
    return arePaired(pair)
      ? "B minus A, paired by replication since both share seed, devices and length; in brackets: \(level) intervals."
      : "B minus A; the results share no random numbers, so the intervals (\(level), in brackets) are those of independent runs."
  }

  // MARK: What it comes to

  /// The largest clear change of what answers the scenario, in a sentence.
  private var answer: Words {
    guard let pair = pairs.first else { return "The results have no policy in common." }
    let rows = rows(pair)
    if rows.allSatisfy({ $0.difference == 0 }) { return "No metric differs at all." }
    guard rows.contains(where: { $0.isClear != nil }) else {
      return "One replication gives no precision, so no difference can be told from chance."
    }
    let headline = rows.filter { $0.metric == pair.a.headline && $0.isClear == true }
    guard let most = headline.max(by: { $0.difference.magnitude < $1.difference.magnitude }) else {
      return "No clear difference in \(Wording.metric(pair.a.headline ?? "any metric"))."
    }
    let style = most.a.style
    return
      "\(name: most.strategy.label): \(Wording.metric(most.metric)) \(style.text(most.b.estimate!)) instead of \(style.text(most.a.estimate!))."
  }

  private func verdict(_ rows: [Row]) -> String {
    "\(rows.count { $0.isClear == true }) of \(rows.count) metrics differ clearly: their interval leaves 0 out."
  }

  private func lonely(_ pair: Pair) -> [Words] {
    func missing(_ x: RunView, _ y: RunView, _ name: String) -> [Words] {
      let only = x.strategies.filter { y.strategy($0.key) == nil }.map(\.key)
      return only.isEmpty ? [] : ["only in \(name): \(name: only.joined(separator: ", "))"]
    }
    return missing(pair.a, pair.b, "A") + missing(pair.b, pair.a, "B")
  }

  private func policyName(_ pair: Pair) -> String {
    pair.a.policy == pair.b.policy ? pair.a.policy : "\(pair.a.policy) (A) and \(pair.b.policy) (B)"
  }

  private func table(_ rows: [Row], _ label: String, isPage: Bool) -> Block {
    .table(
      Table(
        label: label,
        columns: [
          Table.Column("strategy"), Table.Column("metric"), .number("A"), .number("B"),
          .number("difference"),
        ],
        rows: rows.map { row in
          let change = Words(row.words)
          return [
            row.strategy.name, Words(Wording.metric(row.metric)),
            isPage ? row.strategy.words(row.metric) : Words(row.a.style.text(row.a.estimate!)),
            isPage ? row.other.words(row.metric) : Words(row.b.style.text(row.b.estimate!)),
            row.isClear == true ? Words([.strong(change)]) : change,
          ]
        }))
  }

  private func blocks(_ pair: Pair) -> [Block] {
    let rows = rows(pair)
    let main = rows.filter { Self.main.contains($0.metric) && $0.difference != 0 }
    let changes = changes(pair)
    func table(_ changes: [Change]) -> Block {
      .table(
        Table(
          label: "What was changed",
          columns: [Table.Column("what was changed"), Table.Column("A"), Table.Column("B")],
          rows: changes.map { [Words([.code($0.what)]), Words($0.a), Words($0.b)] }, isFluid: true))
    }
    var blocks: [Block] = [.paragraph(Words(verdict(rows)))]
    blocks.append(.text([self.table(main, "Main metrics", isPage: false)]))
    blocks.append(.page([self.table(main, "Main metrics", isPage: true)]))
    blocks.append(.paragraph(Words(method(pair)), .faint))
    blocks.append(.list(lonely(pair)))
    let settings = changes.filter { !$0.isDigest }
    blocks.append(
      settings.isEmpty ? .paragraph("No setting was changed that the results tell.") : table(settings))
    blocks.append(.page([.figures(charts(rows), shown: 4, rest: "More metrics as charts")]))
    let digests = changes.filter(\.isDigest)
    if !digests.isEmpty { blocks.append(.page([.fold("Digests and commands", [table(digests)])])) }
    blocks.append(
      .page([.fold("All \(rows.count) metrics", [self.table(rows, "All metrics", isPage: true)])]))
    return blocks
  }

  private func charts(_ rows: [Row]) -> [Figure] {
    Metric.shown.compactMap { metric in
      let chosen = rows.filter { $0.metric == metric.name }
      guard let first = chosen.first, chosen.contains(where: { $0.difference != 0 }) else { return nil }
      let style = first.a.style
      let bars = chosen.flatMap { row in
        [("A", row.a, 0), ("B", row.b, 1)].map { name, value, index in
          Chart.Bar(
            label: "\(name)  \(row.strategy.label)", value: value.estimate!, low: value.low, high: value.high,
            text: style.text(value.estimate!), index: index)
        }
      }
      let clear = chosen.filter { $0.isClear == true }
      let words = clear.map { "\($0.strategy.label) \(style.difference($0.difference))" }.joined(
        separator: ", ")
      return Figure(
        title: Words(Wording.metric(metric.name)),
        takeaway: Words(clear.isEmpty ? "No clear difference." : "Clear: \(words)."),
        chart: Chart.bars(
          bars, axis: StrategySection.axis(metric.name), style: style,
          limit: style == .percent(decimals: 1) ? 1 : .infinity,
          label: "\(Wording.metric(metric.name)) in both results"))
    }
  }

  // MARK: Outputs

  public func text(width: Int) -> String {
    let renderer = TextRenderer(width: width)
    var text = TextRenderer.wrapped(answer.plain, width: width) + renderer.text(gates)
    text += "\nA: \(names.a)\nB: \(names.b)\n"
    for pair in pairs {
      text += "\npolicy \(policyName(pair))\n" + renderer.text(blocks(pair))
    }
    let lines = scenarioLines
    if !lines.isEmpty { text += "the scenario\n" + lines.map { "  \($0)\n" }.joined() }
    return text
  }

  public var markdown: String {
    var blocks: [Block] = [.paragraph(Words([.strong(answer)]))] + gates
    blocks.append(.paragraph("A: \(names.a), B: \(names.b)"))
    for pair in pairs {
      if pairs.count > 1 { blocks.append(.heading("Policy \(policyName(pair))")) }
      blocks += self.blocks(pair)
    }
    return "## \(MarkdownRenderer.escaped(title))\n\n" + MarkdownRenderer.text(blocks)
  }

  private var title: String {
    a.scenario == b.scenario ? "\(a.scenario): two results" : "\(a.scenario) and \(b.scenario)"
  }

  public var page: String {
    var body: Markup = gates.isEmpty ? "" : "<div class=\"answer\">\(HTMLRenderer.markup(gates))</div>\n"
    for (index, pair) in pairs.enumerated() {
      body +=
        "<section aria-labelledby=\"policy-\(index)\">\n<h2 id=\"policy-\(index)\">Policy <bdi>\(policyName(pair))</bdi></h2>\n<div class=\"answer\">\(HTMLRenderer.markup(blocks(pair)))</div></section>\n"
    }
    let lines = scenarioLines
    if !lines.isEmpty {
      body +=
        "<section aria-labelledby=\"scenario\">\n<h2 id=\"scenario\">The scenario</h2>\n<pre tabindex=\"0\">\(lines.joined(separator: "\n"))</pre>\n</section>\n"
    }
    return ReportPage.page(
      name: title, title: HTMLRenderer.markup(answer), question: a.question,
      note: "\(a.runs.first?.note ?? "")",
      contents: "<p class=\"files\">A: <bdi>\(names.a)</bdi><br/>B: <bdi>\(names.b)</bdi></p>", body)
  }
}
