internal import Distributions
internal import PushPolicy
internal import Quantities

/// What of a run decides which parameters it reads: what its strategies do, what its policy has on, and what can happen
/// in its lives.
struct RunFacts {
  let policy: Policy
  let population: Population
  let script: LifeScript?
  /// What the script comes to; nil for drawn lives.
  let scripted: ScriptedFacts?
  let app: AppModel
  let strategies: [Strategy]
  let hasContent: Bool
  let contentSize: Int64
  let outages: [Outage]
  let sharedEvents: SharedEvents?
  /// Paths that each replication draws anew, so that their values say nothing.
  private let drawn: Set<String>

  init(_ input: ModelInput, policy index: Int) {
    let parameters = input.policies[index].parameters
    policy = parameters.values
    population = input.population.parameters.values
    if case .scripted(let script, _) = input.population {
      self.script = script
      scripted = ScriptedFacts(script, population, policy, until: input.end, input.seed)
    } else {
      (script, scripted) = (nil, nil)
    }
    app = input.app
    strategies = input.strategies
    hasContent = input.content != nil
    contentSize = input.content?.size ?? 0
    outages = input.outages
    sharedEvents = input.sharedEvents
    drawn = Set(
      parameters.drawn.map { "policy." + $0.key.path }
        + input.population.parameters.drawn.map { "population." + $0.key.path })
  }

  /// Whether a value is above 0 in some replication.
  func mayBe(_ path: String, _ value: Double) -> Bool { value > 0 || mayDiffer(path) }

  /// Whether replications draw it.
  func mayDiffer(_ path: String) -> Bool { drawn.contains(path) }

  // MARK: Mechanisms

  var plans: [PushPlan] { strategies.flatMap(\.pushPlans) }
  var appPlans: [PushPlan] { plans.filter { $0.mechanism != .voip } }
  /// Pushes that come to a decision on a launch.
  var wakePlans: [PushPlan] {
    appPlans.filter {
      !$0.request.isForExtension && ($0.mechanism == .background || policy.payload.mayWake($0.request))
    }
  }
  var wakes: Bool { !wakePlans.isEmpty }
  var hasVoIP: Bool { strategies.contains { $0.voipPush != nil } }
  var runsRefresh: Bool {
    strategies.contains { $0.appRefresh != nil } && app.backgroundModes.contains(.fetch)
  }
  var runsProcessing: Bool {
    strategies.contains { $0.processingTask != nil } && app.backgroundModes.contains(.processing)
  }
  /// A background session without anything new loads nothing.
  var downloads: Bool { hasContent && strategies.contains { $0.backgroundDownload != nil } }
  /// A launch, an open or an extension loads what is new by itself.
  var loads: Bool { hasContent && strategies.contains { $0.backgroundDownload == nil } }
  var sendsActivities: Bool { plans.contains { $0.request == .liveActivity } }
  /// What such pushes ask for, in turn.
  var activityEvents: Set<LiveActivity.Event> {
    var events: Set<LiveActivity.Event> = []
    for plan in plans where plan.request == .liveActivity {
      if let event = plan.activity.event {
        events.insert(event)
      } else {
        events.formUnion([.start, .update, .end])
      }
    }
    return events
  }
  var sendsToWidgets: Bool { plans.contains { $0.request == .widgets } }
  /// Pushes that an app whose alerts are shown in no place may miss.
  var showsNowhere: Bool {
    scripted?.shows(.alertStylesOff)
      ?? mayBe("population.settings.alert_styles_off", population.settings.alertStylesOff)
  }
  /// A push that is shown only with the user's permission.
  var asksForPermission: Bool { appPlans.contains { $0.request.isVisible } }
  /// A silent push that an app without a place for its alerts misses.
  var missesWithoutStyle: Bool {
    appPlans.contains { !$0.request.isForExtension }
      && mayBe("policy.apns.styles_off_ignored", policy.apns.stylesOffIgnored)
  }
  /// The work of service extensions that are asked at all.
  var extensions: [ServiceExtensionWork] {
    strategies.compactMap { strategy in
      guard let request = strategy.alertPush?.request, request.isSuperset(of: [.alert, .mutableContent])
      else { return nil }
      return strategy.alerts.serviceExtension
    }
  }
  var attachments: [ServiceExtensionWork.Attachment] { extensions.compactMap(\.attachment) }
  /// Something wakes the radio for the app.
  var usesRadio: Bool { !plans.isEmpty || runsRefresh || runsProcessing }
  var runsCode: Bool { wakes || hasVoIP || runsRefresh || runsProcessing || !extensions.isEmpty }
  /// Bytes that cost energy.
  var transfers: Bool { loads && contentSize > 0 || downloads || !attachments.isEmpty }
  var costs: Bool { usesRadio || transfers }

  // MARK: The policy

