import Distributions
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities
import Testing

@Suite struct ProviderTests {
  @Test func `as it stands a provider sends at once`() {
    let provider = Provider()
    #expect(provider.queueTime(place: 0, rate: 100) == .zero)
    #expect(provider.queueTime(place: 0.999, rate: 100) == .zero)
    #expect(provider.triesAgain(after: 503, tries: 2) && !provider.triesAgain(after: 503, tries: 3))
    for status in [400, 403, 404, 405, 410, 413, 429] {
      #expect(!provider.triesAgain(after: status, tries: 0), "\(status)")
    }
  }

  @Test func `a million tokens over 20 connections at 100 a second take 500 s`() {
    var provider = Provider()
    provider.audience = 1_000_000
    provider.connections = 20
    #expect(provider.queueTime(place: 0, rate: 100) == .zero)
    #expect(provider.queueTime(place: 0.5, rate: 100) == .seconds(250))
    #expect(provider.queueTime(place: 1 - 0x1p-53, rate: 100) == SimDuration(seconds: 499.9995))
  }

  @Test func `each delay is a factor longer, and the jitter leaves out a part`() {
    var provider = Provider()
    provider.retries.delay = .minutes(15)
    provider.retries.factor = 2
    #expect(
      (0..<4).map { provider.backOff(after: $0, uniform: 0.7) } == [15, 30, 60, 120].map { .minutes($0) })
    provider.retries.jitter = 0.5
    #expect(provider.backOff(after: 0, uniform: 0) == .minutes(15))
    #expect(provider.backOff(after: 1, uniform: 0.5) == .seconds(1350))
    // However many tries, the delay stays a number of the simulation.
    provider.retries.factor = 100
    #expect(provider.backOff(after: 30, uniform: 0) == .days(30))
  }

  @Test func `a device's place in the queue delays all its requests by the same`() throws {
    var stage = Stage(sends: [10, 50])
    stage.push.provider.audience = 360_000_000
    stage.push.provider.connections = 1000
    var delays: Set<SimDuration> = []
    for device in 0..<20 as Range<UInt32> {
      let played = try stage.play(device: device)
      let delay = played.ends[0].time - at(10, 1)
      #expect(delay >= .zero && delay < .hours(1))
      #expect(played.ends.map(\.time) == [at(10, 1) + delay, at(50, 1) + delay])
      // The latency counts from the send, not from the request.
      #expect(played.tally.latency.maximum == (delay + .seconds(1)).microseconds)
      delays.insert(delay)
    }
    #expect(delays.count == 20)
  }

  @Test func `a push that is still in the queue at the end is pending`() throws {
    var stage = Stage(sends: [10])
    stage.push.provider.audience = 1_000_000_000
    let played = try stage.play()
    #expect(played.ends == [.init(.pending, nil, stage.end)])
    #expect(played.tally.apns[0].total(.received) == 0)
  }
}

@Suite struct APNsAnswerTests {
  static let outage = Outage(from: at(9), until: at(29), answer: .serviceUnavailable)

  @Test func `an outage is tried again after 1, 2 and 4 s, and then given up`() throws {
    var stage = Stage(sends: [10])
    stage.outages = [Self.outage]
    #expect(try stage.play().ends == [.init(.rejected, .serviceUnavailable, at(10, 7))])
  }

  @Test func `a try after the end of an outage gets through`() throws {
    for (send, time) in [(8, at(8, 1)), (29, at(29, 1))] as [(Int64, SimTime)] {
      var stage = Stage(sends: [send])
      stage.outages = [Self.outage]
      #expect(try stage.play().ends == [.init(.delivered, nil, time)])
    }
    var stage = Stage(sends: [10])
    stage.outages = [Self.outage]
    stage.push.provider.retries.delay = .minutes(15)
    // At 25 min in vain, at 55 min well.
    #expect(try stage.play().ends == [.init(.delivered, nil, at(55, 1))])
  }

