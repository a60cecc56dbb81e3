public import PushModel
public import PushPolicy
import OutputAnalysis
import Quantities

/// The end of one push.
public struct PushEnd: Equatable, Sendable, CustomStringConvertible {
  public var fate: Fate
  /// The reason's name in results.
  public var reason: String?
  /// From the start of the run. Unit: seconds.
  public var time: Double

  public init(_ fate: Fate, _ reason: String? = nil, at time: Double) {
    self.fate = fate
    self.reason = reason
    self.time = time
  }

  public var description: String {
    "\(fate.name)\(reason.map { " (\($0))" } ?? "") at \(time) s"
  }
}

/// A launch in the background, or a hand-over to an app in the front.
public struct LaunchNote: Equatable, Sendable {
  /// From the start of the run. Unit: seconds.
  public var time: Double
  public var inForeground: Bool
  public var result: LaunchResult
  /// Unit: seconds.
  public var runTime: Double
  /// Pushes that it handles.
  public var handled: Int
}

extension DeviceTrace {
  /// By the number of the push.
  public var ends: [PushEnd] {
    var ends: [Int: PushEnd] = [:]
    for record in records {
      guard let push = record.push, case .ended(let fate, let reason) = record.event else { continue }
      precondition(ends[push] == nil, "push \(push) ends twice")
      ends[push] = PushEnd(fate, reason?.name, at: record.time.seconds)
    }
    return ends.sorted { $0.key < $1.key }.map(\.value)
  }

  public var launches: [LaunchNote] {
    records.compactMap { record in
      guard case .launched(let inForeground, let result, let runTime, let handled) = record.event else {
        return nil
      }
      return LaunchNote(
        time: record.time.seconds, inForeground: inForeground, result: result, runTime: runTime.seconds,
        handled: handled)
    }
  }

  /// The times of launches in the background, in seconds from the start of the run.
  public var launchTimes: [Double] { launches.filter { !$0.inForeground }.map(\.time) }

  /// The reputation after each launch.
  public var reputations: [Double] {
    records.compactMap { record in
      guard case .handlerEnded(_, let reputation) = record.event else { return nil }
      return reputation
    }
  }
}

extension Tally {
  public func count(_ fate: Fate) -> Int { Int(fates[Int(fate.rawValue)]) }
  public func count(_ result: LaunchResult) -> Int { Int(results[Int(result.rawValue)]) }
  public func count(_ fate: Fate, _ factor: FactorID) -> Int { Int(reasonCount(fate, Reason(factor))) }
  /// Pushes that woke the app in the background.
  public var deliveredInBackground: Int { count(.delivered) - Int(deliveredInForeground) }
}

extension Tally {
  /// Everything that was counted, but what factors in shadow mode would have done.
  public var numbers: [Int64] {
    var numbers = [
      devices, sent, deliveredInForeground, shown, wokenWithin15min, wakes, usefulWakes, launchesInForeground,
      opens, freshOpens, users, userFreshShares, stalenessMilliseconds, energy.total, energy.whileCharging,
      energy.wakes, energy.usefulWakes, energy.bytes, energy.batteryShares,
    ]
    for index in fates.indices { numbers.append(fates[index]) }
    for index in reasons.indices { numbers.append(reasons[index]) }
    for index in results.indices { numbers.append(results[index]) }
    for index in within.indices { numbers.append(within[index]) }
    for index in held.indices { numbers.append(held[index]) }
    for fate in Fate.allCases { numbers += incidence[fate] }
    for segment in segments.joined() {
      numbers += [
        segment.sent, segment.delivered, segment.within5min, segment.notWakeable, segment.opens,
        segment.freshOpens,
      ]
    }
    for histogram in [latency, staleness] {
      for bin in histogram.bins { numbers += [bin.low, Int64(bin.count)] }
    }
    return numbers
  }

  /// By hour, by class, by kind of device.
  public var segments: [[Segment]] {
    [
      byHour.indices.map { byHour[$0] }, byClass.indices.map { byClass[$0] },
      byKind.indices.map { byKind[$0] },
    ]
  }
}
