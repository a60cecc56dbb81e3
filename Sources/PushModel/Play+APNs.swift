import Distributions
import EventKernel
import Glibc
import PushPolicy
import Quantities

/// One push mechanism of the strategy on the device at hand: what it asks of APNs, and what provider and APNs know.
///
/// A play has one at hand; the others of a strategy with several wait in `Play.parked` and change places with it for
/// their events. So a strategy with one mechanism, which is nearly every one, pays nothing for the others.
struct Channel: Sendable {
  let plan: PushPlan
  let mechanism: PushMechanism
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

  init(_ plan: PushPlan) {
    self.plan = plan
    mechanism = plan.mechanism
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
  /// Requests that the device token has room for, at `roomAt`.
  var room = 0.0
  var roomAt = SimTime.zero
  /// Whether a power restriction of the device holds its pushes: one of priority 10 is handed over at once.
  var considersPower = false
  /// Priority 1 does not wake the device: it waits until somebody uses it.
  var waitsForUse = false
}

/// The device's links to APNs, which all apps and mechanisms share.
struct DeviceLinks: Sendable {
  /// Whether a link may be dead without APNs noticing, and since when it has been what it is.
  var mayBeDead = false
  var connectedSince = SimTime.distantPast
  /// Whether the Low Power Mode at hand declares a power restriction, and the number of the next.
  var isRestricted = false
  var lowPowerModes: UInt32 = 0
  var wifi = DeadLink()
  var cellular = DeadLink()
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

// MARK: - Provider

// What asks a play a question is mutating all the same: lent, the whole play was copied for each question.

extension Play {
  mutating func beginAPNs() {
    channel.pushes = 0
    channel.sendingStopped = false
    channel.apns = APNsSide()
    channel.resendsAt = .distantFuture
    channel.resends = 0
    let push = channel.plan
    channel.apns.room = setting.policy.apns.tokenBurst
    channel.apns.ignores = push.request == .silent ? ignored(push) : nil
    channel.mayWake = setting.policy.mayWake(push.request)
    if push.provider.audience > 1 || push.provider.badTokens > 0 {
      // Two numbers of the device, the same under every strategy.
      var stream = streams.stream(device: device, .placeAtProvider, lane: channel.lane)
      channel.apns.queueTime = push.provider.queueTime(place: stream.uniform())
      channel.apns.tokenIsBad = stream.bernoulli(push.provider.badTokens)
    }
    let rules = setting.policy.apns
    channel.apns.mayRefuse =
      !setting.outages.isEmpty || push.provider.rate > rules.connectionRate
      || push.provider.tokenRefresh.seconds < rules.tokenUpdateInterval
      || Double(push.payloadBytes) > payloadLimit || push.topic != .own || channel.apns.tokenIsBad
      || rules.tokenBurst > 0
    channel.apns.considersPower = push.priority < 10 && rules.restrictionDeclared > 0
    channel.apns.waitsForUse = push.priority == 1 && rules.priority1WaitsForUse
    channel.apns.mayRefuseHeaders =
      push.priority == 10 || push.declaredType == .background && push.request.isVisible
  }

  mutating func send(at now: SimTime) {
    guard sendsPushes else { return }
    let counts = measures(now)
    let place = counts ? UInt8(localHour(now) * 10 + batteryTenth(at: now)) : 0
    let push = Push(number: channel.pushes, channel.mechanism, place: place, counts: counts, sent: now)
    channel.pushes += 1
    tally.daily.count(.sent, at: now)
    if counts {
      onDevice.sent += 1
      tally.byHourAndBattery.countSent(Int(place))
      tally.byHour[push.hour].sent += 1
      unanswered.append(now)
    }
    trace(now, push, .sent)
    if waitsForAcknowledgement { awaitAcknowledgement(of: push, at: now) }
    if channel.apns.queueTime > .zero {
      keepAtProvider(push, until: now + channel.apns.queueTime)
    } else {
      request(push, at: now)
    }
  }

