import Glibc

/// The two standard streams that the program writes to. Results go to the first, everything else to the second.
enum OutputStream: Int32 {
  case standardOutput = 1
  case standardError = 2

  var name: String { self == .standardOutput ? "standard output" : "standard error" }
}

/// What is known about who reads the standard streams.
enum Terminal {
  static func isTerminal(_ stream: OutputStream) -> Bool { isatty(stream.rawValue) == 1 }

  /// Whether somebody can answer questions.
  static var isStandardInputTerminal: Bool { isatty(0) == 1 }

  /// The number of columns; 80 when there is no terminal or it does not say.
  static func width(of stream: OutputStream) -> Int {
    var size = winsize()
    guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The width of text in files, and in pipes where nobody knows it better.
  static let pageWidth = 110

  /// How wide text for standard output is made: as wide as the terminal, or else `piped`.
  static func outputWidth(piped: Int = pageWidth) -> Int {
    isTerminal(.standardOutput) ? width(of: .standardOutput) : piped
  }

  /// The same for tables to look things up in: piped they are not cut, for what reads a pipe has no width.
  static var tableWidth: Int { outputWidth(piped: 1000) }

  /// Whether the stream understands the control sequences for colour and for erasing a line.
  static func understandsControlSequences(_ stream: OutputStream) -> Bool {
    guard isTerminal(stream), let kind = environment("TERM") else { return false }
    return kind != "dumb"
  }

  /// Writes all of `text`.
  static func write(_ text: String, to stream: OutputStream) throws(FileError) {
    if stream == .standardOutput { Unfinished.noteWritten() }
    try Files.writeAll(text, to: stream.rawValue, path: stream.name)
  }

  /// Writes to standard error; if even that fails there is nobody left to tell.
  static func report(_ text: String) {
    try? write(text, to: .standardError)
  }

  /// A write into a pipe whose reader is gone then returns an error, which unlike the signal can be handled.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// A variable of the environment, nil when unset or empty.
  static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
