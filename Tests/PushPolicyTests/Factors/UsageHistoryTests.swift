import Distributions
import Quantities
import Testing

@testable import PushPolicy

/// Local times count from a Monday at midnight.
private func time(day: Int64, hour: Int64, minute: Int64 = 0) -> SimTime {
  .zero + .days(day) + .hours(hour) + .minutes(minute)
}

@Suite struct UsageHistoryCalendarTests {
  private func hourIndex(_ t: SimTime, offset: SimDuration = .zero) -> Int {
    var state = UsageHistory.State()
    state.utcOffset = offset
    return state.hourIndex(at: t)
  }

  @Test func `the run starts on a Monday at midnight, and days of the weekend have hours of their own`() {
    for day in 0..<14 {
      for hour in 0..<24 {
        let isWeekend = day % 7 >= 5
        let index = hourIndex(time(day: Int64(day), hour: Int64(hour), minute: 59))
        #expect(index == hour + (isWeekend ? 24 : 0))
      }
    }
  }

  @Test func `an hour includes its first instant and not its last`() {
    #expect(hourIndex(time(day: 0, hour: 7)) == 7)
    #expect(hourIndex(time(day: 0, hour: 7) - SimDuration(microseconds: 1)) == 6)
    #expect(hourIndex(time(day: 5, hour: 0)) == 24)
    #expect(hourIndex(time(day: 5, hour: 0) - SimDuration(microseconds: 1)) == 23)
    #expect(hourIndex(time(day: 7, hour: 0) - SimDuration(microseconds: 1)) == 47)
  }

  @Test func `before the start of the run the hours go on backwards through a Sunday`() {
    #expect(hourIndex(.zero - SimDuration(microseconds: 1)) == 47)
    #expect(hourIndex(.zero - .hours(1)) == 47)
    #expect(hourIndex(.zero - .hours(1) - SimDuration(microseconds: 1)) == 46)
    #expect(hourIndex(.zero - .days(2)) == 24)
    #expect(hourIndex(.zero - .days(2) - SimDuration(microseconds: 1)) == 23)
    #expect(hourIndex(.zero - .days(7)) == 0)
    for week: Int64 in 1...9 {
      for day in 0..<7 {
        let index = hourIndex(time(day: Int64(day) - 7 * week, hour: 13, minute: 30))
        #expect(index == 13 + (day >= 5 ? 24 : 0))
      }
    }
  }

  @Test(arguments: [-720, -480, -210, 0, 60, 330, 345, 840])
  func `local hours follow the offset, also by halves and quarters of an hour, also before the run`(
    minutes: Int
  ) {
    let offset = SimDuration.minutes(Int64(minutes))
    for day in -9..<9 {
      for hour in [0, 5, 23] {
        let local = time(day: Int64(day), hour: Int64(hour))
        let expected = hour + (((day % 7) + 7) % 7 >= 5 ? 24 : 0)
        #expect(hourIndex(local - offset, offset: offset) == expected)
        #expect(hourIndex(local - offset + .minutes(59), offset: offset) == expected)
      }
    }
  }
}

@Suite struct UsageHistoryHabitTests {
  private let policy = testPolicy()

  private func memory(_ opens: [SimTime], offset: SimDuration = .zero) -> UsageHistory.State {
    var state = UsageHistory.State()
    state.utcOffset = offset
    for open in opens { state.recordOpen(at: open, policy) }
    return state
  }

  @Test func `powers of two are exact for whole numbers and right to the last digits between`() {
    for k in -1000...1000 {
      #expect(powerOfTwo(Double(k)) == Double(sign: .plus, exponent: k, significand: 1))
    }
    #expect(abs(powerOfTwo(0.5) - 2.0.squareRoot()) < 1e-15)
    #expect(abs(powerOfTwo(-0.5) - 0.5.squareRoot()) < 1e-15)
    var stream = testStream(120)
    for _ in 0..<2000 {
      // 2^x · 2^−x = 1, and squaring doubles the exponent.
      let x = 900 * (2 * stream.uniform() - 1)
      #expect(abs(powerOfTwo(x) * powerOfTwo(-x) - 1) < 1e-14)
      let half = powerOfTwo(x / 2)
      #expect(abs(half * half / powerOfTwo(x) - 1) < 1e-13)
    }
  }

