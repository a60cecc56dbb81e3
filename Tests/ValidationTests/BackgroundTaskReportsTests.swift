import Distributions
import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

// How often refreshes and processing tasks run by the rules alone: a device that is always fit, a user who opens the app
// by chance, opportunities drawn here. Identifiers are in Documentation/Sources.md.

private func policies() throws -> [Policy] {
  try ["guide", "evidence"].map {
    try Simulation.load("Scenarios/news_feed.yaml", set: ["policy=\($0)"]).input.policies[0].parameters.values
  }
}

/// The hourly weights of the population `consumer_default`, and how much of the day the device charges: by night.
private let weights: [Double] = [
  0.50, 0.25, 0.12, 0.08, 0.08, 0.15, 0.45, 0.85, 1.05, 1.10, 1.10, 1.15, 1.25, 1.20, 1.15, 1.15, 1.25, 1.35,
  1.40, 1.45, 1.50, 1.50, 1.30, 0.90,
]
private let heaviest = 1.5
private let daysBefore = 60
private let daysCounted = 30

/// A user who opens the app on some days, about so many times.
private struct User {
  var activeDays: Double
  var opens: Double
  static let heavy = User(activeDays: 0.8, opens: 5)
  static let light = User(activeDays: 0.13, opens: 1.7)

  /// In order of time.
  func opens(_ stream: inout RandomStream, days: Range<Int>) -> [SimTime] {
    var all: [SimTime] = []
    for day in days where stream.uniform() < activeDays {
      // Poisson within the day, by thinning at the busiest hour's rate.
      var hour = 0.0
      while true {
        hour += stream.unitExponential() * 24 / (opens * heaviest * 24 / weights.reduce(0, +))
        if hour >= 24 { break }
        if stream.uniform() < weights[Int(hour)] / heaviest {
          all.append(.zero + .days(Int64(day)) + SimDuration(seconds: hour * 3600))
        }
      }
    }
    return all
  }
}

/// The times of the refreshes of one device, with the opens of its user.
private func refreshes(_ policy: Policy, _ user: User, device: Int) -> (runs: [SimTime], opens: [SimTime]) {
  var stream = StreamFamily(seed: 20_260_103, replication: 0).stream(device: UInt32(device), .test)
  let opens = user.opens(&stream, days: 0..<(daysBefore + daysCounted))
  let factor = exponential(policy.appRefresh.deviceSigma * stream.unitGaussian())
  var app = AppUnderPolicy(memory: AppMemory(), policy: policy)
  var task = TaskMemory()
  var runs: [SimTime] = []
  var next = 0
  var now = SimTime.zero
  let end = SimTime.zero + .days(Int64(daysBefore + daysCounted))
  task.submit(at: now, earliest: .minutes(15))
  while true {
    now += SimDuration(seconds: policy.appRefresh.peakInterval / factor * stream.unitExponential())
    if now >= end { break }
    while next < opens.count, opens[next] <= now {
      app.recordOpen(at: opens[next])
      next += 1
    }
    app.memory.pool.fill(at: now, phase: 1, policy.devicePool)
    var state: DeviceState = [.installed, .poweredOn, .unlockedSinceStart, .wifi]
    if hourOfDay(now) < 7 { state.insert(.charging) }
    let verdict = withUnsafePointer(to: &app) {
      AppRefresh.judge(now: now, state: state, request: .task, task: task, app: $0)
    }
    if case .runs(let probability, _) = verdict, stream.uniform() < probability {
      task.recordRun(at: now)
      task.submit(at: now, earliest: .minutes(15))
      if now >= .zero + .days(Int64(daysBefore)) { runs.append(now) }
    }
  }
  return (runs, opens)
}

private func hourOfDay(_ t: SimTime) -> Int { Int(t.seconds / 3600) % 24 }

private func exponential(_ x: Double) -> Double {
  // Of a device's factor: its series is exact enough.
  var term = 1.0
  return (1...30).reduce(1.0) { sum, k in
    term *= x / Double(k)
    return sum + term
  }
}

