/// Who wrote a record, as far as it matters.
enum Speaker: UInt8, CaseIterable {
  case other, scheduler, springBoard, apns, runningBoard, transfers, assertions, power

  init(process: Bytes) {
    switch process.at(0) {
    case UInt8(ascii: "d") where process.isWord("dasd"): self = .scheduler
    case UInt8(ascii: "S") where process.isWord("SpringBoard"): self = .springBoard
    case UInt8(ascii: "a") where process.isWord("apsd"): self = .apns
    case UInt8(ascii: "r") where process.isWord("runningboardd"): self = .runningBoard
    case UInt8(ascii: "n") where process.isWord("nsurlsessiond"): self = .transfers
    case UInt8(ascii: "a") where process.isWord("assertiond"): self = .assertions
    case UInt8(ascii: "p") where process.isWord("powerd"): self = .power
    default: self = .other
    }
  }
}

/// What a record says happened.
enum EventKind {
  // The push comes in.
  case received, receivedByAPNs, payload, silent, notSaved, wakeAsked, shown, simulator
  // The scheduler.
  case submitting, submitted, taskRequested, evaluation, cancelling, cancelled, quoted, starting, completed
  case launchedForActivities, taskRunning, rescoring
  // Processes.
  case launchRequested, processState, boardState, terminated, appTerminated, label, debugged, extensionStart
  // What the app and its transfers say.
  case handlerNotCompleted, overrun, voipKill, appLine, transferStatus, transferTask
  // The link.
  case linkEvent, assertionPolicy, idlePolicy
}

/// One kind of record: who writes it, and how its message begins.
struct EventRow {
  enum Place {
    case start
    /// Behind `[bundle] `.
    case afterBundle
    /// Anywhere: only for processes that write few lines.
    case anywhere
  }

  var kind: EventKind
  var speaker: Speaker
  var place: Place
  var words: StaticString

  init(_ kind: EventKind, _ speaker: Speaker, _ words: StaticString, _ place: Place = .start) {
    self.kind = kind
    self.speaker = speaker
    self.words = words
    self.place = place
  }
}

/// All the records that tell something. A record of a speaker that no row fits says nothing; those of the scheduler may
/// still be evaluations, which begin with the name of an activity.
enum EventGrammar {
  static let rows: [EventRow] = [
    EventRow(.received, .springBoard, "Received incoming message on topic "),
    EventRow(.payload, .springBoard, "Received remote notification request ", .afterBundle),
    EventRow(.silent, .springBoard, "Ignoring notification with no alert, sound or badge ("),
    EventRow(.notSaved, .springBoard, "Not saving push notification ", .afterBundle),
    EventRow(.wakeAsked, .springBoard, "Request DUET delivers content-available push", .afterBundle),
    EventRow(.shown, .springBoard, "Delivered user visible push notification ", .afterBundle),
    EventRow(
      .simulator, .springBoard, "Content-available push notifications are only supported", .afterBundle),
    EventRow(.simulator, .springBoard, "Content-available push notifications are only supported"),
    EventRow(.submitting, .springBoard, "SUBMITTING: "),
    EventRow(.starting, .springBoard, "REQUESTING START: "),
    EventRow(.processState, .springBoard, "Application process state changed for "),
    EventRow(.debugged, .springBoard, "being debugged", .anywhere),
    EventRow(.extensionStart, .springBoard, "Extension will be killed because it used its runtime"),

    EventRow(.submitted, .scheduler, "Submitted Activity: "),
    EventRow(.cancelling, .scheduler, "Daemon Canceling Activities"),
    EventRow(.cancelled, .scheduler, "CANCELED: "),
    EventRow(.quoted, .scheduler, "'"),
    EventRow(.starting, .scheduler, "STARTING activity "),
    EventRow(.starting, .scheduler, "STARTED <_DASActivity: \""),
    EventRow(.completed, .scheduler, "COMPLETED "),
    EventRow(.rescoring, .scheduler, "Evaluating "),
    EventRow(.rescoring, .scheduler, "Attempting to suspend based on triggers"),

    EventRow(.receivedByAPNs, .apns, "Received message for enabled topic ", .anywhere),
    EventRow(.receivedByAPNs, .apns, "receivedPushWithTopic ", .anywhere),
    EventRow(.linkEvent, .apns, "["),
    EventRow(.assertionPolicy, .apns, "Update assertion policy "),
    EventRow(.idlePolicy, .power, "Sending com.apple.powerd.assertionpolicy "),

    EventRow(.launchRequested, .runningBoard, "Executing launch request for "),
    EventRow(.launchRequested, .runningBoard, "Creating and launching job for: "),
    EventRow(.boardState, .runningBoard, "Calculated state for "),
    EventRow(.debugged, .runningBoard, "being debugged", .anywhere),
    EventRow(.terminated, .runningBoard, "termination reported by launchd", .anywhere),
    EventRow(.boardState, .runningBoard, "[app"),
    EventRow(.label, .assertions, "Submitted job with label: UIKitApplication:"),

    EventRow(.submitting, .transfers, "SUBMITTING: "),
    EventRow(.starting, .transfers, "REQUESTING START: "),
    EventRow(.transferStatus, .transfers, "Current discretionary status for "),
    EventRow(.transferTask, .transfers, "Task <"),

    EventRow(.submitting, .other, "SUBMITTING: "),
    EventRow(.submitting, .other, "Submitting task request activity: "),
    EventRow(.taskRequested, .other, "submitTaskRequest: <BG"),
    EventRow(.starting, .other, "REQUESTING START: "),
    EventRow(.launchedForActivities, .other, "Handling launch from daemon for activities"),
    EventRow(.launchedForActivities, .other, "Application launched for activities"),
    EventRow(.taskRunning, .other, "Running task: <BG"),
    EventRow(
      .handlerNotCompleted, .other,
      "Warning: Application delegate received call to -application:didReceiveRemote"),
    EventRow(.overrun, .other, "[BackgroundTask] Background "),
    EventRow(.voipKill, .other, "*** Terminating app due to uncaught exception"),
    EventRow(.voipKill, .other, "Killing app because it never posted an incoming call"),
    EventRow(.extensionStart, .other, "Extension will be killed because it used its runtime"),
  ]

