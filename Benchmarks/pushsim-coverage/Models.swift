import Distributions
import Glibc
import OutputAnalysis

/// Models of which the answer is known in closed form. Each yields a replication at a time, as pushsim does.
enum Models {
  /// The mean waiting time over customers of queues with one server each that have been open for ever.
  ///
  /// The first wait is drawn from the stationary law, so the mean of every wait is λ/(μ(μ − λ)). Two queues with the same
  /// stream have the same arrivals, and services that differ by their rate only.
  ///
  /// - Parameters:
  ///   - service: μ, above the arrivals' rate λ of 0.5.
  ///   - queues: independent ones, as devices are.
  ///   - customers: how many are served in each.
  static func wait(
    _ stream: inout RandomStream, service: Double, queues: Int = 20, customers: Int = 50
  ) -> Double {
    var sum = 0.0
    for _ in 0..<queues { sum += wait(inOneQueue: &stream, service: service, customers: customers) }
    return sum / Double(queues)
  }

  private static func wait(
    inOneQueue stream: inout RandomStream, service: Double, customers: Int
  ) -> Double {
    let arrivals = 0.5
    let atOnce = stream.uniform() < 1 - arrivals / service
    let first = stream.unitExponential() / (service - arrivals)
    var wait = atOnce ? 0 : first
    var sum = 0.0
    for _ in 0..<customers {
      sum += wait
      let served = stream.unitExponential() / service
      wait = max(0, wait + served - stream.unitExponential() / arrivals)
    }
    return sum / Double(customers)
  }

  static func meanWait(service: Double) -> Double { 0.5 / (service * (service - 0.5)) }

  /// The share of 100 devices that get a push, each with the replication's own probability.
  ///
  /// That is the greatest of two uniforms, of mean 2/3, as a setting differs between replications.
  static func share(_ stream: inout RandomStream) -> Double {
    let probability = max(stream.uniform(), stream.uniform())
    var delivered = 0
    for _ in 0..<100 where stream.bernoulli(probability) { delivered += 1 }
    return Double(delivered) / 100
  }

  static let meanShare = 2.0 / 3

  /// The mean of 50 waits that are exponential with mean 1.
  static func exponential(_ stream: inout RandomStream) -> Double {
    var sum = 0.0
    for _ in 0..<50 { sum += stream.unitExponential() }
    return sum / 50
  }

  /// The time within which a share of all pushes sent has arrived; it has to be below 80 %, since the others are lost.
  static func arrivalTime(_ share: Double) -> Double { -log(1 - share / 0.8) / 1.25 }

  /// The share of them that have arrived within a time.
  static func arrived(within seconds: Double) -> Double { 0.8 * (1 - exp(-1.25 * seconds)) }
}

/// Pushes that either arrive, at the rate of 1 a second, or are lost, at the rate of 0.25 a second. Each is watched for a
/// time of its own, uniform up to 4 s, at whose end some are still under way. Counted in cells of time, as a run does.
struct WatchedPushes {
  /// The cells' ends. Unit: seconds.
  static let times = (1...200).map { 0.02 * Double($0) }

  private var ends = [[Int64]](repeating: [Int64](repeating: 0, count: times.count), count: 2)
  private var underWay = [Int64](repeating: 0, count: times.count)
  /// Of those that arrive. Unit: microseconds.
  private(set) var waits = LogHistogram()

  init() {}

  init(_ stream: inout RandomStream, pushes: Int) {
    for _ in 0..<pushes {
      let arrival = stream.unitExponential()
      let loss = stream.unitExponential() / 0.25
      let end = 4 * stream.uniform()
      let time = min(arrival, loss, end)
      let cell = min(Self.times.count - 1, Int(time / Self.times[0]))
      if time == end {
        underWay[cell] += 1
      } else if time == arrival {
        ends[0][cell] += 1
        waits.record(Int64(time * 1e6))
      } else {
        ends[1][cell] += 1
      }
    }
  }

  mutating func add(_ other: WatchedPushes) {
    for cell in underWay.indices {
      for end in ends.indices { ends[end][cell] += other.ends[end][cell] }
      underWay[cell] += other.underWay[cell]
    }
    waits.merge(other.waits)
  }

  /// The share of all pushes that has arrived by each of the times.
  var arrived: [Double] { CumulativeIncidence.shares(ended: ends, censored: underWay).incidence[0] }
}
