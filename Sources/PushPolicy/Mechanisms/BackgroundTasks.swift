public import Quantities

// Work in the background that the app asks for and the system starts when it likes: ``AppRefresh``, ``ProcessingTask``
// and ``BackgroundDownload``. As with pushes the rules here are pure; opportunities, probabilities and run times are
// drawn by the model.

/// What the system makes of an opportunity to run a task, or of a transfer that waits.
@frozen
public enum TaskVerdict: Equatable, Sendable, BitwiseCopyable {
  /// Nothing asks to be run yet: no request, its time has not come, the last run was too short ago, or there is no app
  /// or no running device.
  case notDue
  /// Not at this opportunity; the request stays.
  case refused(TaskReason)
  /// Runs with this probability (0 to 1), to be drawn once for this opportunity; else the request stays, for what lowers
  /// the probability most.
  case runs(probability: Double, mostlyFor: TaskReason? = nil)
}

/// Why a task is not started at an opportunity, or a run ends early: a policy factor, or what the request or the kind of
/// work asks for, which no factor's mode switches off.
@frozen
public struct TaskReason: Hashable, Sendable, BitwiseCopyable {
  /// The index in tallies: factors first, then the conditions.
  public let index: UInt8

  @inlinable public init(_ factor: FactorID) { index = factor.rawValue }
  private init(condition: Int) { index = UInt8(FactorID.allCases.count + condition) }

  // The conditions: each has its row in ``conditions``, at the place of its number.
  public static let requiresPower = TaskReason(condition: 0)
  public static let requiresNetwork = TaskReason(condition: 1)
  public static let needsIdle = TaskReason(condition: 2)
  public static let cpuCap = TaskReason(condition: 3)
  public static let onBattery = TaskReason(condition: 4)

  static let conditions: [(reason: TaskReason, name: String, meaning: String)] = [
    (.requiresPower, "requires_power", "the request asks for external power, and there was none"),
    (.requiresNetwork, "requires_network", "the request asks for a network, and there was none"),
    (.needsIdle, "needs_idle", "somebody used the device"),
    (.cpuCap, "cpu_cap", "the processor was busier than the cap for processing tasks"),
    (.onBattery, "on_battery", "without a charger the system takes only a share of the opportunities"),
  ]

  public static let allCases = (0..<FactorID.allCases.count + conditions.count).map(Self.init(index:))

  private init(index: Int) { self.index = UInt8(index) }

  /// Nil for a condition.
  public var factor: FactorID? { FactorID(rawValue: index) }

  /// The name in results.
  public var name: String { factor?.name ?? Self.conditions[condition].name }

  /// What the name means; nil for a factor, which has a summary of its own.
  public var meaning: String? { factor == nil ? Self.conditions[condition].meaning : nil }

  private var condition: Int { Int(index) - FactorID.allCases.count }
}

/// The probability that an opportunity is taken: factors below 1, each with what it is for.
struct TaskChance {
  var probability = 1.0
  var least = 1.0
  var reason: TaskReason?

  mutating func times(_ factor: Double, for reason: TaskReason) {
    probability *= factor
    guard factor < least else { return }
    least = factor
    self.reason = reason
  }

  var verdict: TaskVerdict { .runs(probability: min(1, max(0, probability)), mostlyFor: reason) }
}

/// What the system remembers of one mechanism of one app: one of its own for refreshes and one for processing tasks, for
/// each mode of background work keeps its own distance (W7).
public struct TaskMemory: Sendable {
  /// From when on the pending request may be met; distant future when none is pending.
  public var pendingFrom = SimTime.distantFuture
  /// Start of the last run.
  public var lastRun = SimTime.distantPast
  /// When the app came onto the device.
  public var installedAt = SimTime.distantPast
  /// What the runs earned the app with this mechanism.
  public var feedback = FetchFeedback.State()
  /// Whether refreshes stop on this device when the app is not opened, rather than fade: a trait of the device, drawn by
  /// the model.
  public var stopsUnused = true

  public init() {}

  /// The app submits a request. Another one of the same identifier is replaced (B2).
  ///
  /// - Parameter earliest: the earliest begin date, as a time from now.
  @inlinable
  public mutating func submit(at now: SimTime, earliest: SimDuration) { pendingFrom = now + earliest }

