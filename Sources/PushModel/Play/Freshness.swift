import PushPolicy
import Quantities

/// A launch in the background that brought something.
struct Wake: Sendable, BitwiseCopyable {
  var counts: Bool
  /// Unit: microjoules.
  var energy: Int64
}

/// How fresh the content of the app on the device at hand is: the version that the server has, the version that the app
/// has, and whether anybody has seen what the last launch in the background brought.
///
/// Whatever brings content tells `take`; opens ask `isFresh` and tell `see`. Nobody else writes a version.
struct Freshness: Sendable, BitwiseCopyable {
  /// The number of updates so far.
  private(set) var latest = 0
  private(set) var version = 0
  /// The launch that brought a version which nobody has seen yet.
  private var unseen: Wake?

  var isFresh: Bool { version == latest }
  /// How many updates the app has missed.
  var behind: Int { latest - version }

  /// Follows the server up to `now`.
  @inline(__always)
  mutating func follow(_ updates: [SimTime], until now: SimTime) {
    while latest < updates.count, updates[latest] <= now { latest += 1 }
  }

  /// The app has loaded what is newest, and nobody was launched for it.
  mutating func takeLatest() { version = latest }

  /// The app has a version; of a launch in the background it is to be seen whether anybody ever sees it.
  ///
  /// - Returns: the launch, if what it brought is on the screen already.
  mutating func take(_ version: Int, _ wake: Wake?, isInFront: Bool) -> Wake? {
    self.version = version
    guard let wake else { return nil }
    unseen = isInFront ? nil : wake
    return isInFront ? wake : nil
  }

  /// The user looks at the app.
  ///
  /// - Returns: the launch that brought what nobody had seen until now.
  mutating func see() -> Wake? {
    defer { unseen = nil }
    return unseen
  }
}

/// Sends to the device at hand after which nothing has woken or opened the app yet, the oldest first.
///
/// `Play` puts a send in when it is made, and takes out what a launch, a call or an open has answered.
struct UnansweredSends: Sendable {
  private var times: [SimTime] = []
  /// Those before it have been answered.
  private var from = 0

  mutating func append(_ time: SimTime) { times.append(time) }

  /// The app runs, or the user opened it: what was sent up to `sent` has had its wake.
  ///
  /// - Returns: how many of these were sent at most 15 min ago.
  mutating func answer(upTo sent: SimTime, at now: SimTime) -> Int64 {
    var soon: Int64 = 0
    while from < times.count, times[from] <= sent {
      if now - times[from] <= .minutes(15) { soon += 1 }
      from += 1
    }
    // Mostly there is one: room is made once there were many.
    if from == times.count, from >= 64 { removeAll() }
    return soon
  }

  mutating func removeAll() {
    times.removeAll(keepingCapacity: true)
    from = 0
  }
}
