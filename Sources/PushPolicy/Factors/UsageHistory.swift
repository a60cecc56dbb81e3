public import Quantities

/// **What it models.** The system learns when and how often the user opens the app, and favours apps in use.
///
/// **Rule.** A launch probability from recency and habit: 1 while the last open is within `fresh_for`, falling
/// linearly to 0 at `forgotten_after`; in the hours at which this user tends to open the app it is lifted by up to
/// `habit_weight`. Not launched: held until the next open or the next such hour, and discarded at the deadline.
///
/// **Interactions.** Drawn once, when the push arrives.
///
/// **Scope and limitations.** The guides say that usage matters (C0-03, C0-19, C4-02), not how; Apple's talk of 2020
/// says that it does not gate pushes (W9), an engineer in 2025 that it does (S12). A "such hour" is one with at least
/// `usual_hour_from` of the opens of the busiest hour. Weekdays and weekends are learned apart.
///
/// **Validation.** `ValidationTests`: C0-19 (long unused), R-24 (often used is woken sooner than rarely used).
///
/// **Sources.** C0-03, C0-19, C4-02, W3, W9, S12, R-24; the shape is assumed.
public struct UsageHistory: PolicyFactor {
  /// Unit: seconds.
  public var freshFor = 0.0
  /// Unit: seconds.
  public var forgottenAfter = 0.0
  /// Unit: dimensionless, 0 to 1.
  public var habitWeight = 0.0
  /// Unit: seconds.
  public var halfLife = 0.0
  /// Unit: opens.
  public var opensNeeded = 0.0
  /// Unit: dimensionless, 0 to 1.
  public var usualHourFrom = 0.0

