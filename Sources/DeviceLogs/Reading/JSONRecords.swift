/// The members of one JSON object of `log show --style json` or `ndjson` that make a record.
struct JSONRecord {
  private(set) var message: Bytes?
  private(set) var timestamp: Bytes?
  private(set) var process: Bytes?
  private(set) var pid: Bytes?

  /// Reads an object's members; nil without a message.
  init?(_ text: Bytes) {
    var record = Self()
    Self.members(text) { key, value in
      switch key.at(0) {
      case UInt8(ascii: "e") where key.isWord("eventMessage"): record.message = value
      case UInt8(ascii: "t") where key.isWord("timestamp"): record.timestamp = value
      case UInt8(ascii: "p") where key.isWord("processImagePath"): record.process = value
      case UInt8(ascii: "p") where key.isWord("processID"): record.pid = value
      default: break
      }
    }
    if record.message == nil { return nil }
    self = record
  }

  private init() {}

  /// Calls for each member on the first level of an object: a string without its quotes and still escaped, or any other
  /// value as it stands. Stops where the text is no JSON.
  @inline(__always)
  static func members(_ text: Bytes, _ member: (Bytes, Bytes) -> Void) {
    guard text.at(0) == 123 else { return }
    var next = 1
    while true {
      while next < text.count, text[next] <= Ascii.space || text[next] == 44 { next += 1 }
      guard text.at(next) == 34, let keyEnd = stringEnd(text, next) else { return }
      let key = text.cut(next + 1, keyEnd)
      next = keyEnd + 1
      while text.at(next) == Ascii.space || text.at(next) == 58 { next += 1 }
      let start = next
      guard let end = valueEnd(text, next), end > start else { return }
      member(key, text.at(start) == 34 ? text.cut(start + 1, end - 1) : text.cut(start, end))
      next = end
    }
  }

  /// The header; the message is still escaped.
  var header: RecordHeader? {
    guard let message, let timestamp, let day = TimeText.date(timestamp, 0), timestamp.at(10) == Ascii.space,
      let clock = TimeText.clock(timestamp, 11)
    else { return nil }
    var name = process ?? message.cut(0, 0)
    var slash = name.count
    while slash > 0, name[slash - 1] != 47 { slash -= 1 }
    name = name.cut(slash)
    let number = pid?.wholeNumber ?? -1
    return RecordHeader(
      transport: .logShowLines, day: day, dateForm: .full, time: clock.time, digits: clock.digits,
      zone: TimeText.zone(timestamp, clock.end)?.zone, process: name,
      pid: number <= Int(Int32.max) ? Int32(number) : -1, message: message)
  }

  /// The end quote of the string that begins here.
  private static func stringEnd(_ text: Bytes, _ start: Int) -> Int? {
    var next = start + 1
    while let quote = text.find(34, from: next) {
      var slashes = 0
      while text.at(quote - 1 - slashes) == 92, quote - 1 - slashes > start { slashes += 1 }
      if slashes % 2 == 0 { return quote }
      next = quote + 1
    }
    return nil
  }

  /// The place behind a value: a string, a word or number, or a whole object or list.
  private static func valueEnd(_ text: Bytes, _ start: Int) -> Int? {
    var depth = 0
    var next = start
    while next < text.count {
      switch text[next] {
      case 34:
        guard let end = stringEnd(text, next) else { return nil }
        next = end
        if depth == 0 { return end + 1 }
      case 123, 91: depth += 1
      case 125, 93:
        if depth == 0 { return next }
        depth -= 1
        if depth == 0 { return next + 1 }
      case 44 where depth == 0: return next
      default: break
      }
      next += 1
    }
    return depth == 0 ? next : nil
  }

  /// A JSON string's text; an escape of half a pair becomes U+FFFD.
  static func unescape(_ text: Bytes, into buffer: inout ByteBuffer) {
    buffer.removeAll()
    guard text.find(92) != nil else { return buffer.append(text) }
    var index = 0
    while index < text.count {
      guard text[index] == 92 else {
        buffer.append(text[index])
        index += 1
        continue
      }
      switch text.at(index + 1) {
      case UInt8(ascii: "n"): buffer.append(10)
      case UInt8(ascii: "t"): buffer.append(Ascii.tab)
      case UInt8(ascii: "r"): buffer.append(13)
      case UInt8(ascii: "b"), UInt8(ascii: "f"): buffer.append(Ascii.space)
      case UInt8(ascii: "u"):
        let scalar = UInt32(text.cut(index + 2, index + 6).text, radix: 16).flatMap(Unicode.Scalar.init)
        for byte in String(Character(scalar ?? "\u{FFFD}")).utf8 { buffer.append(byte) }
        index += 4
      default: buffer.append(text.at(index + 1))
      }
      index += 2
    }
  }
}

/// Finds the objects of a JSON text, line by line, wherever its author breaks lines.
struct JSONObjects {
  /// The object so far.
  private var buffer = ByteBuffer(capacity: RecordText.limit * 4)
  private(set) var firstLine = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  var isInside: Bool { depth > 0 }

  func free() { buffer.free() }

  /// The next object that ends in this line, from a place on, which moves behind it. It is valid until the next call.
  mutating func next(in line: Bytes, from place: inout Int, number: Int) -> Bytes? {
    var start = place
    while place < line.count {
      let byte = line[place]
      place += 1
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 92 {
          isEscaped = true
        } else if byte == 34 {
          isInString = false
        }
      } else if byte == 34, depth > 0 {
        isInString = true
      } else if byte == 123 {
        if depth == 0 {
          start = place - 1
          firstLine = number
          buffer.removeAll()
        }
        depth += 1
      } else if byte == 125, depth > 0 {
        depth -= 1
        guard depth == 0 else { continue }
        buffer.append(line.cut(start, place))
        // What is longer than the room for it is no record.
        if buffer.room > 0 { return buffer.bytes }
        start = place
      }
    }
    if depth > 0 {
      buffer.append(line.cut(start))
      buffer.append(Ascii.space)
    }
    return nil
  }

  /// Forgets an object that does not end.
  mutating func stop() {
    depth = 0
    isInString = false
    isEscaped = false
  }
}