  func isOn(_ factor: FactorID) -> Bool { policy.enabled.contains(factor) }
  func isWatched(_ factor: FactorID) -> Bool { isOn(factor) || policy.shadowed.contains(factor) }

  /// Whether a mechanism of the strategies asks the factor, if it is on.
  func isAsked(_ factor: FactorID) -> Bool {
    switch factor {
    case .voipRate, .voipReport: hasVoIP
    case .backgroundMode: wakes || hasVoIP
    default: wakes || isGate(factor)
    }
  }

  /// Whether tasks or transfers ask it.
  func isGate(_ factor: FactorID) -> Bool {
    runsRefresh && AppRefresh.asks.contains(factor)
      || runsProcessing && ProcessingTask.asks.contains(factor)
      || downloads && BackgroundDownload.discretionaryGates.contains(factor)
  }

  /// What keeps a factor from being asked; nil: it is.
  func unasked(_ factor: FactorID) -> String? {
    if !isWatched(factor) { return "`\(factor.name).mode` is off" }
    if wakes || isAsked(factor) && isOn(factor) || !isGate(factor) && isAsked(factor) { return nil }
    return isAsked(factor)
      ? "`\(factor.name).mode` is shadow, and no strategy sends pushes" : noMechanism(factor)
  }

  /// The same of decisions on pushes alone.
  func unaskedByPushes(_ factor: FactorID) -> String? {
    if !isWatched(factor) { return "`\(factor.name).mode` is off" }
    return wakes ? nil : Self.noWake
  }

  func noMechanism(_ factor: FactorID) -> String {
    switch factor {
    case .voipRate, .voipReport: Self.noVoIP
    default: "no strategy has a mechanism that `\(factor.name)` is asked about"
    }
  }

  static let noWake = "no strategy sends a push that may wake the app"
  static let noVoIP = "no strategy sends VoIP pushes"
  static let noPush = "no strategy sends pushes"

  // MARK: Lives

  func has(_ kind: DeviceKind) -> Bool {
    if let scripted { return scripted.kind == kind }
    let weights = population.mix.device
    switch kind {
    case .iphone: return mayBe("population.mix.device.iphone", weights.iphone)
    case .ipad: return mayBe("population.mix.device.ipad", weights.ipad)
    case .mac: return mayBe("population.mix.device.mac", weights.mac)
    }
  }

  var hasMChipTablets: Bool {
    script == nil && has(.ipad) && mayBe("population.mix.ipad_m_chip_share", population.mix.ipadMChip)
  }
  /// Devices that sleep by their own lives.
  var sleeps: Bool { scripted?.shows(.asleep) ?? (has(.mac) || hasMChipTablets) }
  var hasPhonesOrTablets: Bool { has(.iphone) || has(.ipad) }

  func uses(_ network: DeviceState) -> Bool {
    // Away from Wi-Fi an iPad may have a modem, and a Mac has none.
    scripted?.shows(network) ?? (network == .wifi || hasPhonesOrTablets)
  }

  /// The device is off or without a network at times.
  var isAway: Bool { scripted?.isAway ?? true }
  var charges: Bool { scripted?.shows(.charging) ?? true }
  var empties: Bool { scripted?.empties ?? true }
  var hasLowPowerMode: Bool { scripted?.shows(.lowPowerMode) ?? true }
  /// By a restart, or from an empty battery.
  var startsUp: Bool { scripted?.moments.contains(.restart) ?? true }
  var restarts: Bool {
    script?.timeline.contains { if case .reboot = $0.event { true } else { false } } ?? true
  }
  var removes: Bool { scripted?.moments.contains(.uninstall) ?? true }
  var isInFront: Bool { scripted.map { $0.shows(.inFront) || $0.shows(.debugger) } ?? true }
  var isUsed: Bool { scripted.map { $0.shows(.screenOn) || $0.shows(.inFront) } ?? true }
  var forceQuits: Bool {
    scripted?.shows(.forceQuit)
      ?? (mayBe("population.settings.force_quit.shares.sometimes", population.settings.forceQuitSometimes)
        || mayBe("population.settings.force_quit.shares.habitual", population.settings.forceQuitHabitual))
  }
  var isBusyAtTimes: Bool {
    scripted?.isBusyAtTimes ?? mayBe("population.cpu.episodes_per_day", population.cpu.episodes)
  }
  var usesCamera: Bool {
    scripted?.shows(.camera)
      ?? (hasPhonesOrTablets && mayBe("population.surroundings.camera", population.surroundings.camera))
  }
  var switchesRefresh: Bool {
    let settings = population.settings
    let path = "population.settings.background_app_refresh_off."
    return scripted.map { $0.shows(.refreshOff) || $0.shows(.refreshOnWiFiOnly) }
      ?? (mayBe(path + "global", settings.refreshOffGlobally)
        || mayBe(path + "per_app", settings.refreshOffForApp)
        || mayBe(path + "wifi_only", settings.refreshOnWiFiOnly))
  }
  var hearsOthers: Bool {
    scripted?.moments.contains(.otherNotification)
      ?? mayBe("population.surroundings.notifications", population.surroundings.notifications)
  }

