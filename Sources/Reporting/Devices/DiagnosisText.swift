public import DeviceLogs
import PushPolicy
import Quantities

/// A diagnosis for a terminal: a timeline, then push by push, then by app. What a log says is shown with its control
/// characters replaced, whatever it holds.
public struct DiagnosisText {
  private let diagnosis: Diagnosis
  private let width: Int

  /// More are in the JSON.
  private static let mostRows = 60
  private static let mostStories = 200

  /// - Parameter width: columns; 80 where nobody says otherwise.
  public static func text(_ diagnosis: Diagnosis, name: String, width: Int) -> String {
    let writer = DiagnosisText(diagnosis: diagnosis, width: max(40, width))
    var text = writer.heading(name)
    text += writer.timeline()
    for story in diagnosis.stories.prefix(mostStories) { text += "\n" + writer.paragraph(story) }
    if diagnosis.stories.count > mostStories {
      text += "\n\(diagnosis.stories.count - mostStories) more are in the JSON (`--json FILE`).\n"
    }
    return text + writer.apps() + writer.notes()
  }

  /// What became of the provider's requests.
  public static func text(_ sends: [SendOutcome], width: Int) -> String {
    guard !sends.isEmpty else { return "" }
    var text = "\nof the provider's log\n"
    for send in sends.prefix(mostStories) {
      let name = shown(send.request.id ?? "line \(send.request.line)")
      text += wrapped(
        "\(name), sent \(send.request.sent.text): \(shown(send.verdict))", width, indentation: 2)
    }
    let kinds: [SendOutcome.Kind] = [.arrived, .refused, .missing, .outsideTheLog, .unknown]
    let counts = kinds.compactMap { kind -> String? in
      let count = sends.count { $0.kind == kind }
      return count > 0 ? "\(count) \(plain(kind.rawValue))" : nil
    }
    return text + wrapped("together: " + counts.joined(separator: ", "), width, indentation: 2)
  }

  // MARK: Parts

  private func heading(_ name: String) -> String {
    let counts = Story.Outcome.allCases.compactMap { outcome in
      let count = diagnosis.stories.count { $0.outcome == outcome }
      return count > 0 ? "\(count) \(Self.words(outcome))" : nil
    }
    let transport = diagnosis.transports.first.map { Self.plain($0.rawValue) } ?? "no transport"
    let facts =
      [transport, "\(diagnosis.lines) lines"]
      + [diagnosis.date.map { "date \($0)" }, diagnosis.zone.map { "zone \($0)" }].compactMap { $0 }
    let total = counts.isEmpty ? "no push, task or transfer" : counts.joined(separator: ", ")
    return wrapped("\(Self.shown(name)): \(facts.joined(separator: ", "))") + wrapped(total, indentation: 2)
  }

  private func paragraph(_ story: Story) -> String {
    let app = story.app.map { ", " + Self.shown($0) } ?? ""
    var text = wrapped("\(Self.shown(story.id)) \(Self.noun(story))\(app): \(Self.words(story.outcome))")
    text += wrapped(Self.shown(story.verdict), indentation: 2)
    var times: [String] = []
    func add(_ name: String, _ time: LogTime?) { if let time { times.append("\(name) \(time.text)") } }
    add("received", story.received)
    add("decided", story.decided)
    add("launched", story.launched)
    add("completed", story.completed)
    add("deadline", story.window?.to)
    if !times.isEmpty { text += wrapped(times.joined(separator: ", "), indentation: 2) }
    for hold in story.holds {
      let to = hold.to.map { "to \($0.text)" } ?? "to the end of the log"
      let factor =
        hold.factor.map { "; in pushsim: \($0.name)" }
        ?? (hold.candidates.isEmpty ? "" : "; may be: \(hold.candidates.map(\.name).joined(separator: ", "))")
      text += wrapped(
        "held by \(Self.holder(hold)) from \(hold.from.text) \(to)\(factor) (\(Self.lines(hold.evidence)))",
        indentation: 2)
    }
    for hint in story.hints { text += wrapped("hint: \(Self.shown(hint))", indentation: 2) }
    text += wrapped("evidence: \(Self.lines(story.evidence))", indentation: 2)
    if !story.missing.isEmpty {
      text += wrapped("not in the log: \(story.missing.joined(separator: "; "))", indentation: 2)
    }
    return text
  }

