public import Experiments
public import PushModel
import PushPolicy
import Quantities

/// Reads a scenario with all that it names, and what the command line sets in it.
public struct ScenarioDecoder {
  let context: DecodingContext
  var loader: ProfileLoader
  var moved = MovedSurroundings()
  private let name: String
  /// The policies that the command line names in place of the scenario's.
  var chosen: [String] = []

  /// - Parameters:
  ///   - path: the scenario's file.
  ///   - settings: the arguments of `--set`, in order.
  ///   - policies: the arguments of `--policy`, in order; none: the scenario's policies.
  ///   - log: gets every mistake; a scenario is returned only if there is none.
  public static func decode(
    path: String, settings: [String] = [], policies: [String] = [], files: ScenarioFiles, log: DiagnosticLog
  ) -> Scenario? {
    switch files.read(path, SourceText.sizeLimit) {
    case .success(let bytes):
      return decode(
        SourceText(name: path, bytes: bytes), settings: settings, policies: policies, files: files, log: log)
    case .failure(.tooLarge): log.add(Messages.fileTooLarge(path))
    case .failure(.failed(let reason)): log.add(Messages.cannotRead(path, reason, at: nil))
    }
    return nil
  }

  public static func decode(
    _ source: SourceText, settings: [String] = [], policies: [String] = [], files: ScenarioFiles,
    log: DiagnosticLog
  ) -> Scenario? {
    decode(source, settings: settings, policies: policies, varied: [], files: files, log: log)
  }

  /// - Parameter varied: what a study sets after the settings, with its text for the digest.
  static func decode(
    _ source: SourceText, settings: [String], policies: [String],
    varied: [(setting: Setting, text: String)], files: ScenarioFiles, log: DiagnosticLog
  ) -> Scenario? {
    var decoder = ScenarioDecoder(files: files, log: log, name: source.name)
    decoder.chosen = policies
    let parsed = settings.compactMap { Setting($0, log: log) }
    guard let root = YAMLComposer.compose(source, log: log), parsed.count == settings.count else {
      return nil
    }
    let choice = policies.map { "--policy \($0)" }
    let scenario = decoder.decode(
      root, source, settings: choice + settings + varied.map(\.text), parsed + varied.map(\.setting))
    return log.hasErrors ? nil : scenario
  }

  /// Reads a shipped policy profile.
  public static func policy(
    _ name: String, files: ScenarioFiles, log: DiagnosticLog
  ) -> (profile: PolicyProfile, summary: String)? {
    var decoder = ScenarioDecoder(files: files, log: log, name: name)
    let node = named(name, on: "command line")
    guard let resolved = decoder.policy(node, overrides: [], at: node.span) else { return nil }
    return log.hasErrors ? nil : resolved
  }

  /// Reads the population of a scenario that names none.
  public static func defaultPopulation(files: ScenarioFiles, log: DiagnosticLog) -> Parameterised<Population>?
  {
    let name = ProfileKind.population.defaultName
    var decoder = ScenarioDecoder(files: files, log: log, name: name)
    let node = named(name, on: "command line")
    guard
      let profile = decoder.loader.resolve(
        .population, node, overrides: [], leaves: populationTable.leaves, at: node.span)
    else { return nil }
    let population = populationTable.decode(
      profile.tree, label: "the population \(Messages.quoted(name))", into: Population(),
      headers: ProfileKind.population.headers.names, context: decoder.context)
    return log.hasErrors ? nil : population
  }

  /// A profile's name as the command line gives it.
  static func named(_ name: String, on text: String) -> YAMLNode {
    let source = SourceText(name: text, text: name, origin: .commandLine)
    let span = source.span(SourcePosition(line: 1, column: 1), length: max(1, name.unicodeScalars.count))
    return YAMLNode(.scalar(name, isQuoted: true), span: span)
  }

  private init(files: ScenarioFiles, log: DiagnosticLog, name: String) {
    context = DecodingContext(log: log, read: files.read)
    loader = ProfileLoader(files: files, context: context)
    self.name = name
  }

  static let populationTable = AnnotatedTable<Population>(Population.keys, name: "population")

  static let policyTable = AnnotatedTable<Policy>(Policy.keys, name: "policy")

