import Distributions
public import PushPolicy
public import Quantities

/// Whose lives are simulated.
public enum PopulationSource: Sendable {
  /// Each device draws its own life.
  case drawn(Parameterised<Population>)
  /// Every device lives the script; latencies, drain and the like come from the population.
  case scripted(LifeScript, base: Parameterised<Population>)

  public var parameters: Parameterised<Population> {
    switch self {
    case .drawn(let parameters): parameters
    case .scripted(_, let base): base
    }
  }
}

/// A named policy with its parameters.
public struct PolicyProfile: Sendable {
  public var name: String
  public var parameters: Parameterised<Policy>

  public init(name: String, parameters: Parameterised<Policy>) {
    self.name = name
    self.parameters = parameters
  }
}

/// Everything that determines a replication, beside its number.
public struct ModelInput: Sendable {
  public var population: PopulationSource
  public var policies: [PolicyProfile]
  public var app: AppModel
  public var content: ContentModel?
  public var strategies: [Strategy]
  /// When APNs answers with errors.
  public var outages: [Outage] = []
  /// What hits all devices at once; nil: nothing.
  public var sharedEvents: SharedEvents?
  public var seed: UInt64
  public var warmUp: SimDuration
  /// Counted after the warm-up.
  public var duration: SimDuration

  public init(
    population: PopulationSource, policies: [PolicyProfile], app: AppModel, content: ContentModel?,
    strategies: [Strategy], seed: UInt64, warmUp: SimDuration, duration: SimDuration
  ) {
    self.population = population
    self.policies = policies
    self.app = app
    self.content = content
    self.strategies = strategies
    self.seed = seed
    self.warmUp = warmUp
    self.duration = duration
  }

  /// The instant at which the run ends.
  public var end: SimTime { .zero + warmUp + duration }
}
