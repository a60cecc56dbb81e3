internal import Distributions
internal import Quantities

/// Every text that tells a user what is wrong with a file, one function each.
///
/// The grammar: lower case, no final stop, the rule before the violation, words of the user and of YAML in backticks,
/// numbers with units. A parameter called `label` holds the name of a value, in its backticks.
enum Messages {

  // MARK: Files

  static func cannotRead(_ path: String, _ reason: String, at span: SourceSpan?) -> Diagnostic {
    var diagnostic = Diagnostic(
      .error, span.map { .at($0) } ?? .file(path),
      span == nil ? "cannot read the file: \(reason)" : "cannot read \(quoted(path)): \(reason)")
    // What names the file could be read: it is that text that is wrong, not the system.
    diagnostic.isReadFailure = span == nil
    return diagnostic
  }

  /// - Parameter span: where the file is named; nil if it was named on the command line.
  static func fileTooLarge(_ name: String, at span: SourceSpan? = nil) -> Diagnostic {
    Diagnostic(
      .error, span.map { .at($0) } ?? .file(name),
      "\(span == nil ? "the file" : quoted(name)) is larger than \(SourceText.sizeLimit >> 20) MiB",
      help: "check the path: scenario files are small texts")
  }

  static func binaryContent(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "the file holds a control character, so it is not a text", expected: "YAML in UTF-8")
  }

  static func invalidUTF8(_ span: SourceSpan, byte: UInt8) -> Diagnostic {
    let hex = String(byte, radix: 16, uppercase: true)
    return Diagnostic(
      span, "the text is not valid UTF-8 here", expected: "YAML in UTF-8", got: "the byte 0x\(hex)",
      help: "save the file as UTF-8")
  }

  static func emptyFile(_ source: SourceText) -> Diagnostic {
    Diagnostic(
      source.character(SourcePosition(line: 1, column: 1)), "the file is empty",
      expected: "a mapping, such as `key: value`")
  }

  static func rootIsNoMapping(_ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      node.span.firstLine, "the file has to be a mapping", expected: "lines such as `key: value`",
      got: node.formName)
  }

  // MARK: YAML

  static func tabIndentation(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "lines have to be indented with spaces", got: "a tab")
  }

  static func duplicateKey(_ key: String, _ span: SourceSpan, first: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "the key \(quoted(key)) stands twice in one mapping", help: "remove one of the two",
      notes: [Diagnostic.Note(place: .at(first), text: "it stands here first")])
  }

  static func sameKey(_ key: YAMLKey, _ other: YAMLKey) -> Diagnostic {
    Diagnostic(
      key.span, "\(quoted(key.text)) is another name of \(quoted(other.text))", help: "remove one of the two",
      notes: [Diagnostic.Note(place: .at(other.span), text: "\(quoted(other.text)) stands here")])
  }

  static func anchor(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "anchors (`&name`) are not supported", help: "write the value where it is used")
  }

  static func alias(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "aliases (`*name`) are not supported",
      help: "write the value out; put text that starts with `*` in quotes")
  }

  static func tag(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "tags (`!name`) are not supported",
      help: "remove the tag; put text that starts with `!` in quotes")
  }

  static func severalDocuments(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "a file holds one document, and here a second one starts",
      help: "remove the line, or put what follows into a file of its own")
  }

  static func tooDeep(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span.firstLine, "values may be nested \(YAMLComposer.depthLimit) levels deep, and this one is deeper")
  }

  static func keyIsNoScalar(_ node: YAMLNode) -> Diagnostic {
    Diagnostic(node.span.firstLine, "a key has to be a word", got: node.formName)
  }

  static func emptyKey(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "a key is missing before the `:`")
  }

  /// A syntax error, from libyaml's words. Those that a slip of the pen provokes are said in ours.
  static func syntax(
    _ problem: String, _ span: SourceSpan, context: (text: String, span: SourceSpan)?
  ) -> Diagnostic {
    switch problem {
    case "mapping values are not allowed in this context":
      return Diagnostic(
        span, "`: ` cannot stand here",
        help: "indent the line like the keys beside it, or put text that holds `: ` in quotes")
    case "could not find expected ':'":
      return Diagnostic(
        context?.span ?? span, "this line is neither a key with a value nor part of one",
        expected: "a line such as `key: value`")
    case "did not find expected key":
      return Diagnostic(
        span, "a key has to stand here", help: "indent the line like the keys beside it",
        notes: context.map { [Diagnostic.Note(place: .at($0.span), text: "the mapping starts here")] } ?? [])
    case "did not find expected '-' indicator":
      return Diagnostic(
        span, "an item of the list has to stand here", expected: "a line that starts with `- `",
        notes: context.map { [Diagnostic.Note(place: .at($0.span), text: "the list starts here")] } ?? [])
    case "did not find expected ',' or ']'":
      return unclosed("list", "[", "]", span, context?.span)
    case "did not find expected ',' or '}'":
      return unclosed("mapping", "{", "}", span, context?.span)
    case "found unexpected end of stream":
      return Diagnostic(context?.span ?? span, "the quotation mark that opens here is never closed")
    case "found character that cannot start any token":
      return Diagnostic(
        span, "a value cannot start with this character", help: "put the text in quotes")
    case "block sequence entries are not allowed in this context":
      return Diagnostic(
        span, "an item of a list cannot stand here",
        help: "start each item, and the first one too, on its own line")
    case "found unexpected ':'":
      return Diagnostic(span, "a space has to stand after the `:` of a key")
    case "found unknown escape character":
      return Diagnostic(
        span, "this escape is not known in double quotes",
        help: "write `\\\\` for a backslash, or use single quotes")
    default:
      return Diagnostic(
        span, "this is not valid YAML: \(problem)",
        notes: context.map { [Diagnostic.Note(place: .at($0.span), text: $0.text)] } ?? [])
    }
  }

  private static func unclosed(
    _ form: String, _ open: String, _ close: String, _ span: SourceSpan, _ start: SourceSpan?
  ) -> Diagnostic {
    let sameLine = start.map { $0.start.line == span.start.line } ?? true
    return Diagnostic(
      start ?? span,
      "the \(form) that opens here is not closed\(sameLine ? "" : " before line \(span.start.line)")",
      expected: "`,` between items and `\(close)` after the last one",
      notes: start == nil
        ? [] : [Diagnostic.Note(place: .at(span), text: "`\(open)` was still open here")])
  }

  // MARK: Settings

  static func emptyPath(_ span: SourceSpan, path: String) -> Diagnostic {
    Diagnostic(
      span, "a setting names a key", expected: "a path such as `experiment.devices`", got: quoted(path))
  }

  static func settingWithoutValue(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "a setting needs a value", expected: "`PATH=VALUE`, such as `experiment.devices=200`")
  }

  static func cannotSetBelow(_ parent: String, _ node: YAMLNode, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "\(quoted(parent)) has no keys that could be set", got: quoted(node.flowText),
      notes: [Diagnostic.Note(place: .at(node.span), text: "\(quoted(parent)) is written here")])
  }

  static func noSuchItem(_ segment: String, in parent: String, _ node: YAMLNode, _ span: SourceSpan)
    -> Diagnostic
  {
    let count = node.items?.count ?? 0
    return Diagnostic(
      span, "\(quoted(parent)) is a list of \(count) item\(count == 1 ? "" : "s")",
      expected: count == 0 ? nil : "a number from 0 to \(count - 1)", got: quoted(segment),
      notes: [Diagnostic.Note(place: .at(node.span), text: "the list is written here")])
  }

  static func setTwice(_ path: String, _ span: SourceSpan, first: SourceSpan) -> Diagnostic {
    Diagnostic(
      span, "\(quoted(path)) is set twice", help: "remove one of the two",
      notes: [Diagnostic.Note(place: .at(first), text: "it is set here first")])
  }

  // MARK: Keys

  /// - Parameter missing: the one key that the mapping lacks, if this is the one that it has too many.
  static func unknownKey(
    _ key: YAMLKey, in label: String, valid: [String], missing: KeySpec? = nil, help: String? = nil
  ) -> Diagnostic {
    var help = help
    if key.text.contains(":"), !key.isQuoted {
      // `{mean:1 s}` is the key `mean:1 s`.
      help = "put a space after the `:`"
    } else if key.text == "<<" {
      help = "merge keys are not supported: write the keys where they are used"
    } else if let suggestion = Suggestion.best(for: key.text, among: valid) {
      help = "did you mean `\(suggestion)`?"
    } else if let missing {
      help = "\(label) lacks the key `\(missing.name)`: \(missing.summary)"
    }
    return Diagnostic(
      key.span, "unknown key \(quoted(key.text)) in \(label)", expected: oneOf(valid), help: help)
  }

  static func missingKey(_ key: String, in label: String, _ span: SourceSpan, summary: String) -> Diagnostic {
    Diagnostic(span.firstLine, "\(label) lacks the key \(quoted(key))", expected: "`\(key)`: \(summary)")
  }

  static func exactlyOne(of keys: [String], in label: String, _ span: SourceSpan, got: [String]) -> Diagnostic
  {
    Diagnostic(
      span.firstLine, "\(label) has to hold exactly one of its kinds", expected: oneOf(keys),
      got: got.isEmpty ? "none of them" : list(got, "and"),
      help: span.source.origin == .commandLine && got.count > 1
        ? "set all of \(label) in place of one key, as `…={\(got[1]): …}`" : nil)
  }

  // MARK: Values

  static func missingValue(_ label: String, _ span: SourceSpan, expected: String) -> Diagnostic {
    Diagnostic(span, "\(label) has no value", expected: expected)
  }

  static func wrongForm(_ label: String, _ node: YAMLNode, expected: String) -> Diagnostic {
    Diagnostic(node.span.firstLine, "\(label) has the wrong form", expected: expected, got: node.formName)
  }

  static func notAList(_ label: String, _ node: YAMLNode, expected: String) -> Diagnostic {
    var diagnostic = wrongForm(label, node, expected: expected)
    if node.scalar != nil { diagnostic.help = "did you mean \(quoted("[\(node.flowText)]"))?" }
    return diagnostic
  }

  static func emptyText(_ label: String, _ node: YAMLNode) -> Diagnostic {
    Diagnostic(node.span, "\(label) is empty", expected: "a text")
  }

  static func wrongCount(_ label: String, _ node: YAMLNode, expected: String, got: Int) -> Diagnostic {
    Diagnostic(
      node.span.firstLine, "\(label) has the wrong number of items", expected: expected, got: "\(got)")
  }

  static func notAnInteger(_ label: String, _ node: YAMLNode, expected: String) -> Diagnostic {
    // `1,000` and `1_000`.
    let text = node.scalar ?? ""
    let digits = text.filter { !",_' ".contains($0) }
    let isGrouped = digits != text && digits.utf8.allSatisfy { 48...57 ~= $0 } && Int(digits) != nil
    return Diagnostic(
      node.span, "\(label) is not a whole number", expected: expected, got: got(node),
      help: isGrouped ? "did you mean `\(digits)`?" : nil)
  }

  static func unknownWord(
    _ label: String, _ node: YAMLNode, valid: [String], suggestion: String? = nil
  ) -> Diagnostic {
    let suggestion = suggestion ?? Suggestion.best(for: node.scalar ?? "", among: valid)
    return Diagnostic(
      node.span, "\(label) has an unknown value", expected: oneOf(valid), got: got(node),
      help: suggestion.map { "did you mean `\($0)`?" })
  }

  static func needsUnit(
    _ label: String, _ node: YAMLNode, expected: String, completions: [String]
  ) -> Diagnostic {
    Diagnostic(
      node.span, "\(label) needs a unit", expected: expected, got: got(node),
      help: completions.isEmpty ? nil : "did you mean \(list(completions, "or"))?")
  }

  static func takesNoUnit(_ label: String, _ node: YAMLNode, expected: String) -> Diagnostic {
    Diagnostic(node.span, "\(label) is a pure number and takes no unit", expected: expected, got: got(node))
  }

  static func unknownUnit(
    _ unit: String, _ label: String, _ node: YAMLNode, expected: String, suggestion: String?
  ) -> Diagnostic {
    Diagnostic(
      node.span, "unknown unit \(quoted(unit)) in \(label)", expected: expected, got: got(node),
      help: suggestion.map { "did you mean `\($0)`?" })
  }

  static func wrongDimension(_ label: String, _ node: YAMLNode, wanted: Dimension, expected: String)
    -> Diagnostic
  {
    Diagnostic(node.span, "\(label) is not \(wanted.nounPhrase)", expected: expected, got: got(node))
  }

  static func notFinite(_ label: String, _ node: YAMLNode, expected: String) -> Diagnostic {
    Diagnostic(node.span, "\(label) has to be finite", expected: expected, got: got(node))
  }

  static func outOfRange(_ label: String, _ node: YAMLNode, expected: String) -> Diagnostic {
    Diagnostic(node.span, "\(label) is out of range", expected: expected, got: got(node))
  }

  // MARK: Distributions

  static func unknownFamily(_ key: YAMLKey, _ label: String, valid: [String]) -> Diagnostic {
    let isParameter = Distribution.families.contains { $0.role(of: key.text) != nil }
    let suggestion = Suggestion.best(for: key.text, among: valid)
    return Diagnostic(
      key.span, "unknown distribution \(quoted(key.text)) in \(label)", expected: oneOf(valid),
      help: isParameter
        ? "put the parameters below the name of a distribution, such as `{lognormal: {\(key.text): …}}`"
        : suggestion.map { "did you mean `\($0)`?" })
  }

  static func countFamily(_ key: YAMLKey, _ label: String, _ dimension: Dimension) -> Diagnostic {
    Diagnostic(
      key.span, "\(quoted(key.text)) draws counts, and \(label) is \(dimension.nounPhrase)",
      expected: "a distribution of quantities such as `\(dimension.example)`")
  }

  static func twoFamilies(_ key: YAMLKey, _ label: String, first: YAMLKey) -> Diagnostic {
    Diagnostic(
      key.span, "\(label) has to name one distribution, and this is a second one",
      help: "remove one of the two, or join them by `mixture`",
      notes: [Diagnostic.Note(place: .at(first.span), text: "the first is \(quoted(first.text))")])
  }

  static func unitWithoutLogarithm(_ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      node.span, "`unit` says in which unit `zeta` is a logarithm, and there is no `zeta`",
      help: "remove `unit`")
  }

  static func betaWithoutScale(_ node: YAMLNode, _ dimension: Dimension) -> Diagnostic {
    Diagnostic(
      node.span.firstLine, "`beta` draws a proportion, unless `scale` says of what",
      expected: "`scale`: \(dimension.nounPhrase), such as `\(dimension.example)`")
  }

  /// A rule of a family. The rule's own number is in SI units, so the author's text is shown instead.
  static func distributionRule(
    _ error: DistributionError, _ label: String, _ body: YAMLNode, parameter: YAMLNode?
  ) -> Diagnostic {
    let rule = error.rule.hasSuffix(")") ? String(error.rule.prefix { $0 != "(" }.dropLast()) : error.rule
    guard let name = error.parameter else {
      // "`lognormal` takes `zeta` and `sigma`, or …"
      if let takes = rule.firstRange(of: " takes ") {
        return Diagnostic(
          body.span.firstLine, "\(label) cannot be made of these parameters",
          expected: String(rule[takes.upperBound...]), got: error.value)
      }
      return Diagnostic(body.span.firstLine, "\(label): \(rule)", got: error.value)
    }
    return Diagnostic(
      parameter?.span ?? body.span.firstLine, "`\(name)` \(rule)", got: parameter.map(got) ?? error.value)
  }

  static func emptyDistribution(_ label: String, _ node: YAMLNode) -> Diagnostic {
    Diagnostic(node.span, "\(label) needs at least one value")
  }

  static func emptyTruncation(_ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      node.span.firstLine, "`truncate` has to leave at least a billionth of the probability",
      got: quoted(node.flowText))
  }

  static func endsInWrongOrder(_ label: String, _ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      node.span.firstLine, "the second end of \(label) has to be above the first", got: quoted(node.flowText))
  }

  static func capInWrongOrder(_ node: YAMLNode) -> Diagnostic {
    Diagnostic(node.span, "`max` must not be below `min`", got: got(node))
  }

  static func outsideSupport(
    _ label: String, _ node: YAMLNode, _ dimension: Dimension, drawn: ClosedRange<Double>,
    support: ClosedRange<Double>, isMostlyOutside: Bool
  ) -> Diagnostic {
    Diagnostic(
      node.span.firstLine, "\(label) \(isMostlyOutside ? "is mostly" : "can be") out of range",
      expected: "values\(bounds(support) { Quantity.format($0, dimension) })",
      got: "values\(bounds(drawn) { Quantity.format($0, dimension) })",
      help: "limit it with `min`, `max` or `truncate`")
  }

  // MARK: CSV files

  /// - Parameter place: of the headings, if there are any.
  static func emptyCSV(_ source: SourceText, at place: SourcePosition = SourcePosition(line: 1, column: 1))
    -> Diagnostic
  {
    Diagnostic(
      source.character(place), "the file holds no values",
      expected: "a row of headings and a row per value")
  }

  static func openQuoteInCSV(_ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "the quotation mark that opens here is never closed")
  }

  static func noSuchColumn(_ heading: String, _ span: SourceSpan, in file: String, valid: [String])
    -> Diagnostic
  {
    let suggestion = Suggestion.best(for: heading, among: valid)
    return Diagnostic(
      span, "\(quoted(file)) has no column \(quoted(heading))", expected: oneOf(valid),
      help: suggestion.map { "did you mean `\($0)`?" })
  }

  static func shortRow(_ span: SourceSpan, _ heading: String) -> Diagnostic {
    Diagnostic(span, "the row ends before the column \(quoted(heading))")
  }

  // MARK: Profiles

  static func missingParameter(_ path: String, _ label: String, _ span: SourceSpan, summary: String)
    -> Diagnostic
  {
    Diagnostic(span.firstLine, "\(label) does not set \(quoted(path))", expected: "`\(path)`: \(summary)")
  }

  static func priorOfNoNumber(_ label: String, _ span: SourceSpan) -> Diagnostic {
    Diagnostic(span, "only a single number can have a prior, and \(label) is none", help: "remove `prior`")
  }

  // MARK: Phrases

  /// `a list of 2 items`.
  static func phrase(listOf count: ClosedRange<Int>) -> String {
    func items(_ n: Int) -> String { "\(n) item\(n == 1 ? "" : "s")" }
    return switch (count.lowerBound, count.upperBound) {
    case (let low, let high) where low == high: "a list of \(items(low))"
    case (0, .max): "a list"
    case (let low, .max): "a list of at least \(items(low))"
    case (let low, let high): "a list of \(low) to \(items(high))"
    }
  }

  static func phrase(mappingOf table: KeyTable) -> String {
    let required = table.keys.filter(\.isRequired).map(\.name)
    return required.isEmpty
      ? "a mapping with keys such as \(list(Array(table.names.prefix(3)), "and"))"
      : "a mapping with \(list(required, "and"))"
  }

  /// `a duration from 1 s to 1 d, such as `15 min``.
  static func phrase(_ dimension: Dimension, in range: ClosedRange<Double>, bareProportion: Bool = false)
    -> String
  {
    let noun = dimension.nounPhrase
    let example = dimension.exampleText(in: range)
    let bounds = bounds(range) { Quantity.format($0, dimension) }
    let bare = bareProportion && dimension == .proportion ? " or a number from 0 to 1" : ""
    // An end that has just been said is no example.
    let isEnd = [range.lowerBound, range.upperBound].contains { Quantity.format($0, dimension) == example }
    return "\(noun)\(bounds)\(bare)\(isEnd ? "" : ", such as `\(example)`")"
  }

  static func phrase(wholeNumberIn range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (let low, let high) where low == high: "`\(low)`"
    case (.min, .max): "a whole number"
    case (let low, .max): "a whole number of at least \(low)"
    case (.min, let high): "a whole number of at most \(high)"
    case (let low, let high): "a whole number from \(low) to \(high)"
    }
  }

  private static func bounds(_ range: ClosedRange<Double>, _ format: (Double) -> String) -> String {
    // The least positive number stands for an open end at zero.
    let isOpen = range.lowerBound == .leastNonzeroMagnitude
    let low = format(isOpen ? 0 : range.lowerBound)
    let hasLow = range.lowerBound > -.greatestFiniteMagnitude
    let hasHigh = range.upperBound < .greatestFiniteMagnitude
    switch (hasLow, hasHigh) {
    case (false, false): return ""
    case (true, false): return isOpen ? " above \(low)" : " of at least \(low)"
    case (false, true): return " of at most \(format(range.upperBound))"
    case (true, true):
      return isOpen
        ? " above \(low) and up to \(format(range.upperBound))"
        : " from \(low) to \(format(range.upperBound))"
    }
  }

  /// `one of `a`, `b` and 3 more`.
  static func oneOf(_ words: [String]) -> String {
    let shown = words.prefix(words.count > 24 ? 20 : 24).map(quoted).joined(separator: ", ")
    let more = words.count > 24 ? " and \(words.count - 20) more" : ""
    return words.count == 1 ? shown : "one of \(shown)\(more)"
  }

  static func list(_ words: [String], _ conjunction: String) -> String {
    let quotedWords = words.map(quoted)
    guard let last = quotedWords.last, quotedWords.count > 1 else { return quotedWords.first ?? "" }
    return "\(quotedWords.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }

  /// What the user wrote, in backticks.
  static func got(_ node: YAMLNode) -> String {
    node.scalar == nil ? node.formName : quoted(node.scalar ?? "")
  }

  /// A word of the user in backticks, on one line and of bearable length.
  static func quoted(_ text: String) -> String {
    var result = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == 60 { return "`\(result)…`" }
      switch scalar.value {
      case 0x00..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: result += " "
      case 0x60: result += "'"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "`\(result)`"
  }
}

extension SourceSpan {
  /// Of a value over several lines, its first character: carets below a whole line would point at nothing.
  var firstLine: SourceSpan {
    guard end.line > start.line else { return self }
    return SourceSpan(
      source: source, start: start, end: SourcePosition(line: start.line, column: start.column + 1))
  }
}

extension Dimension {
  /// An example that keeps to the range.
  func exampleText(in range: ClosedRange<Double>) -> String {
    if let quantity = try? Quantity.parse(example), range.contains(quantity.value) { return example }
    let isOpen = range.lowerBound == .leastNonzeroMagnitude
    if range.lowerBound.magnitude < .greatestFiniteMagnitude, !isOpen {
      return Quantity.format(range.lowerBound, self)
    }
    return Quantity.format(range.upperBound < .greatestFiniteMagnitude ? range.upperBound : 1, self)
  }
}
