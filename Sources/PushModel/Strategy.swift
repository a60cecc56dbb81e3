public import Distributions
public import PushPolicy
public import Quantities

/// The app as far as the model knows it.
public struct AppModel: Sendable {
  public var backgroundModes: BackgroundModes = [.remoteNotification]
  /// Run time of the push handler; nil for the population's.
  public var handlerDuration: Distribution?
  /// Shares of new data, no data, failed and never completing; they add up to 1.
  public var results = HandlerShares()
  /// Whether the app loads what is new whenever it is opened.
  public var syncsOnOpen = true

  public init() {}
}

/// How the app's handler ends, as shares that add up to 1.
public struct HandlerShares: Sendable, Equatable {
  public var newData = 1.0
  public var noData = 0.0
  public var failed = 0.0
  public var neverCompletes = 0.0
  public init() {}
}

/// When a strategy sends.
public enum SendSchedule: Sendable {
  /// At `phase`, then every `interval`, each send later by a uniform delay from 0 to `jitter` of its own.
  case every(SimDuration, phase: SimDuration, jitter: SimDuration)
  /// At times of the day in the device's time zone, ascending.
  case atLocal([SimDuration])
  /// At times of the day in the server's time zone (UTC), ascending.
  case atServer([SimDuration])
  /// Unit: sends per second.
  case poisson(rate: Double)
  /// At each content update.
  case eachUpdate
  /// At these times from the start of the run, ascending.
  case at([SimDuration])
}

/// The `apns-expiration` header.
public enum Expiration: Sendable, Equatable {
  /// No header: stored as long as APNs stores.
  case absent
  /// 0: one attempt, never stored.
  case immediate
  /// Stored until this long after the send.
  case after(SimDuration)
}

/// The mechanism `background_push`.
public struct BackgroundPush: Sendable {
  public var send: SendSchedule
  public var priority = 5
  public var expiration = Expiration.absent
  public var collapseID: String?
  /// Unit: bytes.
  public var payloadBytes = 256
  public var request = PushRequest.silent
  /// The push type header; nil for the one that goes with the payload.
  public var type: PushType?
  public var topic = Topic.own
  public var provider = Provider()

  /// What the header says: `background` for a silent push, `alert` for all others, unless told otherwise.
  public var declaredType: PushType { type ?? (request == .silent ? .background : .alert) }

  public init(send: SendSchedule) { self.send = send }
}

/// A way to keep the app fresh: the mechanisms it combines. With none, the app loads what is new when it is opened.
public struct Strategy: Sendable {
  public var name: String
  public var backgroundPush: BackgroundPush?

  public init(name: String, backgroundPush: BackgroundPush? = nil) {
    self.name = name
    self.backgroundPush = backgroundPush
  }
}
