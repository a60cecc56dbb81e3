import Distributions
import Glibc
import PushPolicy
import Quantities

// MARK: - Provider

// What asks a play a question is mutating all the same: lent, the whole play was copied for each question.

extension Play {
  mutating func beginAPNs(_ mechanism: PushMechanism) {
    let index = mechanism.index
    let push = channels[index].plan
    var apns = APNsSide()
    apns.burst = tokenBurst(lane: channels[index].lane)
    apns.room = RefillingBudget(places: apns.burst)
    apns.ignores = push.request == .silent ? ignored(push, lane: channels[index].lane) : nil
    if push.provider.audience > 1 || push.provider.badTokens > 0 {
      // Two numbers of the device, the same under every strategy.
      var stream = streams.stream(device: device, .placeAtProvider, lane: channels[index].lane)
      apns.queueTime = push.provider.queueTime(
        place: stream.uniform(), rate: push.provider.rate(under: setting.policy.apns))
      apns.tokenIsBad = stream.bernoulli(push.provider.badTokens)
    }
    let rules = setting.policy.apns
    apns.mayRefuse =
      !setting.outages.isEmpty || push.provider.rate(under: rules) > rules.connectionRate
      || push.provider.tokenUpdateInterval < rules.tokenUpdateInterval
      || Double(push.payloadBytes) > payloadLimit(of: mechanism) || push.topic != .own || apns.tokenIsBad
      || rules.tokenBurst > 0
    apns.considersPower = push.priority < 10 && rules.restrictionDeclared > 0
    apns.waitsForUse = push.priority == 1 && rules.priority1WaitsForUse
    apns.mayRefuseHeaders =
      push.priority == 10 || push.declaredType == .background && push.request.isVisible
    channels[index].begin(apns, mayWake: setting.policy.mayWake(push.request))
  }

  mutating func send(_ mechanism: PushMechanism, at now: SimTime) {
    guard sendsPushes else { return }
    let counts = measures(now)
    let place = counts ? UInt8(localHour(now) * 10 + battery.tenth(at: now)) : 0
    let number = channels[mechanism.index].pushes
    channels[mechanism.index].pushes += 1
    let push = Push(number: number, mechanism, place: place, counts: counts, sent: now)
    tally.daily.count(.sent, at: now)
    if counts {
      onDevice.sent += 1
      tally.byHourAndBattery.countSent(Int(place))
      tally.byHour[push.hour].sent += 1
      unanswered.append(now)
    }
    trace(now, push, .sent)
    if waitsForAcknowledgement { awaitAcknowledgement(of: push, at: now) }
    let queueTime = channels[mechanism.index].apns.queueTime
    if queueTime > .zero {
      inTransit.keepAtProvider(push, until: now + queueTime)
    } else {
      request(push, at: now)
    }
  }

  /// One request of the provider, and what it does with the answer.
  mutating func request(_ push: Push, at now: SimTime) {
    var push = push
    push.isAtProvider = false
    let index = push.mechanism.index
    if channels[index].apns.mayRefuse, let answer = refusal(of: push, at: now) {
      return take(answer, push, at: now)
    }
    if !state.contains(.installed) {
      guard now >= tokenReportedGone else {
        count(.received, push, at: now)
        count(.discardedUnregistered, push, at: now)
        return end(push, .discardedAtAPNs, .tokenInactive, at: now)
      }
      return take(.unregistered, push, at: now)
    }
    if channels[index].apns.mayRefuseHeaders, let answer = refusalForHeaders(of: push) {
      return take(answer, push, at: now)
    }
    count(.received, push, at: now)
    if channels[index].request.isVisible, !state.contains(.alertsAllowed) {
      count(.discardedDisabled, push, at: now)
      return end(push, .discardedAtAPNs, .notificationsDisabled, at: now)
    }
    forward(push, at: now)
  }

  /// An answer other than 200: another try, or the end.
  private mutating func take(_ answer: Reason, _ push: Push, at now: SimTime) {
    let index = push.mechanism.index
    let provider = channels[index].plan.provider
    // The provider takes APNs at its word and never sends to this token again.
    if answer == .unregistered, provider.removesUnregistered { channels[index].sendingStopped = true }
    if answer == .badDeviceToken, provider.removesBadTokens { channels[index].sendingStopped = true }
    guard provider.triesAgain(after: answer.status ?? 0, tries: Int(push.tries)) else {
      return end(push, .rejected, answer, at: now)
    }
    trace(now, push, .answered(answer))
    var stream = streams.stream(
      device: device, .backOff(UInt32(push.number), tries: UInt32(push.tries)), lane: push.lane)
    var push = push
    let delay = provider.backOff(after: Int(push.tries), uniform: stream.uniform())
    push.tries += 1
    inTransit.keepAtProvider(push, until: now + delay)
  }
}

// MARK: - APNs

