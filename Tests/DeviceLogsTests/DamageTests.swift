import DeviceLogs
import Foundation
import PushPolicy
import Quantities
import Testing

/// Logs that somebody cut, sorted, doubled or filtered: never a trap, and never a cause that the whole log does not show.
@Suite struct DamageTests {
  /// What a log blames: policies with their conditions, factors, ends that name a reason.
  struct Causes {
    var said: Set<String> = []

    init(_ diagnosis: Diagnosis) {
      for story in diagnosis.stories {
        // Numbers of activities stay; what else is called by the reader's own numbers is called by its kind.
        let app = story.id.count == 6 ? story.id : story.kind.rawValue
        for hold in story.holds {
          // A reason that is cut off names the policy only.
          said.insert("\(app) \(hold.policy)")
          if let condition = hold.condition { said.insert("\(app) \(hold.policy) \(condition)") }
          if let factor = hold.factor { said.insert("\(app) \(factor.name)") }
          for candidate in hold.candidates { said.insert("\(app) may be \(candidate.name)") }
        }
        if let kill = story.kill { said.insert("\(app) \(kill.code)") }
        if story.outcome == .noWakeAsked || story.outcome == .dropped {
          said.insert("\(app) \(story.outcome.rawValue)")
        }
        if story.handler == .neverCompleted { said.insert("\(app) handler") }
      }
    }
  }

  /// The causes of a damaged log that the whole one does not have.
  private func gained(_ damaged: [UInt8], over whole: Causes) throws -> Set<String> {
    guard let diagnosis = try? Diagnosing.diagnosis(damaged) else { return [] }
    return Causes(diagnosis).said.subtracting(whole.said)
  }

  @Test(arguments: Sample.all)
  func cutAtEveryByte(_ sample: Sample) throws {
    let bytes = try sample.bytes
    let whole = Causes(try Diagnosing.diagnosis(bytes))
    for length in stride(from: 0, to: bytes.count, by: bytes.count > 3000 ? 5 : 1) {
      let more = try gained(Array(bytes[..<length]), over: whole)
      #expect(more.isEmpty, "\(sample) up to byte \(length): \(more)")
    }
  }

  @Test(arguments: Sample.all)
  func halfOfTheLinesDropped(_ sample: Sample) throws {
    let lines = try sample.bytes.split(separator: 10, omittingEmptySubsequences: false)
    let whole = Causes(try Diagnosing.diagnosis(try sample.bytes))
    var random = Mixer(seed: 17)
    for round in 0..<60 {
      let kept = lines.filter { _ in random.next() & 1 == 0 }
      let more = try gained(Array(kept.joined(separator: [10])), over: whole)
      // One evaluation's head before another's policies cannot be told from a record.
      let isMixed = sample.name.hasPrefix("16") || sample.name.hasPrefix("02")
      if !isMixed { #expect(more.isEmpty, "\(sample), round \(round): \(more)") }
    }
  }

  @Test(arguments: Sample.all)
  func linesDoubled(_ sample: Sample) throws {
    let bytes = try sample.bytes
    let whole = try Diagnosing.json(bytes)
    var doubled: [UInt8] = []
    for line in bytes.split(separator: 10) { doubled += Array(line) + [10] + Array(line) + [10] }
    let found = try Diagnosing.json(doubled)
    for (push, again) in zip(Fact.objects(whole["pushes"]), Fact.objects(found["pushes"])) {
      for key in ["id", "app", "received", "decided", "outcome", "launched_at", "handler"] {
        #expect(Fact.plain(push[key]) == Fact.plain(again[key]), "\(sample): \(key)")
      }
      #expect(Fact.objects(push["held_by"]).count == Fact.objects(again["held_by"]).count, "\(sample)")
    }
    #expect(Fact.objects(whole["pushes"]).count == Fact.objects(found["pushes"]).count, "\(sample)")
  }

  /// Records that overtake each other by up to a second, each with its own lines.
  @Test(arguments: Sample.all.filter { !$0.name.hasPrefix("11") })
  func shuffledWithinASecond(_ sample: Sample) throws {
    let bytes = try sample.bytes
    let whole = Causes(try Diagnosing.diagnosis(bytes))
    var records: [[UInt8]] = []
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      let starts = line.first.map { $0 > 32 && $0 != UInt8(ascii: ")") } ?? false
      if starts || records.isEmpty {
        records.append(Array(line))
      } else {
        records[records.count - 1] += [10] + line
      }
    }
    var random = Mixer(seed: 5)
    for round in 0..<40 {
      var mixed = records
      // Neighbours of one second change places.
      for _ in 0..<3 {
        for index in mixed.indices.dropLast() where random.next() & 1 == 0 {
          if Self.second(mixed[index]) == Self.second(mixed[index + 1]) { mixed.swapAt(index, index + 1) }
        }
      }
      let more = try gained(Array(mixed.joined(separator: [10])), over: whole)
      #expect(more.isEmpty, "\(sample), round \(round): \(more)")
    }
  }

  private static func second(_ record: [UInt8]) -> String? {
    String(decoding: record, as: UTF8.self).firstMatch(of: /\d\d:\d\d:\d\d/).map { String($0.0) }
  }

  @Test(arguments: Sample.all)
  func flattened(_ sample: Sample) throws {
    let bytes = try sample.bytes
    let whole = try Diagnosing.json(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
      .replacing("\n\t{name", with: "  \t{name").replacing("\n        {name", with: "  \t{name")
      .replacing("\n > \t{name", with: "  \t{name").replacing("\n ]", with: "  ]")
    let found = try Diagnosing.json(Array(text.utf8))
    for (push, again) in zip(Fact.objects(whole["pushes"]), Fact.objects(found["pushes"])) {
      for key in ["id", "app", "received", "decided", "outcome", "launched_at"] {
        #expect(Fact.plain(push[key]) == Fact.plain(again[key]), "\(sample): \(key)")
      }
      let holds = Fact.objects(push["held_by"]).map {
        "\(Fact.plain($0["policy"])) \(Fact.plain($0["from"]))"
      }
      let flat = Fact.objects(again["held_by"]).map {
        "\(Fact.plain($0["policy"])) \(Fact.plain($0["from"]))"
      }
      #expect(holds == flat, "\(sample)")
    }
  }

  /// Wherever chunks end, the diagnosis is the same.
  @Test(arguments: [1, 7, 64, 1000])
  func readInChunks(_ size: Int) throws {
    for sample in Sample.all {
      let bytes = try sample.bytes
      let whole = try Diagnosing.diagnosis(bytes)
      let parts = try Diagnosing.diagnosis(bytes, chunk: size)
      #expect(parts.stories.map(\.verdict) == whole.stories.map(\.verdict), "\(sample)")
      #expect(parts.stories.map(\.evidence) == whole.stories.map(\.evidence), "\(sample)")
    }
  }

  /// Bytes at random in random places: whatever comes of it, nothing traps.
  @Test func noise() throws {
    var random = Mixer(seed: 99)
    for sample in Sample.all {
      let bytes = try sample.bytes
      for _ in 0..<50 {
        var damaged = bytes
        for _ in 0..<20 {
          damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        let diagnosis = try? Diagnosing.diagnosis(damaged)
        #expect(diagnosis.map { $0.lines >= 0 } ?? true)
      }
    }
  }
}

/// Numbers that look random and are the same in each run.
struct Mixer {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
