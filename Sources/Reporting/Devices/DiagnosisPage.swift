public import DeviceLogs
import PushPolicy
import ScenarioDecoding

/// A diagnosis as a page that needs nothing else, with a picture: time across, a row per push, holds as bars.
public enum DiagnosisPage {
  private static let mostRows = 200
  private static let width = 960.0
  private static let left = 190.0
  private static let rowHeight = 22.0

  public static func text(_ diagnosis: Diagnosis, name: String) -> String {
    var body: Markup = ""
    body += section("picture", "In time", picture(diagnosis))
    body += section("pushes", "Push by push", table(diagnosis))
    body += section("apps", "By app", apps(diagnosis))
    body += section("log", "Of the log", notes(diagnosis))
    let counts = Story.Outcome.allCases.compactMap { outcome -> String? in
      let count = diagnosis.stories.count { $0.outcome == outcome }
      return count > 0 ? "\(count) \(DiagnosisText.words(outcome))" : nil
    }
    let transport = DiagnosisText.plain(diagnosis.transports.first?.rawValue ?? "no transport")
    return ReportPage.page(
      name: name, title: "<bdi>\(name)</bdi>",
      question: counts.isEmpty ? "No push, task or transfer" : counts.joined(separator: ", "),
      note: "A device's log (\(transport), \(diagnosis.lines) lines), read by pushsim \(pushsimVersion).",
      contents: "",
      body)
  }

  private static func section(_ id: String, _ title: String, _ content: Markup) -> Markup {
    content.isEmpty
      ? "" : "<section aria-labelledby=\"\(id)\">\n<h2 id=\"\(id)\">\(title)</h2>\n\(content)</section>\n"
  }

  // MARK: Picture

  private static func picture(_ diagnosis: Diagnosis) -> Markup {
    guard let timeline = DiagnosisTimeline(diagnosis, most: mostRows), !timeline.rows.isEmpty else {
      return ""
    }
    let scale = (width - 8 - left) / timeline.length
    func x(_ seconds: Double) -> Double { left + min(timeline.length, max(0, seconds)) * scale }
    var content: Markup = ""
    var y = 8.0
    for (name, bars) in states(diagnosis, timeline) {
      content += Chart.label(name, left - 8, y + 13, anchor: "end", class: "tick")
      for bar in bars {
        content +=
          "<rect x=\"\(x(bar.from))\" y=\"\(y + 3)\" width=\"\(max(1.5, (bar.to - bar.from) * scale))\" height=\"13\" class=\"state\"><title>\(bar.title)</title></rect>"
      }
      y += rowHeight
    }
    for row in timeline.rows {
      content += Chart.label(Chart.fitted(row.label, left - 16), left - 8, y + 14, anchor: "end")
      content += Chart.line(x(row.from), y + 10, x(row.to), y + 10, "axis")
      content += bars(row, y, x)
      if let end = row.end {
        content += Chart.marker(
          end.isRun ? 2 : 3, x(end.at), y + 10, hollow: !end.isRun,
          title: DiagnosisText.words(row.story.outcome))
      }
      y += rowHeight
    }
    content += Chart.line(left, y + 4, width - 8, y + 4, "axis")
    content += Chart.label(timeline.first.text, left, y + 20, class: "tick")
    content += Chart.label(timeline.last.text, width - 8, y + 20, anchor: "end", class: "tick")
    let drawing = Chart.svg(
      height: y + 28, width: width, label: "What became of each push, in time", content)
    return
      "<p>A bar is a policy that held the push. A triangle is a launch, a hollow diamond another end.</p>\n<div class=\"scroll\"><figure class=\"wide\">\(drawing)</figure></div>\n"
  }

  private static func bars(_ row: DiagnosisTimeline.Row, _ y: Double, _ x: (Double) -> Double) -> Markup {
    var content: Markup = ""
    let count = Double(max(1, row.holds.count))
    let height = min(14, 16 / count)
    for (index, bar) in row.holds.enumerated() {
      let (from, to) = (x(bar.from), x(bar.to))
      let top = y + 3 + Double(index) * height
      let style = bar.hold.factor.map { "f\(Int($0.rawValue) % 10)" } ?? "f9"
      content +=
        "<rect x=\"\(from)\" y=\"\(top)\" width=\"\(max(2, to - from))\" height=\"\(height - 1)\" class=\"\(style)\"><title>\(DiagnosisText.holder(bar.hold))</title></rect>"
      let name = DiagnosisText.shown(bar.hold.policy)
      if row.holds.count == 1, Chart.textWidth(name, size: 11) < to - from - 8 {
        content += Chart.label(name, from + 4, top + 11, class: "small l")
      }
    }
    return content
  }

  private struct State {
    var from: Double
    var to: Double
    var title: String
  }

