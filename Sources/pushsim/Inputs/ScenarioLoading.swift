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

  /// Says which of the command line's settings have no effect, once it is known what runs.
  ///
  /// - Parameter scenarios: the one that runs, or the points of a sweep: then what has no effect at any of them.
  static func warnOfIdleSettings(_ scenarios: [Scenario]) {
    let idle = scenarios.map(\.settingsWithoutEffect)
    for idle in idle.first ?? [] where !scenarios.contains(where: { $0.reads(idle.path) }) {
      Terminal.report("pushsim: warning: setting `\(idle.path)` has no effect on this run: \(idle.why)\n")
    }
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

  /// The files as a scenario at `path` sees them. The name of a population or a policy is looked for beside the
  /// scenario and in the directories above it, then from the current directory, in `$PUSHSIM_DATA`, from the program's
  /// own directory, where `make install` puts data, and in the program itself.
  static func files(for path: String) -> ScenarioFiles {
    var directories: [String] = []
    func add(_ directory: String) {
      for candidate in [directory, directory + "/Scenarios"] where !directories.contains(candidate) {
        if Files.isDirectory(candidate + "/policies") || Files.isDirectory(candidate + "/populations") {
          directories.append(candidate)
        }
      }
    }
    let programs = Files.resolved(Files.parent(of: executablePath))
    let data = getenv("PUSHSIM_DATA").map { String(cString: $0) } ?? ""
    for start in [Files.parent(of: path), "."] + (data.isEmpty ? [] : [data]) + [programs] {
      var directory = Files.resolved(start)
      add(directory)
      if start == data { continue }
      // A folder that is not there has no path from the root, and nothing above it to look in.
      while directory.hasPrefix("/"), directory != "/" {
        directory = Files.parent(of: directory)
        add(directory)
      }
    }
    add(Files.parent(of: programs) + "/share/pushsim")
    directories.append(ShippedProfiles.directory)
    return ScenarioFiles(
      read: { name, limit in
        if let bytes = ShippedProfiles.bytes(at: name) { return .success(bytes) }
        do throws(FileError) {
          // The dash of the command line; a file that a scenario names may be called so.
          let isStandardInput = name == "-" && path == "-"
          return .success(
            try isStandardInput ? Files.readStandardInput(limit: limit) : Files.read(name, limit: limit))
        } catch {
          return .failure(error.reason == .tooLarge(limit: limit) ? .tooLarge : .failed(error.reasonText))
        }
      },
      directories: directories, profiles: profiles)
  }

  private static var executablePath: String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      readlink("/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : "."
  }

  private static func profiles(in directory: String) -> [String] {
    (ShippedProfiles.names(in: directory) ?? Files.names(in: directory)).filter { $0.hasSuffix(".yaml") }.map
    { String($0.dropLast(5)) }
  }
}
