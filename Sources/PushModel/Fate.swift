public import PushPolicy

/// How a push ends: each push that is sent has exactly one fate. The raw value is the index in tallies.
public enum Fate: UInt8, Sendable, CaseIterable {
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

  /// The name in results.
  public var name: String {
    switch self {
    case .rejected: "rejected"
    case .discardedAtAPNs: "discarded_at_apns"
    case .expiredAtAPNs: "expired_at_apns"
    case .overwrittenAtAPNs: "overwritten_at_apns"
    case .lost: "lost"
    case .notWakeable: "not_wakeable"
    case .coalescedOnDevice: "coalesced_on_device"
    case .discardedByPolicy: "discarded_by_policy"
    case .delivered: "delivered"
    case .pending: "pending"
    }
  }
}

/// Why a push ended as it did: a policy factor, or a reason outside the policy.
public struct Reason: Hashable, Sendable {
  /// The index in tallies: factors first, then the others.
  public var index: Int

  public init(_ factor: FactorID) { index = Int(factor.rawValue) }
  private init(other: Int) { index = FactorID.allCases.count + other }
  public init(index: Int) { self.index = index }

  /// The app was removed while the push was on the device.
  public static let notInstalled = Reason(other: 0)
  /// APNs knows that the token is gone.
  public static let tokenInactive = Reason(other: 1)
  /// The user does not allow notifications, and the push is one that would be shown.
  public static let notificationsDisabled = Reason(other: 2)
  /// 410: the token is no longer valid.
  public static let unregistered = Reason(other: 3)
  /// 400: a background push with priority 10.
  public static let badPriority = Reason(other: 4)
  /// The header, or APNs' own limit.
  public static let expired = Reason(other: 5)
  /// A newer push took the one slot.
  public static let newerPush = Reason(other: 6)

  public static let count = FactorID.allCases.count + 7

  /// The name in results.
  public var name: String {
    if index < FactorID.allCases.count { return FactorID.allCases[index].name }
    return [
      "not_installed", "token_inactive", "notifications_disabled", "410 Unregistered", "400 BadPriority",
      "expired",
      "newer_push",
    ][index - FactorID.allCases.count]
  }
}
