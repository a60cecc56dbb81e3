import Experiments
import ScenarioDecoding

/// The parts of a result that its page, its summaries and its text are made of.
enum Sections {
  // MARK: Before the fold

  /// What follows from the table of the answer, what was aimed at, and what to beware of.
  static func consequences(_ view: RunView) -> [Block] {
    var blocks: [Block] = []
    let sentences = Answer(view)?.sentences ?? []
    if !sentences.isEmpty { blocks.append(.list(sentences, shown: 6)) }
    let goals = GoalWords.sentences(view)
    if !goals.isEmpty { blocks.append(.list(goals)) }
    blocks += EnergyGap.note(view)
    if let warning = GoalWords.warmUp(view) { blocks.append(.paragraph("Note: \(warning)", .warning)) }
    return blocks
  }

  /// One line for all expectations.
  static func outcomes(_ view: RunView) -> Words? {
    let outcomes = view.record.expectations.map(\.outcome)
    guard !outcomes.isEmpty else { return nil }
    let counts = ["met", "missed", "undecided"].map { word in "\(outcomes.count { $0 == word }) \(word)" }
    return
      "Of \(outcomes.count) \("expectation\(outcomes.count == 1 ? "" : "s")", to: "expectations\(view.suffix)"): \(counts.joined(separator: ", "))."
  }

  /// How pushes ended: one bar for all strategies that agree.
  static func why(_ view: RunView) -> [Block] {
    var groups: [(parts: FateParts, names: [String])] = []
    for strategy in view.senders {
      let parts = FateParts(strategy.record)
      if let known = groups.firstIndex(where: { $0.parts.agrees(parts) }) {
        groups[known].names.append(strategy.label)
      } else {
        groups.append((parts, [strategy.label]))
      }
    }
    guard let first = groups.first else { return MechanismSection.words(view) }
    // The same reason has the same colour in all bars.
    var colors: [String] = []
    for part in groups.flatMap({ $0.parts.largest(5) }) where part.key != "" && !colors.contains(part.name) {
      colors.append(part.name)
    }
    let isOne = groups.count == 1
    let rows = groups.map { parts, names in
      StackedBar.Row(
        label: isOne ? nil : Wording.list(names),
        parts: [StackedBar.Part(name: parts.aim, share: parts.reached, color: nil)]
          + parts.largest(5).map { part in
            StackedBar.Part(name: part.name, share: part.share, color: colors.firstIndex(of: part.name) ?? 9)
          })
    }
    let what = first.parts.aim == "rang" ? "calls" : "pushes"
    let same = view.senders.count > 1 ? ", about the same with every strategy" : ""
    let title =
      isOne
      ? "\(Wording.ofHundred(1 - first.parts.reached)) of 100 \(what) \(what == "calls" ? "do not ring" : "are not delivered")\(same)"
      : "What becomes of 100 \(what)"
    let most = first.parts.others.first.map { "Most of the others: \($0.name)." } ?? "None was lost."
    let lines = groups.map { parts, names -> Words in
      let all = [FateParts.Part(name: parts.aim, share: parts.reached, key: "")] + parts.largest(5)
      let words = all.map { "\($0.name) \($0.share < 0.0005 ? "<0.1 %" : NumberText.percent($0.share))" }
        .joined(separator: ", ")
      return isOne ? Words(Wording.sentence(words)) : "\(name: Wording.list(names)): \(words)."
    }
    let figure = Figure(
      title: Words(title), takeaway: Words(most), chart: StackedBar.markup(rows, title), isWide: true)
    return [.page([.figure(figure)]), .text([.heading(Words(title)), .list(lines)])]
      + MechanismSection.words(view, withCalls: first.parts.aim != "rang")
  }

