import PushPolicy

extension StoryBuilder {
  /// Takes one record.
  ///
  /// - Parameter record: where the message is from, for the lines of its places.
  mutating func take(_ kind: EventKind, _ text: Bytes, _ context: RecordContext, _ record: RecordText) {
    switch kind {
    case .received, .payload, .silent, .notSaved, .wakeAsked, .shown, .simulator, .appTerminated:
      takeArrival(kind, text, context)
    case .receivedByAPNs: takeTopic(text, context)
    case .submitting, .submitted: takeSubmission(text, context)
    case .taskRequested: takeTaskRequest(text, context)
    case .evaluation: takeEvaluation(text, context, record)
    case .cancelling, .launchedForActivities: takeList(kind, text, context)
    case .cancelled:
      if let activity = ActivityName.find(in: text, from: 10) { cancel(activity, context, isSure: true) }
    case .quoted: takeQuoted(text, context)
    case .starting: takeStart(text, context)
    case .completed: takeCompletion(text, context)
    case .taskRunning: takeTask(text, context)
    case .launchRequested, .boardState, .processState, .label, .terminated: takeProcess(kind, text, context)
    case .debugged: seeDebugger(context)
    // Says that something changed, not for whom; but it shows that the log goes on.
    case .rescoring: break
    case .extensionStart: takeExtension("RUNTIME", "used its runtime in starting up", nil, context)
    case .handlerNotCompleted, .overrun, .voipKill, .appLine: takeApp(kind, text, context)
    case .transferStatus, .transferTask: takeTransfer(kind, text, context)
    case .linkEvent:
      if text.find("path:satisfied_change") != nil {
        note(DeviceEvent(kind: .reconnectBegan, at: context.time, value: nil, line: context.line))
      }
    case .assertionPolicy, .idlePolicy:
      let value = text.cut((text.count) - 2).trimmed.wholeNumber
      let isKnown = events.contains { $0.kind == .idlePower && $0.value == value }
      if value == 3, !isKnown || kind == .idlePolicy {
        note(DeviceEvent(kind: .idlePower, at: context.time, value: value, line: context.line))
      }
    }
  }

  // MARK: Arrival

  private mutating func takeArrival(_ kind: EventKind, _ text: Bytes, _ context: RecordContext) {
    if kind == .received { return takeReceived(text, context) }
    if kind == .silent {
      // `Ignoring notification with no alert, sound or badge (com.example.news): 61C2-0FE4`
      guard let open = text.find(40), let close = text.find(41, from: open) else { return }
      let request = text.at(close + 1) == 58 ? Self.request(text.cut(close + 2).trimmed) : nil
      _ = arrival(text.cut(open + 1, close), request: request, context)
      return
    }
    guard let close = text.find(93), close > 1, text.at(0) == 91 else { return }
    let bundle = text.cut(1, close)
    let rest = text.cut(close + 2)
    switch kind {
    case .payload:
      let request = Self.request(rest.cut(37))
      guard let index = arrival(bundle, request: request, context) else { return }
      readFlags(rest, index, context)
    case .notSaved: _ = arrival(bundle, request: Self.request(rest.cut(29)), context)
    case .shown:
      if let index = arrival(bundle, request: Self.request(rest.cut(41)), context) {
        stories[index].isShown = true
      }
    case .wakeAsked: _ = arrival(bundle, request: nil, context)
    case .simulator:
      guard let index = arrival(bundle, request: nil, context) else { return }
      stories[index].droppedAt = context.time
      stories[index].decided = context.time
    default:
      apps[trail(bundle)]?.terminated = (context.time, context.line)
    }
  }

  /// `4C1A-92D0`, at the start of a text.
  private static func request(_ text: Bytes) -> Bytes? {
    var end = 0
    while end < 40, Ascii.isWord(text.at(end)) || text.at(end) == 45 { end += 1 }
    return end >= 4 ? text.cut(0, end) : nil
  }

  /// `Received incoming message on topic com.example.news at priority 5`
  private mutating func takeReceived(_ text: Bytes, _ context: RecordContext) {
    let rest = text.cut(35)
    let end = rest.find(Ascii.space) ?? rest.count
    guard end > 0, let index = arrival(rest.cut(0, end), request: nil, context, starts: true) else { return }
    if let priority = rest.value(after: "at priority ")?.wholeNumber {
      stories[index].payload.priority = priority
    }
  }

  private mutating func readFlags(_ text: Bytes, _ index: Int, _ context: RecordContext) {
    func flag(_ word: StaticString) -> Bool? {
      guard let value = text.value(after: word, until: " ,]"), value.count == 1 else { return nil }
      return value[0] == 49 ? true : value[0] == 48 ? false : nil
    }
    if let value = flag("hasContentAvailable: ") { stories[index].payload.contentAvailable = value }
    if let alert = flag("hasAlertContent: ") {
      stories[index].payload.isAlert = alert || flag("hasSound: ") == true || flag("hasBadge: ") == true
    }
    // A word that is cut off says nothing.
    if let type = text.value(after: "pushType: ", until: "]"), text.find(93) != nil {
      stories[index].payload.pushType = type.trimmed.text
    }
    if stories[index].payload.contentAvailable == false { stories[index].decided = context.time }
  }

