// `silent_push` is the word that people type for `background_push`. Everything after these lines knows one name only.

extension YAMLNode {
  /// The scenario with each mechanism under its own name.
  func withMechanismsByName(log: DiagnosticLog) -> YAMLNode {
    guard case .mapping(var entries) = content,
      let place = entries.firstIndex(where: { $0.key.text == "strategies" }),
      case .mapping(var strategies) = entries[place].value.content
    else { return self }
    for index in strategies.indices {
      guard case .mapping(var mechanisms) = strategies[index].value.content else { continue }
      for mechanism in mechanisms.indices {
        let written = mechanisms[mechanism].key
        let name = ScenarioKeys.strategy.name(of: written.text)
        guard name != written.text else { continue }
        if let other = mechanisms.first(where: { $0.key.text == name }) {
          log.add(Messages.sameKey(written, other.key))
        }
        mechanisms[mechanism].key.text = name
      }
      strategies[index].value.content = .mapping(mechanisms)
    }
    entries[place].value.content = .mapping(strategies)
    var node = self
    node.content = .mapping(entries)
    return node
  }
}

extension Setting {
  /// The setting with the mechanism in its path under its own name.
  var withMechanismByName: Setting {
    guard path.count > 2, path[0].text == "strategies" else { return self }
    var path = path
    path[2].text = ScenarioKeys.strategy.name(of: path[2].text)
    return Setting(path: path, value: value)
  }
}
