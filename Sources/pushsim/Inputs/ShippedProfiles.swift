import CShippedProfiles

/// The profiles that are part of the program, as files of a directory that no disk has.
enum ShippedProfiles {
  /// What stands before their paths in messages.
  static let directory = "<built into pushsim>"

  private static let paths = (0..<shipped_profile_count).map {
    "\(directory)/\(String(cString: shipped_profiles[$0].path))"
  }

  /// Nil if `path` is none of theirs.
  static func bytes(at path: String) -> [UInt8]? {
    guard let index = paths.firstIndex(of: path) else { return nil }
    let profile = shipped_profiles[index]
    return [UInt8](UnsafeBufferPointer(start: profile.bytes, count: profile.size))
  }

  /// The names of files in a directory of theirs; nil if it is another.
  static func names(in directory: String) -> [String]? {
    guard directory.hasPrefix(Self.directory) else { return nil }
    return paths.filter { $0.hasPrefix(directory + "/") }.map { String($0.dropFirst(directory.count + 1)) }
  }
}
