/// Bars that show what became of a whole, part by part, with their names below: readable on any width, and without scripts.
enum StackedBar {
  struct Part {
    var name: String
    /// Of the whole, from 0 to 1.
    var share: Double
    /// Nil: what was aimed at.
    var color: Int?
  }

  struct Row {
    var label: String?
    var parts: [Part]
  }

  static func markup(_ rows: [Row], _ label: String) -> Markup {
    Markup.joined(
      rows.map { row in
        let parts = row.parts.filter { $0.share > 0 }
        let said = parts.map { "\($0.name) \(NumberText.percent($0.share))" }.joined(separator: ", ")
        let bar = Markup.joined(
          parts.map { part in
            let width = NumberText.fixed(part.share * 100, 2)
            return
              "<i class=\"\(color(part))\" style=\"width:\(width)%\" title=\"\(part.name): \(NumberText.percent(part.share))\"></i>"
          })
        let key = Markup.joined(
          parts.map {
            "<li><i class=\"\(color($0))\"></i><b>\(Wording.ofHundred($0.share))</b> \($0.name)</li>"
          })
        return
          "<div class=\"stacked\">\(row.label.map { "<b><bdi>\($0)</bdi></b>" as Markup } ?? "")<div class=\"stack\" role=\"img\" aria-label=\"\(row.label ?? label): \(said)\">\(bar)</div><ul class=\"key\">\(key)</ul></div>\n"
      })
  }

  private static func color(_ part: Part) -> String { part.color.map { "b\($0 % 10)" } ?? "aim" }
}
