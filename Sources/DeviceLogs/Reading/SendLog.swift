/// The provider's log: what was asked of APNs, and what it answered. One reader for lines of JSON (`ts`, `push_id`,
/// `token_hash`, `status`, `reason`) and for the calibration's `pushes.csv` (`device_id`, `sent_at`, `apns_status`,
/// `apns_reason`).
public struct SendLog: Sendable {
  public struct Request: Sendable {
    /// The line of the file.
    public var line: Int
    public var id: String?
    public var device: String?
    public var sent: LogTime
    public var type: String?
    /// APNs' answer; nil when the file does not tell.
    public var status: Int?
    public var reason: String?
  }

  /// What is wrong, and where.
  public struct Problem: Error, Sendable, Equatable {
    public var line: Int
    public var message: String
  }

  public private(set) var requests: [Request] = []

  /// Other names of the same column.
  private static let names: [(key: String, names: [String])] = [
    ("sent", ["ts", "sent_at"]), ("id", ["push_id", "apns_id"]), ("device", ["token_hash", "device_id"]),
    ("type", ["push_type"]), ("status", ["status", "apns_status"]), ("reason", ["reason", "apns_reason"]),
  ]

  public init(_ bytes: [UInt8]) throws(Problem) {
    var problem: Problem?
    bytes.withUnsafeBufferPointer { text in
      var start = text.holds("\u{FEFF}") ? 3 : 0
      var number = 0
      var headings: [String]?
      while start < text.count, problem == nil {
        let end = text.find(10, from: start) ?? text.count
        number += 1
        let line = text.cut(start, end).trimmed
        start = end + 1
        if line.isEmpty || line[0] == 35 { continue }
        if line[0] == 123 {
          problem = add(Self.members(line), number)
        } else if let headings {
          let cells = Self.cells(line)
          problem = add(Array(zip(headings, cells)), number)
        } else {
          headings = Self.cells(line)
        }
      }
      if problem == nil, requests.isEmpty {
        problem = Problem(line: max(1, number), message: "no request is in it")
      }
    }
    if let problem { throw problem }
    requests.sort { ($0.sent.seconds(since: $1.sent) ?? 0) < 0 }
  }

  private mutating func add(_ members: [(String, String)], _ line: Int) -> Problem? {
    func value(_ key: String) -> String? {
      let names = Self.names.first { $0.key == key }?.names ?? []
      for name in names {
        if let found = members.first(where: { $0.0 == name })?.1, !found.isEmpty, found != "null" {
          return found
        }
      }
      return nil
    }
    guard let text = value("sent") else {
      return Problem(line: line, message: "it has no time of the request (`ts` or `sent_at`)")
    }
    guard let sent = Self.time(text) else {
      return Problem(
        line: line, message: "`\(text.prefix(40))` is no time; expected: such as `2026-11-02T08:00:00.412Z`")
    }
    let status = value("status")
    if let status, Int(status) == nil {
      return Problem(
        line: line, message: "`\(status.prefix(40))` is no status of APNs; expected: a number such as 200")
    }
    requests.append(
      Request(
        line: line, id: value("id"), device: value("device"), sent: sent, type: value("type"),
        status: status.flatMap { Int($0) }, reason: value("reason")))
    return nil
  }

  /// RFC 3339
  private static func time(_ text: String) -> LogTime? {
    var text = text
    return text.withUTF8 { bytes in
      guard let day = TimeText.date(bytes, 0), let clock = TimeText.clock(bytes, 11),
        let zone = TimeText.zone(bytes, clock.end)
      else { return nil }
      return LogTime(
        wall: day * LogTime.day + clock.time, zone: zone.zone, digits: clock.digits, dateForm: .full)
    }
  }

  private static func members(_ line: Bytes) -> [(String, String)] {
    var members: [(String, String)] = []
    JSONRecord.members(line) { key, value in members.append((key.text, value.text)) }
    return members
  }

