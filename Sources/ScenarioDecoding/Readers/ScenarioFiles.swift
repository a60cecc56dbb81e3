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
public enum ProfileKind: String, Sendable, CaseIterable {
  case population
  case policy

  var directory: String { self == .population ? "populations" : "policies" }
  var defaultName: String { self == .population ? "consumer_default" : "guide" }

  /// The name or the path of the profile on which a node of a scenario is based in the end.
  func base(of node: YAMLNode?) -> String {
    guard let node, !node.isNull else { return defaultName }
    return node.scalar ?? (node["base"].map { base(of: $0) } ?? defaultName)
  }

  /// Whether a node of a scenario sets values, and does not only name a profile.
  func changes(_ node: YAMLNode) -> Bool {
    (node.entries ?? []).contains { entry in
      entry.key.text == "base"
        ? changes(entry.value) : !entry.value.isNull && entry.value.entries?.isEmpty != true
    }
  }

  /// The keys at the top of a file that are no values of it.
  package var headers: KeyTable {
    KeyTable([
      .optional(rawValue, .text, "the profile's name"),
      .optional("version", .text, "the version of the profile"),
      .optional("summary", .text, "what it stands for, in one line"),
      .optional("base", .profile(self), "the profile that the rest of the file overrides"),
    ])
  }

  /// `{base: …, set: {…}}`.
  package var derivation: KeyTable {
    KeyTable(
      [
        .optional("base", .profile(self), default: defaultName, "the profile it is based on"),
        .optional("set", .values(self), "values in place of the base's"),
      ], isNeverEmpty: true)
  }
}
