import PushModel
import PushPolicy
import Quantities

/// Reads the strategies of a scenario: the mechanisms that each combines.
struct StrategyDecoder {
  let context: DecodingContext
  let hasContent: Bool
  /// What a mechanism does not say of its server.
  let provider: Provider

  func read(_ scenario: MappingReader) -> [Strategy] {
    guard let named = scenario.named("strategies") else { return [] }
    if named.isEmpty, let node = scenario.value("strategies")?.node {
      context.log.add(Messages.noStrategies(node.span))
    }
    return named.compactMap(readStrategy)
  }

  private func readStrategy(_ key: YAMLKey, _ value: ValueReader) -> Strategy? {
    guard let mapping = value.mapping(ScenarioKeys.strategy) else { return nil }
    if mapping.present.isEmpty, (value.node.entries ?? []).isEmpty {
      context.log.add(Messages.noMechanism(key.text, key.span))
    }
    var strategy = Strategy(name: key.text)
    strategy.title = mapping.has("title") ? mapping.text("title") : nil
    var isWhole = true
    func part<Value>(_ name: String, _ read: (MappingReader) -> Value?) -> Value? {
      guard mapping.has(name) else { return nil }
      let value = mapping.mapping(name).flatMap(read)
      if value == nil { isWhole = false }
      return value
    }
    strategy.backgroundPush = part("background_push", readBackgroundPush)
    if let (plan, alerts) = part("alert_push", readAlertPush) {
      strategy.alertPush = plan
      strategy.alerts = alerts
    }
    if let (plan, calls) = part("voip_push", readVoIPPush) {
      strategy.voipPush = plan
      strategy.calls = calls
    }
    strategy.appRefresh = part("app_refresh", readAppRefresh)
    strategy.processingTask = part("processing_task", readProcessingTask)
    strategy.backgroundDownload = part("background_download", readBackgroundDownload)
    strategy.usesWebSocket = part("websocket") { _ in true } ?? false
    _ = part("sync_on_open") { _ in true }
    if case .unacknowledged = strategy.alertPush?.send, !mapping.has("background_push"),
      let node = mapping.value("alert_push")?.node["send"]
    {
      context.log.add(Messages.nothingToAcknowledge(node.span))
    }
    return isWhole ? strategy : nil
  }

  private func duration(_ mapping: MappingReader, _ key: String) -> SimDuration? {
    mapping.quantity(key).map(SimDuration.init(seconds:))
  }
}

// MARK: - Pushes

extension StrategyDecoder {
  private func readBackgroundPush(_ mapping: MappingReader) -> PushPlan? {
    guard var plan = readPlan(mapping, .background) else { return nil }
    let type = mapping.has("type") ? mapping.choice("type") : nil
    plan.type = type.map { [.alert, .background, .missing, .liveActivity, .widgets][$0] }
    // Whatever its payload has, the app never gets it.
    if plan.type == .liveActivity { plan.request = .liveActivity }
    if plan.type == .widgets { plan.request = .widgets }
    if mapping.has("activity") {
      guard let part = mapping.mapping("activity"), let activity = readActivity(part) else { return nil }
      guard plan.type == .liveActivity else {
        context.log.add(Messages.activityWithoutType(mapping.span(ofKey: "activity")))
        return nil
      }
      plan.activity = activity
    }
    if let topic = mapping.choice("topic") { plan.topic = Topic(rawValue: UInt8(topic)) ?? .own }
    if mapping.has("resend"), let resend = mapping.mapping("resend") {
      guard let after = duration(resend, "after"), let most = resend.integer("at_most") else { return nil }
      plan.resend = PushPlan.Resend(after: after, most: most)
    }
    return plan
  }

  private func readActivity(_ mapping: MappingReader) -> ActivityPlan? {
    guard let event = mapping.choice("event"), let updates = mapping.integer("updates"),
      let isFrequent = mapping.flag("frequent")
    else { return nil }
    var activity = ActivityPlan()
    activity.event = LiveActivity.Event(rawValue: UInt8(event))
    activity.updates = updates
    activity.isFrequent = isFrequent
    return activity
  }