  @Test(arguments: Reason.outages)
  func `every answer of an outage is final unless it is tried again`(answer: Reason) throws {
    var stage = Stage(sends: [10])
    stage.outages = [Outage(from: at(10), until: at(11), answer: answer)]
    stage.push.provider.retries.statuses = []
    let played = try stage.play()
    #expect(played.ends == [.init(.rejected, answer, at(10))])
    #expect(played.tally.reasonCount(.rejected, answer) == 1)
    #expect(played.tally.apns[0].days == 0)
    stage.push.provider.retries.statuses = [try #require(answer.status)]
    stage.push.provider.retries.delay = .minutes(1)
    #expect(try stage.play().ends == [.init(.delivered, nil, at(11, 1))])
  }

  @Test func `the jitter spreads the tries of devices`() throws {
    var stage = Stage(sends: [10])
    stage.outages = [Outage(from: at(10), until: at(10, 1), answer: .internalServerError)]
    stage.push.provider.retries.delay = .minutes(10)
    stage.push.provider.retries.jitter = 0.5
    var times: Set<SimTime> = []
    for device in 0..<20 as Range<UInt32> {
      let end = try #require(try stage.play(device: device).ends.first)
      #expect(end.fate == .delivered && end.time > at(15) && end.time <= at(20, 1))
      times.insert(end.time)
    }
    #expect(times.count == 20)
  }

  @Test func `too large a payload, another topic and none are refused`() throws {
    var stage = Stage(sends: [10])
    stage.policy.apns.payloadLimit = 4096
    stage.push.payloadBytes = 4096
    #expect(try stage.play().ends.map(\.fate) == [.delivered])
    stage.push.payloadBytes = 4097
    #expect(try stage.play().ends == [.init(.rejected, .payloadTooLarge, at(10))])
    stage.push.payloadBytes = 10
    stage.push.topic = .other
    #expect(try stage.play().ends == [.init(.rejected, .wrongTopic, at(10))])
    stage.push.topic = .missing
    #expect(try stage.play().ends == [.init(.rejected, .missingTopic, at(10))])
  }

  @Test func `a bad token is refused once if the provider removes it, else always`() throws {
    for (removes, refusals) in [(true, 1), (false, 3)] {
      var stage = Stage(sends: [10, 20, 30])
      stage.push.provider.badTokens = 1
      stage.push.provider.removesBadTokens = removes
      let ends = try stage.play().ends
      #expect(ends.map(\.fate) == Array(repeating: .rejected, count: refusals))
      #expect(ends.allSatisfy { $0.reason == .badDeviceToken })
    }
  }

  @Test func `a token that is gone is refused once if the provider removes it, else always`() throws {
    for (removes, sent) in [(true, 2), (false, 4)] {
      var stage = Stage(sends: [10, 20, 30, 40])
      stage.life.tokenReportedGone = at(15)
      stage.change(at(5), remove: .installed, .uninstall)
      stage.push.provider.removesUnregistered = removes
      let ends = try stage.play().ends
      #expect(ends.count == sent)
      #expect(ends[0] == .init(.discardedAtAPNs, .tokenInactive, at(10)))
      #expect(ends.dropFirst().allSatisfy { $0.fate == .rejected && $0.reason == .unregistered })
    }
  }

  @Test func `requests in a row to one token are refused above its limit`() throws {
    var stage = Stage(sends: [10, 11, 12, 13, 14, 40])
    stage.policy.hourlyBudget.burst = 10
    stage.policy.apns.tokenBurst = 3
    stage.policy.apns.tokenRefill = 1.0 / 1800
    let ends = try stage.play().ends
    #expect(ends.map(\.fate) == [.delivered, .delivered, .delivered, .rejected, .rejected, .delivered])
    #expect(ends[3].reason == .tooManyRequests)
  }

  @Test func `of the requests above a connection's limit the surplus is refused`() throws {
    var stage = Stage(sends: (0..<1000).map { 10 + $0 })
    stage.policy.apns.connectionRate = 100
    stage.push.provider.rate = 100
    #expect(try stage.play().tally.reasonCount(.rejected, .tooManyRequests) == 0)
    stage.push.provider.rate = 400
    let refused = try stage.play().tally.reasonCount(.rejected, .tooManyRequests)
    #expect((700...800).contains(refused))
    // Tried again, all get through in the end.
    stage.push.provider.retries.statuses = [429]
    stage.push.provider.retries.most = 30
    stage.push.provider.retries.factor = 1
    #expect(try stage.play().tally.fates[Int(Fate.rejected.rawValue)] <= 2)
  }

  @Test func `a provider that renews its own token too often is refused for that share`() throws {
    var stage = Stage(sends: (0..<1000).map { 10 + $0 })
    stage.policy.apns.tokenUpdateInterval = 1200
    stage.push.provider.tokenRefresh = .minutes(20)
    #expect(try stage.play().tally.reasonCount(.rejected, .tooManyTokenUpdates) == 0)
    stage.push.provider.tokenRefresh = .minutes(5)
    #expect((700...800).contains(try stage.play().tally.reasonCount(.rejected, .tooManyTokenUpdates)))
  }

  @Test func `a visible push that calls itself a background push is refused by chance`() throws {
    for (type, chance, fate) in [
      (PushType.background, 1.0, Fate.rejected), (.background, 0, .notWakeable), (.alert, 1, .notWakeable),
    ] {
      var stage = Stage(sends: [10])
      stage.push.request = .alert
      stage.push.type = type
      stage.policy.apns.wrongTypeRejected = chance
      #expect(try stage.play().ends.map(\.fate) == [fate])
    }
  }

  @Test(arguments: [PushType.alert, .missing])
  func `newer systems ignore a silent push that does not call itself one`(type: PushType) throws {
    for (version, isIgnored) in [(12, false), (13, true), (26, true)] {
      var stage = Stage(sends: [10])
      stage.push.type = type
      stage.policy.apns.alertTypeIgnoredFrom = 13
      stage.policy.apns.missingTypeIgnoredFrom = 13
      stage.life.traits.osVersion = version
      #expect(
        try stage.play().ends == [
          isIgnored ? .init(.notWakeable, .pushTypeIgnored, at(10, 1)) : .init(.delivered, nil, at(10, 1))
        ])
    }
  }
}

