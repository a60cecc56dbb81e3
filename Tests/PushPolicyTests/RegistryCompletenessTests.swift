import Foundation
import PushPolicy
import Quantities
import ScenarioDecoding
import Testing

/// Everything that belongs to a policy factor: what a new one forgot is found here.
private struct FactorInventory {
  /// The texts of `Sources/PushPolicy/Factors`, by type.
  var sources: [String: String] = [:]
  /// The types of which `Tests/PushPolicyTests/Factors` has tests.
  var tested: Set<String> = []
  /// The texts of `Scenarios/policies`, by name.
  var profiles: [String: String] = [:]
  var registry = FactorRegistry.all

  /// What lies in the repository.
  static func read() throws -> FactorInventory {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      .standardizedFileURL
    func files(_ directory: String, _ ending: String) throws -> [(name: String, text: String)] {
      let all = try FileManager.default.contentsOfDirectory(
        at: root.appending(path: directory), includingPropertiesForKeys: nil)
      return try all.filter { $0.lastPathComponent.hasSuffix(ending) }.map {
        (String($0.lastPathComponent.dropLast(ending.count)), try String(contentsOf: $0, encoding: .utf8))
      }
    }
    var inventory = FactorInventory()
    for file in try files("Sources/PushPolicy/Factors", ".swift") { inventory.sources[file.name] = file.text }
    for file in try files("Scenarios/policies", ".yaml") { inventory.profiles[file.name] = file.text }
    inventory.tested = Set(try files("Tests/PushPolicyTests/Factors", "Tests.swift").map(\.name))
    return inventory
  }

  /// What is missing, each in a sentence that says where.
  var missing: [String] {
    var missing: [String] = []
    let bySource = Dictionary(
      sources.compactMap { type, text in factorID(text).map { ($0, type) } }, uniquingKeysWith: { a, _ in a })
    for (type, text) in sources.sorted(by: { $0.key < $1.key }) {
      missing += missingHeadings(type, text)
      if !tested.contains(type) {
        missing.append("Tests/PushPolicyTests/Factors/\(type)Tests.swift does not exist")
      }
      guard let id = factorID(text) else {
        missing.append("\(type).swift: no `static let id = FactorID.…`")
        continue
      }
      if !registry.contains(where: { "\($0.id)" == id }) {
        missing.append("\(type) is not in FactorRegistry.all")
      }
    }
    for factor in registry where bySource["\(factor.id)"] == nil {
      missing.append("\(factor.id.name) is in the registry, but has no file in Sources/PushPolicy/Factors")
    }
    for id in FactorID.allCases where !registry.contains(where: { $0.id == id }) {
      missing.append("FactorID.\(id) is not in FactorRegistry.all")
    }
    let order = registry.map(\.id.rawValue)
    if order != order.sorted() { missing.append("FactorRegistry.all is not in the order of FactorID") }
    // Read once: every parameter is looked up in them.
    let roots = profiles.compactMapValues { text in
      YAMLComposer.compose(SourceText(name: "profile", text: text), log: DiagnosticLog())
    }
    for name in profiles.keys.sorted() { missing += missingRows(name, roots) }
    return missing
  }

  private func factorID(_ text: String) -> String? {
    text.firstMatch(of: /static let id = FactorID\.(\w+)/).map { String($0.1) }
  }

  private func missingHeadings(_ type: String, _ text: String) -> [String] {
    let headings = [
      "What it models", "Rule", "Interactions", "Scope and limitations", "Validation", "Sources",
    ]
    return headings.compactMap { heading in
      // Something has to stand after the heading.
      let stands = text.split(separator: "\n").contains { line in
        guard let range = line.range(of: "/// **\(heading).** ") else { return false }
        return !line[range.upperBound...].isEmpty
      }
      return stands ? nil : "\(type).swift: no `**\(heading).**` in the doc comment"
    }
  }

  /// The parameters that belong to no factor.
  static let others = Policy.keys.filter { key in
    !FactorRegistry.all.contains { key.path.hasPrefix($0.id.name + ".") }
  }

