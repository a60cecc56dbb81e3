public import Quantities

/// Places that are used up and come back at a rate: of requests to a device token, starts of Live Activities, reloads of
/// a widget.
@frozen
public struct RefillingBudget: Sendable, Equatable, BitwiseCopyable {
  /// How many places there were at `settledAt`.
  public var places: Double
  @usableFromInline var settledAt = SimTime.zero

  /// Full at the start of a run.
  @inlinable public init(places: Double) { self.places = places }

  /// Takes a place, if there is one.
  ///
  /// - Parameters:
  ///   - most: how many places there are when none is in use.
  ///   - refill: how fast they come back. Unit: per second.
  @inlinable
  public mutating func take(most: Double, refill: Double, at now: SimTime) -> Bool {
    places = min(most, places + (now - settledAt).seconds * refill)
    settledAt = now
    // As much as is missing through rounding is there.
    guard places >= 1 - 1e-9 else { return false }
    places -= 1
    return true
  }

  /// When the next place is there, after ``take(most:refill:at:)`` found none; distant future if none ever comes.
  @inlinable
  public func nextPlace(refill: Double) -> SimTime {
    refill > 0 ? settledAt + SimDuration(seconds: min((1 - places) / refill, 1e9)) : .distantFuture
  }
}
