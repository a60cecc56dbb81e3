internal import Distributions
internal import Glibc
internal import Quantities

/// A population together with what follows from it: worked out once, read for every device.
///
/// A class of constants, because handlers pass it on with every event: as a structure of this size it would be
/// copied each time.
final class LifePlan: Sendable {
  let population: Population
  let powerNapInterval: Distribution
  let horizon: SimTime
  /// Running sums of the diurnal weights: element h is the weight of the local hours before h.
  let diurnal: InlineArray<25, Double>
  /// The share of a day that users are in bed, by the usual times.
  let nightShare: Double
  let meanUnlocks: Double
  /// The levels at which the system offers Low Power Mode.
  let firstPrompt: Double
  let secondPrompt: Double
  /// Mean time from a start of the device to its first unlock while its user is awake (s).
  let meanTimeToUnlock: Double
  /// Nil for lives by a script, which says where the device is.
  let networks: NetworkPlans?
  /// Mean time of a Mac on its charger (s).
  let macPluggedMean: Double

  /// - Parameters:
  ///   - networks: those of the population, if they are known.
  ///   - drawsNetworks: whether any are needed.
  init(
    population: Population, powerNapInterval: Distribution, horizon: SimTime, networks: NetworkPlans?,
    drawsNetworks: Bool = true
  ) {
    self.population = population
    self.powerNapInterval = powerNapInterval
    self.horizon = horizon
    precondition(population.appUse.diurnalWeights.count == 24, "there are 24 hourly weights")
    var diurnal = InlineArray<25, Double>(repeating: 0)
    for hour in 0..<24 { diurnal[hour + 1] = diurnal[hour] + population.appUse.diurnalWeights[hour] }
    precondition(diurnal[24] > 0, "some hour has a weight")
    self.diurnal = diurnal

    let night = population.battery.wake.mean + Clock.day - population.battery.bedtime.mean
    let nightShare = min(1, max(0, night / Clock.day))
    self.nightShare = nightShare
    precondition(population.lowPowerMode.promptLevels.count == 2, "there are two prompts")
    firstPrompt = population.lowPowerMode.promptLevels[0]
    secondPrompt = population.lowPowerMode.promptLevels[1]
    meanUnlocks = population.deviceUse.unlocksPerDay.mean
    meanTimeToUnlock = meanUnlocks > 0 ? (1 - nightShare) * Clock.day / meanUnlocks : 0

    self.networks = networks ?? (drawsNetworks ? NetworkPlans(population, nightShare: nightShare) : nil)

    let onCharger = population.mac.timeOnCharger
    macPluggedMean = population.mac.unpluggedFor.mean * onCharger / max(1 - onCharger, 1e-6)
  }

  /// An offset from UTC, to a quarter of an hour as time zones have it.
  func localOffset(_ seconds: Double) -> SimDuration { .seconds(Int64((seconds / 900).rounded()) * 900) }

  /// The network of a kind of device.
  func network(of kind: DeviceKind) -> NetworkPlan {
    guard let networks else { preconditionFailure("a life by a script draws no network") }
    switch kind {
    case .iphone: return networks.iphone
    case .ipad: return networks.ipad
    case .mac: return networks.mac
    }
  }

  /// Whole days without use before a day of use, where every day is one with the probability `activeDay`: geometric.
  func idleDays(activeDay: Double, uniform: Double) -> Double {
    if activeDay >= 1 { return 0 }
    return activeDay > 0 ? (log(uniform) / log1p(-activeDay)).rounded(.down) : .infinity
  }

  /// Diurnal weight from local time of day 0 to `seconds`, which may lie beyond the day (weight · s).
  func diurnalWeight(until seconds: Double) -> Double {
    let days = (seconds / Clock.day).rounded(.down)
    let hours = (seconds - days * Clock.day) / Clock.hour
    let hour = min(23, Int(hours))
    let within = diurnal[hour] + (diurnal[hour + 1] - diurnal[hour]) * (hours - Double(hour))
    return (days * diurnal[24] + within) * Clock.hour
  }

  /// The local time of day (s) before which the share `x` of the day's diurnal weight lies.
  func timeOfDay(atWeightShare x: Double) -> Double {
    let target = x * diurnal[24]
    var low = 0
    var high = 24
    while high - low > 1 {
      let middle = (low + high) >> 1
      if diurnal[middle] <= target { low = middle } else { high = middle }
    }
    let weight = diurnal[low + 1] - diurnal[low]
    let within = weight > 0 ? min(1, (target - diurnal[low]) / weight) : 0
    return (Double(low) + within) * Clock.hour
  }
}

