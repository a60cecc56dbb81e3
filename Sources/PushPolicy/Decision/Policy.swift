public import Quantities

/// The parameters of one policy profile: every factor's, and those of the processes around the decision. The values
/// come from the YAML files in `Scenarios/policies/`; the initial ones here are empty.
public struct Policy: Sendable {
  public var payload = Payload()
  public var powerNap = PowerNap()
  public var lowPowerMode = LowPowerMode()
  public var batteryLevel = BatteryLevel()
  public var charger = Charger()
  public var cpuLoad = CPULoad()
  public var usageHistory = UsageHistory()
  public var fetchFeedback = FetchFeedback()
  public var sustainedExcess = SustainedExcess()
  public var hourlyBudget = HourlyBudget()
  public var bootWindow = BootWindow()
  public var herdWindow = HerdWindow()
  public var camera = Camera()
  public var devicePool = DevicePool()
  public var launchSpacing = LaunchSpacing()
  public var deviceInUse = DeviceInUse()
  public var networkQuality = NetworkQuality()
  public var score = Score()
  public var voipRate = VoIPRate()
  public var voipReport = VoIPReport()

  public var execution = Execution()
  public var hold = HoldRule()
  public var apns = APNs()
  public var release = Release()
  public var appRefresh = AppRefresh()
  public var processingTask = ProcessingTask()
  public var backgroundDownload = BackgroundDownload()
  public var voip = VoIPPush()
  public var serviceExtension = ServiceExtension()
  public var contentExtension = ContentExtension()
  public var liveActivity = LiveActivity()
  public var widget = WidgetReload()

  /// A launch in the background.
  public struct Execution: Sendable {
    /// The longest time a launch may take. Unit: seconds.
    public var limit = 0.0
    /// Median of the time that the system grants to a launch. Unit: seconds.
    public var grantMedian = 0.0
    /// Standard deviation of the logarithm of that time; 0: every launch may take the limit.
    public var grantSigma = 0.0
    /// The shortest grant. Unit: seconds.
    public var grantShortest = 0.0
    public init() {}
  }

  /// What waits on the device.
  public struct HoldRule: Sendable {
    /// A hold ends in a discard after this time. Unit: seconds.
    public var deadline = 0.0
    /// A newer push takes the place of the one that is held.
    public var newestWins = false
    /// The chance that a push which arrives while the app runs for an earlier one joins that launch. Unit: dimensionless,
    /// 0 to 1.
    public var joinsLaunch = 1.0
    public init() {}
  }

  /// What makes the system decide again about held pushes, past spacing and score but never past a gate or the pool.
  /// Each is the chance that one such event does.
  public struct Release: Sendable {
    public var charger = 0.0
    public var otherNotification = 0.0
    public var unlock = 0.0
    /// Unit: per second.
    public var activityRate = 0.0
    public var activity = 0.0
    /// Unit: seconds.
    public var keepAliveInterval = 900.0
    public var keepAlive = 0.0
    public init() {}

    /// Rate of the releases that follow neither from the user nor from another app. Unit: per second.
    public var backgroundRate: Double {
      activityRate * activity + (keepAliveInterval > 0 ? keepAlive / keepAliveInterval : 0)
    }
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
      schedules = !enabled.union(shadowed).isDisjoint(with: FactorSet(FactorID.scheduler))
    }
  }
  /// The factors that count.
  public private(set) var enabled = FactorSet.all
  /// The factors that are only watched.
  public private(set) var shadowed: FactorSet = []
  /// Whether any of the scheduler's factors counts or is watched.
  public private(set) var schedules = true

  public init() {}

  /// Whether a connected charger counts in favour of the app.
  @inlinable @inline(__always)
  public func chargerRelieves(_ state: DeviceState) -> Bool {
    state.contains(.charging) && enabled.contains(.charger)
  }

  /// Whether a push with this payload may wake the app at all, as far as ``Payload`` counts.
  @inlinable
  public func mayWake(_ request: PushRequest) -> Bool {
    !enabled.contains(.payload) || payload.mayWake(request)
  }

  /// The parameters around the decision.
  public static let processKeys: [ParameterKey<Policy>] = [
    ParameterKey(
      "execution.limit", .number(.time, 1...3600, \.execution.limit),
      "longest time that a background launch may take"),
    ParameterKey(
      "execution.grant_median", .number(.time, 0.1...3600, \.execution.grantMedian),
      "median time that the system grants to a launch"),
    ParameterKey(
      "execution.grant_sigma", .number(.count, 0...3, \.execution.grantSigma),
      "spread (sigma of the logarithm) of the granted time; 0 means that every launch may take the limit"),
    ParameterKey(
      "execution.grant_shortest", .number(.time, 0...3600, \.execution.grantShortest),
      "shortest time that the system grants to a launch"),
    ParameterKey(
      "hold.deadline", .number(.time, 60...2_592_000, \.hold.deadline),
      "time after which the system discards a held push"),
    ParameterKey(
      "hold.newest_wins", .flag(\.hold.newestWins), "whether a newer push replaces a held one"),
    ParameterKey(
      "hold.joins_launch", .number(.proportion, 0...1, \.hold.joinsLaunch),
      "probability that a push which arrives while the app runs for another is handed to it at once"),
    ParameterKey(
      "release.charger", .number(.proportion, 0...1, \.release.charger),
      "probability that connecting a charger releases held pushes"),
    ParameterKey(
      "release.other_notification", .number(.proportion, 0...1, \.release.otherNotification),
      "probability that another app's notification releases held pushes"),
    ParameterKey(
      "release.unlock", .number(.proportion, 0...1, \.release.unlock),
      "probability that an unlock releases held pushes"),
    ParameterKey(
      "release.activity_rate", .number(.rate, 0...1, \.release.activityRate),
      "rate of other background work of the system"),
    ParameterKey(
      "release.activity", .number(.proportion, 0...1, \.release.activity),
      "probability that other background work of the system releases held pushes"),
    ParameterKey(
      "release.keep_alive_interval", .number(.time, 60...86_400, \.release.keepAliveInterval),
      "time between two keep-alives of the connection to APNs"),
    ParameterKey(
      "release.keep_alive", .number(.proportion, 0...1, \.release.keepAlive),
      "probability that a keep-alive of the connection to APNs releases held pushes"),
  ]

  /// Every parameter of a profile: each factor's mode and parameters in the registry's order, then the processes.
  public static let keys: [ParameterKey<Policy>] =
    FactorRegistry.all.flatMap { [$0.modeKey] + $0.keys } + processKeys + apnsKeys
    + AppRefresh.keys + ProcessingTask.keys + BackgroundDownload.keys
    + VoIPPush.keys + ServiceExtension.keys + ContentExtension.keys + LiveActivity.keys + WidgetReload.keys
}
