import Experiments
import Glibc
import ScenarioDecoding

/// Finds and reads scenarios and what they name.
enum ScenarioLoading {
  /// Reads a scenario, or fails with every mistake in it.
  ///
  /// - Parameter policies: of `--policy`; none: those of the scenario.
  static func load(
    _ path: String, _ assignments: [Assignment], policies: [String] = []
  ) throws(CommandFailure) -> Scenario {
    let log = DiagnosticLog()
    let scenario = ScenarioDecoder.decode(
      path: path, settings: settings(assignments), policies: policies, files: files(for: path), log: log)
    guard let scenario else { throw failure(log) }
    reportWarnings(log)
    return scenario
  }

  /// Reads a scenario at every point of a sweep, or fails with every mistake.
  ///
  /// - Parameters:
  ///   - over: what to vary in place of the scenario's own `sweep:`.
  ///   - isQuiet: says nothing of warnings.
  static func loadSweep(
    _ path: String, over: [String], _ assignments: [Assignment], policies: [String] = [],
    isQuiet: Bool = false
  ) throws(CommandFailure) -> Sweep {
    let log = DiagnosticLog()
    let sweep = ScenarioDecoder.sweep(
      path: path, settings: settings(assignments), policies: policies, over: over, files: files(for: path),
      log: log)
    guard let sweep else { throw failure(log) }
    if !isQuiet { reportWarnings(log) }
    return sweep
  }

  private static func settings(_ assignments: [Assignment]) -> [String] {
    assignments.map { "\($0.path)=\($0.value)" }
  }

  /// What a log without errors holds.
  private static func reportWarnings(_ log: DiagnosticLog) {
    if !log.diagnostics.isEmpty { Terminal.report(DiagnosticText.render(log)) }
  }

  static func failure(_ log: DiagnosticLog) -> CommandFailure {
    let isUnreadable = log.diagnostics.contains(where: \.isReadFailure)
    return CommandFailure(isUnreadable ? .unreadableFile : .badScenario, lines: DiagnosticText.render(log))
  }

  /// The files as a scenario at `path` sees them: names of populations and policies are looked for beside the
  /// scenario and in the directories above it, then from the current directory, then from the program's own.
  static func files(for path: String) -> ScenarioFiles {
    var directories: [String] = []
    func add(_ directory: String) {
      for candidate in [directory, directory + "/Scenarios"] where !directories.contains(candidate) {
        if Files.isDirectory(candidate + "/policies") || Files.isDirectory(candidate + "/populations") {
          directories.append(candidate)
        }
      }
    }
    for start in [absolute(parent(of: path)), absolute("."), parent(of: executablePath)] {
      var directory = start
      while !directory.isEmpty {
        add(directory)
        directory = directory == "/" ? "" : parent(of: directory)
      }
    }
    return ScenarioFiles(
      read: { path, limit in
        do throws(FileError) {
          return .success(try Files.read(path, limit: limit))
        } catch {
          return .failure(error.reason == .tooLarge(limit: limit) ? .tooLarge : .failed(error.reasonText))
        }
      },
      directories: directories, profiles: profiles)
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path from the root, as long as the directory exists.
  private static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static var executablePath: String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      readlink("/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : "."
  }

  private static func profiles(in directory: String) -> [String] {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".yaml") { names.append(String(name.dropLast(5))) }
    }
    return names.sorted()
  }
}