  private mutating func keepAtProvider(_ push: Push, until time: SimTime) {
    var push = push
    push.isAtProvider = true
    inTransit.schedule(at: time, priority: .decision, push)
  }

  /// One request of the provider, and what it does with the answer.
  mutating func request(_ push: Push, at now: SimTime) {
    var push = push
    push.isAtProvider = false
    if channel.apns.mayRefuse, let answer = refusal(of: push, at: now) { return take(answer, push, at: now) }
    if !state.contains(.installed) {
      guard now >= tokenReportedGone else {
        count(.received, push, at: now)
        count(.discardedUnregistered, push, at: now)
        return end(push, .discardedAtAPNs, .tokenInactive, at: now)
      }
      return take(.unregistered, push, at: now)
    }
    if channel.apns.mayRefuseHeaders, let answer = refusalForHeaders(of: push) {
      return take(answer, push, at: now)
    }
    count(.received, push, at: now)
    if channel.request.isVisible, !state.contains(.alertsAllowed) {
      count(.discardedDisabled, push, at: now)
      return end(push, .discardedAtAPNs, .notificationsDisabled, at: now)
    }
    forward(push, at: now)
  }

  /// An answer other than 200: another try, or the end.
  private mutating func take(_ answer: Reason, _ push: Push, at now: SimTime) {
    let provider = channel.plan.provider
    // The provider takes APNs at its word and never sends to this token again.
    if answer == .unregistered, provider.removesUnregistered { channel.sendingStopped = true }
    if answer == .badDeviceToken, provider.removesBadTokens { channel.sendingStopped = true }
    guard provider.triesAgain(after: answer.status ?? 0, tries: Int(push.tries)) else {
      return end(push, .rejected, answer, at: now)
    }
    trace(now, push, .answered(answer))
    var stream = streams.stream(
      device: device, .backOff(UInt32(push.number), tries: UInt32(push.tries)), lane: channel.lane)
    var push = push
    let delay = provider.backOff(after: Int(push.tries), uniform: stream.uniform())
    push.tries += 1
    keepAtProvider(push, until: now + delay)
  }
}

// MARK: - APNs

extension Play {
  /// What speaks against the request whatever the device: outages, limits, size, topic, a token of nobody.
  private mutating func refusal(of push: Push, at now: SimTime) -> Reason? {
    for outage in setting.outages where outage.from <= now && now < outage.until { return outage.answer }
    let request = channel.plan
    let rules = setting.policy.apns
    let provider = request.provider
    let tooMany = Self.surplus(provider.rate, over: rules.connectionRate)
    let tooOften =
      provider.tokenRefresh.seconds < rules.tokenUpdateInterval
      ? 1 - provider.tokenRefresh.seconds / rules.tokenUpdateInterval : 0
    if tooMany > 0 || tooOften > 0 {
      var stream = streams.stream(
        device: device, .refusalOfRate(UInt32(push.number), tries: UInt32(push.tries)), lane: channel.lane)
      if stream.bernoulli(tooOften) { return .tooManyTokenUpdates }
      if stream.bernoulli(tooMany) { return .tooManyRequests }
    }
    if Double(request.payloadBytes) > payloadLimit { return .payloadTooLarge }
    if request.topic == .missing { return .missingTopic }
    if request.topic == .other { return .wrongTopic }
    if channel.apns.tokenIsBad { return .badDeviceToken }
    if rules.tokenBurst > 0, !takesRequest(at: now) { return .tooManyRequests }
    return nil
  }

  /// Unit: bytes.
  private var payloadLimit: Double {
    mutating get {
      channel.mechanism == .voip ? setting.policy.voip.payloadLimit : setting.policy.apns.payloadLimit
    }
  }

  /// The share of requests above a limit.
  private static func surplus(_ rate: Double, over limit: Double) -> Double {
    rate > limit ? 1 - limit / rate : 0
  }

