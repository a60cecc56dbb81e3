internal import CGSL
public import Distributions

/// Points that fill the open unit cube more evenly than independent ones.
public enum DesignPoints {
  /// The number of dimensions for which there are Sobol points; beyond it a Latin hypercube takes their place.
  public static let sobolDimensions = 40

  /// What a stream of the purpose `design` is for.
  enum Lane {
    static let scrambling: UInt32 = 0
    static let remainder: UInt32 = 1
    static let hypercube: UInt32 = 2
    static let trajectory: UInt32 = 3
    static let bootstrap: UInt32 = 4
  }

  /// Sobol points up to ``sobolDimensions`` dimensions, a Latin hypercube beyond.
  public static func points(count: Int, dimensions: Int, _ streams: StreamFamily) -> [[Double]] {
    dimensions <= sobolDimensions
      ? sobol(count: count, dimensions: dimensions, streams)
      : latinHypercube(count: count, dimensions: dimensions, streams)
  }

  /// The first points of Sobol's sequence, the origin included, with Owen's nested uniform scrambling: every binary
  /// digit is flipped or not by a coin that belongs to the digits before it.
  ///
  /// Each point is uniform on the cube, and of a power of two of them each dimension has one point in each of as many
  /// equal intervals. A design of more points begins with those of a smaller one.
  ///
  /// - Precondition: from 1 to ``sobolDimensions`` dimensions and at most 2³⁰ points.
  /// - Source: Owen, "Randomly permuted (t,m,s)-nets and (t,s)-sequences", 1995; direction numbers of GSL 2.7
  ///   (Bratley and Fox, 1988).
  public static func sobol(count: Int, dimensions: Int, _ streams: StreamFamily) -> [[Double]] {
    precondition((1...sobolDimensions).contains(dimensions), "Sobol points of \(dimensions) dimensions")
    precondition((0...1 << bits).contains(count), "\(count) Sobol points")
    guard let generator = gsl_qrng_alloc(cgsl_qrng_sobol(), UInt32(dimensions)) else {
      preconditionFailure("GSL gave no generator of \(dimensions) dimensions")
    }
    defer { gsl_qrng_free(generator) }
    var raw = [Double](repeating: 0, count: dimensions)
    return (0..<count).map { index in
      // GSL leaves out the origin, without which the first 2ᵐ points would be no net.
      if index > 0 { gsl_qrng_get(generator, &raw) }
      return (0..<dimensions).map { dimension in
        let number = scrambled(UInt32(raw[dimension] * Double(1 << bits)), dimension, streams)
        var rest = streams.stream(
          device: UInt32(dimension), .design, item: UInt32(index), lane: Lane.remainder)
        return (Double(number) + rest.positiveUniform()) / Double(1 << bits)
      }
    }
  }

  /// Digits of GSL's Sobol points.
  private static let bits = 30

  private static func scrambled(_ number: UInt32, _ dimension: Int, _ streams: StreamFamily) -> UInt32 {
    var result: UInt32 = 0
    for depth in 0..<bits {
      let prefix = number >> UInt32(bits - depth)
      // The nodes of the tree of digits, numbered as in a heap.
      var coin = streams.stream(
        device: UInt32(dimension), .design, item: 1 << UInt32(depth) | prefix, lane: Lane.scrambling)
      let digit = number >> UInt32(bits - 1 - depth) & 1
      result = result << 1 | (digit ^ (coin.bits() & 1))
    }
    return result
  }

  /// Points of which each dimension has one in each of `count` equal intervals, paired at random.
  ///
  /// - Source: McKay, Beckman and Conover, "A comparison of three methods for selecting values of input variables",
  ///   1979.
  public static func latinHypercube(count: Int, dimensions: Int, _ streams: StreamFamily) -> [[Double]] {
    var points = Array(repeating: [Double](repeating: 0, count: dimensions), count: count)
    for dimension in 0..<dimensions {
      var stream = streams.stream(device: UInt32(dimension), .design, lane: Lane.hypercube)
      for (index, cell) in stream.permutation(of: count).enumerated() {
        points[index][dimension] = (Double(cell) + stream.positiveUniform()) / Double(count)
      }
    }
    return points
  }
}

extension RandomStream {
  /// The numbers from 0 in random order.
  mutating func permutation(of count: Int) -> [Int] {
    var numbers = Array(0..<count)
    for last in stride(from: count - 1, to: 0, by: -1) { numbers.swapAt(last, index(below: last + 1)) }
    return numbers
  }

  /// Uniform on (0, 1).
  mutating func positiveUniform() -> Double { max(uniform(), 0x1p-54) }
}
