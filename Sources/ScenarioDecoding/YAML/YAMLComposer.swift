internal import CLibYAML

/// Builds the node tree of a YAML text from libyaml's events. What libyaml does not check is checked here: duplicate
/// keys and depth; what scenarios do not need is refused: anchors, tags, several documents.
public enum YAMLComposer {
  /// Deeper nesting is refused: nothing needs it, and every later step recurses.
  public static let depthLimit = 64

  /// The tree of a file, whose root has to be a mapping.
  ///
  /// - Parameters:
  ///   - source: a whole file.
  ///   - sizeLimit: in bytes; a longer text is refused.
  ///   - log: gets what is wrong with the text.
  /// - Returns: nil if the text gives no tree. A tree may come with errors: after a duplicate key, the first value
  ///   stands.
  public static func compose(
    _ source: SourceText, sizeLimit: Int = SourceText.sizeLimit, log: DiagnosticLog
  ) -> YAMLNode? {
    guard let root = composeValue(source, sizeLimit: sizeLimit, log: log) else { return nil }
    guard root.entries != nil else {
      log.add(root.isNull ? Messages.emptyFile(source) : Messages.rootIsNoMapping(root))
      return nil
    }
    return root
  }

  /// The tree of a text that may be any value.
  ///
  /// - Parameters:
  ///   - source: the text.
  ///   - offset: the byte at which the value starts, on the first line; what stands before it is only shown.
  ///   - log: gets what is wrong with the text.
  /// - Returns: nil if the text gives no tree; an empty scalar for an empty text.
  static func composeValue(
    _ source: SourceText, from offset: Int = 0, sizeLimit: Int = SourceText.sizeLimit, log: DiagnosticLog
  ) -> YAMLNode? {
    guard source.bytes.count <= sizeLimit else {
      log.add(Messages.fileTooLarge(source.name))
      return nil
    }
    // UTF-16 is full of zeros, but better said by its first byte, the mark of its byte order.
    let isUTF16 = source.bytes.starts(with: [0xFF, 0xFE]) || source.bytes.starts(with: [0xFE, 0xFF])
    if !isUTF16, let byte = source.bytes.firstIndex(of: 0) {
      log.add(Messages.binaryContent(source.mark(byte)))
      return nil
    }
    if let byte = firstInvalidUTF8(source.bytes) {
      log.add(Messages.invalidUTF8(source.mark(byte), byte: source.bytes[byte]))
      return nil
    }
    return source.bytes.withUnsafeBufferPointer { bytes in
      var composition = Composition(
        source: source, bytes: UnsafeBufferPointer(rebasing: bytes[offset...]), offset: offset, log: log)
      return try? composition.document()
    }
  }

  private static func firstInvalidUTF8(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded): offset += encoded.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }
}

extension SourceText {
  /// One character at a byte.
  fileprivate func mark(_ byte: Int) -> SourceSpan {
    let start = position(ofByte: byte)
    return SourceSpan(
      source: self, start: start, end: SourcePosition(line: start.line, column: start.column + 1))
  }
}

/// The error is in the log; no tree will come of it.
private struct Stop: Error {}

private struct Composition: ~Copyable {
  let source: SourceText
  let log: DiagnosticLog
  /// What to add to libyaml's byte offsets, and to its columns on the first line: at least 1, for it counts from 0.
  let offset: Int
  let columnShift: Int
  /// On the heap because libyaml keeps pointers into it.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private var isBroken = false

