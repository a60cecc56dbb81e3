/// A number and what it measures.
public struct Quantity: Sendable, Hashable {
  /// In the dimension's SI unit.
  public var value: Double
  public var dimension: Dimension

  public init(_ value: Double, _ dimension: Dimension) {
    self.value = value
    self.dimension = dimension
  }
}

/// Why a text is not a quantity.
public enum QuantityTextError: Error, Sendable, Hashable {
  /// It does not start with a number.
  case notANumber
  /// The number is infinite, not a number, or beyond what a `Double` holds.
  case notFinite
  /// The number is fine; nothing measures in this unit.
  case unknownUnit(String)
}

extension Quantity {
  /// The quantity that a text such as `15 min`, `2 /h` or `40 %` writes; a bare number is a ``Dimension/count``.
  ///
  /// The space before the unit is optional. Which dimension is wanted here, and in which range, is the caller's
  /// to check: only the caller can word the message.
  public static func parse(_ text: String) throws(QuantityTextError) -> Quantity {
    let (number, rest) = splitNumber(text)
    guard let value = Double(number) else {
      let word = text.drop(while: { $0 == "+" || $0 == "-" || $0 == "." }).lowercased()
      throw word.hasPrefix("inf") || word.hasPrefix("nan") ? .notFinite : .notANumber
    }
    guard value.isFinite else { throw .notFinite }
    let symbol = normalisedUnit(rest)
    if symbol.isEmpty { return Quantity(value, .count) }
    guard let unit = Dimension.unit(symbol) else { throw .unknownUnit(symbol) }
    let si = unit.si(value)
    guard si.isFinite else { throw .notFinite }
    return Quantity(si, unit.dimension)
  }

  /// The value in its natural unit: `15 min`, `1.5 h`, `40 %`.
  public var text: String { Self.format(value, dimension) }

  /// An SI value in the unit that needs the fewest digits and gives a number of at least one; among equals, the
  /// preferred one. Reading the text again gives the value to that many digits.
  ///
  /// - Parameters:
  ///   - value: in the SI unit of `dimension`.
  ///   - dimension: what the value measures.
  ///   - digits: significant digits kept; 12 hide what conversion between units leaves in the last places.
  /// - Returns: number, space and unit; the number alone for a ``Dimension/count``.
  public static func format(_ value: Double, _ dimension: Dimension, digits: Int = 12) -> String {
    guard value != 0 else { return dimension.zeroText }
    guard let smallest = dimension.smallestUnit else { return decimalText(value, digits: digits) }
    var best = (unit: smallest, text: decimalText(smallest.number(value), digits: digits))
    var bestCount = Int.max
    for unit in dimension.units where unit.isShown {
      let number = unit.number(value)
      guard number.magnitude >= 1, number.isFinite else { continue }
      let text = decimalText(number, digits: digits)
      let count = text.utf8.count(where: isDigit)
      if count < bestCount {
        best = (unit, text)
        bestCount = count
      }
    }
    return "\(best.text) \(best.unit.symbol)"
  }

  /// The longest prefix that is a decimal number, and what follows it.
  private static func splitNumber(_ text: String) -> (number: String, rest: Substring) {
    let bytes = Array(text.utf8)
    let start = bytes.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? 0
    var index = start
    func skipDigits() -> Int {
      let first = index
      while index < bytes.count, isDigit(bytes[index]) { index += 1 }
      return index - first
    }
    func skipSign() {
      if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
        index += 1
      }
    }
    skipSign()
    var digits = skipDigits()
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      digits += skipDigits()
    }
    guard digits > 0 else { return ("", Substring(text)) }
    let mantissaEnd = index
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      skipSign()
      if skipDigits() == 0 { index = mantissaEnd }
    }
    let end = text.utf8.index(text.utf8.startIndex, offsetBy: index)
    return (String(decoding: bytes[start..<index], as: UTF8.self), text[end...])
  }

  /// Without outer spaces and those around a slash; the Greek letter mu and the micro sign count as one.
  private static func normalisedUnit(_ text: Substring) -> String {
    var result = ""
    var pendingSpace = false
    for character in text {
      if character == " " || character == "\t" || character == "\u{A0}" {
        pendingSpace = !result.isEmpty && result.last != "/"
        continue
      }
      if pendingSpace, character != "/" { result.append(" ") }
      pendingSpace = false
      result.append(character == "\u{3BC}" ? "\u{B5}" : character)
    }
    return result
  }
}

/// The shortest decimal text of `value` rounded to `digits` significant digits, without trailing zeros.
public func decimalText(_ value: Double, digits: Int = 12) -> String {
  guard value.isFinite else { return value.isNaN ? "not a number" : value < 0 ? "-infinity" : "infinity" }
  guard value != 0 else { return "0" }
  var (decimals, exponent) = decimalDigits(value.magnitude)
  if decimals.count > digits {
    let roundUp = decimals[digits] >= 5
    decimals.removeSubrange(digits...)
    if roundUp {
      var index = digits - 1
      while index >= 0, decimals[index] == 9 {
        decimals[index] = 0
        index -= 1
      }
      if index >= 0 {
        decimals[index] += 1
      } else {
        decimals.insert(1, at: 0)
        exponent += 1
      }
    }
  }
  while decimals.count > 1, decimals.last == 0 { decimals.removeLast() }
  let sign = value < 0 ? "-" : ""
  func text(_ digits: some Sequence<UInt8>) -> String { digits.map { String($0) }.joined() }
  switch exponent {
  case 0..<16:
    let whole = decimals.prefix(exponent + 1)
    let zeros = String(repeating: "0", count: exponent + 1 - whole.count)
    let fraction = decimals.dropFirst(exponent + 1)
    return sign + text(whole) + zeros + (fraction.isEmpty ? "" : "." + text(fraction))
  case -7..<0:
    return sign + "0." + String(repeating: "0", count: -exponent - 1) + text(decimals)
  default:
    let fraction = decimals.dropFirst()
    return sign + text(decimals.prefix(1)) + (fraction.isEmpty ? "" : "." + text(fraction)) + "e\(exponent)"
  }
}

/// The digits of the shortest text that reads back as `value`, and the power of ten of the first.
private func decimalDigits(_ value: Double) -> (digits: [UInt8], exponent: Int) {
  var digits: [UInt8] = []
  var point: Int?
  var exponent = 0
  var bytes = Substring(value.description)
  if let e = bytes.firstIndex(of: "e") {
    exponent = Int(bytes[bytes.index(after: e)...]) ?? 0
    bytes = bytes[..<e]
  }
  for byte in bytes.utf8 {
    if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte - UInt8(ascii: "0")) }
  }
  exponent += (point ?? digits.count) - 1
  while digits.count > 1, digits.first == 0 {
    digits.removeFirst()
    exponent -= 1
  }
  return (digits, exponent)
}

private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
