/// HTML text that is also well-formed XML. Text that is put into it with `\(…)` is escaped, so that what a scenario
/// says, whatever it holds, is shown and never obeyed.
struct Markup: ExpressibleByStringInterpolation, Equatable {
  private(set) var text = ""

  init() {}
  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }
    mutating func appendLiteral(_ literal: String) { text += literal }
    /// Text of anybody, for an element or between double quotes.
    mutating func appendInterpolation(_ string: String) { text += Markup.escaped(string) }
    mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
    /// A coordinate, to a tenth.
    mutating func appendInterpolation(_ coordinate: Double) { text += Markup.coordinate(coordinate) }
  }

  /// Text that is written as it stands: the style sheet.
  static func verbatim(_ text: String) -> Markup {
    var markup = Markup()
    markup.text = text
    return markup
  }

  static func += (left: inout Markup, right: Markup) { left.text += right.text }
  static func + (left: Markup, right: Markup) -> Markup { verbatim(left.text + right.text) }

  var isEmpty: Bool { text.isEmpty }

  static func joined(_ parts: [Markup], by separator: Markup = "") -> Markup {
    verbatim(parts.map(\.text).joined(separator: separator.text))
  }

  /// The one place where text becomes markup. Characters that XML forbids, or that would turn the direction of what
  /// follows, are replaced by a visible stand-in.
  static func escaped(_ string: String) -> String {
    var text = ""
    text.reserveCapacity(string.utf8.count)
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x26: text += "&amp;"
      case 0x3C: text += "&lt;"
      case 0x3E: text += "&gt;"
      case 0x22: text += "&quot;"
      case 0x27: text += "&#39;"
      case 0x09, 0x0A: text.unicodeScalars.append(scalar)
      // Unicode has a picture for each of these.
      case 0x00..<0x20: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F: text += "\u{2421}"
      case 0x80..<0xA0, 0xFFFE, 0xFFFF: text += "\u{FFFD}"
      case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  static func coordinate(_ value: Double) -> String {
    let text = NumberText.fixed(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
