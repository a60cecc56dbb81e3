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
    #expect(drain(&queue) == Array(0..<4 * copies))
  }

  @Test func `an earlier event of a later class is taken first`() {
    var queue = EventQueue<Int>()
    queue.schedule(at: at(2), priority: .stateChange, 2)
    queue.schedule(at: at(1), priority: .observation, 1)
    #expect(drain(&queue) == [1, 2])
  }

  @Test func `state changes come before arrivals, decisions and observations`() {
    #expect(EventPriority.allCases == [.stateChange, .arrival, .decision, .observation])
    #expect(EventPriority.allCases.map(\.rawValue) == [0, 1, 2, 3])
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

  @Test(arguments: [3, 16, 17, 200])
  func `a cancelled event is never run`(count: Int) {
    for cancelled in [0, 1, count / 2, count - 1] {
      var queue = EventQueue<Int>()
      let handles = (0..<count).map { queue.schedule(at: at(Int64($0)), $0) }
      #expect(queue.cancel(handles[cancelled]) == true)
      queue.checkInvariants()
      #expect(drain(&queue) == (0..<count).filter { $0 != cancelled })
    }
  }

  @Test(arguments: [1, 40])
  func `cancelling an event a second time changes nothing and says so`(others: Int) {
    var queue = EventQueue<Int>()
    for i in 0..<others { queue.schedule(at: at(Int64(i)), i) }
    let handle = queue.schedule(at: at(2), 99)
    #expect(queue.isPending(handle) == true)
    #expect(queue.cancel(handle) == true)
    #expect(queue.isPending(handle) == false)
    #expect(queue.cancel(handle) == false)
    #expect(queue.count == others)
  }

  @Test(arguments: [1, 40])
  func `cancelling an event that has been run changes nothing and says so`(others: Int) {
    var queue = EventQueue<Int>()
    let handle = queue.schedule(at: at(0), 99)
    for i in 0..<others { queue.schedule(at: at(Int64(i)), i) }
    #expect(queue.popNext()?.event == 99)
    // The next event may stand where the cancelled one stood.
    queue.schedule(at: at(0), 98)
    #expect(queue.cancel(handle) == false)
    #expect(queue.count == others + 1)
  }

  @Test func `a handle survives the change from array to heap and back`() {
    var queue = EventQueue<Int>()
    let early = queue.schedule(at: at(1000), 1000)
    let handles = (0..<60).map { queue.schedule(at: at(Int64($0)), $0) }
    for _ in 0..<55 { _ = queue.popNext() }
    #expect(queue.cancel(handles[57]) == true)
    #expect(queue.cancel(handles[3]) == false)
    #expect(queue.cancel(early) == true)
    #expect(drain(&queue) == [55, 56, 58, 59])
  }

  @Test(arguments: [5, 50])
  func `removing all events leaves an empty queue that can be used again`(count: Int) {
    var queue = EventQueue<Int>()
    let handles = (0..<count).map { queue.schedule(at: at(Int64($0)), $0) }
    queue.removeAll()
    queue.checkInvariants()
    #expect(queue.isEmpty == true)
    #expect(handles.allSatisfy { !queue.isPending($0) })
    let again = (0..<count).map { queue.schedule(at: at(Int64(-$0)), $0) }
    queue.checkInvariants()
    #expect(handles.allSatisfy { !queue.cancel($0) })
    #expect(again.allSatisfy { queue.isPending($0) })
    #expect(drain(&queue) == (0..<count).reversed())
  }

  @Test func `a handle of another queue's larger storage names nothing here`() {
    var large = EventQueue<Int>(minimumCapacity: 1000)
    var last = large.schedule(at: at(0), 0)
    for i in 0..<999 { last = large.schedule(at: at(0), i) }
    var small = EventQueue<Int>()
    for i in 0..<20 { small.schedule(at: at(0), i) }
    #expect(small.cancel(last) == false)
    #expect(small.count == 20)
  }

  // A sorted list is too simple to be wrong: both must agree on each answer. The bias moves the number of pending
  // events across the border between array and heap many times.
  @Test(arguments: 0..<12)
  func `a queue agrees with a sorted list through random operations`(seed: Int) {
    var stream = StreamFamily(seed: UInt64(seed), replication: 0).stream(.test)
    var queue = EventQueue<Int>()
    var list: [(time: SimTime, key: Int, event: Int)] = []
    var handles: [(handle: EventHandle, event: Int)] = []
    let meanCount = [4, 8, 14, 16, 18, 40][seed % 6]
    for step in 0..<4000 {
      let growth = list.count < meanCount ? 0.55 : 0.35
      let choice = stream.uniform()
      if choice < growth || list.isEmpty {
        let time = at(Int64(stream.index(below: 50)) - 10)
        let priority = EventPriority(rawValue: UInt8(stream.index(below: 4)))!
        handles.append((queue.schedule(at: time, priority: priority, step), step))
        let key = Int(priority.rawValue) * 1_000_000 + step
        let place = list.firstIndex { ($0.time, $0.key) > (time, key) } ?? list.count
        list.insert((time, key, step), at: place)
      } else if choice < growth + 0.2 {
        // Any event ever scheduled: most have been run or cancelled already, the recent ones have not.
        let recent = min(handles.count, 40)
        let named = handles[handles.count - 1 - stream.index(below: recent)]
        let place = list.firstIndex { $0.event == named.event }
        #expect(queue.isPending(named.handle) == (place != nil))
        #expect(queue.cancel(named.handle) == (place != nil))
        if let place { list.remove(at: place) }
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
}
