import PushModel
import PushPolicy
import PushsimTestSupport
import Testing

// What the guide about notification extensions (C2) claims, as far as the profile `guide` models it; beside each claim
// that Apple or a report contradicts the other behaviour of the profile `evidence`. Then the public reports. Identifiers
// and addresses are in Documentation/Sources.md; Documentation/Seeds.md lists every claim.

/// An alert that reaches the device at 3601 s, and the work of the app's service extension on it. It loads at 10 MB/s, and
/// for its four round trips it takes 4 s.
///
/// - Parameter work: keys of `service_extension`.
private func alert(
  _ profile: String, _ work: String, _ keys: String = "", _ change: (inout ScriptedCase) -> Void = { _ in }
) -> ScriptedCase {
  ScriptedCase {
    $0.profile = profile
    $0.population = ["network.bandwidth.wifi: 80 Mbit/s"]
    $0.mechanisms =
      "alert_push: {send: {at: [1 h]}, service_extension: {\(work)}\(keys.isEmpty ? "" : ", " + keys)}"
    $0.duration = "3 h"
    change(&$0)
  }
}

/// What the extension made of the alert, and when after its arrival it was shown or lost.
private struct Shown: Equatable {
  var outcome: ServiceExtension.Outcome
  /// Unit: seconds.
  var after: Double

  init(_ outcome: ServiceExtension.Outcome, _ after: Double) {
    self.outcome = outcome
    self.after = after
  }
}

private func outcome(_ scripted: ScriptedCase) throws -> Shown {
  let trace = try scripted.trace()
  let outcome = try #require(trace.alerts.first)
  #expect(trace.alerts.count == 1)
  // What the user sees is the push's end.
  #expect(trace.ends.map(\.fate) == [outcome.isShown ? .delivered : .discardedByPolicy])
  #expect(trace.tally.shown == (outcome.isShown ? 1 : 0))
  return Shown(outcome, trace.ends[0].time - 3601)
}

private let profiles = ["guide", "evidence"]

struct GuideServiceExtensionTests {
  @Test(arguments: profiles)
  func `C2-01, C2-04: an extension has 30 s, and is asked for what it has one second before`(profile: String)
    throws
  {
    #expect(try outcome(alert(profile, "work: 28 s")) == Shown(.enriched, 28))
    #expect(try outcome(alert(profile, "work: 40 s")) == Shown(.bestAttempt, 29))
    #expect(try outcome(alert(profile, "work: 29.5 s, best_attempt: off")) == Shown(.enriched, 29.5))
    #expect(try outcome(alert(profile, "work: 40 s, best_attempt: off")) == Shown(.original, 30))
  }

  // N4: 24 MB.
  @Test func `C2-02: it may use 50 MB; Apple grants it 24`() throws {
    func enriched(_ profile: String, _ megabytes: Int) throws -> Bool {
      try outcome(alert(profile, "memory: \(megabytes) MB")).outcome == .enriched
    }
    #expect(try enriched("guide", 50) && !enriched("guide", 51))
    #expect(try enriched("evidence", 24) && !enriched("evidence", 25))
    // C2-10: what fails is shown without media.
    #expect(try outcome(alert("guide", "memory: 51 MB")).outcome == .original)
  }

