import ScenarioDecoding
import Testing

struct YAMLEditingTests {
  private func merged(_ base: String, _ set: String, leaves: Set<String> = []) throws -> String {
    let log = DiagnosticLog()
    let result = try tree(base, name: "base.yaml").merging(
      try tree(set, name: "set.yaml"), leaves: leaves, log: log)
    return result.flowText + (log.hasErrors ? " " + DiagnosticText.render(log) : "")
  }

  @Test(arguments: [
    ("{a: {b: 1, c: 2}}", "{a: {b: 9}}", "{a: {b: 9, c: 2}}"),
    ("{a: {b: 1, c: 2}}", "{a.b: 9}", "{a: {b: 9, c: 2}}"),
    ("{a: {b: 1}}", "{a.b: 9, a.c: 8, a: {d: 7}}", "{a: {b: 9, c: 8, d: 7}}"),
    ("{a: {b: 1}}", "{a: {c: 8}, a.b: 9}", "{a: {b: 9, c: 8}}"),
    ("{a: {b: 1}}", "{x.y: 9}", "{a: {b: 1}, x: {y: 9}}"),
    ("{a: 1}", "{a: {b: 2}}", "{a: {b: 2}}"),
    ("{a: {b: 1}}", "{a: 2}", "{a: 2}"),
    ("{a: [1, 2]}", "{a: [3]}", "{a: [3]}"),
    (#"{os: {"27": 1}}"#, #"{os: {"27": 2, "17.4": 3}}"#, #"{os: {"27": 2, "17.4": 3}}"#),
    // Annotated values.
    ("{a: {b: {value: 1, evidence: assumed}}}", "{a.b: 2}", "{a: {b: 2}}"),
    (
      "{a: {b: {value: 1, evidence: assumed}}}", "{a.b: {exponential: {mean: 3}}}",
      "{a: {b: {exponential: {mean: 3}}}}"
    ),
    (
      "{a: {b: {value: 1, evidence: assumed}}}", "{a: {b: {value: 2, source: mine}}}",
      "{a: {b: {value: 2, source: mine}}}"
    ),
    (
      "{a: {b: {value: 1, prior: 5}}}", "{a: {b: {prior: 6, source: mine}}}",
      "{a: {b: {value: 1, prior: 6, source: mine}}}"
    ),
    ("{a: {b: 1}}", "{a: {b: {value: 2, source: mine}}}", "{a: {b: {value: 2, source: mine}}}"),
  ])
  func `an overriding mapping is merged key by key`(base: String, set: String, result: String) throws {
    #expect(try merged(base, set) == result)
  }

  @Test func `the value at a leaf's path is replaced whole, and keys in it are no paths`() throws {
    #expect(
      try merged("{a: {d: {lognormal: {median: 1 s}}}}", "{a.d: {discrete: {1.5 s: 1}}}", leaves: ["a.d"])
        == "{a: {d: {discrete: {1.5 s: 1}}}}")
  }

  @Test(arguments: ["{a.b: 1, a: {b: 2}}", "{a: {b: 2}, a.b: 1}", "{a: 1, a.b: 2}", "{a.b: 1, a: 2}"])
  func `a path that is set twice is reported with both places`(set: String) throws {
    let log = DiagnosticLog()
    _ = try tree("{}").merging(try tree(set), log: log)
    let diagnostic = try #require(log.diagnostics.first)
    #expect(log.errorCount == 1)
    #expect(diagnostic.message.hasSuffix("is set twice"))
    #expect(diagnostic.notes.first?.text == "it is set here first")
  }

  @Test func `merged values keep the places where they were written`() throws {
    let log = DiagnosticLog()
    let result = try tree("a:\n  b: 1\n  c: 2", name: "base.yaml").merging(
      try tree("\n\na.b: 9", name: "set.yaml"), log: log)
    #expect(result["a"]?["b"]?.span.source.name == "set.yaml")
    #expect(result["a"]?["b"]?.span.start == SourcePosition(line: 3, column: 6))
    #expect(result["a"]?["c"]?.span.source.name == "base.yaml")
  }