/// Lengths of the calendar, in seconds.
enum Clock {
  static let hour = 3600.0
  static let day = 86_400.0
}

/// The networks of a population, by kind of device.
struct NetworkPlans: Sendable {
  let iphone: NetworkPlan
  let ipad: NetworkPlan
  let mac: NetworkPlan

  /// - Parameter nightShare: the share of a day that users are in bed.
  init(_ population: Population, nightShare: Double) {
    let network = population.connectivity
    let total = max(network.timeOnWiFi + network.timeOnCellular + network.timeOffline, .leastNonzeroMagnitude)
    let nightsOff = network.nightlyOffUsers * network.nightlyOffProbability * nightShare
    let iphone = NetworkPlan(
      network, timeOnWiFi: network.timeOnWiFi / total, nightOnWiFi: network.nightOnWiFi,
      nightShare: nightShare,
      nightsOff: nightsOff, outageShare: max(0, network.timeOffline / total - nightsOff),
      cellularShare: network.timeOnCellular / total)
    self.iphone = iphone
    // An iPad or a Mac spends nights where it spends its days; outages strike its modem as they strike an iPhone's.
    ipad = NetworkPlan(
      network, timeOnWiFi: population.ipad.timeOnWiFi, nightOnWiFi: population.ipad.timeOnWiFi,
      nightShare: nightShare, nightsOff: nightsOff, outageHazard: iphone.outageHazard)
    mac = NetworkPlan(
      network, timeOnWiFi: population.mac.timeOnWiFi, nightOnWiFi: population.mac.timeOnWiFi,
      nightShare: nightShare, nightsOff: 0, outageHazard: 0)
  }
}

/// The rates of the network's process that give the shares of time that the population states.
///
/// By day a device alternates between stays on Wi-Fi, drawn from the population, and stays elsewhere, exponential
/// with a mean chosen here; a night is spent on Wi-Fi or elsewhere as a whole. On cellular, outages come with a
/// constant hazard, chosen here too.
struct NetworkPlan: Sendable {
  /// Probability of spending a night on Wi-Fi.
  let nightOnWiFi: Double
  /// Mean of a stay away from Wi-Fi by day (s).
  let meanStayElsewhere: Double
  /// Hazard of an outage while cellular works (1/s).
  let outageHazard: Double

  /// Chooses the outage hazard so that outages take `outageShare` of all time, of which `cellularShare` is on a
  /// working cellular network.
  init(
    _ network: Population.Connectivity, timeOnWiFi: Double, nightOnWiFi: Double, nightShare: Double,
    nightsOff: Double, outageShare: Double, cellularShare: Double
  ) {
    let mean = Self.meanStayElsewhere(
      network, timeOnWiFi: timeOnWiFi, nightOnWiFi: nightOnWiFi, nightShare: nightShare, nightsOff: nightsOff)
    let outage = Self.meanOutage(network, endingAtHazard: 1 / mean)
    self.init(
      nightOnWiFi: nightOnWiFi, meanStayElsewhere: mean,
      outageHazard: outageShare > 0 && outage > 0 && cellularShare > 0
        ? outageShare / (cellularShare * outage) : 0)
  }

  init(
    _ network: Population.Connectivity, timeOnWiFi: Double, nightOnWiFi: Double, nightShare: Double,
    nightsOff: Double, outageHazard: Double
  ) {
    self.init(
      nightOnWiFi: nightOnWiFi,
      meanStayElsewhere: Self.meanStayElsewhere(
        network, timeOnWiFi: timeOnWiFi, nightOnWiFi: nightOnWiFi, nightShare: nightShare,
        nightsOff: nightsOff),
      outageHazard: outageHazard)
  }

  private init(nightOnWiFi: Double, meanStayElsewhere: Double, outageHazard: Double) {
    self.nightOnWiFi = nightOnWiFi
    self.meanStayElsewhere = meanStayElsewhere
    self.outageHazard = outageHazard
  }

