import Glibc

/// A folder of results, which is one whole: the files of one run and nothing of another.
///
/// A folder that is not there yet appears with all its files at once. In one that is there, everything is written under a
/// hidden name first, and put in place between two moments of attention: old results go, the new ones come,
/// `result.json` last, so that whatever ends the process in between leaves no result rather than a mixed one. Files that
/// are none of ours stay.
struct ResultFolder {
  let path: String
  private let temporary: String
  /// Whether the folder appears with its files.
  private let isNew: Bool

  /// - Parameter path: a folder that is there, or is to be made.
  init(_ path: String) {
    self.path = Files.withoutTrailingSlashes(path)
    isNew = !Files.isDirectory(path)
    temporary = isNew ? Files.temporaryName(self.path) : Files.temporaryName("\(self.path)/.pushsim")
  }

  /// Whether a folder of a run's results holds a file of that name.
  static func isOurs(_ name: String) -> Bool {
    names.contains(name)
      || name.hasPrefix("apns_metrics.") && name.hasSuffix(".csv")
  }

  private static let names: Set<String> = [
    "result.json", "summary.txt", "report.html", "summary.md", "metrics.csv", "replications.csv", "fates.csv",
    "by_hour.csv", "segments.csv", "devices.csv", "latency.csv", "mechanisms.csv", "comparisons.csv",
    "assumptions.csv",
  ]

  /// Makes sure, before the work, that the folder can be written. Makes the folders above it.
  func probe() throws(FileError) {
    if isNew {
      var status = stat()
      if lstat(path, &status) == 0 {
        throw FileError(action: .write, path: path, reason: .system(errno: ENOTDIR))
      }
      do throws(FileError) {
        try Files.makeDirectory(Files.parent(of: path))
      } catch {
        // The user named the folder, not those above it.
        throw FileError(action: .write, path: path, reason: error.reason)
      }
    }
    try makeTemporary()
    Unfinished.discard(temporary)
  }

  private func makeTemporary() throws(FileError) {
    Unfinished.begin(temporary)
    guard mkdir(temporary, 0o777) == 0 else {
      let error = Files.failure(.write, path)
      Unfinished.discard(temporary)
      throw error
    }
  }

  /// Writes files, all or none of them.
  ///
  /// - Parameter isWhole: they are all that a run has to say; what an older one left in the folder goes.
  func write(_ files: [(name: String, text: String)], isWhole: Bool) throws(FileError) {
    try makeTemporary()
    do throws(FileError) {
      for file in files {
        let target = "\(path)/\(file.name)"
        if Files.kind(target) == S_IFDIR {
          throw FileError(action: .write, path: target, reason: .system(errno: EISDIR))
        }
        try Files.make(file.text, at: "\(temporary)/\(file.name)", like: target, path: target)
      }
    } catch {
      Unfinished.discard(temporary)
      throw error
    }
    try Unfinished.place(temporary) { () throws(FileError) in
      if isNew {
        guard rename(temporary, path) == 0 else { throw Files.failure(.write, path) }
      } else {
        try putInPlace(files.map(\.name), isWhole: isWhole)
      }
    }
  }

  private func putInPlace(_ names: [String], isWhole: Bool) throws(FileError) {
    let last = "result.json"
    if isWhole {
      // Only a folder of results holds old ones.
      let isOfRun = Files.exists("\(path)/\(last)")
      unlink("\(path)/\(last)")
      for old in Files.names(in: path) where isOfRun && Self.isOurs(old) && !names.contains(old) {
        unlink("\(path)/\(old)")
      }
    }
    for name in names.filter({ $0 != last }) + names.filter({ $0 == last }) {
      let target = "\(path)/\(name)"
      guard rename("\(temporary)/\(name)", target) == 0 else { throw Files.failure(.write, target) }
    }
  }
}
