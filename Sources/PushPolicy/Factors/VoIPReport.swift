public import Quantities

/// **What it models.** An app has to report a call for every VoIP push. One that does not is terminated, and one that
/// often does not gets no more VoIP pushes.
///
/// **Rule.** ``VoIPPush/handle(_:state:isInCall:systemVersion:isKilledUncompleted:app:)`` says whether a push was a
/// violation. From `violations` of them on: never while the app is in the background, until it is installed anew.
///
/// **Interactions.** An app in the front gets its calls also when it is blocked (V7 exempts it from the rule; R-137). APNs answers 200 all along, and neither the server nor the app can tell (V8, R-76).
///
/// **Scope and limitations.** The rule holds for apps built with the SDK of iOS 13 or later (V1); here it goes by the
/// version of the device. Neither a restart nor an open of the app lifts the block (V10). Apple publishes no count (V9).
///
/// **Validation.** T10 and T11 in `VoIPReports`, `GuideVoIPHandlingTests`.
///
/// **Sources.** V1, V4, V5, V7 to V10, V14, R-72, R-74 to.
public struct VoIPReport: PolicyFactor {
  /// Violations since the install from which on there are no more VoIP pushes.
  public var violations = Double.infinity
  /// From the push to the check that a call has been reported. Unit: seconds.
  public var checkAfter = Double.infinity
  /// The first system version with the rule.
  public var since = 1000.0
  /// Whether an app that is in a call need not report another one.
  public var exemptInCall = true
  /// How long after a change of the network interface the report of an app that is launched for it may fail. Unit: seconds.
  public var changeWindow = 0.0
  /// The chance that it then fails. Unit: dimensionless, 0 to 1.
  public var failsAfterChange = 0.0

  public static let id = FactorID.voipReport
  public static let summary =
    "An app that does not report its calls gets no more of them in the background until it is reinstalled."
  public static let sources = "V1, V4, V5, V7 to V10, V14, R-72, R-74 to R-77, R-84, R-137"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "voip_report.violations", .number(.count, 1...1000, \.voipReport.violations),
      "VoIP pushes without a reported call after which the system delivers no more of them"),
    ParameterKey(
      "voip_report.check_after", .number(.time, 0.1...3600, \.voipReport.checkAfter),
      "time from a VoIP push to the check that the app has reported a call"),
    ParameterKey(
      "voip_report.since", .number(.count, 1...1000, \.voipReport.since),
      "first system version on which an app must report a call for every VoIP push"),
    ParameterKey(
      "voip_report.exempt_in_call", .flag(\.voipReport.exemptInCall),
      "whether an app that is in a call may leave another call unreported"),
    ParameterKey(
      "voip_report.change_window", .number(.time, 0...86_400, \.voipReport.changeWindow),
      "time after a change of network during which an app may fail to report a call"),
    ParameterKey(
      "voip_report.fails_after_change", .number(.proportion, 0...1, \.voipReport.failsAfterChange),
      "probability that an app fails to report a call soon after a change of network"),
  ]

  /// What the system holds against one install of an app.
  public struct State: Sendable, Equatable {
    /// VoIP pushes without a reported call since the install.
    public var violations = 0
    public init() {}
  }

  /// The chance that an app which means to report the call cannot. Unit: dimensionless, 0 to 1.
  ///
  /// - Parameters:
  ///   - sinceChange: time since the device last changed between Wi-Fi and cellular.
  ///   - wasKilled: whether the app did not run and is launched for the push.
  public func failure(sinceChange: SimDuration, wasKilled: Bool) -> Double {
    wasKilled && sinceChange < SimDuration(seconds: changeWindow) ? failsAfterChange : 0
  }

  @inlinable
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard context.request.contains(.voip), !context.state.contains(.inFront) else { return .abstain }
    let counted = Double(app.pointee.memory.voipReport.violations)
    return counted >= app.pointee.policy.voipReport.violations ? .never : .abstain
  }

  public init() {}
}
