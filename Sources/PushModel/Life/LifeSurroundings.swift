internal import Distributions
internal import PushPolicy
internal import Quantities

// What happens around the app on a drawn device: use of the device and of the camera, other apps' notifications and
// silent pushes. Drawn from streams of their own, so that nothing else in a life moves with them.
extension Life {
  mutating func drawSurroundings(_ plan: LifePlan, device: UInt32, streams: StreamFamily) {
    saysWhenInUse = plan.population.surroundings.inUse > 0
    var run = SurroundingsRun(plan, traits, device: device, streams: streams)
    while let next = run.next() { surroundings.append(next) }
  }
}

/// The surroundings of one device, in order of time.
private struct SurroundingsRun {
  /// Uses and pauses in turn during the day, both exponential; none at night.
  private var use: Episodes
  private var camera: Episodes
  private var notifications: Moments
  private var pushes: Moments
  private let end: SimTime

  init(_ plan: LifePlan, _ traits: DeviceTraits, device: UInt32, streams: StreamFamily) {
    let around = plan.population.surroundings
    let offset = traits.utcOffset
    end = plan.horizon
    // None is drawn for a device that sleeps by its own life.
    let isUsed = around.inUse > 0 && around.session > 0 && !traits.hasMChip
    let share = min(0.95, around.inUse * Day.factor)
    use = Episodes(
      .screenOn, length: around.session, pause: isUsed ? around.session * (1 - share) / share : .infinity,
      streams.stream(device: device, .screenUse), offset)
    let hasCamera = around.camera > 0 && traits.kind != .mac
    camera = Episodes(
      .camera, length: around.cameraFor, pause: hasCamera ? 1 / (around.camera * Day.factor) : .infinity,
      streams.stream(device: device, .camera), offset)
    notifications = Moments(
      .otherNotification, rate: around.notifications, streams.stream(device: device, .otherNotifications),
      offset, end)
    pushes = Moments(
      .otherPush, rate: around.otherPushes, streams.stream(device: device, .otherPushes), offset, end)
  }

  /// The next of all; nil at the end of the run.
  mutating func next() -> Toggle? {
    let episode = min(use.time, camera.time)
    let moment = min(notifications.time, pushes.time)
    guard min(episode, moment) < end else { return nil }
    if episode <= moment { return use.time == episode ? use.take() : camera.take() }
    return notifications.time == moment ? notifications.take() : pushes.take()
  }
}

/// Local hours in which the device is used and camera and notifications are more common.
private enum Day {
  static let starts: Int64 = 7 * 3_600_000_000
  static let ends: Int64 = 23 * 3_600_000_000
  /// From a share of, or a rate over, the whole day to that of these hours.
  static let factor = 24.0 / 16

  static func contains(_ time: SimTime, _ offset: SimDuration) -> Bool {
    let day: Int64 = 86_400_000_000
    let ofDay = (time + offset).microseconds % day
    let hour = ofDay < 0 ? ofDay + day : ofDay
    return starts <= hour && hour < ends
  }

  /// The time itself by day, else as far into the next morning as it lies in the night.
  static func afterNight(_ time: SimTime, _ offset: SimDuration) -> SimTime {
    contains(time, offset) ? time : time + .hours(8)
  }
}

/// A bit of the state that turns on and off.
private struct Episodes {
  private(set) var time: SimTime
  private var isOn = false
  private var stream: RandomStream
  private let bit: DeviceState
  private let length: Double
  private let pause: Double
  private let offset: SimDuration

  /// - Parameters:
  ///   - length: mean length. Unit: seconds.
  ///   - pause: mean time from an end to the next begin; infinite: there is none. Unit: seconds.
  init(_ bit: DeviceState, length: Double, pause: Double, _ stream: RandomStream, _ offset: SimDuration) {
    self.bit = bit
    self.length = length
    self.pause = pause
    self.stream = stream
    self.offset = offset
    time = .distantFuture
    if pause < .infinity { wait(from: .zero) }
  }

  private mutating func wait(from start: SimTime) {
    time = Day.afterNight(start + SimDuration(seconds: pause * stream.unitExponential()), offset)
  }

  mutating func take() -> Toggle {
    isOn.toggle()
    let toggle = Toggle(time: time, bit: bit, isOn: isOn)
    if isOn {
      time += SimDuration(seconds: max(1, length * stream.unitExponential()))
    } else {
      wait(from: time)
    }
    return toggle
  }
}

/// A Poisson process with a rate of the device's own (gamma, shape 1.5); half of it by day only.
private struct Moments {
  private(set) var time = SimTime.distantFuture
  private var now = SimTime.zero
  private var stream: RandomStream
  private let moment: Moment
  /// By day. Unit: per second.
  private var dayRate = 0.0
  private let offset: SimDuration
  private let end: SimTime

  /// Of the rate over the whole day: the rate by day and by night.
  private static let byDay = 0.5 + 0.5 * Day.factor
  private static let byNight = 0.5

  private static let deviceFactor: Distribution =
    (try? Distribution.make(family: "gamma", parameters: ["a": 1.5, "b": 1 / 1.5])) ?? .constant(1)

  init(_ moment: Moment, rate: Double, _ stream: RandomStream, _ offset: SimDuration, _ end: SimTime) {
    self.moment = moment
    self.stream = stream
    self.offset = offset
    self.end = end
    guard rate > 0 else { return }
    dayRate = rate * Self.deviceFactor.draw(&self.stream) * Self.byDay
    if dayRate > 0 { advance() }
  }

  private mutating func advance() {
    while true {
      now += SimDuration(seconds: stream.unitExponential() / dayRate)
      if now >= end { break }
      // At night some are thinned out.
      if stream.uniform() * Self.byDay < (Day.contains(now, offset) ? Self.byDay : Self.byNight) { break }
    }
    time = now
  }

  mutating func take() -> Toggle {
    let toggle = Toggle(time: time, bit: [], isOn: true, moment: moment)
    advance()
    return toggle
  }
}
