import PushModel
import PushPolicy
import PushsimTestSupport
import Quantities
import Testing

/// Downloads by a background session, reckoned by hand: 90 MB at 1 MB/s on Wi-Fi take 90 s, on cellular at half of that.
///
/// The app learns of an update when it is opened at 1 h, or by a silent push that launches it from 3601 to 3603 s.
struct DownloadTests {
  private enum Start { case open, push }

  private func download(
    _ start: Start, _ timeline: [String] = [], keys: String = "",
    _ change: (inout ScriptedCase) -> Void = { _ in }
  ) -> ScriptedCase {
    ScriptedCase {
      $0.population = ["network.bandwidth.wifi: 8 Mbit/s", "network.bandwidth.cellular: 4 Mbit/s"]
      $0.handler = "duration: 2 s, result: {new_data: 100 %}"
      $0.updates = "{at: [30 min]}"
      let push = start == .push ? "background_push: {send: {at: [1 h]}}, " : ""
      $0.mechanisms = "\(push)background_download: {size: 90 MB\(keys)}"
      $0.timeline = (start == .open ? ["at: 1 h, open_app: 10 s"] : []) + timeline
      $0.duration = "2 d"
      change(&$0)
    }
  }

  /// Whether an open at such a time finds what the download brings. Unit: seconds.
  private func isFresh(_ scripted: ScriptedCase, at time: Double) throws -> Bool {
    var scripted = scripted
    scripted.timeline.append("at: \(time) s, open_app: 1 s")
    scripted.timeline.sort { Self.time($0) < Self.time($1) }
    var isFresh: Bool?
    for record in try scripted.trace().records {
      if case .opened(let fresh, _) = record.event { isFresh = fresh }
    }
    return isFresh == true
  }

  private static func time(_ entry: String) -> Double {
    let words = entry.split(separator: " ")
    let unit = ["s,": 1.0, "min,": 60, "h,": 3600][words[2]] ?? .nan
    return Double(words[1])! * unit
  }

  /// That it is done within two seconds of a time, as two opens see it. Unit: seconds.
  private func expectDone(_ scripted: ScriptedCase, at time: Double) throws {
    #expect(try !isFresh(scripted, at: time - 2))
    #expect(try isFresh(scripted, at: time + 2))
    let downloads = try scripted.tally().downloads
    #expect(downloads.completed == 1 && downloads.pending == 0)
  }

  @Test func `a download from the front starts at once, goes on in the background, and pauses offline`()
    throws
  {
    try expectDone(download(.open), at: 3690)
    let pauses = ["at: 3630 s, network: offline", "at: 3700 s, network: wifi"]
    try expectDone(download(.open, pauses), at: 3760)
    // 30 MB on Wi-Fi, 60 MB at half the rate.
    try expectDone(download(.open, ["at: 3630 s, network: cellular"]), at: 3750)
    // A restart takes 30 s; then the file system has to be unlocked.
    try expectDone(download(.open, ["at: 3630 s, reboot: true"]), at: 3720)
    let locked = try download(.open, ["at: 3630 s, reboot: locked"]).tally().downloads
    #expect(locked.pending == 1)
  }

  @Test func `a force quit cancels it, and the next open starts it anew`() throws {
    let quit = download(.open, ["at: 3630 s, force_quit: true"])
    let once = try quit.tally().downloads
    #expect(once.started == 1 && once.cancelled == 1 && once.completed == 0)
    let again = download(.open, ["at: 3630 s, force_quit: true", "at: 3700 s, open_app: 10 s"])
    try expectDone(again, at: 3790)
    // Not where the policy says that it goes on.
    let kept = try download(.open, ["at: 3630 s, force_quit: true"]) {
      $0.policy = ["background_download.force_quit_cancels: off"]
    }.tally().downloads
    #expect(kept.completed == 1)
    let removed = try download(.open, ["at: 3630 s, uninstall: true"]).tally().downloads
    #expect(removed.cancelled == 1)
  }

