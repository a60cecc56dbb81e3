public import Quantities

/// **What it models.** The system learns when and how often the user opens the app, and favours apps in use.
///
/// **Rule.** A launch probability from recency and habit: 1 while the last open is within `fresh_for`, falling
/// linearly to 0 at `forgotten_after`; in the hours at which this user tends to open the app it is lifted by up to
/// `habit_weight`. Not launched: held until the next open or the next such hour, and discarded at the deadline.
///
/// That is the rule `probability`. Under `soft` the recency alone is a part of ``Score``; under `hard` a push is held from
/// `hard_after` until the next open.
///
/// **Interactions.** Drawn once, when the push arrives; under `soft` read by ``Score``.
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

  /// The rule that counts: the index in ``gates``.
  public var gate = 0
  /// The weight of use in the score, under the rule `soft`.
  public var softWeight = 0.0
  /// Time since the last open from which the rule `hard` holds. Unit: seconds.
  public var hardAfter = 0.0

  static let gates = ["probability", "soft", "hard"]

  public static let id = FactorID.usageHistory
  public static let summary =
    "An app that is not in use is launched less often, and more in its user's usual hours."
  public static let sources = "C0-03, C0-19, C4-02, W3, W9, S12, R-24"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "usage_history.gate", .choice(gates, \.usageHistory.gate),
      "how use acts: as a launch probability, as part of the score, or as a hold"),
    ParameterKey(
      "usage_history.soft_weight", .number(.count, 0...1000, \.usageHistory.softWeight),
      "weight of use in the total score under the rule `soft`"),
    ParameterKey(
      "usage_history.hard_after", .number(.time, 60...31_536_000, \.usageHistory.hardAfter),
      "time since the last open after which the rule `hard` holds pushes until the next open"),
    ParameterKey(
      "usage_history.fresh_for", .number(.time, 0...8_640_000, \.usageHistory.freshFor),
      "time since the last open during which use never holds a push"),
    ParameterKey(
      "usage_history.forgotten_after", .number(.time, 60...31_536_000, \.usageHistory.forgottenAfter),
      "time since the last open after which only the learned habit counts"),
    ParameterKey(
      "usage_history.habit_weight", .number(.proportion, 0...1, \.usageHistory.habitWeight),
      "how much the busiest hour raises the launch probability"),
    ParameterKey(
      "usage_history.half_life", .number(.time, 86_400...31_536_000, \.usageHistory.halfLife),
      "time after which an open counts half in the learned habit"),
    ParameterKey(
      "usage_history.opens_needed", .number(.count, 0...1000, \.usageHistory.opensNeeded),
      "opens, weighted by age, from which on there is a habit"),
    ParameterKey(
      "usage_history.usual_hour_from", .number(.proportion, 0.01...1, \.usageHistory.usualHourFrom),
      "opens in an hour, relative to the busiest hour, from which that hour releases held pushes"),
  ]

  /// What the system has learned of one user and one app.
  ///
  /// Opens are rare and questions frequent, so an open works out what the questions need.
  public struct State: Sendable {
    /// Local time is simulated time plus this.
    public var utcOffset = SimDuration.zero
    public var lastOpen = SimTime.distantPast
    /// Opens by local hour, weekdays then weekends, each counted 2^(time / half-life): so the ratio of two hours is
    /// the ratio of their exponentially forgotten counts, and nothing needs to decay.
    @usableFromInline var hours = InlineArray<48, Double>(repeating: 0)
    @usableFromInline var total = 0.0
    /// The largest count among weekday hours, and among weekend hours.
    @usableFromInline var busiest = InlineArray<2, Double>(repeating: 0)
    /// The usual hours of weekdays and of weekends, a bit per hour.
    @usableFromInline var usual = InlineArray<2, UInt32>(repeating: 0)
    /// Until when enough opens are remembered to speak of a habit.
    @usableFromInline var habitEnds = SimTime.distantPast

    public init() {}

    /// The local hour of the week's type at `t`: 0 to 23 on weekdays, 24 to 47 on weekends. The run starts on a Monday.
    @inlinable @inline(__always)
    func hourIndex(at t: SimTime) -> Int { Self.hourIndex(at: t, utcOffset: utcOffset) }

    @inlinable @inline(__always)
    static func hourIndex(at t: SimTime, utcOffset: SimDuration) -> Int {
      let hour: Int64 = 3_600_000_000
      let local = (t + utcOffset).microseconds
      // Rounded down, also before the start.
      let index = local >= 0 ? local / hour : -((hour - 1 - local) / hour)
      let ofWeek = ((index % 168) + 168) % 168
      return Int(ofWeek % 24) + (ofWeek >= 120 ? 24 : 0)
    }

    @inlinable @inline(__always)
    public mutating func recordOpen(at now: SimTime, _ policy: borrowing Policy) {
      recordOpen(at: now, policy.usageHistory)
    }

    @usableFromInline mutating func recordOpen(at now: SimTime, _ parameters: UsageHistory) {
      lastOpen = now
      let halfLife = max(parameters.halfLife, 1)
      // A century of days stays far from the largest double.
      let weight = powerOfTwo(min(1000, max(-1000, now.seconds / halfLife)))
      let index = hourIndex(at: now)
      hours[index] += weight
      total += weight
      let type = index < 24 ? 0 : 1
      busiest[type] = max(busiest[type], hours[index])
      var mask: UInt32 = 0
      for hour in 0..<24 where hours[24 * type + hour] >= parameters.usualHourFrom * busiest[type] {
        mask |= 1 << UInt32(hour)
      }
      usual[type] = mask
      habitEnds =
        parameters.opensNeeded > 0
        ? .zero + SimDuration(seconds: halfLife * binaryLogarithm(total / parameters.opensNeeded))
        : .distantFuture
    }

    /// Whether enough opens are remembered at `now` to speak of a habit.
    @inlinable @inline(__always)
    func hasHabit(at now: SimTime) -> Bool { now <= habitEnds }

    /// Opens in the hour of `now` relative to the busiest hour of that type of day: 0 to 1.
    @inlinable @inline(__always)
    func relativeUse(at now: SimTime) -> Double {
      let index = hourIndex(at: now)
      let most = busiest[index < 24 ? 0 : 1]
      return most > 0 ? hours[index] / most : 0
    }

    /// Opens to be expected from `now` on, as the same hours of past days tell, weekdays and weekends apart. Days before
    /// the first open count as days without, so that what is expected of a new install grows with its days.
    ///
    /// - Parameters:
    ///   - ahead: within how many seconds.
    ///   - halfLife: that of the policy, in seconds.
    public func expectedOpens(from now: SimTime, within ahead: Double, halfLife: Double) -> Double {
      let hour: Int64 = 3_600_000_000
      let halfLife = max(halfLife, 1)
      let perDay = powerOfTwo(-86_400 / halfLife)
      var start = now
      var left = SimDuration(seconds: ahead).microseconds
      var opens = 0.0
      while left > 0 {
        let local = (start + utcOffset).microseconds
        let ofHour = ((local % hour) + hour) % hour
        let piece = min(left, hour - ofHour)
        opens += opensInHour(of: start, halfLife: halfLife, perDay: perDay) * Double(piece) / Double(hour)
        start += SimDuration(microseconds: piece)
        left -= piece
      }
      return opens
    }

    /// Mean opens in the hour of `t`, over the past days of its type, each day weighted by `perDay` of the next.
    private func opensInHour(of t: SimTime, halfLife: Double, perDay: Double) -> Double {
      let index = hourIndex(at: t)
      let hour: Int64 = 3_600_000_000
      let local = (t + utcOffset).microseconds
      let ofHour = ((local % hour) + hour) % hour
      var day = (((local - ofHour) / hour % 168) + 168) % 168 / 24
      var weight = 1.0
      var ofType = 0.0
      for _ in 0..<7 {
        weight *= perDay
        day = day == 0 ? 6 : day - 1
        if (day >= 5) == (index >= 24) { ofType += weight }
      }
      // What a week weighs repeats from week to week.
      let days = ofType / (1 - weight)
      let age = powerOfTwo(min(1000, max(-1000, -t.seconds / halfLife)))
      return days > 0 ? hours[index] * age / days : 0
    }

    /// The start of the next usual hour after the hour of `now`; distant future when there is none.
    @inlinable @inline(__always)
    func nextUsualHour(after now: SimTime) -> SimTime {
      Self.nextUsualHour(after: now, utcOffset: utcOffset, weekdays: usual[0], weekends: usual[1])
    }

    // Takes only what it needs: handing over the whole state would copy it.
    @usableFromInline static func nextUsualHour(
      after now: SimTime, utcOffset: SimDuration, weekdays: UInt32, weekends: UInt32
    ) -> SimTime {
      let hour: Int64 = 3_600_000_000
      let local = (now + utcOffset).microseconds
      let ofHour = ((local % hour) + hour) % hour
      let hourOfWeek = (((local - ofHour) / hour % 168) + 168) % 168
      let startOfHour = SimTime(microseconds: local - ofHour) - utcOffset
      var day = hourOfWeek / 24
      // What is left of today, then whole days: the same day of the next week is the last to try.
      let today = (day < 5 ? weekdays : weekends) >> UInt32(hourOfWeek % 24 + 1)
      if today != 0 { return startOfHour + .hours(Int64(today.trailingZeroBitCount + 1)) }
      var ahead = 24 - hourOfWeek % 24
      for _ in 0..<7 {
        day = day == 6 ? 0 : day + 1
        let mask = day < 5 ? weekdays : weekends
        if mask != 0 { return startOfHour + .hours(ahead + Int64(mask.trailingZeroBitCount)) }
        ahead += 24
      }
      return .distantFuture
    }
  }

  @inlinable @inline(__always)
  static func age(_ now: SimTime, _ lastOpen: SimTime) -> Double {
    lastOpen == .distantPast ? .infinity : (now - lastOpen).seconds
  }

  /// - Parameters:
  ///   - age: seconds since the last open, more than ``freshFor``.
  ///   - relativeUse: of the present hour, 0 without a habit.
  @inlinable @inline(__always)
  func probability(age: Double, relativeUse: Double) -> Double {
    let recency = forgottenAfter > freshFor ? max(0, 1 - (age - freshFor) / (forgottenAfter - freshFor)) : 0
    return min(1, recency + habitWeight * relativeUse)
  }

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    if app.pointee.policy.usageHistory.gate != 0 { return gated(context, app) }
    if context.occasion != .arrival {
      guard context.usageHeldUntil > context.now else { return .abstain }
      return .hold(Hold(until: context.usageHeldUntil, lifts: .inFront))
    }
    let age = age(context.now, app.pointee.memory.use.lastOpen)
    if age <= app.pointee.policy.usageHistory.freshFor { return .abstain }
    return rarelyUsed(context, app, age: age)
  }

  /// The verdict under the rules `soft` and `hard`, which ask again at every decision.
  @usableFromInline
  static func gated(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    let age = age(context.now, app.pointee.memory.use.lastOpen)
    if app.pointee.policy.usageHistory.gate == 2 {
      return age > app.pointee.policy.usageHistory.hardAfter ? .hold(Hold(lifts: .inFront)) : .abstain
    }
    let score =
      age <= app.pointee.policy.usageHistory.freshFor
      ? 1 : app.pointee.policy.usageHistory.probability(age: age, relativeUse: 0)
    return .proceed(score: score, weight: app.pointee.policy.usageHistory.softWeight)
  }

  /// The verdict on an app that has not been opened lately.
  @usableFromInline
  static func rarelyUsed(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>, age: Double)
    -> Verdict
  {
    var hasHabit = false
    var relativeUse = 0.0
    if app.pointee.policy.usageHistory.habitWeight > 0, context.now <= app.pointee.memory.use.habitEnds {
      hasHabit = true
      let index = State.hourIndex(at: context.now, utcOffset: app.pointee.memory.use.utcOffset)
      let most = app.pointee.memory.use.busiest[index < 24 ? 0 : 1]
      relativeUse = most > 0 ? app.pointee.memory.use.hours[index] / most : 0
    }
    let probability = 1 - app.pointee.policy.usageHistory.probability(age: age, relativeUse: relativeUse)
    if probability <= 0 { return .abstain }
    let until =
      hasHabit
      ? State.nextUsualHour(
        after: context.now, utcOffset: app.pointee.memory.use.utcOffset,
        weekdays: app.pointee.memory.use.usual[0],
        weekends: app.pointee.memory.use.usual[1]) : .distantFuture
    let hold = Hold(until: until, lifts: .inFront)
    return probability >= 1 ? .hold(hold) : .holdWithProbability(probability, hold)
  }

  public init() {}
}

/// 2^x by splitting off the whole part; the rest by its series, to the last digits of a double. (The policy imports no C
/// library, so that it can do nothing but decide.)
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

/// The logarithm of a positive number to the base 2, to the last digits of a double: the exponent, and the series of
/// the area tangent for the significand.
func binaryLogarithm(_ x: Double) -> Double {
  guard x > 0 else { return -.infinity }
  // A significand from √½ to √2 keeps the series short.
  var exponent = Double(x.exponent)
  var significand = x.significand
  if significand > 1.414_213_562_373_095_1 {
    significand /= 2
    exponent += 1
  }
  let y = (significand - 1) / (significand + 1)
  var power = y
  var sum = 0.0
  for k in 0..<12 {
    sum += power / Double(2 * k + 1)
    power *= y * y
  }
  return exponent + 2 * sum / 0.693_147_180_559_945_3
}
