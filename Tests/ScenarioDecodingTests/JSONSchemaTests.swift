import PushModel
import PushPolicy
import Quantities
import ScenarioDecoding
import Testing

/// What the schemas accept and refuse is tested with a validator (Tests/Schema); here that nothing of the tables is
/// missing in them.
@Suite struct JSONSchemaTests {
  /// The keys of every mapping of a schema.
  private func mappings(_ value: JSONValue) -> Set<Set<String>> {
    switch value {
    case .object(let members):
      var found = members.reduce(into: Set<Set<String>>()) { $0.formUnion(mappings($1.value)) }
      for member in members where member.key == "properties" {
        if case .object(let properties) = member.value { found.insert(Set(properties.map(\.key))) }
      }
      return found
    case .array(let items): return items.reduce(into: []) { $0.formUnion(mappings($1)) }
    default: return []
    }
  }

  private func member(_ name: String, _ value: JSONValue) -> JSONValue? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == name }?.value
  }

  private func tables(_ form: ValueForm) -> [KeyTable] {
    switch form {
    case .mapping(let table): tables(table)
    case .list(let form, _), .named(let form): tables(form)
    case .either(let forms): forms.flatMap(tables)
    case .profile(let kind): tables(kind.derivation.withoutProfiles)
    default: []
    }
  }

  private func tables(_ table: KeyTable) -> [KeyTable] { [table] + table.keys.flatMap { tables($0.form) } }

  @Test func `the schema of scenarios has every key of every mapping that the decoder knows, and no other`() {
    let schema = JSONSchema.value(.scenario)
    let found = mappings(schema)
    let tables = tables(ScenarioKeys.root).filter { !$0.keys.isEmpty }
    #expect(tables.count > 25)
    for table in tables {
      #expect(found.contains(Set(table.names + table.keys.compactMap(\.alias))), "\(table.names)")
    }
    guard case .object(let properties)? = member("properties", schema) else {
      Issue.record("no properties")
      return
    }
    #expect(properties.map(\.key) == ScenarioKeys.root.names)
  }

  @Test func `a key says what it means, what it takes and what stands for it when it is absent`() throws {
    let properties = try #require(member("properties", JSONSchema.value(.scenario)))
    let experiment = try #require(member("experiment", properties))
    let duration = try #require(member("properties", experiment).flatMap { member("duration", $0) })
    #expect(
      member("description", duration)
        == "Measured time, after the warm-up. Expected: a duration from 1 min to 7300 d, such as `15 min`. Default: `14 d`."
    )
    #expect(member("default", duration) == "14 d")
    #expect(member("additionalProperties", experiment) == false)
  }

  @Test func `the schemas of populations and policies define every parameter once`() {
    let paths: [(JSONSchema.File, [String])] = [
      (.population, Population.keys.map(\.path)), (.policy, Policy.keys.map(\.path)),
    ]
    for (file, paths) in paths {
      let definitions = member("definitions", JSONSchema.value(file))
      for path in paths {
        #expect(definitions.flatMap { member("\(file.rawValue).\(path)", $0) } != nil, "\(path)")
      }
    }
  }

  @Test func `every reference leads to a definition`() {
    func references(_ value: JSONValue) -> Set<String> {
      switch value {
      case .object(let members):
        members.reduce(into: []) { found, member in
          if member.key == "$ref", case .string(let target) = member.value { found.insert(target) }
          found.formUnion(references(member.value))
        }
      case .array(let items): items.reduce(into: []) { $0.formUnion(references($1)) }
      default: []
      }
    }
    for file in JSONSchema.File.allCases {
      let schema = JSONSchema.value(file)
      let all = references(schema)
      #expect(all.count > 50)
      for reference in all {
        let name = String(reference.dropFirst("#/definitions/".count))
        let definition = member("definitions", schema).flatMap { member(name, $0) }
        #expect(definition != nil && definition != .null, "\(reference)")
        // In a fragment of a URI other letters would have to be escaped.
        #expect(
          name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._".contains($0)) }, "\(name)")
      }
    }
  }
}

extension KeyTable {
  /// Profiles hold profiles; this ends the recursion.
  fileprivate var withoutProfiles: KeyTable {
    KeyTable(
      keys.map { spec in
        if case .profile = spec.form { .optional(spec.name, .text, spec.summary) } else { spec }
      })
  }
}
