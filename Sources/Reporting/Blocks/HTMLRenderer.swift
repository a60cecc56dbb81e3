/// Blocks as HTML that is also well-formed XML.
enum HTMLRenderer {
  static func markup(_ blocks: [Block]) -> Markup { Markup.joined(blocks.map(markup)) }

  static func markup(_ block: Block) -> Markup {
    switch block {
    case .heading(let words): "<h3>\(markup(words))</h3>\n"
    case .paragraph(let words, .plain): "<p>\(markup(words))</p>\n"
    case .paragraph(let words, let look): "<p class=\"\(look.rawValue)\">\(markup(words))</p>\n"
    case .list(let items, let shown): list(items, shown)
    case .table(let table): self.table(table)
    case .figure(let figure): "<div class=\"charts\">\(self.figure(figure))</div>\n"
    case .figures(let figures, let shown, let rest): self.figures(figures, shown, rest)
    case .fold(let title, let blocks): blocks.isEmpty ? "" : fold("\(title)", markup(blocks))
    case .columns(let columns):
      "<div class=\"cols\">\(Markup.joined(columns.filter { !$0.isEmpty }.map { "<div>\(markup($0))</div>" }))</div>\n"
    case .page(let blocks): markup(blocks)
    case .text: ""
    }
  }

  /// Large, so that a number must keep its unit.
  static func title(_ words: Words) -> Markup {
    markup(
      Words(
        words.spans.map { span in
          if case .text(let text) = span { .text(text.replacing(" %", with: "\u{A0}%")) } else { span }
        }))
  }

  static func markup(_ words: Words) -> Markup {
    Markup.joined(
      words.spans.map { span in
        switch span {
        case .text(let text): return "\(text)"
        case .name(let name): return "<bdi>\(name)</bdi>"
        case .code(let text): return code(text)
        case .value(let value): return self.value(value)
        case .strong(let words): return "<b>\(markup(words))</b>"
        case .faint(let words): return "<span class=\"ci\">\(markup(words))</span>"
        case .tag(let text, let mood): return "<span class=\"tag \(mood.rawValue)\">\(text)</span>"
        case .link(let text, let place): return "<a href=\"#\(place)\">\(text)</a>"
        case .meter(let share):
          let width = NumberText.fixed(min(1, max(0, share)) * 100, 1)
          return "<span class=\"meter\"><i style=\"width:\(width)%\"></i></span>"
        case .line(let words): return "<span class=\"ci below\">\(markup(words))</span>"
        }
      })
  }

  private static func value(_ value: Value) -> Markup {
    let text = placed(value.number, value.text)
    var parts: [Markup] = []
    if let ends = value.plausibleEnds, let (low, high) = value.plausible {
      parts.append("\(placed(low, ends.low)) to \(placed(high, ends.high))")
    }
    if let ends = value.ends, let low = value.low, let high = value.high {
      let word = parts.isEmpty ? "" : "chance "
      parts.append("\(word)\(placed(low, ends.low)) to \(placed(high, ends.high))")
    }
    guard !parts.isEmpty else { return text }
    return text + " <span class=\"ci\">(\(Markup.joined(parts, by: "; ")))</span>"
  }

  /// A number of the file with its place there.
  private static func placed(_ number: At<Double>, _ text: String) -> Markup {
    "<span data-path=\"\(At<Double>.dotted(number.path))\">\(text)</span>"
  }

  /// A path or a key, which may break after a dot or an underscore.
  static func code(_ text: String) -> Markup {
    var parts: Markup = ""
    var piece = ""
    for character in text {
      piece.append(character)
      if character == "." || character == "_" {
        parts += "\(piece)<wbr/>"
        piece = ""
      }
    }
    return "<code>\(parts)\(piece)</code>"
  }

  static func list(_ items: [Markup]) -> Markup {
    items.isEmpty ? "" : "<ul>\(Markup.joined(items.map { "<li>\($0)</li>" }))</ul>\n"
  }

  private static func list(_ items: [Words], _ shown: Int) -> Markup {
    let items = items.map(markup)
    // A single one is not worth folding.
    guard shown < items.count - 1 else { return list(items) }
    return list(Array(items.prefix(shown)))
      + fold("\(items.count - shown) more", list(Array(items.dropFirst(shown))))
  }

  static func fold(_ title: Markup, _ content: Markup) -> Markup {
    "<details><summary>\(title)</summary>\(content)</details>\n"
  }

  static func table(_ table: Table) -> Markup {
    self.table(
      table.label, table.columns, table.rows.map { $0.map(markup) }, isFluid: table.isFluid,
      faintRows: table.faintRows)
  }

  static func table(
    _ label: String, _ columns: [Table.Column], _ rows: [[Markup]], isFluid: Bool = false,
    faintRows: Set<Int> = []
  ) -> Markup {
    guard !rows.isEmpty else { return "" }
    var head: Markup = ""
    for column in columns {
      head +=
        "<th scope=\"col\"\(column.isNumber ? " class=\"n\"" as Markup : "")>\(markup(column.title))</th>"
    }
    var body: Markup = ""
    for (number, row) in rows.enumerated() {
      body += faintRows.contains(number) ? "<tr class=\"mut\">" : "<tr>"
      for (column, cell) in zip(columns, row) {
        // On a phone a row is a card, and says its columns itself.
        let title = column.title.plain
        body +=
          body.text.hasSuffix("<tr>") || body.text.hasSuffix("<tr class=\"mut\">")
          ? "<th scope=\"row\"><div class=\"k\">\(cell)</div></th>"
          : column.isNumber
            ? "<td class=\"n\" data-title=\"\(title)\">\(cell)</td>"
            : "<td data-title=\"\(title)\"><div class=\"k\">\(cell)</div></td>"
      }
      body += "</tr>\n"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(label)"><table\(isFluid ? " class=\"fluid\"" as Markup : "")>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(body)</tbody></table></div>

      """
  }

  static func figure(_ figure: Figure) -> Markup {
    guard !figure.chart.isEmpty else { return "" }
    let drawing: Markup =
      figure.isWide
      ? "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"chart\">\(figure.chart)</div>"
      : figure.chart
    return """
      <figure\(figure.isWide ? " class=\"wide\"" as Markup : "")>
      <figcaption><h3>\(markup(figure.title))</h3><p>\(markup(figure.takeaway))</p></figcaption>
      \(drawing)
      \(figure.below)\(figure.table.map { fold("Exact values", table($0)) } ?? "")</figure>

      """
  }

  private static func figures(_ figures: [Figure], _ shown: Int, _ rest: String) -> Markup {
    let charts = figures.map(figure).filter { !$0.isEmpty }
    guard !charts.isEmpty else { return "" }
    let count = charts.count <= shown + 1 ? charts.count : shown
    let body: Markup = "<div class=\"charts\">\(Markup.joined(Array(charts.prefix(count))))</div>\n"
    let others = Array(charts.dropFirst(count))
    guard !others.isEmpty else { return body }
    return body
      + fold("\(rest) (\(others.count))", "<div class=\"charts\">\(Markup.joined(others))</div>")
  }

  static func section(_ section: Section) -> Markup {
    let content = markup(section.blocks)
    guard !content.isEmpty else { return "" }
    return
      "<section aria-labelledby=\"\(section.id)\">\n<h2 id=\"\(section.id)\">\(section.title)</h2>\n\(content)</section>\n"
  }
}
