import Distributions
import PushPolicy

/// What a draw on a device is for: the one table of the streams that a device uses, beside those of whole replications.
///
/// Two draws that took the same stream would be the same number, and nothing would notice. So a stream of a device has
/// its name here and nowhere else (`Scripts/lint.sh`), and a test asks every name for its place. The places are part of
/// the results: never change one, only add.
///
/// Places are apart up to ``mostPushes`` pushes of a mechanism to a device, which the decoder of scenarios sees to.
enum DrawName {
  // Of a push, by its number.
  case send(UInt32)
  case transit(UInt32, attempt: UInt32)
  case verdict(UInt32, FactorID)
  case refusalOfPriority(UInt32)
  case refusalOfRate(UInt32, tries: UInt32)
  case refusalOfType(UInt32)
  case joinsLaunch(UInt32)
  case swallowed(UInt32)
  case softExpiry(UInt32)
  case slot(UInt32)
  case backOff(UInt32, tries: UInt32)
  case serviceExtension(UInt32)
  case reaction(UInt32)
  case call(UInt32)
  // Of a device under a mechanism.
  case placeAtProvider
  case ignoresPriority10
  case ignoresStylesOff
  case tokenBurst
  // Of a launch, a run of a task or a transfer, by its number.
  case handler(UInt32)
  case grant(UInt32)
  case download(UInt32)
  // Of a device.
  case systemTraits
  case backgroundReleases
  case release(second: UInt32)
  case refreshOpportunities
  case processingOpportunities
  case deadLinkOnWiFi(UInt32)
  case deadLinkOnCellular(UInt32)
  case restriction(UInt32)
  case poolTraits
  case refreshFading
  // Of the device's connection, and of a push that goes over it.
  case linkTraits
  case rest(UInt32)
  case slowWake(UInt32, attempt: UInt32)
  case storedLost(UInt32)
  case sharedEvent(UInt32)

  /// The most pushes of a mechanism to a device.
  static let mostPushes = SendSchedule.mostSends

  /// Purpose and item of the stream.
  @inline(__always)
  var place: (purpose: StreamPurpose, item: UInt32) {
    switch self {
    case .send(let number): (.send, number)
    // A second attempt is another draw of the same push.
    case .transit(let number, let attempt): (.transit, number &+ attempt << 28)
    case .verdict(let number, let factor): (.policy, number &* 64 &+ factor.streamNumber)
    case .refusalOfPriority(let number): (.policy, number &* 64 &+ 63)
    case .joinsLaunch(let number): (.policy, number &* 64 &+ 62)
    case .swallowed(let number): (.policy, number &* 64 &+ 61)
    case .refusalOfRate(let number, let tries): (.apns, number &* 32 &+ tries)
    case .refusalOfType(let number): (.apns, number | 1 << 29)
    case .softExpiry(let number): (.apns, number | 1 << 30)
    case .slot(let number): (.apns, number | 1 << 31)
    case .ignoresPriority10: (.apns, .max)
    case .ignoresStylesOff: (.apns, .max - 1)
    case .tokenBurst: (.apns, .max - 2)
    case .backOff(let number, let tries): (.provider, number &* 32 &+ tries)
    case .placeAtProvider: (.provider, .max)
    case .serviceExtension(let number): (.serviceExtension, number)
    case .reaction(let number): (.reaction, number)
    case .call(let number): (.call, number)
    case .handler(let number): (.handler, number)
    case .grant(let number): (.grant, number)
    case .download(let number): (.download, number)
    case .systemTraits: (.system, 0)
    case .backgroundReleases: (.release, 0)
    case .release(let second): (.release, 1 &+ second)
    case .refreshOpportunities: (.opportunity, 0)
    case .processingOpportunities: (.opportunity, 1)
    case .deadLinkOnWiFi(let number): (.link, number)
    case .deadLinkOnCellular(let number): (.link, 1 << 24 &+ number)
    case .restriction(let number): (.restriction, number)
    case .poolTraits: (.system, 1)
    case .refreshFading: (.opportunity, 2)
    case .linkTraits: (.link, .max)
    case .rest(let number): (.link, 2 << 24 &+ number)
    case .slowWake(let number, let attempt): (.link, 1 << 28 &+ attempt << 24 &+ number)
    case .storedLost(let number): (.link, 1 << 29 | number)
    case .sharedEvent(let index): (.sharedEvents, index)
    }
  }
}

/// What a draw of a device's life is for; see ``DrawName``.
enum LifeDrawName: CaseIterable {
  case traits, alertStyles, opens, opensBeforeHistory, sessions, sleep, stretches, screen
  case charging, plug, topup, nightCharge, lowPowerMode
  case network, outages, forceQuit, churn, cpu, powerNap, restart
  case screenUse, camera, otherNotifications, otherPushes

  var place: (purpose: StreamPurpose, item: UInt32) {
    switch self {
    case .traits: (.traits, 0)
    case .alertStyles: (.traits, 1)
    case .opens: (.opens, 0)
    case .opensBeforeHistory: (.opens, 1)
    case .sessions: (.sessions, 0)
    case .sleep: (.sleep, 0)
    case .stretches: (.sleep, 1)
    case .screen: (.screen, 0)
    case .charging: (.charging, 0)
    case .plug: (.charging, 1)
    case .topup: (.charging, 2)
    case .nightCharge: (.charging, 3)
    case .lowPowerMode: (.lowPowerMode, 0)
    case .network: (.network, 0)
    case .outages: (.network, 1)
    case .forceQuit: (.forceQuit, 0)
    case .churn: (.churn, 0)
    case .cpu: (.cpu, 0)
    case .powerNap: (.powerNap, 0)
    case .restart: (.restart, 0)
    case .screenUse: (.screenUse, 0)
    case .camera: (.camera, 0)
    case .otherNotifications: (.otherNotifications, 0)
    case .otherPushes: (.otherPushes, 0)
    }
  }
}

extension StreamFamily {
  /// - Parameter lane: of the mechanism, where several number theirs from 0 each.
  @inline(__always)
  func stream(device: UInt32, _ name: DrawName, lane: UInt32 = 0) -> RandomStream {
    let place = name.place
    return stream(device: device, place.purpose, item: place.item, lane: lane)
  }

  func stream(device: UInt32, _ name: LifeDrawName) -> RandomStream {
    let place = name.place
    return stream(device: device, place.purpose, item: place.item)
  }
}
