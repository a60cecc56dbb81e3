import Quantities

// Overriding parts of a tree: `{base: …, set: {…}}` and `--set PATH=VALUE`.

/// The keys that stand beside a value to say what it stands on.
package enum Annotation: String, CaseIterable {
  case value
  case prior
  case evidence
  case source

  /// - Parameters:
  ///   - value: the form of the value.
  ///   - prior: the form of its prior; nil where a prior has no place.
  package static func keys(value: ValueForm, prior: ValueForm?) -> KeyTable {
    KeyTable(
      [.required("value", value, "the value")]
        + (prior.map { [.optional("prior", $0, "what values are plausible")] } ?? []) + [
          .optional("evidence", .choice(Evidence.allCases.map(\.rawValue)), "how well the value is known"),
          .optional("source", .text, "where the value comes from"),
        ])
  }
}

extension YAMLNode {
  /// A mapping that holds a value and what it stands on, such as `{value: 2 /h, evidence: assumed}`.
  var isAnnotatedLeaf: Bool {
    guard let entries, entries.contains(where: { $0.key.text == Annotation.value.rawValue }) else {
      return false
    }
    return entries.allSatisfy { Annotation(rawValue: $0.key.text) != nil }
  }

  /// Says more about a value without giving one, such as `{prior: {uniform: [1 /h, 3 /h]}}`.
  fileprivate var isAnnotationOnly: Bool {
    guard let entries, !entries.isEmpty else { return false }
    return entries.allSatisfy {
      $0.key.text != Annotation.value.rawValue && Annotation(rawValue: $0.key.text) != nil
    }
  }

  /// This tree with the values of `other` in place of its own.
  ///
  /// Mappings are merged key by key; keys of `other` may be dotted paths. A new value replaces an annotated one whole,
  /// for the old evidence says nothing about it.
  ///
  /// - Parameters:
  ///   - other: the overriding tree.
  ///   - leaves: paths whose values are replaced whole even where both are mappings, as those of distributions are.
  ///   - log: gets paths that `other` sets twice.
  /// - Returns: the merged tree; every node keeps the place where it was written.
  public func merging(_ other: YAMLNode, leaves: Set<String> = [], log: DiagnosticLog) -> YAMLNode {
    merging(expanded: other.expandingDottedKeys(leaves: leaves, log: log), leaves: leaves, path: "")
  }

