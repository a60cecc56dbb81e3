public import OutputAnalysis
import PushModel
public import Quantities

/// A scenario run at several values of one or two of its inputs, with the same seed at every point, so that the points
/// differ in nothing but the inputs.
public struct Sweep: Sendable {
  /// What is varied.
  public struct Input: Sendable {
    /// The path of a key of the scenario, as in `--set`.
    public var path: String
    /// As an author would write them, in the order given.
    public var values: [String]
    /// The values in SI units, if all are quantities of one dimension.
    public var numbers: [Double]?
    public var dimension: Dimension?

    public init(path: String, values: [String], numbers: [Double]? = nil, dimension: Dimension? = nil) {
      self.path = path
      self.values = values
      self.numbers = numbers
      self.dimension = dimension
    }
  }

  public struct Point: Sendable {
    /// By input, the place of its value.
    public var indices: [Int]
    public var scenario: Scenario

    public init(indices: [Int], scenario: Scenario) {
      self.indices = indices
      self.scenario = scenario
    }
  }

  /// More are refused: each is a run of its own.
  public static let mostPoints = 1000
  public static let mostInputs = 2

  /// The scenario as it is without the sweep.
  public var base: Scenario
  public var inputs: [Input]
  /// Every combination of the values; the last input varies fastest.
  public var points: [Point]

  public init(base: Scenario, inputs: [Input], points: [Point]) {
    self.base = base
    self.inputs = inputs
    self.points = points
  }

  /// The point's values, as in `30 min` or `30 min, 20 %`.
  public func label(_ point: Point) -> String {
    zip(inputs, point.indices).map { $0.values[$1] }.joined(separator: ", ")
  }
}

/// What a sweep found.
public struct SweepResult: Sendable {
  /// A metric of a strategy along the points.
  public struct Curve: Sendable {
    public var policy: String
    public var strategy: String
    public var metric: Metric
    /// By point; nil where the scenario of the point has no such series.
    public var results: [MetricResult?]
    /// By point: that point minus the first one, paired by replication.
    public var changes: [MeanEstimate?]
    /// Nil if the curve has none to look for: two inputs, values that are no numbers, fewer than three points, one
    /// replication.
    public var knee: Knee?

    /// Whether there are several points and no replication differs between them.
    public var isConstant: Bool {
      results.count > 1 && results.dropFirst().allSatisfy { $0?.sample.values == results[0]?.sample.values }
    }
  }

  public var sweep: Sweep
  /// By policy, strategy and metric, in the order of the scenario.
  public var curves: [Curve]

  /// Estimates from the values of the replications.
  ///
  /// - Parameters:
  ///   - items: by point and replication, in the order of the point's ``Scenario/series``.
  ///   - metrics: names; empty: all.
  public init(_ sweep: Sweep, items: [[[ReplicationSample.Item]]], metrics: [String]) {
    self.sweep = sweep
    var order: [ReplicationSeries] = []
    var columns: [ReplicationSeries: [ReplicationSample?]] = [:]
    for (point, rows) in zip(sweep.points.indices, items) {
      for (index, series) in sweep.points[point].scenario.series.enumerated()
      where metrics.isEmpty || metrics.contains(series.metric) {
        if columns[series] == nil {
          order.append(series)
          columns[series] = Array(repeating: nil, count: sweep.points.count)
        }
        columns[series]![point] = ReplicationSample(
          rows.map { $0[index] }, kind: Metric.named(series.metric)!.kind)
      }
    }
    let confidence = sweep.base.experiment.confidence
    let x = sweep.inputs.count == 1 ? sweep.inputs[0].numbers : nil
    curves = order.map { series in
      let metric = Metric.named(series.metric)!
      let column = columns[series]!
      let values = column.compactMap { $0?.linearised }
      let knee = x.flatMap { x in
        values.count < column.count ? nil : Knee.find(x: x, y: values, confidence: confidence)
      }
      return Curve(
        policy: series.policy, strategy: series.strategy, metric: metric,
        results: column.map { $0.map { MetricResult(metric, $0, confidence: confidence) } },
        changes: column.map { Self.change($0, from: column[0], confidence: confidence) }, knee: knee)
    }
  }

  private static func change(
    _ sample: ReplicationSample?, from first: ReplicationSample?, confidence: Double
  ) -> MeanEstimate? {
    guard let sample, let first else { return nil }
    return MeanEstimate.pairedDifference(sample, first, confidence: confidence)
  }
}
