import PushPolicy

/// What a policy of the scheduler is called in the simulator.
struct PolicyMeaning {
  /// The name without blanks and without `Policy` at its end.
  let policy: String
  /// What the condition must hold; nil: any condition, or none.
  let condition: String?
  let factor: FactorID?
  /// Where the log does not say which.
  var candidates: [FactorID] = []
  let rule: Rule

  /// The first row that fits counts.
  static let rows: [PolicyMeaning] = [
    PolicyMeaning(policy: "ThunderingHerd", condition: "deviceInUse", factor: .herdWindow, rule: .herdInUse),
    PolicyMeaning(policy: "ThunderingHerd", condition: "< 900", factor: .herdWindow, rule: .herdInUse),
    PolicyMeaning(policy: "ThunderingHerd", condition: "< 300", factor: .bootWindow, rule: .herdAfterRestart),
    PolicyMeaning(policy: "MemoryPressure", condition: "cameraIsActive", factor: .camera, rule: .held),
    PolicyMeaning(policy: "DeviceActivity", condition: nil, factor: .deviceInUse, rule: .inUse),
    PolicyMeaning(policy: "CPUUsage", condition: nil, factor: .cpuLoad, rule: .inUse),
    PolicyMeaning(
      policy: "NetworkQuality", condition: "networkPathAvailability", factor: .network, rule: .held),
    PolicyMeaning(policy: "NetworkQuality", condition: "", factor: .networkQuality, rule: .held),
    PolicyMeaning(policy: "BatteryLevel", condition: nil, factor: .batteryLevel, rule: .held),
    PolicyMeaning(policy: "ChargerPluggedIn", condition: nil, factor: .charger, rule: .held),
    PolicyMeaning(policy: "LowPowerMode", condition: nil, factor: .lowPowerMode, rule: .lowPower),
    PolicyMeaning(policy: "ActivityRateLimit", condition: nil, factor: .launchSpacing, rule: .rateLimit),
    PolicyMeaning(policy: "ActivityGroup", condition: nil, factor: nil, rule: .rateLimit),
    PolicyMeaning(policy: "PowerNap", condition: nil, factor: .powerNap, rule: .held),
    PolicyMeaning(
      policy: "Application", condition: "pushDisallowed", factor: nil,
      candidates: [.forceQuit, .refreshSwitch],
      rule: .pushDisallowed),
  ]

  private static let standing: [FactorID] = [
    .usageHistory, .launchSpacing, .devicePool, .forceQuit, .refreshSwitch,
  ]

  static func normalised(_ name: String) -> String {
    var name = String(name.filter { $0 != " " })
    if name.hasSuffix("Policy") { name.removeLast(6) }
    return name
  }

  /// What an objection means; an objection that was cut off before its reason means no more than its policy's name.
  static func of(_ policy: String, _ condition: String?, isCutOff: Bool, _ kind: Story.Kind) -> PolicyMeaning
  {
    let name = normalised(policy)
    let row = rows.first { row in
      guard row.policy == name else { return false }
      guard let wanted = row.condition else { return true }
      guard let condition, !isCutOff else { return false }
      return wanted.isEmpty || contains(condition, wanted)
    }
    if let row { return row }
    // An app's standing is not split up; a refresh task draws on no pool for pushes.
    let isStanding = name == "Application" && condition == nil && !isCutOff
    let candidates = !isStanding ? [] : kind == .push ? standing : standing.filter { $0 != .devicePool }
    return PolicyMeaning(
      policy: name, condition: nil, factor: nil, candidates: candidates,
      rule: isStanding ? .standing : .held)
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    let text = Array(text.utf8)
    let part = Array(part.utf8)
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
  }
}
