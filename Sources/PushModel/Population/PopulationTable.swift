internal import Distributions
internal import Quantities

extension Population {
  /// Every parameter, in the order of reports. The one place that ties a key of a population file to a field, and
  /// says what the field means and which values it may take.
  public static let keys: [PopulationKey] =
    useKeys + batteryKeys + settingKeys + networkKeys + kindKeys

  private static let useKeys: [PopulationKey] = [
    share(
      "classes.dormant.share", of: "classes", \.classes.dormant,
      "Share of users who have the app and hardly use it"),
    share("classes.light.share", of: "classes", \.classes.light, "Share of light users of the app"),
    share("classes.regular.share", of: "classes", \.classes.regular, "Share of regular users of the app"),
    share("classes.heavy.share", of: "classes", \.classes.heavy, "Share of heavy users of the app"),

    proportions(
      "app_use.active_day_prob.dormant", \.appUse.activeDayProbability.dormant,
      "A dormant user's probability of opening the app on a local day"),
    proportions(
      "app_use.active_day_prob.light", \.appUse.activeDayProbability.light,
      "A light user's probability of opening the app on a local day"),
    proportions(
      "app_use.active_day_prob.regular", \.appUse.activeDayProbability.regular,
      "A regular user's probability of opening the app on a local day"),
    proportions(
      "app_use.active_day_prob.heavy", \.appUse.activeDayProbability.heavy,
      "A heavy user's probability of opening the app on a local day"),
    counts(
      "app_use.opens_on_active_day.dormant", \.appUse.opensOnActiveDay.dormant, 1...1000,
      "Opens by a dormant user on a day of use"),
    counts(
      "app_use.opens_on_active_day.light", \.appUse.opensOnActiveDay.light, 1...1000,
      "Opens by a light user on a day of use"),
    counts(
      "app_use.opens_on_active_day.regular", \.appUse.opensOnActiveDay.regular, 1...1000,
      "Opens by a regular user on a day of use"),
    counts(
      "app_use.opens_on_active_day.heavy", \.appUse.opensOnActiveDay.heavy, 1...1000,
      "Opens by a heavy user on a day of use"),
    times(
      "app_use.within_day_gap", \.appUse.withinDayGap, 0...(100 * day),
      "Time between a day's opens; only its shape matters, the gaps are scaled to fill the weighted day"),
    times("app_use.session_s", \.appUse.session, 0...(7 * day), "How long the app stays in front"),
    .parameter(
      ParameterKey(
        "app_use.diurnal_weights", .numbers(.count, 0...1e6, count: 24, \.appUse.diurnalWeights),
        "Relative frequency of opens and of screen use in each local hour", rule: .weights)),
    time(
      "app_use.weekend_shift", \.appUse.weekendShift, 0...(6 * hour),
      "How much later the day's first opens come on Saturdays and Sundays"),
    time(
      "app_use.weekend_shift_before", \.appUse.weekendShiftBefore, 0...day,
      "Time of day up to which opens are shifted at weekends"),
    times(
      "app_use.persistence_days", \.appUse.persistence, (10 * minute)...(100_000 * day),
      "Time after which the user's probability of a day of use is drawn anew within the class"),

    share(
      "device_use.shares.light", of: "device_use.shares", \.deviceUse.shares.light,
      "Share of light users of the device"),
    share(
      "device_use.shares.regular", of: "device_use.shares", \.deviceUse.shares.regular,
      "Share of regular users of the device"),
    share(
      "device_use.shares.heavy", of: "device_use.shares", \.deviceUse.shares.heavy,
      "Share of heavy users of the device"),
    time(
      "device_use.screen_on_h_per_day.light", \.deviceUse.screenOn.light, 0...(16 * hour),
      "Mean time a day with the screen on, light users"),
    time(
      "device_use.screen_on_h_per_day.regular", \.deviceUse.screenOn.regular, 0...(16 * hour),
      "Mean time a day with the screen on, regular users"),
    time(
      "device_use.screen_on_h_per_day.heavy", \.deviceUse.screenOn.heavy, 0...(16 * hour),
      "Mean time a day with the screen on, heavy users"),
    counts(
      "device_use.screen_on_h_per_day.jitter", \.deviceUse.screenOnJitter, 0...100,
      "Factor on a device's screen time"),
    counts(
      "device_use.unlocks_per_day", \.deviceUse.unlocksPerDay, 0...10_000,
      "Unlocks on a day; the day's screen time follows their ratio to the mean"),

    rate(
      "surroundings.notifications", \.surroundings.notifications,
      "Other apps' notifications, mean over devices"),
    rate(
      "surroundings.other_pushes", \.surroundings.otherPushes, "Other apps' silent pushes, mean over devices"),
    proportion(
      "surroundings.in_use", \.surroundings.inUse, "Share of the time in which the device is in use", 0...0.6),
    time("surroundings.session", \.surroundings.session, 1...day, "Mean length of one use of the device"),
    rate("surroundings.camera", \.surroundings.camera, "Uses of the camera"),
    time(
      "surroundings.camera_for", \.surroundings.cameraFor, 1...day, "Mean length of one use of the camera"),
  ]