  @Test func `an open counts half after a half-life`() {
    // Twice at nine a week ago and once at ten today: equal use.
    let state = memory([time(day: 1, hour: 9), time(day: 1, hour: 9), time(day: 8, hour: 9)])
    #expect(
      abs(state.total / powerOfTwo(time(day: 8, hour: 9).seconds / (7 * 86_400)) - 2) < 1e-12)
    let other = memory([time(day: 1, hour: 9), time(day: 8, hour: 10)])
    let nine = other.relativeUse(at: time(day: 9, hour: 9))
    // An hour of the half-life lies between 9 and 10 o'clock.
    #expect(abs(nine - 0.5 * powerOfTwo(-1.0 / 168)) < 1e-12)
    #expect(other.relativeUse(at: time(day: 9, hour: 10)) == 1)
    #expect(other.relativeUse(at: time(day: 9, hour: 11)) == 0)
  }

  @Test func `opens on weekdays say nothing of weekends`() {
    let state = memory([time(day: 0, hour: 9), time(day: 1, hour: 9)])
    #expect(state.relativeUse(at: time(day: 4, hour: 9)) == 1)
    #expect(state.relativeUse(at: time(day: 5, hour: 9)) == 0)
  }

  @Test func `there is a habit once enough opens are remembered, and it is forgotten again`() {
    var state = memory([time(day: 0, hour: 9), time(day: 0, hour: 9)])
    let now = time(day: 0, hour: 9)
    #expect(!state.hasHabit(at: now))
    state.recordOpen(at: now, policy)
    #expect(state.hasHabit(at: now))
    #expect(!state.hasHabit(at: now + .hours(1)))
    let needsNone = testPolicy { $0.usageHistory.opensNeeded = 0 }
    #expect(!UsageHistory.State().hasHabit(at: now))
    state.recordOpen(at: now, needsNone)
    #expect(state.hasHabit(at: now + .days(90)))
  }

  @Test func `the next usual hour starts after the present one, on the hour of the local clock`() {
    let nine = (0..<5).map { time(day: $0, hour: 9, minute: 20) }
    let state = memory(nine)
    func next(_ t: SimTime) -> SimTime { state.nextUsualHour(after: t) }
    #expect(next(time(day: 7, hour: 8, minute: 59)) == time(day: 7, hour: 9))
    #expect(next(time(day: 7, hour: 9)) == time(day: 8, hour: 9))
    #expect(next(time(day: 7, hour: 9, minute: 30)) == time(day: 8, hour: 9))
    // Friday's hour is over: the next weekday is Monday.
    #expect(next(time(day: 11, hour: 10)) == time(day: 14, hour: 9))
    // A memory of nothing has no usual hour.
    #expect(UsageHistory.State().nextUsualHour(after: .zero) == .distantFuture)
  }

  @Test func `the next usual hour is one of the user's own clock, half-hour zones included`() {
    let offset = SimDuration.minutes(330)
    let state = memory((0..<5).map { time(day: $0, hour: 9) - offset }, offset: offset)
    let next = state.nextUsualHour(after: time(day: 7, hour: 3) - offset)
    #expect(next == time(day: 7, hour: 9) - offset)
  }

  @Test func `an hour is usual from the share of the busiest on, that share included`() {
    // Two opens at nine, one at ten at the same instant of weight: the share of ten is exactly a half.
    func learned(from share: Double) -> UsageHistory.State {
      let never = testPolicy {
        $0.usageHistory.halfLife = 1e15
        $0.usageHistory.usualHourFrom = share
      }
      var state = UsageHistory.State()
      for hour: Int64 in [9, 9, 10] { state.recordOpen(at: time(day: 0, hour: hour), never) }
      return state
    }
    let share = learned(from: 0.5).relativeUse(at: time(day: 0, hour: 10))
    #expect(abs(share - 0.5) < 1e-9)
    #expect(learned(from: share).nextUsualHour(after: time(day: 1, hour: 9)) == time(day: 1, hour: 10))
    #expect(learned(from: 0.51).nextUsualHour(after: time(day: 1, hour: 9)) == time(day: 2, hour: 9))
  }
}

@Suite struct UsageHistoryTests {
  /// Without habit: only recency counts.
  private let plain = testPolicy { $0.usageHistory.habitWeight = 0 }

  private func memory(openedBefore age: SimDuration, _ policy: Policy) -> AppMemory {
    var memory = AppMemory()
    memory.use.recordOpen(at: noon - age, policy)
    return memory
  }

  @Test(arguments: [
    (0.0, 1.0), (24.0, 1.0), (24.000_001, 1 - 0.000_001 / 96), (48.0, 0.75), (72.0, 0.5), (120.0, 0.0),
    (121.0, 0.0),
    (9999.0, 0.0),
  ])
  func `the probability is 1 while the last open is fresh, then falls linearly to 0`(
    hours: Double, expected: Double
  ) {
    let memory = memory(openedBefore: SimDuration(seconds: hours * 3600), plain)
    let probability = plain.usageHistory.launchProbability(at: noon, memory.use)
    #expect(abs(probability - expected) < 1e-9)
  }

