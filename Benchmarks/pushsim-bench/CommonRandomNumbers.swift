import Experiments
import OutputAnalysis
import PushModel

/// Prints how much less the difference of two strategies varies when both are played against the same lives than when
/// they are run with different seeds: for each pair of strategies and metric the variance of the difference of
/// independent runs, divided by that of the difference within runs. Both are run; nothing is inferred.
func measureCommonRandomNumbers(_ options: Options) {
  var scenario = options.scenario
  let replications = scenario.experiment.replications
  let strategies = scenario.input.strategies
  var metrics = Array(options.operands.dropFirst())
  if metrics.isEmpty {
    metrics = ["delivered", "delivered_within_5min", "latency_mean_s", "wakes_per_device_day", "fresh_open"]
  }
  let indices = metrics.map { name in
    guard let index = Metric.all.firstIndex(where: { $0.name == name }) else { fail("no metric \(name)") }
    return index
  }
  let runs = (0..<2).map { run -> ReplicationOutput in
    scenario.input.seed += UInt64(run)
    guard let output = try? Runner(scenario, threads: Runner.processors).output(of: 0..<replications) else {
      fail("the run cannot go on")
    }
    return output
  }
  func values(_ run: Int, _ strategy: Int, _ metric: Int) -> [Double]? {
    let all = runs[run].values[0][strategy][metric].compactMap(\.self)
    return all.count == replications ? all : nil
  }
  func variance(_ a: [Double], _ b: [Double]) -> Double { Moments(zip(a, b).map { $0 - $1 }).variance! }
  print("\(scenario.name): \(scenario.experiment.devices) devices, \(replications) replications\n")
  print("| difference | \(metrics.joined(separator: " | ")) |")
  print("|---|" + String(repeating: "---:|", count: metrics.count))
  for a in strategies.indices {
    for b in strategies.indices where b > a {
      let cells = indices.map { metric -> String in
        guard let paired = values(0, a, metric), let other = values(0, b, metric),
          let independent = values(1, b, metric)
        else { return "–" }
        let ratio = variance(paired, independent) / variance(paired, other)
        guard ratio.isFinite else { return "–" }
        return ratio < 10 ? "\((ratio * 10).rounded() / 10)" : "\(Int(ratio.rounded()))"
      }
      print("| `\(strategies[a].name)` − `\(strategies[b].name)` | \(cells.joined(separator: " | ")) |")
    }
  }
}
