/// How a record of a device's log was carried to the file.
public enum Transport: String, Sendable, CaseIterable {
  case consoleCopy = "console_copy"
  case syslogRelay = "idevicesyslog"
  case logShow = "log_show_default"
  case logShowSyslog = "log_show_syslog"
  case logShowCompact = "log_show_compact"
  case logShowJSON = "log_show_json"
  case logShowLines = "log_show_ndjson"
  case xcodeConsole = "xcode_console_legacy"
  case crashReport = "crash_report_text"
  case annotatedPaste = "annotated_paste"
}

/// What stands before the message of a record.
struct RecordHeader {
  var transport: Transport
  /// Days since 1970; in a log without a year counted from 2000.
  var day: Int64 = 0
  var dateForm = LogTime.DateForm.none
  /// Microseconds of the day.
  var time: Int64
  var digits: UInt8
  var zone: Int16?
  var process: Bytes
  var pid: Int32 = -1
  var message: Bytes
}

extension RecordHeader {
  /// Reads the start of a physical line; nil when no record starts there.
  ///
  /// - Parameter afterPrefix: the line began with something else, such as the path that `grep` prints; then only forms
  ///   are accepted that ordinary text cannot be taken for.
  static func parse(_ line: Bytes, afterPrefix: Bool = false) -> RecordHeader? {
    var start = 0
    // Quoted by Markdown, or indented.
    while line.at(start) == 62 || line.at(start) == Ascii.space { start += 1 }
    let first = line.at(start)
    if Ascii.isDigit(first) {
      if line.at(start + 4) == 45 { return dated(line, start) }
      guard !afterPrefix, line.at(start + 2) == 58, let clock = TimeText.clock(line, start) else {
        return nil
      }
      return console(line, clock) ?? annotated(line, clock)
    }
    guard first > Ascii.space, first != 123, first != 125, first != 93 else { return nil }
    if Ascii.isUpper(first), line.at(start + 3) == Ascii.space, let header = relayed(line, start) {
      return header
    }
    if afterPrefix { return nil }
    // A level in whatever language, then the time.
    var next = start
    if let tab = line.find(Ascii.tab, from: start, to: start + 256) {
      next = tab + 1
    } else {
      let limit = min(line.count - 1, start + 64)
      while next < limit, !(line[next] == Ascii.space && line[next + 1] == Ascii.space) { next += 1 }
      while line.at(next) == Ascii.space { next += 1 }
    }
    guard next > start, let clock = TimeText.clock(line, next) else { return nil }
    return console(line, clock)
  }

  /// A header after what `grep` or a tool put before it, within the first bytes of the line.
  static func parseAfterPrefix(_ line: Bytes) -> RecordHeader? {
    let first = line.at(0)
    guard first > Ascii.space, first != 123, first != 125 else { return nil }
    for start in 1..<max(2, min(line.count - 20, 200)) {
      let before = line[start - 1]
      guard before == 58 || before == Ascii.space || before == 93 else { continue }
      let byte = line[start]
      let looksDated = Ascii.isDigit(byte) && line.at(start + 4) == 45 && line.at(start + 13) == 58
      let looksRelayed = Ascii.isUpper(byte) && line.at(start + 3) == Ascii.space && line.at(start + 9) == 58
      guard looksDated || looksRelayed else { continue }
      if let header = parse(line.cut(start), afterPrefix: true) { return header }
    }
    return nil
  }

