import PushPolicy

/// Puts the records of a log together, push by push.
struct StoryBuilder {
  let options: LogOptions
  var stories: [Story] = []
  /// Activities beyond the limit, which are not told.
  private(set) var omitted = 0
  private(set) var recordCount = 0
  private var transports: [(transport: Transport, count: Int)] = []
  /// A bit for each.
  private var speakers: UInt16 = 0
  var events: [DeviceEvent] = []
  var debuggerLine: Int?
  /// apsd's topics are hidden, so its lines name no app.
  var hidesTopics = false

  private struct ActivityKey: Hashable {
    var name: Int
    var number: UInt32
  }
  private var byActivity: [ActivityKey: Int] = [:]
  /// The newest and the one before of each name.
  private var byName: [Int: (latest: Int, before: Int?)] = [:]
  private var byRequest: [Int: Int] = [:]
  var apps: [Int: AppTrail] = [:]
  private var numbers: [String: Int] = [:]
  var requestedTasks: [Int: (earliest: LogTime?, line: Int)] = [:]
  var lastCloudTopic: (app: String, time: LogTime, line: Int)?
  var transferStatus: (time: LogTime, line: Int)?
  var transfers: [Int: Int] = [:]
  var byPid: [Int32: Int] = [:]
  private var isApp = [UInt64](repeating: 0, count: 256)
  /// What a record says of the date of a log without dates.
  var datings: [(wall: Int64, time: LogTime, source: String)] = []

  /// What is known of one app.
  struct AppTrail {
    var bundle: String
    /// Its latest stories, oldest first.
    var recent: [Int] = []
    var terminated: (time: LogTime, line: Int)?
  }

  static let mostStories = 20_000

  init(_ options: LogOptions) { self.options = options }

  var count: Int { stories.count }

  // MARK: What every record says

  @inline(__always)
  mutating func see(_ transport: Transport, _ speaker: Speaker, _ line: Int) {
    recordCount += 1
    speakers |= 1 << UInt16(speaker.rawValue)
    for index in transports.indices where transports[index].transport == transport {
      transports[index].count += 1
      return
    }
    transports.append((transport, 1))
  }

  func hasSeen(_ speaker: Speaker) -> Bool { speakers & 1 << UInt16(speaker.rawValue) != 0 }
  /// The most frequent first.
  var seenTransports: [Transport] {
    transports.sorted { $0.count > $1.count }.map(\.transport)
  }

  mutating func gap(_ line: Int) { note(DeviceEvent(kind: .gap, at: nil, value: nil, line: line)) }

  mutating func note(_ event: DeviceEvent) {
    if events.count < 1000 { events.append(event) }
  }

  mutating func seeDebugger(_ context: RecordContext) {
    guard debuggerLine == nil else { return }
    debuggerLine = context.line
    note(DeviceEvent(kind: .debugger, at: context.time, value: nil, line: context.line))
  }

  // MARK: Stories

  /// Adds a story, unless it is of an app that nobody asked for or there are too many.
  mutating func add(_ story: Story) -> Int? {
    guard isWanted(story) else { return nil }
    guard stories.count < Self.mostStories else {
      omitted += 1
      return nil
    }
    stories.append(story)
    return stories.count - 1
  }

  private func isWanted(_ story: Story) -> Bool {
    guard !options.apps.isEmpty, let app = story.app else { return true }
    return options.apps.contains { wanted in
      switch story.appIs {
      case .bundle, .activity: app == wanted
      case .taskIdentifier: app == wanted || app.hasPrefix(wanted + ".")
      case .process: wanted.split(separator: ".").last.map { $0.lowercased() == app.lowercased() } ?? false
      }
    }
  }

  /// `p1`, `p2` … for what the log gives no number.
  mutating func nextID(_ letter: String) -> String {
    numbers[letter, default: 0] += 1
    return "\(letter)\(numbers[letter]!)"
  }

  /// The story of an activity, made if this is the first that is heard of it.
  mutating func story(_ activity: ActivityName, _ context: RecordContext) -> Int? {
    let key = ActivityKey(name: activity.name.hash, number: activity.number)
    if let known = byActivity[key] {
      stories[known].add(context.line)
      return known
    }
    let (kind, app, appIs) = Self.meaning(activity.name)
    if kind == .push, let app, let waiting = takeArrival(app, context) {
      byActivity[key] = waiting
      stories[waiting].id = activity.digits.text
      stories[waiting].scheduled = context.time
      stories[waiting].add(context.line)
      name(key.name, waiting)
      return waiting
    }
    var story = Story(id: activity.digits.text, app: app, kind: kind, line: context.line)
    story.appIs = appIs
    story.scheduled = context.time
    if kind == .cloudkit, let topic = lastCloudTopic, let wait = context.time.seconds(since: topic.time),
      0...10 ~= wait
    {
      story.app = topic.app
      story.received = topic.time
      story.evidence = [topic.line, context.line]
      story.appIs = .bundle
    }
    guard let index = add(story) else { return nil }
    byActivity[key] = index
    name(key.name, index)
    if appIs == .bundle, kind != .cloudkit, let app { remember(app, index) }
    return index
  }

