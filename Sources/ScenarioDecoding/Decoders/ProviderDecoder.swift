import PushModel
import Quantities

/// Reads what a scenario says of the provider and of APNs.
enum ProviderDecoder {
  /// - Parameter base: holds what the mapping does not say.
  static func provider(_ mapping: MappingReader, over base: Provider) -> Provider {
    var provider = base
    func read<Value>(_ key: String, _ value: (String) -> Value?, into field: WritableKeyPath<Provider, Value>)
    {
      if mapping.has(key), let value = value(key) { provider[keyPath: field] = value }
    }
    read("connections", mapping.integer, into: \.connections)
    if mapping.has("rate"), let rate = mapping.quantity("rate") { provider.rate = rate }
    read("servers", mapping.integer, into: \.servers)
    read("audience", mapping.integer, into: \.audience)
    read("token_refresh", { mapping.quantity($0).map(SimDuration.init(seconds:)) }, into: \.tokenRefresh)
    read("on_unregistered", { mapping.choice($0).map { $0 == 0 } }, into: \.removesUnregistered)
    read("on_bad_token", { mapping.choice($0).map { $0 == 0 } }, into: \.removesBadTokens)
    read("bad_tokens", mapping.quantity, into: \.badTokens)
    read("retries", { mapping.mapping($0).map { retries($0, over: base.retries) } }, into: \.retries)
    return provider
  }

  private static func retries(_ mapping: MappingReader, over base: Provider.Retries) -> Provider.Retries {
    var retries = base
    if mapping.has("most"), let most = mapping.integer("most") { retries.most = most }
    if mapping.has("delay"), let delay = mapping.quantity("delay") {
      retries.delay = SimDuration(seconds: delay)
    }
    if mapping.has("factor"), let factor = mapping.quantity("factor") { retries.factor = factor }
    if mapping.has("jitter"), let jitter = mapping.quantity("jitter") { retries.jitter = jitter }
    if mapping.has("statuses"), let items = mapping.list("statuses") {
      retries.statuses = items.compactMap { item in
        status(item, among: ScenarioKeys.retriedStatuses).flatMap { Int(ScenarioKeys.retriedStatuses[$0]) }
      }
    }
    return retries
  }

  /// The index of a status code; one is not misspelt as another, so that nothing is suggested.
  private static func status(_ value: ValueReader, among valid: [String]) -> Int? {
    guard let text = value.text() else { return nil }
    guard let index = valid.firstIndex(of: text) else {
      value.context.log.add(Messages.wrongStatus(value.label, value.node, valid: valid))
      return nil
    }
    return index
  }

  static func sharedEvents(_ mapping: MappingReader) -> SharedEvents? {
    var events = SharedEvents()
    func part<Value>(_ key: String, _ read: (MappingReader) -> Value?, into field: inout Value?) {
      if mapping.has(key) { field = mapping.mapping(key).flatMap(read) }
    }
    part("apns_incident", episodes, into: &events.apnsIncident)
    part("new_system", defect, into: &events.newSystem)
    part("bad_release", defect, into: &events.badRelease)
    return events
  }

  private static func episodes(_ mapping: MappingReader) -> SharedEvents.Episodes? {
    guard let rate = mapping.quantity("rate"), let lasts = mapping.distribution("lasts") else { return nil }
    return SharedEvents.Episodes(rate: rate, lasts: lasts)
  }

  private static func defect(_ mapping: MappingReader) -> SharedEvents.Defect? {
    guard let episodes = episodes(mapping), let reaches = mapping.distribution("reaches"),
      let spread = mapping.quantity("spreads_over"), let fails = mapping.distribution("fails")
    else { return nil }
    return SharedEvents.Defect(
      episodes: episodes, reaches: reaches, spreadsOver: SimDuration(seconds: spread), fails: fails)
  }

  /// - Parameter end: the end of the run, in seconds.
  static func outages(_ mapping: MappingReader, end: Double) -> [Outage] {
    guard mapping.has("outages"), let items = mapping.list("outages") else { return [] }
    return items.compactMap { item in
      guard let mapping = item.mapping(ScenarioKeys.outage) else { return nil }
      guard let from = mapping.quantity("from"), let length = mapping.quantity("for"),
        let status = mapping.value("status").flatMap({ status($0, among: ScenarioKeys.outageStatuses) })
      else { return nil }
      if from >= end, let node = mapping.value("from")?.node {
        mapping.context.log.add(Messages.timelineAfterEnd(node.span, end: end))
      }
      let start = SimTime.zero + SimDuration(seconds: from)
      return Outage(
        from: start, until: start + SimDuration(seconds: length), answer: Reason.outages[status])
    }
  }
}
