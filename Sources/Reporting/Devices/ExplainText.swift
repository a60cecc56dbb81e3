public import PushModel
import PushPolicy
public import Quantities

/// What of a device's days is told.
public struct ExplainSelection: Sendable, Equatable {
  /// Only this push, by its number among those sent to the device.
  public var push: Int?
  /// Only this day of the run, from 0.
  public var day: Int?
  /// A list of the pushes of this fate.
  public var fate: Fate?
  /// A list of the pushes that did not arrive.
  public var isUndelivered = false
  /// All days, and the factors that have nothing to say too.
  public var isFull = false

  public init(push: Int? = nil) { self.push = push }

  var listsPushes: Bool { fate != nil || isUndelivered }
  var isSummary: Bool { push == nil && day == nil && !listsPushes && !isFull }
}

/// One device's days, readable by a person who has not seen the code: a line for each day, the pushes that did not
/// arrive, or every push with each factor's verdict, its hold times and its fate.
public struct ExplainText {
  let trace: DeviceTrace
  let warmUp: SimDuration
  let selection: ExplainSelection
  private var text = ""
  /// When each push was sent, arrived, and where it is.
  private var sentAt: [Int: SimTime] = [:]
  private var arrivedAt: [Int: SimTime] = [:]

  /// - Parameters:
  ///   - heading: which device, replication, strategy and policy.
  ///   - width: of the terminal, in columns.
  public static func text(
    _ trace: DeviceTrace, heading: String, warmUp: SimDuration, _ selection: ExplainSelection, width: Int
  ) -> String {
    var explanation = ExplainText(trace, warmUp, selection)
    explanation.text = heading + "\n" + explanation.describeTraits() + "\n\n"
    if selection.listsPushes {
      return explanation.text + explanation.list(width: width)
    }
    if selection.isSummary { return explanation.text + explanation.summary(width: width) }
    for record in trace.records where explanation.tells(record) { explanation.add(record) }
    explanation.text += explanation.closing(push: selection.push)
    return explanation.text
  }

  init(_ trace: DeviceTrace, _ warmUp: SimDuration, _ selection: ExplainSelection) {
    self.trace = trace
    self.warmUp = warmUp
    self.selection = selection
  }

  private func tells(_ record: TraceRecord) -> Bool {
    (selection.push == nil || record.push == selection.push)
      && (selection.day == nil || day(record.time) == selection.day)
  }

  func day(_ time: SimTime) -> Int { NumberText.day(time, utcOffset: trace.life.traits.utcOffset) }

  // MARK: The device

  private func describeTraits() -> String {
    let traits = trace.life.traits
    let chip = traits.hasMChip ? ", M chip" : ""
    let offset = traits.utcOffset.hours
    let zone = offset == 0 ? "UTC" : "UTC\(offset > 0 ? "+" : "")\(decimalText(offset))"
    let lastOpen =
      trace.life.pastOpens.last.map {
        "last opened \(NumberText.duration(seconds: (SimTime.zero - $0).seconds)) before the start"
      }
      ?? "never opened before the start"
    return
      "\(traits.kind.name), system \(traits.osVersion < 18 ? "before 18" : "\(traits.osVersion)")\(chip), \(traits.userClass.name) user, times in \(zone)\n"
      + "at the start: \(states(trace.conditions.initial)); \(lastOpen)"
      + (warmUp > .zero
        ? "\npushes sent before \(clock(.zero + warmUp)) belong to the warm-up and are not counted" : "")
  }

  private func states(_ state: DeviceState) -> String {
    var words: [String] = []
    for flag in DeviceFlag.all {
      if flag.state == .wifi, state.contains(.poweredOn) { words.append(state.networkWords) }
      if let during = state.contains(flag.state) ? flag.whileSet : flag.whileUnset { words.append(during) }
      if flag.state == .charging, let level = level(at: .zero) {
        words.append("battery \(NumberText.percent(level, decimals: 0))")
      }
    }
    return words.joined(separator: ", ")
  }