  private func merging(expanded other: YAMLNode, leaves: Set<String>, path: String) -> YAMLNode {
    guard let base = entries, let overriding = other.entries, !leaves.contains(path) || other.isAnnotationOnly
    else {
      return other
    }
    if isAnnotatedLeaf, !other.isAnnotationOnly { return other }
    if other.isAnnotatedLeaf { return other }
    var result = base
    var indices = Dictionary(
      base.enumerated().map { ($1.key.text, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in overriding {
      if let index = indices[entry.key.text] {
        let old = result[index].value
        let merged = old.merging(expanded: entry.value, leaves: leaves, path: join(path, entry.key.text))
        result[index] = YAMLEntry(key: entry.key, value: merged)
      } else {
        indices[entry.key.text] = result.count
        result.append(entry)
      }
    }
    return YAMLNode(.mapping(result), span: span)
  }

  /// This tree with each plain key `a.b` turned into the key `b` of a mapping `a`. Below `leaves` keys are left alone.
  ///
  /// - Parameters:
  ///   - leaves: paths whose values are not looked into.
  ///   - log: gets paths that are set twice.
  /// - Returns: the same values in nested mappings.
  public func expandingDottedKeys(leaves: Set<String> = [], log: DiagnosticLog) -> YAMLNode {
    expandingDottedKeys(leaves: leaves, path: "", log: log)
  }

  private func expandingDottedKeys(leaves: Set<String>, path: String, log: DiagnosticLog) -> YAMLNode {
    guard let entries, !leaves.contains(path), !isAnnotatedLeaf, !isAnnotationOnly else { return self }
    let root = Branch(span: span)
    for entry in entries {
      let segments =
        entry.key.isQuoted
        ? [entry.key.text]
        : entry.key.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      // A key such as `.x` or one deeper than any table is unknown, and will be reported as it was written.
      if segments.count > YAMLComposer.depthLimit || segments.contains("") && segments.count > 1 {
        root.add([entry.key.text], entry.key, entry.value, path: path, log: log)
        continue
      }
      let full = segments.reduce(path, join)
      let value = entry.value.expandingDottedKeys(leaves: leaves, path: full, log: log)
      root.add(segments, entry.key, value, path: path, log: log)
    }
    return root.node
  }

  /// A mapping under construction.
  private final class Branch {
    private enum Child {
      case value(YAMLNode)
      case branch(Branch)
    }
    private let span: SourceSpan
    private var order: [YAMLKey] = []
    private var children: [String: Child] = [:]

    init(span: SourceSpan) { self.span = span }

    func add(_ segments: [String], _ key: YAMLKey, _ value: YAMLNode, path: String, log: DiagnosticLog) {
      let name = segments[0]
      let full = join(path, name)
      let rest = Array(segments.dropFirst())
      switch children[name] {
      case nil:
        order.append(YAMLKey(name, isQuoted: key.isQuoted, span: key.span))
        if !rest.isEmpty {
          let branch = Branch(span: key.span)
          branch.add(rest, key, value, path: full, log: log)
          children[name] = .branch(branch)
        } else {
          children[name] = .value(value)
        }
      case .branch(let branch):
        if !rest.isEmpty {
          branch.add(rest, key, value, path: full, log: log)
        } else if let entries = value.entries {
          for entry in entries { branch.add([entry.key.text], entry.key, entry.value, path: full, log: log) }
        } else {
          report(full, key, log)
        }
      case .value(let old):
        // `a: {b: 1}` and `a.c: 2` go together; `a: 1` and `a.c: 2` do not.
        guard let entries = old.entries, !old.isAnnotatedLeaf, !rest.isEmpty else {
          return report(full, key, log)
        }
        let branch = Branch(span: old.span)
        for entry in entries { branch.add([entry.key.text], entry.key, entry.value, path: full, log: log) }
        branch.add(rest, key, value, path: full, log: log)
        children[name] = .branch(branch)
      }
    }

    private func report(_ path: String, _ key: YAMLKey, _ log: DiagnosticLog) {
      let first = order.first { $0.text == path || path.hasSuffix("." + $0.text) } ?? key
      log.add(Messages.setTwice(path, key.span, first: first.span))
    }

    var node: YAMLNode {
      let entries = order.map { key in
        switch children[key.text] {
        case .value(let node)?: YAMLEntry(key: key, value: node)
        case .branch(let branch)?: YAMLEntry(key: key, value: branch.node)
        case nil: preconditionFailure("the key \(key.text) has no value")
        }
      }
      return YAMLNode(.mapping(entries), span: span)
    }
  }
}

private func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

/// One `--set PATH=VALUE` of the command line.
public struct Setting: Sendable {
  /// The keys of the path with their places in the argument.
  public let path: [YAMLKey]
  public let value: YAMLNode

  init(path: [YAMLKey], value: YAMLNode) {
    self.path = path
    self.value = value
  }

  /// Reads an argument. It becomes a text named `--set`, so that diagnostics show it with carets below the part that
  /// is wrong.
  ///
  /// - Parameters:
  ///   - argument: `PATH=VALUE`; the value is YAML.
  ///   - name: of the option that takes the argument.
  ///   - log: gets what is wrong with the argument.
  public init?(_ argument: String, name: String = "--set", log: DiagnosticLog) {
    let source = SourceText(name: name, text: argument, origin: .commandLine)
    guard let equals = source.bytes.firstIndex(of: UInt8(ascii: "=")) else {
      log.add(
        Messages.settingWithoutValue(
          source.span(SourcePosition(line: 1, column: 1), length: argument.unicodeScalars.count)))
      return nil
    }
    var path: [YAMLKey] = []
    var start = 0
    for end in 0...equals where end == equals || source.bytes[end] == UInt8(ascii: ".") {
      let text = String(decoding: source.bytes[start..<end], as: UTF8.self)
      let place = source.position(ofByte: start)
      path.append(
        YAMLKey(text, span: source.span(place, length: max(1, text.unicodeScalars.count))))
      start = end + 1
    }
    if let empty = path.first(where: \.text.isEmpty)
      ?? (path.count > YAMLComposer.depthLimit ? path.last : nil)
    {
      let whole = String(decoding: source.bytes[..<equals], as: UTF8.self)
      log.add(Messages.emptyPath(empty.span, path: whole))
      return nil
    }
    guard let value = YAMLComposer.composeValue(source, from: equals + 1, log: log) else { return nil }
    if value.isNull, source.bytes[(equals + 1)...].allSatisfy({ $0 == UInt8(ascii: " ") }) {
      log.add(Messages.settingWithoutValue(source.span(source.position(ofByte: equals), length: 1)))
      return nil
    }
    self.path = path
    self.value = value
  }
}

extension YAMLNode {
  /// Looks at a value on the way of a setting, before its next key is sought. Returns nil to go on; or what the value
  /// stands for in full and the keys to follow from there, where the file holds a short form.
  ///
  /// `population: consumer` with `low_power_mode.share` to follow becomes `{base: consumer, set: {}}` with
  /// `set.low_power_mode.share` to follow.
  public typealias Redirection = (_ path: [String], _ node: YAMLNode, _ rest: [YAMLKey]) -> (
    node: YAMLNode, rest: [YAMLKey]
  )?

  /// Puts a value at a path. Keys that do not exist are created; a number names an item of a list, from 0.
  public mutating func apply(
    _ setting: Setting, log: DiagnosticLog, redirection: Redirection = { _, _, _ in nil }
  ) {
    set(setting.path, to: setting.value, done: [], log: log, redirection: redirection)
  }

  private mutating func set(
    _ keys: [YAMLKey], to value: YAMLNode, done: [String], log: DiagnosticLog, redirection: Redirection
  ) {
    guard !keys.isEmpty else {
      self = value
      return
    }
    var rest = keys
    if let redirected = redirection(done, self, keys) {
      self = redirected.node
      rest = redirected.rest
    }
    guard let key = rest.first else {
      self = value
      return
    }
    let remaining = Array(rest.dropFirst())
    let path = done + [key.text]
    switch content {
    case .mapping(var entries):
      if let index = entries.firstIndex(where: { $0.key.text == key.text }) {
        if remaining.isEmpty { entries[index].key = key }
        entries[index].value.set(remaining, to: value, done: path, log: log, redirection: redirection)
      } else {
        var child = YAMLNode(.mapping([]), span: key.span)
        child.set(remaining, to: value, done: path, log: log, redirection: redirection)
        entries.append(YAMLEntry(key: key, value: child))
      }
      content = .mapping(entries)
    case .sequence(var items):
      guard let index = Int(key.text), items.indices.contains(index) else {
        log.add(Messages.noSuchItem(key.text, in: done.joined(separator: "."), self, key.span))
        return
      }
      items[index].set(remaining, to: value, done: path, log: log, redirection: redirection)
      content = .sequence(items)
    case .scalar:
      guard isNull else {
        log.add(Messages.cannotSetBelow(done.joined(separator: "."), self, key.span))
        return
      }
      self = YAMLNode(.mapping([]), span: key.span)
      set(rest, to: value, done: done, log: log, redirection: { _, _, _ in nil })
    }
  }
}
