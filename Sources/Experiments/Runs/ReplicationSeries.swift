public import OutputAnalysis
import PushModel

/// One number per replication: a metric of a strategy under a policy, by their names.
public struct ReplicationSeries: Sendable, Hashable {
  public var policy: String
  public var strategy: String
  public var metric: String

  public init(policy: String, strategy: String, metric: String) {
    self.policy = policy
    self.strategy = strategy
    self.metric = metric
  }
}

extension Scenario {
  /// What replications of the scenario yield: by policy, then strategy, then metric in the order of ``Metric/all``;
  /// metrics that do not apply to a strategy are left out.
  public var series: [ReplicationSeries] {
    input.policies.flatMap { policy in
      input.strategies.flatMap { strategy in
        Metric.all.filter { $0.applies(to: strategy, hasContent: input.content != nil) }.map {
          ReplicationSeries(policy: policy.name, strategy: strategy.name, metric: $0.name)
        }
      }
    }
  }
}

extension ReplicationOutput {
  /// What the replications say of the scenario's series: by replication, in the order of `series`.
  ///
  /// - Precondition: this is an output of the scenario, and the series are among its own.
  public func rows(_ series: [ReplicationSeries], of scenario: Scenario) -> [[ReplicationSample.Item]] {
    let columns = series.map { one in
      let policy = scenario.input.policies.firstIndex { $0.name == one.policy }!
      let strategy = scenario.input.strategies.firstIndex { $0.name == one.strategy }!
      return samples[policy][strategy][Metric.all.firstIndex { $0.name == one.metric }!]
    }
    guard let count = columns.first?.count else { return [] }
    return (0..<count).map { replication in columns.map { $0[replication] } }
  }
}
