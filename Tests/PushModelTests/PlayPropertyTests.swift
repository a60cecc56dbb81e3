import Distributions
import EventKernel
import OutputAnalysis
import PushPolicy
import Quantities
import Testing

@testable import PushModel

/// Random lives, policies and strategies, wilder than any population's.
private struct RandomStage {
  var stream: RandomStream
  /// Apart, so that what it draws moves nothing else.
  var troubles: RandomStream
  init(_ item: UInt32) {
    let streams = StreamFamily(seed: 20_260_103, replication: 0)
    stream = streams.stream(.test, item: item)
    troubles = streams.stream(.test, item: item + 1_000_000)
  }

  private mutating func below(_ count: Int) -> Int { Int(stream.uniform() * Double(count)) }

  mutating func stage() -> Stage {
    var stage = Stage(sends: [], updates: [])
    stage.end = at(5 * 1440)
    stage.warmUp = stream.bernoulli(0.5) ? .zero : at(1440)
    stage.updates = (0..<below(30)).map { _ in at(Int64(below(5 * 1440))) }.sorted()
    stage.hasContent = stream.bernoulli(0.8)
    stage.push = push(stage.end)
    stage.handler = stream.bernoulli(0.3) ? .constant(0) : try! .exponential(mean: 20)
    stage.transit = stream.bernoulli(0.3) ? .constant(0) : try! .exponential(mean: 60)
    stage.slowTransit = (0.1, .constant(3000))
    stage.app.results.newData = 0.5
    stage.app.results.noData = 0.2
    stage.app.results.failed = 0.1
    stage.app.results.neverCompletes = 0.2
    stage.app.syncsOnOpen = stream.bernoulli(0.5)
    change(&stage.policy)
    live(&stage)
    if troubles.bernoulli(0.3) { trouble(&stage) }
    return stage
  }

  private mutating func index(below count: Int) -> Int { Int(troubles.uniform() * Double(count)) }

  /// A provider and an APNs that make life hard for a push.
  private mutating func trouble(_ stage: inout Stage) {
    stage.push.provider.audience = 1 + index(below: 1_000_000)
    stage.push.provider.badTokens = 0.1
    stage.push.provider.removesBadTokens = troubles.bernoulli(0.5)
    stage.push.provider.removesUnregistered = troubles.bernoulli(0.5)
    stage.push.provider.retries.most = index(below: 6)
    stage.push.provider.retries.delay = .seconds(Int64(1 + index(below: 3600)))
    stage.push.provider.retries.jitter = troubles.uniform()
    stage.push.provider.retries.statuses = [[], [500, 503], [429, 503], [410, 400]][index(below: 4)]
    stage.push.type = [nil, .alert, .background, .missing][index(below: 4)]
    stage.policy.apns.wrongTypeRejected = troubles.uniform()
    stage.policy.apns.newestWins = troubles.uniform()
    stage.policy.apns.expirySoftness = 600 * troubles.uniform()
    stage.policy.apns.tokenBurst = Double(index(below: 4))
    stage.policy.apns.tokenRefill = troubles.uniform() / 3600
    stage.policy.apns.deadLinkOnWiFi = troubles.uniform() / 3600
    stage.policy.apns.deadLinkOnCellular = troubles.uniform() / 3600
    stage.policy.apns.deadLinkLength = 18_000 * troubles.uniform()
    stage.policy.apns.reconnectDelay = 60 * troubles.uniform()
    stage.policy.apns.restrictionDeclared = troubles.uniform()
    stage.policy.apns.priority1WaitsForUse = troubles.bernoulli(0.5)
    if troubles.bernoulli(0.3) { stage.push.priority = 1 }
    stage.outages = (0..<index(below: 4)).map { _ in
      let from = at(Int64(index(below: 5 * 1440)))
      return Outage(
        from: from, until: from + .hours(6), answer: Reason.outages[index(below: Reason.outages.count)])
    }
  }

  private mutating func push(_ end: SimTime) -> PushPlan {
    let send: SendSchedule =
      switch below(5) {
      case 0: .poisson(rate: stream.uniform() * 12 / 3600)
      case 1: .every(.minutes(Int64(5 + below(120))), phase: .minutes(3), jitter: .minutes(5))
      case 2: .eachUpdate
      case 3: .atLocal([.hours(8), .hours(8), .hours(20)])
      default: .at((0..<60).map { _ in .minutes(Int64(below(5 * 1440))) }.sorted())
      }
    var push = PushPlan(send: send)
    push.priority = stream.bernoulli(0.2) ? 10 : 5
    push.expiration = [.absent, .immediate, .after(.minutes(40))][below(3)]
    push.request = [.silent, .silent, .silent, [.contentAvailable, .alert], []][below(5)]
    return push
  }

