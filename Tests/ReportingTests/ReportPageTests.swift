import Foundation
import ScenarioDecoding
import Testing

@testable import Reporting

/// A small result with names that want to be more than text.
private let hostileName = "<b onclick=\"x\">'&.\\ \u{202E}\u{7}\u{1F600}"

private func sample(_ name: String = "push.hourly") -> JSONValue {
  let metric: JSONValue = [
    "estimate": 0.12345, "low": 0.1, "high": 0.15, "unit": "proportion", "by_replication": [0.1, 0.1469],
  ]
  let reasons: JSONValue = .object([JSONValue.Member(name, 599)])
  let strategy: JSONValue = [
    "sent": 1000, "fates": ["delivered": 400, "discarded_by_policy": 600],
    "reasons": ["discarded_by_policy": reasons],
    "metrics": ["delivered": metric, "fresh_open": metric, "energy_j_per_device_day": metric],
    "latency_s": ["count": 400, "p50": 1.5, "p90": 90.0, "p95": 4000.0, "p99": 90_000.0],
  ]
  return [
    "format": "pushsim-result/1", "scenario": .string(name), "question": .string(name + "?"),
    "note": "A note.",
    "provenance": [
      "policy": .string(name), "seed": .unsigned(.max), "devices": 10, "replications": 2,
      "duration_s": 86_400, "warm_up_s": 0, "confidence": 0.95,
    ],
    "strategies": JSONValue.object([JSONValue.Member(name, strategy)]),
    "comparisons": [],
    "expectations": [
      [
        "strategy": .string(name), "metric": "delivered", "at_least": 0.5, "observed": 0.12345, "low": 0.1,
        "high": 0.15, "outcome": "missed", "source": .string(name),
      ]
    ],
    "assumptions": [
      [
        "parameter": .string(name), "value": .string(name), "prior": nil, "evidence": "assumed",
        "source": .string(name),
      ]
    ],
    "reproduce": ["command": .string(name), "scenario_file": .string(name), "scenario_text": .string(name)],
  ]
}

@Suite struct MarkupTests {
  @Test func `text is escaped for elements and attributes, and controls become visible`() {
    let text = "<a href=\"x\" title='y'>&amp;\u{0}\u{1B}\u{7F}\u{85}\u{202E}\u{FFFE}\n"
    let markup: Markup = "<p title=\"\(text)\">\(text)</p>"
    let escaped =
      "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;\u{2400}\u{241B}\u{2421}\u{FFFD}\u{FFFD}\u{FFFD}\n"
    #expect(markup.text == "<p title=\"\(escaped)\">\(escaped)</p>")
  }

  @Test func `markup within markup is escaped once`() {
    let inner: Markup = "<b>\("a < b")</b>"
    #expect(("\(inner)" as Markup).text == "<b>a &lt; b</b>")
  }

  @Test func `letters of every script and emoji stay as they are`() {
    let text = "שלום مرحبا 通知 👩‍👩‍👧 é"
    #expect(Markup.escaped(text) == text)
  }
}

@Suite struct ReportPageTests {
  @Test func `what a scenario says stands in the page as text only`() throws {
    let page = ReportPage.text(sample(hostileName), isLive: false)
    #expect(!page.contains("<b onclick"))
    #expect(page.contains("&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;"))
    #expect(!page.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{7}" })
    let document = XMLCheck(page)
    #expect(document.error == nil)
    // The elements of a page are known; none comes from a scenario.
    #expect(!document.elements.contains("img") && !document.attributes.contains("onclick"))
  }

  @Test(arguments: ["push.hourly", hostileName, String(repeating: "x", count: 10_000), "\u{5E9}\u{5DC}", " "])
  func `pages of any names are well-formed XML`(name: String) {
    #expect(XMLCheck(ReportPage.text(sample(name), isLive: false)).error == nil)
    let comparison = ResultComparison(sample(name), named: name, sample("other"), named: "b.json")
    #expect(XMLCheck(comparison.page).error == nil)
  }

  @Test func `every number of a page is that of the file, at the place it names`() throws {
    let result = sample()
    let numbers = XMLCheck(ReportPage.text(result, isLive: false)).numbers
    #expect(numbers.count > 20)
    for (path, text) in numbers {
      let value = try #require(lookUp(path, in: result)?.double, "\(path)")
      // The lower end of an interval shares the unit of the upper one, here percent.
      let unit = path.hasSuffix(".low") && !text.contains("%") ? " %" : ""
      let shown = try #require(reading(text + unit), "\(path): \(text)")
      // Three significant digits, or a tenth of a percent.
      #expect(abs(shown - value) <= max(0.0051 * value.magnitude, 0.0006), "\(path): \(text) for \(value)")
    }
    // Those that carry the answer.
    for part in ["estimate", "low", "high"] {
      #expect(numbers.contains { $0.path == "strategies.push\\.hourly.metrics.delivered.\(part)" })
    }
  }

