public import PushPolicy
public import Quantities

/// What happens to a device at one instant, beside the change of its state.
public enum Moment: UInt8, Sendable, BitwiseCopyable {
  /// Only the state changed.
  case none
  /// The user brings the app to the front; the state has ``DeviceState/inFront``.
  case open
  /// An M-chip device wakes for Power Nap, for this instant only.
  case powerNapWake
  /// The device has started again; clears a force quit.
  case restart
  /// Another app's notification arrives.
  case otherNotification
  /// The app is removed.
  case uninstall
  /// The app is installed again: a new install, with a new token and no history.
  case install
  /// Another app's silent push arrives.
  case otherPush

  /// What a trace says of it; nil where the state says it all, or the app's open has a line of its own.
  public var words: String? {
    switch self {
    case .none, .open: nil
    case .powerNapWake: "Power Nap wake"
    case .restart: "the device has restarted"
    case .otherNotification: "another app's notification"
    case .uninstall: "the user removes the app"
    case .install: "the user installs the app again"
    case .otherPush: "another app's silent push"
    }
  }
}

/// One change in a device's life: from `time` on the device is in `state`.
@frozen
public struct LifeChange: Sendable, BitwiseCopyable {
  public var time: SimTime
  public var state: DeviceState
  public var moment: Moment

  @inlinable public init(time: SimTime, state: DeviceState, moment: Moment) {
    self.time = time
    self.state = state
    self.moment = moment
  }
}

/// At `time` bits of a device's state turn on or off, or something happens that leaves the state as it is.
public struct Toggle: Sendable, BitwiseCopyable {
  public var time: SimTime
  public var bit: DeviceState
  public var isOn: Bool
  public var moment: Moment

  public init(time: SimTime, bit: DeviceState, isOn: Bool, moment: Moment = .none) {
    self.time = time
    self.bit = bit
    self.isOn = isOn
    self.moment = moment
  }
}

/// From `time` on, until the next segment, the battery's level is `level + slope · (t − time)`, clamped to 0...1.
@frozen
public struct BatterySegment: Sendable, BitwiseCopyable {
  public var time: SimTime
  /// A fraction of the full charge at `time`.
  public var level: Double
  /// Fraction of the full charge per second; negative while it drains.
  public var slope: Double

  @inlinable public init(time: SimTime, level: Double, slope: Double) {
    self.time = time
    self.level = level
    self.slope = slope
  }

  @inlinable public func level(at t: SimTime) -> Double {
    min(1, max(0, level + slope * (t - time).seconds))
  }
}

/// From `time` on the processor's load is `load`, a fraction.
@frozen
public struct LoadChange: Sendable, BitwiseCopyable {
  public var time: SimTime
  public var load: Double
  @inlinable public init(time: SimTime, load: Double) {
    self.time = time
    self.load = load
  }
}

/// How a user uses the app. The raw value is the index in tallies.
public enum UserClass: UInt8, Sendable, CaseIterable {
  case dormant, light, regular, heavy
  public var name: String { "\(self)" }
}

/// The raw value is the index in tallies.
public enum DeviceKind: UInt8, Sendable, CaseIterable {
  case iphone, ipad, mac
  public var name: String { "\(self)" }
}

/// What a device is and does not change during the run.
public struct DeviceTraits: Sendable {
  public var userClass: UserClass = .regular
  public var kind: DeviceKind = .iphone
  /// The major version of the system; 17 stands for every version before 18.
  public var osVersion: Int = 18
  public var hasMChip: Bool = false
  /// Local time is the run's time (UTC) plus this.
  public var utcOffset: SimDuration = .zero
  public init() {}
}

/// Everything that happens to one device and that no strategy changes: laid down once, then every strategy is played
/// against it (Decision 0003). The arrays are reused from device to device.
public struct Life: Sendable {
  public var traits = DeviceTraits()
  /// Opens of the app before time zero, oldest first; the system's prediction of use starts from them.
  public var pastOpens: [SimTime] = []
  /// The state at time zero.
  public var initial: DeviceState = []
  /// In order of time, all within the run. At equal times in the order in which they take effect.
  public var changes: [LifeChange] = []
  /// In order of time; the first is at time zero.
  public var battery: [BatterySegment] = []
  /// In order of time; before the first the load is 0.
  public var cpu: [LoadChange] = []
  /// What happens around the app, in order of time: use of the device and of its camera, other apps' notifications and
  /// silent pushes. Beside `changes`, since most plays need it for nothing but the energy.
  public var surroundings: [Toggle] = []
  /// Whether the life says when the device is in use; then one that sleeps by its own life is while it is awake.
  public var saysWhenInUse = false
  /// When the provider first learns from a 410 that the app is gone, if it is removed during the run.
  public var tokenReportedGone: SimTime = .distantFuture

  public init() {}

  public mutating func removeAll() {
    pastOpens.removeAll(keepingCapacity: true)
    initial = []
    changes.removeAll(keepingCapacity: true)
    battery.removeAll(keepingCapacity: true)
    cpu.removeAll(keepingCapacity: true)
    surroundings.removeAll(keepingCapacity: true)
    saysWhenInUse = false
    tokenReportedGone = .distantFuture
  }
}
