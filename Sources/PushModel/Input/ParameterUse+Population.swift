internal import PushPolicy

// Without what a run does not read parameters of its population.
extension UseRule {
  /// What a run under a script can read of its population: what the script cannot say.
  static let scripted = [
    "battery.capacity_wh", "battery.health", "battery.idle_pct_per_h", "battery.active_pct_per_h",
    "battery.charge_pct_per_h.below_80", "battery.charge_pct_per_h.from_80_to_95",
    "battery.charge_pct_per_h.above_95", "battery.boot_level", "low_power_mode.drain_factor",
    "restart.off_for", "churn.gone_reported_after", "time_zone", "ipad.idle_drain_factor",
    "mac.idle_drain_factor", "mac.active_drain_factor", "network", "latency", "energy",
  ]

  static let ofPopulation: [UseRule] = costs + lives + kinds

  private static let costs: [UseRule] = [
    UseRule(
      "latency.rtt_ms", "latency.handler_s.max", when: { _ in false }, else: "no part of the model reads it"),
    UseRule(
      "latency.apns_online_s", when: { !$0.appPlans.isEmpty },
      else: "no strategy sends pushes other than VoIP pushes"),
    UseRule(
      "latency.apns_slow_tail", when: { !$0.appPlans.isEmpty },
      else: "no strategy sends pushes other than VoIP pushes"),
    UseRule(
      "latency.apns_slow_tail.delay",
      when: {
        $0.mayBe("population.latency.apns_slow_tail.p", $0.population.latency.apnsSlowTailProbability)
      }, else: "`latency.apns_slow_tail.p` is 0"),
    UseRule(
      "latency.handler_s.duration", when: { $0.app.handlerDuration == nil },
      else: "`app.handler.duration` says it"),
    UseRule(
      "latency.handler_s.duration", when: { $0.wakes || $0.runsRefresh },
      else: "no push and no refresh starts a handler"),
    UseRule(
      "network", when: { $0.downloads || !$0.attachments.isEmpty },
      else: "nothing is loaded whose time counts: no `background_download`, no attachment"),
    UseRule(
      "network.bandwidth.wifi", "energy.radio_j_per_wake.wifi", "energy.transfer_j_per_mb.wifi",
      "energy.power_w.wifi", when: { $0.uses(.wifi) }, else: "the device is never on Wi-Fi"),
    UseRule(
      "network.bandwidth.cellular", "energy.radio_j_per_wake.cellular", "energy.transfer_j_per_mb.cellular",
      "energy.power_w.cellular", when: { $0.uses(.cellular) }, else: "the device is never on cellular"),
    UseRule(
      "energy.radio_j_per_wake", "energy.radio_tail", when: \.usesRadio, else: "nothing wakes the radio"),
    UseRule("energy.transfer_j_per_mb", when: \.transfers, else: "nothing is loaded"),
    UseRule("energy.power_w", when: \.runsCode, else: "nothing runs in the background"),
    UseRule(
      "energy.power_w.cpu_per_unit_load",
      when: { $0.mayBe("population.energy.power_w.cpu_load", $0.population.energy.cpuLoad) },
      else: "`energy.power_w.cpu_load` is 0"),
    UseRule(
      "energy.power_w.cpu_load",
      when: { $0.mayBe("population.energy.power_w.cpu_per_unit_load", $0.population.energy.cpuPerUnitLoad) },
      else: "`energy.power_w.cpu_per_unit_load` is 0"),
    UseRule("battery.capacity_wh", when: \.costs, else: "no strategy costs energy"),
    UseRule("churn.gone_reported_after", when: { !$0.plans.isEmpty }, else: RunFacts.noPush),
    UseRule("churn.gone_reported_after", when: \.removes, else: "the script never removes the app"),
    UseRule(
      "battery.charge_pct_per_h", "battery.boot_level", when: \.charges,
      else: "the script never connects a charger"),
    UseRule("battery.boot_level", when: \.empties, else: "the battery never gets empty"),
    UseRule("battery.active_pct_per_h", when: \.isUsed, else: "the script never has the device in use"),
    UseRule(
      "low_power_mode.drain_factor", when: \.hasLowPowerMode, else: "the script never turns Low Power Mode on"
    ),
    UseRule("restart.off_for", when: \.restarts, else: "the script never restarts the device"),
  ]