  /// What chance and ignorance do to the answer.
  static func sureness(_ view: RunView) -> [Block] {
    var blocks: [Block] = []
    if let metric = view.headline {
      let all = view.run.comparisons.elements().filter { $0.value.metric == metric }
      let lines = all.map { at -> Words in
        let names: Words =
          "\(name: view.label(at.value.strategy)) against \(name: view.label(at.value.baseline))"
        return
          "\(names): \(at.words(jointly: view.jointly, view.style(metric)))\(ComparisonSection.verdict(at.value, view.jointly))."
      }
      if !lines.isEmpty {
        blocks += [.heading("Differences in \(Wording.metric(metric))"), .list(lines, shown: 4)]
      }
    }
    blocks += UncertaintySection.summary(view)
    blocks += expectations(view)
    let record = view.record
    let matter = record.assumptionsThatMatter.compactMap { path in
      record.assumptions.first { $0.parameter == path }
    }
    if !record.assumptions.isEmpty {
      let total = record.assumptions.count + record.knownParameters.count
      blocks.append(
        .heading(
          "Assumed, not known: \(record.assumptions.count) of \(total) parameters\(matter.isEmpty ? "" : "; behind the commonest reasons here")"
        ))
    }
    if !matter.isEmpty {
      blocks.append(
        .table(
          Table(
            label: "Assumptions that matter most here",
            columns: [Table.Column("parameter"), Table.Column("value"), Table.Column("plausible")],
            rows: matter.prefix(6).map { item in
              [
                Words([.code(item.parameter)]), Words(item.value),
                Words(item.prior.map(Wording.prior) ?? ""),
              ]
            }, isFluid: true)))
      blocks.append(
        .text([
          .paragraph("(`pushsim policy \(view.policy)` lists every parameter with its evidence and source)")
        ]))
    }
    return blocks
  }

  /// What the scenario's author claimed in advance.
  static func expectations(_ view: RunView) -> [Block] {
    let rows = view.run.expectations.elements().map { at -> [Words] in
      let value = at.value
      let style = view.has(value.metric) ? view.style(value.metric) : NumberStyle(metric: value.metric)
      let mood: Span.Mood = value.outcome == "met" ? .good : value.outcome == "missed" ? .bad : .plain
      let claim: Words =
        if let within = at.within.present()?.elements(), within.count == 2 {
          "\(within[0].words(style)) to \(within[1].words(style))"
        } else if value.atLeast != nil {
          "at least \(at.atLeast.words(style))"
        } else {
          "at most \(at.atMost.words(style))"
        }
      let over: Words = value.interval == "plausible" ? ", over all that is plausible" : ""
      let observed = at.observed.number.map { number -> Words in
        let isPlausible = value.interval == "plausible"
        return Words([
          .value(
            Value(
              number: number, low: isPlausible ? nil : at.low.number,
              high: isPlausible ? nil : at.high.number,
              style: style,
              plausible: at.plausibleLow.number.flatMap { low in at.plausibleHigh.number.map { (low, $0) } }))
        ])
      }
      return [
        Words([.name(view.label(value.strategy))]), Words(Wording.metric(value.metric)), claim + over,
        observed ?? "nothing",
        Words([.tag(value.outcome, mood)]) + Words(remedy(value).map { ", " + $0 } ?? ""),
        Words(value.source ?? ""),
      ]
    }
    guard !rows.isEmpty else { return [] }
    let together = ExpectationText.together(rows.count, view.record.chanceOfAnyWrongMiss)
    return [
      .heading("Expectations"),
      .table(
        Table(
          label: "Expectations",
          columns: ["strategy", "metric", "expected", "observed", "outcome", "source"].map {
            Table.Column(Words($0))
          },
          rows: rows)),
      .page([
        .paragraph(
          "Met: the whole interval lies where it should. Missed: the whole interval lies elsewhere. Undecided: it lies across the bound, and more replications would tell. The interval is that of chance unless the claim is over all that is plausible.",
          .faint)
      ]), .paragraph(Words(together ?? ""), .faint),
    ]
  }

  private static func remedy(_ value: ExpectationRecord) -> String? {
    guard value.outcome == "undecided", value.low != nil, value.interval != "plausible",
      let count = value.replicationsToDecide
    else {
      return nil
    }
    return ExpectationText.remedy(replications: count.map { Int($0) })
  }

  // MARK: Details