@Suite struct IgnoredPriorityTests {
  private func stage(priority: Int = 10, share: Double = 1, version: Int = 18) -> Stage {
    var stage = Stage(sends: [10, 80])
    stage.push.priority = priority
    stage.policy.apns.priority10IgnoredFrom = 13
    stage.policy.apns.priority10Ignored = share
    stage.life.traits.osVersion = version
    return stage
  }

  @Test func `from a version on systems ignore a background push of priority 10, though APNs took it`() throws
  {
    let played = try stage().play()
    #expect(
      played.ends == [
        .init(.notWakeable, .priorityIgnored, at(10, 1)), .init(.notWakeable, .priorityIgnored, at(80, 1)),
      ])
    #expect(played.tally.apns[0].total(.delivered) == 2)
    for stage in [stage(version: 12), stage(priority: 5), stage(share: 0)] {
      #expect(try stage.play().ends.map(\.fate) == [.delivered, .delivered])
    }
    var alert = stage()
    alert.push.request = [.alert, .contentAvailable]
    #expect(try alert.play().ends.map(\.reason) == [Reason(.payload), Reason(.payload)])
  }

  @Test func `a device ignores all or none`() throws {
    var ignoring = 0
    for device in 0..<300 as Range<UInt32> {
      let fates = try stage(share: 0.4).play(device: device).ends.map(\.fate)
      #expect(fates[0] == fates[1])
      if fates[0] == .notWakeable { ignoring += 1 }
    }
    // Five standard deviations of a binomial count about its mean.
    #expect((78...162).contains(ignoring))
  }
}

