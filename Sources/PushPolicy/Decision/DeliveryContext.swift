public import Quantities

/// What a push asks for, as far as the policy cares.
public struct PushRequest: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable public static var contentAvailable: PushRequest { .init(rawValue: 1) }
  @inlinable public static var alert: PushRequest { .init(rawValue: 2) }
  @inlinable public static var sound: PushRequest { .init(rawValue: 4) }
  @inlinable public static var badge: PushRequest { .init(rawValue: 8) }
  /// A VoIP push: for PushKit, whatever else its payload has.
  @inlinable public static var voip: PushRequest { .init(rawValue: 16) }
  /// `mutable-content`: a notification service extension may change what is shown.
  @inlinable public static var mutableContent: PushRequest { .init(rawValue: 32) }
  /// For a Live Activity, whatever else its payload has: see ``LiveActivity``.
  @inlinable public static var liveActivity: PushRequest { .init(rawValue: 64) }
  /// For the app's widgets: see ``WidgetReload``.
  @inlinable public static var widgets: PushRequest { .init(rawValue: 128) }

  /// `content-available` and nothing that the user would notice.
  @inlinable public static var silent: PushRequest { .contentAvailable }
  /// Whether the user would notice it: an ordinary notification.
  @inlinable public var isVisible: Bool { rawValue & 0b1110 != 0 }
  /// Whether the system hands it to an extension of the app and never launches the app for it.
  @inlinable public var isForExtension: Bool { rawValue & 0b1100_0000 != 0 }
}

/// The background modes that the app declares.
public struct BackgroundModes: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable public static var remoteNotification: BackgroundModes { .init(rawValue: 1) }
  @inlinable public static var fetch: BackgroundModes { .init(rawValue: 2) }
  @inlinable public static var processing: BackgroundModes { .init(rawValue: 4) }
  @inlinable public static var voip: BackgroundModes { .init(rawValue: 8) }
}

/// The moment of a decision: the push, the device and the occasion. What the system remembers of the app comes beside
/// it as ``AppUnderPolicy``. Time reaches the policy as data.
@frozen
public struct DeliveryContext: Sendable, BitwiseCopyable {
  /// Why the policy is asked.
  @frozen
  public enum Occasion: UInt8, Sendable {
    /// The push has just arrived: the only occasion on which probabilities count.
    case arrival
    /// Something that holds it may have been lifted.
    case recheck
    /// As `recheck`, in the instant of a Power Nap wake.
    case powerNapWake
    /// As `recheck`, together with other work of the system: spacing and score do not count.
    case release
  }

  public var now: SimTime
  public var state: DeviceState
  public var request: PushRequest
  public var backgroundModes: BackgroundModes
  public var occasion: Occasion
  /// Until when the draw of ``UsageHistory`` at arrival holds this push; in the past when it does not.
  public var usageHeldUntil: SimTime
  /// Since when the push is held: `now` when it has just arrived.
  public var heldSince: SimTime

  @inlinable
  public init(
    now: SimTime, state: DeviceState, request: PushRequest, backgroundModes: BackgroundModes,
    occasion: Occasion,
    usageHeldUntil: SimTime = .distantPast, heldSince: SimTime? = nil
  ) {
    self.now = now
    self.state = state
    self.request = request
    self.backgroundModes = backgroundModes
    self.occasion = occasion
    self.usageHeldUntil = usageHeldUntil
    self.heldSince = heldSince ?? now
  }
}

/// What the system remembers of one app on one device: the state of every factor that has one.
public struct AppMemory: Sendable {
  public var budget = HourlyBudget.State()
  public var feedback = FetchFeedback.State()
  public var excess = SustainedExcess.State()
  public var use = UsageHistory.State()
  // Of the device, or only of profiles with the scheduler's factors.
  public var boot = BootWindow.State()
  public var herd = HerdWindow.State()
  public var pool = DevicePool.State()
  public var spacing = LaunchSpacing.State()
  // Of VoIP pushes: the first of the device, the second of the install.
  public var voipRate = VoIPRate.State()
  public var voipReport = VoIPReport.State()

  public init() {}
}

/// An app as the policy sees it: what the system remembers of it, and the parameters.
///
/// Both are a few hundred bytes, and it goes to every factor by its address: as values they were copied on the way into
/// functions that the compiler does not inline, which cost a quarter of a run. Not copyable, so that nothing copies it
/// by accident.
@frozen
public struct AppUnderPolicy: ~Copyable {
  public var memory: AppMemory
  public let policy: Policy

  @inlinable
  public init(memory: AppMemory, policy: Policy) {
    self.memory = memory
    self.policy = policy
  }

  /// Tokens per second that the budget refills.
  @inlinable public var refill: Double {
    @inline(__always) get {
      policy.enabled.contains(.fetchFeedback)
        ? policy.hourlyBudget.limit * memory.feedback.reputation : policy.hourlyBudget.limit
    }
  }

  /// Tokens of the budget at `now`.
  public func tokens(at now: SimTime) -> Double {
    memory.budget.tokens(at: now, refill: refill, burst: policy.hourlyBudget.burst)
  }

  /// The app is in the front: forgiven, and one more open is remembered.
  @inlinable
  public mutating func recordOpen(at now: SimTime) {
    memory.budget.settle(now, refill: refill, burst: policy.hourlyBudget.burst)
    memory.feedback.recordOpen(forgiveness: policy.fetchFeedback.forgiveness)
    memory.use.recordOpen(at: now, policy.usageHistory)
  }

  /// One launch in the background costs one token, whatever it handles.
  @inlinable
  public mutating func recordLaunch(at now: SimTime) {
    memory.budget.spend(now, refill: refill, burst: policy.hourlyBudget.burst)
    if policy.schedules { spend(at: now) }
  }

  /// A launch in the background ended.
  @inlinable
  public mutating func recordResult(_ result: LaunchResult, runTime: SimDuration, at now: SimTime) {
    memory.budget.settle(now, refill: refill, burst: policy.hourlyBudget.burst)
    memory.feedback.recordResult(
      result, runTime: runTime, policy.fetchFeedback, limit: policy.execution.limit)
    if result == .timedOut || result == .killed { memory.feedback.stop(from: now, policy.fetchFeedback) }
    if policy.schedules { slowDown(at: now) }
  }

  /// The launch draws on the device's pool and on the app's spacing.
  @usableFromInline
  mutating func spend(at now: SimTime) {
    memory.pool.take(at: now, policy.devicePool)
    memory.spacing.spend(at: now, policy.launchSpacing)
  }

  /// Missed handlers stretch the app's spacing.
  @usableFromInline
  mutating func slowDown(at now: SimTime) {
    memory.spacing.settle(at: now, policy.launchSpacing)
    memory.spacing.slowdown = policy.enabled.contains(.fetchFeedback) ? memory.feedback.slowdown : 1
  }
}

/// How a launch ended. The raw value is the index in tallies.
@frozen
public enum LaunchResult: UInt8, NamedByCase, Sendable, CaseIterable, BitwiseCopyable {
  case newData
  case noData
  case failed
  /// Not completed within its time; the app is terminated.
  case timedOut
  /// The completion handler was never called; the app is terminated when its time is up.
  case killed
}
