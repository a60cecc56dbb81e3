import Experiments
import Quantities

/// A first scenario with comments, written from what its author wants to know. Everything in it is a start, not a
/// recommendation: the comments say what to change.
struct StartingScenario: Equatable, Sendable {
  /// What the author wants to know.
  enum Question: String, CaseIterable, Sendable {
    case freshness, delivery, calls
    case backgroundWork = "background-work"

    /// The question as a scenario asks it.
    var text: String {
      switch self {
      case .freshness: "How often is the content fresh when a user opens the app?"
      case .delivery: "How many pushes start the app, how soon, and for whom not?"
      case .calls: "How many calls ring, and how soon?"
      case .backgroundWork: "How often does the system let the app work in the background?"
      }
    }

    /// A name for the scenario, if its author gives none.
    var name: String { rawValue.replacing("-", with: "_") }

    var updates: String {
      switch self {
      case .freshness, .delivery: "24 /day"
      case .calls: "6 /day"
      case .backgroundWork: "4 /day"
      }
    }

    var mechanisms: [Mechanism] {
      switch self {
      case .freshness: [.backgroundPush, .appRefresh]
      case .delivery: [.backgroundPush, .alertPush]
      case .calls: [.voipPush]
      case .backgroundWork: [.appRefresh, .processingTask, .backgroundDownload]
      }
    }
  }

  enum Mechanism: String, CaseIterable, Sendable {
    case backgroundPush = "background_push"
    case alertPush = "alert_push"
    case voipPush = "voip_push"
    case appRefresh = "app_refresh"
    case processingTask = "processing_task"
    case backgroundDownload = "background_download"
    case webSocket = "websocket"

    /// Other names that people type.
    static let aliases = ["silent_push": backgroundPush]

    init?(word: String) {
      guard let mechanism = Mechanism(rawValue: word) ?? Self.aliases[word] else { return nil }
      self = mechanism
    }

    /// What the app has to declare for it.
    var backgroundMode: String? {
      switch self {
      // The download is asked for at a silent push.
      case .backgroundPush, .backgroundDownload: "remote_notification"
      case .voipPush: "voip"
      case .appRefresh: "fetch"
      case .processingTask: "processing"
      case .alertPush, .webSocket: nil
      }
    }
  }

  var name: String
  var question: Question
  /// How often there is something new, such as `24 /day`.
  var updates: String
  /// In the order of ``Mechanism``; never empty.
  var mechanisms: [Mechanism]
  /// Names of policies; never empty.
  var policies: [String]
  var devices: Int

  /// With what the question suggests in place of what is nil or empty.
  init(_ options: NewOptions) {
    let question = options.question ?? .freshness
    self.question = question
    // The file's name without its folders and its ending, as far as a name can be made of it.
    let file = options.name?.split(separator: "/").last.map(String.init) ?? question.name
    let stem = file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file
    name = stem.isEmpty ? question.name : stem
    updates = options.updates ?? question.updates
    let chosen = options.mechanisms.isEmpty ? question.mechanisms : options.mechanisms
    mechanisms = Mechanism.allCases.filter(chosen.contains)
    policies = options.policies.isEmpty ? ["guide"] : options.policies
    devices = options.devices ?? 1000
  }

  /// Whether a text says how often something happens, in the range that a scenario takes.
  static func isRate(_ text: String) -> Bool {
    guard let quantity = try? Quantity.parse(text) else { return false }
    return quantity.dimension == .rate && quantity.value > 0 && quantity.value <= 10
  }

  // MARK: The file

