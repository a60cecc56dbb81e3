/// What is not known about parameters, carried through to the answer.
enum UncertaintySection {
  private static func metrics(_ study: UncertaintyRecord) -> [String] {
    var metrics: [String] = []
    for strategy in study.strategies.items {
      for name in strategy.value.names where !metrics.contains(name) { metrics.append(name) }
    }
    return metrics
  }

  /// What a plausible range is, in a line.
  static func meaning(_ study: UncertaintyRecord) -> Words {
    Words(
      "Plausible: \(NumberText.percent(study.confidence, decimals: 0)) of what the stated priors of \(study.parameters.count) assumed parameters give, by \(Int(study.samples)) draws; no confidence in iOS."
    )
  }

  /// What charts show beside a value.
  static let marks = "Wide bars: what is plausible. Whiskers: chance."

  /// What matters most to the answer and whether the order holds, in sentences.
  static func sentences(_ view: RunView) -> [Words] {
    guard let metric = Answer(view)?.metric ?? view.headline, let study = view.record.uncertainty else {
      return []
    }
    return influences(view, study, metric) + order(view, study, metric)
  }

  /// On the strategy that the answer names first.
  private static func influences(_ view: RunView, _ study: UncertaintyRecord, _ metric: String) -> [Words] {
    let answer = Answer(view)
    guard let best = answer?.front.last ?? view.ranked(metric).first,
      let found = study.strategies[best.key]?[metric]?.influences
    else { return [] }
    let style = view.style(metric)
    guard !found.isEmpty else {
      return ["No assumed parameter by itself stands out in \(Int(study.samples)) draws."]
    }
    return found.enumerated().map { index, influence -> Words in
      let low = influence.low.map(style.text) ?? "–"
      let high = influence.high.map(style.text) ?? "–"
      let ends = "\(low) where it is low, \(high) where it is high"
      return index == 0
        ? "What is assumed of \(code: influence.parameter) matters most to \(Wording.metric(metric)) with \(best.name): \(ends)."
        : "\(index == 1 ? "Then" : "And") \(code: influence.parameter): \(ends)."
    }
  }

  private static func order(_ view: RunView, _ study: UncertaintyRecord, _ metric: String) -> [Words] {
    guard let order = (study.orders ?? []).first(where: { $0.metric == metric }),
      let first = order.order.first,
      let same = order.shareSame, let firstSame = order.shareSameFirst
    else { return [] }
    func share(_ value: Double) -> String { NumberText.percent(value, decimals: 0) }
    let whole: Words =
      "The order of the strategies by \(Wording.metric(metric)) holds in \(share(same)) of the draws"
    return order.order.count > 2 && same != firstSame
      ? [whole + "; \(name: view.label(first)) has the most in \(share(firstSame))."] : [whole + "."]
  }

  /// For the reader of the answer.
  static func summary(_ view: RunView) -> [Block] {
    guard let study = view.record.uncertainty, let metric = view.headline else { return [] }
    let pairs = rankings(view, metric, limit: 4)
    return [
      .heading("What nobody outside Apple knows, carried through"),
      .paragraph(meaning(study)), .list(sentences(view) + pairs, shown: 8),
    ]
  }

  /// Differences to the baseline where there is one, on a metric.
  private static func rankings(_ view: RunView, _ metric: String, limit: Int) -> [Words] {
    guard let study = view.record.uncertainty else { return [] }
    let baselines = Set(view.record.comparisons.map(\.baseline))
    let pairs = study.rankings.filter { $0.metric == metric }
    let wanted = pairs.filter {
      baselines.count != 1 || baselines.contains($0.strategy) || baselines.contains($0.other)
    }
    return (wanted.isEmpty ? pairs : wanted).prefix(limit).compactMap { pair in
      guard let share = pair.shareHigher else { return nil }
      let (more, less) = share >= 0.5 ? (pair.strategy, pair.other) : (pair.other, pair.strategy)
      let held = NumberText.percent(max(share, 1 - share), decimals: 0)
      let chance = pair.shareUndecided ?? 0
      let doubt =
        chance > 0
        ? "; in \(NumberText.percent(chance, decimals: 0)) chance may have made the difference" : ""
      return
        "\(name: view.label(more)) has more than \(name: view.label(less)) in \(held) of the sets\(doubt)."
    }
  }

