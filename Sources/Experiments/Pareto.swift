import OutputAnalysis

/// Which strategies of a run are worth considering: freshness at opens against energy.
///
/// Two strategies differ in a metric only if the interval of their difference, paired by replication, leaves 0 out. What
/// beats a strategy differs from it for the better in one metric and does not differ for the worse in the other.
public struct Pareto: Sendable, Equatable {
  /// The metric of which less is better.
  public static let cost = "energy_j_per_device_day"
  /// The metric of which more is better.
  public static let benefit = "fresh_open"

  /// What a strategy comes to.
  public struct Point: Sendable, Equatable {
    public var strategy: String
    /// Share of opens.
    public var freshness: Double
    /// Joules per device and day.
    public var energy: Double
  }

  /// A strategy that another one beats.
  public struct Beaten: Sendable, Equatable {
    public var strategy: String
    public var by: String
    /// Whether it is less fresh, and whether it is dearer; at least one is true, the other cannot be told.
    public var isStaler: Bool
    public var isDearer: Bool
  }

  /// What no other strategy beats, the freshest first.
  public var front: [Point]
  public var dominated: [Beaten]
  /// Strategies of which no two can be told apart, in neither metric.
  public var ties: [[String]]
  /// Whether there are intervals at all: one replication has none.
  public var hasIntervals: Bool

  /// What the replications say of one strategy.
  struct Candidate {
    var name: String
    var freshness: ReplicationSample
    var energy: ReplicationSample
  }

  /// Nil unless there is a choice between at least two strategies.
  init?(_ strategies: [StrategyResult], confidence: Double, widening: Double) {
    let candidates = strategies.compactMap { strategy -> Candidate? in
      guard let freshness = strategy.metric(Self.benefit)?.sample, freshness.estimate != nil,
        let energy = strategy.metric(Self.cost)?.sample, energy.estimate != nil
      else { return nil }
      return Candidate(name: strategy.name, freshness: freshness, energy: energy)
    }
    self.init(candidates, confidence: confidence, widening: widening)
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
    // By pair: whether the first is fresher, and whether it is dearer.
    var fresher = [[Int]](repeating: [Int](repeating: 0, count: count), count: count)
    var dearer = fresher
    for a in 0..<count {
      for b in 0..<count where b != a {
        fresher[a][b] = sign(candidates[a].freshness, candidates[b].freshness)
        dearer[a][b] = sign(candidates[a].energy, candidates[b].energy)
      }
    }
    func beats(_ a: Int, _ b: Int) -> Bool {
      fresher[a][b] >= 0 && dearer[a][b] <= 0 && (fresher[a][b] > 0 || dearer[a][b] < 0)
    }
    func isTie(_ a: Int, _ b: Int) -> Bool { fresher[a][b] == 0 && dearer[a][b] == 0 }
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
      Point(strategy: $0.name, freshness: $0.freshness.estimate!, energy: $0.energy.estimate!)
    }
    let onFront = (0..<count).filter { a in !(0..<count).contains { isBeaten(a, by: $0) } }
    front = onFront.sorted {
      (-points[$0].freshness, points[$0].energy, $0) < (-points[$1].freshness, points[$1].energy, $1)
    }.map { points[$0] }
    dominated = (0..<count).filter { !onFront.contains($0) }.map { loser in
      // Rather one of the front than one that is beaten itself, and the one that is ahead in both.
      let winners = (0..<count).filter { isBeaten(loser, by: $0) }
      func rank(_ winner: Int) -> (Int, Int, Int) {
        (
          onFront.contains(winner) ? 0 : 1, -fresher[winner][loser] + dearer[winner][loser], winner
        )
      }
      let winner = winners.min { rank($0) < rank($1) } ?? loser
      return Beaten(
        strategy: candidates[loser].name, by: candidates[winner].name,
        isStaler: fresher[winner][loser] > 0, isDearer: dearer[winner][loser] < 0)
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
    hasIntervals = candidates[0].freshness.count >= 2
  }
}
