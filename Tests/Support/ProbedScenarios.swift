public import Experiments

/// Scenarios in which, between them, every parameter is read, each with the situations that some need.
public enum ProbedScenarios {
  public static let drawn: [(name: String, yaml: String)] = [
    ("guide", guide), ("evidence", evidence), ("calls", calls), ("alerts", alerts), ("tasks", tasks),
    ("extensions", extensions),
  ]
  public static let scripted: [(name: String, yaml: String)] = [
    ("commuter", commuter), ("phone", phone), ("mac", mac), ("tablet", tablet),
  ]

  public static let all = scripted + drawn

  /// A scenario and its probe.
  public static func probe(_ name: String) throws -> (scenario: Scenario, probe: ParameterProbe) {
    let yaml = all.first { $0.name == name }?.yaml ?? ""
    let scenario = try Simulation.decode(yaml)
    return (scenario, try ParameterProbe(scenario, devices: UInt32(scenario.experiment.devices)))
  }

  private static let end = """
    experiment: {devices: 10, duration: 4 d, warm_up: 0 s, replications: 2, seed: 3}
    """
  private static let head = "scenario: probe\nquestion: What is read?\nversion: 1\n"

  // All kinds of devices, every class, and all that ends or holds a push.
  private static let population = """
    population:
      set:
        mix.device.iphone: 50 %
        mix.device.ipad: 30 %
        mix.device.mac: 20 %
        classes.dormant.share: 25 %
        classes.light.share: 25 %
        classes.regular.share: 25 %
        classes.heavy.share: 25 %
        settings.background_app_refresh_off.wifi_only: 30 %
        connectivity.nightly_off_or_airplane.user_share: 50 %
        restart.interval: {exponential: {mean: 1 d}}
        cpu.episodes_per_day: 40 /day
        churn.uninstall_days: {exponential: {mean: 10 d}}
        churn.gone_reported_after: 6 h
        low_power_mode.always_on_share: 20 %
        app_use.persistence_days: {exponential: {mean: 1 d}}

    """

  private static let guide =
    head + population + """
      policy:
        base: guide
        set:
          low_power_mode.cancel_probability: 50 %
          battery_level.cancel_probability: 50 %
          execution.grant_sigma: 0.5
          execution.grant_shortest: 1 s
      app:
        handler: {result: {new_data: 60 %, no_data: 20 %, failed: 10 %, never_completes: 10 %}}
      content: {updates: {every: 50 min}}
      strategies:
        silent: {background_push: {send: {every: 20 min}, expiration: 2 h}}
        often: {background_push: {send: {every: 5 min}}}
        ten: {background_push: {send: {every: 1 h}, priority: 10}}
        untyped: {background_push: {send: {every: 1 h}, type: missing}}

      """ + end

  private static let evidence =
    head + population + """
      policy:
        base: evidence
        set:
          cpu_load.mode: on
          apns.dead_link_on_wifi: 1 /day
          apns.dead_link_on_cellular: 1 /day
          apns.token_burst: 3
          apns.token_refill: 2 /h
      app:
        handler: {duration: {lognormal: {median: 3 s, p95: 20 s}}, result: {new_data: 90 %, never_completes: 10 %}}
      content: {updates: {every: 50 min}}
      strategies:
        silent: {background_push: {send: {every: 20 min}, expiration: 2 h}}
        alert_type: {background_push: {send: {every: 1 h}, type: alert}}
        one: {background_push: {send: {every: 1 h}, priority: 1}}
        loads: {background_push: {send: {every: 1 h}}, background_download: {size: 30 MB}}

      """ + end

  private static let calls =
    head + population + """
      policy: {base: evidence, set: {voip_report.since: 20, voip_rate.mode: on}}
      app: {background_modes: [voip]}
      strategies:
        calls:
          voip_push: {send: {every: 20 min}, expiration: 1 h, report: {never: 10 %, after: {exponential: {mean: 5 s}}}, completion: {never: 20 %}}

      """ + end

  private static let alerts =
    head + population + """
      policy: {base: evidence, set: {service_extension.older_until: 20, service_extension.oldest_until: 17}}
      content: {updates: {every: 2 h}}
      strategies:
        image:
          alert_push:
            send: {every: 1 h}
            payload: {aps: [alert, mutable-content]}
            service_extension: {memory: {lognormal: {median: 16 MB, p95: 30 MB}}, attachment: {format: tiff, size: {lognormal: {median: 8 MB, p95: 30 MB}}, cached: 30 %}, work: {exponential: {mean: 12 s}}}
            content_extension: {memory: {lognormal: {median: 50 MB, p95: 100 MB}}, opened: 50 %}
        sound:
          alert_push:
            send: {every: 1 h}
            payload: {aps: [alert, mutable-content]}
            service_extension: {attachment: {format: mp3, size: {lognormal: {median: 5 MB, p95: 9 MB}}}}
        movie:
          alert_push:
            send: {every: 1 h}
            payload: {aps: [alert, mutable-content]}
            service_extension: {attachment: {format: mpeg4, size: {lognormal: {median: 40 MB, p95: 60 MB}}, length: 3 h}}
        waking: {alert_push: {send: {every: 1 h}, content_available: on}}
        mistaken: {background_push: {send: {every: 1 h}, type: background, payload: {aps: [alert]}}}

      """ + end

