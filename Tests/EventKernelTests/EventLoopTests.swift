import EventKernel
import Quantities
import Testing

private func at(_ microseconds: Int64) -> SimTime { SimTime(microseconds: microseconds) }

@Suite struct EventLoopTests {
  /// A loop with an event at each of `times`, named by its time.
  private func loop(_ times: [Int64]) throws -> EventLoop<Int64> {
    var loop = EventLoop<Int64>()
    for time in times { try loop.schedule(at: at(time), time) }
    return loop
  }

  @Test func `events at the end time are run and later ones are not`() throws {
    var loop = try loop([1, 5, 5, 6])
    var handled: [Int64] = []
    let reason = try loop.run(until: at(5)) { _, event in handled.append(event) }
    #expect(handled == [1, 5, 5])
    #expect(reason == .endTime)
    #expect(loop.now == at(5))
    #expect(loop.pendingCount == 1)
  }

  @Test func `an event scheduled for the end time by one at the end time is run`() throws {
    var loop = try loop([5])
    var handled = 0
    try loop.run(until: at(5)) { loop, _ throws(SimulationError) in
      handled += 1
      if handled < 3 { try loop.schedule(after: .zero, 5) }
    }
    #expect(handled == 3)
  }

  @Test func `a run can be continued`() throws {
    var loop = try loop([1, 5, 6, 9])
    var handled: [Int64] = []
    try loop.run(until: at(5)) { _, event in handled.append(event) }
    try loop.run(until: at(6)) { _, event in handled.append(event) }
    #expect(handled == [1, 5, 6])
    #expect(loop.eventCount == 3)
  }

  @Test func `now is the time of the event being handled`() throws {
    var loop = try loop([2, 4])
    #expect(loop.now == .zero)
    try loop.run { loop, event in #expect(loop.now == at(event)) }
    #expect(loop.now == at(4))
  }

  @Test func `a run out of events ends and leaves now at the end time`() throws {
    var loop = try loop([2])
    let reason = try loop.run(until: at(10)) { _, _ in }
    #expect(reason == .noEvents)
    #expect(loop.now == at(10))
    #expect(try loop.run(until: at(3)) { _, _ in } == .noEvents)
    #expect(loop.now == at(10))
  }

  @Test func `a run without an end time leaves now at the last event`() throws {
    var loop = try loop([2, 8])
    #expect(try loop.run { _, _ in } == .noEvents)
    #expect(loop.now == at(8))
  }

  @Test func `a run ends after the asked number of events`() throws {
    var loop = try loop([1, 2, 3])
    var handled = 0
    let reason = try loop.run(maxEvents: 2) { _, _ in handled += 1 }
    #expect(reason == .eventCount)
    #expect(handled == 2)
    #expect(loop.now == at(2))
    #expect(loop.peekTime == at(3))
    #expect(try loop.run(maxEvents: 0) { _, _ in } == .eventCount)
  }

  @Test func `a run ends before the first event at which its condition fails`() throws {
    var loop = try loop([1, 2, 3, 4])
    var handled: [Int64] = []
    let reason = try loop.run(while: { handled.count < 3 }, handler: { _, event in handled.append(event) })
    #expect(reason == .condition)
    #expect(handled == [1, 2, 3])
    #expect(loop.now == at(3))
  }

  @Test func `an event may be scheduled now and not before`() throws {
    var loop = try loop([10])
    var error: SimulationError?
    try loop.run { loop, event throws(SimulationError) in
      guard event == 10 else { return }
      try loop.schedule(at: at(10), 11)
      do throws(SimulationError) {
        try loop.schedule(at: at(9), 9)
      } catch let thrown {
        error = thrown
      }
    }
    #expect(error == .scheduledInThePast(event: "9", at: at(9), now: at(10)))
    #expect(error?.description == "the event `9` was scheduled at 0.000009 s, before now (0.00001 s)")
    #expect(loop.eventCount == 2)
  }

  @Test func `a negative delay is in the past`() throws {
    var loop = EventLoop<Int64>(now: at(5))
    #expect(throws: SimulationError.scheduledInThePast(event: "1", at: at(4), now: at(5))) {
      try loop.schedule(after: SimDuration(microseconds: -1), 1)
    }
    let early = SimulationError.scheduledInThePast(event: "x", at: at(-1_500_000), now: .zero)
    #expect(early.description == "the event `x` was scheduled at -1.5 s, before now (0 s)")
  }

