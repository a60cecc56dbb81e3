import PushModel
import Quantities

// The keys of the server that sends, of Apple's push service, and of what hits all devices at once.
extension ScenarioKeys {
  static let provider = KeyTable([
    .optional("connections", .integer(1...100_000), default: "1", "connections to APNs"),
    .optional(
      "rate", .quantity(.rate, 0.001...1_000_000),
      "requests that a connection makes; else the policy's `apns.provider_rate`"),
    .optional(
      "servers", .integer(1...100_000), default: "1",
      "servers that each make authentication tokens of the one signing key"),
    .optional(
      "audience", .integer(1...10_000_000_000), default: "1",
      "how many devices a send goes to, one after the other"),
    .optional(
      "token_refresh", .quantity(.time, 1...86_400), default: "40 min",
      "how often each server makes itself a new authentication token"),
    .optional("retries", .mapping(retries), default: "{}", "which answers are followed by another try"),
    .optional(
      "on_unregistered", .choice(["remove", "keep"]), default: "remove", "what 410 does to the token"),
    .optional(
      "on_bad_token", .choice(["remove", "keep"]), default: "remove", "what 400 BadDeviceToken does to it"),
    .optional("bad_tokens", share, default: "0 %", "share of tokens of the wrong environment"),
  ])

  static let retries = KeyTable([
    .optional("most", .integer(0...30), default: "3", "tries after the first"),
    .optional("delay", .quantity(.time, 0.001...86_400), default: "1 s", "before the first of them"),
    .optional(
      "factor", .quantity(.count, 1...100), default: "2", "each delay is so many times the one before"),
    .optional("jitter", share, default: "0 %", "largest part of a delay left out at random"),
    .optional(
      "statuses", .list(.choice(retriedStatuses)), default: "[500, 503]", "the answers tried again"),
  ])

  static let retriedStatuses = ["400", "403", "404", "405", "410", "413", "429", "500", "503"]

  static let apns = KeyTable([
    .optional("outages", .list(.mapping(outage)), default: "[]", "when every request fails")
  ])

  static let outage = KeyTable([
    .required("from", .quantity(.time, 0...630_720_000), "when it begins, from the start of the run"),
    .required("for", .quantity(.time, 0.001...630_720_000), "how long it lasts"),
    .optional("status", .choice(outageStatuses), default: "503", "the answer to every request"),
  ])

  static let outageStatuses = Reason.outages.compactMap(\.status).map { "\($0)" }

  static let sharedEvents = KeyTable([
    .optional("apns_incident", .mapping(KeyTable(episodes)), "APNs answers every request with 503"),
    .optional(
      "new_system", .mapping(KeyTable(episodes + defect)), "a system version that swallows silent pushes"),
    .optional(
      "bad_release", .mapping(KeyTable(episodes + defect)),
      "a release of the app whose handler never completes"),
  ])

  private static let episodes: [KeySpec] = [
    .required("rate", .quantity(.rate, 0...0.01), "how often it begins, at random"),
    .required("lasts", .distribution(.time, support: durations), "from its beginning to its repair"),
  ]

  private static let defect: [KeySpec] = [
    .optional(
      "reaches", .distribution(.proportion, support: 0...1), default: "100 %",
      "share of the devices that have it in the end"),
    .optional(
      "spreads_over", .quantity(.time, 0...31_536_000), default: "0 s",
      "within which these devices get it, from its beginning"),
    .optional(
      "fails", .distribution(.proportion, support: 0...1), default: "100 %",
      "share of what it concerns that fails while a device has it"),
  ]
}
