import CZlib
import CZstd
import DeviceLogs
import Foundation
import PushPolicy
import Testing

/// The same record in all that carries one, and files that are no logs.
@Suite struct TransportTests {
  private static let evaluation =
    "com.apple.pushLaunch.com.example.news:3B70F2:[\n\t{name: ThunderingHerdPolicy, policyWeight: 1.000, response: {Decision: Must Not Proceed, Score: 0.00, Rationale: [{timeSinceThunderingHerdTriggerEvent < 300}]}}\n ], FinalDecision: Must Not Proceed}"
  private static var escaped: String {
    evaluation.replacing("\n", with: "\\n").replacing("\t", with: "\\t")
  }

  /// What stands around the evaluation, and what the time then is.
  static let wrappings: [(String, String, String)] = [
    ("console_copy", "default\t11:44:50.726431-0700\tdasd\t\(evaluation)", "11:44:50.726431-0700"),
    (
      "console_copy", "デフォルト\t11:44:50.726431 -0700\tdasd\tDuetActivityScheduler\t\(evaluation)",
      "11:44:50.726431-0700"
    ),
    ("console_copy", "default    11:44:50.726431-0700    dasd    \(evaluation)", "11:44:50.726431-0700"),
    ("console_copy", "> default\t11:44:50.726431-0700\tdasd\t\(evaluation)", "11:44:50.726431-0700"),
    ("console_copy", "11:44:50.726431-0700\tdasd\t\(evaluation)", "11:44:50.726431-0700"),
    ("console_copy", "logs/a.log:default\t11:44:50.726431-0700\tdasd\t\(evaluation)", "11:44:50.726431-0700"),
    ("idevicesyslog", "Mar 12 09:41:24 iPhone dasd(Duet)[139] <Notice>: \(evaluation)", "03-12T09:41:24"),
    ("idevicesyslog", "Mar  2 09:41:24.125 dasd[139] <Notice>: \(evaluation)", "03-02T09:41:24.125"),
    ("idevicesyslog", "Mar 12 09:41:24 iPhone dasd(Duet)[139] : \(evaluation)", "03-12T09:41:24"),
    (
      "idevicesyslog", "a/b.log:Mar 12 09:41:24 iPhone dasd(Duet)[139] <Notice>: \(evaluation)",
      "03-12T09:41:24"
    ),
    (
      "log_show_default",
      "2026-03-19 15:29:11.484462-0500 0x20a11    Default     0x0                  120    8    dasd: [com.apple.duetactivityscheduler:scoring] \(evaluation)",
      "2026-03-19T15:29:11.484462-05:00"
    ),
    (
      "log_show_syslog",
      "2026-03-19 15:29:11.484462-0500  localhost dasd[120]: (Duet) [com.apple.duetactivityscheduler:scoring(x)] \(evaluation)",
      "2026-03-19T15:29:11.484462-05:00"
    ),
    (
      "log_show_syslog",
      "[   +1 ms] [DEVICE LOG] 2026-03-19 15:29:11.484462-0500  localhost dasd[120]: \(evaluation)",
      "2026-03-19T15:29:11.484462-05:00"
    ),
    (
      "log_show_compact",
      "2026-03-11 07:12:04.331 Df dasd[157:2f25ff] [com.apple.duetactivityscheduler:scoring] \(evaluation)",
      "2026-03-11T07:12:04.331"
    ),
    ("annotated_paste", "18:46:54.467  dasd  \(evaluation)", "18:46:54.467"),
    (
      "log_show_ndjson",
      #"{"eventMessage":"\#(escaped)","timestamp":"2026-03-10 18:20:01.180000-0600","processImagePath":"/usr/libexec/dasd","processID":139}"#,
      "2026-03-10T18:20:01.180000-06:00"
    ),
    (
      "log_show_json",
      "[{\n  \"traceID\" : 1,\n  \"eventMessage\" : \"\(escaped)\",\n  \"timestamp\" : \"2026-03-10 18:20:01.180000-0600\",\n  \"processImagePath\" : \"\\/usr\\/libexec\\/dasd\",\n  \"frames\" : [{\"a\": 1}]\n},{\n  \"finished\" : 1\n}]",
      "2026-03-10T18:20:01.180000-06:00"
    ),
  ]

