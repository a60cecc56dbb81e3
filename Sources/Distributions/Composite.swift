// Distributions made of distributions. Their moments need integrals, so they are computed once, on creation.

/// The distribution of `base` on condition that the value is in [low, high].
///
/// Draws by inversion (one uniform, monotone in it) where the base's quantile is a formula, and where rejection would
/// accept fewer than one try in ten; else by rejection, which is faster than the search for a gamma's quantile.
@usableFromInline
final class Truncation: Equatable, Sendable {
  let base: Distribution
  let low: Double
  let high: Double
  /// P(low ≤ base ≤ high).
  let mass: Double
  let mean: Double
  let variance: Double
  /// P(base < low) and P(base > high): both, so that an interval in either tail keeps its digits.
  private let below: Double
  private let above: Double
  private let invertsDraws: Bool

  init(_ base: Distribution, low: Double, high: Double) throws(DistributionError) {
    guard low < high else { throw DistributionError("high", "must be above `low` (\(plain(low)))", high) }
    self.base = base
    self.low = low
    self.high = high
    below = base.cdf(low.nextDown)
    above = base.upperTail(high)
    mass = below < 0.5 ? 1 - below - above : base.upperTail(low.nextDown) - above
    guard mass >= 1e-9 else {
      throw DistributionError(
        parameter: "low",
        rule: "and `high` must hold at least 0.000000001 of the probability",
        value: "\(plain(max(mass, 0))) from \(plain(low)) to \(plain(high))")
    }
    invertsDraws = base.hasClosedQuantile || mass < 0.1
    let inside = base.partialMoment(1, about: 0, above: low.nextDown, upTo: high) / mass
    mean = min(max(inside, low), high)
    variance = base.partialMoment(2, about: mean, above: low.nextDown, upTo: high) / mass
  }

  /// Whether the quantile is an inverse error function, which the counting of draws tells from a mere uniform.
  private var isGaussian: Bool {
    switch base.storage {
    case .gaussian, .lognormal: true
    default: false
    }
  }

  func quantile(_ p: Double) -> Double {
    // The tail that is the smaller is the one whose probabilities have digits to spare.
    let x =
      below < 0.5
      ? base.quantile(min(below + p * mass, 1)) : base.upperQuantile(min(above + (1 - p) * mass, 1))
    return min(max(x, low), high)
  }

  func draw(_ stream: inout RandomStream) -> Double {
    if invertsDraws { return quantile(stream.uniformForInversion(isGaussian: isGaussian)) }
    // A bound, so that a draw always ends: at an acceptance of one in ten it is reached once in 10⁴⁵ draws.
    for _ in 0..<1000 {
      let x = base.draw(&stream)
      if x >= low, x <= high { return x }
    }
    return quantile(stream.uniformPositive())
  }

  func cdf(_ x: Double) -> Double {
    if x < low { return 0 }
    if x >= high { return 1 }
    let inside = below < 0.5 ? base.cdf(x) - below : mass - (base.upperTail(x) - above)
    return min(max(inside / mass, 0), 1)
  }

  @usableFromInline
  static func == (a: Truncation, b: Truncation) -> Bool {
    a.base == b.base && a.low == b.low && a.high == b.high
  }
}

/// `base` with values beyond a bound replaced by the bound.
@usableFromInline
final class Cap: Equatable, Sendable {
  let base: Distribution
  let low: Double
  let high: Double
  let mean: Double
  let variance: Double

  init(_ base: Distribution, low: Double, high: Double) throws(DistributionError) {
    guard low <= high, low < .infinity, high > -.infinity else {
      throw DistributionError("high", "must not be below `low` (\(plain(low)))", high)
    }
    self.base = base
    self.low = low
    self.high = high
    let atLow = low == -.infinity ? 0 : base.cdf(low)
    let atHigh = high == .infinity ? 0 : base.upperTail(high)
    func moment(_ order: Int, about centre: Double) -> Double {
      let inside = low < high ? base.partialMoment(order, about: centre, above: low, upTo: high) : 0
      return inside + atoms(atLow, low, order, centre) + atoms(atHigh, high, order, centre)
    }
    mean = moment(1, about: 0)
    variance = moment(2, about: mean)
  }

  func clamp(_ x: Double) -> Double { min(max(x, low), high) }

  @usableFromInline
  static func == (a: Cap, b: Cap) -> Bool { a.base == b.base && a.low == b.low && a.high == b.high }
}

/// The part of an atom in a moment; an atom of no probability has none, even at infinity.
func atoms(_ probability: Double, _ x: Double, _ order: Int, _ centre: Double) -> Double {
  probability == 0 ? 0 : probability * power(x - centre, order)
}

/// One of several distributions, by weight.
@usableFromInline
final class Mixture: Equatable, Sendable {
  let parts: [Distribution]
  let probabilities: [Double]
  let mean: Double
  let variance: Double
  private let cumulative: [Double]

  init(_ parts: [(weight: Double, distribution: Distribution)]) throws(DistributionError) {
    let total = try totalWeight("weight", parts.map(\.weight))
    let used = parts.filter { $0.weight > 0 }
    self.parts = used.map(\.distribution)
    probabilities = used.map { $0.weight / total }
    cumulative = cumulativeSums(probabilities)
    let mean = zip(probabilities, used).reduce(0) { $0 + $1.0 * $1.1.distribution.mean }
    self.mean = mean
    variance = zip(probabilities, used).reduce(0) { sum, part in
      let distance = part.1.distribution.mean - mean
      return sum + part.0 * (part.1.distribution.variance + distance * distance)
    }
  }

  /// The part that a uniform `u` on [0, 1) chooses.
  func part(at u: Double) -> Distribution {
    for (index, bound) in cumulative.enumerated() where u < bound { return parts[index] }
    return parts[parts.count - 1]
  }

  func average(_ value: (Distribution) -> Double) -> Double {
    zip(probabilities, parts).reduce(0) { $0 + $1.0 * value($1.1) }
  }

  @usableFromInline
  static func == (a: Mixture, b: Mixture) -> Bool {
    a.parts == b.parts && a.probabilities == b.probabilities
  }
}