  private mutating func takeTopic(_ text: Bytes, _ context: RecordContext) {
    if let date = text.find(" timestamp "), let wall = TimeText.longDate(text, date + 11), datings.isEmpty {
      datings.append((wall, context.time, "apsd's timestamp"))
    }
    guard
      let quoted = text.value(after: "enabled topic '", until: "'")
        ?? text.value(after: "receivedPushWithTopic ", until: " "), !quoted.isEmpty
    else { return }
    if quoted.holds("<private>") {
      hidesTopics = true
      return
    }
    if quoted.holds("com.apple.icloud-container.") {
      lastCloudTopic = (quoted.cut(27).text, context.time, context.line)
    } else if let index = arrival(quoted, request: nil, context, starts: true) {
      // SpringBoard's line of the same push follows.
      stories[index].hasArrivalLine = false
      if let priority = text.value(after: "with priority ")?.wholeNumber {
        stories[index].payload.priority = priority
      }
    }
  }

  // MARK: Submission

  private mutating func takeSubmission(_ text: Bytes, _ context: RecordContext) {
    guard let colon = text.find(58), let activity = ActivityName.find(in: text, from: colon + 1),
      let index = story(activity, context)
    else { return }
    Story.keepEarlier(&stories[index].submitted, context.time)
    let isKnownBefore = stories[index].received == nil && stories[index].wasEvaluated
    if stories[index].kind != .cloudkit, !isKnownBefore {
      Story.keepEarlier(&stories[index].received, context.time)
    }
    let rest = text.cut(activity.end)
    if let priority = rest.value(after: "at priority ")?.wholeNumber {
      stories[index].payload.priority = priority
    }
    if let open = rest.find("("), let from = TimeText.longDate(rest, open + 1),
      rest.holds(" - ", at: open + 25),
      let to = TimeText.longDate(rest, open + 28)
    {
      var time = context.time
      time.digits = 0
      time.dateForm = .full
      time.wall = from
      var end = time
      end.wall = to
      stories[index].window = (time, end)
      if datings.isEmpty { datings.append((from, context.time, "the activity's window")) }
    }
    let task = activity.name.hash
    if let requested = requestedTasks.removeValue(forKey: task) {
      stories[index].earliest = requested.earliest
      stories[index].add(requested.line)
    }
    if let (_, before) = latest(task), let before { supersede(before, by: index) }
  }

  /// `submitTaskRequest: <BGAppRefreshTaskRequest: com.example.weather.fetch, earliestBeginDate: 2026-03-16 09:21:05 +0000>`
  private mutating func takeTaskRequest(_ text: Bytes, _ context: RecordContext) {
    guard let open = text.find(60), let colon = text.find(58, from: open),
      let identifier = text.value(after: ": ", from: colon, until: ",>")
    else { return }
    var earliest: LogTime?
    if let date = text.value(after: "earliestBeginDate: ", until: ",>"), let day = TimeText.date(date, 0),
      let clock = TimeText.clock(date, 11), let zone = TimeText.zone(date, clock.end + 1)?.zone
    {
      let wall = day * LogTime.day + clock.time
      earliest = LogTime(wall: wall, zone: zone, digits: 0, dateForm: .full)
      if let local = context.time.zone {
        if datings.isEmpty {
          datings.append((wall + Int64(local - zone) * 60_000_000, context.time, "earliestBeginDate"))
        }
      }
    }
    let prefix = text.find("ProcessingTask") != nil ? "bgProcessing-" : "bgRefresh-"
    var name = prefix + identifier.text
    if requestedTasks.count < Self.mostStories {
      requestedTasks[name.withUTF8(\.hash)] = (earliest, context.line)
    }
  }

  // MARK: Cancellation, start, end

  private mutating func takeList(_ kind: EventKind, _ text: Bytes, _ context: RecordContext) {
    guard var next = text.find("{(").map({ $0 + 2 }) else { return }
    var count = 0
    while let activity = ActivityName.find(in: text, from: next), count < 200 {
      // Items stand in lines of their own, with commas behind them.
      if kind == .cancelling {
        cancel(activity, context, isSure: false)
      } else if let index = story(activity, context) {
        launch(index, context.time, .app)
      }
      next = activity.end + (text.at(activity.end) == 44 ? 1 : 0)
      count += 1
    }
  }

  private mutating func cancel(_ activity: ActivityName, _ context: RecordContext, isSure: Bool) {
    guard let index = story(activity, context) else { return }
    let before = stories[index].cancelled
    if isSure || before == nil {
      stories[index].cancelled = context.time
      stories[index].decided = context.time
      closeHolds(index, context.time)
      // The list comes before the word on each.
      for hold in stories[index].holds.indices where before != nil && stories[index].holds[hold].to == before
      {
        stories[index].holds[hold].to = context.time
      }
    }
    if let (newest, older) = latest(activity.name.hash), let other = newest != index ? newest : older {
      supersede(index, by: other)
    }
  }