  /// The mean stay away from Wi-Fi with which the whole day's share of Wi-Fi is `timeOnWiFi`: a root, bracketed
  /// between a minute and a year, by bisection of the logarithm.
  private static func meanStayElsewhere(
    _ network: Population.Connectivity, timeOnWiFi: Double, nightOnWiFi: Double, nightShare: Double,
    nightsOff: Double
  ) -> Double {
    let dayShare = 1 - nightShare
    guard dayShare > 0 else { return Clock.day }
    let byNight = (nightShare - nightsOff) * nightOnWiFi
    let target = (timeOnWiFi - byNight) / dayShare
    let day = DayOnWiFi(dwell: network.wifiDwell, length: dayShare * Clock.day, startOnWiFi: nightOnWiFi)
    var low = log(60.0)
    var high = log(365 * Clock.day)
    for _ in 0..<20 {
      let middle = 0.5 * (low + high)
      // The longer the stays elsewhere, the less Wi-Fi.
      if day.share(meanStayElsewhere: exp(middle)) > target { low = middle } else { high = middle }
    }
    return exp(0.5 * (low + high))
  }

  /// Mean length of an outage that leaving the cellular network, with this hazard, may end early:
  /// ∫ P(length > t) e^(−hazard·t) dt, by the trapezoidal rule on the logarithm of t.
  private static func meanOutage(_ network: Population.Connectivity, endingAtHazard hazard: Double) -> Double
  {
    let long = network.longOutageShare
    func survival(_ t: Double) -> Double {
      let short = t < network.shortOutageLimit ? 1 - network.shortOutage.cdf(t) : 0
      return (1 - long) * short + long * (1 - network.longOutage.cdf(t))
    }
    let from = log(1e-2)
    let step = (log(100 * Clock.day) - from) / 400
    var sum = 0.0
    for i in 0...400 {
      let t = exp(from + step * Double(i))
      sum += t * survival(t) * exp(-hazard * t)
    }
    return sum * step
  }
}

/// The share of a day's waking time on Wi-Fi, from the renewal equations of the alternating process.
private struct DayOnWiFi {
  /// `left[k]` is the probability that a stay on Wi-Fi ends within the first k steps; `halfInStep[k]` half of that for
  /// step k alone.
  let left: [Double]
  let halfInStep: [Double]
  let step: Double
  let startOnWiFi: Double

  init(dwell: Distribution, length: Double, startOnWiFi: Double) {
    let steps = 128
    step = length / Double(steps)
    self.startOnWiFi = startOnWiFi
    var left: [Double] = []
    for k in 0...steps { left.append(dwell.cdf(Double(k) * step)) }
    self.left = left
    halfInStep = left.indices.map { $0 == 0 ? 0 : (left[$0] - left[$0 - 1]) * 0.5 }
  }

  func share(meanStayElsewhere mean: Double) -> Double {
    let steps = left.count - 1
    let stay = exp(-step / mean)
    // Probability of Wi-Fi k steps after a stay on Wi-Fi began, and after a stay elsewhere began.
    var onWiFi = [Double](repeating: 1, count: steps + 1)
    var elsewhere = [Double](repeating: 0, count: steps + 1)
    for k in 1...steps {
      var sum = 1 - left[k]
      var later = elsewhere[k]
      for j in 1...k {
        let earlier = elsewhere[k - j]
        sum += halfInStep[j] * (earlier + later)
        later = earlier
      }
      onWiFi[k] = sum
      elsewhere[k] = stay * elsewhere[k - 1] + (1 - stay) * 0.5 * (onWiFi[k - 1] + onWiFi[k])
      // The first term of the sum lacked `elsewhere[k]`, which was 0.
      onWiFi[k] += left[1] * 0.5 * elsewhere[k]
    }
    var total = 0.0
    for k in 0..<steps {
      let a = 0.5 * (onWiFi[k] + onWiFi[k + 1])
      let b = 0.5 * (elsewhere[k] + elsewhere[k + 1])
      total += startOnWiFi * a + (1 - startOnWiFi) * b
    }
    return total / Double(steps)
  }
}

/// e to the power of `x`; named for the callers that have no use for the rest of the C library.
func exponential(_ x: Double) -> Double { exp(x) }

/// `seconds` after `time`, for spans that are not negative; beyond 200,000 years, never.
///
/// Rounds half up, which takes one instruction where `rounded()` takes a call.
@inline(__always)
func after(_ time: SimTime, _ seconds: Double) -> SimTime {
  seconds < 6e12
    ? SimTime(microseconds: time.microseconds &+ Int64(seconds * 1e6 + 0.5)) : .distantFuture
}

/// A span that a process repeats: were it 0, as some distribution might have it, the process would never let time go on.
@inline(__always)
func atLeastASecond(_ seconds: Double) -> Double { max(1, seconds) }
