import EventKernel
import PushPolicy
import Quantities

/// The pushes on their way to the device at hand, and those that wait at the provider for their request.
///
/// A push is in here from the moment it goes out until it arrives. `Play+APNs` puts it in; the loop of `Play` takes it
/// out, and so does the end of the run. Nobody else sees it meanwhile.
struct PushesInTransit: ~Copyable {
  /// The arrival of the push that went out while none was on its way, which is nearly every one.
  private var firstArrival = SimTime.distantFuture
  private var first = Push(number: 0, .background, place: 0, counts: false, sent: .zero)
  private var others = EventQueue<Push>()

  /// When the next push arrives, or is requested; distant future when there is none.
  var next: SimTime { min(firstArrival, others.peekTime) }

  mutating func transmit(_ push: Push, arrivingAt time: SimTime) {
    if firstArrival == .distantFuture, others.isEmpty {
      // Never at the instant that means that there is none.
      firstArrival = min(time, SimTime(microseconds: .max - 1))
      first = push
    } else {
      others.schedule(at: time, priority: .arrival, push)
    }
  }

  /// The provider makes its request at `time`.
  mutating func keepAtProvider(_ push: Push, until time: SimTime) {
    var push = push
    push.isAtProvider = true
    others.schedule(at: time, priority: .decision, push)
  }

  /// The push whose time is `next`, which must not be distant future. At the same instant the one that went out first:
  /// all others went out after `first`.
  mutating func take() -> Push {
    guard firstArrival <= others.peekTime else { return others.popNext()!.event }
    firstArrival = .distantFuture
    return first
  }

  mutating func removeAll() {
    firstArrival = .distantFuture
    others.removeAll()
  }
}