  private mutating func decode(
    _ root: YAMLNode, _ source: SourceText, settings: [String], _ parsed: [Setting]
  ) -> Scenario? {
    var root = root.withMechanismsByName(log: context.log)
    let overrides = apply(parsed, to: &root)
    guard
      let mapping = ValueReader(root, label: "the scenario", context: context).mapping(ScenarioKeys.root)
    else { return nil }
    _ = mapping.integer("version")
    let name = mapping.text("scenario")
    if let name, name.allSatisfy(\.isWhitespace), let node = mapping.value("scenario")?.node {
      context.log.add(Messages.emptyText("`scenario`", node))
    }
    let question = mapping.text("question")
    if let question, question.allSatisfy(\.isWhitespace), let node = mapping.value("question")?.node {
      context.log.add(Messages.emptyText("`question`", node))
    }
    let experimentKeys = mapping.mapping("experiment")
    let experiment = experimentKeys.map(readExperiment)
    let end = experiment.map { ($0.warmUp + $0.duration).seconds } ?? .infinity
    // The policies first: what they say of their surroundings goes to the population.
    let policies = readPolicies(mapping, overrides[.policy] ?? [])
    let population = readPopulation(mapping, overrides[.population] ?? [], end: end)
    let app = mapping.has("app") ? mapping.mapping("app").map(readApp) : AppModel()
    let content = mapping.has("content") ? mapping.mapping("content").flatMap(ContentDecoder.content) : nil
    var provider = Provider()
    if mapping.has("provider"), let given = mapping.mapping("provider") {
      provider = ProviderDecoder.provider(given, over: provider)
    }
    let outages =
      mapping.has("apns")
      ? mapping.mapping("apns").map { ProviderDecoder.outages($0, end: end) } ?? [] : []
    let sharedEvents =
      mapping.has("shared_events")
      ? mapping.mapping("shared_events").flatMap(ProviderDecoder.sharedEvents) : nil
    let strategies = StrategyDecoder(
      context: context, hasContent: mapping.hasOrMeans("content"), provider: provider
    ).read(mapping)
    // Those with a mistake in them too: what names them is right.
    let names =
      mapping.has("strategies") ? mapping.value("strategies")?.node.entries?.map(\.key.text) ?? [] : []
    checkBaseline(mapping, names)
    let goals = GoalDecoder(
      context: context, strategies: strategies, names: names, hasContent: mapping.hasOrMeans("content"))
    var experimentSettings = experiment?.settings ?? ExperimentSettings()
    if let experimentKeys { goals.read(experimentKeys, into: &experimentSettings) }
    if end.isFinite { SendCount(log: context.log, root: root, length: end).check(strategies, content) }
    let expectations = readExpectations(mapping, names)
    var swept: [String] = []
    if mapping.has("sweep"), let node = mapping.value("sweep")?.node {
      swept = SweepDecoder(context: context).inputs(node).map(\.name)
    }
    guard !context.log.hasErrors, let experiment, let population, let app else { return nil }
    let digest = Digest.hex(
      [source.bytes] + loader.sources.map(\.bytes) + context.tables + settings.map { Array($0.utf8) })
    var input = ModelInput(
      population: population.source, policies: policies, app: app, content: content, strategies: strategies,
      seed: experiment.seed, warmUp: experiment.warmUp, duration: experiment.duration)
    input.outages = outages
    input.sharedEvents = sharedEvents
    let scenario = Scenario(
      name: name ?? "", question: question ?? "", input: input,
      experiment: experimentSettings, expectations: expectations, digest: digest,
      populationName: population.name, swept: swept, text: String(decoding: source.bytes, as: UTF8.self),
      assignments: parsed.flatMap { Self.keys(of: $0) })
    checkUncertainty(mapping, of: scenario)
    return scenario
  }

  /// The keys that a setting gives a value, as ``Scenario/assignments`` has them.
  private static func keys(of setting: Setting) -> [String] {
    let leaves =
      Set(policyTable.leaves.map { "policy." + $0 }).union(populationTable.leaves.map { "population." + $0 })
    func keys(_ path: String, _ node: YAMLNode) -> [String] {
      // What is set of a parameter is a value, also where it is a distribution or says more than the value.
      if leaves.contains(path) { return [path] }
      guard let entries = node.entries, !entries.isEmpty else { return [path] }
      return entries.flatMap { keys(join(path, $0.key.text), $0.value) }
    }
    func join(_ path: String, _ key: String) -> String {
      if path == "policy", key == MovedSurroundings.key { return "population." + key }
      let isWrapper = ["set", "base", "scripted"].contains(key)
      return (path == "policy" || path == "population") && isWrapper ? path : "\(path).\(key)"
    }
    guard let first = setting.path.first else { return [] }
    return keys(setting.path.dropFirst().reduce(first.text) { join($0, $1.text) }, setting.value)
  }

