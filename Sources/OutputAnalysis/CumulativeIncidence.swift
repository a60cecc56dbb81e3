import CGSL
import Glibc

/// The share of units that have met each of several competing ends by a time, where some were still without an end when
/// they were last seen (Aalen–Johansen).
///
/// A unit that meets one end can meet no other, so 1 − Kaplan–Meier, which takes the other ends for censoring, would claim
/// too much. With one end this is 1 − Kaplan–Meier; without censoring it is the plain share. At every time the shares
/// of all ends and ``waiting`` add up to 1.
///
/// - Unit: times are the caller's.
/// - Source: Aalen and Johansen, 1978; Kaplan and Meier, 1958.
/// - Limitations: being censored must say nothing about what would have come. Of simultaneous observations the ends
///   count as earlier than the censored ones.
public struct CumulativeIncidence: Sendable {
  /// What is known of one unit.
  public struct Observation: Sendable, Hashable {
    /// When it met its end, or was last seen without one.
    public var time: Double
    /// The index of its end; nil when it was last seen without one.
    public var end: Int?

    public init(time: Double, end: Int?) {
      self.time = time
      self.end = end
    }
  }

  /// The distinct times of observations, or the upper limits of the cells; ascending.
  public let times: [Double]
  /// At each time, the share of units that have met no end.
  public let waiting: [Double]
  /// By end, then time.
  public let incidence: [[Double]]
  /// By end, then time: the variance of ``incidence`` over samples of as many **independent** units.
  ///
  /// Gaynor's and Dinse and Larson's, from the delta method; for one end Greenwood's. Pushes of one device are not
  /// independent: of them use ``CurveEstimate`` over replications.
  /// - Source: Gaynor et al., JASA 88, 1993; Dinse and Larson, Biometrika 73, 1986.
  public let variance: [[Double]]

  /// Estimates from a list of units, in any order.
  ///
  /// - Parameter ends: how many kinds of end there are.
  /// - Precondition: times are finite, ends from 0 up to `ends`.
  public init(_ observations: [Observation], ends: Int) {
    let sorted = observations.sorted { $0.time < $1.time }
    var times: [Double] = []
    var ended = [[Int64]](repeating: [], count: ends)
    var censored: [Int64] = []
    for observation in sorted {
      precondition(observation.time.isFinite, "an observation at \(observation.time)")
      if observation.time != times.last {
        times.append(observation.time)
        for end in 0..<ends { ended[end].append(0) }
        censored.append(0)
      }
      if let end = observation.end {
        precondition(end >= 0 && end < ends, "an end of number \(end), of \(ends)")
        ended[end][times.count - 1] += 1
      } else {
        censored[times.count - 1] += 1
      }
    }
    self.init(times: times, ended: ended, censored: censored)
  }

  /// Estimates from histograms: all that a bin holds counts at the bin's upper limit.
  ///
  /// - Parameters:
  ///   - ended: by end, when units met it.
  ///   - censored: when units were last seen without an end.
  public init(_ ended: [LogHistogram], censored: LogHistogram) {
    let bins = (ended + [censored]).map(\.bins)
    // What is beyond the range is in one bin, which ends at the greatest value of its histogram: the lower limits tell
    // bins apart.
    var limits: [Int64: Int64] = [:]
    for bin in bins.joined() { limits[bin.low] = max(limits[bin.low] ?? 0, bin.high) }
    let lows = limits.keys.sorted()
    let counts = bins.map { bins in
      var row = [Int64](repeating: 0, count: lows.count)
      var index = 0
      for bin in bins {
        while lows[index] != bin.low { index += 1 }
        row[index] = Int64(bin.count)
      }
      return row
    }
    self.init(
      times: lows.map { Double(limits[$0]!) }, ended: Array(counts.dropLast()), censored: counts.last!)
  }

  /// Estimates from counts in cells: those of index k lie after the time k − 1 and not after the time k.
  ///
  /// What is censored within a cell counts as seen until the cell's end.
  ///
  /// - Parameters:
  ///   - times: ascending.
  ///   - ended: by end, then time.
  ///   - censored: by time.
  /// - Precondition: rows as long as `times`, no negative counts.
  public init(times: [Double], ended: [[Int64]], censored: [Int64]) {
    precondition(zip(times, times.dropFirst()).allSatisfy(<), "times that do not ascend")
    for row in ended + [censored] {
      precondition(
        row.count == times.count && row.allSatisfy { $0 >= 0 }, "a row of counts does not fit the times")
    }
    self.times = times
    let (incidence, waiting) = CumulativeIncidence.shares(ended: ended, censored: censored)
    self.incidence = incidence
    self.waiting = waiting
    let all = times.indices.map { index in ended.reduce(0) { $0 + $1[index] } }
    variance = ended.indices.map { end in
      var sums = VarianceSums()
      var atRisk = all.reduce(0, +) + censored.reduce(0, +)
      return times.indices.map { index in
        sums.add(
          ended: ended[end][index], all: all[index], atRisk: atRisk,
          waiting: index == 0 ? 1 : waiting[index - 1], share: incidence[end][index])
        atRisk -= all[index] + censored[index]
        return sums.variance(of: incidence[end][index])
      }
    }
  }