  @Test(arguments: wrappings)
  func oneRecord(_ transport: String, _ text: String, _ time: String) throws {
    for ending in ["\n", "\r\n"] {
      let log = text.replacing("\n", with: ending) + ending
      let diagnosis = try Diagnosing.diagnosis(Array(log.utf8))
      #expect(diagnosis.transports.first?.rawValue == transport)
      let story = try #require(diagnosis.stories.first)
      #expect(diagnosis.stories.count == 1)
      #expect(story.id == "3B70F2" && story.app == "com.example.news")
      let hold = try #require(story.holds.first)
      #expect(hold.factor == .bootWindow)
      #expect(hold.condition == "timeSinceThunderingHerdTriggerEvent < 300")
      #expect(hold.from.text == time)
    }
  }

  /// An object that was cut off takes no others with it.
  @Test func cutObject() throws {
    let whole =
      #"{"eventMessage":"\#(Self.escaped)","timestamp":"2026-03-10 18:20:01.180000-0600","processImagePath":"/usr/libexec/dasd"}"#
    for length in [2, 30, 200] {
      let diagnosis = try Diagnosing.diagnosis(Array("\(whole.prefix(length))\n\(whole)\n\(whole)\n".utf8))
      #expect(diagnosis.stories.first?.holds.first?.factor == .bootWindow)
    }
  }

  @Test func encodings() throws {
    let text = "por omisión\t11:44:50.726431-0700\tdasd\t\(Self.evaluation)\n"
    let wide = text.data(using: .utf16)!
    let swapped = text.data(using: .utf16BigEndian)!
    let marked = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
    let latin = text.data(using: .isoLatin1)!
    for bytes in [Array(wide), Array(swapped), marked, Array(latin)] {
      #expect(try Diagnosing.diagnosis(bytes).stories.first?.holds.first?.factor == .bootWindow)
    }
  }