extension Play {
  /// What speaks against the request whatever the device: outages, limits, size, topic, a token of nobody.
  private mutating func refusal(of push: Push, at now: SimTime) -> Reason? {
    for outage in setting.outages where outage.from <= now && now < outage.until { return outage.answer }
    let request = channels[push.mechanism.index].plan
    let rules = setting.policy.apns
    let provider = request.provider
    let tooMany = Self.surplus(provider.rate(under: rules), over: rules.connectionRate)
    let tooOften =
      provider.tokenUpdateInterval < rules.tokenUpdateInterval
      ? 1 - provider.tokenUpdateInterval / rules.tokenUpdateInterval : 0
    if tooMany > 0 || tooOften > 0 {
      var stream = streams.stream(
        device: device, .refusalOfRate(UInt32(push.number), tries: UInt32(push.tries)), lane: push.lane)
      if stream.bernoulli(tooOften) { return .tooManyTokenUpdates }
      if stream.bernoulli(tooMany) { return .tooManyRequests }
    }
    if Double(request.payloadBytes) > payloadLimit(of: push.mechanism) { return .payloadTooLarge }
    if request.topic == .missing { return .missingTopic }
    if request.topic == .other { return .wrongTopic }
    if channels[push.mechanism.index].apns.tokenIsBad { return .badDeviceToken }
    if rules.tokenBurst > 0, !takesRequest(push.mechanism, at: now) { return .tooManyRequests }
    return nil
  }

  /// Unit: bytes.
  private mutating func payloadLimit(of mechanism: PushMechanism) -> Double {
    mechanism == .voip ? setting.policy.voip.payloadLimit : setting.policy.apns.payloadLimit
  }

  /// The share of requests above a limit.
  private static func surplus(_ rate: Double, over limit: Double) -> Double {
    rate > limit ? 1 - limit / rate : 0
  }

  private mutating func takesRequest(_ mechanism: PushMechanism, at now: SimTime) -> Bool {
    let burst = channels[mechanism.index].apns.burst
    return channels[mechanism.index].apns.room.take(
      most: burst, refill: setting.policy.apns.tokenRefill, at: now)
  }

  /// How many requests in a row the device token takes: a trait of it, and always one at least.
  private mutating func tokenBurst(lane: UInt32) -> Double {
    let rules = setting.policy.apns
    guard rules.tokenBurst > 0, rules.tokenBurstSigma > 0 else { return rules.tokenBurst }
    var stream = streams.stream(device: device, .tokenBurst, lane: lane)
    return max(1, rules.tokenBurst * exp(rules.tokenBurstSigma * stream.unitGaussian()))
  }

  /// What speaks against priority and type: each may be rejected.
  private mutating func refusalForHeaders(of push: Push) -> Reason? {
    let request = channels[push.mechanism.index].plan
    let number = UInt32(push.number)
    if request.priority == 10, request.request == .silent {
      var stream = streams.stream(device: device, .refusalOfPriority(number), lane: push.lane)
      if stream.bernoulli(setting.policy.apns.wrongPriorityRejected) { return .badPriority }
    }
    if request.declaredType == .background, request.request.isVisible {
      var stream = streams.stream(device: device, .refusalOfType(number), lane: push.lane)
      if stream.bernoulli(setting.policy.apns.wrongTypeRejected) { return .invalidPushType }
    }
    return nil
  }

  /// Delivers to a connected device, stores for another.
  private mutating func forward(_ push: Push, after delay: SimDuration = .zero, at now: SimTime) {
    guard state.isReachable, !holdsForPower(push.mechanism), !rests(at: now) else {
      return store(push, at: now)
    }
    if links.mayBeDead, isDead(at: now) {
      count(push.wasStored ? .lostFromStorage : .lost, push, at: now)
      return end(push, .lost, nil, at: now)
    }
    var push = push
    let transit = transitTime(push) + wakingTime(push) + delay
    push.attempts = min(7, push.attempts + 1)
    inTransit.transmit(push, arrivingAt: now + transit)
  }

  private mutating func transitTime(_ push: Push) -> SimDuration {
    var stream = streams.stream(
      device: device, .transit(UInt32(push.number), attempt: UInt32(push.attempts)), lane: push.lane)
    if push.mechanism == .voip {
      let rules = setting.policy.voip
      let seconds = rules.transitMedian * exp(rules.transitSigma * stream.unitGaussian())
      return SimDuration(seconds: min(rules.transitLongest, seconds))
    }
    let isSlow = stream.bernoulli(setting.slowTransitProbability)
    let seconds = isSlow ? setting.slowTransit.draw(&stream) : setting.transit.draw(&stream)
    return SimDuration(seconds: max(0, seconds))
  }

