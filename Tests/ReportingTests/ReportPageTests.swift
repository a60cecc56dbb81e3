import Experiments
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
    let page = ReportPage.text(ResultDocument(sample(hostileName)))
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
    #expect(XMLCheck(ReportPage.text(ResultDocument(sample(name)))).error == nil)
    let comparison = ResultComparison(
      ResultDocument(sample(name)), named: name, ResultDocument(sample("other")), named: "b.json")
    #expect(XMLCheck(comparison.page).error == nil)
  }

  @Test func `every number of a page is that of the file, at the place it names`() throws {
    let result = sample()
    let numbers = XMLCheck(ReportPage.text(ResultDocument(result))).numbers
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
      #expect(
        ReportPage.text(ResultDocument(again))
          == ReportPage.text(ResultDocument(result)))
      #expect(MarkdownSummary.text(ResultDocument(again)) == MarkdownSummary.text(ResultDocument(result)))
      #expect(
        ResultCSV.files(ResultDocument(again)).map(\.text)
          == ResultCSV.files(ResultDocument(result)).map(\.text))
    }
  }

  @Test func `fields of unexpected forms are left out`() {
    for field in ["strategies", "provenance", "expectations", "assumptions", "comparisons", "timelines"] {
      for value: JSONValue in [.null, 7, "x", [], [7], ["x": 7], [["x": [nil]]]] {
        guard case .object(var members) = sample() else { continue }
        members.removeAll { $0.key == field }
        members.append(.init(field, value))
        #expect(
          XMLCheck(ReportPage.text(ResultDocument(.object(members)))).error == nil,
          "\(field): \(value)")
        _ = MarkdownSummary.text(ResultDocument(.object(members)))
        _ = ResultCSV.files(ResultDocument(.object(members)))
        _ = ResultComparison(
          ResultDocument(.object(members)), named: "a", ResultDocument(sample()), named: "b"
        ).text(width: 80)
      }
    }
  }

  @Test func `a page loads nothing and runs nothing that came from a scenario`() {
    let page = ReportPage.text(ResultDocument(sample(hostileName)))
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
    let lines = MarkdownSummary.text(ResultDocument(sample(name))).split(separator: "\n").filter {
      $0.hasPrefix("| a")
    }
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(line.contains("a\\|b &#64;team &lt;img> \\`c\\` \\[d\\](e)"), "\(line)")
    }
    let metrics = try #require(
      ResultCSV.files(ResultDocument(sample(name))).first { $0.name == "metrics.csv" })
    let quoted = "\"a|b\n@team <img> `c` [d](e), \"\"f\"\"\""
    #expect(metrics.text.contains("\(quoted),\(quoted),delivered,proportion,0.12345,0.1,0.15,,\n"))
  }

  @Test func `the rows of a strategy's fates add up to what was sent`() throws {
    let fates = try #require(ResultCSV.files(ResultDocument(sample())).first { $0.name == "fates.csv" })
    let counts = fates.text.split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: ",", omittingEmptySubsequences: false).dropLast().last.flatMap { Int($0) }
    }
    #expect(counts.reduce(0, +) == 1000)
  }
}

@Suite struct ResultComparisonTests {
  @Test func `a result does not differ from itself`() {
    let text = ResultComparison(
      ResultDocument(sample()), named: "a", ResultDocument(sample()), named: "b"
    ).text(width: 100)
    #expect(text.contains("No metric differs at all."))
    #expect(!text.contains("what was changed"))
  }

  @Test func `runs with the same streams are compared within replications, others as independent ones`() {
    let shifted = edited(sample()) { text in
      text.replacing("[0.1, 0.1469]", with: "[0.2, 0.2470]").replacing("0.12345", with: "0.2235")
    }
    let paired = ResultComparison(
      ResultDocument(sample()), named: "a", ResultDocument(shifted), named: "b"
    ).text(width: 120)
    // The differences are 0.1 and 0.1001: t(0.975; 1) · 0.00005 = 0.00064 to either side of 0.10005.
    #expect(paired.contains("+10.0 points (+9.9 to +10.1 points)"), "\(paired)")
    let other = edited(shifted) { $0.replacing("18446744073709551615", with: "7") }
    let independent = ResultComparison(
      ResultDocument(sample()), named: "a", ResultDocument(other), named: "b"
    ).text(width: 120)
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

/// What a result says first, by what it has.
@Suite struct AnswerTests {
  private func title(_ strategies: JSONValue, _ changes: [JSONValue.Member] = []) -> String {
    guard case .object(let members) = sample("a") else { return "" }
    let changed = Set(changes.map(\.key) + ["strategies", "expectations"])
    let result = JSONValue.object(
      members.filter { !changed.contains($0.key) } + changes + [JSONValue.Member("strategies", strategies)])
    return Answer.title(RunView.all(ResultDocument(result))).plain
  }

  private func strategy(_ values: [(String, Double)], title: String? = nil, sent: Int64 = 1) -> JSONValue {
    let metrics = JSONValue.object(
      values.map {
        JSONValue.Member(
          $0.0, ["estimate": .number($0.1), "unit": .string(Metric.named($0.0)!.unit.rawValue)])
      })
    var members: [(String, JSONValue)] = [("sent", .integer(sent)), ("metrics", metrics)]
    if let title { members.append(("title", .string(title))) }
    return .object(members)
  }

  private let front = JSONValue.Member(
    "pareto", ["x": "energy_j_per_device_day", "y": "fresh_open", "front": ["push", "refresh", "open"]])

  private func choice(_ last: Double) -> String {
    func make(_ fresh: Double, _ joules: Double, _ title: String) -> JSONValue {
      strategy(
        [
          ("fresh_open", fresh), ("energy_j_per_device_day", joules),
          ("battery_per_device_day", joules / 50_000),
        ], title: title)
    }
    return title(
      [
        "open": make(0.398, 0, "No push"), "refresh": make(0.476, 9, "Refresh"),
        "push": make(last, 60.7, "Push"),
      ], [front])
  }

  @Test func `between fresh and cheap it has both, in opens and charges, and the step before a bad buy`() {
    // 7.8 more of 100 for 9 J, then 26.4 for 52 J: each about as dear.
    #expect(
      choice(0.74)
        == "Push: 74 of 100 opens find the newest content, for 0.12 % of a charge a day. No push: 40.")
    // The last 3.7 cost twelve times as much each.
    #expect(
      choice(0.513)
        == "Push: 51 of 100 opens find the newest content, for 0.12 % of a charge a day. Refresh has 48 for 0.018 % of a charge a day, No push 40."
    )
  }

