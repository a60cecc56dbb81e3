import Distributions
import PushPolicy
import Quantities

/// What the device keeps for pushes that go to an extension of the app: Live Activities and the widget.
///
/// `Play+Extensions` alone changes it; the timers ask when the widget reloads.
struct ExtensionSide: Sendable {
  var activity = LiveActivity.State(LiveActivity(), isFrequent: false)
  /// Reloads that the widget has left.
  var reloads = RefillingBudget(places: 0)
  /// The newest push that waits for a reload.
  var waiting: Push?
  /// When the widget reloads for it; distant future if none waits, or while the device is off.
  var reloadsAt = SimTime.distantFuture
}

extension Play {
  mutating func beginExtensions() {
    extensions = ExtensionSide()
    guard let plan = setting.strategy.backgroundPush else { return }
    extensions.activity = LiveActivity.State(
      setting.policy.liveActivity, isFrequent: plan.activity.isFrequent)
    extensions.reloads = RefillingBudget(places: setting.policy.widget.burst)
    // An activity that the app has begun when it was last opened may still run.
    let lastOpen = app.pointee.memory.use.lastOpen
    if plan.activity.begins == .atOpen, lastOpen > .distantPast { extensions.activity.begin(at: lastOpen) }
  }

  /// A push for a Live Activity or a widget has reached the device.
  mutating func arriveAtExtension(_ push: Push, at now: SimTime) {
    if channels[push.mechanism.index].request == .widgets {
      arriveAtWidget(push, at: now)
    } else {
      arriveAtActivity(push, at: now)
    }
  }

  /// The app is opened, and begins a Live Activity if the strategy has it do so.
  mutating func extensionsSeeOpen(at now: SimTime) {
    if channels[first.index].plan.activity.begins == .atOpen { extensions.activity.begin(at: now) }
    if let push = extensions.waiting { reloadWidget(for: push, at: now) }
  }

  // MARK: Live Activities

  private mutating func arriveAtActivity(_ push: Push, at now: SimTime) {
    let plan = channels[push.mechanism.index].plan
    let outcome = setting.policy.liveActivity.receive(
      plan.activity.event(ofPush: Int(push.number)), priority: plan.priority,
      isFrequent: plan.activity.isFrequent,
      systemVersion: Double(traits.osVersion), &extensions.activity, at: now)
    switch outcome {
    case .shown:
      if push.counts { tally.shown += 1 }
      countDelivered(push, at: now)
    case .overBudget: end(push, .discardedByPolicy, .activityBudget, at: now)
    case .nothingToChange: end(push, .discardedByPolicy, .noActivity, at: now)
    case .unknown: end(push, .notWakeable, .pushTypeIgnored, at: now)
    }
  }

  // MARK: Widgets

  private mutating func arriveAtWidget(_ push: Push, at now: SimTime) {
    let rules = setting.policy.widget
    guard Double(traits.osVersion) >= rules.since else {
      return end(push, .notWakeable, .pushTypeIgnored, at: now)
    }
    if let older = extensions.waiting {
      if older.isNewer(than: push) { return end(push, .coalescedOnDevice, .widgetBudget, at: now) }
      end(older, .coalescedOnDevice, .widgetBudget, at: now)
      extensions.waiting = push
      // The place that the older one waited for is the newer one's.
      if state.contains(.inFront) { reloadWidget(for: push, at: now) }
      return
    }
    if state.contains(.inFront) || extensions.reloads.take(most: rules.burst, refill: rules.rate, at: now) {
      return reloadWidget(for: push, at: now)
    }
    extensions.waiting = push
    extensions.reloadsAt = extensions.reloads.nextPlace(refill: rules.rate)
    setNextTimer()
  }

  /// A place in the budget has come back.
  mutating func runWidget(at now: SimTime) {
    let rules = setting.policy.widget
    guard let push = extensions.waiting else { return extensions.reloadsAt = .distantFuture }
    guard extensions.reloads.take(most: rules.burst, refill: rules.rate, at: now) else {
      // Rounded to whole microseconds, the place may come back an instant later.
      extensions.reloadsAt = max(
        now + SimDuration(microseconds: 1), extensions.reloads.nextPlace(refill: rules.rate))
      return
    }
    reloadWidget(for: push, at: now)
  }

  /// The widget shows what is new, and leaves it for the app.
  private mutating func reloadWidget(for push: Push, at now: SimTime) {
    extensions.waiting = nil
    extensions.reloadsAt = .distantFuture
    countDelivered(push, at: now)
    if state.isReachable { loadWhatIsNew(at: now) }
    setNextTimer()
  }

  /// Nothing reloads on a device that is off, and nothing is left of an app that is gone.
  mutating func extensionsSee(_ changed: DeviceState, at now: SimTime) {
    guard let push = extensions.waiting else { return }
    if !state.contains(.installed) {
      extensions.waiting = nil
      extensions.reloadsAt = .distantFuture
      end(push, .notWakeable, .notInstalled, at: now)
    } else if changed.contains(.poweredOn) {
      extensions.reloadsAt =
        state.contains(.poweredOn)
        ? max(now, extensions.reloads.nextPlace(refill: setting.policy.widget.rate)) : .distantFuture
    } else {
      return
    }
    setNextTimer()
  }

  mutating func finishExtensions(at end: SimTime) {
    if let push = extensions.waiting { self.end(push, .pending, .widgetBudget, at: end) }
  }
}
