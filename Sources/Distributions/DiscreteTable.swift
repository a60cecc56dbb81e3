import CPushsim

/// Atoms in ascending order with Walker's alias table.
@usableFromInline
final class DiscreteTable: Equatable, @unchecked Sendable {
  let values: [Double]
  let probabilities: [Double]
  /// P(X ≤ values[i]); the last is exactly 1.
  let cumulative: [Double]
  // Written by `init` only, hence `@unchecked Sendable`.
  private let alias: UnsafeMutablePointer<gsl_ran_discrete_t>

  init(values: [Double], weights: [Double]) throws(DistributionError) {
    guard values.count == weights.count else {
      throw DistributionError(
        parameter: "weights", rule: "must be as many as `values` (\(values.count))", value: "\(weights.count)"
      )
    }
    for value in values { try Check.finite("values", value) }
    let total = try totalWeight("weights", weights)
    var atoms: [(value: Double, weight: Double)] = []
    // Negative zero and zero are one atom.
    let sorted = zip(values, weights).filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
    for (value, weight) in sorted {
      if let last = atoms.last, last.value == value {
        atoms[atoms.count - 1].weight += weight
      } else {
        atoms.append((value, weight))
      }
    }
    self.values = atoms.map(\.value)
    probabilities = atoms.map { $0.weight / total }
    cumulative = cumulativeSums(probabilities)
    guard let alias = gsl_ran_discrete_preproc(probabilities.count, probabilities) else {
      throw DistributionError(parameter: "weights", rule: "must be fewer", value: "\(weights.count)")
    }
    self.alias = alias
  }

  deinit { gsl_ran_discrete_free(alias) }

  func draw(_ stream: inout RandomStream) -> Double { values[ps_ran_discrete(&stream.state, alias)] }

  @usableFromInline
  static func == (a: DiscreteTable, b: DiscreteTable) -> Bool {
    a.values == b.values && a.probabilities == b.probabilities
  }
}

/// A list of observations in ascending order.
@usableFromInline
final class Sample: Equatable, Sendable {
  let values: [Double]

  init(_ values: [Double]) throws(DistributionError) {
    guard !values.isEmpty else { throw DistributionError(parameter: "values", rule: "must not be empty") }
    for value in values { try Check.finite("values", value) }
    self.values = values.sorted()
  }

  /// How many values are at most `x`.
  /// - Complexity: O(log values).
  func count(upTo x: Double) -> Int { firstIndex(in: values) { $0 > x } }

  @usableFromInline
  static func == (a: Sample, b: Sample) -> Bool { a.values == b.values }
}

/// The first index whose element satisfies `isBeyond`, which must hold for a tail of the list; else the count.
func firstIndex(in list: [Double], where isBeyond: (Double) -> Bool) -> Int {
  var low = 0
  var high = list.count
  while low < high {
    let middle = (low + high) / 2
    if isBeyond(list[middle]) { high = middle } else { low = middle + 1 }
  }
  return low
}

/// Running sums of probabilities; the last is set to 1, so that no uniform falls beyond it.
func cumulativeSums(_ probabilities: [Double]) -> [Double] {
  var sum = 0.0
  var sums = probabilities.map { p in
    sum += p
    return min(sum, 1)
  }
  sums[sums.count - 1] = 1
  return sums
}

/// The sum of weights that can be made probabilities.
func totalWeight(_ name: String, _ weights: [Double]) throws(DistributionError) -> Double {
  guard !weights.isEmpty else { throw DistributionError(parameter: name, rule: "must not be empty") }
  for weight in weights {
    guard weight.isFinite, weight >= 0 else { throw DistributionError(name, "must not be negative", weight) }
  }
  let total = weights.reduce(0, +)
  guard total > 0, total.isFinite else {
    throw DistributionError(name, "must have a positive sum", total)
  }
  return total
}
