public import DeviceLogs
import PushPolicy
import Quantities
public import ScenarioDecoding

/// A diagnosis as JSON; `Documentation/Diagnose.md` describes it. Members that say nothing of a push are left out.
public enum DiagnosisJSON {
  /// - Parameter sends: what became of the provider's requests, if its log was given.
  public static func value(
    _ diagnosis: Diagnosis, sends: [SendOutcome] = [], replays: JSONValue? = nil
  ) -> JSONValue {
    var members = members(diagnosis)
    if !sends.isEmpty { members.append(("sends", .array(sends.map(send)))) }
    if let replays { members.append(("replays", replays)) }
    return .object(members)
  }

  private static func send(_ outcome: SendOutcome) -> JSONValue {
    .object([
      ("line", .integer(outcome.request.line)),
      ("id", text(outcome.request.id)),
      ("sent_at", .string(outcome.request.sent.text)),
      ("status", outcome.request.status.map { .integer($0) } ?? .null),
      ("reason", text(outcome.request.reason)),
      ("outcome", .string(outcome.kind.rawValue)),
      ("arrived_as", text(outcome.arrivedAs)),
      ("delay_s", outcome.delay.map { .number($0) } ?? .null),
      ("fates", strings(outcome.fates)),
      ("verdict", .string(outcome.verdict)),
    ])
  }

  private static func members(_ diagnosis: Diagnosis) -> [(String, JSONValue)] {
    [
      ("pushsim", .string(pushsimVersion)),
      ("kind", "diagnosis"),
      ("transport", text(diagnosis.transports.first?.rawValue)),
      ("transports", .array(diagnosis.transports.map { .string($0.rawValue) })),
      ("zone", text(diagnosis.zone)),
      ("date", text(diagnosis.date)),
      ("lines", .integer(diagnosis.lines)),
      ("end", text(diagnosis.end?.text)),
      ("pushes", .array(diagnosis.stories.map(push))),
      ("device", .array(diagnosis.events.map(event))),
      ("apps", .array(diagnosis.apps.map(app))),
      ("notes", .array(diagnosis.notes.map(note))),
      ("rules", rules(diagnosis)),
      ("omitted", .integer(diagnosis.omitted)),
    ]
  }

  private static func text(_ string: String?) -> JSONValue { string.map { .string($0) } ?? .null }
  private static func lines(_ numbers: [Int]) -> JSONValue { .array(numbers.map { .integer($0) }) }
  private static func strings(_ strings: [String]) -> JSONValue { .array(strings.map { .string($0) }) }

