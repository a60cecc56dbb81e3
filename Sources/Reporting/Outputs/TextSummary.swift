/// The summary of a run for a terminal.
public enum TextSummary {
  /// - Parameters:
  ///   - width: the terminal's, in columns.
  ///   - style: what the terminal can show; nil for a text without charts, marks and colours.
  ///   - isFull: every section, not only the answer.
  ///   - page: where the page was written; nil where none was.
  public static func text(
    _ result: ResultDocument, width: Int, style: TextStyle? = nil, isFull: Bool = true, page: String? = nil
  ) -> String {
    let views = RunView.all(result)
    let renderer = TextRenderer(width: width)
    var text = TextRenderer.wrapped("\(result.scenario): \(result.question)", width: width)
    for view in views {
      text += TextRenderer.wrapped("\n" + MethodSection.setting(view).plain, width: width)
      if views.count > 1 { text += Wording.capital(view.rules) + ":\n" }
      text += renderer.text(answer(view)) + (isFull ? full(view, renderer, style) : "")
    }
    if views.count > 1 {
      text += "\nwhere the answer depends on which policy is right\n"
      let verdict = Answer.table(views.compactMap { Answer($0) }).map { [Block.table($0)] } ?? []
      text += renderer.text(verdict + (isFull ? PolicySection.blocks(result, views) : []))
    }
    return text + closing(views, width, style, page)
  }

  /// A line for each expectation that was missed or is undecided, for where the summary itself is not shown.
  public static func unmet(_ result: ResultDocument) -> [String] {
    let views = RunView.all(result)
    return views.flatMap { view in
      view.record.expectations.filter { $0.outcome != "met" }.map {
        "\($0.outcome): \(ExpectationText($0).said)"
          + (views.count > 1 ? ", under the policy \(view.policy)" : "")
      }
    }
  }

  private static func answer(_ view: RunView) -> [Block] {
    var blocks: [Block] = []
    if let answer = Answer(view) { blocks = [.text([.heading("")]), .table(answer.table)] }
    let known = UncertaintySection.sentences(view)
    return blocks + Sections.consequences(view) + (known.isEmpty ? [] : [.list(known)]) + Sections.why(view)
  }

  /// What the answer stands on.
  private static func full(_ view: RunView, _ renderer: TextRenderer, _ style: TextStyle?) -> String {
    var text = "\n"
    let sections = Sections.details(view)
    for (index, section) in sections.enumerated() {
      let made = renderer.text(section.blocks)
      if !made.isEmpty { text += (made.hasPrefix("\n") || text.hasSuffix("\n\n") ? "" : "\n") + made }
      if index == 0, let style { text += "\n" + TextCharts.text(view, style: style) }
    }
    return text + renderer.text(Sections.sureness(view))
  }

  /// What a reader sees last, and so first: the answer, what became of the expectations, and where there is more.
  private static func closing(_ views: [RunView], _ width: Int, _ style: TextStyle?, _ page: String?)
    -> String
  {
    var text = "\n" + TextRenderer.wrapped(Answer.caveat(views).plain, width: width) + "\n"
    for line in TextRenderer.wrapped(Answer.title(views).plain, width: width).split(separator: "\n") {
      text += (style?.paint(String(line), TextStyle.bold) ?? String(line)) + "\n"
    }
    for view in views {
      for value in view.record.expectations {
        let words = ExpectationText(value, view)
        let mark =
          ["met": ("✓", TextStyle.green), "missed": ("✗", TextStyle.red)][value.outcome] ?? (
            "?", TextStyle.yellow
          )
        let start = style?.showsBlocks == true ? "\(mark.0) \(value.outcome)" : value.outcome
        let of = views.count > 1 ? " (\(view.policy))" : ""
        let lines = TextRenderer.wrapped(
          "\(start): \(words.said)\(of)",
          width: width, hanging: 4)
        text +=
          style.map { lines.replacing(start, with: $0.paint(start, mark.1), maxReplacements: 1) } ?? lines
      }
    }
    if let page { text += "page: \(page)\n" }
    return text
  }
}