@Suite struct APNsSlotTests {
  @Test func `the slot may keep the older push`() throws {
    var stage = Stage(sends: [10, 20, 30], state: Stage.plain.subtracting(.wifi))
    stage.policy.apns.newestWins = 0
    stage.change(at(60), add: .wifi)
    let played = try stage.play()
    #expect(
      played.ends == [
        .init(.delivered, nil, at(60, 1)), .init(.overwrittenAtAPNs, .olderPush, at(20)),
        .init(.overwrittenAtAPNs, .olderPush, at(30)),
      ])
  }

  @Test func `the newest wins with its probability`() throws {
    var stage = Stage(sends: [10, 20], state: Stage.plain.subtracting(.wifi))
    stage.policy.apns.newestWins = 0.75
    var wins = 0
    for device in 0..<400 as Range<UInt32> where try stage.play(device: device).ends[1].fate == .pending {
      wins += 1
    }
    #expect((250...350).contains(wins))
  }

  @Test(arguments: [Expiration.immediate, .after(.minutes(30))])
  func `a soft expiration lets a push out a little later`(expiration: Expiration) throws {
    let expires = expiration == .immediate ? at(10) : at(40)
    for (softness, late, fates) in [
      (0.0, SimDuration.seconds(5), [Fate.expiredAtAPNs]), (60, .seconds(61), [.expiredAtAPNs]),
      (60, .seconds(5), [.expiredAtAPNs, .delivered]),
    ] {
      var seen: Set<Fate> = []
      for device in 0..<200 as Range<UInt32> {
        var stage = Stage(sends: [10], state: Stage.plain.subtracting(.wifi))
        stage.push.expiration = expiration
        stage.policy.apns.expirySoftness = softness
        stage.change(expires + late, add: .wifi)
        seen.insert(try stage.play(device: device).ends[0].fate)
      }
      #expect(seen == Set(fates), "\(softness) \(late)")
    }
  }
}

/// What APNs stores for a device that is reachable.
@Suite struct APNsPowerTests {
  private func stage(sends: [Int64], _ state: DeviceState = Stage.plain.union(.lowPowerMode)) -> Stage {
    var stage = Stage(sends: sends, state: state)
    stage.policy.apns.restrictionDeclared = 1
    stage.policy.modes[Int(FactorID.lowPowerMode.rawValue)] = FactorMode.off.rawValue
    return stage
  }

  @Test func `a restricted device gets the newest when its Low Power Mode ends`() throws {
    var stage = stage(sends: [10, 20, 30])
    stage.policy.apns.reconnectDelay = 60
    stage.change(at(25), remove: .lowPowerMode)
    let played = try stage.play()
    #expect(
      played.ends == [
        .init(.overwrittenAtAPNs, .newerPush, at(20)), .init(.delivered, nil, at(25, 1)),
        .init(.delivered, nil, at(30, 1)),
      ])
    #expect(played.tally.apns[0].total(.storedForPower) == 2)
    #expect(played.tally.apns[0].total(.storedDeviceOffline) == 0)
    #expect(played.tally.apns[0].total(.deliveredFromStorage) == 1)
  }

  @Test(arguments: [DeviceState.screenOn, .inFront])
  func `a use of the device lifts the restriction, for as long as it lasts`(use: DeviceState) throws {
    var stage = stage(sends: [10, 20, 30])
    stage.change(at(15), add: use, use == .inFront ? .open : .none)
    stage.change(at(25), remove: use)
    #expect(
      try stage.play().ends == [
        .init(.delivered, nil, at(15, 1)), .init(.delivered, nil, at(20, 1)), .init(.pending, nil, stage.end),
      ])
  }

  @Test func `what is stored for power expires as any other`() throws {
    var stage = stage(sends: [10])
    stage.push.expiration = .immediate
    let played = try stage.play()
    #expect(played.ends == [.init(.expiredAtAPNs, .expired, at(10))])
    #expect(played.tally.apns[0].total(.discardedExpired) == 1)
    stage.push.expiration = .after(.minutes(30))
    stage.change(at(41), remove: .lowPowerMode)
    #expect(try stage.play().ends == [.init(.expiredAtAPNs, .expired, at(41))])
  }

  @Test func `a device that is restricted and comes back to a network gets nothing yet`() throws {
    var stage = stage(sends: [10], Stage.plain.subtracting(.wifi).union(.lowPowerMode))
    stage.change(at(20), add: .wifi)
    stage.change(at(30), remove: .wifi)
    stage.change(at(40), remove: .lowPowerMode)
    stage.change(at(50), add: .wifi)
    let played = try stage.play()
    #expect(played.ends == [.init(.delivered, nil, at(50, 1))])
    #expect(played.tally.apns[0].total(.storedDeviceOffline) == 1)
  }

  @Test func `priority 10 is not held, nor is a push of a profile that knows no restriction`() throws {
    var stage = stage(sends: [10])
    stage.push.priority = 10
    #expect(try stage.play().ends == [.init(.delivered, nil, at(10, 1))])
    stage.push.priority = 5
    stage.policy.apns.restrictionDeclared = 0
    #expect(try stage.play().ends == [.init(.delivered, nil, at(10, 1))])
  }

  @Test func `each Low Power Mode declares it with its probability, whatever is sent`() throws {
    var stage = stage(sends: [10, 30])
    stage.policy.apns.restrictionDeclared = 0.3
    stage.change(at(20), remove: .lowPowerMode)
    stage.change(at(25), add: .lowPowerMode)
    stage.change(at(40), remove: .lowPowerMode)
    var declared = [0, 0, 0]
    for device in 0..<300 as Range<UInt32> {
      let ends = try stage.play(device: device).ends.map { $0.time > at(30, 1) || $0.time == at(20, 1) }
      if ends[0] { declared[0] += 1 }
      if ends[1] { declared[1] += 1 }
      if ends[0], ends[1] { declared[2] += 1 }
      // Another strategy meets the same restriction.
      var sparse = stage
      sparse.push.send = .at([.minutes(31)])
      #expect((try sparse.play(device: device).ends[0].time > at(31, 1)) == ends[1], "device \(device)")
    }
    // Five standard deviations of a binomial count about its mean.
    #expect((50...130).contains(declared[0]) && (50...130).contains(declared[1]))
    #expect((5...52).contains(declared[2]))
  }

  @Test func `priority 1 waits for a use of the device where the profile says so`() throws {
    for (priority, waits, time) in [(1, true, at(60, 1)), (1, false, at(10, 1)), (5, true, at(10, 1))] {
      var stage = Stage(sends: [10])
      stage.push.priority = priority
      stage.policy.apns.priority1WaitsForUse = waits
      stage.change(at(60), add: .screenOn)
      let played = try stage.play()
      #expect(played.ends == [.init(.delivered, nil, time)], "\(priority) \(waits)")
      #expect(played.tally.apns[0].total(.storedForPower) == (time == at(60, 1) ? 1 : 0))
    }
  }
}