  /// Console.app: time, zone, process, message, in columns of tabs or of two blanks and more.
  private static func console(_ line: Bytes, _ clock: (time: Int64, digits: UInt8, end: Int)) -> RecordHeader?
  {
    var next = clock.end
    if line.at(next) == Ascii.space { next += 1 }
    guard let zone = TimeText.zone(line, next) else { return nil }
    let hasTabs = line.at(zone.end) == Ascii.tab
    guard hasTabs || (line.at(zone.end) == Ascii.space && line.at(zone.end + 1) == Ascii.space),
      let process = column(line, zone.end, hasTabs),
      var message = column(line, process.next, hasTabs, isLast: true)
    else { return nil }
    // A library's column may stand before the message.
    if hasTabs, let tab = line.find(Ascii.tab, from: message.start, to: message.start + 80),
      tab > message.start,
      Ascii.isLetter(line[message.start]),
      line.cut(message.start, tab).allSatisfy({ Ascii.isWord($0) || $0 == 46 })
    {
      message.start = tab + 1
    }
    return RecordHeader(
      transport: .consoleCopy, time: clock.time, digits: clock.digits, zone: zone.zone,
      process: line.cut(process.start, process.next), message: line.cut(message.start))
  }

  private static func column(
    _ line: Bytes, _ separator: Int, _ hasTabs: Bool, isLast: Bool = false
  ) -> (start: Int, next: Int)? {
    var start = separator
    if hasTabs {
      guard line.at(start) == Ascii.tab else { return nil }
      start += 1
      if isLast { return (start, line.count) }
      guard let end = line.find(Ascii.tab, from: start, to: start + 256), end > start else { return nil }
      return (start, end)
    }
    while line.at(start) == Ascii.space { start += 1 }
    guard start > separator, start < line.count else { return nil }
    if isLast { return (start, line.count) }
    var end = start
    while end < line.count, !(line[end] == Ascii.space && line.at(end + 1) == Ascii.space) { end += 1 }
    return end < line.count ? (start, end) : nil
  }

  /// A paste that somebody worked over: time, process, message.
  private static func annotated(_ line: Bytes, _ clock: (time: Int64, digits: UInt8, end: Int))
    -> RecordHeader?
  {
    guard clock.digits >= 3 else { return nil }
    var start = clock.end
    while line.at(start) == Ascii.space { start += 1 }
    var end = start
    while Ascii.isWord(line.at(end)) || line.at(end) == 46 { end += 1 }
    guard start > clock.end, end > start, line.at(end) == Ascii.space else { return nil }
    return RecordHeader(
      transport: .annotatedPaste, time: clock.time, digits: clock.digits, zone: nil,
      process: line.cut(start, end),
      message: line.cut(end).trimmed)
  }

  /// `Mar 12 09:41:23 iPhone dasd(Library)[139] <Notice>: …`, with or without the name of the device.
  private static func relayed(_ line: Bytes, _ start: Int) -> RecordHeader? {
    guard let month = TimeText.month(line, start), let clock = TimeText.clock(line, start + 7),
      let day = line.at(start + 4) == Ascii.space
        ? line.cut(start + 5, start + 6).wholeNumber : TimeText.two(line, start + 4),
      let number = CivilDate.dayNumber(2000, month, day), line.at(clock.end) == Ascii.space
    else { return nil }
    var name = clock.end + 1
    var end = name
    for attempt in 0..<2 {
      end = name
      while end < line.count, line[end] != Ascii.space, line[end] != 40, line[end] != 91 { end += 1 }
      if line.at(end) != Ascii.space { break }
      if attempt == 0 { name = end + 1 }
    }
    var next = end
    if line.at(next) == 40, let close = line.find(41, from: next, to: next + 256) { next = close + 1 }
    guard end > name, line.at(next) == 91, let close = line.find(93, from: next, to: next + 12),
      let pid = line.cut(next + 1, close).wholeNumber, pid <= Int32.max
    else { return nil }
    next = close + 1
    if line.holds(" (", at: next), let close = line.find(41, from: next, to: next + 128) { next = close + 1 }
    if line.at(next) == Ascii.space { next += 1 }
    if line.at(next) == 60, let close = line.find(62, from: next, to: next + 32) { next = close + 1 }
    guard line.at(next) == 58 else { return nil }
    next += line.at(next + 1) == Ascii.space ? 2 : 1
    return RecordHeader(
      transport: .syslogRelay, day: number, dateForm: .monthAndDay, time: clock.time, digits: clock.digits,
      zone: nil,
      process: line.cut(name, end), pid: Int32(pid), message: line.cut(next))
  }

