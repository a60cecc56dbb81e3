import ScenarioDecoding

/// What readers of a result ask of a JSON value. A question to a value of another form is answered with nil, or
/// with nothing to go through: a result of an older version lacks fields.
extension JSONValue {
  subscript(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }

  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  var string: String? { if case .string(let string) = self { string } else { nil } }

  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// The number as it reads in the file, whatever its form there.
  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .number(let number): number.isFinite ? (number == 0 ? 0 : number) : nil
    default: nil
    }
  }

  var count: Int64? {
    switch self {
    case .integer(let number): number
    case .unsigned(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// A plain value on one line, as the file has it.
  var plainText: String {
    if let string { return string }
    switch self {
    case .integer, .unsigned, .number, .bool: return text
    case .array(let elements): return elements.map(\.plainText).joined(separator: ", ")
    case .object(let members):
      return members.map { "\($0.key): \($0.value.plainText)" }.joined(separator: ", ")
    default: return "–"
    }
  }
}
