/// A value of a YAML text with its place. Scalars are text: what they mean is decided by the key they stand under.
public struct YAMLNode: Sendable {
  public enum Content: Sendable {
    /// Quoted and block scalars count as quoted: they are never empty, and never `on` by accident.
    case scalar(String, isQuoted: Bool)
    case sequence([YAMLNode])
    case mapping([YAMLEntry])
  }

  public var content: Content
  public var span: SourceSpan

  public init(_ content: Content, span: SourceSpan) {
    self.content = content
    self.span = span
  }

  /// The text of a scalar.
  public var scalar: String? { if case .scalar(let text, _) = content { text } else { nil } }
  /// The items of a sequence.
  public var items: [YAMLNode]? { if case .sequence(let items) = content { items } else { nil } }
  /// The entries of a mapping in their order.
  public var entries: [YAMLEntry]? { if case .mapping(let entries) = content { entries } else { nil } }

  /// Nothing was written after the key, or one of YAML's words for nothing.
  public var isNull: Bool {
    guard case .scalar(let text, isQuoted: false) = content else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  /// The value of a key of a mapping.
  public subscript(_ key: String) -> YAMLNode? { entries?.first { $0.key.text == key }?.value }

  /// The value on one line, as an author would write it.
  public var flowText: String {
    switch content {
    case .scalar(let text, let isQuoted): isQuoted ? "\"\(text)\"" : text
    case .sequence(let items): "[\(items.map(\.flowText).joined(separator: ", "))]"
    case .mapping(let entries):
      "{\(entries.map { "\($0.key.flowText): \($0.value.flowText)" }.joined(separator: ", "))}"
    }
  }

  /// What messages call the value's form.
  var formName: String {
    switch content {
    case .scalar: isNull ? "nothing" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

/// A key of a mapping, always a scalar, with its place.
public struct YAMLKey: Sendable {
  public var text: String
  /// A quoted key is one name even if it holds dots.
  public var isQuoted: Bool
  public var span: SourceSpan

  public init(_ text: String, isQuoted: Bool = false, span: SourceSpan) {
    self.text = text
    self.isQuoted = isQuoted
    self.span = span
  }

  var flowText: String { isQuoted ? "\"\(text)\"" : text }
}

/// A key and its value.
public struct YAMLEntry: Sendable {
  public var key: YAMLKey
  public var value: YAMLNode

  public init(key: YAMLKey, value: YAMLNode) {
    self.key = key
    self.value = value
  }
}