  /// `log show` in its styles, and the console of Xcode before 15.
  private static func dated(_ line: Bytes, _ start: Int) -> RecordHeader? {
    guard let day = TimeText.date(line, start), line.at(start + 10) == Ascii.space,
      let clock = TimeText.clock(line, start + 11), clock.digits >= 3
    else { return nil }
    let zone = TimeText.zone(line, clock.end)
    var header = RecordHeader(
      transport: .logShow, day: day, dateForm: .full, time: clock.time, digits: clock.digits,
      zone: zone?.zone,
      process: line.cut(0, 0), message: line.cut(0, 0))
    let next = (zone?.end ?? clock.end) + 1
    guard line.at(next - 1) == Ascii.space else { return nil }
    if line.holds("0x", at: next) { return header.readColumns(line, next) ? header : nil }
    if line.at(next) == Ascii.space, zone != nil {
      // The name of a host, then the process.
      var name = next
      while line.at(name) == Ascii.space { name += 1 }
      guard let end = line.find(Ascii.space, from: name, to: name + 128) else { return nil }
      header.transport = .logShowSyslog
      return header.readProcess(line, end + 1) ? header : nil
    }
    var name = next
    if Ascii.isUpper(line.at(next)) {
      let level = Ascii.isLower(line.at(next + 1)) ? next + 2 : next + 1
      if line.at(level) == Ascii.space { name = level }
    }
    header.transport = name == next ? .xcodeConsole : .logShowCompact
    while line.at(name) == Ascii.space { name += 1 }
    return header.readProcess(line, name) ? header : nil
  }

  /// `0x20a11    Default     0x0                  120    8    dasd: (library) [subsystem:category] message`.
  private mutating func readColumns(_ line: Bytes, _ start: Int) -> Bool {
    var next = start
    for column in 0..<5 {
      let first = next
      while next < line.count, line[next] != Ascii.space { next += 1 }
      if column == 3 {
        guard let number = line.cut(first, next).wholeNumber, number <= Int32.max else { return false }
        pid = Int32(number)
      }
      while line.at(next) == Ascii.space { next += 1 }
    }
    guard let colon = line.find(58, from: next, to: next + 128), colon > next else { return false }
    process = line.cut(next, colon)
    message = Self.withoutOrigin(line.cut(line.at(colon + 1) == Ascii.space ? colon + 2 : colon + 1))
    return true
  }

  /// `dasd[157:2f25ff] (library) [subsystem:category] message`, or with `:` after the bracket.
  private mutating func readProcess(_ line: Bytes, _ start: Int) -> Bool {
    guard let open = line.find(91, from: start, to: start + 128), open > start,
      let close = line.find(93, from: open, to: open + 40)
    else { return false }
    let numbers = line.cut(open + 1, close)
    guard let number = numbers.cut(0, numbers.find(58) ?? numbers.count).wholeNumber, number <= Int32.max
    else {
      return false
    }
    process = line.cut(start, open).trimmed
    pid = Int32(number)
    let next = line.at(close + 1) == 58 ? close + 2 : close + 1
    let rest = line.cut(line.at(next) == Ascii.space ? next + 1 : next)
    message = transport == .xcodeConsole ? rest : Self.withoutOrigin(rest)
    return true
  }

  /// The message without `(library) ` and `[subsystem:category] `.
  private static func withoutOrigin(_ text: Bytes) -> Bytes {
    var next = 0
    if text.at(0) == 40, let close = text.find(41, to: 128), text.at(close + 1) == Ascii.space {
      next = close + 2
    }
    guard text.at(next) == 91 else { return text.cut(next) }
    var end = next + 1
    while Ascii.isWord(text.at(end)) || text.at(end) == 46 || text.at(end) == 45 { end += 1 }
    guard end > next + 1, text.at(end) == 58, let close = text.find(93, from: end, to: end + 128) else {
      return text.cut(next)
    }
    return text.cut(text.at(close + 1) == Ascii.space ? close + 2 : close + 1)
  }
}