  private static let lives: [UseRule] =
    [
      UseRule("settings.background_app_refresh_off") { $0.unasked(.refreshSwitch) },
      UseRule(
        "settings.force_quit",
        when: { !$0.plans.isEmpty || $0.runsRefresh || $0.runsProcessing || $0.downloads },
        else: "no strategy does anything in the background"),
      UseRule(
        "settings.force_quit.sometimes_per_day",
        when: {
          $0.mayBe(
            "population.settings.force_quit.shares.sometimes", $0.population.settings.forceQuitSometimes)
        }, else: "`settings.force_quit.shares.sometimes` is 0"),
      UseRule(
        "settings.force_quit.habitual_after_session_prob",
        when: {
          $0.mayBe("population.settings.force_quit.shares.habitual", $0.population.settings.forceQuitHabitual)
        }, else: "`settings.force_quit.shares.habitual` is 0"),
      UseRule(
        "settings.push_opt_in", when: { $0.asksForPermission || $0.showsNowhere && $0.missesWithoutStyle },
        else: "no strategy sends alerts"),
      UseRule(
        "settings.alert_styles_off", when: { $0.asksForPermission || $0.missesWithoutStyle },
        else:
          "no strategy sends alerts, and none sends silent pushes that `apns.styles_off_ignored` keeps back"),
      UseRule(
        "settings.alert_styles_off",
        when: { $0.mayBe("population.settings.push_opt_in", $0.population.settings.pushOptIn) },
        else: "`settings.push_opt_in` is 0"),
      UseRule(
        "cpu", when: { $0.unasked(.cpuLoad) == nil || $0.capsLoad },
        else: "nothing asks for the load of the processor: `cpu_load.mode` is off"),
      UseRule(
        "cpu.episode_length", "cpu.episode_load", when: \.isBusyAtTimes, else: "`cpu.episodes_per_day` is 0"),
      UseRule(
        "surroundings.notifications", "surroundings.other_pushes", "surroundings.in_use",
        "surroundings.session", when: { $0.usesRadio || $0.readsUse }, else: "nothing wakes the radio"),
      UseRule(
        "surroundings.session",
        when: { $0.mayBe("population.surroundings.in_use", $0.population.surroundings.inUse) },
        else: "`surroundings.in_use` is 0"),
      UseRule("surroundings.camera", "surroundings.camera_for") { $0.unasked(.camera) },
      UseRule("surroundings.camera_for", when: \.usesCamera, else: "`surroundings.camera` is 0"),
      UseRule(
        "app_use.weekend_shift_before",
        when: { $0.mayBe("population.app_use.weekend_shift", $0.population.appUse.weekendShift) },
        else: "`app_use.weekend_shift` is 0"),
      UseRule(
        "battery.charge_pct_per_h.hold_ends_before_wake",
        when: {
          $0.mayBe(
            "population.battery.charge_pct_per_h.hold_at_80_overnight_prob",
            $0.population.battery.holdAt80OvernightProbability)
        }, else: "`battery.charge_pct_per_h.hold_at_80_overnight_prob` is 0"),
      UseRule(
        "mix.iphone_os", when: \.versionMatters, else: "nothing here depends on the version of the system"),
      UseRule(
        "connectivity.nightly_off_or_airplane.nightly_prob",
        "connectivity.nightly_off_or_airplane.powered_off_share",
        when: {
          $0.mayBe(
            "population.connectivity.nightly_off_or_airplane.user_share",
            $0.population.connectivity.nightlyOffUsers)
        }, else: "`connectivity.nightly_off_or_airplane.user_share` is 0"),
    ] + classes("dormant", \.classes.dormant) + classes("light", \.classes.light)
    + classes("regular", \.classes.regular) + classes("heavy", \.classes.heavy)
    + phoneUse("light", \.deviceUse.shares.light) + phoneUse("regular", \.deviceUse.shares.regular)
    + phoneUse("heavy", \.deviceUse.shares.heavy)

  private static func classes(
    _ name: String, _ share: any KeyPath<Population, Double> & Sendable
  ) -> [UseRule] {
    [
      UseRule(
        "app_use.active_day_prob." + name, "app_use.opens_on_active_day." + name,
        when: { $0.mayBe("population.classes.\(name).share", $0.population[keyPath: share]) },
        else: "`classes.\(name).share` is 0")
    ]
  }

  private static func phoneUse(
    _ name: String, _ share: any KeyPath<Population, Double> & Sendable
  ) -> [UseRule] {
    [
      UseRule(
        "device_use.screen_on_h_per_day." + name, "battery.overnight_charge_prob." + name,
        "battery.topups_per_day." + name,
        when: { $0.mayBe("population.device_use.shares.\(name)", $0.population[keyPath: share]) },
        else: "`device_use.shares.\(name)` is 0")
    ]
  }

  private static let kinds: [UseRule] = [
    UseRule("battery.capacity_wh.iphone", when: { $0.has(.iphone) }, else: "there are no iPhones"),
    UseRule(
      "battery.capacity_wh.ipad", "ipad", "mix.ipad_m_chip_share", when: { $0.has(.ipad) },
      else: "there are no iPads"),
    UseRule("battery.capacity_wh.mac", "mac", when: { $0.has(.mac) }, else: "there are no Macs"),
    UseRule(
      "ipad.awake_for", "ipad.asleep_for", when: \.hasMChipTablets, else: "there are no iPads with an M chip"),
    UseRule(
      "battery.overnight_charge_prob", "battery.topups_per_day", "battery.topup_duration_h",
      "connectivity.night_on_wifi_prob", when: \.hasPhonesOrTablets,
      else: "there are neither iPhones nor iPads"),
  ]
}
