/// Bytes in memory that is asked for once. Whoever makes one frees it.
struct ByteBuffer {
  private let start: UnsafeMutablePointer<UInt8>
  let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  func free() { start.deallocate() }

  /// Valid until the next change.
  var bytes: Bytes { Bytes(start: start, count: count) }
  var room: Int { capacity - count }
  @inline(__always) var last: UInt8 { count > 0 ? start[count - 1] : 0 }

  mutating func removeAll() { count = 0 }
  mutating func removeLast() { count -= 1 }

  @inline(__always) mutating func append(_ byte: UInt8) {
    guard count < capacity else { return }
    start[count] = byte
    count += 1
  }

  /// As much of it as there is room for.
  mutating func append(_ piece: Bytes) {
    let length = min(piece.count, room)
    guard length > 0, let base = piece.baseAddress else { return }
    (start + count).update(from: base, count: length)
    count += length
  }
}

/// The text of the record that is being read: its lines joined, with the places where each began.
struct RecordText {
  private var buffer = ByteBuffer(capacity: RecordText.limit)
  private var starts: [(offset: Int, line: Int)] = []

  /// A longer record is longer than any real one; its end is left out.
  static let limit = 64 * 1024

  func free() { buffer.free() }

  /// Valid until the next change.
  var bytes: Bytes { buffer.bytes }
  var lastLine: Int { starts.last?.line ?? 0 }

  /// The line in which a place of the text stands.
  func line(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle].offset <= offset { low = middle } else { high = middle }
    }
    return starts.isEmpty ? 0 : starts[low].line
  }

  mutating func start(_ text: Bytes, line: Int, tidy: Bool) {
    buffer.removeAll()
    starts.removeAll(keepingCapacity: true)
    add(text, line: line, tidy: tidy)
  }

  /// - Parameter tidy: blanks run together, and none behind `{` and `[` or before `}` and `]`, as evaluations need it.
  mutating func add(_ text: Bytes, line: Int, tidy: Bool) {
    guard text.count < buffer.room, starts.count < 4096 else { return }
    if buffer.count > 0 {
      if tidy { appendTidy(Ascii.space) } else { buffer.append(Ascii.space) }
    }
    starts.append((buffer.count, line))
    guard tidy else { return buffer.append(text) }
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == 92 || byte == 35 {
        let length = Self.escape(text, index)
        if length > 0 {
          appendTidy(Ascii.space)
          index += length
          continue
        }
      }
      appendTidy(byte)
      index += 1
    }
  }

  @inline(__always) private mutating func appendTidy(_ byte: UInt8) {
    let last = buffer.last
    if byte <= Ascii.space {
      if last > Ascii.space, last != 123, last != 91 { buffer.append(Ascii.space) }
      return
    }
    if last == Ascii.space, byte == 125 || byte == 93 { buffer.removeLast() }
    buffer.append(byte)
  }

  /// The length of a line feed or a tab that a relay wrote as `\n`, `\012` or `#012`; 0 for anything else.
  private static func escape(_ text: Bytes, _ index: Int) -> Int {
    if text.holds("\\n", at: index) || text.holds("\\t", at: index) { return 2 }
    for word: StaticString in ["\\012", "\\011", "#012", "#011"] where text.holds(word, at: index) {
      return 4
    }
    return 0
  }
}
