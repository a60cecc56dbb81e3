/// Reads a device's log as it comes, chunk by chunk, in memory that does not grow with it.
public final class LogReader {
  private var core: LogReading

  public init(_ options: LogOptions = LogOptions()) { core = LogReading(options) }

  /// What has been understood since the last call, anonymous (``LogOptions/isAnonymised``).
  public func takeAnonymous() -> String { core.takeAnonymous() }
  deinit { core.free() }

  /// Takes the next bytes of the log.
  public func read(_ chunk: UnsafeBufferPointer<UInt8>) { core.read(chunk) }

  /// The end of the log: what it says, or why it is none.
  public func finish() -> Result<Diagnosis, LogRefusal> { core.finish() }
}

/// The state of a reader; a structure, for the speed.
private struct LogReading {
  private var stories: StoryBuilder
  private var lineNumber = 0
  /// The beginning of a line whose end has not come yet.
  private var partial: [UInt8] = []
  private var isSkippingLine = false
  private var encoding = TextEncoding.unknown
  private var wide: [UInt8] = []

  /// The record that may still go on: its kind, and where it comes from.
  private var pending: (kind: EventKind, context: RecordContext)?
  private var text = RecordText()
  private var crash: CrashText?
  private var json = JSONObjects()
  private var isJSON = false
  private var unescaped = ByteBuffer(capacity: RecordText.limit * 4)
  private var clock: LogClock
  /// The latest events, for logs that hold everything twice.
  private var recent = RecentRecords()
  private var foreign = ForeignSigns()
  /// The lines so far of a record that a tool broke.
  private var wrapped: [UInt8] = []
  private var anonymiser: Anonymiser?

  /// A line longer than this is read up to here; a record of the scheduler has some thousand bytes.
  private static let longestLine = 256 * 1024
  private static let wrapWidth = 90

  init(_ options: LogOptions) {
    stories = StoryBuilder(options)
    clock = LogClock(year: options.year, zone: options.zone)
    if options.isAnonymised { anonymiser = Anonymiser() }
  }

  func free() {
    text.free()
    json.free()
    unescaped.free()
  }

  mutating func takeAnonymous() -> String { anonymiser?.drain() ?? "" }

  mutating func read(_ chunk: UnsafeBufferPointer<UInt8>) {
    var bytes = chunk
    if encoding == .unknown {
      encoding = TextEncoding(startOf: bytes)
      foreign.look(atStart: bytes)
      bytes = bytes.cut(encoding.markLength)
    }
    guard encoding == .utf16Big || encoding == .utf16Little else { return split(bytes) }
    wide.append(contentsOf: bytes)
    let text = encoding.narrowed(&wide)
    text.withUnsafeBufferPointer { split($0) }
  }

  private mutating func split(_ bytes: Bytes) {
    var start = 0
    while let end = bytes.find(10, from: start) {
      if partial.isEmpty, !isSkippingLine {
        take(line: bytes.cut(start, end))
      } else {
        keep(bytes.cut(start, end))
        endPartial()
      }
      start = end + 1
    }
    if start < bytes.count { keep(bytes.cut(start)) }
  }

  private mutating func keep(_ piece: Bytes) {
    let room = Self.longestLine - partial.count
    partial.append(contentsOf: piece.cut(0, room))
    if piece.count > room { isSkippingLine = true }
  }

  private mutating func endPartial() {
    let whole = partial
    partial.removeAll(keepingCapacity: true)
    isSkippingLine = false
    whole.withUnsafeBufferPointer { take(line: $0) }
  }

  mutating func finish() -> Result<Diagnosis, LogRefusal> {
    if !partial.isEmpty { endPartial() }
    if !wrapped.isEmpty { endWrapped() }
    flush()
    endCrash()
    if let refusal = foreign.refusal(records: stories.recordCount, stories: stories.count) {
      return .failure(refusal)
    }
    return .success(stories.finish(lines: lineNumber, clock: clock))
  }

  // MARK: Lines

  private mutating func take(line whole: Bytes) {
    lineNumber += 1
    var line = whole
    if line.at(line.count - 1) == 13 { line = line.cut(0, line.count - 1) }
    if line.count == Self.wrapWidth || !wrapped.isEmpty, joinsWrapped(line) { return }
    take(joined: line)
  }

  /// Flutter's tool breaks the records of a device wherever its width ends.
  private mutating func joinsWrapped(_ line: Bytes) -> Bool {
    let starts = line.at(0) == 91 && line.find("] [DEVICE LOG] ") != nil
    if starts, !wrapped.isEmpty { endWrapped() }
    guard starts || !wrapped.isEmpty else { return false }
    wrapped.append(contentsOf: line)
    if line.count != Self.wrapWidth || wrapped.count > RecordText.limit { endWrapped() }
    return true
  }

  private mutating func endWrapped() {
    let whole = wrapped
    wrapped = []
    whole.withUnsafeBufferPointer { take(joined: $0) }
  }

