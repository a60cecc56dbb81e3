import PushModel
import Quantities

/// Sees that no mechanism sends more to a device than there are random streams for, and no content changes more often
/// than memory can hold.
struct SendCount {
  /// A little less than there may be, since schedules at random send somewhat more than in the mean.
  static let most = 16_000_000.0

  let log: DiagnosticLog
  let root: YAMLNode
  /// Of the whole run, in seconds.
  let length: Double

  func check(_ strategies: [Strategy], _ content: ContentModel?) {
    let updates = content?.updates.expectedCount(in: length) ?? 0
    if updates > Self.most, let place = root["content"]?["updates"]?.span.firstLine {
      log.add(Messages.tooMany("content updates in a run", updates, Self.most, place))
    }
    for strategy in strategies {
      for plan in [strategy.backgroundPush, strategy.alertPush, strategy.voipPush].compactMap(\.self) {
        // One push at a time is sent again.
        let resends = plan.resend.map { length / $0.after.seconds } ?? 0
        let sends = plan.send.expectedSends(in: length, updates: updates) + resends
        let mechanism = root["strategies"]?[strategy.name]?[plan.mechanism.name]
        guard sends > Self.most, let place = mechanism?["send"]?.span.firstLine else { continue }
        log.add(Messages.tooMany("pushes to a device in a run", sends, Self.most, place))
      }
    }
  }
}
