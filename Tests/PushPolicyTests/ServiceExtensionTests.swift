import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

private typealias Extension = ServiceExtension
private typealias Attachment = ServiceExtension.Attachment

private func seconds(_ number: Double) -> SimDuration { SimDuration(seconds: number) }

private let mutableAlert: PushRequest = [.alert, .mutableContent]
private let megabyte = 1e6

private func show(
  _ work: ServiceExtension.Work, _ rule: ServiceExtension, request: PushRequest = mutableAlert,
  state: DeviceState = .plain, version: Double = 18, isMissed: Bool = false, isShownIfKilled: Bool = false
) -> ServiceExtension.Result {
  rule.show(
    request, state: state, systemVersion: version, work: work, isMissed: isMissed,
    isShownIfKilled: isShownIfKilled)
}

/// Work that takes so long.
private func work(
  _ time: Double, memory: Double = 0, _ attachment: ServiceExtension.Attachment? = nil,
  hasBestAttempt: Bool = true
) -> ServiceExtension.Work {
  .init(
    processing: seconds(time), peakMemory: memory, attachment: attachment, hasBestAttempt: hasBestAttempt)
}

private func jpeg(_ bytes: Double, loading: Double, isCached: Bool = false) -> ServiceExtension.Attachment {
  .init(format: .jpeg, bytes: bytes, isCached: isCached, loading: seconds(loading))
}

@Suite struct ServiceExtensionTests {
  @Test(arguments: (0..<64).map { PushRequest(rawValue: $0) })
  func `it runs for an alert with mutable-content, and for nothing else (C2-03, N2)`(request: PushRequest)
    throws
  {
    let rule = try Simulation.policy("evidence").serviceExtension
    let result = show(work(2), rule, request: request)
    let runs = request.contains(.alert) && request.contains(.mutableContent)
    #expect(result == (runs ? .init(outcome: .enriched, runTime: .seconds(2)) : .init(outcome: .original)))
    let refused = show(work(2), rule, request: request, state: DeviceState.plain.subtracting(.alertsAllowed))
    #expect(refused == .init(outcome: .notPermitted))
  }

  @Test(arguments: ["guide", "evidence"])
  func
    `done by 30 s it shows its content, else the original or, if it answers, what it has by 29 s (C2-04, N3)`(
      profile: String
    ) throws
  {
    let rule = try Simulation.policy(profile).serviceExtension
    // With no answer to the warning.
    for (needed, outcome) in [(29.9, Extension.Outcome.enriched), (30, .enriched), (30.1, .original)] {
      let result = show(work(needed, hasBestAttempt: false), rule)
      #expect(result == .init(outcome: outcome, runTime: seconds(min(needed, 30))), "\(needed) s")
    }
    // With one.
    for (needed, outcome) in [(28.9, Extension.Outcome.enriched), (29, .enriched), (29.1, .bestAttempt)] {
      #expect(show(work(needed), rule) == .init(outcome: outcome, runTime: seconds(min(needed, 29))))
    }
    #expect(show(work(1e9), rule).runTime == .seconds(29))
  }

