import Distributions
import EventKernel
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities
import Testing

@Suite struct PlayToDeviceTests {
  @Test func `a push to a connected device is delivered after its transit`() throws {
    let played = try Stage(sends: [10]).play()
    #expect(played.ends == [.init(.delivered, nil, at(10, 1))])
    #expect(played.launches == [.init(at(10, 1))])
    #expect(played.tally.sent == 1)
    #expect(played.tally.wakes == 1)
    #expect(played.tally.wokenWithin15min == 1)
    #expect(played.tally.latency.maximum == 1_000_000)
    #expect(played.tally.deliveredInForeground == 0)
    for index in 0..<4 { #expect(played.tally.within[index] == 1) }
  }

  @Test func `while a device is offline the newest push survives at APNs and goes out when it is back`()
    throws
  {
    var stage = Stage(sends: [10, 20, 30], state: Stage.plain.subtracting(.wifi))
    stage.change(at(60), add: .cellular)
    let played = try stage.play()
    #expect(
      played.ends == [
        .init(.overwrittenAtAPNs, .newerPush, at(20)), .init(.overwrittenAtAPNs, .newerPush, at(30)),
        .init(.delivered, nil, at(60, 1)),
      ])
  }

  @Test func `a device that is off is offline, whatever its networks`() throws {
    var stage = Stage(sends: [10], state: Stage.plain.subtracting(.poweredOn))
    stage.change(at(60), add: .poweredOn, .restart)
    #expect(try stage.play().ends == [.init(.delivered, nil, at(60, 1))])
  }

  @Test func `a push whose link breaks on its way is stored and tried again`() throws {
    var stage = Stage(sends: [10])
    stage.transit = .constant(300)
    stage.change(at(12), remove: .wifi)
    stage.change(at(60), add: .wifi)
    #expect(try stage.play().ends == [.init(.delivered, nil, at(65))])
  }