  // N2: and only if there is an alert to change.
  @Test(arguments: profiles)
  func `C2-03: it is launched by mutable-content, for an alert only`(profile: String) throws {
    #expect(try outcome(alert(profile, "work: 2 s")) == Shown(.enriched, 2))
    for aps in ["[sound]", "[badge]"] {
      #expect(
        try outcome(alert(profile, "work: 2 s", "payload: {aps: \(aps)}")) == Shown(.original, 0), "\(aps)")
    }
    // An app without one asks for none.
    let plain = try ScriptedCase {
      $0.profile = profile
      $0.mechanisms = "alert_push: {send: {at: [1 h]}, payload: {aps: [alert, mutable-content]}}"
    }.trace()
    #expect(plain.alerts.isEmpty && plain.ends == [PushEnd(.delivered, at: 3601)])
  }

  @Test func `C2-06: a cached attachment takes 2 to 5 s in the guide, which no Apple source has`() throws {
    let work = "work: 0 s, attachment: {format: png, size: 1 MB, cached: 100 %}"
    let guide = try outcome(alert("guide", work))
    #expect(guide.outcome == .enriched && (2...5).contains(guide.after))
    #expect(try outcome(alert("evidence", work)).after < 1)
  }

  // N6: 10 MB for images, 5 MB for audio, 50 MB for movies.
  @Test func `C2-08: the guide's limit of 10 MB is Apple's for images only`() throws {
    func whole(_ profile: String, _ format: String, _ megabytes: Int) throws -> Bool {
      let attachment = "attachment: {format: \(format), size: \(megabytes) MB}"
      let outcome = try outcome(alert(profile, attachment)).outcome
      #expect([.enriched, .withoutAttachment].contains(outcome), "\(outcome)")
      return outcome == .enriched
    }
    for profile in profiles {
      #expect(try whole(profile, "jpeg", 10) && !whole(profile, "jpeg", 11), "\(profile)")
      #expect(try whole(profile, "mp3", 5), "\(profile)")
      #expect(try whole(profile, "mpeg4", 10), "\(profile)")
      #expect(try !whole(profile, "mpeg4", 51), "\(profile)")
    }
    #expect(try whole("guide", "mp3", 8) && !whole("evidence", "mp3", 8))
    #expect(try !whole("guide", "mpeg4", 40) && whole("evidence", "mpeg4", 40))
  }

  // N7
  @Test func `C2-09: TIFF, AAC, CAF and MOV are the guide's, AIFF, MPEG-2 and AVI Apple's; no long movies`()
    throws
  {
    func taken(_ profile: String, _ format: String, _ length: String = "10 s") throws -> Bool {
      let work = "attachment: {format: \(format), size: 1 MB, length: \(length)}"
      return try outcome(alert(profile, work)).outcome == .enriched
    }
    for format in ["jpeg", "png", "gif", "mpeg", "mpeg4", "mp3", "wav"] {
      #expect(try taken("guide", format) && taken("evidence", format), "\(format)")
    }
    for format in ["tiff", "aac", "caf", "mov"] {
      #expect(try taken("guide", format) && !taken("evidence", format), "\(format)")
    }
    for format in ["aiff", "mpeg2", "avi"] {
      #expect(try !taken("guide", format) && taken("evidence", format), "\(format)")
    }
    #expect(try taken("guide", "mpeg4", "30 s") && !taken("guide", "mpeg4", "31 s"))
    #expect(try taken("evidence", "mpeg4", "31 s"))
  }

  @Test(arguments: profiles)
  func `C2-10: a download is cut off with the extension, and the alert shown without media`(profile: String)
    throws
  {
    // 10 MB at 0.25 MB/s take 40 s.
    func cut(_ keys: String) throws -> Shown {
      try outcome(
        alert(profile, "work: 0 s, attachment: {format: jpeg, size: 10 MB}\(keys)") {
          $0.population = ["network.bandwidth.wifi: 2 Mbit/s"]
        })
    }
    #expect(try cut("") == Shown(.bestAttempt, 29))
    #expect(try cut(", best_attempt: off") == Shown(.original, 30))
  }

  // Against C2-11: true of the content extension.
  @Test(arguments: profiles)
  func `C2-11: the service extension does not ask for a category (C2-03)`(profile: String) throws {
    for aps in ["[alert]", "[alert, category]"] {
      #expect(
        try outcome(alert(profile, "work: 2 s", "payload: {aps: \(aps)}")) == Shown(.enriched, 2), "\(aps)")
    }
  }

  @Test(arguments: profiles)
  func `C2-07, C2-11: the content extension of the category is seen when opened, and killed beyond 50 MB`(
    profile: String
  ) throws {
    func tally(_ megabytes: Int) throws -> Tally {
      try ScriptedCase {
        $0.profile = profile
        $0.mechanisms =
          "alert_push: {send: {at: [1 h]}, content_extension: {opened: 40 %, memory: \(megabytes) MB}}"
        $0.devices = 200
      }.tally()
    }
    for (megabytes, outcome) in [(50, ContentExtension.Outcome.custom), (51, .killed)] {
      let tally = try tally(megabytes)
      #expect(isPlausible(tally.count(view: outcome), of: 200, probability: 0.4))
      #expect(tally.count(view: outcome) + tally.count(view: .notOpened) == 200)
      #expect(tally.shown == 200)
    }
  }
}