  var text: String {
    """
    # A start, made by `pushsim new`: change what is not so for your app, then
    #   pushsim check FILE        reads it and says what is wrong
    #   pushsim run FILE          runs it
    # Every key, its values and its default: `pushsim schema`, also for editors (Documentation/Editing.md).
    scenario: \(quoted(name))
    question: \(question.text)
    version: 1

    # Who the users are and how their devices live: a file in Scenarios/populations/. One value is changed with
    # {base: consumer_default, set: {low_power_mode.always_on_share: 10 %}}.
    population: consumer_default

    # How the system decides: `guide` as the guides describe it, `evidence` as documentation, logs and engineers show
    # it; several in a list are compared. `pushsim policy NAME` lists every value with its source.
    policy: \(policies.count == 1 ? quoted(policies[0]) : "[\(policies.map(quoted).joined(separator: ", "))]")

    app:
      # What the app declares in its Info.plist (UIBackgroundModes).
      background_modes: [\(backgroundModes.joined(separator: ", "))]
      handler:
        # How long the work of a launch takes, and how it ends, in shares of 100 %. Measure yours.
        duration: {lognormal: {median: 2 s, p95: 10 s}}
        result: {new_data: 90 %, no_data: 5 %, failed: 4 %, never_completes: 1 %}

    content:
      # When the server has something new, at random at this rate. Else {every: 1 h}, {at_server: ["06:00"]}.
      updates: {poisson: {rate: \(updates)}}
      # What loading all that is new comes to.
      size: 20 KB

    # Each strategy is played against the same lives of the same devices, so that differences are the strategies'.
    strategies:
    \(strategies)
    experiment:
      # More devices and more replications make the intervals shorter, and the run longer.
      devices: \(devices)
      replications: 10
      # Measured time, and time before it in which budgets and habits settle.
      duration: 14 d
      warm_up: 3 d
      # The number that all randomness follows from: the same seed gives the same result.
      seed: 1
      # The strategy with which the others are compared.
      baseline: \(Self.baseline)

    # What you claim of the result. The run says of each claim whether it holds, and leaves with status 1 if not.
    # Metrics and the values they take: `pushsim schema`.
    # expect:
    #   - {strategy: \(claimed.strategy), metric: \(claimed.metric), at_least: 50 %}

    """
  }

  private var backgroundModes: [String] {
    var modes: [String] = []
    for mode in mechanisms.compactMap(\.backgroundMode) where !modes.contains(mode) { modes.append(mode) }
    return modes
  }

  private static let baseline = "on_open_only"

  private var claimed: (strategy: String, metric: String) {
    let parts = strategyParts
    let strategy = parts.first?.name ?? Self.baseline
    switch mechanisms.first {
    case .voipPush?: return (strategy, "calls_rung")
    case .backgroundPush?, .alertPush?:
      return (strategy, question == .delivery ? "delivered_within_5min" : "fresh_open")
    default: return (strategy, "fresh_open")
    }
  }

  private var strategies: String {
    strategyParts.map { part in
      part.comment.map { "  # \($0)\n" }.joined() + "  \(part.name): \(part.value)\n"
    }.joined()
  }

  private var strategyParts: [(name: String, comment: [String], value: String)] {
    var parts = mechanisms.flatMap(Self.strategies)
    if mechanisms.contains(.backgroundPush), mechanisms.contains(.appRefresh) {
      parts.append(
        (
          "push_and_refresh", ["Both: a push every two hours, and what the system grants beside it."],
          "{background_push: {send: {every: 2 h}}, app_refresh: {earliest: 1 h}}"
        ))
    }
    parts.append(
      (
        Self.baseline, ["Nothing in the background: the app loads what is new when it is opened, as always."],
        "{sync_on_open: {}}"
      ))
    return parts
  }

