/// Writes a log again without what names its owner: only records that are understood, in one line each, and of their
/// words only those of the system. Everything else gets a stand-in, the same for the same.
struct Anonymiser {
  private(set) var output = ""
  private var standIns: [String: String] = [:]
  private var counts: [String: Int] = [:]
  /// Whole weeks, so that weekdays stay; set by the first date.
  private var shift: Int64?

  /// A Monday to which the log's first date goes, or to a day of its week.
  private static let firstMonday: Int64 = 11_323

  mutating func drain() -> String {
    defer { output = "" }
    return output
  }

  // MARK: Records

  mutating func write(_ text: Bytes, _ context: RecordContext) {
    let process = context.speaker == .other ? processName(context.process) : context.speaker.processName
    let message = rewritten(text)
    let pid = max(0, context.pid)
    let clock = Self.clock(context.time, fraction: context.time.digits)
    let zone = context.time.zone.map(Self.zone) ?? ""
    switch context.transport {
    case .syslogRelay:
      let date = CivilDate(dayNumber: shifted(context.time.dayNumber))
      let day = date.day < 10 ? " \(date.day)" : "\(date.day)"
      output +=
        "\(Self.months[date.month - 1]) \(day) \(clock) device \(process)[\(pid)] <Notice>: \(message)\n"
    case .consoleCopy, .crashReport:
      output += "default\t\(Self.clock(context.time, fraction: 6))\(zone)\t\(process)\t\(message)\n"
    case .annotatedPaste:
      output += "\(Self.clock(context.time, fraction: max(3, context.time.digits)))  \(process)  \(message)\n"
    case .xcodeConsole: output += "\(day(context.time)) \(clock)\(zone) \(process)[\(pid):1] \(message)\n"
    case .logShow, .logShowSyslog, .logShowJSON, .logShowLines:
      if zone.isEmpty { fallthrough }
      output += "\(day(context.time)) \(clock)\(zone)  localhost \(process)[\(pid)]: \(message)\n"
    case .logShowCompact:
      output +=
        "\(day(context.time)) \(Self.clock(context.time, fraction: 3)) Df \(process)[\(pid):1] \(message)\n"
    }
  }

  mutating func write(_ report: CrashText) {
    guard report.isWhole, let namespace = report.namespace, let code = report.code else { return }
    func time(_ text: String?) -> String? {
      CrashText.time(text).map { "\(day($0)) \(Self.clock($0, fraction: 4)) \($0.zone.map(Self.zone) ?? "")" }
    }
    output += "Process:             \(processName(report.process)) [\(max(0, report.pid))]\n"
    if let bundle = report.bundle { output += "Identifier:          \(dotted(bundle))\n" }
    if let ended = time(report.ended) { output += "Date/Time:           \(ended)\n" }
    if let launched = time(report.launched) { output += "Launch Time:         \(launched)\n" }
    let word = Self.words.contains(namespace) ? namespace : standIn(namespace, "W")
    let number = code.hasPrefix("0x") || code.allSatisfy { $0.isNumber } ? code : standIn(code, "W")
    output += "Termination Reason: \(word) \(number)\n\n"
  }

  // MARK: Times

  private mutating func shifted(_ day: Int64) -> Int64 {
    if shift == nil {
      let weeks = (day - Self.firstMonday) / 7 - ((day - Self.firstMonday) % 7 < 0 ? 1 : 0)
      shift = -weeks * 7
    }
    return day + (shift ?? 0)
  }

  private mutating func day(_ time: LogTime) -> String { Self.iso(shifted(time.dayNumber)) }

  private static func iso(_ day: Int64) -> String {
    let date = CivilDate(dayNumber: day)
    return
      "\(LogTime.padded(Int64(date.year), 4))-\(LogTime.padded(Int64(date.month), 2))-\(LogTime.padded(Int64(date.day), 2))"
  }

  private static func clock(_ time: LogTime, fraction: UInt8) -> String {
    var time = time
    time.zone = nil
    time.dateForm = .none
    time.digits = fraction
    return time.text
  }

  private static func zone(_ zone: Int16) -> String {
    String(LogTime(wall: 0, zone: zone, digits: 0, dateForm: .none).text.dropFirst(8))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// A date at a place of a text, moved, and where it ends: `Mon Mar  9 02:49:40 2026` or `2026-03-16`.
  private mutating func date(_ text: Bytes, _ start: Int) -> (String, end: Int)? {
    if let day = TimeText.date(text, start), !Ascii.isDigit(text.at(start + 10)) {
      return (Self.iso(shifted(day)), start + 10)
    }
    guard let wall = TimeText.longDate(text, start) else { return nil }
    let day = shifted(wall / LogTime.day)
    let date = CivilDate(dayNumber: day)
    let weekday = Self.weekdays[Int(((day - Self.firstMonday) % 7 + 7) % 7)]
    let padded = date.day < 10 ? " \(date.day)" : "\(date.day)"
    let clock = text.cut(start + 11, start + 19).text
    return ("\(weekday) \(Self.months[date.month - 1]) \(padded) \(clock) \(date.year)", start + 24)
  }

  // MARK: Words

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    Ascii.isWord(byte) || byte == 46 || byte == 45 || byte == 64 || byte == 37 || byte >= 128
  }

