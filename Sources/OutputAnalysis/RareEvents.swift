import CGSL

/// Limits of shares and rates of which few events were seen, or few were not.
///
/// Student's interval asks the replications how much they vary. Of something rare they say too little: with no event in any
/// of them, nothing. Then the number of events bounds the share by itself, as in the rule of three: with none among n
/// independent units, 95 % limits reach up to 3.7/n. Up to ``fewEvents`` the limits here are the wider of both
/// on each side; up to ``manyEvents`` they go over into Student's.
///
/// - Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", 1934;
///   Garwood, "Fiducial limits for the Poisson distribution", 1936; Korn and Graubard, "Confidence intervals for
///   proportions with small expected number of positive counts", 1998, for the effective number of units.
/// - Limitations: exact for units of one chance each. What happens several times to one unit is taken as happening to all of
///   its chances alike, so the limits are rather too wide. They know nothing of what all units of a replication have in
///   common.
enum RareEvents {
  /// Chosen by coverage, with ``manyEvents`` (Documentation/Coverage.md).
  static let fewEvents = 10.0
  static let manyEvents = 30.0

  /// How much of the limits is Student's, when there are so many events, or so many units without one.
  private static func studentsShare(_ events: Double) -> Double {
    min(1, max(0, (events - fewEvents) / (manyEvents - fewEvents)))
  }

  private static func blend(
    _ student: ClosedRange<Double>, _ counted: ClosedRange<Double>, _ events: Double
  ) -> ClosedRange<Double> {
    let weight = studentsShare(events)
    func side(_ student: Double, _ wider: Double) -> Double { wider + weight * (student - wider) }
    return side(
      student.lowerBound, min(student.lowerBound, counted.lowerBound))...side(
        student.upperBound, max(student.upperBound, counted.upperBound))
  }

  /// Limits of a share among units.
  static func share(
    _ share: Double, units: Double, student: ClosedRange<Double>, confidence: Double
  ) -> ClosedRange<Double> {
    func clipped(_ end: Double) -> Double { min(1, max(0, end)) }
    let clipped = clipped(student.lowerBound)...clipped(student.upperBound)
    guard units > 0, share >= 0, share <= 1 else { return clipped }
    let events = share * units
    let rare = min(events, units - events)
    if rare >= manyEvents { return clipped }
    return blend(clipped, binomial(events, of: units, confidence: confidence), rare)
  }

  /// Limits of a rate: events over what they were counted in.
  static func rate(
    _ rate: Double, whole: Double, student: ClosedRange<Double>, confidence: Double
  ) -> ClosedRange<Double> {
    let clipped = max(0, student.lowerBound)...max(0, student.upperBound)
    let events = rate * whole
    guard events >= 0, events < manyEvents else { return clipped }
    let tail = (1 - confidence) / 2
    let low = events > 0 ? gsl_cdf_gamma_Pinv(tail, events, 1) / whole : 0
    let high = gsl_cdf_gamma_Qinv(tail, events + 1, 1) / whole
    return blend(clipped, low...max(low, high), events)
  }

  /// How two shares of the same units differ: by the units that have the event with one of them only. Of a replication the
  /// balance of both ways is known.
  struct Balance {
    /// Units that have the event with the first only, and with the second only.
    private var more = 0.0
    private var fewer = 0.0
    private var units = 0.0

    /// Nil unless both are shares, of units.
    init?(_ a: ReplicationSample, _ b: ReplicationSample) {
      guard a.kind == .share, b.kind == .share else { return nil }
      for (x, y) in zip(a.items, b.items) {
        guard let own = x.value, let other = y.value else { continue }
        let both = min(x.units, y.units)
        more += max(0, own - other) * both
        fewer += max(0, other - own) * both
        units += both
      }
      guard units > 0 else { return nil }
    }

    /// Limits of the difference, which is at most the share of the units that the two treat differently.
    func limits(student: ClosedRange<Double>, confidence: Double) -> ClosedRange<Double> {
      func clipped(_ end: Double) -> Double { min(1, max(-1, end)) }
      let clipped = clipped(student.lowerBound)...clipped(student.upperBound)
      guard more + fewer < manyEvents else { return clipped }
      // Each of the two is missed with half of the probability.
      let each = 1 - (1 - confidence) / 2
      let up = binomial(min(more, units), of: units, confidence: each)
      let down = binomial(min(fewer, units), of: units, confidence: each)
      let counted = (up.lowerBound - down.upperBound)...(up.upperBound - down.lowerBound)
      return blend(clipped, counted, more + fewer)
    }

    /// The variance of the difference as if one unit more differed; 0 where enough of them do for replications to tell.
    var leastVariance: Double {
      more + fewer < fewEvents ? (more + fewer + 1) / (units * units) : 0
    }
  }

  /// Clopper and Pearson's limits, for any number of events.
  static func binomial(_ events: Double, of units: Double, confidence: Double) -> ClosedRange<Double> {
    let tail = (1 - confidence) / 2
    let others = max(0, units - events)
    // The share p at which a beta distribution has so much probability below p.
    func solve(_ a: Double, _ b: Double, _ probability: Double) -> Double {
      var (low, high) = (0.0, 1.0)
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if gsl_cdf_beta_P(middle, a, b) < probability { low = middle } else { high = middle }
      }
      return (low + high) / 2
    }
    let low = events > 0 ? solve(events, others + 1, tail) : 0
    let high = others > 0 ? solve(events + 1, others, 1 - tail) : 1
    return min(low, high)...high
  }
}
