public import DeviceLogs
public import PushModel
import PushPolicy
import Quantities
public import ScenarioDecoding

/// The decisions of a log beside those of the simulator on the same timeline.
public struct DiagnosisReplay {
  public enum Agreement: String, Sendable {
    case agree, disagree
    case notComparable = "not_comparable"
  }

  public struct Row {
    public var id: String
    public var log: Side
    public var simulator: Side
    public var agreement: Agreement
    /// Why it differs, or cannot be compared.
    public var why: String
  }

  /// What one of the two says of a push.
  public struct Side {
    var factors: [FactorID] = []
    /// Policies of the log that stand for no factor, or for one of several.
    var others: [String] = []
    /// Seconds from the arrival to the release; nil while it is held.
    var wait: Double?
    var end = ""

    var isHeld: Bool { !factors.isEmpty || !others.isEmpty }

    /// Waits are compared by their order of magnitude: rescoring comes from events that a log shows in part.
    var lengthClass: String {
      guard let wait else { return "to the end" }
      return wait < 60 ? "seconds" : wait < 600 ? "minutes" : wait < 3600 ? "tens of minutes" : "hours"
    }

    var text: String {
      let held = isHeld ? "held by \((factors.map(\.name) + others).joined(separator: ", "))" : "not held"
      let length = wait.map { isHeld ? " for " + NumberText.duration(seconds: $0) : "" } ?? ""
      return held + length + ", " + end
    }
  }

  public var app: String
  public var policy: String
  public var variant: LogScript.Variant
  public var rows: [Row] = []

  /// - Parameter trace: the script's only device under its only strategy.
  public init(
    _ diagnosis: Diagnosis, _ script: LogScript, _ variant: LogScript.Variant, policy: String,
    trace: DeviceTrace
  ) {
    app = script.app
    self.policy = policy
    self.variant = variant
    for (number, push) in script.pushes.enumerated() {
      let story = diagnosis.stories[push.story]
      let simulated = Self.side(trace, push: number, send: push.send, logEnd: script.logEnd)
      let logged = Self.side(story)
      let (agreement, why) = Self.compare(story, logged, simulated, variant)
      rows.append(Row(id: story.id, log: logged, simulator: simulated, agreement: agreement, why: why))
    }
  }

  private static func side(_ story: Story) -> Side {
    var side = Side(end: story.fate ?? story.outcome.rawValue)
    for hold in story.holds {
      if let factor = hold.factor {
        if !side.factors.contains(factor) { side.factors.append(factor) }
      } else if !side.others.contains(hold.policy) {
        side.others.append(hold.policy)
      }
    }
    if let from = story.holds.map(\.from).first, !story.isHeld {
      side.wait = story.holds.compactMap(\.to).compactMap { $0.seconds(since: from) }.max()
    }
    if story.holds.isEmpty { side.wait = 0 }
    return side
  }

  /// What the simulator says up to the time at which the log ends.
  private static func side(_ trace: DeviceTrace, push: Int, send: Double, logEnd: Double) -> Side {
    var side = Side(end: "pending")
    var arrived: Double?
    for record in trace.records where record.mechanism == .background && record.push == push {
      let time = record.time.seconds
      switch record.event {
      case .arrived: arrived = time
      case .decided(_, _, let decision, _) where time <= logEnd + 1:
        for factor in decision.holding.factors + decision.refusing.factors
        where !side.factors.contains(factor) {
          side.factors.append(factor)
        }
      case .ended(let fate, _) where time <= logEnd + 1:
        side.end = fate.name
        side.wait = time - (arrived ?? send)
      default: break
      }
    }
    return side
  }

  private static func compare(
    _ story: Story, _ logged: Side, _ simulated: Side, _ variant: LogScript.Variant
  ) -> (Agreement, String) {
    if !story.wasEvaluated { return (.notComparable, "the log has no evaluation of it") }
    let unnamed = story.holds.filter { $0.factor == nil }
    var wanted = logged.factors
    if let hold = unnamed.first {
      let isBlock = hold.candidates == [.forceQuit, .refreshSwitch]
      guard isBlock, variant != .asLogged else {
        return (.notComparable, "the log names no factor: \(hold.policy)")
      }
      wanted.append(variant == .forceQuit ? .forceQuit : .refreshSwitch)
    }
    if let other = wanted.first(where: { !LogScript.canScript($0) && unnamed.isEmpty }) {
      return (.notComparable, "no event of a script brings about \(other.name)")
    }
    if simulated.end == "not_wakeable", unnamed.isEmpty {
      return (
        .disagree, "the simulator does not take it for a wake (priority \(story.payload.priority ?? 5))"
      )
    }
    let isHeld = !story.holds.isEmpty
    guard isHeld == simulated.isHeld else {
      return (.disagree, isHeld ? "the simulator does not hold it" : "the simulator holds it")
    }
    let lacking = wanted.filter { !simulated.factors.contains($0) }
    guard lacking.isEmpty else {
      return (.disagree, "not held by \(lacking.map(\.name).joined(separator: ", "))")
    }
    // A hard block ends in the simulator at once, and in a log only with the window.
    let isForGood = !unnamed.isEmpty
    guard isForGood || logged.lengthClass == simulated.lengthClass else {
      return (.disagree, "held for \(logged.lengthClass), simulated \(simulated.lengthClass)")
    }
    return (.agree, "")
  }

  // MARK: Results

  public static func text(_ replays: [DiagnosisReplay], width: Int) -> String {
    guard !replays.isEmpty else {
      return "\nNo push of the log can be replayed: the scheduler was asked for none.\n"
    }
    var text = ""
    for replay in replays {
      let name =
        replay.variant == .asLogged ? "" : ", with \(DiagnosisText.plain(replay.variant.rawValue)) assumed"
      text += DiagnosisText.wrapped(
        "replayed under \(DiagnosisText.shown(replay.policy))\(name): \(DiagnosisText.shown(replay.app))",
        width,
        indentation: 0, before: "\n")
      for row in replay.rows {
        let verdict = DiagnosisText.plain(row.agreement.rawValue) + (row.why.isEmpty ? "" : ": " + row.why)
        for (line, indentation) in [
          ("\(row.id) \(verdict)", 2), ("log: \(row.log.text)", 4), ("simulator: \(row.simulator.text)", 4),
        ] {
          text += DiagnosisText.wrapped(DiagnosisText.shown(line), width, indentation: indentation)
        }
      }
    }
    return text + DiagnosisText.wrapped("assumed: \(LogScript.assumed)", width, indentation: 2)
  }

  public static func json(_ replays: [DiagnosisReplay]) -> JSONValue {
    func side(_ side: Side) -> JSONValue {
      .object([
        ("factors", .array(side.factors.map { .string($0.name) })),
        ("wait_s", side.wait.map { .number($0) } ?? .null),
        ("length", .string(side.lengthClass)), ("end", .string(side.end)),
      ])
    }
    return .array(
      replays.map { replay in
        .object([
          ("app", .string(replay.app)), ("policy", .string(replay.policy)),
          ("variant", .string(replay.variant.rawValue)),
          ("assumed", .string(LogScript.assumed)),
          (
            "pushes",
            .array(
              replay.rows.map { row in
                .object([
                  ("id", .string(row.id)), ("log", side(row.log)), ("simulator", side(row.simulator)),
                  ("agreement", .string(row.agreement.rawValue)), ("why", .string(row.why)),
                ])
              })
          ),
        ])
      })
  }
}
