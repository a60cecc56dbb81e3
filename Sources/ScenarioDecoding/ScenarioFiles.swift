/// Where a scenario's files are: reading and listing belong to the program, looking for a name to the decoder.
public struct ScenarioFiles {
  /// Reads a file.
  public var read: SourceReader
  /// Directories that may hold `policies/` and `populations/`, the nearest first.
  public var directories: [String]
  /// The names of the profiles in a directory: file names without `.yaml`; empty when there is none.
  public var profiles: (_ directory: String) -> [String]

  public init(
    read: @escaping SourceReader, directories: [String], profiles: @escaping (_ directory: String) -> [String]
  ) {
    self.read = read
    self.directories = directories
    self.profiles = profiles
  }
}

/// A kind of file that a scenario names.
enum ProfileKind: String {
  case population
  case policy

  var directory: String { self == .population ? "populations" : "policies" }
  var defaultName: String { self == .population ? "consumer_default" : "guide" }
}
