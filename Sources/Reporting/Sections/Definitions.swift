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
      return reason.meaning.map { (reason.name, $0) }
    }
    reasons += TaskReason.allCases.compactMap { reason in reason.meaning.map { (reason.name, $0) } }
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
}
