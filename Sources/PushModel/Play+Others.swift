import EventKernel
import PushPolicy
import Quantities

/// What a play keeps for the mechanisms beside the first push mechanism: their timers and what the server knows.
struct OtherMechanisms: Sendable {
  /// The earliest of what follows; distant future when there is nothing, as in nearly every strategy.
  var next = SimTime.distantFuture
  /// When the server sends an alert for want of an acknowledgement.
  var fallbackAt = SimTime.distantFuture
  /// Until when the service extension works on alerts that have arrived.
  var extensionIsBusyUntil = SimTime.distantPast
  /// When the device last changed between Wi-Fi, cellular and neither; long ago at the start.
  var interfaceChangedAt = SimTime.zero - .days(365)
}

// MARK: - Which mechanism is at hand

extension Play {
  /// Puts a mechanism's channel in the place of the one at hand.
  @inline(__always)
  mutating func select(_ mechanism: PushMechanism) {
    if mechanism != channel.mechanism { exchange(mechanism) }
  }

  private mutating func exchange(_ mechanism: PushMechanism) {
    guard let index = parked.firstIndex(where: { $0.mechanism == mechanism }) else { return }
    swap(&channel, &parked[index])
  }

  /// Runs an event of a push that is not of the first mechanism.
  mutating func takeOther(_ push: Push, at now: SimTime) {
    select(push.mechanism)
    if push.isAtProvider {
      request(push, at: now)
    } else {
      reach(push, at: now)
    }
    select(firstMechanism)
  }
}

// MARK: - Timers

extension Play {
  mutating func beginOthers() {
    others = OtherMechanisms()
    downloads = Downloads()
    alertEvents.removeAll()
    guard hasOthers else { return }
    for index in parked.indices {
      swap(&channel, &parked[index])
      beginAPNs()
      channel.sends = SendCursor(
        channel.plan.send, device: device, streams: streams, lane: channel.lane, utcOffset: traits.utcOffset,
        updates: setting.updates)
      swap(&channel, &parked[index])
    }
    beginTasks()
    plan()
  }

  /// Looks for the earliest timer.
  mutating func plan() {
    var next = min(min(others.fallbackAt, channel.resendsAt), nextTask)
    next = min(next, min(alertEvents.peekTime, downloads.next))
    for index in parked.indices { next = min(next, min(parked[index].nextSend, parked[index].resendsAt)) }
    others.next = next
  }

  /// Runs every timer that is due.
  mutating func runOthers(at now: SimTime) {
    for mechanism in PushMechanism.allCases where mechanism != firstMechanism {
      select(mechanism)
      guard channel.mechanism == mechanism else { continue }
      while channel.nextSend <= now {
        if !channel.sendingStopped, now < setting.end { send(at: now) }
        channel.sends?.advance(setting.updates)
      }
      select(firstMechanism)
    }
    for mechanism in PushMechanism.allCases {
      select(mechanism)
      if channel.mechanism == mechanism, channel.resendsAt <= now { resend(at: now) }
      select(firstMechanism)
    }
    if others.fallbackAt <= now {
      others.fallbackAt = .distantFuture
      select(.alert)
      if !channel.sendingStopped, now < setting.end { send(at: now) }
      select(firstMechanism)
    }
    if alertEvents.peekTime <= now { runAlerts(at: now) }
    if downloads.next <= now { runDownload(at: now) }
    if nextTask <= now { runTasks(at: now) }
    plan()
  }

  /// A change of the device.
  mutating func othersSee(_ changed: DeviceState, _ moment: Moment, at now: SimTime) {
    if !changed.isDisjoint(with: [.wifi, .cellular]) { others.interfaceChangedAt = now }
    // A factor that is watched changes nothing, not even the pieces in which a transfer is booked.
    if downloads.transfer != nil, moment == .otherPush || !changed.subtracting(unaskedBits).isEmpty {
      downloadSees(at: now)
      plan()
    }
    if refresh != nil || processing != nil { tasksSee(changed, moment, at: now) }
    if setting.strategy.usesWebSocket { socketSees(state.symmetricDifference(changed), at: now) }
  }

  /// A WebSocket brings every update at once while the app is in the front of a device that is reachable; the system
  /// suspends it with the app.
  private mutating func socketSees(_ before: DeviceState, at now: SimTime) {
    guard before.contains(.inFront), before.isReachable, !(state.contains(.inFront) && state.isReachable)
    else {
      return
    }
    learnUpdates(until: now)
    // Each of them came by itself.
    for _ in version..<latestVersion { energy.download(before, counts: measures(now)) }
    version = latestVersion
  }
}

// MARK: - Acknowledgements

extension Play {
  /// The server has sent: from now on it waits for the app.
  mutating func awaitAcknowledgement(of push: Push, at now: SimTime) {
    if let resend = channel.plan.resend {
      channel.resends = 0
      channel.resendsAt = now + resend.after
    }
    if push.mechanism == .background, case .unacknowledged(let after) = setting.strategy.alertPush?.send,
      others.fallbackAt == .distantFuture
    {
      others.fallbackAt = now + after
    }
    plan()
  }

  /// Sends again what the app has not acknowledged.
  private mutating func resend(at now: SimTime) {
    channel.resendsAt = .distantFuture
    guard let resend = channel.plan.resend, channel.resends < resend.most, !channel.sendingStopped,
      now < setting.end
    else { return }
    let resends = channel.resends + 1
    send(at: now)
    channel.resends = resends
    if resends == resend.most { channel.resendsAt = .distantFuture }
  }

  /// The app has been in touch with its server: nothing that was sent before waits any longer.
  mutating func acknowledge(at now: SimTime) {
    guard waitsForAcknowledgement, state.isReachable else { return }
    others.fallbackAt = .distantFuture
    channel.resendsAt = .distantFuture
    for index in parked.indices { parked[index].resendsAt = .distantFuture }
    plan()
  }
}
