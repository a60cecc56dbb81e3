import Distributions
import OutputAnalysis
import PushPolicy
import Quantities

/// The transfers of a background `URLSession` on the device at hand: one at a time, because each is for what is newest.
struct Downloads: Sendable {
  var transfer: BackgroundDownload.Transfer?
  /// The version that it brings, and the launch in the background that asked for it.
  var version = 0
  var wake: Wake?
  var counts = false
  /// Unit: bytes.
  var bytesLeft = 0.0
  /// Unit: bytes per second.
  var onWiFi = 0.0
  var onCellular = 0.0
  /// At which bytes have flowed since `since`; 0 while it waits. Unit: bytes per second.
  var rate = 0.0
  var since = SimTime.zero
  /// The device's state since then, which says over which network they came and what paid for them.
  var state: DeviceState = []
  /// When it is done at this rate, or no longer waits for Wi-Fi and a charger.
  var next = SimTime.distantFuture
  /// Names the draws of the next transfer.
  var number: UInt32 = 0
}

extension Play {
  /// The app hands what is new on the server over to a background session.
  ///
  /// - Parameters:
  ///   - version: what the transfer brings.
  ///   - inFront: whether the app is in the front when it does so.
  ///   - wake: the launch in the background that does so.
  mutating func startDownload(_ version: Int, inFront: Bool, wake: Wake?, at now: SimTime) {
    guard let request = setting.strategy.backgroundDownload else { return }
    if let pending = downloads.transfer {
      // What is on its way is called off for what is newer, or because the user waits for it now.
      let isUrgent = inFront && pending.isDiscretionary && !request.isDiscretionary
      guard downloads.version < version || isUrgent else { return }
      advanceDownload(at: now)
      if downloads.counts { tally.downloads.superseded += 1 }
    }
    var stream = streams.stream(device: device, .download(downloads.number))
    downloads.number += 1
    downloads.onWiFi = setting.bandwidthOnWiFi.draw(&stream)
    downloads.onCellular = setting.bandwidthOnCellular.draw(&stream)
    downloads.transfer = BackgroundDownload.Transfer(
      markedDiscretionary: request.isDiscretionary, enqueuedInFront: inFront, at: now)
    downloads.version = version
    downloads.wake = wake
    downloads.counts = measures(now)
    downloads.bytesLeft = request.size
    downloads.rate = 0
    downloads.since = now
    downloads.state = state
    if downloads.counts { tally.downloads.started += 1 }
    considerDownload(at: now)
    plan()
  }

  /// What happens to the device may start, pause or end the transfer.
  mutating func downloadSees(at now: SimTime) {
    guard downloads.transfer != nil else { return }
    advanceDownload(at: now)
    considerDownload(at: now)
  }

  /// Books what has flowed until now, in the state that the device was in.
  private mutating func advanceDownload(at now: SimTime) {
    book(downloads.rate * (now - downloads.since).seconds)
    downloads.since = now
    downloads.state = state
  }

  private mutating func book(_ bytes: Double) {
    guard bytes > 0 else { return }
    let left = max(0, downloads.bytesLeft - bytes)
    // Whole bytes that add up to the size, however often the transfer pauses.
    energy.transferred(
      bytes: Int64(downloads.bytesLeft.rounded()) - Int64(left.rounded()),
      onWiFi: downloads.state.contains(.wifi), downloads.state, counts: downloads.counts)
    downloads.bytesLeft = left
  }

  /// Asks the policy whether bytes flow from now on.
  private mutating func considerDownload(at now: SimTime) {
    guard let transfer = downloads.transfer else { return }
    if BackgroundDownload.isCancelled(state, setting.policy) {
      if downloads.counts { tally.downloads.cancelled += 1 }
      return endDownload()
    }
    let verdict = BackgroundDownload.judge(now: now, state: state, transfer: transfer, app: app)
    guard case .runs = verdict else {
      downloads.rate = 0
      let patience = setting.policy.backgroundDownload.mustRunFrom(transfer)
      downloads.next = transfer.isDiscretionary && patience > now ? patience : .distantFuture
      return
    }
    // A device on both networks uses Wi-Fi.
    downloads.rate = state.contains(.wifi) ? downloads.onWiFi : downloads.onCellular
    guard downloads.rate > 0 else {
      downloads.next = .distantFuture
      return
    }
    downloads.next = now + SimDuration(seconds: min(1e9, downloads.bytesLeft / downloads.rate))
    // What is left after rounding to microseconds takes no time.
    if downloads.next <= now { completeDownload(at: now) }
  }

  mutating func runDownload(at now: SimTime) {
    let isDone = downloads.rate > 0
    advanceDownload(at: now)
    if isDone { completeDownload(at: now) } else { considerDownload(at: now) }
  }

  private mutating func completeDownload(at now: SimTime) {
    guard let transfer = downloads.transfer else { return }
    // What is left is less than a microsecond's worth.
    book(downloads.bytesLeft)
    if downloads.counts {
      tally.downloads.completed += 1
      tally.downloads.time.record(now - transfer.enqueuedAt)
    }
    let (brought, wake) = (downloads.version, downloads.wake)
    endDownload()
    // The app is launched to take the file: one of the launches that the device shares out.
    if !state.contains(.inFront) { app.pointee.recordTaskLaunch(at: now) }
    if brought > version { take(brought, wake) }
  }

  private mutating func endDownload() {
    downloads.transfer = nil
    downloads.wake = nil
    downloads.rate = 0
    downloads.next = .distantFuture
  }

  mutating func finishDownload(at end: SimTime) {
    guard downloads.transfer != nil else { return }
    advanceDownload(at: end)
    endDownload()
  }
}
