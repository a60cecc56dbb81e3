import Glibc
import Synchronization

/// What tells a file from all others, whatever name or link leads to it.
enum FileIdentity: Hashable {
  case existing(device: dev_t, inode: ino_t)
  /// Not there yet: its folder, and its name in it.
  case new(folder: String, name: String)

  init(_ status: stat) { self = .existing(device: status.st_dev, inode: status.st_ino) }

  /// Nil for what any number of writers may share: a device, such as a terminal or `/dev/null`.
  init?(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFCHR { return nil }
      self.init(status)
    } else {
      let path = Files.withoutTrailingSlashes(path)
      let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
      self = .new(folder: Files.resolved(Files.parent(of: path)), name: name)
    }
  }

  /// Of what a descriptor leads to, if that is a file or a pipe.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFCHR else { return nil }
    self.init(status)
  }
}

/// The files that this process has read, so that it does not write over one of them.
enum Inputs {
  private static let known = Mutex<[FileIdentity: String]>([:])

  static func note(_ path: String, _ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return }
    known.withLock { $0[FileIdentity(status)] = path }
  }

  /// The path under which a file was read; nil if it was not.
  static func path(of identity: FileIdentity) -> String? { known.withLock { $0[identity] } }
}
