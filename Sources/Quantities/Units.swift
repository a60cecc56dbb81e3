/// One way to write a quantity of a dimension.
public struct Unit: Sendable, Hashable {
  /// As written after the number, such as `min` or `/h`; case matters (`mW` is not `MW`).
  public let symbol: String
  public let dimension: Dimension
  // Two exact numbers in place of one factor: 7 × 0.01 is not 0.07, but 7 ÷ 100 is.
  let multiplier: Double
  let divisor: Double
  /// Whether a value may be shown in this unit; the others are only read.
  let isShown: Bool

  /// The SI value of `number` in this unit.
  public func si(_ number: Double) -> Double { number * multiplier / divisor }
  /// The number in this unit of an SI value.
  public func number(_ si: Double) -> Double { si * divisor / multiplier }
}

extension Dimension {
  /// Every unit that may be written, in order of preference where two would show a value equally short.
  public var units: [Unit] {
    switch self {
    case .count: []
    case .proportion: Self.proportionUnits
    case .time: Self.timeUnits
    case .rate: Self.rateUnits
    case .proportionRate: Self.proportionRateUnits
    case .bytes: Self.byteUnits
    case .energy: Self.energyUnits
    case .power: Self.powerUnits
    case .bandwidth: Self.bandwidthUnits
    }
  }

  /// A value as an author would write it; messages say "such as".
  public var example: String {
    switch self {
    case .count: "3"
    case .proportion: "40 %"
    case .time: "15 min"
    case .rate: "2 /h"
    case .proportionRate: "1.2 %/h"
    case .bytes: "4 KB"
    case .energy: "3 J"
    case .power: "0.24 W"
    case .bandwidth: "1 MB/s"
    }
  }

  /// What messages call a value of this dimension, with its article.
  public var nounPhrase: String {
    switch self {
    case .count: "a number"
    case .proportion: "a proportion"
    case .time: "a duration"
    case .rate: "a rate"
    case .proportionRate: "a change per time"
    case .bytes: "a size"
    case .energy: "an energy"
    case .power: "a power"
    case .bandwidth: "a data rate"
    }
  }

  /// The unit in which values below one of every unit are shown.
  var smallestUnit: Unit? { units.filter(\.isShown).min { $0.si(1) < $1.si(1) } }

  /// Zero, which is as short in every unit, in the one that reads best.
  var zeroText: String {
    switch self {
    case .count: "0"
    case .proportion: "0 %"
    case .time: "0 s"
    case .rate: "0 /h"
    case .proportionRate: "0 %/h"
    case .bytes: "0 B"
    case .energy: "0 J"
    case .power: "0 W"
    case .bandwidth: "0 B/s"
    }
  }

  /// The unit of that symbol, whatever its dimension: no symbol belongs to two.
  public static func unit(_ symbol: String) -> Unit? { allUnits[symbol] }

  private static let allUnits = Dictionary(
    uniqueKeysWithValues: allCases.flatMap(\.units).map { ($0.symbol, $0) })

  private static let proportionUnits = table(.proportion, [("%", 1, 100, true)])
  private static let timeUnits = table(
    .time,
    [
      ("week", 604_800, 1, false), ("weeks", 604_800, 1, false),
      ("d", 86_400, 1, true), ("day", 86_400, 1, false), ("days", 86_400, 1, false),
      ("h", 3600, 1, true), ("hour", 3600, 1, false), ("hours", 3600, 1, false),
      ("min", 60, 1, true), ("minute", 60, 1, false), ("minutes", 60, 1, false),
      ("s", 1, 1, true), ("second", 1, 1, false), ("seconds", 1, 1, false),
      ("ms", 1, 1000, true), ("us", 1, 1_000_000, true), ("µs", 1, 1_000_000, false),
    ])
  private static let rateUnits = table(
    .rate,
    [
      ("/s", 1, 1, true), ("/min", 1, 60, true), ("/h", 1, 3600, true), ("/hour", 1, 3600, false),
      ("/day", 1, 86_400, true), ("/d", 1, 86_400, false), ("/week", 1, 604_800, true),
    ])
  // Shown per hour only: battery drain is compared by eye, and a mix of units would hide which is larger.
  private static let proportionRateUnits = table(
    .proportionRate,
    [
      ("%/s", 1, 100, false), ("%/min", 1, 6000, false), ("%/h", 1, 360_000, true),
      ("%/day", 1, 8_640_000, false), ("%/d", 1, 8_640_000, false),
    ])
  private static let byteUnits = table(
    .bytes,
    [
      ("GB", 1e9, 1, true), ("MB", 1e6, 1, true), ("KB", 1000, 1, true), ("kB", 1000, 1, false),
      ("GiB", 1_073_741_824, 1, true), ("MiB", 1_048_576, 1, true), ("KiB", 1024, 1, true),
      ("B", 1, 1, true),
    ])
  private static let energyUnits = table(
    .energy,
    [
      ("Wh", 3600, 1, true), ("mWh", 36, 10, false), ("MJ", 1e6, 1, false), ("kJ", 1000, 1, true),
      ("mJ", 1, 1000, false), ("J", 1, 1, true),
    ])
  private static let powerUnits = table(
    .power, [("kW", 1000, 1, false), ("mW", 1, 1000, false), ("W", 1, 1, true)])
  private static let bandwidthUnits = table(
    .bandwidth,
    [
      ("GB/s", 1e9, 1, true), ("MB/s", 1e6, 1, true), ("KB/s", 1000, 1, true), ("kB/s", 1000, 1, false),
      ("Gbit/s", 125_000_000, 1, true), ("Mbit/s", 125_000, 1, true), ("kbit/s", 125, 1, true),
      ("MiB/s", 1_048_576, 1, false), ("KiB/s", 1024, 1, false), ("bit/s", 1, 8, false),
      ("B/s", 1, 1, true),
    ])

  private static func table(_ dimension: Dimension, _ rows: [(String, Double, Double, Bool)]) -> [Unit] {
    rows.map { Unit(symbol: $0.0, dimension: dimension, multiplier: $0.1, divisor: $0.2, isShown: $0.3) }
  }
}
