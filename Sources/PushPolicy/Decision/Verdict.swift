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
  // The order keeps the struct at 24 bytes: a decision is handed on for every push.
  public var probability: Double
  /// What follows: for an ending chance when the draw spares the push, for a holding one when it does not.
  public var hold: Hold
  public var factor: FactorID
  /// Whether the push ends if the draw falls below the probability; else it is held.
  public var endsPush: Bool
  /// Whether the factor is only watched.
  public var isShadow: Bool

  @inlinable
  public init(factor: FactorID, probability: Double, endsPush: Bool, isShadow: Bool = false, hold: Hold) {
    self.probability = probability
    self.hold = hold
    self.factor = factor
    self.endsPush = endsPush
    self.isShadow = isShadow
  }
}

/// What all factors together decide: verdicts are added in any order (Decision 0007), then the decision is finished.
@frozen
public struct Decision: Sendable, BitwiseCopyable {
  @frozen
  public enum Outcome: UInt8, Sendable, BitwiseCopyable { case deliver, hold, discard }

  public var outcome: Outcome = .deliver
  /// Whether a *must deliver* decided: the launch then costs no token and gives no feedback.
  public var isMust = false
  /// How many of ``chances`` are owed.
  @usableFromInline var owed: UInt8 = 0
  /// The factors that refuse for good; the first one names the fate.
  public var refusing: FactorSet = []
  /// The factors that hold.
  public var holding: FactorSet = []
  /// Factors that are only watched and would have held or refused; complete once the draws are made.
  public var shadow: FactorSet = []
  /// The earliest moment that could lift one of the holds.
  public var hold = Hold()
  /// Until when ``UsageHistory`` holds; in the past when it does not.
  public var usageHeldUntil = SimTime.distantPast
  /// Draws still owed, by factor; only on arrival. As many as there are factors that state a probability.
  public var chances = InlineArray<4, Chance>(
    repeating: Chance(factor: .foreground, probability: 0, endsPush: false, hold: Hold()))
  @usableFromInline var weightedScore = 0.0
  @usableFromInline var weight = 0.0

  @inlinable @inline(__always)
  public init() {}

  @inlinable public var chanceCount: Int { Int(owed) }

  /// The weighted mean of the scores; 1 when no factor gave one.
  @inlinable public var score: Double { weight > 0 ? weightedScore / weight : 1 }

  /// Adds a factor's hold.
  @inlinable
  public mutating func add(_ hold: Hold, by factor: FactorID) {
    holding.insert(factor)
    if factor == .usageHistory { usageHeldUntil = hold.until }
    self.hold.until = min(self.hold.until, hold.until)
    self.hold.lifts.formUnion(hold.lifts)
    if outcome == .deliver { outcome = .hold }
  }

  /// Adds a factor's verdict, as far as the factor's mode lets it count.
  @inlinable @inline(__always)
  public mutating func add(_ factor: FactorID, _ verdict: Verdict, _ app: UnsafePointer<AppUnderPolicy>) {
    if case .abstain = verdict { return }
    if app.pointee.policy.enabled.contains(factor) {
      apply(factor, verdict)
    } else if app.pointee.policy.shadowed.contains(factor) {
      watch(factor, verdict)
    }
  }

  @usableFromInline
  mutating func apply(_ factor: FactorID, _ verdict: Verdict) {
    switch verdict {
    case .abstain: break
    case .mustDeliver: isMust = true
    case .never: refusing.insert(factor)
    case .hold(let hold): add(hold, by: factor)
    case .proceed(let score, let weight):
      weightedScore += weight * score
      self.weight += weight
    case .neverWithProbability(let probability, let hold):
      owe(Chance(factor: factor, probability: probability, endsPush: true, hold: hold))
    case .holdWithProbability(let probability, let hold):
      owe(Chance(factor: factor, probability: probability, endsPush: false, hold: hold))
    }
  }

  @usableFromInline
  mutating func watch(_ factor: FactorID, _ verdict: Verdict) {
    switch verdict {
    case .abstain, .proceed, .mustDeliver: break
    case .holdWithProbability(let probability, let hold):
      owe(Chance(factor: factor, probability: probability, endsPush: false, isShadow: true, hold: hold))
    default: shadow.insert(factor)
    }
  }

  private mutating func owe(_ chance: Chance) {
    chances[chanceCount] = chance
    owed += 1
  }

  /// Combines what was added: any *must deliver* delivers, else any *never* discards, else any *hold* holds.
  @inlinable @inline(__always)
  public mutating func finish() {
    if isMust {
      outcome = .deliver
    } else if refusing.rawValue != 0 {
      outcome = .discard
    }
  }

  /// Completes a decision with the draws that it owes.
  ///
  /// A re-decision after arrival owes draws of ending factors too (they still refuse the launch), but never draws
  /// them: every ending chance then spares the push and holds it.
  ///
  /// - Parameters:
  ///   - isArrival: whether the draws are made.
  ///   - draw: a uniform variate on [0, 1) for a factor, the same for the same push and factor.
  /// - Returns: the factor that ended the push, if a draw did; holding chances that struck are added as holds.
  @inlinable
  public mutating func resolve(isArrival: Bool, draw: (FactorID) -> Double) -> FactorID? {
    guard owed > 0, !isMust, refusing.rawValue == 0 else { return nil }
    var ended: FactorID?
    for index in 0..<chanceCount {
      let chance = chances[index]
      // Always drawn, even after another draw ended the push, so that a factor's draw depends on nothing but the push.
      let strikes = isArrival && draw(chance.factor) < chance.probability
      if chance.isShadow {
        if strikes { shadow.insert(chance.factor) }
      } else if chance.endsPush {
        if strikes {
          if ended == nil { ended = chance.factor }
          refusing.insert(chance.factor)
        } else {
          add(chance.hold, by: chance.factor)
        }
      } else if strikes {
        add(chance.hold, by: chance.factor)
      }
    }
    if ended != nil { outcome = .discard }
    return ended
  }
}
