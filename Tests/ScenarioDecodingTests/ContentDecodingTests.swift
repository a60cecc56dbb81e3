import Experiments
import PushModel
import Quantities
import ScenarioDecoding
import Testing

/// Ways to say when there is something new that need more than the scenario's own text.
struct ContentDecodingTests {
  private func decodeTimes(_ csv: String, unit: String = ", unit: s") -> (
    times: [Double]?, rendered: String
  ) {
    let text = """
      scenario: night
      question: How many pushes arrive at night?
      strategies: {hourly: {background_push: {send: {every: 1 h}}}}
      content: {updates: {csv: {file: updates.csv, column: time\(unit)}}, size: 5 MB}

      """
    let (scenario, log) = decode(
      SourceText(name: "desk/night.yaml", text: text), memory: ["desk/updates.csv": csv])
    #expect(scenario == nil || scenario?.input.content?.size == 5_000_000)
    guard case .at(let times) = scenario?.input.content?.updates else {
      return (nil, DiagnosticText.render(log))
    }
    return (times.map(\.seconds), DiagnosticText.render(log))
  }

  @Test func `updates come at the times of a file beside the scenario`() {
    let (times, rendered) = decodeTimes("# editors' log\nname,time\nfirst,0\nsecond,61.5\n\nthird,3600\n")
    #expect(rendered == "")
    #expect(times == [0, 61.5, 3600])
    #expect(decodeTimes("time\n90 s\n1 h\n", unit: "").times == [90, 3600])
  }

  @Test(arguments: [
    ("time\n10\n5\n", "desk/updates.csv:3:1: error: the times of the column are not in order"),
    ("time\n10\n10\n", "desk/updates.csv:3:1: error: the times of the column are not in order"),
    ("name,time\na,-1\n", "desk/updates.csv:2:3: error: a value of the column `time` is out of range"),
    ("time\nnoon\n", "desk/updates.csv:2:1: error: a value of the column `time` is not a duration"),
    ("times\n10\n", "desk/night.yaml:4:54: error: `desk/updates.csv` has no column `time`"),
    ("time\n", "desk/updates.csv:1:1: error: the file holds no values"),
    ("name,time\na\n", "desk/updates.csv:2:1: error: the row ends before the column `time`"),
  ])
  func `a mistake in the file is shown where it stands`(csv: String, expected: String) {
    let (times, rendered) = decodeTimes(csv)
    #expect(times == nil)
    #expect(rendered.hasPrefix(expected), "\(rendered)")
  }

  @Test func `the scenario's digest covers the tables that it names`() {
    func digest(_ csv: String) -> String? {
      let text = """
        scenario: night
        question: How many pushes arrive at night?
        strategies: {hourly: {background_push: {send: {every: 1 h}}}}
        content: {updates: {csv: {file: updates.csv, column: time, unit: s}}}

        """
      return decode(SourceText(name: "night.yaml", text: text), memory: ["updates.csv": csv]).scenario?.digest
    }
    #expect(digest("time\n10\n") != nil)
    #expect(digest("time\n10\n") != digest("time\n11\n"))
  }
}