  private func missingRows(_ name: String, _ roots: [String: YAMLNode]) -> [String] {
    var missing: [String] = []
    for key in registry.flatMap({ [$0.modeKey] + $0.keys }) + Self.others {
      let row = "Scenarios/policies/\(name).yaml: \(key.path)"
      guard let node = node(key.path, in: name, roots), !node.isNull else {
        missing.append("\(row) has no row")
        continue
      }
      guard node["value"] != nil else {
        missing.append("\(row) has no value with its evidence")
        continue
      }
      if node["source"]?.scalar?.isEmpty ?? true { missing.append("\(row) has no source") }
      guard let evidence = node["evidence"]?.scalar.flatMap(Evidence.init) else {
        missing.append("\(row) has no evidence")
        continue
      }
      if case .number = key.kind, evidence.isAssumption, node["prior"] == nil {
        missing.append("\(row) is \(evidence.rawValue) and has no prior")
      }
    }
    return missing
  }

  /// The node of a dotted path in a profile, or in the profile that it is based on.
  private func node(_ path: String, in name: String, _ roots: [String: YAMLNode]) -> YAMLNode? {
    guard let root = roots[name] else { return nil }
    var node: YAMLNode? = root
    for key in path.split(separator: ".") { node = node?[String(key)] }
    return node ?? root["base"]?.scalar.flatMap { self.node(path, in: $0, roots) }
  }
}

@Suite struct RegistryCompletenessTests {
  @Test func `no policy factor has forgotten anything`() throws {
    let inventory = try FactorInventory.read()
    #expect(inventory.sources.count == FactorID.allCases.count)
    #expect(!inventory.profiles.isEmpty)
    #expect(inventory.missing == [])
  }

  @Test(arguments: [
    "What it models", "Rule", "Interactions", "Scope and limitations", "Validation", "Sources",
  ])
  func `a heading that is missing or empty is named with its file`(heading: String) throws {
    for replacement in ["///", "/// **\(heading).**"] {
      var inventory = try FactorInventory.read()
      let text = try #require(inventory.sources["Charger"])
      inventory.sources["Charger"] = text.replacing(
        try Regex("/// \\*\\*\(heading)\\.\\*\\*.*"), with: replacement)
      #expect(inventory.missing == ["Charger.swift: no `**\(heading).**` in the doc comment"])
    }
  }

  @Test func `a factor without tests, without identifier or without registration is named`() throws {
    var untested = try FactorInventory.read()
    untested.tested.remove("Charger")
    #expect(untested.missing == ["Tests/PushPolicyTests/Factors/ChargerTests.swift does not exist"])

    var nameless = try FactorInventory.read()
    nameless.sources["Charger"]?.replace("static let id", with: "static let key")
    #expect(
      nameless.missing == [
        "Charger.swift: no `static let id = FactorID.…`",
        "charger is in the registry, but has no file in Sources/PushPolicy/Factors",
      ])