  static func blocks(_ view: RunView) -> [Block] {
    guard let at = view.run.uncertainty.present(), !at.value.strategies.isEmpty else { return [] }
    let study = at.value
    let level = NumberText.percent(study.confidence, decimals: 0)
    let metrics = metrics(study)
    guard let first = view.headline.flatMap({ metrics.contains($0) ? $0 : nil }) ?? metrics.first else {
      return []
    }
    let others = metrics.filter { $0 != first }
    let devices: Words = at.devices.number.map { _ in " of \(at.devices.words(.count)) devices" } ?? ""
    return [
      .page([
        .paragraph(
          "The scenario was run with \(at.samples.words(.count)) sets of \(study.parameters.count) assumed parameters, drawn from what is plausible, with \(at.replications.words(.count)) replications each\(devices). In brackets: where the answer lies in \(level) of the sets, had each been run without end. It is the range of what the model says, not of what iOS does."
        )
      ]), .figures([chart(view, study, first, level)].compactMap(\.self), shown: 2, rest: ""),
      .heading(Words(Wording.metric(first))), .table(table(view, at, first, level)),
      .paragraph(
        "Ignorance: the standard deviation of the answer over the sets, because the parameters are not known. Chance: the standard error of one set's mean, because a set has few replications; only this falls with more of them.",
        .faint),
      .page(
        orders(view, at, first) + [
          .fold(
            "The other metrics (\(others.count))",
            others.flatMap { [.heading(Words(Wording.metric($0))), .table(table(view, at, $0, level))] }),
          .fold(
            "The parameters that were drawn (\(study.parameters.count))",
            [
              .table(
                Table(
                  label: "Parameters drawn",
                  columns: ["parameter", "value of the scenario", "drawn from", "evidence"].map {
                    Table.Column(Words($0))
                  },
                  rows: study.parameters.map {
                    [
                      Words([.code($0.parameter)]), Words($0.value),
                      Words($0.prior.map(Wording.prior) ?? "–"),
                      Words($0.evidence),
                    ]
                  }, isFluid: true))
            ]),
        ]),
    ]
  }

  private static func chart(_ view: RunView, _ study: UncertaintyRecord, _ metric: String, _ level: String)
    -> Figure?
  {
    let style = view.style(metric)
    let bars = view.ranked(metric).compactMap { strategy -> Chart.Bar? in
      guard let value = study.strategies[strategy.key]?[metric], let mean = value.mean else { return nil }
      return Chart.Bar(
        label: strategy.label, value: mean, low: value.low, high: value.high, text: style.text(mean),
        index: strategy.index)
    }
    let widest = bars.max { ($0.high ?? 0) - ($0.low ?? 0) < ($1.high ?? 0) - ($1.low ?? 0) }
    guard let widest, let low = widest.low, let high = widest.high else { return nil }
    let ends = style.interval(low, high)
    return Figure(
      title: "\(Wording.metric(metric)), parameters drawn",
      takeaway:
        "Bars: mean of all sets. Whiskers: \(level) of the sets. Widest: \(name: widest.label), \(ends.low) to \(ends.high).",
      chart: Chart.bars(
        bars, axis: StrategySection.axis(metric), style: style,
        limit: style == .percent(decimals: 1) ? 1 : .infinity,
        label: "\(Wording.metric(metric)) with parameters drawn"))
  }

  private static func table(
    _ view: RunView, _ study: At<UncertaintyRecord>, _ metric: String, _ level: String
  )
    -> Table
  {
    let style = view.style(metric)
    let known = view.strategies.filter { study.value.strategies[$0.key]?[metric] != nil }
    return view.table(
      "\(Wording.metric(metric)) with parameters drawn",
      [
        .number("at the scenario's values"), .number("mean of the sets, \(level) of them"),
        .number("ignorance ±"), .number("chance ±"), .number("ignorance, share of the variance"),
      ], of: known
    ) { strategy in
      let effects = study.strategies[strategy.key]![metric]!
      func deviation(_ variance: Double?) -> Words {
        Words(variance.map { style.size(max(0, $0).squareRoot()) } ?? "–")
      }
      return [
        strategy.words(metric), effects.words(style), deviation(effects.value.ignoranceVariance),
        deviation(effects.value.chanceVariance), effects.ignoranceShare.words(.percent(decimals: 0)),
      ]
    }
  }

  private static func orders(_ view: RunView, _ study: At<UncertaintyRecord>, _ metric: String) -> [Block] {
    let style = view.style(metric)
    let rows = study.rankings.elements().filter { $0.value.metric == metric }.map { at -> [Words] in
      [
        Words([.name(view.label(at.value.strategy))]), Words([.name(view.label(at.value.other))]),
        at.shareHigher.words(.percent(decimals: 0)), at.shareUndecided.words(.percent(decimals: 0)),
        at.difference.words(style, isDifference: true),
      ]
    }
    guard !rows.isEmpty else { return [] }
    let table = Block.table(
      Table(
        label: "Order of strategies over the sets",
        columns: [
          Table.Column("strategy"), Table.Column("has more than"), .number("in so many of the sets"),
          .number("chance may have decided"), .number("difference"),
        ], rows: rows))
    return rows.count > 12
      ? [.fold("Does the order hold? (\(rows.count) pairs)", [table])]
      : [.heading("Does the order hold?"), table]
  }
}
