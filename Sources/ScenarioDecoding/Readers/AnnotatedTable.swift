import Distributions
public import PushModel
public import Quantities

/// Reads a profile: a tree whose leaves are values, bare or with what they stand on
/// (`{value: 2 /h, prior: {uniform: [2 /h, 3 /h]}, evidence: assumed, source: "…"}`).
public struct AnnotatedTable<Root: Sendable>: Sendable {
  public let rows: [TableRow<Root>]
  /// The shares of which each group is 100 %.
  let shares: [ShareGroup]
  /// What stands before the table's paths on the command line, as in `population`.
  let name: String
  private let tree: PathTree

  public init(_ rows: [TableRow<Root>], name: String = "") {
    self.rows = rows
    self.name = name
    shares = ShareGroup.all(rows.compactMap { if case .parameter(let key) = $0 { key } else { nil } })
    var tree = PathTree()
    for (index, row) in rows.enumerated() {
      tree.insert(row.path.split(separator: ".").map(String.init)[...], row: index)
    }
    for (index, group) in shares.enumerated() {
      tree.insert(group.rest.split(separator: ".").map(String.init)[...], row: rows.count + index)
    }
    self.tree = tree
  }

  public init(_ keys: [ParameterKey<Root>], name: String = "") {
    self.init(keys.map(TableRow.parameter), name: name)
  }

  /// The paths at which a merge replaces values whole.
  public var leaves: Set<String> { Set(rows.map(\.path)) }

  /// Which rows a tree has to hold.
  public enum Completeness: Sendable {
    /// Every one; a row without a value is a mistake of the profile.
    case complete
    /// Any; the others keep what `root` holds and are not among the settings.
    case partial
  }

  /// Reads the values of a tree into a copy of `root`.
  ///
  /// - Parameters:
  ///   - node: the profile, with all that overrides it merged in.
  ///   - label: what messages call the profile, such as ``the policy `guide` ``.
  ///   - root: holds the values of rows that the tree does not set.
  ///   - headers: keys at the top that are the caller's, such as `policy` and `summary`.
  ///   - completeness: whether every row has to be set.
  ///   - context: where mistakes go.
  /// - Returns: values, settings in the order of the table, and the parameters given as a prior.
  public func decode(
    _ node: YAMLNode, label: String, into root: Root, headers: [String] = [],
    completeness: Completeness = .complete, context: DecodingContext
  ) -> Parameterised<Root> {
    let expanded = node.expandingDottedKeys(leaves: leaves, log: context.log)
    var found = [Found](repeating: .nothing, count: rows.count + shares.count)
    collect(ValueReader(expanded, label: label, context: context), tree, headers: headers, into: &found)
    var result = Parameterised(values: root)
    for (index, row) in rows.enumerated() {
      switch found[index] {
      case .node(let node):
        let errors = context.log.errorCount
        decode(row, ValueReader(node, label: Messages.quoted(row.path), context: context), into: &result)
        if context.log.errorCount > errors { found[index] = .mistake }
      case .mistake: break
      case .nothing where completeness == .partial: break
      case .nothing:
        context.log.add(Messages.missingParameter(row.path, label, expanded.span, summary: row.summary))
      }
    }
    settleShares(found.map(\.node), in: &result, context: context)
    return result
  }

  private enum Found {
    case nothing
    case node(YAMLNode)
    /// Reported already: what stands there leads nowhere, and to call the row missing as well would say it twice.
    case mistake

    var node: YAMLNode? { if case .node(let node) = self { node } else { nil } }
  }

  /// The nodes of the rows; reports keys that lead to no row.
  private func collect(
    _ reader: ValueReader, _ tree: PathTree, headers: [String], into found: inout [Found]
  ) {
    guard let entries = reader.node.entries else {
      let expected = "a mapping with keys such as \(Messages.list(Array(tree.names.prefix(3)), "and"))"
      var diagnostic =
        reader.node.isNull
        ? Messages.missingValue(reader.label, reader.node.span, expected: expected)
        : Messages.wrongForm(reader.label, reader.node, expected: expected)
      // `force_quit: off` means its mode.
      if let word = reader.node.scalar, ["on", "off", "shadow"].contains(word), tree.names.contains("mode") {
        diagnostic.help = "did you mean `\(tree.path).mode: \(word)`?"
      }
      reader.context.log.add(diagnostic)
      for row in tree.rows { found[row] = .mistake }
      return
    }
    for entry in entries where !headers.contains(entry.key.text) {
      guard let child = tree.children[entry.key.text] else {
        reader.context.log.add(Messages.unknownKey(entry.key, in: reader.label, valid: tree.names))
        let meant = Suggestion.best(for: entry.key.text, among: tree.names)
        for row in meant.flatMap({ tree.children[$0] })?.rows ?? [] {
          if case .nothing = found[row] { found[row] = .mistake }
        }
        continue
      }
      if let row = child.row {
        found[row] = .node(entry.value)
      } else {
        let label = Messages.quoted(child.path)
        collect(
          ValueReader(entry.value, label: label, context: reader.context), child, headers: [], into: &found)
      }
    }
  }