  private static let batteryKeys: [PopulationKey] = [
    energies(
      "battery.capacity_wh.iphone", \.battery.capacity.iphone, "Energy of an iPhone's full new battery"),
    energies("battery.capacity_wh.ipad", \.battery.capacity.ipad, "Energy of an iPad's full new battery"),
    energies("battery.capacity_wh.mac", \.battery.capacity.mac, "Energy of a Mac's full new battery"),
    proportions(
      "battery.health", \.battery.health, "Remaining share of the capacity; drains are divided by it",
      0...1),
    drains("battery.idle_pct_per_h", \.battery.idleDrain, "Drain with the screen off"),
    drains(
      "battery.active_pct_per_h", \.battery.activeDrain, "Drain added by the screen and what is behind it"),
    drain("battery.charge_pct_per_h.below_80", \.battery.chargeBelow80, "Charge speed below 80 %"),
    drain(
      "battery.charge_pct_per_h.from_80_to_95", \.battery.chargeFrom80To95, "Charge speed from 80 to 95 %"),
    drain("battery.charge_pct_per_h.above_95", \.battery.chargeAbove95, "Charge speed above 95 %"),
    proportion(
      "battery.charge_pct_per_h.hold_at_80_overnight_prob", \.battery.holdAt80OvernightProbability,
      "Probability that a night's charge holds at 80 %"),
    time(
      "battery.charge_pct_per_h.hold_ends_before_wake", \.battery.holdEndsBeforeWake, 0...(12 * hour),
      "The hold ends that long before the user wakes"),
    proportions(
      "battery.overnight_charge_prob.light", \.battery.overnightChargeProbability.light,
      "Probability of charging in a night, light users of the device"),
    proportions(
      "battery.overnight_charge_prob.regular", \.battery.overnightChargeProbability.regular,
      "Probability of charging in a night, regular users of the device"),
    proportions(
      "battery.overnight_charge_prob.heavy", \.battery.overnightChargeProbability.heavy,
      "Probability of charging in a night, heavy users of the device"),
    times(
      "battery.bedtime_h.per_user", \.battery.bedtime, (15 * hour)...(33 * hour),
      "A user's usual time of going to bed, from local midnight before"),
    time(
      "battery.bedtime_h.nightly_sigma", \.battery.bedtimeNightlySigma, 0...(4 * hour),
      "Standard deviation of one night's bedtime around the usual one"),
    times(
      "battery.wake_h.per_user", \.battery.wake, 0...(15 * hour),
      "A user's usual time of waking, from local midnight"),
    time(
      "battery.wake_h.nightly_sigma", \.battery.wakeNightlySigma, 0...(4 * hour),
      "Standard deviation of one day's waking around the usual time"),
    proportions(
      "battery.anxiety_level_pct", \.battery.anxietyLevel,
      "Battery level below which the user looks for a charger"),
    rate(
      "battery.low_plug_hazard_per_h.home_evening", \.battery.lowPlugHazardHome,
      "Hazard of plugging in below that level while awake at home"),
    rate(
      "battery.low_plug_hazard_per_h.away", \.battery.lowPlugHazardAway,
      "Hazard of plugging in below that level while awake elsewhere"),
    time(
      "battery.home_from", \.battery.homeFrom, 0...day, "Time of day from which the user counts as at home"),
    time(
      "battery.home_until", \.battery.homeUntil, 0...day, "Time of day up to which the user counts as at home"
    ),
    rate(
      "battery.topups_per_day.light", \.battery.topups.light, "Other charges at half a battery, light users"),
    rate(
      "battery.topups_per_day.regular", \.battery.topups.regular,
      "Other charges at half a battery, regular users"),
    rate(
      "battery.topups_per_day.heavy", \.battery.topups.heavy, "Other charges at half a battery, heavy users"),
    counts(
      "battery.topups_per_day.heterogeneity", \.battery.topupHeterogeneity, 0...100,
      "Factor on a device's frequency of other charges"),
    times(
      "battery.topup_duration_h", \.battery.topupDuration, 0...(7 * day), "How long a charge by day lasts"),
    proportion(
      "battery.boot_level", \.battery.bootLevel, "Level at which an empty device on its charger starts again",
      0...0.5),

    .parameter(
      ParameterKey(
        "low_power_mode.prompt_levels",
        .numbers(.proportion, 0...1, count: 2, \.lowPowerMode.promptLevels),
        "Battery levels at which the system offers Low Power Mode, falling")),
    proportions(
      "low_power_mode.accept_at_20", \.lowPowerMode.acceptAtFirst,
      "A user's probability of accepting the first offer"),
    proportions(
      "low_power_mode.accept_at_10", \.lowPowerMode.acceptAtSecond,
      "A user's probability of accepting the second offer"),
    proportion(
      "low_power_mode.always_on_share", \.lowPowerMode.alwaysOnShare,
      "Share of users who have Low Power Mode on at all times, also while charging"),
    proportion(
      "low_power_mode.auto_off_when_charging_above", \.lowPowerMode.autoOffLevel,
      "Level from which charging ends Low Power Mode"),
    proportion(
      "low_power_mode.manual_off_at_plug_in_prob", \.lowPowerMode.manualOffAtPlugIn,
      "Probability that the user ends Low Power Mode when plugging in"),
    number(
      "low_power_mode.drain_factor", \.lowPowerMode.drainFactor, .count, 0.05...1,
      "Factor of Low Power Mode on the drain"),
  ]