  private func apps() -> String {
    guard !diagnosis.apps.isEmpty else { return "" }
    var text = "\nby app\n"
    for app in diagnosis.apps.prefix(Self.mostRows) {
      let counts = app.outcomes.map { "\($0.count) \(Self.words($0.outcome))" }.joined(separator: ", ")
      let holder =
        app.commonestHolder.map { "; held most often by \(Self.shown($0.policy)) (\($0.count))" } ?? ""
      text += wrapped("\(Self.shown(app.app)): \(counts)\(holder)", indentation: 2)
      for rule in app.rules { text += wrapped("- \(Self.advice(rule))", indentation: 4) }
    }
    return text
  }

  private func notes() -> String {
    guard !diagnosis.notes.isEmpty else { return "" }
    return "\nof the log\n"
      + diagnosis.notes.map { note in
        wrapped(Self.shown(note.text) + (note.rule.map { " \(Self.advice($0))" } ?? ""), indentation: 2)
      }.joined()
  }

  // MARK: Timeline

  /// One row per push, time across: `r` received, `-` waiting, `#` held, `R` run, `x` the end of one that was not.
  private func timeline() -> String {
    guard let rows = DiagnosisTimeline(diagnosis, most: Self.mostRows), rows.rows.count > 0 else { return "" }
    let label = min(26, rows.rows.map { $0.label.count }.max() ?? 0)
    let room = width - label - 4
    func column(_ seconds: Double) -> Int {
      min(room - 1, max(0, Int(seconds / rows.length * Double(room - 1))))
    }
    var text = "\n"
    for row in rows.rows {
      var cells = [Character](repeating: " ", count: room)
      func fill(_ from: Double, _ to: Double, _ character: Character) {
        for cell in column(from)...max(column(from), column(to)) { cells[cell] = character }
      }
      fill(row.from, row.to, "-")
      for bar in row.holds { fill(bar.from, bar.to, "#") }
      if let received = row.received { cells[column(received)] = "r" }
      if let end = row.end { cells[column(end.at)] = end.isRun ? "R" : "x" }
      text += "  " + Self.padded(row.label, label) + " |" + String(cells).trimmedEnd + "\n"
    }
    let first = rows.first.clock
    let last = rows.last.clock
    let gap = max(1, room - first.count - last.count)
    text +=
      "  " + String(repeating: " ", count: label + 2) + first + String(repeating: " ", count: gap) + last
      + "\n"
    text += wrapped("r received, - waiting, # held, R run, x ended otherwise", indentation: 2)
    return text
  }

  // MARK: Words

  static func advice(_ rule: Rule) -> String { "\(rule.advice) [\(rule.evidence.joined(separator: ", "))]" }

  static func words(_ outcome: Story.Outcome) -> String {
    switch outcome {
    case .expiredPresumed: "presumably expired"
    case .noWakeAsked: "without asking for a wake"
    default: plain(outcome.rawValue)
    }
  }

  static func noun(_ story: Story) -> String { plain(story.kind.rawValue) }

  static func holder(_ hold: Story.Hold) -> String {
    let reason = hold.isCutOff ? "reason cut off" : hold.condition.map(shown) ?? "no reason given"
    return "\(shown(hold.policy)) (\(reason), \(hold.decision.rawValue))"
  }

  static func plain(_ name: String) -> String { String(name.map { $0 == "_" ? " " : $0 }) }

  /// `lines 1, 7–10, 16`
  static func lines(_ numbers: [Int]) -> String {
    var parts: [String] = []
    var index = 0
    while index < numbers.count {
      var last = index
      while last + 1 < numbers.count, numbers[last + 1] == numbers[last] + 1 { last += 1 }
      parts.append(last > index ? "\(numbers[index])–\(numbers[last])" : "\(numbers[index])")
      index = last + 1
    }
    return (numbers.count == 1 ? "line " : "lines ") + parts.joined(separator: ", ")
  }