  private mutating func change(_ policy: inout Policy) {
    policy.lowPowerMode.cancelProbability = stream.uniform()
    policy.batteryLevel.cancelProbability = stream.uniform()
    policy.hourlyBudget.ignoreProbability = stream.uniform()
    policy.hourlyBudget.limit = stream.bernoulli(0.1) ? 0 : 5 * stream.uniform() / 3600
    policy.hourlyBudget.burst = Double(1 + below(4))
    policy.sustainedExcess.factor = 1 + 4 * stream.uniform()
    policy.usageHistory.freshFor = 3600 * 30 * stream.uniform()
    policy.usageHistory.forgottenAfter = 3600 * 60 * stream.uniform()
    policy.usageHistory.habitWeight = stream.uniform()
    policy.usageHistory.opensNeeded = 1
    policy.hold.deadline = 3600 * (1 + 40 * stream.uniform())
    policy.apns.storageLimit = stream.bernoulli(0.2) ? 0 : 7200 * stream.uniform()
    policy.apns.wrongPriorityRejected = stream.uniform()
    policy.charger.liftsBatteryLevel = stream.bernoulli(0.5)
    policy.charger.liftsCPULoad = stream.bernoulli(0.5)
    if stream.bernoulli(0.5) { schedule(&policy) }
    for factor in FactorID.allCases where stream.bernoulli(0.15) {
      policy.modes[Int(factor.rawValue)] = 1 + below(2)
    }
  }

  /// Turns the scheduler's factors on.
  private mutating func schedule(_ policy: inout Policy) {
    for factor in FactorID.scheduler { policy.modes[Int(factor.rawValue)] = FactorMode.on.rawValue }
    policy.hold.newestWins = stream.bernoulli(0.7)
    policy.usageHistory.gate = below(3)
    policy.usageHistory.softWeight = 25
    policy.usageHistory.hardAfter = 3600 * 60 * stream.uniform()
    policy.bootWindow.length = 300
    policy.herdWindow.length = 900
    policy.herdWindow.outage = 600
    policy.devicePool.size = 1 + 50 * stream.uniform()
    policy.devicePool.period = 86_400
    policy.devicePool.isGradual = stream.bernoulli(0.5)
    policy.launchSpacing.interval = 60 + 1800 * stream.uniform()
    policy.launchSpacing.inUseFactor = 0.4
    policy.launchSpacing.reopensFull = stream.bernoulli(0.5)
    policy.launchSpacing.weight1 = 0.5
    policy.launchSpacing.weight4 = 0.5
    policy.deviceInUse.weight = 5
    policy.deviceInUse.score = 0.25
    policy.networkQuality.weight = 8.4
    policy.networkQuality.cellular = 0.75
    policy.score.weight = 20
    policy.score.first = 0.9
    policy.score.last = 0.5
    policy.score.fallsFor = 86_400
    policy.fetchFeedback.missFactor = 2
    policy.fetchFeedback.missCap = 16
    policy.fetchFeedback.stopFor = stream.bernoulli(0.5) ? 0 : 7200
    policy.execution.grantMedian = 5
    policy.execution.grantSigma = stream.bernoulli(0.5) ? 0.8 : 0
    policy.release.charger = 0.5
    policy.release.otherNotification = 0.5
    policy.release.activityRate = 1.0 / 3600
    policy.release.activity = 0.5
  }

