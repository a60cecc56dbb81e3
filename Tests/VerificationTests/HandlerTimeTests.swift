import Distributions
import Experiments
import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

@testable import Reporting

/// How long the app may run: what that is blamed for, what it is called, and what there is to do in it.
struct HandlerTimeTests {
  /// Busy users of iPhones under the profile that grants less than the limit.
  private func busy(_ strategy: String, handler: String = "2 s", set: String = "", devices: Int = 12)
    -> String
  {
    """
    scenario: handlers
    question: What is a long handler blamed for?
    population:
      base: consumer_default
      set:
        classes: {dormant.share: 0 %, light.share: 0 %, regular.share: 0 %, heavy.share: 100 %}
        mix.device: {iphone: 100 %, ipad: 0 %, mac: 0 %}
    policy: {base: evidence, set: {\(set)}}
    app:
      background_modes: [fetch, processing, remote_notification]
      handler: {duration: \(handler), result: {no_data: 100 %}}
    strategies:
      it: {\(strategy)}
    experiment: {devices: \(devices), duration: 6 d, warm_up: 0 s, replications: 1}

    """
  }

  private func counts(_ yaml: String, _ task: TaskMechanism) throws -> Tally.TaskCounts {
    try Simulation.run(yaml).runs[0].strategies[0].total.tasks[Int(task.rawValue)]
  }

  private func blamed(_ counts: Tally.TaskCounts) -> Int64 {
    let feedback = Int(TaskReason(.fetchFeedback).index)
    return counts.refused[feedback] + counts.passedOverFor[feedback]
  }

  // S5: a handler of 12 s is within the rules. What is granted is 5 s in the median.
  @Test func `a refresh that outlasts its grant is not blamed`() throws {
    let short = try counts(busy("app_refresh: {}", handler: "1 s"), .appRefresh)
    let long = try counts(busy("app_refresh: {}", handler: "12 s"), .appRefresh)
    #expect(short.runs > 50)
    #expect(long.results[Int(LaunchResult.timedOut.rawValue)] * 2 > long.runs)
    #expect(blamed(long) == 0)
    // The longer run may still be under way at an opportunity for which the shorter one is over.
    #expect(abs(long.runs - short.runs) * 50 <= short.runs, "\(long.runs) against \(short.runs)")
  }

  @Test func `a processing task that outlasts its grant is not blamed`() throws {
    let set =
      "processing_task.grant_median: 1 min, processing_task.grant_sigma: 0.3, processing_task.grant_shortest: 10 s"
    let counts = try counts(busy("processing_task: {duration: 3 min}", set: set), .processingTask)
    #expect(counts.results[Int(LaunchResult.timedOut.rawValue)] > 20)
    #expect(blamed(counts) == 0)
  }

  @Test func `a refresh that outlasts the limit is blamed, and the summary says so`() throws {
    let result = try Simulation.run(
      busy("app_refresh: {}", handler: "40 s", set: "usage_history.mode: off, device_pool.mode: off"))
    let counts = result.runs[0].strategies[0].total.tasks[Int(TaskMechanism.appRefresh.rawValue)]
    #expect(counts.reasons.first?.reason == TaskReason(.fetchFeedback))
    #expect(TextSummary.text(ResultDocument(result), width: 120).contains("fetch feedback"))
    let json = ResultDocument(result).json
    #expect(MarkdownSummary.text(ResultDocument(json)).contains("mostly held back by fetch feedback"))
    for reason in TaskReason.allCases {
      #expect(json["definitions"]?["reasons"]?[reason.name]?.string != nil, "\(reason.name)")
    }
  }

  @Test func `what makes the system pass opportunities over is named`() throws {
    // On a battery the system takes one opportunity in a hundred.
    let counts = try counts(
      busy(
        "processing_task: {duration: 1 s}",
        set:
          "processing_task.on_battery: 1 %, processing_task.power_gates: off, refresh_switch.mode: off, device_pool.mode: off, surroundings.in_use: 0 %"
      ),
      .processingTask)
    #expect(counts.passedOverFor[Int(TaskReason.onBattery.index)] > 100)
    #expect(counts.reasons.first?.reason == .onBattery)
  }