  /// Cells between commas; quotes around a cell are taken off.
  private static func cells(_ line: Bytes) -> [String] {
    var cells: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    for byte in line {
      if byte == 34 {
        isQuoted.toggle()
      } else if byte == 44, !isQuoted {
        cells.append(String(decoding: cell, as: UTF8.self))
        cell = []
      } else {
        cell.append(byte)
      }
    }
    return cells + [String(decoding: cell, as: UTF8.self)]
  }
}

/// What became of one request, as far as the provider's log and the device's tell together.
public struct SendOutcome: Sendable {
  public enum Kind: String, Sendable {
    case arrived, refused, missing
    case outsideTheLog = "outside_the_log"
    case unknown
  }

  public var request: SendLog.Request
  public var kind: Kind
  /// The push of the device's log that it became, and how many seconds after the request it arrived.
  public var arrivedAs: String?
  public var delay: Double?

  /// The fates of the simulator that it may have had.
  public var fates: [String] {
    switch kind {
    case .refused: ["rejected"]
    case .missing: ["lost", "overwritten_at_apns", "expired_at_apns"]
    case .arrived, .outsideTheLog, .unknown: []
    }
  }

  public var verdict: String {
    switch kind {
    case .arrived: "arrived as \(arrivedAs ?? "–") after \(DurationText.text(delay ?? 0))"
    case .refused: "refused by APNs: \(request.status ?? 0)\(request.reason.map { " " + $0 } ?? "")"
    case .missing:
      "taken by APNs, but it did not arrive while the log ran: lost, overwritten or expired at APNs; the device's log cannot tell which"
    case .outsideTheLog: "sent outside the time of the log"
    case .unknown: "no arrival is in the log, which cannot tell whether there was one"
    }
  }
}

extension Diagnosis {
  /// The longest way from the provider to the device that is taken for one push.
  private static let longestWay = 60.0

  /// Finds the arrival of each request. A request can be called missing only when the file is about one device and the
  /// log would show an arrival.
  public func joined(_ log: SendLog) -> [SendOutcome] {
    let devices = Set(log.requests.compactMap(\.device))
    let first = log.requests.first?.sent
    // The log's own date, or the day of the first request.
    func instant(_ time: LogTime) -> LogTime? {
      guard time.zone != nil else { return nil }
      if time.dateForm == .full { return time }
      guard time.dateForm == .none, let first, let zone = time.zone else { return nil }
      var dated = time
      let local = first.wall + Int64(zone - (first.zone ?? 0)) * 60_000_000
      dated.wall += (firstDay ?? local / LogTime.day) * LogTime.day
      dated.dateForm = .full
      return dated
    }
    let arrivals = stories.filter { $0.kind == .push || $0.kind == .voip }
      .compactMap { story in story.received.flatMap(instant).map { (story.id, $0) } }
    let start = begin.flatMap(instant)
    let last = end.flatMap(instant)
    var taken: Set<Int> = []
    return log.requests.map { request in
      if let status = request.status, status != 200 { return SendOutcome(request: request, kind: .refused) }
      let found = arrivals.indices.first { index in
        guard !taken.contains(index), let way = arrivals[index].1.seconds(since: request.sent) else {
          return false
        }
        return -1...Self.longestWay ~= way
      }
      if let found {
        taken.insert(found)
        return SendOutcome(
          request: request, kind: .arrived, arrivedAs: arrivals[found].0,
          delay: arrivals[found].1.seconds(since: request.sent))
      }
      guard let start, let last, let before = request.sent.seconds(since: start),
        let after = last.seconds(since: request.sent)
      else { return SendOutcome(request: request, kind: .unknown) }
      if before < 0 || after < 0 { return SendOutcome(request: request, kind: .outsideTheLog) }
      return SendOutcome(request: request, kind: devices.count <= 1 && showsArrivals ? .missing : .unknown)
    }
  }
}
