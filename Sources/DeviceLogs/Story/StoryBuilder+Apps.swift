import PushPolicy

extension StoryBuilder {
  // MARK: Processes

  mutating func takeProcess(_ kind: EventKind, _ text: Bytes, _ context: RecordContext) {
    if kind == .label {
      guard let bundle = text.value(after: "UIKitApplication:", until: "[ ") else { return }
      return appRan(bundle, context, starts: true, isAlive: true)
    }
    if kind == .processState {
      // `Application process state changed for com.example.news: <SBApplicationProcessState: …; pid: 812; …>`
      let rest = text.cut(38)
      guard let colon = rest.find(58), colon > 0 else { return }
      let pid = rest.value(after: "pid: ", until: "; >")?.wholeNumber ?? -1
      let runs = rest.find("taskState: Running") != nil
      let isInFront = rest.find("visibility: Foreground") != nil
      return appRan(
        rest.cut(0, colon), context, starts: runs && !isInFront, isAlive: runs, pid: Int32(clamping: pid))
    }
    if kind == .terminated, text.find("xpcservice<") != nil {
      return takeExtensionEnd(text, context)
    }
    // `application<com.example.news>`, `app<com.example.news(UUID)>`
    guard let open = text.find(60), let end = text.cut(open + 1).firstIndex(where: { $0 == 62 || $0 == 40 })
    else {
      return
    }
    let bundle = text.cut(open + 1, open + 1 + end)
    if kind == .terminated {
      apps[trail(bundle)]?.terminated = (context.time, context.line)
      return
    }
    let runs = text.find(": running-active") != nil
    // A role of the user's is an app in front, which no push launched.
    let isInBackground = text.find("(role: ") == nil || text.find("(role: Background)") != nil
    let isAlive = kind == .launchRequested || runs || text.find("Resuming task") != nil
    appRan(bundle, context, starts: isAlive && (!runs || isInBackground), isAlive: isAlive)
  }

  /// An app's process is seen. If one of its pushes has just been let run, that is its launch.
  ///
  /// - Parameters:
  ///   - starts: it may have been started for a push.
  ///   - isAlive: it has not been terminated, or no longer is.
  private mutating func appRan(
    _ bundle: Bytes, _ context: RecordContext, starts: Bool, isAlive: Bool, pid: Int32 = -1
  ) {
    let app = trail(bundle)
    if isAlive { apps[app]?.terminated = nil }
    for index in (apps[app]?.recent ?? []).reversed() {
      let witness = stories[index].witness
      if witness != nil, witness != .scheduler {
        guard let launched = stories[index].launched, let wait = context.time.seconds(since: launched),
          -1...120 ~= wait
        else {
          continue
        }
        stories[index].add(context.line)
        if pid > 0 { setPid(index, pid) }
        return
      }
      guard starts, stories[index].mayBeLaunched else { continue }
      // An app that nothing asked about yet may be launched for other reasons.
      let limit = stories[index].passed == nil ? 2.0 : 30.0
      guard let asked = stories[index].started ?? stories[index].passed ?? stories[index].submitted,
        let wait = context.time.seconds(since: asked), -0.5...limit ~= wait
      else { continue }
      stories[index].add(context.line)
      if pid > 0 { setPid(index, pid) }
      launch(index, context.time, .process)
      return
    }
  }

  private mutating func setPid(_ index: Int, _ pid: Int32) {
    stories[index].pid = pid
    if byPid.count < Self.mostStories { byPid[pid] = index }
  }

  mutating func takeExtension(_ namespace: String, _ code: String, _ app: String?, _ context: RecordContext) {
    var story = Story(id: nextID("e"), app: app, kind: .serviceExtension, line: context.line)
    story.kill = Story.Kill(namespace: namespace, code: code, at: context.time)
    story.handler = .killed
    story.decided = context.time
    _ = add(story)
  }

  private mutating func takeExtensionEnd(_ text: Bytes, _ context: RecordContext) {
    let bundle = text.value(after: "xpcservice<", until: "([>")?.text
    guard let code = text.value(after: "reported by launchd ", until: ")"), !code.isEmpty else { return }
    // All zeros is an ordinary end.
    guard code.contains(where: { 49...57 ~= $0 }) else { return }
    takeExtension("launchd", code.text + ")", bundle, context)
  }

  // MARK: The app's own words

  mutating func takeApp(_ kind: EventKind, _ text: Bytes, _ context: RecordContext) {
    if context.transport == .xcodeConsole { seeDebugger(context) }
    switch kind {
    case .appLine where EventGrammar.isPushLine(text):
      guard let index = called(.push, context, isNew: true) else { return }
      launch(index, context.time, .app)
    case .appLine:
      guard let index = called(.voip, context, isNew: true) else { return }
      stories[index].received = stories[index].received ?? context.time
    case .handlerNotCompleted:
      guard let index = called(.push, context) else { return }
      if stories[index].witness == nil { stories[index].witness = .app }
      stories[index].handler = .neverCompleted
    case .overrun:
      // Background tasks are no matter of pushes alone.
      guard let index = called(.push, context, orElse: .process) else { return }
      if stories[index].witness == nil { stories[index].witness = .app }
      if stories[index].handler != .neverCompleted { stories[index].handler = .overran }
    default:
      guard text.find("never posted an incoming call") != nil, let index = called(.voip, context) else {
        return
      }
      stories[index].kill = Story.Kill(
        namespace: "exception", code: "NSInternalInconsistencyException", at: context.time)
      stories[index].decided = context.time
      stories[index].handler = .killed
      stories[index].factor = .voipReport
    }
  }