  private mutating func name(_ hash: Int, _ index: Int) {
    byName[hash] = (index, byName[hash]?.latest)
  }

  /// The latest story of a name, and the one before.
  func latest(_ name: Int) -> (latest: Int, before: Int?)? { byName[name] }

  private static func meaning(_ name: Bytes) -> (Story.Kind, String?, Story.AppName) {
    func rest(_ word: StaticString) -> String { name.cut(word.utf8CodeUnitCount).text }
    // A user's number may stand before it.
    if let colon = name.find(58, to: 6), name.holds("com.apple.pushLaunch.", at: colon + 1) {
      return meaning(name.cut(colon + 1))
    }
    if name.holds("com.apple.pushLaunch.") { return (.push, rest("com.apple.pushLaunch."), .bundle) }
    if name.holds("bgRefresh-") { return (.refresh, rest("bgRefresh-"), .taskIdentifier) }
    if name.holds("bgProcessing-") { return (.processing, rest("bgProcessing-"), .taskIdentifier) }
    if name.holds("com.apple.fetch.") { return (.refresh, rest("com.apple.fetch."), .bundle) }
    if name.holds("com.apple.CFNetwork-cc-") {
      let bundle = name.value(after: ">.<", until: ">")?.text
      return (.urlsession, bundle, .bundle)
    }
    if name.find("com.apple.coredata.cloudkit.activity.") != nil { return (.cloudkit, nil, .activity) }
    return (.systemActivity, name.text, .activity)
  }

  // MARK: Arrivals

  /// What is known of an app, kept under its bundle's name.
  mutating func trail(_ bundle: Bytes) -> Int {
    let hash = bundle.hash
    if apps[hash] == nil, apps.count < Self.mostStories {
      apps[hash] = AppTrail(bundle: bundle.text)
      var start = bundle.count
      while start > 0, bundle[start - 1] != 46 { start -= 1 }
      let last = bundle.cut(start)
      if last.count > 0, last.count < 64 { isApp[Int(last[0] | 32)] |= 1 << UInt64(last.count) }
    }
    return hash
  }

  /// Whether a process may be that of an app whose bundle the log names.
  @inline(__always)
  func mayBeApp(_ process: Bytes) -> Bool {
    process.count > 0 && process.count < 64 && isApp[Int(process[0] | 32)] & 1 << UInt64(process.count) != 0
  }

  private mutating func remember(_ app: String, _ index: Int) {
    var app = app
    let hash = app.withUTF8 { trail($0) }
    apps[hash]?.recent.append(index)
    if let count = apps[hash]?.recent.count, count > 8 { apps[hash]?.recent.removeFirst() }
  }

  /// The push of which SpringBoard tells: by its request, or the youngest arrival of the app without one, or a new one.
  mutating func arrival(_ bundle: Bytes, request: Bytes?, _ context: RecordContext, starts: Bool = false)
    -> Int?
  {
    let app = trail(bundle)
    if let request, let known = byRequest[request.hash] {
      stories[known].add(context.line)
      return known
    }
    func isNear(_ index: Int) -> Bool {
      guard stories[index].kind == .push, let at = stories[index].received ?? stories[index].scheduled,
        let wait = context.time.seconds(since: at), abs(wait) <= 2
      else { return false }
      return starts ? !stories[index].hasArrivalLine : request == nil || stories[index].request == nil
    }
    let recent = apps[app]?.recent ?? []
    let near = request == nil && !starts ? recent.last(where: isNear) : recent.first(where: isNear)
    let index: Int
    if let near {
      index = near
      stories[near].add(context.line)
    } else {
      let story = Story(id: request?.text ?? nextID("p"), app: bundle.text, kind: .push, line: context.line)
      guard let added = add(story) else { return nil }
      index = added
      remember(bundle.text, added)
    }
    if let request {
      if stories[index].scheduled == nil { stories[index].id = request.text }
      stories[index].request = request.text
      byRequest[request.hash] = index
    }
    Story.keepEarlier(&stories[index].received, context.time)
    if starts { stories[index].hasArrivalLine = true }
    return index
  }

  /// The oldest push that has arrived and was not submitted yet.
  private mutating func takeArrival(_ app: String, _ context: RecordContext) -> Int? {
    var app = app
    let hash = app.withUTF8(\.hash)
    return apps[hash]?.recent.first { index in
      guard stories[index].isWaitingToBeSubmitted, let received = stories[index].received,
        let wait = context.time.seconds(since: received)
      else { return false }
      return abs(wait) <= 2
    }
  }
}
