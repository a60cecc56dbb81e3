/// An instant of simulated time, in whole microseconds from the start of the run.
///
/// Integer time makes simultaneous events exact and results equal on every machine (Decision 0002). Instants before
/// the start are negative: the history of a device is drawn before time zero.
///
/// - Unit: microseconds.
@frozen
public struct SimTime: Comparable, Hashable, Sendable, BitwiseCopyable {
  public var microseconds: Int64

  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The start of the run.
  @inlinable public static var zero: SimTime { SimTime(microseconds: 0) }
  /// Later than every event: "never".
  @inlinable public static var distantFuture: SimTime { SimTime(microseconds: .max) }
  /// Earlier than every event.
  @inlinable public static var distantPast: SimTime { SimTime(microseconds: .min) }

  /// Seconds from the start of the run.
  @inlinable public var seconds: Double { Double(microseconds) * 1e-6 }

  @inlinable public static func < (a: SimTime, b: SimTime) -> Bool { a.microseconds < b.microseconds }

  /// The instant `d` after `t`; saturates at ``distantFuture``.
  @inlinable public static func + (t: SimTime, d: SimDuration) -> SimTime {
    let (sum, overflow) = t.microseconds.addingReportingOverflow(d.microseconds)
    return overflow ? (d.microseconds > 0 ? .distantFuture : .distantPast) : SimTime(microseconds: sum)
  }
  @inlinable public static func - (t: SimTime, d: SimDuration) -> SimTime {
    t + SimDuration(microseconds: 0 &- d.microseconds)
  }
  @inlinable public static func - (a: SimTime, b: SimTime) -> SimDuration {
    SimDuration(microseconds: a.microseconds - b.microseconds)
  }
  @inlinable public static func += (t: inout SimTime, d: SimDuration) { t = t + d }
}

/// A length of simulated time, in whole microseconds.
///
/// - Unit: microseconds.
@frozen
public struct SimDuration: Comparable, Hashable, Sendable, BitwiseCopyable {
  public var microseconds: Int64

  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The duration nearest to `seconds`; beyond about 292,000 years (and for infinity) the longest one.
  @inlinable @inline(__always)
  public init(seconds: Double) {
    // Rounded by adding a half and cutting off: `rounded()` is a call into the C library on the oldest processors that
    // the program is built for.
    let scaled = seconds * 1e6
    if scaled >= 9.2e18 {
      microseconds = .max
    } else if scaled > -9.2e18 {
      microseconds = Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
    } else {
      microseconds = .min
    }
  }

  @inlinable public static var zero: SimDuration { SimDuration(microseconds: 0) }
  @inlinable public static func seconds(_ n: Int64) -> SimDuration {
    SimDuration(microseconds: n * 1_000_000)
  }
  @inlinable public static func minutes(_ n: Int64) -> SimDuration { seconds(n * 60) }
  @inlinable public static func hours(_ n: Int64) -> SimDuration { seconds(n * 3600) }
  @inlinable public static func days(_ n: Int64) -> SimDuration { seconds(n * 86_400) }

  @inlinable public var seconds: Double { Double(microseconds) * 1e-6 }
  @inlinable public var hours: Double { seconds / 3600 }
  @inlinable public var days: Double { seconds / 86_400 }

  @inlinable public static func < (a: SimDuration, b: SimDuration) -> Bool { a.microseconds < b.microseconds }
  @inlinable public static func + (a: SimDuration, b: SimDuration) -> SimDuration {
    SimDuration(microseconds: a.microseconds + b.microseconds)
  }
  @inlinable public static func - (a: SimDuration, b: SimDuration) -> SimDuration {
    SimDuration(microseconds: a.microseconds - b.microseconds)
  }
  @inlinable public static func * (d: SimDuration, n: Int64) -> SimDuration {
    SimDuration(microseconds: d.microseconds * n)
  }
  /// `d` scaled by a real factor, rounded to the microsecond.
  @inlinable public static func * (d: SimDuration, factor: Double) -> SimDuration {
    SimDuration(seconds: d.seconds * factor)
  }
}
