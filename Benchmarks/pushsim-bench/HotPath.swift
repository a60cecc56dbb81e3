import Distributions
import EventKernel
import Experiments
import PushModel
import PushPolicy
import Quantities

/// Small fixed loops over what a run spends its time in, for counting instructions: the count of a turn is that of a
/// run of N turns less that of a run of none, divided by N (Benchmarks/instructions.py).
///
/// Each prints what it computed, so that the compiler has to compute it.
enum HotPath {
  /// Takes the next of eight pending events and schedules it anew, as a simulation does.
  static func queue(turns: Int) {
    var stream = StreamFamily(seed: 1, replication: 0).stream(.test)
    var queue = EventQueue<Int64>()
    for event in 0..<8 { queue.schedule(at: SimTime(microseconds: Int64(stream.bits())), Int64(event)) }
    var sum: Int64 = 0
    for _ in 0..<turns {
      guard let next = queue.popNext() else { break }
      sum &+= next.event
      queue.schedule(at: next.time + SimDuration(microseconds: Int64(stream.bits())), next.event)
    }
    print(sum)
  }

  /// The same with a slot per event.
  static func slots(turns: Int) {
    var stream = StreamFamily(seed: 1, replication: 0).stream(.test)
    var slots = EventSlots<8>()
    for slot in 0..<8 { slots.schedule(slot, at: SimTime(microseconds: Int64(stream.bits()))) }
    var sum = 0
    for _ in 0..<turns {
      let next = slots.next
      sum &+= next.slot
      slots.schedule(next.slot, at: next.time + SimDuration(microseconds: Int64(stream.bits())))
    }
    print(sum)
  }

  /// Creates a stream and draws a uniform, an exponential and a lognormal from it.
  static func streams(turns: Int) {
    let family = StreamFamily(seed: 1, replication: 0)
    guard let lognormal = try? Distribution.lognormal(zeta: 0, sigma: 1) else { return }
    var sum = 0.0
    for turn in 0..<turns {
      var stream = family.stream(.test, item: UInt32(truncatingIfNeeded: turn))
      sum += stream.uniform() + stream.unitExponential() + lognormal.draw(&stream)
    }
    print(sum)
  }

  /// Asks every factor about a push: all factors on, none of them shortcut by the app being in front.
  static func decide(turns: Int) {
    let policy = Policy()
    var memory = AppMemory()
    memory.budget.fill(at: .zero, policy)
    let app = UnsafeMutablePointer<AppUnderPolicy>.allocate(capacity: 1)
    app.initialize(to: AppUnderPolicy(memory: memory, policy: policy))
    var sum = 0
    for turn in 0..<turns {
      let now = SimTime.zero + .minutes(Int64(turn))
      let context = DeliveryContext(
        now: now, state: [.installed, .poweredOn, .wifi, .unlockedSinceStart, .lowPowerMode],
        request: .silent, backgroundModes: .remoteNotification, occasion: .arrival)
      var decision = Decision()
      PushPolicy.decide(context, app, into: &decision)
      if decision.isMust { sum += 1 }
      if decision.refusing.isEmpty { sum += 2 }
    }
    app.deinitialize(count: 1)
    app.deallocate()
    print(sum)
  }

  /// Lays down the lives of devices.
  static func life(_ scenario: Scenario, turns: Int) {
    let streams = StreamFamily(seed: 1, replication: 0)
    let population = scenario.input.population.parameters.draw(streams)
    var generator = LifeGenerator(
      population: population, powerNapInterval: .constant(3600), horizon: scenario.input.end)
    var life = Life()
    var sum = 0
    for device in 0..<turns {
      generator.generate(&life, device: UInt32(truncatingIfNeeded: device), streams: streams)
      sum += life.changes.count
    }
    print(sum)
  }

  /// Lays down the lives of devices and plays all strategies.
  static func device(_ scenario: Scenario, turns: Int) {
    var worker = DeviceWorker(scenario.input, replication: 0)
    for device in 0..<turns { run(&worker, device) }
    print(worker.takeTallies().reduce(0) { $0 + $1.reduce(0) { $0 + Int($1.sent) } })
  }

  /// Reads a scenario with its population and policy, again and again.
  static func decode(_ options: Options, turns: Int) {
    var sum = 0
    for _ in 0..<turns { sum += options.scenario.input.strategies.count }
    print(sum)
  }
}
