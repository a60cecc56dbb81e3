import PushPolicy
import Quantities

/// One push mechanism of the strategy on the device at hand: what it asks of APNs, and what provider and APNs know.
///
/// `Play` has one for each mechanism, by its index, whether or not the strategy uses it: whoever has a push has its
/// channel. `Play+APNs` fills it for each device and keeps what provider and APNs know; `Play+Timers` keeps its timers.
struct Channel: Sendable {
  let plan: PushPlan
  let request: PushRequest
  let payloadBytes: Int64
  /// Whether the policy lets it ask for a wake at all.
  var mayWake = true
  /// Tells apart the random streams of the mechanisms, each of which numbers its pushes from 0.
  let lane: UInt32
  var pushes: Int32 = 0
  /// The provider knows that the token is gone or bad.
  var sendingStopped = false
  var apns = APNsSide()
  /// Of the device at hand: counting within the tally would copy it each time.
  var apnsCounts = APNsMetrics()
  /// The next sends, of a mechanism that is not the first of its strategy.
  var sends: SendCursor?
  /// When the server sends again what the app has not acknowledged, and how often it has.
  var resendsAt = SimTime.distantFuture
  var resends = 0

  var nextSend: SimTime { sends?.time ?? .distantFuture }

  /// A device begins.
  mutating func begin(_ apns: APNsSide, mayWake: Bool) {
    self.apns = apns
    self.mayWake = mayWake
    pushes = 0
    sendingStopped = false
    resendsAt = .distantFuture
    resends = 0
  }

  init(_ plan: PushPlan) {
    self.plan = plan
    request = plan.request
    payloadBytes = Int64(plan.payloadBytes)
    lane = UInt32(plan.mechanism.rawValue)
  }
}

/// What the provider and APNs know of the device at hand.
struct APNsSide: Sendable {
  /// From a send to its request: the device's place in the provider's queue.
  var queueTime = SimDuration.zero
  var tokenIsBad = false
  /// Whether anything can speak against a request, or against its headers: mostly nothing can.
  var mayRefuse = false
  var mayRefuseHeaders = false
  /// Why this device's system ignores the strategy's pushes, if it does.
  var ignores: Reason?
  /// Requests that the device token has room for, and the most it ever has.
  var room = RefillingBudget(places: 0)
  var burst = 0.0
  /// Whether a power restriction of the device holds its pushes: one of priority 10 is handed over at once.
  var considersPower = false
  /// Priority 1 does not wake the device: it waits until somebody uses it.
  var waitsForUse = false
}

extension PushMechanism {
  /// The index of its channel and of its counts.
  var index: Int { Int(rawValue) }
}
