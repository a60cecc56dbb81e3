import OutputAnalysis
import PushModel
public import Quantities

/// Whether the warm-up of a run is long enough: what the start of the run still changes in its results.
///
/// The main outcomes are looked at by day from the start of the run, over all replications, and the rule of
/// the marginal standard error (``WarmUp``, with the day as the batch, since outcomes follow the hours of the day) says from which
/// day on each has settled. Where that is after the given warm-up, the start matters if the metric with the given
/// warm-up differs from the days that have settled by more than half of the metric's interval: by less, nobody
/// could tell at this precision.
public struct WarmUpCheck: Sendable {
  /// The scenario's.
  public let given: SimDuration
  /// From when on every outcome that can be judged has settled, to the day; nil when one has not by the middle of the run, or
  /// none can be judged.
  public private(set) var suggested: SimDuration?
  /// nil when nothing can be said: fewer than ten days, one replication, or no outcome on some day.
  public private(set) var isAdequate: Bool?
  /// What settles last, of those for which the given warm-up is too short.
  public private(set) var slowest: (strategy: String, metric: String)?

  /// What is judged, by the names of metrics.
  private static let outcomes: [(metric: String, part: DailyCounts.Item, whole: DailyCounts.Item?)] = [
    ("delivered_within_5min", .deliveredWithin5min, .sent),
    ("fresh_open", .freshOpens, .opens),
    ("wakes_per_device_day", .wakes, nil),
  ]

  /// - Parameters:
  ///   - daily: by strategy and replication.
  ///   - devices: of a replication.
  ///   - confidence: of the interval.
  init(
    given: SimDuration, duration: SimDuration, strategies: [StrategyResult], daily: [[DailyCounts]],
    devices: Int, confidence: Double
  ) {
    self.given = given
    // The last day would be a part of one.
    let days = Int((given + duration).microseconds / 86_400_000_000)
    var settled = 0
    var isUnsettled = false
    var isJudged = false
    for (strategy, counts) in zip(strategies, daily) {
      for outcome in Self.outcomes {
        // What the start does is done to all devices, so their number alone does not make it uncertain: Student's interval.
        guard let metric = strategy.metric(outcome.metric), let values = metric.sample.linearised,
          let half = MeanEstimate(values, confidence: confidence).interval?.halfWidth
        else { continue }
        /// The outcome of some days, over all replications.
        func value(_ range: Range<Int>) -> Double? {
          func sum(_ item: DailyCounts.Item) -> Int64 {
            counts.reduce(0) { sum, counts in range.reduce(sum) { $0 + counts[item, day: $1] } }
          }
          let whole = outcome.whole.map(sum) ?? Int64(devices * range.count * counts.count)
          return whole > 0 ? Double(sum(outcome.part)) / Double(whole) : nil
        }
        let series = (0..<days).compactMap { value($0..<($0 + 1)) }
        guard series.count == days, let warmUp = WarmUp(series, batch: 1) else { continue }
        isJudged = true
        if !warmUp.isRejected, SimDuration.days(Int64(warmUp.truncation)) <= given {
          settled = max(settled, warmUp.truncation)
          continue
        }
        let start = warmUp.isRejected ? days / 2 : warmUp.truncation
        guard let estimate = metric.estimate, let later = value(start..<days),
          (estimate - later).magnitude > half
        else { continue }
        isAdequate = false
        if warmUp.isRejected { isUnsettled = true }
        if slowest == nil || start > settled { slowest = (strategy.name, outcome.metric) }
        settled = max(settled, start)
      }
    }
    guard isJudged else { return }
    if isAdequate == nil { isAdequate = true }
    if !isUnsettled { suggested = .days(Int64(settled)) }
  }

  /// A sentence for the user where the warm-up is too short; nil where it is not, or nothing can be said.
  public var warning: String? {
    guard isAdequate == false, let slowest else { return nil }
    let what = "`\(slowest.metric)` of `\(slowest.strategy)`"
    guard let suggested else {
      // It may never settle, as where blocks of an app add up.
      return
        "\(what) has not settled by the middle of the run: it is the mean of a change that goes on. For a lasting state raise warm_up and duration."
    }
    let start = "The warm-up of \(Quantity.format(given.seconds, .time)) is too short: \(what)"
    return start + " settles after about \(Quantity.format(suggested.seconds, .time)). Raise warm_up."
  }
}