  /// The shares alone, of counts as of ``init(times:ended:censored:)``: what is needed where replications tell the error.
  ///
  /// - Returns: the incidence by end and time, and what waits by time.
  public static func shares(ended: [[Int64]], censored: [Int64]) -> (
    incidence: [[Double]], waiting: [Double]
  ) {
    var atRisk = censored.reduce(0, +)
    for row in ended { atRisk = row.reduce(atRisk, +) }
    var incidence = [[Double]](
      repeating: [Double](repeating: 0, count: censored.count), count: ended.count)
    var waiting: [Double] = []
    waiting.reserveCapacity(censored.count)
    var remaining = 1.0
    for index in censored.indices {
      var all: Int64 = 0
      for end in ended.indices {
        let count = ended[end][index]
        all += count
        let before = index == 0 ? 0 : incidence[end][index - 1]
        incidence[end][index] = count > 0 ? before + remaining * Double(count) / Double(atRisk) : before
      }
      if all > 0 { remaining *= Double(atRisk - all) / Double(atRisk) }
      waiting.append(remaining)
      atRisk -= all + censored[index]
    }
    return (incidence, waiting)
  }

  /// The share that has met an end by a time: 0 before the first.
  ///
  /// - Complexity: O(log of the number of times).
  public func share(of end: Int, at time: Double) -> Double {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : incidence[end][low - 1]
  }

  /// The earliest time by which at least the share `p` of all units has met an end; nil when it never does.
  ///
  /// - Precondition: `p` is from 0 to 1.
  public func quantile(_ p: Double, of end: Int) -> Double? {
    precondition(p >= 0 && p <= 1, "a quantile's level must be from 0 to 1, got \(p)")
    // A share of exactly p may come out a rounding error below it.
    return incidence[end].firstIndex { $0 >= p - 1e-12 }.map { times[$0] }
  }

  /// Pointwise limits of ``incidence`` for independent units, on the scale of log(−log), so that they stay from 0 to 1.
  ///
  /// - Returns: by time; nil where the share is 0 or 1, and nothing tells its error.
  /// - Precondition: `confidence` is strictly between 0 and 1.
  public func bands(of end: Int, confidence: Double = 0.95) -> [ClosedRange<Double>?] {
    precondition(confidence > 0 && confidence < 1, "a confidence of \(confidence)")
    let z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2)
    return times.indices.map { index in
      let share = incidence[end][index]
      guard share > 0, share < 1 else { return nil }
      let logarithm = log(share)
      let error = variance[end][index].squareRoot() / (share * -logarithm)
      return exp(logarithm * exp(z * error))...exp(logarithm * exp(-z * error))
    }
  }
}

/// The sums of Gaynor's variance, kept so that it costs the same at each time.
private struct VarianceSums {
  private var weight = 0.0
  private var weightedShare = 0.0
  private var weightedSquare = 0.0
  private var own = 0.0
  private var common = 0.0
  private var commonShare = 0.0

  /// - Parameters:
  ///   - ended: units that met this end now.
  ///   - all: units that met any.
  ///   - waiting: the share without an end just before.
  ///   - share: the incidence of this end, with what happened now.
  mutating func add(ended: Int64, all: Int64, atRisk: Int64, waiting: Double, share: Double) {
    guard all > 0 else { return }
    let (d, own, n) = (Double(all), Double(ended), Double(atRisk))
    // Where all that are left meet an end, no share changes afterwards, and the term never counts.
    if all < atRisk {
      let a = d / (n * (n - d))
      weight += a
      weightedShare += a * share
      weightedSquare += a * share * share
    }
    self.own += waiting * waiting * own * (n - own) / (n * n * n)
    let c = waiting * own / (n * n)
    common += c
    commonShare += c * share
  }

  func variance(of share: Double) -> Double {
    let fromWaiting = share * share * weight - 2 * share * weightedShare + weightedSquare
    return max(0, fromWaiting + own - 2 * (share * common - commonShare))
  }
}