  /// In one line, without what could steer a terminal.
  static func shown(_ text: String) -> String {
    var shown = ""
    for scalar in Markup.visible(text).unicodeScalars.prefix(400) {
      switch scalar {
      case "\t": shown += "\u{2409}"
      case "\n": shown += "\u{240A}"
      case "\u{2028}", "\u{2029}": shown += "\u{FFFD}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text.count > width
      ? String(text.prefix(width - 1)) + "…" : text + String(repeating: " ", count: width - text.count)
  }

  /// Broken at blanks; a word that is too long is broken anywhere.
  private func wrapped(_ text: String, indentation: Int = 0) -> String {
    Self.wrapped(text, width, indentation: indentation)
  }

  static func wrapped(_ text: String, _ width: Int, indentation: Int, before: String = "") -> String {
    let room = width - indentation
    let margin = String(repeating: " ", count: indentation)
    var result = ""
    var line = ""
    for word in text.split(separator: " ") {
      var word = String(word)
      if !line.isEmpty, line.count + 1 + word.count > room {
        result += margin + line + "\n"
        line = "  "
      } else if !line.isEmpty, line != "  " {
        line += " "
      }
      while line.count + word.count > room {
        let part = word.prefix(room - line.count)
        result += margin + line + part + "\n"
        word.removeFirst(part.count)
        line = "  "
      }
      line += word
    }
    return before + (line.isEmpty || line == "  " ? result : result + margin + line + "\n")
  }
}

/// Where things stand on a diagnosis's time axis, in seconds from its start.
struct DiagnosisTimeline {
  struct Bar {
    var from: Double
    var to: Double
    var hold: Story.Hold
  }

  struct Row {
    var label: String
    var story: Story
    var from: Double
    var to: Double
    var received: Double?
    var end: (at: Double, isRun: Bool)?
    var holds: [Bar]
  }

  var first: LogTime
  var last: LogTime
  var length: Double
  var rows: [Row] = []

  /// Nil when the log has no times that can be compared.
  init?(_ diagnosis: Diagnosis, most: Int) {
    let stories = diagnosis.stories.prefix(most)
    func times(_ story: Story) -> [LogTime] {
      [story.received, story.decided, story.launched, story.completed, story.kill?.at].compactMap { $0 }
        + story.holds.flatMap { [$0.from] + ($0.to.map { [$0] } ?? []) }
    }
    let all = stories.flatMap(times)
    guard let start = all.first else { return nil }
    let offsets = all.compactMap { time in time.seconds(since: start).map { (time, $0) } }
    guard let least = offsets.min(by: { $0.1 < $1.1 }), let greatest = offsets.max(by: { $0.1 < $1.1 }) else {
      return nil
    }
    first = least.0
    var end = greatest
    // A hold that is still on goes to the end of the log.
    let isOpen = stories.contains { $0.holds.contains { $0.to == nil } }
    if isOpen, let over = diagnosis.end?.seconds(since: start), over > end.1, let last = diagnosis.end {
      end = (last, over)
    }
    last = end.0
    length = max(0.001, end.1 - least.1)
    for story in stories {
      let own = times(story).compactMap { $0.seconds(since: first) }
      guard let from = own.min(), let to = own.max() else { continue }
      let isOpen = story.outcome == .pending || story.outcome == .allowed
      let bars = story.holds.compactMap { hold -> Bar? in
        guard let from = hold.from.seconds(since: first) else { return nil }
        return Bar(from: from, to: hold.to.flatMap { $0.seconds(since: first) } ?? length, hold: hold)
      }
      let isRun = [.launched, .completed, .killed].contains(story.outcome)
      let at = (story.launched ?? story.decided).flatMap { $0.seconds(since: first) }
      let app = story.app?.split(separator: ".").last.map { DiagnosisText.shown(String($0)) } ?? ""
      rows.append(
        Row(
          label: "\(DiagnosisText.shown(story.id)) \(app)", story: story, from: from,
          to: isOpen && story.isHeld ? length : to,
          received: story.received.flatMap { $0.seconds(since: first) },
          end: isOpen ? nil : at.map { ($0, isRun) }, holds: bars))
    }
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
