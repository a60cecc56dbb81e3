import Foundation
import Testing

/// A command that waits for something that never comes.
struct WaitingCase: Sendable, CustomTestStringConvertible {
  enum Wait: Sendable {
    /// For the writer of a pipe with that name in its folder, or for its reader.
    case pipe(String)
    /// For a reader of standard output.
    case reader
    /// For another process that keeps `locked.sqlite`.
    case lock
    /// For devices without end.
    case work
  }

  var arguments: String
  var wait: Wait
  var testDescription: String { "pushsim \(arguments)" }

  init(_ arguments: String, _ wait: Wait) {
    self.arguments = arguments
    self.wait = wait
  }

  private static let long = "--devices 100000 --replications 100"
  private static let brief =
    "--devices 2 --replications 2 --strategy push_hourly --set experiment.duration=1d --set experiment.warm_up=6h"

  static let all: [WaitingCase] = [
    // Before the work: what is read does not come.
    .init("run pipe.yaml", .pipe("pipe.yaml")),
    .init("check pipe.yaml", .pipe("pipe.yaml")),
    .init("sweep pipe.yaml", .pipe("pipe.yaml")),
    .init("sensitivity pipe.yaml --metric delivered", .pipe("pipe.yaml")),
    .init("explain pipe.yaml --device 0", .pipe("pipe.yaml")),
    .init("report pipe.json", .pipe("pipe.json")),
    .init("compare pipe.json pipe.json", .pipe("pipe.json")),
    .init("policy", .pipe("policies/guide.yaml")),
    .init("factors", .pipe("policies/guide.yaml")),
    .init("keys policy", .pipe("policies/guide.yaml")),
    .init("new feed --question calls", .pipe("policies/guide.yaml")),
    .init("run news.yaml --store locked.sqlite", .lock),
    .init("sweep news.yaml --over app.handler.duration=1s,2s --store locked.sqlite", .lock),
    .init("sensitivity news.yaml --metric delivered --store locked.sqlite", .lock),
    .init("runs locked.sqlite", .lock),
    // In it.
    .init("run news.yaml --output out --json out.json \(long)", .work),
    .init("sweep news.yaml --over app.handler.duration=1s,2s --csv out.csv \(long)", .work),
    .init("sensitivity news.yaml --metric delivered --json out.json --devices 100000", .work),
    // After it: nobody takes the result.
    .init("run news.yaml --output out --json pipe.json \(brief)", .pipe("pipe.json")),
    .init("sweep news.yaml --over app.handler.duration=1s,2s --csv pipe.csv \(brief)", .pipe("pipe.csv")),
    .init("schema", .reader), .init("metrics", .reader), .init("completion bash", .reader),
    .init("help", .reader), .init("version", .reader),
    .init("explain news.yaml --device 0", .reader), .init("check news.yaml", .reader),
  ]
}

/// Waits until something holds, for a minute at most.
private func wait(until isTrue: () -> Bool) -> Bool {
  let deadline = Date.now + 60
  while !isTrue() {
    if Date.now > deadline { return false }
    usleep(20_000)
  }
  return true
}

/// Whether a process takes SIGTERM itself, and sleeps or (while it works) has used some time.
private func isReady(_ process: Process, works: Bool) -> Bool {
  let folder = "/proc/\(process.processIdentifier)"
  guard let status = try? String(contentsOfFile: "\(folder)/status", encoding: .utf8),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
    let caught = UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16),
    caught & 1 << (SIGTERM - 1) != 0
  else { return false }
  return works || status.contains("State:\tS")
}

private func interrupted(_ waiting: WaitingCase, by signal: Int32, in folder: URL) throws -> (
  status: Int32, seconds: Double
) {
  let process = Process()
  process.executableURL = products.appending(path: "pushsim")
  process.arguments = waiting.arguments.split(separator: " ").map(String.init)
  process.currentDirectoryURL = folder
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  let output = Pipe()
  var works = false
  switch waiting.wait {
  case .reader:
    // Full, so that the first byte waits.
    let descriptor = output.fileHandleForWriting.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let bytes = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, bytes, bytes.count) > 0 {}
    _ = fcntl(descriptor, F_SETFL, 0)
    process.standardOutput = output
  case .work: works = true
  case .pipe, .lock: break
  }
  try process.run()
  #expect(wait { isReady(process, works: works) })
  if waiting.arguments.contains("--output out --json pipe.json") {
    #expect(wait { FileManager.default.fileExists(atPath: folder.appending(path: "out/result.json").path) })
  }
  // So far that it waits where it is meant to.
  usleep(300_000)
  let begin = Date.now
  kill(process.processIdentifier, signal)
  if !wait(until: { !process.isRunning }) { kill(process.processIdentifier, SIGKILL) }
  process.waitUntilExit()
  return (process.terminationReason == .exit ? process.terminationStatus : 128, -begin.timeIntervalSinceNow)
}

@Suite(.serialized) struct InterruptionEndToEndTests {
  @Test(arguments: WaitingCase.all)
  func `every command ends soon after a signal, and leaves nothing half written`(waiting: WaitingCase) throws
  {
    try withFolder { folder in
      try FileManager.default.copyItem(
        at: packageRoot.appending(path: news), to: folder.appending(path: "news.yaml"))
      let locked = folder.appending(path: "locked.sqlite").path
      var holder: Process?
      switch waiting.wait {
      case .pipe(let name):
        let path = folder.appending(path: name)
        try FileManager.default.createDirectory(
          at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        #expect(mkfifo(path.path, 0o600) == 0)
      case .lock:
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
          "python3", "-c",
          """
          import sqlite3, sys, time
          c = sqlite3.connect(sys.argv[1], isolation_level=None)
          c.execute("PRAGMA application_id = 1886745448"); c.execute("BEGIN EXCLUSIVE")
          open(sys.argv[1] + ".held", "w").close(); time.sleep(120)
          """, locked,
        ]
        try process.run()
        holder = process
        #expect(wait { FileManager.default.fileExists(atPath: locked + ".held") })
      case .reader, .work: break
      }
      defer {
        // It may have inherited a mask that blocks all that can be blocked.
        if let holder { kill(holder.processIdentifier, SIGKILL) }
        holder?.waitUntilExit()
      }
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0 != "out" }
      for signal in [SIGTERM, SIGINT] {
        let result = try interrupted(waiting, by: signal, in: folder)
        #expect(result.status == 130)
        // A second, and what a busy machine takes to let it run.
        #expect(result.seconds < 3)
        // A run that was done has a whole folder; one that was not has none, or an empty one.
        let isFolderWhole =
          FileManager.default.fileExists(atPath: folder.appending(path: "out/result.json").path)
        let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
          $0 != "out" && !(isFolderWhole && $0.hasPrefix("out/") && !$0.hasSuffix(".tmp"))
            && !$0.hasSuffix("-journal")
        }
        #expect(left.sorted() == before.sorted())
      }
    }
  }
}
