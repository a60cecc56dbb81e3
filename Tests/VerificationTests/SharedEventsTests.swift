import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

// What hits all devices of a replication at once, against the closed forms of events that come at random.
struct SharedEventsTests {
  /// Alerts every half hour to a phone that is always there, so that nothing but the event keeps one from arriving.
  private func scenario(_ events: String, strategy: String, devices: Int = 2, replications: Int = 200) throws
    -> Scenario
  {
    try Simulation.decode(
      """
      scenario: shared
      question: What hits all at once?
      population:
        scripted:
          base: {base: consumer_default, set: {latency.apns_online_s: 1 s, latency.apns_slow_tail.p: 0 %}}
          start: {battery: 80 %, charger: connected, last_open: 1 h}
      policy: {base: guide, set: {usage_history.mode: off, hourly_budget.mode: off, sustained_excess.mode: off, fetch_feedback.mode: off}}
      app: {background_modes: [remote_notification], handler: {duration: 1 s, result: {no_data: 100 %}}}
      \(events)
      strategies: {it: {\(strategy)}}
      experiment: {devices: \(devices), duration: 10 d, warm_up: 0 s, replications: \(replications), seed: 5}
      """)
  }

  /// By replication.
  private func losses(_ scenario: Scenario) throws -> [Double] {
    try (0..<scenario.experiment.replications).map { replication in
      var worker = DeviceWorker(scenario.input, replication: replication)
      for device in 0..<UInt32(scenario.experiment.devices) { try worker.run(device: device) }
      let tally = worker.takeTallies()[0][0]
      return 1 - Double(tally.count(.delivered)) / Double(tally.sent)
    }
  }

  private let alerts = "alert_push: {send: {every: 30 min}, provider: {retries: {most: 0}}}"
  private let incident = "shared_events: {apns_incident: {rate: 0.2 /day, lasts: 4 h}}"

  private func moments(_ values: [Double]) -> (mean: Double, variance: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1))
  }

  /// Incidents of length L at rate λ are up a share u = 1 − e^(−λL) of the time; the share of T that is in one has the
  /// variance e^(−2λL) · 2 ∫ (1 − t/T) (e^(λ(L−t)) − 1) dt / T for t from 0 to L, which is near λL²/T.
  @Test func `incidents lose the share of the time that they last, and spread it as events at random do`()
    throws
  {
    let (rate, length, run) = (0.2, 1.0 / 6, 10.0)
    let (mean, variance) = moments(try losses(scenario(incident, strategy: alerts)))
    // Nothing is under way at the start, which takes off about λL²/2T.
    let expected = rate * length * (1 - length / (2 * run))
    let spread = rate * length * length / run
    // 200 replications: the mean within 4 standard errors, the variance of about two events each within 40 %.
    #expect(abs(mean - expected) < 4 * (spread / 200).squareRoot(), "\(mean), \(expected)")
    #expect(variance > 0.6 * spread && variance < 1.4 * spread, "\(variance), \(spread)")
  }

  @Test func `all devices are hit at once, so more of them do not narrow the spread`() throws {
    let few = moments(try losses(scenario(incident, strategy: alerts, devices: 2, replications: 60)))
    let many = moments(try losses(scenario(incident, strategy: alerts, devices: 12, replications: 60)))
    #expect(many.variance > 0.95 * few.variance, "\(many), \(few)")
    #expect(moments(try losses(scenario("", strategy: alerts, replications: 4))).mean == 0)
  }

  @Test func `a new system swallows its share of silent pushes on the devices that it reaches, alerts never`()
    throws
  {
    let system =
      "shared_events: {new_system: {rate: 0.0001 /s, lasts: 20 d, reaches: 50 %, spreads_over: 0 s, fails: 40 %}}"
    let silent = "background_push: {send: {every: 30 min}}"
    let lost = moments(try losses(scenario(system, strategy: silent, devices: 40, replications: 5))).mean
    // Each of the many events reaches half of the devices and lasts to the end, so that a device has one after 5.6 h in the
    // mean; then 40 % fail.
    #expect(abs(lost - 0.4 * (1 - 5.6 / 240)) < 0.02, "\(lost)")
    #expect(try losses(scenario(system, strategy: alerts, replications: 2)) == [0, 0])
  }

  @Test func `a bad release never completes its launches on the devices that have it, and only then`() throws
  {
    func killed(_ reaches: String) throws -> Double {
      let events =
        "shared_events: {bad_release: {rate: 0.00001 /s, lasts: 20 d, reaches: \(reaches), fails: 100 %}}"
      let tally = try Simulation.run(
        scenario(events, strategy: "background_push: {send: {every: 30 min}}", devices: 30, replications: 6)
      ).runs[0].strategies[0].total
      return Double(tally.count(.killed)) / Double(tally.count(.delivered))
    }
    #expect(try killed("0 %") == 0)
    // The first comes after 28 h in the mean, and lasts to the end.
    let all = try killed("100 %")
    #expect(all > 0.6 && all < 1, "\(all)")
  }

  @Test func `events change nothing where there are none, and are the same under every strategy`() throws {
    let plain = try Simulation.run(scenario("", strategy: alerts, replications: 2)).runs[0].strategies[0]
      .total
    let never = try Simulation.run(
      scenario(
        "shared_events: {apns_incident: {rate: 0 /day, lasts: 4 h}}", strategy: alerts, replications: 2)
    ).runs[0].strategies[0].total
    #expect(plain.count(.delivered) == never.count(.delivered) && plain.latency == never.latency)
  }
}