  /// A cancelled activity was replaced if another of its name was submitted at that moment.
  private mutating func supersede(_ old: Int, by new: Int) {
    guard old != new, stories[old].supersededBy == nil, let cancelled = stories[old].cancelled,
      let submitted = stories[new].submitted
    else { return }
    let grain = cancelled.digits == 0 ? 1.0 : 0.010
    // The app's own word of the submission comes a little before the scheduler's.
    guard let wait = cancelled.seconds(since: submitted), -grain...max(grain, 0.020) ~= wait else { return }
    stories[old].supersededBy = stories[new].id
    for line in stories[new].evidence.prefix(1) { stories[old].add(line) }
  }

  /// `'<activity>' CurrentScore: x, ThresholdScore: y DecisionToRun:1`, or that it gave way to another.
  private mutating func takeQuoted(_ text: Bytes, _ context: RecordContext) {
    guard let activity = ActivityName.find(in: text, from: 1), let index = story(activity, context) else {
      return
    }
    let rest = text.cut(activity.end)
    if let score = rest.value(after: "CurrentScore: ")?.decimal {
      stories[index].score = stories[index].score ?? Story.Score()
      stories[index].score?.final = score
      stories[index].score?.threshold = rest.value(after: "ThresholdScore: ")?.decimal
    }
    if rest.find("DecisionToRun:1") != nil { return start(index, context.time, isSure: false) }
    if rest.find("DecisionToRun:0") != nil, let score = stories[index].score?.final,
      let threshold = stories[index].score?.threshold
    {
      return giveWay(
        index, "score", "score \(score) below threshold \(threshold)", score < threshold ? .score : nil,
        context)
    }
    guard let found = rest.find("has compatibility score of "), rest.find("Bailing out") != nil,
      let score = rest.cut(found).value(after: "score of ")?.decimal,
      let other = ActivityName.find(in: rest, from: 0, first: (rest.find(" with ") ?? 0) + 6)
    else { return }
    giveWay(
      index, "incompatible running activity",
      "compatibility score \(score) with \(other.name.text):\(other.digits.text)", nil, context)
  }

  /// The policies were content, and it was not started all the same.
  private mutating func giveWay(
    _ index: Int, _ what: String, _ condition: String, _ factor: FactorID?, _ context: RecordContext
  ) {
    stories[index].passed = nil
    stories[index].decided = nil
    if let known = stories[index].holds.lastIndex(where: { $0.condition == condition && $0.decision == .bail }
    ) {
      let to = stories[index].holds[known].to
      if to.map({ (context.time.seconds(since: $0) ?? 9) < 1 }) ?? true {
        stories[index].holds[known].to = nil
        addEvidence(index, known, context.line)
        return
      }
    }
    guard stories[index].holds.count < Self.mostHolds else { return }
    stories[index].holds.append(
      Story.Hold(
        policy: what, condition: condition, decision: .bail, factor: factor, from: context.time,
        evidence: [context.line]))
  }

  private mutating func takeStart(_ text: Bytes, _ context: RecordContext) {
    let from = text.holds("STARTED <") ? (text.find(34) ?? 0) + 1 : 18
    guard let activity = ActivityName.find(in: text, from: from), let index = story(activity, context) else {
      return
    }
    // A client's request is no word of the scheduler's.
    if !text.holds("REQUESTING") { start(index, context.time, isSure: true) }
  }

  private mutating func takeCompletion(_ text: Bytes, _ context: RecordContext) {
    guard let activity = ActivityName.find(in: text, from: 10), let index = story(activity, context) else {
      return
    }
    stories[index].completed = context.time
    stories[index].didComplete = true
    if stories[index].witness == nil { stories[index].witness = .scheduler }
    closeHolds(index, context.time)
  }

  /// - Parameter isSure: the scheduler says that it starts, not only that it will.
  mutating func start(_ index: Int, _ time: LogTime, isSure: Bool) {
    if stories[index].started == nil || (isSure && !stories[index].isStartedForSure) {
      stories[index].started = time
      stories[index].isStartedForSure = isSure
      if stories[index].witness.map({ $0 <= .scheduler }) ?? true {
        stories[index].witness = .scheduler
        stories[index].launched = time
      }
    }
    if stories[index].passed == nil || stories[index].decided == nil {
      stories[index].decided = time
      stories[index].passed = time
    }
    closeHolds(index, time)
  }

  mutating func launch(_ index: Int, _ time: LogTime, _ witness: Story.Witness) {
    let known = stories[index].witness
    guard known == nil || known! < witness || stories[index].launched == nil else { return }
    stories[index].witness = witness
    stories[index].launched = time
    closeHolds(index, time)
  }

  mutating func closeHolds(_ index: Int, _ time: LogTime) {
    for hold in stories[index].holds.indices where stories[index].holds[hold].to == nil {
      stories[index].holds[hold].to = time
    }
  }
}
