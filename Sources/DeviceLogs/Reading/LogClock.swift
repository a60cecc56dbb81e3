/// What the reader of a log may know that the log does not say.
public struct LogOptions: Sendable {
  /// The year of a log whose lines have none.
  public var year: Int?
  /// Minutes east of Greenwich, for a log whose lines have no zone.
  public var zone: Int16?
  /// Bundles to tell of; none: all.
  public var apps: [String] = []
  /// Whether the reader writes what it understands, without what names the log's owner.
  public var isAnonymised = false

  public init(year: Int? = nil, zone: Int16? = nil, apps: [String] = []) {
    self.year = year
    self.zone = zone
    self.apps = apps
  }

  /// `+0200` or `-05:30` in minutes.
  public static func zone(_ text: String) -> Int16? {
    var text = text
    return text.withUTF8 { bytes in
      guard let (zone, end) = TimeText.zone(bytes, 0), end == bytes.count else { return nil }
      return zone
    }
  }
}

/// Makes instants of the times of records: midnights, new years, and the year and zone that the user gave.
struct LogClock {
  let givenYear: Int?
  let givenZone: Int16?
  private(set) var zone: Int16?
  /// The first midnight of a log without dates, once something in it names a date.
  private(set) var firstDay: Int64?
  private(set) var firstDayFrom = ""
  /// The line of the last record.
  private(set) var latestLine = 0
  /// The instant of the first record.
  private(set) var begin: LogTime?
  private var dayOfLog: Int64 = 0
  private var lastTime: Int64 = -1
  private var yearsPassed = 0
  private var lastDay: Int64 = -1
  private var firstDated: (day: Int64, form: LogTime.DateForm)?
  private var latest: RecordHeaderTime?

  private struct RecordHeaderTime {
    var day: Int64
    var dateForm: LogTime.DateForm
    var time: Int64
    var digits: UInt8
    var zone: Int16?
  }

  init(year: Int?, zone: Int16?) {
    givenYear = year
    givenZone = zone
  }

  /// Takes the time of a record, whatever it says.
  @inline(__always)
  mutating func see(_ header: RecordHeader, _ line: Int) {
    latestLine = line
    if header.dateForm == .none {
      // Console's order is that of time: a step back of half a day is midnight.
      if lastTime >= 0, lastTime - header.time > LogTime.day / 2 { dayOfLog += 1 }
      lastTime = header.time
    } else if header.dateForm == .monthAndDay {
      if lastDay >= 0, lastDay - header.day > 182 { yearsPassed += 1 }
      lastDay = header.day
    }
    if let zone = header.zone { self.zone = zone }
    if header.dateForm != .none, firstDated == nil { firstDated = (header.day, header.dateForm) }
    if begin == nil { begin = time(header) }
    latest = RecordHeaderTime(
      day: header.day, dateForm: header.dateForm, time: header.time, digits: header.digits, zone: header.zone)
  }

  /// Takes the time of a crash report, which dates a log that has nothing else.
  mutating func see(_ time: LogTime) {
    if zone == nil { zone = time.zone }
    if firstDated == nil { firstDated = (time.dayNumber, .full) }
  }

  /// The instant of a record that has been seen last.
  func time(_ header: RecordHeader) -> LogTime {
    instant(header.day, header.dateForm, header.time, header.digits, header.zone)
  }

  /// The instant of the last record.
  var end: LogTime? { latest.map { instant($0.day, $0.dateForm, $0.time, $0.digits, $0.zone) } }

  private func instant(
    _ day: Int64, _ form: LogTime.DateForm, _ time: Int64, _ digits: UInt8, _ zone: Int16?
  ) -> LogTime {
    var form = form
    var number = form == .none ? dayOfLog : day
    if form == .monthAndDay {
      let date = CivilDate(dayNumber: day)
      let year = (givenYear ?? 2000) + yearsPassed
      if givenYear != nil { form = .full }
      // 29 February of a year that has none is the day after the 28th.
      number =
        CivilDate.dayNumber(year, date.month, date.day) ?? day
    }
    return LogTime(wall: number * LogTime.day + time, zone: zone ?? givenZone, digits: digits, dateForm: form)
  }

  /// Learns the date of a log without dates from an instant that a record names and that lies near its own.
  mutating func learn(wall: Int64, near time: LogTime, from source: String) {
    guard firstDay == nil, time.dateForm == .none else { return }
    let days = Double(wall - time.wall) / Double(LogTime.day)
    firstDay = Int64(days.rounded())
    firstDayFrom = source
  }

  /// The same instant with a date, if there is one to be had.
  func dated(_ time: LogTime) -> LogTime {
    guard time.dateForm == .none, let firstDay else { return time }
    var dated = time
    dated.wall += firstDay * LogTime.day
    dated.dateForm = .full
    return dated
  }

  /// The first date of the log, and where it is from; nil when it names none.
  var date: String? {
    if let firstDay {
      let date = CivilDate(dayNumber: firstDay)
      return
        "\(date.year)-\(LogTime.padded(Int64(date.month), 2))-\(LogTime.padded(Int64(date.day), 2)) (from \(firstDayFrom))"
    }
    guard let (day, form) = firstDated else { return nil }
    let first = instant(day, form, 0, 0, nil)
    let text = String(first.text.prefix { $0 != "T" })
    return first.dateForm == .monthAndDay ? text + " (no year)" : text
  }

  /// As the log writes it.
  var zoneText: String? {
    guard let zone = zone ?? givenZone else { return nil }
    return String(LogTime(wall: 0, zone: zone, digits: 0, dateForm: .none).text.dropFirst(8))
  }
}
