import PushModel
import Quantities

/// Numbers as people read them. Fixed digits, no locale.
enum NumberText {
  /// `value` with that many decimals, rounded half away from zero.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return "–" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value.magnitude * scale).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    let digits = String(Int64(scaled))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = padded.dropLast(decimals)
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return sign + whole + (decimals > 0 ? "." + padded.suffix(decimals) : "")
  }

  /// A proportion in percent with one decimal.
  static func percent(_ value: Double, decimals: Int = 1) -> String { fixed(value * 100, decimals) + " %" }

  /// Thousands set apart by commas.
  static func grouped(_ value: Int64) -> String {
    let digits = String(value.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + text
  }

  /// A count that arithmetic made a fraction of, or that a file gives as one.
  static func grouped(_ value: Double) -> String {
    grouped(Int64(min(9e15, max(-9e15, value.isFinite ? value.rounded() : 0))))
  }

  /// A duration in the largest unit that leaves a number of at least 1, with three significant digits.
  static func duration(seconds: Double) -> String {
    let units: [(name: String, seconds: Double)] = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
    let magnitude = seconds.magnitude
    guard magnitude >= 1 else { return magnitude >= 0.001 ? fixed(seconds * 1000, 0) + " ms" : "0 s" }
    // Two days still read better as hours; more than that as days.
    let unit = units.first { magnitude >= $0.seconds * ($0.name == "d" ? 2 : 1) } ?? ("s", 1)
    let value = seconds / unit.seconds
    return fixed(value, value.magnitude >= 100 ? 0 : value.magnitude >= 10 ? 1 : 2) + " " + unit.name
  }

  /// Day of the run, weekday and time of day of an instant in the device's time zone.
  static func clock(_ time: SimTime, utcOffset: SimDuration) -> String {
    let (number, weekday, ofDay) = local(time, utcOffset)
    return "day \(number) \(weekday) \(hour(ofDay)):\(two(ofDay % 60))"
  }

  /// The same to the minute, without the day's number where the weekday says which day within a week is meant.
  static func moment(_ time: SimTime, near: SimTime, utcOffset: SimDuration) -> String {
    let (number, weekday, ofDay) = local(time, utcOffset)
    let isNear = time > near - .days(6) && time < near + .days(6)
    return (isNear ? "" : "day \(number), ") + "\(weekday) \(hour(ofDay))"
  }

  /// The day of the run, from 0, in the device's time zone.
  static func day(_ time: SimTime, utcOffset: SimDuration) -> Int { Int(local(time, utcOffset).number) }

  private static func local(_ time: SimTime, _ utcOffset: SimDuration)
    -> (number: Int64, weekday: String, secondOfDay: Int64)
  {
    let local = (time + utcOffset).microseconds
    let day: Int64 = 86_400_000_000
    let number = local >= 0 ? local / day : (local - day + 1) / day
    let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][Int(((number % 7) + 7) % 7)]
    return (number, weekday, (local - number * day) / 1_000_000)
  }

  private static func two(_ n: Int64) -> String { n < 10 ? "0\(n)" : "\(n)" }
  private static func hour(_ ofDay: Int64) -> String { "\(two(ofDay / 3600)):\(two(ofDay / 60 % 60))" }
}
