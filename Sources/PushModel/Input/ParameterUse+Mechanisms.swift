internal import PushPolicy

// Without what a run does not read parameters of APNs and of the mechanisms.
extension UseRule {
  /// The time that is granted to a launch, drawn if it has a spread.
  static func grants(
    _ group: String, _ execution: any KeyPath<Policy, Policy.Execution> & Sendable
  ) -> [UseRule] {
    [
      UseRule(
        group + ".grant_median", group + ".grant_sigma",
        when: { facts in
          let values = facts.policy[keyPath: execution]
          return values.limit > values.grantShortest
        }, else: "`\(group).limit` is not above `\(group).grant_shortest`"),
      UseRule(
        group + ".grant_median", group + ".grant_shortest",
        when: { facts in
          facts.mayBe("policy.\(group).grant_sigma", facts.policy[keyPath: execution].grantSigma)
        }, else: "`\(group).grant_sigma` is 0"),
    ]
  }

  static let apns: [UseRule] = [
    UseRule("apns", when: { !$0.plans.isEmpty }, else: RunFacts.noPush),
    UseRule(
      "apns.storage_limit", when: { $0.plans.contains { $0.expiration != .immediate } },
      else: "every push has `expiration: 0`"),
    UseRule(
      "apns.storage_limit", "apns.newest_wins", "apns.reconnect_delay", "apns.expiry_softness",
      when: \.stores, else: "nothing keeps a push at APNs"),
    UseRule(
      "apns.expiry_softness", when: { $0.plans.contains { $0.expiration != .absent } },
      else: "no push has an `expiration`"),
    UseRule(
      "apns.newest_wins", when: { $0.plans.contains { $0.expiration != .immediate } },
      else: "every push has `expiration: 0`"),
    UseRule(
      "apns.wrong_priority_rejected",
      when: { $0.plans.contains { $0.priority == 10 && $0.request == .silent } },
      else: "no silent push has priority 10"),
    UseRule(
      "apns.wrong_type_rejected",
      when: { $0.plans.contains { $0.declaredType == .background && $0.request.isVisible } },
      else: "no alert has the type `background`"),
    UseRule(
      "apns.alert_type_ignored_from",
      when: { $0.plans.contains { $0.declaredType == .alert && $0.request == .silent } },
      else: "no silent push has the type `alert`"),
    UseRule(
      "apns.missing_type_ignored_from",
      when: { $0.plans.contains { $0.declaredType == .missing && $0.request == .silent } },
      else: "no silent push is without a type"),
    UseRule(
      "apns.priority_10_ignored_from", "apns.priority_10_ignored",
      when: { $0.plans.contains { $0.priority == 10 && $0.request == .silent } },
      else: "no silent push has priority 10"),
    UseRule(
      "apns.priority_10_ignored_from",
      when: { $0.mayBe("policy.apns.priority_10_ignored", $0.policy.apns.priority10Ignored) },
      else: "`apns.priority_10_ignored` is 0"),
    UseRule(
      "apns.priority_10_ignored",
      when: { facts in facts.versions.contains { $0 >= facts.policy.apns.priority10IgnoredFrom } },
      else: "no system is as new as `apns.priority_10_ignored_from`"),
    UseRule("apns.payload_limit", when: { !$0.appPlans.isEmpty }, else: "every push is a VoIP push"),
    UseRule(
      "apns.token_refill", "apns.token_burst_sigma",
      when: { $0.mayBe("policy.apns.token_burst", $0.policy.apns.tokenBurst) },
      else: "`apns.token_burst` is 0"),
    UseRule(
      "apns.provider_rate", when: { $0.plans.contains { $0.provider.rate == nil } },
      else: "the scenario says every `provider.rate`"),
    UseRule(
      "apns.provider_rate",
      when: { facts in
        facts.plans.contains { $0.provider.audience > 1 }
          || facts.policy.apns.connectionRate < 1_000_000 || facts.mayDiffer("policy.apns.connection_rate")
      }, else: "each send goes to one device, and `apns.connection_rate` is above every rate"),
    UseRule(
      "apns.styles_off_ignored", when: \.showsNowhere, else: "every app's alerts are shown in some place"),
    UseRule(
      "apns.styles_off_ignored", when: { $0.appPlans.contains { !$0.request.isForExtension } },
      else: "no strategy sends alerts or silent pushes"),
    UseRule("apns.dead_link_on_wifi", when: { $0.uses(.wifi) }, else: "the device is never on Wi-Fi"),
    UseRule(
      "apns.dead_link_on_cellular", when: { $0.uses(.cellular) }, else: "the device is never on cellular"),
    UseRule(
      "apns.dead_link_length",
      when: {
        $0.uses(.wifi) && $0.mayBe("policy.apns.dead_link_on_wifi", $0.policy.apns.deadLinkOnWiFi)
          || $0.uses(.cellular)
            && $0.mayBe("policy.apns.dead_link_on_cellular", $0.policy.apns.deadLinkOnCellular)
      }, else: "no link goes dead"),
    UseRule(
      "apns.restriction_declared", when: { $0.plans.contains { $0.priority < 10 } },
      else: "every push has priority 10"),
    UseRule(
      "apns.restriction_declared", when: \.hasLowPowerMode, else: "the script never turns Low Power Mode on"),
    UseRule(
      "apns.priority_1_waits_for_use", when: { $0.plans.contains { $0.priority == 1 } },
      else: "no push has priority 1"),
    UseRule(
      "apns.rest_sigma", "apns.rest_length",
      when: { $0.mayBe("policy.apns.rest_share", $0.policy.apns.restShare) },
      else: "`apns.rest_share` is 0"),
    UseRule(
      "apns.slow_wake_devices", "apns.slow_wake_median", "apns.slow_wake_sigma",
      when: { $0.mayBe("policy.apns.slow_wake", $0.policy.apns.slowWake) },
      else: "`apns.slow_wake` is 0"),
    UseRule(
      "apns.slow_wake", "apns.slow_wake_median", "apns.slow_wake_sigma",
      when: { $0.mayBe("policy.apns.slow_wake_devices", $0.policy.apns.slowWakeDevices) },
      else: "`apns.slow_wake_devices` is 0"),
    UseRule(
      "apns.stored_lost_devices", when: { $0.mayBe("policy.apns.stored_lost", $0.policy.apns.storedLost) },
      else: "`apns.stored_lost` is 0"),
    UseRule(
      "apns.stored_lost",
      when: { $0.mayBe("policy.apns.stored_lost_devices", $0.policy.apns.storedLostDevices) },
      else: "`apns.stored_lost_devices` is 0"),
    UseRule(
      "apns.stored_lost", "apns.stored_lost_devices", when: \.isAway,
      else: "the device is always on the network"),
  ]

