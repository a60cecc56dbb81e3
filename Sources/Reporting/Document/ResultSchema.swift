public import ScenarioDecoding

/// The form of a result as JSON Schema (draft-07), made of the tables of fields by which results are written and read.
public enum ResultSchema {
  public static var value: JSONValue {
    let head: [(String, JSONValue)] = [
      ("format", .object([("const", .string(ResultDocument.format))])),
      ("scenario", .object(String.schema)), ("question", .object(String.schema)),
    ]
    let tail: [(String, JSONValue)] = [
      ("definitions", .object(DefinitionsRecord.schema)),
      ("settings_without_effect", .object([IdleSettingRecord].schema)),
      ("reproduce", .object(ReproduceRecord.schema)),
    ]
    let run: [(String, JSONValue)] = [("$ref", "#/definitions/run")]
    func shape(_ members: [(String, JSONValue)], required: [String]) -> JSONValue {
      .object([
        ("type", "object"), ("properties", .object(members)),
        ("required", .array((["format", "scenario"] + required).map(JSONValue.string))),
      ])
    }
    let own = properties(RunRecord.self)
    return .object([
      ("$schema", "http://json-schema.org/draft-07/schema#"), ("title", "pushsim result"),
      (
        "description",
        .string("A result of pushsim. Printed by `pushsim schema result`, version \(pushsimVersion).")
      ),
      // With one policy the run's members stand in the file itself.
      (
        "oneOf",
        .array([
          shape(head + own + tail, required: ["provenance", "strategies"]),
          shape(
            head + [
              ("runs", .object([("type", "array"), ("items", .object(run)), ("minItems", .integer(2))])),
              ("policy_differences", .object([ComparisonRecord].schema)),
            ] + tail, required: ["runs"]),
        ])
      ),
      (
        "definitions",
        .object([("run", shape(head + own, required: ["provenance", "strategies"]))])
      ),
    ])
  }

  fileprivate static func properties<Owner: Record>(_ type: Owner.Type) -> [(String, JSONValue)] {
    Owner.fields.map { field in
      let meaning = field.meaning.isEmpty ? [] : [("description", JSONValue.string(field.meaning))]
      return (field.name, .object(field.schema() + meaning))
    }
  }
}

extension Record {
  static var schema: [(String, JSONValue)] {
    [("type", "object"), ("properties", .object(ResultSchema.properties(Self.self)))]
  }
}

extension Named {
  static var schema: [(String, JSONValue)] {
    [("type", "object"), ("additionalProperties", .object(Value.schema))]
  }
}

extension Double { static var schema: [(String, JSONValue)] { [("type", .array(["number", "null"]))] } }
extension Int64 { static var schema: [(String, JSONValue)] { [("type", "integer")] } }
extension UInt64 { static var schema: [(String, JSONValue)] { [("type", "integer")] } }
extension Bool { static var schema: [(String, JSONValue)] { [("type", "boolean")] } }
extension String { static var schema: [(String, JSONValue)] { [("type", "string")] } }
extension Seconds { static var schema: [(String, JSONValue)] { [("type", "number")] } }
extension JSONValue { static var schema: [(String, JSONValue)] { [] } }

extension Optional where Wrapped: JSONForm {
  static var schema: [(String, JSONValue)] {
    let own = Wrapped.schema
    return own.isEmpty ? [] : [("anyOf", .array([.object(own), .object([("type", "null")])]))]
  }
}

extension Array where Element: JSONForm {
  static var schema: [(String, JSONValue)] { [("type", "array"), ("items", .object(Element.schema))] }
}
