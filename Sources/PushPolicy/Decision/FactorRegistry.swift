public import Quantities

/// What the program's tables need to know of a factor.
public struct FactorDescription: Sendable {
  public let id: FactorID
  public let summary: String
  public let sources: String
  public let keys: [ParameterKey<Policy>]
  public let gates: GatedWork
  public let evaluate: @Sendable (DeliveryContext, AppMemory, Policy) -> Verdict
  /// The same of an app that stands elsewhere: nothing is copied.
  let judge: @Sendable (DeliveryContext, UnsafePointer<AppUnderPolicy>) -> Verdict

  init<Factor: PolicyFactor>(_ factor: Factor.Type) {
    id = factor.id
    summary = factor.summary
    sources = factor.sources
    keys = factor.keys
    gates = factor.gates
    evaluate = { context, memory, policy in Factor.evaluate(context, memory, policy) }
    judge = { context, app in Factor.evaluate(context, app) }
  }

  /// `on`, `off`, or `shadow`: evaluated and reported, not applied.
  public var modeKey: ParameterKey<Policy> {
    ParameterKey(
      id.name + ".mode", .choice(FactorMode.names, \.modes[Int(id.rawValue)]), "whether the factor counts")
  }
}

/// All policy factors, in the order in which they are named when several hold a push.
public enum FactorRegistry {
  public static let all: [FactorDescription] = [
    FactorDescription(Foreground.self),
    FactorDescription(Payload.self),
    FactorDescription(BackgroundMode.self),
    FactorDescription(ForceQuit.self),
    FactorDescription(RefreshSwitch.self),
    FactorDescription(FirstUnlock.self),
    FactorDescription(Network.self),
    FactorDescription(PowerNap.self),
    FactorDescription(LowPowerMode.self),
    FactorDescription(BatteryLevel.self),
    FactorDescription(Charger.self),
    FactorDescription(BootWindow.self),
    FactorDescription(HerdWindow.self),
    FactorDescription(Camera.self),
    FactorDescription(CPULoad.self),
    FactorDescription(DevicePool.self),
    FactorDescription(LaunchSpacing.self),
    FactorDescription(UsageHistory.self),
    FactorDescription(DeviceInUse.self),
    FactorDescription(NetworkQuality.self),
    FactorDescription(Score.self),
    FactorDescription(FetchFeedback.self),
    FactorDescription(SustainedExcess.self),
    FactorDescription(HourlyBudget.self),
    FactorDescription(VoIPRate.self),
    FactorDescription(VoIPReport.self),
  ]

  /// The factors that stop a kind of work.
  static func gates(of work: GatedWork) -> FactorSet {
    FactorSet(all.filter { !$0.gates.isDisjoint(with: work) }.map(\.id))
  }
}
