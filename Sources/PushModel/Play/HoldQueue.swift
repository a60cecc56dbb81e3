import PushPolicy
import Quantities

/// A push that waits on the device.
struct HeldPush: Sendable, BitwiseCopyable {
  var push: Push
  var since: SimTime
  var usageHeldUntil: SimTime
  /// What held it when it arrived.
  var factor: FactorID
  /// What holds it now, and since when that has not been counted.
  var holding: FactorID
  var uncounted: SimTime
}

/// The pushes that wait on the device at hand, the oldest first, and what may release them.
///
/// A push is in here from the decision that holds it until a launch takes it or its wait ends otherwise. Only `Play`
/// decides: it puts pushes in, asks again at `recheckAt` or when a bit of `lifts` changes, and gives each push its
/// end before it leaves. The queue keeps the times and the factors, and looks at nothing but itself.
struct HoldQueue: Sendable {
  /// How long a push waits at most.
  private let deadline: SimDuration
  /// Those before `from` have left.
  private var pushes: [HeldPush] = []
  private var from = 0
  /// The factor that holds all of them; nil where they differ.
  private var factorOfAll: FactorID?
  /// The bits of the device's state whose change may lift a hold.
  private(set) var lifts: DeviceState = []
  /// The earliest instant that could lift a hold, and the earlier of it and the next deadline.
  private var liftsAt = SimTime.distantFuture
  private(set) var recheckAt = SimTime.distantFuture

  init(deadline: SimDuration) { self.deadline = deadline }

  var isEmpty: Bool { from >= pushes.count }
  var count: Int { pushes.count - from }
  /// The places of the pushes that wait, from the oldest; they hold until a push leaves.
  var indices: Range<Int> { from..<pushes.count }
  subscript(index: Int) -> HeldPush { pushes[index] }
  var oldest: HeldPush { pushes[from] }
  var newest: HeldPush { pushes[pushes.count - 1] }

  /// The first instant from which the disuse of the app holds one of them no longer.
  var usageHeldUntil: SimTime {
    var earliest = SimTime.distantFuture
    for index in indices { earliest = min(earliest, pushes[index].usageHeldUntil) }
    return earliest
  }

  /// The place of the newest that the app's disuse does not hold; nil when it holds all of them.
  func newestNotHeldForDisuse(at now: SimTime) -> Int? {
    pushes[indices].lastIndex { $0.usageHeldUntil <= now }
  }

  /// When the one that was sent last was sent, or `time` if that is later.
  func lastSent(or time: SimTime) -> SimTime {
    var last = time
    for index in indices { last = max(last, pushes[index].push.sent) }
    return last
  }

  /// Whether a hold may be lifted by now, and not only a deadline be over.
  func mayBeLifted(at now: SimTime) -> Bool { now >= liftsAt }

  /// The places of those that have waited as long as they may.
  func overdue(at now: SimTime) -> Range<Int> {
    var end = from
    while end < pushes.count, pushes[end].since + deadline <= now { end += 1 }
    return from..<end
  }

  /// - Parameter release: an instant at which something may release all that is held.
  mutating func append(
    _ push: Push, by factor: FactorID, _ hold: Hold, usageHeldUntil: SimTime, release: SimTime,
    at now: SimTime
  ) {
    if isEmpty {
      factorOfAll = factor
    } else if factorOfAll != factor {
      factorOfAll = nil
    }
    pushes.append(
      HeldPush(
        push: push, since: now, usageHeldUntil: usageHeldUntil, factor: factor, holding: factor,
        uncounted: now))
    lifts.formUnion(hold.lifts)
    liftsAt = min(liftsAt, min(hold.until, release))
    lookAgain()
  }

  /// It was decided anew that all of them wait.
  ///
  /// - Parameters:
  ///   - factor: what holds them from now on.
  ///   - isOneWait: whether only the newest counts, whose end the factor that holds now is to explain.
  ///   - times: for how long each factor has held pushes. Unit: milliseconds.
  mutating func hold(
    by factor: FactorID?, _ hold: Hold, isOneWait: Bool, release: SimTime, at now: SimTime,
    times: inout InlineArray<26, Int64>
  ) {
    if let factor {
      if factor != factorOfAll {
        for index in indices where pushes[index].holding != factor {
          countTime(of: index, until: now, in: &times)
          pushes[index].holding = factor
        }
        factorOfAll = factor
      }
      if isOneWait { pushes[pushes.count - 1].factor = factor }
    }
    lifts = hold.lifts
    liftsAt = min(hold.until, release)
    lookAgain()
  }

  /// Counts for how long a factor has held the push.
  mutating func countTime(of index: Int, until now: SimTime, in times: inout InlineArray<26, Int64>) {
    let waited = now - pushes[index].uncounted
    pushes[index].uncounted = now
    guard pushes[index].push.counts else { return }
    times[Int(pushes[index].holding.rawValue)].addSaturating(waited.microseconds / 1000)
  }

  /// The app is in use: what its disuse held is free.
  mutating func endDisuse() {
    for index in indices { pushes[index].usageHeldUntil = .distantPast }
  }

  /// Nothing but a deadline, or a change of the device, ends what waits.
  mutating func waitForDeadline() {
    liftsAt = .distantFuture
    lookAgain()
  }

  /// Sets the instant of the next decision.
  mutating func lookAgain() {
    recheckAt = isEmpty ? .distantFuture : min(liftsAt, pushes[from].since + deadline)
  }

  /// The pushes before this place have come to their end.
  mutating func remove(upTo index: Int) {
    from = index
    if isEmpty { clear() }
  }

  /// Puts a push that stays in the place of one that has come to its end; `truncate` drops what is left over.
  mutating func move(_ index: Int, to place: Int) { pushes[place] = pushes[index] }

  mutating func truncate(to end: Int) {
    pushes.removeLast(pushes.count - end)
    if isEmpty { clear() }
  }

  /// Nothing waits, so there is nothing to look out for.
  mutating func clear() {
    if !pushes.isEmpty { pushes.removeAll(keepingCapacity: true) }
    from = 0
    lifts = []
    liftsAt = .distantFuture
    recheckAt = .distantFuture
  }
}
