public import PushPolicy
public import Quantities

/// The life of a device as a scenario's author gives it, in place of one drawn from a population.
///
/// Every device of the run lives it, and what it does not name stays as it was: Low Power Mode, charger and network
/// change only where the script says so, also at a full or a low battery.
public struct LifeScript: Sendable {
  public var device: DeviceKind
  /// The major version of the system.
  public var osVersion: Int
  public var start: Start
  /// In order of time; at equal times in the order given.
  public let timeline: [Entry]

  public init(
    device: DeviceKind = .iphone, osVersion: Int = 18, start: Start = Start(), timeline: [Entry] = []
  ) {
    self.device = device
    self.osVersion = osVersion
    self.start = start
    // Swift's sort is stable.
    self.timeline = timeline.sorted { $0.time < $1.time }
  }

  public enum Network: Sendable, Hashable {
    case wifi
    case cellular
    case offline
  }

  public enum RefreshSetting: Sendable, Hashable {
    case on
    case off
    case wifiOnly
  }

  /// Whether the user allows the app's notifications.
  public enum Notifications: Sendable, Hashable {
    case allowed
    case refused
    /// Allowed, and shown in no place: no banner, nothing on the lock screen or in the notification centre.
    case shownNowhere
  }

  /// The device at the start of the run: on, unlocked, with the app installed and in the background.
  public struct Start: Sendable {
    /// Fraction of the full charge.
    public var battery: Double
    public var network: Network
    /// The flags that are set, of ``PushPolicy/DeviceFlag/scripted``.
    public var flags: DeviceState
    /// A Mac with its screen off sleeps.
    public var isScreenOn: Bool
    /// How long ago the app was last in front; nil when it never was.
    public var lastOpen: SimDuration?

    public init(
      battery: Double = 1, network: Network = .wifi, flags: DeviceState = [], isScreenOn: Bool = false,
      lastOpen: SimDuration? = nil
    ) {
      self.battery = battery
      self.network = network
      self.flags = flags
      self.isScreenOn = isScreenOn
      self.lastOpen = lastOpen
    }
  }

  /// One line of the timeline.
  public struct Entry: Sendable {
    /// From the start of the run.
    public var time: SimTime
    public var event: Event

    public init(_ time: SimTime, _ event: Event) {
      self.time = time
      self.event = event
    }
  }

  public enum Event: Sendable, Hashable {
    case network(Network)
    /// The app comes to the front for a while. Wakes a sleeping Mac, unlocks, and ends a force quit; without effect
    /// while the device is off or the app not installed.
    case openApp(SimDuration)
    /// A flag of ``PushPolicy/DeviceFlag/scripted`` is set or unset.
    case flag(DeviceState, Bool)
    /// The level from here on, as a fraction.
    case battery(Double)
    /// Without effect while the device is off or the app not installed.
    case forceQuit
    /// The device is off for the population's median restart and starts with nothing force-quit; its user unlocks it
    /// at once, or with the next `screen` or `openApp`.
    case reboot(unlocked: Bool)
    case screen(Bool)
    case backgroundAppRefresh(RefreshSetting)
    case notifications(Notifications)
    /// Load of the processor from here on, as a fraction.
    case cpuLoad(Double)
    case otherNotification
    case uninstall
    /// A new install: no history, nothing force-quit.
    case install
  }
}