  private static func push(_ story: Story) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("id", .string(story.id)),
      ("app", text(story.app)),
      ("app_is", .string(story.appIs.rawValue)),
      ("kind", .string(story.kind.rawValue)),
      ("received", text(story.received?.text)),
      ("decided", text(story.decided?.text)),
      ("held_by", .array(story.holds.map(hold))),
      ("outcome", .string(story.outcome.rawValue)),
      ("fate", text(story.fate)),
      ("launched_at", text(story.launched?.text)),
      ("launch_evidence", text(story.witness?.rawValue)),
      ("handler", text(story.handler?.rawValue)),
    ]
    func add(_ key: String, _ value: JSONValue?) { if let value { members.append((key, value)) } }
    func flag(_ key: String, _ isSet: Bool) { if isSet { members.append((key, true)) } }
    add("completed_at", story.completed.map { .string($0.text) })
    add("superseded_by", story.supersededBy.map { .string($0) })
    add("score", story.score.map(score))
    add("payload", payload(story.payload))
    add("window", story.window.map { .array([.string($0.from.text), .string($0.to.text)]) })
    add("deadline", story.window.map { .string($0.to.text) })
    add("earliest", story.earliest.map { .string($0.text) })
    flag("hard_block", story.isHardBlock)
    flag("truncated", story.isTruncated)
    flag("lost_by_filtering", story.isFiltered)
    flag("in_foreground", story.isInForeground)
    flag("shown", story.isShown)
    flag("debugger", story.hasDebugger)
    add("kill", story.kill.map(kill))
    add("factor", story.factor.map { .string($0.name) })
    if !story.hints.isEmpty { add("hints", strings(story.hints)) }
    members += [
      ("evidence", lines(story.evidence)),
      ("verdict", .string(story.verdict)),
      ("missing", strings(story.missing)),
      ("rules", strings(story.rules.map(\.rawValue))),
    ]
    return .object(members)
  }

  private static func hold(_ hold: Story.Hold) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("policy", .string(hold.policy)),
      ("condition", text(hold.condition)),
      ("decision", .string(hold.decision.rawValue)),
      ("factor", text(hold.factor?.name)),
    ]
    if !hold.candidates.isEmpty {
      members.append(("factor_candidates", strings(hold.candidates.map(\.name))))
    }
    if hold.isCutOff { members.append(("cut_off", true)) }
    return .object(
      members + [
        ("from", .string(hold.from.text)), ("to", text(hold.to?.text)), ("evidence", lines(hold.evidence)),
      ])
  }

  private static func score(_ score: Story.Score) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for (key, value) in [
      ("final", score.final), ("threshold", score.threshold), ("sum", score.sum),
      ("denominator", score.denominator),
    ] {
      if let value { members.append((key, .number(value))) }
    }
    var below: [(String, JSONValue)] = []
    for (policy, value) in score.belowOne where !below.contains(where: { $0.0 == policy }) {
      below.append((policy, .number(value)))
    }
    if !below.isEmpty { members.append(("below_one", .object(below))) }
    return .object(members)
  }

  private static func payload(_ payload: Story.Payload) -> JSONValue? {
    guard payload != Story.Payload() else { return nil }
    var members: [(String, JSONValue)] = []
    if let priority = payload.priority { members.append(("priority", .integer(priority))) }
    if let type = payload.pushType { members.append(("push_type", .string(type))) }
    if let wakes = payload.contentAvailable { members.append(("content_available", .bool(wakes))) }
    if let isAlert = payload.isAlert { members.append(("alert", .bool(isAlert))) }
    return .object(members)
  }

  private static func kill(_ kill: Story.Kill) -> JSONValue {
    .object([
      ("namespace", .string(kill.namespace)), ("code", .string(kill.code)), ("at", text(kill.at?.text)),
    ])
  }

  private static func event(_ event: DeviceEvent) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("event", .string(event.kind.rawValue)), ("at", text(event.at?.text)),
    ]
    if let value = event.value { members.append(("value", .integer(value))) }
    return .object(members + [("line", .integer(event.line))])
  }

  private static func app(_ app: Diagnosis.AppSummary) -> JSONValue {
    .object([
      ("app", .string(app.app)),
      ("outcomes", .object(app.outcomes.map { ($0.outcome.rawValue, .integer($0.count)) })),
      (
        "commonest_holder",
        app.commonestHolder.map { .object([("policy", .string($0.policy)), ("held", .integer($0.count))]) }
          ?? .null
      ),
      ("advice", strings(app.rules.map(\.rawValue))),
    ])
  }

  private static func note(_ note: Diagnosis.Note) -> JSONValue {
    .object([("text", .string(note.text)), ("rule", text(note.rule?.rawValue))])
  }

  /// The rules that the diagnosis names, each once.
  private static func rules(_ diagnosis: Diagnosis) -> JSONValue {
    let named = Set(diagnosis.stories.flatMap(\.rules) + diagnosis.notes.compactMap(\.rule))
    return .array(
      Rule.allCases.filter(named.contains).map { rule in
        .object([
          ("id", .string(rule.rawValue)), ("advice", .string(rule.advice)),
          ("evidence", strings(rule.evidence)),
        ])
      })
  }
}
