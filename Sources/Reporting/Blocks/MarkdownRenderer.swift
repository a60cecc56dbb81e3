/// Blocks as Markdown for a pull request.
enum MarkdownRenderer {
  static func text(_ blocks: [Block]) -> String {
    blocks.map(text).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func text(_ block: Block) -> String {
    switch block {
    case .heading(let words): return "### \(line(words))\n"
    case .paragraph(let words, _): return words.isEmpty ? "" : line(words) + "\n"
    case .list(let items, _): return items.map { "- \(line($0))\n" }.joined()
    case .table(let table): return self.table(table)
    case .figure, .figures, .page: return ""
    case .fold(_, let blocks), .text(let blocks): return text(blocks)
    case .columns(let columns): return columns.map(text).joined(separator: "\n")
    }
  }

  static func line(_ words: Words) -> String {
    words.spans.map { span in
      switch span {
      case .strong(let words): return "**\(line(words))**"
      case .faint(let words): return line(words)
      case .line(let words): return ": " + line(words)
      default: return escaped(Words([span]).plain)
      }
    }.joined()
  }

  private static func table(_ table: Table) -> String {
    guard !table.rows.isEmpty else { return "" }
    return self.table([table.columns.map { line($0.title) }] + table.rows.map { $0.map(line) })
  }

  static func table(_ rows: [[String]]) -> String {
    var text = ""
    for (index, row) in rows.enumerated() {
      text += "| " + row.joined(separator: " | ") + " |\n"
      if index == 0 { text += "|" + String(repeating: " --- |", count: row.count) + "\n" }
    }
    return text
  }

  /// Text that Markdown shows as it stands, on one line.
  static func escaped(_ string: String) -> String {
    var text = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": text += " "
      // Else a name could mention somebody, or an address become a link.
      case "@": text += "&#64;"
      case "<": text += "&lt;"
      case "&": text += "&amp;"
      case "\\", "`", "*", "[", "]", "|", "#", "~", "!": text += "\\" + String(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
