internal import PushPolicy

// Without what a run does not read parameters of its policy.
extension UseRule {
  static let ofPolicy: [UseRule] = modes + factors + scheduler + launches + apns + mechanisms

  /// Parameters of factors that count whatever the factor's mode.
  static let whateverTheMode = [
    "payload.alert_may_wake", "voip_report.change_window", "voip_report.fails_after_change",
    "hourly_budget.limit", "cpu_load.threshold",
  ]

  /// Factors and parameters that only decisions on pushes ask, not tasks.
  static let ofPushesOnly = [
    "low_power_mode.cancel_probability", "battery_level.cancel_probability", "power_nap", "launch_spacing",
    "device_in_use", "network_quality", "score", "hourly_budget", "sustained_excess",
  ]

  /// What keeps a factor's mode from mattering, beside there being nothing that asks the factor.
  private static let modes: [UseRule] = [
    UseRule(
      "payload.mode",
      when: { facts in facts.wakePlans.contains { !facts.policy.payload.mayWake($0.request) } },
      else: "every background push has a payload that may wake the app"),
    UseRule(
      "payload.alert_may_wake",
      when: { $0.appPlans.contains { $0.request.contains(.contentAvailable) && $0.request.isVisible } },
      else: "no push is an alert with `content-available`"),
    UseRule(
      "background_mode.mode",
      when: {
        $0.wakes && !$0.app.backgroundModes.contains(.remoteNotification)
          || $0.hasVoIP && !$0.app.backgroundModes.contains(.voip)
      }, else: "`app.background_modes` has what the pushes need"),
    UseRule("foreground", when: \.isInFront, else: "the script never brings the app to the front"),
    UseRule("foreground", when: \.wakes, else: RunFacts.noWake),
    UseRule("force_quit", when: \.forceQuits, else: "nobody force-quits the app"),
    UseRule("refresh_switch", when: \.switchesRefresh, else: "Background App Refresh is on for every device"),
    UseRule("first_unlock", when: \.startsUp, else: "the script never restarts the device"),
    UseRule("network", when: \.isAway, else: "the device is always on the network"),
    UseRule(
      "power_nap", when: \.sleeps,
      else: "no device sleeps by itself: there are no Macs, nor iPads with an M chip"),
    UseRule("low_power_mode", when: \.hasLowPowerMode, else: "the script never turns Low Power Mode on"),
    UseRule("charger", when: \.charges, else: "the script never connects a charger"),
    UseRule("boot_window", when: \.startsUp, else: "the script never restarts the device"),
    UseRule("herd_window", when: \.isAway, else: "the device is always on the network"),
    UseRule("herd_window", when: \.isUsed, else: "the script never has the device in use"),
    UseRule("camera", when: \.usesCamera, else: "the camera is never in use"),
    UseRule("cpu_load", when: \.isBusyAtTimes, else: "the processor is never busy"),
    UseRule("device_in_use", when: \.isUsed, else: "the script never has the device in use"),
    UseRule("device_in_use", "network_quality", when: { $0.isWatched(.score) }, else: "`score.mode` is off"),
    UseRule(
      "score",
      when: {
        $0.isOn(.deviceInUse) || $0.isOn(.networkQuality)
          || $0.isOn(.usageHistory) && $0.policy.usageHistory.gate == 1
      },
      else:
        "nothing that it weighs is on: `device_in_use`, `network_quality`, or `usage_history` with `gate: soft`"
    ),
    UseRule(
      "sustained_excess", when: { $0.wakePlans.contains { $0.request == .silent } },
      else: "no strategy sends silent pushes"),
  ]

