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
    let devices = scenario.experiment.devices
    var values: [[[[Double]?]]] = []
    for (index, point) in points.enumerated() {
      let runner = Runner(point.scenario, threads: threads)
      // The tallies go: a study has hundreds of points.
      func simulate(_ block: Range<Int>) throws(RunError) -> ReplicationOutput {
        try runner.output(
          of: block,
          progress: { done, _ in
            progress(
              (index * replications + block.lowerBound) * devices + done,
              points.count * replications * devices)
          }, shouldStop: shouldStop)
      }
      do {
        let rows =
          try keeper?.values(of: point, simulate: simulate)
          ?? simulate(0..<replications).rows(point.scenario.series, of: point.scenario)
        values.append(point.scenario.columns(of: rows))
      } catch RunError.interrupted(let completed, _) {
        throw RunError.interrupted(
          completed: index * replications + completed, of: points.count * replications)
      }
    }
    return values
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