    var unregistered = try FactorInventory.read()
    unregistered.registry.removeAll { $0.id == .charger }
    #expect(
      unregistered.missing == [
        "Charger is not in FactorRegistry.all", "FactorID.charger is not in FactorRegistry.all",
      ])

    var disordered = try FactorInventory.read()
    disordered.registry.swapAt(3, 4)
    #expect(disordered.missing == ["FactorRegistry.all is not in the order of FactorID"])
  }

  @Test(arguments: [
    ("  limit:\n    value: 2.5 /h", "  other:\n    value: 2.5 /h", "has no row"),
    (
      "mode: {value: on, evidence: documented, source: \"C0-09, C0-10\"}", "mode: on",
      "has no value with its evidence"
    ),
    ("source: \"C0-09: 2–3 an hour; the middle is ours\"", "source: \"\"", "has no source"),
    ("evidence: documented\n    source: \"C0-09: ", "source: \"C0-09: ", "has no evidence"),
    ("prior: {uniform: [1, 4]}", "", "is assumed and has no prior"),
    (
      "evidence: assumed\n    source: \"no source; the shape",
      "evidence: given\n    source: \"no source; the shape", nil
    ),
  ])
  func `a row of a profile that lacks something is named with what it lacks`(
    text: String, replacement: String, lack: String?
  ) throws {
    var inventory = try FactorInventory.read()
    let guide = try #require(inventory.profiles["guide"])
    try #require(guide.contains(text))
    inventory.profiles["guide"] = guide.replacing(text, with: replacement)
    let missing = inventory.missing
    #expect(missing.count == (lack == nil ? 0 : 1))
    if let lack {
      #expect(missing.first?.hasPrefix("Scenarios/policies/guide.yaml: hourly_budget.") == true)
      #expect(missing.first?.hasSuffix(lack) == true)
    }
  }

  @Test func `a profile may leave rows to the one that it is based on`() throws {
    var inventory = try FactorInventory.read()
    inventory.profiles["derived"] = "policy: derived\nbase: guide\n"
    #expect(inventory.missing == [])
    inventory.profiles["derived"] = "policy: derived\nbase: nowhere\n"
    #expect(inventory.missing.count == Policy.keys.count)
  }

  @Test(arguments: FactorID.allCases)
  func `every factor is heard by the decision`(factor: FactorID) {
    let policy = testPolicy(only: factor)
    let outcome = answer(factor, policy)
    switch factor {
    case .foreground: #expect(outcome == "must")
    case .deviceInUse, .networkQuality, .score:
      // They are heard through the mean of all scores.
      #expect(outcome == "nothing")
      #expect(answer(factor, testPolicy(only: .score, .deviceInUse, .networkQuality)) == "score")
    case .charger:
      // It has nothing to say itself; it is heard through the factors that it relieves.
      for relieved in [FactorID.batteryLevel, .cpuLoad] {
        #expect(answer(.charger, testPolicy(only: relieved)) == relieved.name)
        #expect(answer(.charger, testPolicy(only: relieved, .charger)) == "nothing")
      }
    case .sustainedExcess:
      // Without a budget there is no limit to exceed.
      #expect(outcome == "nothing")
      #expect(answer(factor, testPolicy(only: factor, .hourlyBudget)) == factor.name)
    default: #expect(outcome == factor.name)
    }
    // With every factor off, nothing speaks.
    #expect(
      answer(factor, testPolicy(only: FactorID.foreground)) == (factor == .foreground ? "must" : "nothing"))
  }

  /// Who speaks, of the factors that count, in the situation for which a factor is made.
  private func answer(_ factor: FactorID, _ policy: Policy) -> String {
    var memory = freshMemory(policy)
    var asked = context()
    switch factor {
    case .foreground: asked.state.insert(.inFront)
    case .payload: asked.request = .alert
    case .backgroundMode: asked.backgroundModes = []
    case .forceQuit: asked.state.insert(.forceQuit)
    case .refreshSwitch: asked.state.insert(.refreshOff)
    case .firstUnlock: asked.state.remove(.unlockedSinceStart)
    case .network: asked.state.remove(.wifi)
    case .powerNap: asked.state.insert(.asleep)
    case .lowPowerMode: asked.state.insert(.lowPowerMode)
    case .batteryLevel: asked.state.insert(.batteryLow)
    case .charger: asked.state.formUnion([.charging, .batteryLow, .cpuBusy])
    case .cpuLoad: asked.state.insert(.cpuBusy)
    case .bootWindow: memory.boot.startedAt = noon - .seconds(10)
    case .herdWindow:
      memory.herd.since = noon - .seconds(10)
      asked.state.insert(.screenOn)
    case .camera: asked.state.insert(.camera)
    case .devicePool: for _ in 0..<10 { memory.pool.take(at: noon, policy.devicePool) }
    case .launchSpacing: for _ in 0..<3 { memory.spacing.spend(at: noon, policy.launchSpacing) }
    case .deviceInUse: asked.state.insert(.screenOn)
    case .networkQuality, .score:
      asked.state.remove(.wifi)
      asked.state.formUnion([.cellular, .screenOn])
    case .usageHistory: memory.use = UsageHistory.State()
    case .fetchFeedback: memory.feedback.missesInARow = 3
    case .sustainedExcess: for _ in 0..<7 { memory.excess.recordArrival(at: noon) }
    case .hourlyBudget: memory = exhaustedMemory(policy)
    case .voipRate, .voipReport:
      asked.request = .voip
      asked.backgroundModes = .voip
      if factor == .voipRate {
        memory.voipRate.lastTaken = noon - .seconds(10)
      } else {
        memory.voipReport.violations = 4
      }
    }
    var decision = decide(asked, memory: memory, policy: policy)
    _ = decision.resolve(isArrival: true) { _ in 0.999_999 }
    if decision.isMust { return "must" }
    return (decision.refusing.first ?? decision.holding.first)?.name ?? "nothing"
  }
}