@Suite struct DeadLinkTests {
  /// A push a minute for three days, and links that die every two hours for a quarter of an hour.
  private func stage(_ state: DeviceState = Stage.plain) -> Stage {
    var stage = Stage(sends: Array(0..<4300), state: state)
    stage.policy.apns.deadLinkOnWiFi = 1.0 / 7200
    stage.policy.apns.deadLinkLength = 900
    return stage
  }

  private func lost(_ stage: Stage) throws -> Int {
    try (0..<10 as Range<UInt32>).reduce(0) {
      $0 + Int(try stage.play(device: $1).tally.fates[Int(Fate.lost.rawValue)])
    }
  }

  @Test func `on a dead link a share of pushes is lost, and APNs takes them for delivered`() throws {
    // 900 of 8100 s, give or take: there are some 320 episodes.
    #expect((3500...6100).contains(try lost(stage())))
    let tally = try stage().play().tally
    let count = tally.fates[Int(Fate.lost.rawValue)]
    #expect(tally.apns[0].total(.lost) == count && count > 0)
    #expect(tally.apns[0].total(.delivered) + count == tally.apns[0].total(.received))
    // A device has its own times, the same under every strategy: half the pushes lose half as many.
    var sparse = stage()
    sparse.push.send = .at((0..<2150).map { .minutes(2 * $0) })
    let half = try sparse.play().tally.fates[Int(Fate.lost.rawValue)]
    #expect((count - 2 * half).magnitude <= count / 4)
  }

  @Test func `each interface has its own, and a change of the network ends it`() throws {
    #expect(try lost(stage(Stage.plain.subtracting(.wifi).union(.cellular))) == 0)
    var restless = stage()
    for minute in stride(from: 3, to: 4300, by: 3) as StrideTo<Int64> {
      restless.change(at(minute, 1), remove: .wifi)
      restless.change(at(minute, 2), add: .wifi)
    }
    #expect(try lost(restless) < 1000)
  }

  @Test func `what is stored goes out some time after the network is back`() throws {
    var stage = Stage(sends: [10], state: Stage.plain.subtracting(.wifi))
    stage.policy.apns.reconnectDelay = 60
    stage.change(at(60), add: .wifi)
    #expect(try stage.play().ends == [.init(.delivered, nil, at(61, 1))])
  }
}