  @Test func `an error of the handler ends the run`() throws {
    var loop = try loop([1, 2])
    let error = SimulationError.scheduledInThePast(event: "x", at: .zero, now: .zero)
    var handled = 0
    #expect(throws: error) {
      try loop.run { _, _ throws(SimulationError) in
        handled += 1
        throw error
      }
    }
    #expect(handled == 1)
  }

  @Test func `events of one instant beyond the cap are an error with the time and the event`() throws {
    var loop = EventLoop<Int64>(cap: EventCap(perInstant: 100))
    try loop.schedule(at: at(3_000_000), 7)
    var handled = 0
    let expected = SimulationError.tooManyEventsAtOneInstant(cap: 100, event: "7", at: at(3_000_000))
    #expect(throws: expected) {
      try loop.run { loop, event throws(SimulationError) in
        handled += 1
        try loop.schedule(after: .zero, event)
      }
    }
    #expect(handled == 100)
    #expect(expected.description == "more than 100 events at the instant 3 s; the next was `7`")
  }

  @Test func `as many events at one instant as the cap are allowed at each instant`() throws {
    var loop = EventLoop<Int64>(cap: EventCap(perInstant: 3))
    for time in [0, 0, 0, 1, 1, 1] as [Int64] { try loop.schedule(at: at(time), time) }
    #expect(try loop.run { _, _ in } == .noEvents)
    #expect(loop.eventCount == 6)
  }

  @Test func `events in all beyond the cap are an error with the time and the event`() throws {
    var loop = EventLoop<Int64>(cap: EventCap(total: 5))
    try loop.schedule(at: at(0), 1)
    let expected = SimulationError.tooManyEvents(cap: 5, event: "1", at: at(5_000_000))
    #expect(throws: expected) {
      try loop.run { loop, event throws(SimulationError) in try loop.schedule(after: .seconds(1), event) }
    }
    #expect(loop.eventCount == 5)
    #expect(expected.description == "more than 5 events up to 5 s; the next was `1`")
  }

  @Test func `a cancelled event is never run and cancelling twice says so`() throws {
    var loop = EventLoop<Int64>()
    let handle = try loop.schedule(at: at(5), 5)
    try loop.schedule(at: at(4), 4)
    var handled: [Int64] = []
    var answers: [Bool] = []
    try loop.run { loop, event in
      handled.append(event)
      answers.append(loop.cancel(handle))
      answers.append(loop.cancel(handle))
    }
    #expect(handled == [4])
    #expect(answers == [true, false])
  }

  @Test func `an event scheduled for now waits for its class and its predecessors`() throws {
    var loop = EventLoop<Int64>()
    try loop.schedule(at: at(1), priority: .observation, 5)
    try loop.schedule(at: at(1), priority: .arrival, 1)
    try loop.schedule(at: at(1), priority: .arrival, 2)
    var handled: [Int64] = []
    try loop.run { loop, event throws(SimulationError) in
      handled.append(event)
      guard event == 1 else { return }
      try loop.schedule(after: .zero, priority: .decision, 4)
      try loop.schedule(after: .zero, priority: .arrival, 3)
    }
    #expect(handled == [1, 2, 3, 4, 5])
  }

  @Test func `a step takes one event and leaves the rest`() throws {
    var loop = try loop([3, 4])
    #expect(try loop.step() == 3)
    #expect(loop.now == at(3))
    #expect(try loop.step() == 4)
    #expect(try loop.step() == nil)
    #expect(loop.now == at(4))
  }
}
