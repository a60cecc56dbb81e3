import Foundation
import Testing

/// The JSON of diagnoses has the form that `Documentation/diagnosis.schema.json` states.
@Suite struct SchemaTests {
  private static var schema: [String: Any] {
    let path = Sample.folder + "../../../Documentation/diagnosis.schema.json"
    let data = FileManager.default.contents(atPath: path) ?? Data()
    return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
  }

  @Test(arguments: Sample.all)
  func sampleFits(_ sample: Sample) throws {
    let problems = Self.problems(try sample.diagnosed(), Self.schema, at: "")
    #expect(problems.isEmpty, "\(sample): \(problems)")
  }

  @Test func otherJSONDoesNot() throws {
    var found = try #require(Sample.all.first).diagnosed()
    found["surplus"] = 1
    #expect(Self.problems(found, Self.schema, at: "") == ["/surplus is unknown"])
    found["surplus"] = nil
    found["lines"] = "many"
    #expect(Self.problems(found, Self.schema, at: "") == ["/lines has another type"])
    found["lines"] = nil
    #expect(Self.problems(found, Self.schema, at: "") == ["/lines is missing"])
  }

  /// As much of draft-07 as the schema uses.
  private static func problems(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
    if let choices = schema["anyOf"] as? [[String: Any]] {
      return choices.contains { problems(value, $0, at: place).isEmpty } ? [] : ["\(place) fits no choice"]
    }
    if let allowed = schema["enum"] as? [Any] ?? schema["const"].map({ [$0] }) {
      return allowed.contains { "\($0)" == "\(value)" } ? [] : ["\(place) is \(value)"]
    }
    let types = schema["type"] as? [String] ?? [schema["type"] as? String ?? "object"]
    guard types.contains(where: { isOf($0, value) }) else { return ["\(place) has another type"] }
    if let items = schema["items"] as? [String: Any], let values = value as? [Any] {
      return values.enumerated().flatMap { problems($1, items, at: "\(place)/\($0)") }
    }
    guard let members = value as? [String: Any] else { return [] }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let missing = (schema["required"] as? [String] ?? []).filter { members[$0] == nil }.map {
      "\(place)/\($0) is missing"
    }
    return missing
      + members.sorted { $0.key < $1.key }.flatMap { key, member -> [String] in
        if let own = properties[key] ?? schema["additionalProperties"] as? [String: Any] {
          return problems(member, own, at: "\(place)/\(key)")
        }
        return ["\(place)/\(key) is unknown"]
      }
  }

  private static func isOf(_ type: String, _ value: Any) -> Bool {
    let isBool = (value as? NSNumber).map { isTruth($0) } ?? false
    return switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "boolean": isBool
    case "integer": !isBool && value is Int
    default: !isBool && value is NSNumber
    }
  }

  private static func isTruth(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
