import DeviceLogs
import Foundation
import Testing

/// A log that people can share: it tells the same, and names nobody.
@Suite struct AnonymiserTests {
  private func anonymous(_ bytes: [UInt8]) throws -> String {
    var options = LogOptions()
    options.isAnonymised = true
    let reader = LogReader(options)
    bytes.withUnsafeBufferPointer { reader.read($0) }
    _ = try reader.finish().get()
    return reader.takeAnonymous()
  }

  /// What names somebody or something in the samples: bundles, numbers of activities and requests, UUIDs, addresses,
  /// dates, names of apps and devices.
  @Test(arguments: Sample.all)
  func noIdentifierSurvives(_ sample: Sample) throws {
    let bytes = try sample.bytes
    let text = String(decoding: bytes, as: UTF8.self)
    let written = try anonymous(bytes)
    let patterns = [
      AnyPattern(/com\.example[\w.\-]*/),
      AnyPattern(/:[0-9A-F]{6}\b/),
      AnyPattern(/\b[0-9A-F]{4}-[0-9A-F]{4}\b/),
      AnyPattern(/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/),
      AnyPattern(/0x[0-9a-f]{6,}/),
      AnyPattern(/\b20\d\d-\d\d-\d\d\b/),
      AnyPattern(/[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d 20\d\d/),
    ]
    for pattern in patterns {
      for found in pattern.matches(in: text) where !Self.isCode(found) {
        #expect(!written.contains(found), "\(sample): \(found)")
      }
    }
    for name in [
      "iPhone", "News", "Voice", "Weather", "Notes", "SyncManager", "cancelled by server", "Incident",
      "indexer",
    ] {
      #expect(!written.contains(name), "\(sample): \(name)")
    }
  }

  /// Codes of terminations are the system's.
  private static func isCode(_ text: String) -> Bool {
    ["0xdead10cc", "0x8badf00d", "0xbaadca11"].contains(text.lowercased())
  }

  @Test(arguments: Sample.all)
  func tellsTheSame(_ sample: Sample) throws {
    let bytes = try sample.bytes
    let whole = try Diagnosing.diagnosis(bytes)
    let again = try Diagnosing.diagnosis(Array(try anonymous(bytes).utf8))
    #expect(again.stories.map(\.outcome) == whole.stories.map(\.outcome), "\(sample)")
    #expect(again.stories.map(\.kind) == whole.stories.map(\.kind), "\(sample)")
    #expect(again.stories.map(\.handler) == whole.stories.map(\.handler), "\(sample)")
    for (one, other) in zip(whole.stories, again.stories) {
      #expect(one.holds.map(\.factor) == other.holds.map(\.factor), "\(sample)")
      #expect(one.holds.map(\.candidates) == other.holds.map(\.candidates), "\(sample)")
      #expect((one.supersededBy == nil) == (other.supersededBy == nil), "\(sample)")
    }
  }

  /// A payload, a token and a device's name that people did post.
  @Test func payloadsAndTokens() throws {
    let log = """
      Mar 12 09:41:23 Annas-iPhone apsd(PersistentConnection)[86] <Notice>: <private>: Received message for enabled topic 'com.acme.bank' onInterface: WWAN with payload '{"aps":{"content-available":1},"iban":"DE02"}' with priority 5 for device token: a91f55aa77cc
      Mar 12 09:41:24 Annas-iPhone News[99] <Notice>: user anna@acme.com logged in
      Mar 12 09:41:24 Annas-iPhone SpringBoard[55] <Notice>: [com.acme.bank] Received remote notification request 4C1A-92D0 [ waking: 0, hasAlertContent: 0, hasSound: 0 hasBadge: 0 hasContentAvailable: 1 hasMutableContent: 0 pushType: Background]

      """
    let written = try anonymous(Array(log.utf8))
    for secret in ["Anna", "anna", "acme", "iban", "DE02", "a91f55aa77cc", "4C1A"] {
      #expect(!written.contains(secret), "\(written)")
    }
    #expect(try Diagnosing.diagnosis(Array(written.utf8)).stories.count == 1)
  }
}

/// Finds what a pattern finds, whatever it captures.
struct AnyPattern {
  let matches: (String) -> [String]
  init<Output>(_ regex: Regex<Output>) {
    matches = { text in text.matches(of: regex).map { String(text[$0.range]) } }
  }
  func matches(in text: String) -> [String] { matches(text) }
}
