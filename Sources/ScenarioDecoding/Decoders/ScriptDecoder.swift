import PushModel
import PushPolicy
import Quantities

/// Reads a scripted life: `population: {scripted: …}`.
struct ScriptDecoder {
  let context: DecodingContext
  /// The end of the run, in seconds; what happens later is worth a warning.
  let end: Double

  func read(_ mapping: MappingReader) -> LifeScript {
    let kind = mapping.choice("device").flatMap { DeviceKind(rawValue: UInt8($0)) } ?? .iphone
    var start = LifeScript.Start()
    // What the state at the start has beside the script's own: it takes effect at the first instant.
    var entries: [LifeScript.Entry] = []
    if let state = mapping.mapping("start") {
      start.battery = state.quantity("battery") ?? start.battery
      start.network = state.choice("network").map(network) ?? start.network
      start.isScreenOn = state.flag("screen") ?? false
      start.lastOpen =
        state.has("last_open") ? state.quantity("last_open").map(SimDuration.init(seconds:)) : nil
      for flag in DeviceFlag.scripted where isOn(flag.script, state) == true {
        start.flags.insert(flag.state)
      }
      if let refresh = state.choice("background_app_refresh"), refresh != 0 {
        entries.append(LifeScript.Entry(.zero, .backgroundAppRefresh(self.refresh(refresh))))
      }
      if let setting = state.choice("notifications"), setting != 0 {
        entries.append(LifeScript.Entry(.zero, .notifications(notifications(setting))))
      }
    }
    for item in mapping.list("timeline") ?? [] {
      if let entry = item.mapping(ScenarioKeys.entry).flatMap(readEntry) { entries.append(entry) }
    }
    return LifeScript(device: kind, osVersion: mapping.integer("os") ?? 18, start: start, timeline: entries)
  }

  private func isOn(_ script: DeviceFlag.Script, _ mapping: MappingReader) -> Bool? {
    script.on == "on" ? mapping.flag(script.key) : mapping.choice(script.key).map { $0 == 0 }
  }

  private func network(_ index: Int) -> LifeScript.Network { [.wifi, .cellular, .offline][index] }
  private func notifications(_ index: Int) -> LifeScript.Notifications {
    [.allowed, .refused, .shownNowhere][index]
  }
  private func refresh(_ index: Int) -> LifeScript.RefreshSetting { [.on, .off, .wifiOnly][index] }

  private func readEntry(_ mapping: MappingReader) -> LifeScript.Entry? {
    let happenings = mapping.present.filter { $0 != "at" }
    guard happenings.count == 1 else {
      // An unknown key has been reported already; then nothing else may be said.
      if !mapping.hasUnknownKeys {
        let written = (mapping.node.entries ?? []).map(\.key.text).filter { $0 != "at" }
        let span = written.count > 1 ? mapping.span(ofKey: written[1]) : mapping.node.span.firstLine
        context.log.add(Messages.exactlyOneEvent(span, got: written))
      }
      return nil
    }
    guard let at = mapping.quantity("at"), let event = readEvent(happenings[0], mapping) else { return nil }
    if at > end, let node = mapping.value("at")?.node {
      context.log.add(Messages.timelineAfterEnd(node.span, end: end))
    }
    return LifeScript.Entry(.zero + SimDuration(seconds: at), event)
  }

  private func readEvent(_ key: String, _ mapping: MappingReader) -> LifeScript.Event? {
    if let flag = DeviceFlag.scripted.first(where: { $0.script.key == key }) {
      return isOn(flag.script, mapping).map { .flag(flag.state, $0) }
    }
    switch key {
    case "network": return mapping.choice(key).map { .network(network($0)) }
    case "open_app": return mapping.quantity(key).map { .openApp(SimDuration(seconds: $0)) }
    case "battery": return mapping.quantity(key).map { .battery($0) }
    case "reboot": return mapping.choice(key).map { .reboot(unlocked: $0 == 0) }
    case "screen": return mapping.flag(key).map { .screen($0) }
    case "background_app_refresh": return mapping.choice(key).map { .backgroundAppRefresh(refresh($0)) }
    case "notifications": return mapping.choice(key).map { .notifications(notifications($0)) }
    case "cpu_load": return mapping.quantity(key).map { .cpuLoad($0) }
    case "force_quit": return happens(key, mapping) ? .forceQuit : nil
    case "other_notification": return happens(key, mapping) ? .otherNotification : nil
    case "uninstall": return happens(key, mapping) ? .uninstall : nil
    default: return happens(key, mapping) ? .install : nil
    }
  }

  /// What can only happen takes only `true`.
  private func happens(_ key: String, _ mapping: MappingReader) -> Bool {
    guard let flag = mapping.flag(key) else { return false }
    if !flag, let node = mapping.value(key)?.node {
      context.log.add(Messages.onlyTrue(Messages.quoted(key), node))
    }
    return flag
  }
}
