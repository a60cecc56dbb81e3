/// A value of a distribution together with the probability of not exceeding it.
public struct Quantile: Sendable, Hashable {
  /// The probability, strictly between 0 and 1.
  public let level: Double
  /// The value, in the distribution's unit.
  public let value: Double

  /// - Precondition: `level` is strictly between 0 and 1.
  public init(level: Double, value: Double) {
    precondition(level > 0 && level < 1, "a quantile's level must be between 0 and 1, got \(level)")
    self.level = level
    self.value = value
  }

  /// The level that a scenario's name stands for: `median`, or `p` and two or three decimals (`p05`, `p95`, `p999`).
  ///
  /// - Returns: nil when `name` is no such name.
  public static func level(named name: String) -> Double? {
    if name == "median" { return 0.5 }
    let decimals = name.utf8.dropFirst()
    guard name.utf8.first == UInt8(ascii: "p"), decimals.count == 2 || decimals.count == 3 else { return nil }
    var number = 0
    for decimal in decimals {
      guard decimal >= UInt8(ascii: "0"), decimal <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(decimal - UInt8(ascii: "0"))
    }
    return number == 0 ? nil : Double(number) / (decimals.count == 2 ? 100 : 1000)
  }

  /// The name that stands for a level, such as `p95`; used in messages.
  var name: String {
    if level == 0.5 { return "median" }
    let hundredths = (level * 100).rounded()
    let decimals =
      Double(hundredths) / 100 == level ? (Int(hundredths), 2) : (Int((level * 1000).rounded()), 3)
    let digits = String(decimals.0)
    return "p" + String(repeating: "0", count: max(decimals.1 - digits.count, 0)) + digits
  }
}
