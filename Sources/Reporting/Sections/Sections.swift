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
