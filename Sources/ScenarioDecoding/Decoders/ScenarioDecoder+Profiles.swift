import PushModel
import PushPolicy

// MARK: - Population and policies

extension ScenarioDecoder {
  mutating func readPopulation(
    _ scenario: MappingReader, _ overrides: [Setting], end: Double
  ) -> (source: PopulationSource, name: String)? {
    let node = scenario.value("population")?.node
    let scripted = node?["scripted"]
    if let node, scripted != nil, let other = node.entries?.first(where: { $0.key.text != "scripted" }) {
      context.log.add(
        Messages.unknownKey(
          other.key, in: "`population`", valid: ["scripted"],
          help: "put it into `scripted`, as `base: {\(other.key.text): …}`"))
    }
    let script = scripted.flatMap {
      ValueReader($0, label: "`scripted`", context: context).mapping(ScenarioKeys.scripted)
    }
    if scripted != nil, script == nil { return nil }
    let base = script == nil ? node : script?.value("base")?.node
    guard
      let profile = loader.resolve(
        .population, base, overrides: overrides, leaves: Self.populationTable.leaves, at: scenario.node.span)
    else { return nil }
    var read: [Parameterised<Population>] = []
    for tree in moved.trees(over: profile.tree, leaves: Self.populationTable.leaves, log: context.log) {
      read.append(
        Self.populationTable.decode(
          tree, label: "the population \(Messages.quoted(profile.name))", into: Population(),
          headers: ProfileKind.population.headers.names, context: context))
    }
    moved.check(read, log: context.log)
    let parameters = read[0]
    guard let script else { return (.drawn(parameters), profile.name) }
    let life = ScriptDecoder(context: context, end: end).read(script)
    return (.scripted(life, base: parameters), "scripted")
  }

  mutating func readPolicies(_ scenario: MappingReader, _ overrides: [Setting]) -> [PolicyProfile] {
    let node = scenario.value("policy")?.node
    if !chosen.isEmpty { return choose(among: node?.items ?? [node].compactMap(\.self), overrides) }
    guard let items = node?.items else {
      return [policy(node, overrides: overrides, at: scenario.node.span)?.profile].compactMap(\.self)
    }
    if items.isEmpty, let node { context.log.add(Messages.noPolicies(node.span)) }
    // Each is a file to read and a run of its own.
    let most = ScenarioKeys.policyCount
    if let node, items.count > most.upperBound {
      context.log.add(
        Messages.wrongCount("`policy`", node, expected: Messages.phrase(listOf: most), got: items.count))
      return []
    }
    return read(items, overrides)
  }

  /// The policies that the command line names: one that the scenario has, with what the scenario sets in it. To take
  /// another and drop in silence what the scenario sets would answer another question.
  private mutating func choose(among own: [YAMLNode], _ overrides: [Setting]) -> [PolicyProfile] {
    let changed = own.first(where: ProfileKind.policy.changes)
    var items: [YAMLNode] = []
    for name in chosen {
      let node = Self.named(name, on: "--policy")
      if let item = own.first(where: { ProfileKind.policy.base(of: $0) == name }) {
        items.append(item)
      } else if let changed {
        context.log.add(
          Messages.policyNotTheScenarios(
            name, node.span, changed: ProfileKind.policy.base(of: changed), at: changed.span.firstLine,
            canMove: own.count == 1 && changed["set"] != nil))
      } else {
        items.append(node)
      }
    }
    return read(items, overrides)
  }

  private mutating func read(_ items: [YAMLNode], _ overrides: [Setting]) -> [PolicyProfile] {
    var profiles: [PolicyProfile] = []
    for item in items {
      guard let profile = policy(item, overrides: overrides, at: item.span)?.profile else { continue }
      if profiles.contains(where: { $0.name == profile.name }) {
        context.log.add(Messages.policyTwice(profile.name, item))
      }
      profiles.append(profile)
    }
    return profiles
  }

  mutating func policy(
    _ node: YAMLNode?, overrides: [Setting], at span: SourceSpan
  ) -> (profile: PolicyProfile, summary: String)? {
    guard
      let profile = loader.resolve(
        .policy, node, overrides: overrides, leaves: Self.policyTable.leaves, at: span)
    else { return nil }
    moved.note(profile.name, profile.tree, leaves: Self.populationTable.leaves, log: context.log)
    let parameters = Self.policyTable.decode(
      profile.tree, label: "the policy \(Messages.quoted(profile.name))", into: Policy(),
      headers: ProfileKind.policy.headers.names + [MovedSurroundings.key], context: context)
    return (PolicyProfile(name: profile.name, parameters: parameters), profile.tree["summary"]?.scalar ?? "")
  }
}
