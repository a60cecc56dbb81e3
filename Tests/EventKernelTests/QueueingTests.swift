import Distributions
import EventKernel
import Quantities
import Testing

/// A future event list of the kernel, as a model uses it: one pending event of each kind.
private protocol PendingEvents: ~Copyable {
  init()
  mutating func schedule(_ event: Station.Event, at time: SimTime)
  mutating func takeNext() -> (event: Station.Event, time: SimTime)?
}

private struct QueuedEvents: ~Copyable, PendingEvents {
  var queue = EventQueue<Station.Event>()
  mutating func schedule(_ event: Station.Event, at time: SimTime) { queue.schedule(at: time, event) }
  mutating func takeNext() -> (event: Station.Event, time: SimTime)? {
    queue.popNext().map { ($0.event, $0.time) }
  }
}

private struct SlottedEvents: PendingEvents {
  var slots = EventSlots<2>()
  mutating func schedule(_ event: Station.Event, at time: SimTime) {
    slots.schedule(event.rawValue, at: time)
  }
  mutating func takeNext() -> (event: Station.Event, time: SimTime)? {
    let next = slots.next
    guard next.time != .distantFuture else { return nil }
    slots.cancel(next.slot)
    return (Station.Event(rawValue: next.slot)!, next.time)
  }
}

/// The kernel's lists, on each of which the stations run.
enum PendingList: CaseIterable {
  case queue
  case slots
}

/// A single server with room for `capacity` customers, first come, first served: the kernel's verification model.
private struct Station {
  enum Event: Int, BitwiseCopyable {
    case arrival
    case departure
  }

  let interarrival: Distribution
  let service: Distribution
  let capacity: Int
  /// Arrivals after this time are not admitted, so that each customer counted is served to its end.
  let lastArrival: SimTime
  var stream: RandomStream

  // Arrival times of the customers present, the one in service first; nil for those present from the start.
  var present: [SimTime?] = []
  var lastChange = SimTime.zero
  /// ∫ N dt up to `lastArrival`, in customer-microseconds.
  var area: Int64 = 0
  var totalArea: Int64 = 0
  var events = 0
  var arrivals = 0
  var losses = 0
  var waiting: Int64 = 0
  var sojourn: Int64 = 0

  /// Runs from `initial` customers present until all customers have left.
  mutating func run(initial: Int, on list: PendingList) {
    switch list {
    case .queue: run(initial: initial, QueuedEvents.self)
    case .slots: run(initial: initial, SlottedEvents.self)
    }
  }

  private mutating func run<List: PendingEvents & ~Copyable>(initial: Int, _: List.Type) {
    var list = List()
    for _ in 0..<initial { present.append(nil) }
    list.schedule(.arrival, at: .zero + draw(interarrival))
    if initial > 0 { list.schedule(.departure, at: .zero + draw(service)) }
    while let next = list.takeNext() {
      events += 1
      accumulate(next.time)
      switch next.event {
      case .arrival: arrive(&list, at: next.time)
      case .departure: depart(&list, at: next.time)
      }
    }
  }

  private mutating func draw(_ distribution: Distribution) -> SimDuration {
    SimDuration(seconds: distribution.draw(&stream))
  }

  private mutating func accumulate(_ now: SimTime) {
    totalArea += Int64(present.count) * (now - lastChange).microseconds
    if lastChange < lastArrival {
      area += Int64(present.count) * (min(now, lastArrival) - lastChange).microseconds
    }
    lastChange = now
  }

  private mutating func arrive<List: PendingEvents & ~Copyable>(_ list: inout List, at now: SimTime) {
    if now > lastArrival { return }
    list.schedule(.arrival, at: now + draw(interarrival))
    arrivals += 1
    if present.count == capacity {
      losses += 1
      return
    }
    present.append(now)
    if present.count == 1 { list.schedule(.departure, at: now + draw(service)) }
  }

  private mutating func depart<List: PendingEvents & ~Copyable>(_ list: inout List, at now: SimTime) {
    if let arrival = present.removeFirst() { sojourn += (now - arrival).microseconds }
    if let next = present.first {
      if let arrival = next { waiting += (now - arrival).microseconds }
      list.schedule(.departure, at: now + draw(service))
    }
  }
}

