import Glibc

/// Picks the system with the greatest or smallest mean, leaving out replication by replication those that are behind.
///
/// Give it the replications one after the other; only the ``survivors`` need a value. It selects the best system with at
/// least the stated probability if the best is ahead of every other by the indifference or more. Systems may share their
/// random numbers: the more they have in common, the sooner it ends.
///
/// - Source: Kim and Nelson, "A fully sequential procedure for indifference-zone selection in simulation", ACM TOMACS 11
///   (2001), with c = 1 and the constant for systems that may depend on each other.
/// - Limitations: the probability is exact for normal values, such as means over many devices are nearly.
public struct KimNelson: Sendable {
  /// Which mean is the best.
  public enum Goal: Sendable, Hashable { case highest, lowest }

  /// A system that was left out.
  public struct Elimination: Sendable, Hashable {
    public var system: Int
    /// After so many replications.
    public var count: Int
  }

  /// The least difference that matters, in the unit of the values.
  public let indifference: Double
  /// The probability of a correct selection.
  public let confidence: Double
  public let goal: Goal
  /// Replications before the first look; from them the variances of the differences are taken, once and for all.
  public let firstStage: Int

  /// The systems that are still in, ascending.
  public private(set) var survivors: [Int]
  /// Those left out, in that order.
  public private(set) var eliminated: [Elimination] = []
  /// How many replications have been given.
  public private(set) var count = 0

  /// What the first stage said, by system.
  private var first: [ReplicationSample]
  /// By system: the sums of parts and wholes of all replications so far.
  private var sums: [ReplicationSample.Item]
  /// h²S² by pair, the variance being that of the difference in the first stage.
  private var spread: [[Double]] = []

  /// - Precondition: at least two systems; `indifference` is positive, `confidence` strictly between 1/`systems` and 1, and
  ///   `firstStage` at least 2.
  public init(
    systems: Int, indifference: Double, confidence: Double = 0.95, goal: Goal = .highest,
    firstStage: Int = SequentialPrecision.leastMinimum, kind: ReplicationSample.Kind = .amount
  ) {
    precondition(systems >= 2, "a selection among \(systems) systems")
    precondition(indifference > 0 && indifference.isFinite, "an indifference of \(indifference)")
    precondition(confidence > 1 / Double(systems) && confidence < 1, "a confidence of \(confidence)")
    precondition(firstStage >= 2, "a first stage of \(firstStage) replications")
    self.indifference = indifference
    self.confidence = confidence
    self.goal = goal
    self.firstStage = firstStage
    survivors = Array(0..<systems)
    first = Array(repeating: ReplicationSample(kind: kind), count: systems)
    sums = Array(repeating: ReplicationSample.Item(0, of: 0), count: systems)
  }

  /// The selected system; nil while several are in.
  public var best: Int? { survivors.count == 1 ? survivors[0] : nil }

  /// η, by which the procedure keeps its probability.
  public static func eta(systems: Int, confidence: Double, firstStage: Int) -> Double {
    let base = 2 * (1 - confidence) / Double(systems - 1)
    return (pow(base, -2 / Double(firstStage - 1)) - 1) / 2
  }

  /// Takes the next replication. Does nothing once a system has been selected.
  ///
  /// Of ratios the means are ratios of sums, and the variance of the first stage is that of the linearised values.
  ///
  /// - Parameter items: one per system; those of systems that are out are not looked at.
  /// - Precondition: as many items as systems; those of survivors are finite.
  public mutating func add(_ items: [ReplicationSample.Item]) {
    precondition(items.count == sums.count, "\(items.count) values of \(sums.count) systems")
    guard survivors.count > 1 else { return }
    count += 1
    for system in survivors {
      let item = items[system]
      precondition(item.part.isFinite && item.whole.isFinite, "a replication's value is \(item)")
      sums[system].part += item.part
      sums[system].whole += item.whole
      if count <= firstStage { first[system].append(item) }
    }
    if count < firstStage { return }
    if count == firstStage { endFirstStage() }
    screen()
  }

  /// Takes the next replication of values that weigh the same.
  public mutating func add(_ values: [Double]) { add(values.map { ReplicationSample.Item($0, of: 1) }) }

  private mutating func endFirstStage() {
    let eta = Self.eta(systems: sums.count, confidence: confidence, firstStage: firstStage)
    let factor = 2 * eta * Double(firstStage - 1)
    spread = first.map { a in
      first.map { b in
        guard let a = a.linearised, let b = b.linearised else { return .infinity }
        return factor * (Moments(zip(a, b).map { $0 - $1 }).variance ?? 0)
      }
    }
    // What hardly differed in the first stage may differ more than its variance says.
    for a in first.indices {
      for b in first.indices where a != b {
        guard let balance = RareEvents.Balance(first[a], first[b]) else { continue }
        spread[a][b] = max(spread[a][b], factor * balance.leastVariance * Double(firstStage))
      }
    }
  }

  /// Leaves out whoever is too far behind one of the others to be the best, and ends when no difference can matter more.
  private mutating func screen() {
    let n = Double(count)
    func allowance(_ a: Int, _ b: Int) -> Double {
      max(0, indifference / (2 * n) * (spread[a][b] / (indifference * indifference) - n))
    }
    // With the sign that makes the greatest mean the best; without a value a system is neither behind nor ahead.
    let means = sums.map { sum in sum.value.map { goal == .highest ? $0 : -$0 } }
    func isBehind(_ a: Int, _ b: Int) -> Bool {
      guard let own = means[a], let other = means[b] else { return false }
      return own - other < -allowance(a, b)
    }
    let before = survivors
    var left = before.filter { a in before.allSatisfy { b in a == b || !isBehind(a, b) } }
    // No allowance is left for anyone: the highest mean is selected, of equal ones the first.
    let isOver = left.allSatisfy { a in
      means[a] != nil && left.allSatisfy { b in a == b || allowance(a, b) == 0 }
    }
    if left.count > 1, isOver {
      let highest = left.max { (means[$0]!, $1) < (means[$1]!, $0) }!
      left = [highest]
    }
    survivors = left
    eliminated += before.filter { !left.contains($0) }.map { Elimination(system: $0, count: count) }
  }
}
