import DeviceLogs
import Foundation
import Reporting
import ScenarioDecoding
import Testing

/// The samples with what is true of them. Where a truth file has a fact, the diagnosis must have the same.
@Suite struct SampleTests {
  @Test(arguments: Sample.all)
  func agreesWithItsTruth(_ sample: Sample) throws {
    let truth = try sample.truth
    let found = try sample.diagnosed()
    for key in ["transport", "zone", "date"] {
      #expect(Fact.plain(found[key]) == Fact.plain(truth[key]), "\(sample): \(key)")
    }
    let pushes = Fact.objects(found["pushes"])
    let wanted = Fact.objects(truth["pushes"])
    #expect(pushes.count == wanted.count, "\(sample): \(pushes.map { $0["id"] ?? "–" })")
    for push in wanted {
      let id = push["id"] as? String ?? "–"
      guard let mine = pushes.first(where: { $0["id"] as? String == id }) else {
        Issue.record("\(sample): no push \(id)")
        continue
      }
      Fact.compare(push, mine, at: "\(sample) \(id)")
    }
    for event in Fact.objects(truth["device"]) {
      #expect(
        Fact.objects(found["device"]).contains { mine in
          event.allSatisfy { Fact.plain(mine[$0.key]) == Fact.plain($0.value) }
        }, "\(sample): \(event)")
    }
  }
}

/// A log of the fixtures.
struct Sample: CustomStringConvertible, Sendable {
  var name: String
  var description: String { name }

  static let folder = "\(#filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined())/Fixtures/"

  static let all: [Sample] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { !$0.hasSuffix(".json") }.sorted().map { Sample(name: $0) }
  }()

  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: URL(fileURLWithPath: Self.folder + name))) }
  }

  var truth: [String: Any] {
    get throws {
      let path = Self.folder + name.split(separator: ".")[0] + ".json"
      return try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        as? [String: Any]
        ?? [:]
    }
  }

  func diagnosed() throws -> [String: Any] { try Diagnosing.json(try bytes) }
}

enum Diagnosing {
  static func diagnosis(
    _ bytes: [UInt8], _ options: LogOptions = LogOptions(), chunk: Int = 1 << 16
  ) throws -> Diagnosis {
    let reader = LogReader(options)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      bytes[start..<min(bytes.count, start + chunk)].withUnsafeBufferPointer { reader.read($0) }
    }
    return try reader.finish().get()
  }

  static func json(_ bytes: [UInt8], _ options: LogOptions = LogOptions()) throws -> [String: Any] {
    let text = DiagnosisJSON.value(try diagnosis(bytes, options)).text
    return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}

/// Facts of truth files against those of a diagnosis.
enum Fact {
  static func objects(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

  /// Keys of a truth file that are prose.
  private static let prose: Set<String> = ["verdict", "note"]
  /// What a truth file says of a push by saying nothing: the flag is not set.
  private static let flags = ["hard_block", "truncated", "in_foreground", "shown"]

  static func compare(_ truth: [String: Any], _ mine: [String: Any], at place: String) {
    for (key, value) in truth where !prose.contains(key) {
      switch key {
      case "evidence":
        let lines = Set(mine[key] as? [Int] ?? [])
        #expect(lines.isSuperset(of: value as? [Int] ?? []), "\(place): evidence \(lines.sorted())")
      case "held_by": compareHolds(objects(value), objects(mine[key]), at: place)
      case "score", "payload", "kill":
        let own = mine[key] as? [String: Any] ?? [:]
        for (member, fact) in value as? [String: Any] ?? [:] {
          #expect(plain(own[member]) == plain(fact), "\(place): \(key).\(member)")
        }
      case "hints": #expect(mine[key] as? [String] ?? [] == value as? [String], "\(place): hints")
      case "deadline", "window":
        // Windows are written without a zone; here they have that of the log.
        let own = mine[key] as? [String] ?? [mine[key] as? String ?? "–"]
        let wanted = (value as? [String] ?? [value as? String ?? ""]).map(plain)
        #expect(
          own.count == wanted.count && zip(own, wanted).allSatisfy { $0.hasPrefix($1) },
          "\(place): \(key) \(own)")
      default: #expect(plain(mine[key]) == plain(value), "\(place): \(key)")
      }
    }
    for flag in flags where truth[flag] == nil { #expect(mine[flag] == nil, "\(place): \(flag)") }
    if truth["superseded_by"] == nil { #expect(mine["superseded_by"] == nil, "\(place)") }
  }

  private static func compareHolds(_ truth: [[String: Any]], _ mine: [[String: Any]], at place: String) {
    #expect(truth.count == mine.count, "\(place): holds \(mine)")
    for (wanted, own) in zip(truth, mine) {
      for (key, value) in wanted where key != "evidence" && key != "factor_candidates" {
        #expect(plain(own[key]) == plain(value), "\(place): held_by.\(key)")
      }
      #expect(own["factor_candidates"] as? [String] == wanted["factor_candidates"] as? [String], "\(place)")
      let lines = Set(own["evidence"] as? [Int] ?? [])
      #expect(lines.isSuperset(of: wanted["evidence"] as? [Int] ?? []), "\(place): held_by.evidence")
    }
  }

  /// Without remarks in brackets, and with times and conditions in one spelling.
  static func plain(_ value: Any?) -> String {
    guard let value, !(value is NSNull) else { return "–" }
    if let members = value as? [String: Double] { return "\(members.sorted { $0.key < $1.key })" }
    guard var text = value as? String else { return "\(value)" }
    if let remark = text.range(of: " ("), text.hasSuffix(")"), !text.hasPrefix("(") {
      text = String(text[..<remark.lowerBound])
    }
    if let date = longDate(text) { return date }
    for (old, new) in [(": required", " required"), ("Z", "+00:00")] {
      text = text.replacingOccurrences(of: old, with: new)
    }
    return text
  }

  /// `Tue Mar 10 02:49:40 2026` is `2026-03-10T02:49:40`; a zone behind the latter is the log's.
  private static func longDate(_ text: String) -> String? {
    let parts = text.split(separator: " ")
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    if parts.count == 5, let month = months.firstIndex(of: String(parts[1])), let day = Int(parts[2]) {
      return "\(parts[4])-\(month < 9 ? "0" : "")\(month + 1)-\(day < 10 ? "0" : "")\(day)T\(parts[3])"
    }
    return nil
  }
}
