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
  /// Of a strategy with one push mechanism, by the number of the push.
  public var ends: [PushEnd] { ends { _ in true } }

  /// Of the pushes of one mechanism, by the number of the push.
  public func ends(_ mechanism: PushMechanism) -> [PushEnd] { ends { $0 == mechanism } }

  private func ends(_ isWanted: (PushMechanism) -> Bool) -> [PushEnd] {
    var ends: [Int: PushEnd] = [:]
    for record in records where isWanted(record.mechanism) {
      guard let push = record.push, case .ended(let fate, let reason) = record.event else { continue }
      precondition(ends[push] == nil, "push \(push) ends twice")
      ends[push] = PushEnd(fate, reason?.name, at: record.time.seconds)
    }
    return ends.sorted { $0.key < $1.key }.map(\.value)
  }

  /// What became of the VoIP pushes that the app was given, in order.
  public var calls: [VoIPPush.Outcome] {
    records.compactMap { if case .called(let result) = $0.event { result.outcome } else { nil } }
  }

  /// What the service extension made of the alerts that arrived, in the order in which it was done with them.
  public var alerts: [ServiceExtension.Outcome] {
    records.compactMap { if case .extensionEnded(let outcome) = $0.event { outcome } else { nil } }
  }

  /// The times at which a task was started, in seconds from the start of the run.
  public func runs(_ task: TaskMechanism) -> [Double] {
    records.compactMap {
      if case .opportunity(task, _, runs: true) = $0.event { $0.time.seconds } else { nil }
    }
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
  public func count(call outcome: VoIPPush.Outcome) -> Int { Int(calls[Int(outcome.rawValue)]) }
  public func count(alert outcome: ServiceExtension.Outcome) -> Int { Int(alerts[Int(outcome.rawValue)]) }
  public func count(view outcome: ContentExtension.Outcome) -> Int {
    Int(contentViews[Int(outcome.rawValue)])
  }
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
    for fate in Fate.allCases {
      numbers += (0..<Reason.count).map { reasonCount(fate, Reason(index: $0)) }
    }
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
    numbers += [
      provokedOpens, rangWithin5s, downloads.started, downloads.completed, downloads.cancelled,
      downloads.superseded,
    ]
    for index in alerts.indices { numbers.append(alerts[index]) }
    for index in contentViews.indices { numbers.append(contentViews[index]) }
    for index in calls.indices { numbers.append(calls[index]) }
    for index in tasks.indices {
      numbers += [tasks[index].notDue, tasks[index].passedOver, tasks[index].runs, tasks[index].interrupted]
      for result in tasks[index].results.indices { numbers.append(tasks[index].results[result]) }
      for reason in tasks[index].refused.indices {
        numbers += [tasks[index].refused[reason], tasks[index].passedOverFor[reason]]
      }
    }
    for index in byMechanism.indices {
      for fate in byMechanism[index].fates.indices { numbers.append(byMechanism[index].fates[fate]) }
    }
    for histogram in [latency, staleness, ring, downloads.time] {
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
