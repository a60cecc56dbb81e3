public import PushPolicy

/// The life of a device as a log shows it, for one app: a scenario with a scripted life.
public struct LogScript: Sendable {
  /// What stands for `pushDisallowed`, whose cause no log shows.
  public enum Variant: String, Sendable, CaseIterable {
    case asLogged = "as_logged"
    case forceQuit = "force_quit"
    case refreshOff = "refresh_off"
  }

  public struct Push: Sendable {
    /// The place of its story in the diagnosis.
    public var story: Int
    /// When the provider sends it, in seconds from the start of the run.
    public var send: Double
  }

  struct Entry {
    var at: Double
    var event: String
    var comment: String
  }

  public private(set) var app: String
  public private(set) var pushes: [Push] = []
  public private(set) var variants: [Variant] = [.asLogged]
  /// When the log ends, in seconds from the start of the run.
  public private(set) var logEnd = 0.0
  private var entries: [Entry] = []
  private var hasDebugger = false
  private var priority = 5

  /// What no log tells, and is assumed here.
  public static let assumed = "battery 80 %, no charger, Wi-Fi, last opened 1 h before, nothing else launched"
  /// The run begins so long before the first that the log shows.
  private static let lead = 3600.0
  private static let transit = 1.0
  private static let restart = 30.0

  /// Nil when no push of the app can be placed in time.
  init?(_ diagnosis: Diagnosis, app: String) {
    self.app = app
    let all = diagnosis.stories.indices.filter { diagnosis.stories[$0].kind == .push }
    let own = all.filter { index in
      let story = diagnosis.stories[index]
      return story.app == app && story.appIs == .bundle && (story.submitted != nil || story.wasEvaluated)
    }
    guard let first = own.compactMap({ diagnosis.stories[$0].firstSeen }).first else { return nil }
    func at(_ time: LogTime?) -> Double? { time?.seconds(since: first).map { $0 + Self.lead } }
    for index in own.prefix(1000) {
      guard let seen = at(diagnosis.stories[index].firstSeen), seen > Self.transit else { continue }
      pushes.append(Push(story: index, send: seen - Self.transit))
    }
    guard !pushes.isEmpty else { return nil }
    pushes.sort { $0.send < $1.send }
    logEnd = max(at(diagnosis.end) ?? 0, (pushes.last?.send ?? 0) + 1)
    // An alert that wakes as well is rightly sent with 10, and pushsim's background push stands for its wake.
    let payload = diagnosis.stories[pushes[0].story].payload
    priority = payload.priority == 10 && payload.pushType == "Background" ? 10 : 5
    hasDebugger = diagnosis.debuggerLine != nil
    for index in all where !own.contains(index) && diagnosis.stories[index].app != app {
      guard let seen = at(diagnosis.stories[index].firstSeen), seen > 0 else { continue }
      let line = diagnosis.stories[index].evidence.first ?? 0
      entries.append(
        Entry(at: seen, event: "other_notification: true", comment: "line \(line): a push of another app"))
    }
    addStates(own.map { diagnosis.stories[$0] }, at)
    if own.contains(where: {
      diagnosis.stories[$0].holds.contains { $0.candidates == [.forceQuit, .refreshSwitch] }
    }) {
      variants = Variant.allCases
    }
    entries.sort { $0.at < $1.at }
  }

  // MARK: States

  /// A state that a factor stands for, as the script begins and ends it; nil where it has none.
  private static func state(_ factor: FactorID) -> (on: String, off: String)? {
    switch factor {
    case .deviceInUse, .herdWindow: ("screen: on", "screen: off")
    case .camera: ("camera: on", "camera: off")
    case .cpuLoad: ("cpu_load: 90 %", "cpu_load: 10 %")
    case .lowPowerMode: ("low_power_mode: on", "low_power_mode: off")
    case .network: ("network: offline", "network: wifi")
    default: nil
    }
  }

  /// Whether a script can bring about what a factor holds for.
  public static func canScript(_ factor: FactorID) -> Bool { factor == .bootWindow || state(factor) != nil }

  private mutating func addStates(_ stories: [Story], _ at: (LogTime?) -> Double?) {
    for story in stories {
      // The narrower window first: its restart explains the wider one.
      let ordered =
        story.holds.filter { $0.factor == .bootWindow } + story.holds.filter { $0.factor != .bootWindow }
      for hold in ordered {
        guard let factor = hold.factor, let from = at(hold.from) else { continue }
        let comment = "line \(hold.evidence.first ?? 0): \(Self.plain(hold.policy))"
        // A push that was replaced says nothing of the state's end.
        let isOver = story.supersededBy == nil && story.cancelled == nil
        var to = isOver ? at(hold.to) : nil
        if !isOver {
          // The push that replaced it waits for the same, and shows the end.
          let releases = stories.filter { $0.supersededBy == nil && $0.cancelled == nil }.flatMap(\.holds)
          to = releases.filter { $0.factor == factor }.compactMap { at($0.to) }.filter { $0 > from }.min()
        }
        if factor == .bootWindow || factor == .herdWindow {
          addRestart(factor, seen: at(story.firstSeen) ?? from, from, to, hold, comment)
        }
        if let state = Self.state(factor) { addState(state, from, to, comment) }
      }
      if story.isInForeground, let time = at(story.launched) {
        entries.append(
          Entry(
            at: time - 0.2, event: "open_app: 1 min", comment: "the app in front; for how long is assumed"))
      }
    }
  }

