import Experiments
import Foundation
import PushModel
import ScenarioDecoding
import Testing

/// The files that come with pushsim, and some in memory.
func shippedFiles(and memory: [String: String] = [:]) -> ScenarioFiles {
  let scenarios = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Scenarios").path
  return ScenarioFiles(
    read: { path, _ in
      if let text = memory[path] { return .success(Array(text.utf8)) }
      guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
        return .failure(.failed("No such file or directory"))
      }
      return .success(Array(bytes))
    },
    directories: ["memory", scenarios],
    profiles: { directory in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    })
}

/// The diagnostics of a scenario, and whether it came to one.
func decode(_ source: SourceText, settings: [String] = [], memory: [String: String] = [:]) -> (
  scenario: Scenario?, log: DiagnosticLog
) {
  let log = DiagnosticLog()
  let scenario = ScenarioDecoder.decode(
    source, settings: settings, files: shippedFiles(and: memory), log: log)
  return (scenario, log)
}

private let sound = """
  scenario: night
  question: How many pushes arrive at night?
  strategies:
    hourly: {background_push: {send: {every: 1 h}}}
  content: {updates: {poisson: {rate: 1 /h}}}

  """

struct InvalidScenarioTests {
  @Test(arguments: Golden.names("Invalid"))
  func `a scenario with one mistake is answered with one diagnostic`(name: String) throws {
    try Golden.check("Invalid", name) { source in
      let (scenario, log) = decode(source)
      #expect(scenario == nil)
      #expect(log.errorCount == 1)
      #expect(log.diagnostics.count { $0.isReadFailure } == 0)
      return DiagnosticText.render(log)
    }
  }

  @Test func `the scenario that the mistakes were put into is sound`() {
    let (scenario, log) = decode(SourceText(name: "night.yaml", text: sound))
    #expect(DiagnosticText.render(log) == "")
    #expect(scenario?.input.strategies.map(\.name) == ["hourly"])
  }

  @Test(arguments: [
    ("experiment.devices=0", "0"),
    ("experimnt.devices=5", "experimnt"),
    ("strategies.hourli.background_push.send.every=20 min", "hourli"),
    ("strategies.hourly.background_push.send.evry=20 min", "evry"),
    ("strategies.hourly.background_push.send.at_local=[\"7:00\"]", "at_local"),
    ("population.low_power_mode.always_on_share=100", "100"),
    ("population.low_power_mode.always_on=100 %", "always_on"),
    ("policy.hourly_buget.limit=2 /h", "hourly_buget"),
    ("policy.hourly_budget.limits=2 /h", "limits"),
    ("policy.hourly_budget.limit={uniform: [3 /h, 2 /h]}", "2 /h"),
    ("app.handler.result={failed: 90 %}", "{failed: 90 %}"),
    ("app.handler.result={failed: 100 %", "{"),
    ("policy=giude", "giude"),
    ("content.updates.every=1 h", "every"),
    ("scenario.x=3", "x"),
    ("app.syncs_on_open=of", "of"),
    ("experiment.baseline=hurly", "hurly"),
    ("population={scripted: {device: watch}}", "watch"),
  ])
  func `a mistake in a setting is shown in the argument`(setting: String, token: String) throws {
    // The setting before it shows that the right argument is named, not the first.
    let (_, log) = decode(
      SourceText(name: "night.yaml", text: sound), settings: ["experiment.seed=2", setting])
    let rendered = DiagnosticText.render(log)
    #expect(log.errorCount == 1, "\(rendered)")
    let lines = rendered.split(separator: "\n")
    #expect(lines.first?.hasPrefix("--set:1:") == true, "\(rendered)")
    try #require(lines.count > 2)
    #expect(lines[1] == "    1 | \(setting)")
    // The carets stand below the token.
    let carets = lines[2]
    let start = try #require(carets.firstIndex(of: "^"))
    let offset = carets.distance(from: carets.startIndex, to: start)
    let marked = lines[1].dropFirst(offset).prefix(carets.count { $0 == "^" })
    #expect(marked == token, "\(rendered)")
  }

  @Test func `a mistake that two policies share is told once`() {
    let (_, log) = decode(
      SourceText(name: "night.yaml", text: sound + "policy: [guide, strict]\n"),
      settings: ["policy.hourly_budget.limit=2", "policy.hourly_budget.burst=x"],
      memory: ["memory/policies/strict.yaml": "policy: strict\nbase: guide\n"])
    let rendered = DiagnosticText.render(log)
    #expect(log.errorCount == 2, "\(rendered)")
    #expect(rendered.contains("`hourly_budget.limit` needs a unit"))
    #expect(rendered.contains("`hourly_budget.burst`"))
  }

  @Test(arguments: ["0", "1", "18446744073709551615"])
  func `a seed may be any number of 64 bits, as on the command line`(seed: String) {
    let (scenario, log) = decode(
      SourceText(name: "night.yaml", text: sound), settings: ["experiment.seed=\(seed)"])
    #expect(DiagnosticText.render(log) == "")
    #expect(scenario.map { "\($0.input.seed)" } == seed)
  }

  @Test func `a whole strategy can be set that the scenario does not have`() {
    let (scenario, log) = decode(
      SourceText(name: "night.yaml", text: sound), settings: ["strategies.none={sync_on_open: {}}"])
    #expect(DiagnosticText.render(log) == "")
    #expect(scenario?.input.strategies.map(\.name) == ["hourly", "none"])
  }

  @Test func `an expiration of 0 needs no unit`() {
    let (scenario, log) = decode(
      SourceText(name: "night.yaml", text: sound),
      settings: ["strategies.hourly.background_push.expiration=0"])
    #expect(DiagnosticText.render(log) == "")
    #expect(scenario?.input.strategies.first?.backgroundPush?.expiration == .immediate)
  }

  /// Long files that look right: an answer has to come, in a time that grows with the file and not with its square.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      ("", "an_unknown_key_#: 1 h\n", 30_000), ("population:\n", "  an.unknown.key.#: 1 h\n", 30_000),
      ("expect:\n", "  - {strategy: x#, metric: y}\n", 20_000),
      ("policy: [", "p#, ", 30_000),
    ])
  func `a file of nonsense is answered, however long`(head: String, line: String, count: Int) {
    var text = sound + head
    let parts = line.split(separator: "#")
    for number in 0..<count { text += parts.joined(separator: "\(number)") }
    if head.hasSuffix("[") { text += "guide]\n" }
    let (scenario, log) = decode(SourceText(name: "night.yaml", text: text))
    #expect(scenario == nil)
    #expect(log.errorCount >= 1)
    #expect(DiagnosticText.render(log).utf8.count < 50_000)
  }
}
