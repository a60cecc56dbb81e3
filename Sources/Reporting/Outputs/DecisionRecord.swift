import Quantities

/// A result as a decision on one page, for the place where a team keeps them: question, options, choice, how sure, what
/// to watch, and a gate for continuous integration.
public enum DecisionRecord {
  public static func files(_ result: ResultDocument) -> [(name: String, text: String)] {
    [("decision.md", markdown(result)), ("decision.html", page(result))]
  }

  static func markdown(_ result: ResultDocument) -> String {
    let parts = sections(result).map { section in
      let text = MarkdownRenderer.text(section.blocks)
      return text.isEmpty ? "" : "## \(section.title)\n\n\(text)\n"
    }
    let gate = command(result).map { "## Gate for CI\n\n```\n\($0)\n```\n" } ?? ""
    let name = MarkdownRenderer.escaped(result.scenario)
    return "# Decision: \(name)\n\n" + parts.joined() + gate
  }

  static func page(_ result: ResultDocument) -> String {
    let views = RunView.all(result)
    let gate: Markup =
      command(result).map {
        "<section aria-labelledby=\"gate\">\n<h2 id=\"gate\">Gate for CI</h2>\n<pre class=\"wrap\" tabindex=\"0\">\($0)</pre></section>\n"
      } ?? ""
    return ReportPage.page(
      name: "Decision: \(result.scenario)", title: HTMLRenderer.title(Answer.title(views)),
      question: result.question, note: HTMLRenderer.markup(Words(Answer.caveat(views).plain)), contents: "",
      "<div class=\"answer\">\(Markup.joined(sections(result).dropFirst().map(HTMLRenderer.section)))\(gate)</div>"
    )
  }

  private static func sections(_ result: ResultDocument) -> [Section] {
    let views = RunView.all(result)
    let answers = views.compactMap { Answer($0) }
    var options: [Block] = Answer.table(answers).map { [.table($0)] } ?? []
    if answers.count == 1 { options.append(.columns([[.table(answers[0].table)]])) }
    return [
      Section("question", "Question", [.paragraph(Words(result.question))]),
      Section("options", "Options", options),
      Section(
        "choice", "Choice",
        [.paragraph(Words([.strong(Answer.title(views))]))]
          + (answers.first.map { [.list($0.sentences)] } ?? [])),
      Section("confidence", "Confidence", confidence(views)),
      Section("watch", "Assumptions to watch", views.first.map(watch) ?? []),
    ]
  }

  private static func confidence(_ views: [RunView]) -> [Block] {
    guard let view = views.first else { return [] }
    var lines: [Words] = [Words(Answer.caveat(views).plain)]
    if let metric = view.headline {
      lines += view.run.comparisons.elements().filter { $0.value.metric == metric }.map { at in
        "\(name: view.label(at.value.strategy)) against \(name: view.label(at.value.baseline)): \(at.words(jointly: view.jointly, view.style(metric)))\(ComparisonSection.verdict(at.value, view.jointly))."
      }
    }
    if let words = Sections.outcomes(view) { lines.append(Words(words.plain)) }
    return [.list(lines)]
  }

  /// What would have to be measured.
  private static func watch(_ view: RunView) -> [Block] {
    let lines = view.record.assumptionsThatMatter.prefix(5).compactMap { path -> Words? in
      guard let item = view.record.assumptions.first(where: { $0.parameter == path }) else { return nil }
      let prior = item.prior.map { ", plausible \(Wording.prior($0))" } ?? ""
      return "\(code: item.parameter): \(item.value)\(prior)"
    }
    return lines.isEmpty ? [] : [.list(lines)]
  }

  /// Runs the scenario again and fails when the chosen strategy gives less than the lower end of its interval.
  private static func command(_ result: ResultDocument) -> String? {
    guard let view = RunView.all(result).first, let answer = Answer(view),
      let given = result.reproduce?.command,
      let best = answer.front.last ?? view.ranked(answer.metric).first,
      let metric = best.record.metric(answer.metric), let low = metric.low
    else { return nil }
    let bound: String
    switch metric.style {
    // Rounded down: as it is, the result meets its own gate.
    case .percent: bound = "\(NumberText.fixed((low * 100).rounded(.down), 0)) %"
    case .duration: bound = Quantity.format(low.rounded(.down), .time)
    default: bound = decimalText((low * 10).rounded(.down) / 10)
    }
    return "\(given) --expect '\(answer.metric) of \(best.key) >= \(bound)'"
  }
}
