import Experiments
import PushModel
import PushPolicy
import OutputAnalysis
import Quantities

/// The keys of a scenario file, in the order of its documentation: the decoder, `--set`, did-you-mean and the lists of
/// valid keys in messages read these tables.
package enum ScenarioKeys {
  package static let root = KeyTable([
    .required("scenario", .matching("[^ \\t]", expected: "a name"), "the scenario's name"),
    .required(
      "question", .matching("[^ \\t]", expected: "a sentence"), "the question it answers, one sentence"),
    .optional("version", .integer(1...1), default: "1", "the version of the file format"),
    .optional(
      "population",
      .either([
        .profile(.population),
        .mapping(
          KeyTable([.required("scripted", .mapping(scripted), "a life given in place of drawn ones")])),
      ]), default: ProfileKind.population.defaultName,
      "a file in Scenarios/populations/, a mapping, or {base, set}"),
    .optional(
      "policy", .either([.profile(.policy), .list(.profile(.policy), count: policyCount)]),
      default: ProfileKind.policy.defaultName,
      "a file in Scenarios/policies/, a list of them, or {base, set}"),
    .optional("app", .mapping(app), "the app"),
    .optional("content", .mapping(content), "when the server has something new"),
    .optional("provider", .mapping(provider), "the server that sends, for every strategy"),
    .optional("apns", .mapping(apns), "what happens to Apple's push service"),
    .optional("shared_events", .mapping(sharedEvents), "what hits all devices of a replication at once"),
    .required("strategies", .named(.mapping(strategy)), "the strategies compared, by name"),
    .optional("experiment", .mapping(experiment), default: "{}", "how the scenario is run"),
    .optional("expect", .list(.mapping(expectation)), "claims about the result"),
    .optional(
      "sweep",
      .named(.either([.list(.anything, count: 1...Sweep.mostPoints), .mapping(sweptRange)])),
      "what `pushsim sweep` varies: paths with lists of values"),
  ])

  static let policyCount = 1...20

  static let sweptRange = KeyTable([
    .required("from", .text, "the first value"),
    .required("to", .text, "the last value"),
    .required("steps", .integer(2...Sweep.mostPoints), "how many values, the ends included"),
  ])

  static let app = KeyTable([
    .optional(
      "background_modes", .list(.choice(backgroundModes)), default: "[remote_notification]",
      "the background modes the app declares"),
    .optional("handler", .mapping(handler), default: "{}", "the handler that a push starts"),
    .optional(
      "syncs_on_open", .flag, default: "on", "whether the app loads what is new whenever it is opened"),
  ])

  static let backgroundModes = ["remote_notification", "fetch", "processing", "voip"]

  static let handler = KeyTable([
    .optional("duration", .distribution(.time, support: durations), "run time; else the population's"),
    .optional(
      "result", .mapping(results), default: "{new_data: 100 %}", "how the handler ends, in shares of 100 %"),
  ])

  static let resultNames = ["new_data", "no_data", "failed", "never_completes"]

  static let results = KeyTable([
    .optional("new_data", share, default: "0 %", "share that ends with new data"),
    .optional("no_data", share, default: "0 %", "share that ends without new data"),
    .optional("failed", share, default: "0 %", "share that fails"),
    .optional("never_completes", share, default: "0 %", "share that never calls the completion handler"),
    .optional("rest", .choice(resultNames), "which of them takes what the others leave of 100 %"),
  ])

  static let share = ValueForm.quantity(.proportion, 0...1)

  /// Up to a terabyte and a year: what the model adds up of these cannot overflow (see `Energy.swift`).
  static let byteCounts = 0...1e12
  static let durations = 0.0...31_536_000

  static let content = KeyTable([
    .required("updates", .mapping(updates), "when there is something new"),
    .optional(
      "size", .quantity(.bytes, byteCounts), default: "20 KB",
      "what one download of all that is new comes to"),
  ])

  static let updates = KeyTable(
    [
      .optional("poisson", .mapping(poisson), "at random, at a rate"),
      .optional("every", .quantity(.time, 1...31_536_000), "at an interval"),
      .optional("phase", .quantity(.time, 0...31_536_000), default: "0 s", "the first of an interval")
        .only(with: "every"),
      .optional("at", .list(.quantity(.time, 0...315_360_000)), "at these times from the start"),
      .optional(
        "at_server", .list(.timeOfDay, count: 1...1440), "at times of the day where the server is (UTC)"),
      .optional("daily", .mapping(daily), "at random, at a rate that follows the server's hour of the day"),
      .optional("csv", .mapping(CSVColumn.keys(.time)), "at the times from the start that a file lists"),
    ], exactlyOne: ["poisson", "daily", "every", "at", "at_server", "csv"])

  static let daily = KeyTable([
    .required("rate", .quantity(.rate, 0...10), "the mean rate over a day"),
    .required(
      "weights", .list(.quantity(.count, 0...1_000_000_000), count: 24...24),
      "the relative rates of the 24 hours, from midnight UTC"),
  ])

  static let poisson = KeyTable([
    .required("rate", .quantity(.rate, 0...10), "the mean rate")
  ])

  static let strategy = KeyTable(
    [
      .optional("background_push", .mapping(backgroundPush), "silent pushes").also("silent_push"),
      .optional("alert_push", .mapping(alertPush), "notifications that the user sees"),
      .optional("voip_push", .mapping(voipPush), "calls by PushKit and CallKit"),
      .optional("app_refresh", .mapping(appRefresh), "BGAppRefreshTask, or the legacy background fetch"),
      .optional("processing_task", .mapping(processingTask), "BGProcessingTask"),
      .optional(
        "background_download", .mapping(backgroundDownload), "what is new comes over a background URLSession"),
      .optional("websocket", .mapping(KeyTable([])), "a connection while the app is in the front"),
      .optional(
        "sync_on_open", .mapping(KeyTable([])),
        "loads what is new when the app is opened, as every strategy does"),
      .optional("title", .text, "what reports call it"),
    ], isNeverEmpty: true)

  private static func pushKeys(send: KeyTable, priority: String, aps: String) -> [KeySpec] {
    [
      .required("send", .either([.choice(["each_update"]), .mapping(send)]), "when it sends"),
      .optional(
        "priority", .choice(["10", "5", "1"]), default: priority, "the apns-priority header: 10, 5 or 1"),
      .optional(
        "expiration", .either([.choice(["absent"]), .quantity(.time, 0...31_536_000)]), default: "absent",
        "the apns-expiration header"),
      .optional(
        "collapse_id", .matching("^.{0,64}$", expected: "at most 64 bytes"),
        "the apns-collapse-id header, at most 64 bytes"),
      .optional(
        "payload",
        .mapping(
          KeyTable([
            .optional("bytes", .quantity(.bytes, 1...1_000_000), default: "256 B", "its size"),
            .optional(
              "aps", .either([.list(.choice(apsKeys)), .mapping(apsValues)]), default: aps,
              "the keys of `aps`"),
          ])), default: "{}", "the payload"),
      .optional("provider", .mapping(provider), "what this mechanism changes of the scenario's provider"),
    ]
  }

  static let backgroundPush = KeyTable(
    pushKeys(send: send, priority: "5", aps: "{content-available: 1}") + [
      .optional(
        "type", .choice(pushTypes), "the apns-push-type header; else the one that goes with the payload"),
      .optional(
        "topic", .choice(topics), default: "own", "the apns-topic header: the app's, another's or none"),
      .optional("activity", .mapping(activity), "what pushes of the type `liveactivity` ask for"),
      .optional("resend", .mapping(resend), "the server sends again what the app does not acknowledge"),
    ])

  static let activity = KeyTable([
    .optional(
      "event", .choice(activityEvents), default: "start",
      "start, update or end; whole: a start, updates and an end, again and again"),
    .optional("updates", .integer(0...1_000_000), default: "10", "how many updates a whole activity has"),
    .optional(
      "frequent", .flag, default: "off", "whether the app has frequent updates, and its user allows them"),
  ])

  static let activityEvents = ["start", "update", "end", "whole"]

  static let resend = KeyTable([
    .required("after", .quantity(.time, 1...31_536_000), "from a send to the next"),
    .optional("at_most", .integer(1...1000), default: "3", "how often, after the first send"),
  ])

  static let alertPush = KeyTable(
    pushKeys(send: alertSend, priority: "10", aps: "[alert, sound]") + [
      .optional("content_available", .flag, default: "off", "whether it also asks for the app to be woken"),
      .optional("service_extension", .mapping(serviceExtension), "the app's Notification Service Extension"),
      .optional("content_extension", .mapping(contentExtension), "the app's Notification Content Extension"),
      .optional("opens", .mapping(opens), "how often the notification makes the user open the app"),
    ])

  static let serviceExtension = KeyTable([
    .optional("attachment", .mapping(attachment), "a file that it downloads and attaches"),
    .optional(
      "memory", .distribution(.bytes, support: byteCounts), default: "8 MB", "the peak of its memory"),
    .optional(
      "work", .distribution(.time, support: durations), default: "500 ms", "run time beside the download"),
    .optional(
      "best_attempt", .flag, default: "on", "whether it hands over what it has when the system warns it"),
    .optional(
      "stores_content", .flag, default: "off",
      "whether it loads what is new on the server and leaves it for the app"),
  ])

  static let attachment = KeyTable([
    .required(
      "format", .choice(formats), "the file's format, which says whether it is image, audio or movie"),
    .required("size", .distribution(.bytes, support: byteCounts), "its size"),
    .optional(
      "length", .distribution(.time, support: durations), default: "10 s", "how long a movie lasts"),
    .optional("cached", share, default: "0 %", "share of downloads that find it in the extension's cache"),
  ])

  static let formats = ServiceExtension.Format.allCases.map(\.name)

  static let contentExtension = KeyTable([
    .optional("opened", share, default: "10 %", "share of the notifications shown that the user expands"),
    .optional(
      "memory", .distribution(.bytes, support: byteCounts), default: "20 MB", "the peak of its memory"),
  ])

  static let opens = KeyTable([
    .required("share", share, "share of the notifications shown after which the user opens the app"),
    .optional(
      "after", .distribution(.time, support: durations), default: "{lognormal: {median: 2 min, p95: 1 h}}",
      "how long after"),
  ])

  static let voipPush = KeyTable(
    pushKeys(send: send, priority: "10", aps: "[]") + [
      .optional("report", .mapping(report), default: "{}", "how the app reports the call to CallKit"),
      .optional("completion", .mapping(completion), default: "{}", "how it calls the completion handler"),
      .optional("syncs", .flag, default: "off", "whether the app also loads what is new"),
    ])

  static let completion = KeyTable([
    .optional("never", share, default: "0 %", "share of the pushes for which it does not"),
    .optional(
      "after", .distribution(.time, support: durations), default: "500 ms", "from the delivery to the call"
    ),
  ])

  static let report = KeyTable([
    .optional("never", share, default: "0 %", "share of the pushes for which it does not"),
    .optional(
      "after", .distribution(.time, support: durations), default: "200 ms",
      "from the delivery to the report"),
    .optional(
      "returns_first", .flag, default: "off", "whether the delegate's method returns before the report"),
  ])

  static let backgroundDownload = KeyTable([
    .required("size", .quantity(.bytes, 1...byteCounts.upperBound), "what each transfer loads"),
    .optional(
      "discretionary", .flag, default: "off", "whether the app lets the system choose the time"),
  ])

  static let alertSend = KeyTable(
    send.keys + [
      .optional(
        "unacknowledged", .quantity(.time, 1...31_536_000),
        "so long after a silent push that the app has not acknowledged")
    ], exactlyOne: send.alternatives + [["unacknowledged"]])

  static let appRefresh = KeyTable([
    .optional(
      "earliest", .quantity(.time, 0...31_536_000), default: "15 min",
      "the earliest begin date after a request, or the minimum interval"),
    .optional("api", .choice(["task", "legacy"]), default: "task", "BGAppRefreshTask or background fetch"),
    .optional("resubmits", .flag, default: "on", "whether each run asks for the next"),
    .optional(
      "only_after_silence", .quantity(.time, 1...31_536_000),
      "it loads only when no push has started the app for so long"),
  ])

  static let processingTask = KeyTable([
    .optional("earliest", .quantity(.time, 0...31_536_000), default: "0 s", "the earliest begin date"),
    .optional("requires_power", .flag, default: "off", "only while charging"),
    .optional("requires_network", .flag, default: "off", "only on a network"),
    .optional(
      "duration", .distribution(.time, support: durations), default: "1 min", "what its work takes"),
    .optional(
      "duration_if_nothing_new", .distribution(.time, support: durations),
      "what a run takes that finds nothing new; else as long as the push handler"),
  ])

  /// The first ones in the order of ``PushType``.
  static let pushTypes = ["alert", "background", "missing", "liveactivity", "widgets"]
  static let topics = ["own", "other", "missing"]

  static let send = KeyTable(
    [
      .optional("every", .quantity(.time, 1...31_536_000), "at an interval"),
      .optional("phase", .quantity(.time, 0...31_536_000), default: "0 s", "the first send of an interval")
        .only(with: "every"),
      .optional("jitter", .quantity(.time, 0...31_536_000), default: "0 s", "a random delay from 0 to this")
        .only(with: "every"),
      .optional("at_local", .list(.timeOfDay, count: 1...1440), "at times of the day where the device is"),
      .optional(
        "at_server", .list(.timeOfDay, count: 1...1440), "at times of the day where the server is (UTC)"),
      .optional("poisson", .mapping(poisson), "at random, at a rate"),
      .optional(
        "at", .list(.quantity(.time, 0...315_360_000), count: 1...1_000_000), "at these times from the start"),
    ], exactlyOne: ["every", "at_local", "at_server", "poisson", "at"])

  static let apsKeys = [
    "content-available", "alert", "sound", "badge", "mutable-content", "category", "thread-id",
    "interruption-level", "relevance-score", "target-content-id",
  ]

  private static let apsValues = KeyTable(
    apsKeys.map { .optional($0, .anything, "as in the payload; only whether it is there counts") })

  static let experiment = KeyTable([
    .optional("devices", .integer(ExperimentSettings.deviceCounts), default: "1000", "how many devices"),
    .optional(
      "duration", .quantity(.time, 60...630_720_000), default: "14 d", "measured time, after the warm-up"),
    .optional("warm_up", .quantity(.time, 0...630_720_000), default: "3 d", "time before anything counts"),
    .optional(
      "replications", .integer(ExperimentSettings.replicationCounts), default: "10",
      "how many independent repetitions"),
    .optional("seed", .integer(), default: "1", "the number that all randomness follows from"),
    .optional("confidence", .quantity(.proportion, 0.5...0.9999), default: "95 %", "of the intervals"),
    .optional("baseline", .text, "the strategy with which the others are compared"),
    .optional("precision", .mapping(precision), "how precisely a metric has to be known"),
    .optional("comparison", .mapping(comparison), "which strategies are compared, and how surely"),
    .optional("selection", .mapping(selection), "which strategy is the best"),
    .optional(
      "uncertainty", .mapping(uncertainty), "runs it again with parameters drawn from what is plausible"),
  ])

  static let uncertainty = KeyTable([
    .optional("samples", .integer(2...100_000), default: "200", "parameter sets"),
    .optional("replications", .integer(2...1_000_000), default: "4", "of each set"),
    .optional(
      "parameters", .list(.text, count: 1...1000),
      "which parameters, as paths in which `*` stands for anything; else the assumed ones"),
  ])

  static let precision = KeyTable(
    [
      .required("metric", .word(Metric.all.map(\.name)), "the metric"),
      .optional("strategy", .text, "the strategy; else all that have the metric"),
      .optional("half_width", metricDifference, "the greatest half-width of the interval"),
      .optional(
        "relative", .quantity(.proportion, 0.0001...0.5), "the greatest error, as a share of the true value"),
      .optional("min_replications", replications, default: "10", "before the first look"),
      .optional("max_replications", replications, default: "1000", "where it ends in any case"),
    ], exactlyOne: ["half_width", "relative"])

  static let comparison = KeyTable([
    .optional(
      "against", .choice(["baseline", "all_pairs"]), default: "baseline",
      "each with the baseline, or each with each"),
    .optional(
      "confidence", .choice(["joint", "each"]), default: "joint",
      "whether the summary's intervals hold together or each alone"),
  ])

  static let selection = KeyTable([
    .required("metric", .word(Metric.all.map(\.name)), "the metric"),
    .required("indifference", metricDifference, "the least difference that matters"),
    .optional(
      "confidence", .quantity(.proportion, 0.6...0.9999), default: "95 %",
      "how probably the best is selected, if it is ahead by at least that"),
    .optional("best", .choice(["highest", "lowest"]), default: "highest", "which value is the best"),
    .optional("min_replications", replications, default: "10", "the first stage"),
    .optional("max_replications", replications, default: "1000", "where it ends in any case"),
  ])

  private static let replications = ValueForm.integer(
    SequentialPrecision.leastMinimum...ExperimentSettings.replicationCounts.upperBound)

  static let expectation = KeyTable(
    [
      .required("strategy", .text, "the strategy"),
      .required("metric", .word(Metric.all.map(\.name)), "the metric"),
      .optional("within", .list(metricValue, count: 2...2), "lowest and highest value"),
      .optional("at_least", metricValue, "lowest value"),
      .optional("at_most", metricValue, "highest value"),
      .optional("source", .text, "where the claim comes from"),
      .optional(
        "interval", .choice(["chance", "plausible"]), default: "chance",
        "what must lie there: the interval of chance, or the range of what is plausible"),
    ], exactlyOne: [["within"], ["at_least", "at_most"]])

  /// In the unit of the metric, whichever that is.
  private static let metricValue = metricForm(.notNegative)
  private static let metricDifference = metricForm(.positive)

  private static func metricForm(_ range: ClosedRange<Double>) -> ValueForm {
    .either([.count, .proportion, .time, .energy, .bytes].map { .quantity($0, range) })
  }

  static let scripted = KeyTable([
    .optional(
      "base", .profile(.population), default: ProfileKind.population.defaultName,
      "where latencies, drain and the like come from"),
    .optional("device", .choice(["iphone", "ipad", "mac"]), default: "iphone", "the kind of device"),
    .optional("os", .integer(1...99), default: "18", "the system's major version"),
    .optional("start", .mapping(start), default: "{}", "the state at the start"),
    .optional("timeline", .list(.mapping(entry)), default: "[]", "what happens, from the start of the run"),
  ])

  static let start = KeyTable(
    [
      .optional("battery", .quantity(.proportion, 0...1), default: "80 %", "the battery's level"),
      .optional("network", .choice(networks), default: "wifi", "wifi, cellular or offline"),
      .optional("screen", .flag, default: "off", "the screen"),
      .optional(
        "last_open", .quantity(.time, 0...31_536_000),
        "how long ago the app was last opened; never, if absent"),
      .optional("background_app_refresh", .choice(refresh), default: "on", "Background App Refresh"),
      .optional("notifications", .choice(notifications), default: "allowed", notificationsMeaning),
    ]
      + DeviceFlag.scripted.map { _, script in
        .optional(script.key, form(script), default: script.off, script.summary)
      })

  /// A flag that is on or off, or a choice of two words.
  private static func form(_ script: DeviceFlag.Script) -> ValueForm {
    script.on == "on" ? .flag : .choice([script.on, script.off])
  }

  static let networks = ["wifi", "cellular", "offline"]
  static let refresh = ["on", "off", "wifi"]
  static let notifications = ["allowed", "refused", "shown_nowhere"]
  private static let notificationsMeaning =
    "the app's notifications: allowed, refused, or allowed with every alert style off (shown_nowhere)"

  static let entry = KeyTable(
    [.required("at", .quantity(.time, 0...630_720_000), "when, from the start of the run")] + happenings,
    exactlyOne: happenings.map(\.name))

  private static let happenings: [KeySpec] =
    [
      .optional("network", .choice(networks), "wifi, cellular or offline"),
      .optional("open_app", .quantity(.time, 0.000001...31_536_000), "the app is in the front for that long"),
      .optional("battery", .quantity(.proportion, 0...1), "the level from here on"),
      .optional("force_quit", .event, "the user swipes the app away"),
      .optional("reboot", .choice(["true", "locked"]), "the device restarts; `locked`: and is not unlocked"),
      .optional("screen", .flag, "the screen"),
      .optional("background_app_refresh", .choice(refresh), "Background App Refresh"),
      .optional("notifications", .choice(notifications), notificationsMeaning),
      .optional("cpu_load", .quantity(.proportion, 0...1), "the processor's load"),
      .optional("other_notification", .event, "another app's notification"),
      .optional("uninstall", .event, "the app is removed"),
      .optional("install", .event, "the app is installed again"),
    ]
    + DeviceFlag.scripted.map { _, script in
      .optional(script.key, form(script), script.summary)
    }
}
