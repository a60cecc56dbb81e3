import ExperimentDesign
import OutputAnalysis
import PushModel

/// Makes ranges, orders and influences of what the sets of a study came to.
struct UncertaintyEstimation {
  let space: ParameterSpace
  let settings: UncertaintySettings
  /// By set.
  let points: [[Double]]
  /// By set, strategy, metric and replication.
  let outputs: [[[[Double]?]]]
  /// The same at the scenario's values, if it was simulated.
  let own: [[[Double]?]]?
  let run: PolicyRun?

  /// A metric of a strategy over the sets that have it.
  private struct Column {
    /// The sets, ascending.
    var sets: [Int]
    /// By set, then replication.
    var values: [[Double]]
    /// At the scenario's values: in the replications of the sets, and in the run.
    var own: (here: Double, run: Double)?
    /// By how much chance may have moved the run's estimate, down and up.
    var chance = Chance()
  }

  /// The arms of an interval of chance, at the share of a plausible range.
  private struct Chance {
    var below = 0.0
    var above = 0.0

    init() {}

    /// - Parameter confidence: of the interval from `low` to `high`.
    init(_ estimate: Double, low: Double?, high: Double?, confidence: Double, replications: Int) {
      guard let low, let high, replications > 1 else { return }
      let freedom = replications - 1
      let scale =
        studentQuantile(confidence: UncertaintyResult.share, degreesOfFreedom: freedom)
        / studentQuantile(confidence: confidence, degreesOfFreedom: freedom)
      below = max(0, estimate - low) * scale
      above = max(0, high - estimate) * scale
    }

    /// What is not known and chance are independent: their squares add up. So a range is never narrower than chance alone, and
    /// holds the estimate: the scenario's own values are plausible too.
    func widened(low: Double, high: Double, around estimate: Double) -> (low: Double, high: Double) {
      func arm(_ length: Double, _ chance: Double) -> Double {
        let length = max(0, length)
        return (length * length + chance * chance).squareRoot()
      }
      return (estimate - arm(estimate - low, below), estimate + arm(high - estimate, above))
    }
  }

  /// A few sets may leave nothing to divide by, as where no push arrives. With more of them a range would be of what is left.
  private static let leastShareOfSets = 0.9

  var result: UncertaintyResult {
    let strategies = space.scenario.input.strategies
    let columns = strategies.indices.map { strategy in
      Metric.all.indices.map { column(strategy, $0) }
    }
    return UncertaintyResult(
      settings: settings, devices: space.scenario.devices, parameters: space.parameters,
      isSobol: space.parameters.count <= DesignPoints.sobolDimensions,
      strategies: strategies.indices.map { strategy in
        (
          strategies[strategy].name,
          Metric.all.indices.compactMap { metric in
            columns[strategy][metric].flatMap { self.metric(Metric.all[metric], $0) }
          }
        )
      },
      rankings: Metric.all.indices.flatMap { metric in rankings(metric, columns.map { $0[metric] }) },
      orders: Metric.all.indices.compactMap { metric in order(metric, columns.map { $0[metric] }) })
  }

  private func column(_ strategy: Int, _ metric: Int) -> Column? {
    let scenario = space.scenario
    guard
      Metric.all[metric].applies(
        to: scenario.input.strategies[strategy], hasContent: scenario.input.content != nil)
    else { return nil }
    var column = Column(sets: [], values: [])
    for (set, output) in outputs.enumerated() {
      guard let values = output[strategy][metric] else { continue }
      column.sets.append(set)
      column.values.append(values)
    }
    guard Double(column.sets.count) >= Self.leastShareOfSets * Double(outputs.count) else { return nil }
    if let found = run?.strategies[strategy].metric(Metric.all[metric].name), let estimate = found.estimate {
      let here = own.map { $0[strategy][metric] } ?? found.sample.prefix(settings.replications).linearised
      column.own = here.map { ($0.reduce(0, +) / Double($0.count), estimate) }
      column.chance = Chance(
        estimate, low: found.low, high: found.high, confidence: scenario.experiment.confidence,
        replications: found.sample.count)
    }
    return column
  }

  private func metric(_ metric: Metric, _ column: Column) -> UncertainMetric? {
    guard let effects = CrossedEffects(column.values) else { return nil }
    let isShare = metric.unit == .proportion
    let anchor = column.own.map { Anchor(here: $0.here, run: $0.run, isShare: isShare) }
    // No metric is negative, and no share above 1.
    func placed(_ value: Double) -> Double {
      max(0, min(isShare ? 1 : .infinity, anchor?.moved(value) ?? value))
    }
    let corrected = effects.corrected.map(placed)
    let interval = effects.interval(share: UncertaintyResult.share)
    let mean = corrected.reduce(0, +) / Double(corrected.count)
    let range = column.chance.widened(
      low: placed(interval.low), high: placed(interval.high), around: column.own?.run ?? mean)
    return UncertainMetric(
      metric: metric, effects: effects, mean: mean,
      low: max(0, range.low), high: min(isShare ? 1 : .infinity, range.high),
      influences: metric.display == nil
        ? []
        : RankInfluence.strongest(Self.mostInfluences, column.sets.map { points[$0] }, corrected))
  }

