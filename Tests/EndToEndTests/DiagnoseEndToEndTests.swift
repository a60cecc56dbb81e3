import Foundation
import Testing

/// `pushsim diagnose` as its users run it.
@Suite struct DiagnoseEndToEndTests {
  private static let samples = "Tests/DeviceLogsTests/Fixtures/"
  private let herd = Self.samples + "02_herd_after_reboot_newest_wins.log"

  @Test func fitsAndTells() throws {
    let result = try runPushsim("diagnose", herd)
    #expect(result.status == 0 && result.stderr.isEmpty)
    #expect(result.stdout.contains("held 4 min 15 s by ThunderingHerdPolicy"))
    #expect(result.stdout.contains("in pushsim: boot_window"))
    for line in result.stdout.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  /// Standard input, packed or not, and JSON alone on standard output.
  @Test func readsPipes() throws {
    let result = try runShell(
      "gzip -c \(herd) | pushsim diagnose - --json -; cat \(herd) | pushsim diagnose - --json - | wc -c")
    #expect(result.status == 0 && result.stderr.isEmpty)
    #expect(result.stdout.contains("\"superseded_by\": \"A40B17\""))
    let plain = try runPushsim("diagnose", herd, "--json", "-")
    #expect(result.stdout.hasPrefix(plain.stdout))
    #expect(try runJSONTool(plain.stdout).status == 0)
  }

  /// What a log holds never reaches a terminal, a page or Markdown unescaped.
  @Test func hostileLog() throws {
    try withFolder { folder in
      let log = folder.appending(path: "evil.log")
      let bundle = "com.\u{1B}[31mevil<script>alert(1)</script>|@me"
      try Data(
        "default\t11:44:50.702731-0700\tSpringBoard\tReceived incoming message on topic \(bundle) at priority 5\n"
          .utf8
      ).write(to: log)
      let result = try runPushsim("diagnose", log.path, "--output", folder.path)
      #expect(result.status == 0)
      #expect(!result.stdout.contains("\u{1B}"))
      let page = try String(contentsOf: folder.appending(path: "diagnosis.html"), encoding: .utf8)
      #expect(!page.contains("<script>alert") && !page.contains("\u{1B}"))
      #expect(page.contains("&lt;script&gt;alert(1)"))
      let markdown = try String(contentsOf: folder.appending(path: "diagnosis.md"), encoding: .utf8)
      #expect(!markdown.contains("@me") && !markdown.contains("<script>") && !markdown.contains("\u{1B}"))
    }
  }

  @Test func pageHasAPicture() throws {
    try withFolder { folder in
      let result = try runPushsim("diagnose", herd, "--output", folder.path)
      #expect(result.status == 0)
      let page = try String(contentsOf: folder.appending(path: "diagnosis.html"), encoding: .utf8)
      #expect(page.contains("<svg") && page.contains("after a restart") && page.contains("A40B17"))
      #expect(
        try runProgram(
          URL(fileURLWithPath: "/usr/bin/env"),
          [
            "python3", "-c",
            "import sys, xml.dom.minidom as m; m.parseString(open(sys.argv[1]).read().replace('<!DOCTYPE html>', ''))",
            folder.path + "/diagnosis.html",
          ]
        ).status == 0)
    }
  }

  @Test(
    arguments: [
      ("05-23 08:26:13.741 13144 13144 D TSLocationManager: hello\n", "an Android log"),
      ("Dear diary\n", "no line is a record"),
    ])
  func refuses(_ text: String, _ words: String) throws {
    let result = try runPushsim(["diagnose", "-"], stdin: text)
    #expect(result.status == 65)
    #expect(result.stderr.contains(words) && result.stdout.isEmpty)
  }

  @Test func badOptions() throws {
    #expect(try runPushsim("diagnose", herd, "--zone", "Berlin").status == 64)
    #expect(try runPushsim("diagnose", "no such file").status == 66)
    #expect(try runPushsim("diagnose", "x.logarchive").stderr.contains("log show --archive"))
  }