  private mutating func expiry(of push: Push) -> SimTime {
    if push.mechanism == .voip, !setting.policy.voip.stores { return push.sent }
    let limit = push.sent + storageLimit
    switch channels[push.mechanism.index].plan.expiration {
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
      device: device, .softExpiry(UInt32(push.number)), lane: push.lane)
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
    if let older = stored[push.mechanism] {
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
    stored[push.mechanism] = push
    trace(now, push, .stored(isReachable: state.isReachable))
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
      device: device, .slot(UInt32(push.number)), lane: push.lane)
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

  /// Whether power keeps APNs from handing over a push of the mechanism; never while somebody uses the device.
  private mutating func holdsForPower(_ mechanism: PushMechanism) -> Bool {
    let index = mechanism.index
    return
      (channels[index].apns.considersPower && links.isRestricted || channels[index].apns.waitsForUse)
      && !state.isInUse
  }

  /// Something that kept APNs from handing over may have ended: what is stored and has not expired goes out.
  ///
  /// - Parameter isReconnected: whether the device was off the network, and comes back after a delay.
  mutating func releaseStored(isReconnected: Bool = false, at now: SimTime) {
    if let push = stored.ofApp { release(push, isReconnected, at: now) }
    if let push = stored.ofCalls { release(push, isReconnected, at: now) }
  }

  private mutating func release(_ push: Push, _ isReconnected: Bool, at now: SimTime) {
    if holdsForPower(push.mechanism) || rests(at: now) { return }
    stored[push.mechanism] = nil
    guard now < expiry(of: push) else {
      count(.discardedExpiredFromStorage, push, at: now)
      return end(push, .expiredAtAPNs, .expired, at: now)
    }
    if isReconnected, losesStored(push) {
      count(.lostFromStorage, push, at: now)
      return end(push, .lost, nil, at: now)
    }
    // Of a device that is already connected there is nothing to wait for.
    let delay = isReconnected ? SimDuration(seconds: setting.policy.apns.reconnectDelay) : .zero
    forward(push, after: delay, at: now)
  }

  /// The app is gone, and its tokens with it.
  mutating func discardStored(at now: SimTime) {
    if let push = stored.ofApp { discard(push, at: now) }
    if let push = stored.ofCalls { discard(push, at: now) }
    stored = StoredPushes()
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
    energy.arrival(bytes: channels[push.mechanism.index].payloadBytes, state, counts: measures(now), at: now)
    trace(now, push, .arrived)
    if let reason = channels[push.mechanism.index].apns.ignores {
      return end(push, .notWakeable, reason, at: now)
    }
    if state.contains(.alertStylesOff), stylesKeepBack(push, at: now) { return }
    if hasDefects, isSwallowedBySystem(push, at: now) {
      return end(push, .discardedByPolicy, .systemDefect, at: now)
    }
    switch push.mechanism {
    case .background:
      if usesExtensions { arriveAtExtension(push, at: now) } else { arrive(push, at: now) }
    case .alert: arriveAlert(push, at: now)
    case .voip: arriveCall(push, at: now)
    }
  }

  /// Why the device's system ignores a silent push whose type is not `background`, or whose priority is 10.
  private mutating func ignored(_ push: PushPlan, lane: UInt32) -> Reason? {
    let rules = setting.policy.apns
    let version = Double(traits.osVersion)
    switch push.declaredType {
    case .alert where version >= rules.alertTypeIgnoredFrom: return .pushTypeIgnored
    case .missing where version >= rules.missingTypeIgnoredFrom: return .pushTypeIgnored
    default: break
    }
    guard push.priority == 10, version >= rules.priority10IgnoredFrom else { return nil }
    // A property of the device: what differs between reports is the system, not the push.
    var stream = streams.stream(device: device, .ignoresPriority10, lane: lane)
    return stream.bernoulli(rules.priority10Ignored) ? .priorityIgnored : nil
  }

  mutating func finishAPNs(at end: SimTime) {
    if let push = stored.ofApp { finish(push, at: end) }
    if let push = stored.ofCalls { finish(push, at: end) }
    while inTransit.next != .distantFuture {
      let push = inTransit.take()
      if !push.isAtProvider {
        count(push.wasStored ? .storedAtEnd : .inTransitAtEnd, push, at: end)
      }
      self.end(push, .pending, nil, at: end)
    }
    for mechanism in mechanisms {
      tally.apns[mechanism.index].add(channels[mechanism.index].apnsCounts)
      channels[mechanism.index].apnsCounts.clear()
    }
  }

  /// It is stored when the run ends.
  private mutating func finish(_ stored: Push, at end: SimTime) {
    let isExpired = end >= expiry(of: stored)
    count(isExpired ? .discardedExpiredFromStorage : .storedAtEnd, stored, at: end)
    self.end(stored, isExpired ? .expiredAtAPNs : .pending, isExpired ? .expired : nil, at: end)
  }

  /// As Apple's delivery metrics count, by day of the run.
  @inline(__always)
  private mutating func count(_ status: APNsMetrics.Status, _ push: Push, at now: SimTime) {
    if push.counts { channels[push.mechanism.index].apnsCounts.count(status, at: now) }
  }
}
