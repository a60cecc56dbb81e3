/// Why a file is no log that can be read, and what to do about it.
public enum LogRefusal: Error, Sendable, Equatable {
  case android
  case archive
  case sysdiagnose
  case zip
  case nothing

  public var message: String {
    switch self {
    case .android: "this is an Android log; the scheduler that is read here is that of iOS"
    case .archive:
      "this is a log archive of Apple's, not text\n"
        + "  help: on a Mac: log show --archive NAME.logarchive --info --style ndjson > device.ndjson"
    case .sysdiagnose:
      "this is an archive of files, such as a sysdiagnose\n"
        + "  help: unpack it; on a Mac: log show --archive system_logs.logarchive --info --style ndjson > device.ndjson"
    case .zip: "this is a ZIP archive\n  help: unpack it and give the log inside"
    case .nothing:
      "no line is a record of a device's log\n"
        + "  expected: lines of Console, `idevicesyslog`, `log show`, Xcode's console, or a crash report's text"
    }
  }
}

/// Looks out for what is no device's log.
struct ForeignSigns {
  private var found: LogRefusal?
  private var androidLines = 0

  mutating func look(atStart bytes: Bytes) {
    if bytes.cut(257).holds("ustar") { found = .sysdiagnose }
    if bytes.holds("PK\u{03}\u{04}") { found = .zip }
    // The head of a tracev3 file is a chunk with tag 0x1000.
    if bytes.at(0) == 0, bytes.at(1) == 0x10, bytes.at(2) == 0, bytes.at(3) == 0 { found = .archive }
  }

  /// `05-23 08:26:13.741 13144 13144 D TSLocationManager:`
  mutating func look(at line: Bytes) {
    guard Ascii.isDigit(line.at(0)), line.at(2) == 45, line.at(5) == Ascii.space,
      let clock = TimeText.clock(line, 6), clock.digits == 3
    else { return }
    androidLines += 1
  }

  func refusal(records: Int, stories: Int) -> LogRefusal? {
    if let found { return found }
    if androidLines > records { return .android }
    return records == 0 && stories == 0 ? .nothing : nil
  }
}

/// How the text of a log is encoded, from its first bytes. What is neither is taken byte by byte: all that matters here
/// is ASCII.
enum TextEncoding {
  case unknown, plain, marked, utf16Little, utf16Big

  init(startOf bytes: Bytes) {
    switch (bytes.at(0), bytes.at(1)) {
    case (0xEF, 0xBB) where bytes.at(2) == 0xBF: self = .marked
    case (0xFF, 0xFE): self = .utf16Little
    case (0xFE, 0xFF): self = .utf16Big
    case (let first, 0) where bytes.count >= 4 && first > 8 && bytes.at(3) == 0: self = .utf16Little
    case (0, let second) where bytes.count >= 4 && second > 8 && second != 0x10 && bytes.at(2) == 0:
      self = .utf16Big
    default: self = .plain
    }
  }

  var markLength: Int { self == .marked ? 3 : 0 }

  /// UTF-16 as UTF-8; half a unit or pair stays in the buffer.
  func narrowed(_ wide: inout [UInt8]) -> [UInt8] {
    let high = self == .utf16Big ? 0 : 1
    var units: [UInt16] = []
    units.reserveCapacity(wide.count / 2)
    for index in stride(from: 0, to: wide.count - 1, by: 2) {
      units.append(UInt16(wide[index + high]) << 8 | UInt16(wide[index + 1 - high]))
    }
    if let last = units.last, last & 0xFC00 == 0xD800 { units.removeLast() }
    wide.removeFirst(units.count * 2)
    if units.first == 0xFEFF { units.removeFirst() }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

/// The lines of a crash report that matter.
struct CrashText {
  var process = ""
  var pid: Int32 = -1
  var bundle: String?
  var launched: String?
  var ended: String?
  var namespace: String?
  var code: String?
  /// Of the reason and what goes on about it.
  var lines: [Int] = []

  /// Whether the reason's line is whole: its code is one that is known, or another line followed.
  private(set) var isWhole = false

  /// What Apple documents, so that half of a number is not taken for one.
  private static let codes: Set<String> = [
    "0x8badf00d", "0xdead10cc", "0xbaadca11", "0xc00010ff", "0xbad22222", "0xbada5e47", "0xbaddd15c",
    "0xc51bad01",
    "0xc51bad02", "0xc51bad03",
  ]

  mutating func add(_ text: Bytes, _ number: Int) {
    if namespace != nil { isWhole = true }
    func value(_ key: StaticString) -> Bytes? {
      text.holds(key) ? text.cut(key.utf8CodeUnitCount).trimmed : nil
    }
    if let value = value("Process:"), let open = value.find(91) {
      process = value.cut(0, open).trimmed.text
      pid = Int32(value.cut(open + 1, value.find(93) ?? open).wholeNumber ?? -1)
    } else if let value = value("Identifier:") {
      bundle = value.text
    } else if let value = value("Date/Time:") {
      ended = value.text
    } else if let value = value("Launch Time:") {
      launched = value.text
    } else if let value = value("Termination Reason:"), namespace == nil {
      readReason(value)
      lines = [number]
    } else if text.holds("<RBSTerminateContext|"), lines.count == 1 {
      lines.append(number)
    }
  }

  /// `Namespace RUNNINGBOARD, Code 0xdead10cc`, `RUNNINGBOARD 0xdead10cc` or `FRONTBOARD 2343432205`.
  private mutating func readReason(_ text: Bytes) {
    var words = text.text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    words.removeAll { $0 == "Namespace" || $0 == "Code" }
    guard words.count >= 2 else { return }
    namespace = words[0]
    let number =
      words[1].lowercased().hasPrefix("0x") ? UInt64(words[1].dropFirst(2), radix: 16) : UInt64(words[1])
    guard let number else { return code = words[1] }
    code = number > 0xFFFF ? "0x" + String(number, radix: 16) : "\(number)"
    if let code, Self.codes.contains(code) { isWhole = true }
  }

  /// `2026-03-14 07:04:17.2550 +0100`
  static func time(_ text: String?) -> LogTime? {
    guard var text else { return nil }
    return text.withUTF8 { bytes in
      guard let day = TimeText.date(bytes, 0), let clock = TimeText.clock(bytes, 11) else { return nil }
      let zone = TimeText.zone(bytes, clock.end + 1)?.zone
      // Reports give a tenth of a millisecond.
      let digits: UInt8 = clock.digits > 3 ? 6 : clock.digits
      return LogTime(wall: day * LogTime.day + clock.time, zone: zone, digits: digits, dateForm: .full)
    }
  }
}
