import Glibc
import Synchronization

/// Files and folders under temporary names. Each gets its own name as a whole or is taken away, also when the process is
/// interrupted.
enum Unfinished {
  private struct State {
    var paths: [String] = []
    var isAnythingWritten = false
  }

  private static let state = Mutex(State())

  /// Names a file or folder before it is made.
  static func begin(_ path: String) { state.withLock { $0.paths.append(path) } }

  /// Puts something in its place: no interruption comes between the steps of `body`. If it fails, the temporary file or
  /// folder is taken away.
  static func place(_ path: String, _ body: () throws(FileError) -> Void) throws(FileError) {
    var failure: FileError?
    state.withLock { state in
      do throws(FileError) {
        try body()
        state.isAnythingWritten = true
      } catch { failure = error }
      remove(path)
      state.paths.removeAll { $0 == path }
    }
    if let failure { throw failure }
  }

  static func discard(_ path: String) {
    state.withLock { state in
      remove(path)
      state.paths.removeAll { $0 == path }
    }
  }

  /// Says that something of the result is out: on standard output, or in a file of results.
  static func noteWritten() { state.withLock { $0.isAnythingWritten = true } }

  /// Takes away whatever is unfinished, for the end of the process. Nothing is begun or placed while `end` works.
  static func takeAway(_ end: (_ isAnythingWritten: Bool) -> Never) -> Never {
    state.withLock { state in
      for path in state.paths { remove(path) }
      end(state.isAnythingWritten)
    }
  }

  /// A file, or a folder with the files in it; nothing if it is not there any more.
  private static func remove(_ path: String) {
    guard unlink(path) != 0, errno == EISDIR else { return }
    for name in Files.names(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