  private func decode(_ row: TableRow<Root>, _ leaf: ValueReader, into result: inout Parameterised<Root>) {
    var value = leaf
    var prior: ValueReader?
    var evidence: Evidence?
    var source: String?
    if leaf.node.entries?.contains(where: { Annotation(rawValue: $0.key.text) != nil }) == true {
      guard let annotated = leaf.mapping(Annotation.keys(value: .anything, prior: .anything)),
        let node = annotated.value("value")?.node
      else {
        return
      }
      value = ValueReader(node, label: leaf.label, context: leaf.context)
      prior = annotated.value("prior").map {
        ValueReader($0.node, label: "the prior of \(leaf.label)", context: leaf.context)
      }
      evidence = annotated.choice("evidence").map { Evidence.allCases[$0] }
      source = annotated.text("source")
    }
    // A value set from elsewhere does not stand on what the file says of the old one.
    let origin = value.node.span.source.origin
    if origin != leaf.node.span.source.origin {
      evidence = nil
      source = nil
    }
    var priorDistribution: Distribution?
    switch row {
    case .parameter(let key):
      if let prior {
        if case .number(let dimension, let range, _) = key.kind {
          priorDistribution = prior.distribution(dimension, support: range)
        } else {
          leaf.context.log.add(Messages.priorOfNoNumber(leaf.label, prior.node.span))
        }
      }
      assign(key, value, into: &result)
    case .distribution(_, let dimension, let support, let path, _):
      if let prior { leaf.context.log.add(Messages.priorOfNoNumber(leaf.label, prior.node.span)) }
      if let distribution = value.distribution(dimension, support: support) {
        result.values[keyPath: path] = distribution
      }
    }
    result.settings.append(
      ParameterSetting(
        path: row.path, text: value.node.flowText, prior: priorDistribution, priorText: prior?.node.flowText,
        evidence: evidence ?? (origin == .shipped ? .assumed : .given), source: source ?? origin.sourceText,
        isOverride: origin.isOverride))
  }

  /// Puts a parameter's value where it belongs; a distribution in place of a number is a prior to draw from.
  private func assign(_ key: ParameterKey<Root>, _ value: ValueReader, into result: inout Parameterised<Root>)
  {
    switch key.kind {
    case .number(let dimension, let range, let path):
      guard value.node.entries == nil else {
        guard let prior = value.distribution(dimension, support: range) else { return }
        result.values[keyPath: path] = min(range.upperBound, max(range.lowerBound, prior.quantile(0.5)))
        result.drawn.append((key, prior))
        return
      }
      if let number = value.quantity(dimension, range) { result.values[keyPath: path] = number }
    case .numbers(let dimension, let range, let count, let path):
      guard let items = value.list(count: count...count) else { return }
      let numbers = items.map { $0.quantity(dimension, range) }
      let sound = numbers.compactMap(\.self)
      guard sound.count == count else { return }
      if key.rule == .weights, sound.allSatisfy({ $0 == 0 }) {
        value.context.log.add(Messages.allWeightsZero(value.label, value.node.span.firstLine))
        return
      }
      result.values[keyPath: path] = sound
    case .choice(let words, let path):
      if let index = value.choice(words) { result.values[keyPath: path] = index }
    case .flag(let path):
      if let flag = value.flag() { result.values[keyPath: path] = flag }
    }
  }
}

/// The paths of a table as a tree, in the table's order.
private struct PathTree: Sendable {
  var path = ""
  var names: [String] = []
  var children: [String: PathTree] = [:]
  var row: Int?

  /// The rows at and below this path.
  var rows: [Int] { row.map { [$0] } ?? names.flatMap { children[$0]?.rows ?? [] } }

  mutating func insert(_ segments: ArraySlice<String>, row: Int) {
    guard let first = segments.first else {
      precondition(children.isEmpty && self.row == nil, "the path \(path) stands twice in a table")
      self.row = row
      return
    }
    precondition(self.row == nil, "the path \(path) is a value and holds others")
    if children[first] == nil {
      names.append(first)
      children[first] = PathTree(path: path.isEmpty ? first : "\(path).\(first)")
    }
    children[first]?.insert(segments.dropFirst(), row: row)
  }
}
