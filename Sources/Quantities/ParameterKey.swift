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

  /// What holds of several values together.
  public enum Rule: Sendable, Equatable {
    /// The parameter is a share of a whole, with its siblings 100 %. `rest` is the path of the key by which an author says
    /// what becomes of the shares that are not named.
    case share(rest: String)
    /// The numbers of the list count relative to each other; not all of them are 0.
    case weights
  }

  /// Dotted, `snake_case`, as in `hourly_budget.limit`.
  public let path: String
  public let kind: Kind
  /// One line: what the parameter means.
  public let summary: String
  public let rule: Rule?

  public init(_ path: String, _ kind: Kind, _ summary: String, rule: Rule? = nil) {
    self.path = path
    self.kind = kind
    self.summary = summary
    self.rule = rule
  }
}
