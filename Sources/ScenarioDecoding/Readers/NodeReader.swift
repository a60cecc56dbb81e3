public import Distributions
public import Quantities

/// What readers share: where diagnostics go, and how files named in the scenario are read.
public final class DecodingContext {
  public let log: DiagnosticLog
  let read: SourceReader
  /// The bytes of the tables read so far.
  var tables: [[UInt8]] = []

  public init(log: DiagnosticLog, read: @escaping SourceReader) {
    self.log = log
    self.read = read
  }

  /// The text of a YAML file.
  ///
  /// - Parameters:
  ///   - path: as the system knows it, see ``path(_:from:)``.
  ///   - origin: who wrote the file.
  ///   - span: where the file is named, for diagnostics; nil if it was named on the command line.
  /// - Returns: nil, and a diagnostic in the log, if the file cannot be read.
  public func source(_ path: String, origin: SourceText.Origin, at span: SourceSpan? = nil) -> SourceText? {
    switch read(path, SourceText.sizeLimit) {
    case .success(let bytes): return SourceText(name: path, bytes: bytes, origin: origin)
    case .failure(.tooLarge): log.add(Messages.fileTooLarge(path, at: span))
    case .failure(.failed(let reason)): log.add(Messages.cannotRead(path, reason, at: span))
    }
    return nil
  }

  /// The path of a file that a text names: relative to that text's directory, on the command line to the current one.
  public func path(_ name: String, from span: SourceSpan) -> String {
    guard !name.hasPrefix("/"), span.source.origin != .commandLine,
      let slash = span.source.name.lastIndex(of: "/")
    else { return name }
    return String(span.source.name[...slash]) + name
  }
}

/// Reads one value as what it is expected to be. A mistake goes to the log and gives nil; since nothing runs after an
/// error, the caller may go on with any value in its place.
public struct ValueReader {
  public let node: YAMLNode
  /// What messages call the value, in backticks: `` `duration` ``.
  public let label: String
  public let context: DecodingContext

  public init(_ node: YAMLNode, label: String, context: DecodingContext) {
    self.node = node
    self.label = label
    self.context = context
  }

  private func fail<Value>(_ diagnostic: Diagnostic) -> Value? {
    context.log.add(diagnostic)
    return nil
  }

  /// The text of a scalar, unless nothing was written.
  private func scalar(expected: @autoclosure () -> String) -> String? {
    if node.isNull { return fail(Messages.missingValue(label, node.span, expected: expected())) }
    guard let text = node.scalar else { return fail(Messages.wrongForm(label, node, expected: expected())) }
    return text
  }

  public func text() -> String? { scalar(expected: "a text") }

  public func integer(_ range: ClosedRange<Int> = 0...Int.max) -> Int? {
    var expected: String { Messages.phrase(wholeNumberIn: range) }
    guard let text = scalar(expected: expected) else { return nil }
    guard let value = Int(text) else {
      // Whole, but too long for the machine.
      let isWhole =
        !text.isEmpty && text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      return fail(
        isWhole
          ? Messages.outOfRange(label, node, expected: expected)
          : Messages.notAnInteger(label, node, expected: expected))
    }
    guard range.contains(value) else { return fail(Messages.outOfRange(label, node, expected: expected)) }
    return value
  }

  public func flag() -> Bool? {
    guard let text = scalar(expected: Messages.oneOf(["on", "off"])) else { return nil }
    switch text {
    case "on", "true": return true
    case "off", "false": return false
    default:
      let meant = ["yes": "on", "y": "on", "1": "on", "no": "off", "n": "off", "0": "off"][text.lowercased()]
      return fail(Messages.unknownWord(label, node, valid: ["on", "off"], suggestion: meant))
    }
  }

  /// The index of the word among `words`.
  public func choice(_ words: [String]) -> Int? {
    guard let text = scalar(expected: Messages.oneOf(words)) else { return nil }
    guard let index = words.firstIndex(of: text) else {
      return fail(Messages.unknownWord(label, node, valid: words))
    }
    return index
  }

  /// A quantity in the SI unit of its dimension.
  ///
  /// - Parameters:
  ///   - dimension: what the value measures.
  ///   - range: in SI units, ends included.
  ///   - allowsBareProportion: takes `0.4` for `40 %`, where a list of numbers reads better without units.
  /// - Returns: nil, and a diagnostic in the log, if the text is no such quantity.
  public func quantity(
    _ dimension: Dimension, _ range: ClosedRange<Double> = .anything, allowsBareProportion: Bool = false
  ) -> Double? {
    guard
      let text = scalar(expected: Messages.phrase(dimension, in: range, bareProportion: allowsBareProportion))
    else { return nil }
    return Self.quantity(
      text, dimension, range, allowsBareProportion: allowsBareProportion, label: label, node: node,
      log: context.log)
  }

