public import Quantities

/// **What it models.** The scheduler's score, the weighted mean of what speaks for a launch and what against it.
///
/// **Rule.** By itself a score of 1 with `weight`, for the policies that logs do not name because they do not object. A push is held
/// while the mean of all scores is under a threshold that falls from `threshold_first` to `threshold_last` over `falls_for`
/// from the start of the hold.
///
/// **Interactions.** Averages ``DeviceInUse``, ``NetworkQuality`` and, under its rule `soft`, ``UsageHistory``. A launch beside
/// other work of the system passes it.
///
/// **Scope and limitations.** The form is logged (D23 to D32), the numbers hardly; at the logged weights it is nearly inert but for use.
///
/// **Validation.** `ValidationTests`: R-24.
///
/// **Sources.** D23, D24, D28, D31, D32; the values are assumed.
public struct Score: PolicyFactor {
  public var weight = 0.0
  public var first = 0.0
  public var last = 0.0
  /// Unit: seconds.
  public var fallsFor = 0.0

  public static let id = FactorID.score
  public static let summary = "Held while the weighted mean of all scores is under a falling threshold."
  public static let sources = "D23, D24, D28, D31, D32"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "score.weight", .number(.count, 0...10_000, \.score.weight),
      "weight of all scheduler policies that do not object"),
    ParameterKey(
      "score.threshold_first", .number(.proportion, 0...1, \.score.first),
      "score that a push needs when its hold begins"),
    ParameterKey(
      "score.threshold_last", .number(.proportion, 0...1, \.score.last),
      "score that a push needs at the end of the fall"),
    ParameterKey(
      "score.falls_for", .number(.time, 60...2_592_000, \.score.fallsFor),
      "time over which the score threshold falls"),
  ]

  /// Holds, or says that it would, when the mean of what was added so far is under the threshold.
  @usableFromInline
  static func judge(
    _ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>, _ decision: inout Decision
  ) {
    guard let hold = hold(context, app.pointee.policy.score, mean: decision.score) else { return }
    if app.pointee.policy.enabled.contains(.score) {
      decision.add(hold, by: .score)
    } else if app.pointee.policy.shadowed.contains(.score) {
      decision.shadow.insert(.score)
    }
  }

  /// The hold under a mean of all scores; nil when the mean reaches the threshold.
  static func hold(_ context: DeliveryContext, _ parameters: Score, mean: Double) -> Hold? {
    guard context.occasion != .release else { return nil }
    let held = (context.now - context.heldSince).seconds
    let fall = parameters.fallsFor > 0 ? min(1, held / parameters.fallsFor) : 1
    let threshold = parameters.first + fall * (parameters.last - parameters.first)
    // Times are rounded, and while a hold lasts the mean may fall a little too.
    guard mean < threshold - 1e-6 else { return nil }
    var until = SimTime.distantFuture
    if mean >= parameters.last, parameters.first > parameters.last {
      let share = (parameters.first - mean) / (parameters.first - parameters.last)
      until = max(
        context.now + .seconds(1), context.heldSince + SimDuration(seconds: share * parameters.fallsFor))
    }
    return Hold(until: until, lifts: [.screenOn, .wifi, .inFront])
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    .proceed(score: 1, weight: app.pointee.policy.score.weight)
  }

  public init() {}
}
