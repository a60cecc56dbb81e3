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

  /// The one place where text becomes markup: for an element, or an attribute in quotes.
  static func escaped(_ string: String) -> String {
    var text = ""
    text.reserveCapacity(string.utf8.count)
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(visible(scalar))
      }
    }
    return text
  }

  /// The text with a visible stand-in for each character that XML forbids, or that would turn the direction of what
  /// follows.
  static func visible(_ string: String) -> String {
    var text = ""
    for scalar in string.unicodeScalars { text.unicodeScalars.append(visible(scalar)) }
    return text
  }

  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09, 0x0A: scalar
    // Unicode has a picture for each of these.
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0, 0xFFFE, 0xFFFF: "\u{FFFD}"
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: scalar
    }
  }

  static func coordinate(_ value: Double) -> String {
    let text = NumberText.fixed(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
