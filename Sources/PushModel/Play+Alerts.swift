import PushPolicy
import Quantities

extension Play {
  /// An alert is on the device, and the user allows it to be shown.
  mutating func arriveAlert(_ push: Push, at now: SimTime) {
    show(push, at: now)
  }

  mutating func endExtension(_ push: Push, at now: SimTime) {
    show(push, at: now)
  }

  private mutating func show(_ push: Push, at now: SimTime) {
    if push.counts { tally.shown += 1 }
    countDelivered(push, at: now)
  }

  mutating func arriveCall(_ push: Push, at now: SimTime) {
    countDelivered(push, at: now)
  }
}
