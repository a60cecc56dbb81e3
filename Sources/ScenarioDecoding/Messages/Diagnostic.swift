/// Something wrong with what the user wrote, in parts that ``DiagnosticText`` lays out.
///
/// Each part starts in lower case, has no final stop and no line break; words of the user stand in backticks.
public struct Diagnostic: Sendable {
  public enum Severity: String, Sendable {
    case error
    case warning
  }

  public enum Place: Sendable {
    case at(SourceSpan)
    /// A file as a whole: it could not be read, or has no lines to speak of.
    case file(String)

    /// `file:line:column`, or the file's name.
    public var text: String {
      switch self {
      case .at(let span): "\(span.source.name):\(span.start.line):\(span.start.column)"
      case .file(let name): name
      }
    }
  }

  public struct Note: Sendable {
    public var place: Place?
    public var text: String

    public init(place: Place? = nil, text: String) {
      self.place = place
      self.text = text
    }
  }

  public var severity: Severity
  public var place: Place
  public var message: String
  /// What the rule asks for.
  public var expected: String?
  /// What the user wrote instead.
  public var got: String?
  /// What to do.
  public var help: String?
  public var notes: [Note]
  /// The file could not be read: a matter of the system, with an exit status of its own.
  public var isReadFailure = false

  public init(
    _ severity: Severity = .error, _ place: Place, _ message: String, expected: String? = nil,
    got: String? = nil, help: String? = nil, notes: [Note] = []
  ) {
    self.severity = severity
    self.place = place
    self.message = message
    self.expected = expected
    self.got = got
    self.help = help
    self.notes = notes
  }

  public init(
    _ span: SourceSpan, _ message: String, expected: String? = nil, got: String? = nil, help: String? = nil,
    notes: [Note] = []
  ) {
    self.init(.error, .at(span), message, expected: expected, got: got, help: help, notes: notes)
  }
}

/// The diagnostics of one reading. Decoding goes on after a mistake, so that one run shows them all.
public final class DiagnosticLog {
  /// As found; at most ``kept`` of them.
  public private(set) var diagnostics: [Diagnostic] = []
  /// Errors found, kept or not.
  public private(set) var errorCount = 0
  /// Of each diagnostic that has a place: what a second look at that place would say again.
  private var said: Set<String> = []

  /// A file of nonsense could otherwise fill the memory with diagnostics that nobody reads.
  static let kept = 1000

  public init() {}

  public var hasErrors: Bool { errorCount > 0 }

  /// Adds a diagnostic, unless the same was said of the same place: a profile that is read for two policies has its
  /// mistakes once.
  public func add(_ diagnostic: Diagnostic) {
    if case .at(let span) = diagnostic.place, diagnostics.count < Self.kept {
      // Every `--set` bears the same name.
      let source = span.source.origin == .commandLine ? "\(ObjectIdentifier(span.source))" : ""
      guard said.insert("\(source) \(diagnostic.place.text) \(diagnostic.message)").inserted else { return }
    }
    if diagnostic.severity == .error { errorCount += 1 }
    if diagnostics.count < Self.kept { diagnostics.append(diagnostic) }
  }

  /// In reading order: by source as they first appear, then by place.
  public var sorted: [Diagnostic] {
    var ranks: [String: Int] = [:]
    func key(_ diagnostic: Diagnostic) -> (Int, SourcePosition) {
      let (name, position) =
        switch diagnostic.place {
        case .at(let span): (span.source.name, span.start)
        case .file(let name): (name, SourcePosition(line: 0, column: 0))
        }
      let rank = ranks[name] ?? ranks.count
      ranks[name] = rank
      return (rank, position)
    }
    let keyed = diagnostics.enumerated().map { (key: key($1), index: $0, diagnostic: $1) }
    return keyed.sorted { ($0.key.0, $0.key.1, $0.index) < ($1.key.0, $1.key.1, $1.index) }.map(\.diagnostic)
  }
}
