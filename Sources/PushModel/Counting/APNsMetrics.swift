import Quantities

/// What became of pushes at APNs, by day, as Apple's delivery metrics count it: whole numbers, of the pushes sent after
/// the warm-up only.
public struct APNsMetrics: Sendable {
  /// What is counted. The raw value is the index within a day.
  public enum Status: UInt8, Sendable, CaseIterable {
    case received
    case delivered
    case deliveredFromStorage
    case storedDeviceOffline
    /// The device is reachable, but declares a power restriction, or is not to be woken.
    case storedForPower
    case discardedUnregistered
    case discardedUnregisteredFromStorage
    case discardedExpired
    case discardedExpiredFromStorage
    case discardedDisabled
    /// Lost on a link that APNs believed alive: it counts as delivered.
    case lost
    case lostFromStorage
    /// Apple's metrics do not know the rest: a push that another one kept out of the one slot, and
    case overwritten
    /// what is on its way, or stored, at the end of the run.
    case inTransitAtEnd
    case storedAtEnd

    /// As in Apple's console; nil where Apple counts nothing.
    public var label: String? {
      switch self {
      case .received: "Received by APNs"
      case .delivered, .lost: "Delivered to Device"
      case .deliveredFromStorage, .lostFromStorage: "Delivered to Device (From Storage)"
      case .storedDeviceOffline: "Stored - Device Offline"
      case .storedForPower: "Stored - Power Considerations"
      case .discardedUnregistered: "Discarded - Token Unregistered"
      case .discardedUnregisteredFromStorage: "Discarded - Token Unregistered (From Storage)"
      case .discardedExpired, .discardedExpiredFromStorage: "Discarded - Expired"
      case .discardedDisabled: "Discarded - Disabled"
      case .overwritten, .inTransitAtEnd, .storedAtEnd: nil
      }
    }
  }

  private var counts = CountsByDay()

  public init() {}

  /// The number of days from the start of the run to the last on which something happened.
  public var days: Int { counts.days }

  public subscript(_ status: Status, day day: Int) -> Int64 { counts[Int(status.rawValue), day: day] }

  public func total(_ status: Status) -> Int64 {
    (0..<days).reduce(0) { $0 + self[status, day: $1] }
  }

  @inline(__always)
  mutating func count(_ status: Status, at time: SimTime) { counts.count(Int(status.rawValue), at: time) }

  mutating func clear() { counts.clear() }

  mutating func add(_ other: APNsMetrics) { counts.add(other.counts) }
}
