import Distributions
import OutputAnalysis
import PushPolicy
import Quantities

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
    var stream = streams.stream(device: device, .download(downloads.takeNumber()))
    let onWiFi = setting.bandwidthOnWiFi.draw(&stream)
    let onCellular = setting.bandwidthOnCellular.draw(&stream)
    let transfer = BackgroundDownload.Transfer(
      markedDiscretionary: request.isDiscretionary, enqueuedInFront: inFront, at: now)
    downloads.start(
      transfer, version: version, wake: wake, size: request.size, onWiFi: onWiFi, onCellular: onCellular,
      counts: measures(now))
    downloads.flow(in: state, from: now)
    if downloads.counts { tally.downloads.started += 1 }
    considerDownload(at: now)
    setNextTimer()
  }

  /// What happens to the device may start, pause or end the transfer.
  mutating func downloadSees(at now: SimTime) {
    guard downloads.transfer != nil else { return }
    advanceDownload(at: now)
    considerDownload(at: now)
  }

  /// Books what has flowed until now, in the state that the device was in.
  private mutating func advanceDownload(at now: SimTime) {
    let bytes = downloads.flowed(until: now)
    if bytes > 0 { pay(for: downloads.book(bytes)) }
    downloads.flow(in: state, from: now)
  }

  private mutating func pay(for bytes: Int64) {
    energy.transferred(
      bytes: bytes, onWiFi: downloads.state.contains(.wifi), downloads.state, counts: downloads.counts)
  }

  /// Asks the policy whether bytes flow from now on.
  private mutating func considerDownload(at now: SimTime) {
    guard let transfer = downloads.transfer else { return }
    if BackgroundDownload.isCancelled(state, setting.policy) {
      if downloads.counts { tally.downloads.cancelled += 1 }
      return downloads.end()
    }
    let verdict = BackgroundDownload.judge(now: now, state: state, transfer: transfer, app: app)
    guard case .runs = verdict else {
      let patience = setting.policy.backgroundDownload.mustRunFrom(transfer)
      return downloads.pause(
        until: transfer.isDiscretionary && patience > now ? patience : .distantFuture)
    }
    if downloads.resume(isOnWiFi: state.contains(.wifi), at: now) { completeDownload(at: now) }
  }

  mutating func runDownload(at now: SimTime) {
    let isDone = downloads.isFlowing
    advanceDownload(at: now)
    if isDone { completeDownload(at: now) } else { considerDownload(at: now) }
  }

  private mutating func completeDownload(at now: SimTime) {
    guard let transfer = downloads.transfer else { return }
    // What is left is less than a microsecond's worth.
    pay(for: downloads.book(nil))
    if downloads.counts {
      tally.downloads.completed += 1
      tally.downloads.time.record(now - transfer.enqueuedAt)
    }
    let (brought, wake) = (downloads.version, downloads.wake)
    downloads.end()
    // The app is launched to take the file: one of the launches that the device shares out.
    if !state.contains(.inFront) { app.pointee.recordTaskLaunch(at: now) }
    if brought > content.version { take(brought, wake) }
  }

  mutating func finishDownload(at end: SimTime) {
    guard downloads.transfer != nil else { return }
    advanceDownload(at: end)
    downloads.end()
  }
}