  /// Changes at random minutes, many at the same one; an uninstalled app is neither in front nor opened.
  private mutating func live(_ stage: inout Stage) {
    stage.life.traits.utcOffset = .minutes(Int64(below(53) - 24) * 30)
    stage.life.traits.userClass = UserClass.allCases[below(4)]
    stage.life.tokenReportedGone = stream.bernoulli(0.5) ? .distantFuture : at(Int64(below(5 * 1440)))
    let flags: [DeviceState] = [
      .poweredOn, .unlockedSinceStart, .wifi, .cellular, .charging, .lowPowerMode, .asleep, .forceQuit,
      .refreshOff, .refreshOnWiFiOnly, .alertsAllowed, .inFront, .screenOn, .camera,
    ]
    var state = Stage.plain
    var minute: Int64 = 0
    while minute < 5 * 1440 {
      minute += Int64(below(60))
      let flag = flags[below(flags.count)]
      let isGood = Stage.plain.contains(flag)
      var moment = Moment.none
      switch below(12) {
      case 0 where state.contains(.installed):
        state.remove([.installed, .inFront])
        moment = .uninstall
      case 1,
        2 where !state.contains(.installed):
        if state.contains(.installed) { break }
        state.insert(.installed)
        moment = .install
      case 3, 4,
        5 where state.contains(.installed):
        state.insert(.inFront)
        state.remove(.forceQuit)
        moment = .open
      case 6: moment = .powerNapWake
      default:
        // Mostly back to what lets pushes through.
        if stream.bernoulli(0.7) == isGood { state.insert(flag) } else { state.remove(flag) }
        if !state.contains(.installed) { state.remove(.inFront) }
      }
      stage.life.changes.append(LifeChange(time: at(minute), state: state, moment: moment))
    }
    for hour in 0..<60 {
      let load = LoadChange(time: at(Int64(hour) * 120), load: stream.uniform())
      stage.life.cpu.append(load)
      let level = BatterySegment(
        time: at(Int64(hour) * 120), level: stream.uniform(), slope: (stream.uniform() - 0.5) / 7200)
      stage.life.battery.append(level)
    }
  }
}