  private static func strategies(_ mechanism: Mechanism) -> [(
    name: String, comment: [String], value: String
  )] {
    switch mechanism {
    case .backgroundPush:
      [
        (
          "push_each_update", ["A silent push whenever there is something new; APNs gives up after an hour."],
          "{background_push: {send: each_update, expiration: 1 h}}"
        ),
        (
          "push_hourly", ["A silent push every hour, whether there is something new or not."],
          "{background_push: {send: {every: 1 h}}}"
        ),
      ]
    case .alertPush:
      [
        (
          "alert_each_update",
          [
            "A notification that the user sees; after 5 % of them the user opens the app (your share, not a known one)."
          ], "{alert_push: {send: each_update, opens: {share: 5 %}}}"
        )
      ]
    case .voipPush:
      [
        (
          "call_at_once",
          ["A call that nobody waits for longer than ten seconds; the app reports it to CallKit."],
          "{voip_push: {send: each_update, expiration: 10 s}}"
        ),
        (
          "call_asks_server", ["The same, but the app asks its server first who calls."],
          "{voip_push: {send: each_update, expiration: 10 s, report: {after: {lognormal: {median: 1.5 s, p95: 9 s}}}}}"
        ),
      ]
    case .appRefresh:
      [
        (
          "refresh_task", ["BGAppRefreshTask: the system chooses the time, from 15 min after each request."],
          "{app_refresh: {earliest: 15 min}}"
        )
      ]
    case .processingTask:
      [
        (
          "processing_task", ["BGProcessingTask: minutes of work, mostly at night and on the charger."],
          "{processing_task: {requires_power: on, requires_network: on, duration: 2 min}}"
        )
      ]
    case .backgroundDownload:
      [
        (
          "download", ["What is new comes over a background URLSession, asked for at a push."],
          "{background_push: {send: each_update, expiration: 1 h}, background_download: {size: 2 MB}}"
        )
      ]
    case .webSocket:
      [("websocket", ["A connection while the app is in the front."], "{websocket: {}}")]
    }
  }

  /// The word as YAML reads it back as a text.
  private func quoted(_ word: String) -> String {
    let isPlain =
      word.first?.isLetter == true
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    let isWordOfYAML = ["on", "off", "yes", "no", "true", "false", "null", "y", "n"].contains(
      word.lowercased())
    if isPlain, !isWordOfYAML { return word }
    return "\"" + word.unicodeScalars.map(Self.escaped).joined() + "\""
  }
}

extension StartingScenario {
  /// A character between double quotes: what a line cannot hold, or nobody can see, by its number.
  fileprivate static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let width = scalar.value > 0xFFFF ? 8 : 4
      return (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
    default: return scalar == "\\" || scalar == "\"" ? "\\\(scalar)" : String(scalar)
    }
  }
}

// MARK: - Questions

extension StartingScenario {
  /// Asks for everything. An empty answer takes the default, which stands in brackets; the end of the input takes it
  /// for all that is left.
  ///
  /// - Parameters:
  ///   - options: what is known already: the file's name.
  ///   - read: the next line without its newline; nil at the end.
  ///   - say: shows a text.
  static func ask(_ options: NewOptions, read: () -> String?, say: (String) -> Void) -> NewOptions {
    var options = options
    func answer<Value>(_ question: String, default standard: String, _ parse: (String) -> Value?) -> Value? {
      while true {
        say("\(question) [\(standard)] ")
        guard let line = read() else { return nil }
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if words.isEmpty { return nil }
        if let value = parse(words) { return value }
        say("  That is none of the answers.\n")
      }
    }
    say("What do you want to know?\n")
    for question in Question.allCases { say("  \(question.rawValue): \(question.text)\n") }
    let question = answer("question", default: Question.freshness.rawValue) { Question(rawValue: $0) }
    options.question = question ?? .freshness
    let standard = StartingScenario(options)
    options.updates = answer("How often is there something new?", default: standard.updates) {
      isRate($0) ? $0 : nil
    }
    say("Mechanisms: \(Mechanism.allCases.map(\.rawValue).joined(separator: ", "))\n")
    options.mechanisms =
      answer(
        "Which, with spaces between?",
        default: standard.mechanisms.map(\.rawValue).joined(separator: " ")
      ) { line in
        let words = line.split { $0 == " " || $0 == "," }.map { Mechanism(word: String($0)) }
        return words.contains(nil) || words.isEmpty ? nil : words.compactMap(\.self)
      } ?? []
    options.policies =
      answer("Policy: guide, evidence or both?", default: "guide") { line in
        ["guide": ["guide"], "evidence": ["evidence"], "both": ["guide", "evidence"]][line]
      } ?? []
    options.devices = answer("How many devices?", default: "\(standard.devices)") { line in
      Int(line).flatMap { ExperimentSettings.deviceCounts.contains($0) ? $0 : nil }
    }
    return options
  }
}
