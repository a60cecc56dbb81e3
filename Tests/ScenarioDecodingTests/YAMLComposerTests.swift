import ScenarioDecoding
import Testing

struct YAMLComposerTests {
  @Test(arguments: Golden.names("YAML"))
  func `a text with one mistake is answered with its diagnostic`(name: String) throws {
    try Golden.check("YAML", name) { source in
      let log = DiagnosticLog()
      _ = YAMLComposer.compose(source, log: log)
      #expect(log.hasErrors)
      return DiagnosticText.render(log)
    }
  }

  @Test func `a tree keeps the order of keys, the style of scalars and the place of everything`() throws {
    let root = try tree(
      """
      zeta: 15 min   # a comment
      alpha: ["on", on, {x: 'y'}]
      block:
        - one
        - |
          two
      """)
    #expect(
      root.flowText == #"{zeta: 15 min, alpha: ["on", on, {x: "y"}], block: [one, "two"]}"#)
    let zeta = try #require(root["zeta"])
    #expect(zeta.span.start == SourcePosition(line: 1, column: 7))
    #expect(zeta.span.end == SourcePosition(line: 1, column: 13))
    let item = try #require(root["block"]?.items?.first)
    #expect(item.span.start == SourcePosition(line: 4, column: 5))
    #expect(root.entries?[1].key.span.start == SourcePosition(line: 2, column: 1))
  }

  @Test func `a byte order mark shifts no column`() throws {
    let root = try tree("\u{FEFF}a: 1")
    #expect(root["a"]?.span.start == SourcePosition(line: 1, column: 4))
  }

  @Test func `JSON is read as YAML`() throws {
    #expect(try tree(#"{"a": [1, {"b": null}]}"#).flowText == #"{"a": [1, {"b": null}]}"#)
  }

  @Test func `a key without a value and the words for nothing are null, a quoted empty text is not`() throws {
    let root = try tree("a:\nb: ~\nc: null\nd: ''\ne: 'null'")
    #expect(root.entries?.map(\.value.isNull) == [true, true, true, false, false])
  }

  @Test func `a duplicate key leaves the first value standing`() {
    let (root, log) = compose("a: 1\na: 2\nb: 3")
    #expect(log.errorCount == 1)
    #expect(root?.flowText == "{a: 1, b: 3}")
  }

  @Test func `64 levels are read and the 65th is refused`() {
    func nested(_ levels: Int) -> String {
      "a: " + String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(compose(nested(63)).root != nil)
    #expect(compose(nested(64)).root == nil)
  }

  @Test func `a file over the size limit is refused before it is parsed`() {
    let log = DiagnosticLog()
    let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: SourceText.sizeLimit + 1)
    #expect(YAMLComposer.compose(SourceText(name: "big.yaml", bytes: bytes), log: log) == nil)
    #expect(DiagnosticText.render(log).hasPrefix("big.yaml: error: the file is larger than 4 MiB\n"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `hostile texts are answered in time`() {
    #expect(compose("a: " + String(repeating: "[", count: 100_000)).root == nil)
    #expect(compose(String(repeating: "- ", count: 100_000)).root == nil)
    #expect(compose(String(repeating: "? ", count: 50_000)).root == nil)
    let wide = (0..<50_000).map { "key\($0): 1" }.joined(separator: "\n")
    #expect(compose(wide).root?.entries?.count == 50_000)
    let repeated = String(repeating: "key: 1\n", count: 50_000)
    #expect(compose(repeated).log.errorCount == 49_999)
  }

  /// Random damage to a text that uses most of the grammar: never a trap, and a tree or a reason, never neither.
  @Test func `two thousand damaged texts give a tree or a diagnostic`() {
    let text = Array(
      """
      # A comment.
      scenario: "news\\tfeed"
      population: {base: 'consumer', set: {low_power_mode.share: 33 %}}
      app:
        modes: [fetch, remote]
        handler:
          duration: {lognormal: {median: 1.5 s, p95: 8 s}}
          text: |
            some
             text
      timeline:
        - {at: 1 h, network: offline}
        - at: 2 h
          ünïcode: "日本"

      """.utf8)
    var random = SplitMix(state: 20_260_301)
    let pool = Array("\t\n\r :-[]{}\"'#&*!%@|>?,\u{0}\u{80}\u{C3}\u{E2}\u{FF}a1".unicodeScalars).map {
      UInt8(truncatingIfNeeded: $0.value)
    }
    for round in 0..<2000 {
      var bytes = text
      for _ in 0...Int(random.next() % 4) {
        let place = Int(random.next() % UInt64(bytes.count))
        let byte = pool[Int(random.next() % UInt64(pool.count))]
        switch random.next() % 4 {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        case 2: bytes.remove(at: place)
        default:
          let end = min(bytes.count, place + Int(random.next() % 30))
          bytes.insert(contentsOf: bytes[place..<end], at: Int(random.next() % UInt64(bytes.count)))
        }
      }
      let log = DiagnosticLog()
      let root = YAMLComposer.compose(SourceText(name: "damaged", bytes: bytes), log: log)
      #expect((root != nil) || log.hasErrors, "round \(round)")
      #expect(log.hasErrors == !DiagnosticText.render(log).isEmpty, "round \(round)")
    }
  }
}

/// A generator that is the same everywhere; the quality of its bits does not matter here.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