@Suite struct PlayPropertyTests {
  @Test func `every push has exactly one fate, and the fates add up to what was sent`() throws {
    var random = RandomStage(1)
    var seen = InlineArray<10, Int64>(repeating: 0)
    for number in 0..<400 {
      let played = try random.stage().play(device: UInt32(number))
      let tally = played.tally
      var sent: [Int: Int] = [:]
      for record in played.records {
        guard let push = record.push else { continue }
        if case .sent = record.event { sent[push] = 0 }
        if case .ended = record.event { sent[push, default: 99] += 1 }
      }
      #expect(sent.values.allSatisfy { $0 == 1 }, "stage \(number)")
      var total: Int64 = 0
      for fate in tally.fates.indices {
        total += tally.fates[fate]
        seen[fate] += tally.fates[fate]
      }
      #expect(total == tally.sent, "stage \(number)")
    }
    // The property says little of fates that never come up.
    for fate in Fate.allCases { #expect(seen[Int(fate.rawValue)] > 5, "\(fate.name)") }
  }

  @Test func `what APNs counts adds up`() throws {
    var storedForPower: Int64 = 0
    for number in 0..<600 as Range<UInt32> {
      var random = RandomStage(number)
      let tally = try random.stage().play(device: number).tally
      let apns = tally.apns[0]
      func sum(_ statuses: APNsMetrics.Status...) -> Int64 { statuses.reduce(0) { $0 + apns.total($1) } }
      let received = apns.total(.received)
      #expect(
        received
          == sum(
            .delivered, .storedDeviceOffline, .storedForPower, .discardedUnregistered, .discardedDisabled,
            .discardedExpired, .lost, .inTransitAtEnd), "stage \(number)")
      #expect(
        sum(.storedDeviceOffline, .storedForPower)
          == sum(
            .deliveredFromStorage, .discardedUnregisteredFromStorage, .discardedExpiredFromStorage,
            .lostFromStorage, .overwritten, .storedAtEnd), "stage \(number)")
      #expect(tally.sent - tally.fates[Int(Fate.rejected.rawValue)] >= received, "stage \(number)")
      #expect(apns.total(.overwritten) == tally.fates[Int(Fate.overwrittenAtAPNs.rawValue)])
      storedForPower += apns.total(.storedForPower)
    }
    #expect(storedForPower > 10)
  }

  @Test func `the parts of a tally add up`() throws {
    var random = RandomStage(2)
    for number in 0..<400 {
      let tally = try random.stage().play(device: UInt32(number)).tally
      let delivered = tally.fates[Int(Fate.delivered.rawValue)]
      var results: Int64 = 0
      for index in tally.results.indices { results += tally.results[index] }
      #expect(results == delivered)
      #expect(tally.latency.count == UInt64(delivered))
      #expect(tally.deliveredInForeground <= delivered)
      for index in 1..<4 { #expect(tally.within[index - 1] <= tally.within[index]) }
      #expect(tally.within[3] <= delivered)
      #expect(tally.usefulWakes <= tally.wakes)
      #expect(tally.freshOpens <= tally.opens)
      #expect(tally.wokenWithin15min <= tally.sent)
      var byHour = Tally.Segment()
      for hour in tally.byHour.indices {
        byHour.sent += tally.byHour[hour].sent
        byHour.delivered += tally.byHour[hour].delivered
        byHour.within5min += tally.byHour[hour].within5min
        byHour.notWakeable += tally.byHour[hour].notWakeable
        byHour.freshOpens += tally.byHour[hour].freshOpens
      }
      #expect(byHour.sent == tally.sent)
      #expect(byHour.delivered == delivered)
      #expect(byHour.within5min == tally.within[1])
      #expect(byHour.notWakeable == tally.fates[Int(Fate.notWakeable.rawValue)])
      #expect(byHour.freshOpens == tally.freshOpens)
      for fate in Fate.allCases {
        var reasons: Int64 = 0
        for index in 0..<Reason.count { reasons += tally.reasonCount(fate, Reason(index: index)) }
        // Delivered and lost pushes have no reason; pending ones only when something holds them.
        switch fate {
        case .delivered, .lost: #expect(reasons == 0)
        case .pending: #expect(reasons <= tally.fates[Int(fate.rawValue)])
        default: #expect(reasons == tally.fates[Int(fate.rawValue)])
        }
      }
    }
  }

  @Test func `time never runs backwards, and each launch is followed by its end or by what cut it off`()
    throws
  {
    var random = RandomStage(3)
    for number in 0..<200 {
      let records = try random.stage().play(device: UInt32(number)).records
      for (a, b) in zip(records, records.dropFirst()) { #expect(a.time <= b.time) }
      var isRunning = false
      for record in records {
        switch record.event {
        case .launched:
          #expect(!isRunning, "stage \(number)")
          isRunning = true
        case .handlerEnded:
          #expect(isRunning, "stage \(number)")
          isRunning = false
        case .changed(let from, let to, let moment):
          let isCut =
            moment == .uninstall || (to.contains(.forceQuit) && !from.contains(.forceQuit))
            || (from.contains(.poweredOn) && !to.contains(.poweredOn))
          if isCut { isRunning = false }
        default: break
        }
      }
    }
  }

  @Test func `every decision of a trace is reached again from what the trace holds`() throws {
    var random = RandomStage(4)
    var replayed = 0
    for number in 0..<100 {
      let stage = random.stage()
      for record in try stage.play(device: UInt32(number)).records {
        guard case .decided(let context, let memory, let decision, let draws) = record.event else { continue }
        var again = decide(context, memory: memory, policy: stage.policy)
        _ = again.resolve(isArrival: context.occasion == .arrival) { factor in
          draws.first { $0.factor == factor }?.uniform ?? 2
        }
        #expect(again.outcome == decision.outcome)
        #expect(again.holding == decision.holding)
        #expect(again.refusing == decision.refusing)
        #expect(again.hold == decision.hold)
        replayed += 1
      }
    }
    #expect(replayed > 1000)
  }

  @Test func `a device leaves nothing behind for the next`() throws {
    var random = RandomStage(5)
    for _ in 0..<100 {
      // Two lives under one setting, one after the other, and each by itself.
      let first = random.stage()
      var second = first
      second.life = random.stage().life
      let streams = StreamFamily(seed: 1, replication: 0)
      var play = Play(setting: first.setting, observer: NoObserver())
      for (device, stage) in [first, second].enumerated() {
        var conditions = Conditions()
        conditions.compile(stage.life, stage.policy)
        try play.run(stage.life, conditions, device: UInt32(device), streams: streams)
      }
      var apart = try first.play(device: 0).tally
      apart.add(try second.play(device: 1).tally)
      #expect(play.tally.sent == apart.sent)
      #expect(play.tally.latency == apart.latency)
      #expect(play.tally.staleness == apart.staleness)
      #expect(play.tally.wokenWithin15min == apart.wokenWithin15min)
      #expect(play.tally.usefulWakes == apart.usefulWakes)
      for fate in play.tally.fates.indices { #expect(play.tally.fates[fate] == apart.fates[fate]) }
    }
  }
}