  @Test func `a result read again gives the same bytes`() throws {
    for result in [sample(), sample(hostileName), sample("a\u{2028}b\u{85}\u{7F}\u{FEFF}\"\\")] {
      let log = DiagnosticLog()
      let again = try #require(
        ResultFile.decode(SourceText(name: "r.json", text: result.text), log: log), "\(log.diagnostics)")
      #expect(again.text == result.text)
      #expect(ReportPage.text(again, isLive: false) == ReportPage.text(result, isLive: false))
      #expect(MarkdownSummary.text(again) == MarkdownSummary.text(result))
      #expect(ResultCSV.files(again).map(\.text) == ResultCSV.files(result).map(\.text))
    }
  }

  @Test func `fields of unexpected forms are left out`() {
    for field in ["strategies", "provenance", "expectations", "assumptions", "comparisons", "timelines"] {
      for value: JSONValue in [.null, 7, "x", [], [7], ["x": 7], [["x": [nil]]]] {
        guard case .object(var members) = sample() else { continue }
        members.removeAll { $0.key == field }
        members.append(.init(field, value))
        #expect(XMLCheck(ReportPage.text(.object(members), isLive: false)).error == nil, "\(field): \(value)")
        _ = MarkdownSummary.text(.object(members))
        _ = ResultCSV.files(.object(members))
        _ = ResultComparison(.object(members), named: "a", sample(), named: "b").text(width: 80)
      }
    }
  }

  @Test func `a page loads nothing and runs nothing that came from a scenario`() {
    let page = ReportPage.text(sample(hostileName))
    #expect(page.contains("default-src &#39;none&#39;"))
    let document = XMLCheck(page)
    #expect(document.error == nil)
    #expect(document.links.allSatisfy { $0.hasPrefix("#") || $0 == "data:," }, "\(document.links)")
  }

  private func lookUp(_ path: String, in result: JSONValue) -> JSONValue? {
    var keys = [""]
    var isEscaped = false
    for character in path {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else if !isEscaped, character == "." {
        keys.append("")
      } else {
        keys[keys.count - 1].append(character)
        isEscaped = false
      }
    }
    return keys.reduce(Optional(result)) { value, key in
      Int(key).flatMap { index in
        value?.elements.indices.contains(index) == true ? value?.elements[index] : nil
      } ?? value?[key]
    }
  }

  /// A number as it is shown.
  private func reading(_ text: String) -> Double? {
    let parts = text.replacing(",", with: "").split(separator: " ")
    guard let number = parts.first.flatMap({ Double($0) }) else { return nil }
    let units = ["%": 0.01, "ms": 0.001, "s": 1, "min": 60, "h": 3600, "d": 86_400, "J": 1]
    return parts.count == 1 ? number : units[String(parts[1])].map { number * $0 }
  }
}

@Suite struct ResultFileTests {
  private func problems(_ text: String) -> [String] {
    let log = DiagnosticLog()
    #expect(ResultFile.decode(SourceText(name: "r.json", text: text), log: log) == nil)
    return log.sorted.map { "\($0.place.text): \($0.message)" }
  }

  @Test(arguments: [
    ("", "r.json:"), ("[1]", "r.json:1:1"), ("{\"format\": \"pushsim-result/9\"}", "r.json:1:12"),
    ("{\"a\": 1", "r.json:1:"), ("{\n\"format\": \"pushsim-result/1\",\n\"strategies\": 3}", "r.json:3:15"),
    (
      "{\"format\": \"pushsim-result/1\", \"provenance\": {},\n \"strategies\": {\"a\": {\"sent\": nan}}}",
      "r.json:2:31"
    ),
  ])
  func `what is no result is said with its place`(text: String, place: String) {
    let found = problems(text)
    #expect(found.contains { $0.hasPrefix(place) }, "\(found)")
  }

  @Test func `a result that another program wrote anew is read the same`() throws {
    let log = DiagnosticLog()
    let text =
      "{\"format\":\"pushsim-result/1\",\"scenario\":\"\\ud83d\\ude00 \\\\ud83d \\/\",\"provenance\":{\"seed\":18446744073709551615},\"strategies\":{}}"
    let result = try #require(ResultFile.decode(SourceText(name: "r.json", text: text), log: log))
    #expect(result["scenario"]?.string == "\u{1F600} \\ud83d /")
    #expect(result["provenance"]?["seed"] == .unsigned(.max))
  }
}