  private mutating func take(joined line: Bytes) {
    if json.isInside || (line.at(0) == 123 && line.at(1) != 110) || isJSONStart(line) {
      return jsonLine(line)
    }
    if let header = RecordHeader.parse(line) { return record(header, lineNumber) }
    if crashLine(line) { return }
    if pending == nil || line.at(0) > Ascii.space, let header = RecordHeader.parseAfterPrefix(line) {
      return record(header, lineNumber)
    }
    if let (kind, _) = pending {
      text.add(line, line: lineNumber, tidy: kind == .evaluation)
    } else {
      foreign.look(at: line)
      if line.find("syslog_relay") != nil { stories.gap(lineNumber) }
    }
  }

  /// Whether a list of objects begins, or goes on.
  private mutating func isJSONStart(_ line: Bytes) -> Bool {
    if line.at(0) == 91, line.count == 1 || line.at(1) == 123 {
      isJSON = true
      return true
    }
    return isJSON && (line.at(0) == 125 || line.at(0) == 44)
  }

  private mutating func jsonLine(_ line: Bytes) {
    // One object a line is the usual form, and needs no search for its end.
    if line.at(0) == 123, line.at(line.count - 1) == 125, let object = JSONRecord(line) {
      // Also behind an object that was cut off.
      json.stop()
      return jsonRecord(object, lineNumber)
    }
    // A record of another transport ends an object that was cut off.
    if json.isInside, line.at(0) != 34, line.at(0) > Ascii.space, RecordHeader.parse(line) != nil {
      json.stop()
      if let header = RecordHeader.parse(line) { record(header, lineNumber) }
      return
    }
    var place = 0
    while let object = json.next(in: line, from: &place, number: lineNumber) {
      if let record = JSONRecord(object) { jsonRecord(record, json.firstLine) }
    }
  }

  private mutating func jsonRecord(_ object: JSONRecord, _ line: Int) {
    guard var header = object.header else { return }
    if isJSON { header.transport = .logShowJSON }
    JSONRecord.unescape(header.message, into: &unescaped)
    header.message = unescaped.bytes
    record(header, line)
  }

  // MARK: Records

  private mutating func record(_ header: RecordHeader, _ line: Int) {
    let speaker = Speaker(process: header.process)
    clock.see(header, line)
    stories.see(header.transport, speaker, line)
    var kind = EventGrammar.kind(header.message, speaker)
    if kind == nil, speaker == .other, header.transport == .xcodeConsole || stories.mayBeApp(header.process),
      EventGrammar.isAppLine(header.message)
    {
      kind = .appLine
    }
    let time = kind == nil ? nil : clock.time(header)
    if let kind, pending?.kind == kind, kind == .evaluation, let time, let pending = pending?.context,
      text.bytes.count == header.message.count, abs(time.seconds(since: pending.time) ?? 1) <= 0.001,
      text.bytes.elementsEqual(header.message)
    {
      // The second of two equal first lines: the record goes on behind it.
      return
    }
    flush()
    endCrash()
    guard let kind, let time else { return }
    pending = (
      kind,
      RecordContext(
        time: time, line: line, lastLine: line, speaker: speaker, transport: header.transport,
        pid: header.pid,
        process: speaker == .other ? header.process.text : "")
    )
    text.start(header.message, line: line, tidy: kind == .evaluation)
    if kind == .appLine || kind == .handlerNotCompleted { flush() }
  }

  private mutating func flush() {
    guard case (let kind, var context)? = pending else { return }
    pending = nil
    context.lastLine = text.lastLine
    guard !recent.holds(text.bytes, context) else { return }
    stories.take(kind, text.bytes, context, text)
    anonymiser?.write(text.bytes, context)
  }

  // MARK: Crash reports

  private mutating func crashLine(_ line: Bytes) -> Bool {
    if line.holds("Process:"), line.find(91) != nil {
      flush()
      endCrash()
      crash = CrashText()
      stories.see(.crashReport, .other, lineNumber)
    }
    guard crash != nil else { return false }
    crash?.add(line, lineNumber)
    return true
  }

  private mutating func endCrash() {
    if let report = crash {
      if let time = CrashText.time(report.ended) { clock.see(time) }
      stories.take(report)
      anonymiser?.write(report)
    }
    crash = nil
  }
}

/// Where a record comes from.
struct RecordContext {
  var time: LogTime
  var line: Int
  var lastLine: Int
  var speaker: Speaker
  var transport: Transport
  var pid: Int32
  /// Of a process that is not the system's.
  var process: String
}

/// The last few events of a log, to tell that it holds each line twice.
private struct RecentRecords {
  private var ring: [(hash: Int, time: LogTime)] = []
  private var next = 0

  /// Whether the same process wrote the same within a millisecond; if not, keeps it.
  mutating func holds(_ text: Bytes, _ context: RecordContext) -> Bool {
    var process = context.process
    let hash = text.hash ^ process.withUTF8(\.hash) &* 31 ^ Int(context.speaker.rawValue)
    for entry in ring
    where entry.hash == hash && abs(entry.time.seconds(since: context.time) ?? 1) <= 0.001_000_5 {
      return true
    }
    if ring.count < 16 {
      ring.append((hash, context.time))
    } else {
      ring[next] = (hash, context.time)
      next = (next + 1) % 16
    }
    return false
  }
}