  @Test func `a push that comes back from a broken link does not replace a newer one that is stored`() throws
  {
    var stage = Stage(sends: [10, 13])
    stage.transit = .constant(300)
    stage.change(at(12), remove: .wifi)
    stage.change(at(60), add: .wifi)
    let played = try stage.play()
    #expect(
      played.ends == [.init(.overwrittenAtAPNs, .newerPush, at(15)), .init(.delivered, nil, at(65))])
  }

  @Test func `an expiration of 0 means one attempt and no storage`() throws {
    var stage = Stage(sends: [10, 70])
    stage.push.expiration = .immediate
    stage.change(at(5), remove: .wifi)
    stage.change(at(60), add: .wifi)
    #expect(
      try stage.play().ends == [.init(.expiredAtAPNs, .expired, at(10)), .init(.delivered, nil, at(70, 1))])
  }

  /// Expirations of half an hour, by the header, by APNs' limit, and by the limit under a longer header.
  static let halfHours: [(Expiration, Double)] = [
    (.after(.minutes(30)), 1e6), (.absent, 1800), (.after(.hours(9)), 1800),
  ]

  @Test(arguments: halfHours)
  func `a stored push expires by its header or by the limit of the storage, at that instant already`(
    expiration: Expiration, limit: Double
  ) throws {
    for (back, isDelivered) in [(at(39, 59), true), (at(40), false)] {
      var stage = Stage(sends: [10], state: Stage.plain.subtracting(.wifi))
      stage.push.expiration = expiration
      stage.policy.apns.storageLimit = limit
      stage.change(back, add: .wifi)
      let expected: Played.End =
        isDelivered ? .init(.delivered, nil, back + .seconds(1)) : .init(.expiredAtAPNs, .expired, back)
      #expect(try stage.play().ends == [expected])
    }
  }

  @Test(arguments: halfHours)
  func `what is stored at the end of the run is pending, or expired if its time is up`(
    expiration: Expiration, limit: Double
  ) throws {
    for (end, fate) in [(at(39), Fate.pending), (at(40), .expiredAtAPNs)] {
      var stage = Stage(sends: [10], state: Stage.plain.subtracting(.wifi))
      stage.push.expiration = expiration
      stage.policy.apns.storageLimit = limit
      stage.end = end
      #expect(try stage.play().ends.map(\.fate) == [fate])
    }
  }

  @Test func `an older push that has expired in the storage is not counted as overwritten`() throws {
    var stage = Stage(sends: [10, 50], state: Stage.plain.subtracting(.wifi))
    stage.push.expiration = .after(.minutes(30))
    stage.end = at(60)
    #expect(try stage.play().ends.map(\.fate) == [.expiredAtAPNs, .pending])
  }

  @Test func `a background push with priority 10 is rejected by chance, one with priority 5 never`() throws {
    for (priority, probability, fate) in [(10, 1.0, Fate.rejected), (10, 0, .delivered), (5, 1, .delivered)] {
      var stage = Stage(sends: [10])
      stage.push.priority = priority
      stage.policy.apns.wrongPriorityRejected = probability
      let played = try stage.play()
      #expect(played.ends.map(\.fate) == [fate])
      #expect(played.tally.reasonCount(.rejected, .badPriority) == (fate == .rejected ? 1 : 0))
    }
  }

  @Test func `an arrival at the end of the run still happens, a send at the end does not`() throws {
    var stage = Stage(sends: [10])
    stage.end = at(10, 1)
    #expect(try stage.play().ends.map(\.fate) == [.delivered])
    stage.end = at(10) + SimDuration(microseconds: 1)
    #expect(try stage.play().ends.map(\.fate) == [.pending])
    stage.end = at(10)
    #expect(try stage.play().ends == [])
  }

  @Test func `pushes sent before the end of the warm-up happen and do not count`() throws {
    var stage = Stage(sends: [10, 30], updates: [5])
    stage.warmUp = at(20)
    stage.open(at(15))
    stage.open(at(40))
    let played = try stage.play()
    #expect(played.ends.map(\.fate) == [.delivered, .delivered])
    #expect(played.tally.sent == 1)
    #expect(played.tally.fates[Int(Fate.delivered.rawValue)] == 1)
    #expect(played.tally.wakes == 1)
    #expect(played.tally.opens == 1)
    #expect(played.tally.wokenWithin15min == 1)
  }
}

@Suite struct PlayHoldTests {
  @Test func `a push held for Low Power Mode is delivered when the mode ends`() throws {
    var stage = Stage(sends: [10])
    stage.change(at(5), add: .lowPowerMode)
    stage.change(at(30), add: .charging)
    stage.change(at(60), remove: .lowPowerMode)
    #expect(try stage.play().ends == [.init(.delivered, nil, at(60))])
  }

  @Test func `a push that Low Power Mode cancels ends on arrival under its name`() throws {
    var stage = Stage(sends: [10], state: [Stage.plain, .lowPowerMode])
    stage.policy.lowPowerMode.cancelProbability = 1
    #expect(try stage.play().ends == [.init(.discardedByPolicy, .lowPowerMode, at(10, 1))])
  }

  @Test func `a factor in shadow is counted and holds nothing`() throws {
    var stage = Stage(sends: [10], state: [Stage.plain, .lowPowerMode])
    stage.policy.modes[Int(FactorID.lowPowerMode.rawValue)] = FactorMode.shadow.rawValue
    let played = try stage.play()
    #expect(played.ends == [.init(.delivered, nil, at(10, 1))])
    #expect(played.tally.shadow[Int(FactorID.lowPowerMode.rawValue)] == 1)
  }

  @Test func `a low battery holds until the level is back or the charger is connected`() throws {
    var stage = Stage(sends: [10])
    stage.life.battery = [
      BatterySegment(time: .zero, level: 0.1, slope: 0), BatterySegment(time: at(60), level: 0.3, slope: 0),
    ]
    stage.policy.charger.liftsBatteryLevel = true
    #expect(try stage.play().ends == [.init(.delivered, nil, at(60))])
    stage.change(at(30), add: .charging)
    #expect(try stage.play().ends == [.init(.delivered, nil, at(30))])
  }

