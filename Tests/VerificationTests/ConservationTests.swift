import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

/// Sums that must hold to the unit in every run.
///
/// - Parameter withoutLaunch: the alerts and VoIP pushes delivered: they have reached what they were for without a launch
///   of the kind that results are of.
func expectConservation(_ tally: Tally, _ name: String, withoutLaunch: Int64 = 0) {
  let fates = Fate.allCases.map { Int64(tally.count($0)) }
  #expect(fates.reduce(0, +) == tally.sent, "fates of \(name)")
  for fate in Fate.allCases {
    var reasons: Int64 = 0
    for index in 0..<Reason.count { reasons += tally.reasonCount(fate, Reason(index: index)) }
    switch fate {
    case .delivered, .lost: #expect(reasons == 0, "\(name): \(fate.name)")
    // A push in transit at the end waits for no factor.
    case .pending: #expect(reasons <= tally.count(fate), "\(name): \(fate.name)")
    default: #expect(reasons == tally.count(fate), "\(name): \(fate.name)")
    }
  }
  let delivered = Int64(tally.count(.delivered))
  let results = LaunchResult.allCases.map { Int64(tally.count($0)) }.reduce(0, +)
  #expect(results == delivered - withoutLaunch, "\(name): results")
  #expect(Int64(tally.latency.count) == delivered, "\(name): latencies")
  #expect(tally.deliveredInForeground <= delivered, "\(name)")
  // Each push is in one cell of its fate, and in one of a class, a kind and a quarter of the day.
  func sum(_ row: [Int64]) -> Int64 { row.reduce(0, +) }
  for fate in Fate.allCases {
    #expect(sum(tally.incidence[fate]) == Int64(tally.count(fate)), "\(name): incidence of \(fate.name)")
  }
  let rows = IncidenceCounts.Segment.all.map { tally.incidence[$0] }
  #expect(rows.reduce(0) { $0 + sum($1.delivered) } == 3 * delivered, "\(name): delivered by segment")
  #expect(rows.reduce(0) { $0 + sum($1.pending) } == 3 * Int64(tally.count(.pending)), "\(name)")
  #expect(
    rows.reduce(0) { $0 + sum($1.delivered) + sum($1.otherwise) + sum($1.pending) } == 3 * tally.sent,
    "\(name): segments")
  let places = (0..<240).map { ($0 / 10, $0 % 10) }
  let byBattery = tally.byHourAndBattery
  #expect(places.reduce(0) { $0 + byBattery.sent(hour: $1.0, tenth: $1.1) } == tally.sent, "\(name)")
  #expect(
    places.reduce(0) { $0 + byBattery.deliveredWithin5min(hour: $1.0, tenth: $1.1) } == tally.within[1],
    "\(name)")
  // Each threshold includes the shorter ones.
  let within = tally.within.indices.map { tally.within[$0] }
  #expect(within == within.sorted() && within[3] <= delivered, "\(name): thresholds")
  for segments in tally.segments {
    func sum(_ part: (Tally.Segment) -> Int64) -> Int64 { segments.reduce(0) { $0 + part($1) } }
    #expect(sum(\.sent) == tally.sent, "\(name): sent by segment")
    #expect(sum(\.delivered) == delivered, "\(name): delivered by segment")
    #expect(sum(\.within5min) == tally.within[1], "\(name): within 5 min by segment")
    #expect(sum(\.notWakeable) == Int64(tally.count(.notWakeable)), "\(name): not wakeable by segment")
    #expect(sum(\.freshOpens) == tally.freshOpens, "\(name): fresh opens by segment")
  }
  #expect(tally.wokenWithin15min <= tally.sent, "\(name)")
  #expect(tally.usefulWakes <= tally.wakes, "\(name)")
  // A launch on no network still costs its run time.
  let energy = tally.energy
  #expect(0 <= energy.usefulWakes && energy.usefulWakes <= energy.wakes, "\(name): energy of useful wakes")
  #expect(energy.wakes <= energy.total && energy.whileCharging <= energy.total, "\(name): energy")
  #expect((tally.usefulWakes > 0) == (energy.usefulWakes > 0), "\(name): useful wakes cost something")
  #expect(tally.provokedOpens <= tally.opens, "\(name): provoked opens")
  #expect((0...tally.devices).contains(tally.downloads.pending), "\(name): downloads")
  #expect(Int64(tally.downloads.time.count) == tally.downloads.completed, "\(name): times of downloads")
}

