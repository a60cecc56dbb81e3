import Quantities

extension Play {
  /// An alert is on the device, and the user allows it to be shown: it never waits for the policy.
  mutating func arriveAlert(_ push: Push, at now: SimTime) {
    if push.counts { tally.shown += 1 }
    countDelivered(push, at: now)
    // The wake that it may ask for beside has no fate of its own: the push has had its end.
    if channel.mayWake { arrive(push.echo, at: now) }
  }
}