  @Test func `several pushes held are handled in one launch that costs one token`() throws {
    var stage = Stage(sends: [10, 20, 30, 40, 61, 62, 63], state: [Stage.plain, .lowPowerMode])
    stage.change(at(60), remove: .lowPowerMode)
    let played = try stage.play()
    // Of the three tokens two are left for the pushes of minutes 61 and 62; the next is there an hour after the launch.
    #expect(
      played.launches == [
        .init(at(60), handled: 4), .init(at(61, 1)), .init(at(62, 1)), .init(at(120)),
      ])
    #expect(played.ends.map(\.time) == [at(60), at(60), at(60), at(60), at(61, 1), at(62, 1), at(120)])
    #expect(played.tally.wakes == 4)
  }

  @Test func `of the pushes held for a token only the newest is kept`() throws {
    var stage = Stage(sends: [10, 20, 30, 40])
    stage.policy.hourlyBudget.burst = 1
    let played = try stage.play()
    #expect(
      played.ends == [
        .init(.delivered, nil, at(10, 1)), .init(.coalescedOnDevice, .hourlyBudget, at(30, 1)),
        .init(.coalescedOnDevice, .hourlyBudget, at(40, 1)), .init(.delivered, nil, at(70, 1)),
      ])
    #expect(played.launches == [.init(at(10, 1)), .init(at(70, 1))])
  }

  @Test func `pushes held for something else coalesce once only the token is wanting`() throws {
    var stage = Stage(sends: [10, 20, 30])
    stage.policy.hourlyBudget.burst = 1
    stage.change(at(15), add: .lowPowerMode)
    stage.change(at(40), remove: .lowPowerMode)
    #expect(
      try stage.play().ends == [
        .init(.delivered, nil, at(10, 1)), .init(.coalescedOnDevice, .hourlyBudget, at(40)),
        .init(.delivered, nil, at(70, 1)),
      ])
  }

  @Test func `a push without a token is ignored by chance on arrival, and a held one is not ignored later`()
    throws
  {
    var stage = Stage(sends: [10, 20])
    stage.policy.hourlyBudget.burst = 1
    stage.policy.hourlyBudget.ignoreProbability = 1
    #expect(
      try stage.play().ends == [
        .init(.delivered, nil, at(10, 1)), .init(.discardedByPolicy, .hourlyBudget, at(20, 1)),
      ])
    // Held for Low Power Mode first: released at minute 40, it finds no token and waits for it.
    var held = Stage(sends: [10])
    held.policy.hourlyBudget.ignoreProbability = 1
    held.policy.hourlyBudget.burst = 1
    held.push.send = .at([.minutes(5), .minutes(70)])
    held.change(at(60), add: .lowPowerMode)
    held.change(at(80), remove: .lowPowerMode)
    #expect(try held.play().ends.map(\.fate) == [.delivered, .delivered])
  }

  @Test func `a hold ends at its deadline under the factor that holds`() throws {
    let stages: [(DeviceState, FactorID, Fate)] = [
      ([Stage.plain, .lowPowerMode], .lowPowerMode, .discardedByPolicy),
      ([Stage.plain, .lowPowerMode, .asleep], .powerNap, .discardedByPolicy),
      (
        [.installed, .poweredOn, .unlockedSinceStart, .cellular, .refreshOnWiFiOnly], .refreshSwitch,
        .discardedByPolicy
      ),
      (Stage.plain.subtracting(.unlockedSinceStart), .firstUnlock, .notWakeable),
    ]
    for (state, factor, fate) in stages {
      let played = try Stage(sends: [10], state: state).play()
      #expect(played.ends == [.init(fate, factor, at(10 + 1440, 1))])
    }
  }

  @Test func `each push has a deadline of its own`() throws {
    let played = try Stage(sends: [10, 40], state: [Stage.plain, .lowPowerMode]).play()
    #expect(played.ends.map(\.time) == [at(10 + 1440, 1), at(40 + 1440, 1)])
  }

  @Test func `a forgotten app has its pushes held until it is opened, foreground factor or not`() throws {
    for mode in [FactorMode.on, .off] {
      var stage = Stage(sends: [10])
      stage.life.pastOpens = []
      stage.policy.modes[Int(FactorID.foreground.rawValue)] = mode.rawValue
      stage.open(at(60))
      let played = try stage.play()
      #expect(played.ends == [.init(.delivered, nil, at(60))])
      #expect(played.launches == [.init(at(60), inForeground: mode == .on)])
    }
  }

  @Test func `a switch turned off while pushes wait ends them when they are next looked at`() throws {
    var stage = Stage(sends: [10], state: [Stage.plain, .lowPowerMode])
    stage.change(at(20), add: .refreshOff)
    stage.change(at(30), remove: .lowPowerMode)
    #expect(try stage.play().ends == [.init(.notWakeable, .refreshSwitch, at(30))])
  }

  @Test func `what is held at the end of the run is pending under the factor that held it`() throws {
    var stage = Stage(sends: [10], state: [Stage.plain, .lowPowerMode])
    stage.end = at(60)
    #expect(try stage.play().ends == [.init(.pending, .lowPowerMode, at(60))])
  }

  @Test func `a sender far above the limit is blocked, and served again after the block`() throws {
    var stage = Stage(sends: [10, 11, 12, 13, 71, 73])
    stage.policy.sustainedExcess.factor = 2
    let played = try stage.play()
    // Two an hour are allowed: the third blocks for an hour.
    #expect(
      played.ends.map(\.fate) == [
        .delivered, .delivered, .discardedByPolicy, .discardedByPolicy, .discardedByPolicy, .delivered,
      ])
    #expect(played.tally.reasonCount(.discardedByPolicy, Reason(.sustainedExcess)) == 3)
  }

  @Test func `a Power Nap wake launches once for all that is held, and what comes later waits for the next`()
    throws
  {
    var stage = Stage(sends: [10, 20, 30, 70], state: [Stage.plain, .asleep])
    stage.change(at(60), .powerNapWake)
    stage.change(at(120), .powerNapWake)
    let played = try stage.play()
    #expect(played.launches == [.init(at(60), handled: 3), .init(at(120))])
    #expect(played.ends.map(\.time) == [at(60), at(60), at(60), at(120)])
  }

  @Test func `a Power Nap wake obeys the other factors`() throws {
    var stage = Stage(sends: [10], state: [Stage.plain, .asleep, .lowPowerMode])
    stage.change(at(60), .powerNapWake)
    stage.change(at(90), remove: .lowPowerMode)
    stage.change(at(120), .powerNapWake)
    #expect(try stage.play().ends == [.init(.delivered, nil, at(120))])
  }

  @Test func `a user who wakes the device releases what Power Nap held`() throws {
    var stage = Stage(sends: [10], state: [Stage.plain, .asleep])
    stage.change(at(30), remove: .asleep)
    #expect(try stage.play().ends == [.init(.delivered, nil, at(30))])
  }
}

