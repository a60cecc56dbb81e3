import Distributions
import PushModel
import Quantities
import ScenarioDecoding
import Testing

/// A small profile with a row of every kind.
private struct Profile: Sendable {
  var limit = 0.0
  var interval = 0.0
  var weights: [Double] = []
  var mode = 0
  var isOn = false
  var delay = Distribution.constant(0)

  static let table = AnnotatedTable<Profile>([
    .parameter(ParameterKey("budget.limit", .number(.rate, 0...1, \.limit), "pushes an hour")),
    .parameter(ParameterKey("budget.interval", .number(.time, 0...86_400, \.interval), "time between two")),
    .parameter(ParameterKey("use.weights", .numbers(.count, 0...10, count: 3, \.weights), "weights")),
    .parameter(ParameterKey("use.mode", .choice(["on", "off", "shadow"], \.mode), "whether it counts")),
    .parameter(ParameterKey("use.is_on", .flag(\.isOn), "a switch")),
    .distribution("use.delay", .time, support: 0...86_400, \.delay, summary: "a delay"),
  ])

  static let file = """
    policy: sample
    budget:
      limit: {value: 2 /h, prior: {uniform: [2 /h, 3 /h]}, evidence: documented, source: "guide 1"}
      interval: {value: 15 min, evidence: assumed}
    use:
      weights: {value: [1, 2, 3], evidence: observed, source: a study}
      mode: {value: shadow, evidence: given}
      is_on: {value: on, evidence: observed}
      delay: {value: {exponential: {mean: 2 s}}, evidence: reported, source: a vendor}
    """
}

