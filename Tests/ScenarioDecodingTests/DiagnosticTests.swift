import ScenarioDecoding
import Testing

struct DiagnosticTests {
  private func span(_ text: String, _ line: Int, _ columns: Range<Int>, name: String = "night.yaml")
    -> SourceSpan
  {
    SourceSpan(
      source: SourceText(name: name, text: text),
      start: SourcePosition(line: line, column: columns.lowerBound),
      end: SourcePosition(line: line, column: columns.upperBound))
  }

  @Test func `a diagnostic shows place, line, carets and all its parts in order`() {
    let text = "device:\n    batery_level: 0.4\n"
    let place = span(text, 2, 5..<17)
    let diagnostic = Diagnostic(
      place, "unknown key `batery_level` in `device`", expected: "one of `battery_level`, `charging`",
      got: "something", help: "did you mean `battery_level`?",
      notes: [Diagnostic.Note(place: .at(span(text, 1, 1..<7)), text: "this device is declared here")])
    #expect(
      DiagnosticText.render(diagnostic) == """
        night.yaml:2:5: error: unknown key `batery_level` in `device`
            2 |     batery_level: 0.4
              |     ^^^^^^^^^^^^
          expected: one of `battery_level`, `charging`
          got: something
          help: did you mean `battery_level`?
          note: night.yaml:1:1: this device is declared here

        """)
  }

  @Test func `a long line number widens the gutter`() {
    let text = String(repeating: "\n", count: 123_455) + "x: 1"
    #expect(
      DiagnosticText.render(Diagnostic(span(text, 123_456, 4..<5), "wrong")) == """
        night.yaml:123456:4: error: wrong
        123456 | x: 1
               |    ^

        """)
  }

  @Test(arguments: [
    ("a:\tbad", 4..<7, "    1 | a: bad\n      |    ^^^\n"),
    ("日本: bad", 5..<8, "    1 | 日本: bad\n      |       ^^^\n"),
    ("e\u{301}: bad", 5..<8, "    1 | e\u{301}: bad\n      |    ^^^\n"),
    ("a: \u{1B}[2J", 4..<5, "    1 | a: \u{FFFD}[2J\n      |    ^\n"),
    ("a:", 3..<3, "    1 | a:\n      |   ^\n"),
    ("", 1..<1, "    1 |\n      | ^\n"),
    ("a", 40..<50, "    1 | a\n      |  ^\n"),
  ])
  func `carets stand below the span whatever stands before it`(
    line: String, columns: Range<Int>, excerpt: String
  ) {
    #expect(
      DiagnosticText.render(Diagnostic(span(line, 1, columns), "m"))
        == "night.yaml:1:\(columns.lowerBound): error: m\n" + excerpt)
  }

  @Test func `of a very long line the neighbourhood is shown`() {
    let line = String(repeating: "x", count: 5000)
    let lines = DiagnosticText.render(Diagnostic(span(line, 1, 3000..<3003), "m")).split(separator: "\n")
    #expect(lines[1] == "    1 | …" + String(repeating: "x", count: 150) + "…")
    #expect(lines[2] == "      | " + String(repeating: " ", count: 61) + "^^^")
  }

  @Test(arguments: ["a\nb\r\nc\rd\u{85}e\u{2028}f"])
  func `lines end where libyaml says they end`(text: String) {
    for (index, letter) in "abcdef".enumerated() {
      let rendered = DiagnosticText.render(Diagnostic(span(text, index + 1, 1..<2), "m"))
      #expect(rendered.contains("    \(index + 1) | \(letter)\n"), "\(rendered)")
    }
  }

  @Test func `diagnostics come in the order of the text, twenty at most, and the rest is counted`() {
    let log = DiagnosticLog()
    let text = String(repeating: "x\n", count: 30)
    for line in (1...25).reversed() { log.add(Diagnostic(span(text, line, 1..<2), "wrong")) }
    let rendered = DiagnosticText.render(log)
    let places = rendered.split(separator: "\n").filter { $0.contains("error") }
    #expect(places.count == 20)
    #expect(places.first == "night.yaml:1:1: error: wrong")
    #expect(rendered.hasSuffix("\n\n… and 5 more\n"))
  }

  @Test func `a flood of diagnostics is counted, not kept`() {
    let log = DiagnosticLog()
    for _ in 0..<5000 { log.add(Diagnostic(.error, .file("a"), "wrong")) }
    #expect(log.diagnostics.count == 1000)
    #expect(log.errorCount == 5000)
    #expect(DiagnosticText.render(log).hasSuffix("… and 4980 more\n"))
  }
}

struct SuggestionTests {
  @Test(
    arguments: [
      ("batery_level", "battery_level"), ("batteryLevel", "battery_level"),
      ("Battery-Level", "battery_level"),
      ("BATTERY LEVEL", "battery_level"), ("chargnig", "charging"), ("os", "os"), ("so", "os"),
      ("netwrok", "network"), ("xyz", nil), ("", nil), ("battery", nil), ("network_speed_limit", nil),
    ] as [(String, String?)])
  func `the nearest valid word is suggested if it is near enough`(word: String, suggestion: String?) {
    #expect(
      Suggestion.best(for: word, among: ["network", "charging", "battery_level", "os"]) == suggestion)
  }

  @Test func `of words equally near the first in the alphabet is suggested`() {
    #expect(Suggestion.best(for: "cat", among: ["rat", "bat", "hat"]) == "bat")
  }

  @Test func `equality but for case and separators beats a word one edit away`() {
    #expect(Suggestion.best(for: "a-b", among: ["a.b", "ab", "A_B"]) == "A_B")
  }

  @Test func `a pasted text gets no suggestion`() {
    #expect(
      Suggestion.best(for: String(repeating: "a", count: 65), among: [String(repeating: "a", count: 65)])
        == nil)
  }
}
