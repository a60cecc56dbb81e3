/// A text that scenario values come from, kept so that a diagnostic can show the line it speaks of.
///
/// Compared by identity: two files with the same bytes are two sources.
public final class SourceText: Sendable {
  /// Who wrote the text; decides the evidence of a value that gives none.
  public enum Origin: Sendable {
    /// Comes with pushsim.
    case shipped
    /// A policy or a population that the scenario names by its path.
    case profile
    /// The scenario, or a table it names.
    case scenario
    /// A `--set` of the command line.
    case commandLine

    /// Whether what is written there changes a profile, and is not part of one.
    var isOverride: Bool { self == .scenario || self == .commandLine }

    /// What reports give as the source of a value that names none.
    public var sourceText: String {
      switch self {
      case .shipped: "pushsim"
      case .profile, .scenario: "the scenario"
      case .commandLine: "the command line"
      }
    }
  }

  /// The path as the user gave it, or the option of the command line.
  public let name: String
  /// Without a byte order mark, which would shift every column of the first line.
  public let bytes: [UInt8]
  public let origin: Origin

  public init(name: String, bytes: [UInt8], origin: Origin = .scenario) {
    self.name = name
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    self.origin = origin
  }

  public convenience init(name: String, text: String, origin: Origin = .scenario) {
    self.init(name: name, bytes: Array(text.utf8), origin: origin)
  }

  /// Larger files are refused before they are read: no scenario needs it, and a wrong path may name anything.
  public static let sizeLimit = 4 << 20

  /// The line of that number, 1-based, without its end; empty past the last line.
  func line(_ number: Int) -> String {
    var current = 1
    var start = 0
    while current < number {
      guard let end = bytes[start...].firstIndex(where: isPossibleBreak) else { return "" }
      let width = breakWidth(at: end)
      start = end + max(1, width)
      if width > 0 { current += 1 }
    }
    var end = start
    while end < bytes.count, breakWidth(at: end) == 0 { end += 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The place of a byte.
  func position(ofByte offset: Int) -> SourcePosition {
    var position = SourcePosition(line: 1, column: 1)
    var index = 0
    while index < min(offset, bytes.count) {
      let width = breakWidth(at: index)
      if width > 0 {
        position = SourcePosition(line: position.line + 1, column: 1)
      } else if bytes[index] & 0xC0 != 0x80 {
        position.column += 1
      }
      index += max(1, width)
    }
    return position
  }

  private func isPossibleBreak(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D || byte == 0xC2 || byte == 0xE2
  }

  /// The bytes of the line break that starts here, 0 if none does: the same breaks as libyaml counts, or lines
  /// would be off.
  private func breakWidth(at index: Int) -> Int {
    switch bytes[index] {
    case 0x0A: return 1
    case 0x0D: return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
    case 0xC2: return index + 1 < bytes.count && bytes[index + 1] == 0x85 ? 2 : 0
    case 0xE2:
      return index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8 ? 3 : 0
    default: return 0
    }
  }
}

/// A place in a text; lines and columns count from 1, columns in Unicode scalars.
public struct SourcePosition: Sendable, Hashable, Comparable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A stretch of a text. Carries its text, so that trees merged from several files keep every place.
public struct SourceSpan: Sendable {
  public let source: SourceText
  public let start: SourcePosition
  /// Just after the last character.
  public let end: SourcePosition

  public init(source: SourceText, start: SourcePosition, end: SourcePosition) {
    self.source = source
    self.start = start
    self.end = end
  }
}

/// Why a file could not be read.
public enum SourceReadError: Error, Sendable {
  /// Larger than the limit passed.
  case tooLarge
  /// In the system's words, such as "No such file or directory".
  case failed(String)
}

/// Reads a whole file of at most that many bytes. Files are the program's business, not the decoder's.
public typealias SourceReader = (_ path: String, _ limit: Int) -> Result<[UInt8], SourceReadError>
