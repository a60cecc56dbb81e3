public import Quantities

/// The policy factors, in the registry's order: where several factors hold or refuse a push, the first one names its
/// fate. The raw value is the bit in a ``FactorSet`` and the index in tallies.
@frozen
public enum FactorID: UInt8, NamedByCase, Sendable, CaseIterable, BitwiseCopyable {
  // The state of the app.
  case foreground
  case payload
  case backgroundMode
  case forceQuit
  case refreshSwitch
  // The state of the device.
  case firstUnlock
  case network
  case powerNap
  case lowPowerMode
  case batteryLevel
  case charger
  case bootWindow
  case herdWindow
  case camera
  case cpuLoad
  // What the system remembers of the device and the app.
  case devicePool
  case launchSpacing
  case usageHistory
  // The scheduler's score.
  case deviceInUse
  case networkQuality
  case score
  // How the app behaved, and how much it asked for.
  case fetchFeedback
  case sustainedExcess
  case hourlyBudget
  // Of VoIP pushes alone.
  case voipRate
  case voipReport

  /// The number of the factor in the paths of the random streams: part of the results, so never renumber, only append.
  /// The registry's order may change.
  @inlinable public var streamNumber: UInt32 {
    switch self {
    case .lowPowerMode: 8
    case .batteryLevel: 9
    case .usageHistory: 12
    case .hourlyBudget: 15
    // None of these states a probability; the first 16 numbers were once those of the registry.
    default: 16 + UInt32(rawValue)
    }
  }

  /// The factors by which the system's scheduler is described in logs, beyond those that the guides name.
  public static let scheduler: [FactorID] = [
    .bootWindow, .herdWindow, .camera, .devicePool, .launchSpacing, .deviceInUse, .networkQuality, .score,
  ]

  /// Whether the factor is asked about such a push: VoIP pushes have their own, and only those have them.
  public func judges(_ request: PushRequest) -> Bool {
    switch self {
    case .backgroundMode: true
    case .voipRate, .voipReport: request.contains(.voip)
    default: !request.contains(.voip)
    }
  }

  /// Whether a push that this factor refuses could not have woken the app at all, as opposed to one that the policy
  /// weighed and refused: the denominator of the `…_of_wakeable` metrics leaves those out.
  @inlinable public var refusalMeansNotWakeable: Bool {
    switch self {
    case .payload, .backgroundMode, .forceQuit, .refreshSwitch: true
    default: false
    }
  }

  /// The same of a push that this factor holds until its deadline. A Wi-Fi-only hold that runs out was the policy's
  /// choice; a device that nobody unlocks cannot be woken.
  @inlinable public var expiryMeansNotWakeable: Bool { self == .firstUnlock }
}

/// A set of policy factors.
public struct FactorSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public var rawValue: UInt32
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable public init(_ factor: FactorID) { rawValue = 1 << UInt32(factor.rawValue) }

  public init(_ factors: [FactorID]) {
    self = []
    for factor in factors { insert(factor) }
  }

  @inlinable public func contains(_ factor: FactorID) -> Bool { rawValue >> UInt32(factor.rawValue) & 1 != 0 }
  @inlinable public mutating func insert(_ factor: FactorID) { rawValue |= 1 << UInt32(factor.rawValue) }

  @inlinable public mutating func remove(_ factor: FactorID) { rawValue &= ~(1 << UInt32(factor.rawValue)) }

  /// The first factor in the registry's order; nil when empty.
  @inlinable public var first: FactorID? {
    rawValue == 0 ? nil : FactorID(rawValue: UInt8(rawValue.trailingZeroBitCount))
  }

  /// In the registry's order.
  public var factors: [FactorID] { FactorID.allCases.filter(contains) }

  public static let all = FactorSet(rawValue: (1 << UInt32(FactorID.allCases.count)) - 1)
}
