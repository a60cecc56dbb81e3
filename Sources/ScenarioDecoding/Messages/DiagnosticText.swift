/// Lays diagnostics out for a terminal.
public enum DiagnosticText {
  /// More would scroll the first, most telling ones away.
  public static let limit = 20

  /// Everything in the log, a blank line between two diagnostics; empty if there is nothing.
  public static func render(_ log: DiagnosticLog) -> String {
    let sorted = log.sorted
    var parts = sorted.prefix(limit).map(render)
    let shownErrors = sorted.prefix(limit).count { $0.severity == .error }
    if log.errorCount > shownErrors { parts.append("… and \(log.errorCount - shownErrors) more\n") }
    return parts.joined(separator: "\n")
  }

  /// One diagnostic; the last line ends with a line break.
  public static func render(_ diagnostic: Diagnostic) -> String {
    var lines = ["\(diagnostic.place.text): \(diagnostic.severity.rawValue): \(diagnostic.message)"]
    if case .at(let span) = diagnostic.place { lines += excerpt(span) }
    if let expected = diagnostic.expected { lines.append("  expected: \(expected)") }
    if let got = diagnostic.got { lines.append("  got: \(got)") }
    if let help = diagnostic.help { lines.append("  help: \(help)") }
    for note in diagnostic.notes {
      lines.append("  note: \(note.place.map { "\($0.text): " } ?? "")\(note.text)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The source line with its number, and carets below the span.
  private static func excerpt(_ span: SourceSpan) -> [String] {
    let scalars = Array(span.source.line(span.start.line).unicodeScalars)
    let first = min(span.start.column - 1, scalars.count)
    let end = span.end.line > span.start.line ? scalars.count : min(span.end.column - 1, scalars.count)
    // Of a very long line only the neighbourhood is shown.
    let window = max(0, first - 60)..<min(scalars.count, max(0, first - 60) + 150)
    let shown = scalars[window].map(shownScalar)
    let lead = window.lowerBound > 0 ? "…" : ""
    let text = lead + shown.joined() + (window.upperBound < scalars.count ? "…" : "")
    let padding = lead.unicodeScalars.count + width(scalars[window.lowerBound..<first])
    let carets = max(1, width(scalars[first..<max(first, min(end, window.upperBound))]))

    let number = "\(span.start.line)"
    let gutter = String(repeating: " ", count: max(0, 5 - number.utf8.count)) + number
    let blank = String(repeating: " ", count: gutter.utf8.count)
    let shownLine = text.isEmpty ? "\(gutter) |" : "\(gutter) | \(text)"
    return [
      shownLine,
      "\(blank) | " + String(repeating: " ", count: padding) + String(repeating: "^", count: carets),
    ]
  }

  /// A tab as one space, and nothing that would move the cursor or turn the direction of the text.
  private static func shownScalar(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x09: " "
    case 0x00..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: "\u{FFFD}"
    default: String(scalar)
    }
  }

  /// The cells that a terminal gives the scalars.
  private static func width(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
    scalars.reduce(0) { sum, scalar in
      switch scalar.value {
      case 0x300...0x36F, 0x200B...0x200D, 0xFE00...0xFE0F: sum
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        sum + 2
      default: sum + 1
      }
    }
  }
}
