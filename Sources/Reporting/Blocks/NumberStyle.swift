import Experiments

/// How numbers of a unit are written, wherever results show them.
enum NumberStyle: Equatable {
  case percent(decimals: Int)
  case duration
  case fixed(suffix: String)
  case bytes
  case count

  init(_ unit: Metric.Unit?) {
    switch unit {
    case .proportion: self = .percent(decimals: 1)
    case .proportionPerDeviceDay: self = .percent(decimals: 3)
    case .seconds: self = .duration
    case .joules, .joulesPerDeviceDay: self = .fixed(suffix: " J")
    case .bytesPerDeviceDay: self = .bytes
    case .perDeviceDay, nil: self = .fixed(suffix: "")
    }
  }

  /// - Parameter unit: as result files name it.
  init(unit: String) { self.init(Metric.Unit(rawValue: unit)) }

  init(metric: String) { self.init(Metric.named(metric)?.unit) }

  /// What stands beside the title of a column whose cells are ``bare(_:)``.
  var columnUnit: String {
    switch self {
    case .percent: " %"
    case .fixed(let suffix): suffix
    case .duration, .bytes, .count: ""
    }
  }

  /// With the unit.
  func text(_ value: Double) -> String { bare(value) + columnUnit }

  /// Without the unit where that is the same for all values.
  func bare(_ value: Double) -> String {
    switch self {
    case .percent(let decimals): return NumberText.fixed(value * 100, decimals)
    case .duration: return NumberText.duration(seconds: value)
    case .fixed:
      let size = value.magnitude
      return size >= 10_000
        ? NumberText.grouped(value) : NumberText.fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2)
    case .bytes:
      let units: [(name: String, size: Double)] = [("GB", 1e9), ("MB", 1e6), ("KB", 1000)]
      let unit = units.first { value.magnitude >= $0.size } ?? ("B", 1)
      let size = value / unit.size
      let decimals = unit.size == 1 ? 0 : size.magnitude >= 100 ? 0 : size.magnitude >= 10 ? 1 : 2
      return NumberText.fixed(size, decimals) + " " + unit.name
    case .count: return NumberText.grouped(value)
    }
  }

  /// A bare value with its plausible range and half its interval.
  func bare(_ value: Double, half: Double?, plausible: (low: Double, high: Double)? = nil) -> String {
    bare(value) + (plausible.map { " (\(bare($0.low))–\(bare($0.high)))" } ?? "")
      + (half.map { " ±" + bare($0) } ?? "")
  }

  /// An interval's ends; a unit that both have is said once.
  func interval(_ low: Double, _ high: Double) -> (low: String, high: String) {
    Self.sharing(text(low), text(high))
  }

  /// `61.0 % (60.5 to 61.4 %)`; without the brackets where there is no interval.
  func estimate(_ value: Double, _ low: Double?, _ high: Double?) -> String {
    guard let low, let high else { return text(value) }
    let ends = interval(low, high)
    return "\(text(value)) (\(ends.low) to \(ends.high))"
  }

  /// `61.0 % (plausible 41.2 to 63.0 %; chance 60.5 to 61.4 %)`; as ``estimate(_:_:_:)`` where no range is known.
  func estimate(_ value: Double, _ low: Double?, _ high: Double?, plausible: (low: Double, high: Double)?)
    -> String
  {
    guard let plausible else { return estimate(value, low, high) }
    let range = interval(plausible.low, plausible.high)
    var chance = ""
    if let low, let high {
      let ends = interval(low, high)
      chance = "; chance \(ends.low) to \(ends.high)"
    }
    return "\(text(value)) (plausible \(range.low) to \(range.high)\(chance))"
  }

  /// How far values lie apart, without a sign; of shares in points of a hundred.
  func size(_ value: Double, decimals: Int? = nil) -> String {
    if case .percent(let usual) = self {
      return NumberText.fixed(value * 100, decimals ?? usual) + " points"
    }
    return text(value)
  }

  /// A difference with its sign.
  func difference(_ value: Double) -> String { (value > 0 ? "+" : "") + size(value) }

  /// `+2.0 points (-1.0 to +5.0 points)`.
  func change(_ value: Double, _ low: Double?, _ high: Double?) -> String {
    guard let low, let high else { return difference(value) }
    let ends = differences(low, high)
    return "\(difference(value)) (\(ends.low) to \(ends.high))"
  }

  func differences(_ low: Double, _ high: Double) -> (low: String, high: String) {
    Self.sharing(difference(low), difference(high))
  }

  private static func sharing(_ a: String, _ b: String) -> (low: String, high: String) {
    guard let cutA = a.lastIndex(of: " "), let cutB = b.lastIndex(of: " "), a[cutA...] == b[cutB...] else {
      return (a, b)
    }
    return (String(a[..<cutA]), b)
  }
}
