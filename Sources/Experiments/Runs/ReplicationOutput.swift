public import OutputAnalysis
internal import PushModel

/// What a number of replications yielded: all that estimates are made from.
public struct ReplicationOutput: Sendable {
  /// By policy, strategy and metric (in the order of ``Metric/all``).
  public private(set) var samples: [[[ReplicationSample]]]
  /// By policy, strategy and replication; nil where no push was sent.
  private(set) var incidences: [[[ReplicationIncidence?]]] = []
  /// By policy, strategy and replication.
  private(set) var daily: [[[DailyCounts]]] = []
  /// Sums over the replications, by policy and strategy.
  private(set) var totals: [[Tally]] = []

  /// How many replications there are.
  public var count: Int { samples.first?.first?.first?.count ?? 0 }

  /// Creates the output of replications of which none has been recorded.
  ///
  /// - Parameter samplesOnly: whether curves, days and sums are left out: a study looks at the samples of many points, and
  ///   with few devices each the rest would take longest.
  init(policies: Int, strategies: Int, replications: Int, samplesOnly: Bool = false) {
    let none = [ReplicationSample.Item](repeating: ReplicationSample.Item(0, of: 0), count: replications)
    let samples = Metric.all.map { ReplicationSample(none, kind: $0.kind) }
    self.samples = Array(repeating: Array(repeating: samples, count: strategies), count: policies)
    if samplesOnly { return }
    incidences = Array(
      repeating: Array(repeating: Array(repeating: nil, count: replications), count: strategies),
      count: policies)
    daily = Array(
      repeating: Array(repeating: Array(repeating: DailyCounts(), count: replications), count: strategies),
      count: policies)
    totals = Array(repeating: Array(repeating: Tally(), count: strategies), count: policies)
  }

  /// What one of the policies yielded.
  func only(policy: Int) -> ReplicationOutput {
    var one = self
    one.samples = [samples[policy]]
    if !totals.isEmpty {
      one.incidences = [incidences[policy]]
      one.daily = [daily[policy]]
      one.totals = [totals[policy]]
    }
    return one
  }

  /// Puts in what all devices of a replication counted.
  ///
  /// - Parameters:
  ///   - tallies: by policy and strategy.
  ///   - index: the replication's place among these.
  ///   - days: the length of the measured time.
  mutating func record(_ tallies: borrowing [[Tally]], at index: Int, days: Double) {
    for policy in tallies.indices {
      for strategy in tallies[policy].indices {
        if !totals.isEmpty {
          totals[policy][strategy].add(tallies[policy][strategy])
          incidences[policy][strategy][index] = ReplicationIncidence(tallies[policy][strategy].incidence)
          daily[policy][strategy][index] = tallies[policy][strategy].daily
        }
        for metric in Metric.all.indices {
          samples[policy][strategy][metric][index] = Metric.all[metric].item(tallies[policy][strategy], days)
        }
      }
    }
  }

  /// Adds replications that follow these, of the same policies and strategies.
  public mutating func append(_ next: ReplicationOutput) {
    for policy in samples.indices {
      for strategy in samples[policy].indices {
        if !totals.isEmpty {
          totals[policy][strategy].add(next.totals[policy][strategy])
          incidences[policy][strategy] += next.incidences[policy][strategy]
          daily[policy][strategy] += next.daily[policy][strategy]
        }
        for metric in samples[policy][strategy].indices {
          samples[policy][strategy][metric].append(next.samples[policy][strategy][metric])
        }
      }
    }
  }
}
