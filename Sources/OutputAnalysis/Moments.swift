/// Count, mean and variance of numbers, taken one at a time.
///
/// - Source: Welford, "Note on a method for calculating corrected sums of squares and products", 1962; merging by Chan,
///   Golub and LeVeque, 1983.
/// - Limitations: real sums depend on the order in the last digits, so merge in a fixed order.
@frozen
public struct Moments: Sendable, Hashable {
  /// How many numbers have been added.
  public var count: Int { added }
  @usableFromInline var added = 0
  @usableFromInline var average = 0.0
  @usableFromInline var squares = 0.0

  /// Creates moments of no numbers.
  @inlinable
  public init() {}

  /// Creates the moments of a list.
  public init(_ values: [Double]) {
    for value in values { add(value) }
  }

  /// Adds a number.
  @inlinable
  public mutating func add(_ value: Double) {
    added &+= 1
    let distance = value - average
    average += distance / Double(added)
    squares += distance * (value - average)
  }

  /// Adds the numbers that `other` has seen.
  public mutating func merge(_ other: Moments) {
    guard other.added > 0 else { return }
    let all = Double(added + other.added)
    let distance = other.average - average
    squares += other.squares + distance * distance * (Double(added) * Double(other.added) / all)
    average += distance * (Double(other.added) / all)
    added += other.added
  }

  /// The mean; nil when there is no number.
  public var mean: Double? { added == 0 ? nil : average }

  /// The sample variance, with the divisor `count` − 1; nil for fewer than two numbers.
  public var variance: Double? { added < 2 ? nil : squares / Double(added - 1) }

  /// The square root of the ``variance``.
  public var standardDeviation: Double? { variance?.squareRoot() }

  /// The standard error of the ``mean`` of independent numbers.
  public var standardError: Double? { variance.map { ($0 / Double(added)).squareRoot() } }
}
