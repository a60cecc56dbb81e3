public import Quantities

/// **What it models.** A push of the type `liveactivity`, with which a server starts, updates or ends a Live Activity.
///
/// **Rule.** A start draws on a budget of the device, at any priority (LA2). An update or an end needs an activity that runs:
/// one runs from its start for `lifetime` at most (LA1). At priority 10 it draws on another budget, which is larger for an
/// app with frequent updates; at priority 5 it costs nothing (LA3). What finds its budget used up is not shown, and APNs
/// has answered 200.
///
/// **Interactions.** None: the app is not launched, so nothing that delays a launch is asked.
///
/// **Scope and limitations.** The switches for Live Activities and for frequent updates are on. How many activities may run
/// at once, and channels, are not modelled. Push-to-start came with 17.2: as only major versions are known, with 17 here.
///
/// **Validation.** `ActivityReports`: LA1 to LA3, R-62, R-63.
///
/// **Sources.** LA1 to LA3, R-62, R-63.
public struct LiveActivity: Sendable {
  /// Starts by push in a row.
  public var startBudget = 0.0
  /// How fast they come back. Unit: per second.
  public var startRefill = 0.0
  /// Updates of priority 10 in a row.
  public var updateBudget = 0.0
  /// How fast they come back. Unit: per second.
  public var updateRefill = 0.0
  /// Budget and refill of updates of an app with frequent updates are so many times larger.
  public var frequentFactor = 1.0
  /// How long an activity runs at most. Unit: seconds.
  public var lifetime = 0.0
  /// The first system versions with starts and with updates by push.
  public var startsSince = 1000.0
  public var updatesSince = 1000.0

  public init() {}

  /// What the push asks for: `event` of its payload.
  @frozen
  public enum Event: UInt8, NamedByCase, Sendable, CaseIterable, BitwiseCopyable {
    case start
    case update
    case end
  }

  /// What became of the push.
  @frozen
  public enum Outcome: Sendable, BitwiseCopyable {
    case shown
    case overBudget
    /// No activity runs that it could change.
    case nothingToChange
    /// The system is too old for it.
    case unknown
  }

  /// What the device keeps for the app.
  public struct State: Sendable, BitwiseCopyable {
    var starts: RefillingBudget
    var updates: RefillingBudget
    /// When the activity at hand began; in the distant past if none runs.
    var beganAt = SimTime.distantPast

    public init(_ rules: LiveActivity, isFrequent: Bool) {
      starts = RefillingBudget(places: rules.startBudget)
      updates = RefillingBudget(places: rules.updateBudget * (isFrequent ? rules.frequentFactor : 1))
    }

    /// The app in the front begins an activity.
    public mutating func begin(at now: SimTime) { beganAt = now }
  }

  /// What becomes of a push that has reached the device.
  public func receive(
    _ event: Event, priority: Int, isFrequent: Bool, systemVersion: Double, _ state: inout State,
    at now: SimTime
  ) -> Outcome {
    guard systemVersion >= (event == .start ? startsSince : updatesSince) else { return .unknown }
    if event == .start {
      guard state.starts.take(most: startBudget, refill: startRefill, at: now) else { return .overBudget }
      state.beganAt = now
      return .shown
    }
    guard state.beganAt > .distantPast, now - state.beganAt < SimDuration(seconds: lifetime) else {
      return .nothingToChange
    }
    let factor = isFrequent ? frequentFactor : 1
    if priority == 10,
      !state.updates.take(most: updateBudget * factor, refill: updateRefill * factor, at: now)
    {
      return .overBudget
    }
    if event == .end { state.beganAt = .distantPast }
    return .shown
  }

  static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "live_activity.start_budget", .number(.count, 1...1000, \.liveActivity.startBudget),
      "Live Activities in a row that pushes may start"),
    ParameterKey(
      "live_activity.start_refill", .number(.rate, 0...1, \.liveActivity.startRefill),
      "rate at which the budget of starts comes back"),
    ParameterKey(
      "live_activity.update_budget", .number(.count, 1...1000, \.liveActivity.updateBudget),
      "updates of priority 10 in a row that a Live Activity shows"),
    ParameterKey(
      "live_activity.update_refill", .number(.rate, 0...1, \.liveActivity.updateRefill),
      "rate at which the budget of updates comes back"),
    ParameterKey(
      "live_activity.frequent_factor", .number(.count, 1...1000, \.liveActivity.frequentFactor),
      "how many times larger the budget of updates is for an app with frequent updates"),
    ParameterKey(
      "live_activity.lifetime", .number(.time, 60...604_800, \.liveActivity.lifetime),
      "longest time that a Live Activity runs"),
    ParameterKey(
      "live_activity.starts_since", .number(.count, 1...1000, \.liveActivity.startsSince),
      "first system version that starts a Live Activity by push"),
    ParameterKey(
      "live_activity.updates_since", .number(.count, 1...1000, \.liveActivity.updatesSince),
      "first system version that updates a Live Activity by push"),
  ]
}
