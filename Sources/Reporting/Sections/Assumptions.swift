public import Experiments
public import PushModel
import PushPolicy
import Quantities

/// What the answer stands on: the parameters that nobody outside Apple knows, or that no source states.
public enum Assumptions {
  public struct Item: Sendable {
    /// From the scenario's root: `policy.hourly_budget.burst`, `population.settings.…`.
    public var path: String
    public var setting: ParameterSetting
  }

  /// Every parameter of the policy and the population that the run reads and that is assumed or could not be verified, in
  /// their order.
  public static func list(_ scenario: Scenario, policy: String) -> [Item] {
    all(scenario, policy: policy).filter { $0.setting.evidence.isAssumption }
  }

  /// Every parameter that the run reads.
  static func all(_ scenario: Scenario, policy: String) -> [Item] {
    let input = scenario.input
    guard let index = input.policies.firstIndex(where: { $0.name == policy }) else { return [] }
    let use = ParameterUse(input, policy: index)
    let items =
      input.policies[index].parameters.settings.map { Item(path: "policy." + $0.path, setting: $0) }
      + input.population.parameters.settings.map { Item(path: "population." + $0.path, setting: $0) }
    return items.filter { use.reads($0.path) }
  }

  /// The assumptions behind what ended most pushes and refused most tasks: a few of each mechanism beside pushes, then
  /// those of the factors that ended, held or refused, and of the parts of the population that lead there, the weightiest
  /// first.
  static func thatMatter(_ scenario: Scenario, _ run: PolicyRun, limit: Int) -> [Item] {
    var weights = [Int64](repeating: 0, count: Reason.count)
    for strategy in run.strategies {
      for fate in Fate.allCases {
        for index in weights.indices {
          weights[index] += strategy.total.reasonCount(fate, Reason(index: index))
        }
      }
      for task in strategy.tasks {
        for (reason, count) in strategy.total.tasks[Int(task.rawValue)].reasons {
          if let factor = reason.factor { weights[Int(factor.rawValue)] += count }
        }
      }
    }
    let ranked = weights.indices.filter { weights[$0] > 0 }.sorted { (weights[$1], $0) < (weights[$0], $1) }
    var prefixes: [String] = []
    for index in ranked {
      if index < FactorID.allCases.count { prefixes.append("policy." + FactorID.allCases[index].name + ".") }
      prefixes += related(to: Reason(index: index)).map { "population." + $0 }
    }
    let assumed = list(scenario, policy: run.policy)
    var items: [Item] = []
    for rules in mechanisms(run) {
      items += assumed.filter { $0.path.hasPrefix("policy.\(rules).") }.prefix(2)
    }
    for prefix in prefixes {
      for item in assumed
      where item.path.hasPrefix(prefix) && !items.contains(where: { $0.path == item.path }) {
        items.append(item)
      }
    }
    return Array(items.prefix(limit))
  }

  /// The rules of the mechanisms beside background and alert pushes that the strategies use.
  private static func mechanisms(_ run: PolicyRun) -> [String] {
    func uses(_ rules: String, _ isUsed: (Strategy) -> Bool) -> [String] {
      run.strategies.contains { isUsed($0.strategy) } ? [rules] : []
    }
    return uses("app_refresh") { $0.appRefresh != nil } + uses("processing_task") { $0.processingTask != nil }
      + uses("background_download") { $0.backgroundDownload != nil }
      + uses("voip_report") { $0.voipPush != nil } + uses("voip") { $0.voipPush != nil }
      + uses("service_extension") { $0.alerts.serviceExtension != nil }
      + uses("content_extension") { $0.alerts.contentExtension != nil }
  }

  /// The parts of a population that lead to a reason.
  private static func related(to reason: Reason) -> [String] {
    if reason.index >= FactorID.allCases.count { return ["connectivity.", "churn."] }
    switch FactorID.allCases[reason.index] {
    case .refreshSwitch: return ["settings.background_app_refresh_off"]
    case .forceQuit: return ["settings.force_quit"]
    case .lowPowerMode: return ["low_power_mode."]
    case .batteryLevel: return ["battery."]
    case .cpuLoad: return ["cpu."]
    case .usageHistory: return ["classes.", "app_use."]
    case .powerNap: return ["mac.", "ipad."]
    case .firstUnlock: return ["restart."]
    case .network: return ["connectivity."]
    default: return []
    }
  }
}
