internal import Distributions
internal import PushPolicy
internal import Quantities

// Without what a run does not read keys that the scenario itself has, beside policy and population.
extension UseRule {
  static let ofScenario: [UseRule] =
    [
      UseRule(
        "app.background_modes",
        when: { facts in
          facts.isWatched(.backgroundMode) && (facts.wakes || facts.hasVoIP)
            || facts.strategies.contains { !$0.tasks.isEmpty }
        }, else: "nothing asks for a background mode"),
      UseRule("app.handler.duration", when: { $0.wakes || $0.runsRefresh }, else: noHandler),
      UseRule(
        "app.handler.result", when: { $0.wakes || $0.runsRefresh || $0.runsProcessing }, else: noHandler),
      UseRule("app.syncs_on_open", when: \.hasContent, else: noContent),
      UseRule("content.size", when: \.loads, else: "every strategy loads by `background_download`"),
      UseRule("apns", when: { !$0.plans.isEmpty }, else: RunFacts.noPush),
      UseRule("shared_events.apns_incident", when: { !$0.plans.isEmpty }, else: RunFacts.noPush),
      UseRule(
        "shared_events.new_system", when: { $0.wakePlans.contains { $0.request == .silent } },
        else: "no strategy sends silent pushes"),
      UseRule(
        "shared_events.bad_release", when: { $0.wakes || $0.runsRefresh || $0.runsProcessing },
        else: noHandler),
    ] + provider("provider")

  static let ofStrategy: [UseRule] =
    PushMechanism.allCases.flatMap { push($0.name) } + extensions
    + [
      UseRule("app_refresh", when: \.runsRefresh, else: "`app.background_modes` lacks `fetch`"),
      UseRule("processing_task", when: \.runsProcessing, else: "`app.background_modes` lacks `processing`"),
      UseRule("background_download", "websocket", "voip_push.syncs", when: \.hasContent, else: noContent),
      UseRule("sync_on_open", when: { _ in false }, else: "every strategy loads at an open"),
    ]

  private static let noHandler = "nothing starts a handler"
  private static let noContent = "the scenario has no `content`"

  private static func push(_ mechanism: String) -> [UseRule] {
    [
      UseRule(mechanism + ".collapse_id", when: { _ in false }, else: "no part of the model reads it"),
      UseRule(mechanism + ".expiration", when: \.stores, else: "nothing keeps a push at APNs"),
      UseRule(
        mechanism + ".activity.updates",
        when: { $0.plans.contains { $0.request == .liveActivity && $0.activity.event == nil } },
        else: "`activity.event` is not `whole`"),
      UseRule(
        mechanism + ".activity.frequent",
        when: { facts in facts.activityEvents != [.start] }, else: "no push updates a Live Activity"),
    ] + provider(mechanism + ".provider")
  }

  private static let extensions: [UseRule] = [
    UseRule(
      "alert_push.service_extension", when: { !$0.extensions.isEmpty },
      else: "the payload has no `mutable-content`"),
    UseRule("alert_push.service_extension.stores_content", when: \.hasContent, else: noContent),
    UseRule(
      "alert_push.service_extension.attachment.length",
      when: { $0.attachments.contains { $0.format.media == .movie } }, else: "the attachment is no movie"),
    UseRule(
      "alert_push.opens.after", when: { $0.strategies.contains { $0.alerts.opens > 0 } },
      else: "`opens.share` is 0"),
  ]

  private static func provider(_ key: String) -> [UseRule] {
    [
      UseRule(key, when: { !$0.plans.isEmpty }, else: RunFacts.noPush),
      UseRule(
        key + ".connections", when: { $0.plans.contains { $0.provider.audience > 1 } },
        else: "`audience` is 1"),
      UseRule(key + ".on_unregistered", when: \.removes, else: "the script never removes the app"),
      UseRule(
        key + ".on_bad_token", when: { $0.plans.contains { $0.provider.badTokens > 0 } },
        else: "`bad_tokens` is 0"),
      UseRule(
        key + ".retries", when: { facts in facts.plans.contains { !facts.answers(to: $0).isEmpty } },
        else: "APNs answers every request with 200"),
      UseRule(
        key + ".retries.most", key + ".retries.delay", key + ".retries.factor", key + ".retries.jitter",
        when: { facts in
          facts.plans.contains { !facts.answers(to: $0).isDisjoint(with: $0.provider.retries.statuses) }
        }, else: "no answer has one of `retries.statuses`"),
      UseRule(
        key + ".retries.delay", key + ".retries.factor", key + ".retries.jitter", key + ".retries.statuses",
        when: { $0.plans.contains { $0.provider.retries.most > 0 } }, else: "`retries.most` is 0"),
      UseRule(
        key + ".retries.factor", when: { $0.plans.contains { $0.provider.retries.most > 1 } },
        else: "`retries.most` is 1"),
    ]
  }
}

extension RunFacts {
  /// The errors with which APNs may answer a request of a mechanism.
  func answers(to plan: PushPlan) -> Set<Int> {
    var answers: Set<Int> = []
    func may(_ reason: Reason, _ isPossible: Bool) { if isPossible { answers.insert(reason.status ?? 0) } }
    for outage in outages { may(outage.answer, true) }
    let rules = policy.apns
    may(
      .tooManyTokenUpdates,
      plan.provider.tokenUpdateInterval < rules.tokenUpdateInterval
        || mayDiffer("policy.apns.token_update_interval"))
    may(.tooManyRequests, plan.provider.rate(under: rules) > rules.connectionRate || rules.tokenBurst > 0)
    let limit = plan.mechanism == .voip ? policy.voip.payloadLimit : rules.payloadLimit
    may(.payloadTooLarge, Double(plan.payloadBytes) > limit)
    may(.missingTopic, plan.topic == .missing)
    may(.wrongTopic, plan.topic == .other)
    may(.badDeviceToken, plan.provider.badTokens > 0)
    may(.unregistered, removes)
    may(.badPriority, plan.priority == 10 && plan.request == .silent && rules.wrongPriorityRejected > 0)
    may(
      .invalidPushType,
      plan.declaredType == .background && plan.request.isVisible && rules.wrongTypeRejected > 0)
    return answers
  }
}

extension ModelInput {
  /// What keeps a run under one of the policies from reading a key of the scenario, in a few words; nil: it is read, or
  /// belongs to nothing that is simulated.
  ///
  /// - Parameter path: from the scenario's root, as in `strategies.hourly.background_push.collapse_id`.
  public func whyUnread(_ path: String, policy: Int) -> String? {
    let parts = path.split(separator: ".", maxSplits: 2).map(String.init)
    guard parts.first == "strategies", parts.count == 3 else {
      return ParameterUse(self, policy: policy).whyUnread(path)
    }
    var input = self
    input.strategies.removeAll { $0.name != parts[1] }
    if input.strategies.isEmpty { return "the strategy does not run" }
    return ParameterUse(input, policy: policy).whyUnread(ofStrategy: parts[2])
  }
}
