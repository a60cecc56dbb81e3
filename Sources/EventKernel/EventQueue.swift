public import Quantities

/// Names one scheduled event of one queue, to cancel it.
///
/// A handle stays valid as a name for ever: after its event has been run or cancelled it names nothing.
@frozen
public struct EventHandle: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline let key: UInt64
  @usableFromInline let slot: UInt32

  @inlinable
  init(key: UInt64, slot: UInt32) {
    self.key = key
    self.slot = slot
  }
}

/// An event taken from the future event list, with the instant at which it happens.
@frozen
public struct ScheduledEvent<Event: BitwiseCopyable>: BitwiseCopyable {
  /// When the event happens.
  public let time: SimTime
  /// What happens.
  public let event: Event

  @inlinable
  init(time: SimTime, event: Event) {
    self.time = time
    self.event = event
  }
}

extension ScheduledEvent: Sendable where Event: Sendable {}

/// The future event list: events by time, then by priority class, then by order of scheduling.
///
/// Made for the few pending events of one device: up to 16 stand in a sorted array, where taking the next one is free
/// and an insertion shifts a few neighbours; more stand in a binary heap that knows each event's position. Events are
/// plain values in memory that the queue owns: no reference counts, no closures.
///
/// - Complexity: `schedule`, `cancel` and `popNext` take O(log pending events); `peekTime` and `count` O(1).
@frozen
public struct EventQueue<Event: BitwiseCopyable>: ~Copyable {
  @usableFromInline
  @frozen
  struct Entry: BitwiseCopyable {
    @usableFromInline var time: Int64
    // The priority class in the top 8 bits, the order of scheduling below: one comparison settles both.
    @usableFromInline var key: UInt64
    @usableFromInline var event: Event
    @usableFromInline var slot: UInt32

    @inlinable
    init(time: Int64, key: UInt64, event: Event, slot: UInt32) {
      self.time = time
      self.key = key
      self.event = event
      self.slot = slot
    }

    @inlinable
    @inline(__always)
    func isBefore(_ other: Entry) -> Bool { time < other.time || (time == other.time && key < other.key) }
  }

  /// Beyond so many pending events the sorted array becomes a heap; at half of it the heap becomes an array again.
  @inlinable static var smallLimit: Int { 16 }

  @usableFromInline var pending: Int
  // INVARIANT: in a sorted array the next event is the last entry; in a heap it is the first.
  @usableFromInline var isHeap: Bool
  @usableFromInline var capacity: Int
  @usableFromInline var sequence: UInt64
  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  // INVARIANT: freeSlots[count ..< capacity] are the slots of no pending event.
  @usableFromInline var freeSlots: UnsafeMutablePointer<UInt32>
  // Where in the heap the event of a slot stands; not kept up while the entries are a sorted array.
  @usableFromInline var positions: UnsafeMutablePointer<UInt32>

  /// Creates an empty queue with room for `minimumCapacity` events; it grows when they become more.
  @inlinable
  public init(minimumCapacity: Int = 16) {
    precondition(minimumCapacity >= 0, "a capacity of \(minimumCapacity) events is negative")
    pending = 0
    isHeap = false
    sequence = 0
    capacity = max(minimumCapacity, EventQueue.smallLimit)
    entries = .allocate(capacity: capacity)
    freeSlots = .allocate(capacity: capacity)
    positions = .allocate(capacity: capacity)
    for slot in 0..<capacity {
      freeSlots[slot] = UInt32(truncatingIfNeeded: slot)
      positions[slot] = 0
    }
  }

  @inlinable
  deinit {
    entries.deallocate()
    freeSlots.deallocate()
    positions.deallocate()
  }

  /// How many events are pending.
  @inlinable public var count: Int { pending }

  /// Whether no event is pending.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// When the next event happens; ``Quantities/SimTime/distantFuture`` when none is pending.
  @inlinable public var peekTime: SimTime {
    count == 0 ? .distantFuture : SimTime(microseconds: entries[isHeap ? 0 : count - 1].time)
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - time: when it happens; the queue takes any time, the ``EventLoop`` none before now.
  ///   - priority: its class among the events of one instant.
  ///   - event: what happens.
  /// - Returns: the event's name for ``cancel(_:)``.
  @inlinable
  @discardableResult
  public mutating func schedule(
    at time: SimTime, priority: EventPriority = .arrival, _ event: Event
  ) -> EventHandle {
    if count == capacity { grow() }
    let key = UInt64(priority.rawValue) << 56 | sequence
    sequence += 1
    let entry = Entry(time: time.microseconds, key: key, event: event, slot: freeSlots[count])
    if count == EventQueue.smallLimit, !isHeap { becomeHeap() }
    pending += 1
    if isHeap {
      siftUp(entry, from: count - 1)
    } else {
      insert(entry)
    }
    check()
    return EventHandle(key: key, slot: entry.slot)
  }

  /// Removes an event, so that it is never run.
  ///
  /// - Returns: false, and nothing is changed, when the event has been run or cancelled before.
  @inlinable
  @discardableResult
  public mutating func cancel(_ handle: EventHandle) -> Bool {
    let position = position(of: handle)
    if position < 0 { return false }
    if isHeap {
      removeFromHeap(at: position)
    } else {
      pending -= 1
      var index = position
      while index < count {
        entries[index] = entries[index + 1]
        index += 1
      }
    }
    freeSlots[count] = handle.slot
    check()
    return true
  }

  /// Whether the event is still to be run.
  @inlinable
  public func isPending(_ handle: EventHandle) -> Bool { position(of: handle) >= 0 }

  /// Takes the next event from the list; nil when none is pending.
  @inlinable
  public mutating func popNext() -> ScheduledEvent<Event>? {
    if count == 0 { return nil }
    let next: Entry
    if isHeap {
      next = entries[0]
      removeFromHeap(at: 0)
    } else {
      pending -= 1
      next = entries[count]
    }
    freeSlots[count] = next.slot
    check()
    return ScheduledEvent(time: SimTime(microseconds: next.time), event: next.event)
  }

  /// Removes all events; handles given out before name nothing.
  @inlinable
  public mutating func removeAll() {
    // Slots return in the order of the entries; which event gets which slot decides nothing.
    for index in 0..<count { freeSlots[index] = entries[index].slot }
    pending = 0
    isHeap = false
    check()
  }

  @inlinable
  @inline(__always)
  func check() {
    #if CHECK_INVARIANTS
      checkInvariants()
    #endif
  }
}

// The memory belongs to one owner at a time and holds plain values.
extension EventQueue: @unchecked Sendable where Event: Sendable {}
