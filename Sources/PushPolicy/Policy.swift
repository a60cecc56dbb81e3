public import Quantities

/// The parameters of one policy profile: every factor's, and those of the processes around the decision. The values
/// come from the YAML files in `Scenarios/policies/`; the initial ones here are empty.
public struct Policy: Sendable {
  public var powerNap = PowerNap()
  public var lowPowerMode = LowPowerMode()
  public var batteryLevel = BatteryLevel()
  public var charger = Charger()
  public var cpuLoad = CPULoad()
  public var usageHistory = UsageHistory()
  public var fetchFeedback = FetchFeedback()
  public var sustainedExcess = SustainedExcess()
  public var hourlyBudget = HourlyBudget()

  public var execution = Execution()
  public var hold = HoldRule()
  public var apns = APNs()

  /// A launch in the background.
  public struct Execution: Sendable {
    /// The longest time a launch may take. Unit: seconds.
    public var limit = 0.0
    public init() {}
  }

  /// What waits on the device.
  public struct HoldRule: Sendable {
    /// A hold ends in a discard after this time. Unit: seconds.
    public var deadline = 0.0
    public init() {}
  }

  /// The mode of each factor, by its raw value: 0 on, 1 off, 2 shadow.
  public var modes = [Int](repeating: 0, count: FactorID.allCases.count) {
    didSet {
      enabled = []
      shadowed = []
      for factor in FactorID.allCases {
        switch FactorMode(rawValue: modes[Int(factor.rawValue)]) {
        case .on: enabled.insert(factor)
        case .shadow: shadowed.insert(factor)
        default: break
        }
      }
    }
  }
  /// The factors that count.
  public private(set) var enabled = FactorSet.all
  /// The factors that are only watched.
  public private(set) var shadowed: FactorSet = []

  public init() {}

  /// Whether a connected charger counts in favour of the app.
  @inlinable @inline(__always)
  public func chargerRelieves(_ state: DeviceState) -> Bool {
    state.contains(.charging) && enabled.contains(.charger)
  }

  /// The parameters around the decision.
  public static let processKeys: [ParameterKey<Policy>] = [
    ParameterKey(
      "execution.limit", .number(.time, 1...3600, \.execution.limit),
      "longest time a launch in the background may take"),
    ParameterKey(
      "hold.deadline", .number(.time, 60...2_592_000, \.hold.deadline),
      "time after which a held push is discarded"),
  ]

  /// Every parameter of a profile: each factor's mode and parameters in the registry's order, then the processes.
  public static let keys: [ParameterKey<Policy>] =
    FactorRegistry.all.flatMap { [$0.modeKey] + $0.keys } + processKeys + apnsKeys
}
