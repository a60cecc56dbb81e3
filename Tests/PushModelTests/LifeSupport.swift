import Distributions
import Foundation
import PushModel
import PushPolicy
import Quantities
import ScenarioDecoding
import Testing

/// The default population, read from its file.
enum DefaultPopulation {
  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Scenarios/populations/consumer_default.yaml").standardizedFileURL

  /// What the file says, and the diagnostics of reading it, as text.
  static func read() throws -> (parameters: Parameterised<Population>, diagnostics: String) {
    let log = DiagnosticLog()
    let source = SourceText(name: file.lastPathComponent, bytes: Array(try Data(contentsOf: file)))
    let root = try #require(YAMLComposer.compose(source, log: log))
    let rows = Population.keys.map { key in
      switch key {
      case .parameter(let key): TableRow<Population>.parameter(key)
      case .distribution(let path, let dimension, let support, let field, let summary):
        TableRow<Population>.distribution(path, dimension, support: support, field, summary: summary)
      }
    }
    let table = AnnotatedTable(rows)
    let context = DecodingContext(log: log) { _, _ in .failure(.failed("no files here")) }
    let parameters = table.decode(
      root, label: "the population", into: Population(), headers: ["population", "version"], context: context)
    return (parameters, DiagnosticText.render(log))
  }

  static let parameters = Result { try read().parameters }

  static func values() throws -> Population { try parameters.get().values }
}

/// Time between Power Nap wakes as the guide profile has it: median 60 min, from 15 to 195 min.
func powerNapInterval() throws -> Distribution {
  try .truncated(.lognormal(median: 3600, sigma: 0.6), low: 900, high: 11_700)
}

/// Lives of `devices`, one after the other, each valid only inside `body`.
func withLives(
  of population: Population, devices: Range<UInt32>, days: Int64, seed: UInt64 = 1,
  _ body: (_ device: UInt32, borrowing Life) throws -> Void
) throws {
  var generator = LifeGenerator(
    population: population, powerNapInterval: try powerNapInterval(), horizon: .zero + .days(days))
  let streams = StreamFamily(seed: seed, replication: 0)
  var life = Life()
  for device in devices {
    generator.generate(&life, device: device, streams: streams)
    try body(device, life)
  }
}

/// The life of one device of the default population, changed by `change`.
func life(
  device: UInt32 = 0, days: Int64 = 14, seed: UInt64 = 1,
  _ change: (inout Population) throws -> Void = { _ in }
) throws -> Life {
  var population = try DefaultPopulation.values()
  try change(&population)
  var result = Life()
  try withLives(of: population, devices: device..<device + 1, days: days, seed: seed) { _, life in
    result = copy life
  }
  return result
}

/// The lives of the first devices of the default population, changed by `change`.
func lives(
  devices: Range<UInt32>, days: Int64 = 14, _ change: (inout Population) throws -> Void = { _ in }
) throws -> [Life] {
  var population = try DefaultPopulation.values()
  try change(&population)
  var result: [Life] = []
  try withLives(of: population, devices: devices, days: days) { _, life in result.append(copy life) }
  return result
}

/// A life that a script tells.
func life(_ script: LifeScript, days: Int64 = 2, device: UInt32 = 0) throws -> Life {
  var generator = LifeGenerator(
    population: try DefaultPopulation.values(), powerNapInterval: try powerNapInterval(),
    horizon: .zero + .days(days))
  var life = Life()
  generator.generate(&life, script: script, device: device, streams: StreamFamily(seed: 1, replication: 0))
  return life
}

extension Life {
  /// The battery's level at an instant of the run.
  func level(at time: SimTime) -> Double {
    var low = 0
    var high = battery.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if battery[middle].time <= time { low = middle } else { high = middle }
    }
    return battery[low].level(at: time)
  }

  /// The state at an instant of the run, changes of that instant included.
  func state(at time: SimTime) -> DeviceState {
    changes.last { $0.time <= time }?.state ?? initial
  }

  /// The states of the run with the time spent in each, in order.
  func stretches(until horizon: SimTime) -> [(state: DeviceState, from: SimTime, to: SimTime)] {
    var result: [(DeviceState, SimTime, SimTime)] = []
    var state = initial
    var time = SimTime.zero
    for change in changes {
      result.append((state, time, change.time))
      state = change.state
      time = change.time
    }
    result.append((state, time, horizon))
    return result
  }

  /// Two lives in all their parts, for comparison.
  func isIdentical(to other: Life) -> Bool {
    traits.kind == other.traits.kind && traits.userClass == other.traits.userClass
      && traits.osVersion == other.traits.osVersion && pastOpens == other.pastOpens
      && initial == other.initial && tokenReportedGone == other.tokenReportedGone
      && changes.elementsEqual(other.changes) {
        $0.time == $1.time && $0.state == $1.state && $0.moment == $1.moment
      }
      && battery.elementsEqual(other.battery) {
        $0.time == $1.time && $0.level == $1.level && $0.slope == $1.slope
      }
      && cpu.elementsEqual(other.cpu) { $0.time == $1.time && $0.load == $1.load }
  }

  /// The times at which a bit of the state turns on (or off).
  func times(of bit: DeviceState, turning on: Bool) -> [SimTime] {
    var before = initial
    var times: [SimTime] = []
    for change in changes {
      if change.state.contains(bit) == on, before.contains(bit) != on { times.append(change.time) }
      before = change.state
    }
    return times
  }
}
