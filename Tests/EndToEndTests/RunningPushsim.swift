import Foundation

/// What a run of the program left behind.
struct ProgramResult: Sendable {
  /// The exit status, or 128 + the signal that ended it, as a shell says it.
  var status: Int32
  var stdout: String
  var stderr: String
}

/// The folder into which the package's products are built: the tests are an executable there, beside the program.
let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent()

/// The root of the package, for tests that read its scenarios.
let packageRoot = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// Runs the program that was built with these tests.
func runPushsim(_ arguments: String..., stdin: String = "") throws -> ProgramResult {
  try runPushsim(arguments, stdin: stdin)
}

/// - Parameter interruptOnce: three seconds after this file is there, when the work has begun, the program gets SIGINT.
func runPushsim(_ arguments: [String], stdin: String = "", interruptOnce: URL? = nil) throws -> ProgramResult
{
  try runProgram(
    products.appendingPathComponent("pushsim"), arguments, stdin: stdin, interruptOnce: interruptOnce)
}

/// Gives a test a folder of its own, and removes it afterwards.
func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appending(path: "pushsim-test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// A scenario that comes with pushsim, and what makes a run of it take a moment only.
let news = "Scenarios/news_feed.yaml"
let small = [
  "--devices", "50", "--replications", "2", "--set", "experiment.duration=2 d", "--set",
  "experiment.warm_up=1 d",
]

/// Runs a command line of the shell in which `pushsim` is the program that was built with these tests.
func runShell(_ script: String, stdin: String = "") throws -> ProgramResult {
  let function = "pushsim() { '\(products.path)/pushsim' \"$@\"; }\n"
  return try runProgram(URL(fileURLWithPath: "/bin/sh"), ["-c", function + script], stdin: stdin)
}

/// What `python3 -m json.tool` makes of a text: status 0 if it is JSON.
func runJSONTool(_ text: String) throws -> ProgramResult {
  try runProgram(
    URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-m", "json.tool", "--no-ensure-ascii"], stdin: text)
}

/// Runs a program in the package's root and waits for its end.
///
/// Output goes through files: a pipe that nobody empties would stop the program once it is full.
func runProgram(
  _ executable: URL, _ arguments: [String], stdin: String = "", interruptOnce: URL? = nil
) throws -> ProgramResult {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("pushsim-end-to-end-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  func file(_ name: String, _ text: String) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url
  }
  let output = try file("stdout", "")
  let errors = try file("stderr", "")

  let process = Process()
  process.executableURL = executable
  process.arguments = arguments
  process.currentDirectoryURL = packageRoot
  process.standardInput = try FileHandle(forReadingFrom: file("stdin", stdin))
  process.standardOutput = try FileHandle(forWritingTo: output)
  process.standardError = try FileHandle(forWritingTo: errors)
  // A crash must not start a backtracer that outlives the test.
  process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  try process.run()
  if let interruptOnce {
    while process.isRunning, !FileManager.default.fileExists(atPath: interruptOnce.path) { usleep(10_000) }
    usleep(3_000_000)
    process.interrupt()
    // A program that does not listen fails its test, rather than outliving it.
    let deadline = Date.now + 20
    while process.isRunning, Date.now < deadline { usleep(10_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
  process.waitUntilExit()
  let status = process.terminationStatus
  return ProgramResult(
    status: process.terminationReason == .exit ? status : 128 + status,
    stdout: String(decoding: try Data(contentsOf: output), as: UTF8.self),
    stderr: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
}