  private func setting(
    _ text: String, _ arguments: [String], redirection: YAMLNode.Redirection = { _, _, _ in nil }
  )
    throws -> (text: String, diagnostics: String)
  {
    let log = DiagnosticLog()
    var root = try tree(text)
    for argument in arguments {
      if let setting = Setting(argument, log: log) { root.apply(setting, log: log, redirection: redirection) }
    }
    return (root.flowText, DiagnosticText.render(log))
  }

  @Test(arguments: [
    ("{a: {b: 1 s}}", "a.b=20 min", "{a: {b: 20 min}}"),
    ("{a: {b: 1 s}}", "a.c.d=20 min", "{a: {b: 1 s, c: {d: 20 min}}}"),
    ("{a: }", "a.b=1", "{a: {b: 1}}"),
    ("{a: [1, {b: 2}]}", "a.1.b=3", "{a: [1, {b: 3}]}"),
    ("{a: {x: 1, y: 2}}", "a={failed: 100 %}", "{a: {failed: 100 %}}"),
    ("{a: {b: {value: 1, evidence: assumed}}}", "a.b=2", "{a: {b: 2}}"),
    ("{a: 1}", "a='x = y'", #"{a: "x = y"}"#),
    ("{a: 1}", "b={uniform: [2 /h, 3 /h]}", "{a: 1, b: {uniform: [2 /h, 3 /h]}}"),
  ])
  func `a setting puts its value at its path`(text: String, argument: String, result: String) throws {
    let (tree, diagnostics) = try setting(text, [argument])
    #expect(tree == result)
    #expect(diagnostics == "")
  }

  @Test func `the last of two settings of a path stands`() throws {
    #expect(try setting("{a: 1}", ["a=2", "a=3"]).text == "{a: 3}")
  }

  @Test func `a redirection opens a short form`() throws {
    let result = try setting("{population: consumer}", ["population.low_power_mode.share=4 %"]) {
      path, node, rest in
      guard path == ["population"], node.scalar != nil, let first = rest.first else { return nil }
      let set = YAMLEntry(
        key: YAMLKey("set", span: first.span), value: YAMLNode(.mapping([]), span: first.span))
      let base = YAMLEntry(key: YAMLKey("base", span: node.span), value: node)
      return (
        YAMLNode(.mapping([base, set]), span: node.span), [YAMLKey("set", span: first.span)] + rest
      )
    }
    #expect(result.text == "{population: {base: consumer, set: {low_power_mode: {share: 4 %}}}}")
    #expect(result.diagnostics == "")
  }

  @Test(arguments: [
    (
      "experiment.devices",
      """
      --set:1:1: error: a setting needs a value
          1 | experiment.devices
            | ^^^^^^^^^^^^^^^^^^
        expected: `PATH=VALUE`, such as `experiment.devices=200`

      """
    ),
    (
      "a.b=",
      """
      --set:1:4: error: a setting needs a value
          1 | a.b=
            |    ^
        expected: `PATH=VALUE`, such as `experiment.devices=200`

      """
    ),
    (
      "a..b=1",
      """
      --set:1:3: error: a setting names a key
          1 | a..b=1
            |   ^
        expected: a path such as `experiment.devices`
        got: `a..b`

      """
    ),
    (
      "name.first=1",
      """
      --set:1:6: error: `name` has no keys that could be set
          1 | name.first=1
            |      ^^^^^
        got: `x`
        note: test.yaml:1:8: `name` is written here

      """
    ),
    (
      "list.2=1",
      """
      --set:1:6: error: `list` is a list of 2 items
          1 | list.2=1
            |      ^
        expected: a number from 0 to 1
        got: `2`
        note: test.yaml:1:17: the list is written here

      """
    ),
    (
      "name=[1, 2",
      """
      --set:1:6: error: the list that opens here is not closed
          1 | name=[1, 2
            |      ^
        expected: `,` between items and `]` after the last one
        note: --set:1:11: `[` was still open here

      """
    ),
    (
      "name=*x",
      """
      --set:1:6: error: aliases (`*name`) are not supported
          1 | name=*x
            |      ^^
        help: write the value out; put text that starts with `*` in quotes

      """
    ),
  ])
  func `a wrong setting is shown with carets below what is wrong`(argument: String, diagnostic: String) throws
  {
    #expect(try setting("{name: x, list: [1, 2]}", [argument]).diagnostics == diagnostic)
  }
}
