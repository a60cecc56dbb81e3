import Experiments
import ScenarioDecoding

/// Every strategy and its metrics.
enum StrategySection {
  static func blocks(_ view: RunView) -> [Block] {
    let shown = view.shownMetrics
    let legend = shown.compactMap { Metric.named($0)?.display?.legend }.filter { !$0.isEmpty }
    var names: [String] = []
    for strategy in view.strategies {
      for name in strategy.record.metrics.names where !names.contains(name) { names.append(name) }
    }
    let all = Table(
      label: "All metrics",
      columns: [Table.Column("metric")] + view.strategies.map { .number($0.name) } + [
        Table.Column("meaning")
      ],
      rows: names.map { name in
        [Words([.code(name)])] + view.strategies.map { $0.words(name) } + [Words(view.meaning(name) ?? "")]
      })
    return [
      .table(view.table("Strategies and their main metrics", metrics: shown)),
      .paragraph(Words(legend.joined(separator: " ")), .faint),
      .figures(
        Metric.main.map(\.name).filter(view.has).compactMap { chart(view, $0) }, shown: 4,
        rest: "More metrics as charts"),
      .page([.fold("All \(names.count) metrics", [.table(all)])]),
    ]
  }

  /// Bars, unless they all say the same.
  private static func chart(_ view: RunView, _ metric: String) -> Figure? {
    let style = view.style(metric)
    let ranked = view.ranked(metric)
    guard let most = ranked.first, let least = ranked.last, ranked.count > 1 else { return nil }
    let (top, bottom) = (style.text(most.value(metric)!), style.text(least.value(metric)!))
    guard top != bottom else { return nil }
    let title = Wording.metric(metric)
    let band =
      ranked.contains { $0.record.metrics[metric]?.plausible != nil } ? " \(UncertaintySection.marks)" : ""
    let meaning = view.meaning(metric).map { Wording.sentence($0) + " " } ?? ""
    return Figure(
      title: Words(title),
      takeaway: "\(meaning)Most: \(most.name), \(top). Least: \(least.name), \(bottom).\(band)",
      chart: Chart.bars(
        ranked.map { strategy in
          let value = strategy.record.metrics[metric]!
          return Chart.Bar(
            label: strategy.label, value: value.estimate!, low: value.low, high: value.high,
            text: style.text(value.estimate!), index: strategy.index, plausible: value.plausible)
        }, axis: axis(metric), style: style, limit: style == .percent(decimals: 1) ? 1 : .infinity,
        label: "\(title) by strategy"),
      table: view.table("\(title) by strategy", [.number("estimate and interval")], of: ranked) {
        [$0.words(metric)]
      })
  }

  static func axis(_ metric: String) -> String {
    guard let display = Metric.named(metric)?.display, !display.whole.isEmpty else {
      return Wording.metric(metric)
    }
    return "share of \(display.whole)"
  }
}

/// Every pair of strategies that was compared.
enum ComparisonSection {
  /// What an interval says beyond its numbers.
  static func verdict(_ value: ComparisonRecord, _ jointly: Bool) -> String {
    guard let low = jointly ? value.jointLow : value.low, let high = jointly ? value.jointHigh : value.high,
      low <= 0, high >= 0
    else { return "" }
    // Of a file of an earlier version only an interval of no width says so.
    let isSame = value.isSame ?? (low == 0 && high == 0)
    return isSame ? ", no difference in any replication" : ", no clear difference"
  }

  static func blocks(_ view: RunView) -> [Block] {
    let all = view.run.comparisons.elements()
    guard let headline = view.headline, !all.isEmpty else { return [] }
    func table(_ metric: String) -> [Block] {
      [
        .heading(Words(Wording.metric(metric))),
        .table(
          Table(
            label: "Differences in \(Wording.metric(metric))",
            columns: [
              Table.Column("strategy"), Table.Column("rather than"), .number("difference and interval"),
              Table.Column("clear"),
            ],
            rows: all.filter { $0.value.metric == metric }.map { at in
              let isKnown = (view.jointly ? at.value.jointLow : at.value.low) != nil
              return [
                Words([.name(view.label(at.value.strategy))]), Words([.name(view.label(at.value.baseline))]),
                at.words(jointly: view.jointly, view.style(metric)),
                isKnown ? verdict(at.value, view.jointly).isEmpty ? "yes" : "no" : "unknown",
              ]
            })),
      ]
    }
    var metrics: [String] = []
    for at in all where !metrics.contains(at.value.metric) { metrics.append(at.value.metric) }
    let family =
      view.jointly
      ? "With \(view.confidence) all intervals of a metric hold together."
      : "Each interval holds with \(view.confidence) by itself: of many, a few leave out the true difference."
    let most = all.compactMap(\.value.equivalentReplications).filter { $0 < 1e6 }.max() ?? 0
    let worth =
      most >= 2 * Double(view.record.provenance.replications)
      ? " Up to as precise as \(NumberText.grouped(most)) replications not paired." : ""
    let others = metrics.filter { $0 != headline }
    return [
      .paragraph(
        "Differences are paired by replication: in each, all strategies meet the same lives of the same devices. \(family) Clear: the interval leaves 0 out.\(worth)"
      )
    ] + (metrics.contains(headline) ? table(headline) : [])
      + [.page([.fold("The other metrics (\(others.count))", others.flatMap(table))])]
  }
}