  private static let mostInfluences = 3

  // MARK: Strategies with each other

  private func rankings(_ metric: Int, _ columns: [Column?]) -> [UncertainRanking] {
    let names = space.scenario.input.strategies.map(\.name)
    return columns.indices.flatMap { first in
      columns.indices.filter { $0 > first }.compactMap { second -> UncertainRanking? in
        guard let a = columns[first], let b = columns[second] else { return nil }
        return ranking(Metric.all[metric], names[first], names[second], a, b)
      }
    }
  }

  private func ranking(_ metric: Metric, _ first: String, _ second: String, _ a: Column, _ b: Column)
    -> UncertainRanking?
  {
    let ofSecond = Dictionary(uniqueKeysWithValues: zip(b.sets, b.values))
    let differences = zip(a.sets, a.values).compactMap { set, values in
      ofSecond[set].map { zip(values, $0).map { $0 - $1 } }
    }
    guard Double(differences.count) >= Self.leastShareOfSets * Double(outputs.count),
      let effects = CrossedEffects(differences)
    else { return nil }
    let means = differences.map { $0.reduce(0, +) / Double($0.count) }
    // The error of a set's mean is estimated from all sets: a few replications of one say little.
    let freedom = effects.settings * (effects.replications - 1)
    let error =
      effects.chanceVariance.squareRoot()
      * studentQuantile(confidence: space.scenario.experiment.confidence, degreesOfFreedom: freedom)
    let more = means.reduce(0.0) { $0 + ($1 > 0 ? 1 : $1 == 0 ? 0.5 : 0) }
    let interval = effects.interval(share: UncertaintyResult.share)
    // By how much the run's difference is more than that of the few replications here.
    let shift =
      if let a = a.own, let b = b.own { (a.run - b.run) - (a.here - b.here) } else { 0.0 }
    let range = chance(metric, first, second).widened(
      low: interval.low + shift, high: interval.high + shift, around: effects.mean + shift)
    return UncertainRanking(
      metric: metric, first: first, second: second, effects: effects, mean: effects.mean + shift,
      low: range.low, high: range.high,
      firstIsMore: more / Double(means.count),
      undecided: Double(means.filter { $0.magnitude <= error }.count) / Double(means.count))
  }

  /// The chance of a difference that the run compares; none where it does not.
  private func chance(_ metric: Metric, _ first: String, _ second: String) -> Chance {
    for comparison in run?.comparisons ?? [] where comparison.metric == metric.name {
      let isForward = (comparison.strategy, comparison.baseline) == (first, second)
      guard isForward || (comparison.strategy, comparison.baseline) == (second, first) else { continue }
      var chance = Chance(
        comparison.difference, low: comparison.low, high: comparison.high,
        confidence: space.scenario.experiment.confidence,
        replications: run?.strategies[0].metrics[0].sample.count ?? 0)
      if !isForward { swap(&chance.below, &chance.above) }
      return chance
    }
    return Chance()
  }

  private func order(_ metric: Int, _ columns: [Column?]) -> UncertainOrder? {
    guard Metric.all[metric].display != nil else { return nil }
    let known = columns.indices.filter { columns[$0]?.sets.count == outputs.count }
    guard known.count > 1 else { return nil }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    /// By strategy.
    let own = columns.map { column -> Double in
      guard let column else { return 0 }
      return column.own?.run ?? mean(column.values.map(mean))
    }
    let order = known.sorted { (own[$1], $0) < (own[$0], $1) }
    func agrees(_ set: Int, _ pairs: [(more: Int, less: Int)]) -> Bool {
      pairs.allSatisfy { more, less in
        own[more] == own[less] || mean(columns[more]!.values[set]) >= mean(columns[less]!.values[set])
      }
    }
    func share(_ pairs: [(more: Int, less: Int)]) -> Double {
      Double(outputs.indices.count { agrees($0, pairs) }) / Double(outputs.count)
    }
    return UncertainOrder(
      metric: Metric.all[metric], order: order.map { space.scenario.input.strategies[$0].name },
      holds: share(zip(order, order.dropFirst()).map { ($0, $1) }),
      firstHolds: share(order.dropFirst().map { (order[0], $0) }))
  }
}

/// Moves what few devices came to towards what many would: by as much as the scenario's own values differ between the two.
/// The odds of shares and the size of other quantities are multiplied, so that none leaves its range and what is 0 stays 0.
private struct Anchor {
  private var factor: Double?
  private var shift: Double
  private let isShare: Bool

  init(here: Double, run: Double, isShare: Bool) {
    self.isShare = isShare
    shift = run - here
    if isShare {
      if here > 0, here < 1, run > 0, run < 1 { factor = run / (1 - run) * ((1 - here) / here) }
    } else if here > 0, run > 0 {
      factor = run / here
    }
  }

  func moved(_ value: Double) -> Double {
    guard let factor else { return value + shift }
    guard isShare else { return value * factor }
    guard value > 0, value < 1 else { return value }
    return value * factor / (1 - value + value * factor)
  }
}
