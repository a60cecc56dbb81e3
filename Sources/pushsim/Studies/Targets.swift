import Glibc

/// Where a command writes. Looked at before its work: nobody should wait for hours and then lose the result to a typing
/// error.
struct Targets {
  private enum Place {
    case standardOutput
    case file(String)
    /// With the names that are to be written in it.
    case folder(ResultFolder, owns: (String) -> Bool)
  }

  private var all: [(option: String, place: Place)] = []

  /// Nil adds nothing.
  mutating func add(_ option: String, _ target: OutputTarget?) {
    switch target {
    case .standardOutput?: all.append((option, .standardOutput))
    case .file(let path)?: all.append((option, .file(path)))
    case nil: break
    }
  }

  mutating func add(_ option: String, file: String?) { add(option, file.map(OutputTarget.file)) }

  mutating func add(_ option: String, folder: String?, owns: @escaping (String) -> Bool) {
    if let folder { all.append((option, .folder(ResultFolder(folder), owns: owns))) }
  }

  /// Refuses targets that would write over each other or over what the command reads, then tries each of them. Folders
  /// above an output directory are made.
  ///
  /// - Parameter reading: a file that is read, beside those of ``Inputs``.
  func prepare(reading: String? = nil) throws {
    try tellApart(reading: reading)
    for target in all {
      guard case .folder(let folder, _) = target.place else { continue }
      try folder.probe()
      // Another target may lie in it.
      let isBelow = all.contains { other in
        guard case .file(let path) = other.place else { return false }
        return path.hasPrefix(folder.path + "/")
      }
      if isBelow { try Files.makeDirectory(folder.path) }
    }
    for target in all {
      if case .file(let path) = target.place { try Self.probe(path) }
    }
  }

  /// Whether standard output holds a result and nothing else.
  var takeStandardOutput: Bool {
    all.contains { if case .standardOutput = $0.place { true } else { false } }
  }

  // MARK: Told apart

  private func tellApart(reading: String?) throws(CommandFailure) {
    var owners: [FileIdentity: String] = [:]
    let read = reading.flatMap { FileIdentity($0) }
    func input(_ identity: FileIdentity) -> String? {
      identity == read ? reading : Inputs.path(of: identity)
    }
    func refuse(_ what: String) -> CommandFailure { CommandFailure(.badCommandLine, what) }

    var standardOutput: String?
    for case (let option, .standardOutput) in all {
      if let other = standardOutput {
        throw refuse("standard output cannot hold both `\(other)` and `\(option)`")
      }
      standardOutput = option
    }
    // What goes to standard output without being asked for harms a file only: a pipe may take both.
    if let identity = FileIdentity(OutputStream.standardOutput.rawValue),
      standardOutput != nil || Files.kind("/dev/stdout") == S_IFREG
    {
      owners[identity] = standardOutput.map { "`\($0)`" } ?? "standard output"
    }
    for case (let option, .file(let path)) in all {
      guard let identity = FileIdentity(path) else { continue }
      if let path = input(identity) {
        throw refuse("`\(option)` would write over `\(path)`, which the command reads")
      }
      if let other = owners[identity] {
        throw refuse("\(other) and `\(option)` would both write to `\(path)`")
      }
      owners[identity] = "`\(option)`"
    }
    for case (let option, .folder(let folder, let owns)) in all {
      if let identity = FileIdentity(folder.path), let other = owners[identity] {
        throw refuse("\(other) and `\(option)` would both write to `\(folder.path)`")
      }
      for name in Files.names(in: folder.path) where owns(name) {
        guard let identity = FileIdentity("\(folder.path)/\(name)") else { continue }
        if let path = input(identity) {
          throw refuse("`\(option)` would write over `\(path)`, which the command reads")
        }
        if let other = owners[identity] {
          throw refuse("\(other) and `\(option)` would both write to `\(folder.path)/\(name)`")
        }
      }
      for case (let other, .file(let path)) in all {
        let isInside = FileIdentity(Files.parent(of: path)) == FileIdentity(folder.path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if isInside, owns(name) { throw refuse("`\(other)` and `\(option)` would both write to `\(path)`") }
      }
    }
  }

  // MARK: Tried

  private static func probe(_ path: String) throws(FileError) {
    switch Files.kind(path) {
    case S_IFDIR?: throw FileError(action: .write, path: path, reason: .system(errno: EISDIR))
    case nil, S_IFREG?:
      let temporary = Files.temporaryName(Files.kind(path) == nil ? path : Files.resolved(path))
      Unfinished.begin(temporary)
      defer { Unfinished.discard(temporary) }
      try Files.make("", at: temporary, like: nil, path: path)
    default:
      // To open a pipe would wait for its reader.
      guard access(path, W_OK) == 0 else { throw Files.failure(.write, path) }
    }
  }
}

extension OutputTarget {
  /// As the command line names it.
  var word: String {
    switch self {
    case .standardOutput: "-"
    case .file(let path): path
    }
  }

  func write(_ text: String) throws(FileError) {
    switch self {
    case .standardOutput: try Terminal.write(text, to: .standardOutput)
    case .file(let path): try Files.write(text, to: path)
    }
  }
}

/// Writes one thing after the other, and goes on after one that fails: what a long run found is not lost because one of its
/// targets cannot be written.
struct Delivery {
  private var status: ExitCode?

  mutating func attempt(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let failure as any Failure {
      Terminal.report(failure.text)
      if status == nil { status = failure.exitCode }
    }
  }

  /// The status of the first failure; without one that of the result.
  func status(_ result: ExitCode) -> ExitCode { status ?? result }
}
