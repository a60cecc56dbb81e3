import Glibc

/// A piece of a log, not owned: valid only while the text it was cut from is.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer<UInt8> {
  /// From one place up to another; both are clamped, so that no arithmetic on a damaged line can trap.
  @inline(__always) func cut(_ start: Int, _ end: Int = Int.max) -> Bytes {
    let low = Swift.min(Swift.max(0, start), count)
    let high = Swift.min(Swift.max(low, end), count)
    return Bytes(rebasing: self[low..<high])
  }

  /// The byte, or 0 beyond the end.
  @inline(__always) func at(_ index: Int) -> UInt8 { index >= 0 && index < count ? self[index] : 0 }

  @inline(__always) func holds(_ word: StaticString, at start: Int = 0) -> Bool {
    let length = word.utf8CodeUnitCount
    guard start >= 0, start + length <= count, let base = baseAddress else { return false }
    // Most are told apart by their first byte.
    guard base[start] == word.utf8Start.pointee else { return false }
    return memcmp(base + start, word.utf8Start, length) == 0
  }

  @inline(__always) func isWord(_ word: StaticString) -> Bool {
    count == word.utf8CodeUnitCount && holds(word)
  }

  @inline(__always) func find(_ byte: UInt8, from start: Int = 0, to end: Int = Int.max) -> Int? {
    let stop = Swift.min(end, count)
    guard start >= 0, start < stop, let base = baseAddress else { return nil }
    guard let hit = memchr(base + start, Int32(byte), stop - start) else { return nil }
    return UnsafeRawPointer(hit) - UnsafeRawPointer(base)
  }

  func find(_ word: StaticString, from start: Int = 0) -> Int? {
    let last = count - word.utf8CodeUnitCount
    var next = start
    while next <= last, let hit = find(word.utf8Start.pointee, from: next, to: last + 1) {
      if holds(word, at: hit) { return hit }
      next = hit + 1
    }
    return nil
  }

  /// What follows a word, up to the first of the given ends (or the end of the text).
  func value(after word: StaticString, from start: Int = 0, until ends: StaticString = " ,]})") -> Bytes? {
    guard let found = find(word, from: start) else { return nil }
    let first = found + word.utf8CodeUnitCount
    let stops = UnsafeBufferPointer(start: ends.utf8Start, count: ends.utf8CodeUnitCount)
    var last = first
    while last < count, !stops.contains(self[last]) { last += 1 }
    return cut(first, last)
  }

  /// Without blanks at both ends.
  var trimmed: Bytes {
    var low = 0
    var high = count
    while low < high, self[low] <= Ascii.space { low += 1 }
    while high > low, self[high - 1] <= Ascii.space { high -= 1 }
    return cut(low, high)
  }

  /// The text; bytes that are no UTF-8 become U+FFFD.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// For dictionaries: seeded anew in each process, so that no log can be made to collide.
  var hash: Int {
    var hash = hashSeed ^ UInt64(truncatingIfNeeded: count)
    let raw = UnsafeRawBufferPointer(self)
    var index = 0
    while index + 8 <= count {
      hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < count {
      rest = rest << 8 | UInt64(self[index])
      index += 1
    }
    hash = mix(hash ^ rest)
    return Int(truncatingIfNeeded: hash)
  }

  /// A whole number of plain digits; nil for none, for anything else, and beyond 18 digits.
  var wholeNumber: Int? {
    guard !isEmpty, count <= 18 else { return nil }
    var number = 0
    for byte in self {
      guard Ascii.isDigit(byte) else { return nil }
      number = number * 10 + Int(byte - 48)
    }
    return number
  }

  /// A decimal number as the logs print them: a sign, digits, a point.
  var decimal: Double? {
    guard !isEmpty, count <= 32, allSatisfy({ Ascii.isDigit($0) || $0 == 46 || $0 == 45 }) else { return nil }
    return Double(text)
  }
}

/// Another number in each process: the standard library's hashes are seeded so.
private let hashSeed = UInt64(truncatingIfNeeded: Hasher().finalize())
private let hashFactor: UInt64 = 0x9E37_79B9_7F4A_7C15

@inline(__always) private func mix(_ value: UInt64) -> UInt64 {
  let product = value.multipliedFullWidth(by: hashFactor)
  return product.high ^ product.low
}

enum Ascii {
  static let tab: UInt8 = 9
  static let space: UInt8 = 32
  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
  @inline(__always) static func isUpper(_ byte: UInt8) -> Bool { byte &- 65 < 26 }
  @inline(__always) static func isLower(_ byte: UInt8) -> Bool { byte &- 97 < 26 }
  @inline(__always) static func isLetter(_ byte: UInt8) -> Bool { (byte | 32) &- 97 < 26 }
  /// A digit of an activity's number, which has upper case only.
  @inline(__always) static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || byte &- 65 < 6 }
  /// A part of a name: a letter, a digit, `_`.
  @inline(__always) static func isWord(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == 95
  }
}