  private mutating func addState(
    _ state: (on: String, off: String), _ from: Double, _ to: Double?, _ comment: String
  ) {
    // On since before the first evaluation that saw it, and still on when the next push of the log finds it so.
    if let end = entries.lastIndex(where: { $0.event == state.off && $0.at >= from - 0.1 }) {
      if let to { entries[end].at = max(entries[end].at, to - 0.1) } else { entries.remove(at: end) }
      return
    }
    let isOn = entries.last { $0.event == state.on || $0.event == state.off }?.event == state.on
    if !isOn { entries.append(Entry(at: max(0, from - 1.5), event: state.on, comment: comment)) }
    if let to { entries.append(Entry(at: to - 0.1, event: state.off, comment: "\(comment), no longer")) }
  }

  /// A restart, or a long time without network: before the push came, and as late as the release allows.
  private mutating func addRestart(
    _ factor: FactorID, seen: Double, _ from: Double, _ to: Double?, _ hold: Story.Hold, _ comment: String
  ) {
    let length = factor == .bootWindow ? 300.0 : 900.0
    // The herd's window shows alone once that of the restart is over.
    var trigger = factor == .bootWindow ? min(from, seen) - 2 : from - 301
    if factor == .bootWindow, let to { trigger = min(trigger, to - length) }
    trigger = max(Self.restart + 1, trigger)
    let isKnown = entries.contains { entry in
      (entry.event.hasPrefix("reboot") || entry.event.hasPrefix("network")) && entry.at <= from
        && entry.at + Self.restart > from - length
    }
    if isKnown { return }
    if hold.condition?.hasSuffix("NoNetwork\"") == true {
      entries.append(
        Entry(
          at: max(0, trigger - 1800), event: "network: offline",
          comment: "\(comment); for how long is assumed"))
      entries.append(
        Entry(
          at: trigger, event: "network: wifi", comment: "\(comment): back at most \(Int(length)) s before"))
    } else {
      entries.append(
        Entry(
          at: trigger - Self.restart, event: "reboot: true",
          comment: "\(comment): a restart at most \(Int(length)) s before"))
    }
  }

  // MARK: Text

  /// The scenario, with comments that name the log's lines.
  public func yaml(policies: [String], variant: Variant = .asLogged) -> String {
    var timeline = entries
    let first = pushes.first?.send ?? 0
    switch variant {
    case .asLogged: break
    case .forceQuit:
      timeline.append(
        Entry(
          at: first - 600, event: "force_quit: true",
          comment: "assumed, to see whether it fits pushDisallowed"))
    case .refreshOff:
      timeline.append(
        Entry(
          at: first - 600, event: "background_app_refresh: off",
          comment: "assumed, to see whether it fits pushDisallowed"))
    }
    timeline.sort { $0.at < $1.at }
    var text = """
      scenario: replay
      question: What does pushsim say of the pushes of this log?
      version: 1

      # Made by `pushsim diagnose` of a device's log, for \(Self.plain(app)). Lines are those of the log.
      # Assumed, for the log does not tell: \(Self.assumed).
      population:
        scripted:
          base: {base: consumer_default, set: {latency.apns_online_s: 1 s, latency.apns_slow_tail.p: 0 %, restart.off_for: 30 s}}
          start: {battery: 80 %, network: wifi, last_open: 1 h\(hasDebugger ? ", debugger: attached" : "")}

      """
    if !timeline.isEmpty { text += "    timeline:\n" }
    for entry in timeline {
      text += "      # \(entry.comment)\n      - {at: \(Self.seconds(entry.at)), \(entry.event)}\n"
    }
    let sends = pushes.map { Self.seconds($0.send) }.joined(separator: ", ")
    text += """
      # The log begins with the arrival: nothing waits at APNs.
      policy: [\(policies.map { "{base: \"\($0)\", set: {apns.restriction_declared: 0 %}}" }.joined(separator: ", "))]

      app:
        background_modes: [remote_notification]
        handler: {duration: 2 s, result: {no_data: 100 %}}

      strategies:
        logged: {background_push: {priority: \(priority), send: {at: [\(sends)]}}}

      experiment: {devices: 1, replications: 1, duration: \(Self.seconds(logEnd + 172_800)), warm_up: 0 s, seed: 1}

      """
    return text
  }

  private static func seconds(_ value: Double) -> String {
    let milliseconds = Int64((min(3e8, max(0, value)) * 1000).rounded())
    return "\(milliseconds / 1000).\(LogTime.padded(milliseconds % 1000, 3)) s"
  }

  /// What a comment may hold of a log's names.
  private static func plain(_ name: String) -> String {
    String(
      name.unicodeScalars.prefix(80).map {
        $0.isASCII && $0.value >= 32 && $0.value < 127 ? Character($0) : "?"
      })
  }
}

extension Story {
  var firstSeen: LogTime? { received ?? scheduled }
}

extension Diagnosis {
  /// A script for each app whose pushes the scheduler was asked for.
  public var scripts: [LogScript] { apps.compactMap { LogScript(self, app: $0.app) } }
}
