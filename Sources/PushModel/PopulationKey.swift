public import Distributions
public import Quantities

/// One row of the population table: a scalar parameter, or a distribution from which devices draw.
public enum PopulationKey: Sendable {
  case parameter(ParameterKey<Population>)
  /// A distribution over quantities of `dimension`; draws outside `support` are an error of the file where the
  /// family allows to say so, and clamped otherwise.
  case distribution(
    String, Dimension, support: ClosedRange<Double>, any WritableKeyPath<Population, Distribution> & Sendable,
    summary: String)

  public var path: String {
    switch self {
    case .parameter(let key): key.path
    case .distribution(let path, _, _, _, _): path
    }
  }
}
