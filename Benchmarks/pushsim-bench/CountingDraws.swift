import CPushsim
import EventKernel
import Experiments
import PushModel

/// Runs a scenario on one thread and prints how many variates of each kind it drew, as one JSON line that
/// `Benchmarks/run.py` hands to `draws`. Counts only in a build with `-Xcc -DPUSHSIM_COUNT_DRAWS`.
func countDraws(_ options: Options) {
  let scenario = options.scenario
  for replication in 0..<scenario.experiment.replications {
    var worker = DeviceWorker(scenario.input, replication: replication)
    for device in 0..<scenario.experiment.devices { run(&worker, device) }
  }
  let kinds: [(name: String, kind: ps_kind)] = [
    ("uniform", PS_UNIFORM), ("index", PS_INDEX), ("exponential", PS_EXPONENTIAL), ("gaussian", PS_GAUSSIAN),
    ("lognormal", PS_LOGNORMAL), ("gamma", PS_GAMMA), ("beta", PS_BETA), ("weibull", PS_WEIBULL),
    ("pareto", PS_PARETO), ("poisson", PS_POISSON), ("negative_binomial", PS_NEGATIVE_BINOMIAL),
    ("geometric", PS_GEOMETRIC), ("discrete", PS_DISCRETE), ("truncated", PS_TRUNCATED),
  ]
  let counts = kinds.map { "\"\($0.name)\":\(ps_draw_count($0.kind))" }.joined(separator: ",")
  print("{\(counts)}")
}

func run(_ worker: inout DeviceWorker, _ device: Int) {
  do throws(SimulationError) {
    try worker.run(device: UInt32(truncatingIfNeeded: device))
  } catch {
    fail("device \(device): \(error)")
  }
}