  private func readAlertPush(_ mapping: MappingReader) -> (PushPlan, AlertHandling)? {
    guard var plan = readPlan(mapping, .alert), let wakes = mapping.flag("content_available") else {
      return nil
    }
    if wakes { plan.request.insert(.contentAvailable) }
    guard plan.request.isVisible else {
      if let node = mapping.value("payload")?.node { context.log.add(Messages.alertShowsNothing(node.span)) }
      return nil
    }
    var alerts = AlertHandling()
    if mapping.has("service_extension") {
      guard let work = mapping.mapping("service_extension").flatMap(readServiceExtension) else { return nil }
      alerts.serviceExtension = work
      // What it runs for cannot be had without; `aps` may say so as well.
      plan.request.insert(.mutableContent)
    }
    if mapping.has("content_extension") {
      guard let part = mapping.mapping("content_extension"), let opened = part.quantity("opened"),
        let memory = part.distribution("memory")
      else { return nil }
      var work = ContentExtensionWork()
      work.opened = opened
      work.memory = memory
      alerts.contentExtension = work
    }
    if mapping.has("opens") {
      guard let opens = mapping.mapping("opens"), let share = opens.quantity("share"),
        let after = opens.distribution("after")
      else { return nil }
      alerts.opens = share
      alerts.opensAfter = after
    }
    return (plan, alerts)
  }

  private func readServiceExtension(_ mapping: MappingReader) -> ServiceExtensionWork? {
    guard let memory = mapping.distribution("memory"), let duration = mapping.distribution("work"),
      let best = mapping.flag("best_attempt"), let stores = mapping.flag("stores_content")
    else { return nil }
    var work = ServiceExtensionWork()
    work.memory = memory
    work.duration = duration
    work.handsOverBestAttempt = best
    work.storesContent = stores
    if mapping.has("attachment") {
      guard let part = mapping.mapping("attachment"), let format = part.choice("format"),
        let size = part.distribution("size"), let cached = part.quantity("cached"),
        let length = part.distribution("length")
      else { return nil }
      work.attachment = ServiceExtensionWork.Attachment(
        format: ServiceExtension.Format.allCases[format], size: size)
      work.attachment?.cached = cached
      work.attachment?.length = length
    }
    return work
  }

  private func readVoIPPush(_ mapping: MappingReader) -> (PushPlan, CallHandling)? {
    guard let plan = readPlan(mapping, .voip), let syncs = mapping.flag("syncs"),
      let report = mapping.mapping("report"), let never = report.quantity("never"),
      let after = report.distribution("after"), let returnsFirst = report.flag("returns_first"),
      let completion = mapping.mapping("completion"), let neverCompletes = completion.quantity("never"),
      let completes = completion.distribution("after")
    else { return nil }
    var calls = CallHandling()
    calls.syncs = syncs
    calls.neverReports = never
    calls.reportsAfter = after
    calls.returnsFirst = returnsFirst
    calls.neverCompletes = neverCompletes
    calls.completesAfter = completes
    return (plan, calls)
  }

  /// What all push mechanisms have.
  private func readPlan(_ mapping: MappingReader, _ mechanism: PushMechanism) -> PushPlan? {
    let send = mapping.value("send").flatMap { readSend($0, isFallback: mechanism == .alert) }
    let priority = readPriority(mapping)
    let expiration = mapping.value("expiration").flatMap(readExpiration)
    let collapseID = mapping.has("collapse_id") ? mapping.text("collapse_id") : nil
    if let collapseID, collapseID.utf8.count > 64, let node = mapping.value("collapse_id")?.node {
      context.log.add(Messages.collapseIDTooLong(node.span, bytes: collapseID.utf8.count))
    }
    let payload = mapping.mapping("payload")
    let given = mapping.has("provider") ? mapping.mapping("provider") : nil
    guard let send, let priority, let expiration, let payload else { return nil }
    var plan = PushPlan(mechanism, send: send)
    plan.priority = priority
    plan.expiration = expiration
    plan.collapseID = collapseID
    plan.provider = given.map { ProviderDecoder.provider($0, over: provider) } ?? provider
    if let bytes = payload.quantity("bytes") { plan.payloadBytes = Int(bytes) }
    // The payload of a call has no keys of `aps` that matter (C3-16).
    if mechanism != .voip, let request = payload.value("aps").flatMap(readAps) { plan.request = request }
    return plan
  }

  private func readPriority(_ mapping: MappingReader) -> Int? {
    guard let value = mapping.value("priority") else { return nil }
    guard let text = value.text() else { return nil }
    guard let priority = Int(text), [10, 5, 1].contains(priority) else {
      context.log.add(Messages.wrongPriority(value.node))
      return nil
    }
    return priority
  }

  private func readExpiration(_ value: ValueReader) -> Expiration? {
    if value.node.scalar == "absent" { return .absent }
    if value.node.scalar == "0" { return .immediate }
    if let text = value.node.scalar, !value.node.isNull, !text.contains(where: \.isNumber) {
      context.log.add(Messages.wrongExpiration(value.node))
      return nil
    }
    guard let seconds = value.quantity(.time, 0...31_536_000) else { return nil }
    return seconds == 0 ? .immediate : .after(SimDuration(seconds: seconds))
  }

