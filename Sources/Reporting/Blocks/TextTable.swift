/// Rows of text in aligned columns, for a terminal.
///
/// Widths count characters: approximates what a terminal shows, and is exact for the letters used here; characters
/// that take two columns, such as Chinese ones, push their row to the right.
public struct TextTable: Sendable {
  public enum Alignment: Sendable { case left, right }

  public struct Column: Sendable {
    public var title: String
    public var alignment: Alignment
    /// The column gives way when the table is too wide: its cells go on in the next line.
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
  /// A column does not give way below this.
  private let narrowest = 12

  public init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row; missing cells at its end are empty.
  ///
  /// - Precondition: no more cells than columns.
  public mutating func add(_ cells: [String]) {
    precondition(cells.count <= columns.count, "\(cells.count) cells for \(columns.count) columns: \(cells)")
    rows.append(cells + Array(repeating: "", count: columns.count - cells.count))
  }

  /// The lines of the table, each with its newline and without spaces at its end. A line of titles comes first unless
  /// all titles are empty. `width` is the terminal's. Nothing is cut: in a table that is too wide titles and cells go on in
  /// the next line; then the halves of intervals are left out, which a line says; then each row stands as a
  /// list below its first cell.
  public func text(width: Int, indentation: Int = 0) -> String {
    let room = width - indentation
    for isBare in [false, true] {
      let cells = isBare ? rows.map { $0.map(Self.withoutMargin) } : rows
      guard let widths = columnWidths(cells, room) else { continue }
      let text = lines(cells, widths, indentation)
      let isLess = cells != rows
      return isLess
        ? text
          + TextRenderer.wrapped(
            String(repeating: " ", count: indentation) + "(a wider terminal shows the intervals, too)",
            width: width) : text
    }
    return columns.count > 1
      ? stacked(width, indentation) : lines(rows, [rows.map { $0[0].count }.max() ?? 0], indentation)
  }

  /// `61.0 ±0.4` without what follows.
  private static func withoutMargin(_ cell: String) -> String {
    cell.firstRange(of: " ±").map { String(cell[..<$0.lowerBound]) } ?? cell
  }

  private func lines(_ cells: [[String]], _ widths: [Int], _ indentation: Int) -> String {
    var text = ""
    func add(_ row: [String], fromBottom: Bool) {
      let parts = zip(row, widths).map { Self.broken($0, $1) }
      let height = parts.map(\.count).max() ?? 0
      for number in 0..<height {
        var line = String(repeating: " ", count: indentation)
        for (index, part) in parts.enumerated() {
          let place = fromBottom ? number - (height - part.count) : number
          let cell = part.indices.contains(place) ? part[place] : ""
          let padding = String(repeating: " ", count: max(0, widths[index] - cell.count))
          line += (index > 0 ? String(repeating: " ", count: gap) : "")
          line += columns[index].alignment == .left ? cell + padding : padding + cell
        }
        while line.last == " " { line.removeLast() }
        text += line + "\n"
      }
    }
    if !columns.allSatisfy(\.title.isEmpty) { add(columns.map(\.title), fromBottom: true) }
    for row in cells { add(row, fromBottom: false) }
    return text
  }

  /// The text in lines of that width, broken after a space, a dot or an underscore where there is one.
  static func broken(_ text: String, _ width: Int) -> [String] {
    guard text.count > width else { return [text] }
    var (lines, line, word) = ([String](), "", "")
    func trimmed(_ line: String) -> String { line.last == " " ? String(line.dropLast()) : line }
    for character in text {
      word.append(character)
      if line.count + trimmed(word).count > width {
        if line.isEmpty { (line, word) = (String(word.dropLast()), String(character)) }
        lines.append(trimmed(line))
        line = ""
      }
      if " ._,".contains(character) { (line, word) = (line + word, "") }
    }
    return lines + [trimmed(line + word)]
  }

  /// Each row's first cell, and below it the others after their titles.
  private func stacked(_ width: Int, _ indentation: Int) -> String {
    let start = String(repeating: " ", count: indentation)
    let isNamed = !columns[0].title.isEmpty
    var text = isNamed ? TextRenderer.wrapped(start + columns[0].title, width: width) : ""
    for row in rows {
      text += TextRenderer.wrapped(
        "\(start)\(isNamed ? "  " : "")\(row[0])", width: width, hanging: indentation + 4)
      for (column, cell) in zip(columns, row).dropFirst() where !cell.isEmpty {
        let words = column.title.isEmpty ? cell : "\(column.title): \(cell)"
        text += TextRenderer.wrapped("\(start)    \(words)", width: width, hanging: indentation + 6)
      }
    }
    return text
  }

  /// Nil if the table does not fit.
  private func columnWidths(_ cells: [[String]], _ room: Int) -> [Int]? {
    let needed = columns.indices.map { index in cells.map { $0[index].count }.max() ?? 0 }
    let words = columns.map { $0.title.split(separator: " ").map(\.count).max() ?? 0 }
    var widths = columns.indices.map { max(needed[$0], columns[$0].title.count) }
    var excess = widths.reduce(0, +) + gap * (columns.count - 1) - room
    while excess > 0 {
      // Titles give way first, then the widest of the columns that may, so that columns of like width stay alike.
      let titled = columns.indices.filter { widths[$0] > max(needed[$0], words[$0]) }
      let shrinking = columns.indices.filter {
        columns[$0].mayShrink && widths[$0] > max(narrowest, words[$0])
      }
      guard
        let widest = (titled.isEmpty ? shrinking : titled).max(by: { widths[$0] < widths[$1] })
      else { return nil }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}