  static func details(_ view: RunView) -> [Section] {
    let id = { $0 + view.suffix }
    return [
      Section(id("strategies"), "Strategies side by side", StrategySection.blocks(view)),
      Section(id("comparisons"), "Differences between strategies", ComparisonSection.blocks(view)),
      Section(id("fates"), "Where pushes went", FateSection.blocks(view)),
      Section(id("devices"), "From device to device", DeviceShares.details(view)),
      Section(id("mechanisms"), "Calls, extensions, tasks, downloads", MechanismSection.blocks(view)),
      Section(id("latency"), "How soon", LatencySection.blocks(view)),
      Section(id("hours"), "By hour of the day", HourSection.blocks(view)),
      Section(id("freshness"), "Freshness at open", FreshnessSection.blocks(view)),
      Section(id("held"), "Time held", HeldSection.blocks(view)),
      Section(id("timelines"), "Single devices", [.page(TimelineSection.blocks(view))]),
      Section(id("uncertainty"), "What is not known, carried through", UncertaintySection.blocks(view)),
      Section(id("assumptions"), "Assumptions", AssumptionSection.blocks(view)),
      Section(id("method"), "Method", MethodSection.blocks(view)),
      Section(id("provenance"), "Provenance", ProvenanceSection.blocks(view)),
    ]
  }
}

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

/// From what was sent to how each push ended, with the reasons.
enum FateSection {
  static func blocks(_ view: RunView) -> [Block] {
    let senders = view.senders
    guard let first = senders.first else { return [] }
    let fates = first.record.fates.names.filter { fate in
      senders.contains { ($0.record.fates[fate] ?? 0) > 0 }
    }
    // Fates that are rare everywhere share a column in a terminal.
    var rare = fates.filter { fate in
      fate != "delivered"
        && senders.allSatisfy { Double($0.record.fates[fate] ?? 0) < 0.005 * Double($0.record.sent) }
    }
    if rare.count < 2 { rare = [] }
    let shown = fates.filter { !rare.contains($0) }
    func share(_ count: Int64, _ strategy: RunView.Strategy) -> Words {
      let share = Double(count) / Double(strategy.record.sent)
      return Words(count == 0 ? "–" : share < 0.0005 ? "<0.1" : NumberText.fixed(share * 100, 1))
    }
    let counts = view.table(
      "Fates by strategy", [.number("sent")] + fates.map { .number(Words(Wording.words($0))) }, of: senders
    ) { strategy in
      [strategy.at.sent.words(.count)]
        + fates.map { strategy.at.fates[$0]?.share(of: strategy.record.sent) ?? "–" }
    }
    let shares = view.table(
      "where pushes went, %",
      [.number("sent")] + shown.map { .number(Words(short($0))) }
        + (rare.isEmpty ? [] : [.number("other")]), of: senders
    ) { strategy in
      [strategy.at.sent.words(.count)] + shown.map { share(strategy.record.fates[$0] ?? 0, strategy) }
        + (rare.isEmpty ? [] : [share(rare.reduce(0) { $0 + (strategy.record.fates[$1] ?? 0) }, strategy)])
    }
    return [
      .page([
        .paragraph(
          "Every push has one fate; the reason is the policy factor, or the answer of APNs, that ended the push or held it when the run ended."
        ), .table(counts), .fold("Every reason", senders.map { .table(reasons(view, $0)) }),
        .fold("What the fates and reasons mean", [.table(meanings(view, fates))]),
      ]),
      .text(
        [.heading("where pushes went, % of those sent"), .table(shares)]
          + (rare.isEmpty ? [] : [.paragraph(Words("other: \(rare.joined(separator: ", "))"))])),
    ]
  }

  /// A fate in a column of a terminal.
  private static func short(_ fate: String) -> String {
    let words = ["_at_apns", "_on_device", "discarded_"].reduce(fate) { $0.replacing($1, with: "") }
    return Wording.words(words)
  }

  private static func reasons(_ view: RunView, _ strategy: RunView.Strategy) -> Table {
    var rows: [[Words]] = []
    for (fate, count) in strategy.at.fates.items() where count.value > 0 {
      rows.append([Words(Wording.words(fate)), "", count.share(of: strategy.record.sent)])
      for (reason, part) in strategy.at.reasons[fate]?.items() ?? [] where part.value > 0 {
        rows.append([
          Words(Wording.words(fate)), Words(Wording.words(reason)), part.share(of: strategy.record.sent),
        ])
      }
    }
    return Table(
      label: "Fates and reasons of \(strategy.label)",
      columns: [Table.Column(strategy.name), Table.Column("reason"), .number("share of the pushes sent")],
      rows: rows)
  }

