/// An instant as a log gives it: with its own precision, and with as much of date and zone as it has.
public struct LogTime: Sendable, Equatable {
  /// How much of the date the log tells.
  public enum DateForm: UInt8, Sendable { case none, monthAndDay, full }

  /// Microseconds of the wall clock: since 1970 with a date, since the first midnight of the log without.
  var wall: Int64
  /// Minutes east of Greenwich.
  var zone: Int16?
  /// Digits of the fraction of a second.
  var digits: UInt8
  public var dateForm: DateForm

  static let day: Int64 = 86_400_000_000

  var dayNumber: Int64 { wall >= 0 ? wall / Self.day : (wall - Self.day + 1) / Self.day }
  var timeOfDay: Int64 { wall - dayNumber * Self.day }

  /// Seconds from another instant to this one; nil when the two cannot be compared.
  public func seconds(since other: LogTime) -> Double? {
    guard (dateForm == .none) == (other.dateForm == .none) else { return nil }
    var difference = wall - other.wall
    if let zone, let otherZone = other.zone { difference -= Int64(zone - otherZone) * 60_000_000 }
    return Double(difference) / 1e6
  }

  /// As ISO 8601 writes it, without what the log does not tell: `11:44:50.702731-0700`, `03-12T09:41:24`,
  /// `2026-03-10T18:20:01.140000-06:00`.
  public var text: String {
    let second = timeOfDay / 1_000_000
    var text = ""
    if dateForm != .none {
      let date = CivilDate(dayNumber: dayNumber)
      if dateForm == .full { text += Self.padded(Int64(date.year), 4) + "-" }
      text += "\(Self.padded(Int64(date.month), 2))-\(Self.padded(Int64(date.day), 2))T"
    }
    text +=
      "\(Self.padded(second / 3600, 2)):\(Self.padded(second / 60 % 60, 2)):\(Self.padded(second % 60, 2))"
    if digits > 0 { text += "." + Self.padded(timeOfDay % 1_000_000, 6).prefix(Int(digits)) }
    if let zone {
      let minutes = Int64(zone.magnitude)
      text += zone < 0 ? "-" : "+"
      text += Self.padded(minutes / 60, 2) + (dateForm == .none ? "" : ":") + Self.padded(minutes % 60, 2)
    }
    return text
  }

  /// The time of day to the second, for a narrow column.
  public var clock: String {
    let second = timeOfDay / 1_000_000
    return
      "\(Self.padded(second / 3600, 2)):\(Self.padded(second / 60 % 60, 2)):\(Self.padded(second % 60, 2))"
  }

  static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// A day of the Gregorian calendar.
struct CivilDate {
  var year: Int
  var month: Int
  var day: Int

  /// From days since 1970-01-01.
  init(dayNumber: Int64) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int64? {
    guard 1...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Readers of the parts of a time; each gives what it read and where it ended.
enum TimeText {
  /// `HH:MM:SS` with an optional fraction, in microseconds of the day.
  @inline(__always)
  static func clock(_ text: Bytes, _ start: Int) -> (time: Int64, digits: UInt8, end: Int)? {
    guard start >= 0, start + 8 <= text.count, text[start + 2] == 58, text[start + 5] == 58 else {
      return nil
    }
    guard let hour = two(text, start), let minute = two(text, start + 3), let second = two(text, start + 6),
      hour < 24, minute < 60, second < 61
    else { return nil }
    var time = Int64(hour * 3600 + minute * 60 + second) * 1_000_000
    var end = start + 8
    var digits: UInt8 = 0
    if text.at(end) == 46, Ascii.isDigit(text.at(end + 1)) {
      end += 1
      var scale: Int64 = 100_000
      while Ascii.isDigit(text.at(end)), digits < 9 {
        time += Int64(text[end] - 48) * scale
        scale /= 10
        digits += 1
        end += 1
      }
    }
    return (time, min(digits, 6), end)
  }

  /// `yyyy-mm-dd`, as days since 1970.
  static func date(_ text: Bytes, _ start: Int) -> Int64? {
    guard text.at(start + 4) == 45, text.at(start + 7) == 45, let century = two(text, start),
      let years = two(text, start + 2), let month = two(text, start + 5), let day = two(text, start + 8)
    else { return nil }
    return CivilDate.dayNumber(century * 100 + years, month, day)
  }

  /// `+0200`, `+02:00` or `Z`, in minutes.
  @inline(__always)
  static func zone(_ text: Bytes, _ start: Int) -> (zone: Int16, end: Int)? {
    let sign = text.at(start)
    if sign == 90 { return (0, start + 1) }
    guard sign == 43 || sign == 45, let hours = two(text, start + 1) else { return nil }
    let second = text.at(start + 3) == 58 ? start + 4 : start + 3
    guard let minutes = two(text, second), hours < 24, minutes < 60, !Ascii.isDigit(text.at(second + 2))
    else {
      return nil
    }
    let value = Int16(hours * 60 + minutes)
    return (sign == 45 ? -value : value, second + 2)
  }

  /// `Jan` … `Dec`, as 1 … 12.
  static func month(_ text: Bytes, _ start: Int) -> Int? {
    let names: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
    let all = Bytes(start: names.utf8Start, count: names.utf8CodeUnitCount)
    for month in 0..<12
    where all[month * 3] == text.at(start) && all[month * 3 + 1] == text.at(start + 1)
      && all[month * 3 + 2] == text.at(start + 2)
    {
      return month + 1
    }
    return nil
  }

  /// `Mon Aug  5 01:51:50 2024`, in microseconds of the wall clock.
  static func longDate(_ text: Bytes, _ start: Int) -> Int64? {
    guard let month = month(text, start + 4), let clock = clock(text, start + 11),
      let century = two(text, clock.end + 1), let years = two(text, clock.end + 3),
      let day = text.at(start + 8) == Ascii.space
        ? text.cut(start + 9, start + 10).wholeNumber : two(text, start + 8),
      let number = CivilDate.dayNumber(century * 100 + years, month, day)
    else { return nil }
    return number * LogTime.day + clock.time
  }

  @inline(__always) static func two(_ text: Bytes, _ start: Int) -> Int? {
    guard start >= 0, start + 2 <= text.count else { return nil }
    let tens = text[start] &- 48
    let ones = text[start + 1] &- 48
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
  }
}
