public import Quantities

/// How many events a run may have before it is taken for a livelock.
@frozen
public struct EventCap: Sendable, Hashable {
  /// Events in all; default 10¹⁰, hours of run time.
  public let total: Int
  /// Events at one instant; default 10⁶.
  public let perInstant: Int

  /// - Precondition: both are positive.
  @inlinable
  public init(total: Int = 10_000_000_000, perInstant: Int = 1_000_000) {
    precondition(total > 0, "a cap of \(total) events in all")
    precondition(perInstant > 0, "a cap of \(perInstant) events at one instant")
    self.total = total
    self.perInstant = perInstant
  }
}

/// Why a run came back.
@frozen
public enum StopReason: Sendable, Hashable {
  /// All events up to the end time, that time included, have been run.
  case endTime
  /// No event was pending before the end time was reached.
  case noEvents
  /// The number of events asked for has been run.
  case eventCount
  /// The condition for going on no longer holds.
  case condition
}

/// Simulated time and the future event list: takes one event after the other and hands it to the model.
///
/// ## Promises
///
/// - Time is whole microseconds. An event may be scheduled at `now` or later, never earlier.
/// - Events are run by time, then by priority class, then in the order of scheduling. An event that is scheduled
///   for now while an event of now is handled is run in this order too: after those of its class that were there.
/// - A cancelled event is never run; cancelling twice changes nothing and says so.
/// - Events at the end time of a run are run: "until" includes its argument.
/// - A cap on all events and on those of one instant makes an error of a livelock.
@frozen
public struct EventLoop<Event: BitwiseCopyable>: ~Copyable {
  @usableFromInline var clock: SimTime
  @usableFromInline var handledCount: Int
  /// When a run is taken for a livelock.
  public let cap: EventCap
  @usableFromInline var queue: EventQueue<Event>
  @usableFromInline var instantCount: Int

  /// Creates a loop without events.
  ///
  /// - Parameters:
  ///   - now: the simulated time before the first event.
  ///   - cap: when a run is taken for a livelock.
  @inlinable
  public init(now: SimTime = .zero, cap: EventCap = EventCap()) {
    clock = now
    self.cap = cap
    handledCount = 0
    instantCount = 0
    queue = EventQueue()
  }

  /// The simulated time: that of the event being handled.
  @inlinable public var now: SimTime { clock }

  /// How many events have been taken since the loop was created.
  @inlinable public var eventCount: Int { handledCount }

  /// How many events are pending.
  @inlinable public var pendingCount: Int { queue.count }

  /// When the next event happens; ``Quantities/SimTime/distantFuture`` when none is pending.
  @inlinable public var peekTime: SimTime { queue.peekTime }

  /// Schedules an event at an instant.
  ///
  /// - Parameters:
  ///   - time: `now` or later.
  ///   - priority: its class among the events of one instant.
  ///   - event: what happens.
  /// - Returns: the event's name for ``cancel(_:)``.
  /// - Throws: ``SimulationError/scheduledInThePast(event:at:now:)``; fatal to the replication.
  @inlinable
  @discardableResult
  public mutating func schedule(
    at time: SimTime, priority: EventPriority = .arrival, _ event: Event
  ) throws(SimulationError) -> EventHandle {
    if time < now { throw .scheduledInThePast(event: "\(event)", at: time, now: now) }
    return queue.schedule(at: time, priority: priority, event)
  }

  /// Schedules an event after a delay, which is 0 or more; see ``schedule(at:priority:_:)``.
  @inlinable
  @discardableResult
  public mutating func schedule(
    after delay: SimDuration, priority: EventPriority = .arrival, _ event: Event
  ) throws(SimulationError) -> EventHandle {
    try schedule(at: now + delay, priority: priority, event)
  }

  /// Removes an event, so that it is never run.
  ///
  /// - Returns: false, and nothing is changed, when the event has been run or cancelled before.
  @inlinable
  @discardableResult
  public mutating func cancel(_ handle: EventHandle) -> Bool { queue.cancel(handle) }

  /// Takes the next event and moves `now` to it.
  ///
  /// - Returns: the event for the caller to handle; nil when none is pending.
  /// - Throws: ``SimulationError`` when a cap is passed; the event stays pending.
  @inlinable
  public mutating func step() throws(SimulationError) -> Event? {
    let time = queue.peekTime
    if queue.isEmpty { return nil }
    let isSameInstant = time == now && eventCount > 0
    if eventCount >= cap.total || (isSameInstant && instantCount >= cap.perInstant) {
      throw capError(at: time)
    }
    let next = queue.popNext()!
    instantCount = isSameInstant ? instantCount + 1 : 1
    handledCount += 1
    clock = time
    return next.event
  }

  /// Runs events in order until a stop rule holds.
  ///
  /// Afterwards `now` is the end time when all events up to it have been run; otherwise, and with no end time, the
  /// time of the last event. A run can be continued by another call.
  ///
  /// - Parameters:
  ///   - end: the end time; events at this time are run.
  ///   - maxEvents: how many events this call runs at most; reaching it is no error.
  ///   - condition: asked before each event; false ends the run.
  ///   - handler: changes the model and schedules what follows.
  /// - Returns: which rule ended the run.
  /// - Throws: what `handler` throws, and ``SimulationError`` when a cap is passed; fatal to the replication.
  @inlinable
  @discardableResult
  public mutating func run(
    until end: SimTime = .distantFuture, maxEvents: Int = .max, while condition: () -> Bool = { true },
    handler: (inout EventLoop<Event>, Event) throws(SimulationError) -> Void
  ) throws(SimulationError) -> StopReason {
    var remaining = maxEvents
    // Ends: the caps bound the number of turns.
    while true {
      if queue.isEmpty || queue.peekTime > end {
        let reason: StopReason = queue.isEmpty ? .noEvents : .endTime
        if end != .distantFuture, end > now { clock = end }
        return reason
      }
      if remaining <= 0 { return .eventCount }
      if !condition() { return .condition }
      remaining -= 1
      guard let event = try step() else { return .noEvents }
      try handler(&self, event)
    }
  }

  @usableFromInline
  @inline(never)
  func capError(at time: SimTime) -> SimulationError {
    var copy = "none"
    if let event = queue.nextEvent { copy = "\(event)" }
    return eventCount >= cap.total
      ? .tooManyEvents(cap: cap.total, event: copy, at: time)
      : .tooManyEventsAtOneInstant(cap: cap.perInstant, event: copy, at: time)
  }
}

extension EventLoop: @unchecked Sendable where Event: Sendable {}

extension EventQueue {
  /// The next event without taking it.
  var nextEvent: Event? { count == 0 ? nil : entries[isHeap ? 0 : count - 1].event }
}
