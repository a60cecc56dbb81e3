/// Rows of text in aligned columns, for a terminal.
///
/// Widths count characters: approximates what a terminal shows, and is exact for the letters used here; characters
/// that take two columns, such as Chinese ones, push their row to the right.
public struct TextTable: Sendable {
  public enum Alignment: Sendable { case left, right }

  public struct Column: Sendable {
    public var title: String
    public var alignment: Alignment
    /// The column gives way, ending its cells with `…`, when the table is too wide.
    public var mayShrink: Bool

    public init(_ title: String, _ alignment: Alignment = .left, mayShrink: Bool = false) {
      self.title = title
      self.alignment = alignment
      self.mayShrink = mayShrink
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []
  /// Spaces between columns.
  private let gap = 2
  /// A column never gives way below this, or its cells would say nothing.
  private let narrowest = 8

  public init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row; missing cells at its end are empty.
  ///
  /// - Precondition: no more cells than columns.
  public mutating func add(_ cells: [String]) {
    precondition(cells.count <= columns.count, "\(cells.count) cells for \(columns.count) columns: \(cells)")
    rows.append(cells + Array(repeating: "", count: columns.count - cells.count))
  }

  /// The lines of the table, each with its newline and without spaces at its end. A line of titles comes first unless
  /// all titles are empty. `width` is the terminal's; a table that cannot shrink to it has its rows one cell below the
  /// other on a narrow terminal, and is wider than it on any other.
  public func text(width: Int, indentation: Int = 0) -> String {
    let titles = columns.map(\.title)
    let lines = titles.allSatisfy(\.isEmpty) ? rows : [titles] + rows
    let widths = columnWidths(lines, available: width - indentation)
    let needed = widths.reduce(0, +) + gap * (columns.count - 1)
    if width < 80, columns.count > 1, needed > width - indentation { return stacked(width, indentation) }
    var text = ""
    for cells in lines {
      var line = String(repeating: " ", count: indentation)
      for (index, cell) in cells.enumerated() {
        if index > 0 { line += String(repeating: " ", count: gap) }
        line += fitted(cell, to: widths[index], columns[index].alignment)
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }

  /// Each row's first cell, and below it the others after their titles.
  private func stacked(_ width: Int, _ indentation: Int) -> String {
    let start = String(repeating: " ", count: indentation)
    var text = columns[0].title.isEmpty ? "" : start + columns[0].title + "\n"
    for row in rows {
      text += "\(start)\(columns[0].title.isEmpty ? "" : "  ")\(row[0])\n"
      for (column, cell) in zip(columns, row).dropFirst() where !cell.isEmpty {
        text += "\(start)    \(column.title.isEmpty ? cell : "\(column.title): \(cell)")\n"
      }
    }
    return TextSummary.fitted(text, width)
  }

  private func columnWidths(_ lines: [[String]], available: Int) -> [Int] {
    var widths = columns.indices.map { index in lines.map { $0[index].count }.max() ?? 0 }
    var excess = widths.reduce(0, +) + gap * (columns.count - 1) - available
    // The widest gives way first, a character at a time, so that columns of like width stay alike.
    while excess > 0,
      let widest = columns.indices.filter({ columns[$0].mayShrink && widths[$0] > narrowest })
        .max(by: { widths[$0] < widths[$1] })
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func fitted(_ cell: String, to width: Int, _ alignment: Alignment) -> String {
    let count = cell.count
    if count > width { return String(cell.prefix(width - 1)) + "…" }
    let padding = String(repeating: " ", count: width - count)
    return alignment == .left ? cell + padding : padding + cell
  }
}
