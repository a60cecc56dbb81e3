import Quantities

/// Counts of up to 16 items by day of the run, of which the day at hand is kept in place: time mostly moves on, so that a
/// count is one addition and an array is asked once a day.
struct CountsByDay: Sendable {
  // One length for all: with it as a parameter of the type, Swift 6.2 lays out wrongly what contains the type.
  private typealias Day = InlineArray<16, Int64>

  /// Without what `atHand` holds.
  private var counts: [Day] = []
  private var atHand = Day(repeating: 0)
  /// The day at hand, none before the first count, and its two ends.
  private var day = -1
  private var begins = SimTime.distantFuture
  private var ends = SimTime.distantPast

  /// The number of days from the start of the run to the last on which something happened.
  var days: Int { max(counts.count, day + 1) }

  /// - Parameter day: counted from the start of the run and in its time.
  subscript(_ item: Int, day day: Int) -> Int64 {
    (day < counts.count ? counts[day][item] : 0) + (day == self.day ? atHand[item] : 0)
  }

  @inline(__always)
  mutating func count(_ item: Int, at time: SimTime) {
    if time < begins || time >= ends { turn(to: time) }
    atHand[item] &+= 1
  }

  mutating func add(_ other: CountsByDay) {
    reach(other.days)
    for day in other.counts.indices { Self.add(other.counts[day], to: &counts[day]) }
    if other.day >= 0 { Self.add(other.atHand, to: &counts[other.day]) }
  }

  /// Forgets all counts and keeps the memory.
  mutating func clear() {
    counts.removeAll(keepingCapacity: true)
    atHand = Day(repeating: 0)
    day = -1
    begins = .distantFuture
    ends = .distantPast
  }

  @inline(never)
  private mutating func turn(to time: SimTime) {
    if day >= 0 {
      reach(day + 1)
      Self.add(atHand, to: &counts[day])
    }
    atHand = Day(repeating: 0)
    day = Int(time.microseconds / 86_400_000_000)
    begins = .zero + .days(Int64(day))
    ends = begins + .days(1)
  }

  @inline(__always)
  private static func add(_ some: borrowing Day, to day: inout Day) {
    for item in day.indices { day[item] &+= some[item] }
  }

  private mutating func reach(_ days: Int) {
    while counts.count < days { counts.append(Day(repeating: 0)) }
  }
}
