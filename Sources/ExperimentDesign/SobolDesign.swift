public import Distributions

/// The design by which variance-based indices are estimated: two independent samples A and B, and for each dimension A
/// with that column from B.
///
/// - Source: Saltelli et al., "Variance based sensitivity analysis of model output", 2010.
public struct SobolDesign: Sendable {
  public let dimensions: Int
  public let samples: Int
  /// A, then B, then A with column 0 from B, and so on.
  public let points: [[Double]]

  /// Both samples take columns of their own of one scrambled sequence, a Latin hypercube beyond 20 dimensions.
  ///
  /// - Precondition: there is a dimension and at least 2 samples.
  public init(dimensions: Int, samples: Int, _ streams: StreamFamily) {
    precondition(dimensions >= 1 && samples >= 2, "\(samples) samples of \(dimensions) dimensions")
    let both = DesignPoints.points(count: samples, dimensions: 2 * dimensions, streams)
    let a = both.map { Array($0.prefix(dimensions)) }
    let b = both.map { Array($0.suffix(dimensions)) }
    self.dimensions = dimensions
    self.samples = samples
    points =
      a + b
      + (0..<dimensions).flatMap { column in
        zip(a, b).map { a, b in
          var point = a
          point[column] = b[column]
          return point
        }
      }
  }

  /// The indices of each dimension; nil when the result does not vary beyond chance.
  ///
  /// Where replications give the values, products are taken across different replications only, so that chance adds
  /// nothing to any variance on average.
  ///
  /// - Parameters:
  ///   - values: by point, then replication; every point with the same replications. Samples with a value that is not
  ///     finite are left out.
  ///   - confidence: of the intervals, strictly between 0 and 1.
  ///   - streams: for the bootstrap.
  public func indices(_ values: [[Double]], confidence: Double, _ streams: StreamFamily) -> [SobolIndices]? {
    precondition(values.count == points.count, "\(values.count) values at \(points.count) points")
    let rows = (0..<samples).filter { row in
      (0..<dimensions + 2).allSatisfy { values[$0 * samples + row].allSatisfy(\.isFinite) }
    }
    guard rows.count >= 2, let replications = values.first?.count else { return nil }
    // What a replication does to all points is no effect of a dimension.
    let centres = (0..<replications).map { r in
      rows.reduce(0) { $0 + values[$1][r] + values[samples + $1][r] } / Double(2 * rows.count)
    }
    func centred(_ block: Int, _ row: Int) -> [Double] {
      zip(values[block * samples + row], centres).map { $0 - $1 }
    }
    let correction = Double(2 * rows.count) / Double(2 * rows.count - 1)
    let squares = rows.map { row in
      let a = centred(0, row)
      let b = centred(1, row)
      return correction * (product(a, a) + product(b, b)) / 2
    }
    let variance = squares.reduce(0, +) / Double(rows.count)
    guard variance > 0 else { return nil }
    return (0..<dimensions).map { dimension in
      var first: [Double] = []
      var total: [Double] = []
      for row in rows {
        let difference = zip(centred(dimension + 2, row), centred(0, row)).map { $0 - $1 }
        first.append(product(centred(1, row), difference))
        total.append(product(difference, difference) / 2)
      }
      var stream = streams.stream(device: UInt32(dimension), .design, lane: DesignPoints.Lane.bootstrap)
      return SobolIndices(
        first: first, total: total, squares: squares, confidence: confidence, &stream)
    }
  }

  /// The product of two true values of which each replication gives both with an error.
  private func product(_ x: [Double], _ y: [Double]) -> Double {
    let count = Double(x.count)
    let same = zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }
    guard x.count > 1 else { return same }
    return (x.reduce(0, +) * y.reduce(0, +) - same) / (count * (count - 1))
  }
}

/// The shares of a result's variance that a dimension brings about.
public struct SobolIndices: Sendable, Hashable {
  /// Alone: the part by which the variance would fall if the dimension were known. Estimated as Saltelli et al., 2010.
  public let first: Double
  public let firstInterval: ClosedRange<Double>
  /// With all its interactions: the part that would be left if all others were known. Estimated as Jansen, 1999.
  public let total: Double
  public let totalInterval: ClosedRange<Double>

  /// - Parameters: by sample, the summands of numerators and of the variance.
  init(
    first: [Double], total: [Double], squares: [Double], confidence: Double, _ stream: inout RandomStream
  ) {
    let count = squares.count
    let variance = squares.reduce(0, +)
    self.first = first.reduce(0, +) / variance
    self.total = total.reduce(0, +) / variance
    var firsts: [Double] = []
    var totals: [Double] = []
    for _ in 0..<bootstrapSamples {
      var sums = (first: 0.0, total: 0.0, squares: 0.0)
      for _ in 0..<count {
        let row = stream.index(below: count)
        sums.first += first[row]
        sums.total += total[row]
        sums.squares += squares[row]
      }
      // Chance may leave a resample without variance; it says nothing then.
      guard sums.squares > 0 else { continue }
      firsts.append(sums.first / sums.squares)
      totals.append(sums.total / sums.squares)
    }
    func interval(_ values: [Double], _ estimate: Double) -> ClosedRange<Double> {
      guard !values.isEmpty else { return estimate...estimate }
      let sorted = values.sorted()
      return sampleQuantile(sorted, (1 - confidence) / 2)...sampleQuantile(sorted, (1 + confidence) / 2)
    }
    firstInterval = interval(firsts, self.first)
    totalInterval = interval(totals, self.total)
  }
}
