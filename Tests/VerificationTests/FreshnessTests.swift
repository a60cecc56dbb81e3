import Experiments
import Foundation
import PushModel
import PushPolicy
import PushsimTestSupport
import Testing

// Freshness and age at opens against the renewal formulas of Cho and Garcia-Molina, *Synchronizing a database to improve
// freshness* (SIGMOD 2000), where the model reduces to them: no policy factor, a handler and a transit of no length, and
// an app that loads nothing when it is opened. All devices of a replication see the same content, so the replication is
// the unit. Opens are spread over time as the formulas want it: one in each interval, at stratified phases.
struct FreshnessTests {
  private static let opens = 144

  /// Opens one instant long, the k-th within the k-th interval of `gap` hours after the warm-up.
  private static func spreadOpens(gap: Double, from start: Double) -> [String] {
    // Phases in a scattered order (5 and 144 have no common divisor), each at random within its stratum.
    var state: UInt64 = 1
    return (0..<opens).map { k in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let uniform = Double(state >> 11) / 9_007_199_254_740_992
      let phase = (Double(k * 53 % opens) + uniform) / Double(opens)
      return "at: \(start + gap * (Double(k) + phase)) h, open_app: 1 ms"
    }
  }

  /// Freshness and age (in hours) at opens, by replication.
  private func measure(_ scripted: ScriptedCase) throws -> (fresh: [Double], age: [Double]) {
    let result = try Simulation.run(scripted.scenario()).runs[0].strategies[0]
    #expect(result.total.opens == Int64(Self.opens * scripted.replications))
    func values(_ name: String) throws -> [Double] {
      try #require(result.metric(name)).values.compactMap(\.self)
    }
    return (try values("fresh_open"), try values("staleness_at_open_s").map { $0 / 3600 })
  }

  private func scripted(updates: String, timeline: [String], hours: Double) -> ScriptedCase {
    ScriptedCase {
      $0.start = "battery: 80 %, charger: connected"
      $0.timeline = timeline
      $0.app = "syncs_on_open: off"
      $0.handler = "duration: 0 s, result: {new_data: 100 %}"
      $0.transit = "0 s"
      $0.updates = updates
      $0.policy = ScriptedCase.only()
      $0.replications = 24
      $0.warmUp = "2 d"
      $0.duration = "\(hours) h"
    }
  }

  @Test(arguments: [(2.0, 0.5), (2, 0.1), (1, 3)])
  func `a sync every I of content with Poisson updates is fresh for (1 − exp(−λI)) / (λI) of the time`(
    interval: Double, rate: Double
  ) throws {
    var periodic = scripted(
      updates: "{poisson: {rate: \(rate) /h}}",
      timeline: Self.spreadOpens(gap: interval, from: 48), hours: interval * Double(Self.opens))
    periodic.send = "{every: \(interval) h}"
    let (fresh, age) = try measure(periodic)
    let x = rate * interval
    let kept = -expm1(-x)
    // The strata leave an error of the order opens^(−3/2).
    #expect(isPlausibleMean(fresh, kept / x, bias: 1e-3))
    #expect(isPlausibleMean(age, interval * (0.5 - 1 / x + kept / (x * x)), bias: 1e-3 * interval))
  }

  @Test(arguments: [(1.0, 1.0), (3, 1), (0.5, 2)])
  func `Poisson syncs at rate μ leave content fresh for μ/(λ + μ), at a mean age of λ/(μ(λ + μ))`(
    sync: Double, rate: Double
  ) throws {
    var random = scripted(
      updates: "{poisson: {rate: \(rate) /h}}", timeline: Self.spreadOpens(gap: 2, from: 48),
      hours: 2 * Double(Self.opens))
    random.send = "{poisson: {rate: \(sync) /h}}"
    let (fresh, age) = try measure(random)
    #expect(isPlausibleMean(fresh, sync / (rate + sync)))
    #expect(isPlausibleMean(age, rate / (sync * (rate + sync))))
  }

  @Test(arguments: [(1.0, 0.7), (4, 0.7), (4, 0.1)])
  func `loading only when opened, gaps of g are fresh with exp(−λg), at a mean age of g − (1 − exp(−λg))/λ`(
    gap: Double, rate: Double
  ) throws {
    // The first gap begins with an open before the end of the warm-up.
    let timeline = (0...Self.opens).map { "at: \(48.0 - gap / 2 + gap * Double($0)) h, open_app: 1 ms" }
    var opened = scripted(
      updates: "{poisson: {rate: \(rate) /h}}", timeline: timeline, hours: gap * Double(Self.opens))
    opened.app = "syncs_on_open: on"
    opened.send = nil
    let (fresh, age) = try measure(opened)
    #expect(isPlausibleMean(fresh, exp(-rate * gap)))
    #expect(isPlausibleMean(age, gap + expm1(-rate * gap) / rate))
  }

  // Each launch that succeeds loads everything. Content is stale if no push has succeeded since the last update, T ago:
  // neither that update's own, whose chance is px with x = 1 − exp(−μT), nor one of the earlier ones, which come as a
  // Poisson number of mean (λp/μ)x. So it is stale for E[(1 − px) exp(−(λp/μ)x)] over T exponential at rate λ, and fresh
  // for more than pμ/(λ + μ), its own pushes' share alone.
  @Test(arguments: [(1.0, 2.0, 1.0), (1, 12, 1), (1, 12, 0.6), (2, 1, 0.3)])
  func
    `with a push at each update, of which p succeed after exponential delays, content is as fresh as theory says`(
      rate: Double, delay: Double, p: Double
    ) throws
  {
    var pushed = scripted(
      updates: "{poisson: {rate: \(rate) /h}}", timeline: Self.spreadOpens(gap: 2, from: 48),
      hours: 2 * Double(Self.opens))
    pushed.send = "each_update"
    pushed.transit = "{exponential: {mean: \(60 / delay) min}}"
    pushed.handler = "duration: 0 s, result: {new_data: \(p * 100) %, failed: \(100 - p * 100) %}"
    let (fresh, _) = try measure(pushed)
    // Over y = exp(−λT), which is uniform.
    let steps = 10_000
    let stale =
      (0..<steps).map { step in
        let x = 1 - pow((Double(step) + 0.5) / Double(steps), delay / rate)
        return (1 - p * x) * exp(-rate * p / delay * x)
      }.reduce(0, +) / Double(steps)
    #expect(1 - stale > p * delay / (rate + delay))
    #expect(isPlausibleMean(fresh, 1 - stale))
  }

  @Test
  func `without sync everything is stale but before the first update`() throws {
    var never = scripted(
      updates: "{at: [60 h]}", timeline: ["at: 59 h, open_app: 1 ms", "at: 70 h, open_app: 1 ms"], hours: 100)
    never.replications = 1
    never.send = "{at: [0 s]}"
    let total = try Simulation.run(never.scenario()).runs[0].strategies[0].total
    #expect(total.opens == 2 && total.freshOpens == 1)
    #expect(total.stalenessMilliseconds == 36_000_000)
  }
}