  private static func meanings(_ view: RunView, _ fates: [String]) -> Table {
    let known = view.document.definitions
    var reasons: [String] = []
    for strategy in view.senders {
      for fate in strategy.record.reasons.items {
        for reason in fate.value.names where !reasons.contains(reason) { reasons.append(reason) }
      }
    }
    return Table(
      label: "Meanings", columns: [Table.Column("name"), Table.Column("kind"), Table.Column("meaning")],
      rows: fates.compactMap { fate in
        known.fates[fate].map { [Words(Wording.words(fate)), "fate", Words($0)] }
      }
        + reasons.compactMap { reason in
          known.reasons[reason].map { [Words(Wording.words(reason)), "reason", Words($0)] }
        })
  }
}

/// What became of the aims of an experiment, in sentences.
enum GoalWords {
  static func sentences(_ view: RunView) -> [Words] {
    [view.record.precision.map { precision($0, view) }, view.record.selection.map { selection($0, view) }]
      .compactMap(\.self)
  }

  private static func precision(_ goal: PrecisionRecord, _ view: RunView) -> Words {
    let style = view.style(goal.metric)
    let wanted =
      goal.isRelative
      ? "±\(NumberText.percent(goal.target)) of the value" : "±\(style.size(goal.target, decimals: 2))"
    let of = goal.strategy.map { " of \(view.label($0))" } ?? ""
    let got = goal.halfWidth.map { ", with ±\(style.size($0, decimals: 2)) at most" } ?? ""
    return
      "Precision of \(Wording.metric(goal.metric))\(of), \(wanted): \(goal.isReached ? "reached" : "not reached") after \(Int(goal.replications)) replications\(got)."
  }

  private static func selection(_ goal: SelectionRecord, _ view: RunView) -> Words {
    let what = "the \(goal.best) \(Wording.metric(goal.metric))"
    func names(_ keys: [String]) -> String { keys.map(view.label).joined(separator: ", ") }
    var text: String
    if let best = goal.selected {
      let least = view.style(goal.metric).size(goal.indifference, decimals: 2)
      text =
        "Selected: \(view.label(best)) has \(what), which is right with \(NumberText.percent(goal.confidence, decimals: 0)) if it is ahead by \(least) or more"
      if !goal.ties.isEmpty { text += "; less than that behind: \(names(goal.ties))" }
    } else {
      text =
        "Selection: after \(goal.replications) replications it is undecided which of \(names(goal.undecided)) has \(what)"
    }
    let out = goal.eliminated.map { "\(view.label($0.strategy)) (\($0.replications))" }
    if !out.isEmpty { text += "; left out, after so many replications: \(out.joined(separator: ", "))" }
    return Words(text + ".")
  }

  /// The warning of a warm-up that was too short.
  static func warmUp(_ view: RunView) -> String? {
    guard let check = view.record.warmUp, check.isAdequate == false, let metric = check.metric,
      let strategy = check.strategy
    else { return nil }
    let what = Wording.metric(metric)
    guard let enough = check.suggested?.value else {
      return Wording.sentence(
        "\(what) of \(view.label(strategy)) has not settled by the middle of the run: it is the mean of a change that goes on. For a lasting state raise warm_up and duration"
      )
    }
    return
      "The warm-up of \(Wording.span(check.given.value)) is too short: \(what) of \(view.label(strategy)) settles after about \(Wording.span(enough)). Raise warm_up."
  }
}