  private mutating func rewritten(_ text: Bytes) -> String {
    var result = ""
    var index = 0
    while index < text.count {
      if Ascii.isLetter(text[index]) || Ascii.isDigit(text[index]), !Self.isTokenByte(text.at(index - 1)),
        let (date, end) = date(text, index)
      {
        result += date
        index = end
        continue
      }
      // What a push carries is nobody's business.
      if text.holds("payload '", at: index) || text.holds("(\"", at: index) {
        let isPayload = text.holds("payload", at: index)
        result += isPayload ? "payload '<private>'" : "(\"-\""
        index = text.find(isPayload ? 39 : 34, from: index + (isPayload ? 9 : 2)).map { $0 + 1 } ?? text.count
        continue
      }
      guard Self.isTokenByte(text[index]) else {
        result.unicodeScalars.append(Unicode.Scalar(text[index] < 32 ? 32 : text[index]))
        index += 1
        continue
      }
      var end = index
      while end < text.count, Self.isTokenByte(text[end]) { end += 1 }
      result += token(text.cut(index, end), isAfterColon: text.at(index - 1) == 58)
      index = end
    }
    return result
  }

  private mutating func token(_ bytes: Bytes, isAfterColon: Bool) -> String {
    let text = bytes.text
    if isAfterColon, bytes.count == 6, bytes.allSatisfy(Ascii.isHex) { return number(text, "activity", 6) }
    if bytes.allSatisfy({ Ascii.isDigit($0) || $0 == 46 || $0 == 45 }) {
      return bytes.count <= 10 ? text : standIn(text, "n")
    }
    if bytes.holds("0x") { return "0x0" }
    for prefix in Self.prefixes where text.hasPrefix(prefix) {
      let rest = text.dropFirst(prefix.count)
      return rest.isEmpty || prefix.hasSuffix("-cc-") ? text : prefix + dotted(String(rest))
    }
    // A sentence's stop is no part of the name before it.
    if text.hasSuffix("."), text.count > 1 {
      let word = String(text.dropLast())
      return Self.words.contains(word)
        ? text : token(bytes.cut(0, bytes.count - 1), isAfterColon: false) + "."
    }
    if Self.words.contains(text) { return text }
    if text.hasSuffix("Policy"), bytes.allSatisfy(Ascii.isLetter) { return text }
    if text.contains(".") || Self.isUUID(bytes) { return dotted(text) }
    if bytes.count == 9, bytes[4] == 45, bytes.allSatisfy({ Ascii.isHex($0) || $0 == 45 }) {
      let made = number(text, "request", 8)
      return made.prefix(4) + "-" + made.suffix(4)
    }
    return named(text)
  }

  private static func isUUID(_ bytes: Bytes) -> Bool {
    bytes.count == 36 && bytes[8] == 45 && bytes[13] == 45 && bytes[18] == 45 && bytes[23] == 45
  }

  private static let prefixes = [
    "com.apple.pushLaunch.", "com.apple.fetch.", "bgRefresh-", "bgProcessing-", "com.apple.icloud-container.",
    "com.apple.coredata.cloudkit.activity.import.", "com.apple.coredata.cloudkit.activity.export.",
    "com.apple.CFNetwork-cc-",
  ]

  /// A bundle, an identifier of a task or a UUID.
  private mutating func dotted(_ text: String) -> String {
    if let known = standIns[text] { return known }
    var made: String
    if text.count == 36, text.split(separator: "-").count == 5 {
      made = "00000000-0000-4000-8000-" + LogTime.padded(Int64(next("uuid")), 12)
    } else {
      made = "org.example." + named(String(text.split(separator: ".").last ?? "x")).lowercased()
    }
    // Two bundles may end alike.
    if standIns.values.contains(made) { made += "\(next("like"))" }
    standIns[text] = made
    return made
  }

  /// A process is called like the last part of its bundle, whatever the case.
  private mutating func named(_ text: String) -> String { standIn(text.lowercased(), "App") }

  private mutating func processName(_ name: String) -> String {
    Self.words.contains(name) ? name : named(name)
  }