  /// Puts what the command line sets into the scenario, and returns what it sets in the profiles.
  private func apply(_ parsed: [Setting], to root: inout YAMLNode) -> [ProfileKind: [Setting]] {
    var overrides: [ProfileKind: [Setting]] = [:]
    for setting in parsed.map(\.withMechanismByName) {
      if !chosen.isEmpty, setting.path[0].text == "policy",
        setting.path.count == 1 || Self.profile(of: setting, in: root) == nil
      {
        context.log.add(Messages.policiesChosenTwice(setting.path[0].span))
      }
      if let kind = Self.profile(of: setting, in: root) {
        overrides[kind, default: []].append(setting)
      } else if setting.path.count > 2, setting.path[0].text == "strategies",
        let known = root["strategies"]?.entries?.map(\.key.text), !known.contains(setting.path[1].text)
      {
        // A whole strategy can be added, but part of one that does not exist is a slip.
        context.log.add(
          Messages.unknownStrategy(setting.path[1].text, setting.path[1].span, known: known))
      } else {
        root.apply(setting, log: context.log)
      }
    }
    // What was set may hold whole strategies.
    root = root.withMechanismsByName(log: context.log)
    return overrides
  }

  /// Whether a `--set` reaches into a profile rather than into what the scenario writes of it.
  private static func profile(of setting: Setting, in root: YAMLNode) -> ProfileKind? {
    guard setting.path.count > 1, let kind = ProfileKind(rawValue: setting.path[0].text) else { return nil }
    let written = root[kind.rawValue]
    switch setting.path[1].text {
    case "base", "set", "scripted": return nil
    default: return written?.items != nil && Int(setting.path[1].text) != nil ? nil : kind
    }
  }
}

// MARK: - App

extension ScenarioDecoder {
  private func readApp(_ mapping: MappingReader) -> AppModel {
    var app = AppModel()
    app.backgroundModes = []
    for item in mapping.list("background_modes") ?? [] {
      guard let mode = item.choice(ScenarioKeys.backgroundModes) else { continue }
      app.backgroundModes.formUnion(BackgroundModes(rawValue: 1 << UInt8(mode)))
    }
    app.syncsOnOpen = mapping.flag("syncs_on_open") ?? true
    guard let handler = mapping.mapping("handler") else { return app }
    app.handlerDuration = handler.distribution("duration")
    guard let result = handler.mapping("result") else { return app }
    let names = ScenarioKeys.resultNames
    var shares = names.map { result.quantity($0) }
    guard !shares.contains(nil), !result.hasUnknownKeys else { return app }
    var sum = shares.reduce(0) { $0 + ($1 ?? 0) }
    if result.has("rest") {
      guard let index = result.choice("rest") else { return app }
      if result.has(names[index]), let node = result.value("rest")?.node {
        context.log.add(
          Messages.restIsNamed(
            ShareGroup(rest: "rest", paths: names), names[index], node, at: result.span(ofKey: names[index])))
      }
      shares[index] = max(0, 1 - sum)
      sum = max(1, sum)
    }
    app.results.newData = shares[0] ?? 0
    app.results.noData = shares[1] ?? 0
    app.results.failed = shares[2] ?? 0
    app.results.neverCompletes = shares[3] ?? 0
    if !sharesAreWhole(sum) {
      let other = names.first { !result.has($0) }
      context.log.add(
        Messages.sharesDoNotAddUp(
          result.node.span.firstLine, "`result`", sum: sum,
          help: other.map { "add `rest: \($0)` to give it what is left" }))
    }
    return app
  }
}

// MARK: - Experiment and expectations

extension ScenarioDecoder {
  private struct Experiment {
    var settings = ExperimentSettings()
    var seed: UInt64 = 1
    var warmUp = SimDuration.zero
    var duration = SimDuration.zero
  }

  private func readExperiment(_ mapping: MappingReader) -> Experiment {
    var experiment = Experiment()
    experiment.settings.devices = mapping.integer("devices") ?? 1
    experiment.settings.replications = mapping.integer("replications") ?? 1
    experiment.settings.confidence = mapping.quantity("confidence") ?? 0.95
    experiment.settings.baseline = mapping.has("baseline") ? mapping.text("baseline") : nil
    experiment.settings.uncertainty =
      mapping.has("uncertainty") ? mapping.mapping("uncertainty").map(readUncertainty) : nil
    experiment.seed = readSeed(mapping)
    experiment.duration = SimDuration(seconds: mapping.quantity("duration") ?? 0)
    experiment.warmUp = SimDuration(seconds: mapping.quantity("warm_up") ?? 0)
    return experiment
  }

