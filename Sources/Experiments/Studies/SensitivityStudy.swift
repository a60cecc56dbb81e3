import Distributions
public import ExperimentDesign
public import OutputAnalysis
import PushModel

/// How a scenario's sensitivity is studied.
public struct SensitivitySettings: Sendable {
  public enum Method: String, Sendable, CaseIterable {
    case tornado, morris, sobol, all
  }

  public var method = Method.all
  /// The metric that is looked at.
  public var metric: Metric
  /// Morris's trajectories.
  public var trajectories = 10
  /// Base points of the Sobol indices.
  public var samples = 64
  /// At each point; chance can be told only with at least 2.
  public var replications = 4
  /// Which parameters, see ``ParameterSpace``; empty: the assumed ones.
  public var parameters: [String] = []

  public init(metric: Metric) { self.metric = metric }
}

/// A strategy's change of the metric when one parameter goes from the scenario's value to one end of what is plausible.
public struct TornadoEnd: Sendable {
  /// The parameter's value there.
  public var value: Double
  /// By strategy: the metric there minus the metric at the scenario's value; nil where there is none.
  public var effects: [MeanEstimate?]
}

public struct TornadoBar: Sendable {
  public var parameter: Int
  public var low: TornadoEnd
  public var high: TornadoEnd

  /// The largest change of a strategy's metric.
  public func size(_ strategy: Int) -> Double {
    [low, high].compactMap { $0.effects[strategy]?.mean.magnitude }.max() ?? 0
  }

  /// Whether chance alone could have made it; false where it is nothing at all.
  public func isWithinChance(_ strategy: Int) -> Bool {
    size(strategy) > 0
      && [low, high].allSatisfy { $0.effects[strategy]?.interval.map { $0.contains(0) } ?? true }
  }
}

/// Which of two strategies has more of the metric, where that is decided.
public struct Comparison: Sendable, Equatable {
  /// Indices of the strategies.
  public var first: Int
  public var second: Int
  /// The first minus the second.
  public var difference: Double
  /// Half the interval.
  public var halfWidth: Double

  /// 1 where the first has more, −1 where the second has, 0 where chance may have made the difference.
  public var sign: Int { difference > halfWidth ? 1 : difference < -halfWidth ? -1 : 0 }
}

/// A parameter that turns round which of two strategies has more.
public struct RankFlip: Sendable {
  public var first: Int
  public var second: Int
  public var parameter: Int
  /// Whether the first has more where the parameter is low.
  public var firstIsMoreBelow: Bool
  /// Where the difference is 0, by a line between the two points around it.
  public var at: Double
  /// The nearest values at which the one and the other has more for sure: the turn lies between them.
  public var between: ClosedRange<Double>
}

/// What the answer depends on.
public struct SensitivityResult: Sendable {
  public var scenario: Scenario
  public var settings: SensitivitySettings
  public var parameters: [UncertainParameter]
  /// The strategies that have the metric.
  public var strategies: [String]
  /// By strategy, at the scenario's values.
  public var base: [MeanEstimate]
  /// All pairs of strategies, at the scenario's values.
  public var comparisons: [Comparison]
  /// The largest effects first; nil when not asked for.
  public var tornado: [TornadoBar]?
  /// Pairs of strategies that one parameter turns round, alone.
  public var flips: [RankFlip] = []
  /// By strategy, then parameter; nil when not asked for.
  public var morris: [[ElementaryEffects]]?
  /// The parameters of the Sobol indices.
  public var indexed: [Int] = []
  /// Parameters with effects that were left out of the indices, being more than ``SensitivityStudy/mostIndexed``.
  public var leftOut: [Int] = []
  /// By strategy: by ``indexed``, or nil when the metric does not vary beyond chance; nil when not asked for.
  public var sobol: [[SobolIndices]?]?
  /// By comparison: the share of the independent points of the indices' design at which the first strategy has more.
  public var firstIsMore: [Double] = []
  /// How many points of all designs were run.
  public var points = 0
}

