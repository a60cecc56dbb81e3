/// Blocks as text for a terminal.
struct TextRenderer {
  /// In columns.
  var width: Int

  func text(_ blocks: [Block], indentation: Int = 0) -> String {
    blocks.map { text($0, indentation) }.joined()
  }

  private func text(_ block: Block, _ indentation: Int) -> String {
    let start = String(repeating: " ", count: indentation)
    switch block {
    case .heading(let words) where words.isEmpty: return "\n"
    case .heading(let words): return Self.wrapped("\n" + start + words.plain, width: width)
    case .paragraph(let words, _):
      return words.isEmpty ? "" : Self.wrapped(start + words.plain, width: width, hanging: indentation)
    case .list(let items, _):
      return items.map {
        Self.wrapped(start + "  " + $0.plain, width: width, hanging: indentation + 4)
      }.joined()
    case .table(let table): return self.table(table, indentation)
    case .figure, .figures, .page: return ""
    case .fold(_, let blocks), .text(let blocks): return text(blocks, indentation: indentation)
    case .columns(let columns): return columns.map { text($0, indentation: indentation) }.joined()
    }
  }

  private func table(_ table: Table, _ indentation: Int) -> String {
    guard !table.rows.isEmpty else { return "" }
    // A unit that all cells have stands in the title.
    let units = table.columns.indices.map { column -> String? in
      let cells = table.rows.compactMap { $0.indices.contains(column) ? $0[column] : nil }
        .filter { $0.plain != "–" }
      let styles = cells.map { $0.style?.columnUnit }
      guard let first = styles.first ?? nil, styles.allSatisfy({ $0 == first }) else { return nil }
      return first
    }
    var text = TextTable(
      table.columns.indices.map { index in
        let column = table.columns[index]
        return TextTable.Column(
          column.title.plain + (units[index] ?? ""), column.isNumber ? .right : .left,
          mayShrink: index == 0 || !column.isNumber)
      })
    for row in table.rows {
      text.add(row.enumerated().map { units[$0] == nil ? $1.plain : $1.bare })
    }
    return text.text(width: width, indentation: indentation)
  }

  /// Text broken at spaces, continued lines set in by `hanging`.
  static func wrapped(_ text: String, width: Int, hanging: Int = 0) -> String {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let indentation = String(paragraph.prefix { $0 == " " })
      var line = indentation
      var isEmpty = true
      for word in paragraph.split(separator: " ") {
        if !isEmpty, line.count + 1 + word.count > width {
          lines.append(line)
          line = String(repeating: " ", count: hanging) + word
        } else {
          line += (isEmpty ? "" : " ") + word
        }
        isEmpty = false
      }
      lines.append(isEmpty ? "" : line)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
