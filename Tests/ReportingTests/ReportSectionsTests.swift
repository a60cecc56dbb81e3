import Foundation
import ScenarioDecoding
import Testing

@testable import Reporting

private let none = JSONValue.object([JSONValue.Member]())

private func metric(_ estimate: Double, _ low: Double, _ high: Double, _ unit: String = "proportion")
  -> JSONValue
{
  [
    "estimate": .number(estimate), "low": .number(low), "high": .number(high), "unit": .string(unit),
    "by_replication": [.number(low), .number(high)],
  ]
}

/// A result with one strategy, `a`, or two.
private func result(
  metrics: JSONValue, mechanisms: JSONValue = none, more: [JSONValue.Member] = [], sent: Int64 = 200
) -> JSONValue {
  let strategy: JSONValue = [
    "sent": .integer(sent), "fates": ["delivered": 150, "expired_at_apns": 50], "reasons": none,
    "metrics": metrics, "mechanisms": mechanisms, "opens": 90,
  ]
  let start: JSONValue = [
    "format": "pushsim-result/1", "scenario": "s", "question": "q",
    "provenance": ["policy": "guide", "confidence": 0.95], "strategies": ["a": strategy, "b": strategy],
    "assumptions": [["parameter": "p", "value": "1", "prior": nil, "evidence": "assumed", "source": ""]],
    "known_parameters": [["parameter": "k", "value": "1", "evidence": "observed", "source": ""]],
  ]
  guard case .object(let members) = start else { return start }
  return .object(members.filter { member in !more.contains { $0.key == member.key } } + more)
}

private func page(_ result: JSONValue) -> String {
  let page = ReportPage.text(ResultDocument(result))
  #expect(XMLCheck(page).error == nil)
  return plain(page)
}

/// The text of a page, without its tags.
private func plain(_ page: String) -> String {
  var text = ""
  var isTag = false
  for character in page {
    if character == "<" {
      isTag = true
    } else if character == ">" {
      isTag = false
    } else if !isTag {
      text.append(character)
    }
  }
  return text
}

private let calls: JSONValue = [
  "sent": 200, "fates": ["delivered": 150],
  "calls": ["rang": 120, "silent": 20, "killed_at_check": 10, "timed_out": 0],
  "rang_within_5s": 100, "ring_s": ["count": 120, "p50": 0.8, "p95": 6.5],
]

@Suite struct ReportSectionsTests {
  @Test func `a scenario of calls is answered by calls that rang, before anything else`() throws {
    let text = page(
      result(
        metrics: [
          "delivered": metric(0.75, 0.7, 0.8), "delivered_within_5min": metric(0.75, 0.7, 0.8),
          "calls_rung": metric(0.6, 0.55, 0.65), "calls_rung_within_5s": metric(0.5, 0.45, 0.55),
        ], mechanisms: ["voip_push": calls]))
    let answer = try #require(text.range(of: "With each strategy 50 of 100 calls ring within 5 s."))
    let premise = try #require(text.range(of: "A model, no measurement: 1 of its 2 parameters are assumed"))
    #expect(answer.lowerBound < premise.lowerBound)
    // Why is said of calls, not of pushes that the app was handed.
    #expect(text.contains("40 of 100 calls do not ring"))
    #expect(text.contains("10 no call shown") && text.contains("5.0 app ended by the system"))
  }

  @Test func `every mechanism is in page, Markdown and tables`() throws {
    let mechanisms: JSONValue = [
      "voip_push": calls,
      "alert_push": [
        "sent": 200, "service_extension": ["enriched": 30, "original": 10, "not_permitted": 60],
        "content_extension": ["not_opened": 75, "killed": 25], "opens_provoked": 9,
      ],
      "processing_task": [
        "opportunities": 80, "not_due": 8, "refused": ["requires_power": 40, "requires_network": 4],
        "passed_over": 8,
        "runs": 20,
        "results": ["new_data": 15], "interrupted": 1,
      ],
      "background_download": [
        "started": 50, "completed": 40, "cancelled": 4, "superseded": 5, "pending": 1,
        "time_s": ["p50": 12.0],
      ],
    ]
    let result = result(metrics: ["delivered": metric(0.75, 0.7, 0.8)], mechanisms: mechanisms)
    let text = page(result)
    for part in [
      "60.0 % 120", "5.0 % 10", "75.0 % 30", "25.0 % 25", "9 of 90 opens", "50.0 % 40", "25.0 % 20",
      "80.0 % 40",
      "requires power", "killed at check: the system ended the app",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    // An outcome that no push had has no column.
    #expect(!text.contains("timed out"))
    let markdown = MarkdownSummary.text(ResultDocument(result))
    for part in [
      "voip push: 200 sent, rang 60.0 %", "enriched 75.0 %", "killed 25.0 %",
      "80 opportunities, 20 runs, new data in 75.0 % of the runs, mostly held back by requires power (50.0 %)",
      "50 downloads started, completed 80.0 %",
    ] {
      #expect(markdown.contains(part), "\(part)")
    }
    let table = try #require(
      ResultCSV.files(ResultDocument(result)).first { $0.name == "mechanisms.csv" }?.text)
    for line in [
      "policy,strategy,mechanism,count,part,value", "guide,a,voip_push,calls,rang,120",
      "guide,a,processing_task,refused,requires_power,40", "guide,b,background_download,started,,50",
      "guide,a,voip_push,ring_s,p95,6.5",
    ] {
      #expect(table.split(separator: "\n").contains { $0 == line }, "\(line)")
    }
  }

