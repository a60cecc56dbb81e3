public import PushPolicy
import Quantities

/// A life as one policy sees it: the changes of the device's state with the policy's thresholds on battery and
/// processor load worked in. One per policy; all strategies are played against it.
public struct Conditions: Sendable {
  /// The state at time zero.
  public private(set) var initial: DeviceState = []
  /// In order of time.
  public private(set) var changes: [LifeChange] = []

  /// What the system has learned of the user by time zero.
  public private(set) var use = UsageHistory.State()

  /// Whether the life's surroundings are among the changes.
  public private(set) var showsSurroundings = true

  private var toggles: [Toggle] = []

  public init() {}

  /// Works the thresholds of `policy` into `life`; reuses the storage.
  ///
  /// - Parameter showsSurroundings: whether anything but the energy asks for what happens around the app.
  public mutating func compile(
    _ life: borrowing Life, _ policy: borrowing Policy, showsSurroundings: Bool = true
  ) {
    self.showsSurroundings = showsSurroundings
    toggles.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    // A factor that is off has no threshold; one that is watched needs it.
    let watched = policy.enabled.union(policy.shadowed)
    if watched.contains(.batteryLevel) { addBattery(life, threshold: policy.batteryLevel.threshold) }
    if watched.contains(.cpuLoad) { addLoad(life, threshold: policy.cpuLoad.threshold, .cpuBusy) }
    addLoad(life, threshold: policy.processingTask.cpuCap, .cpuOverCap)
    merge(life)
    use = UsageHistory.State()
    use.utcOffset = life.traits.utcOffset
    for index in 0..<life.pastOpens.count { use.recordOpen(at: life.pastOpens[index], policy) }
  }

  /// The level is piecewise linear, so its crossings are solved for, not looked for.
  private mutating func addBattery(_ life: borrowing Life, threshold: Double) {
    // No level is under an empty battery's.
    guard threshold > 0 else { return }
    var isLow = false
    for index in 0..<life.battery.count {
      let segment = life.battery[index]
      let end = index + 1 < life.battery.count ? life.battery[index + 1].time : .distantFuture
      // Between rounding of times and levels a level may graze the threshold; half a billionth decides.
      let starts = segment.level < threshold - 5e-10
      if starts != isLow {
        // Levels are continuous but for scripted ones, so this is a jump, or the last digit of a crossing.
        isLow = starts
        toggles.append(Toggle(time: segment.time, bit: .batteryLow, isOn: isLow))
      }
      guard segment.slope != 0 else { continue }
      let falls = segment.slope < 0
      guard falls != isLow else { continue }
      // A level within that hair under the threshold has its crossing behind it: it is low from the start.
      let wait = max(.zero, SimDuration(seconds: (threshold - segment.level) / segment.slope))
      let crossing = segment.time + wait
      if crossing < end {
        isLow = falls
        toggles.append(Toggle(time: crossing, bit: .batteryLow, isOn: isLow))
      }
    }
  }

  private mutating func addLoad(_ life: borrowing Life, threshold: Double, _ bit: DeviceState) {
    guard !life.cpu.isEmpty, threshold < 1 else { return }
    let earlier = toggles.count
    var isBusy = false
    for change in life.cpu where (change.load > threshold) != isBusy {
      isBusy.toggle()
      toggles.append(Toggle(time: change.time, bit: bit, isOn: isBusy))
    }
    if earlier > 0, toggles.count > earlier { toggles.sort { $0.time < $1.time } }
  }

  private mutating func merge(_ life: borrowing Life) {
    let showsUse = showsSurroundings && life.saysWhenInUse
    var extra: DeviceState = []
    var (own, around) = (0, 0)
    while let toggle = next(life, &own, &around, until: .zero) { extra.take(toggle) }
    initial = showsUse ? used(life.initial, extra, life.traits) : life.initial.union(extra)
    var state = life.initial
    for index in 0...life.changes.count {
      let isEnd = index == life.changes.count
      // At the same instant the threshold comes first: it belongs to the level that led there.
      let time = isEnd ? SimTime.distantFuture : life.changes[index].time
      while let toggle = next(life, &own, &around, until: time) {
        extra.take(toggle)
        let seen = showsUse ? used(state, extra, life.traits) : state.union(extra)
        changes.append(LifeChange(time: toggle.time, state: seen, moment: toggle.moment))
      }
      if isEnd { break }
      var change = life.changes[index]
      state = change.state
      change.state = showsUse ? used(state, extra, life.traits) : state.union(extra)
      changes.append(change)
    }
  }

  /// The earliest of the policy's thresholds and the surroundings that is left, if it is not after `until`.
  @inline(__always)
  private func next(
    _ life: borrowing Life, _ own: inout Int, _ around: inout Int, until: SimTime
  ) -> Toggle? {
    let ofOwn = own < toggles.count ? toggles[own].time : .distantFuture
    let isShown = showsSurroundings && around < life.surroundings.count
    let ofAround = isShown ? life.surroundings[around].time : .distantFuture
    let time = min(ofOwn, ofAround)
    guard time <= until, time != .distantFuture else { return nil }
    if ofOwn <= ofAround {
      own += 1
      return toggles[own - 1]
    }
    around += 1
    return life.surroundings[around - 1]
  }

  /// The state with what was drawn beside it: nobody uses a device that is off, and one that sleeps by its own life is
  /// in use while it is awake.
  private func used(_ state: DeviceState, _ extra: DeviceState, _ traits: DeviceTraits) -> DeviceState {
    guard state.contains(.poweredOn) else { return state.union(extra.subtracting([.screenOn, .camera])) }
    var used = state.union(extra)
    if traits.hasMChip, !state.contains(.asleep) { used.insert(.screenOn) }
    return used
  }
}

extension DeviceState {
  fileprivate mutating func take(_ toggle: Toggle) {
    if toggle.isOn { insert(toggle.bit) } else { remove(toggle.bit) }
  }
}
