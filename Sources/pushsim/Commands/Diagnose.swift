import DeviceLogs
import Glibc
import Reporting
import ScenarioDecoding

/// Tells what became of the pushes of device logs.
func diagnose(_ options: DiagnoseOptions) throws -> ExitCode {
  var reading = LogOptions(
    year: options.year, zone: options.zone.flatMap { LogOptions.zone($0) }, apps: options.apps)
  reading.isAnonymised = options.anonymous != nil
  var results: [(name: String, diagnosis: Diagnosis)] = []
  var anonymous = ""
  for path in options.logs {
    results.append((path, try LogFile.diagnose(path, reading) { anonymous += $0 }))
  }
  if let file = options.anonymous { try Files.write(anonymous, to: file) }
  let sendLog = try options.sendLog.map(readSendLog)
  let sends = results.map { result in sendLog.map(result.diagnosis.joined) ?? [] }
  let replays = try results.map { try Replay.run($0.diagnosis, policies: options.replays) }
  let values = results.indices.map { index in
    DiagnosisJSON.value(
      results[index].diagnosis, sends: sends[index],
      replays: options.replays.isEmpty ? nil : DiagnosisReplay.json(replays[index]))
  }
  if let file = options.scenario {
    try Files.write(
      Replay.scenario(
        results.map(\.diagnosis), policies: options.replays.isEmpty ? ["evidence"] : options.replays),
      to: file)
  }
  let text = (values.count == 1 ? values[0] : .array(values)).text + "\n"
  if let directory = options.outputDirectory { try writeFolder(directory, results, json: text) }
  if let json = options.json {
    switch json {
    case .standardOutput:
      try Terminal.write(text, to: .standardOutput)
      return .success
    case .file(let path): try Files.write(text, to: path)
    }
  }
  let width = Terminal.isTerminal(.standardOutput) ? Terminal.width(of: .standardOutput) : 80
  let texts = results.indices.map { index in
    DiagnosisText.text(results[index].diagnosis, name: results[index].name, width: width)
      + DiagnosisText.text(sends[index], width: width)
      + (options.replays.isEmpty ? "" : DiagnosisReplay.text(replays[index], width: width))
  }
  try Terminal.write(texts.joined(separator: "\n"), to: .standardOutput)
  return .success
}

private func readSendLog(_ path: String) throws -> SendLog {
  let bytes = try Files.read(path, limit: 64_000_000)
  do throws(SendLog.Problem) {
    return try SendLog(bytes)
  } catch {
    throw CommandFailure(
      .badScenario, "cannot read the provider's log `\(path)`, line \(error.line): \(error.message)")
  }
}

/// The page, the Markdown and the JSON; with several logs, pages and Markdown have a number.
private func writeFolder(
  _ directory: String, _ results: [(name: String, diagnosis: Diagnosis)], json: String
) throws {
  try Files.makeDirectory(directory)
  for (index, result) in results.enumerated() {
    let suffix = results.count == 1 ? "" : "-\(index + 1)"
    let name = result.name == "-" ? "standard input" : String(result.name.split(separator: "/").last ?? "log")
    try Files.write(
      DiagnosisPage.text(result.diagnosis, name: name), to: "\(directory)/diagnosis\(suffix).html")
    try Files.write(
      DiagnosisMarkdown.text(result.diagnosis, name: name), to: "\(directory)/diagnosis\(suffix).md")
  }
  try Files.write(json, to: "\(directory)/diagnosis.json")
}

/// A device's log in a file, packed or not.
enum LogFile {
  /// The log's diagnosis, or what is wrong with the file.
  ///
  /// - Parameter anonymous: takes the log's text without what names its owner, if the options ask for it.
  static func diagnose(
    _ path: String, _ options: LogOptions, anonymous: (String) -> Void = { _ in }
  ) throws -> Diagnosis {
    if path.hasSuffix(".logarchive") || path.hasSuffix(".logarchive/") || path.hasSuffix(".tracev3") {
      throw refused(path, .archive)
    }
    let reader = LogReader(options)
    try read(path) { bytes in
      reader.read(bytes)
      if options.isAnonymised { anonymous(reader.takeAnonymous()) }
    }
    switch reader.finish() {
    case .success(let diagnosis):
      anonymous(reader.takeAnonymous())
      return diagnosis
    case .failure(let refusal): throw refused(path, refusal)
    }
  }

  static func refused(_ path: String, _ refusal: LogRefusal) -> CommandFailure {
    CommandFailure(.badScenario, "cannot diagnose `\(path)`: \(refusal.message)")
  }

  /// Hands out the bytes of a file, or of standard input for `-`, unpacked and piece by piece.
  static func read(_ path: String, _ piece: (UnsafeBufferPointer<UInt8>) -> Void) throws {
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    func failure() -> FileError { FileError(action: .read, path: path, reason: .system(errno: errno)) }
    guard descriptor >= 0 else { throw failure() }
    defer { if descriptor != 0 { close(descriptor) } }
    let unpacker = Decompressor()
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    do {
      while true {
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw failure() }
        if count == 0 { break }
        // Typed errors do not pass through withUnsafeBufferPointer.
        let problem = chunk[..<count].withUnsafeBufferPointer { unpacker.problem(reading: $0, piece) }
        if let problem { throw problem }
      }
      try unpacker.finish(piece)
    } catch let problem as Decompressor.Problem {
      switch problem {
      case .damaged: throw damaged(path)
      // What was there can be told all the same.
      case .endsEarly: Terminal.report("pushsim: warning: `\(path)` ends before its packed text does\n")
      }
    }
  }

  private static func damaged(_ path: String) -> CommandFailure {
    CommandFailure(.badScenario, "cannot diagnose `\(path)`: its packed data are damaged")
  }
}
