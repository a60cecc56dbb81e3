public import Distributions
internal import PushPolicy
public import Quantities

/// Where the surroundings of one device are drawn from, and until when.
public struct SurroundingsStreams: Sendable {
  public var streams: StreamFamily
  public var device: UInt32
  public var end: SimTime
  /// Whether a strategy asks when the device is in use, whatever the policy asks.
  public var needsUse: Bool

  public init(_ streams: StreamFamily, device: UInt32, end: SimTime, needsUse: Bool = false) {
    self.streams = streams
    self.device = device
    self.end = end
    self.needsUse = needsUse
  }
}

// What happens around the app on a drawn device, for the scheduler's factors: use of the device and of the camera,
// other apps' notifications and silent pushes. Drawn from streams of their own, so no life changes.
extension Conditions {
  /// Local hours in which the device is used and camera and notifications are more common.
  private static var day: Range<Double> { 7..<23 }

  mutating func addSurroundings(
    _ source: SurroundingsStreams, _ traits: DeviceTraits, _ policy: borrowing Policy
  ) {
    let before = toggles.count
    let surroundings = policy.surroundings
    addUse(source, traits, surroundings)
    if policy.schedules {
      addCamera(source, traits, surroundings)
      addMoments(source, traits, .otherNotification, .otherNotifications, rate: surroundings.notifications)
      addMoments(source, traits, .otherPush, .otherPushes, rate: surroundings.otherPushes)
    }
    if toggles.count > before { toggles.sort { $0.time < $1.time } }
  }

  /// Uses and pauses in turn during the day, both exponential; none at night, and none drawn for a device that sleeps by
  /// its own life.
  private mutating func addUse(
    _ source: SurroundingsStreams, _ traits: DeviceTraits, _ surroundings: Policy.Surroundings
  ) {
    guard surroundings.inUse > 0, surroundings.session > 0, !traits.hasMChip else { return }
    var stream = source.streams.stream(device: source.device, .screenUse)
    let share = min(0.95, surroundings.inUse * 24 / (Self.day.upperBound - Self.day.lowerBound))
    let pause = surroundings.session * (1 - share) / share
    var time = SimTime.zero
    while true {
      time = Self.afterNight(time + SimDuration(seconds: pause * stream.unitExponential()), traits)
      if time >= source.end { return }
      toggles.append(Toggle(time: time, bit: .screenOn, isOn: true))
      time += SimDuration(seconds: max(1, surroundings.session * stream.unitExponential()))
      toggles.append(Toggle(time: time, bit: .screenOn, isOn: false))
    }
  }

  private mutating func addCamera(
    _ source: SurroundingsStreams, _ traits: DeviceTraits, _ surroundings: Policy.Surroundings
  ) {
    guard surroundings.camera > 0, traits.kind != .mac else { return }
    var stream = source.streams.stream(device: source.device, .camera)
    let rate = surroundings.camera * 24 / (Self.day.upperBound - Self.day.lowerBound)
    var time = SimTime.zero
    while true {
      time = Self.afterNight(time + SimDuration(seconds: stream.unitExponential() / rate), traits)
      if time >= source.end { return }
      toggles.append(Toggle(time: time, bit: .camera, isOn: true))
      time += SimDuration(seconds: max(1, surroundings.cameraFor * stream.unitExponential()))
      toggles.append(Toggle(time: time, bit: .camera, isOn: false))
    }
  }

  /// A Poisson process with a rate of the device's own (gamma, shape 1.5); half of it by day only.
  private mutating func addMoments(
    _ source: SurroundingsStreams, _ traits: DeviceTraits, _ moment: Moment, _ purpose: StreamPurpose,
    rate: Double
  ) {
    guard rate > 0 else { return }
    var stream = source.streams.stream(device: source.device, purpose)
    let ofDevice = rate * Self.deviceFactor.draw(&stream)
    guard ofDevice > 0 else { return }
    let dayRate = 0.5 + 0.5 * 24 / (Self.day.upperBound - Self.day.lowerBound)
    var time = SimTime.zero
    while true {
      time += SimDuration(seconds: stream.unitExponential() / (ofDevice * dayRate))
      if time >= source.end { return }
      // At night some are thinned out.
      let isKept = stream.uniform() * dayRate < (Self.isDay(time, traits) ? dayRate : 0.5)
      if isKept { toggles.append(Toggle(time: time, bit: [], isOn: true, moment: moment)) }
    }
  }

  private static let deviceFactor: Distribution =
    (try? Distribution.make(family: "gamma", parameters: ["a": 1.5, "b": 1 / 1.5])) ?? .constant(1)

  private static func localHour(_ time: SimTime, _ traits: DeviceTraits) -> Double {
    let ofDay = (time + traits.utcOffset - SimTime.zero).seconds.truncatingRemainder(dividingBy: 86_400)
    return (ofDay < 0 ? ofDay + 86_400 : ofDay) / 3600
  }

  private static func isDay(_ time: SimTime, _ traits: DeviceTraits) -> Bool {
    day.contains(localHour(time, traits))
  }

  /// The time itself by day, else as far into the next morning as it lies in the night.
  private static func afterNight(_ time: SimTime, _ traits: DeviceTraits) -> SimTime {
    let hour = localHour(time, traits)
    if day.contains(hour) { return time }
    return time + SimDuration(seconds: 3600 * (24 - (day.upperBound - day.lowerBound)))
  }

  /// The state with what was drawn beside it: nobody uses a device that is off, and one that sleeps by its own life is
  /// in use while it is awake.
  func used(_ state: DeviceState, _ extra: DeviceState, _ traits: DeviceTraits) -> DeviceState {
    guard state.contains(.poweredOn) else { return state.union(extra.subtracting([.screenOn, .camera])) }
    var used = state.union(extra)
    if traits.hasMChip, !state.contains(.asleep) { used.insert(.screenOn) }
    return used
  }
}
