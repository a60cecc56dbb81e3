import Distributions
public import EventKernel
public import PushPolicy
import Quantities

/// One replication: draws the parameters that are uncertain and the content, then takes devices one by one: lays down
/// the life, works in each policy's thresholds, and plays every strategy against it. Memory does not depend on the
/// number of devices.
public struct DeviceWorker {
  /// A play keeps its future event list to itself, so it cannot be copied and lives in a box.
  private final class Box {
    var play: Play<NoObserver>
    init(_ setting: PlaySetting) { play = Play(setting: setting, observer: NoObserver()) }
  }

  /// By policy, then strategy.
  private var plays: [[Box]] = []
  private var lives: LifeSource
  private let streams: StreamFamily

  /// - Parameters:
  ///   - previous: the worker of another replication of the same input, whose storage and constants serve again.
  ///   - world: the replication whose lives, content and parameters are played against, for studies of where variance
  ///     comes from; nil: this one.
  public init(
    _ input: ModelInput, replication: Int, after previous: DeviceWorker? = nil, world: Int? = nil
  ) {
    streams = StreamFamily(seed: input.seed, replication: replication)
    let shared = world.map { StreamFamily(seed: input.seed, replication: $0) } ?? streams
    let drawn = DrawnInput(input, shared)
    lives = LifeSource(input, drawn, shared, after: previous?.lives)
    for policy in drawn.policies {
      plays.append(
        input.strategies.map { Box(drawn.setting($0, policy, input)) })
    }
  }

  /// Plays every strategy against one device.
  public mutating func run(device: UInt32) throws(SimulationError) {
    for policy in plays.indices {
      lives.prepare(device: device, policy: policy)
      for strategy in plays[policy].indices {
        try plays[policy][strategy].play.run(lives.life, lives.conditions, device: device, streams: streams)
      }
    }
  }

  /// What was counted, by policy and strategy; counting starts afresh.
  public mutating func takeTallies() -> [[Tally]] {
    var tallies: [[Tally]] = []
    for policy in plays.indices {
      tallies.append(plays[policy].map { $0.play.tally })
      for strategy in plays[policy].indices { plays[policy][strategy].play.tally = Tally() }
    }
    return tallies
  }

  /// Plays one strategy against one device and keeps everything that happens.
  ///
  /// - Parameters:
  ///   - policy: the index of the policy in the input.
  ///   - strategy: the index of the strategy in the input.
  public static func trace(
    _ input: ModelInput, replication: Int, device: UInt32, policy: Int, strategy: Int
  ) throws(SimulationError) -> DeviceTrace {
    let streams = StreamFamily(seed: input.seed, replication: replication)
    let drawn = DrawnInput(input, streams)
    var lives = LifeSource(input, drawn, streams)
    lives.prepare(device: device, policy: policy)
    let setting = drawn.setting(input.strategies[strategy], drawn.policies[policy], input)
    var play = Play(setting: setting, observer: TraceObserver())
    try play.run(lives.life, lives.conditions, device: device, streams: streams)
    return DeviceTrace(
      life: lives.life, conditions: lives.conditions, policy: drawn.policies[policy],
      records: play.observer.records,
      tally: play.tally)
  }
}

/// What happened to one device under one strategy.
public struct DeviceTrace: Sendable {
  public var life: Life
  public var conditions: Conditions
  public var policy: Policy
  public var records: [TraceRecord]
  public var tally: Tally
}

/// The input of one replication after its uncertain parameters were drawn.
struct DrawnInput {
  let population: Population
  let policies: [Policy]
  let updates: [SimTime]
  let energy: EnergyModel
  /// What hits all devices: the errors of APNs, and the defects.
  private let outages: [Outage]
  private let sharedEvents: [SharedEvents.Event]

  init(_ input: ModelInput, _ streams: StreamFamily) {
    population = input.population.parameters.draw(streams)
    policies = input.policies.map { $0.parameters.draw(streams) }
    updates = input.content?.updates.timeline(until: input.end, streams) ?? []
    energy = EnergyModel(population, contentSize: input.content?.size ?? 0)
    let events = input.sharedEvents?.draw(until: input.end, streams) ?? []
    outages =
      input.outages
      + events.filter { $0.kind == .apnsIncident }.map {
        Outage(from: $0.from, until: $0.until, answer: .serviceUnavailable)
      }
    sharedEvents = events.filter { $0.kind != .apnsIncident }
  }