  static let mechanisms: [UseRule] =
    [
      UseRule(
        "app_refresh", when: { $0.strategies.contains { $0.appRefresh != nil } },
        else: "no strategy has `app_refresh`"),
      UseRule("app_refresh", when: \.runsRefresh, else: "`app.background_modes` lacks `fetch`"),
      UseRule(
        "app_refresh.legacy_floor_at_most",
        when: { $0.strategies.contains { $0.appRefresh?.api == .legacy } },
        else: "no strategy has `app_refresh` with `api: legacy`"),
      UseRule(
        "app_refresh.sure_use", "app_refresh.look_ahead", "app_refresh.unused_after", "app_refresh.warm_up",
        "app_refresh.unused_half_life", "app_refresh.unused_stops", "processing_task.unused_after",
        "processing_task.warm_up", when: { $0.isOn(.usageHistory) },
        else: "`usage_history.mode` is not on"),
      UseRule(
        "app_refresh.unused_half_life",
        when: { $0.mayBe("policy.app_refresh.unused_stops", 1 - $0.policy.appRefresh.unusedStops) },
        else: "`app_refresh.unused_stops` is 100 %"),
      UseRule(
        "app_refresh.unused_stops",
        when: { $0.mayBe("policy.app_refresh.unused_half_life", $0.policy.appRefresh.unusedHalfLife) },
        else: "`app_refresh.unused_half_life` is 0"),
      UseRule(
        "app_refresh.low_battery", when: { $0.isOn(.batteryLevel) }, else: "`battery_level.mode` is not on"),
      UseRule(
        "processing_task", when: { $0.strategies.contains { $0.processingTask != nil } },
        else: "no strategy has `processing_task`"),
      UseRule("processing_task", when: \.runsProcessing, else: "`app.background_modes` lacks `processing`"),
      UseRule("processing_task.needs_idle", when: \.isUsed, else: "the script never has the device in use"),
      UseRule("processing_task.cpu_cap", when: \.isBusyAtTimes, else: "the processor is never busy"),
      UseRule(
        "processing_task.after_force_quit_from", when: { $0.isOn(.forceQuit) },
        else: "`force_quit.mode` is not on"),
      UseRule(
        "processing_task.after_force_quit_from", when: \.forceQuits, else: "nobody force-quits the app"),
      UseRule(
        "processing_task.power_gates",
        when: { $0.isOn(.lowPowerMode) && $0.hasLowPowerMode || $0.isOn(.batteryLevel) },
        else: "neither `low_power_mode` nor `battery_level` is on"),
      UseRule(
        "processing_task.on_battery",
        when: { $0.strategies.contains { $0.processingTask?.requiresPower == false } },
        else: "every processing task requires power"),
      UseRule("background_download", when: \.downloads, else: "nothing is loaded by `background_download`"),
      UseRule(
        "background_download.longest_wait",
        when: { $0.policy.backgroundDownload.needsWiFi || $0.policy.backgroundDownload.needsPower },
        else: "a transfer waits neither for Wi-Fi nor for power"),
      UseRule(
        "background_download.force_quit_cancels", when: \.forceQuits, else: "nobody force-quits the app"),
      UseRule(
        "live_activity", when: \.sendsActivities, else: "no strategy sends pushes of the type `liveactivity`"),
      UseRule(
        "live_activity.start_budget", "live_activity.start_refill", "live_activity.starts_since",
        when: { $0.activityEvents.contains(.start) }, else: "no push starts a Live Activity"),
      UseRule(
        "live_activity.update_budget", "live_activity.update_refill", "live_activity.frequent_factor",
        "live_activity.lifetime", "live_activity.updates_since",
        when: { $0.activityEvents != [.start] }, else: "no push updates a Live Activity"),
      UseRule(
        "live_activity.update_budget", "live_activity.update_refill", "live_activity.frequent_factor",
        when: { $0.plans.contains { $0.request == .liveActivity && $0.priority == 10 } },
        else: "no push for a Live Activity has priority 10"),
      UseRule(
        "live_activity.frequent_factor",
        when: { $0.plans.contains { $0.request == .liveActivity && $0.activity.isFrequent } },
        else: "no app has frequent updates of its Live Activity"),
      UseRule("widget", when: \.sendsToWidgets, else: "no strategy sends pushes of the type `widgets`"),
      UseRule("voip", when: \.hasVoIP, else: RunFacts.noVoIP),
      UseRule("voip.stores", when: \.stores, else: "nothing keeps a push at APNs"),
      UseRule(
        "service_extension", when: { !$0.extensions.isEmpty },
        else: "no alert with `mutable-content` has a service extension"),
      UseRule(
        "service_extension.warning", when: { $0.extensions.contains(where: \.handsOverBestAttempt) },
        else: "no service extension has `best_attempt`"),
      UseRule(
        "service_extension.memory_limit",
        when: { facts in
          facts.versions.contains {
            $0 > max(facts.policy.serviceExtension.olderUntil, facts.policy.serviceExtension.oldestUntil)
          }
        }, else: "every system is older than `service_extension.older_until`"),
      UseRule(
        "service_extension.memory_limit_older",
        when: { facts in
          facts.versions.contains {
            $0 <= facts.policy.serviceExtension.olderUntil && $0 > facts.policy.serviceExtension.oldestUntil
          }
        }, else: "no system is between `service_extension.oldest_until` and `older_until`"),
      UseRule(
        "service_extension.memory_limit_oldest",
        when: { facts in facts.versions.contains { $0 <= facts.policy.serviceExtension.oldestUntil } },
        else: "no system is as old as `service_extension.oldest_until`"),
      UseRule(
        "service_extension.shown_if_killed", when: \.mayExceedMemory,
        else: "no service extension needs more memory than it gets"),
      UseRule(
        "service_extension.image_limit", when: { $0.attachments.contains { $0.format.media == .image } },
        else: "no service extension attaches an image"),
      UseRule(
        "service_extension.audio_limit", when: { $0.attachments.contains { $0.format.media == .audio } },
        else: "no service extension attaches a sound"),
      UseRule(
        "service_extension.movie_limit", "service_extension.movie_longest",
        when: { $0.attachments.contains { $0.format.media == .movie } },
        else: "no service extension attaches a movie"),
      UseRule(
        "service_extension.formats", "service_extension.round_trips", when: { !$0.attachments.isEmpty },
        else: "no service extension attaches a file"),
      UseRule(
        "service_extension.formats",
        when: { $0.attachments.contains { $0.format.isInGuides != $0.format.isApples } },
        else: "both lists agree on the formats that are attached"),
      UseRule(
        "service_extension.cached_time", when: { $0.attachments.contains { $0.cached > 0 } },
        else: "no attachment comes from a cache"),
      UseRule(
        "content_extension", when: { $0.strategies.contains { $0.alerts.contentExtension != nil } },
        else: "no strategy has a content extension"),
    ] + grants("app_refresh", \.appRefresh.execution) + grants("processing_task", \.processingTask.execution)
}