  private func level(at time: SimTime) -> Double? {
    trace.life.battery.last { $0.time <= time }?.level(at: time)
  }

  private func clock(_ time: SimTime) -> String {
    NumberText.clock(time, utcOffset: trace.life.traits.utcOffset)
  }

  // MARK: What happened

  private mutating func line(_ time: SimTime, _ words: String) { text += clock(time) + "  " + words + "\n" }
  private mutating func detail(_ words: String) {
    let margin = 23
    text += TextRenderer.wrapped(
      String(repeating: " ", count: margin) + words, width: 110, hanging: margin + 2)
  }

  /// Tells apart the pushes of all mechanisms.
  private func key(_ record: TraceRecord) -> Int {
    (record.push ?? 0) * PushMechanism.allCases.count + Int(record.mechanism.rawValue)
  }

  private mutating func add(_ record: TraceRecord) {
    let kind = record.mechanism == .background ? "push" : record.mechanism == .alert ? "alert" : "VoIP push"
    let push = record.push.map { "\(kind) \($0)" } ?? ""
    switch record.event {
    case .sent:
      sentAt[key(record)] = record.time
      line(record.time, "\(push) sent")
    case .answered(let reason):
      line(record.time, "\(push) is answered \(reason.name) by APNs; the provider will try again")
    case .stored(let isReachable):
      let reason = isReachable ? "power considerations" : "the device is not reachable"
      line(record.time, "\(push) stored at APNs: \(reason)")
    case .arrived:
      arrivedAt[key(record)] = record.time
      let transit = sentAt[key(record)].map {
        " after \(NumberText.duration(seconds: (record.time - $0).seconds))"
      }
      line(record.time, "\(push) arrives at the device\(transit ?? "")")
    case .decided(let context, let memory, let decision, let draws):
      explain(context, memory, decision, draws, push: push)
    case .extensionEnded(let outcome):
      line(record.time, "the service extension is done with \(push): \(outcome.name)")
    case .called(let result):
      let rings =
        result.ringsAfter.map { "the call rings \(NumberText.duration(seconds: $0.seconds)) later" }
        ?? "no call rings"
      let end = result.outcome == .rang ? "" : "; \(result.outcome.name)"
      line(record.time, "the app gets \(push); \(rings)\(end)")
    case .ended(let fate, let reason):
      line(record.time, "\(push) " + end(fate, reason, record))
    case .launched(let inForeground, let result, let runTime, let handled):
      line(
        record.time,
        (inForeground ? "the app in the front gets " : "the app is launched in the background for ")
          + (handled == 0 ? "a task" : "\(handled) push\(handled == 1 ? "" : "es")")
          + "; handler ends with \(result.name) after "
          + NumberText.duration(seconds: runTime.seconds))
    case .opportunity(let task, let verdict, let runs):
      line(record.time, "\(task.name): " + words(verdict, runs: runs))
    case .handlerEnded(let result, let reputation):
      line(record.time, "handler ended: \(result.name); reputation \(NumberText.fixed(reputation, 3))")
    case .opened(let isFresh, let behind):
      let news =
        isFresh.map {
          $0 ? "; the content is fresh" : "; the content is \(behind) version\(behind == 1 ? "" : "s") behind"
        }
      line(record.time, "the user opens the app\(news ?? "")")
    case .changed(let from, let to, let moment):
      for words in changes(from, to, moment, at: record.time) { line(record.time, words) }
    }
  }

  private func words(_ verdict: TaskVerdict, runs: Bool) -> String {
    switch verdict {
    case .notDue: "not due"
    case .refused(let factor): "refused: \(factor.name)"
    case .runs(let probability, _):
      "an opportunity, taken with probability \(NumberText.percent(probability)): "
        + (runs ? "taken" : "passed over")
    }
  }