  func setting(_ strategy: Strategy, _ policy: Policy, _ input: ModelInput) -> PlaySetting {
    var setting = PlaySetting(
      strategy: strategy, policy: policy, app: input.app, population: population, updates: updates,
      hasContent: input.content != nil, warmUp: .zero + input.warmUp, end: input.end)
    setting.outages = outages
    setting.sharedEvents = sharedEvents
    setting.energy = energy
    return setting
  }
}

/// Lays down lives, and works in a policy's thresholds.
struct LifeSource: Sendable {
  private(set) var life = Life()
  private(set) var conditions = Conditions()
  /// A generator for each distribution of Power Nap wakes.
  private var intervals: [Distribution] = []
  private var generators: [LifeGenerator] = []
  private let script: LifeScript?
  private let policies: [Policy]
  private let streams: StreamFamily
  /// Whether anything but the energy asks for what happens around the app, by policy.
  private let showsSurroundings: [Bool]
  /// Which device and generator `life` belongs to.
  private var prepared: (device: UInt32, generator: Int)?
  private var generatorOfPolicy: [Int] = []

  init(_ input: ModelInput, _ drawn: DrawnInput, _ streams: StreamFamily, after previous: LifeSource? = nil) {
    self.streams = streams
    policies = drawn.policies
    showsSurroundings = drawn.policies.map { policy in
      input.strategies.contains { policy.readsSurroundings(under: $0) }
    }
    if let previous {
      life = previous.life
      conditions = previous.conditions
    }
    // What follows from a population is the same for all replications unless a part of it is drawn anew.
    let known = input.population.parameters.drawn.isEmpty ? previous : nil
    if case .scripted(let script, _) = input.population { self.script = script } else { script = nil }
    // Power Nap wakes are the one part of a life that a policy parameterises: policies that agree share the life.
    for policy in drawn.policies {
      let interval = policy.powerNap.wakeInterval
      if let index = intervals.firstIndex(of: interval) {
        generatorOfPolicy.append(index)
        continue
      }
      generatorOfPolicy.append(intervals.count)
      intervals.append(interval)
      if let known, let index = known.intervals.firstIndex(of: interval) {
        generators.append(known.generators[index])
      } else {
        generators.append(
          LifeGenerator(
            population: drawn.population, powerNapInterval: interval, horizon: input.end,
            like: generators.first ?? known?.generators.first, isScripted: script != nil))
      }
    }
  }

  mutating func prepare(device: UInt32, policy: Int) {
    let generator = generatorOfPolicy[policy]
    // Only what sleeps wakes for Power Nap: the lives of other devices are the same by any generator.
    let isOther = prepared?.generator != generator && (script != nil || life.traits.hasMChip)
    if prepared?.device != device || isOther {
      if let script {
        generators[generator].generate(&life, script: script, device: device, streams: streams)
      } else {
        generators[generator].generate(&life, device: device, streams: streams)
      }
      prepared = (device, generator)
    }
    conditions.compile(life, policies[policy], showsSurroundings: showsSurroundings[policy])
  }
}

extension Policy {
  /// Whether anything beside the energy asks when the device is in use, or for what other apps do.
  func readsSurroundings(under strategy: Strategy) -> Bool {
    schedules || strategy.processingTask != nil && processingTask.needsIdle
      || strategy.pushPlans.contains { mayHoldForPower($0) || apns.mayWakeSlowly }
  }

  /// Whether APNs may hold pushes of a mechanism for the power of the device.
  func mayHoldForPower(_ plan: PushPlan) -> Bool {
    plan.priority < 10 && apns.restrictionDeclared > 0 || plan.priority == 1 && apns.priority1WaitsForUse
  }
}

extension PowerNap {
  /// Time between two wakes.
  ///
  /// A profile whose bounds exclude each other, or whose spread is 0, falls back to the median.
  var wakeInterval: Distribution {
    let constant = Distribution.constant(median)
    guard sigma > 0, median > 0, longest > shortest,
      let base = try? Distribution.lognormal(median: median, sigma: sigma),
      let cut = try? Distribution.truncated(base, low: shortest, high: longest)
    else { return constant }
    return cut
  }
}
