public import ScenarioDecoding

/// Reads a result file. JSON is YAML, so libyaml reads it and every complaint has its line and column.
public enum ResultFile {
  /// Results with many strategies and policies are larger than any scenario.
  public static let sizeLimit = 64 << 20

  /// The tree of a result file; nil, with what is wrong in the log, if it is none.
  ///
  /// - Parameter allowsStudy: a file of `pushsim sensitivity` or `pushsim sweep` will do as well.
  public static func decode(_ source: SourceText, log: DiagnosticLog, allowsStudy: Bool = false) -> JSONValue?
  {
    let readable = SourceText(name: source.name, bytes: joinedSurrogates(source.bytes))
    guard let root = YAMLComposer.compose(readable, sizeLimit: sizeLimit, log: log) else { return nil }
    let study = studies.first { allowsStudy && $0.format == root["format"]?.scalar }
    guard study != nil || root["format"]?.scalar == ResultDocument.format else {
      let place = root["format"]?.span ?? root.span
      let got = root["format"].map { "`\($0.flowText)`" } ?? "no `format`"
      log.add(
        Diagnostic(
          place, "this is no result of pushsim that this version can read",
          expected: "`\"format\": \"\(ResultDocument.format)\"`, as `pushsim run --json` writes", got: got))
      return nil
    }
    let value = Self.value(root, log)
    for run in root["runs"]?.items ?? [root] {
      for key in ["provenance", study?.key ?? "strategies"]
      where run[key]?.entries == nil && run[key]?.items == nil {
        log.add(
          Diagnostic(
            run[key]?.span ?? run.span, "`\(key)` is missing or no object",
            expected: "an object, as `pushsim run --json` writes"))
      }
    }
    // Not in one expression: there a nil would be JSON's null.
    guard !log.hasErrors else { return nil }
    return value
  }

  /// The files of studies: what they must have, and the page of each.
  private static let studies:
    [(format: String, key: String, name: String, page: @Sendable (JSONValue) -> String)] = [
      (SensitivityReport.format, "base", "sensitivity.html", { SensitivityPage.text($0) }),
      (SweepReport.format, "curves", "sweep.html", { SweepPage.text($0) }),
    ]

  /// The page of a sweep or of a study of sensitivity; nil of the result of a run.
  public static func studyPage(_ value: JSONValue) -> (name: String, text: String)? {
    studies.first { $0.format == value["format"]?.string }.map { ($0.name, $0.page(value)) }
  }

  private static func value(_ node: YAMLNode, _ log: DiagnosticLog) -> JSONValue {
    switch node.content {
    case .mapping(let entries):
      return .object(entries.map { JSONValue.Member($0.key.text, value($0.value, log)) })
    case .sequence(let items): return .array(items.map { value($0, log) })
    case .scalar(let text, isQuoted: true): return .string(text)
    case .scalar(let text, isQuoted: false):
      switch text {
      case "null": return .null
      case "true": return .bool(true)
      case "false": return .bool(false)
      default: break
      }
      // What Swift takes for a number and JSON does not, such as `inf`, does not start so.
      if let first = text.utf8.first, first == 0x2D || (0x30...0x39).contains(first) {
        if let number = Int64(text) { return .integer(number) }
        if let number = UInt64(text) { return .unsigned(number) }
        if let number = Double(text), number.isFinite { return .number(number) }
      }
      log.add(
        Diagnostic(
          node.span, "this is no JSON value", expected: "a number, a text in quotes, …", got: "`\(text)`"))
      return .null
    }
  }

  /// What JSON knows and YAML does not: a character beyond 16 bits escaped as two halves, as in `\ud83d\ude00`. Other
  /// programs write emoji so when they rewrite a result.
  private static func joinedSurrogates(_ bytes: [UInt8]) -> [UInt8] {
    var joined: [UInt8] = []
    joined.reserveCapacity(bytes.count)
    var index = 0
    func half(at start: Int) -> UInt32? {
      guard start + 6 <= bytes.count, bytes[start] == 0x5C, bytes[start + 1] == 0x75 else { return nil }
      return UInt32(String(decoding: bytes[start + 2..<start + 6], as: UTF8.self), radix: 16)
    }
    while index < bytes.count {
      guard bytes[index] == 0x5C else {
        joined.append(bytes[index])
        index += 1
        continue
      }
      if let high = half(at: index), 0xD800..<0xDC00 ~= high, let low = half(at: index + 6),
        0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
      {
        joined += Array(String(scalar).utf8)
        index += 12
      } else {
        // A backslash takes what follows with it.
        joined += bytes[index..<min(index + 2, bytes.count)]
        index += 2
      }
    }
    return joined
  }
}
