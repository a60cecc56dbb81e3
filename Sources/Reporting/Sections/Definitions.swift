import Experiments
import PushModel
import PushPolicy
import Quantities

/// What the names in a result mean, so that a result explains itself.
enum Definitions {
  static func record(_ result: ExperimentResult) -> DefinitionsRecord {
    let metrics = Metric.all.filter { metric in
      result.runs.contains { $0.strategies.contains { $0.metric(metric.name) != nil } }
    }
    var reasons = FactorRegistry.all.map { ($0.id.name, $0.summary) }
    reasons += (FactorID.allCases.count..<Reason.count).compactMap { index in
      let reason = Reason(index: index)
      return meaning(reason).map { (reason.name, $0) }
    }
    reasons += TaskReason.allCases.compactMap { reason in meaning(reason).map { (reason.name, $0) } }
    return DefinitionsRecord(
      metrics: Named(metrics.map { ($0.name, $0.summary) }),
      fates: Named(Fate.allCases.map { ($0.name, meaning($0)) }), reasons: Named(reasons))
  }

  private static func meaning(_ fate: Fate) -> String {
    switch fate {
    case .rejected: "APNs answered with an error, and the provider gave up"
    case .discardedAtAPNs: "APNs took it and knew that it could not be delivered"
    case .expiredAtAPNs: "APNs kept it until it expired, the device being out of reach or asleep"
    case .overwrittenAtAPNs: "APNs keeps one such push for a device, and kept another one"
    case .lost: "on its way to a device that was gone, or after APNs had stored it"
    case .notWakeable: "it reached a device on which the app may not be woken at all"
    case .coalescedOnDevice: "on the device, a newer push took its place before it was handed over"
    case .discardedByPolicy: "it reached the device, and the system did not hand it to the app"
    case .delivered: "it woke or reached the app, or was shown"
    case .pending: "still under way when the run ended"
    }
  }

  private static func meaning(_ reason: TaskReason) -> String? {
    switch reason {
    case .requiresPower: "the request asks for external power, and there was none"
    case .requiresNetwork: "the request asks for a network, and there was none"
    case .needsIdle: "somebody used the device"
    case .cpuCap: "the processor was busier than the cap for processing tasks"
    case .onBattery: "without a charger the system takes only a share of the opportunities"
    default: nil
    }
  }

  private static func meaning(_ reason: Reason) -> String? {
    switch reason {
    case .notInstalled: "the app was removed while the push was on the device"
    case .tokenInactive: "APNs knows that the token is gone"
    case .notificationsDisabled: "the user does not allow notifications, and the push is one to be shown"
    case .unregistered: "the token is no longer valid"
    case .expired: "the expiration in the push's header, or APNs' own limit, was over"
    case .newerPush: "a newer push took the one slot"
    case .olderPush: "the one slot kept the push that was there"
    case .pushTypeIgnored: "the device ignores a silent push whose type is not `background`"
    case .deviceOff: "the device was off when the push had waited for as long as it may"
    case .priorityIgnored: "the device ignores a silent push whose priority is 10"
    default: reason.status.map { "an answer of APNs with status \($0)" }
    }
  }
}
