public import PushModel
import PushPolicy
public import Quantities
public import ScenarioDecoding

/// One device's days for a page: what its trace says, made small.
public enum Timeline {
  /// A page shows no more of a device.
  private static let longest = SimDuration.days(7)
  private static let mostPushes = 300

  /// - Parameters:
  ///   - role: how the device compares with others, such as `worst`.
  ///   - warmUp: what comes before is left out.
  ///   - end: the end of the run.
  public static func value(
    _ trace: DeviceTrace, role: String, strategy: String, device: UInt32, replication: Int,
    warmUp: SimDuration, end: SimTime
  ) -> JSONValue {
    let from = SimTime.zero + warmUp
    var to = min(end, from + longest)
    var pushes = PushStory.all(trace).filter { $0.sent >= from && $0.sent < to }
    if pushes.count > mostPushes {
      to = pushes[mostPushes].sent
      pushes.removeSubrange(mostPushes...)
    }
    let isWithin = { (time: SimTime) in time >= from && time < to }
    var opens: [JSONValue] = []
    var launches: [JSONValue] = []
    for record in trace.records where isWithin(record.time) {
      switch record.event {
      case .opened(let isFresh, _):
        opens.append(
          .object([("at_s", seconds(record.time)), ("fresh", isFresh.map(JSONValue.bool) ?? .null)]))
      case .launched(inForeground: false, let result, _, _):
        launches.append(.object([("at_s", seconds(record.time)), ("result", .string(result.name))]))
      default: break
      }
    }
    let traits = trace.life.traits
    return .object([
      ("role", .string(role)), ("strategy", .string(strategy)), ("device", .integer(Int(device))),
      ("replication", .integer(replication)), ("device_kind", .string(traits.kind.name)),
      ("user_class", .string(traits.userClass.name)), ("utc_offset_s", seconds(.zero + traits.utcOffset)),
      ("from_s", seconds(from)), ("to_s", seconds(to)),
      ("sent", .integer(trace.tally.sent)),
      ("delivered", .integer(trace.tally.fates[Int(Fate.delivered.rawValue)])),
      ("battery", battery(trace.life.battery, from, to)),
      ("states", states(trace.conditions, from, to)),
      ("opens", .array(opens)), ("launches", .array(launches)),
      (
        "pushes",
        .array(
          pushes.map { push in
            .object([
              ("push", .integer(push.number)), ("sent_s", seconds(push.sent)),
              ("ended_s", push.ended.map(seconds) ?? .null),
              ("mechanism", .string(push.mechanism.name)), ("fate", .string(push.fate.name)),
              ("reason", push.reason.map { .string($0.name) } ?? .null),
              ("sentence", push.sentence.map(JSONValue.string) ?? .null),
            ])
          })
      ),
    ])
  }

  /// To the second: finer is not to be seen.
  private static func seconds(_ time: SimTime) -> JSONValue { .integer(time.microseconds / 1_000_000) }

  /// The level at the corners of its course.
  private static func battery(_ segments: [BatterySegment], _ from: SimTime, _ to: SimTime) -> JSONValue {
    var times: [JSONValue] = []
    var levels: [JSONValue] = []
    func add(_ time: SimTime, _ level: Double) {
      times.append(seconds(time))
      levels.append(.number((level * 1000).rounded() / 1000))
    }
    for (index, segment) in segments.enumerated() {
      let next = index + 1 < segments.count ? segments[index + 1].time : to
      guard next > from, segment.time < to else { continue }
      add(max(segment.time, from), segment.level(at: max(segment.time, from)))
      // Full or empty within the segment.
      if segment.slope != 0 {
        let wait = ((segment.slope > 0 ? 1 : 0) - segment.level) / segment.slope
        let corner = segment.time + SimDuration(seconds: max(0, wait))
        if corner > max(segment.time, from), corner < min(next, to) { add(corner, segment.level(at: corner)) }
      }
      if next >= to { add(to, segment.level(at: to)) }
    }
    return .object([("time_s", .array(times)), ("level", .array(levels))])
  }

  /// When each state began and ended: pairs of seconds, one after the other.
  private static func states(_ conditions: Conditions, _ from: SimTime, _ to: SimTime) -> JSONValue {
    var watched: [(name: String, holds: (DeviceState) -> Bool)] = []
    for flag in DeviceFlag.all {
      if let name = flag.timelineName { watched.append((name, { $0.contains(flag.state) })) }
    }
    watched.append(("out_of_reach", { !$0.isReachable }))
    watched.append(("not_installed", { !$0.contains(.installed) }))
    var members: [(String, JSONValue)] = []
    for state in watched {
      var spans: [JSONValue] = []
      var start: SimTime? = state.holds(conditions.initial) ? .zero : nil
      func close(_ time: SimTime) {
        if let begin = start, time > from, begin < to, time > begin {
          spans += [seconds(max(begin, from)), seconds(min(time, to))]
        }
        start = nil
      }
      for change in conditions.changes {
        let holds = state.holds(change.state)
        if holds, start == nil { start = change.time }
        if !holds, start != nil { close(change.time) }
      }
      close(to)
      if !spans.isEmpty { members.append((state.name, .array(spans))) }
    }
    return .object(members)
  }
}