  @Test func `among rates it is the one above which little is gained`() {
    func rate(_ wakes: Double, _ joules: Double) -> JSONValue {
      strategy([("wakes_per_device_day", wakes), ("energy_j_per_device_day", joules)])
    }
    let text = title(
      ["one": rate(12.7, 60), "three": rate(35.9, 174), "six": rate(38.8, 301)],
      [
        JSONValue.Member(
          "pareto",
          ["x": "energy_j_per_device_day", "y": "wakes_per_device_day", "front": ["six", "three", "one"]])
      ])
    #expect(
      text
        == "Above three little is gained: 35.9 wakes a day, for 174 J a day. six, the most, has 38.8 for 301 J a day."
    )
  }

  @Test func `without content it is about what the pushes are for`() {
    func sentence(_ names: [String]) -> String {
      title(["ring": strategy(names.map { ($0, 0.5) }), "none": strategy([], sent: 0)])
    }
    #expect(
      sentence(["delivered_within_5min", "calls_rung_within_5s"]) == "ring: 50 of 100 calls ring within 5 s.")
    #expect(sentence(["delivered_within_5min"]) == "ring: 50 of 100 pushes are delivered within 5 min.")
  }

  @Test func `where nothing is pushed it is about processing tasks`() {
    var night = strategy([("wakes_per_device_day", 1), ("battery_per_device_day", 0.004)], sent: 0)
    if case .object(let members) = night {
      night = .object(members + [.init("mechanisms", ["processing_task": ["results": ["new_data": 5]]])])
    }
    // 10 devices, 2 replications, 1 day.
    #expect(
      title(["nightly": night])
        == "nightly: on 25 of 100 days a device's processing task ends with new data, for 0.40 % of a charge a day."
    )
  }

  @Test func `of two policies it is what holds under both, and on what not to rely`() throws {
    func run(_ policy: String, _ values: [(String, Double)]) -> JSONValue {
      [
        "provenance": ["policy": .string(policy)],
        "strategies": .object(values.map { ($0.0, strategy([("calls_rung_within_5s", $0.1)])) }),
      ]
    }
    let result: JSONValue = [
      "format": "pushsim-result/1", "scenario": "s", "question": "q",
      "runs": [
        run("guide", [("once", 0.95), ("redial", 0.32)]),
        run("evidence", [("once", 0.951), ("redial", 0.96)]),
      ],
      "policy_differences": [
        [
          "metric": "calls_rung_within_5s", "strategy": "redial", "difference": 0.64, "low": 0.63,
          "high": 0.65,
        ],
        [
          "metric": "calls_rung_within_5s", "strategy": "once", "difference": 0.001, "low": -0.01,
          "high": 0.02,
        ],
      ],
    ]
    let views = RunView.all(ResultDocument(result))
    #expect(
      Answer.title(views).plain
        == "once: 95 of 100 calls ring within 5 s, whichever policy is right. Do not rely on redial: 32 as the guides say and 96 as developers observe."
    )
    let text = TextSummary.text(ResultDocument(result), width: 100)
    #expect(text.contains("do not rely on this") && text.contains("holds under either"), "\(text)")
  }

  @Test func `a summary ends with what made it`() {
    let text = MarkdownSummary.text(ResultDocument(sample("a")))
    #expect(
      text.contains(
        "\nProvenance: pushsim –, pushsim-result/1; scenario SHA-256 ; policy a; population ; "
          + "seed 18446744073709551615; devices 10; replications 2 of 1 d after a warm-up of 0 s.\n"))
  }
}
