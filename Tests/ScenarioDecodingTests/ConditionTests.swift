import Experiments
import Testing

@testable import ScenarioDecoding

@Suite struct ConditionTests {
  private func parse(_ text: String, allowsBaseline: Bool = true) -> (Condition?, String) {
    let log = DiagnosticLog()
    let condition = Condition.parse(text, option: "--fail-if", allowsBaseline: allowsBaseline, log: log)
    return (condition, DiagnosticText.render(log))
  }

  private typealias Form = (String, String, String?, Condition.Comparison, Double, Double)

  private static let forms: [Form] = [
    ("fresh_open >= 60 %", "fresh_open", nil, .atLeast, 0, 0.6),
    ("fresh_open>=0.6", "fresh_open", nil, .atLeast, 0, 0.6),
    ("  fresh_open of push each hour \u{2264} 60%", "fresh_open", "push each hour", .atMost, 0, 0.6),
    ("staleness_at_open_s < 15 min", "staleness_at_open_s", nil, .below, 0, 900),
    ("energy_j_per_device_day > baseline + 2 J", "energy_j_per_device_day", nil, .above, 1, 2),
    ("fresh_open < baseline - 2 %", "fresh_open", nil, .below, 1, -0.02),
    ("wakes_per_device_day > baseline*1.1", "wakes_per_device_day", nil, .above, 1.1, 0),
    ("wakes_per_device_day > baseline", "wakes_per_device_day", nil, .above, 1, 0),
  ]

  @Test(arguments: forms)
  func `a condition says metric, strategy, comparison and bound`(
    text: String, metric: String, strategy: String?, comparison: Condition.Comparison, factor: Double,
    offset: Double
  ) throws {
    let (parsed, messages) = parse(text)
    let condition = try #require(parsed, "\(messages)")
    #expect(condition.metric == metric)
    #expect(condition.strategy == strategy)
    #expect(condition.comparison == comparison)
    #expect(condition.factor == factor)
    #expect((condition.offset - offset).magnitude < 1e-12)
  }

  @Test(arguments: [
    ("", "--fail-if:1:1: error: a comparison is missing", "got: nothing"),
    ("fresh_open", "--fail-if:1:11: error: a comparison is missing", "expected: `>=`"),
    ("fresh_open = 60 %", "--fail-if:1:12: error: `=` compares nothing", "expected: `>=`"),
    ("fresh_opem < 60 %", "--fail-if:1:1: error: there is no metric", "did you mean `fresh_open`?"),
    ("< 60 %", "--fail-if:1:1: error: a metric is missing", "got: nothing"),
    ("fresh_open of < 60 %", "--fail-if:1:1: error: there is no metric", "expected"),
    ("fresh_open < 60", "--fail-if:1:14: error: this is no value of `fresh_open`", "did you mean `60 %`?"),
    ("fresh_open < 160 %", "--fail-if:1:14: error: this is no value", "at most 100 %"),
    ("fresh_open < -1 %", "--fail-if:1:14: error: this is no value", "got: `-1 %`"),
    ("fresh_open < 3 J", "--fail-if:1:14: error: this is no value", "a proportion such as `40 %`"),
    ("fresh_open <", "--fail-if:1:13: error: this is no value", "got: nothing"),
    ("fresh_open < baseline ! 2", "--fail-if:1:23: error: this cannot follow", "`+` or `-`"),
    ("fresh_open < baseline - 2 J", "--fail-if:1:25: error: this is no value", "got: `2 J`"),
    ("fresh_open < baseline * 0", "--fail-if:1:25: error: this is no factor", "above 0"),
  ])
  func `a wrong one is told with place, expected and found`(text: String, place: String, rest: String) {
    let (condition, messages) = parse(text)
    #expect(condition == nil)
    #expect(messages.hasPrefix(place), "\(messages)")
    #expect(messages.contains(rest), "\(messages)")
  }

  @Test func `where there is no baseline it cannot be named`() {
    let (condition, messages) = parse("fresh_open < baseline", allowsBaseline: false)
    #expect(condition == nil)
    #expect(messages.contains("there is no baseline here"))
  }

  @Test func `an interval decides, unless only a part of it makes the claim true`() throws {
    let condition = try #require(parse("fresh_open < baseline - 2 %").0)
    #expect(condition.outcome(low: -0.05, high: -0.03, bound: -0.02) == .met)
    #expect(condition.outcome(low: -0.05, high: -0.01, bound: -0.02) == .undecided)
    #expect(condition.outcome(low: -0.02, high: 0.01, bound: -0.02) == .missed)
    #expect(condition.outcome(low: nil, high: nil, bound: -0.02) == .undecided)
    // The same twice is no loss and no gain.
    #expect(try #require(parse("fresh_open < baseline").0).outcome(low: 0, high: 0, bound: 0) == .missed)
    #expect(try #require(parse("fresh_open >= baseline").0).outcome(low: 0, high: 0, bound: 0) == .met)
  }
}
