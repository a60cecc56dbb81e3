public import Quantities

/// A future event list with one place per kind of event: for an entity whose processes have one pending event each.
///
/// Kinds are numbered from 0 by the model. Of simultaneous events the one of the lower number is next, so the model
/// numbers its kinds in the order in which they are to be run. The next event is found by a tournament without
/// branches, which beats a heap up to 16 kinds; nothing is allocated.
///
/// - Precondition: `slotCount` is from 1 to 16.
@frozen
public struct EventSlots<let slotCount: Int>: Sendable {
  // INVARIANT: slots without a pending event, and those beyond `slotCount`, hold `Int64.max`.
  @usableFromInline var times: InlineArray<16, Int64>

  /// Creates a list without events.
  @inlinable
  public init() {
    precondition(slotCount >= 1 && slotCount <= 16, "\(slotCount) event slots; the list takes 1 to 16")
    times = InlineArray(repeating: .max)
  }

  /// When the event of `slot` happens; ``Quantities/SimTime/distantFuture`` when it has none.
  ///
  /// - Precondition: `slot` is one of the list's.
  @inlinable
  public func time(of slot: Int) -> SimTime {
    precondition(slot >= 0 && slot < slotCount, "event slot \(slot) of \(slotCount)")
    return SimTime(microseconds: times[slot])
  }

  /// Schedules the event of `slot`; a pending one is replaced.
  ///
  /// - Precondition: `slot` is one of the list's.
  @inlinable
  public mutating func schedule(_ slot: Int, at time: SimTime) {
    precondition(slot >= 0 && slot < slotCount, "event slot \(slot) of \(slotCount)")
    times[slot] = time.microseconds
  }

  /// Removes the pending event of `slot`.
  ///
  /// - Precondition: `slot` is one of the list's.
  /// - Returns: false, and nothing is changed, when it has none.
  @inlinable
  @discardableResult
  public mutating func cancel(_ slot: Int) -> Bool {
    let wasPending = time(of: slot) != .distantFuture
    times[slot] = .max
    return wasPending
  }

  /// Removes all events.
  @inlinable
  public mutating func removeAll() { times = InlineArray(repeating: .max) }

  /// The slot of the next event and its time; the time is ``Quantities/SimTime/distantFuture`` when no event is
  /// pending, and the slot then means nothing.
  @inlinable
  public var next: (slot: Int, time: SimTime) {
    var slot = winnerOfEight(from: 0)
    if slotCount > 8 { slot = earlier(slot, winnerOfEight(from: 8)) }
    return (slot, SimTime(microseconds: times[slot]))
  }

  /// The left one of equals, which is the lower number.
  @inlinable
  @inline(__always)
  func earlier(_ left: Int, _ right: Int) -> Int { times[right] < times[left] ? right : left }

  @inlinable
  @inline(__always)
  func winnerOfEight(from first: Int) -> Int {
    let pair0 = earlier(first, first + 1)
    let pair1 = earlier(first + 2, first + 3)
    let pair2 = earlier(first + 4, first + 5)
    let pair3 = earlier(first + 6, first + 7)
    return earlier(earlier(pair0, pair1), earlier(pair2, pair3))
  }
}