@Suite struct PlayUserTests {
  @Test func `a force quit ends what is held, and nothing wakes the app until it is cleared`() throws {
    var stage = Stage(sends: [10, 30, 50], state: [Stage.plain, .lowPowerMode])
    stage.change(at(20), add: .forceQuit)
    stage.change(at(40), remove: [.forceQuit, .lowPowerMode], .restart)
    #expect(
      try stage.play().ends == [
        .init(.notWakeable, .forceQuit, at(20)), .init(.notWakeable, .forceQuit, at(30, 1)),
        .init(.delivered, nil, at(50, 1)),
      ])
  }

  @Test(arguments: [DeviceState.forceQuit, .poweredOn])
  func `a force quit or a power loss ends the running handler, which then brings nothing`(flag: DeviceState)
    throws
  {
    var stage = Stage(sends: [10], updates: [5])
    stage.handler = .constant(30)
    stage.app.syncsOnOpen = false
    if flag == .forceQuit {
      stage.change(at(10, 20), add: flag)
    } else {
      stage.change(at(10, 20), remove: flag)
    }
    stage.change(at(20), add: .poweredOn, remove: .forceQuit, .restart)
    stage.open(at(30))
    let played = try stage.play()
    #expect(played.launches.count == 1)
    #expect(played.reputations == [])
    #expect(played.versionsBehind == [1])
    #expect(played.tally.usefulWakes == 0)
  }

  @Test func `an open releases what is held to the app in front, at no token`() throws {
    var stage = Stage(sends: [10, 20, 71])
    stage.policy.hourlyBudget.burst = 1
    stage.open(at(30))
    let played = try stage.play()
    // The token of minute 10 is back at minute 70, as if nothing had been released at minute 30.
    #expect(
      played.launches == [.init(at(10, 1)), .init(at(30), inForeground: true), .init(at(71, 1))])
    #expect(played.ends.map(\.time) == [at(10, 1), at(30), at(71, 1)])
    #expect(played.tally.wakes == 2)
    #expect(played.tally.launchesInForeground == 1)
    #expect(played.tally.deliveredInForeground == 1)
  }

  @Test func `a delivery to the app in front gives no feedback, one in the background does`() throws {
    var stage = Stage(sends: [10, 30])
    stage.app.results.newData = 0
    stage.app.results.neverCompletes = 1
    stage.open(at(29), minutes: 5)
    let played = try stage.play()
    #expect(played.results == [.killed, .killed])
    #expect(played.launches.map(\.inForeground) == [false, true])
    let afterFirst = 1 + 0.1 * (0.1 - 1)
    let forgiven = afterFirst + 0.25 * (1 - afterFirst)
    #expect(abs(played.reputations[0] - afterFirst) < 1e-12)
    #expect(abs(played.reputations[1] - forgiven) < 1e-12)
  }

  @Test func `after as many misses as allowed nothing is launched until an open`() throws {
    var stage = Stage(sends: [10, 20, 30, 200, 400])
    stage.app.results.newData = 0
    stage.app.results.neverCompletes = 1
    stage.policy.hourlyBudget.burst = 9
    stage.open(at(300))
    let played = try stage.play()
    #expect(played.ends.map(\.time) == [at(10, 1), at(20, 1), at(30, 1), at(300), at(400, 1)])
    #expect(played.launches[3] == .init(at(300), inForeground: true))
  }

  @Test func `an uninstall ends what is on the device and at APNs, and the provider stops at the first 410`()
    throws
  {
    var stage = Stage(sends: [10, 70, 80, 110, 120, 150], state: [Stage.plain, .lowPowerMode])
    stage.life.tokenReportedGone = at(100)
    stage.change(at(60), remove: .installed, .uninstall)
    stage.change(at(140), add: .installed, remove: .lowPowerMode, .install)
    stage.change(at(141), add: .inFront, .open)
    let played = try stage.play()
    #expect(
      played.ends == [
        .init(.notWakeable, .notInstalled, at(60)), .init(.discardedAtAPNs, .tokenInactive, at(70)),
        .init(.discardedAtAPNs, .tokenInactive, at(80)), .init(.rejected, .unregistered, at(110)),
        // The send of minute 120 is left out; the new install has a new token.
        .init(.delivered, nil, at(150, 1)),
      ])
    #expect(played.tally.sent == 5)

    var stored = Stage(sends: [10], state: Stage.plain.subtracting(.wifi))
    stored.change(at(60), remove: .installed, .uninstall)
    #expect(try stored.play().ends == [.init(.discardedAtAPNs, .tokenInactive, at(60))])

    var onItsWay = Stage(sends: [10])
    onItsWay.transit = .constant(300)
    onItsWay.change(at(12), remove: .installed, .uninstall)
    #expect(try onItsWay.play().ends == [.init(.discardedAtAPNs, .tokenInactive, at(15))])
  }

  @Test func `a push with an alert is shown and wakes nothing`() throws {
    var stage = Stage(sends: [10])
    stage.push.request = [.contentAvailable, .alert]
    let played = try stage.play()
    #expect(played.ends == [.init(.notWakeable, .payload, at(10, 1))])
    #expect(played.tally.shown == 1)
    #expect(played.tally.wakes == 0)
  }

  @Test func `a user who allows no notifications is shown none, whether sent or stored before`() throws {
    var stage = Stage(sends: [10], state: Stage.plain.subtracting(.alertsAllowed))
    stage.push.request = .alert
    var played = try stage.play()
    #expect(played.ends == [.init(.discardedAtAPNs, .notificationsDisabled, at(10))])
    #expect(played.tally.shown == 0)
    // A silent push needs no permission.
    stage.push.request = .silent
    #expect(try stage.play().ends.map(\.fate) == [.delivered])

    var stored = Stage(sends: [10], state: Stage.plain.subtracting(.wifi))
    stored.push.request = .alert
    stored.change(at(20), remove: .alertsAllowed)
    stored.change(at(30), add: .wifi)
    played = try stored.play()
    #expect(played.tally.shown == 0)
    #expect(played.ends == [.init(.notWakeable, .payload, at(30, 1))])
  }
}