  private static let factors: [UseRule] = [
    UseRule("power_nap.sigma", "power_nap.shortest", "power_nap.longest", "power_nap.median") { facts in
      facts.isOn(.powerNap) ? nil : "`power_nap.mode` is not on"
    },
    UseRule(
      "power_nap.shortest", "power_nap.longest",
      when: { $0.mayBe("policy.power_nap.sigma", $0.policy.powerNap.sigma) },
      else: "`power_nap.sigma` is 0"),
    UseRule(
      "low_power_mode.cancel_probability", when: { $0.isOn(.lowPowerMode) },
      else: "`low_power_mode.mode` is not on"),
    UseRule(
      "battery_level.cancel_probability", when: { $0.isOn(.batteryLevel) },
      else: "`battery_level.mode` is not on"),
    UseRule(
      "battery_level.cancel_probability",
      when: { $0.mayBe("policy.battery_level.threshold", $0.policy.batteryLevel.threshold) },
      else: "`battery_level.threshold` is 0"),
    UseRule(
      "charger.lifts_battery_level", "charger.lifts_cpu_load", when: { $0.isOn(.charger) },
      else: "`charger.mode` is not on"),
    UseRule("charger.lifts_battery_level") { $0.unasked(.batteryLevel) },
    UseRule("charger.lifts_cpu_load") { facts in
      facts.unasked(.cpuLoad) ?? (facts.isBusyAtTimes ? nil : "the processor is never busy")
    },
    UseRule(
      "charger.mode",
      when: {
        $0.policy.charger.liftsBatteryLevel && $0.unasked(.batteryLevel) == nil
          || $0.policy.charger.liftsCPULoad && $0.unasked(.cpuLoad) == nil && $0.isBusyAtTimes
      }, else: "nothing that a charger lifts is on"),
    UseRule(
      "usage_history.soft_weight", when: { $0.policy.usageHistory.gate == 1 },
      else: "`usage_history.gate` is not soft"),
    UseRule(
      "usage_history.soft_weight", when: { $0.isOn(.usageHistory) }, else: "`usage_history.mode` is not on"),
    UseRule("usage_history.soft_weight", when: { $0.isWatched(.score) }, else: "`score.mode` is off"),
    UseRule(
      "usage_history.hard_after", when: { $0.policy.usageHistory.gate == 2 },
      else: "`usage_history.gate` is not hard"),
    UseRule(
      "usage_history.fresh_for", "usage_history.forgotten_after", when: { $0.policy.usageHistory.gate != 2 },
      else: "`usage_history.gate` is hard"),
    UseRule(
      "usage_history.fresh_for", "usage_history.forgotten_after",
      when: { $0.policy.usageHistory.gate == 0 || $0.isWatched(.score) && $0.isOn(.usageHistory) },
      else: "`usage_history.gate` is soft, and nothing is weighed"),
    UseRule(
      "usage_history.habit_weight", "usage_history.opens_needed", "usage_history.usual_hour_from",
      when: { $0.policy.usageHistory.gate == 0 }, else: "`usage_history.gate` is not probability"),
    UseRule(
      "usage_history.opens_needed", "usage_history.usual_hour_from", when: { $0.hasHabit },
      else: "`usage_history.habit_weight` is 0"),
    UseRule(
      "usage_history.half_life", when: { $0.policy.usageHistory.gate == 0 && $0.hasHabit || $0.runsRefresh },
      else:
        "no habit is asked for: `usage_history.habit_weight` is 0 or its `gate` not probability, and there are no refreshes"
    ),
    UseRule(
      "usage_history.gate", "usage_history.soft_weight", "usage_history.hard_after",
      "usage_history.fresh_for", "usage_history.forgotten_after", "usage_history.habit_weight",
      "usage_history.opens_needed", "usage_history.usual_hour_from", when: \.wakes, else: RunFacts.noWake),
    UseRule(
      "fetch_feedback.gain", "fetch_feedback.new_data", "fetch_feedback.no_data", "fetch_feedback.failed",
      "fetch_feedback.late", "fetch_feedback.never_completing", "fetch_feedback.slow_from",
      "fetch_feedback.forgiveness", when: \.usesReputation,
      else:
        "no rule that goes by the reputation is on: `fetch_feedback` together with `hourly_budget` or tasks"),
    UseRule(
      "fetch_feedback.new_data", "fetch_feedback.no_data", "fetch_feedback.failed", "fetch_feedback.late",
      "fetch_feedback.never_completing", "fetch_feedback.slow_from", "fetch_feedback.forgiveness",
      when: { $0.mayBe("policy.fetch_feedback.gain", $0.policy.fetchFeedback.gain) },
      else: "`fetch_feedback.gain` is 0"),
    UseRule(
      "fetch_feedback.never_completing", when: { $0.app.results.neverCompletes > 0 },
      else: "`app.handler.result.never_completes` is 0"),
    UseRule(
      "fetch_feedback.no_data", when: { $0.app.results.noData > 0 || $0.hasContent },
      else: "no launch ends without new data"),
    UseRule(
      "fetch_feedback.new_data", when: { $0.app.results.newData > 0 }, else: "no launch ends with new data"),
    UseRule(
      "fetch_feedback.miss_factor", "fetch_feedback.miss_cap",
      when: {
        $0.isOn(.fetchFeedback)
          && ($0.isWatched(.launchSpacing) && $0.wakes || $0.runsRefresh || $0.runsProcessing)
      }, else: "nothing slows down: `launch_spacing` is off, and there are no tasks"),
    UseRule(
      "fetch_feedback.miss_cap",
      when: { $0.mayBe("policy.fetch_feedback.miss_factor", $0.policy.fetchFeedback.missFactor - 1) },
      else: "`fetch_feedback.miss_factor` is 1"),
    UseRule(
      "hourly_budget.ignore_probability", when: { $0.isOn(.hourlyBudget) },
      else: "`hourly_budget.mode` is not on"),
    // The excess is counted by the budget's limit, whether or not there is a budget.
    UseRule("hourly_budget.limit") { facts in
      facts.unaskedByPushes(.hourlyBudget).flatMap { why in
        facts.unaskedByPushes(.sustainedExcess).map { _ in why }
      }
    },
    // A processing task waits for the processor whether or not pushes do.
    UseRule("cpu_load.threshold") { $0.capsLoad ? nil : $0.unasked(.cpuLoad) },
    UseRule("voip_report", "voip_rate", when: \.hasVoIP, else: RunFacts.noVoIP),
    UseRule(
      "voip_report.exempt_in_call", when: { _ in false },
      else: "calls have no length here, so that an app is never in one"),
    UseRule(
      "voip_report.change_window", "voip_report.fails_after_change", when: \.forceQuits,
      else: "nobody force-quits the app"),
    UseRule(
      "voip_report.change_window",
      when: { $0.mayBe("policy.voip_report.fails_after_change", $0.policy.voipReport.failsAfterChange) },
      else: "`voip_report.fails_after_change` is 0"),
    UseRule(
      "voip_report.fails_after_change",
      when: { $0.mayBe("policy.voip_report.change_window", $0.policy.voipReport.changeWindow) },
      else: "`voip_report.change_window` is 0"),
    UseRule("voip_report.violations", when: \.violates, else: "every call is reported in time"),
    UseRule(
      "voip_report.check_after", "voip_report.since", when: { $0.isOn(.voipReport) },
      else: "`voip_report.mode` is not on"),
  ]