  private static let settingKeys: [PopulationKey] = [
    proportion(
      "settings.background_app_refresh_off.global", \.settings.refreshOffGlobally,
      "Share of devices with Background App Refresh off for all apps"),
    proportion(
      "settings.background_app_refresh_off.per_app", \.settings.refreshOffForApp,
      "Share of the other devices with Background App Refresh off for this app"),
    proportion(
      "settings.background_app_refresh_off.wifi_only", \.settings.refreshOnWiFiOnly,
      "Share of the other devices with Background App Refresh on Wi-Fi only"),
    share(
      "settings.force_quit.shares.never", of: "settings.force_quit.shares", \.settings.forceQuitNever,
      "Share of users who never force-quit the app"),
    share(
      "settings.force_quit.shares.sometimes", of: "settings.force_quit.shares", \.settings.forceQuitSometimes,
      "Share of users who force-quit the app now and then"),
    share(
      "settings.force_quit.shares.habitual", of: "settings.force_quit.shares", \.settings.forceQuitHabitual,
      "Share of users with the habit of force-quitting the app after use"),
    rate(
      "settings.force_quit.sometimes_per_day", \.settings.forceQuitHazard,
      "Hazard of the one force quit that may follow an open, by one who does it now and then"),
    proportion(
      "settings.force_quit.habitual_after_session_prob", \.settings.forceQuitAfterSession,
      "Probability that one with the habit force-quits at the end of a session"),
    proportion("settings.push_opt_in", \.settings.pushOptIn, "Share of users who allow the app's alerts"),
    proportion("settings.alert_styles_off", \.settings.alertStylesOff, "Share of these with no alert style"),

    times(
      "churn.uninstall_days", \.churn.uninstall, 0...forever, "Time from installing the app to removing it"),
    times(
      "churn.token_age_days", \.churn.tokenAge, 0...forever,
      "Time since the app was installed, at the start of the run"),
    times(
      "churn.gone_reported_after", \.churn.goneReportedAfter, 0...(365 * day),
      "From the removal to the first 410 that tells the provider"),
    times(
      "restart.interval", \.restart.interval, 0...forever,
      "Time between restarts by the user or for an update"),
    times("restart.off_for", \.restart.offFor, 0...day, "How long the device is off for a restart"),
    rate("cpu.episodes_per_day", \.cpu.episodes, "Frequency of episodes of a busy processor"),
    times("cpu.episode_length", \.cpu.episodeLength, 0...day, "Length of an episode of a busy processor"),
    proportions("cpu.episode_load", \.cpu.episodeLoad, "Load of the processor in such an episode"),
  ]

