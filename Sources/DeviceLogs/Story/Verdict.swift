import PushPolicy

/// The one sentence on a story, what the log lacks of it, and the rules that speak to it.
enum Verdict {
  static func write(_ story: inout Story, _ clock: LogClock, _ builder: StoryBuilder) {
    story.rules = rules(story)
    story.missing = missing(story, builder)
    story.verdict = sentence(story, clock)
  }

  private static func sentence(_ story: Story, _ clock: LogClock) -> String {
    let held = holdText(story)
    switch story.outcome {
    case .launched, .completed: return launchText(story, held)
    case .killed: return killText(story)
    case .superseded:
      let wait = story.cancelled.flatMap { end in
        (story.submitted ?? story.received).flatMap { end.seconds(since: $0) }
      }
      let after = wait.map { " after \(DurationText.text($0))" } ?? ""
      let who = story.kind == .push ? "a newer push" : "a new request of the same name"
      return join(held, "replaced by \(who)\(after) (\(story.supersededBy ?? "–"))")
    case .cancelled: return join(held, "cancelled by the scheduler; the reason is not in the log")
    case .dropped:
      return "dropped: a simulator never delivers content-available pushes; this says nothing of a device"
    case .noWakeAsked:
      return (story.isShown ? "an alert, shown" : "arrived")
        + "; its payload does not ask for a wake, so the scheduler was not asked"
    case .expiredPresumed:
      let over = story.window.flatMap { window in
        clock.end.flatMap { clock.dated($0).seconds(since: window.to) }
      }
      return join(
        held,
        "its time was up at \(story.window?.to.clock ?? "–") and the log runs on for \(DurationText.text(over ?? 0)) without it: expired, presumably"
      )
    case .allowed: return join(held, "then allowed; no line shows that it was started")
    case .pending: return pendingText(story, held)
    }
  }

  private static func join(_ held: String, _ rest: String) -> String {
    held.isEmpty ? rest : "\(held), \(rest)"
  }

  private static func pendingText(_ story: Story, _ held: String) -> String {
    if story.isHardBlock, story.holds.contains(where: { $0.condition == "pushDisallowed" }) {
      let others = story.holds.filter { $0.condition != "pushDisallowed" && $0.to == nil }.map { holder($0) }
      return
        "arrived and was handed to the scheduler; blocked hard, since pushes are disallowed for the app (the log does not say why)"
        + (others.isEmpty ? "" : "; held as well by " + others.joined(separator: ", "))
    }
    if !held.isEmpty {
      return held + (story.isHeld ? ", to the end of the log" : "; what came of it is not in the log")
    }
    if story.wasEvaluated { return "evaluated, but what the policies said is cut off" }
    if story.submitted != nil { return "handed to the scheduler; no evaluation is in the log" }
    return "arrived; what came of it is not in the log"
  }

  private static func launchText(_ story: Story, _ held: String) -> String {
    var text = held
    if story.hasDebugger, story.kind == .urlsession, held.isEmpty {
      return "begun at once because a debugger is attached: not how a released app is treated"
    }
    let by = story.isInForeground ? "released because the app came to the front" : "let run"
    let ran =
      switch story.witness {
      case .app: "the app was called"
      case .process: "launched"
      case .scheduler, nil: "\(by); only the scheduler's word for it"
      }
    text = text.isEmpty ? ran : "\(text), then \(ran)"
    if held.isEmpty, let decided = story.passed, let launched = story.launched, story.witness != .app,
      let wait = launched.seconds(since: decided), wait > 0
    {
      text += " \(DurationText.text(wait)) after its evaluation"
    }
    let lowered = story.score?.belowOne.map(\.policy) ?? []
    if !lowered.isEmpty, held.isEmpty {
      text += "; \(lowered.joined(separator: ", ")) lowered the score but did not hold it"
    }
    if let launched = story.launched, let end = story.completed, story.outcome == .completed,
      let length = end.seconds(since: launched)
    {
      text += ", and ran for \(DurationText.text(length))"
    }
    switch story.handler {
    case .neverCompleted: text += "; its handler never called back"
    case .overran: text += "; a background task of it outlived 30 s"
    default: break
    }
    return text
  }

