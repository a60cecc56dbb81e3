import Quantities

/// For how long the app on the device at hand heard nothing in the measured time: no push reached it, no alert was shown,
/// no task ran. Opens do not end a silence, for they are not the server's.
///
/// `Play+Counting` and `Play+Tasks` tell it what reached the app; the end of the device ends the last one.
struct Silence: Sendable, BitwiseCopyable {
  private var since = SimTime.zero
  private(set) var longest = SimDuration.zero

  init(since: SimTime = .zero) { self.since = since }

  /// Something reaches the app; before the measured time it does not count.
  @inline(__always)
  mutating func end(at now: SimTime) {
    guard now > since else { return }
    longest = max(longest, now - since)
    since = now
  }
}
