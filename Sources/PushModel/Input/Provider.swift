public import PushPolicy
public import Quantities

/// The server that sends: how fast its requests reach APNs, and what it does with the answers.
///
/// As it stands every request is made at the instant of its send, what failed for want of a server is tried again as
/// the guides advise (C1-19), and a token that APNs calls unregistered or bad is sent to no more (C1-16).
public struct Provider: Sendable, Equatable {
  public var connections = 1
  /// Requests per connection; nil: what the policy says of providers. Unit: per second.
  public var rate: Double?
  /// Servers that each make authentication tokens of the one signing key: APNs counts the updates of a key, whoever
  /// makes them.
  public var servers = 1
  /// How many tokens each send goes to, one after the other: a device's place among them is its own, and the same for
  /// every send.
  public var audience = 1
  /// How often each server makes itself a new authentication token.
  public var tokenRefresh = SimDuration.minutes(40)
  public var retries = Retries()
  /// Whether a token answered with 410 is sent to no more.
  public var removesUnregistered = true
  /// Whether a token answered with 400 BadDeviceToken is sent to no more.
  public var removesBadTokens = true
  /// The share of devices whose token belongs to another environment: every request is answered with 400.
  public var badTokens = 0.0

  /// Which answers are followed by another try, and when.
  public struct Retries: Sendable, Equatable {
    /// Tries after the first.
    public var most = 3
    /// Before the first of them.
    public var delay = SimDuration.seconds(1)
    /// By which each delay is longer than the one before.
    public var factor = 2.0
    /// A random part of each delay, from 0 to this share, is left out.
    public var jitter = 0.0
    /// The status codes.
    public var statuses = [500, 503]
    public init() {}
  }

  public init() {}

  /// Requests per connection. Unit: per second.
  public func rate(under rules: Policy.APNs) -> Double { rate ?? rules.providerRate }

  /// The mean time between two new authentication tokens of the key. Unit: seconds.
  public var tokenUpdateInterval: Double { tokenRefresh.seconds / Double(servers) }

  /// From a send to the request of the device at a place in the queue.
  ///
  /// - Parameters:
  ///   - place: 0 for the first, below 1.
  ///   - rate: requests per connection. Unit: per second.
  public func queueTime(place: Double, rate: Double) -> SimDuration {
    guard audience > 1 else { return .zero }
    let before = (place * Double(audience)).rounded(.down)
    return SimDuration(seconds: before / (Double(connections) * rate))
  }

  /// From an answer to the next try.
  ///
  /// - Parameters:
  ///   - tries: how many tries there were after the first.
  ///   - uniform: for the jitter, below 1.
  public func backOff(after tries: Int, uniform: Double) -> SimDuration {
    var seconds = retries.delay.seconds
    for _ in 0..<tries { seconds = min(seconds * retries.factor, 30 * 86_400) }
    return SimDuration(seconds: seconds * (1 - retries.jitter * uniform))
  }

  /// Whether an answer is followed by another try.
  public func triesAgain(after status: Int, tries: Int) -> Bool {
    tries < retries.most && retries.statuses.contains(status)
  }
}

/// A time in which APNs answers every request with an error.
public struct Outage: Sendable, Equatable {
  /// The first instant.
  public var from: SimTime
  /// The first instant after it.
  public var until: SimTime
  public var answer: Reason

  public init(from: SimTime, until: SimTime, answer: Reason) {
    self.from = from
    self.until = until
    self.answer = answer
  }
}

/// The `apns-push-type` header.
public enum PushType: UInt8, Sendable {
  case alert
  case background
  /// No header.
  case missing
  case voip
  case liveActivity
  case widgets

  /// The value of the header, as Apple's metrics show it; a push without the header counts as an alert.
  public var name: String {
    switch self {
    case .missing: "alert"
    case .liveActivity: "liveactivity"
    default: "\(self)"
    }
  }
}

/// The `apns-topic` header.
public enum Topic: UInt8, Sendable {
  /// The app's.
  case own
  /// Another app's.
  case other
  /// No header.
  case missing
  case voip
}