  /// A token bucket per device token.
  private mutating func takesRequest(at now: SimTime) -> Bool {
    let rules = setting.policy.apns
    let refilled = channel.apns.room + (now - channel.apns.roomAt).seconds * rules.tokenRefill
    channel.apns.room = min(rules.tokenBurst, refilled)
    channel.apns.roomAt = now
    // As much as is missing through rounding is there.
    guard channel.apns.room >= 1 - 1e-9 else { return false }
    channel.apns.room -= 1
    return true
  }

  /// What speaks against priority and type: each may be rejected.
  private mutating func refusalForHeaders(of push: Push) -> Reason? {
    let request = channel.plan
    let number = UInt32(push.number)
    if request.priority == 10, request.request == .silent {
      var stream = streams.stream(device: device, .refusalOfPriority(number), lane: channel.lane)
      if stream.bernoulli(setting.policy.apns.wrongPriorityRejected) { return .badPriority }
    }
    if request.declaredType == .background, request.request.isVisible {
      var stream = streams.stream(device: device, .refusalOfType(number), lane: channel.lane)
      if stream.bernoulli(setting.policy.apns.wrongTypeRejected) { return .invalidPushType }
    }
    return nil
  }

  /// Delivers to a connected device, stores for another.
  private mutating func forward(_ push: Push, after delay: SimDuration = .zero, at now: SimTime) {
    guard state.isReachable, !holdsForPower else { return store(push, at: now) }
    if links.mayBeDead, isDead(at: now) {
      count(push.wasStored ? .lostFromStorage : .lost, push, at: now)
      return end(push, .lost, nil, at: now)
    }
    var push = push
    let transit = transitTime(push) + delay
    push.attempts = min(7, push.attempts + 1)
    if firstArrival == .distantFuture, inTransit.isEmpty {
      // Never at the instant that means that there is none.
      firstArrival = min(now + transit, SimTime(microseconds: .max - 1))
      firstInTransit = push
    } else {
      inTransit.schedule(at: now + transit, priority: .arrival, push)
    }
  }

  /// The next push to arrive, or to be asked for. At the same instant the one that went out first: all others went out
  /// after `firstInTransit`.
  mutating func takeArrival() -> Push {
    guard firstArrival <= inTransit.peekTime else { return inTransit.popNext()!.event }
    firstArrival = .distantFuture
    return firstInTransit
  }

