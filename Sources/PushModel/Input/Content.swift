public import Distributions
public import Quantities

/// What the server has: when there is something new, and how much an app loads then. All devices of a replication see
/// the same updates.
public struct ContentModel: Sendable {
  public var updates: ContentUpdates
  /// What one download of all that is new comes to. Unit: bytes.
  public var size: Int64

  public init(updates: ContentUpdates, size: Int64) {
    self.updates = updates
    self.size = size
  }
}

/// When the server has something new.
public enum ContentUpdates: Sendable {
  /// Unit: updates per second.
  case poisson(rate: Double)
  /// A Poisson process whose rate follows the server's hour of the day (UTC): `rate` is the mean of a day, in updates
  /// per second, and the 24 weights, of which only the ratios count, say how it is spread. At least one is above 0.
  case daily(rate: Double, weights: [Double])
  case every(SimDuration, phase: SimDuration)
  /// From the start of the run, ascending.
  case at([SimDuration])
  /// At times of the day in the server's time zone (UTC), ascending.
  case atServer([SimDuration])

  /// How many updates there are in so many seconds, in the mean.
  public func expectedCount(in seconds: Double) -> Double {
    switch self {
    case .poisson(let rate), .daily(let rate, _): rate * seconds
    case .every(let interval, _): seconds / interval.seconds + 1
    case .at(let times): Double(times.count)
    case .atServer(let times): Double(times.count) * (seconds / 86_400 + 1)
    }
  }

  /// The instants of all updates of a replication up to `end`, ascending.
  public func timeline(until end: SimTime, _ streams: StreamFamily) -> [SimTime] {
    var times: [SimTime] = []
    switch self {
    case .poisson(let rate):
      guard rate > 0 else { return [] }
      var stream = streams.stream(.content)
      var now = SimTime.zero + SimDuration(seconds: stream.unitExponential() / rate)
      while now <= end {
        times.append(now)
        now += SimDuration(seconds: stream.unitExponential() / rate)
      }
    case .daily(let rate, let weights):
      return Self.daily(rate: rate, weights: weights, until: end, streams)
    case .every(let interval, let phase):
      var now = SimTime.zero + phase
      while now <= end {
        times.append(now)
        now += interval
      }
    case .at(let instants):
      times = instants.map { .zero + $0 }.filter { $0 <= end }
    case .atServer(let timesOfDay):
      var day = SimTime.zero
      while day <= end {
        times += timesOfDay.map { day + $0 }.filter { $0 <= end }
        day += .days(1)
      }
    }
    return times
  }

  /// Inverts the cumulative rate: an update comes wherever it has grown by another exponential variate.
  private static func daily(
    rate: Double, weights: [Double], until end: SimTime, _ streams: StreamFamily
  ) -> [SimTime] {
    let sum = weights.reduce(0, +)
    guard rate > 0, sum > 0 else { return [] }
    var times: [SimTime] = []
    var stream = streams.stream(.content)
    var wanted = stream.unitExponential()
    var hour = SimTime.zero
    var index = 0
    while hour <= end {
      // Expected updates in this hour, and those of them that are behind.
      let expected = rate * 86_400 * weights[index] / sum
      var passed = 0.0
      while wanted <= expected - passed {
        passed += wanted
        let time = hour + .hours(1) * (passed / expected)
        if time > end { return times }
        times.append(time)
        wanted = stream.unitExponential()
      }
      wanted -= expected - passed
      hour += .hours(1)
      index = (index + 1) % weights.count
    }
    return times
  }
}
