import OutputAnalysis
import PushModel

/// Which strategies of a run are worth considering: freshness at opens against energy; without content, of silent pushes
/// sent at different rates, how often they wake the app against energy.
///
/// Two strategies differ in a metric only if the interval of their difference, paired by replication, leaves 0 out. What
/// beats a strategy differs from it for the better in one metric and does not differ for the worse in the other.
public struct Pareto: Sendable, Equatable {
  /// The metric of which less is better.
  public static let cost = "energy_j_per_device_day"
  /// The metric of which more is better, where there is content.
  public static let benefit = "fresh_open"
  /// The one where there is none, of strategies that differ in how often they push.
  public static let rateBenefit = "wakes_per_device_day"

  /// What a strategy comes to.
  public struct Point: Sendable, Equatable {
    public var strategy: String
    /// In ``metric``.
    public var gain: Double
    /// Joules per device and day.
    public var energy: Double
  }

  /// A strategy that another one beats.
  public struct Beaten: Sendable, Equatable {
    public var strategy: String
    public var by: String
    /// Whether it is less fresh, and whether it is dearer; at least one is true, the other cannot be told.
    public var isLess: Bool
    public var isDearer: Bool
  }

  /// The metric of which more is better.
  public var metric = benefit
  /// What no other strategy beats, the best in ``metric`` first.
  public var front: [Point]
  public var dominated: [Beaten]
  /// Strategies of which no two can be told apart, in neither metric.
  public var ties: [[String]]
  /// Whether there are intervals at all: one replication has none.
  public var hasIntervals: Bool

  /// What the replications say of one strategy.
  struct Candidate {
    var name: String
    var gain: ReplicationSample
    var energy: ReplicationSample
  }

  /// Whether the strategies differ in how often they send silent pushes, and in nothing else that users notice.
  private static func differInRate(_ strategies: [StrategyResult]) -> Bool {
    let rates = strategies.compactMap { $0.metric("pushes_per_device_day")?.estimate }
    guard strategies.allSatisfy({ $0.plans.map(\.mechanism) == [.background] && $0.tasks.isEmpty }),
      rates.count == strategies.count, let low = rates.min(), let high = rates.max()
    else { return false }
    return high > 1.5 * low
  }

  /// Nil unless there is a choice between at least two strategies.
  init?(_ strategies: [StrategyResult], confidence: Double, widening: Double) {
    let metric =
      strategies.contains { $0.metric(Self.benefit) != nil }
      ? Self.benefit : Self.differInRate(strategies) ? Self.rateBenefit : nil
    guard let metric else { return nil }
    let candidates = strategies.compactMap { strategy -> Candidate? in
      guard let gain = strategy.metric(metric)?.sample, gain.estimate != nil,
        let energy = strategy.metric(Self.cost)?.sample, energy.estimate != nil
      else { return nil }
      return Candidate(name: strategy.name, gain: gain, energy: energy)
    }
    self.init(candidates, confidence: confidence, widening: widening)
    self.metric = metric
  }

  /// - Parameters:
  ///   - candidates: with the same replications and an estimate each.
  ///   - widening: times Student's half-width.
  init?(_ candidates: [Candidate], confidence: Double, widening: Double = 1) {
    guard candidates.count >= 2 else { return nil }
    let count = candidates.count
    /// The sign of a paired difference; 0 where it cannot be told.
    func sign(_ a: ReplicationSample, _ b: ReplicationSample) -> Int {
      let difference = MeanEstimate.pairedDifference(a, b, confidence: confidence, widening: widening)
      guard let interval = difference?.interval else { return 0 }
      return interval.lower > 0 ? 1 : interval.upper < 0 ? -1 : 0
    }
    // By pair: whether the first is better, and whether it is dearer.
    var better = [[Int]](repeating: [Int](repeating: 0, count: count), count: count)
    var dearer = better
    for a in 0..<count {
      for b in 0..<count where b != a {
        better[a][b] = sign(candidates[a].gain, candidates[b].gain)
        dearer[a][b] = sign(candidates[a].energy, candidates[b].energy)
      }
    }
    func beats(_ a: Int, _ b: Int) -> Bool {
      better[a][b] >= 0 && dearer[a][b] <= 0 && (better[a][b] > 0 || dearer[a][b] < 0)
    }
    func isTie(_ a: Int, _ b: Int) -> Bool { better[a][b] == 0 && dearer[a][b] == 0 }
    // "Cannot be told apart" does not carry over from pair to pair, so strategies may beat each other in a circle. Then
    // none of them is worse than the others.
    var reaches = (0..<count).map { a in (0..<count).map { b in a != b && beats(a, b) } }
    for middle in 0..<count {
      for a in 0..<count where reaches[a][middle] {
        for b in 0..<count where reaches[middle][b] { reaches[a][b] = true }
      }
    }
    func isBeaten(_ a: Int, by b: Int) -> Bool { a != b && beats(b, a) && !reaches[a][b] }
    let points = candidates.map {
      Point(strategy: $0.name, gain: $0.gain.estimate!, energy: $0.energy.estimate!)
    }
    let onFront = (0..<count).filter { a in !(0..<count).contains { isBeaten(a, by: $0) } }
    front = onFront.sorted {
      (-points[$0].gain, points[$0].energy, $0) < (-points[$1].gain, points[$1].energy, $1)
    }.map { points[$0] }
    dominated = (0..<count).filter { !onFront.contains($0) }.map { loser in
      // Rather one of the front than one that is beaten itself, and the one that is ahead in both.
      let winners = (0..<count).filter { isBeaten(loser, by: $0) }
      func rank(_ winner: Int) -> (Int, Int, Int) {
        (
          onFront.contains(winner) ? 0 : 1, -better[winner][loser] + dearer[winner][loser], winner
        )
      }
      let winner = winners.min { rank($0) < rank($1) } ?? loser
      return Beaten(
        strategy: candidates[loser].name, by: candidates[winner].name,
        isLess: better[winner][loser] > 0, isDearer: dearer[winner][loser] < 0)
    }
    // Groups in which every pair is a tie, until each tie stands in one.
    var isSaid = [[Bool]](repeating: [Bool](repeating: false, count: count), count: count)
    var groups: [[Int]] = []
    for a in 0..<count {
      for b in (a + 1)..<max(count, a + 1) where isTie(a, b) && !isSaid[a][b] {
        var group = [a, b]
        for other in 0..<count where !group.contains(other) {
          if group.allSatisfy({ isTie(other, $0) }) { group.append(other) }
        }
        for one in group { for other in group { isSaid[one][other] = true } }
        groups.append(group.sorted())
      }
    }
    ties = groups.map { $0.map { candidates[$0].name } }
    hasIntervals = candidates[0].gain.count >= 2
  }
}