  private static let networkKeys: [PopulationKey] = [
    share(
      "connectivity.time_share.wifi", of: "connectivity.time_share", \.connectivity.timeOnWiFi,
      "Share of the time on Wi-Fi"),
    share(
      "connectivity.time_share.cellular", of: "connectivity.time_share", \.connectivity.timeOnCellular,
      "Share of the time on cellular"),
    share(
      "connectivity.time_share.offline", of: "connectivity.time_share", \.connectivity.timeOffline,
      "Share of the time without network, nights in airplane mode included"),
    times("connectivity.wifi_dwell_h", \.connectivity.wifiDwell, 0...(30 * day), "One stay on Wi-Fi by day"),
    times(
      "connectivity.outage_short_s.length", \.connectivity.shortOutage, 0...forever,
      "A short outage of the cellular network"),
    time(
      "connectivity.outage_short_s.max", \.connectivity.shortOutageLimit, 1...day,
      "Greatest length of a short outage; longer draws are cut to it"),
    times(
      "connectivity.outage_long_h.length", \.connectivity.longOutage, 0...forever,
      "A long outage of the cellular network"),
    proportion(
      "connectivity.outage_long_h.share_of_outages", \.connectivity.longOutageShare,
      "Share of outages that are long"),
    proportion(
      "connectivity.night_on_wifi_prob", \.connectivity.nightOnWiFi,
      "Probability that a device spends a night on Wi-Fi"),
    proportion(
      "connectivity.nightly_off_or_airplane.user_share", \.connectivity.nightlyOffUsers,
      "Share of users who take the device off the network at night"),
    proportion(
      "connectivity.nightly_off_or_airplane.nightly_prob", \.connectivity.nightlyOffProbability,
      "Their probability of doing so in one night"),
    proportion(
      "connectivity.nightly_off_or_airplane.powered_off_share", \.connectivity.nightlyOffPoweredOff,
      "Share of them who switch it off; the others use airplane mode"),

    bandwidths("network.bandwidth.wifi", \.network.bandwidthWiFi, "How fast a device loads on Wi-Fi"),
    bandwidths(
      "network.bandwidth.cellular", \.network.bandwidthCellular, "How fast a device loads on cellular"),

    times("latency.apns_online_s", \.latency.apnsOnline, 0...day, "From APNs to a device that is online"),
    proportion(
      "latency.apns_slow_tail.p", \.latency.apnsSlowTailProbability, "Share of pushes that take much longer"),
    times("latency.apns_slow_tail.delay", \.latency.apnsSlowTail, 0...forever, "How long those take"),
    times("latency.rtt_ms.wifi", \.latency.roundTripWiFi, 0...hour, "Round trip to a server on Wi-Fi"),
    times(
      "latency.rtt_ms.cellular", \.latency.roundTripCellular, 0...hour, "Round trip to a server on cellular"),
    times(
      "latency.handler_s.duration", \.latency.handler, 0...day,
      "Run time of a handler for which none is given"),
    time("latency.handler_s.max", \.latency.handlerLimit, 0...day, "Greatest run time of such a handler"),
    number(
      "energy.radio_j_per_wake.wifi", \.energy.radioPerWakeWiFi, .energy, 0...1000,
      "Radio energy of a wake on Wi-Fi"),
    number(
      "energy.radio_j_per_wake.cellular", \.energy.radioPerWakeCellular, .energy, 0...1000,
      "Radio energy of a wake on cellular"),
    time(
      "energy.radio_tail", \.energy.radioTail, 0...hour,
      "How long the radio stays up after traffic; what follows within that time shares its energy"),
    number(
      "energy.transfer_j_per_mb.wifi", \.energy.transferPerMBWiFi, .energy, 0...1000,
      "Energy of loading 1 MB on Wi-Fi, beside waking the radio"),
    number(
      "energy.transfer_j_per_mb.cellular", \.energy.transferPerMBCellular, .energy, 0...1000,
      "Energy of loading 1 MB on cellular, beside waking the radio"),
    power("energy.power_w.overhead", \.energy.overhead, "Power while a handler runs, whatever it does"),
    power("energy.power_w.cpu_per_unit_load", \.energy.cpuPerUnitLoad, "Power of the processor at full load"),
    proportion("energy.power_w.cpu_load", \.energy.cpuLoad, "Load of the processor while a handler runs"),
    power("energy.power_w.wifi", \.energy.wifi, "Power of Wi-Fi while a handler runs"),
    power("energy.power_w.cellular", \.energy.cellular, "Power of cellular while a handler runs"),
  ]

