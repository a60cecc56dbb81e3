/// One scalar parameter of a policy profile or a population: its name in files, what it measures, the values it may
/// take, and where it is kept. The decoder, `--set`, the command line's tables and the reports all read this one row;
/// the value itself, its evidence and its source are data in the YAML files under `Scenarios/`.
public struct ParameterKey<Root>: Sendable {
  public enum Kind: Sendable {
    /// A quantity within a range, ends included, in the dimension's SI unit.
    case number(Dimension, ClosedRange<Double>, any WritableKeyPath<Root, Double> & Sendable)
    /// A list of that many quantities.
    case numbers(Dimension, ClosedRange<Double>, count: Int, any WritableKeyPath<Root, [Double]> & Sendable)
    /// One of a few words; kept as the index in the list.
    case choice([String], any WritableKeyPath<Root, Int> & Sendable)
    /// `on` or `off`.
    case flag(any WritableKeyPath<Root, Bool> & Sendable)
  }

  /// Dotted, `snake_case`, as in `hourly_budget.limit`.
  public let path: String
  public let kind: Kind
  /// One line: what the parameter means.
  public let summary: String

  public init(_ path: String, _ kind: Kind, _ summary: String) {
    self.path = path
    self.kind = kind
    self.summary = summary
  }
}
