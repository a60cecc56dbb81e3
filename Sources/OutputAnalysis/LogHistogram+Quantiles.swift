extension LogHistogram {
  /// A bin that holds records.
  public struct Bin: Sendable, Hashable {
    /// The smallest value of the bin.
    public let low: Int64
    /// The greatest value of the bin; of the last bin, the ``LogHistogram/maximum``.
    public let high: Int64
    /// How many records it holds; at least one.
    public let count: UInt64
  }

  /// The bins that hold records, by ascending value.
  public var bins: [Bin] {
    guard total > 0 else { return [] }
    let range = LogHistogram.bin(of: lowest)...LogHistogram.bin(of: highest)
    return range.compactMap { index in
      counts[index] == 0
        ? nil
        : Bin(
          low: LogHistogram.lowestValue(ofBin: index), high: highestValue(ofBin: index), count: counts[index])
    }
  }

  private func highestValue(ofBin bin: Int) -> Int64 {
    bin == LogHistogram.binCount - 1
      ? max(highest, LogHistogram.largestValue) : LogHistogram.lowestValue(ofBin: bin + 1) - 1
  }

  /// The smallest recorded value that at least the share `p` of the records does not exceed.
  ///
  /// That is the record of rank ⌈p · count⌉ in ascending order, read as the middle of its bin: off by at most 1/128 of
  /// itself; the smallest and the greatest record are exact.
  ///
  /// - Parameter p: from 0 to 1.
  /// - Returns: nil when there is no record.
  /// - Precondition: `p` is from 0 to 1.
  /// - Complexity: O(bins between the smallest and the greatest value).
  public func quantile(_ p: Double) -> Int64? {
    precondition(p >= 0 && p <= 1, "a quantile's level must be from 0 to 1, got \(p)")
    guard total > 0 else { return nil }
    let rank = min(max(UInt64((p * Double(total)).rounded(.up)), 1), total)
    if rank == 1 { return lowest }
    if rank == total { return highest }
    var passed: UInt64 = 0
    for bin in LogHistogram.bin(of: lowest)...LogHistogram.bin(of: highest) {
      passed += counts[bin]
      if passed >= rank {
        let low = LogHistogram.lowestValue(ofBin: bin)
        // The last bin also holds what is beyond the range; its middle would mean nothing there.
        let high = min(highestValue(ofBin: bin), LogHistogram.largestValue)
        return min(max(low + (high - low) / 2, lowest), highest)
      }
    }
    return highest
  }

  /// The share of the records that do not exceed `value`, with the bin of `value` divided in proportion.
  ///
  /// - Returns: from 0 to 1; nil when there is no record.
  /// - Complexity: O(bins between the smallest value and `value`).
  public func share(upTo value: Int64) -> Double? {
    guard total > 0 else { return nil }
    if value < lowest { return 0 }
    if value >= highest { return 1 }
    let last = LogHistogram.bin(of: value)
    var passed: UInt64 = 0
    for bin in LogHistogram.bin(of: lowest)..<last { passed += counts[bin] }
    let low = LogHistogram.lowestValue(ofBin: last)
    let part = Double(value - low + 1) / Double(highestValue(ofBin: last) - low + 1)
    return (Double(passed) + part * Double(counts[last])) / Double(total)
  }
}
