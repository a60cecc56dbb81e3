import Distributions
import PushPolicy
import Quantities

/// What APNs stores for the device at hand: one push of each topic. Alerts and background pushes share the app's; VoIP
/// pushes have their own.
///
/// `Play+APNs` alone puts pushes in and takes them out.
struct StoredPushes: Sendable, BitwiseCopyable {
  private(set) var ofApp: Push?
  private(set) var ofCalls: Push?

  var isEmpty: Bool { ofApp == nil && ofCalls == nil }

  /// The slot of the mechanism's topic.
  subscript(mechanism: PushMechanism) -> Push? {
    get { mechanism == .voip ? ofCalls : ofApp }
    set { if mechanism == .voip { ofCalls = newValue } else { ofApp = newValue } }
  }
}

/// The device's links to APNs, which all apps and mechanisms share.
///
/// `Play+Links` draws what they are on the device at hand; `Play+APNs` asks and changes them.
struct DeviceLinks: Sendable {
  /// Whether a link may be dead without APNs noticing, and since when it has been what it is.
  var mayBeDead = false
  var connectedSince = SimTime.distantPast
  /// Whether the Low Power Mode at hand declares a power restriction, and the number of the next.
  var isRestricted = false
  var lowPowerModes: UInt32 = 0
  var wifi = DeadLink()
  var cellular = DeadLink()
  var rests = Rests()
  /// When a rest ends that keeps a push at APNs.
  var restEnds = SimTime.distantFuture
  /// The share of pushes that find this device slow to wake.
  var slowWake = 0.0
  /// Whether the device loses pushes that were stored for it.
  var losesStored = false
}

/// The times at which the connection of the device rests, and the pauses between them, both exponential. What ends a rest
/// begins them anew, with draws of its own, so that they are the same under every strategy.
struct Rests: Sendable {
  /// How often the connection comes to rest while it may. Unit: per second; 0: never.
  var rate = 0.0
  /// How often something has ended a rest, or would have.
  private var wakings: UInt32 = 0
  private var from = SimTime.zero
  private(set) var until = SimTime.zero
  private var draws = RandomStreamBox()

  init(rate: Double = 0) { self.rate = rate }

  mutating func end(at now: SimTime) {
    wakings += 1
    (from, until) = (now, now)
    draws.stream = nil
  }

  /// - Parameter length: the mean. Unit: seconds.
  mutating func isAtRest(at now: SimTime, length: Double, device: UInt32, _ streams: StreamFamily) -> Bool {
    if draws.stream == nil { draws.stream = streams.stream(device: device, .rest(wakings)) }
    while until <= now {
      from = until + SimDuration(seconds: min(draws.unitExponential() / rate, 1e9))
      until = from + SimDuration(seconds: draws.unitExponential() * length) + .seconds(1)
    }
    return from <= now
  }
}

/// The times at which the link over one interface is dead, one after the other.
struct DeadLink: Sendable {
  /// How many times there were so far.
  var number: UInt32 = 0
  var from = SimTime.zero
  var until = SimTime.zero

  /// Moves on to the first time that ends after `now`.
  ///
  /// - Parameters:
  ///   - rate: per second.
  ///   - length: the mean. Unit: seconds.
  mutating func advance(
    to now: SimTime, rate: Double, length: Double, isOnWiFi: Bool, device: UInt32, _ streams: StreamFamily
  ) {
    while until <= now {
      var stream = streams.stream(
        device: device, isOnWiFi ? .deadLinkOnWiFi(number) : .deadLinkOnCellular(number))
      number += 1
      from = until + SimDuration(seconds: min(stream.unitExponential() / rate, 1e9))
      until = from + SimDuration(seconds: stream.unitExponential() * length) + .seconds(1)
    }
  }
}