/// What developers report of service extensions.
struct ExtensionReports {
  private func tally(_ work: String, os: Int = 18, _ change: (inout ScriptedCase) -> Void = { _ in }) throws
    -> Tally
  {
    try alert("evidence", work) {
      $0.os = os
      $0.devices = 200
      change(&$0)
    }.tally()
  }

  // T14; R-105 https://github.com/deltachat/deltachat-ios/issues/2477,
  // R-106 https://github.com/nextcloud/talk-ios/issues/1223,
  // R-108 https://github.com/Dimillian/IceCubesApp/issues/2447
  @Test
  func `T14, R-105, R-106: 20 MB are fine; at 30 MB some see nothing at all, the others the original text`()
    throws
  {
    #expect(try tally("memory: 20 MB").count(alert: .enriched) == 200)
    let killed = try tally("memory: 30 MB")
    #expect(killed.count(alert: .notShown) + killed.count(alert: .original) == 200)
    // N12: the share is assumed to be a half.
    #expect(isPlausible(killed.count(alert: .notShown), of: 200, probability: 0.5))
    #expect(
      Int(killed.reasonCount(.discardedByPolicy, .extensionTerminated)) == killed.count(alert: .notShown))
    #expect(Int(killed.shown) == killed.count(alert: .original))
  }

  @Test func `T14, R-108: a download that hangs for 30 s ends in the original text`() throws {
    let hanging = alert("evidence", "attachment: {format: png, size: 1 MB}, best_attempt: off") {
      $0.population = ["network.bandwidth.wifi: 100 bit/s"]
    }
    #expect(try outcome(hanging) == Shown(.original, 30))
  }

  // R-107 https://github.com/element-hq/element-ios/issues/3868; the age of a device goes by its system version.
  @Test func `R-107: older devices grant 16 and 12 MB, and then show a generic text`() throws {
    for (os, megabytes) in [(12, 12), (16, 16)] {
      #expect(try tally("memory: \(megabytes) MB", os: os).count(alert: .enriched) == 200)
      let killed = try tally("memory: \(megabytes + 1) MB", os: os)
      #expect(killed.count(alert: .enriched) == 0 && killed.count(alert: .original) > 0)
    }
    #expect(try tally("memory: 17 MB", os: 17).count(alert: .enriched) == 200)
  }

  // R-112 https://github.com/lionheart/openradar-mirror/issues/17127
  @Test
  func `R-112: of a burst some are shown unmodified, of single alerts none; the guide knows no such thing`()
    throws
  {
    func outcomes(_ profile: String, _ times: String) throws -> Tally {
      try alert(profile, "") {
        $0.mechanisms = "alert_push: {send: {at: [\(times)]}, service_extension: {work: 3 s}}"
        $0.devices = 100
      }.tally()
    }
    let burst = "3600 s, 3601 s, 3602 s, 3603 s, 3604 s"
    let evidence = try outcomes("evidence", burst)
    #expect(
      evidence.count(alert: .original) > 0
        && evidence.count(alert: .enriched) > evidence.count(alert: .original))
    #expect(evidence.shown == 500)
    #expect(try outcomes("evidence", "3600 s, 3610 s, 3620 s, 3630 s, 3640 s").count(alert: .enriched) == 500)
    #expect(try outcomes("guide", burst).count(alert: .enriched) == 500)
  }
}
