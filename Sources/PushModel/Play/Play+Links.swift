import Distributions
import Glibc
import PushPolicy
import Quantities

// What the device's links to APNs are, and when they are not what they seem: dead, at rest, or slow.

extension Play {
  /// Draws what the links of this device are.
  mutating func beginLinks() {
    links = DeviceLinks()
    let rules = setting.policy.apns
    links.mayBeDead = rules.deadLinkOnWiFi > 0 || rules.deadLinkOnCellular > 0
    guard rules.mayRest || rules.mayWakeSlowly || rules.mayLoseStored else { return }
    var stream = streams.stream(device: device, .linkTraits)
    let (slow, loses) = (stream.uniform(), stream.uniform())
    let odds = rules.restShare / (1 - rules.restShare) * exp(rules.restSigma * stream.unitGaussian())
    if rules.mayRest { links.rests.rate = odds / rules.restLength }
    if slow < rules.slowWakeDevices { links.slowWake = rules.slowWake }
    links.losesStored = loses < rules.storedLostDevices
  }

  /// Follows what ends a rest: an open of the app, the charger, a new connection.
  ///
  /// - Returns: whether something did.
  mutating func considerRest(changed: DeviceState, wasReachable: Bool, at now: SimTime) -> Bool {
    guard !changed.isDisjoint(with: [.inFront, .charging]) || wasReachable != state.isReachable else {
      return false
    }
    links.rests.end(at: now)
    return true
  }

  /// Whether the connection of a reachable device rests, so that APNs keeps what it has; if so, looks again at the end
  /// of the rest.
  mutating func rests(at now: SimTime) -> Bool {
    guard links.rests.rate > 0, state.isDisjoint(with: [.inFront, .charging]),
      links.rests.isAtRest(at: now, length: setting.policy.apns.restLength, device: device, streams)
    else { return false }
    links.restEnds = links.rests.until
    setNextTimer()
    return true
  }

  /// A rest is over.
  mutating func endRest(at now: SimTime) {
    links.restEnds = .distantFuture
    if state.isReachable { releaseStored(at: now) }
  }

  /// By how much the push comes late because the device is slow to wake; nobody waits on a device that is in use, or on
  /// its charger.
  mutating func wakingTime(_ push: Push) -> SimDuration {
    guard links.slowWake > 0, !state.isInUse, !state.contains(.charging) else { return .zero }
    var stream = streams.stream(
      device: device, .slowWake(UInt32(push.number), attempt: UInt32(push.attempts)), lane: push.lane)
    guard stream.bernoulli(links.slowWake) else { return .zero }
    let rules = setting.policy.apns
    return SimDuration(seconds: rules.slowWakeMedian * exp(rules.slowWakeSigma * stream.unitGaussian()))
  }

  /// Whether a push that was stored for a device off the network gets lost when it is back.
  mutating func losesStored(_ push: Push) -> Bool {
    guard links.losesStored else { return false }
    var stream = streams.stream(device: device, .storedLost(UInt32(push.number)), lane: push.lane)
    return stream.bernoulli(setting.policy.apns.storedLost)
  }

  /// Whether the link is dead and APNs believes it alive.
  mutating func isDead(at now: SimTime) -> Bool {
    let rules = setting.policy.apns
    // A device on both networks uses Wi-Fi.
    let isOnWiFi = state.contains(.wifi)
    let rate = isOnWiFi ? rules.deadLinkOnWiFi : rules.deadLinkOnCellular
    guard rate > 0 else { return false }
    var link = isOnWiFi ? links.wifi : links.cellular
    link.advance(
      to: now, rate: rate, length: rules.deadLinkLength, isOnWiFi: isOnWiFi, device: device, streams)
    if isOnWiFi { links.wifi = link } else { links.cellular = link }
    // Whatever made a new connection meanwhile brought it back to life.
    return link.from <= now && link.from >= links.connectedSince
  }
}

extension Policy.APNs {
  var mayRest: Bool { restShare > 0 }
  var mayWakeSlowly: Bool { slowWakeDevices > 0 && slowWake > 0 }
  var mayLoseStored: Bool { storedLostDevices > 0 && storedLost > 0 }
}
