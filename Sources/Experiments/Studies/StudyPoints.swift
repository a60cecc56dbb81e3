public import OutputAnalysis
internal import PushModel

/// One point of a study: the scenario with some of its uncertain parameters set.
public struct StudyPoint: Sendable {
  /// For people, as in `set 17`.
  public var label: String
  /// The scenario there, with the study's number of replications.
  public var scenario: Scenario
}

/// Keeps what a study simulates, so that one that was stopped goes on where it was.
public protocol StudyKeeper {
  /// Told which points come next, before the first of them is simulated.
  func begin(_ points: [StudyPoint]) throws

  /// What a point's replications say: those that are kept, and the others simulated.
  ///
  /// - Parameter simulate: runs replications, as ``Runner/output(of:progress:shouldStop:)`` does.
  /// - Returns: by replication, in the order of ``Scenario/series``.
  func values(
    of point: StudyPoint, simulate: (_ replications: Range<Int>) throws -> ReplicationOutput
  ) throws -> [[ReplicationSample.Item]]
}

extension ParameterSpace {
  /// Runs the same replications at each point of a design.
  ///
  /// - Parameters:
  ///   - levels: by point, the quantiles of the parameters' priors; nil leaves the value.
  ///   - part: of the study, as people call its points.
  ///   - keeper: nil: nothing is kept.
  ///   - progress: told how many of all devices are done.
  /// - Returns: by point, strategy and metric (in the order of ``Metric/all``): a number per replication as of
  ///   ``ReplicationSample/linearised``, to be paired by place; nil where there is nothing to divide by, and for metrics that
  ///   do not apply.
  /// - Throws: ``RunError``, or what the keeper throws.
  func values(
    at levels: [[Double?]], part: String, replications: Int, threads: Int, keeper: (any StudyKeeper)?,
    progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void,
    shouldStop: @escaping @Sendable () -> Bool
  ) throws -> [[[[Double]?]]] {
    let points = levels.enumerated().map { index, levels in
      var scenario = scenario(at: levels)
      scenario.replications = replications
      return StudyPoint(label: "\(part) \(index + 1)", scenario: scenario)
    }
    try keeper?.begin(points)
    let bench = SharedLives(
      points.map(\.scenario), groups: neighbours(levels, most: Self.together(scenario)), threads: threads,
      progress: progress, shouldStop: shouldStop)
    var values: [[[[Double]?]]] = []
    for (index, point) in points.enumerated() {
      func simulate(_ block: Range<Int>) throws -> ReplicationOutput { try bench.output(index, block) }
      let rows =
        try keeper?.values(of: point, simulate: simulate)
        ?? simulate(0..<replications).rows(point.scenario.series, of: point.scenario)
      values.append(point.scenario.columns(of: rows))
    }
    return values
  }

  /// How many points are played together at most: what a thread keeps of each play should stay in its processor's cache.
  private static func together(_ scenario: Scenario) -> Int {
    max(1, 16 / scenario.input.strategies.count)
  }
}

/// Simulates points of a study, neighbours that differ in the policy alone together: each life is laid down once for all
/// of them. A point's numbers are those that it has alone.
private final class SharedLives {
  private let scenarios: [Scenario]
  private let groups: [Range<Int>]
  private let threads: Int
  private let progress: @Sendable (Int, Int) -> Void
  private let shouldStop: @Sendable () -> Bool
  /// Of the group at hand: by the first replication of a block, what its points from one on yielded.
  private var known: [Int: (first: Int, block: Range<Int>, outputs: [ReplicationOutput])] = [:]
  private var group = 0..<0

  init(
    _ scenarios: [Scenario], groups: [Range<Int>], threads: Int,
    progress: @escaping @Sendable (Int, Int) -> Void, shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.scenarios = scenarios
    self.groups = groups
    self.threads = threads
    self.progress = progress
    self.shouldStop = shouldStop
  }

  /// What some replications at a point yield. The tallies go with the group: a study has hundreds of points.
  func output(_ index: Int, _ block: Range<Int>) throws(RunError) -> ReplicationOutput {
    if !group.contains(index) {
      group = groups.first { $0.contains(index) }!
      known = [:]
    }
    if let all = known[block.lowerBound], all.block == block, index >= all.first {
      return all.outputs[index - all.first]
    }
    let members = index..<group.upperBound
    let scenario = Scenario.together(scenarios[members])
    let (devices, replications) = (scenario.devices, scenario.replications)
    let (before, all) = (index * replications, scenarios.count * replications)
    let progress = progress
    do throws(RunError) {
      let output = try Runner(scenario, threads: threads).output(
        of: block, samplesOnly: true,
        progress: { done, _ in
          progress(
            (before + block.lowerBound * members.count) * devices + done * members.count, all * devices)
        }, shouldStop: shouldStop)
      let outputs = members.indices.map { output.only(policy: $0 - members.lowerBound) }
      if members.count > 1 { known[block.lowerBound] = (index, block, outputs) }
      return outputs[0]
    } catch .interrupted(let completed, _) {
      throw .interrupted(completed: before + completed * members.count, of: all)
    }
  }
}

extension Scenario {
  /// Linearised values of the only policy by strategy, metric (in the order of ``Metric/all``) and replication.
  ///
  /// - Parameter rows: by replication, in the order of ``series``.
  fileprivate func columns(of rows: [[ReplicationSample.Item]]) -> [[[Double]?]] {
    let places = Dictionary(uniqueKeysWithValues: series.enumerated().map { ($1, $0) })
    return input.strategies.map { strategy in
      Metric.all.map { metric in
        let one = ReplicationSeries(
          policy: input.policies[0].name, strategy: strategy.name, metric: metric.name)
        return places[one].flatMap { place in ReplicationSample(rows.map { $0[place] }).linearised }
      }
    }
  }
}