  private func end(_ fate: Fate, _ reason: Reason?, _ record: TraceRecord) -> String {
    let age = sentAt[key(record)].map { NumberText.duration(seconds: (record.time - $0).seconds) } ?? "?"
    var words = "\(fate.name)"
    // To be delivered is something else for each.
    if fate == .delivered, record.mechanism == .alert { words += ": shown to the user" }
    if fate == .delivered, record.mechanism == .voip { words += ": handed to the app" }
    if let reason { words += " (\(reason.name))" }
    words += ", \(age) after it was sent"
    if let arrived = arrivedAt[key(record)], record.time - arrived >= .seconds(1) {
      words += "; waited \(NumberText.duration(seconds: (record.time - arrived).seconds)) on the device"
    }
    return words
  }

  private mutating func explain(
    _ context: DeliveryContext, _ memory: AppMemory, _ decision: Decision,
    _ draws: [(factor: FactorID, uniform: Double, probability: Double)], push: String
  ) {
    if context.occasion != .arrival {
      let why: [DeliveryContext.Occasion: String] = [
        .powerNapWake: "Power Nap wake: ", .release: "beside other work of the system: ",
      ]
      line(context.now, (why[context.occasion] ?? "") + "decided again")
    }
    var silent: [String] = []
    for (factor, mode, verdict) in verdicts(context, memory: memory, policy: trace.policy) {
      if verdict == .abstain {
        silent.append(factor.name)
        continue
      }
      let draw = draws.first { $0.factor == factor }
      detail(
        "\(factor.name)\(mode == .shadow ? " (shadow)" : ""): "
          + words(verdict, factor, draw, context, isArrival: context.occasion == .arrival))
      if verdict == .mustDeliver {
        detail("the other factors do not matter")
        silent = []
        break
      }
    }
    if !silent.isEmpty, selection.isFull { detail("nothing to say: " + silent.joined(separator: ", ")) }
    // A call asks neither.
    let asksScheduler = !context.request.contains(.voip)
    if asksScheduler, trace.policy.enabled.contains(.hourlyBudget) {
      let tokens = AppUnderPolicy(memory: memory, policy: trace.policy).tokens(at: context.now)
      detail(
        "budget \(NumberText.fixed(tokens, 2)) tokens, reputation \(NumberText.fixed(memory.feedback.reputation, 3))"
      )
    }
    if asksScheduler, trace.policy.enabled.contains(.score) {
      detail("mean of the scores \(NumberText.fixed(decision.score, 3))")
    }
    if asksScheduler, trace.policy.enabled.contains(.devicePool),
      trace.policy.enabled.contains(.launchSpacing)
    {
      let pool = memory.pool.left(at: context.now, trace.policy.devicePool)
      let spacing = memory.spacing.launches(at: context.now, trace.policy.launchSpacing)
      detail(
        "pool \(NumberText.fixed(pool, 0)) launches, spacing \(NumberText.fixed(spacing, 2)) of \(NumberText.fixed(memory.spacing.burst, 0))"
      )
    }
    switch decision.outcome {
    case .deliver: detail("=> deliver")
    case .discard: detail("=> discard: \(decision.refusing.first?.name ?? "")")
    case .hold:
      let factors = decision.holding.factors.map(\.name).joined(separator: ", ")
      let until =
        decision.hold.until == .distantFuture ? "" : " until \(clock(decision.hold.until)) at the latest"
      detail("=> hold for \(factors)\(until)")
    }
  }

  private func words(
    _ verdict: Verdict, _ factor: FactorID, _ draw: (factor: FactorID, uniform: Double, probability: Double)?,
    _ context: DeliveryContext, isArrival: Bool
  ) -> String {
    func until(_ hold: Hold) -> String {
      var ends: [String] = []
      if hold.until != .distantFuture { ends.append(clock(hold.until)) }
      ends += lifts(hold.lifts)
      return ends.isEmpty ? "hold" : "hold until " + ends.joined(separator: " or ")
    }
    func chance(_ probability: Double, _ does: String, _ otherwise: String) -> String {
      guard isArrival else { return otherwise }
      guard let draw else {
        return "\(does) with probability \(NumberText.percent(probability)), else \(otherwise)"
      }
      let struck = draw.uniform < draw.probability
      return
        "\(does) with probability \(NumberText.percent(probability)); drew \(NumberText.fixed(draw.uniform, 3)): \(struck ? does : otherwise)"
    }
    switch verdict {
    case .abstain: return "nothing to say"
    case .proceed(let score, let weight):
      return "proceed, score \(NumberText.fixed(score, 2)), weight \(NumberText.fixed(weight, 1))"
    case .hold(let hold): return until(hold)
    case .never: return "never"
    case .mustDeliver: return "must deliver: the app is in the front, or a debugger is attached"
    case .neverWithProbability(let p, let hold): return chance(p, "discard", until(hold))
    case .holdWithProbability(let p, let hold): return chance(p, until(hold), "nothing to say")
    }
  }

