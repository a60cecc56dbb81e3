import Distributions
import Foundation
import PushModel
import PushPolicy
import Quantities

/// What the lives of many devices of one kind come to.
struct LifeStatistics {
  var devices = 0
  var days: Int64 = 0
  /// Seconds by bit of the state.
  private var time: [UInt32: Double] = [:]
  private var unreachable = 0.0
  private var total = 0.0
  private var belowTwenty = 0.0
  private var empty = 0.0
  private var levelIntegral = 0.0
  var charges = 0
  var levelsAtPlugIn: [Double] = []
  var levelByHour = [Double](repeating: 0, count: 24)
  var pluggedByHour = [Double](repeating: 0, count: 24)
  var opensByHour = [Int](repeating: 0, count: 24)
  var opens: [UserClass: Int] = [:]
  var activeDays: [UserClass: Int] = [:]
  var devicesOfClass: [UserClass: Int] = [:]
  var openedInThirtyDays = 0
  var restarts = 0
  var removals = 0

  init(_ population: Population, devices: Range<UInt32>, days: Int64, seed: UInt64 = 1) throws {
    self.days = days
    self.devices = devices.count
    let horizon = SimTime.zero + .days(days)
    try withLives(of: population, devices: devices, days: days, seed: seed) { _, life in
      addStates(life, horizon)
      addBattery(life, horizon)
      addOpens(life)
      restarts += life.changes.count { $0.moment == .restart }
      removals += life.changes.count { $0.moment == .uninstall }
    }
    let samples = Double(devices.count) * Double(days)
    for hour in 0..<24 {
      levelByHour[hour] /= samples
      pluggedByHour[hour] /= samples
    }
  }

  /// A population of one kind of device.
  static func of(_ kind: DeviceKind, devices: Range<UInt32>, days: Int64) throws -> LifeStatistics {
    var population = try DefaultPopulation.values()
    population.mix.device.iphone = kind == .iphone ? 1 : 0
    population.mix.device.ipad = kind == .ipad ? 1 : 0
    population.mix.device.mac = kind == .mac ? 1 : 0
    return try LifeStatistics(population, devices: devices, days: days)
  }

  private mutating func addStates(_ life: borrowing Life, _ horizon: SimTime) {
    for (state, from, to) in life.stretches(until: horizon) {
      let seconds = (to - from).seconds
      total += seconds
      if !state.isReachable { unreachable += seconds }
      for shift in 0..<16 where state.rawValue & 1 << UInt32(shift) != 0 {
        time[1 << UInt32(shift), default: 0] += seconds
      }
    }
    for time in life.times(of: .charging, turning: true) {
      charges += 1
      levelsAtPlugIn.append(life.level(at: time))
    }
  }

  private mutating func addBattery(_ life: borrowing Life, _ horizon: SimTime) {
    for (index, segment) in life.battery.enumerated() {
      let to = index + 1 < life.battery.count ? life.battery[index + 1].time : horizon
      let seconds = (to - segment.time).seconds
      let end = segment.level(at: to)
      levelIntegral += 0.5 * (segment.level + end) * seconds
      let low = min(segment.level, end)
      let high = max(segment.level, end)
      if high <= 0.2 {
        belowTwenty += seconds
      } else if low < 0.2 {
        belowTwenty += seconds * (0.2 - low) / (high - low)
      }
      if segment.level == 0, segment.slope == 0 { empty += seconds }
    }
    var segment = 0
    var change = 0
    var state = life.initial
    for hour in 0..<Int(days) * 24 {
      let time = SimTime.zero + .hours(Int64(hour)) + .minutes(30)
      while segment + 1 < life.battery.count, life.battery[segment + 1].time <= time { segment += 1 }
      while change < life.changes.count, life.changes[change].time <= time {
        state = life.changes[change].state
        change += 1
      }
      levelByHour[hour % 24] += life.battery[segment].level(at: time)
      if state.contains(.charging) { pluggedByHour[hour % 24] += 1 }
    }
  }

  private mutating func addOpens(_ life: borrowing Life) {
    let opened = life.changes.filter { $0.moment == .open }.map { Int(($0.time - .zero).hours) }
    let userClass = life.traits.userClass
    devicesOfClass[userClass, default: 0] += 1
    opens[userClass, default: 0] += opened.count
    activeDays[userClass, default: 0] += Set(opened.map { $0 / 24 }).count
    for hour in opened { opensByHour[hour % 24] += 1 }
    if life.pastOpens.contains(where: { $0 >= .zero - .days(30) }) { openedInThirtyDays += 1 }
  }

  /// Share of time in which the bit is set.
  func share(_ bit: DeviceState) -> Double { (time[bit.rawValue] ?? 0) / total }
  var shareUnreachable: Double { unreachable / total }
  var shareBelowTwenty: Double { belowTwenty / total }
  var shareEmpty: Double { empty / total }
  var meanLevel: Double { levelIntegral / total }
  var chargesPerDay: Double { Double(charges) / Double(devices) / Double(days) }
  var dailyUsers: Double { Double(activeDays.values.reduce(0, +)) / Double(days) }

  func levelAtPlugIn(quantile: Double) -> Double {
    let sorted = levelsAtPlugIn.sorted()
    return sorted[Int(quantile * Double(sorted.count))]
  }
}

/// A table of numbers with a header line and `#` comments.
struct CSVFixture {
  let columns: [String: [Double]]

  init(_ name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures").appending(
      path: name)
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
    let names = lines[0].split(separator: ",").map(String.init)
    var columns: [String: [Double]] = [:]
    for line in lines.dropFirst() {
      for (name, field) in zip(names, line.split(separator: ",")) {
        columns[name, default: []].append(Double(field)!)
      }
    }
    self.columns = columns
  }
}
