import Distributions
import EventKernel
import Quantities
import Testing

private func at(_ microseconds: Int64) -> SimTime { SimTime(microseconds: microseconds) }

/// Takes all events of a queue.
private func drain(_ queue: inout EventQueue<Int>) -> [Int] {
  var events: [Int] = []
  while let next = queue.popNext() { events.append(next.event) }
  return events
}

@Suite struct EventQueueTests {
  @Test(arguments: [3, 16, 17, 200])
  func `events are taken in order of time`(count: Int) {
    var queue = EventQueue<Int>()
    // 7 is coprime to all counts, so each time comes once, out of order.
    for i in 0..<count { queue.schedule(at: at(Int64(i * 7 % count)), i * 7 % count) }
    queue.checkInvariants()
    #expect(drain(&queue) == Array(0..<count))
  }

  @Test(arguments: [3, 16, 17, 200])
  func `events at one instant and of one class are taken in the order of scheduling`(count: Int) {
    var queue = EventQueue<Int>()
    for i in 0..<count { queue.schedule(at: at(5), i) }
    #expect(drain(&queue) == Array(0..<count))
  }

  @Test(arguments: [1, 10])
  func `events at one instant are taken by class before order of scheduling`(copies: Int) {
    var queue = EventQueue<Int>()
    for copy in 0..<copies {
      for priority in EventPriority.allCases.reversed() {
        queue.schedule(at: at(5), priority: priority, Int(priority.rawValue) * copies + copy)
      }
    }
    #expect(drain(&queue) == Array(0..<2 * copies))
  }

  @Test func `an earlier event of a later class is taken first`() {
    var queue = EventQueue<Int>()
    queue.schedule(at: at(2), priority: .arrival, 2)
    queue.schedule(at: at(1), priority: .decision, 1)
    #expect(drain(&queue) == [1, 2])
  }

  @Test func `times before zero and at both ends of time are ordered too`() {
    var queue = EventQueue<Int>()
    queue.schedule(at: .distantFuture, 4)
    queue.schedule(at: at(0), 3)
    queue.schedule(at: at(-1), 2)
    queue.schedule(at: .distantPast, 1)
    #expect(queue.peekTime == .distantPast)
    #expect(drain(&queue) == [1, 2, 3, 4])
  }

  @Test func `an empty queue has no next event and its time is never`() {
    var queue = EventQueue<Int>()
    #expect(queue.isEmpty == true)
    #expect(queue.count == 0)
    #expect(queue.peekTime == .distantFuture)
    #expect(queue.popNext() == nil)
  }

  @Test func `peeking tells the time of the next event and takes nothing`() {
    var queue = EventQueue<Int>()
    queue.schedule(at: at(9), 9)
    queue.schedule(at: at(4), 4)
    #expect(queue.peekTime == at(4))
    #expect(queue.count == 2)
    let next = queue.popNext()
    #expect(next?.time == at(4))
    #expect(next?.event == 4)
    #expect(queue.peekTime == at(9))
  }

  @Test(arguments: [5, 50])
  func `removing all events leaves an empty queue that can be used again`(count: Int) {
    var queue = EventQueue<Int>()
    for i in 0..<count { queue.schedule(at: at(Int64(i)), i) }
    queue.removeAll()
    queue.checkInvariants()
    #expect(queue.isEmpty == true)
    for i in 0..<count { queue.schedule(at: at(Int64(-i)), i) }
    queue.checkInvariants()
    #expect(drain(&queue) == (0..<count).reversed())
  }

  // A sorted list is too simple to be wrong: both must agree on each answer. The bias moves the number of pending
  // events across the border between array and heap many times.
  @Test(arguments: 0..<12)
  func `a queue agrees with a sorted list through random operations`(seed: Int) {
    var stream = StreamFamily(seed: UInt64(seed), replication: 0).stream(.test)
    var queue = EventQueue<Int>()
    var list: [(time: SimTime, key: Int, event: Int)] = []
    let meanCount = [4, 8, 14, 16, 18, 40][seed % 6]
    for step in 0..<4000 {
      let growth = list.count < meanCount ? 0.55 : 0.35
      let choice = stream.uniform()
      if choice < growth || list.isEmpty {
        let time = at(Int64(stream.index(below: 50)) - 10)
        let priority = EventPriority(rawValue: UInt8(stream.index(below: 2)))!
        queue.schedule(at: time, priority: priority, step)
        let key = Int(priority.rawValue) * 1_000_000 + step
        let place = list.firstIndex { ($0.time, $0.key) > (time, key) } ?? list.count
        list.insert((time, key, step), at: place)
      } else {
        let next = queue.popNext()
        let expected = list.removeFirst()
        #expect(next?.event == expected.event)
        #expect(next?.time == expected.time)
      }
      queue.checkInvariants()
      #expect(queue.count == list.count)
      #expect(queue.peekTime == list.first?.time ?? .distantFuture)
    }
    #expect(drain(&queue) == list.map(\.event))
  }

  @Test func `the error of a livelock names the cap, the instant and the next event`() {
    let error = SimulationError.tooManyEventsAtOneInstant(cap: 100, event: "7", at: at(3_000_010))
    #expect(error.description == "more than 100 events at the instant 3.00001 s; the next was `7`")
  }
}