  @Test(arguments: [
    ("guide", 18.0, 50.0), ("guide", 12, 50), ("evidence", 26, 24), ("evidence", 17, 24),
    ("evidence", 16, 16),
    ("evidence", 13, 16), ("evidence", 12, 12),
  ])
  func `beyond the memory of its device it is terminated (C2-02, N4, N5, T14)`(
    profile: String, version: Double, limit: Double
  ) throws {
    let rule = try Simulation.policy(profile).serviceExtension
    #expect(show(work(3, memory: limit * megabyte), rule, version: version).outcome == .enriched)
    let heavy = work(3, memory: limit * megabyte + 1)
    // no alert; R-107: a generic one.
    #expect(
      show(heavy, rule, version: version) == .init(outcome: .notShown, runTime: .seconds(3), isKilled: true))
    #expect(show(heavy, rule, version: version, isShownIfKilled: true).outcome == .original)
  }

  @Test func `what the profiles say of terminated and busy extensions`() throws {
    let guide = try Simulation.policy("guide").serviceExtension
    #expect(guide.shownIfKilled == 1 && guide.missedWhileBusy == 0)
    // an alert that finds it at work may be shown at once, as it came.
    let rule = try Simulation.policy("evidence").serviceExtension
    #expect(rule.missedWhileBusy > 0 && rule.missedWhileBusy < 1)
    #expect(show(work(2, jpeg(1000, loading: 1)), rule, isMissed: true) == .init(outcome: .original))
  }

  @Test(arguments: [
    (Extension.Format.jpeg, 10.0, 10.0), (.gif, 10, 10), (.wav, 10, 5), (.mp3, 10, 5), (.mpeg4, 10, 50),
    (.mpeg, 10, 50),
  ])
  func `an attachment over the limit of its kind is left out, and the alert shown (C2-08, N6)`(
    format: ServiceExtension.Format, guide: Double, evidence: Double
  ) throws {
    for (profile, limit) in [("guide", guide), ("evidence", evidence)] {
      let rule = try Simulation.policy(profile).serviceExtension
      for (bytes, isTaken) in [(limit * megabyte, true), (limit * megabyte + 1, false)] {
        let file = Attachment(format: format, bytes: bytes, length: .seconds(10), loading: .seconds(4))
        let result = show(work(1, file), rule)
        // It is looked at when it has been loaded.
        #expect(
          result
            == .init(
              outcome: isTaken ? .enriched : .withoutAttachment, runTime: .seconds(5), bytesLoaded: bytes),
          "\(profile), \(format), \(bytes)")
      }
    }
  }

  @Test func `the formats are those of the guides or of Apple (C2-09, N7)`() throws {
    func taken(_ profile: String) throws -> Set<ServiceExtension.Format> {
      let rule = try Simulation.policy(profile).serviceExtension
      return Set(ServiceExtension.Format.allCases.filter { rule.takes(Attachment(format: $0, bytes: 1000)) })
    }
    #expect(
      try taken("guide") == [
        .jpeg, .png, .gif, .tiff, .mp3, .aac, .mpeg4Audio, .wav, .caf, .mpeg, .mpeg4, .mov,
      ])
    #expect(
      try taken("evidence") == [
        .jpeg, .png, .gif, .aiff, .wav, .mp3, .mpeg4Audio, .mpeg, .mpeg2, .mpeg4, .avi,
      ])
  }

  @Test func `the guides take movies of up to 30 s only, and ask no length of other media`() throws {
    let guide = try Simulation.policy("guide").serviceExtension
    let evidence = try Simulation.policy("evidence").serviceExtension
    let minute = Attachment(format: .mpeg4, bytes: 1000, length: .seconds(60))
    #expect(!guide.takes(minute) && evidence.takes(minute))
    #expect(guide.takes(Attachment(format: .mpeg4, bytes: 1000, length: .seconds(30))))
    #expect(guide.takes(Attachment(format: .mp3, bytes: 1000, length: .seconds(60))))
  }

  @Test func `loading takes the round trips and the bytes, or the time of the cache`() throws {
    let rule = try Simulation.policy("evidence").serviceExtension
    let file = Attachment(format: .jpeg, bytes: 3 * megabyte)
    #expect(rule.loadingTime(file, bandwidth: megabyte, roundTrip: seconds(0.05)) == seconds(3.2))
    #expect(rule.loadingTime(file, bandwidth: 0, roundTrip: .zero) == SimDuration(microseconds: .max))
    // C2-06.
    let guide = try Simulation.policy("guide").serviceExtension
    let cached = Attachment(format: .jpeg, bytes: 3 * megabyte, isCached: true)
    #expect(guide.loadingTime(cached, bandwidth: 1, roundTrip: .seconds(9)) == seconds(3.5))
  }

  @Test func `a slow download is cut off, with the bytes that it has got by then (C2-10, R-108)`() throws {
    let rule = try Simulation.policy("evidence").serviceExtension
    // 5 s of work, then 48 s of loading: half of it by 29 s, 25 of 48 s by 30 s.
    let slow = jpeg(4.8 * megabyte, loading: 48)
    let answered = show(work(5, slow), rule)
    #expect(answered == .init(outcome: .bestAttempt, runTime: .seconds(29), bytesLoaded: 2.4 * megabyte))
    let unanswered = show(work(5, slow, hasBestAttempt: false), rule)
    #expect(unanswered.outcome == .original)
    #expect(abs(unanswered.bytesLoaded - 2.5 * megabyte) < 1)
    // Without bandwidth, forever.
    let file = Attachment(format: .jpeg, bytes: megabyte)
    var stuck = file
    stuck.loading = rule.loadingTime(file, bandwidth: 0, roundTrip: .zero)
    #expect(show(work(5, stuck), rule).outcome == .bestAttempt)
    #expect(show(work(5, stuck), rule).bytesLoaded < 1)
  }

  @Test func `what is cached costs no bytes, and is there without a network`() throws {
    let rule = try Simulation.policy("evidence").serviceExtension
    let offline = DeviceState.plain.subtracting(.wifi)
    let cached = show(work(1, jpeg(megabyte, loading: 0.1, isCached: true)), rule, state: offline)
    #expect(cached == .init(outcome: .enriched, runTime: seconds(1.1)))
    let missing = show(work(1, jpeg(megabyte, loading: 4)), rule, state: offline)
    #expect(missing == .init(outcome: .withoutAttachment, runTime: .seconds(1)))
  }
}

@Suite struct ContentExtensionTests {
  @Test(arguments: ["guide", "evidence"])
  func `it is opened by the user and by its category, and ends beyond its memory (C2-07, C2-11)`(
    profile: String
  ) throws {
    let rule = try Simulation.policy(profile).contentExtension
    #expect(rule.open(isOpened: false, hasCategory: true, peakMemory: 1e9) == .notOpened)
    #expect(rule.open(isOpened: true, hasCategory: false, peakMemory: 1e9) == .standard)
    #expect(rule.open(isOpened: true, hasCategory: true, peakMemory: 50 * megabyte) == .custom)
    #expect(rule.open(isOpened: true, hasCategory: true, peakMemory: 50 * megabyte + 1) == .killed)
  }
}