struct AnnotatedTableTests {
  /// The sample profile, as shipped, with a mapping merged in and settings applied.
  private func decode(
    _ file: String = Profile.file, set: String = "{}", settings: [String] = [],
    completeness: AnnotatedTable<Profile>.Completeness = .complete
  ) throws -> (profile: Parameterised<Profile>, diagnostics: String) {
    let log = DiagnosticLog()
    var node = try tree(file, name: "sample.yaml", origin: .shipped).merging(
      try tree(set, name: "night.yaml"), leaves: Profile.table.leaves, log: log)
    for argument in settings { node.apply(try #require(Setting(argument, log: log)), log: log) }
    let context = DecodingContext(log: log) { _, _ in .failure(.failed("no files here")) }
    let profile = Profile.table.decode(
      node, label: "the policy `sample`", into: Profile(), headers: ["policy"], completeness: completeness,
      context: context)
    return (profile, DiagnosticText.render(log))
  }

  @Test func `a profile is read with what its values stand on`() throws {
    let (profile, diagnostics) = try decode()
    #expect(diagnostics == "")
    #expect(profile.values.limit == 2.0 / 3600)
    #expect(profile.values.interval == 900)
    #expect(profile.values.weights == [1, 2, 3])
    #expect(profile.values.mode == 2)
    #expect(profile.values.isOn)
    #expect(profile.values.delay == (try .exponential(mean: 2)))
    #expect(profile.drawn.isEmpty)
    #expect(profile.settings.map(\.path) == Profile.table.rows.map(\.path))
    let limit = profile.settings[0]
    #expect(limit.text == "2 /h")
    #expect(limit.prior == (try .uniform(low: 2.0 / 3600, high: 3.0 / 3600)))
    #expect(limit.priorText == "{uniform: [2 /h, 3 /h]}")
    #expect(limit.evidence == .documented)
    #expect(limit.source == "guide 1")
    #expect(profile.settings[5].text == "{exponential: {mean: 2 s}}")
    #expect(profile.settings[5].evidence == .reported)
  }

  @Test func `a value that the scenario sets is given, and loses the prior and source of the old one`() throws
  {
    let (profile, diagnostics) = try decode(set: "{budget.limit: 6 /h, use: {delay: 3 s}}")
    #expect(diagnostics == "")
    #expect(profile.values.limit == 6.0 / 3600)
    #expect(profile.values.delay == .constant(3))
    #expect(profile.settings[0].evidence == .given)
    #expect(profile.settings[0].source == "the scenario")
    #expect(profile.settings[0].prior == nil)
    #expect(profile.settings[1].evidence == .assumed)
  }

  @Test(arguments: ["budget.limit=6 /h", "budget.limit.value=6 /h"])
  func `a value of the command line is given by the command line`(argument: String) throws {
    let (profile, diagnostics) = try decode(settings: [argument])
    #expect(diagnostics == "")
    #expect(profile.values.limit == 6.0 / 3600)
    #expect(profile.settings[0].evidence == .given)
    #expect(profile.settings[0].source == "the command line")
  }

  @Test func `an author's own evidence and source are kept`() throws {
    let (profile, _) = try decode(
      set: "{budget.limit: {value: 6 /h, evidence: observed, source: our logs}}")
    #expect(profile.settings[0].evidence == .observed)
    #expect(profile.settings[0].source == "our logs")
  }

  @Test func `an author's prior leaves value and evidence alone`() throws {
    let (profile, diagnostics) = try decode(set: "{budget: {limit: {prior: {uniform: [1 /h, 9 /h]}}}}")
    #expect(diagnostics == "")
    #expect(profile.values.limit == 2.0 / 3600)
    #expect(profile.settings[0].priorText == "{uniform: [1 /h, 9 /h]}")
    #expect(profile.settings[0].evidence == .documented)
  }

  @Test func `a distribution in place of a number is drawn, and its median stands meanwhile`() throws {
    let (profile, diagnostics) = try decode(set: "{budget.limit: {uniform: [2 /h, 3 /h]}}")
    #expect(diagnostics == "")
    #expect(abs(profile.values.limit * 3600 - 2.5) < 1e-12)
    #expect(profile.drawn.map(\.key.path) == ["budget.limit"])
    #expect(profile.drawn.first?.prior == (try .uniform(low: 2.0 / 3600, high: 3.0 / 3600)))
  }

  @Test func `rows that a partial tree does not set keep their values`() throws {
    let (profile, diagnostics) = try decode("budget: {limit: 2 /h}", completeness: .partial)
    #expect(diagnostics == "")
    #expect(profile.values.limit == 2.0 / 3600)
    #expect(profile.values.weights == [])
    #expect(profile.settings.map(\.path) == ["budget.limit"])
  }

  @Test(arguments: [
    (
      "{budget.limt: 3 /h}",
      """
      night.yaml:1:2: error: unknown key `limt` in `budget`
          1 | {budget.limt: 3 /h}
            |  ^^^^^^^^^^^
        expected: one of `limit`, `interval`
        help: did you mean `limit`?

      """
    ),
    (
      "{bugdet: {limit: 3 /h}}",
      """
      night.yaml:1:2: error: unknown key `bugdet` in the policy `sample`
          1 | {bugdet: {limit: 3 /h}}
            |  ^^^^^^
        expected: one of `budget`, `use`
        help: did you mean `budget`?

      """
    ),
    (
      "{budget: 3 /h}",
      """
      night.yaml:1:10: error: `budget` has the wrong form
          1 | {budget: 3 /h}
            |          ^^^^
        expected: a mapping with keys such as `limit` and `interval`
        got: a single value

      """
    ),
    (
      "{budget.limit: 3}",
      """
      night.yaml:1:16: error: `budget.limit` needs a unit
          1 | {budget.limit: 3}
            |                ^
        expected: a rate from 0 /h to 1 /s, such as `2 /h`
        got: `3`
        help: did you mean `3 /h` or `3 /day`?

      """
    ),
    (
      "{use.weights: [1, 2]}",
      """
      night.yaml:1:15: error: `use.weights` has the wrong number of items
          1 | {use.weights: [1, 2]}
            |               ^^^^^^
        expected: a list of 3 items
        got: 2

      """
    ),
    (
      "{use.mode: {value: on, prior: {uniform: [0, 1]}}}",
      """
      night.yaml:1:31: error: only a single number can have a prior, and `use.mode` is none
          1 | {use.mode: {value: on, prior: {uniform: [0, 1]}}}
            |                               ^^^^^^^^^^^^^^^^^
        help: remove `prior`

      """
    ),
    (
      "{budget.limit: {value: 3 /h, evidnce: observed}}",
      """
      night.yaml:1:30: error: unknown key `evidnce` in `budget.limit`
          1 | {budget.limit: {value: 3 /h, evidnce: observed}}
            |                              ^^^^^^^
        expected: one of `value`, `prior`, `evidence`, `source`
        help: did you mean `evidence`?

      """
    ),
    (
      "{budget.limit: {value: 3 /h, prior: {uniform: [0 /h, 2 /s]}}}",
      """
      night.yaml:1:37: error: the prior of `budget.limit` can be out of range
          1 | {budget.limit: {value: 3 /h, prior: {uniform: [0 /h, 2 /s]}}}
            |                                     ^^^^^^^^^^^^^^^^^^^^^^^
        expected: values from 0 /h to 1 /s
        got: values from 0 /h to 2 /s
        help: limit it with `min`, `max` or `truncate`

      """
    ),
  ])
  func `a wrong override is shown where the scenario writes it`(set: String, diagnostic: String) throws {
    #expect(try decode(set: set).diagnostics == diagnostic)
  }

  @Test func `a profile that leaves a row out is told which`() throws {
    let file = Profile.file.split(separator: "\n").filter { !$0.contains("interval") }.joined(separator: "\n")
    #expect(
      try decode(file).diagnostics == """
        sample.yaml:1:1: error: the policy `sample` does not set `budget.interval`
            1 | policy: sample
              | ^
          expected: `budget.interval`: time between two

        """)
  }

  @Test func `a misspelt row is not reported missing as well`() throws {
    let file = Profile.file.replacing("interval:", with: "intervall:")
    let diagnostics = try decode(file).diagnostics
    #expect(diagnostics.hasPrefix("sample.yaml:4:3: error: unknown key `intervall` in `budget`\n"))
    #expect(!diagnostics.contains("does not set"))
  }
}
