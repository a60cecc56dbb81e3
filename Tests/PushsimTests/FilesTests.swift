import Foundation
import Testing

@testable import pushsim

/// A new folder, removed with everything in it at the end of the test.
private final class TemporaryFolder {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/pushsim-test-\(UUID().uuidString)"
    precondition(mkdir(path, 0o700) == 0, "cannot make \(path)")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}

@Suite struct FilesTests {
  private let folder = TemporaryFolder()

  @Test func `a file reads back as it was written, and no temporary file stays behind`() throws {
    let path = folder.path + "/a.txt"
    let text = String(repeating: "line é\n", count: 50_000)
    try Files.write("old", to: path)
    try Files.write(text, to: path)
    #expect(try Files.read(path) == Array(text.utf8))
    #expect(folder.names == ["a.txt"])
  }

  @Test func `replacing a file keeps its rights and follows a symbolic link`() throws {
    let target = folder.path + "/target"
    let link = folder.path + "/link"
    try Files.write("old", to: target)
    chmod(target, 0o640)
    symlink("target", link)
    try Files.write("new", to: link)
    var status = stat()
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(target, &status) == 0 && status.st_mode & 0o7777 == 0o640)
    #expect(try Files.read(target) == Array("new".utf8))
  }

  @Test func `a device is written to, never replaced`() throws {
    try Files.write("text", to: "/dev/null")
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func `a missing file and a folder cannot be read, with the system's words and status 66`() {
    let missing = #expect(throws: FileError.self) { try Files.read(folder.path + "/none.yaml") }
    #expect(missing?.exitCode == .unreadableFile)
    #expect(missing?.reasonText == "No such file or directory")
    let directory = #expect(throws: FileError.self) { try Files.read(folder.path) }
    #expect(directory?.exitCode == .unreadableFile)
    #expect(directory?.reasonText == "Is a directory")
  }

  @Test func `a file above the limit is refused, also one that never ends`() throws {
    let path = folder.path + "/large"
    try Files.write(String(repeating: "x", count: 1001), to: path)
    let tooLarge = FileError(action: .read, path: path, reason: .tooLarge(limit: 1000))
    #expect(throws: tooLarge) { try Files.read(path, limit: 1000) }
    #expect(tooLarge.exitCode == .badScenario)
    #expect(throws: FileError.self) { try Files.read("/dev/zero", limit: 1000) }
  }

  @Test func `a failed write leaves the old file alone and has status 74`() throws {
    let error = #expect(throws: FileError.self) { try Files.write("x", to: folder.path + "/no/a.txt") }
    #expect(error?.exitCode == .cannotWrite)
    #expect(throws: FileError(action: .write, path: "/dev/full", reason: .system(errno: ENOSPC))) {
      try Files.write("x", to: "/dev/full")
    }
  }

  @Test func `folders are made with those above them, and existing ones are left alone`() throws {
    let path = folder.path + "/a/b/c"
    try Files.makeDirectory(path)
    try Files.makeDirectory(path + "/")
    #expect(Files.isDirectory(path))
    try Files.write("", to: folder.path + "/file")
    #expect(throws: FileError(action: .write, path: folder.path + "/file/x", reason: .system(errno: ENOTDIR)))
    {
      try Files.makeDirectory(folder.path + "/file/x")
    }
  }
}

@Suite struct ProgressLineTests {
  @Test func `the line says share, count, rate and time left`() {
    #expect(
      ProgressLine.text(done: 500, total: 2000, unit: "devices", elapsed: 10)
        == "25 %  500 of 2000 devices  50/s  30 s left")
    #expect(
      ProgressLine.text(done: 1, total: 1000, unit: "devices", elapsed: 4)
        == "0 %  1 of 1000 devices  0.3/s  1 h 06 min left")
  }

  @Test func `no rate is claimed in the first moments or before anything is done`() {
    #expect(ProgressLine.text(done: 3, total: 10, unit: "devices", elapsed: 0.1) == "30 %  3 of 10 devices")
    #expect(ProgressLine.text(done: 0, total: 10, unit: "devices", elapsed: 5) == "0 %  0 of 10 devices")
  }
}