  /// A request that arrived, one that APNs refused, one that never came.
  @Test func joinsTheProvidersLog() throws {
    try withFolder { folder in
      let sends = folder.appending(path: "sends.ndjson")
      let row = { (id: String, time: String, status: Int, reason: String) in
        #"{"ts": "2026-03-11T\#(time)Z", "push_id": "\#(id)", "token_hash": "a91f", "push_type": "background", "status": \#(status), "reason": \#(reason)}"#
      }
      let text = [
        row("p1", "00:20:00.000", 200, "null"), row("p2", "00:21:00.000", 410, "\"Unregistered\""),
        row("p3", "00:25:00.000", 200, "null"), row("p4", "03:00:00.000", 200, "null"),
      ].joined(separator: "\n")
      try Data(text.utf8).write(to: sends)
      let log = Self.samples + "04_herd_device_in_use.ndjson"
      let result = try runPushsim("diagnose", log, "--send-log", sends.path)
      #expect(result.status == 0, "\(result.stderr)")
      #expect(result.stdout.contains("arrived as 5D2EA9 after 1.1 s"))
      #expect(result.stdout.contains("refused by APNs: 410 Unregistered"))
      #expect(result.stdout.contains("together: 1 arrived, 1 refused, 1 missing, 1 outside the log"))
      // The calibration's table says the same.
      let table = folder.appending(path: "pushes.csv")
      try Data(
        "device_id,arm,sent_at,push_type,priority,expires_at,apns_status,apns_reason,acked_at,ack_state,ack_result\n7,a,2026-03-11T00:20:00.000Z,background,5,,200,,,,\n7,a,2026-03-11T00:21:00.000Z,background,5,,410,Unregistered,,,\n"
          .utf8
      ).write(to: table)
      let other = try runPushsim("diagnose", log, "--send-log", table.path)
      #expect(other.stdout.contains("together: 1 arrived, 1 refused"))
      try Data("ts,status\nyesterday,200\n".utf8).write(to: table)
      let bad = try runPushsim("diagnose", log, "--send-log", table.path)
      #expect(bad.status == 65 && bad.stderr.contains("line 2") && bad.stderr.contains("yesterday"))
    }
  }

  /// One restart explains both windows.
  @Test func oneRestart() throws {
    let name = "com.apple.pushLaunch.com.example.news:3B70F2"
    let policy = { (condition: String) in
      "\t{name: ThunderingHerdPolicy, policyWeight: 1.000, response: {Decision: Must Not Proceed, Score: 0.00, Rationale: [{\(condition)}]}}"
    }
    let (long, short) = (
      policy("deviceInUse == 1 AND timeSinceThunderingHerdTriggerEvent < 900"),
      policy("timeSinceThunderingHerdTriggerEvent < 300")
    )
    let log = [
      "default\t10:00:00.000000+0000\tdasd\tSubmitted Activity: \(name) at priority 5 <private>",
      "default\t10:00:01.000000+0000\tdasd\t\(name):[", long, short, " ], FinalDecision: Must Not Proceed}",
      "default\t10:04:01.000000+0000\tdasd\t\(name):[", long, " ], FinalDecision: Must Not Proceed}",
      "default\t10:08:01.000000+0000\tdasd\t'\(name)' CurrentScore: 0.8, ThresholdScore: 0.4 DecisionToRun:1",
    ].joined(separator: "\n")
    let result = try runPushsim(
      ["diagnose", "-", "--replay", "evidence", "--write-scenario", "/dev/stderr"], stdin: log)
    #expect(result.stderr.components(separatedBy: "reboot").count == 2, "\(result.stderr)")
    #expect(result.stdout.contains("3B70F2 agree"), "\(result.stdout)")
  }

  /// What Documentation/Validation.md says of the samples: pushes that agree, that disagree, that cannot be compared.
  @Test(
    arguments: [
      ("01_launched_at_once.log", [1, 0, 0]), ("02_herd_after_reboot_newest_wins.log", [2, 0, 0]),
      // As logged, with a force quit, with the switch off.
      ("03_push_disallowed_after_reboot.log", [1, 1, 1]), ("04_herd_device_in_use.ndjson", [1, 0, 0]),
      ("06_camera_then_foreground.log", [1, 0, 0]), ("07_idevicesyslog_held_then_run.log", [0, 0, 1]),
      ("09_priority10_duplicate_lines.log", [0, 0, 1]), ("17_network_quality_flattened.log", [0, 0, 1]),
    ])
  func decisionsOfTheSamples(_ sample: String, _ counts: [Int]) throws {
    let result = try runPushsim("diagnose", Self.samples + sample, "--replay", "evidence", "--json", "-")
    let json = try JSONSerialization.jsonObject(with: Data(result.stdout.utf8)) as? [String: Any]
    let replays = json?["replays"] as? [[String: Any]] ?? []
    let found = replays.flatMap { $0["pushes"] as? [[String: Any]] ?? [] }.compactMap {
      $0["agreement"] as? String
    }
    #expect(
      ["agree", "disagree", "not_comparable"].map { word in found.count { $0 == word } } == counts,
      "\(result.stdout.suffix(1500))")
  }

  /// The written scenario is one that pushsim reads, and its replay agrees where the log can be compared.
  @Test func replays() throws {
    try withFolder { folder in
      let scenario = folder.appending(path: "mine.yaml").path
      let result = try runPushsim("diagnose", herd, "--replay", "evidence", "--write-scenario", scenario)
      #expect(result.status == 0, "\(result.stderr)")
      #expect(result.stdout.contains("replayed under evidence"))
      #expect(!result.stdout.contains("disagree"), "\(result.stdout)")
      let text = try String(contentsOfFile: scenario, encoding: .utf8)
      #expect(text.contains("reboot: true") && text.contains("# line 5: ThunderingHerdPolicy"))
      #expect(try runPushsim("check", scenario).status == 0)
    }
  }
}