@Suite struct PlayLaunchTests {
  @Test func `a push that arrives while the handler runs joins its launch`() throws {
    var stage = Stage(sends: [])
    stage.handler = .constant(50)
    stage.push.send = .at([.minutes(10), .minutes(10) + .seconds(30), .minutes(11)])
    let played = try stage.play()
    // The handler runs from 10:01 to 10:51.
    #expect(played.launches == [.init(at(10, 1)), .init(at(11, 1))])
    #expect(played.ends.map(\.time) == [at(10, 1), at(10, 31), at(11, 1)])
    #expect(played.tally.results[Int(LaunchResult.newData.rawValue)] == 3)
    #expect(played.tally.wokenWithin15min == 3)
  }

  @Test func `a handler as long as the limit is late, a shorter one is not`() throws {
    for (seconds, result) in [(59.9, LaunchResult.newData), (60, .timedOut), (90, .timedOut)] {
      var stage = Stage(sends: [10], updates: [5])
      stage.handler = .constant(seconds)
      stage.app.syncsOnOpen = false
      stage.open(at(20))
      let played = try stage.play()
      #expect(played.results == [result])
      #expect(played.versionsBehind == [result == .newData ? 0 : 1])
    }
  }

  @Test
  func `a handler that forgets to complete has done its work all the same, unless it was too slow for that`()
    throws
  {
    for (seconds, behind) in [(10.0, 0), (60, 1)] {
      var stage = Stage(sends: [10], updates: [5])
      stage.handler = .constant(seconds)
      stage.app.results.newData = 0
      stage.app.results.neverCompletes = 1
      stage.app.syncsOnOpen = false
      stage.open(at(20))
      let played = try stage.play()
      #expect(played.results == [.killed])
      #expect(played.versionsBehind == [behind])
    }
  }

