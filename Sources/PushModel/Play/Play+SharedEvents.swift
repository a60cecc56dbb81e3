import Distributions
import PushPolicy
import Quantities

/// The defects that the device at hand has, and from when to when.
///
/// `Play+SharedEvents` alone touches it; it is empty unless the scenario has shared events.
struct DeviceDefects: Sendable {
  struct Defect: Sendable {
    var isOfSystem: Bool
    var from: SimTime
    var until: SimTime
    var fails: Double
  }

  private(set) var all: [Defect] = []

  mutating func removeAll() { all.removeAll(keepingCapacity: true) }
  mutating func add(_ defect: Defect) { all.append(defect) }

  /// The share that fails at `now`: of several defects the worst counts.
  func failing(ofSystem: Bool, at now: SimTime) -> Double {
    var share = 0.0
    for defect in all where defect.isOfSystem == ofSystem && defect.from <= now && now < defect.until {
      share = max(share, defect.fails)
    }
    return share
  }
}

extension Play {
  /// Draws which of the replication's events reach the device, the same under every strategy.
  mutating func beginSharedEvents() {
    defects.removeAll()
    for (index, event) in setting.sharedEvents.enumerated() where event.kind != .apnsIncident {
      var stream = streams.stream(device: device, .sharedEvent(UInt32(index)))
      let isReached = stream.uniform() < event.reaches
      let from = event.from + event.spreadsOver * stream.uniform()
      guard isReached, from < event.until else { continue }
      defects.add(
        DeviceDefects.Defect(
          isOfSystem: event.kind == .newSystem, from: from, until: event.until, fails: event.fails))
    }
  }

  /// Whether a defect of the system keeps a silent push from the app.
  mutating func isSwallowedBySystem(_ push: Push, at now: SimTime) -> Bool {
    let share = defects.failing(ofSystem: true, at: now)
    guard share > 0, channels[push.mechanism.index].request == .silent else { return false }
    var stream = streams.stream(device: device, .swallowed(UInt32(push.number)), lane: push.lane)
    return stream.bernoulli(share)
  }

  /// How the handler's launches end: with a bad release some of them never complete.
  ///
  /// - Parameter shares: without it.
  mutating func handlerShares(_ shares: HandlerShares, at now: SimTime) -> HandlerShares {
    let failing = defects.failing(ofSystem: false, at: now)
    guard failing > 0 else { return shares }
    var worse = HandlerShares()
    worse.newData = shares.newData * (1 - failing)
    worse.noData = shares.noData * (1 - failing)
    worse.failed = shares.failed * (1 - failing)
    worse.neverCompletes = 1 - worse.newData - worse.noData - worse.failed
    return worse
  }
}