  /// The major versions of the system; 17 stands for every one before 18.
  var versions: [Double] {
    if let script { return [Double(script.osVersion)] }
    let mix = population.mix
    let path = "population.mix.iphone_os."
    return [("older", mix.osOlder, 17), ("18", mix.os18, 18), ("26", mix.os26, 26), ("27", mix.os27, 27)]
      .filter { mayBe(path + $0.0, $0.1) }.map { Double($0.2) }
  }

  /// Whether something that depends on the version differs between the versions that a population can have.
  var versionMatters: Bool {
    func splits(_ first: Double) -> Bool { first > 17 && first <= 27 }
    let silent = wakePlans.filter { $0.request == .silent }
    return silent.contains { $0.declaredType == .alert } && splits(policy.apns.alertTypeIgnoredFrom)
      || silent.contains { $0.declaredType == .missing } && splits(policy.apns.missingTypeIgnoredFrom)
      || silent.contains { $0.priority == 10 } && splits(policy.apns.priority10IgnoredFrom)
      || runsProcessing && isOn(.forceQuit) && forceQuits && splits(policy.processingTask.afterForceQuitFrom)
      || hasVoIP && isOn(.voipReport) && splits(policy.voipReport.since)
      || sendsActivities
        && (splits(policy.liveActivity.startsSince) || splits(policy.liveActivity.updatesSince))
      || sendsToWidgets && splits(policy.widget.since)
      || !extensions.isEmpty
        && (splits(policy.serviceExtension.olderUntil + 1) || splits(policy.serviceExtension.oldestUntil + 1))
  }

  /// Whether an extension may need more memory than some device grants.
  var mayExceedMemory: Bool {
    extensions.contains { work in
      versions.contains {
        work.memory.support.upperBound > policy.serviceExtension.memoryLimit(systemVersion: $0)
      }
    }
  }
}

// MARK: - What rules ask for together

extension RunFacts {
  var hasHabit: Bool {
    mayBe("policy.usage_history.habit_weight", policy.usageHistory.habitWeight)
  }

  /// A reputation that something goes by.
  var usesReputation: Bool {
    isOn(.fetchFeedback) && (isWatched(.hourlyBudget) && wakes || runsRefresh || runsProcessing)
  }

  /// A processing task that waits for the processor.
  var capsLoad: Bool { runsProcessing && policy.processingTask.cpuCap < 1 }

  /// Beside the energy.
  var readsUse: Bool {
    strategies.contains { policy.readsSurroundings(under: $0) } && (usesRadio || downloads)
  }

  /// APNs may keep a push: for a device that it cannot reach, or for its power.
  var stores: Bool {
    isAway || plans.contains { policy.mayHoldForPower($0) }
      || mayBe("policy.apns.rest_share", policy.apns.restShare)
  }

  /// A call may be reported too late, or never.
  var violates: Bool {
    isOn(.voipReport)
      && strategies.contains { strategy in
        strategy.voipPush != nil
          && (strategy.calls.returnsFirst || strategy.calls.neverReports > 0
            || strategy.calls.reportsAfter.support.upperBound > policy.voipReport.checkAfter
            || forceQuits
              && mayBe("policy.voip_report.fails_after_change", policy.voipReport.failsAfterChange))
      }
  }
}

/// What happens in the life that a script tells.
struct ScriptedFacts {
  let kind: DeviceKind
  /// Every bit of the state that is on at some time.
  private var shown: DeviceState
  private(set) var isAway: Bool
  private(set) var moments: Set<Moment> = []
  let isBusyAtTimes: Bool
  let empties: Bool

  init(
    _ script: LifeScript, _ population: Population, _ policy: Policy, until end: SimTime, _ seed: UInt64
  ) {
    var life = Life()
    var generator = LifeGenerator(
      population: population, powerNapInterval: policy.powerNap.wakeInterval, horizon: end, like: nil,
      isScripted: true)
    generator.generate(
      &life, script: script, device: 0, streams: StreamFamily(seed: seed, replication: 0))
    kind = script.device
    shown = life.initial
    isAway = !life.initial.isReachable
    isBusyAtTimes = life.cpu.contains { $0.load > 0 }
    empties = life.battery.contains { $0.level <= 0 }
    for change in life.changes {
      shown.formUnion(change.state)
      moments.insert(change.moment)
      if !change.state.isReachable { isAway = true }
    }
  }

  func shows(_ state: DeviceState) -> Bool { !shown.isDisjoint(with: state) }
}