  private func readUncertainty(_ mapping: MappingReader) -> UncertaintySettings {
    UncertaintySettings(
      samples: mapping.integer("samples") ?? 2, replications: mapping.integer("replications") ?? 2,
      parameters: mapping.has("parameters") ? (mapping.list("parameters") ?? []).compactMap { $0.text() } : []
    )
  }

  /// Every path names a parameter that has a prior in one of the profiles.
  private func checkUncertainty(_ mapping: MappingReader, of scenario: Scenario) {
    guard scenario.experiment.uncertainty != nil, mapping.has("experiment"),
      let items = mapping.value("experiment")?.node["uncertainty"]?["parameters"]?.items
    else { return }
    for item in items {
      guard let pattern = item.scalar, !ParameterSpace.hasParameter(scenario, pattern: pattern) else {
        continue
      }
      let known = scenario.input.policies.indices.flatMap {
        ParameterSpace(scenario, policy: $0, patterns: ["*"]).parameters.map(\.path)
      }
      context.log.add(Messages.noUncertainParameter(pattern, item, known: known))
    }
  }

  /// All 64 bits, as on the command line.
  private func readSeed(_ mapping: MappingReader) -> UInt64 {
    guard let node = mapping.value("seed")?.node, let text = node.scalar else {
      return UInt64(mapping.integer("seed") ?? 1)
    }
    if let seed = UInt64(text) { return seed }
    if text.drop(while: { $0 == "-" }).utf8.allSatisfy({ 48...57 ~= $0 }), !node.isNull {
      context.log.add(Messages.wrongSeed(node))
    } else {
      _ = mapping.integer("seed")
    }
    return 1
  }

  private func checkBaseline(_ scenario: MappingReader, _ strategies: [String]) {
    guard scenario.has("experiment"), let experiment = scenario.value("experiment")?.node["baseline"],
      let name = experiment.scalar, !strategies.isEmpty, !strategies.contains(name)
    else { return }
    context.log.add(Messages.unknownStrategy(name, experiment.span, known: strategies))
  }

  private func readExpectations(_ scenario: MappingReader, _ strategies: [String]) -> [Expectation] {
    guard scenario.has("expect") else { return [] }
    let known = Set(strategies)
    return (scenario.list("expect") ?? []).compactMap { item in
      guard let mapping = item.mapping(ScenarioKeys.expectation) else { return nil }
      guard let strategy = mapping.text("strategy"), let name = mapping.text("metric") else { return nil }
      if !known.isEmpty, !known.contains(strategy), let node = mapping.value("strategy")?.node {
        context.log.add(Messages.unknownStrategy(strategy, node.span, known: strategies))
      }
      guard let metric = Metric.named(name) else {
        if let node = mapping.value("metric")?.node {
          context.log.add(Messages.unknownMetric(name, node.span, known: Metric.all.map(\.name)))
        }
        return nil
      }
      guard let (low, high) = bounds(mapping, metric) else { return nil }
      return Expectation(
        strategy: strategy, metric: name, low: low, high: high,
        source: mapping.has("source") ? mapping.text("source") : nil,
        interval: mapping.choice("interval") == 1 ? .plausible : .chance)
    }
  }

  private func bounds(_ mapping: MappingReader, _ metric: Metric) -> (Double, Double)? {
    func number(_ value: ValueReader?) -> Double? { value?.quantity(of: metric) }
    if mapping.has("within") {
      if let other = ["at_least", "at_most"].first(where: mapping.has) {
        context.log.add(Messages.bandTwice(other, mapping.span(ofKey: other)))
      }
      guard let items = mapping.list("within"), let low = number(items[0]), let high = number(items[1]) else {
        return nil
      }
      if low > high, let node = mapping.value("within")?.node {
        context.log.add(Messages.emptyBand(node.span))
      }
      return (low, high)
    }
    guard mapping.has("at_least") || mapping.has("at_most") else {
      if !mapping.hasUnknownKeys { context.log.add(Messages.noBand(mapping.node.span.firstLine)) }
      return nil
    }
    let low = mapping.has("at_least") ? number(mapping.value("at_least")) : -.infinity
    let high = mapping.has("at_most") ? number(mapping.value("at_most")) : .infinity
    guard let low, let high else { return nil }
    if low > high, let node = mapping.value("at_most")?.node {
      context.log.add(Messages.leastAboveMost(node.span))
    }
    return (low, high)
  }
}
