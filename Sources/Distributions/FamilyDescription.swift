/// What a decoder has to know of a family: its name, and which parameters make a distribution of it.
public struct FamilyDescription: Sendable, Hashable {
  /// What a parameter's number is, and so how it is written in a scenario.
  public enum Role: Sendable, Hashable {
    /// Carries the distribution's unit.
    case sameDimension
    /// A pure number.
    case pure
    /// A pure number from 0 to 1.
    case proportion
    /// The natural logarithm of a value in the distribution's unit.
    case logarithm
  }

  /// A parameter by its name in a scenario.
  public struct Parameter: Sendable, Hashable {
    /// The name in snake_case.
    public let name: String
    /// What its number is.
    public let role: Role
  }

  /// The family's name in snake_case.
  public let name: String
  /// All parameters except quantiles, which any name of ``Quantile/level(named:)`` stands for.
  public let parameters: [Parameter]
  /// The sets of parameters of which one must be given whole.
  public let parameterSets: [[String]]
  /// Parameters that may be added to any set.
  public let optionalParameters: [String]
  /// How many quantiles determine the distribution instead; 0 when quantiles are not accepted.
  public let quantileCount: Int
  /// Whether values are counts, so that the distribution cannot carry a unit.
  public let isCount: Bool

  /// The role of a parameter, or nil when the family has none of that name.
  public func role(of parameter: String) -> Role? {
    if let known = parameters.first(where: { $0.name == parameter }) { return known.role }
    return quantileCount > 0 && Quantile.level(named: parameter) != nil ? .sameDimension : nil
  }

  /// The accepted parameters in words, such as "`mean`, or a quantile such as `median` or `p95`".
  public var expectation: String {
    var ways = parameterSets.map { $0.map { "`\($0)`" }.joined(separator: " and ") }
    if quantileCount == 1 { ways.append("a quantile such as `median` or `p95`") }
    if quantileCount == 2 { ways.append("two quantiles such as `median` and `p95`") }
    let also = optionalParameters.map { "`\($0)`" }.joined(separator: " and ")
    return ways.joined(separator: ", or ") + (also.isEmpty ? "" : "; optionally \(also)")
  }

  init(
    _ name: String, _ parameters: [(String, Role)], sets: [[String]], optional: [String] = [],
    quantiles: Int = 0, isCount: Bool = false
  ) {
    self.name = name
    self.parameters = parameters.map { Parameter(name: $0.0, role: $0.1) }
    parameterSets = sets
    optionalParameters = optional
    quantileCount = quantiles
    self.isCount = isCount
  }
}
