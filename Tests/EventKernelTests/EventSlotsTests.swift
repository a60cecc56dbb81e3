import Distributions
import EventKernel
import Quantities
import Testing

private func at(_ microseconds: Int64) -> SimTime { SimTime(microseconds: microseconds) }

@Suite struct EventSlotsTests {
  @Test func `a new list has no event`() {
    let slots = EventSlots<5>()
    #expect(slots.next.time == .distantFuture)
    for slot in 0..<5 { #expect(slots.time(of: slot) == .distantFuture) }
  }

  @Test func `the next event is the earliest`() {
    var slots = EventSlots<3>()
    slots.schedule(0, at: at(30))
    slots.schedule(1, at: at(10))
    slots.schedule(2, at: at(20))
    #expect(slots.next.slot == 1)
    #expect(slots.next.time == at(10))
  }

  @Test func `the lower slot is next among simultaneous events`() {
    var slots = EventSlots<16>()
    for slot in (0..<16).reversed() { slots.schedule(slot, at: at(7)) }
    for slot in 0..<16 {
      #expect(slots.next.slot == slot)
      #expect(slots.cancel(slot) == true)
    }
  }

  @Test func `scheduling a slot again replaces its event`() {
    var slots = EventSlots<2>()
    slots.schedule(0, at: at(5))
    slots.schedule(0, at: at(50))
    slots.schedule(1, at: at(10))
    #expect(slots.next.slot == 1)
    #expect(slots.time(of: 0) == at(50))
  }

  @Test func `cancelling a slot a second time changes nothing and says so`() {
    var slots = EventSlots<2>()
    slots.schedule(1, at: at(5))
    #expect(slots.cancel(1) == true)
    #expect(slots.cancel(1) == false)
    #expect(slots.cancel(0) == false)
    #expect(slots.next.time == .distantFuture)
  }

  @Test func `removing all events leaves none`() {
    var slots = EventSlots<9>()
    for slot in 0..<9 { slots.schedule(slot, at: at(1)) }
    slots.removeAll()
    #expect(slots.next.time == .distantFuture)
  }

  @Test func `lists of every size agree with a scan`() {
    scan(EventSlots<1>())
    scan(EventSlots<2>())
    scan(EventSlots<7>())
    scan(EventSlots<8>())
    scan(EventSlots<9>())
    scan(EventSlots<15>())
    scan(EventSlots<16>())
  }

  private func scan<let slotCount: Int>(_ empty: EventSlots<slotCount>) {
    var slots = empty
    var times = [SimTime](repeating: .distantFuture, count: slotCount)
    var stream = StreamFamily(seed: 11, replication: 0).stream(.test, item: UInt32(slotCount))
    for _ in 0..<2000 {
      let slot = stream.index(below: slotCount)
      if stream.bernoulli(0.3) {
        #expect(slots.cancel(slot) == (times[slot] != .distantFuture))
        times[slot] = .distantFuture
      } else {
        times[slot] = at(Int64(stream.index(below: 30)) - 5)
        slots.schedule(slot, at: times[slot])
      }
      let earliest = times.min()!
      #expect(slots.next.time == earliest)
      if earliest != .distantFuture { #expect(slots.next.slot == times.firstIndex(of: earliest)) }
    }
  }

  @Test func `a slot outside the list stops the program`() async {
    await #expect(processExitsWith: .failure) {
      var slots = EventSlots<3>()
      slots.schedule(3, at: .zero)
    }
  }
}