  private func lifts(_ lifts: DeviceState) -> [String] {
    DeviceFlag.all.compactMap { flag in
      // Any network will do where both may lift the hold.
      if flag.state == .wifi, lifts.contains(.cellular) { return nil }
      return lifts.contains(flag.state) ? flag.lifts : nil
    }
  }

  private func changes(_ from: DeviceState, _ to: DeviceState, _ moment: Moment, at time: SimTime) -> [String]
  {
    var words = moment.words.map { [$0] } ?? []
    let battery = level(at: time).map { " (battery \(NumberText.percent($0, decimals: 0)))" } ?? ""
    let changed = from.symmetricDifference(to)
    for flag in DeviceFlag.all where changed.contains(flag.state) {
      if let change = to.contains(flag.state) ? flag.whenSet : flag.whenUnset {
        words.append(change + (flag.isAboutBattery ? battery : ""))
      }
    }
    if !changed.isDisjoint(with: [.wifi, .cellular]) { words.append(to.networkWords) }
    return words
  }

  /// A line for each mechanism of which launches and fates do not tell all.
  private func mechanisms(_ tally: Tally) -> String {
    var text = ""
    let calls = VoIPPush.Outcome.allCases.filter { tally.calls[Int($0.rawValue)] > 0 }
      .map { "\($0.name) \(tally.calls[Int($0.rawValue)])" }
    if !calls.isEmpty { text += "VoIP pushes handed to the app: \(calls.joined(separator: ", "))\n" }
    let alerts = ServiceExtension.Outcome.allCases.filter { tally.alerts[Int($0.rawValue)] > 0 }
      .map { "\($0.name) \(tally.alerts[Int($0.rawValue)])" }
    if !alerts.isEmpty { text += "alerts at the service extension: \(alerts.joined(separator: ", "))\n" }
    for task in TaskMechanism.allCases {
      let counts = tally.tasks[Int(task.rawValue)]
      guard counts.opportunities > 0 else { continue }
      let refused = counts.refused.indices.reduce(0) { $0 + counts.refused[$1] }
      text +=
        "\(task.name): \(counts.opportunities) opportunities, \(counts.notDue) not due, \(refused) refused, \(counts.passedOver) passed over, \(counts.runs) runs\n"
    }
    let downloads = tally.downloads
    if downloads.started > 0 {
      text +=
        "downloads: \(downloads.started) started, \(downloads.completed) completed, \(downloads.superseded) superseded, \(downloads.cancelled) cancelled, \(downloads.pending) pending\n"
    }
    return text
  }

  private func closing(push: Int?) -> String {
    if let push, !sentAt.keys.contains(where: { $0 / PushMechanism.allCases.count == push }) {
      return "push \(push) was never sent to this device\n"
    }
    guard push == nil, selection.day == nil else { return "" }
    return totals
  }

  /// What the run came to.
  var totals: String {
    let tally = trace.tally
    let fates = Fate.allCases.filter { tally.fates[Int($0.rawValue)] > 0 }
      .map { "\($0.name) \(tally.fates[Int($0.rawValue)])" }.joined(separator: ", ")
    return "\nafter the warm-up: \(tally.sent) sent" + (fates.isEmpty ? "" : ": \(fates)")
      + "; \(tally.wakes) launches in the background, \(tally.opens) opens\n" + mechanisms(tally)
  }
}
