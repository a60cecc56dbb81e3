import PushPolicy
import Quantities

/// What a play keeps for the mechanisms beside the first push mechanism: their timers and what the server knows.
struct Timers: Sendable {
  /// The earliest of what follows; distant future when there is nothing, as in nearly every strategy.
  var next = SimTime.distantFuture
  /// When the server sends an alert for want of an acknowledgement.
  var fallbackAt = SimTime.distantFuture
  /// When the device last changed between Wi-Fi, cellular and neither; long ago at the start.
  var interfaceChangedAt = SimTime.zero - .days(365)
}

// MARK: - Timers

extension Play {
  mutating func beginTimers() {
    timers = Timers()
    downloads = Downloads()
    alerts.begin()
    guard hasOthers else { return }
    for mechanism in mechanisms where mechanism != first {
      beginAPNs(mechanism)
      channels[mechanism.index].sends = sendCursor(mechanism)
    }
    beginTasks()
    setNextTimer()
  }

  /// Looks for the earliest timer.
  mutating func setNextTimer() {
    var next = min(min(timers.fallbackAt, tasks.next), links.restEnds)
    next = min(next, min(alerts.next, downloads.next))
    if usesExtensions { next = min(next, extensions.reloadsAt) }
    for mechanism in mechanisms {
      let index = mechanism.index
      next = min(next, min(channels[index].nextSend, channels[index].resendsAt))
    }
    timers.next = next
  }

  /// Runs every timer that is due.
  mutating func runTimers(at now: SimTime) {
    for mechanism in mechanisms where mechanism != first {
      let index = mechanism.index
      while channels[index].nextSend <= now {
        if !channels[index].sendingStopped, now < setting.end { send(mechanism, at: now) }
        channels[index].sends?.advance(setting.updates)
      }
    }
    for mechanism in mechanisms where channels[mechanism.index].resendsAt <= now {
      resend(mechanism, at: now)
    }
    if timers.fallbackAt <= now {
      timers.fallbackAt = .distantFuture
      if !channels[PushMechanism.alert.index].sendingStopped, now < setting.end { send(.alert, at: now) }
    }
    if links.restEnds <= now { endRest(at: now) }
    if alerts.next <= now { runAlerts(at: now) }
    if usesExtensions, extensions.reloadsAt <= now { runWidget(at: now) }
    if downloads.next <= now { runDownload(at: now) }
    if tasks.next <= now { runTasks(at: now) }
    setNextTimer()
  }

  /// A change of the device.
  mutating func timersSee(_ changed: DeviceState, _ moment: Moment, at now: SimTime) {
    if !changed.isDisjoint(with: [.wifi, .cellular]) { timers.interfaceChangedAt = now }
    // A factor that is watched changes nothing, not even the pieces in which a transfer is booked.
    if downloads.transfer != nil, moment == .otherPush || !changed.subtracting(unaskedBits).isEmpty {
      downloadSees(at: now)
      setNextTimer()
    }
    if usesExtensions { extensionsSee(changed, at: now) }
    if !tasks.isEmpty { tasksSee(changed, moment, at: now) }
    if setting.strategy.usesWebSocket { socketSees(state.symmetricDifference(changed), at: now) }
  }

  /// A WebSocket brings every update at once while the app is in the front of a device that is reachable; the system
  /// suspends it with the app.
  private mutating func socketSees(_ before: DeviceState, at now: SimTime) {
    guard before.contains(.inFront), before.isReachable, !(state.contains(.inFront) && state.isReachable)
    else {
      return
    }
    content.follow(setting.updates, until: now)
    // Each of them came by itself.
    for _ in 0..<content.behind { energy.download(before, counts: measures(now)) }
    content.takeLatest()
  }
}

// MARK: - Acknowledgements

extension Play {
  /// The server has sent: from now on it waits for the app.
  mutating func awaitAcknowledgement(of push: Push, at now: SimTime) {
    let index = push.mechanism.index
    if let resend = channels[index].plan.resend {
      channels[index].resends = 0
      channels[index].resendsAt = now + resend.after
    }
    if push.mechanism == .background, case .unacknowledged(let after) = setting.strategy.alertPush?.send,
      timers.fallbackAt == .distantFuture
    {
      timers.fallbackAt = now + after
    }
    setNextTimer()
  }

  /// Sends again what the app has not acknowledged.
  private mutating func resend(_ mechanism: PushMechanism, at now: SimTime) {
    let index = mechanism.index
    channels[index].resendsAt = .distantFuture
    guard let resend = channels[index].plan.resend, channels[index].resends < resend.most,
      !channels[index].sendingStopped, now < setting.end
    else { return }
    let resends = channels[index].resends + 1
    send(mechanism, at: now)
    channels[index].resends = resends
    if resends == resend.most { channels[index].resendsAt = .distantFuture }
  }

  /// The app has been in touch with its server: nothing that was sent before waits any longer.
  mutating func acknowledge(at now: SimTime) {
    guard waitsForAcknowledgement, state.isReachable else { return }
    timers.fallbackAt = .distantFuture
    for mechanism in mechanisms { channels[mechanism.index].resendsAt = .distantFuture }
    setNextTimer()
  }
}