/// Finds out which parameters change a metric, and which would change a conclusion drawn from it.
///
/// Every point of every design is run with the same replications, so that the effect of a parameter is not blurred by
/// what a replication does to all points alike.
public struct SensitivityStudy: Sendable {
  /// Two samples of so many dimensions are what Sobol's sequence has.
  public static let mostIndexed = DesignPoints.sobolDimensions / 2
  /// A tornado and Morris's design reach from one to the other.
  public static let plausible = 0.05...0.95

  private let space: ParameterSpace
  let settings: SensitivitySettings
  private let threads: Int
  private let metric: Int

  /// - Parameters:
  ///   - policy: the index of the policy.
  ///   - threads: at least 1.
  public init(_ scenario: Scenario, policy: Int, settings: SensitivitySettings, threads: Int) {
    precondition(settings.replications >= 2, "chance needs 2 replications, not \(settings.replications)")
    space = ParameterSpace(scenario, policy: policy, patterns: settings.parameters)
    self.settings = settings
    self.threads = threads
    metric = Metric.all.firstIndex { $0.name == settings.metric.name }!
  }

  public var parameters: [UncertainParameter] { space.parameters }

  /// - Parameters:
  ///   - keeper: of the points that are done; nil: none is kept.
  ///   - progress: told the part of the study at hand, and how many of its devices are done.
  ///   - shouldStop: asked before each device.
  /// - Returns: nil when no strategy has the metric, or none has anything to divide it by.
  /// - Throws: ``RunError``, or what the keeper throws.
  public func run(
    keeper: (any StudyKeeper)? = nil,
    progress: @escaping @Sendable (_ part: String, _ done: Int, _ all: Int) -> Void = { _, _, _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> SensitivityResult? {
    var bench = Bench(
      space: space, replications: settings.replications, threads: threads, metric: metric, keeper: keeper,
      progress: progress, shouldStop: shouldStop)
    let base = try bench.run("at the scenario's values", [space.parameters.map { _ in nil }])[0]
    let estimation = Estimation(scenario: space.scenario)
    let present = space.scenario.input.strategies.indices.filter {
      estimation.applies(settings.metric, to: space.scenario.input.strategies[$0])
        && base[$0].allSatisfy(\.isFinite)
    }
    guard !present.isEmpty else { return nil }
    bench.strategies = present
    let values = present.map { base[$0] }
    var result = SensitivityResult(
      scenario: space.scenario, settings: settings, parameters: space.parameters,
      strategies: present.map { space.scenario.input.strategies[$0].name },
      base: values.map { MeanEstimate($0, confidence: confidence) }, comparisons: comparisons(values))
    guard !space.parameters.isEmpty else {
      result.points = bench.points
      return result
    }
    let method = settings.method
    if method == .tornado || method == .all { try addTornado(to: &result, values, &bench) }
    // Where all parameters fit into the indices' design there is nothing to screen.
    let screens = method == .sobol && space.parameters.count > Self.mostIndexed
    if method == .morris || method == .all || screens { try addMorris(to: &result, &bench) }
    if method == .sobol || method == .all { try addSobol(to: &result, &bench) }
    result.points = bench.points
    return result
  }

  private var confidence: Double { space.scenario.experiment.confidence }
  private var streams: StreamFamily { StreamFamily(seed: space.scenario.input.seed, replication: 0) }

  private static func level(_ u: Double) -> Double {
    plausible.lowerBound + (plausible.upperBound - plausible.lowerBound) * u
  }

  // MARK: One at a time

  /// - Parameter base: by strategy and replication.
  private func addTornado(
    to result: inout SensitivityResult, _ base: [[Double]], _ bench: inout Bench
  ) throws {
    var points: [[Double?]] = []
    for parameter in space.parameters.indices {
      for level in [Self.plausible.lowerBound, Self.plausible.upperBound] {
        points.append(space.parameters.indices.map { $0 == parameter ? level : nil })
      }
    }
    let values = try bench.run("one at a time", points)
    func end(_ index: Int, _ parameter: Int, _ level: Double) -> TornadoEnd {
      TornadoEnd(
        value: space.parameters[parameter].value(at: level),
        effects: zip(values[index], base).map { changed, base in
          let differences = zip(changed, base).map { $0 - $1 }
          return differences.allSatisfy(\.isFinite)
            ? MeanEstimate(differences, confidence: confidence) : nil
        })
    }
    let bars = space.parameters.indices.map {
      TornadoBar(
        parameter: $0, low: end(2 * $0, $0, Self.plausible.lowerBound),
        high: end(2 * $0 + 1, $0, Self.plausible.upperBound))
    }
    func size(_ bar: TornadoBar) -> Double { base.indices.map(bar.size).max() ?? 0 }
    result.tornado = bars.sorted { (size($1), $0.parameter) < (size($0), $1.parameter) }
    for parameter in space.parameters.indices {
      result.flips += try flips(
        parameter, [base, values[2 * parameter], values[2 * parameter + 1]], &bench)
    }
  }

  // MARK: Which conclusion changes, and where

  /// All pairs of strategies at a point; without those of which a value is missing.
  ///
  /// - Parameter values: by strategy and replication.
  private func comparisons(_ values: [[Double]]) -> [Comparison] {
    var all: [Comparison] = []
    for first in values.indices {
      for second in values.indices where second > first {
        let differences = zip(values[first], values[second]).map { $0 - $1 }
        guard differences.allSatisfy(\.isFinite) else { continue }
        let estimate = MeanEstimate(differences, confidence: confidence)
        all.append(
          Comparison(
            first: first, second: second, difference: estimate.mean,
            halfWidth: estimate.interval?.halfWidth ?? .infinity))
      }
    }
    return all
  }

  private struct Point {
    var level: Double
    var comparison: Comparison
  }

  /// The pairs of strategies that a parameter turns round, with the value at which it does.
  ///
  /// - Parameter ends: the values at the scenario's value and at the ends of what is plausible.
  private func flips(
    _ parameter: Int, _ ends: [[[Double]]], _ bench: inout Bench
  ) throws -> [RankFlip] {
    let uncertain = space.parameters[parameter]
    let own = min(1, max(0, uncertain.prior.cdf(uncertain.value)))
    var known: [(level: Double, comparisons: [Comparison])] =
      zip([own, Self.plausible.lowerBound, Self.plausible.upperBound], ends).map { ($0, comparisons($1)) }
    var flips: [RankFlip] = []
    for pair in comparisons(ends[0]) {
      func points() -> [Point] {
        known.compactMap { level, all in
          all.first { $0.first == pair.first && $0.second == pair.second }
            .map { Point(level: level, comparison: $0) }
        }.sorted { $0.level < $1.level }
      }
      guard var bracket = bracket(points()) else { continue }
      for _ in 0..<Self.mostHalvings {
        guard let middle = nextLevel(points(), bracket) else { break }
        let values = try bench.run(
          "the turn of \(uncertain.path)", [space.parameters.indices.map { $0 == parameter ? middle : nil }])[
            0]
        known.append((middle, comparisons(values)))
        bracket = self.bracket(points()) ?? bracket
      }
      // Of points between the two, where chance hides the difference, the sign still says the likelier side.
      let inside = points().filter { (bracket.below.level...bracket.above.level).contains($0.level) }
      let sign = bracket.below.comparison.difference.sign
      let turn = inside.firstIndex { $0.comparison.difference.sign != sign } ?? inside.count - 1
      let (from, to) = (inside[turn - 1], inside[turn])
      let part = from.comparison.difference / (from.comparison.difference - to.comparison.difference)
      let level = from.level + (to.level - from.level) * part
      let below = bracket.below.comparison.difference
      let ends = [bracket.below.level, bracket.above.level].map { value($0, own, uncertain) }
      flips.append(
        RankFlip(
          first: pair.first, second: pair.second, parameter: parameter, firstIsMoreBelow: below > 0,
          at: uncertain.value(at: level), between: min(ends[0], ends[1])...max(ends[0], ends[1])))
    }
    return flips
  }

  private static let mostHalvings = 8

  /// Where to look next: the middle of the wider gap between a decided point and those that chance hides, or of the
  /// bracket while there are none; nil once gaps are a fiftieth.
  private func nextLevel(_ points: [Point], _ bracket: (below: Point, above: Point)) -> Double? {
    let (below, above) = (bracket.below.level, bracket.above.level)
    let hidden = points.filter { below < $0.level && $0.level < above }
    let gaps =
      hidden.isEmpty ? [(below, above)] : [(below, hidden[0].level), (hidden[hidden.count - 1].level, above)]
    let widest = gaps.max { $0.1 - $0.0 < $1.1 - $1.0 }!
    return widest.1 - widest.0 > 0.02 ? (widest.0 + widest.1) / 2 : nil
  }

  /// A level as a value; the scenario's own value may lie where the prior has no probability.
  private func value(_ level: Double, _ own: Double, _ parameter: UncertainParameter) -> Double {
    level == own ? parameter.value : parameter.value(at: level)
  }

  /// The nearest two points of which one has more of the first strategy for sure, and the other of the second.
  private func bracket(_ points: [Point]) -> (below: Point, above: Point)? {
    let decided = points.filter { $0.comparison.sign != 0 }
    for (below, above) in zip(decided, decided.dropFirst())
    where below.comparison.sign != above.comparison.sign { return (below, above) }
    return nil
  }

  // MARK: All at once

  private func addMorris(to result: inout SensitivityResult, _ bench: inout Bench) throws {
    let design = MorrisDesign(
      dimensions: space.parameters.count, trajectories: settings.trajectories, streams)
    let values = try bench.run("screening", design.points.map { $0.map(Self.level) })
    result.morris = result.strategies.indices.map { strategy in
      design.effects(values.map { $0[strategy] }, confidence: confidence, streams)
    }
  }

  private func addSobol(to result: inout SensitivityResult, _ bench: inout Bench) throws {
    var chosen = Array(space.parameters.indices)
    if let morris = result.morris {
      // The strategies' effects in units of each strategy's largest, so that each has its say.
      let largest = morris.map { $0.compactMap(\.meanSize).max() ?? 0 }
      func weight(_ parameter: Int) -> Double {
        morris.indices.filter { morris[$0][parameter].isAboveChance }
          .map { morris[$0][parameter].meanSize! / largest[$0] }.max() ?? 0
      }
      let ranked = chosen.filter { weight($0) > 0 }.sorted { (weight($1), $0) < (weight($0), $1) }
      chosen = ranked.prefix(Self.mostIndexed).sorted()
      result.leftOut = ranked.dropFirst(Self.mostIndexed).sorted()
    }
    result.indexed = chosen
    guard !chosen.isEmpty else {
      result.sobol = result.strategies.map { _ in nil }
      return
    }
    let design = SobolDesign(dimensions: chosen.count, samples: settings.samples, streams)
    let points = design.points.map { point in
      var levels = [Double?](repeating: nil, count: space.parameters.count)
      for (parameter, level) in zip(chosen, point) { levels[parameter] = level }
      return levels
    }
    let values = try bench.run("Sobol indices", points)
    result.sobol = result.strategies.indices.map { strategy in
      design.indices(values.map { $0[strategy] }, confidence: confidence, streams)
    }
    result.firstIsMore = result.comparisons.map { pair in
      let differences = values.prefix(2 * settings.samples).map { point in
        zip(point[pair.first], point[pair.second]).reduce(0) { $0 + $1.0 - $1.1 }
      }.filter(\.isFinite)
      let more = differences.reduce(0.0) { $0 + ($1 > 0 ? 1 : $1 == 0 ? 0.5 : 0) }
      return differences.isEmpty ? .nan : more / Double(differences.count)
    }
  }
}

/// Runs points, one batch after the other.
private struct Bench {
  let space: ParameterSpace
  let replications: Int
  let threads: Int
  let metric: Int
  let keeper: (any StudyKeeper)?
  let progress: @Sendable (String, Int, Int) -> Void
  let shouldStop: @Sendable () -> Bool
  /// Those of which values are wanted; nil: all.
  var strategies: [Int]?
  var points = 0

  /// By point, strategy and replication, as of ``ReplicationSample/linearised``; NaN where there is no value.
  mutating func run(_ part: String, _ points: [[Double?]]) throws -> [[[Double]]] {
    self.points += points.count
    let progress = progress
    let all = try space.values(
      at: points, part: part, replications: replications, threads: threads, keeper: keeper,
      progress: { done, all in progress(part, done, all) }, shouldStop: shouldStop)
    return all.map { point in
      (strategies ?? Array(point.indices)).map {
        point[$0][metric] ?? Array(repeating: .nan, count: replications)
      }
    }
  }
}