  private static let extensions =
    head + population + """
          settings.alert_styles_off: 50 %

      """ + """
      policy: {base: evidence, set: {apns.connection_rate: 1000 /s, live_activity.starts_since: 18, live_activity.updates_since: 18, widget.since: 18, live_activity.update_budget: 3, live_activity.update_refill: 1 /h, live_activity.frequent_factor: 1.5}}
      content: {updates: {every: 2 h}}
      strategies:
        starts: {background_push: {send: {every: 20 min}, type: liveactivity, priority: 10}}
        whole: {background_push: {send: {every: 20 min}, type: liveactivity, priority: 10, activity: {event: whole, updates: 30, frequent: on}}}
        widget: {background_push: {send: {every: 15 min}, type: widgets}}
        fleet: {alert_push: {send: {every: 6 h}, provider: {audience: 100000}}}

      experiment: {devices: 4, duration: 3 d, warm_up: 0 s, replications: 2, seed: 3}

      """

  private static let tasks =
    head + population + """
      policy: {base: evidence, set: {processing_task.after_force_quit_from: 20, fetch_feedback.gain: 0.2, app_refresh.low_battery: 50 %}}
      app: {background_modes: [fetch, processing], handler: {result: {new_data: 90 %, never_completes: 10 %}}}
      content: {updates: {every: 2 h}}
      strategies:
        refresh: {app_refresh: {earliest: 30 min}}
        legacy: {app_refresh: {api: legacy, earliest: 4 h}}
        processing: {processing_task: {duration: {lognormal: {median: 4 min, p95: 20 min}}}}

      """ + end

  private static let commuter =
    head + """
      population:
        scripted:
          start: {battery: 95 %, network: wifi, last_open: 8 h}
          timeline:
            - {at: 450 min, network: cellular}
            - {at: 455 min, open_app: 3 min}
            - {at: 480 min, network: offline}
            - {at: 520 min, network: cellular}
            - {at: 21.5 h, open_app: 10 min}
      policy: guide
      content: {updates: {every: 30 min}}
      strategies:
        stored: {background_push: {send: {every: 30 min}}}
        expires: {background_push: {send: {every: 30 min}, expiration: 10 min}}
      experiment: {devices: 1, duration: 24 h, warm_up: 0 s, replications: 2, seed: 3}

      """

  private static let phone =
    head + """
      population:
        scripted:
          start: {battery: 40 %, network: cellular, screen: on, last_open: 8 h}
          timeline:
            - {at: 1 h, screen: off}
            - {at: 2 h, low_power_mode: on}
            - {at: 4 h, low_power_mode: off}
            - {at: 5 h, reboot: true}
            - {at: 6 h, battery: 0 %}
            - {at: 7 h, charger: connected}
            - {at: 10 h, open_app: 1 min}
            - {at: 10.5 h, charger: disconnected}
            - {at: 11 h, other_notification: true}
            - {at: 12 h, camera: on}
            - {at: 13 h, camera: off}
            - {at: 14 h, network: wifi}
            - {at: 15 h, network: offline}
            - {at: 16 h, network: wifi}
            - {at: 17 h, screen: on}
            - {at: 22 h, uninstall: true}
      policy: evidence
      content: {updates: {every: 30 min}}
      strategies:
        silent: {background_push: {send: {every: 7 min}, expiration: 1 h}}
        keeps: {background_push: {send: {every: 7 min}}}
      experiment: {devices: 4, duration: 40 h, warm_up: 0 s, replications: 2, seed: 3}

      """

  private static let mac =
    head + """
      population:
        scripted:
          device: mac
          start: {battery: 60 %, network: wifi, last_open: 8 h, screen: on}
          timeline:
            - {at: 3 h, screen: off}
            - {at: 12 h, screen: on}
      policy: guide
      content: {updates: {every: 30 min}}
      strategies: {silent: {background_push: {send: {every: 10 min}}}}
      experiment: {devices: 2, duration: 24 h, warm_up: 0 s, replications: 2, seed: 3}

      """

  private static let tablet =
    head + """
      population: {scripted: {device: ipad, start: {battery: 60 %, network: wifi, last_open: 1 h}}}
      policy: guide
      strategies: {silent: {background_push: {send: {every: 2 h}}}}
      experiment: {devices: 1, duration: 24 h, warm_up: 0 s, replications: 2, seed: 3}

      """
}
