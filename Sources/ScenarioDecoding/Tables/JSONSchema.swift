import Distributions
import PushModel
import PushPolicy
import Quantities

/// The form of the files that pushsim reads as JSON Schema (draft-07), for editors and other checkers. It is made of the
/// tables that the decoder reads: what is not in them cannot be in the schema.
///
/// A schema sees one value at a time; what depends on two (ascending times, shares that add up to 100 %, names of
/// strategies, files) only `pushsim check` sees.
public enum JSONSchema {
  /// A kind of file.
  public enum File: String, CaseIterable, Sendable { case scenario, population, policy }

  /// The schema of a kind of file.
  public static func value(_ file: File) -> JSONValue {
    var builder = SchemaBuilder()
    let body =
      switch file {
      case .scenario: builder.object(ScenarioKeys.root)
      case .population: builder.profileFile(.population)
      case .policy: builder.profileFile(.policy)
      }
    return .object(
      [
        ("$schema", "http://json-schema.org/draft-07/schema#"),
        ("title", .string("pushsim \(file.rawValue)")),
        (
          "description",
          .string(
            "A \(file.rawValue) file of pushsim. Printed by `pushsim schema \(file.rawValue)`, version \(pushsimVersion)."
          )
        ),
      ] + body + [("definitions", builder.definitionsValue)])
  }
}

/// The members of a JSON object, in order.
private typealias Members = [(String, JSONValue)]

private struct SchemaBuilder {
  /// What several places refer to, by name; null while it is being made.
  private var definitions: [String: JSONValue] = [:]

