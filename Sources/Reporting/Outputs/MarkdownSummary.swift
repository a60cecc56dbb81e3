import Quantities

/// The result in Markdown, short enough for a pull request.
public enum MarkdownSummary {
  public static func text(_ result: ResultDocument) -> String {
    let views = RunView.all(result)
    let escaped = MarkdownRenderer.escaped
    var blocks: [Block] = []
    if views.count > 1, let table = Answer.table(views.compactMap { Answer($0) }) {
      blocks += [.paragraph(Words([.strong(Answer.title(views))])), .table(table)]
    }
    for view in views {
      if views.count > 1 { blocks.append(.heading("Policy \(view.policyText), \(view.rules)")) }
      blocks += answer(view)
    }
    var text = "## \(escaped(result.scenario.isEmpty ? "result" : result.scenario))\n\n"
    text += "\(escaped(result.question))\n\n" + MarkdownRenderer.text(blocks)
    if let note = views.first?.record.note, !note.isEmpty { text += "\n\(escaped(note))\n" }
    text += provenance(views)
    if let command = result.reproduce?.command {
      let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: command) + 1))
      text += "\nReproduce with pushsim \(escaped(version(views))):\n\n\(fence)\n\(command)\n\(fence)\n"
    }
    return text
  }

  private static func answer(_ view: RunView) -> [Block] {
    var sentences = [Answer.title([view])] + (Answer(view)?.sentences ?? [])
    sentences += UncertaintySection.sentences(view) + GoalWords.sentences(view)
    if let warning = GoalWords.warmUp(view) { sentences.append("Note: \(warning)") }
    var blocks: [Block] = [.list(sentences)]
    if let answer = Answer(view) {
      let metrics = view.shownMetrics
      var table = view.table(
        "", metrics.map { .number(Words(Wording.metric($0))) }, of: view.ranked(answer.metric)
      ) {
        strategy in metrics.map { strategy.words($0) }
      }
      for (row, strategy) in view.ranked(answer.metric).enumerated() {
        if let reason = answer.beaten(strategy) {
          table.rows[row][0] = table.rows[row][0] + Words([.line(Words(reason))])
        }
      }
      blocks += [.table(table), .paragraph(brackets(view))]
      blocks += EnergyGap.note(view)
    }
    blocks += Sections.why(view) + expectations(view)
    let record = view.record
    let matter = record.assumptionsThatMatter.compactMap { path in
      record.assumptions.first { $0.parameter == path }
    }
    guard !record.assumptions.isEmpty else { return blocks }
    let total = record.assumptions.count + record.knownParameters.count
    let start = "Assumed, not known: \(record.assumptions.count) of \(total) parameters"
    guard !matter.isEmpty else { return blocks + [.paragraph(Words(start + "."))] }
    return blocks + [
      .paragraph(Words(start + "; behind the commonest reasons here:")),
      .table(
        Table(
          label: "", columns: ["parameter", "value", "plausible"].map { Table.Column(Words($0)) },
          rows: matter.map {
            [Words($0.parameter), Words($0.value), Words($0.prior.map(Wording.prior) ?? "")]
          })),
    ]
  }

  private static func brackets(_ view: RunView) -> Words {
    guard let study = view.record.uncertainty else {
      return "In brackets: \(view.confidence) intervals over replications."
    }
    return "In brackets: the plausible range, then chance (\(view.confidence) intervals over replications). "
      + UncertaintySection.meaning(study)
  }

  private static func expectations(_ view: RunView) -> [Block] {
    let lines = view.record.expectations.map { value -> Words in
      let observed = value.observed.map { NumberStyle(metric: value.metric).text($0) } ?? "nothing"
      return
        "\(strong: Words(value.outcome)): \(name: view.label(value.strategy)), \(value.metric); observed \(observed)"
    }
    let together = ExpectationText.together(lines.count, view.record.chanceOfAnyWrongMiss)
    return lines.isEmpty ? [] : [.list(lines)] + (together.map { [.paragraph(Words($0))] } ?? [])
  }

  /// What made the numbers, without a date: of one program, the same line means the same numbers.
  private static func provenance(_ views: [RunView]) -> String {
    guard let given = views.first?.record.provenance else { return "" }
    let escaped = MarkdownRenderer.escaped
    return "\nProvenance: pushsim \(escaped(version(views))), \(ResultDocument.format); "
      + "scenario SHA-256 \(escaped(given.digest)); "
      + "\(views.count == 1 ? "policy" : "policies") \(views.map { escaped($0.policyText) }.joined(separator: ", ")); "
      + "population \(escaped(given.population)); seed \(given.seed); devices \(given.devices); "
      + "replications \(given.replications) of \(length(given.duration)) after a warm-up of \(length(given.warmUp)).\n"
  }

  private static func length(_ seconds: Seconds?) -> String {
    seconds.map { Quantity.format($0.value, .time) } ?? "–"
  }

  private static func version(_ views: [RunView]) -> String { views.first?.record.provenance.version ?? "–" }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var longest = 0
    var current = 0
    for next in text {
      current = next == character ? current + 1 : 0
      longest = max(longest, current)
    }
    return longest
  }
}
