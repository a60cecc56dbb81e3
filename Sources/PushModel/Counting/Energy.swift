import Distributions
import PushPolicy
import Quantities

/// What a strategy's doings on a device cost, as far as all devices of a replication share it.
///
/// Nothing of it is fed back into the battery, whose life every strategy shares.
public struct EnergyModel: Sendable {
  /// For waking the radio once and leaving it to its tail. Unit: microjoules.
  var radioOnWiFi: Int64 = 0
  var radioOnCellular: Int64 = 0
  /// How long the radio stays up after traffic: what follows within that time shares what that traffic cost.
  var radioTail = SimDuration.zero
  /// While the app runs, with no network, on Wi-Fi, on cellular. Unit: watts.
  var runOffline = 0.0
  var runOnWiFi = 0.0
  var runOnCellular = 0.0
  /// Of one download of what is new. Units: bytes, microjoules.
  var downloadBytes: Int64 = 0
  var downloadOnWiFi: Int64 = 0
  var downloadOnCellular: Int64 = 0
  /// Of other transfers. Unit: microjoules per byte.
  var byteOnWiFi = 0.0
  var byteOnCellular = 0.0
  /// By ``DeviceKind``: the share of a full battery that a microjoule is, in units of 2⁻³²; 0 if its energy is unknown.
  var batteryShare = InlineArray<3, Double>(repeating: 0)

  /// A model in which nothing costs anything.
  public init() {}

  /// - Parameter contentSize: what one download of what is new comes to. Unit: bytes.
  public init(_ population: borrowing Population, contentSize: Int64) {
    let energy = population.energy
    radioOnWiFi = Self.microjoules(energy.radioPerWakeWiFi)
    radioOnCellular = Self.microjoules(energy.radioPerWakeCellular)
    radioTail = SimDuration(seconds: energy.radioTail)
    runOffline = energy.overhead + energy.cpuPerUnitLoad * energy.cpuLoad
    runOnWiFi = runOffline + energy.wifi
    runOnCellular = runOffline + energy.cellular
    downloadBytes = contentSize
    byteOnWiFi = energy.transferPerMBWiFi
    byteOnCellular = energy.transferPerMBCellular
    downloadOnWiFi = Self.microjoules(energy.transferPerMBWiFi * Double(contentSize) / 1e6)
    downloadOnCellular = Self.microjoules(energy.transferPerMBCellular * Double(contentSize) / 1e6)
    let health = population.battery.health.mean
    let capacity = population.battery.capacity
    for (kind, full) in [capacity.iphone.mean, capacity.ipad.mean, capacity.mac.mean].enumerated()
    where full > 0 && health > 0 {
      batteryShare[kind] = 4_294_967_296 / (full * health * 1e6)
    }
  }

  private static func microjoules(_ joules: Double) -> Int64 { Int64((joules * 1e6).rounded()) }
}

/// Adds up the energy and the bytes of one strategy on the device at hand, in whole numbers.
struct EnergyMeter: Sendable {
  let model: EnergyModel
  /// Until then the radio is up after traffic.
  private var radioUntil = SimTime.distantPast
  /// When the radio was last woken for the app, and for how much (µJ).
  private var radioWokenAt = SimTime.distantPast
  private var radioEnergy: Int64 = 0
  /// Units: microjoules; bytes.
  private(set) var total: Int64 = 0
  private(set) var whileCharging: Int64 = 0
  private(set) var wakes: Int64 = 0
  private(set) var usefulWakes: Int64 = 0
  private(set) var bytes: Int64 = 0

  /// What happens around the app, where nobody else asks for it, and how far it has been followed.
  private var around: [Toggle] = []
  private var followed = 0
  /// Somebody has the device in hand, by what happens around the app.
  private var isUsed = false
  /// A device that sleeps by its own life is in use while it is awake.
  private var isUsedWhileAwake = false

  init(_ model: EnergyModel) { self.model = model }

  /// The device had traffic that is not this app's doing.
  mutating func otherTraffic(at now: SimTime) { radioUntil = max(radioUntil, now + model.radioTail) }

  /// From now on the meter follows by itself what happens around the app on the device at hand: the changes that a play
  /// goes through leave it out. What it counts is the same.
  mutating func look(around life: borrowing Life) {
    around = life.surroundings
    isUsedWhileAwake = life.saysWhenInUse && life.traits.hasMChip
    isUsed = isUsedWhileAwake && life.initial.contains(.poweredOn) && !life.initial.contains(.asleep)
  }

  /// The device has turned on or off, lost or found its network, or a sleep has begun or ended.
  mutating func see(_ state: DeviceState, _ changed: DeviceState, at now: SimTime) {
    let before = state.symmetricDifference(changed)
    let hasTurned = changed.contains(.poweredOn)
    if !around.isEmpty, hasTurned || before.isReachable != state.isReachable {
      follow(until: now, isOn: before.contains(.poweredOn), isReachable: before.isReachable)
      if hasTurned, !isUsedWhileAwake, isUsed { otherTraffic(at: now) }
    }
    guard isUsedWhileAwake else { return }
    let wasUsed = isUsed
    isUsed = state.contains(.poweredOn) && !state.contains(.asleep)
    if isUsed != wasUsed { otherTraffic(at: now) }
  }

