import Experiments
import PushsimTestSupport
import ScenarioDecoding
import Testing

@testable import Reporting

/// A small run of every mechanism that a result can tell of.
private func document() throws -> ResultDocument {
  ResultDocument(
    try Simulation.run(
      """
      scenario: many
      question: What stands in a result?
      app: {background_modes: [remote_notification, voip, fetch, processing]}
      content: {updates: {every: 3 h}}
      strategies:
        push_with_a_long_name_every_30_min: {background_push: {send: {every: 30 min}}}
        push_with_a_long_name_every_60_min: {title: Push hourly, background_push: {send: {every: 60 min}}}
        tasks: {app_refresh: {}, processing_task: {}}
        calls: {voip_push: {send: {every: 6 h}}}
        loads: {background_push: {send: each_update}, background_download: {size: 1 MB}}
        nothing: {sync_on_open: {}}
      experiment: {devices: 6, duration: 2 d, warm_up: 1 d, replications: 2, baseline: nothing}
      expect:
        - {strategy: tasks, metric: fresh_open, at_least: 0 %}
        - {strategy: calls, metric: calls_rung, at_most: 1 %}
      """))
}

@Suite struct ResultDocumentTests {
  @Test func `what a field table writes it reads again, to the byte`() throws {
    let json = try document().json
    #expect(ResultDocument(json).json.text == json.text)
    // With several policies the fields stand in a list of runs.
    #expect(json["strategies"]?["calls"]?["mechanisms"]?["voip_push"]?["calls"]?["rang"]?.count != nil)
    #expect(json["strategies"]?["push_with_a_long_name_every_60_min"]?["title"]?.string == "Push hourly")
  }

  @Test func `a place in a document is that of the JSON`() throws {
    let document = try document()
    let run = try #require(document.placedRuns.first)
    let at = try #require(run.strategies["tasks"]?.mechanisms.present()?["app_refresh"]?.runs)
    #expect(at.path == ["strategies", "tasks", "mechanisms", "app_refresh", "runs"])
    #expect(at.path.reduce(Optional(document.json)) { $0?[$1] }?.count == at.value)
  }
}

@Suite struct TextSummaryTests {
  @Test(arguments: [60, 80, 110])
  func `at any width no name is cut, no column is missing, and no line is too long`(width: Int) throws {
    let document = try document()
    for isFull in [false, true] {
      let text = TextSummary.text(document, width: width, isFull: isFull)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
      #expect(!text.contains("…"))
      // Names that differ in their ends are still told apart where they go on in the next line.
      for name in ["every_30_min", "Push hourly", "tasks", "calls", "loads", "nothing"] {
        #expect(text.contains(name), "\(name): \(text)")
      }
      for column in ["fresh", "battery"] { #expect(text.contains(column), "\(column)") }
    }
  }

  @Test func `the last lines are the answer, the expectations, and where the page is`() throws {
    let style = TextStyle(width: 200, showsBlocks: true, showsColour: false)
    let text = TextSummary.text(
      try document(), width: 200, style: style, isFull: false, page: "out/report.html")
    let lines = text.split(separator: "\n").suffix(4).map(String.init)
    #expect(lines[0].contains("of 100 opens find the newest content"), "\(lines)")
    #expect(lines[1].contains(": tasks fresh_open at least 0.0 %; observed "), "\(lines)")
    #expect(lines[2].hasPrefix("✗ missed: calls calls_rung at most 1.0 %; observed "), "\(lines)")
    #expect(lines[3] == "page: out/report.html")
    // What only the whole summary has.
    #expect(!text.contains("age of the first missed update"))
    #expect(TextSummary.text(try document(), width: 100).contains("age of the first missed update"))
  }
}

@Suite struct NumberStyleTests {
  @Test func `each unit has one form, in columns without what the title says`() {
    #expect(NumberStyle(.proportion).text(0.6104) == "61.0 %")
    #expect(NumberStyle(.proportion).bare(0.6104, half: 0.0041) == "61.0 ±0.4")
    #expect(NumberStyle(.proportion).change(-0.02, -0.03, 0.001) == "-2.0 points (-3.0 to +0.1 points)")
    #expect(NumberStyle(.joulesPerDeviceDay).estimate(50.44, 49.3, 51.6) == "50.4 J (49.3 to 51.6 J)")
    #expect(NumberStyle(.seconds).bare(5400) == "1.50 h")
    #expect(Wording.charge(0.00094) == "0.094 %" && Wording.charge(0.0031) == "0.31 %")
    #expect(Wording.ofHundred(0.609) == "61" && Wording.ofHundred(0.034) == "3.4")
    #expect(Wording.prior("{log_uniform: [0.05 /day, 1 /day]}") == "0.05 /day to 1 /day")
    #expect(Wording.prior("{beta: {a: 1, b: 19}}") == "{beta: {a: 1, b: 19}}")
  }
}