  init(source: SourceText, bytes: UnsafeBufferPointer<UInt8>, offset: Int, log: DiagnosticLog) {
    self.source = source
    self.log = log
    self.offset = offset
    columnShift = source.position(ofByte: offset).column
    parser = .allocate(capacity: 1)
    precondition(yaml_parser_initialize(parser) == 1, "libyaml is out of memory")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The one document of the text.
  mutating func document() throws(Stop) -> YAMLNode {
    _ = try next()  // start of the stream
    let start = try next()
    if case .end = start.kind {
      return YAMLNode(.scalar("", isQuoted: false), span: start.span)
    }
    let root = try node(try next(), depth: 1)
    _ = try next()  // end of the document
    let after = try next()
    if case .end = after.kind {
    } else {
      log.add(Messages.severalDocuments(after.span))
      throw Stop()
    }
    if isBroken { throw Stop() }
    return root
  }

  private mutating func node(_ event: Event, depth: Int) throws(Stop) -> YAMLNode {
    if event.hasAnchor { log.add(Messages.anchor(event.span)) }
    if event.hasTag { log.add(Messages.tag(event.span)) }
    guard depth <= YAMLComposer.depthLimit else {
      log.add(Messages.tooDeep(event.span))
      throw Stop()
    }
    switch event.kind {
    case .scalar(let text, let isQuoted):
      return YAMLNode(.scalar(text, isQuoted: isQuoted), span: event.span)
    case .sequenceStart: return try sequence(event, depth: depth)
    case .mappingStart: return try mapping(event, depth: depth)
    case .alias:
      log.add(Messages.alias(event.span))
      isBroken = true
      return YAMLNode(.scalar("", isQuoted: false), span: event.span)
    case .end, .other:
      preconditionFailure("libyaml sent an event that starts no value at \(event.span.start)")
    }
  }

  private mutating func sequence(_ start: Event, depth: Int) throws(Stop) -> YAMLNode {
    var items: [YAMLNode] = []
    while true {
      let event = try next()
      if case .end = event.kind {
        let end = start.isFlow ? event.span.end : items.last?.span.end
        return YAMLNode(.sequence(items), span: span(from: start, to: end))
      }
      items.append(try node(event, depth: depth + 1))
    }
  }

  private mutating func mapping(_ start: Event, depth: Int) throws(Stop) -> YAMLNode {
    var entries: [YAMLEntry] = []
    var places: [String: SourceSpan] = [:]
    while true {
      let event = try next()
      if case .end = event.kind {
        let end = start.isFlow ? event.span.end : entries.last?.value.span.end
        return YAMLNode(.mapping(entries), span: span(from: start, to: end))
      }
      let keyNode = try node(event, depth: depth + 1)
      let value = try node(try next(), depth: depth + 1)
      guard case .scalar(let text, let isQuoted) = keyNode.content else {
        log.add(Messages.keyIsNoScalar(keyNode))
        continue
      }
      // A refused alias came back as an empty key and was reported.
      if case .alias = event.kind { continue }
      if text.isEmpty {
        log.add(Messages.emptyKey(keyNode.span))
      } else if let first = places[text] {
        log.add(Messages.duplicateKey(text, keyNode.span, first: first))
      } else {
        places[text] = keyNode.span
        entries.append(YAMLEntry(key: YAMLKey(text, isQuoted: isQuoted, span: keyNode.span), value: value))
      }
    }
  }

  private func span(from start: Event, to end: SourcePosition?) -> SourceSpan {
    SourceSpan(source: source, start: start.span.start, end: end ?? start.span.end)
  }

  // MARK: libyaml

  private struct Event {
    enum Kind {
      case scalar(String, isQuoted: Bool)
      case sequenceStart
      case mappingStart
      case alias
      /// Of a sequence, a mapping or the stream.
      case end
      case other
    }
    var kind: Kind
    var span: SourceSpan
    var hasAnchor = false
    var hasTag = false
    var isFlow = false
  }

  private mutating func next() throws(Stop) -> Event {
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else {
      log.add(syntaxError())
      throw Stop()
    }
    defer { yaml_event_delete(&raw) }
    var event = Event(kind: .other, span: span(raw.start_mark, raw.end_mark))
    switch raw.type {
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      let text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      event.kind = .scalar(text, isQuoted: scalar.style != YAML_PLAIN_SCALAR_STYLE)
      event.hasAnchor = scalar.anchor != nil
      event.hasTag = scalar.tag != nil
    case YAML_SEQUENCE_START_EVENT:
      event.kind = .sequenceStart
      event.hasAnchor = raw.data.sequence_start.anchor != nil
      event.hasTag = raw.data.sequence_start.tag != nil
      event.isFlow = raw.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
    case YAML_MAPPING_START_EVENT:
      event.kind = .mappingStart
      event.hasAnchor = raw.data.mapping_start.anchor != nil
      event.hasTag = raw.data.mapping_start.tag != nil
      event.isFlow = raw.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
    case YAML_ALIAS_EVENT: event.kind = .alias
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT, YAML_STREAM_END_EVENT: event.kind = .end
    default: break
    }
    return event
  }

  private func position(_ mark: yaml_mark_t) -> SourcePosition {
    let line = Int(mark.line)
    return SourcePosition(line: line + 1, column: Int(mark.column) + (line == 0 ? columnShift : 1))
  }

  private func span(_ start: yaml_mark_t, _ end: yaml_mark_t) -> SourceSpan {
    SourceSpan(source: source, start: position(start), end: position(end))
  }

  /// The parser's error in our words.
  private func syntaxError() -> Diagnostic {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
    if parser.pointee.error == YAML_READER_ERROR {
      return Messages.binaryContent(source.mark(offset + parser.pointee.problem_offset))
    }
    // At the end of a text without a final line break libyaml counts one more line.
    let start = min(position(parser.pointee.problem_mark), source.position(ofByte: source.bytes.count))
    let place = SourceSpan(
      source: source, start: start, end: SourcePosition(line: start.line, column: start.column + 1))
    let line = source.line(start.line)
    let indentation = line.prefix { $0 == " " || $0 == "\t" }
    if let tab = indentation.firstIndex(of: "\t") {
      let column = line.distance(from: line.startIndex, to: tab) + 1
      let position = SourcePosition(line: start.line, column: column)
      let end = SourcePosition(line: start.line, column: column + 1)
      return Messages.tabIndentation(SourceSpan(source: source, start: position, end: end))
    }
    let context = parser.pointee.context.map { String(cString: $0) }
    let contextStart = position(parser.pointee.context_mark)
    let contextSpan = SourceSpan(
      source: source, start: contextStart,
      end: SourcePosition(line: contextStart.line, column: contextStart.column + 1))
    return Messages.syntax(problem, place, context: context.map { ($0, contextSpan) })
  }
}