  /// Whether the link is dead and APNs believes it alive.
  private mutating func isDead(at now: SimTime) -> Bool {
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

  private mutating func transitTime(_ push: Push) -> SimDuration {
    var stream = streams.stream(
      device: device, .transit(UInt32(push.number), attempt: UInt32(push.attempts)), lane: channel.lane)
    if channel.mechanism == .voip {
      let rules = setting.policy.voip
      let seconds = rules.transitMedian * exp(rules.transitSigma * stream.unitGaussian())
      return SimDuration(seconds: min(rules.transitLongest, seconds))
    }
    let isSlow = stream.bernoulli(setting.slowTransitProbability)
    let seconds = isSlow ? setting.slowTransit.draw(&stream) : setting.transit.draw(&stream)
    return SimDuration(seconds: max(0, seconds))
  }

  private mutating func expiry(of push: Push) -> SimTime {
    let atHand = channel.mechanism
    select(push.mechanism)
    defer { select(atHand) }
    if push.mechanism == .voip, !setting.policy.voip.stores { return push.sent }
    let limit = push.sent + storageLimit
    switch channel.plan.expiration {
    case .absent: return limit
    case .immediate: return push.sent + softness(push)
    case .after(let time): return min(limit, push.sent + time + softness(push))
    }
  }

  /// How long after its expiration a push may still go out.
  private mutating func softness(_ push: Push) -> SimDuration {
    let longest = setting.policy.apns.expirySoftness
    guard longest > 0 else { return .zero }
    var stream = streams.stream(
      device: device, .softExpiry(UInt32(push.number)), lane: channel.lane)
    return SimDuration(seconds: longest * stream.uniform())
  }

  private mutating func store(_ push: Push, at now: SimTime) {
    if now >= expiry(of: push) {
      count(push.wasStored ? .discardedExpiredFromStorage : .discardedExpired, push, at: now)
      return end(push, .expiredAtAPNs, .expired, at: now)
    }
    var push = push
    if !push.wasStored { count(state.isReachable ? .storedForPower : .storedDeviceOffline, push, at: now) }
    push.wasStored = true
    if let older = slotAtHand {
      if older.isNewer(than: push) {
        // The push comes back from a broken link; a newer one has been stored meanwhile.
        return overwrite(push, .newerPush, at: now)
      }
      if now >= expiry(of: older) {
        count(.discardedExpiredFromStorage, older, at: now)
        end(older, .expiredAtAPNs, .expired, at: now)
      } else if losesSlot(push) {
        return overwrite(push, .olderPush, at: now)
      } else {
        overwrite(older, .newerPush, at: now)
      }
    }
    slotAtHand = push
    trace(now, push, .stored(isReachable: state.isReachable))
  }

  /// The one slot of the topic at hand: alerts and background pushes share the app's, VoIP pushes have their own.
  private var slotAtHand: Push? {
    mutating get { channel.mechanism == .voip ? voipSlot : slot }
    set { if channel.mechanism == .voip { voipSlot = newValue } else { slot = newValue } }
  }

  private mutating func overwrite(_ push: Push, _ reason: Reason, at now: SimTime) {
    count(.overwritten, push, at: now)
    end(push, .overwrittenAtAPNs, reason, at: now)
  }

  /// Whether the one slot keeps what it has.
  private mutating func losesSlot(_ push: Push) -> Bool {
    let newestWins = setting.policy.apns.newestWins
    guard newestWins < 1 else { return false }
    var stream = streams.stream(
      device: device, .slot(UInt32(push.number)), lane: channel.lane)
    return !stream.bernoulli(newestWins)
  }

  /// Follows whether the device declares a power restriction: it does in some of its Low Power Modes.
  mutating func considerPower(changed: DeviceState) {
    guard changed.contains(.lowPowerMode) else { return }
    links.isRestricted = false
    let chance = setting.policy.apns.restrictionDeclared
    guard state.contains(.lowPowerMode), chance > 0 else { return }
    // Named by its place in the life, so that it is the same under every strategy.
    var stream = streams.stream(device: device, .restriction(links.lowPowerModes))
    links.isRestricted = stream.bernoulli(chance)
    links.lowPowerModes += 1
  }

  /// Whether power keeps APNs from handing over a push of the mechanism at hand; never while somebody uses the device.
  private var holdsForPower: Bool {
    mutating get {
      (channel.apns.considersPower && links.isRestricted || channel.apns.waitsForUse) && !state.isInUse
    }
  }

  /// Something that kept APNs from handing over may have ended: what is stored and has not expired goes out, after
  /// `delay`.
  mutating func releaseStored(after delay: SimDuration, at now: SimTime) {
    if let slot { release(slot, after: delay, at: now) }
    if let voipSlot { release(voipSlot, after: delay, at: now) }
  }

  private mutating func release(_ stored: Push, after delay: SimDuration, at now: SimTime) {
    select(stored.mechanism)
    defer { select(firstMechanism) }
    if holdsForPower { return }
    slotAtHand = nil
    guard now < expiry(of: stored) else {
      count(.discardedExpiredFromStorage, stored, at: now)
      return end(stored, .expiredAtAPNs, .expired, at: now)
    }
    forward(stored, after: delay, at: now)
  }

  /// The app is gone, and its tokens with it.
  mutating func discardStored(at now: SimTime) {
    if let slot { discard(slot, at: now) }
    if let voipSlot { discard(voipSlot, at: now) }
    slot = nil
    voipSlot = nil
  }

  private mutating func discard(_ stored: Push, at now: SimTime) {
    count(.discardedUnregisteredFromStorage, stored, at: now)
    end(stored, .discardedAtAPNs, .tokenInactive, at: now)
  }

  /// The end of a push's way from APNs.
  mutating func reach(_ push: Push, at now: SimTime) {
    guard state.contains(.installed) else {
      count(
        push.wasStored ? .discardedUnregisteredFromStorage : .discardedUnregistered, push, at: now)
      return end(push, .discardedAtAPNs, .tokenInactive, at: now)
    }
    // The link broke while the push was on its way: APNs tries again when the device is back.
    guard state.isReachable else { return store(push, at: now) }
    count(push.wasStored ? .deliveredFromStorage : .delivered, push, at: now)
    energy.arrival(bytes: channel.payloadBytes, state, counts: measures(now), at: now)
    trace(now, push, .arrived)
    if let reason = channel.apns.ignores { return end(push, .notWakeable, reason, at: now) }
    switch push.mechanism {
    case .background: arrive(push, at: now)
    case .alert: arriveAlert(push, at: now)
    case .voip: arriveCall(push, at: now)
    }
  }

  /// Why the device's system ignores a silent push whose type is not `background`, or whose priority is 10.
  private mutating func ignored(_ push: PushPlan) -> Reason? {
    let rules = setting.policy.apns
    let version = Double(traits.osVersion)
    switch push.declaredType {
    case .alert where version >= rules.alertTypeIgnoredFrom: return .pushTypeIgnored
    case .missing where version >= rules.missingTypeIgnoredFrom: return .pushTypeIgnored
    default: break
    }
    guard push.priority == 10, version >= rules.priority10IgnoredFrom else { return nil }
    // A property of the device: what differs between reports is the system, not the push.
    var stream = streams.stream(device: device, .ignoresPriority10, lane: channel.lane)
    return stream.bernoulli(rules.priority10Ignored) ? .priorityIgnored : nil
  }

  mutating func finishAPNs(at end: SimTime) {
    if let slot { finish(slot, at: end) }
    if let voipSlot { finish(voipSlot, at: end) }
    while min(firstArrival, inTransit.peekTime) != .distantFuture {
      let push = takeArrival()
      if !push.isAtProvider {
        count(push.wasStored ? .storedAtEnd : .inTransitAtEnd, push, at: end)
      }
      self.end(push, .pending, nil, at: end)
    }
    takeAPNsCounts()
    for index in parked.indices {
      swap(&channel, &parked[index])
      takeAPNsCounts()
      swap(&channel, &parked[index])
    }
  }

  /// It is stored when the run ends.
  private mutating func finish(_ stored: Push, at end: SimTime) {
    let isExpired = end >= expiry(of: stored)
    count(isExpired ? .discardedExpiredFromStorage : .storedAtEnd, stored, at: end)
    self.end(stored, isExpired ? .expiredAtAPNs : .pending, isExpired ? .expired : nil, at: end)
  }

  private mutating func takeAPNsCounts() {
    tally.apns[Int(channel.mechanism.rawValue)].add(channel.apnsCounts)
    channel.apnsCounts.clear()
  }

  /// As Apple's delivery metrics count, by day of the run.
  @inline(__always)
  private mutating func count(_ status: APNsMetrics.Status, _ push: Push, at now: SimTime) {
    guard push.counts else { return }
    if push.mechanism == channel.mechanism {
      channel.apnsCounts.count(status, at: now)
    } else {
      countParked(status, push, at: now)
    }
  }

  @inline(never)
  private mutating func countParked(_ status: APNsMetrics.Status, _ push: Push, at now: SimTime) {
    let atHand = channel.mechanism
    select(push.mechanism)
    channel.apnsCounts.count(status, at: now)
    select(atHand)
  }
}