  private static let kindKeys: [PopulationKey] = [
    share("mix.device.iphone", of: "mix.device", \.mix.device.iphone, "Share of iPhones"),
    share("mix.device.ipad", of: "mix.device", \.mix.device.ipad, "Share of iPads"),
    share("mix.device.mac", of: "mix.device", \.mix.device.mac, "Share of Macs"),
    share("mix.iphone_os.27", of: "mix.iphone_os", \.mix.os27, "Share of devices on version 27"),
    share("mix.iphone_os.26", of: "mix.iphone_os", \.mix.os26, "Share of devices on version 26"),
    share("mix.iphone_os.18", of: "mix.iphone_os", \.mix.os18, "Share of devices on version 18"),
    share(
      "mix.iphone_os.older", of: "mix.iphone_os", \.mix.osOlder, "Share of devices on a version before 18"),
    proportion("mix.ipad_m_chip_share", \.mix.ipadMChip, "Share of iPads with an M chip"),
    times(
      "time_zone.utc_offset", \.timeZone.utcOffset, (-12 * hour)...(14 * hour),
      "Local time minus the run's time, to a quarter of an hour"),

    proportion(
      "ipad.class_shift_prob", \.ipad.classShift, "Probability that an iPad is used one class less than drawn"
    ),
    proportion("ipad.wifi_share", \.ipad.timeOnWiFi, "Share of an iPad's time on Wi-Fi"),
    proportion("ipad.cellular_model_share", \.ipad.cellularShare, "Share of iPads with a cellular modem"),
    number(
      "ipad.idle_drain_factor", \.ipad.idleDrainFactor, .count, 0...10,
      "Factor of an iPad on the drain with the screen off"),
    number(
      "ipad.screen_on_factor", \.ipad.screenOnFactor, .count, 0...10,
      "Factor of an iPad on the time with the screen on"),
    number(
      "ipad.charge_factor", \.ipad.chargeFactor, .count, 0...10,
      "Factor of an iPad on the frequency of charges"),
    times("ipad.awake_for", \.ipad.awakeFor, 0...(30 * day), "One stretch awake of an iPad with an M chip"),
    times(
      "ipad.asleep_for", \.ipad.asleepFor, 0...(30 * day),
      "One stretch asleep of an iPad with an M chip, by day"),

    proportion("mac.wifi_share", \.mac.timeOnWiFi, "Share of a Mac's time on a network"),
    proportion("mac.on_charger_share", \.mac.timeOnCharger, "Share of a Mac's time on its charger"),
    times("mac.unplugged_for", \.mac.unpluggedFor, 0...(30 * day), "One stretch of a Mac off its charger"),
    number(
      "mac.idle_drain_factor", \.mac.idleDrainFactor, .count, 0...10,
      "Factor of a Mac on the drain while asleep"),
    number(
      "mac.active_drain_factor", \.mac.activeDrainFactor, .count, 0...10,
      "Factor of a Mac on the drain added while awake"),
    times("mac.awake_for", \.mac.awakeFor, 0...(30 * day), "One stretch awake of a Mac"),
    times("mac.asleep_for", \.mac.asleepFor, 0...(30 * day), "One stretch asleep of a Mac by day"),
    share(
      "mac.low_power_mode.never", of: "mac.low_power_mode", \.mac.lowPowerNever,
      "Share of Macs with Low Power Mode off"),
    share(
      "mac.low_power_mode.on_battery", of: "mac.low_power_mode", \.mac.lowPowerOnBattery,
      "Share of Macs with Low Power Mode on battery only"),
    share(
      "mac.low_power_mode.always", of: "mac.low_power_mode", \.mac.lowPowerAlways,
      "Share of Macs with Low Power Mode always on"),
  ]

