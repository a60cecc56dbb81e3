public import Distributions
public import Quantities

/// One row of a table of annotated values: a parameter, or a distribution that is a value itself.
public enum TableRow<Root: Sendable>: Sendable {
  case parameter(ParameterKey<Root>)
  case distribution(
    String, Dimension, support: ClosedRange<Double>, any WritableKeyPath<Root, Distribution> & Sendable,
    summary: String)

  public var path: String {
    switch self {
    case .parameter(let key): key.path
    case .distribution(let path, _, _, _, _): path
    }
  }

  public var summary: String {
    switch self {
    case .parameter(let key): key.summary
    case .distribution(_, _, _, _, let summary): summary
    }
  }
}

/// One row of the population table.
public typealias PopulationKey = TableRow<Population>