  /// The push for which the app of this process was called last, or a new one.
  ///
  /// - Parameters:
  ///   - other: the kind of what is made when there is none.
  ///   - isNew: the app says that it is called.
  private mutating func called(
    _ kind: Story.Kind, _ context: RecordContext, orElse other: Story.Kind? = nil, isNew: Bool = false
  ) -> Int? {
    let known = stories.indices.suffix(100).last { index in
      guard stories[index].kind == kind || stories[index].kind == other,
        let at = stories[index].launched ?? stories[index].received ?? stories[index].decided,
        let wait = context.time.seconds(since: at), -1...90 ~= wait
      else { return false }
      // A second call, and not a second line on the first.
      if isNew, stories[index].witness == .app || kind == .voip, wait > 1 { return false }
      if stories[index].pid > 0, context.pid > 0 { return stories[index].pid == context.pid }
      return stories[index].appIs == .process
        ? stories[index].app == context.process : stories[index].isOf(process: context.process)
    }
    if let known {
      stories[known].add(context.line)
      return known
    }
    let made = other ?? kind
    let letter = made == .voip ? "v" : made == .process ? "b" : "p"
    var story = Story(id: nextID(letter), app: context.process, kind: made, line: context.line)
    if made == .process { story.launched = context.time }
    story.appIs = .process
    story.pid = context.pid
    return add(story)
  }

  /// `Running task: <BGAppRefreshTask: com.example.weather.fetch>`
  mutating func takeTask(_ text: Bytes, _ context: RecordContext) {
    guard let open = text.find(60), let identifier = text.value(after: "Task: ", from: open, until: ">")
    else { return }
    var name = (text.find("Processing") != nil ? "bgProcessing-" : "bgRefresh-") + identifier.text
    guard let (index, _) = latest(name.withUTF8(\.hash)) else { return }
    stories[index].add(context.line)
    if stories[index].cancelled == nil { launch(index, context.time, .app) }
  }

  // MARK: Transfers

  mutating func takeTransfer(_ kind: EventKind, _ text: Bytes, _ context: RecordContext) {
    if kind == .transferStatus {
      guard text.find("being debugged") != nil else { return }
      seeDebugger(context)
      transferStatus = (context.time, context.line)
      return
    }
    // `Task <UUID>.<305> will begin`
    guard let close = text.find(">.<"), let end = text.find(62, from: close + 3) else { return }
    let key = text.cut(0, end).hash
    let rest = text.cut(end + 1)
    let number = text.cut(close + 3, end).text
    let index: Int
    if let known = transfers[key] {
      index = known
      stories[index].add(context.line)
    } else {
      guard rest.find("enqueueing") != nil || rest.find("resuming") != nil || rest.find("will begin") != nil
      else { return }
      let story = Story(id: number, app: nil, kind: .urlsession, line: context.line)
      guard let added = add(story) else { return }
      transfers[key] = added
      index = added
      if let status = transferStatus, let wait = context.time.seconds(since: status.time), -1...2 ~= wait {
        stories[index].decided = status.time
        stories[index].hasDebugger = true
        stories[index].evidence.insert(status.line, at: 0)
      }
    }
    if rest.find("enqueueing") != nil, stories[index].received == nil {
      stories[index].received = context.time
    }
    if rest.find("will begin") != nil { launch(index, context.time, .process) }
  }

  // MARK: Crash reports

  mutating func take(_ report: CrashText) {
    guard report.isWhole, let namespace = report.namespace, let code = report.code else { return }
    let ended = CrashText.time(report.ended)
    let kill = Story.Kill(namespace: namespace, code: code, at: ended)
    let isVoIP = code == "0xbaadca11"
    // A push of the same process, if the log shows its number.
    if report.pid > 0, let index = byPid[report.pid], stories[index].app == report.bundle {
      stories[index].kill = kill
      stories[index].handler = .killed
      for line in report.lines { stories[index].add(line) }
      return
    }
    var story = Story(
      id: nextID("c"), app: report.bundle ?? report.process, kind: isVoIP ? .voip : .process,
      line: report.lines.first ?? 0)
    for line in report.lines { story.add(line) }
    story.appIs = report.bundle == nil ? .process : .bundle
    story.pid = report.pid
    story.launched = CrashText.time(report.launched)
    if story.launched != nil { story.witness = .process }
    story.kill = kill
    story.handler = .killed
    if isVoIP { story.factor = .voipReport }
    _ = add(story)
  }
}
