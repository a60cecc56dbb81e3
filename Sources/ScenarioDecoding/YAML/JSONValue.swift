/// A JSON value to be written. Objects keep the order in which their members were given, so that the same result is
/// always the same text.
public enum JSONValue: Sendable, Equatable {
  case object([Member])
  case array([JSONValue])
  case string(String)
  case integer(Int64)
  case unsigned(UInt64)
  /// Written with the fewest digits that read back as the same number. A whole one keeps its `.0`, so that a reader
  /// that tells integers from floats sees the same type whatever the value; a zero has no sign, since it says nothing
  /// here and would differ between equal results. JSON has no infinity and no NaN: those become `null`.
  case number(Double)
  case bool(Bool)
  case null

  /// One key of an object with its value.
  public struct Member: Sendable, Equatable {
    public var key: String
    public var value: JSONValue
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// An object with these members, in this order.
  public static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { Member($0.0, $0.1) })
  }

  /// A count.
  public static func integer(_ value: Int) -> JSONValue { .integer(Int64(value)) }

  /// The text, two spaces to a level, without a final newline. An array of plain values stands on one line.
  public var text: String {
    var text = ""
    write(into: &text, indentation: 0)
    return text
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Keeps the order of the literal.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }
}

extension JSONValue {
  private var isPlain: Bool {
    switch self {
    case .object, .array: false
    case .string, .integer, .unsigned, .number, .bool, .null: true
    }
  }

  private func write(into text: inout String, indentation: Int) {
    switch self {
    case .object(let members): Self.write(members, into: &text, indentation: indentation)
    case .array(let elements): Self.write(elements, into: &text, indentation: indentation)
    case .string(let string): Self.write(quoted: string, into: &text)
    case .integer(let number): text += "\(number)"
    case .unsigned(let number): text += "\(number)"
    case .number(let number): text += Self.text(of: number)
    case .bool(let bool): text += bool ? "true" : "false"
    case .null: text += "null"
    }
  }

  private static func write(_ members: [Member], into text: inout String, indentation: Int) {
    assert(Set(members.map(\.key)).count == members.count, "repeated key in \(members.map(\.key))")
    guard !members.isEmpty else { return text += "{}" }
    text += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      newLine(in: &text, indentation: indentation + 2)
      write(quoted: member.key, into: &text)
      text += ": "
      member.value.write(into: &text, indentation: indentation + 2)
    }
    newLine(in: &text, indentation: indentation)
    text += "}"
  }

  private static func write(_ elements: [JSONValue], into text: inout String, indentation: Int) {
    let isOneLine = elements.allSatisfy(\.isPlain)
    text += "["
    for (index, element) in elements.enumerated() {
      if index > 0 { text += isOneLine ? ", " : "," }
      if !isOneLine { newLine(in: &text, indentation: indentation + 2) }
      element.write(into: &text, indentation: indentation + 2)
    }
    if !isOneLine { newLine(in: &text, indentation: indentation) }
    text += "]"
  }

  private static func newLine(in text: inout String, indentation: Int) {
    text += "\n"
    for _ in 0..<indentation { text += " " }
  }

  private static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    // Swift's description is the shortest that reads back, and its forms (`1.0`, `1e-07`) are JSON's.
    return number == 0 ? "0.0" : "\(number)"
  }

  private static func write(quoted string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Controls; and what a reader of YAML, which JSON is, would take for the end of a line or refuse.
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
