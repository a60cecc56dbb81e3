import Experiments
import PushModel
import PushsimTestSupport
import Testing

@testable import Reporting

@Suite struct APNsMetricsCSVTests {
  /// By status, the sum over all days.
  private func sums(_ text: String) throws -> [String: Int] {
    let lines = text.split(separator: "\n")
    #expect(lines.first == "Push Type,Status,Date (UTC),Count")
    var sums: [String: Int] = [:]
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",")
      try #require(cells.count == 4)
      sums[String(cells[1]), default: 0] += try #require(Int(cells[3]))
    }
    return sums
  }

  @Test func `the days of a run have dates, over the ends of months and years`() {
    let dates = [0, 26, 27, 54, 55, 360, 361, 784, 785].map(APNsMetricsCSV.date)
    #expect(
      dates == [
        "2026-01-05", "2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01", "2026-12-31", "2027-01-01",
        "2028-02-28", "2028-02-29",
      ])
  }

  @Test func `an export has a line for each day and status`() throws {
    var scripted = ScriptedCase()
    scripted.send = "{at: [1 h, 25 h, 26 h, 27 h, 60 h]}"
    scripted.timeline = ["at: 24 h, network: offline", "at: 50 h, network: wifi"]
    scripted.duration = "3 d"
    let result = try Simulation.run(scripted.scenario())
    let files = APNsMetricsCSV.files(ResultDocument(result))
    #expect(files.map(\.name) == ["apns_metrics.csv"])
    #expect(
      files.first?.text == """
        Push Type,Status,Date (UTC),Count
        background,Received by APNs,2026-01-05,1
        background,Delivered to Device,2026-01-05,1
        background,Received by APNs,2026-01-06,3
        background,Stored - Device Offline,2026-01-06,3
        background,Received by APNs,2026-01-07,1
        background,Delivered to Device,2026-01-07,1
        background,Delivered to Device (From Storage),2026-01-07,1

        """)
  }

  @Test func `several strategies have a file each`() throws {
    let result = try Simulation.run(
      """
      scenario: two
      question: What are the files called?
      strategies:
        often: {background_push: {send: {every: 1 h}}}
        shown/loud: {background_push: {send: {every: 1 h}, payload: {aps: [alert]}}}
        none: {sync_on_open: {}}
      experiment: {devices: 2, duration: 1 d, warm_up: 0 s, replications: 1}
      """)
    let files = APNsMetricsCSV.files(ResultDocument(result))
    #expect(files.map(\.name) == ["apns_metrics.often.csv", "apns_metrics.shown_loud.csv"])
    #expect(files.last?.text.contains("alert,Received by APNs,2026-01-05,") == true)
  }

  /// Received = delivered + stored + discarded; stored = delivered from storage + discarded from storage + expired +
  /// overwritten, which has no status.
  @Test(arguments: [
    ("Scenarios/news_feed.yaml", "guide"), ("Scenarios/news_feed.yaml", "evidence"),
    ("Scenarios/offline_commuter.yaml", "guide"), ("Scenarios/token_hygiene.yaml", "guide"),
  ])
  func `the identities of Apple's delivery metrics hold exactly`(path: String, policy: String) throws {
    var scenario = try Simulation.load(path, set: ["policy=\(policy)"])
    scenario.devices = min(40, scenario.experiment.devices)
    scenario.replications = 2
    let run = try #require(try Simulation.run(scenario).runs.first)
    for strategy in run.strategies where strategy.sendsPushes {
      let counts = try sums(APNsMetricsCSV.text(#require(StrategyRecord(strategy).apnsMetrics)))
      func sum(_ labels: String...) -> Int { labels.reduce(0) { $0 + counts[$1, default: 0] } }
      let apns = strategy.total.apns[0]
      let received = sum("Received by APNs")
      let stored = sum("Stored - Device Offline", "Stored - Power Considerations")
      #expect((counts["Stored - Power Considerations"] != nil) == (policy == "evidence"))
      #expect(
        received
          == sum(
            "Delivered to Device", "Stored - Device Offline", "Stored - Power Considerations",
            "Discarded - Token Unregistered", "Discarded - Disabled")
          + Int(apns.total(.discardedExpired) + apns.total(.inTransitAtEnd)),
        "\(path): \(strategy.name)")
      #expect(
        stored
          == sum("Delivered to Device (From Storage)", "Discarded - Token Unregistered (From Storage)")
          + Int(
            apns.total(.discardedExpiredFromStorage) + apns.total(.overwritten) + apns.total(.storedAtEnd)),
        "\(path): \(strategy.name)")
      #expect(
        sum("Discarded - Expired")
          == Int(apns.total(.discardedExpired) + apns.total(.discardedExpiredFromStorage)))
      #expect(apns.total(.overwritten) == Int64(strategy.total.count(.overwrittenAtAPNs)))
      #expect(received + strategy.total.count(.rejected) == Int(strategy.total.sent))
    }
  }
}