  @Test func `what is not known about parameters is in page and Markdown`() {
    let effects: JSONValue = [
      "mean": 0.4, "standard_error": 0.01, "low": 0.25, "high": 0.55, "chance_variance": 0.0001,
      "ignorance_variance": 0.0064, "ignorance_share": 0.98,
      "influences": [["parameter": "policy.p", "share": 0.9, "low": 0.3, "high": 0.5]],
    ]
    let study: JSONValue = [
      "samples": 24, "replications": 2, "confidence": 0.9,
      "parameters": [["parameter": "policy.p", "value": "1 h"]],
      "strategies": ["a": ["fresh_open": effects]],
      "rankings": [
        [
          "metric": "fresh_open", "strategy": "a", "other": "b", "share_higher": 0.75,
          "share_undecided": 0.25,
          "difference": effects,
        ]
      ],
    ]
    let both: JSONValue = [
      "estimate": 0.45, "low": 0.44, "high": 0.46, "unit": "proportion", "plausible_low": 0.25,
      "plausible_high": 0.55,
    ]
    let result = result(metrics: ["fresh_open": both], more: [JSONValue.Member("uncertainty", study)])
    let text = page(result)
    let meaning =
      "Plausible: 90 % of what the stated priors of 1 assumed parameters give, by 24 draws; no confidence in iOS."
    for part in [
      "24 sets of 1 assumed parameters", meaning, "8.0 points", "98 %", "75 %", "+40.0 points",
      "What is assumed of policy.p matters most",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    // Both widths in the title, and in every cell.
    let title = "45 of 100 (plausible 25 to 55; chance ± 1.0) opens find the newest content"
    #expect(text.contains(title))
    let markdown = MarkdownSummary.text(ResultDocument(result))
    for part in [title, meaning, "45.0 % (25.0 to 55.0 %; chance ± 1.0 points)"] {
      #expect(markdown.contains(part), "\(part)")
    }
    #expect(!markdown.contains("(44.0 to 46.0 %)"))
  }

  @Test func `goals, joint intervals and a short warm-up are told`() {
    let comparison: JSONValue = [
      "metric": "fresh_open", "strategy": "a", "baseline": "b", "difference": 0.02, "low": 0.01, "high": 0.03,
      "joint_low": -0.01, "joint_high": 0.05,
    ]
    func told(_ confidence: String) -> String {
      page(
        result(
          metrics: ["fresh_open": metric(0.45, 0.44, 0.46)],
          more: [
            JSONValue.Member("comparisons", [comparison]),
            JSONValue.Member("comparison", ["against": "baseline", "confidence": .string(confidence)]),
            JSONValue.Member(
              "precision",
              [
                "metric": "fresh_open", "target": 0.004, "relative": false, "reached": false,
                "replications": 40,
                "half_width": 0.018,
              ]),
            JSONValue.Member(
              "selection",
              [
                "metric": "fresh_open", "best": "highest", "indifference": 0.01, "confidence": 0.95,
                "selected": nil,
                "ties": [], "undecided": ["a", "b"], "eliminated": [], "replications": 40,
              ]),
            JSONValue.Member(
              "warm_up",
              [
                "given_s": 86_400, "suggested_s": 259_200, "adequate": false, "strategy": "a",
                "metric": "fresh_open",
              ]),
          ]))
    }
    let joint = told("joint")
    for part in [
      "Precision of fresh open, ±0.40 points: not reached after 40 replications, with ±1.80 points",
      "after 40 replications it is undecided which of a, b has the highest fresh open",
      "The warm-up of 1 day is too short: fresh open of a settles after about 3 days",
      "a against b: +2.0 points (-1.0 to +5.0 points), no clear difference",
      "all intervals of a metric hold together",
    ] {
      #expect(joint.contains(part), "\(part)")
    }
    #expect(told("each").contains("a against b: +2.0 points (+1.0 to +3.0 points)."))
  }

  @Test func `strategies whose pushes end alike share a bar, and the others have their own`() {
    func strategy(_ delivered: Int64) -> JSONValue {
      [
        "sent": 100, "fates": ["delivered": .integer(delivered), "pending": .integer(100 - delivered)],
        "reasons": ["pending": ["low_power_mode": .integer(100 - delivered)]],
        "metrics": ["fresh_open": metric(0.4, 0.39, 0.41)],
      ]
    }
    func page(_ delivered: [Int64]) -> String {
      let members = delivered.enumerated().map { JSONValue.Member("s\($0)", strategy($1)) }
      return ReportPage.text(
        ResultDocument(result(metrics: none, more: [JSONValue.Member("strategies", .object(members))])))
    }
    let alike = page([60, 61, 60])
    #expect(alike.components(separatedBy: "class=\"stack\"").count == 2)
    #expect(plain(alike).contains("40 of 100 pushes are not delivered, about the same with every strategy"))
    #expect(plain(alike).contains("Low Power Mode, still waiting"))
    let apart = page([60, 20, 61])
    #expect(apart.components(separatedBy: "class=\"stack\"").count == 3)
    #expect(plain(apart).contains("s0 and s2"))
  }

  @Test(arguments: [
    (999.0, "999 B"), (1_000, "1.00 KB"), (12_742_942, "12.7 MB"), (0, "0 B"), (2.5e9, "2.50 GB"),
  ])
  func `bytes are read in the units of scenarios`(value: Double, text: String) {
    #expect(NumberStyle(unit: "B per device and day").text(value) == text)
  }

  @Test func `the lines of neighbours differ without colours, and those of one colour in their dash`() {
    for index in 0..<17 { #expect(Chart.dash(index) != Chart.dash(index + 1)) }
    #expect(Set((0..<18).map(Chart.lineClass)).count == 18)
  }

  @Test func `a sensitivity study is a page with its conclusion first`() throws {
    func effects(_ mean: Double) -> JSONValue {
      ["a": ["mean": .number(mean), "low": .number(mean - 0.01), "high": .number(mean + 0.01)]]
    }
    func bar(_ name: String, _ size: Double, isWithinChance: Bool) -> JSONValue {
      [
        "parameter": .string(name), "low": ["value": "1 h", "effects": effects(-size)],
        "high": ["value": "3 h", "effects": effects(size / 2)], "within_chance": ["a": .bool(isWithinChance)],
      ]
    }
    let study: JSONValue = [
      "format": "pushsim-sensitivity/1", "scenario": "<s>", "question": "q", "note": "n",
      "metric": "fresh_open",
      "unit": "proportion", "provenance": ["seed": 1], "parameters": none,
      "base": ["a": ["mean": 0.5, "low": 0.4, "high": 0.6]],
      "tornado": [
        bar("policy.small", 0.05, isWithinChance: false), bar("policy.large", 0.2, isWithinChance: false),
        bar("policy.none", 0.3, isWithinChance: true),
      ],
      "sobol": ["a": [["parameter": "policy.large", "first": 0.6, "total": 0.8]]],
      "conclusion": ["Your conclusion changes if policy.large is above 2 h."],
    ]
    let log = DiagnosticLog()
    let read = try #require(
      ResultFile.decode(SourceText(name: "s.json", text: study.text), log: log, allowsStudy: true))
    let page = SensitivityPage.text(read)
    #expect(XMLCheck(page).error == nil)
    let text = plain(page)
    let conclusion = try #require(text.range(of: "Your conclusion changes if policy.large is above 2 h."))
    let large = try #require(text.range(of: "policy.large 1 h: -20.0 points"))
    let small = try #require(text.range(of: "policy.small 1 h: -5.0 points"))
    #expect(conclusion.lowerBound < large.lowerBound && large.lowerBound < small.lowerBound)
    #expect(text.contains("Of 3 parameters 2 have an effect beyond chance") && !text.contains("policy.none"))
    #expect(text.contains("60 %") && text.contains("80 %"))
    // Where a result is asked for, a study is none.
    #expect(ResultFile.decode(SourceText(name: "s.json", text: study.text), log: DiagnosticLog()) == nil)
  }
}
