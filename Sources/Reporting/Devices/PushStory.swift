public import PushModel
import PushPolicy
public import Quantities

/// A push of one device, what became of it, and why it did not arrive.
public struct PushStory: Sendable {
  /// Among those that the mechanism sent to the device, from 0.
  public var number: Int
  public var mechanism: PushMechanism
  public var sent: SimTime
  /// Nil: it was still under way when the run ended.
  public var ended: SimTime?
  public var fate = Fate.pending
  public var reason: Reason?
  /// One plain sentence without a stop; nil for a push that arrived.
  public var sentence: String?

  /// What held it on the device.
  fileprivate var holding: FactorID?

  /// The pushes of a trace, in the order in which they were sent.
  public static func all(_ trace: DeviceTrace) -> [PushStory] { StoryTeller(trace).stories }
}

/// Says in words why pushes did not arrive.
private struct StoryTeller {
  private let trace: DeviceTrace
  private let opens: [SimTime]
  private(set) var stories: [PushStory] = []

  init(_ trace: DeviceTrace) {
    self.trace = trace
    opens = trace.records.compactMap { if case .opened = $0.event { $0.time } else { nil } }
    var places: [Int: Int] = [:]
    for record in trace.records {
      guard let number = record.push else { continue }
      let key = number * PushMechanism.allCases.count + Int(record.mechanism.rawValue)
      if case .sent = record.event {
        places[key] = stories.count
        stories.append(PushStory(number: number, mechanism: record.mechanism, sent: record.time))
      }
      guard let place = places[key] else { continue }
      switch record.event {
      case .decided(_, _, let decision, _): stories[place].holding = decision.holding.first
      case .ended(let fate, let reason):
        stories[place].ended = fate == .pending ? nil : record.time
        stories[place].fate = fate
        stories[place].reason = reason
      default: break
      }
    }
    for place in stories.indices { stories[place].sentence = sentence(stories[place]) }
  }

  private func sentence(_ push: PushStory) -> String? {
    let time = push.ended ?? trace.records.last?.time ?? push.sent
    let factor = push.reason.flatMap { reason in FactorID.allCases.first { Reason($0) == reason } }
    let end = push.ended.map { moment($0, near: push.sent) } ?? ""
    switch push.fate {
    case .delivered: return nil
    case .rejected, .discardedAtAPNs:
      let verb = push.fate == .rejected ? "APNs refused it" : "APNs dropped it"
      let why = push.reason.map { Wording.reason($0.name) } ?? "no reason given"
      return state(at: time).contains(.installed)
        ? "\(verb): \(why)" : "the app was removed\(since(.installed, false, push.sent)); \(verb): \(why)"
    case .expiredAtAPNs: return "\(outOfReach(push, time)); it expired at APNs on \(end)"
    case .overwrittenAtAPNs:
      return outOfReach(push, time)
        + (push.reason == .olderPush
          ? "; APNs kept an older push in its place" : "; a newer push took its place at APNs on \(end)")
    case .lost: return "lost on the way to the device"
    case .coalescedOnDevice:
      return "\(held(push)); a newer push took its place on the device on \(end)"
    case .notWakeable, .discardedByPolicy:
      guard let factor else {
        return push.reason.map { Wording.reason($0.name) } ?? Wording.words(push.fate.name)
      }
      let wait = time - push.sent
      return cause(factor, push.sent, atEnd: time)
        + (wait >= .minutes(1) ? "; given up after \(NumberText.duration(seconds: wait.seconds))" : "")
    case .pending:
      let why = push.holding == nil ? outOfReach(push, time) : held(push)
      return "\(why); it was still waiting when the run ended"
    }
  }

  private func held(_ push: PushStory) -> String {
    push.holding.map { cause($0, push.sent, atEnd: push.ended ?? push.sent) } ?? "held on the device"
  }

  private func outOfReach(_ push: PushStory, _ time: SimTime) -> String {
    let now = state(at: push.sent)
    if now.isReachable { return "held at APNs, which spares the device's battery" }
    return now.contains(.poweredOn)
      ? "offline\(since(.wifi, false, push.sent) { !$0.isReachable })"
      : "switched off\(since(.poweredOn, false, push.sent))"
  }

  /// What a factor stands for in the life of this device.
  private func cause(_ factor: FactorID, _ sent: SimTime, atEnd end: SimTime) -> String {
    func flag(_ words: String, _ flag: DeviceState, _ isSet: Bool = true) -> String {
      // A hold that came later than the push has its state at the end.
      let time = state(at: sent).contains(flag) == isSet ? sent : end
      return words + since(flag, isSet, time)
    }
    switch factor {
    case .forceQuit:
      let next = opens.first { $0 > sent }.map { "opened again \(moment($0, near: sent))" }
      return flag("force-quit", .forceQuit) + "; nothing wakes it until it is opened ("
        + (next ?? "not opened again in this run") + ")"
    case .refreshSwitch:
      return state(at: sent).contains(.refreshOff)
        ? flag("Background App Refresh off", .refreshOff) + "; silent pushes wake nothing"
        : "Background App Refresh works on Wi-Fi only here, and the device was not on Wi-Fi"
    case .firstUnlock:
      return flag("not unlocked after a start", .unlockedSinceStart, false)
    case .network: return "offline" + since(.wifi, false, sent) { !$0.isReachable }
    case .powerNap: return flag("asleep", .asleep)
    case .lowPowerMode: return flag("Low Power Mode on", .lowPowerMode)
    case .batteryLevel: return flag("battery too low", .batteryLow)
    case .charger: return flag("on battery", .charging, false) + ", and this waits for the charger"
    case .camera: return flag("camera on", .camera)
    case .cpuLoad: return flag("processor busy", .cpuBusy)
    case .usageHistory:
      let last = opens.last { $0 <= sent } ?? trace.life.pastOpens.last
      let said =
        last.map { last in
          let age = NumberText.duration(seconds: (sent - last).seconds) + " before"
          return "last opened " + (last < .zero ? age : "\(moment(last, near: sent)), \(age)")
        } ?? "never opened"
      return "\(said): the system counts the app as seldom used"
    case .hourlyBudget: return "the app had used up its budget of launches"
    case .backgroundMode: return "the app has no background mode for it"
    case .payload: return "its payload cannot wake an app"
    default: return Wording.reason(factor.name)
    }
  }

  private func state(at time: SimTime) -> DeviceState {
    trace.conditions.changes.last { $0.time <= time }?.state ?? trace.conditions.initial
  }

  /// Since when the state has been as it is at that time, with a space before; empty where it is not so then.
  private func since(
    _ flag: DeviceState, _ isSet: Bool, _ time: SimTime, _ holds: ((DeviceState) -> Bool)? = nil
  ) -> String {
    let holds = holds ?? { $0.contains(flag) == isSet }
    guard holds(state(at: time)) else { return "" }
    var begin: SimTime?
    var held = holds(trace.conditions.initial)
    for change in trace.conditions.changes where change.time <= time {
      let now = holds(change.state)
      if now, !held { begin = change.time }
      held = now
    }
    return begin.map { " since \(moment($0, near: time))" } ?? " since before the run"
  }

  private func moment(_ time: SimTime, near: SimTime) -> String {
    NumberText.moment(time, near: near, utcOffset: trace.life.traits.utcOffset)
  }
}
