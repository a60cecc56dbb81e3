/// A flag of ``DeviceState`` as texts, timelines and scripted lives know it.
///
/// The one place for a flag's name and words. A new flag needs its bit in ``DeviceState``, a row here, and the rule that
/// reads it; a test tells when the row is missing.
public struct DeviceFlag: Sendable {
  /// How a scripted life sets the flag.
  public struct Script: Sendable {
    /// The key of a start and of an entry of the timeline.
    public let key: String
    /// The word that sets the flag, and the one that unsets it.
    public let on: String
    public let off: String
    public let summary: String

    init(_ key: String, _ summary: String, on: String = "on", off: String = "off") {
      self.key = key
      self.summary = summary
      self.on = on
      self.off = off
    }
  }

  public let state: DeviceState
  /// The name in the timelines of a result; nil where they leave the flag out.
  public let timelineName: String?
  /// What describes the device while the flag is set, and while it is not; nil where nothing need be said.
  public let whileSet: String?
  public let whileUnset: String?
  /// What happens when the flag becomes set, and when it becomes unset; nil where nothing need be said.
  public let whenSet: String?
  public let whenUnset: String?
  /// How a hold that waits for a change of the flag may end.
  public let lifts: String?
  /// Whether a change of the flag is told together with the battery's level.
  public let isAboutBattery: Bool
  public let script: Script?

  private init(
    _ state: DeviceState, timeline: String? = nil, during: (set: String?, unset: String?) = (nil, nil),
    change: (set: String?, unset: String?) = (nil, nil), lifts: String? = nil, isAboutBattery: Bool = false,
    script: Script? = nil
  ) {
    self.state = state
    timelineName = timeline
    (whileSet, whileUnset) = during
    (whenSet, whenUnset) = change
    self.lifts = lifts
    self.isAboutBattery = isAboutBattery
    self.script = script
  }

  /// Every flag, in the order in which a device is described. The network's two flags are told as one: see
  /// ``DeviceState/networkWords``.
  public static let all: [DeviceFlag] = [
    DeviceFlag(.installed, during: (nil, "app not installed")),
    DeviceFlag(
      .poweredOn, during: (nil, "switched off"), change: ("the device is on", "the device goes off")),
    DeviceFlag(
      .unlockedSinceStart, change: ("first unlock since the start", nil), lifts: "the first unlock"),
    DeviceFlag(.wifi, lifts: "Wi-Fi"),
    DeviceFlag(.cellular, lifts: "a network"),
    DeviceFlag(
      .charging, timeline: "charging", during: ("charging", "on battery"),
      change: ("charger connected", "charger disconnected"), lifts: "the charger is connected",
      isAboutBattery: true,
      script: Script("charger", "the charger", on: "connected", off: "disconnected")),
    DeviceFlag(
      .batteryLow, change: ("battery falls below the threshold", "battery is above the threshold"),
      lifts: "the battery is above the threshold", isAboutBattery: true),
    DeviceFlag(
      .lowPowerMode, timeline: "low_power_mode", during: ("Low Power Mode on", nil),
      change: ("Low Power Mode on", "Low Power Mode off"), lifts: "Low Power Mode ends", isAboutBattery: true,
      script: Script("low_power_mode", "Low Power Mode")),
    DeviceFlag(
      .cpuBusy, change: ("the processor is busy", "the processor is free again"), lifts: "the load drops"),
    DeviceFlag(
      .cpuOverCap,
      change: (
        "the processor is above the cap for processing tasks",
        "the processor is under the cap for processing tasks"
      )),
    DeviceFlag(
      .asleep, timeline: "asleep", during: ("asleep", nil),
      change: ("the device falls asleep", "the device is awake"), lifts: "the next Power Nap wake"),
    DeviceFlag(
      .refreshOff, timeline: "refresh_off", during: ("Background App Refresh off", nil),
      change: ("Background App Refresh off", "Background App Refresh on")),
    DeviceFlag(.refreshOnWiFiOnly, during: ("Background App Refresh on Wi-Fi only", nil)),
    DeviceFlag(
      .forceQuit, timeline: "force_quit", during: ("app force-quit", nil),
      change: ("the user force-quits the app", nil)),
    DeviceFlag(
      .screenOn, change: ("screen on", "screen off"), lifts: "the device is or is no longer in use"),
    DeviceFlag(
      .debugger, change: ("debugger attached", "debugger detached"),
      script: Script("debugger", "a debugger on the app", on: "attached", off: "detached")),
    DeviceFlag(
      .camera, change: ("camera on", "camera off"), lifts: "the camera is free",
      script: Script("camera", "the camera is in use")),
    DeviceFlag(.inFront, change: (nil, "the app leaves the front"), lifts: "the user opens the app"),
    DeviceFlag(
      .alertsAllowed,
      change: ("notifications allowed", "notifications no longer allowed")),
    DeviceFlag(
      .alertStylesOff, during: ("alerts shown in no place", nil),
      change: ("alerts are shown in no place", "alerts are shown again")),
  ]

  /// The flags that a scripted life sets.
  public static let scripted = all.compactMap { flag in flag.script.map { (state: flag.state, script: $0) } }
}

extension DeviceState {
  /// The network that the device is on.
  public var networkWords: String {
    contains(.wifi) ? "on Wi-Fi" : contains(.cellular) ? "on cellular" : "offline"
  }
}
