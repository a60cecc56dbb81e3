package import Quantities

/// A table of a CSV file (RFC 4180, commas, first row the headings); lines that start with `#` are comments.
struct CSVTable {
  struct Cell {
    var text: String
    var position: SourcePosition
  }

  let source: SourceText
  let headings: [Cell]
  let rows: [[Cell]]

  /// Measured delays come in tens of thousands; beyond this a histogram serves better.
  static let sizeLimit = 16 << 20

  static func read(_ name: String, at span: SourceSpan, context: DecodingContext) -> CSVTable? {
    let path = context.path(name, from: span)
    switch context.read(path, sizeLimit) {
    case .success(let bytes):
      guard String(validating: bytes, as: UTF8.self) != nil else {
        context.log.add(Messages.cannotRead(path, "the text is not valid UTF-8", at: span))
        return nil
      }
      context.tables.append(bytes)
      return CSVTable(SourceText(name: path, bytes: bytes), log: context.log)
    case .failure(.tooLarge):
      context.log.add(Messages.cannotRead(path, "the file is larger than \(sizeLimit >> 20) MiB", at: span))
    case .failure(.failed(let reason)):
      context.log.add(Messages.cannotRead(path, reason, at: span))
    }
    return nil
  }

  init?(_ source: SourceText, log: DiagnosticLog) {
    self.source = source
    var rows: [[Cell]] = []
    var scanner = Scanner(bytes: source.bytes)
    while let row = scanner.row() {
      rows.append(row)
      if let place = scanner.openQuote {
        log.add(Messages.openQuoteInCSV(source.character(place)))
        return nil
      }
    }
    guard let first = rows.first else {
      log.add(Messages.emptyCSV(source))
      return nil
    }
    headings = first
    self.rows = Array(rows.dropFirst())
  }

  /// The numbers of a column in SI units, and where they stand.
  func numbers(
    _ heading: String, at span: SourceSpan, dimension: Dimension, range: ClosedRange<Double> = .anything,
    unit: String?, log: DiagnosticLog
  ) -> [(value: Double, span: SourceSpan)]? {
    guard let column = headings.firstIndex(where: { $0.text == heading }) else {
      log.add(Messages.noSuchColumn(heading, span, in: source.name, valid: headings.map(\.text)))
      return nil
    }
    var values: [(value: Double, span: SourceSpan)] = []
    for row in rows {
      guard column < row.count else {
        log.add(Messages.shortRow(source.character(row[0].position), heading))
        return nil
      }
      let cell = row[column]
      let text = unit.map { "\(cell.text) \($0)" } ?? cell.text
      let node = YAMLNode(
        .scalar(cell.text, isQuoted: true),
        span: source.span(cell.position, length: cell.text.unicodeScalars.count))
      // The first bad cell says it; a column of words would say it ten thousand times.
      guard
        let value = ValueReader.quantity(
          text, dimension, range, label: "a value of the column \(Messages.quoted(heading))", node: node,
          log: log)
      else { return nil }
      values.append((value, node.span))
    }
    guard !values.isEmpty else {
      log.add(Messages.emptyCSV(source, at: headings[column].position))
      return nil
    }
    return values
  }

  private struct Scanner {
    let bytes: [UInt8]
    var index = 0
    var position = SourcePosition(line: 1, column: 1)
    /// Where a quotation mark opened that never closed.
    var openQuote: SourcePosition?

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var isAtLineEnd: Bool {
      index == bytes.count || bytes[index] == 0x0A
        || (bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] == 0x0A))
    }

    private mutating func advance() {
      if bytes[index] == 0x0A {
        position = SourcePosition(line: position.line + 1, column: 1)
      } else if bytes[index] & 0xC0 != 0x80 {
        position.column += 1
      }
      index += 1
    }

    private mutating func skipLineEnd() {
      if index < bytes.count, bytes[index] == 0x0D { advance() }
      if index < bytes.count { advance() }
    }

    /// The next row that is neither empty nor a comment.
    mutating func row() -> [Cell]? {
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "#") {
          while !isAtLineEnd { advance() }
          skipLineEnd()
        } else if isAtLineEnd {
          skipLineEnd()
        } else {
          var cells = [cell()]
          while index < bytes.count, bytes[index] == UInt8(ascii: ",") {
            advance()
            cells.append(cell())
          }
          skipLineEnd()
          return cells
        }
      }
      return nil
    }

    private mutating func cell() -> Cell {
      let start = position
      var content: [UInt8] = []
      if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
        advance()
        while true {
          guard index < bytes.count else {
            openQuote = start
            break
          }
          let byte = bytes[index]
          advance()
          if byte == UInt8(ascii: "\"") {
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { break }
            advance()
          }
          content.append(byte)
        }
      }
      while !isAtLineEnd, bytes[index] != UInt8(ascii: ",") {
        content.append(bytes[index])
        advance()
      }
      // Spreadsheets and people put spaces after commas.
      while content.last == 0x20 { content.removeLast() }
      return Cell(text: String(decoding: content.drop { $0 == 0x20 }, as: UTF8.self), position: start)
    }
  }
}

/// A column of a CSV file, as a scenario names it.
package enum CSVColumn {
  package static func keys(_ dimension: Dimension) -> KeyTable {
    KeyTable([
      .required("file", .text, "a CSV file, relative to the file that names it"),
      .required("column", .text, "the heading of the column of values"),
      .optional(
        "unit", .word(dimension.units.map(\.symbol)),
        "the unit of the values; without it each value carries its own"),
    ])
  }

  /// The column's values in SI units, and where they stand.
  static func read(
    _ body: ValueReader, _ dimension: Dimension, range: ClosedRange<Double> = .anything,
    context: DecodingContext
  ) -> [(value: Double, span: SourceSpan)]? {
    guard let keys = body.mapping(keys(dimension)), let file = keys.value("file"), let name = file.text(),
      let column = keys.value("column"), let heading = column.text()
    else { return nil }
    var unit: String?
    if let reader = keys.value("unit") {
      let symbols = dimension.units.map(\.symbol)
      guard let index = reader.choice(symbols) else { return nil }
      unit = symbols[index]
    }
    return CSVTable.read(name, at: file.node.span, context: context)?.numbers(
      heading, at: column.node.span, dimension: dimension, range: range, unit: unit, log: context.log)
  }
}

extension SourceText {
  func span(_ start: SourcePosition, length: Int) -> SourceSpan {
    SourceSpan(
      source: self, start: start, end: SourcePosition(line: start.line, column: start.column + length))
  }

  func character(_ start: SourcePosition) -> SourceSpan { span(start, length: 1) }
}