  private mutating func standIn(_ text: String, _ prefix: String) -> String {
    if let known = standIns["\(prefix) \(text)"] { return known }
    let made = "\(prefix)\(next(prefix))"
    standIns["\(prefix) \(text)"] = made
    return made
  }

  /// A number of so many hexadecimal digits.
  private mutating func number(_ text: String, _ kind: String, _ digits: Int) -> String {
    if let known = standIns["\(kind) \(text)"] { return known }
    let hex = String(0xA0_0000 + next(kind), radix: 16).uppercased()
    let made = String(repeating: "0", count: max(0, digits - hex.count)) + hex
    standIns["\(kind) \(text)"] = made
    return made
  }

  private mutating func next(_ kind: String) -> Int {
    counts[kind, default: 0] += 1
    return counts[kind]!
  }

  /// The words of the system that are kept: those by which records are known, and these.
  private static let words: Set<String> = {
    var words: Set<String> = [
      "name", "policyWeight", "response", "Decision", "Score", "Rationale", "Must", "Not", "Proceed",
      "Absolutely", "Can",
      "FinalDecision", "FinalScore", "sumScores", "denominator", "MNP", "AMNP", "AMP", "MP", "CP", "Required",
      "Observed",
      "Low", "Power", "Mode", "Policy", "Activity", "Group", "Application", "Device", "AND", "OR",
      "pushDisallowed",
      "appIsForeground", "ratelimited", "wifiQuality", "cellQuality", "networkPathAvailability", "Max",
      "allowed", "CPU",
      "Usage", "level", "timeSinceThunderingHerdTriggerEvent", "deviceInUse", "deviceActive",
      "cameraIsActive",
      "recentTriggerReason", "launchType", "PROCESSING", "batteryLevel", "pluggedIn", "inADarkWake",
      "darkWakeEligible",
      "wakeState", "Sleep", "off", "currentAvailableLimit", "memoryPressure", "at", "priority", "with",
      "interval", "on",
      "to", "for", "is", "was", "were", "the", "of", "in", "by", "from", "has", "private", "waking",
      "hasAlertContent",
      "hasSound", "hasBadge", "hasContentAvailable", "hasMutableContent", "pushType", "Background", "Alert",
      "VoIP",
      "CurrentScore", "ThresholdScore", "DecisionToRun", "Bypasses", "Predictions", "compatibility", "score",
      "Started",
      "yet", "Bailing", "out", "application", "app", "state", "changed", "Terminated",
      "SBApplicationProcessState", "pid",
      "taskState", "Running", "Suspended", "visibility", "Foreground", "FBApplicationProcess",
      "running-active",
      "running-suspended", "role", "None", "Suspending", "Resuming", "task", "xpcservice", "ext", "reported",
      "launchd",
      "non-discretionary", "discretionary", "since", "being", "debugged", "enqueueing", "resuming", "will",
      "begin",
      "onInterface", "WiFi", "WWAN", "NonCellular", "payload", "device", "token", "NO", "YES",
      "isProxyMessage", "topic",
      "event", "path", "satisfied_change", "BGAppRefreshTaskRequest", "BGProcessingTaskRequest",
      "BGAppRefreshTask",
      "BGProcessingTask", "earliestBeginDate", "requiresExternalPower", "requiresNetworkConnectivity",
      "created", "over",
      "seconds", "ago", "still", "not", "ended", "after", "expiration", "handlers", "called", "received",
      "call",
      "didReceiveRemoteNotification", "fetchCompletionHandler", "but", "completion", "handler", "never",
      "didReceiveIncomingPush",
      "reason", "Killing", "because", "it", "posted", "an", "incoming", "system", "receiving", "a", "PushKit",
      "push",
      "NSInternalInconsistencyException", "uncaught", "exception", "due", "process", "lengthyNoNetwork",
      "store", "error",
      "RUNNINGBOARD", "FRONTBOARD", "SPRINGBOARD", "CALLKIT", "SIGNAL", "voip", "_DASActivity", "Deadline",
      "content-available",
    ]
    for speaker in Speaker.allCases where speaker != .other { words.insert(speaker.processName) }
    for row in EventGrammar.rows {
      for word in row.words.description.split(whereSeparator: { !$0.isLetter && !"-._".contains($0) }) {
        words.insert(String(word))
      }
    }
    return words
  }()
}

extension Speaker {
  /// As the log calls it.
  var processName: String {
    switch self {
    case .other: ""
    case .scheduler: "dasd"
    case .springBoard: "SpringBoard"
    case .apns: "apsd"
    case .runningBoard: "runningboardd"
    case .transfers: "nsurlsessiond"
    case .assertions: "assertiond"
    case .power: "powerd"
    }
  }
}
