public import Quantities

/// What would lift a hold: an instant, or a change of the device's state. The model decides again at the earliest of
/// these and never polls.
@frozen
public struct Hold: Equatable, Sendable, BitwiseCopyable {
  /// ``Quantities/SimTime/distantFuture`` when only a change of state lifts the hold.
  public var until: SimTime
  /// The parts of the state whose change lifts the hold; ``DeviceState/inFront`` stands for an open of the app and
  /// ``DeviceState/asleep`` also for a Power Nap wake.
  public var lifts: DeviceState

  @inlinable public init(until: SimTime = .distantFuture, lifts: DeviceState = []) {
    self.until = until
    self.lifts = lifts
  }
}

/// One factor's answer. A factor never draws: where a source says "may", it states a probability, and the model draws
/// once per push and factor when the push arrives, so that every decision of a trace can be replayed.
@frozen
public enum Verdict: Equatable, Sendable, BitwiseCopyable {
  /// The factor has nothing to say.
  case abstain
  /// Proceed, with a score from 0 to 1 and a weight in the mean of all scores.
  case proceed(score: Double, weight: Double)
  /// Not now.
  case hold(Hold)
  /// Not at all.
  case never
  /// Whatever the other factors say.
  case mustDeliver
  /// With this probability never; otherwise hold.
  case neverWithProbability(Double, otherwise: Hold)
  /// With this probability hold; otherwise the factor has nothing to say.
  case holdWithProbability(Double, Hold)
}

/// A draw that the model owes a decision.
@frozen
public struct Chance: Equatable, Sendable, BitwiseCopyable {
  public var factor: FactorID
  public var probability: Double
  /// Whether the push ends if the draw falls below the probability; else it is held.
  public var endsPush: Bool
  /// Whether the factor is only watched.
  public var isShadow = false
  /// What follows: for an ending chance when the draw spares the push, for a holding one when it does not.
  public var hold: Hold
}

/// What all factors together decide.
public struct Decision: Sendable, BitwiseCopyable {
  public enum Outcome: UInt8, Sendable, BitwiseCopyable { case deliver, hold, discard }

  public var outcome: Outcome = .deliver
  /// Whether a *must deliver* decided: the launch then costs no token and gives no feedback.
  public var isMust = false
  /// The factors that refuse for good; the first one names the fate.
  public var refusing: FactorSet = []
  /// The factors that hold.
  public var holding: FactorSet = []
  /// The earliest moment that could lift one of the holds.
  public var hold = Hold()
  /// Until when ``UsageHistory`` holds; in the past when it does not.
  public var usageHeldUntil = SimTime.distantPast
  /// Draws still owed, by factor; only on arrival.
  public var chances = InlineArray<4, Chance>(
    repeating: Chance(factor: .foreground, probability: 0, endsPush: false, hold: Hold()))
  public var chanceCount = 0
  /// The weighted mean of the scores; 1 when no factor gave one.
  public var score = 1.0
  /// Factors that are only watched and would have held or refused; complete once the draws are made.
  public var shadow: FactorSet = []

  init() {}

  /// Adds a factor's hold.
  public mutating func add(_ hold: Hold, by factor: FactorID) {
    holding.insert(factor)
    if factor == .usageHistory { usageHeldUntil = hold.until }
    self.hold.until = min(self.hold.until, hold.until)
    self.hold.lifts.formUnion(hold.lifts)
    if outcome == .deliver { outcome = .hold }
  }
}
