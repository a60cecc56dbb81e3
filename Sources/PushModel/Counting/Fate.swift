public import Quantities

/// How a push ends: each push that is sent has exactly one fate. The raw value is the index in tallies.
public enum Fate: UInt8, NamedByCase, Sendable, CaseIterable {
  case rejected
  case discardedAtAPNs
  case expiredAtAPNs
  case overwrittenAtAPNs
  case lost
  case notWakeable
  case coalescedOnDevice
  case discardedByPolicy
  case delivered
  case pending
}
