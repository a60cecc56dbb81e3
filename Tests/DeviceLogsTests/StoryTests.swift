import DeviceLogs
import PushPolicy
import Testing

/// What the samples do not have: each log is a few records of one kind, in Console's form.
@Suite struct StoryTests {
  private func stories(_ lines: [String]) throws -> [Story] {
    try Diagnosing.diagnosis(Array(lines.joined(separator: "\n").utf8)).stories
  }

  private func line(_ time: String, _ process: String, _ message: String) -> String {
    "default\t\(time)+0100\t\(process)\t\(message)"
  }

  private let push = "com.apple.pushLaunch.com.example.news:3B70F2"

  @Test func cancelledIsNotReplaced() throws {
    let found = try stories([
      line("10:00:00.000000", "dasd", "Submitted Activity: \(push) at priority 5 <private>"),
      line("10:05:00.000000", "dasd", "CANCELED: \(push) at priority 5 <private>!"),
      line(
        "10:05:02.000000", "dasd",
        "Submitted Activity: com.apple.pushLaunch.com.example.news:3B70F3 at priority 5 <private>"),
    ])
    #expect(found.map(\.outcome) == [.cancelled, .pending])
  }

  /// Whose refusal it was stands in the record, whatever became of the rest of it.
  @Test func reasonCutOff() throws {
    let found = try stories([
      line("10:00:00.000000", "dasd", "\(push):["),
      "\t{name: ApplicationPolicy, policyWeight: 50.000, response: {Decision: Absolutely Must Not Proceed, Score: 0.00, Rationale: [{[pushDis",
    ])
    let hold = try #require(found.first?.holds.first)
    #expect(hold.policy == "ApplicationPolicy" && hold.decision == .absolutelyMustNotProceed)
    #expect(hold.condition == nil && hold.factor == nil && hold.candidates.isEmpty && hold.isCutOff)
  }

  /// Apple's technote breaks records at commas; macOS writes short codes.
  @Test(
    arguments: [
      [
        "\t{name: Low Power Mode Policy, policyWeight: 1.0,", "     response: {Decision: Must Not Proceed,",
        "     Score: 0.00}}", " ], FinalDecision: Must Not Proceed}",
      ],
      [
        "\t{name: Low Power Mode Policy, policyWeight: 1.0, response: {MNP, 0.00, []}}", " ], Decision: MNP}",
      ],
      [
        "\t{name: Low Power Mode Policy, policyWeight: 1.0, response: {33, 0.00, [{x == 1}]}}",
        " ], Decision: MNP}",
      ],
    ])
  func wordings(_ rest: [String]) throws {
    let found = try stories([line("10:00:00.000000", "dasd", "\(push):[")] + rest)
    #expect(found.first?.holds.first?.factor == .lowPowerMode)
    #expect(found.first?.isTruncated == false)
  }

  /// A number that nobody has explained is no objection, and no approval either.
  @Test func unknownCode() throws {
    let found = try stories([
      line("10:00:00.000000", "dasd", "\(push):["),
      "\t{name: MemoryPressurePolicy, policyWeight: 5.0, response: {55, 0.00, [{x == 1}]}}",
      " ], Decision: MNP}",
    ])
    let story = try #require(found.first)
    #expect(story.holds.isEmpty && story.outcome == .pending && !story.isTruncated)
    #expect(story.missing.contains("what the decision 55 of MemoryPressurePolicy means"))
  }

  /// An evaluation that passes overrides what is printed only if it must proceed.
  @Test func scoreBelowThreshold() throws {
    let found = try stories([
      line("10:00:00.000000", "dasd", "\(push), Decision: CP Score: 0.4}"),
      line("10:00:00.000100", "dasd", "'\(push)' CurrentScore: 0.4, ThresholdScore: 0.6 DecisionToRun:0"),
    ])
    #expect(found.first?.holds.first?.factor == .score && found.first?.outcome == .pending)
  }

  /// An app that its user opens was not launched by the push that waits.
  @Test func openedByItsUser() throws {
    let found = try stories([
      line("10:00:00.000000", "dasd", "\(push), Decision: CP Score: 0.9}"),
      line(
        "10:00:20.000000", "SpringBoard",
        "Application process state changed for com.example.news: <SBApplicationProcessState: 0x1; pid: 8; taskState: Running; visibility: Foreground>"
      ),
    ])
    #expect(found.map(\.outcome) == [.allowed])
  }

  /// A crash report after the log's lines belongs to the push of the same process.
  @Test func crashOfTheLaunch() throws {
    let found = try stories([
      line("10:00:00.000000", "dasd", "'\(push)' DecisionToRun:1 (Bypasses Predictions)"),
      line(
        "10:00:00.100000", "SpringBoard",
        "Application process state changed for com.example.news: <SBApplicationProcessState: 0x1; pid: 812; taskState: Running; visibility: Background>"
      ),
      "", "Process:             News [812]", "Identifier:          com.example.news",
      "Date/Time:           2026-03-14 10:00:09.2550 +0100",
      "Termination Reason: Namespace RUNNINGBOARD, Code 0xdead10cc", "",
    ])
    #expect(found.count == 1)
    #expect(found.first?.outcome == .killed && found.first?.kill?.code == "0xdead10cc")
    #expect(found.first?.rules.contains(.killedLock) == true)
  }

  /// A background task that runs long is no push.
  @Test func backgroundTaskAlone() throws {
    let found = try stories([
      line(
        "10:00:00.000000", "News",
        "[BackgroundTask] Background Task 5 (\"sync\"), was created over 30 seconds ago.")
    ])
    #expect(found.map(\.kind) == [.process] && found.first?.handler == .overran)
  }

  /// What a hostile log repeats does not grow without end.
  @Test func longAndManyLines() throws {
    var lines = [line("10:00:00.000000", "dasd", "\(push):[")]
    lines += Array(
      repeating:
        "\t{name: ApplicationPolicy, policyWeight: 50.000, response: {Decision: Must Not Proceed, Score: 0.00}}",
      count: 5000)
    lines.append(String(repeating: "x", count: 2_000_000))
    let found = try stories(lines)
    #expect(found.count == 1 && found[0].holds.count == 1 && found[0].evidence.count <= 60)
  }
}