/// Verification by closed forms. Service takes 1 s on average, so the arrival rate is the utilisation ρ. Each
/// replication starts with a draw from the stationary distribution and divides by expected counts, so the estimates
/// have no bias; the bound is Student's t over the replications at a false-alarm rate of 10⁻⁶ an assertion.
@Suite struct QueueingTests {
  private static let replications = 400
  /// The two-sided quantile of Student's t for 10⁻⁶ and 399 degrees of freedom.
  private static let t = 4.9691

  private func expectMean(_ values: [Double], _ theory: Double, _ name: String) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let bound = Self.t * (variance / count).squareRoot()
    #expect((mean - theory).magnitude <= bound, "\(name): \(mean) ± \(bound), theory \(theory)")
    // A bound wider than a tenth of the value would prove nothing.
    #expect(bound < 0.1 * theory, "\(name): the bound \(bound) is wide")
  }

  private func station(
    _ rho: Double, capacity: Int = .max, seconds: Int64, replication: Int
  ) throws -> Station {
    Station(
      interarrival: try .exponential(mean: 1 / rho), service: try .exponential(mean: 1), capacity: capacity,
      lastArrival: .zero + .seconds(seconds),
      stream: StreamFamily(seed: 5, replication: replication).stream(.test, item: 1))
  }

  @Test(arguments: [(0.5, 2000), (0.8, 4000)] as [(Double, Int64)], PendingList.allCases)
  func `an M/M/1 station has the mean number and the mean wait of theory`(
    load: (rho: Double, seconds: Int64), list: PendingList
  ) throws {
    let (rho, seconds) = load
    var numbers: [Double] = []
    var waits: [Double] = []
    let stationary = try Distribution.geometric(p: 1 - rho)
    for replication in 0..<Self.replications {
      var initial = StreamFamily(seed: 5, replication: replication).stream(.test, item: 0)
      var station = try station(rho, seconds: seconds, replication: replication)
      station.run(initial: Int(stationary.draw(&initial)) - 1, on: list)
      numbers.append(Double(station.area) * 1e-6 / Double(seconds))
      waits.append(Double(station.waiting) * 1e-6 / (rho * Double(seconds)))
    }
    expectMean(numbers, rho / (1 - rho), "mean number in the system")
    expectMean(waits, rho / (1 - rho), "mean wait in seconds")
  }

  @Test(arguments: [(0.5, 2), (0.8, 5), (1.5, 3)], PendingList.allCases)
  func `an M/M/1/K station loses the share of theory`(
    load: (rho: Double, capacity: Int), list: PendingList
  ) throws {
    let (rho, capacity) = load
    var weights = [1.0]
    for _ in 0..<capacity { weights.append(weights.last! * rho) }
    let stationary = try Distribution.discrete(values: (0...capacity).map(Double.init), weights: weights)
    var losses: [Double] = []
    for replication in 0..<Self.replications {
      var initial = StreamFamily(seed: 6, replication: replication).stream(.test, item: 0)
      var station = try station(rho, capacity: capacity, seconds: 1000, replication: replication)
      station.run(initial: Int(stationary.draw(&initial)), on: list)
      losses.append(Double(station.losses) / (rho * 1000))
    }
    expectMean(losses, weights.last! / weights.reduce(0, +), "share of lost customers")
  }

  // On each path that starts and ends empty, whatever the distributions, and exactly, because time is whole.
  @Test(arguments: 0..<20, PendingList.allCases)
  func `the area under the number is the sum of the sojourns by Little's law`(
    replication: Int, list: PendingList
  ) throws {
    var station = Station(
      interarrival: try .gamma(mean: 1, sd: 2), service: try .lognormal(mean: 0.8, sd: 1), capacity: 30,
      lastArrival: .zero + .seconds(500),
      stream: StreamFamily(seed: 7, replication: replication).stream(.test))
    station.run(initial: 0, on: list)
    #expect(station.present.isEmpty)
    #expect(station.totalArea == station.sojourn)
    #expect(station.sojourn > 0)
    // One event for each arrival, the one not admitted and each departure.
    #expect(station.events == 2 * station.arrivals - station.losses + 1)
  }
}
