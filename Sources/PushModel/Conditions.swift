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

  var toggles: [Toggle] = []
  /// Whether the use of the device is drawn beside its life.
  private var drawsUse = false

  /// At `time` the bit turns on or off.
  struct Toggle: Sendable, BitwiseCopyable {
    var time: SimTime
    var bit: DeviceState
    var isOn: Bool
    var moment = Moment.none
  }

  public init() {}

  /// Works the thresholds of `policy` into `life`; reuses the storage.
  ///
  /// - Parameter surroundings: where to draw what happens around the app; nil for a life that says itself what does.
  public mutating func compile(
    _ life: borrowing Life, _ policy: borrowing Policy, surroundings: SurroundingsStreams? = nil
  ) {
    toggles.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    // A factor that is off has no threshold; one that is watched needs it.
    let watched = policy.enabled.union(policy.shadowed)
    if watched.contains(.batteryLevel) { addBattery(life, threshold: policy.batteryLevel.threshold) }
    if watched.contains(.cpuLoad) { addLoad(life, threshold: policy.cpuLoad.threshold, .cpuBusy) }
    addLoad(life, threshold: policy.processingTask.cpuCap, .cpuOverCap)
    drawsUse = false
    if let surroundings, policy.schedules || surroundings.needsUse {
      drawsUse = policy.surroundings.inUse > 0
      addSurroundings(surroundings, life.traits, policy)
    }
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
    var extra: DeviceState = []
    var index = 0
    while index < toggles.count, toggles[index].time <= .zero {
      extra = toggles[index].isOn ? extra.union(toggles[index].bit) : extra.subtracting(toggles[index].bit)
      index += 1
    }
    initial = drawsUse ? used(life.initial, extra, life.traits) : life.initial.union(extra)
    var state = life.initial
    var next = 0
    while next < life.changes.count || index < toggles.count {
      // At the same instant the threshold comes first: it belongs to the level that led there.
      if index < toggles.count, next == life.changes.count || toggles[index].time <= life.changes[next].time {
        let toggle = toggles[index]
        extra = toggle.isOn ? extra.union(toggle.bit) : extra.subtracting(toggle.bit)
        changes.append(LifeChange(time: toggle.time, state: state.union(extra), moment: toggle.moment))
        if drawsUse { changes[changes.count - 1].state = used(state, extra, life.traits) }
        index += 1
      } else {
        var change = life.changes[next]
        state = change.state
        change.state = drawsUse ? used(state, extra, life.traits) : state.union(extra)
        changes.append(change)
        next += 1
      }
    }
  }
}
