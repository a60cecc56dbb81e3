public import PushPolicy

/// What a log tells of one push, task or transfer.
public struct Story: Sendable {
  public enum Kind: String, Sendable {
    case push, refresh, processing, urlsession, cloudkit, voip, process
    case systemActivity = "system_activity"
    case serviceExtension = "service_extension"
  }

  /// What the log calls the app by.
  public enum AppName: String, Sendable {
    case bundle
    case taskIdentifier = "task identifier"
    case process = "process name only"
    case activity
  }

  /// How it ended, as far as the log shows.
  public enum Outcome: String, Sendable, CaseIterable {
    case launched, completed, allowed, superseded, cancelled, pending, dropped, killed
    case expiredPresumed = "expired_presumed"
    case noWakeAsked = "no_wake_asked"
  }

  /// Whose word a launch is, the best last.
  public enum Witness: String, Sendable, Comparable {
    case scheduler, process, app

    private var rank: Int { self == .scheduler ? 0 : self == .process ? 1 : 2 }
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
  }

  public enum Handler: String, Sendable {
    case unknown, completed, killed, overran
    case neverCompleted = "never_completed"
  }

  public struct Score: Sendable, Equatable {
    public var final: Double?
    public var threshold: Double?
    public var sum: Double?
    public var denominator: Double?
    public var belowOne: [(policy: String, score: Double)] = []

    public static func == (left: Self, right: Self) -> Bool {
      left.final == right.final && left.threshold == right.threshold && left.sum == right.sum
        && left.denominator == right.denominator
        && left.belowOne.map(\.policy) == right.belowOne.map(\.policy)
    }
  }

  public struct Payload: Sendable, Equatable {
    public var priority: Int?
    public var pushType: String?
    public var contentAvailable: Bool?
    public var isAlert: Bool?

    public init() {}
  }

  /// A policy that objected, from the first evaluation that shows it to the next that does not.
  public struct Hold: Sendable {
    public var policy: String
    public var condition: String?
    public var decision: SchedulerDecision
    public var factor: FactorID?
    /// What may be behind it, where the log does not say.
    public var candidates: [FactorID] = []
    public var from: LogTime
    public var to: LogTime?
    public var evidence: [Int] = []
    /// The record ended before the reason.
    public var isCutOff = false
    var key: UInt64 = 0
  }

  public struct Kill: Sendable, Equatable {
    public var namespace: String
    public var code: String
    public var at: LogTime?
  }

  public internal(set) var id: String
  public internal(set) var app: String?
  public internal(set) var appIs = AppName.bundle
  public internal(set) var kind: Kind
  public internal(set) var received: LogTime?
  public internal(set) var decided: LogTime?
  public internal(set) var holds: [Hold] = []
  public internal(set) var outcome = Outcome.pending
  public internal(set) var supersededBy: String?
  public internal(set) var launched: LogTime?
  public internal(set) var witness: Witness?
  public internal(set) var completed: LogTime?
  public internal(set) var handler: Handler?
  public internal(set) var score: Score?
  public internal(set) var payload = Payload()
  /// From when to when the scheduler may run it.
  public internal(set) var window: (from: LogTime, to: LogTime)?
  public internal(set) var earliest: LogTime?
  public internal(set) var isHardBlock = false
  /// An evaluation of it was cut off.
  public internal(set) var isTruncated = false
  /// Evaluations of which only the first line is there.
  public internal(set) var isFiltered = false
  public internal(set) var isInForeground = false
  public internal(set) var isShown = false
  public internal(set) var hasDebugger = false
  public internal(set) var wasEvaluated = false
  public internal(set) var kill: Kill?
  public internal(set) var factor: FactorID?
  public internal(set) var hints: [String] = []
  /// Numbers of physical lines, ascending.
  public internal(set) var evidence: [Int] = []
  /// One plain sentence.
  public internal(set) var verdict = ""
  /// What the log does not show of it.
  public internal(set) var missing: [String] = []
  /// The rules that speak to it.
  public internal(set) var rules: [Rule] = []

  // What the builder needs until the end of the log.
  var unknownCodes: [String] = []
  var request: String?
  var hasArrivalLine = false
  /// When the scheduler first spoke of it.
  var scheduled: LogTime?
  var submitted: LogTime?
  var passed: LogTime?
  var started: LogTime?
  var isStartedForSure = false
  var cancelled: LogTime?
  var didComplete = false
  var droppedAt: LogTime?
  var pid: Int32 = -1

  init(id: String, app: String?, kind: Kind, line: Int) {
    self.id = id
    self.app = app
    self.kind = kind
    evidence = [line]
  }

  /// Whether it has arrived, asks for a wake, and no activity of the scheduler's belongs to it yet.
  var isWaitingToBeSubmitted: Bool {
    kind == .push && scheduled == nil && payload.contentAvailable != false && droppedAt == nil
  }

  /// Whether a launch of its app may be its own.
  var mayBeLaunched: Bool {
    cancelled == nil && droppedAt == nil && !isHeld && (payload.contentAvailable != false || started != nil)
  }

  /// Whether it was let run, and its app is called like a process.
  func isOf(process: String) -> Bool {
    guard started != nil || passed != nil || witness != nil, let name = app?.split(separator: ".").last else {
      return false
    }
    return name.lowercased() == process.lowercased()
  }

  /// Keeps the earlier of two times.
  static func keepEarlier(_ time: inout LogTime?, _ other: LogTime) {
    if time.map({ ($0.seconds(since: other) ?? 0) > 0 }) ?? true { time = other }
  }

  public var isHeld: Bool { holds.contains { $0.to == nil } }

  /// The word of the simulator for this end; nil where it has none.
  public var fate: String? {
    switch outcome {
    case .launched, .completed, .killed: kind == .process ? nil : "delivered"
    case .superseded: "coalesced_on_device"
    case .pending: "pending"
    case .expiredPresumed: "discarded_by_policy"
    case .noWakeAsked, .allowed, .dropped, .cancelled: nil
    }
  }

  static let mostEvidence = 60

  mutating func add(_ line: Int) {
    guard evidence.last != line else { return }
    if evidence.count < Self.mostEvidence {
      evidence.append(line)
    } else {
      evidence[Self.mostEvidence - 1] = line
    }
  }
}

/// What the log shows of the device itself.
public struct DeviceEvent: Sendable {
  public enum Kind: String, Sendable {
    case reconnectBegan = "apns_reconnect_began"
    case idlePower = "idle_power_policy"
    case debugger = "debugger_attached"
    case gap = "log_gap"
  }

  public var kind: Kind
  public var at: LogTime?
  public var value: Int?
  public var line: Int
}