  @Test func `beside what was delivered stands how many handlers came to their end`() throws {
    let result = try Simulation.run(
      busy("background_push: {send: {every: 1 h}}", handler: "12 s", devices: 30))
    let strategy = result.runs[0].strategies[0]
    let policy = try Simulation.policy("evidence").execution
    let grant = try Distribution.truncated(
      .lognormal(median: policy.grantMedian, sigma: policy.grantSigma), low: policy.grantShortest,
      high: policy.limit)
    let expected = 1 - grant.cdf(12)
    let share = try #require(strategy.metric("handlers_completed")?.estimate)
    let delivered = strategy.total.results.indices.reduce(0) { $0 + strategy.total.results[$1] }
    #expect(delivered > 1000)
    // Pushes that one launch handles share its grant: twice the error of independent ones, z = 4.9.
    let error = (expected * (1 - expected) / Double(delivered)).squareRoot()
    #expect(abs(share - expected) < 2 * 4.9 * error, "\(share), expected \(expected)")
    #expect(TextSummary.text(ResultDocument(result), width: 120).contains("in time %"))
    let json = ResultDocument(result).json
    #expect(MarkdownSummary.text(ResultDocument(json)).contains("handlers completed"))
    #expect(
      ReportPage.text(ResultDocument(json)).contains(
        "whose handler ended within the time it got"))
    // With handlers that all end in time the column would say nothing.
    let quick = try Simulation.run(
      busy("background_push: {send: {every: 1 h}}", handler: "0.1 s", devices: 2))
    #expect(!TextSummary.text(ResultDocument(quick), width: 120).contains("in time %"))
  }

  @Test(arguments: [("", 2.0), (", duration_if_nothing_new: 5 s", 5)])
  func `a processing task that finds nothing new does not do the work`(key: String, check: Double) throws {
    let trace = try ScriptedCase {
      $0.mechanisms = "processing_task: {duration: 4 min\(key)}"
      $0.app = "background_modes: [processing], syncs_on_open: off"
      $0.policy = ["processing_task.peak_interval: 1 h", "processing_task.spacing: 30 min"]
      $0.updates = "{at: [6 h, 18 h]}"
      $0.handler = "duration: 2 s"
    }.trace()
    let launches = trace.launches
    #expect(launches.filter { $0.result == .newData }.map(\.runTime) == [240, 240])
    let idle = launches.filter { $0.result == .noData }
    #expect(idle.count > 3 && idle.allSatisfy { $0.runTime == check })
  }

  @Test func `an app without content always has work`() throws {
    let trace = try ScriptedCase {
      $0.mechanisms = "processing_task: {duration: 4 min, duration_if_nothing_new: 5 s}"
      $0.app = "background_modes: [processing]"
      $0.policy = ["processing_task.peak_interval: 1 h", "processing_task.spacing: 30 min"]
    }.trace()
    #expect(trace.launches.count > 3 && trace.launches.allSatisfy { $0.runTime == 240 })
  }

  // C0-26.
  @Test func `that a WebSocket's connection is not priced stands beside its energy`() throws {
    let yaml = """
      scenario: socket
      question: What does it cost?
      policy: guide
      content: {updates: {poisson: {rate: 24 /day}}}
      strategies: {socket: {websocket: {}}, push: {background_push: {send: each_update}}}
      experiment: {devices: 5, duration: 2 d, warm_up: 0 s, replications: 2}

      """
    let result = try Simulation.run(yaml)
    let json = ResultDocument(result).json
    let energy = json["strategies"]?["socket"]?["energy_j"]
    #expect(energy?["not_priced"]?.elements.compactMap(\.string) == ["websocket_connection"])
    #expect(json["strategies"]?["push"]?["energy_j"]?["not_priced"] == nil)
    let text = TextSummary.text(ResultDocument(result), width: 120)
    let markdown = MarkdownSummary.text(ResultDocument(json))
    let page = ReportPage.text(ResultDocument(json))
    for output in [text, markdown, page] { #expect(output.contains("†")) }
    #expect(markdown.contains("no source has a figure"))
    #expect(
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("no source has a figure"))
    // Not behind an energy that is whole.
    let rows = markdown.split(separator: "\n")
    #expect(rows.contains { $0.hasPrefix("| socket") && $0.contains("†") })
    #expect(!rows.contains { $0.hasPrefix("| push") && $0.contains("†") })
  }
}