  /// The rows of a speaker, in memory that costs no counting of references: every record asks for them.
  private struct Rows: @unchecked Sendable {
    var rows: UnsafeBufferPointer<EventRow>
    /// By first byte: whether a row begins so, or may stand elsewhere.
    var begins: UnsafeBufferPointer<Bool>

    init(_ speaker: Speaker) {
      let own = EventGrammar.rows.filter { $0.speaker == speaker }
      let rows = UnsafeMutableBufferPointer<EventRow>.allocate(capacity: own.count)
      _ = rows.initialize(from: own)
      let begins = UnsafeMutableBufferPointer<Bool>.allocate(capacity: 256)
      begins.initialize(repeating: own.contains { $0.place == .anywhere })
      for row in own { begins[row.place == .afterBundle ? 91 : Int(row.words.utf8Start.pointee)] = true }
      // The app's end has no row: its words come after its name.
      if speaker == .springBoard { begins[91] = true }
      self.rows = UnsafeBufferPointer(rows)
      self.begins = UnsafeBufferPointer(begins)
    }
  }

  private struct Table: @unchecked Sendable {
    let all: UnsafeBufferPointer<Rows>

    init() {
      let all = UnsafeMutableBufferPointer<Rows>.allocate(capacity: Speaker.allCases.count)
      _ = all.initialize(from: Speaker.allCases.map(Rows.init))
      self.all = UnsafeBufferPointer(all)
    }
  }

  /// Made once, and never freed.
  private static let table = Table()

  static func kind(_ message: Bytes, _ speaker: Speaker) -> EventKind? {
    let own = table.all[Int(speaker.rawValue)]
    guard own.begins[Int(message.at(0))] || speaker == .scheduler else { return nil }
    var afterBundle = -1
    if speaker == .springBoard, message.at(0) == 91, let close = message.find(93, to: 200) {
      afterBundle = close + 2
    }
    for row in own.rows {
      switch row.place {
      case .start: if message.holds(row.words) { return row.kind }
      case .afterBundle: if afterBundle > 0, message.holds(row.words, at: afterBundle) { return row.kind }
      case .anywhere: if message.find(row.words) != nil { return row.kind }
      }
    }
    if speaker == .scheduler, let activity = ActivityName.find(in: message),
      activity.beginsEvaluation(message)
    {
      return .evaluation
    }
    if speaker == .springBoard, afterBundle > 0,
      message.find("application state changed to Terminated") != nil
    {
      return .appTerminated
    }
    return nil
  }

  /// What an app's own line about a push may hold; its words are the developer's.
  static func isAppLine(_ message: Bytes) -> Bool { isPushLine(message) || isVoIPLine(message) }

  static func isPushLine(_ message: Bytes) -> Bool {
    message.find("didReceiveRemoteNotification") != nil || message.find("content-available") != nil
  }

  static func isVoIPLine(_ message: Bytes) -> Bool {
    message.find("didReceiveIncomingPush") != nil || message.find("oip push") != nil
      || message.find("oIP push") != nil || message.find("OIP push") != nil
  }
}

/// The name of an activity of the scheduler: `com.apple.pushLaunch.com.example.news:3B70F2`.
struct ActivityName {
  var name: Bytes
  /// The six digits that are new for every submission.
  var digits: Bytes
  /// Where the text goes on.
  var end: Int

  var number: UInt32 {
    digits.reduce(0) { $0 << 4 | UInt32(Ascii.isDigit($1) ? $1 - 48 : $1 - 55) }
  }

  /// The first one from a place on. Names hold blanks and colons, so what counts are the digits.
  static func find(in text: Bytes, from start: Int = 0, first: Int? = nil) -> ActivityName? {
    var next = start
    while let colon = text.find(58, from: next) {
      next = colon + 1
      guard colon + 7 <= text.count, !Ascii.isWord(text.at(colon + 7)), colon > start else { continue }
      guard (colon + 1..<colon + 7).allSatisfy({ Ascii.isHex(text[$0]) }) else { continue }
      return ActivityName(
        name: text.cut(first ?? start, colon).trimmed, digits: text.cut(colon + 1, colon + 7), end: colon + 7)
    }
    return nil
  }

  /// Whether an evaluation follows: `:[`, or `, Decision: …`.
  func beginsEvaluation(_ text: Bytes) -> Bool {
    if text.holds(", Decision: ", at: end) { return true }
    guard text.at(end) == 58 else { return false }
    var next = end + 1
    while text.at(next) == Ascii.space || text.at(next) == Ascii.tab { next += 1 }
    return text.at(next) == 91
  }
}