  /// What the conditions and the lines of the link say of the device, by what they are about.
  private static func states(_ diagnosis: Diagnosis, _ timeline: DiagnosisTimeline) -> [(String, [State])] {
    let named: [(String, Set<FactorID>)] = [
      ("in use", [.deviceInUse, .herdWindow]), ("after a restart", [.bootWindow, .herdWindow]),
      ("Low Power Mode", [.lowPowerMode]), ("camera", [.camera]), ("busy processor", [.cpuLoad]),
      ("poor network", [.networkQuality, .network]), ("battery, charger", [.batteryLevel, .charger]),
    ]
    var rows = named.map { name, factors in
      (
        name,
        timeline.rows.flatMap(\.holds).filter { bar in bar.hold.factor.map(factors.contains) ?? false }
          .map { State(from: $0.from, to: $0.to, title: DiagnosisText.holder($0.hold)) }
      )
    }
    let link = diagnosis.events.compactMap { event -> State? in
      guard let at = event.at?.seconds(since: timeline.first), at >= 0, at <= timeline.length else {
        return nil
      }
      return State(from: at, to: at, title: "\(DiagnosisText.plain(event.kind.rawValue)), line \(event.line)")
    }
    rows.append(("events", link))
    return rows.filter { !$0.1.isEmpty }
  }

  // MARK: Tables

  private static func table(_ diagnosis: Diagnosis) -> Markup {
    guard !diagnosis.stories.isEmpty else { return "<p>The log names no push, task or transfer.</p>\n" }
    let rows = diagnosis.stories.prefix(1000).map { story -> [Markup] in
      let holds = Markup.joined(
        story.holds.map { hold in
          "<div><bdi>\(DiagnosisText.holder(hold))</bdi> <span class=\"mut\">\(hold.from.text) – \(hold.to?.text ?? "end of the log")</span></div>"
        })
      let missing: Markup =
        story.missing.isEmpty
        ? "" : "<div class=\"mut\">Not in the log: \(story.missing.joined(separator: "; "))</div>"
      return [
        "<code>\(DiagnosisText.shown(story.id))</code>",
        "<bdi>\(DiagnosisText.shown(story.app ?? "–"))</bdi><div class=\"mut\">\(DiagnosisText.noun(story))</div>",
        "\(DiagnosisText.words(story.outcome))", holds,
        "<div>\(DiagnosisText.shown(story.verdict))</div>\(missing)<div class=\"mut\">received \(story.received?.text ?? "–"), \(DiagnosisText.lines(story.evidence))</div>",
      ]
    }
    return HTMLRenderer.table(
      "Push by push",
      ["push", "app", "outcome", "held by", "what happened"].map { Table.Column(Words($0)) }, rows,
      isFluid: true)
  }

  private static func apps(_ diagnosis: Diagnosis) -> Markup {
    Markup.joined(
      diagnosis.apps.prefix(200).map { app in
        let counts = app.outcomes.map { "\($0.count) \(DiagnosisText.words($0.outcome))" }.joined(
          separator: ", ")
        let holder =
          app.commonestHolder.map { "; held most often by \(DiagnosisText.shown($0.policy)) (\($0.count))" }
          ?? ""
        return "<h3><bdi>\(DiagnosisText.shown(app.app))</bdi></h3>\n<p>\(counts)\(holder)</p>\n"
          + HTMLRenderer.list(app.rules.map { "\(DiagnosisText.advice($0))" })
      })
  }

  private static func notes(_ diagnosis: Diagnosis) -> Markup {
    diagnosis.notes.isEmpty
      ? ""
      : HTMLRenderer.list(
        diagnosis.notes.map { note in
          "\(DiagnosisText.shown(note.text))\(note.rule.map { " " + DiagnosisText.advice($0) } ?? "")"
        })
  }
}

/// A diagnosis to paste into an issue thread.
public enum DiagnosisMarkdown {
  private static let mostRows = 100

  public static func text(_ diagnosis: Diagnosis, name: String) -> String {
    func escaped(_ text: String) -> String { MarkdownRenderer.escaped(DiagnosisText.shown(text)) }
    var text = "**What became of the pushes in \(escaped(name))** (pushsim \(pushsimVersion))\n\n"
    var rows = [["push", "app", "kind", "outcome", "held by", "what happened", "lines"]]
    for story in diagnosis.stories.prefix(mostRows) {
      rows.append([
        escaped(story.id), escaped(story.app ?? "–"), DiagnosisText.noun(story),
        DiagnosisText.words(story.outcome),
        story.holds.map { escaped(DiagnosisText.holder($0)) }.joined(separator: "<br>"),
        escaped(story.verdict),
        String(DiagnosisText.lines(story.evidence).drop { $0 != " " }.dropFirst()),
      ])
    }
    text += rows.count > 1 ? MarkdownRenderer.table(rows) : "The log names no push, task or transfer.\n"
    if diagnosis.stories.count > mostRows {
      text += "\n\(diagnosis.stories.count - mostRows) more are left out.\n"
    }
    let rules = Rule.allCases.filter { rule in diagnosis.stories.contains { $0.rules.contains(rule) } }
    for note in diagnosis.notes {
      text += "\n- \(escaped(note.text))" + (note.rule.map { " \(escaped(DiagnosisText.advice($0)))" } ?? "")
    }
    for rule in rules { text += "\n- \(escaped(DiagnosisText.advice(rule)))" }
    return text + (rules.isEmpty && diagnosis.notes.isEmpty ? "" : "\n")
  }
}
