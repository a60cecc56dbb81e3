public import Quantities

/// **What it models.** The system rewards apps whose launches are quick, honest and useful.
///
/// **Rule.** A reputation q multiplies the refill of the hourly budget, not its burst. After each launch q moves by
/// `gain` towards a value by result: new data, no data, failed, later than the limit, never completing. A handler
/// slower than `slow_from` lowers that value linearly, to the value of a late one at the limit. An open of the app
/// moves a q below 1 by `forgiveness` of the way to 1. After `stop_after` late or missed handlers in a row: held until
/// the next open, or for `stop_for`. A late or missed handler also multiplies the app's launch spacing by `miss_factor`,
/// up to `miss_cap`; a completed one divides it again.
///
/// **Interactions.** Slows ``HourlyBudget`` and ``LaunchSpacing``.
///
/// **Scope and limitations.** The guides give the signs (C0-08, C0-17, C0-23, C4-03, C4-08); no size is published (B18).
/// Forgiveness only ever raises q: a good reputation is not lost by being used.
///
/// **Validation.** `ValidationTests`: C0-08, C0-17, C0-23, C4-03, C4-08, R-119.
///
/// **Sources.** C0-08, C0-17, C0-23, C4-03, C4-08, S6, R-37, R-119; the sizes are assumed.
public struct FetchFeedback: PolicyFactor {
  /// Unit: dimensionless.
  public var gain = 0.0
  public var newData = 0.0
  public var noData = 0.0
  public var failed = 0.0
  public var late = 0.0
  public var neverCompleting = 0.0
  /// Unit: seconds.
  public var slowFrom = 0.0
  public var forgiveness = 0.0
  /// Unit: launches in a row.
  public var stopAfter = 0.0
  /// How long such a stop lasts, unless the app is opened; 0: until it is. Unit: seconds.
  public var stopFor = 0.0
  /// By how much a missed handler stretches the app's spacing, and a completed one shrinks it back.
  public var missFactor = 1.0
  public var missCap = 1.0

  public static let id = FactorID.fetchFeedback
  public static let summary =
    "How launches end raises or lowers the refill of the budget, and may stop launches."
  public static let sources = "C0-08, C0-17, C0-23, C4-03, C4-08, S6, R-37, R-119"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "fetch_feedback.gain", .number(.count, 0...1, \.fetchFeedback.gain),
      "how far one launch moves the reputation"),
    ParameterKey(
      "fetch_feedback.new_data", .number(.count, 0...5, \.fetchFeedback.newData),
      "value of a launch with new data"),
    ParameterKey(
      "fetch_feedback.no_data", .number(.count, 0...5, \.fetchFeedback.noData),
      "value of a launch without new data"),
    ParameterKey(
      "fetch_feedback.failed", .number(.count, 0...5, \.fetchFeedback.failed), "value of a launch that failed"
    ),
    ParameterKey(
      "fetch_feedback.late", .number(.count, 0...5, \.fetchFeedback.late), "value of a launch that ended late"
    ),
    ParameterKey(
      "fetch_feedback.never_completing", .number(.count, 0...5, \.fetchFeedback.neverCompleting),
      "value of a launch whose completion handler was never called"),
    ParameterKey(
      "fetch_feedback.slow_from", .number(.time, 0...30, \.fetchFeedback.slowFrom),
      "run time from which a launch counts as slow and loses value"),
    ParameterKey(
      "fetch_feedback.forgiveness", .number(.proportion, 0...1, \.fetchFeedback.forgiveness),
      "how far an open of the app moves a bad reputation back to 1"),
    ParameterKey(
      "fetch_feedback.stop_after", .number(.count, 1...1000, \.fetchFeedback.stopAfter),
      "late or missing completions in a row after which the system launches nothing until the next open"),
    ParameterKey(
      "fetch_feedback.stop_for", .number(.time, 0...31_536_000, \.fetchFeedback.stopFor),
      "longest time that the stop after missing completions lasts; 0 means until the next open"),
    ParameterKey(
      "fetch_feedback.miss_factor", .number(.count, 1...100, \.fetchFeedback.missFactor),
      "factor on the launch spacing after a late or missing completion"),
    ParameterKey(
      "fetch_feedback.miss_cap", .number(.count, 1...10_000, \.fetchFeedback.missCap),
      "largest factor on the launch spacing after several late or missing completions"),
  ]

  /// The app's reputation on one device.
  public struct State: Sendable {
    /// 1 for an app of which nothing is known.
    public var reputation = 1.0
    /// Late or missed handlers in a row.
    public var missesInARow = 0
    /// The factor on the app's launch spacing.
    public var slowdown = 1.0
    /// When a stop ends by itself.
    public var stoppedUntil = SimTime.distantFuture

    public init() {}

    public mutating func recordOpen(_ policy: borrowing Policy) {
      recordOpen(forgiveness: policy.fetchFeedback.forgiveness)
    }

    @inlinable @inline(__always)
    mutating func recordOpen(forgiveness: Double) {
      missesInARow = 0
      if reputation < 1 { reputation += forgiveness * (1 - reputation) }
    }

    public mutating func recordResult(
      _ result: LaunchResult, runTime: SimDuration, _ policy: borrowing Policy
    ) {
      recordResult(result, runTime: runTime, policy.fetchFeedback, limit: policy.execution.limit)
    }

    @inlinable @inline(__always)
    mutating func recordResult(
      _ result: LaunchResult, runTime: SimDuration, _ parameters: FetchFeedback, limit: Double
    ) {
      let value = parameters.value(of: result, runTime: runTime.seconds, limit: limit)
      reputation += parameters.gain * (value - reputation)
      let isMiss = result == .timedOut || result == .killed
      missesInARow = isMiss ? missesInARow + 1 : 0
      if parameters.missFactor > 1 {
        slowdown =
          isMiss
          ? min(parameters.missCap, slowdown * parameters.missFactor)
          : max(1, slowdown / parameters.missFactor)
      }
    }

    /// Whether as many misses in a row as `limit` have stopped launches.
    @inlinable @inline(__always)
    func isStopped(at now: SimTime, after limit: Double) -> Bool {
      Double(missesInARow) >= limit && now < stoppedUntil
    }

    /// A stop that follows a miss at `now` ends by itself.
    @usableFromInline
    mutating func stop(from now: SimTime, _ parameters: FetchFeedback) {
      if parameters.stopFor > 0 { stoppedUntil = now + SimDuration(seconds: parameters.stopFor) }
    }
  }

  /// The value of a launch.
  ///
  /// - Parameters:
  ///   - result: how it ended.
  ///   - runTime: in seconds.
  ///   - limit: the longest run time, in seconds.
  @inlinable @inline(__always)
  public func value(of result: LaunchResult, runTime: Double, limit: Double) -> Double {
    let value: Double
    switch result {
    case .newData: value = newData
    case .noData: value = noData
    case .failed: value = failed
    case .timedOut: return late
    case .killed: return neverCompleting
    }
    guard runTime > slowFrom, limit > slowFrom else { return value }
    let slowness = min(1, (runTime - slowFrom) / (limit - slowFrom))
    return value + slowness * (min(value, late) - value)
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard
      app.pointee.memory.feedback.isStopped(
        at: context.now, after: app.pointee.policy.fetchFeedback.stopAfter)
    else { return .abstain }
    return .hold(Hold(until: app.pointee.memory.feedback.stoppedUntil, lifts: .inFront))
  }

  public init() {}
}