  @Test func `a launch without a network brings nothing, however it ends`() throws {
    for neverCompletes in [0.0, 1] {
      var stage = Stage(sends: [10], updates: [5], state: [Stage.plain, .lowPowerMode])
      stage.policy.modes[Int(FactorID.network.rawValue)] = FactorMode.off.rawValue
      stage.app.results.newData = 1 - neverCompletes
      stage.app.results.neverCompletes = neverCompletes
      stage.app.syncsOnOpen = false
      stage.change(at(20), remove: .wifi)
      stage.change(at(30), remove: .lowPowerMode)
      stage.open(at(40))
      let played = try stage.play()
      #expect(played.results == [neverCompletes == 1 ? .killed : .failed])
      #expect(played.versionsBehind == [1])
    }
  }

  @Test func `a wake is useful if what it brought is seen before it is superseded`() throws {
    var stage = Stage(sends: [10, 30, 40, 50], updates: [5, 35, 45])
    stage.policy.hourlyBudget.burst = 9
    stage.app.syncsOnOpen = false
    stage.open(at(20))
    stage.open(at(60))
    let played = try stage.play()
    // Seen; nothing new; superseded by the next; seen.
    #expect(played.results == [.newData, .noData, .newData, .newData])
    #expect(played.tally.wakes == 4)
    #expect(played.tally.usefulWakes == 2)
    #expect(played.versionsBehind == [0, 0])
  }

