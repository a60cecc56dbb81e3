import Distributions
import Glibc
import OutputAnalysis

func fail(_ message: String) -> Never {
  let line = "pushsim-bench: \(message)\n"
  _ = write(STDERR_FILENO, line, line.utf8.count)
  exit(2)
}

/// `--name value` pairs, and what is not part of a pair.
struct Options {
  private var values: [String: String] = [:]
  private(set) var settings: [String] = []
  private(set) var operands: [String] = []

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        operands.append(argument)
        continue
      }
      guard let value = rest.popFirst() else { fail("\(argument) needs a value") }
      if argument == "--set" { settings.append(value) } else { values[argument] = value }
    }
  }

  func number(_ name: String, default standard: Int) -> Int {
    guard let text = values[name] else { return standard }
    guard let number = Int(text), number >= 0 else { fail("\(name) takes a whole number, not \(text)") }
    return number
  }
}

/// `x` to six decimals.
func short(_ x: Double) -> String { "\((x * 1e6).rounded() / 1e6)" }

func push7(_ options: Options) {
  let devices = options.number("--devices", default: 1000)
  let days = options.number("--days", default: 7)
  let streams = StreamFamily(seed: UInt64(options.number("--seed", default: 1)), replication: 0)
  var model = Push7(days: Int64(days))
  for device in 0..<devices { model.run(device: UInt32(truncatingIfNeeded: device), streams) }
  let share = model.sent > 0 ? Double(model.delivered) / Double(model.sent) : 0
  let mean = (model.latency.mean ?? 0) * 1e-6
  let p95 = model.latency.count > 0 ? Double(model.latency.quantile(0.95) ?? 0) * 1e-6 : 0
  print(
    "{\"events\":\(model.events),\"device_days\":\(devices * days),\"delivered_share\":\(short(share)),"
      + "\"mean_latency_s\":\(short(mean)),\"p95_latency_s\":\(short(p95))}")
}

let usage = """
  usage: pushsim-bench push7 --devices N --days N --seed S
         pushsim-bench draws-of SCENARIO [--devices N] [--replications N] [--set PATH=VALUE]…
         pushsim-bench common-random-numbers SCENARIO [METRIC]… [--devices N] [--replications N]
         pushsim-bench estimates SCENARIO [--devices N] [--replications N]
         pushsim-bench queue|slots|streams|decide --turns N
         pushsim-bench life|device SCENARIO --turns N
         pushsim-bench decode SCENARIO --turns N
  """

let options = Options(CommandLine.arguments.dropFirst(2))
switch CommandLine.arguments.dropFirst().first {
case "push7": push7(options)
case "draws-of": countDraws(options)
case "common-random-numbers": measureCommonRandomNumbers(options)
case "estimates": measureEstimation(options)
case "queue": HotPath.queue(turns: options.turns)
case "slots": HotPath.slots(turns: options.turns)
case "streams": HotPath.streams(turns: options.turns)
case "decide": HotPath.decide(turns: options.turns)
case "life": HotPath.life(options.scenario, turns: options.turns)
case "device": HotPath.device(options.scenario, turns: options.turns)
case "decode": HotPath.decode(options, turns: options.turns)
default: fail(usage)
}
