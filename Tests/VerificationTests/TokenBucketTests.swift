import Experiments
import Foundation
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

/// Launches of an M/D/1 queue with room for `room` customers, per time of service.
///
/// Brun and Garcia, *Analytical solution of finite capacity M/D/1 queues*, Journal of Applied Probability 37 (2000).
private func throughput(load: Double, room: Int) -> Double {
  var b = 0.0
  for k in 0..<room {
    let n = Double(room - 1 - k)
    b += pow(-load * n, Double(k)) / tgamma(Double(k) + 1) * exp(load * n)
  }
  return load * b / (1 + load * b)
}

/// A device on which nothing but the hourly budget is in the way.
struct TokenBucketTests {
  private let limit = 2.5
  private let bucket = ScriptedCase {
    $0.start = "battery: 80 %, charger: connected"
    $0.handler = "duration: 0 s, result: {no_data: 100 %}"
    $0.policy = ScriptedCase.only(.hourlyBudget) + ["hourly_budget.ignore_probability: 0 %"]
  }

  // The theory itself at the cases that are known: one place is Erlang's loss, and without bound all get in.
  @Test
  func `the finite queue has its known limits`() {
    for load in [0.1, 0.5, 1, 3] {
      #expect((throughput(load: load, room: 1) - load / (1 + load)).magnitude < 1e-12)
    }
    #expect((throughput(load: 0.5, room: 20) - 0.5).magnitude < 1e-6)
    #expect((throughput(load: 8, room: 4) - 1).magnitude < 1e-6)
  }

  // A bucket of 3 tokens with one push waiting is an M/D/1 queue with room for 4: its work is what is missing in the
  // bucket, and a push that finds the place taken replaces the one that waits.
  @Test(arguments: [1, 2.5, 4, 20])
  func
    `Poisson sends at a budget launch as a finite M/D/1 queue serves: min(arrivals, limit) in the long run`(
      rate: Double
    ) throws
  {
    var poisson = bucket
    poisson.send = "{poisson: {rate: \(rate) /h}}"
    poisson.duration = "10 d"
    poisson.warmUp = "1 d"
    let scenario = try poisson.scenario()
    var perHour: [Double] = []
    for replication in 0..<12 {
      var worker = DeviceWorker(scenario.input, replication: replication)
      try worker.run(device: 0)
      perHour.append(Double(worker.takeTallies()[0][0].wakes) / 240)
    }
    let expected = limit * throughput(load: rate / limit, room: 4)
    // One token more or less at either end.
    #expect(isPlausibleMean(perHour, expected, bias: 1.0 / 240), "\(perHour) against \(expected)")
    // Within a tenth of the lower of the two rates, but where they meet.
    if (rate - limit).magnitude > 0.6 {
      #expect(expected > 0.9 * min(rate, limit) && expected <= min(rate, limit))
    }
  }

  @Test(arguments: [
    (60.0, 1.0), (40, 1.5), (30, 2), (24, 2.5), (20, 3), (15, 4), (10, 6), (5, 12), (1, 60),
  ])
  func `periodic sends launch at exactly min(arrivals, limit)`(minutes: Double, rate: Double) throws {
    var periodic = bucket
    periodic.send = "{every: \(minutes) min}"
    periodic.duration = "10 d"
    let launches = try periodic.trace().launchTimes
    // The burst is there once more than is refilled, and a token may be on its way at the end.
    let expected = min(rate, limit) * 240
    let slack = rate < limit ? 1.0 : 4
    #expect(Double(launches.count) >= expected - 1 && Double(launches.count) <= expected + slack)
    // No more than burst and refill in any stretch of time: the largest excess over it, in launches.
    var lowest = Double.infinity
    var excess = -Double.infinity
    for (number, time) in launches.enumerated() {
      let overRefill = Double(number) - limit * time / 3600
      lowest = min(lowest, overRefill)
      excess = max(excess, overRefill - lowest + 1)
    }
    #expect(excess <= 3 + 1e-6)
  }

  /// Launches per hour at 1, 2, 3, 4, 6, 12 and 60 sends an hour.
  private func launches(_ scripted: ScriptedCase) throws -> [Double] {
    try [60.0, 30, 20, 15, 10, 5, 1].map { minutes in
      var scripted = scripted
      scripted.send = "{every: \(minutes) min}"
      scripted.duration = "4 d"
      scripted.warmUp = "1 d"
      return try Double(scripted.trace().tally.wakes) / 96
    }
  }

  @Test
  func `launches per device-hour rise with the send rate, then saturate at the budget`() throws {
    let launches = try launches(bucket)
    #expect((launches[0] - 1).magnitude < 0.02 && (launches[1] - 2).magnitude < 0.02)
    for saturated in launches.dropFirst(2) { #expect((saturated - 2.5).magnitude < 0.02, "\(launches)") }
  }

  @Test
  func `under the whole policy launches never grow again, however many are sent`() throws {
    let whole = ScriptedCase {
      $0.start = "battery: 80 %, charger: connected, last_open: 1 h"
      $0.timeline = (0..<20).map { "at: \($0 * 6 + 3) h, open_app: 1 min" }
    }
    let launches = try launches(whole)
    let saturation = launches[3]
    #expect(launches[0] < launches[1] && launches[1] < saturation)
    for further in launches.dropFirst(3) { #expect(further <= saturation + 0.02, "\(launches)") }
  }
}