  /// `grep` takes the lines after the first: that is no evaluation without an objection.
  @Test func filteredByGrep() throws {
    let head =
      "x.log:Mar 12 09:41:24 iPhone dasd(Duet)[139] <Notice>: com.apple.pushLaunch.com.example.news:3B70F2:[\n"
    let story = try #require(
      try Diagnosing.diagnosis(Array((head + head.replacing(":24", with: ":55")).utf8)).stories.first)
    #expect(story.holds.isEmpty)
    #expect(story.outcome == .pending)
    #expect(story.missing.contains("policies, lost to line filtering"))
  }

  /// Flutter's tool puts words before each record and breaks it at its width.
  @Test func hardWrapped() throws {
    let record =
      "[   +1 ms] [DEVICE LOG] 2019-10-23 10:40:39.728331+0300  localhost dasd[120]: Submitted Activity: com.apple.pushLaunch.com.example.news:3B70F2 at priority 5 <private>"
    let lines = stride(from: 0, to: record.count, by: 90).map { String(record.dropFirst($0).prefix(90)) }
    let story = try #require(
      try Diagnosing.diagnosis(Array(lines.joined(separator: "\n").utf8)).stories.first)
    #expect(story.id == "3B70F2" && story.app == "com.example.news" && story.payload.priority == 5)
  }

  @Test func yearAndZoneOfTheUser() throws {
    let log = """
      Dec 31 23:59:58 iPhone dasd(Duet)[139] <Notice>: \(Self.evaluation)
      Jan  1 00:00:07 iPhone dasd(Duet)[139] <Notice>: COMPLETED com.apple.pushLaunch.com.example.news:3B70F2 at priority 5 <private>!

      """
    let diagnosis = try Diagnosing.diagnosis(Array(log.utf8), LogOptions(year: 2026, zone: 60))
    let story = try #require(diagnosis.stories.first)
    #expect(story.holds.first?.from.text == "2026-12-31T23:59:58+01:00")
    #expect(story.completed?.text == "2027-01-01T00:00:07+01:00")
    #expect(story.completed?.seconds(since: try #require(story.holds.first).from) == 9)
  }

  @Test func midnight() throws {
    let log = """
      default\t23:59:59.500000+0100\tdasd\t\(Self.evaluation)
      default\t00:00:01.000000+0100\tdasd\tCANCELED: com.apple.pushLaunch.com.example.news:3B70F2 at priority 5 <private>!

      """
    let story = try #require(try Diagnosing.diagnosis(Array(log.utf8)).stories.first)
    #expect(story.outcome == .cancelled)
    let hold = try #require(story.holds.first)
    #expect(hold.to?.seconds(since: hold.from) == 1.5)
  }

  @Test func oneAppOnly() throws {
    let sample = try #require(Sample.all.first { $0.name.hasPrefix("15") })
    let diagnosis = try Diagnosing.diagnosis(try sample.bytes, LogOptions(apps: ["com.example.news"]))
    #expect(diagnosis.stories.map(\.id) == ["44BE95"])
  }

  @Test(
    arguments: [
      ("05-23 08:26:13.741 13144 13144 D TSLocationManager: hello\n", LogRefusal.android),
      ("PK\u{03}\u{04}rest", .zip),
      ("\u{00}\u{10}\u{00}\u{00}rest", .archive),
      ("Dear diary\nnothing happened\n", .nothing),
      ("", .nothing),
    ])
  func refused(_ text: String, _ refusal: LogRefusal) {
    let reader = LogReader()
    Array(text.utf8).withUnsafeBufferPointer { reader.read($0) }
    guard case .failure(let found) = reader.finish() else {
      Issue.record("\(text) is taken for a log")
      return
    }
    #expect(found == refusal)
  }

  // MARK: Packed logs

  @Test func packed() throws {
    let plain = try #require(Sample.all.first).bytes
    var packed = [UInt8](repeating: 0, count: 1 << 16)
    let size = ZSTD_compress(&packed, packed.count, plain, plain.count, 3)
    try expectUnpacked(Array(packed[..<size]), plain)
    let gzip = Self.gzip(plain)
    try expectUnpacked(gzip, plain)
    // Two packed texts, one behind the other, are one.
    try expectUnpacked(gzip + gzip, plain + plain)
    try expectUnpacked(plain, plain)
    #expect(throws: Decompressor.Problem.endsEarly) { try Self.unpacked(Array(gzip.dropLast(9)), 100) }
    #expect(throws: Decompressor.Problem.damaged) {
      try Self.unpacked(Array(gzip[..<40]) + [UInt8](repeating: 0xFF, count: 80), 100)
    }
  }

  private func expectUnpacked(_ packed: [UInt8], _ plain: [UInt8]) throws {
    for chunk in [1, 50, 1 << 20] { #expect(try Self.unpacked(packed, chunk) == plain) }
  }

  private static func unpacked(_ bytes: [UInt8], _ chunk: Int) throws -> [UInt8] {
    let unpacker = Decompressor()
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      let problem = bytes[start..<min(bytes.count, start + chunk)].withUnsafeBufferPointer { piece in
        unpacker.problem(reading: piece) { result += $0 }
      }
      if let problem { throw problem }
    }
    try unpacker.finish { result += $0 }
    return result
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    deflateInit2_(
      &stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var bytes = bytes
    var packed = [UInt8](repeating: 0, count: bytes.count + 1000)
    let (size, room) = (UInt32(bytes.count), UInt32(packed.count))
    return bytes.withUnsafeMutableBufferPointer { input in
      packed.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = size
        stream.next_out = output.baseAddress
        stream.avail_out = room
        deflate(&stream, Z_FINISH)
        return Array(output[..<Int(stream.total_out)])
      }
    }
  }
}
