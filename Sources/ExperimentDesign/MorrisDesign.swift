public import Distributions
public import OutputAnalysis

/// Morris's design: trajectories through the unit cube, each of which moves one dimension at a time, in random order.
///
/// - Source: Morris, "Factorial sampling plans for preliminary computational experiments", 1991; μ* by Campolongo, Cariboni
///   and Saltelli, 2007. Four levels, steps of 2/3.
public struct MorrisDesign: Sendable {
  public let dimensions: Int
  public let trajectories: Int
  /// The trajectories one after the other, of `dimensions` + 1 points each.
  public let points: [[Double]]
  /// By trajectory and step: the dimension that moves.
  private let order: [[Int]]

  private static let step = 2.0 / 3

  /// - Precondition: there is a dimension and a trajectory.
  public init(dimensions: Int, trajectories: Int, _ streams: StreamFamily) {
    precondition(dimensions >= 1 && trajectories >= 1, "\(trajectories) trajectories of \(dimensions)")
    var points: [[Double]] = []
    var order: [[Int]] = []
    for trajectory in 0..<trajectories {
      var stream = streams.stream(.design, item: UInt32(trajectory), lane: DesignPoints.Lane.trajectory)
      let turns = stream.permutation(of: dimensions)
      // One of the levels 0, 1/3, 2/3, 1.
      var point = (0..<dimensions).map { _ in Double(stream.index(below: 4)) / 3 }
      points.append(point)
      for dimension in turns {
        point[dimension] += point[dimension] < 0.5 ? Self.step : -Self.step
        points.append(point)
      }
      order.append(turns)
    }
    self.dimensions = dimensions
    self.trajectories = trajectories
    self.points = points
    self.order = order
  }

  /// The elementary effects of each dimension.
  ///
  /// - Parameters:
  ///   - values: by point, then replication; every point with the same replications. Steps with a value that is not
  ///     finite are left out.
  ///   - confidence: of the intervals, strictly between 0 and 1.
  ///   - streams: for the bootstrap.
  public func effects(_ values: [[Double]], confidence: Double, _ streams: StreamFamily)
    -> [ElementaryEffects]
  {
    precondition(values.count == points.count, "\(values.count) values at \(points.count) points")
    var effects = Array(repeating: [[Double]](), count: dimensions)
    for trajectory in 0..<trajectories {
      let first = trajectory * (dimensions + 1)
      for (step, dimension) in order[trajectory].enumerated() {
        let from = first + step
        let length = points[from + 1][dimension] - points[from][dimension]
        let effect = zip(values[from + 1], values[from]).map { ($0 - $1) / length }
        if effect.allSatisfy(\.isFinite) { effects[dimension].append(effect) }
      }
    }
    return effects.enumerated().map { dimension, effects in
      var stream = streams.stream(device: UInt32(dimension), .design, lane: DesignPoints.Lane.bootstrap)
      return ElementaryEffects(effects, confidence: confidence, &stream)
    }
  }
}

/// What a dimension does to a result: the change of the result by the change of the dimension over its whole range.
public struct ElementaryEffects: Sendable, Hashable {
  /// How many steps there were.
  public let count: Int
  /// The mean effect, μ; nil without a step.
  public let mean: Double?
  /// Student's interval of ``mean``; nil with one step.
  public let meanInterval: ConfidenceInterval?
  /// The mean size of the effect, μ*; nil without a step.
  public let meanSize: Double?
  /// The bootstrap interval of ``meanSize``.
  public let meanSizeInterval: ClosedRange<Double>?
  /// The standard deviation of the effects, σ: what interaction and curvature make; nil with one step.
  public let standardDeviation: Double?
  /// The largest ``meanSize`` that chance alone would be likely to give; nil with one replication.
  public let chanceSize: Double?

  /// Whether ``meanSize`` is more than chance; with one replication, whether there is an effect at all.
  public var isAboveChance: Bool { (meanSize ?? 0) > (chanceSize ?? 0) }

  /// - Parameter effects: by step, then replication.
  init(_ effects: [[Double]], confidence: Double, _ stream: inout RandomStream) {
    let means = effects.map { $0.reduce(0, +) / Double($0.count) }
    count = means.count
    let moments = Moments(means)
    standardDeviation = moments.standardDeviation
    mean = moments.mean
    meanInterval = means.count > 1 ? MeanEstimate(means, confidence: confidence).interval : nil
    let sizes = means.map(\.magnitude)
    meanSize = Moments(sizes).mean
    guard !sizes.isEmpty else {
      meanSizeInterval = nil
      chanceSize = nil
      return
    }
    let resampled = (0..<bootstrapSamples).map { _ in
      sizes.indices.reduce(0) { sum, _ in sum + sizes[stream.index(below: sizes.count)] }
        / Double(sizes.count)
    }.sorted()
    meanSizeInterval =
      sampleQuantile(resampled, (1 - confidence) / 2)...sampleQuantile(resampled, (1 + confidence) / 2)
    let variances = effects.compactMap { effect in
      Moments(effect).variance.map { $0 / Double(effect.count) }
    }
    guard variances.count == effects.count else {
      chanceSize = nil
      return
    }
    // Of a normal variable with this variance the size has mean √(2/π) σ and variance (1 − 2/π) σ².
    let noise = (variances.reduce(0, +) / Double(variances.count)).squareRoot()
    let freedom = effects.count * (effects[0].count - 1)
    let factor = studentQuantile(confidence: confidence, degreesOfFreedom: freedom)
    chanceSize =
      noise * ((2 / Double.pi).squareRoot() + factor * ((1 - 2 / Double.pi) / Double(count)).squareRoot())
  }
}

/// How often a bootstrap draws.
let bootstrapSamples = 1000