  /// The task is started: its request is used up, and the next one has to be submitted again (B2).
  @inlinable
  public mutating func recordRun(at now: SimTime) {
    lastRun = now
    pendingFrom = .distantFuture
  }

  /// The app is opened.
  public mutating func recordOpen(_ policy: borrowing Policy) { feedback.recordOpen(policy) }

  /// A run ended. A run that was cut short without an expiration handler counts as `timedOut` (B6), one that never said
  /// that it is done as `killed` (B5).
  ///
  /// - Parameter execution: that of the mechanism, for its limit.
  public mutating func recordResult(
    _ result: LaunchResult, runTime: SimDuration, at now: SimTime, execution: Policy.Execution,
    _ policy: borrowing Policy
  ) {
    feedback.recordResult(result, runTime: runTime, policy.fetchFeedback, limit: execution.limit)
    if result == .timedOut || result == .killed { feedback.stop(from: now, policy.fetchFeedback) }
  }

  /// The factor of the app's reputation on the probability of a run: 1 for an app of which nothing is known.
  @inlinable
  func pace(_ app: UnsafePointer<AppUnderPolicy>) -> Double {
    app.pointee.policy.enabled.contains(.fetchFeedback) ? feedback.reputation / feedback.slowdown : 1
  }

  /// Whether missed handlers have stopped the mechanism for a while.
  @inlinable
  func isStopped(at now: SimTime, _ app: UnsafePointer<AppUnderPolicy>) -> Bool {
    app.pointee.policy.enabled.contains(.fetchFeedback)
      && feedback.isStopped(at: now, after: app.pointee.policy.fetchFeedback.stopAfter)
  }
}

extension AppUnderPolicy {
  /// A task of any mechanism was started, or a finished transfer launched the app: it draws on the launches that the
  /// whole device shares (W6, S9), and on nothing that the app's pushes are counted by (W7: each mode by itself).
  @inlinable
  public mutating func recordTaskLaunch(at now: SimTime) {
    if policy.enabled.contains(.devicePool) { memory.pool.take(at: now, policy.devicePool) }
  }
}

/// The gates that tasks share with pushes: the same functions, so that a rule stands in one place.
enum TaskGates {
  /// The first of `gates`, in the registry's order, that would hold or refuse a push now.
  ///
  /// Whether it would do so for good does not matter: a task that is refused waits for the next opportunity.
  static func firstRefusing(
    _ gates: FactorSet, now: SimTime, state: DeviceState, _ app: UnsafePointer<AppUnderPolicy>
  ) -> TaskReason? {
    let asked = gates.intersection(app.pointee.policy.enabled)
    let context = DeliveryContext(
      now: now, state: state, request: .silent, backgroundModes: [.fetch, .processing], occasion: .recheck)
    var left = asked
    while let factor = left.first {
      if stops(FactorRegistry.all[Int(factor.rawValue)].judge(context, app)) { return TaskReason(factor) }
      left.remove(factor)
    }
    return nil
  }

  private static func stops(_ verdict: Verdict) -> Bool {
    switch verdict {
    case .hold, .never, .neverWithProbability: true
    case .abstain, .proceed, .mustDeliver, .holdWithProbability: false
    }
  }

  /// Whether there is an app that a running device could launch.
  static func isThere(_ state: DeviceState) -> Bool { state.isSuperset(of: [.installed, .poweredOn]) }

  /// The parameters of the time that a mechanism's runs get.
  static func executionKeys(
    _ mechanism: String, longest: Double, limit: any WritableKeyPath<Policy, Double> & Sendable,
    median: any WritableKeyPath<Policy, Double> & Sendable,
    sigma: any WritableKeyPath<Policy, Double> & Sendable,
    shortest: any WritableKeyPath<Policy, Double> & Sendable
  ) -> [ParameterKey<Policy>] {
    [
      ParameterKey(
        mechanism + ".limit", .number(.time, 1...longest, limit), "longest time that one run may take"),
      ParameterKey(
        mechanism + ".grant_median", .number(.time, 0.1...longest, median),
        "median time that the system grants to one run"),
      ParameterKey(
        mechanism + ".grant_sigma", .number(.count, 0...3, sigma),
        "spread (sigma of the logarithm) of the granted time; 0 means that every run may take the limit"),
      ParameterKey(
        mechanism + ".grant_shortest", .number(.time, 0...longest, shortest),
        "shortest time that the system grants to one run"),
    ]
  }
}
