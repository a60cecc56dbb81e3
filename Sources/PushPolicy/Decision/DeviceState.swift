/// What is true of a device at an instant, as far as the delivery of pushes depends on it.
///
/// One word, so that a life is a plain list of (time, state) and asking what changed is one exclusive-or.
public struct DeviceState: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public var rawValue: UInt32
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The app is on the device.
  @inlinable public static var installed: DeviceState { .init(rawValue: 1 << 0) }
  /// The device runs; off while restarting, with an empty battery, or switched off for the night.
  @inlinable public static var poweredOn: DeviceState { .init(rawValue: 1 << 1) }
  /// The user has unlocked the device since it last started.
  @inlinable public static var unlockedSinceStart: DeviceState { .init(rawValue: 1 << 2) }
  @inlinable public static var wifi: DeviceState { .init(rawValue: 1 << 3) }
  @inlinable public static var cellular: DeviceState { .init(rawValue: 1 << 4) }
  @inlinable public static var charging: DeviceState { .init(rawValue: 1 << 5) }
  @inlinable public static var lowPowerMode: DeviceState { .init(rawValue: 1 << 6) }
  /// An M-chip device sleeps; it wakes for its user or, for moments, for Power Nap.
  @inlinable public static var asleep: DeviceState { .init(rawValue: 1 << 7) }
  /// The app is in the foreground.
  @inlinable public static var inFront: DeviceState { .init(rawValue: 1 << 8) }
  /// The user swiped the app away and has not opened it nor restarted the device since.
  @inlinable public static var forceQuit: DeviceState { .init(rawValue: 1 << 9) }
  /// Background App Refresh is off, for the device or for this app.
  @inlinable public static var refreshOff: DeviceState { .init(rawValue: 1 << 10) }
  /// Background App Refresh is allowed on Wi-Fi only.
  @inlinable public static var refreshOnWiFiOnly: DeviceState { .init(rawValue: 1 << 11) }
  /// The screen is on. A drawn life has it among its surroundings, apart from the drain (see `Documentation/Model.md`).
  @inlinable public static var screenOn: DeviceState { .init(rawValue: 1 << 12) }
  /// The user allows this app's notifications to be shown.
  @inlinable public static var alertsAllowed: DeviceState { .init(rawValue: 1 << 13) }
  /// The battery is under the policy's threshold. Set by the model for the policy at hand, never by a life.
  @inlinable public static var batteryLow: DeviceState { .init(rawValue: 1 << 14) }
  /// The processor's load is above the policy's threshold. Set by the model for the policy at hand, never by a life.
  @inlinable public static var cpuBusy: DeviceState { .init(rawValue: 1 << 15) }

  /// The camera is in use.
  @inlinable public static var camera: DeviceState { .init(rawValue: 1 << 16) }
  /// A debugger is attached to the app.
  @inlinable public static var debugger: DeviceState { .init(rawValue: 1 << 17) }

  /// The processor's load is above the policy's own cap for processing tasks. Set by the model, never by a life.
  @inlinable public static var cpuOverCap: DeviceState { .init(rawValue: 1 << 18) }

  /// The user allows this app's notifications and lets them be shown in no place: no banner, not on the lock screen, not in
  /// the notification centre.
  @inlinable public static var alertStylesOff: DeviceState { .init(rawValue: 1 << 19) }

  /// How many flags there are; ``DeviceFlag/all`` has a row for each.
  public static let flagCount = 20

  /// Either of these means that somebody uses the device.
  @inlinable public static var inUse: DeviceState { [.screenOn, .inFront] }
  /// Somebody uses the device.
  @inlinable public var isInUse: Bool { rawValue & (1 << 12 | 1 << 8) != 0 }

  /// Running, unlocked, reachable, and with nothing that speaks against a launch: no force quit, no switch, no sleep, no
  /// Low Power Mode, no low battery, no busy processor.
  @inlinable public var isOrdinary: Bool {
    let against: DeviceState = [
      .asleep, .lowPowerMode, .forceQuit, .refreshOff, .refreshOnWiFiOnly, .batteryLow, .cpuBusy,
    ]
    let needed: DeviceState = [.poweredOn, .unlockedSinceStart]
    return rawValue & (against.rawValue | needed.rawValue) == needed.rawValue && isReachable
  }

  /// On a network and running: APNs can reach the device.
  @inlinable public var isReachable: Bool {
    rawValue & 0b10 != 0 && rawValue & 0b11000 != 0
  }
}