  var definitionsValue: JSONValue {
    .object(definitions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  private mutating func reference(_ name: String, _ make: (inout SchemaBuilder) -> Members) -> Members {
    if definitions[name] == nil {
      definitions[name] = JSONValue.null
      definitions[name] = .object(make(&self))
    }
    return [("$ref", .string("#/definitions/\(name)"))]
  }

  /// In draft-07 nothing counts beside a reference.
  private func described(_ members: Members, _ rest: Members) -> JSONValue {
    guard !rest.isEmpty else { return .object(members) }
    let isReference = members.contains { $0.0 == "$ref" }
    return .object(rest + (isReference ? [("allOf", .array([.object(members)]))] : members))
  }

  private func any(_ schemas: [Members]) -> Members {
    schemas.count == 1 ? schemas[0] : [("anyOf", .array(schemas.map { .object($0) }))]
  }

  // MARK: Mappings

  mutating func object(_ table: KeyTable) -> Members {
    let isOptional = table.keys.allSatisfy { !$0.isRequired }
    let mayBeNothing = isOptional && !table.isNeverEmpty && table.alternatives.isEmpty
    var members: Members = [("type", mayBeNothing ? ["object", "null"] : "object")]
    let properties = table.keys.flatMap { spec in
      let value = property(spec)
      return [(spec.name, value)] + (spec.alias.map { [($0, value)] } ?? [])
    }
    members.append(("properties", .object(properties)))
    let required = table.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { members.append(("required", .array(required))) }
    if table.isNeverEmpty { members.append(("minProperties", 1)) }
    if !table.alternatives.isEmpty {
      let groups = table.alternatives.map { keys in any(keys.map { [("required", [.string($0)])] }) }
      members.append(("oneOf", .array(groups.map { .object($0) })))
    }
    let companions = table.keys.compactMap { spec in spec.companion.map { (spec.name, $0) } }
    if !companions.isEmpty {
      members.append(("dependencies", .object(companions.map { ($0.0, [.string($0.1)]) })))
    }
    return members + [("additionalProperties", false)]
  }

  private mutating func property(_ spec: KeySpec) -> JSONValue {
    var text = spec.summary.prefix(1).uppercased() + spec.summary.dropFirst() + "."
    if let phrase = spec.form.phrase { text += " Expected: \(phrase)." }
    if let companion = spec.companion { text += " Only with `\(companion)`." }
    if let words = spec.defaultText { text += " Default: `\(words)`." }
    var rest: Members = [("description", .string(text))]
    if let node = spec.defaultNode { rest.append(("default", node.json)) }
    return described(schema(spec.form), rest)
  }

  // MARK: Values

  private mutating func schema(_ form: ValueForm) -> Members {
    switch form {
    case .anything: return []
    case .text: return [("type", ["string", "number", "boolean"])]
    case .word(let words), .choice(let words): return choice(words)
    // Numbers and truth values are texts as well; what is not a text, a pattern lets pass.
    case .matching(let expression, let expected):
      return [
        ("type", ["string", "number", "boolean"]), ("pattern", .string(expression)),
        ("patternErrorMessage", .string("expected \(expected)")),
      ]
    case .flag: return choice(["on", "off", "true", "false"])
    case .event: return choice(["on", "true"])
    case .timeOfDay:
      return pattern("([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?", "a time of day such as \"07:00\"")
    case .integer(let range): return integer(range)
    case .quantity(let dimension, let range): return quantity(dimension, range)
    case .distribution(let dimension, let support):
      return any([
        quantity(dimension, support),
        reference("\(dimension.rawValue)_distribution") { $0.distribution(dimension) },
      ])
    case .list(let form, let count):
      var members: Members = [("type", "array"), ("items", .object(schema(form)))]
      if count.lowerBound > 0 { members.append(("minItems", .integer(count.lowerBound))) }
      if count.upperBound < .max { members.append(("maxItems", .integer(count.upperBound))) }
      return members
    case .mapping(let table): return object(table)
    case .named(let form):
      return [
        ("type", "object"), ("minProperties", 1), ("additionalProperties", .object(schema(form))),
      ]
    case .either(let forms): return any(forms.map { schema($0) })
    case .profile(let kind): return reference("\(kind.rawValue)") { $0.profile(kind) }
    case .values(let kind): return reference("\(kind.rawValue)_values") { $0.values(kind) }
    }
  }

  /// Words, and what readers of YAML make of some: a number of `503`; a truth value of `true`, those of YAML 1.1 also of
  /// `on` and `off`.
  private func choice(_ words: [String]) -> Members {
    var values = words.map(JSONValue.string)
    values += words.compactMap { Int64($0).map(JSONValue.integer) }
    if !Set(words).isDisjoint(with: ["on", "true"]) { values.append(true) }
    if !Set(words).isDisjoint(with: ["off", "false"]) { values.append(false) }
    return [("enum", .array(values))]
  }

  private func integer(_ range: ClosedRange<Int>) -> Members {
    var number: Members = [("type", "integer")]
    if range.lowerBound > .min { number.append(("minimum", .integer(range.lowerBound))) }
    if range.upperBound < .max { number.append(("maximum", .integer(range.upperBound))) }
    return number
  }

  private func pattern(_ expression: String, _ expected: String) -> Members {
    [
      ("type", "string"), ("pattern", .string("^\(expression)$")),
      // Read by editors, in place of the expression.
      ("patternErrorMessage", .string("expected \(expected)")),
    ]
  }

  private mutating func quantity(_ dimension: Dimension, _ range: ClosedRange<Double>) -> Members {
    if dimension == .count {
      var number: Members = [("type", "number")]
      // The least positive number stands for an open end at zero.
      if range.lowerBound == .leastNonzeroMagnitude {
        number.append(("exclusiveMinimum", 0))
      } else if range.lowerBound > -.greatestFiniteMagnitude {
        number.append(("minimum", .number(range.lowerBound)))
      }
      if range.upperBound < .greatestFiniteMagnitude { number.append(("maximum", .number(range.upperBound))) }
      return number
    }
    let sign = NumberPattern.Sign(range)
    let isShare = dimension == .proportion && sign != .any && range.upperBound <= 1
    let name = isShare ? "share" : dimension.rawValue
    return reference(name + sign.suffix) { builder in
      let text = builder.pattern(
        dimension.expression(sign, upTo100: isShare),
        "\(dimension.nounPhrase) with its unit, such as `\(dimension.example)`; units: "
          + dimension.units.map(\.symbol).joined(separator: ", "))
      let example: Members = [("examples", [.string(dimension.example)])]
      // Zero is zero in any unit.
      return sign == .positive ? text + example : builder.any([text + example, [("enum", [0])]])
    }
  }
}

// MARK: - Distributions

extension SchemaBuilder {
  private mutating func distribution(_ dimension: Dimension) -> Members {
    var families: Members = []
    for family in Distribution.families(carrying: dimension) {
      families.append((family.name, .object(parameters(family, dimension))))
    }
    for family in CompositeFamily.allCases {
      families.append((family.rawValue, .object(composite(family, dimension))))
    }
    return [
      ("type", "object"), ("properties", .object(families + modifiers(dimension))),
      ("oneOf", .array(families.map { ["required": [.string($0.0)]] })), ("additionalProperties", false),
    ]
  }

  private mutating func modifiers(_ dimension: Dimension) -> Members {
    let value = quantity(dimension, .anything)
    return DistributionModifier.allCases.map { modifier in
      switch modifier {
      case .min, .max: (modifier.rawValue, .object(value))
      case .truncate: (modifier.rawValue, .object(list(of: value, count: 2)))
      }
    }
  }

  private func list(of items: Members, count: Int? = nil) -> Members {
    [("type", "array"), ("items", .object(items)), ("minItems", .integer(count ?? 1))]
      + (count.map { [("maxItems", .integer($0))] } ?? [])
  }

  private mutating func parameters(_ family: FamilyDescription, _ dimension: Dimension) -> Members {
    let value = quantity(dimension, .anything)
    var properties = family.parameters.map { parameter -> (String, JSONValue) in
      let members =
        switch parameter.role {
        case .sameDimension: value
        case .pure, .logarithm: quantity(.count, .anything)
        case .proportion: any([quantity(.proportion, 0...1), quantity(.count, 0...1)])
        }
      return (parameter.name, .object(members))
    }
    properties += modifiers(dimension)
    let units = family.logarithmUnits(dimension)
    if !units.isEmpty { properties.append(("unit", ["enum": .array(units.map(JSONValue.string))])) }
    var object: Members = [
      ("type", "object"), ("description", .string("Takes \(family.expectation).")),
      ("properties", .object(properties)),
    ]
    var ways = family.parameterSets.map { [("required", JSONValue.array($0.map(JSONValue.string)))] }
    if family.quantileCount > 0 {
      object.append(("patternProperties", ["^(median|p[0-9]{2,3})$": .object(value)]))
      ways.append([("minProperties", .integer(family.quantileCount))])
    }
    object += any(ways) + [("additionalProperties", false)]
    if family.name == "constant" { return any([value, object]) }
    if family.parameterSets == [["low", "high"]] { return any([list(of: value, count: 2), object]) }
    return object
  }

  private mutating func composite(_ family: CompositeFamily, _ dimension: Dimension) -> Members {
    switch family {
    case .discrete:
      let key = dimension == .count ? NumberPattern.any : dimension.expression(.any)
      return any([
        [
          ("type", "object"), ("minProperties", 1),
          ("patternProperties", .object([("^\(key)$", .object(schema(CompositeFamily.weight)))])),
          ("additionalProperties", false),
        ],
        list(of: object(CompositeFamily.weighted(dimension))),
      ])
    case .empirical:
      return any([list(of: quantity(dimension, .anything)), object(CSVColumn.keys(dimension))])
    case .mixture: return list(of: object(CompositeFamily.part(dimension)))
    }
  }
}

// MARK: - Profiles

extension SchemaBuilder {
  /// A whole file. Which rows must be there is left to the decoder, since the file may be based on another and may
  /// write its paths with dots.
  mutating func profileFile(_ kind: ProfileKind) -> Members {
    let headers = kind.headers.keys.map { ($0.name, property($0)) }
    return tree(paths(kind), prefix: kind.rawValue, listsPaths: false, headers: headers)
  }

  fileprivate mutating func values(_ kind: ProfileKind) -> Members {
    tree(paths(kind), prefix: kind.rawValue, listsPaths: true)
  }

  fileprivate mutating func profile(_ kind: ProfileKind) -> Members {
    any([
      [("type", "string")], schema(.values(kind)), object(kind.derivation), [("type", "null")],
    ])
  }

  private mutating func paths(_ kind: ProfileKind) -> [(path: String, schema: Members)] {
    switch kind {
    case .population: rows(Population.keys, kind)
    case .policy: rows(Policy.keys.map(TableRow.parameter), kind)
    }
  }

  private mutating func rows<Root>(_ rows: [TableRow<Root>], _ kind: ProfileKind) -> [(String, Members)] {
    let keys = rows.compactMap { if case .parameter(let key) = $0 { key } else { nil } }
    let values = rows.map { row in
      (row.path, reference("\(kind.rawValue).\(row.path)") { $0.annotated(row) })
    }
    return values
      + ShareGroup.all(keys).map { group in
        let text =
          "What becomes of the shares that are not given here: `scaled`, or the one that takes it all."
        return (
          group.rest,
          [
            ("description", .string(text)),
            ("enum", .array((["scaled"] + group.names).map(JSONValue.string))),
          ]
        )
      }
  }

  /// A value, or a value with what it stands on.
  private mutating func annotated<Root>(_ row: TableRow<Root>) -> Members {
    var prior: ValueForm?
    let form: ValueForm
    switch row {
    case .distribution(_, let dimension, let support, _, _): form = .distribution(dimension, support: support)
    case .parameter(let key):
      switch key.kind {
      // A distribution in place of a number is its prior.
      case .number(let dimension, let range, _):
        form = .distribution(dimension, support: range)
        prior = .distribution(dimension)
      case .numbers(let dimension, let range, let count, _):
        form = .list(.quantity(dimension, range), count: count...count)
      case .choice(let words, _): form = .choice(words)
      case .flag: form = .flag
      }
    }
    // What overrides may give a value that stands elsewhere a prior.
    let keys = Annotation.keys(value: form, prior: prior).keys.map { spec in
      spec.isRequired ? KeySpec.optional(spec.name, spec.form, spec.summary) : spec
    }
    let text = row.summary + "." + (form.phrase.map { " Expected: \($0)." } ?? "")
    let value = schema(form)
    // Many rows have the same form.
    let members: Members = [
      ("type", "object"),
      (
        "properties",
        .object(keys.map { ($0.name, described(schema($0.form), [("description", .string($0.summary))])) })
      ), ("minProperties", 1), ("additionalProperties", false),
    ]
    let annotated = JSONValue.object(members)
    let known = definitions.first { $0.key.hasPrefix("annotated_") && $0.value == annotated }?.key
    let name = known ?? "annotated_\(definitions.keys.count { $0.hasPrefix("annotated_") } + 1)"
    return [("description", .string(text))] + any([value, reference(name) { _ in members }])
  }

  /// A mapping of values by their paths: nested, or with dots between the keys. The paths with dots are offered as
  /// keys if `listsPaths`, else only taken.
  private mutating func tree(
    _ paths: [(path: String, schema: Members)], prefix: String, listsPaths: Bool, headers: Members = []
  ) -> Members {
    var properties = headers
    var dotted: Members = []
    for (index, path) in paths.enumerated() {
      let keys = path.path.split(separator: ".")
      let first = String(keys[0])
      if keys.count == 1 {
        properties.append((first, .object(path.schema)))
        continue
      }
      if listsPaths {
        properties.append((path.path, .object(path.schema)))
      } else {
        dotted.append((Self.exactly(path.path), .object(path.schema)))
      }
      // Each mapping on the way, where its first row stands.
      for depth in 1..<keys.count {
        let way = keys[..<depth].joined(separator: ".")
        let below = paths.filter { $0.path.hasPrefix(way + ".") }
        guard below.first?.path == path.path, index == paths.firstIndex(where: { $0.path == path.path })
        else {
          continue
        }
        let mapping = reference("\(prefix).\(way)") { builder in
          builder.tree(
            below.map { (String($0.path.dropFirst(way.count + 1)), $0.schema) }, prefix: "\(prefix).\(way)",
            listsPaths: false)
        }
        if depth == 1 {
          properties.append((way, .object(mapping)))
        } else {
          dotted.append((Self.exactly(way), .object(mapping)))
        }
      }
    }
    var members: Members = [("type", "object"), ("minProperties", 1), ("properties", .object(properties))]
    if !dotted.isEmpty { members.append(("patternProperties", .object(dotted))) }
    return members + [("additionalProperties", false)]
  }

  private static func exactly(_ path: String) -> String {
    "^" + path.split(separator: ".").joined(separator: "\\.") + "$"
  }
}

// MARK: - Regular expressions

private enum NumberPattern {
  /// Any decimal number.
  static let any =
    #"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"#

  /// Which numbers a range lets through, as far as their sign goes.
  enum Sign {
    case any, notNegative, positive

    init(_ range: ClosedRange<Double>) {
      self = range.lowerBound < 0 ? .any : range.lowerBound == 0 ? .notNegative : .positive
    }

    var suffix: String {
      switch self {
      case .any: ""
      case .notNegative: "_from_0"
      case .positive: "_above_0"
      }
    }
  }
}

extension Dimension {
  /// The texts that are quantities of the dimension, zero without a unit among them.
  fileprivate func expression(_ sign: NumberPattern.Sign, upTo100: Bool = false) -> String {
    let exponent = "([eE][+-]?[0-9]+)"
    let number =
      upTo100
      ? #"(0*100(\.0*)?|0*[0-9]{1,2}(\.[0-9]*)?|\.[0-9]+|([0-9]+(\.[0-9]*)?|\.[0-9]+)"# + exponent + ")"
      : #"([0-9]+(\.[0-9]*)?|\.[0-9]+)"# + exponent + "?"
    let symbols = units.map { unit in
      // Spaces may stand around a slash; the micro sign may be the Greek letter.
      unit.symbol.split(separator: "/", omittingEmptySubsequences: false).map { part in
        part == "µs" ? "[µμ]s" : String(part)
      }.joined(separator: "[ \\t]*/[ \\t]*")
    }
    let quantity = "\(number)[ \\t]*(\(symbols.joined(separator: "|")))"
    return switch sign {
    case .any: "([+-]?\(quantity)|[+-]?0+(\\.0*)?)"
    case .notNegative: "\\+?(\(quantity)|0+(\\.0*)?)"
    case .positive: "\\+?(?=[0-9.]*[1-9])\(quantity)"
    }
  }
}

extension YAMLNode {
  /// The tree as an editor puts it into a file: numbers and words alike.
  fileprivate var json: JSONValue {
    switch content {
    case .scalar(let text, let isQuoted):
      !isQuoted ? Int64(text).map(JSONValue.integer) ?? .string(text) : .string(text)
    case .sequence(let items): .array(items.map(\.json))
    case .mapping(let entries): .object(entries.map { ($0.key.text, $0.value.json) })
    }
  }
}
