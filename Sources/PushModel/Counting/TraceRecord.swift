public import PushPolicy
public import Quantities

/// One thing that happened in a play, for explanations and tests. Recording costs nothing when nobody listens.
public struct TraceRecord: Sendable {
  public enum Event: Sendable {
    case sent
    /// APNs answered with an error, and the provider will try again.
    case answered(Reason)
    /// Stored at APNs: the device is not reachable, or it is and considers power.
    case stored(isReachable: Bool)
    /// Handed to the device.
    case arrived
    /// The policy was asked: everything it needed to know, and its answer. `draws` are the uniform variates drawn.
    case decided(
      DeliveryContext, AppMemory, Decision, draws: [(factor: FactorID, uniform: Double, probability: Double)])
    /// The service extension is done with an alert.
    case extensionEnded(ServiceExtension.Outcome)
    /// The app has handled a VoIP push.
    case called(VoIPPush.Result)
    /// The end of the push.
    case ended(Fate, Reason?)
    /// The app was launched, or an app in the front got the pushes; `handled` counts them.
    case launched(inForeground: Bool, result: LaunchResult, runTime: SimDuration, handled: Int)
    /// The system had an opportunity for a task.
    case opportunity(TaskMechanism, TaskVerdict, runs: Bool)
    case handlerEnded(LaunchResult, reputation: Double)
    case opened(isFresh: Bool?, versionsBehind: Int)
    case changed(from: DeviceState, to: DeviceState, moment: Moment)
  }

  public var time: SimTime
  /// The push's mechanism.
  public var mechanism = PushMechanism.background
  /// The push's number among those that the mechanism sent to the device, from 0; nil for what concerns no single push.
  public var push: Int?
  public var event: Event
}

/// Somebody who wants to know what happens in a play.
public protocol PlayObserver: Sendable {
  /// Whether anybody listens; constant, so that the compiler leaves out what nobody hears.
  static var isListening: Bool { get }
  mutating func record(_ record: TraceRecord)
}

/// Nobody.
public struct NoObserver: PlayObserver {
  public static var isListening: Bool { false }
  public init() {}
  public mutating func record(_ record: TraceRecord) {}
}

/// Keeps everything.
public struct TraceObserver: PlayObserver {
  public static var isListening: Bool { true }
  public private(set) var records: [TraceRecord] = []
  public init() {}
  public mutating func record(_ record: TraceRecord) { records.append(record) }
}