  @Test func `a newer version calls it off`() throws {
    let newer = download(.open, ["at: 3640 s, open_app: 10 s"]) { $0.updates = "{at: [30 min, 3620 s]}" }
    let downloads = try newer.tally().downloads
    #expect(downloads.started == 2 && downloads.superseded == 1)
    try expectDone(newer, at: 3730)
    // The same version does not.
    let same = download(.open, ["at: 3640 s, open_app: 10 s"])
    #expect(try same.tally().downloads.started == 1)
    try expectDone(same, at: 3690)
  }

  // B23
  @Test func `one from the background waits for Wi-Fi and a charger, but no longer than it has to`() throws {
    // Marked as discretionary, so that the opens that look do not hurry it.
    let marked = ", discretionary: on"
    try expectDone(download(.push, ["at: 2 h, charger: connected"], keys: marked), at: 7290)
    let cellular = ["at: 50 min, network: cellular", "at: 2 h, charger: connected", "at: 3 h, network: wifi"]
    try expectDone(download(.push, cellular, keys: marked), at: 10_890)
    // Off the charger again it waits on; 30 MB are done.
    let interrupted = [
      "at: 7200 s, charger: connected", "at: 7230 s, charger: disconnected",
      "at: 10800 s, charger: connected",
    ]
    try expectDone(download(.push, interrupted, keys: marked), at: 10_860)
    let patience = download(.push, keys: marked) { $0.policy = ["background_download.longest_wait: 6 h"] }
    try expectDone(patience, at: 3603 + 6 * 3600 + 90)
    // Not in Low Power Mode, even then.
    let saving = download(.push, ["at: 2 h, low_power_mode: on"], keys: marked) {
      $0.policy = ["background_download.longest_wait: 6 h"]
    }
    #expect(try saving.tally().downloads.pending == 1)
  }

  @Test func `an open replaces a transfer that waits, also one that an alert provokes`() throws {
    let opened = download(.push, ["at: 2 h, open_app: 10 s"])
    let downloads = try opened.tally().downloads
    #expect(downloads.started == 2 && downloads.superseded == 1)
    try expectDone(opened, at: 7290)
    let provoked = try download(.push) {
      $0.mechanisms =
        "background_push: {send: {at: [1 h]}}, alert_push: {send: {at: [2 h]}, opens: {share: 100 %, after: 1 s}}, "
        + "background_download: {size: 90 MB}"
    }.tally()
    #expect(provoked.provokedOpens == 1)
    #expect(provoked.downloads.superseded == 1 && provoked.downloads.completed == 1)
    // Unless the app leaves it to the system anyhow.
    let left = try download(.push, ["at: 2 h, open_app: 10 s"], keys: ", discretionary: on") {
      $0.duration = "20 h"
    }.tally().downloads
    #expect(left.started == 1 && left.pending == 1)
  }

  // 1.2 J and 1.5 J a megabyte; see `EnergyTests`.
  @Test func `bytes and energy of a transfer add up over its pauses, networks and chargers`() throws {
    func energy(_ timeline: [String]) throws -> EnergySums { try download(.open, timeline).tally().energy }
    let plain = try energy([])
    #expect(plain.bytes == 90_000_000 && plain.total == 108_000_000 && plain.whileCharging == 0)
    let pauses = (0..<7).flatMap {
      [
        "at: \(3611.3 + 20 * Double($0)) s, network: offline",
        "at: \(3615.7 + 20 * Double($0)) s, network: wifi",
      ]
    }
    let paused = try energy(pauses)
    #expect(paused.bytes == 90_000_000)
    #expect((paused.total - 108_000_000).magnitude <= 8)
    let mixed = try energy(["at: 3630 s, network: cellular"])
    #expect(mixed.bytes == 90_000_000 && mixed.total == 36_000_000 + 90_000_000)
    let charged = try energy(["at: 3630 s, charger: connected"])
    #expect(charged.total == 108_000_000 && charged.whileCharging == 72_000_000)
    // What is called off has cost what it had loaded.
    #expect(try energy(["at: 3630 s, force_quit: true"]).bytes == 30_000_000)
  }

  @Test func `a transfer that is going on when the run ends is pending, with what it has loaded`() throws {
    let tally = try download(.open) { $0.duration = "3630 s" }.tally()
    #expect(tally.downloads.pending == 1 && tally.downloads.started == 1)
    #expect(tally.energy.bytes == 30_000_000)
  }
}
