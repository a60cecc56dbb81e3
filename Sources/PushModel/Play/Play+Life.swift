import Distributions
import PushPolicy
import Quantities

// What the device and its user do.

extension Play {
  mutating func apply(_ change: LifeChange) {
    let now = change.time
    let changed = state.symmetricDifference(change.state)
    trace(now, nil, .changed(from: state, to: change.state, moment: change.moment))
    let wasReachable = state.isReachable
    state = change.state
    switch change.moment {
    case .none: break
    case .otherNotification, .otherPush: if state.isReachable { energy.otherTraffic(at: now) }
    case .open: open(at: now)
    case .powerNapWake:
      if !held.isEmpty, held.lifts.contains(.asleep) { recheck(at: now, occasion: .powerNapWake) }
    case .restart: break
    case .uninstall: uninstall(at: now)
    case .install:
      forget(at: now)
      // It comes with what is newest.
      content.follow(setting.updates, until: now)
      content.takeLatest()
      // The new install registers a new token.
      for mechanism in mechanisms { channels[mechanism.index].sendingStopped = false }
      tokenReportedGone = .distantFuture
    }
    if !changed.isDisjoint(with: .inUse) { energy.otherTraffic(at: now) }
    if !changed.isDisjoint(with: [.poweredOn, .asleep, .wifi, .cellular]) {
      energy.see(change.state, changed, at: now)
    }
    if links.mayBeDead, !changed.isDisjoint(with: [.wifi, .cellular, .poweredOn, .inFront]) {
      links.connectedSince = now
    }
    if changed.contains(.forceQuit), state.contains(.forceQuit), setting.policy.enabled.contains(.forceQuit) {
      endAllHeld(.notWakeable, Reason(.forceQuit), at: now)
      stopHandler(at: now)
    }
    if changed.contains(.poweredOn), !state.contains(.poweredOn) { turnOff(at: now) }
    if setting.policy.schedules { schedulerSees(changed, change.moment, wasReachable: wasReachable, at: now) }
    if mayHoldForPower { considerPower(changed: changed) }
    let wakes =
      links.rests.rate > 0 && considerRest(changed: changed, wasReachable: wasReachable, at: now)
    if !stored.isEmpty, state.isReachable, !wasReachable || mayHoldForPower || wakes {
      releaseStored(isReconnected: !wasReachable, at: now)
    }
    if hasOthers { timersSee(changed, change.moment, at: now) }
    if !held.isEmpty, !changed.isDisjoint(with: held.lifts.union(.poweredOn)) {
      recheck(at: now, occasion: .recheck)
    }
    if !held.isEmpty, setting.policy.schedules, isReleased(by: changed, change.moment, at: now) {
      recheck(at: now, occasion: .release)
    }
  }

  /// Nothing runs on a device that is off, and nothing is decided: what it holds waits for the start, or for its deadline.
  mutating func turnOff(at now: SimTime) {
    stopHandler(at: now)
    if hasOthers { stopExtension(at: now) }
    if !held.isEmpty { held.waitForDeadline() }
  }

  mutating func open(at now: SimTime) {
    content.follow(setting.updates, until: now)
    measureOpen(at: now)
    answer(upTo: now, at: now)
    app.pointee.recordOpen(at: now)
    if let wake = content.see() { count(useful: wake) }
    // The app is in use again: what its disuse held is free, whether or not the foreground factor counts.
    held.endDisuse()
    if !held.isEmpty { recheck(at: now, occasion: .recheck) }
    if setting.app.syncsOnOpen, state.isReachable { loadWhatIsNew(isOpened: true, at: now) }
    acknowledge(at: now)
    if usesExtensions { extensionsSeeOpen(at: now) }
    if !tasks.isEmpty { tasksSeeOpen(at: now) }
  }

  mutating func uninstall(at now: SimTime) {
    endAllHeld(.notWakeable, .notInstalled, at: now)
    stopHandler(at: now)
    discardStored(at: now)
  }
}
