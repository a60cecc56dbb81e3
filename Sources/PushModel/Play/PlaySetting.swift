public import Distributions
public import PushPolicy
public import Quantities

/// What all devices of a replication share when a strategy is played.
public struct PlaySetting: Sendable {
  public var strategy: Strategy
  public var policy: Policy
  public var app: AppModel
  /// Run time of the push handler.
  public var handlerDuration: Distribution
  /// Transit from APNs to a connected device.
  public var transit: Distribution
  /// How fast the device loads from a server. Unit: bytes per second.
  var bandwidthOnWiFi: Distribution
  var bandwidthOnCellular: Distribution
  public var slowTransitProbability: Double
  public var slowTransit: Distribution
  /// The content updates of the replication, ascending.
  public var updates: [SimTime]
  /// When APNs answers with errors.
  public var outages: [Outage] = []
  /// The replication's events that hit all devices, those at APNs apart, which are among the outages.
  var sharedEvents: [SharedEvents.Event] = []
  /// Whether there is content at all: without, freshness has no meaning.
  public var hasContent: Bool
  /// What the strategy's doings cost.
  public var energy = EnergyModel()
  /// Pushes sent before this, and opens and launches before this, do not count.
  public var warmUp: SimTime
  public var end: SimTime

  public init(
    strategy: Strategy, policy: Policy, app: AppModel, population: borrowing Population, updates: [SimTime],
    hasContent: Bool, warmUp: SimTime, end: SimTime
  ) {
    self.strategy = strategy
    self.policy = policy
    self.app = app
    handlerDuration = app.handlerDuration ?? population.latency.handler
    transit = population.latency.apnsOnline
    bandwidthOnWiFi = population.network.bandwidthWiFi
    bandwidthOnCellular = population.network.bandwidthCellular
    slowTransitProbability = population.latency.apnsSlowTailProbability
    slowTransit = population.latency.apnsSlowTail
    self.updates = updates
    self.hasContent = hasContent
    self.warmUp = warmUp
    self.end = end
  }
}