  static func quantity(
    _ text: String, _ dimension: Dimension, _ range: ClosedRange<Double>, allowsBareProportion: Bool = false,
    label: String, node: YAMLNode, log: DiagnosticLog
  ) -> Double? {
    // Worded only where it is needed: a profile has hundreds of values, and nearly all are right.
    var expected: String { Messages.phrase(dimension, in: range, bareProportion: allowsBareProportion) }
    var quantity: Quantity
    do throws(QuantityTextError) {
      quantity = try Quantity.parse(text)
    } catch {
      let diagnostic =
        switch error {
        case .notANumber: Messages.wrongDimension(label, node, wanted: dimension, expected: expected)
        case .notFinite: Messages.notFinite(label, node, expected: expected)
        case .unknownUnit(let unit):
          Messages.unknownUnit(
            unit, label, node, expected: expected,
            suggestion: respelled(text, dimension)
              ?? Suggestion.best(for: unit, among: dimension.units.map(\.symbol)))
        }
      log.add(diagnostic)
      return nil
    }
    let isBare = quantity.dimension == .count && dimension == .proportion
    if quantity.dimension == .count, dimension != .count {
      // Zero is zero in any unit.
      if quantity.value == 0 || (dimension == .proportion && allowsBareProportion) {
        quantity.dimension = dimension
      } else {
        let texts = completions(quantity.value, dimension, range)
        log.add(Messages.needsUnit(label, node, expected: expected, completions: texts))
        return nil
      }
    }
    guard quantity.dimension == dimension else {
      log.add(
        dimension == .count
          ? Messages.takesNoUnit(label, node, expected: expected)
          : Messages.wrongDimension(label, node, wanted: dimension, expected: expected))
      return nil
    }
    guard range.contains(quantity.value) else {
      var diagnostic = Messages.outOfRange(label, node, expected: expected)
      // `60` where `0.6` would do means 60 %.
      if isBare, (1...100).contains(quantity.value), range.contains(quantity.value / 100) {
        diagnostic.help = "did you mean `\(decimalText(quantity.value)) %`?"
      }
      log.add(diagnostic)
      return nil
    }
    return quantity.value
  }

  /// The items of a list.
  public func list(count: ClosedRange<Int> = 0...Int.max) -> [ValueReader]? {
    var expected: String { Messages.phrase(listOf: count) }
    if node.isNull { return fail(Messages.missingValue(label, node.span, expected: expected)) }
    guard let items = node.items else { return fail(Messages.notAList(label, node, expected: expected)) }
    guard count.contains(items.count) else {
      return fail(Messages.wrongCount(label, node, expected: expected, got: items.count))
    }
    return items.enumerated().map { index, item in
      ValueReader(item, label: "item \(index + 1) of \(label)", context: context)
    }
  }

  /// A mapping with the keys of the table.
  public func mapping(_ table: KeyTable) -> MappingReader? { MappingReader(self, table) }

  /// The entries of a mapping whose keys are names that the author chooses.
  public func named() -> [(key: YAMLKey, value: ValueReader)]? {
    let expected = "a mapping from names, with lines such as `name: …`"
    if node.isNull { return fail(Messages.missingValue(label, node.span, expected: expected)) }
    guard let entries = node.entries else {
      return fail(Messages.wrongForm(label, node, expected: expected))
    }
    return entries.map { entry in
      (entry.key, ValueReader(entry.value, label: Messages.quoted(entry.key.text), context: context))
    }
  }
}

/// Reads a mapping whose keys are known. Creating one reports unknown keys, whose values are then not looked at, and
/// missing ones.
public struct MappingReader {
  public let node: YAMLNode
  public let label: String
  public let context: DecodingContext
  public let table: KeyTable
  /// Whether the author wrote keys that the table does not know: then a key that seems to be missing may be one of
  /// them, which has been reported already.
  public let hasUnknownKeys: Bool
  private let values: [String: YAMLNode]
  /// Keys that are absent but that an unknown key was probably meant for.
  private let misspelt: Set<String>

