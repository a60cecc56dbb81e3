import Experiments
import Foundation
import PushModel
import ScenarioDecoding
import Testing

/// A scenario of which the sweep and the devices are the test's.
private func scenario(_ sweep: String) -> String {
  """
  scenario: swept
  question: What does the interval change?
  content: {updates: {every: 6 h}}
  strategies: {hourly: {background_push: {send: {every: 1 h}}}, open: {sync_on_open: {}}}
  experiment: {devices: 3, duration: 1 d, warm_up: 0 s, replications: 2}
  \(sweep)
  """
}

private let every = "strategies.hourly.background_push.send.every"

private func decode(_ sweep: String, over: [String] = [], set: [String] = []) -> (Sweep?, String) {
  let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
  let files = ScenarioFiles(
    read: { path, _ in
      if path == "test.yaml" { return .success(Array(scenario(sweep).utf8)) }
      guard let data = try? Data(contentsOf: URL(filePath: path, relativeTo: root)) else {
        return .failure(.failed("no such file"))
      }
      return .success(Array(data))
    },
    directories: [root.appending(path: "Scenarios").path], profiles: { _ in [] })
  let log = DiagnosticLog()
  let sweep = ScenarioDecoder.sweep(path: "test.yaml", settings: set, over: over, files: files, log: log)
  return (sweep, DiagnosticText.render(log))
}

@Suite struct SweepTests {
  @Test func `two inputs give every combination, the second varying fastest`() throws {
    let (found, text) = decode("sweep: {\(every): [10 min, 1 h], experiment.devices: [5, 7, 9]}")
    #expect(text == "")
    let sweep = try #require(found)
    #expect(sweep.inputs.map(\.path) == [every, "experiment.devices"])
    #expect(sweep.inputs[0].numbers == [600, 3600])
    #expect(
      sweep.points.map(sweep.label)
        == ["10 min, 5", "10 min, 7", "10 min, 9", "1 h, 5", "1 h, 7", "1 h, 9"])
    #expect(sweep.points.map(\.scenario.experiment.devices) == [5, 7, 9, 5, 7, 9])
    #expect(sweep.base.experiment.devices == 3)
    // Each point is a scenario of its own, of the same seed.
    #expect(Set(sweep.points.map(\.scenario.digest)).count == 6)
    #expect(Set(sweep.points.map(\.scenario.input.seed)).count == 1)
  }

  @Test func `a range is spread evenly over its ends`() throws {
    let (found, text) = decode("sweep: {\(every): {from: 10 min, to: 1 h, steps: 6}}")
    #expect(text == "")
    #expect(found?.inputs[0].values == ["10 min", "20 min", "30 min", "40 min", "50 min", "1 h"])
  }

  @Test func `the command line takes the place of the scenario's sweep and yields the same points`() throws {
    let inFile = try #require(decode("sweep: {experiment.devices: [5, 7]}").0)
    let over = try #require(
      decode("sweep: {experiment.devices: [5, 7]}", over: ["\(every)={from: 1 h, to: 2 h, steps: 2}"]).0)
    let list = try #require(decode("sweep: {experiment.devices: [5, 7]}", over: ["\(every)=1 h,2 h"]).0)
    #expect(inFile.inputs.map(\.path) == ["experiment.devices"])
    #expect(over.inputs.map(\.path) == [every])
    // Values that were written in another way are kept and found under the same digest.
    #expect(over.points.map(\.scenario.digest) == list.points.map(\.scenario.digest))
  }

  @Test func `whole policies and mappings can be swept, without numbers`() throws {
    let sweep = try #require(
      decode("sweep: {policy: [guide, evidence], app.handler.result: [{failed: 100 %}, {new_data: 100 %}]}").0
    )
    #expect(
      sweep.points.map(\.scenario.input.policies[0].name) == ["guide", "guide", "evidence", "evidence"])
    #expect(sweep.inputs.map(\.numbers) == [nil, nil])
  }

  @Test(arguments: [
    (
      "sweep: {\(every): [1 h, 2 h, 3]}", "test.yaml:6:66: error: `every` needs a unit"
    ),
    (
      "sweep: {strategies.hourly.background_push.send.evry: [1 h]}",
      "test.yaml:6:48: error: unknown key `evry` in `send`"
    ),
    ("sweep: {strategies.daily.x: [1 h]}", "test.yaml:6:20: error: there is no strategy `daily`"),
    ("sweep: {population.nothing: [1, 2]}", "test.yaml:6:20: error: unknown key `nothing`"),
    ("sweep: {}", "test.yaml:6:8: error: a sweep varies one or two inputs"),
    ("sweep: {a: [1], b: [1], c: [1]}", "test.yaml:6:8: error: a sweep varies one or two inputs"),
    ("sweep: {\(every): []}", "test.yaml:6:55: error: `\(every)` has the wrong number of items"),
    ("sweep: {\(every): 1 h}", "test.yaml:6:55: error: `\(every)` has the wrong form"),
    ("sweep: {\(every): [1 h, 1 h]}", "test.yaml:6:61: error: the value `1 h` stands twice"),
    ("sweep: {\(every): [1 h], \(every): [2 h]}", "test.yaml:6:62: error: the key `\(every)` stands twice"),
    (
      "sweep: {strategies.hourly: [{sync_on_open: {}}], \(every): [1 h]}",
      "test.yaml:6:50: error: `\(every)` is swept twice, or is part of the other input"
    ),
    ("sweep: {experiment.seed: [1, 2]}", "test.yaml:6:9: error: `experiment.seed` cannot be swept"),
    ("sweep: {a..b: [1]}", "test.yaml:6:9: error: a setting names a key"),
    (
      "sweep: {\(every): {from: 1 h, to: 40 %, steps: 3}}",
      "test.yaml:6:55: error: `from` and `to` are no range"
    ),
    ("sweep: {\(every): {from: 1 h, to: 2 h}}", "test.yaml:6:55: error: `\(every)` lacks the key `steps`"),
    (
      "sweep: {\(every): {from: 1 h, to: 2 h, steps: 100}, experiment.devices: {from: 1, to: 100, steps: 100}}",
      "test.yaml:6:8: error: a sweep has at most 1000 points"
    ),
    ("expect: []", "test.yaml: error: the scenario has no `sweep`, so nothing is varied"),
  ])
  func `a sweep with a mistake is refused before anything runs, at its place`(sweep: String, message: String)
  {
    let (found, text) = decode(sweep)
    #expect(found == nil)
    #expect(text.hasPrefix(message), "\(text)")
    // A mistake that every point shares is said once.
    #expect(text.components(separatedBy: ": error:").count == 2, "\(text)")
  }
}
