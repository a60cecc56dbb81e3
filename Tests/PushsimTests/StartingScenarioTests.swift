import ScenarioDecoding
import Testing

@testable import pushsim

@Suite struct StartingScenarioTests {
  private typealias Question = StartingScenario.Question
  private typealias Mechanism = StartingScenario.Mechanism

  /// What the decoder says of a scenario, beside those that ship.
  private func problems(_ text: String) -> String {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let log = DiagnosticLog()
    let path = root + "/Scenarios/new.yaml"
    let scenario = ScenarioDecoder.decode(
      SourceText(name: path, text: text), files: ScenarioLoading.files(for: path), log: log)
    #expect(scenario != nil)
    return DiagnosticText.render(log)
  }

  /// Each mechanism alone, each pair, all, and what the question suggests.
  private static let choices: [[Mechanism]] = {
    let all = Mechanism.allCases
    let pairs = all.indices.flatMap { a in all[(a + 1)...].map { [all[a], $0] } }
    return [[]] + all.map { [$0] } + pairs + [all]
  }()

  @Test(arguments: Question.allCases)
  func `every starting scenario is valid, without a warning`(question: StartingScenario.Question) {
    // Reading two policies takes its time; the mechanisms do not depend on them.
    for (index, mechanisms) in Self.choices.enumerated() {
      var options = NewOptions()
      options.question = question
      options.mechanisms = mechanisms
      options.name = ["feed", "no", "a b/2024: \"x\"", "ölig.yaml"][index % 4]
      options.updates = ["24 /day", "0.5 /h", "3 /week"][index % 3]
      options.policies = index % 8 == 0 ? ["guide", "evidence"] : []
      #expect(problems(StartingScenario(options).text) == "", "\(options)")
    }
  }

  @Test func `the expectation in the comment is valid once the comment is taken away`() {
    for question in Question.allCases {
      var options = NewOptions()
      options.question = question
      let text = StartingScenario(options).text
        .replacing("# expect:", with: "expect:").replacing("#   - {strategy", with: "  - {strategy")
      #expect(problems(text) == "", "\(question)")
    }
  }

  @Test func `an app declares the modes of its mechanisms, each once`() {
    var options = NewOptions()
    options.mechanisms = [.backgroundDownload, .appRefresh, .backgroundPush]
    #expect(StartingScenario(options).text.contains("background_modes: [remote_notification, fetch]\n"))
  }

  @Test func `answers replace what the question suggests, and empty ones take it`() {
    var answers = ["delivery", "", "email", "voip_push, alert_push", "both", "0", "250"][...]
    var said = ""
    let options = StartingScenario.ask(NewOptions(), read: { answers.popFirst() }, say: { said += $0 })
    #expect(options.question == .delivery)
    #expect(options.updates == nil)
    #expect(options.mechanisms == [.voipPush, .alertPush])
    #expect(options.policies == ["guide", "evidence"])
    #expect(options.devices == 250)
    #expect(said.contains("[background_push alert_push]"))
    // Two of the answers were none.
    #expect(said.split(separator: "That is none of the answers").count == 3)
  }

  @Test func `the end of the input takes every default`() {
    let options = StartingScenario.ask(NewOptions(), read: { nil }, say: { _ in })
    #expect(StartingScenario(options) == StartingScenario(NewOptions()))
  }

  @Test(arguments: [
    ("24 /day", true), ("2/h", true), ("0 /h", false), ("11 /s", false), ("2", false), ("2 h", false),
    ("", false),
  ])
  func `a rate has a unit of rates and lies in the range of scenarios`(text: String, isRate: Bool) {
    #expect(StartingScenario.isRate(text) == isRate)
  }
}