/// What the alerts and calls of a strategy must come to beside.
func expectConservation(_ strategy: StrategyResult, _ name: String) {
  let tally = strategy.total
  func delivered(_ mechanism: PushMechanism) -> Int64 {
    guard strategy.plans.contains(where: { $0.mechanism == mechanism }) else { return 0 }
    return strategy.counts(mechanism).fates[Int(Fate.delivered.rawValue)]
  }
  let (alerts, calls) = (delivered(.alert), delivered(.voip))
  // A push for a Live Activity or a widget launches no app.
  let isForExtension = strategy.plans.contains { $0.mechanism == .background && $0.request.isForExtension }
  let shown = isForExtension ? delivered(.background) : 0
  expectConservation(tally, name, withoutLaunch: alerts + calls + shown)
  func sum(_ counts: InlineArray<6, Int64>) -> Int64 { counts.indices.reduce(0) { $0 + counts[$1] } }
  #expect(sum(tally.calls) == calls, "\(name): calls")
  #expect(Int64(tally.ring.count) <= calls && tally.rangWithin5s <= Int64(tally.ring.count), "\(name): rings")
  #expect(
    Int64(tally.ring.count) >= Int64(tally.count(call: .rang)), "\(name): a call that rang has a time")
  let handling = strategy.plans.contains { $0.mechanism == .alert } ? strategy.strategy.alerts : nil
  if handling?.serviceExtension != nil {
    let lost = Int64(tally.count(alert: .notShown))
    #expect(sum(tally.alerts) == alerts + lost, "\(name): alerts")
    #expect(tally.reasonCount(.discardedByPolicy, .extensionTerminated) == lost, "\(name): alerts lost")
  }
  if handling?.contentExtension != nil {
    let views = tally.contentViews.indices.reduce(0) { $0 + tally.contentViews[$1] }
    #expect(views == alerts, "\(name): views")
  }
}

struct ConservationTests {
  @Test
  func `every shipped scenario accounts for each push`() throws {
    for path in try Simulation.shippedScenarios() {
      var scenario = try Simulation.load(path)
      scenario.devices = min(4, scenario.devices)
      scenario.replications = 2
      scenario.change("shorter") {
        $0.warmUp = min($0.warmUp, .hours(6))
        $0.duration = min($0.duration, .days(3))
      }
      for run in try Simulation.run(scenario).runs {
        for strategy in run.strategies {
          expectConservation(strategy, "\(path): \(strategy.name)")
          #expect(strategy.sendsPushes == (strategy.total.sent > 0), "\(path): \(strategy.name)")
        }
      }
    }
  }

  /// All ways of sending, on days in which much happens.
  private let eventful = """
    scenario: eventful
    question: Where do they all go?
    app:
      background_modes: [remote_notification]
      handler: {duration: {lognormal: {median: 6 s, p95: 40 s}}, result: {new_data: 60 %, no_data: 20 %, failed: 10 %, never_completes: 10 %}}
    content: {updates: {poisson: {rate: 24 /day}}}
    strategies:
      updates: {background_push: {send: each_update, expiration: 1 h}}
      often: {background_push: {send: {every: 6 min, jitter: 5 min}, priority: 10}}
      random: {background_push: {send: {poisson: {rate: 3 /h}}, expiration: 0 s}}
      mornings: {background_push: {send: {at_local: ["07:00", "18:30"]}}}
      server: {background_push: {send: {at_server: ["06:00"]}, expiration: 10 min}}
      alert: {background_push: {send: {every: 3 h}, payload: {aps: [alert, content-available]}}}
      none: {sync_on_open: {}}
    experiment: {devices: 6, duration: 3 d, warm_up: 6 h, replications: 12}
    """
  private let harshness = [
    "population.churn.uninstall_days={exponential: {mean: 5 d}}", "population.restart.interval=1 d",
    "population.restart.off_for=10 min", "population.time_zone.utc_offset={uniform: [-11 h, 12 h]}",
    "population.connectivity.time_share={offline: 20 %, rest: scaled}",
    "population.cpu.episodes_per_day=10 /day",
    "population.connectivity.outage_long_h.share_of_outages=30 %",
  ]

  @Test
  func `a policy of any parameters within their priors accounts for each push`() throws {
    var scenario = try Simulation.decode(eventful, set: harshness)
    var parameters = scenario.input.policies[0].parameters
    for (key, setting) in zip(Policy.keys, parameters.settings) {
      #expect(key.path == setting.path)
      guard let prior = setting.prior else { continue }
      parameters.drawn.append((key, prior))
    }
    #expect(parameters.drawn.count > 20)
    scenario.change("all drawn") { $0.policies[0].parameters = parameters }
    for replication in 0..<scenario.experiment.replications {
      var worker = DeviceWorker(scenario.input, replication: replication)
      for device in 0..<scenario.experiment.devices { try worker.run(device: UInt32(device)) }
      for (index, tally) in worker.takeTallies()[0].enumerated() {
        expectConservation(tally, "\(scenario.input.strategies[index].name), replication \(replication)")
      }
    }
  }

  @Test
  func `the eventful days see every fate, but none is lost where no link goes dead`() throws {
    func seen(_ settings: [String]) throws -> [Fate] {
      let run = try Simulation.run(eventful, set: harshness + settings).runs[0]
      return Fate.allCases.filter { fate in run.strategies.contains { $0.total.count(fate) > 0 } }
    }
    #expect(try seen([]) == Fate.allCases.filter { $0 != .lost })
    #expect(try seen(["policy.apns.dead_link_on_wifi=1 /day"]) == Fate.allCases)
  }
}