  private static let scheduler: [UseRule] = [
    UseRule("release", when: \.wakes, else: RunFacts.noWake),
    UseRule(
      "release", when: { $0.isOn(.launchSpacing) || $0.isOn(.score) },
      else: "nothing that it releases from is on: `launch_spacing`, `score`"),
    UseRule("release.charger", when: \.charges, else: "the script never connects a charger"),
    UseRule("release.other_notification", when: \.hearsOthers, else: "there are no other notifications"),
    UseRule("release.unlock", when: \.isUsed, else: "the script never has the device in use"),
    UseRule(
      "release.activity_rate", when: { $0.mayBe("policy.release.activity", $0.policy.release.activity) },
      else: "`release.activity` is 0"),
    UseRule(
      "release.activity", when: { $0.mayBe("policy.release.activity_rate", $0.policy.release.activityRate) },
      else: "`release.activity_rate` is 0"),
    UseRule(
      "release.keep_alive_interval",
      when: { $0.mayBe("policy.release.keep_alive", $0.policy.release.keepAlive) },
      else: "`release.keep_alive` is 0"),
    UseRule("launch_spacing.in_use_factor", when: \.isUsed, else: "the script never has the device in use"),
    UseRule(
      "network_quality.cellular", when: { $0.uses(.cellular) || $0.isAway },
      else: "the device is always on Wi-Fi"),
    UseRule(
      "network_quality.cellular",
      when: { $0.mayBe("policy.network_quality.weight", $0.policy.networkQuality.weight) },
      else: "`network_quality.weight` is 0"),
    UseRule("network_quality", "device_in_use") { facts in facts.unaskedByPushes(.score) },
    UseRule(
      "network_quality.weight", "network_quality.cellular", when: { $0.isOn(.networkQuality) },
      else: "`network_quality.mode` is not on"),
    UseRule(
      "device_in_use.weight", "device_in_use.score", when: { $0.isOn(.deviceInUse) },
      else: "`device_in_use.mode` is not on"),
    UseRule(
      "device_in_use.score", when: { $0.mayBe("policy.device_in_use.weight", $0.policy.deviceInUse.weight) },
      else: "`device_in_use.weight` is 0"),
  ]

  private static let launches: [UseRule] =
    [
      UseRule("execution", "hold", when: \.wakes, else: RunFacts.noWake)
    ] + grants("execution", \.execution)
}
