import EventKernel
import PushPolicy
import Quantities

/// What follows when an alert has been on the device for a while.
struct AlertEvent: Sendable, BitwiseCopyable {
  enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// The service extension is done with it.
    case changed
    /// The user opens the app for its sake.
    case opensApp
  }

  var push: Push
  var kind: Kind
  /// What the service extension made of it.
  var outcome = ServiceExtension.Outcome.original
  /// The extension has loaded what is new on the server.
  var hasStored = false
}

/// The alerts on the device at hand that something is still to come of: those that the service extension works on, and
/// those that the user will open the app for.
///
/// `Play+Alerts` alone puts events in and takes them out; the timers ask when the next one is due.
struct Alerts: ~Copyable {
  private var events = EventQueue<AlertEvent>()
  /// Until when the service extension works on alerts that have arrived.
  private var extensionIsBusyUntil = SimTime.distantPast

  /// When the next event is due; distant future when there is none.
  var next: SimTime { events.peekTime }
  var isEmpty: Bool { events.isEmpty }

  func isExtensionBusy(at now: SimTime) -> Bool { now < extensionIsBusyUntil }

  /// The service extension works on an alert for so long, after those that it has.
  mutating func change(_ event: AlertEvent, for time: SimDuration, at now: SimTime) {
    extensionIsBusyUntil = max(now, extensionIsBusyUntil) + time
    events.schedule(at: extensionIsBusyUntil, priority: .arrival, event)
  }

  mutating func open(for push: Push, at time: SimTime) {
    events.schedule(at: time, priority: .decision, AlertEvent(push: push, kind: .opensApp))
  }

  /// The next event, if it is due by `now`.
  mutating func takeDue(at now: SimTime) -> AlertEvent? {
    events.peekTime <= now ? events.popNext()?.event : nil
  }

  /// Takes all alerts from the service extension, in the order in which it would have ended them; what the user means to
  /// do stays.
  mutating func takeFromExtension(at now: SimTime) -> [AlertEvent] {
    extensionIsBusyUntil = now
    var (changed, intended): ([AlertEvent], [(time: SimTime, push: Push)]) = ([], [])
    while let next = events.popNext() {
      if next.event.kind == .changed {
        changed.append(next.event)
      } else {
        intended.append((next.time, next.event.push))
      }
    }
    for (time, push) in intended { open(for: push, at: time) }
    return changed
  }

  /// A device begins.
  mutating func begin() {
    events.removeAll()
    extensionIsBusyUntil = .distantPast
  }
}
