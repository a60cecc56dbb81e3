import Glibc
import Synchronization

/// A file that could not be read or written, in the system's words.
struct FileError: Failure, Equatable {
  enum Action: String { case read, write }
  enum Reason: Equatable {
    case system(errno: Int32)
    /// The file holds more than a limit, in bytes.
    case tooLarge(limit: Int)
  }

  var action: Action
  var path: String
  var reason: Reason

  /// A file of nonsensical size can be read but is no scenario, hence the status of a bad one.
  var exitCode: ExitCode {
    switch (action, reason) {
    case (.read, .tooLarge): .badScenario
    case (.read, .system): .unreadableFile
    case (.write, _): .cannotWrite
    }
  }

  /// Without the program's name, for a caller that lays out its own lines.
  var message: String { "cannot \(action.rawValue) `\(path)`: \(reasonText)" }

  var reasonText: String {
    switch reason {
    case .system(let number): String(cString: strerror(number))
    case .tooLarge(let limit): "the file is larger than \(limit / 1_000_000) MB"
    }
  }

  /// Whether the reader of a pipe went away; it has all it wanted, so there is nothing to tell anybody.
  var isBrokenPipe: Bool { reason == .system(errno: EPIPE) }

  var text: String { isBrokenPipe ? "" : "pushsim: error: \(message)\n" }
}

/// Whole files in and out.
enum Files {
  /// The bytes of a file. The limit, in bytes, also ends the reading of endless files, such as devices.
  static func read(_ path: String, limit: Int = 16_000_000) throws(FileError) -> [UInt8] {
    let descriptor = retryingInterrupts { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure(.read, path) }
    defer { close(descriptor) }
    return try read(descriptor, path: path, limit: limit)
  }

  /// The bytes of standard input. It can be read once only, so they are kept for whoever asks again.
  static func readStandardInput(limit: Int) throws(FileError) -> [UInt8] {
    if let known = standardInput.withLock(\.self) { return known }
    let bytes = try read(STDIN_FILENO, path: "standard input", limit: limit)
    standardInput.withLock { $0 = bytes }
    return bytes
  }

  private static let standardInput = Mutex<[UInt8]?>(nil)

  private static func read(_ descriptor: Int32, path: String, limit: Int) throws(FileError) -> [UInt8] {
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    if isKnown { Inputs.note(path, status) }
    // A large file is refused before its first byte is read.
    let tooLarge = FileError(action: .read, path: path, reason: .tooLarge(limit: limit))
    if isKnown, Int(status.st_size) > limit { throw tooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(isKnown ? Int(status.st_size) + 1 : 4096)
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = retryingInterrupts { Glibc.read(descriptor, &chunk, chunk.count) }
      guard count >= 0 else { throw failure(.read, path) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { throw tooLarge }
    }
  }

  /// Replaces a file as a whole: whoever reads it, also after a crash, finds the old text or the new one.
  ///
  /// A path that exists and is no regular file (a pipe, a terminal, `/dev/null`) is written to instead; a symbolic
  /// link is followed. Folders on the way must exist.
  static func write(_ text: String, to path: String) throws(FileError) {
    let kind = kind(path)
    if let kind, kind != S_IFREG { return try writeThrough(text, to: path) }
    let target = kind == nil ? path : resolved(path)
    let temporary = temporaryName(target)
    Unfinished.begin(temporary)
    do throws(FileError) {
      try make(text, at: temporary, like: target, path: path)
    } catch {
      Unfinished.discard(temporary)
      throw error
    }
    try Unfinished.place(temporary) { () throws(FileError) in
      guard rename(temporary, target) == 0 else { throw failure(.write, path) }
    }
  }

  /// Writes a file that must not exist yet; one that somebody makes in the meantime stays as it is.
  static func create(_ text: String, at path: String) throws(FileError) {
    if exists(path) { throw alreadyExists(path) }
    let temporary = temporaryName(path)
    Unfinished.begin(temporary)
    do throws(FileError) {
      try make(text, at: temporary, like: nil, path: path)
    } catch {
      Unfinished.discard(temporary)
      throw error
    }
    try Unfinished.place(temporary) { () throws(FileError) in
      if link(temporary, path) == 0 { return }
      // Some file systems have no links.
      guard errno != EEXIST, !exists(path), rename(temporary, path) == 0 else {
        throw exists(path) ? alreadyExists(path) : failure(.write, path)
      }
    }
  }

  /// The temporary name of a file or folder: beside it, since renaming does not lead from one file system to another.
  static func temporaryName(_ path: String) -> String { "\(path).\(getpid()).tmp" }

  /// Makes a new file with all of a text, on the disk when the call returns.
  ///
  /// - Parameters:
  ///   - old: its rights become those of the new file, if it is there.
  ///   - path: what to call the file in an error.
  static func make(_ text: String, at name: String, like old: String?, path: String) throws(FileError) {
    // Created with the rights that an ordinary new file gets here, unlike mkstemp's.
    let descriptor = retryingInterrupts { open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw failure(.write, path) }
    defer { close(descriptor) }
    var status = stat()
    if let old, stat(old, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
    try writeAll(text, to: descriptor, path: path)
    // Without this a power cut after the renaming can leave an empty file.
    guard fsync(descriptor) == 0 else { throw failure(.write, path) }
  }

  /// What ``create(_:at:)`` says of a file that exists.
  static func alreadyExists(_ path: String) -> FileError {
    FileError(action: .write, path: path, reason: .system(errno: EEXIST))
  }

  /// Makes a folder and those above it; one that exists is left alone.
  static func makeDirectory(_ path: String) throws(FileError) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += prefix.isEmpty || prefix.hasSuffix("/") ? String(part) : "/\(part)"
      if mkdir(prefix, 0o777) == 0 { continue }
      let number = errno
      // Existing folders may answer with other errors than EEXIST, such as EROFS.
      guard isDirectory(prefix) else {
        throw FileError(
          action: .write, path: path, reason: .system(errno: number == EEXIST ? ENOTDIR : number))
      }
    }
  }

  static func isDirectory(_ path: String) -> Bool { kind(path) == S_IFDIR }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The part of the mode that says what something is, such as `S_IFREG`; nil if there is nothing. Links are followed.
  static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The names in a folder, sorted; those that are no UTF-8 are left out, since no text can name them.
  static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The folder in which a path's last part stands.
  static func parent(of path: String) -> String {
    let path = withoutTrailingSlashes(path)
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Writes every byte, however many calls it takes. The path says what the descriptor is, for the error.
  static func writeAll(_ text: String, to descriptor: Int32, path: String) throws(FileError) {
    var text = text
    // Typed errors do not pass through withUTF8, so the failing call's errno does.
    let number: Int32 = text.withUTF8 { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // Somebody made the descriptor non-blocking; wait until it takes more.
          var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&request, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    if number != 0 { throw FileError(action: .write, path: path, reason: .system(errno: number)) }
  }

  private static func writeThrough(_ text: String, to path: String) throws(FileError) {
    let descriptor = retryingInterrupts { open(path, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure(.write, path) }
    defer { close(descriptor) }
    try writeAll(text, to: descriptor, path: path)
  }

  /// The path from the root without links; the path itself where there is nothing, or a name that no text can hold.
  static func resolved(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(validatingCString: pointer) ?? path
  }

  /// To be called at once after the failing call, before anything else can set errno.
  static func failure(_ action: FileError.Action, _ path: String) -> FileError {
    FileError(action: action, path: path, reason: .system(errno: errno))
  }

  private static func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}
