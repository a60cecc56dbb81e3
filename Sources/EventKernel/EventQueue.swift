public import Quantities

/// The order of events at one instant: lower classes run first.
///
/// A small closed set, because bare numbers would leave it to chance which of two parts of a model comes first.
@frozen
public enum EventPriority: UInt8, Sendable, CaseIterable {
  /// Something reaches an entity, such as a push that reaches a device.
  case arrival = 0
  /// Somebody acts on the world as it is at this instant, such as a provider that tries again.
  case decision = 1
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
/// and an insertion shifts a few neighbours; more stand in a binary heap. Events are plain values in memory that the
/// queue owns: no reference counts, no closures. Events are not cancelled: a model whose processes are rescheduled has
/// one pending event each and uses ``EventSlots``.
///
/// - Complexity: `schedule` and `popNext` take O(log pending events); `peekTime` and `count` O(1).
@frozen
public struct EventQueue<Event: BitwiseCopyable>: ~Copyable {
  @usableFromInline
  @frozen
  struct Entry: BitwiseCopyable {
    @usableFromInline var time: Int64
    // The priority class in the top 8 bits, the order of scheduling below: one comparison settles both.
    @usableFromInline var key: UInt64
    @usableFromInline var event: Event

    @inlinable
    init(time: Int64, key: UInt64, event: Event) {
      self.time = time
      self.key = key
      self.event = event
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

  /// Creates an empty queue with room for `minimumCapacity` events; it grows when they become more.
  @inlinable
  public init(minimumCapacity: Int = 16) {
    precondition(minimumCapacity >= 0, "a capacity of \(minimumCapacity) events is negative")
    pending = 0
    isHeap = false
    sequence = 0
    capacity = max(minimumCapacity, EventQueue.smallLimit)
    entries = .allocate(capacity: capacity)
  }

  @inlinable
  deinit { entries.deallocate() }

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
  ///   - time: when it happens.
  ///   - priority: its class among the events of one instant.
  ///   - event: what happens.
  @inlinable
  public mutating func schedule(at time: SimTime, priority: EventPriority = .arrival, _ event: Event) {
    if count == capacity { grow() }
    let key = UInt64(priority.rawValue) << 56 | sequence
    sequence += 1
    let entry = Entry(time: time.microseconds, key: key, event: event)
    if count == EventQueue.smallLimit, !isHeap { becomeHeap() }
    pending += 1
    if isHeap {
      siftUp(entry, from: count - 1)
    } else {
      insert(entry)
    }
    check()
  }

  /// Takes the next event from the list; nil when none is pending.
  @inlinable
  public mutating func popNext() -> ScheduledEvent<Event>? {
    if count == 0 { return nil }
    let next: Entry
    if isHeap {
      next = entries[0]
      removeFirstOfHeap()
    } else {
      pending -= 1
      next = entries[count]
    }
    check()
    return ScheduledEvent(time: SimTime(microseconds: next.time), event: next.event)
  }

  /// Removes all events.
  @inlinable
  public mutating func removeAll() {
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

// MARK: - Storage

extension EventQueue {
  /// Puts an entry into the sorted array, whose `count` includes it already.
  @inlinable
  @inline(__always)
  mutating func insert(_ entry: Entry) {
    var index = count - 1
    while index > 0, entries[index - 1].isBefore(entry) {
      entries[index] = entries[index - 1]
      index -= 1
    }
    entries[index] = entry
  }

  /// Moves the hole at `start` towards the root until `entry` fits in.
  @inlinable
  mutating func siftUp(_ entry: Entry, from start: Int) {
    var hole = start
    while hole > 0 {
      let parent = (hole - 1) >> 1
      if !entry.isBefore(entries[parent]) { break }
      entries[hole] = entries[parent]
      hole = parent
    }
    entries[hole] = entry
  }

  /// Moves the hole at the root towards the leaves until `entry` fits in.
  @inlinable
  mutating func siftDown(_ entry: Entry) {
    var hole = 0
    while true {
      var child = 2 * hole + 1
      if child >= count { break }
      if child + 1 < count, entries[child + 1].isBefore(entries[child]) { child += 1 }
      if !entries[child].isBefore(entry) { break }
      entries[hole] = entries[child]
      hole = child
    }
    entries[hole] = entry
  }

  /// Closes the gap with the last entry; at half of the limit the heap becomes a sorted array again.
  @inlinable
  mutating func removeFirstOfHeap() {
    pending -= 1
    siftDown(entries[count])
    if count <= EventQueue.smallLimit / 2 { becomeSorted() }
  }

  @usableFromInline
  @inline(never)
  mutating func becomeHeap() {
    // Reversed, the sorted entries are a heap already.
    var first = 0
    var last = count - 1
    while first < last {
      let entry = entries[first]
      entries[first] = entries[last]
      entries[last] = entry
      first += 1
      last -= 1
    }
    isHeap = true
  }

  @usableFromInline
  @inline(never)
  mutating func becomeSorted() {
    isHeap = false
    let all = pending
    pending = 0
    while pending < all {
      let entry = entries[pending]
      pending += 1
      insert(entry)
    }
  }

  @usableFromInline
  @inline(never)
  mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    larger.initialize(from: entries, count: capacity)
    entries.deallocate()
    entries = larger
    capacity *= 2
  }

  /// Stops the program when the storage contradicts itself; called after each change in a build with
  /// `-DCHECK_INVARIANTS`.
  ///
  /// - Complexity: O(pending events · log pending events).
  @usableFromInline
  package func checkInvariants() {
    precondition(count >= 0 && count <= capacity, "\(count) pending events in room for \(capacity)")
    precondition(isHeap || count <= EventQueue.smallLimit, "\(count) pending events in a sorted array")
    precondition(!isHeap || count > EventQueue.smallLimit / 2, "only \(count) pending events in a heap")
    for index in 0..<count {
      if isHeap {
        let parent = (index - 1) / 2
        precondition(index == 0 || entries[parent].isBefore(entries[index]), "heap order at \(index)")
      } else {
        precondition(index == 0 || entries[index].isBefore(entries[index - 1]), "sorted order at \(index)")
      }
    }
    let sequences = (0..<count).map { entries[$0].key & 0x00ff_ffff_ffff_ffff }.sorted()
    for index in sequences.indices.dropFirst() {
      precondition(sequences[index - 1] < sequences[index], "sequence number \(sequences[index]) twice")
    }
    precondition(sequences.last.map { $0 < sequence } ?? true, "a sequence number from the future")
  }
}
