public import Quantities

/// Counts of non-negative whole numbers in bins whose width grows with the value.
///
/// Values below 64 have a bin each; above, each factor of two is divided into 64 bins of equal width. Counts are whole
/// numbers and merging adds them, so the result depends neither on the order of the records nor on how they were
/// spread over devices, replications or threads.
///
/// - Unit: the caller's; made for microseconds.
/// - Range: 0 up to ``largestValue`` (2⁴⁵ − 1 µs, 407 days); greater values count in the last bin, and only ``maximum``
///   and ``mean`` know how great they were.
/// - Source: the idea is Tene's HdrHistogram.
/// - Limitations: a quantile is off by at most 1/128 (0.8 %) of itself. Takes 20 KiB once something is recorded.
@frozen
public struct LogHistogram: Sendable, Hashable {
  @usableFromInline static let binsPerOctave = 64
  @usableFromInline static let binCount = 2560

  /// The largest value that has a bin of its own size.
  @inlinable public static var largestValue: Int64 { 1 << 45 - 1 }

  // INVARIANT: empty or of `binCount` elements, zero outside the bins of `lowest` and `highest`.
  @usableFromInline var counts: [UInt64] = []
  @usableFromInline var total: UInt64 = 0
  // 128 bits, because a few hundred thousand values of a year would pass 64.
  @usableFromInline var sum: Int128 = 0
  @usableFromInline var lowest: Int64 = .max
  @usableFromInline var highest: Int64 = -1

  /// Creates a histogram without records; takes no memory.
  @inlinable
  public init() {}

  /// How many values have been recorded.
  @inlinable public var count: UInt64 { total }

  /// The smallest recorded value, exactly; nil when there is none.
  @inlinable public var minimum: Int64? { total == 0 ? nil : lowest }

  /// The greatest recorded value, exactly; nil when there is none.
  @inlinable public var maximum: Int64? { total == 0 ? nil : highest }

  /// The mean of the recorded values, from their exact sum; nil when there is none.
  public var mean: Double? {
    if total == 0 { return nil }
    let (whole, rest) = sum.quotientAndRemainder(dividingBy: Int128(total))
    return Double(whole) + Double(rest) / Double(total)
  }

  /// The bin of a value; grows with the value, without gaps.
  @inlinable
  @inline(__always)
  static func bin(of value: Int64) -> Int {
    let bits = UInt64(min(value, largestValue))
    // The bit of 64 makes small values take the path of the first octave, whose bins are 1 wide.
    let shift = 57 &- (bits | 64).leadingZeroBitCount
    return shift &* binsPerOctave &+ Int(bits >> UInt64(shift))
  }

  /// The smallest value of a bin.
  static func lowestValue(ofBin bin: Int) -> Int64 {
    if bin < 2 * binsPerOctave { return Int64(bin) }
    let shift = bin / binsPerOctave - 1
    return Int64(bin - shift * binsPerOctave) << Int64(shift)
  }

  /// Counts a value.
  ///
  /// - Precondition: `value` is not negative.
  @inlinable
  public mutating func record(_ value: Int64) {
    precondition(value >= 0, "\(value) is negative; a histogram of logarithmic bins takes 0 and more")
    if counts.isEmpty { allocate() }
    counts[LogHistogram.bin(of: value)] &+= 1
    total &+= 1
    sum &+= Int128(value)
    if value < lowest { lowest = value }
    if value > highest { highest = value }
  }

  /// Counts a duration by its microseconds.
  ///
  /// - Precondition: `duration` is not negative.
  @inlinable
  public mutating func record(_ duration: SimDuration) { record(duration.microseconds) }

  @usableFromInline
  @inline(never)
  mutating func allocate() { counts = [UInt64](repeating: 0, count: LogHistogram.binCount) }

  /// Adds the records of another histogram.
  public mutating func merge(_ other: LogHistogram) {
    guard other.total > 0 else { return }
    if counts.isEmpty { allocate() }
    for bin in LogHistogram.bin(of: other.lowest)...LogHistogram.bin(of: other.highest) {
      counts[bin] += other.counts[bin]
    }
    total += other.total
    sum += other.sum
    lowest = min(lowest, other.lowest)
    highest = max(highest, other.highest)
  }

  /// Forgets all records and keeps the memory.
  ///
  /// - Complexity: O(bins between the smallest and the greatest value).
  public mutating func removeAll() {
    guard total > 0 else { return }
    for bin in LogHistogram.bin(of: lowest)...LogHistogram.bin(of: highest) { counts[bin] = 0 }
    total = 0
    sum = 0
    lowest = .max
    highest = -1
  }

  /// Equal histograms have the same records, up to the width of the bins; memory kept for later does not count.
  public static func == (a: LogHistogram, b: LogHistogram) -> Bool {
    guard a.total == b.total, a.sum == b.sum, a.lowest == b.lowest, a.highest == b.highest else {
      return false
    }
    return a.total == 0 || a.counts == b.counts
  }

  /// Hashes what ``==(_:_:)`` compares first.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(total)
    hasher.combine(sum)
    hasher.combine(lowest)
    hasher.combine(highest)
  }
}