  /// The keys of `aps`: a mapping as in the payload, or only their names.
  private func readAps(_ value: ValueReader) -> PushRequest? {
    var request: PushRequest = []
    var names: [(String, ValueReader)] = []
    if let items = value.node.items {
      for item in items {
        let reader = ValueReader(item, label: "a key of `aps`", context: context)
        guard let index = reader.choice(ScenarioKeys.apsKeys) else { return nil }
        names.append((ScenarioKeys.apsKeys[index], reader))
      }
    } else {
      for (key, reader) in value.named() ?? [] {
        guard ScenarioKeys.apsKeys.contains(key.text) else {
          context.log.add(Messages.unknownKey(key, in: "`aps`", valid: ScenarioKeys.apsKeys))
          return nil
        }
        // `content-available: 0` is as good as none.
        if key.text == "content-available", reader.node.scalar == "0" { continue }
        names.append((key.text, reader))
      }
    }
    for (name, _) in names {
      switch name {
      case "content-available": request.insert(.contentAvailable)
      case "alert": request.insert(.alert)
      case "sound": request.insert(.sound)
      case "badge": request.insert(.badge)
      case "mutable-content": request.insert(.mutableContent)
      default: break
      }
    }
    return request
  }

  /// - Parameter isFallback: whether the send may follow from what the app has not acknowledged.
  private func readSend(_ value: ValueReader, isFallback: Bool) -> SendSchedule? {
    if let word = value.node.scalar, !value.node.isNull {
      guard word == "each_update" else {
        context.log.add(Messages.wrongSend(value.node))
        return nil
      }
      if !hasContent { context.log.add(Messages.eachUpdateWithoutContent(value.node.span)) }
      return .eachUpdate
    }
    guard value.node.entries != nil else {
      context.log.add(Messages.wrongSend(value.node))
      return nil
    }
    guard let mapping = value.mapping(isFallback ? ScenarioKeys.alertSend : ScenarioKeys.send),
      let way = mapping.exactlyOne(of: mapping.table.alternatives.flatMap(\.self))
    else {
      return nil
    }
    for key in ["phase", "jitter"] where mapping.has(key) && way != "every" {
      context.log.add(Messages.onlyWithEvery(key, mapping.span(ofKey: key)))
    }
    switch way {
    case "every": return readEvery(mapping)
    case "at_local": return mapping.timesOfDay("at_local").map { .atLocal($0) }
    case "at_server": return mapping.timesOfDay("at_server").map { .atServer($0) }
    case "poisson": return (mapping.mapping("poisson")?.quantity("rate")).map { .poisson(rate: $0) }
    case "unacknowledged": return duration(mapping, "unacknowledged").map { .unacknowledged(after: $0) }
    default: return mapping.times("at").map { .at($0) }
    }
  }

  private func readEvery(_ mapping: MappingReader) -> SendSchedule? {
    guard let interval = mapping.quantity("every"), let phase = mapping.quantity("phase"),
      let jitter = mapping.quantity("jitter")
    else { return nil }
    if jitter > interval, let node = mapping.value("jitter")?.node {
      context.log.add(Messages.jitterTooLong(node.span))
      return nil
    }
    return .every(
      SimDuration(seconds: interval), phase: SimDuration(seconds: phase), jitter: SimDuration(seconds: jitter)
    )
  }
}

// MARK: - Tasks

extension StrategyDecoder {
  private func readAppRefresh(_ mapping: MappingReader) -> RefreshRequests? {
    guard let earliest = duration(mapping, "earliest"), let api = mapping.choice("api"),
      let resubmits = mapping.flag("resubmits")
    else { return nil }
    var refresh = RefreshRequests()
    refresh.api = RefreshRequests.API.allCases[api]
    refresh.earliest = earliest
    refresh.resubmits = resubmits
    if mapping.has("only_after_silence") {
      guard let silence = duration(mapping, "only_after_silence") else { return nil }
      refresh.onlyAfterSilence = silence
    }
    return refresh
  }

  private func readProcessingTask(_ mapping: MappingReader) -> ProcessingRequests? {
    guard let earliest = duration(mapping, "earliest"), let power = mapping.flag("requires_power"),
      let network = mapping.flag("requires_network"), let time = mapping.distribution("duration")
    else { return nil }
    var task = ProcessingRequests()
    task.earliest = earliest
    task.requiresPower = power
    task.requiresNetwork = network
    task.duration = time
    if mapping.has("duration_if_nothing_new") {
      guard let check = mapping.distribution("duration_if_nothing_new") else { return nil }
      task.durationIfNothingNew = check
    }
    return task
  }

  private func readBackgroundDownload(_ mapping: MappingReader) -> DownloadRequests? {
    guard let size = mapping.quantity("size"), let isDiscretionary = mapping.flag("discretionary") else {
      return nil
    }
    var download = DownloadRequests(size: size)
    download.isDiscretionary = isDiscretionary
    return download
  }
}