  private static let minute = 60.0
  private static let hour = 3600.0
  private static let day = 86_400.0
  private static let forever = 1000 * 365 * day

  private typealias Field<Value> = WritableKeyPath<Population, Value> & Sendable

  private static func number(
    _ path: String, _ field: any Field<Double>, _ dimension: Dimension, _ range: ClosedRange<Double>,
    _ summary: String
  ) -> PopulationKey {
    .parameter(ParameterKey(path, .number(dimension, range, field), summary))
  }

  private static func proportion(
    _ path: String, _ field: any Field<Double>, _ summary: String, _ range: ClosedRange<Double> = 0...1
  ) -> PopulationKey {
    number(path, field, .proportion, range, summary)
  }

  /// A share of a whole.
  private static func share(
    _ path: String, of group: String, _ field: any Field<Double>, _ summary: String
  ) -> PopulationKey {
    .parameter(
      ParameterKey(
        path, .number(.proportion, 0...1, field), summary + "; with its siblings 100 %",
        rule: .share(rest: group + ".rest")))
  }

  private static func time(
    _ path: String, _ field: any Field<Double>, _ range: ClosedRange<Double>, _ summary: String
  ) -> PopulationKey {
    number(path, field, .time, range, summary)
  }

  private static func rate(_ path: String, _ field: any Field<Double>, _ summary: String) -> PopulationKey {
    number(path, field, .rate, 0...1, summary)
  }

  private static func drain(_ path: String, _ field: any Field<Double>, _ summary: String) -> PopulationKey {
    number(path, field, .proportionRate, 1e-7...1, summary)
  }

  private static func power(_ path: String, _ field: any Field<Double>, _ summary: String) -> PopulationKey {
    number(path, field, .power, 0...100, summary)
  }

  private static func proportions(
    _ path: String, _ field: any Field<Distribution>, _ summary: String,
    _ support: ClosedRange<Double> = 0...1
  ) -> PopulationKey {
    .distribution(path, .proportion, support: support, field, summary: summary)
  }

  private static func counts(
    _ path: String, _ field: any Field<Distribution>, _ support: ClosedRange<Double>, _ summary: String
  ) -> PopulationKey {
    .distribution(path, .count, support: support, field, summary: summary)
  }

  private static func times(
    _ path: String, _ field: any Field<Distribution>, _ support: ClosedRange<Double>, _ summary: String
  ) -> PopulationKey {
    .distribution(path, .time, support: support, field, summary: summary)
  }

  private static func drains(_ path: String, _ field: any Field<Distribution>, _ summary: String)
    -> PopulationKey
  {
    .distribution(path, .proportionRate, support: 0...1, field, summary: summary)
  }

  private static func bandwidths(_ path: String, _ field: any Field<Distribution>, _ summary: String)
    -> PopulationKey
  {
    .distribution(path, .bandwidth, support: 0...1e10, field, summary: summary)
  }

  private static func energies(_ path: String, _ field: any Field<Distribution>, _ summary: String)
    -> PopulationKey
  {
    .distribution(path, .energy, support: 0...1e7, field, summary: summary)
  }
}
