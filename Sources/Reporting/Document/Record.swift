import ScenarioDecoding

/// A value that a result file can hold.
protocol JSONForm: Sendable {
  /// Nil if the value has another form.
  init?(_ json: JSONValue)
  var json: JSONValue { get }
  /// The form, as the members of a JSON Schema.
  static var schema: [(String, JSONValue)] { get }
}

/// One member of a JSON object: its name there, what it is read into, and what it means.
struct Field<Owner>: Sendable {
  let name: String
  let meaning: String
  let path: any PartialKeyPath<Owner> & Sendable
  /// Nil: the object lacks the member.
  let write: @Sendable (Owner) -> JSONValue?
  let read: @Sendable (inout Owner, JSONValue) -> Void
  let schema: @Sendable () -> [(String, JSONValue)]

  init<Value: JSONForm>(
    _ name: String, _ path: any WritableKeyPath<Owner, Value> & Sendable, _ meaning: String = ""
  ) {
    self.name = name
    self.meaning = meaning
    self.path = path
    write = { $0[keyPath: path].json }
    schema = { Value.schema }
    read = { owner, json in if let value = Value(json) { owner[keyPath: path] = value } }
  }

  /// A member that is left out where there is nothing to say, instead of being null.
  init<Value: JSONForm>(
    optional name: String, _ path: any WritableKeyPath<Owner, Value?> & Sendable, _ meaning: String = ""
  ) {
    self.name = name
    self.meaning = meaning
    self.path = path
    write = { $0[keyPath: path]?.json }
    schema = { Value.schema }
    read = { owner, json in if let value = Value(json) { owner[keyPath: path] = value } }
  }
}

/// An object of a result file, described by its table of fields: written and read by it alone. A field that is missing or
/// of another form keeps what `init()` gives it, for a result of an older version lacks fields.
protocol Record: JSONForm {
  init()
  /// In the order of the file.
  static var fields: [Field<Self>] { get }
}

extension Record {
  init?(_ json: JSONValue) {
    guard case .object(let members) = json else { return nil }
    self.init()
    for field in Self.fields {
      if let member = members.first(where: { $0.key == field.name }) { field.read(&self, member.value) }
    }
  }

  var members: [JSONValue.Member] {
    Self.fields.compactMap { field in field.write(self).map { JSONValue.Member(field.name, $0) } }
  }

  var json: JSONValue { .object(members) }
}

/// Values by name, in the order of the file.
struct Named<Value: JSONForm>: JSONForm {
  var items: [(name: String, value: Value)] = []

  init(_ items: [(String, Value)] = []) { self.items = items.map { (name: $0.0, value: $0.1) } }

  init?(_ json: JSONValue) {
    guard case .object(let members) = json else { return nil }
    items = members.compactMap { member in Value(member.value).map { (name: member.key, value: $0) } }
  }

  var json: JSONValue { .object(items.map { ($0.name, $0.value.json) }) }
  var names: [String] { items.map(\.name) }
  var isEmpty: Bool { items.isEmpty }
  subscript(name: String) -> Value? { items.first { $0.name == name }?.value }
}

extension Named where Value == Int64 {
  func sum(without names: [String] = []) -> Int64 {
    items.reduce(0) { names.contains($1.name) ? $0 : $0 + $1.value }
  }
}

extension Double: JSONForm {
  init?(_ json: JSONValue) { if let value = json.double { self = value } else { return nil } }
  var json: JSONValue { .number(self) }
}

extension Int64: JSONForm {
  init?(_ json: JSONValue) { if let value = json.count { self = value } else { return nil } }
  var json: JSONValue { .integer(self) }
}

extension UInt64: JSONForm {
  init?(_ json: JSONValue) {
    switch json {
    case .unsigned(let value): self = value
    case .integer(let value) where value >= 0: self = UInt64(value)
    default: return nil
    }
  }
  var json: JSONValue { .unsigned(self) }
}

extension Bool: JSONForm {
  init?(_ json: JSONValue) { if let value = json.bool { self = value } else { return nil } }
  var json: JSONValue { .bool(self) }
}

extension String: JSONForm {
  init?(_ json: JSONValue) { if let value = json.string { self = value } else { return nil } }
  var json: JSONValue { .string(self) }
}

extension JSONValue: JSONForm {
  init?(_ json: JSONValue) { self = json }
  var json: JSONValue { self }
}

extension Optional: JSONForm where Wrapped: JSONForm {
  init?(_ json: JSONValue) {
    if case .null = json {
      self = .none
    } else if let value = Wrapped(json) {
      self = value
    } else {
      return nil
    }
  }
  var json: JSONValue { self?.json ?? .null }
}

extension Array: JSONForm where Element: JSONForm {
  init?(_ json: JSONValue) {
    guard case .array(let elements) = json else { return nil }
    self = elements.compactMap { Element($0) }
  }
  var json: JSONValue { .array(map(\.json)) }
}

/// A length in seconds: a whole number where it is one.
struct Seconds: JSONForm {
  var value = 0.0

  init(value: Double) { self.value = value }
  init?(_ json: JSONValue) { if let value = json.double { self.value = value } else { return nil } }
  var json: JSONValue { Int64(exactly: value).map { .integer($0) } ?? .number(value) }
}

/// A value of a result with its place in the file, so that a reader of a page, or a test, can look it up.
@dynamicMemberLookup
struct At<Value> {
  var value: Value
  /// The keys that lead to it.
  var path: [String]

  init(_ value: Value, _ path: [String]) {
    self.value = value
    self.path = path
  }

  subscript<Part>(dynamicMember key: KeyPath<Value, Part>) -> At<Part> where Value: Record {
    guard let field = Value.fields.first(where: { ($0.path as AnyKeyPath) == key }) else {
      preconditionFailure("\(key) is no field of \(Value.self)")
    }
    return At<Part>(value[keyPath: key], path + [field.name])
  }

  func map<Part>(_ key: String, _ part: Part) -> At<Part> { At<Part>(part, path + [key]) }

  /// Nil where there is nothing.
  func present<Wrapped>() -> At<Wrapped>? where Value == Wrapped? {
    value.map { At<Wrapped>($0, path) }
  }

  func items<Item: JSONForm>() -> [(name: String, at: At<Item>)] where Value == Named<Item> {
    value.items.map { ($0.name, At<Item>($0.value, path + [$0.name])) }
  }

  subscript<Item: JSONForm>(name: String) -> At<Item>? where Value == Named<Item> {
    value[name].map { At<Item>($0, path + [name]) }
  }

  func elements<Item>() -> [At<Item>] where Value == [Item] {
    value.enumerated().map { At<Item>($1, path + ["\($0)"]) }
  }

  /// The keys joined by dots; a dot of a key comes after a backslash.
  static func dotted(_ keys: [String]) -> String {
    keys.map { key in
      var text = ""
      for character in key {
        if character == "." || character == "\\" { text.append("\\") }
        text.append(character)
      }
      return text
    }.joined(separator: ".")
  }
}
