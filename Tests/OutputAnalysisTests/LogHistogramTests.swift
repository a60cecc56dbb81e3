import Distributions
import OutputAnalysis
import Quantities
import Testing

@Suite struct LogHistogramTests {
  private func histogram(_ values: [Int64]) -> LogHistogram {
    var histogram = LogHistogram()
    for value in values { histogram.record(value) }
    return histogram
  }

  /// Values spread evenly over the octaves of the range.
  private func spread(_ count: Int, seed: UInt64) -> [Int64] {
    var stream = StreamFamily(seed: seed, replication: 0).stream(.test)
    return (0..<count).map { _ in
      let octave = stream.index(below: 45)
      return Int64(1) << Int64(octave) + Int64(stream.index(below: 1 << octave))
    }
  }

  /// The median of a value between a smaller and a greater one is read from the value's bin alone.
  private func reading(_ value: Int64) -> Int64 {
    histogram([0, value, LogHistogram.largestValue]).quantile(0.5)!
  }

  @Test func `the range is more than 400 days in microseconds`() {
    #expect(SimDuration.days(400).microseconds < LogHistogram.largestValue)
    #expect(SimDuration.days(408).microseconds > LogHistogram.largestValue)
  }

  @Test func `each value is read with an error of at most 1 in 128`() {
    var values = spread(20_000, seed: 1)
    // Both sides of each power of two, where the width of the bins changes.
    for octave in 0..<45 as Range<Int64> { values += [1 << octave, 1 << octave - 1, 1 << octave + 1] }
    values += [LogHistogram.largestValue, LogHistogram.largestValue - 1, SimDuration.days(400).microseconds]
    for value in values where value <= LogHistogram.largestValue {
      let error = (reading(value) - value).magnitude
      #expect(Double(error) <= Double(value) / 128, "value \(value)")
    }
  }

  @Test func `values up to 128 are read exactly`() {
    for value in 0...128 as ClosedRange<Int64> { #expect(reading(value) == value) }
  }

  @Test func `greater values have greater readings or the same`() {
    var last: Int64 = 0
    for value in spread(5000, seed: 2).sorted() {
      let next = reading(value)
      #expect(next >= last)
      last = next
    }
  }

  @Test func `each value is within the limits of its bin and the bins do not overlap`() {
    let values = spread(5000, seed: 3).sorted()
    var last: Int64 = -1
    var index = 0
    for bin in histogram(values).bins {
      #expect(bin.low > last)
      #expect(bin.high >= bin.low)
      var held: UInt64 = 0
      while index < values.count, values[index] <= bin.high {
        #expect(values[index] >= bin.low)
        held += 1
        index += 1
      }
      #expect(bin.count == held)
      last = bin.high
    }
    #expect(index == values.count)
  }

  @Test(arguments: [1, 2, 3, 10, 1000])
  func `a quantile is within 1 percent of the record of its rank`(count: Int) {
    let values = spread(count, seed: 4)
    let sorted = values.sorted()
    let histogram = histogram(values)
    for step in 0...100 {
      let p = Double(step) / 100
      let rank = min(max(Int((p * Double(count)).rounded(.up)), 1), count)
      let exact = sorted[rank - 1]
      let error = (histogram.quantile(p)! - exact).magnitude
      #expect(Double(error) <= Double(exact) / 100, "level \(p)")
    }
  }

  @Test func `minimum, maximum, mean and count are exact`() {
    let values = spread(1000, seed: 5)
    let histogram = histogram(values)
    #expect(histogram.count == 1000)
    #expect(histogram.minimum == values.min())
    #expect(histogram.maximum == values.max())
    #expect(histogram.mean == Double(values.reduce(0) { $0 + Int128($1) }) / 1000)
    #expect(histogram.quantile(0) == values.min())
    #expect(histogram.quantile(1) == values.max())
  }

  @Test func `a sum beyond 64 bits does not spoil the mean`() {
    var histogram = LogHistogram()
    for _ in 0..<300_000 { histogram.record(LogHistogram.largestValue) }
    #expect(histogram.mean == Double(LogHistogram.largestValue))
  }

  @Test func `a histogram without records has no quantile, mean or bins`() {
    let empty = LogHistogram()
    #expect(empty.count == 0)
    #expect(empty.quantile(0.5) == nil)
    #expect(empty.mean == nil)
    #expect(empty.minimum == nil)
    #expect(empty.maximum == nil)
    #expect(empty.share(upTo: 5) == nil)
    #expect(empty.bins.isEmpty)
  }

  @Test func `merged parts equal the whole in any order`() {
    let values = spread(3000, seed: 6)
    let parts = [
      histogram(Array(values[..<100])), histogram(Array(values[100..<2000])),
      histogram(Array(values[2000...])),
    ]
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
      var merged = LogHistogram()
      for part in order { merged.merge(parts[part]) }
      #expect(merged == histogram(values))
      #expect(merged.bins == histogram(values).bins)
    }
  }

  @Test func `merging an empty histogram changes nothing`() {
    let values = spread(10, seed: 7)
    var merged = histogram(values)
    merged.merge(LogHistogram())
    #expect(merged == histogram(values))
  }

  @Test func `histograms with different records differ`() {
    #expect(histogram([1000, 2000, 3000]) != histogram([1000, 1900, 3100]))
    // The same count, sum and ends: only the bins tell.
    #expect(histogram([0, 10, 30, 40]) != histogram([0, 20, 20, 40]))
  }

  @Test func `a histogram used again after removing all records equals a new one`() {
    var used = histogram(spread(1000, seed: 8))
    used.removeAll()
    #expect(used == LogHistogram())
    for value in spread(500, seed: 9) { used.record(value) }
    #expect(used == histogram(spread(500, seed: 9)))
    #expect(used.bins == histogram(spread(500, seed: 9)).bins)
  }

  @Test func `a value beyond the range counts in the last bin and keeps its maximum`() {
    let histogram = histogram([5, Int64.max, Int64.max, Int64.max])
    #expect(histogram.count == 4)
    #expect(histogram.maximum == .max)
    #expect(histogram.quantile(1) == .max)
    #expect(histogram.bins.last?.count == 3)
    #expect(histogram.bins.last?.high == .max)
    #expect(histogram.quantile(0.5)! > LogHistogram.largestValue / 100 * 99)
  }

  @Test func `the share up to a value counts the records that do not exceed it`() {
    let histogram = histogram([1, 2, 2, 3, 50])
    #expect(histogram.share(upTo: 0) == 0)
    #expect(histogram.share(upTo: 1) == 0.2)
    #expect(histogram.share(upTo: 2) == 0.6)
    #expect(histogram.share(upTo: 49) == 0.8)
    #expect(histogram.share(upTo: 50) == 1)
    #expect(histogram.share(upTo: .max) == 1)
  }

  @Test func `the share up to a value is off by at most the share of its bin`() {
    let values = spread(2000, seed: 10)
    let histogram = histogram(values)
    for value in spread(200, seed: 11) {
      let exact = Double(values.filter { $0 <= value }.count) / 2000
      let width =
        histogram.bins.first { $0.low <= value && value <= $0.high }.map { Double($0.count) / 2000 } ?? 0
      #expect((histogram.share(upTo: value)! - exact).magnitude <= width + 1e-12)
    }
  }

  @Test func `a duration is recorded by its microseconds`() {
    var durations = LogHistogram()
    durations.record(SimDuration.minutes(3))
    #expect(durations == histogram([180_000_000]))
  }

  @Test func `a negative value stops the program`() async {
    await #expect(processExitsWith: .failure) {
      var histogram = LogHistogram()
      histogram.record(-1)
    }
  }
}
