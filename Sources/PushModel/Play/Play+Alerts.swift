import Distributions
import PushPolicy
import Quantities

extension Play {
  /// An alert is on the device, and the user allows it to be shown: it never waits for the policy, only for
  /// the app's service extension.
  mutating func arriveAlert(_ push: Push, at now: SimTime) {
    if let work = setting.strategy.alerts.serviceExtension {
      change(push, work, at: now)
    } else {
      show(push, at: now)
    }
    // The wake that it may ask for beside has no fate of its own: the push has had its end.
    if channels[push.mechanism.index].mayWake { arrive(push.echo, at: now) }
  }

  /// An app whose alerts are shown in no place: on some devices nothing reaches it, on the others nothing is shown.
  ///
  /// - Returns: whether the push has had its end.
  mutating func stylesKeepBack(_ push: Push, at now: SimTime) -> Bool {
    let channel = push.mechanism.index
    // A call has a screen of its own, and extensions have a place of their own.
    guard push.mechanism != .voip, !channels[channel].request.isForExtension else { return false }
    var stream = streams.stream(device: device, .ignoresStylesOff)
    let isIgnored = stream.bernoulli(setting.policy.apns.stylesOffIgnored)
    guard isIgnored || channels[channel].request.isVisible else { return false }
    end(push, .notWakeable, .alertStylesOff, at: now)
    if !isIgnored, channels[channel].mayWake { arrive(push.echo, at: now) }
    return true
  }

  mutating func runAlerts(at now: SimTime) {
    while let event = alerts.takeDue(at: now) {
      switch event.kind {
      case .changed: finishChange(event, at: now)
      case .opensApp: openForAlert(at: now)
      }
    }
  }

  /// The run is over: what is still at work has no end.
  mutating func finishAlerts(at end: SimTime) {
    while let event = alerts.takeDue(at: .distantFuture) {
      if event.kind == .changed { self.end(event.push, .pending, nil, at: end) }
    }
  }
}

// MARK: - Service extension

extension Play {
  /// The service extension works on one alert after the other.
  private mutating func change(_ push: Push, _ work: ServiceExtensionWork, at now: SimTime) {
    var stream = streams.stream(
      device: device, .serviceExtension(UInt32(push.number)), lane: push.lane)
    let missed = stream.uniform()
    let shown = stream.uniform()
    let processing = SimDuration(seconds: work.duration.draw(&stream))
    let memory = work.memory.draw(&stream)
    let attachment = work.attachment.map { file(for: $0, &stream) }
    let rules = setting.policy.serviceExtension
    let isBusy = alerts.isExtensionBusy(at: now)
    let result = rules.show(
      channels[push.mechanism.index].request, state: state, systemVersion: Double(traits.osVersion),
      work: ServiceExtension.Work(
        processing: processing, peakMemory: memory, attachment: attachment,
        hasBestAttempt: work.handsOverBestAttempt),
      isMissed: isBusy && missed < rules.missedWhileBusy, isShownIfKilled: shown < rules.shownIfKilled)
    let counts = measures(now)
    _ = energy.run(result.runTime, state, counts: counts)
    energy.transferred(
      bytes: Int64(result.bytesLoaded), onWiFi: state.contains(.wifi), state, counts: counts)
    var event = AlertEvent(push: push, kind: .changed, outcome: result.outcome)
    event.hasStored =
      work.storesContent && (result.outcome == .enriched || result.outcome == .withoutAttachment)
    // An alert that passes the extension by waits for nothing.
    guard result.runTime > .zero else { return finishChange(event, at: now) }
    alerts.change(event, for: result.runTime, at: now)
    setNextTimer()
  }

  private mutating func file(
    for work: ServiceExtensionWork.Attachment, _ stream: inout RandomStream
  ) -> ServiceExtension.Attachment {
    var file = ServiceExtension.Attachment(format: work.format, bytes: work.size.draw(&stream))
    file.length = SimDuration(seconds: work.length.draw(&stream))
    file.isCached = stream.bernoulli(work.cached)
    let onWiFi = setting.bandwidthOnWiFi.draw(&stream)
    let onCellular = setting.bandwidthOnCellular.draw(&stream)
    // The way from APNs to the device stands for a round trip to the app's server.
    let roundTrip = SimDuration(seconds: max(0, setting.transit.draw(&stream)))
    file.loading = setting.policy.serviceExtension.loadingTime(
      file, bandwidth: state.contains(.wifi) ? onWiFi : onCellular, roundTrip: roundTrip)
    return file
  }

  private mutating func finishChange(_ event: AlertEvent, at now: SimTime) {
    // A device that was switched off meanwhile shows nothing, and neither does one without the app.
    let outcome = state.isSuperset(of: [.installed, .poweredOn]) ? event.outcome : .notShown
    if event.push.counts { tally.alerts[Int(outcome.rawValue)] += 1 }
    trace(now, event.push, .extensionEnded(outcome))
    guard outcome.isShown else {
      return end(event.push, .discardedByPolicy, .extensionTerminated, at: now)
    }
    if event.hasStored, state.isReachable { loadWhatIsNew(at: now) }
    show(event.push, at: now)
  }
}

// MARK: - The user

extension Play {
  private mutating func show(_ push: Push, at now: SimTime) {
    if push.counts { tally.shown += 1 }
    countDelivered(push, at: now)
    let handling = setting.strategy.alerts
    guard handling.opens > 0 || handling.contentExtension != nil else { return }
    var stream = streams.stream(
      device: device, .reaction(UInt32(push.number)), lane: push.lane)
    let (expands, opens) = (stream.uniform(), stream.uniform())
    if let work = handling.contentExtension {
      let outcome = setting.policy.contentExtension.open(
        isOpened: expands < work.opened, hasCategory: true, peakMemory: work.memory.draw(&stream))
      if push.counts { tally.contentViews[Int(outcome.rawValue)] += 1 }
    }
    guard opens < handling.opens else { return }
    alerts.open(for: push, at: now + SimDuration(seconds: handling.opensAfter.draw(&stream)))
    setNextTimer()
  }

  /// The device has gone off, and whatever the extension was working on is lost; what the user means to do is not.
  mutating func stopExtension(at now: SimTime) {
    guard !alerts.isEmpty else { return }
    for event in alerts.takeFromExtension(at: now) { finishChange(event, at: now) }
    setNextTimer()
  }

  /// An open that the life does not have, for the strategy provoked it.
  private mutating func openForAlert(at now: SimTime) {
    // The life has the app in the front already, or nobody can open it.
    guard state.isSuperset(of: [.installed, .poweredOn]), !state.contains(.inFront) else { return }
    if measures(now) { tally.provokedOpens += 1 }
    open(at: now)
  }
}
