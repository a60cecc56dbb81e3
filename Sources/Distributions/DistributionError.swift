/// A parameter that breaks a rule of its family; the caller may go on.
///
/// The parts are kept apart so that a decoder can point at the parameter and print rule and value separately.
public struct DistributionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The parameter's name as in a scenario, or nil when the parameters are wrong as a whole.
  public let parameter: String?
  /// What is asked, such as "must be positive".
  public let rule: String
  /// What was given, or nil when the rule says it.
  public let value: String?

  /// Creates an error from its parts.
  public init(parameter: String?, rule: String, value: String? = nil) {
    self.parameter = parameter
    self.rule = rule
    self.value = value
  }

  init(_ parameter: String, _ rule: String, _ value: Double) {
    self.init(parameter: parameter, rule: rule, value: plain(value))
  }

  /// The whole message, such as "`sigma` must be positive, got -1".
  public var description: String {
    let subject = parameter.map { "`\($0)` " } ?? ""
    return subject + rule + (value.map { ", got \($0)" } ?? "")
  }
}

/// A number as a person writes it: no ".0" after a whole one.
func plain(_ x: Double) -> String {
  x == x.rounded() && x.magnitude < 1e15 ? "\(Int64(x))" : "\(x)"
}

/// The rules that families share; each names the parameter, the rule and the value.
enum Check {
  static func finite(_ name: String, _ x: Double) throws(DistributionError) {
    guard x.isFinite else { throw DistributionError(name, "must be finite", x) }
  }

  static func positive(_ name: String, _ x: Double) throws(DistributionError) {
    try finite(name, x)
    guard x > 0 else { throw DistributionError(name, "must be positive", x) }
  }

  static func proportion(_ name: String, _ x: Double) throws(DistributionError) {
    guard x >= 0, x <= 1 else { throw DistributionError(name, "must be from 0 to 1", x) }
  }

  /// A probability that an event happens at all: 0 would make its waiting time infinite.
  static func positiveProportion(_ name: String, _ x: Double) throws(DistributionError) {
    guard x > 0, x <= 1 else { throw DistributionError(name, "must be above 0 and at most 1", x) }
  }

  static func above(_ name: String, _ x: Double, _ otherName: String, _ other: Double)
    throws(DistributionError)
  {
    guard x > other else {
      throw DistributionError(name, "must be above `\(otherName)` (\(plain(other)))", x)
    }
  }
}