  /// Brings the meter up to `now`. Nobody turns to a device that is off, and nobody reaches one without a network.
  private mutating func follow(until now: SimTime, isOn: Bool, isReachable: Bool) {
    let first = followed
    let count = around.count
    while followed < count, around[followed].time <= now { followed += 1 }
    // What counts is the last traffic, and the last that says whether the device is used.
    var (hasTraffic, knowsUse) = (false, false)
    for index in stride(from: followed - 1, through: first, by: -1) where !hasTraffic || !knowsUse {
      let event = around[index]
      let isUse = event.bit == .screenOn
      if !hasTraffic, event.moment != .none && isReachable || isUse && isOn {
        hasTraffic = true
        otherTraffic(at: event.time)
      }
      if isUse, !knowsUse {
        knowsUse = true
        isUsed = event.isOn
      }
    }
  }

  /// The app has traffic. The radio is woken for it, unless it is up: the user has the device in hand, or traffic that
  /// has been paid for is not long ago.
  ///
  private mutating func radio(_ state: DeviceState, counts: Bool, at now: SimTime) {
    guard state.isReachable, !state.isInUse else { return }
    if followed < around.count { follow(until: now, isOn: true, isReachable: true) }
    guard now >= radioUntil, !isUsed else { return }
    radioUntil = now + model.radioTail
    radioWokenAt = now
    radioEnergy = state.contains(.wifi) ? model.radioOnWiFi : model.radioOnCellular
    if counts { spend(radioEnergy, state) }
  }

  /// The app is launched.
  ///
  /// - Returns: the energy of the radio for it, also if a push that arrived at this instant woke it. Unit: microjoules.
  mutating func launch(_ state: DeviceState, counts: Bool, at now: SimTime) -> Int64 {
    radio(state, counts: counts, at: now)
    guard now == radioWokenAt else { return 0 }
    defer { radioEnergy = 0 }
    return radioEnergy
  }

  /// A push of so many bytes reaches the device.
  mutating func arrival(bytes: Int64, _ state: DeviceState, counts: Bool, at now: SimTime) {
    radio(state, counts: counts, at: now)
    if counts { self.bytes.addSaturating(bytes) }
  }

  /// The app has run in the background, or for a push in the front.
  ///
  /// - Returns: Unit: microjoules.
  mutating func run(_ time: SimDuration, _ state: DeviceState, counts: Bool) -> Int64 {
    var power = model.runOffline
    if state.isReachable { power = state.contains(.wifi) ? model.runOnWiFi : model.runOnCellular }
    // Watts times microseconds are microjoules.
    let energy = Int64((Double(time.microseconds) * power).rounded())
    if counts { spend(energy, state) }
    return energy
  }

  /// The app has loaded what is new.
  ///
  /// - Returns: Unit: microjoules.
  @discardableResult
  mutating func download(_ state: DeviceState, counts: Bool) -> Int64 {
    let energy = state.contains(.wifi) ? model.downloadOnWiFi : model.downloadOnCellular
    if counts {
      bytes.addSaturating(model.downloadBytes)
      spend(energy, state)
    }
    return energy
  }

  /// So many bytes have come over one of the networks.
  mutating func transferred(bytes: Int64, onWiFi: Bool, _ state: DeviceState, counts: Bool) {
    guard counts else { return }
    self.bytes.addSaturating(bytes)
    // Joules per megabyte are microjoules per byte.
    spend(Int64((Double(bytes) * (onWiFi ? model.byteOnWiFi : model.byteOnCellular)).rounded()), state)
  }

  /// A launch in the background has come to so many microjoules in all, which have been counted.
  mutating func wake(_ energy: Int64) { wakes.addSaturating(energy) }

  /// What such a launch brought has been seen.
  mutating func useful(_ energy: Int64) { usefulWakes.addSaturating(energy) }

  private mutating func spend(_ energy: Int64, _ state: DeviceState) {
    total.addSaturating(energy)
    if state.contains(.charging) { whileCharging.addSaturating(energy) }
  }

  /// Hands over what was counted of a device, and is ready for the next.
  mutating func take(_ kind: DeviceKind) -> EnergySums {
    var sums = EnergySums()
    sums.total = total
    sums.whileCharging = whileCharging
    sums.wakes = wakes
    sums.usefulWakes = usefulWakes
    sums.bytes = bytes
    let share = Double(total - whileCharging) * model.batteryShare[Int(kind.rawValue)]
    sums.batteryShares = Int64(min(share, 9e18).rounded())
    self = EnergyMeter(model)
    return sums
  }
}

/// What a strategy cost, summed over devices.
public struct EnergySums: Sendable {
  /// All of it; what was taken from a charger; launches in the background; of these, those whose content was on the
  /// screen before it was superseded. Unit: microjoules.
  public var total: Int64 = 0
  public var whileCharging: Int64 = 0
  public var wakes: Int64 = 0
  public var usefulWakes: Int64 = 0
  /// Payloads of the pushes that reached the device, and downloads.
  public var bytes: Int64 = 0
  /// Sum over devices of the share of a full battery that was taken from it, in units of 2⁻³².
  public var batteryShares: Int64 = 0

  public init() {}

  mutating func add(_ other: EnergySums) {
    total.addSaturating(other.total)
    whileCharging.addSaturating(other.whileCharging)
    wakes.addSaturating(other.wakes)
    usefulWakes.addSaturating(other.usefulWakes)
    bytes.addSaturating(other.bytes)
    batteryShares.addSaturating(other.batteryShares)
  }

  /// Whether a sum is beyond what can be counted.
  var isFull: Bool {
    [total, whileCharging, wakes, usefulWakes, bytes, batteryShares].contains(.max)
  }
}

extension Int64 {
  /// Adds; a sum that is beyond the largest number is that number, which ``Tally/isFull`` sees.
  @inline(__always)
  mutating func addSaturating(_ other: Int64) {
    let (sum, isBeyond) = addingReportingOverflow(other)
    self = isBeyond ? .max : sum
  }
}