@Suite struct MarkdownAndTableTests {
  @Test func `text of a scenario breaks neither a Markdown table nor a line of a table`() throws {
    let name = "a|b\n@team <img> `c` [d](e), \"f\""
    let lines = MarkdownSummary.text(sample(name)).split(separator: "\n").filter { $0.hasPrefix("| a") }
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(line.contains("a\\|b &#64;team &lt;img> \\`c\\` \\[d\\](e)"), "\(line)")
    }
    let metrics = try #require(ResultCSV.files(sample(name)).first { $0.name == "metrics.csv" })
    let quoted = "\"a|b\n@team <img> `c` [d](e), \"\"f\"\"\""
    #expect(metrics.text.contains("\(quoted),\(quoted),delivered,proportion,0.12345,0.1,0.15\n"))
  }

  @Test func `the rows of a strategy's fates add up to what was sent`() throws {
    let fates = try #require(ResultCSV.files(sample()).first { $0.name == "fates.csv" })
    let counts = fates.text.split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: ",", omittingEmptySubsequences: false).dropLast().last.flatMap { Int($0) }
    }
    #expect(counts.reduce(0, +) == 1000)
  }
}

@Suite struct ResultComparisonTests {
  @Test func `a result does not differ from itself`() {
    let text = ResultComparison(sample(), named: "a", sample(), named: "b").text(width: 100)
    #expect(text.contains("No metric differs at all."))
    #expect(!text.contains("what was changed"))
  }

  @Test func `runs with the same streams are compared within replications, others as independent ones`() {
    let shifted = edited(sample()) { text in
      text.replacing("[0.1, 0.1469]", with: "[0.2, 0.2470]").replacing("0.12345", with: "0.2235")
    }
    let paired = ResultComparison(sample(), named: "a", shifted, named: "b").text(width: 120)
    // The differences are 0.1 and 0.1001: t(0.975; 1) · 0.00005 = 0.00064 to either side of 0.10005.
    #expect(paired.contains("+10.0 points (+9.9 to +10.1 points)"), "\(paired)")
    let other = edited(shifted) { $0.replacing("18446744073709551615", with: "7") }
    let independent = ResultComparison(sample(), named: "a", other, named: "b").text(width: 120)
    // Half-widths of 0.025 each: 0.0354 together.
    #expect(independent.contains("+10.0 points (+6.5 to +13.5 points)"), "\(independent)")
    #expect(independent.contains("share no random numbers"))
    #expect(independent.contains("seed"))
  }

  private func edited(_ value: JSONValue, _ edit: (String) -> String) -> JSONValue {
    let source = SourceText(name: "r.json", text: edit(value.text))
    return ResultFile.decode(source, log: DiagnosticLog()) ?? .null
  }
}

/// What a summary says first, by what the result has.
@Suite struct AnswerTextTests {
  private func answer(_ changes: [JSONValue.Member]) -> [String] {
    guard case .object(let members) = sample("a") else { return [] }
    let changed = Set(changes.map(\.key))
    let result = JSONValue.object(members.filter { !changed.contains($0.key) } + changes)
    return ReportRun.all(result).flatMap(AnswerText.sentences)
  }

  @Test func `claims come first, then the recommendation`() {
    let recommendation = JSONValue.Member("recommendation", ["a is fresh.", "b is beaten."])
    #expect(answer([recommendation]) == ["Delivered: a 12.3 %.", "a is fresh.", "b is beaten."])
    #expect(
      answer([recommendation, JSONValue.Member("expectations", [])]) == ["a is fresh.", "b is beaten."])
  }

  @Test func `without claims and content it is about what the pushes are for`() {
    let metric: JSONValue = ["estimate": 0.5, "unit": "proportion"]
    func strategies(_ names: [String]) -> JSONValue {
      let metrics = JSONValue.object(names.map { JSONValue.Member($0, metric) })
      return ["ring": ["sent": 1, "metrics": metrics], "none": ["sent": 0, "metrics": [:]]]
    }
    func sentences(_ names: [String]) -> [String] {
      answer([
        JSONValue.Member("expectations", []), JSONValue.Member("strategies", strategies(names)),
      ])
    }
    #expect(
      sentences(["delivered_within_5min", "calls_rung_within_5s"]) == ["Calls rung within 5 s: ring 50.0 %."])
    #expect(sentences(["delivered_within_5min"]) == ["Delivered within 5 min: ring 50.0 %."])
  }

  @Test func `where nothing is pushed it is about processing tasks`() {
    let task: JSONValue = ["results": ["new_data": 5]]
    let strategies: JSONValue = [
      "nightly": ["sent": 0, "metrics": [:], "mechanisms": ["processing_task": task]]
    ]
    // 10 devices, 2 replications, 1 day.
    #expect(
      answer([JSONValue.Member("expectations", []), JSONValue.Member("strategies", strategies)])
        == ["Processing tasks that ended with new data, per device and day: nightly 0.25."])
  }

  @Test func `a summary ends with what made it`() {
    let text = MarkdownSummary.text(sample("a"))
    #expect(
      text.contains(
        "\nProvenance: pushsim –, pushsim-result/1; scenario SHA-256 –; policy a; population –; "
          + "seed 18446744073709551615; devices 10; replications 2 of 1 d after a warm-up of 0 s.\n"))
  }
}
