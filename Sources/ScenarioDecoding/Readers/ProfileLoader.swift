/// Finds and merges the files that a scenario names for its population and its policies.
struct ProfileLoader {
  let files: ScenarioFiles
  let context: DecodingContext
  /// Every text that was read, for the digest.
  private(set) var sources: [SourceText] = []

  init(files: ScenarioFiles, context: DecodingContext) {
    self.files = files
    self.context = context
  }

  /// A profile with everything that its file is based on and everything that overrides it merged in.
  struct Profile {
    var name: String
    var tree: YAMLNode
  }

  /// Resolves what a scenario writes for a population or a policy: a name, `{base: …, set: {…}}`, or a mapping of
  /// values that override the default.
  ///
  /// - Parameters:
  ///   - node: what the scenario writes; nil when it leaves the key out.
  ///   - overrides: what the command line sets in it.
  ///   - leaves: the table's paths.
  mutating func resolve(
    _ kind: ProfileKind, _ node: YAMLNode?, overrides: [Setting], leaves: Set<String>, at span: SourceSpan
  ) -> Profile? {
    guard var profile = resolve(kind, node, leaves: leaves, at: span, chain: []) else { return nil }
    for override in overrides {
      // The path below `population` or `policy`, as nested mappings.
      var tree = override.value
      for key in override.path.dropFirst().reversed() {
        tree = YAMLNode(.mapping([YAMLEntry(key: key, value: tree)]), span: key.span)
      }
      profile.tree = profile.tree.merging(tree, leaves: leaves, log: context.log)
    }
    return profile
  }

  private mutating func resolve(
    _ kind: ProfileKind, _ node: YAMLNode?, leaves: Set<String>, at span: SourceSpan, chain: [String]
  ) -> Profile? {
    guard let node, !node.isNull else {
      return load(kind, kind.defaultName, leaves: leaves, at: span, chain: chain)
    }
    if let name = node.scalar { return load(kind, name, leaves: leaves, at: node.span, chain: chain) }
    guard let entries = node.entries else {
      context.log.add(Messages.wrongProfileForm(kind.rawValue, node))
      return nil
    }
    let isDerived = entries.contains { $0.key.text == "base" || $0.key.text == "set" }
    guard isDerived else {
      guard var base = load(kind, kind.defaultName, leaves: leaves, at: node.span, chain: chain) else {
        return nil
      }
      base.tree = base.tree.merging(node, leaves: leaves, log: context.log)
      return base
    }
    guard
      let mapping = ValueReader(node, label: Messages.quoted(kind.rawValue), context: context).mapping(
        kind.derivation)
    else { return nil }
    // Not the default of the table, whose place nobody could find.
    let given = mapping.has("base") ? mapping.value("base")?.node : nil
    guard var base = resolve(kind, given, leaves: leaves, at: node.span, chain: chain)
    else {
      return nil
    }
    if let set = mapping.value("set")?.node, !set.isNull {
      guard set.entries != nil else {
        context.log.add(Messages.wrongForm("`set`", set, expected: "a mapping of paths and values"))
        return nil
      }
      base.tree = base.tree.merging(set, leaves: leaves, log: context.log)
    }
    return base
  }

  private mutating func load(
    _ kind: ProfileKind, _ name: String, leaves: Set<String>, at span: SourceSpan, chain: [String]
  ) -> Profile? {
    guard let source = find(kind, name, at: span) else { return nil }
    guard !chain.contains(source.name) else {
      context.log.add(Messages.profileInCircle(kind.rawValue, name, span))
      return nil
    }
    sources.append(source)
    guard var tree = YAMLComposer.compose(source, log: context.log) else { return nil }
    if let base = tree["base"] {
      // A file may be based on another: the rest of it overrides.
      guard let parent = resolve(kind, base, leaves: leaves, at: base.span, chain: chain + [source.name])
      else {
        return nil
      }
      let rest = (tree.entries ?? []).filter { $0.key.text != "base" }
      tree = parent.tree.merging(YAMLNode(.mapping(rest), span: tree.span), leaves: leaves, log: context.log)
    }
    return Profile(name: tree[kind.rawValue]?.scalar ?? name, tree: tree)
  }

  /// A name is looked for in the directories; a path is taken from the text that names it.
  private func find(_ kind: ProfileKind, _ name: String, at span: SourceSpan) -> SourceText? {
    if name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.contains("/") {
      let path = context.path(name, from: span)
      switch files.read(path, SourceText.sizeLimit) {
      case .success(let bytes): return SourceText(name: path, bytes: bytes, origin: .profile)
      case .failure(.tooLarge): context.log.add(Messages.fileTooLarge(path, at: span))
      case .failure(.failed(let reason)): context.log.add(Messages.cannotRead(path, reason, at: span))
      }
      return nil
    }
    var known: [String] = []
    for directory in files.directories {
      let path = "\(directory)/\(kind.directory)/\(name).yaml"
      if !name.isEmpty, case .success(let bytes) = files.read(path, SourceText.sizeLimit) {
        return SourceText(name: path, bytes: bytes, origin: .shipped)
      }
      for profile in files.profiles("\(directory)/\(kind.directory)") where !known.contains(profile) {
        known.append(profile)
      }
    }
    context.log.add(Messages.noSuchProfile(kind.rawValue, name, span, known: known.sorted()))
    return nil
  }
}