@Suite struct BackgroundTaskReportsTests {
  private static let devices = 300

  @Test func `R-85, R-87, R-91: often used some ten refreshes a day, seldom used one or two or none`() throws
  {
    for policy in try policies() {
      for (user, band) in [(User.heavy, 5.0...15.0), (.light, 0.0...2.0)] {
        let perDay = (0..<Self.devices).map {
          Double(refreshes(policy, user, device: $0).runs.count) / Double(daysCounted)
        }
        let mean = perDay.reduce(0, +) / Double(Self.devices)
        #expect(band.contains(mean), "\(user): \(mean)")
        // Most single devices too: reports are of single devices.
        let within = perDay.filter { ((0.5 * band.lowerBound)...(1.5 * band.upperBound)).contains($0) }.count
        #expect(Double(within) > 0.8 * Double(Self.devices), "\(user): \(within)")
      }
    }
  }

  @Test func `T15, R-88, R-89: none on a day without an open, and never within 15 min of the last`() throws {
    for policy in try policies() {
      for device in 0..<Self.devices {
        let (runs, opens) = refreshes(policy, .light, device: device)
        for run in runs {
          #expect(opens.contains { $0 <= run && run - $0 <= .hours(24) })
        }
        for (earlier, later) in zip(runs, runs.dropFirst()) { #expect(later - earlier >= .minutes(15)) }
      }
    }
  }

  @Test func `C4-02, W10: refreshes come at the hours of use, not at night`() throws {
    for policy in try policies() {
      var byHour = [Double](repeating: 0, count: 24)
      for device in 0..<Self.devices {
        for run in refreshes(policy, .heavy, device: device).runs { byHour[hourOfDay(run)] += 1 }
      }
      // Opens are 12 times as frequent at 17 to 21 h as at 1 to 5 h.
      let night = byHour[1..<5].reduce(0, +)
      let evening = byHour[17..<21].reduce(0, +)
      #expect(evening > 3 * night, "\(evening) and \(night)")
      // The hour before the first opens of the morning sees more than its own opens would explain.
      #expect(byHour[6] / byHour[17..<21].max()! > 1.2 * weights[6] / 1.45)
    }
  }

  @Test func `R-93, R-96, W11: a device that charges every night runs a processing task about once a day`()
    throws
  {
    let policy = try policies()[1]
    var perDay: [Double] = []
    for device in 0..<Self.devices {
      var stream = StreamFamily(seed: 20_260_104, replication: 0).stream(device: UInt32(device), .test)
      var app = AppUnderPolicy(memory: AppMemory(), policy: policy)
      var task = TaskMemory()
      var runs = 0
      var now = SimTime.zero
      task.submit(at: now, earliest: .zero)
      while now < .zero + .days(60) {
        now += SimDuration(seconds: policy.processingTask.peakInterval * stream.unitExponential())
        app.recordOpen(at: now)
        app.memory.pool.fill(at: now, phase: 1, policy.devicePool)
        var state: DeviceState = [.installed, .poweredOn, .unlockedSinceStart, .wifi]
        if hourOfDay(now) < 7 {
          state.insert(.charging)
        } else if now.seconds.truncatingRemainder(dividingBy: 1800) < 600 {
          state.insert(.screenOn)
        }
        let verdict = withUnsafePointer(to: &app) {
          ProcessingTask.judge(
            now: now, state: state, load: 0.1, systemVersion: 18,
            request: .init(requiresPower: true, requiresNetwork: true), task: task, app: $0)
        }
        if case .runs(let probability, _) = verdict, stream.uniform() < probability {
          task.recordRun(at: now)
          task.submit(at: now, earliest: .zero)
          runs += 1
        }
      }
      perDay.append(Double(runs) / 60)
    }
    let mean = perDay.reduce(0, +) / Double(Self.devices)
    // At most one a day, and days are skipped when the drift has carried the run out of the night.
    #expect(mean > 0.7 && mean < 1, "\(mean)")
    #expect(perDay.allSatisfy { $0 <= 1.02 })
  }
}
