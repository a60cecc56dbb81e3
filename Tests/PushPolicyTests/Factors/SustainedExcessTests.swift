import Distributions
import PushPolicy
import Quantities
import Testing

@Suite struct SustainedExcessTests {
  /// Twice three an hour: six arrivals within an hour are allowed, the seventh blocks for half an hour.
  private let policy = testPolicy()

  /// The numbers, from 1, of the arrivals that start a block.
  private func blocking(_ arrivals: [SimTime], _ policy: Policy) -> [Int] {
    var state = SustainedExcess.State()
    state.reset(policy)
    var starts: [Int] = []
    for (index, time) in arrivals.enumerated() {
      let before = state.blockedUntil
      state.recordArrival(at: time)
      if state.blockedUntil != before { starts.append(index + 1) }
    }
    return starts
  }

  @Test(arguments: [
    (2.0, 3.0, 3600.0, 6), (3.0, 2.5, 3600.0, 7), (1.0, 1.0, 3600.0, 1), (6.0, 3.0, 1800.0, 9),
    (1.0, 1.0, 60.0, 1),
    (2.0, 2.5, 3600.0, 5),
  ])
  func `as many arrivals are allowed as fit into the multiple of the limit, at least one`(
    factor: Double, perHour: Double, window: Double, allowed: Int
  ) {
    var rule = SustainedExcess()
    rule.factor = factor
    rule.window = window
    #expect(rule.allowedArrivals(perHour / 3600) == allowed)
  }

  @Test func `exactly the first arrival beyond those allowed within the window starts the block`() {
    let arrivals = (0..<7).map { noon + .minutes(Int64($0) * 5) }
    #expect(blocking(arrivals, policy) == [7])
    var state = SustainedExcess.State()
    state.reset(policy)
    for time in arrivals { state.recordArrival(at: time) }
    #expect(state.blockedUntil == arrivals[6] + .minutes(30))
  }

  @Test func `an arrival a window after the first of those allowed is in time, a moment earlier is not`() {
    let first = (0..<6).map { noon + .minutes(Int64($0)) }
    #expect(blocking(first + [noon + .hours(1)], policy) == [])
    #expect(blocking(first + [noon + .hours(1) - SimDuration(microseconds: 1)], policy) == [7])
  }

  @Test
  func `a sender at the allowed rate never blocks, a hair faster it blocks at the first surplus arrival`() {
    let steady = (0..<5000).map { noon + .minutes(10) * Int64($0) }
    #expect(blocking(steady, policy) == [])
    let faster = (0..<7).map { noon + (.minutes(10) - SimDuration(microseconds: 1)) * Int64($0) }
    #expect(blocking(faster, policy) == [7])
  }

  @Test func `after the block the count starts afresh, and what arrives meanwhile does not count`() {
    // One a minute: the 7th (minute 6) blocks until minute 36; minutes 7 to 35 do not count; the 7th after blocks again.
    let arrivals = (0..<120).map { noon + .minutes(Int64($0)) }
    #expect(blocking(arrivals, policy) == [7, 43, 79, 115])
  }

  @Test func `during the block an arrival is refused and what is held waits for its end`() {
    var memory = freshMemory(policy)
    for _ in 0..<7 { memory.excess.recordArrival(at: noon) }
    let end = noon + .minutes(30)
    let during = end - SimDuration(microseconds: 1)
    #expect(SustainedExcess.evaluate(context(at: during), memory, policy) == .never)
    for occasion in [DeliveryContext.Occasion.recheck, .powerNapWake] {
      let verdict = SustainedExcess.evaluate(context(at: during, occasion: occasion), memory, policy)
      #expect(verdict == .hold(Hold(until: end)))
    }
    #expect(SustainedExcess.evaluate(context(at: end), memory, policy) == .abstain)
    #expect(SustainedExcess.evaluate(context(at: end, occasion: .recheck), memory, policy) == .abstain)
  }

  @Test func `a block of no length refuses nothing`() {
    let policy = testPolicy { $0.sustainedExcess.block = 0 }
    var memory = freshMemory(policy)
    for _ in 0..<50 {
      memory.excess.recordArrival(at: noon)
      #expect(SustainedExcess.evaluate(context(), memory, policy) == .abstain)
    }
  }

  @Test func `a new install forgets the block and the arrivals`() {
    var state = SustainedExcess.State()
    state.reset(policy)
    for _ in 0..<7 { state.recordArrival(at: noon) }
    state.reset(policy)
    #expect(state.blockedUntil == .distantPast)
    for _ in 0..<6 { state.recordArrival(at: noon) }
    #expect(state.blockedUntil == .distantPast)
    state.recordArrival(at: noon)
    #expect(state.blockedUntil == noon + .minutes(30))
  }

  @Test func `the ring of arrivals agrees with counting all arrivals of the window, for random arrivals`() {
    var stream = testStream(110)
    for _ in 0..<200 {
      let perHour = 2 + 10 * stream.uniform()
      var now = noon
      let arrivals = (0..<120).map { _ in
        now += SimDuration(seconds: stream.unitExponential() * 3600 / perHour)
        return now
      }
      var expected: [Int] = []
      var counted: [SimTime] = []
      var blockedUntil = SimTime.distantPast
      for (index, time) in arrivals.enumerated() where time >= blockedUntil {
        counted = counted.filter { time - $0 < .hours(1) } + [time]
        if counted.count > 6 {
          blockedUntil = time + .minutes(30)
          counted = []
          expected.append(index + 1)
        }
      }
      #expect(blocking(arrivals, policy) == expected)
    }
  }
}