  @Test func `an app that was never opened has a probability of 0`() {
    #expect(plain.usageHistory.launchProbability(at: noon, UsageHistory.State()) == 0)
    let verdict = UsageHistory.evaluate(context(), AppMemory(), plain)
    #expect(verdict == .hold(Hold(until: .distantFuture, lifts: .inFront)))
  }

  @Test func `where an app is forgotten at once, it is 1 while fresh and 0 after`() {
    let policy = testPolicy {
      $0.usageHistory.habitWeight = 0
      $0.usageHistory.forgottenAfter = 3600
    }
    let fresh = memory(openedBefore: .hours(24), policy).use
    let stale = memory(openedBefore: .hours(25), policy).use
    #expect(policy.usageHistory.launchProbability(at: noon, fresh) == 1)
    #expect(policy.usageHistory.launchProbability(at: noon, stale) == 0)
  }

  @Test func `a fresh app has nothing held, an ageing one by chance, a forgotten one for certain`() {
    func verdict(_ age: SimDuration) -> Verdict {
      UsageHistory.evaluate(context(), memory(openedBefore: age, plain), plain)
    }
    let hold = Hold(until: .distantFuture, lifts: .inFront)
    #expect(verdict(.hours(24)) == .abstain)
    #expect(verdict(.hours(48)) == .holdWithProbability(0.25, hold))
    #expect(verdict(.hours(120)) == .hold(hold))
  }

  /// Opened at noon on each weekday of a week, last six days ago: forgotten, but for the habit.
  private func habitual(_ policy: Policy) -> AppMemory {
    var memory = AppMemory()
    for day: Int64 in 0..<5 { memory.use.recordOpen(at: time(day: day, hour: 12), policy) }
    return memory
  }

  @Test func `the busiest hour lifts the probability by the habit's weight, other hours by their share`() {
    let policy = testPolicy { $0.usageHistory.opensNeeded = 2 }
    let use = habitual(policy).use
    #expect(use.hasHabit(at: noon))
    // Six days after the last open only habit speaks: noon is the busiest hour, one o'clock is never used.
    #expect(abs(policy.usageHistory.launchProbability(at: noon, use) - 0.5) < 1e-12)
    #expect(policy.usageHistory.launchProbability(at: noon + .hours(1), use) == 0)
    // Three days after the last open recency gives one half, and the habit adds its half.
    let sooner = time(day: 7, hour: 12)
    #expect(abs(policy.usageHistory.launchProbability(at: sooner, use) - 1) < 1e-12)
    // Too few opens: no habit.
    let needsMore = testPolicy { $0.usageHistory.opensNeeded = 5 }
    #expect(needsMore.usageHistory.launchProbability(at: noon, habitual(needsMore).use) == 0)
  }

  @Test func `what a habit holds is held until the next usual hour`() {
    let policy = testPolicy { $0.usageHistory.opensNeeded = 2 }
    let memory = habitual(policy)
    let verdict = UsageHistory.evaluate(context(at: noon + .hours(1)), memory, policy)
    #expect(verdict == .hold(Hold(until: noon + .days(1), lifts: .inFront)))
  }

  @Test func `after arrival only the hold drawn then counts, and its end is included`() {
    let policy = testPolicy()
    let forgotten = AppMemory()
    for occasion in [DeliveryContext.Occasion.recheck, .powerNapWake] {
      func verdict(_ until: SimTime) -> Verdict {
        UsageHistory.evaluate(context(occasion: occasion, usageHeldUntil: until), forgotten, policy)
      }
      #expect(verdict(.distantPast) == .abstain)
      #expect(verdict(noon) == .abstain)
      let later = noon + SimDuration(microseconds: 1)
      #expect(verdict(later) == .hold(Hold(until: later, lifts: .inFront)))
      #expect(verdict(.distantFuture) == .hold(Hold(until: .distantFuture, lifts: .inFront)))
    }
  }
}

extension UsageHistory {
  /// The probability that recency and habit let a push launch the app at `now`.
  fileprivate func launchProbability(at now: SimTime, _ state: State) -> Double {
    let age = Self.age(now, state.lastOpen)
    if age <= freshFor { return 1 }
    var relativeUse = 0.0
    if habitWeight > 0, now <= state.habitEnds { relativeUse = state.relativeUse(at: now) }
    return probability(age: age, relativeUse: relativeUse)
  }
}
