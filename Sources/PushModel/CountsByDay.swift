import Quantities

/// Counts of up to 16 items by day of the run, of which the day at hand is kept in place: time mostly moves on, so that a
/// count is one addition and an array is asked once a day.
struct CountsByDay: Sendable {
  private static var items: Int { 16 }
  /// By day, then item; without what `atHand` holds.
  private var counts: [Int64] = []
  private var atHand = InlineArray<16, Int64>(repeating: 0)
  /// The day at hand, none before the first count, and its two ends.
  private var day = -1
  private var begins = SimTime.distantFuture
  private var ends = SimTime.distantPast

  /// The number of days from the start of the run to the last on which something happened.
  var days: Int { max(counts.count / Self.items, day + 1) }

  /// - Parameter day: counted from the start of the run and in its time.
  subscript(_ item: Int, day day: Int) -> Int64 {
    let index = day * Self.items + item
    return (index < counts.count ? counts[index] : 0) + (day == self.day ? atHand[item] : 0)
  }

  @inline(__always)
  mutating func count(_ item: Int, at time: SimTime) {
    if time < begins || time >= ends { turn(to: time) }
    atHand[item] &+= 1
  }

  mutating func add(_ other: CountsByDay) {
    reach(other.days)
    for index in other.counts.indices { counts[index] += other.counts[index] }
    if other.day >= 0 { add(other.atHand, to: other.day) }
  }

  /// Forgets all counts and keeps the memory.
  mutating func clear() {
    counts.removeAll(keepingCapacity: true)
    atHand = InlineArray(repeating: 0)
    day = -1
    begins = .distantFuture
    ends = .distantPast
  }

  @inline(never)
  private mutating func turn(to time: SimTime) {
    if day >= 0 {
      reach(day + 1)
      add(atHand, to: day)
    }
    atHand = InlineArray(repeating: 0)
    day = Int(time.microseconds / 86_400_000_000)
    begins = .zero + .days(Int64(day))
    ends = begins + .days(1)
  }

  private mutating func add(_ atHand: InlineArray<16, Int64>, to day: Int) {
    for item in 0..<Self.items { counts[day * Self.items + item] += atHand[item] }
  }

  private mutating func reach(_ days: Int) {
    let missing = days * Self.items - counts.count
    if missing > 0 { counts.append(contentsOf: repeatElement(0, count: missing)) }
  }
}
