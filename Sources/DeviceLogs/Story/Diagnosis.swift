import PushPolicy

/// What a device's log says: of each push, of the apps, of the device.
public struct Diagnosis: Sendable {
  /// The most frequent first.
  public var transports: [Transport]
  /// `+0200`; nil when no line has one.
  public var zone: String?
  /// The first day, and where it is from when no line has one.
  public var date: String?
  public var lines: Int
  public var end: LogTime?
  public var stories: [Story]
  public var events: [DeviceEvent]
  public var apps: [AppSummary]
  /// What holds for the log as a whole.
  public var notes: [Note]
  /// Activities that were too many to tell.
  public var omitted: Int
  public var debuggerLine: Int?
  /// The first record's time.
  public var begin: LogTime?
  /// Whether the log has lines of those who receive pushes.
  public var showsArrivals: Bool
  /// The day of the first midnight, for a log whose lines have no date.
  var firstDay: Int64?

  public struct Note: Sendable, Equatable {
    public var text: String
    public var rule: Rule?
  }

  /// Counts of one app.
  public struct AppSummary: Sendable {
    public var app: String
    public var outcomes: [(outcome: Story.Outcome, count: Int)]
    /// The policy that held most of its pushes.
    public var commonestHolder: (policy: String, count: Int)?
    public var rules: [Rule]
  }
}

extension StoryBuilder {
  /// What became of everything, with sentences.
  mutating func finish(lines: Int, clock: LogClock) -> Diagnosis {
    var clock = clock
    for dating in datings.prefix(1) { clock.learn(wall: dating.wall, near: dating.time, from: dating.source) }
    let end = clock.end
    for index in stories.indices { settle(index, clock, lines) }
    var diagnosis = Diagnosis(
      transports: seenTransports, zone: clock.zoneText, date: clock.date, lines: lines, end: end,
      stories: stories,
      events: events, apps: [], notes: [], omitted: omitted, debuggerLine: debuggerLine, begin: clock.begin,
      showsArrivals: hasSeen(.springBoard) || (hasSeen(.apns) && !hidesTopics), firstDay: clock.firstDay)
    diagnosis.apps = Self.summaries(stories)
    diagnosis.notes = notes(diagnosis)
    return diagnosis
  }

  private mutating func settle(_ index: Int, _ clock: LogClock, _ lines: Int) {
    var story = stories[index]
    story.outcome = outcome(story, clock)
    if story.outcome == .expiredPresumed { story.add(clock.latestLine) }
    let mayHaveHandler = [.push, .refresh, .processing].contains(story.kind)
    if story.handler == nil, story.outcome == .launched, mayHaveHandler { story.handler = .unknown }
    if story.outcome == .completed { story.handler = .completed }
    if debuggerLine != nil, story.kind == .push, story.appIs == .process { story.hasDebugger = true }
    story.evidence = Set(story.evidence).sorted()
    Verdict.write(&story, clock, self)
    stories[index] = story
  }

  private func outcome(_ story: Story, _ clock: LogClock) -> Story.Outcome {
    if story.kill != nil { return .killed }
    if story.witness != nil {
      // The scheduler's word on the end of an activity is the end of an activity that has no handler of the app's.
      let isTask = [.push, .refresh, .processing].contains(story.kind)
      return story.didComplete && !isTask ? .completed : .launched
    }
    if story.cancelled != nil { return story.supersededBy == nil ? .cancelled : .superseded }
    if story.droppedAt != nil { return .dropped }
    if story.payload.contentAvailable == false, story.submitted == nil, !story.wasEvaluated {
      return .noWakeAsked
    }
    if let deadline = story.window?.to, let end = clock.end,
      let over = clock.dated(end).seconds(since: deadline), over > 0
    {
      return .expiredPresumed
    }
    return story.passed != nil && !story.isHeld ? .allowed : .pending
  }

  private static func summaries(_ stories: [Story]) -> [Diagnosis.AppSummary] {
    var order: [String] = []
    var byApp: [String: [Story]] = [:]
    for story in stories {
      guard let app = story.app else { continue }
      if byApp[app] == nil { order.append(app) }
      byApp[app, default: []].append(story)
    }
    return order.map { app in
      let own = byApp[app] ?? []
      let outcomes = Story.Outcome.allCases.compactMap { outcome in
        let count = own.count { $0.outcome == outcome }
        return count > 0 ? (outcome, count) : nil
      }
      var holders: [(policy: String, count: Int)] = []
      for story in own {
        var counted: [String] = []
        for hold in story.holds where !counted.contains(hold.policy) {
          counted.append(hold.policy)
          if let known = holders.firstIndex(where: { $0.policy == hold.policy }) {
            holders[known].count += 1
          } else {
            holders.append((hold.policy, 1))
          }
        }
      }
      let most = holders.map(\.count).max() ?? 0
      var rules: [Rule] = []
      for rule in own.flatMap(\.rules) where !rules.contains(rule) { rules.append(rule) }
      return Diagnosis.AppSummary(
        app: app, outcomes: outcomes, commonestHolder: holders.first { $0.count == most }, rules: rules)
    }
  }

  private func notes(_ diagnosis: Diagnosis) -> [Diagnosis.Note] {
    var notes: [Diagnosis.Note] = []
    func add(_ text: String, _ rule: Rule? = nil) { notes.append(Diagnosis.Note(text: text, rule: rule)) }
    let hasDevice = diagnosis.transports != [.crashReport]
    if let line = debuggerLine { add("A debugger is attached (line \(line)).", .debugger) }
    let hasArrivals = stories.contains { $0.kind == .push || $0.kind == .voip || $0.kind == .cloudkit }
    let reconnect = events.first { $0.kind == .reconnectBegan }
    let idle = events.first { $0.kind == .idlePower }
    if let reconnect, let idle, reconnect.line < idle.line, !hasArrivals {
      let wait = idle.at.flatMap { at in reconnect.at.flatMap { at.seconds(since: $0) } }
      add(
        "No push of any app is in the log. The connection to APNs was being rebuilt (line \(reconnect.line)), and "
          + (wait.map { "\(DurationText.text($0)) later " } ?? "then ")
          + "the phone went into its idle power policy (line \(idle.line)) without a sign that the connection was ready.",
        .link)
    } else if !hasArrivals, hasDevice {
      add(
        diagnosis.showsArrivals
          ? "SpringBoard or apsd writes in this log, but no push arrives in it."
          : "This log cannot tell whether a push arrived: it has no line of SpringBoard or apsd.")
    }
    if diagnosis.transports.first == .xcodeConsole {
      add("Xcode's console holds the app's own lines only: it cannot show why a push was held.")
    }
    if diagnosis.transports.first == .annotatedPaste {
      add("The log was worked over by hand; what stands in it may be incomplete.")
    }
    if diagnosis.zone == nil, hasDevice { add("No line has a time zone. `--zone +HHMM` adds one.") }
    if events.contains(where: { $0.kind == .gap }) { add("The log has gaps: the relay lost its connection.") }
    if stories.contains(where: { $0.isFiltered }) {
      add("Evaluations have lost their policies to line filtering.", .cutOff)
    }
    if omitted > 0 { add("\(omitted) more activities are not told; `--app BUNDLE` chooses.") }
    return notes
  }
}
