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

  /// Waits of pushes that either arrive, at the rate of 1 a second, or are lost, at the rate of 0.25 a second; in
  /// microseconds, those of which arrive. They are exponential with the rate of 1.25 a second.
  static func arrivals(_ stream: inout RandomStream, pushes: Int = 500) -> LogHistogram {
    var histogram = LogHistogram()
    for _ in 0..<pushes {
      let arrival = stream.unitExponential()
      let loss = stream.unitExponential() / 0.25
      if arrival < loss { histogram.record(Int64(arrival * 1e6)) }
    }
    return histogram
  }

  /// Such pushes, of which each is watched for a time of its own, uniform up to 4 s: 0 is an arrival, 1 a loss, and the rest
  /// is still under way at the end.
  static func watched(_ stream: inout RandomStream, pushes: Int) -> CumulativeIncidence {
    CumulativeIncidence(observations(&stream, pushes: pushes), ends: 2)
  }

  static func observations(
    _ stream: inout RandomStream, pushes: Int
  ) -> [CumulativeIncidence.Observation] {
    (0..<pushes).map { _ in
      let arrival = stream.unitExponential()
      let loss = stream.unitExponential() / 0.25
      let end = 4 * stream.uniform()
      let time = min(arrival, loss, end)
      return CumulativeIncidence.Observation(time: time, end: time == end ? nil : arrival < loss ? 0 : 1)
    }
  }

  /// The time within which a share of all pushes sent has arrived; it has to be below 80 %, since the others are lost.
  static func arrivalTime(_ share: Double) -> Double { -log(1 - share / 0.8) / 1.25 }

  /// The share of them that have arrived within a time.
  static func arrived(within seconds: Double) -> Double { 0.8 * (1 - exp(-1.25 * seconds)) }

  static func arrivalQuantile(_ level: Double) -> Double { -log(1 - level) / 1.25 }
}