  public static let id = FactorID.usageHistory
  public static let summary =
    "An app that is not in use is launched less often, and more in its user's usual hours."
  public static let sources = "C0-03, C0-19, C4-02, W3, W9, S12, R-24"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "usage_history.fresh_for", .number(.time, 0...8_640_000, \.usageHistory.freshFor),
      "time since the last open within which every push may launch the app"),
    ParameterKey(
      "usage_history.forgotten_after", .number(.time, 60...31_536_000, \.usageHistory.forgottenAfter),
      "time since the last open after which only habit speaks for the app"),
    ParameterKey(
      "usage_history.habit_weight", .number(.proportion, 0...1, \.usageHistory.habitWeight),
      "how far the busiest hour lifts the launch probability"),
    ParameterKey(
      "usage_history.half_life", .number(.time, 3600...31_536_000, \.usageHistory.halfLife),
      "time after which an open counts half in the habit"),
    ParameterKey(
      "usage_history.opens_needed", .number(.count, 0...1000, \.usageHistory.opensNeeded),
      "opens (so weighted) before there is a habit"),
    ParameterKey(
      "usage_history.usual_hour_from", .number(.proportion, 0.01...1, \.usageHistory.usualHourFrom),
      "opens of an hour, relative to the busiest, from which a held push is released in it"),
  ]

  /// What the system has learned of one user and one app.
  public struct State: Sendable {
    /// Local time is simulated time plus this.
    public var utcOffset = SimDuration.zero
    public var lastOpen = SimTime.distantPast
    /// Opens by local hour, weekdays then weekends, each counted 2^(time / half-life): so the ratio of two hours is
    /// the ratio of their exponentially forgotten counts, and nothing needs to decay.
    @usableFromInline var hours = InlineArray<48, Double>(repeating: 0)
    @usableFromInline var total = 0.0

    public init() {}

    /// The index of the local hour, and of the local day type, at `t`. The run starts on a Monday.
    @inlinable func hourIndex(at t: SimTime) -> Int {
      let hour: Int64 = 3_600_000_000
      var index = (t + utcOffset).microseconds / hour
      if (t + utcOffset).microseconds < 0, (t + utcOffset).microseconds % hour != 0 { index -= 1 }
      let day = (index / 24 - (index % 24 < 0 ? 1 : 0)) % 7
      let weekday = (day + 7) % 7
      return Int(((index % 24) + 24) % 24) + (weekday >= 5 ? 24 : 0)
    }

    @usableFromInline static func growth(_ t: SimTime, halfLife: Double) -> Double {
      // exp2 without the C library's name: 2^x for |x| below 1,000, enough for a century of days.
      let x = t.seconds / max(halfLife, 1)
      return powerOfTwo(min(1000, max(-1000, x)))
    }

    @inlinable public mutating func recordOpen(at now: SimTime, _ policy: borrowing Policy) {
      lastOpen = now
      let weight = Self.growth(now, halfLife: policy.usageHistory.halfLife)
      hours[hourIndex(at: now)] += weight
      total += weight
    }

    /// Whether enough opens are remembered at `now` to speak of a habit.
    @usableFromInline func hasHabit(at now: SimTime, _ parameters: UsageHistory) -> Bool {
      total >= parameters.opensNeeded * Self.growth(now, halfLife: parameters.halfLife) && total > 0
    }

    /// Opens in the hour of `now` relative to the busiest hour of that type of day: 0 to 1.
    @usableFromInline func relativeUse(at now: SimTime) -> Double {
      relativeUse(index: hourIndex(at: now))
    }

    @usableFromInline func relativeUse(index: Int) -> Double {
      let first = index < 24 ? 0 : 24
      var busiest = 0.0
      for hour in first..<first + 24 { busiest = max(busiest, hours[hour]) }
      return busiest > 0 ? hours[index] / busiest : 0
    }

    /// The start of the next usual hour after the hour of `now`; distant future when none within two weeks.
    @usableFromInline func nextUsualHour(after now: SimTime, _ parameters: UsageHistory) -> SimTime {
      let hour: Int64 = 3_600_000_000
      let local = (now + utcOffset).microseconds
      let startOfHour = local - ((local % hour) + hour) % hour
      for ahead in 1...(24 * 14) {
        let start = SimTime(microseconds: startOfHour + Int64(ahead) * hour) - utcOffset
        if relativeUse(at: start) >= parameters.usualHourFrom { return start }
      }
      return .distantFuture
    }
  }

  /// The probability that recency and habit let a push launch the app at `now`.
  @inlinable
  public func launchProbability(at now: SimTime, _ state: borrowing State) -> Double {
    let age = state.lastOpen == .distantPast ? .infinity : (now - state.lastOpen).seconds
    if age <= freshFor { return 1 }
    return agedProbability(age, at: now, state)
  }

  @usableFromInline
  func agedProbability(_ age: Double, at now: SimTime, _ state: borrowing State) -> Double {
    let recency =
      forgottenAfter > freshFor ? max(0, 1 - (age - freshFor) / (forgottenAfter - freshFor)) : 0
    guard habitWeight > 0, state.hasHabit(at: now, self) else { return recency }
    return min(1, recency + habitWeight * state.relativeUse(at: now))
  }

  @inlinable
  public static func evaluate(
    _ context: DeliveryContext, _ memory: borrowing AppMemory, _ policy: borrowing Policy
  ) -> Verdict {
    if context.occasion != .arrival {
      guard context.usageHeldUntil > context.now else { return .abstain }
      return .hold(Hold(until: context.usageHeldUntil, lifts: .inFront))
    }
    let probability = policy.usageHistory.launchProbability(at: context.now, memory.use)
    if probability >= 1 { return .abstain }
    return notLaunched(1 - probability, context, memory, policy)
  }

  @usableFromInline
  static func notLaunched(
    _ probability: Double, _ context: DeliveryContext, _ memory: borrowing AppMemory,
    _ policy: borrowing Policy
  ) -> Verdict {
    let parameters = policy.usageHistory
    let until =
      parameters.habitWeight > 0 && memory.use.hasHabit(at: context.now, parameters)
      ? memory.use.nextUsualHour(after: context.now, parameters) : .distantFuture
    let hold = Hold(until: until, lifts: .inFront)
    return probability >= 1 ? .hold(hold) : .holdWithProbability(probability, hold)
  }

  public init() {}
}

/// 2^x by splitting off the whole part; the rest by its series, to the last digits of a double.
@usableFromInline
func powerOfTwo(_ x: Double) -> Double {
  let whole = x.rounded(.down)
  let y = (x - whole) * 0.693_147_180_559_945_3
  var term = 1.0
  var sum = 1.0
  for k in 1...20 {
    term *= y / Double(k)
    sum += term
  }
  return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
}
