import Experiments
import PushModel
import Quantities
import Testing

@testable import ScenarioDecoding

private func source(_ strategies: String, question: String = "How many?", rest: String = "") -> SourceText {
  SourceText(
    name: "night.yaml",
    text: "scenario: night\nquestion: \(question)\nstrategies: \(strategies)\n\(rest)\n")
}

struct WordsTests {
  @Test func `silent_push is another name of background_push, in files, settings and sweeps`() throws {
    let named = decode(source("{hourly: {silent_push: {send: {every: 1 h}}}}"))
    #expect(DiagnosticText.render(named.log) == "")
    #expect(named.scenario?.input.strategies[0].backgroundPush != nil)
    let set = decode(
      source("{hourly: {background_push: {send: {every: 1 h}}}}"),
      settings: [
        "strategies.hourly.silent_push.send.every=20 min",
        "strategies.new={silent_push: {send: {every: 2 h}}}",
      ])
    #expect(DiagnosticText.render(set.log) == "")
    let sends = set.scenario?.input.strategies.map { "\($0.backgroundPush.map { "\($0.send)" } ?? "")" } ?? []
    #expect(sends.count == 2)
    #expect(sends[0].contains("1200000000") && sends[1].contains("7200000000"), "\(sends)")
    let both = decode(
      source("{hourly: {silent_push: {send: {every: 1 h}}, background_push: {send: {every: 1 h}}}}"))
    #expect(DiagnosticText.render(both.log).contains("`silent_push` is another name of `background_push`"))
  }

  @Test func `a question need not end with its mark, but must say something`() {
    #expect(DiagnosticText.render(decode(source("{a: {sync_on_open: {}}}", question: "q")).log) == "")
    #expect(decode(source("{a: {sync_on_open: {}}}", question: "\" \"")).scenario == nil)
  }

  @Test(arguments: [
    ("experiment: {duration: 14}", "did you mean `14 min`, `14 h` or `14 d`?"),
    ("expect: [{strategy: a, metric: fresh_open, at_least: 60}]", "did you mean `60 %`?"),
  ])
  func `a number without a unit is helped to the unit that people mean`(rest: String, words: String) {
    let content = "\ncontent: {updates: {every: 1 h}}"
    let (_, log) = decode(source("{a: {sync_on_open: {}}}", rest: rest + content))
    #expect(DiagnosticText.render(log).contains(words), "\(DiagnosticText.render(log))")
  }

  @Test func `no letter is taken for another`() {
    #expect(Suggestion.best(for: "c", among: ["a", "b"]) == nil)
    #expect(Suggestion.best(for: "C", among: ["a", "c"]) == "c")
    let (_, log) = decode(
      source("{a: {sync_on_open: {}}}", rest: "experiment: {baseline: c}"))
    #expect(!DiagnosticText.render(log).contains("did you mean"))
  }
}

struct LimitTests {
  /// Every size, time and number that a file may give is one that the program can count with.
  private func check(_ form: ValueForm, at path: String, _ open: inout [String]) {
    switch form {
    case .quantity(let dimension, let range), .distribution(let dimension, let range):
      let most = dimension == .bytes || dimension == .count ? 1e12 : 1e9
      if range.upperBound > most { open.append(path) }
    case .integer(let range): if range.upperBound > 10_000_000_000 { open.append(path) }
    case .list(let form, _), .named(let form): check(form, at: path, &open)
    case .either(let forms): for form in forms { check(form, at: path, &open) }
    case .mapping(let table): for key in table.keys { check(key.form, at: "\(path).\(key.name)", &open) }
    default: break
    }
  }

  @Test func `every key of a scenario has an upper bound`() {
    var open: [String] = []
    check(.mapping(ScenarioKeys.root), at: "", &open)
    // What is compared with results is not counted with; a seed is all 64 bits.
    let free = [".expect.", ".precision.half_width", ".selection.indifference", ".experiment.seed"]
    #expect(Set(open.filter { path in !free.contains { path.contains($0) } }) == [])
  }

  @Test func `a size without end is refused where it is written`() {
    let attachment = "{format: mpeg4, size: {pareto: {a: 0.01, b: 1000 GB}}}"
    let (scenario, log) = decode(
      source("{b: {alert_push: {send: {every: 1 h}, service_extension: {attachment: \(attachment)}}}}"))
    #expect(scenario == nil)
    #expect(DiagnosticText.render(log).contains("`size`"), "\(DiagnosticText.render(log))")
  }

  @Test(arguments: [
    ("{every: 1 s}", "experiment: {duration: 5000 d}", "pushes to a device"),
    ("{poisson: {rate: 10 /s}}", "experiment: {duration: 30 d}", "pushes to a device"),
    (
      "each_update", "experiment: {duration: 30 d}\ncontent: {updates: {poisson: {rate: 10 /s}}}",
      "content updates"
    ),
  ])
  func `more sends than have random numbers of their own are refused`(
    send: String, rest: String, words: String
  ) {
    let (scenario, log) = decode(source("{a: {background_push: {send: \(send)}}}", rest: rest))
    #expect(scenario == nil)
    #expect(
      DiagnosticText.render(log).contains("there are too many \(words)"), "\(DiagnosticText.render(log))")
  }
}