/// All that the answer stands on.
enum AssumptionSection {
  static func blocks(_ view: RunView) -> [Block] {
    let (assumed, known) = (view.record.assumptions, view.record.knownParameters)
    guard !assumed.isEmpty || !known.isEmpty else { return [] }
    func folded(_ items: [AssumptionRecord], _ title: String, _ label: String) -> Block {
      .fold(
        "\(title) (\(items.count))",
        items.isEmpty
          ? []
          : [
            .table(
              Table(
                label: label,
                columns: ["parameter", "value", "plausible", "evidence", "source"].map {
                  Table.Column(Words($0))
                },
                rows: items.map { item in
                  [
                    Words([.code(item.parameter)]), Words(item.value),
                    Words(item.prior.map(Wording.prior) ?? ""),
                    Words([.tag(item.evidence, .plain)]), Words(item.source),
                  ]
                }, isFluid: true))
          ])
    }
    return [
      .page([
        .paragraph(
          "\(assumed.count) of \(assumed.count + known.count) parameters are assumed, or rest on a source that could not be checked: nobody outside Apple knows them. Another value may give another answer."
        ),
        folded(
          assumed.filter { $0.evidence == "assumed" }, "All that are assumed: no source was found",
          "Assumed parameters"),
        folded(
          assumed.filter { $0.evidence != "assumed" },
          "All that are unverified: the source could not be checked", "Unverified parameters"),
        folded(known, "The other parameters, with their sources", "Other parameters"),
      ])
    ]
  }
}

/// How the numbers came about.
enum MethodSection {
  /// For how many of what, as a line of its own in summaries.
  static func setting(_ view: RunView) -> Words {
    let given = view.record.provenance
    return
      "\(NumberText.grouped(given.devices)) devices, \(Wording.span(given.duration?.value)) after a warm-up of \(Wording.span(given.warmUp?.value)), \(NumberText.grouped(given.replications)) replication\(given.replications == 1 ? "" : "s"), seed \("\(given.seed)"), policy \(view.policyText), population \(given.population)."
  }

  static func blocks(_ view: RunView) -> [Block] {
    let given = view.run.provenance
    var items: [Words] = [
      "\(given.replications.words(.count)) independent replications of \(given.devices.words(.count)) devices each, seed \("\(given.value.seed)").",
      "\(Wording.span(given.value.warmUp?.value)) of warm-up, then \(Wording.span(given.value.duration?.value)) that count. A push counts if it was sent after the warm-up.",
      "Every strategy meets the same lives of the same devices, so differences between strategies are taken within each replication.",
      "Intervals are \(view.confidence) Student-t intervals over replications; a single replication gives none. Shares over all replications, such as fates and those by hour, are ratios of counts and have no interval.",
    ]
    if view.policyText != view.policy { items.append("The policy: \(name: view.policyText).") }
    if view.record.timelines != nil {
      items.append("The single devices were picked among the first of replication 0 and simulated once more.")
    }
    return [
      .page([
        .list(items),
        .paragraph(
          "The model: a discrete-event simulation of each device's life, of APNs and of the system's policy, factor by factor. Its description, what it leaves out and how it was checked: \(code: "Documentation/Model.md") and \(code: "Documentation/Validation.md") of pushsim."
        ),
      ])
    ]
  }
}

/// Where the numbers come from.
enum ProvenanceSection {
  static func blocks(_ view: RunView) -> [Block] {
    [
      .page([
        .table(
          Table(
            label: "Provenance", columns: [Table.Column("what"), Table.Column("value")],
            rows: view.record.provenance.members.map { [Words([.code($0.key)]), Words($0.value.plainText)] }))
      ])
    ]
  }
}

/// The command and the scenario.
enum ReproduceSection {
  static func markup(_ document: ResultDocument) -> Markup {
    var body: Markup = ""
    if let given = document.reproduce, !given.command.isEmpty {
      body +=
        "<p>The same version with the same files gives the same bytes, on any number of threads:</p>\n<pre class=\"wrap\" tabindex=\"0\">\(given.command)</pre>\n"
    }
    if let given = document.reproduce, !given.scenarioText.isEmpty {
      body += HTMLRenderer.fold(
        "The scenario<bdi> \(given.scenarioFile)</bdi>", "<pre tabindex=\"0\">\(given.scenarioText)</pre>")
    }
    if body.isEmpty { body = "<p>The result file does not say how it was made.</p>\n" }
    return "<section aria-labelledby=\"reproduce\">\n<h2 id=\"reproduce\">Reproduce</h2>\n\(body)</section>\n"
  }
}