  public init?(_ reader: ValueReader, _ table: KeyTable) {
    node = reader.node
    label = reader.label
    context = reader.context
    self.table = table
    let log = reader.context.log
    // A mapping of which every key may be left out may be left out itself: `sync_on_open:` is `sync_on_open: {}`.
    let isOptional = table.keys.allSatisfy { !$0.isRequired }
    guard let entries = node.entries ?? (node.isNull && isOptional ? [] : nil) else {
      let expected = Messages.phrase(mappingOf: table)
      log.add(
        node.isNull
          ? Messages.missingValue(label, node.span, expected: expected)
          : Messages.wrongForm(label, node, expected: expected))
      return nil
    }
    var values: [String: YAMLNode] = [:]
    var unknown: [YAMLKey] = []
    let names = Set(table.names)
    for entry in entries {
      if names.contains(entry.key.text) {
        values[entry.key.text] = entry.value
      } else {
        unknown.append(entry.key)
      }
    }
    let misspelt = Set(unknown.compactMap { Suggestion.best(for: $0.text, among: table.names) })
    var missing = table.keys.filter {
      $0.isRequired && values[$0.name] == nil && !misspelt.contains($0.name)
    }
    // One key that is not known and one that is missing are one mistake.
    let other = unknown.count == 1 && missing.count == 1 && misspelt.isEmpty ? missing.removeFirst() : nil
    for key in unknown {
      log.add(Messages.unknownKey(key, in: label, valid: table.names, missing: other))
    }
    for key in missing {
      log.add(Messages.missingKey(key.name, in: label, node.span, summary: key.summary))
    }
    self.values = values
    self.misspelt = misspelt.filter { values[$0] == nil }
    hasUnknownKeys = !unknown.isEmpty
  }

  /// Whether the author wrote the key.
  public func has(_ key: String) -> Bool { values[key] != nil }

  /// Whether the author wrote the key, or one that was probably meant for it and has been reported.
  public func hasOrMeans(_ key: String) -> Bool { has(key) || misspelt.contains(key) }

  /// Where the author wrote the key; the whole mapping if nowhere.
  public func span(ofKey key: String) -> SourceSpan {
    node.entries?.first { $0.key.text == key }?.key.span ?? node.span
  }

  /// The keys that the author wrote, in the order of the table.
  public var present: [String] { table.names.filter(has) }

  /// The value of a key, or its default's; nil if there is neither.
  public func value(_ key: String) -> ValueReader? {
    let spec = spec(key)
    if let node = values[key] { return ValueReader(node, label: Messages.quoted(key), context: context) }
    guard let text = spec.defaultText else { return nil }
    let source = SourceText(name: "default of \(key)", text: text, origin: .shipped)
    guard let node = YAMLComposer.composeValue(source, log: context.log) else { return nil }
    return ValueReader(node, label: Messages.quoted(key), context: context)
  }

  private func spec(_ key: String) -> KeySpec {
    guard let spec = table[key] else { preconditionFailure("the table of \(label) has no key \(key)") }
    return spec
  }

  // The typed accessors take form and range from the table; asking for another type than the table's is a bug.

  public func text(_ key: String) -> String? {
    switch spec(key).form {
    case .text, .word, .matching: return value(key)?.text()
    default: preconditionFailure("\(key) of \(label) is no text")
    }
  }

  public func integer(_ key: String) -> Int? {
    guard case .integer(let range) = spec(key).form else {
      preconditionFailure("\(key) of \(label) is no integer")
    }
    return value(key)?.integer(range)
  }

  public func flag(_ key: String) -> Bool? {
    switch spec(key).form {
    case .flag, .event: return value(key)?.flag()
    default: preconditionFailure("\(key) of \(label) is no flag")
    }
  }

  public func choice(_ key: String) -> Int? {
    guard case .choice(let words) = spec(key).form else {
      preconditionFailure("\(key) of \(label) is no choice")
    }
    return value(key)?.choice(words)
  }

  public func quantity(_ key: String) -> Double? {
    guard case .quantity(let dimension, let range) = spec(key).form else {
      preconditionFailure("\(key) of \(label) is no quantity")
    }
    return value(key)?.quantity(dimension, range)
  }

  public func distribution(_ key: String) -> Distribution? {
    guard case .distribution(let dimension, let support) = spec(key).form else {
      preconditionFailure("\(key) of \(label) is no distribution")
    }
    return value(key)?.distribution(dimension, support: support)
  }

  public func list(_ key: String) -> [ValueReader]? {
    guard case .list(_, let count) = spec(key).form else {
      preconditionFailure("\(key) of \(label) is no list")
    }
    return value(key)?.list(count: count)
  }

  public func mapping(_ key: String) -> MappingReader? {
    guard case .mapping(let table) = spec(key).form else {
      preconditionFailure("\(key) of \(label) is no mapping")
    }
    return value(key)?.mapping(table)
  }

  public func named(_ key: String) -> [(key: YAMLKey, value: ValueReader)]? {
    guard case .named = spec(key).form else { preconditionFailure("\(key) of \(label) is no map of names") }
    return value(key)?.named()
  }

  /// The one key of `keys` that the author wrote; none or several is a mistake.
  public func exactlyOne(of keys: [String]) -> String? {
    let found = (node.entries ?? []).map(\.key.text).filter(keys.contains)
    guard found.count == 1 else {
      if found.isEmpty, hasUnknownKeys { return nil }
      let span = found.count > 1 ? span(ofKey: found[1]) : node.span
      context.log.add(Messages.exactlyOne(of: keys, in: label, span, got: found))
      return nil
    }
    return found[0]
  }
}
