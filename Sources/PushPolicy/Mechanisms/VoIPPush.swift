public import Quantities

/// **What it models.** A push of the type `voip`, which PushKit hands to the app and for which the app reports an incoming
/// call to CallKit.
///
/// **Rule.** The app is launched whatever the state of the battery, Low Power Mode, the switches and the app switcher: only
/// ``BackgroundMode``, ``VoIPRate`` and ``VoIPReport`` are asked. Then
/// ``handle(_:state:isInCall:systemVersion:isKilledUncompleted:app:)`` says what becomes of it. With ``VoIPReport`` on, an app
/// that is in the background and not in a call has to report one before its delegate method returns, and no later than at
/// the check some seconds after the push; else it is terminated, which counts against it. With that factor off, as in the
/// guides, the app has `limit` to report and to call the completion handler.
///
/// **Interactions.** None with pushes of other types: a VoIP push draws on no budget and gives no feedback.
///
/// **Scope and limitations.** What a call does to the device and the app is not modelled, nor what a user does with it. The
/// metadata that from version 26.4 on says whether a report is due (V13) is not modelled. W5 says that the switch for
/// background refresh stops every background mode; no report shows that of VoIP pushes, so it does not here.
///
/// **Sources.** C1-09, C3-04, C3-07 to C3-10, C3-12; V1 to V12, V14, R-71, R-77, R-84.
public struct VoIPPush: Sendable {
  /// Whether APNs stores a VoIP push, up to its expiration, for a device that is not reachable.
  public var stores = true
  /// The largest payload. Unit: bytes.
  public var payloadLimit = Double.infinity
  /// Median of the time from APNs to a device that is online. Unit: seconds.
  public var transitMedian = 0.0
  /// Standard deviation of the logarithm of that time.
  public var transitSigma = 0.0
  /// The longest such time; longer draws are cut to it. Unit: seconds.
  public var transitLongest = Double.infinity
  /// The longest time that the app may take. Unit: seconds.
  public var limit = 0.0
  /// The chance that an app which does not call the completion handler in time is terminated. Unit: dimensionless, 0 to 1.
  public var killedUncompleted = 0.0

  public init() {}

  /// What the app does with a VoIP push. Times are from the launch or the call of the delegate method.
  @frozen
  public struct Handling: Equatable, Sendable, BitwiseCopyable {
    /// When it reports the call to CallKit; nil if it never does.
    public var reportsAfter: SimDuration?
    /// Whether the delegate method returns at once, with the report still to come. Otherwise it returns after the report or,
    /// without one, when the app is done.
    public var returnsFirst: Bool
    /// When it calls the completion handler; nil if it never does.
    public var completesAfter: SimDuration?

    @inlinable
    public init(reportsAfter: SimDuration?, returnsFirst: Bool, completesAfter: SimDuration?) {
      self.reportsAfter = reportsAfter
      self.returnsFirst = returnsFirst
      self.completesAfter = completesAfter
    }

    /// An app that means to report and cannot: see ``VoIPReport/failure(sinceChange:wasKilled:)``.
    @inlinable public static var stuck: Handling {
      Handling(reportsAfter: nil, returnsFirst: false, completesAfter: nil)
    }
  }

  @frozen
  public enum Outcome: UInt8, NamedByCase, Sendable, CaseIterable, BitwiseCopyable {
    /// A call was reported, and rings.
    case rang
    /// No call was reported, and nothing follows.
    case silent
    /// Not processed within the time limit.
    case timedOut
    /// Terminated when the delegate method returned without a report.
    case killedAtReturn
    /// Terminated at the check some seconds after the push.
    case killedAtCheck
    /// Terminated for want of the completion handler. The call may have rung before.
    case killedUncompleted
  }

  /// What became of a VoIP push that reached the app.
  @frozen
  public struct Result: Equatable, Sendable, BitwiseCopyable {
    public var outcome: Outcome
    /// From the launch to the call screen; nil if there is none.
    public var ringsAfter: SimDuration?
    /// How long the app ran for the push, a call apart.
    public var runTime: SimDuration
    /// Whether it counts against the app: see ``VoIPReport``.
    public var isViolation: Bool

    @inlinable
    public init(outcome: Outcome, ringsAfter: SimDuration?, runTime: SimDuration, isViolation: Bool) {
      self.outcome = outcome
      self.ringsAfter = ringsAfter
      self.runTime = runTime
      self.isViolation = isViolation
    }
  }

