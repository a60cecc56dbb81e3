import Experiments
import OutputAnalysis
import PushModel
import Quantities

/// Prints how much less the difference of two strategies varies when both are played against the same lives than when
/// they are run with different seeds, and how much less at most.
///
/// For each pair of strategies and metric: the variance of the difference between runs of two seeds, divided by that
/// within a run. Both are run. The bound divides by the part of the latter that comes from the lives alone: each life
/// is played twice with draws of its own, and the covariance of the two differences is that part. No way to share the
/// draws of the play can do better.
func measureCommonRandomNumbers(_ options: Options) {
  let scenario = options.scenario
  let replications = scenario.experiment.replications
  let strategies = scenario.input.strategies
  var metrics = Array(options.operands.dropFirst())
  if metrics.isEmpty {
    metrics = ["delivered", "delivered_within_5min", "fresh_open", "wakes_per_device_day"]
  }
  let chosen = metrics.map { name in
    guard let metric = Metric.named(name) else { fail("there is no metric \(name)") }
    return metric
  }
  // Two plays of each life, and a run of another seed.
  let first = values(scenario, chosen, play: { $0 })
  let again = values(scenario, chosen, play: { $0 + replications })
  var other = scenario
  other.seed += 1
  let second = values(other, chosen, play: { $0 })

  print("\(scenario.name): \(scenario.experiment.devices) devices, \(replications) replications\n")
  print("| difference | \(metrics.map { "`\($0)`" }.joined(separator: " | ")) |")
  print("|---|" + String(repeating: "---:|", count: metrics.count))
  for a in strategies.indices {
    for b in strategies.indices where b > a {
      let cells = chosen.indices.map { metric -> String in
        let pairs = [(first[a], first[b]), (again[a], again[b]), (first[a], second[b])].map {
          difference($0[metric], $1[metric])
        }
        guard let paired = pairs[0], let repeated = pairs[1], let independent = pairs[2] else { return "–" }
        let variance = Moments(independent).variance!
        let within = (Moments(paired).variance! + Moments(repeated).variance!) / 2
        guard within > 0 else { return "–" }
        let ofLives = covariance(paired, repeated)
        let bound = ofLives > 0 ? text(variance / ofLives) : "∞"
        return "\(text(variance / within)) of \(bound)"
      }
      print("| `\(strategies[a].name)` − `\(strategies[b].name)` | \(cells.joined(separator: " | ")) |")
    }
  }
}

/// By strategy, metric and replication.
private func values(
  _ scenario: Scenario, _ metrics: [Metric], play: (_ replication: Int) -> Int
) -> [[[Double?]]] {
  let strategies = scenario.input.strategies
  var values: [[[Double?]]] = strategies.map { _ in metrics.map { _ in [] } }
  let days = scenario.input.duration.days
  for replication in 0..<scenario.experiment.replications {
    var worker = DeviceWorker(scenario.input, replication: play(replication), world: replication)
    for device in 0..<scenario.experiment.devices { run(&worker, device) }
    let tallies = worker.takeTallies()[0]
    for (index, strategy) in strategies.enumerated() {
      for (number, metric) in metrics.enumerated() {
        let applies = metric.applies(to: strategy, hasContent: scenario.input.content != nil)
        values[index][number].append(applies ? metric.item(tallies[index], days).value : nil)
      }
    }
  }
  return values
}

/// Nil unless all values are there.
private func difference(_ a: [Double?], _ b: [Double?]) -> [Double]? {
  let known = zip(a, b).compactMap { a, b in a.flatMap { a in b.map { a - $0 } } }
  return known.count == a.count ? known : nil
}

private func covariance(_ a: [Double], _ b: [Double]) -> Double {
  let (meanA, meanB) = (Moments(a).mean!, Moments(b).mean!)
  return zip(a, b).reduce(0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) } / Double(a.count - 1)
}

private func text(_ ratio: Double) -> String {
  ratio < 10 ? "\((ratio * 10).rounded() / 10)" : "\(Int(ratio.rounded()))"
}
