import Distributions
public import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities

/// Sets one parameter of a scenario after the other, and sees whether anything that is counted changes.
public struct ParameterProbe {
  /// A parameter and what it can be set to.
  public struct Key: Sendable {
    /// From the scenario's root.
    public let path: String
    /// Sets it to one of its other values; false if there is none of that number.
    fileprivate let set: @Sendable (inout ModelInput, Int) -> Bool
  }

  public static let keys: [Key] =
    Policy.keys.map { key in
      Key(path: "policy." + key.path) { input, index in
        key.set(&input.policies[0].parameters.values, to: index)
      }
    }
    + Population.keys.map { row in
      Key(path: "population." + row.path) { input, index in
        switch input.population {
        case .drawn(var base):
          defer { input.population = .drawn(base) }
          return row.set(&base.values, to: index)
        case .scripted(let script, var base):
          defer { input.population = .scripted(script, base: base) }
          return row.set(&base.values, to: index)
        }
      }
    }

  private let input: ModelInput
  private let devices: UInt32
  private let untouched: Int
  /// Of the scenario as it is: what follows from its population serves again.
  private let worker: DeviceWorker

  /// - Parameters:
  ///   - scenario: under one policy.
  ///   - devices: how many are simulated, once.
  public init(_ scenario: Scenario, devices: UInt32) throws {
    input = scenario.input
    self.devices = devices
    worker = DeviceWorker(input, replication: 0)
    untouched = try Self.outcome(worker, input, devices)
  }

  /// Whether another value of the parameter changes what is counted.
  public func matters(_ key: Key) throws -> Bool {
    var index = 0
    var changed = input
    while key.set(&changed, index) {
      if try outcome(changed, key.path.hasPrefix("policy.")) != untouched { return true }
      changed = input
      index += 1
    }
    return false
  }

  /// Sets many parameters at once, all that no other of them brings into play, and each of the others alone.
  ///
  /// - Parameter keys: of parameters that the run does not read.
  /// - Returns: those that change something.
  public func thatMatter(among keys: [Key]) throws -> [String] {
    func setting(_ keys: [Key]) -> ModelInput {
      var changed = input
      for key in keys { _ = key.set(&changed, 0) }
      return changed
    }
    let use = ParameterUse(setting(keys), policy: 0)
    let together = keys.filter { !use.reads($0.path) }
    var suspects = keys.filter { use.reads($0.path) }
    if try outcome(setting(together), false) != untouched { suspects += together }
    return try suspects.filter(matters).map(\.path)
  }

  private func outcome(_ input: ModelInput, _ isSamePopulation: Bool) throws -> Int {
    let worker = DeviceWorker(input, replication: 0, after: isSamePopulation ? worker : nil)
    return try Self.outcome(worker, input, devices)
  }

  /// A number that stands for all that is counted.
  private static func outcome(_ worker: DeviceWorker, _ input: ModelInput, _ devices: UInt32) throws -> Int {
    var worker = worker
    for device in 0..<devices { try worker.run(device: device) }
    var hasher = Hasher()
    let days = input.duration.days
    for tally in worker.takeTallies()[0] {
      for metric in Metric.all { hasher.combine(metric.item(tally, days).value) }
      for index in tally.fates.indices { hasher.combine(tally.fates[index]) }
      for index in tally.reasons.indices { hasher.combine(tally.reasons[index]) }
      for index in tally.results.indices { hasher.combine(tally.results[index]) }
      for index in tally.held.indices { hasher.combine(tally.held[index]) }
      for index in tally.shadow.indices { hasher.combine(tally.shadow[index]) }
      for index in tally.alerts.indices { hasher.combine(tally.alerts[index]) }
      for index in tally.contentViews.indices { hasher.combine(tally.contentViews[index]) }
      for index in tally.calls.indices { hasher.combine(tally.calls[index]) }
      for index in tally.byHour.indices { combine(tally.byHour[index], &hasher) }
      for index in tally.byClass.indices { combine(tally.byClass[index], &hasher) }
      for index in tally.byKind.indices { combine(tally.byKind[index], &hasher) }
      for hour in 0..<24 {
        for tenth in 0..<10 { hasher.combine(tally.byHourAndBattery.sent(hour: hour, tenth: tenth)) }
      }
      for index in tally.tasks.indices {
        hasher.combine(tally.tasks[index].notDue)
        hasher.combine(tally.tasks[index].passedOver)
        hasher.combine(tally.tasks[index].runs)
        hasher.combine(tally.tasks[index].interrupted)
        for factor in tally.tasks[index].refused.indices {
          hasher.combine(tally.tasks[index].refused[factor])
        }
      }
      hasher.combine(tally.latency)
      hasher.combine(tally.staleness)
      hasher.combine(tally.ring)
      hasher.combine(tally.downloads.time)
      hasher.combine(tally.energy.total)
      hasher.combine(tally.energy.whileCharging)
      hasher.combine(tally.energy.bytes)
      hasher.combine(tally.energy.batteryShares)
    }
    return hasher.finalize()
  }

  private static func combine(_ segment: Tally.Segment, _ hasher: inout Hasher) {
    for count in [
      segment.sent, segment.delivered, segment.within5min, segment.notWakeable, segment.opens,
      segment.freshOpens,
    ] { hasher.combine(count) }
  }
}

// MARK: - Other values

extension ParameterKey {
  /// Sets the parameter to one of the values that are unlike its own.
  fileprivate func set(_ root: inout Root, to index: Int) -> Bool {
    switch kind {
    case .number(let dimension, let range, let path):
      let others = Self.others(root[keyPath: path], dimension, range)
      guard index < others.count else { return false }
      root[keyPath: path] = others[index]
    case .numbers(_, _, _, let path):
      guard index == 0 else { return false }
      root[keyPath: path] = root[keyPath: path].reversed().map { $0 * 0.9 }
    case .choice(let words, let path):
      let others = words.indices.filter { $0 != root[keyPath: path] }
      guard index < others.count else { return false }
      root[keyPath: path] = others[index]
    case .flag(let path):
      guard index == 0 else { return false }
      root[keyPath: path].toggle()
    }
    return true
  }

  /// Far from the value, but not so far that a run takes long.
  private static func others(_ value: Double, _ dimension: Dimension, _ range: ClosedRange<Double>)
    -> [Double]
  {
    let most = dimension == .rate ? min(range.upperBound, 1 / 300.0) : range.upperBound
    let candidates = [value * 4, value / 4, most, range.lowerBound, (range.lowerBound + most) / 2]
    return candidates.filter { range.contains($0) && $0 != value }
  }
}

extension TableRow {
  fileprivate func set(_ root: inout Root, to index: Int) -> Bool {
    switch self {
    case .parameter(let key): return key.set(&root, to: index)
    case .distribution(_, _, let support, let path, _):
      let old = root[keyPath: path]
      let median = old.quantile(0.5)
      let candidates = [median * 4, median / 4, median + 3 * 3600, 1, 0.9]
      let others = candidates.filter { support.contains($0) && old != .constant($0) }
      guard index < others.count else { return false }
      root[keyPath: path] = .constant(others[index])
    }
    return true
  }
}