  /// What becomes of a VoIP push that the policy let through.
  ///
  /// Pure. The model books the result with ``AppUnderPolicy/recordVoIPPush(_:at:)``.
  ///
  /// - Parameters:
  ///   - isInCall: whether a call of the app is going on.
  ///   - systemVersion: the major version, such as 18.
  ///   - isKilledUncompleted: the draw, with ``killedUncompleted``, of whether a late completion handler ends the app.
  ///   - app: by its address: see ``PolicyFactor/evaluate(_:_:)``.
  public static func handle(
    _ handling: Handling, state: DeviceState, isInCall: Bool, systemVersion: Double,
    isKilledUncompleted: Bool,
    app: UnsafePointer<AppUnderPolicy>
  ) -> Result {
    if mustReport(state: state, isInCall: isInCall, systemVersion: systemVersion, app) {
      if let violation = violation(handling, app) { return violation }
    }
    // Only the background has a time limit.
    let limit =
      state.contains(.inFront)
      ? SimDuration(microseconds: .max) : SimDuration(seconds: app.pointee.policy.voip.limit)
    let report = handling.reportsAfter.flatMap { $0 <= limit ? $0 : nil }
    guard let completion = handling.completesAfter, completion <= limit else {
      // An app in the front goes on whatever it forgets.
      guard !state.contains(.inFront) else {
        return ended(report == nil ? .silent : .rang, report, report ?? .zero)
      }
      if isKilledUncompleted { return ended(.killedUncompleted, report, limit) }
      return ended(report == nil ? .timedOut : .rang, report, limit)
    }
    if let report { return ended(.rang, report, max(report, completion)) }
    return handling.reportsAfter == nil ? ended(.silent, nil, completion) : ended(.timedOut, nil, limit)
  }

  /// Whether the system asks for a report: of an app in the background that is not in a call.
  static func mustReport(
    state: DeviceState, isInCall: Bool, systemVersion: Double, _ app: UnsafePointer<AppUnderPolicy>
  ) -> Bool {
    app.pointee.policy.enabled.contains(.voipReport) && systemVersion >= app.pointee.policy.voipReport.since
      && !state.contains(.inFront) && !(isInCall && app.pointee.policy.voipReport.exemptInCall)
  }

  private static func violation(_ handling: Handling, _ app: UnsafePointer<AppUnderPolicy>) -> Result? {
    func violation(_ outcome: Outcome, at time: SimDuration) -> Result {
      Result(outcome: outcome, ringsAfter: nil, runTime: time, isViolation: true)
    }
    if handling.returnsFirst { return violation(.killedAtReturn, at: .zero) }
    let check = SimDuration(seconds: app.pointee.policy.voipReport.checkAfter)
    if let report = handling.reportsAfter {
      return report <= check ? nil : violation(.killedAtCheck, at: check)
    }
    guard let completion = handling.completesAfter, completion <= check else {
      return violation(.killedAtCheck, at: check)
    }
    return violation(.killedAtReturn, at: completion)
  }

  private static func ended(_ outcome: Outcome, _ report: SimDuration?, _ runTime: SimDuration) -> Result {
    Result(outcome: outcome, ringsAfter: report, runTime: runTime, isViolation: false)
  }

  static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "voip.stores", .flag(\.voip.stores),
      "whether APNs stores a VoIP push until its expiration for a device that it cannot reach"),
    ParameterKey(
      "voip.payload_limit", .number(.bytes, 1...1_000_000, \.voip.payloadLimit),
      "largest payload of a VoIP push; APNs answers a larger one with 413"),
    ParameterKey(
      "voip.transit_median", .number(.time, 0...3600, \.voip.transitMedian),
      "median time from APNs to an online device for a VoIP push"),
    ParameterKey(
      "voip.transit_sigma", .number(.count, 0...3, \.voip.transitSigma),
      "spread (sigma of the logarithm) of the time from APNs to an online device"),
    ParameterKey(
      "voip.transit_longest", .number(.time, 0...86_400, \.voip.transitLongest),
      "longest time from APNs to an online device; longer draws are cut to it"),
    ParameterKey(
      "voip.limit", .number(.time, 1...3600, \.voip.limit),
      "longest time that the app may take for a VoIP push"),
    ParameterKey(
      "voip.killed_uncompleted", .number(.proportion, 0...1, \.voip.killedUncompleted),
      "probability that the system terminates an app that does not call the completion handler in time"),
  ]
}

extension AppUnderPolicy {
  /// A VoIP push has been handed to the app, at `now`, and comes to `result`: the device's interval begins, and a violation
  /// counts against the install. A new install starts afresh with `memory.voipReport = .init()`.
  public mutating func recordVoIPPush(_ result: VoIPPush.Result, at now: SimTime) {
    memory.voipRate.lastTaken = now
    if result.isViolation { memory.voipReport.violations += 1 }
  }
}