  private static func killText(_ story: Story) -> String {
    guard let kill = story.kill else { return "killed" }
    let after = story.launched.flatMap { launched in kill.at.flatMap { $0.seconds(since: launched) } }
    let when = after.map { " \(DurationText.text($0)) after launch" } ?? ""
    let source = story.kind == .process ? "; the report alone names no push" : ""
    switch kill.code {
    case "0xdead10cc": return "killed\(when) for holding a file lock while being suspended\(source)"
    case "0x8badf00d": return "killed\(when) by the watchdog\(source)"
    case "0xbaadca11": return "killed\(when): a VoIP push was not reported to CallKit (the second check)"
    case "NSInternalInconsistencyException":
      return "a VoIP push that reported no call: killed when the delegate's method returned (the first check)"
    default: return "ended\(when) by \(kill.namespace), \(kill.code)\(source)"
    }
  }

  /// `held 4 min 15 s by the boot window (ThunderingHerdPolicy)`
  private static func holdText(_ story: Story) -> String {
    guard !story.holds.isEmpty else { return "" }
    let parts = story.holds.prefix(4).map { hold in
      let length = hold.to.flatMap { $0.seconds(since: hold.from) }.map { DurationText.text($0) + " " } ?? ""
      return "\(length)by \(holder(hold))"
    }
    let more = story.holds.count > 4 ? " and \(story.holds.count - 4) more" : ""
    return "held \(parts.joined(separator: ", "))\(more)"
  }

  static func holder(_ hold: Story.Hold) -> String {
    if hold.decision == .bail, hold.factor == nil { return "another activity (\(hold.condition ?? ""))" }
    let reason = hold.isCutOff ? "reason cut off" : hold.condition ?? "no reason given"
    return "\(hold.policy) (\(reason))"
  }

  private static func missing(_ story: Story, _ builder: StoryBuilder) -> [String] {
    var missing: [String] = []
    let isScheduled = ![.process, .voip, .serviceExtension].contains(story.kind)
    if story.kind == .push, story.received == nil || story.received == story.submitted {
      missing.append("its arrival: no line of SpringBoard or apsd names it")
    }
    if isScheduled, !story.wasEvaluated, ![.noWakeAsked, .dropped].contains(story.outcome) {
      missing.append("an evaluation by the scheduler")
    }
    if story.isTruncated { missing.append("parts of an evaluation that is cut off") }
    for code in story.unknownCodes { missing.append("what the decision \(code) means") }
    if story.isFiltered { missing.append("policies, lost to line filtering") }
    if story.witness == .scheduler, story.kind != .systemActivity {
      missing.append("a line of the app's process: the launch is the scheduler's word")
    }
    if story.handler == .unknown { missing.append("how the handler ended") }
    if story.holds.contains(where: { $0.condition == "pushDisallowed" }) {
      missing.append("why pushes are disallowed")
    } else if story.holds.contains(where: { !$0.candidates.isEmpty }) {
      missing.append("the reason within the app's standing")
    }
    return missing
  }

  private static func rules(_ story: Story) -> [Rule] {
    var rules: [Rule] = []
    func add(_ rule: Rule) { if !rules.contains(rule) { rules.append(rule) } }
    for hold in story.holds where hold.decision != .bail {
      add(PolicyMeaning.of(hold.policy, hold.condition, isCutOff: hold.isCutOff, story.kind).rule)
    }
    if story.holds.contains(where: { $0.to == nil && $0.decision == .mustNotProceed }) { add(.held) }
    switch story.outcome {
    case .noWakeAsked: add(.payload)
    case .superseded: add(story.kind == .push ? .replaced : .resubmitted)
    case .cancelled: add(.cancelled)
    case .allowed: add(.allowed)
    case .dropped: add(.simulator)
    case .expiredPresumed: add(.deadline)
    case .launched where story.witness == .scheduler: add(.schedulersWord)
    default: break
    }
    let isAlert = story.payload.pushType == "Alert" || story.payload.isAlert == true
    if story.kind == .push, isAlert, story.payload.contentAvailable == true { add(.alertToo) }
    if story.kind == .push, !isAlert, story.payload.priority == 10, story.payload.contentAvailable != false {
      add(.priority)
    }
    if story.hasDebugger { add(.debugger) }
    if story.isTruncated || story.isFiltered { add(.cutOff) }
    if story.holds.contains(where: { $0.to != nil }) { add(.grain) }
    switch story.handler {
    case .neverCompleted: add(.handler)
    case .overran: add(.overrun)
    default: break
    }
    if story.kind == .voip, story.kill != nil { add(.voip) }
    if story.kill?.code == "0xdead10cc" { add(.killedLock) }
    if story.kill?.code == "0x8badf00d" { add(.killedWatchdog) }
    return rules
  }
}
