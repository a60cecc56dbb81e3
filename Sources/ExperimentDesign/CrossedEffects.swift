import OutputAnalysis

/// How much of the spread of a result is chance and how much is the difference between settings, when every setting is
/// run with the same replications (common random numbers).
///
/// The model is y = μ + setting + replication + rest, all random. What a replication does to all settings alike is chance,
/// but it does not blur their differences; so the spread between the settings' means holds only the rest's part of it.
///
/// - Source: the two-way random-effects analysis of variance without repetition (Searle, Casella and McCulloch,
///   "Variance Components", 1992).
/// - Limitations: variances are unbiased before negative ones are set to 0; that of the replications is poor if they are
///   few.
public struct CrossedEffects: Sendable, Hashable {
  /// The mean over settings and replications.
  public let mean: Double
  public let settings: Int
  public let replications: Int
  /// Variance of the true means of settings: what is left with endless replications.
  public let settingVariance: Double
  /// Variance of what a replication does to all settings alike.
  public let replicationVariance: Double
  /// Variance of what is left, in one replication of one setting.
  public let restVariance: Double
  /// Variance of a setting's mean that is due to chance.
  public let chanceVariance: Double
  /// The standard error of ``mean``, both kinds of uncertainty included.
  public let standardError: Double
  /// By setting: the mean, drawn towards ``mean`` so far that their spread is that of the true means.
  public let corrected: [Double]

  /// - Parameter values: by setting, then replication.
  /// - Returns: nil with fewer than two settings or replications.
  /// - Precondition: as many replications of each setting, all values finite.
  public init?(_ values: [[Double]]) {
    guard let first = values.first, values.count >= 2, first.count >= 2 else { return nil }
    let count = first.count
    for row in values {
      precondition(row.count == count, "\(row.count) replications of one setting, \(count) of another")
    }
    let means = values.map { $0.reduce(0, +) / Double(count) }
    let columns = (0..<count).map { r in values.reduce(0) { $0 + $1[r] } / Double(values.count) }
    let mean = Moments(means).mean!
    var rest = 0.0
    for (row, m) in zip(values, means) {
      for (value, column) in zip(row, columns) {
        let residual = value - m - column + mean
        rest += residual * residual
      }
    }
    let settings = Double(values.count)
    let replications = Double(count)
    let restSquare = rest / ((settings - 1) * (replications - 1))
    // Variances of the settings' and of the replications' means.
    let between = Moments(means).variance!
    let along = Moments(columns).variance!
    self.mean = mean
    self.settings = values.count
    self.replications = count
    restVariance = restSquare
    settingVariance = max(0, between - restSquare / replications)
    replicationVariance = max(0, along - restSquare / settings)
    chanceVariance = values.reduce(0) { $0 + Moments($1).variance! } / settings / replications
    standardError =
      max(0, between / settings + along / replications - restSquare / (settings * replications)).squareRoot()
    let shrinkage = between > 0 ? (settingVariance / between).squareRoot() : 0
    corrected = means.map { mean + shrinkage * ($0 - mean) }
  }

  /// The share of ``settingVariance`` in the sum of it and ``chanceVariance``; nil when nothing varies.
  public var settingShare: Double? {
    let sum = settingVariance + chanceVariance
    return sum > 0 ? settingVariance / sum : nil
  }

  /// The interval that holds the true mean of one more setting with that probability.
  ///
  /// The spread is known the less, the more of the spread between settings is chance: so the interval is that much wider, as
  /// Student's quantile is than the normal one at the degrees of freedom of ``settingVariance`` (Satterthwaite, 1946).
  public func interval(share: Double) -> (low: Double, high: Double) {
    let sorted = corrected.sorted()
    let (low, high) = (nextQuantile(sorted, (1 - share) / 2), nextQuantile(sorted, (1 + share) / 2))
    guard settingVariance > 0 else { return (low, high) }
    let chance = restVariance / Double(replications)
    let between = settingVariance + chance
    let error =
      between * between / Double(settings - 1)
      + chance * chance / Double((settings - 1) * (replications - 1))
    let freedom = max(3, min(1_000_000, Int(settingVariance * settingVariance / error)))
    let wider =
      studentQuantile(confidence: share, degreesOfFreedom: freedom)
      / studentQuantile(confidence: share, degreesOfFreedom: 1_000_000)
    return (mean + wider * (low - mean), mean + wider * (high - mean))
  }
}

/// The value below which one more of the same kind lies with probability `p`, on average over samples (type 6 of Hyndman and
/// Fan, 1996). With few values the sample's own quantile (type 7) has less than its share outside: of 64 values 93 % lie
/// between it for 90 %, and one more in 88 % of the cases.
///
/// - Precondition: the sample is not empty, `p` is from 0 to 1.
public func nextQuantile(_ sorted: [Double], _ p: Double) -> Double {
  let most = Double(sorted.count - 1)
  guard most > 0 else { return sampleQuantile(sorted, p) }
  return sampleQuantile(sorted, min(1, max(0, (p * (most + 2) - 1) / most)))
}

/// The quantile of a sorted sample, between its values linearly (type 7 of Hyndman and Fan, 1996).
///
/// - Precondition: the sample is not empty, `p` is from 0 to 1.
public func sampleQuantile(_ sorted: [Double], _ p: Double) -> Double {
  precondition(!sorted.isEmpty && p >= 0 && p <= 1, "the quantile \(p) of \(sorted.count) values")
  let position = p * Double(sorted.count - 1)
  let below = Int(position)
  guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
  return sorted[below] + (position - Double(below)) * (sorted[below + 1] - sorted[below])
}