  @Test func `a wake is useful at once if the app has come to the front while it ran`() throws {
    var stage = Stage(sends: [10], updates: [5])
    stage.handler = .constant(50)
    stage.app.syncsOnOpen = false
    stage.open(at(10, 30))
    #expect(try stage.play().tally.usefulWakes == 1)
    // An app that had loaded the same by itself gained nothing.
    stage.app.syncsOnOpen = true
    #expect(try stage.play().tally.usefulWakes == 0)
  }

  @Test func `freshness and staleness at an open are those before it synchronises`() throws {
    var stage = Stage(sends: [], updates: [10, 20])
    for minute: Int64 in [5, 15, 17, 40] { stage.open(at(minute)) }
    var played = try stage.play()
    #expect(played.versionsBehind == [0, 1, 0, 1])
    #expect(played.tally.opens == 4)
    #expect(played.tally.freshOpens == 2)
    // Five minutes behind the first update, twenty behind the second.
    #expect(played.tally.stalenessMilliseconds == 25 * 60_000)
    #expect(played.tally.users == 1)
    #expect(played.tally.userFreshShares == 1 << 31)

    // Without synchronising, staleness counts from the first update missed.
    stage.app.syncsOnOpen = false
    played = try stage.play()
    #expect(played.versionsBehind == [0, 1, 1, 2])
    #expect(played.tally.stalenessMilliseconds == (5 + 7 + 30) * 60_000)
  }

  @Test func `an open without a network synchronises nothing`() throws {
    var stage = Stage(sends: [], updates: [10], state: Stage.plain.subtracting(.wifi))
    stage.open(at(15))
    stage.open(at(20))
    #expect(try stage.play().versionsBehind == [1, 1])
  }

  @Test func `an app without content has opens and no freshness`() throws {
    var stage = Stage(sends: [])
    stage.open(at(5))
    let tally = try stage.play().tally
    #expect(tally.opens == 1)
    #expect(tally.freshOpens == 0)
    #expect(tally.users == 0)
    #expect(tally.staleness.count == 0)
  }

  @Test func `woken within 15 minutes includes the quarter of an hour and not more`() throws {
    for (lifted, woken) in [(at(25), Int64(1)), (at(25) + SimDuration(microseconds: 1), 0)] {
      var stage = Stage(sends: [10], state: [Stage.plain, .lowPowerMode])
      stage.change(lifted, remove: .lowPowerMode)
      let tally = try stage.play().tally
      #expect(tally.wokenWithin15min == woken)
      #expect(tally.within[2] == woken)
    }
  }

  @Test func `a push that was ignored counts as woken if a newer one, or an open, follows in time`() throws {
    var stage = Stage(sends: [10, 15, 21, 22])
    stage.policy.hourlyBudget.limit = 6 / 3600.0
    stage.policy.hourlyBudget.burst = 1
    stage.policy.hourlyBudget.ignoreProbability = 1
    var tally = try stage.play().tally
    #expect(tally.fates[Int(Fate.delivered.rawValue)] == 2)
    #expect(tally.wokenWithin15min == 3)
    stage.open(at(30))
    tally = try stage.play().tally
    #expect(tally.fates[Int(Fate.delivered.rawValue)] == 2)
    #expect(tally.wokenWithin15min == 4)
  }

  @Test func `a launch answers the newest of the pushes it handles, in whatever order they arrived`() throws {
    var stage = Stage(sends: [10, 11], state: [Stage.plain, .lowPowerMode])
    stage.slowTransit = (0.5, .constant(300))
    stage.change(at(20), remove: .lowPowerMode)
    var overtaken = 0
    for device: UInt32 in 0..<40 {
      let played = try stage.play(device: device)
      let arrivals = played.records.compactMap { if case .arrived = $0.event { $0.push } else { nil } }
      if arrivals == [1, 0] { overtaken += 1 }
      #expect(played.tally.wokenWithin15min == 2)
    }
    #expect(overtaken > 0)
  }
}
