public import PushPolicy
import Quantities

/// Why a push ended as it did: a policy factor, or a reason outside the policy.
public struct Reason: Hashable, Sendable {
  /// The index in tallies: factors first, then the others.
  public let index: Int

  public init(_ factor: FactorID) { index = Int(factor.rawValue) }
  private init(other: Int) { index = FactorID.allCases.count + other }
  public init(index: Int) { self.index = index }

  // The reasons outside the policy: each has its row in ``others``, at the place of its number.
  public static let notInstalled = Reason(other: 0)
  public static let tokenInactive = Reason(other: 1)
  public static let notificationsDisabled = Reason(other: 2)
  public static let unregistered = Reason(other: 3)
  /// A background push with priority 10.
  public static let badPriority = Reason(other: 4)
  public static let expired = Reason(other: 5)
  public static let newerPush = Reason(other: 6)
  /// The token belongs to another environment, or to nobody.
  public static let badDeviceToken = Reason(other: 7)
  public static let payloadTooLarge = Reason(other: 8)
  /// More requests than APNs takes, on a connection or to a device token.
  public static let tooManyRequests = Reason(other: 9)
  /// The provider makes itself new authentication tokens too often.
  public static let tooManyTokenUpdates = Reason(other: 10)
  public static let internalServerError = Reason(other: 11)
  public static let serviceUnavailable = Reason(other: 12)
  public static let expiredProviderToken = Reason(other: 13)
  public static let badPath = Reason(other: 14)
  public static let methodNotAllowed = Reason(other: 15)
  public static let wrongTopic = Reason(other: 16)
  public static let missingTopic = Reason(other: 17)
  /// A push to be shown that calls itself a background push.
  public static let invalidPushType = Reason(other: 18)
  public static let olderPush = Reason(other: 19)
  public static let pushTypeIgnored = Reason(other: 20)
  public static let priorityIgnored = Reason(other: 21)
  /// The service extension was terminated, and the alert lost with it.
  public static let extensionTerminated = Reason(other: 22)
  public static let deviceOff = Reason(other: 23)
  public static let alertStylesOff = Reason(other: 24)
  public static let activityBudget = Reason(other: 25)
  public static let noActivity = Reason(other: 26)
  public static let widgetBudget = Reason(other: 27)
  public static let systemDefect = Reason(other: 28)

  /// What results show of a reason outside the policy.
  struct Row {
    let reason: Reason
    /// An answer of APNs begins with its status.
    let name: String
    let meaning: String?

    init(_ reason: Reason, _ name: String, _ meaning: String? = nil) {
      self.reason = reason
      self.name = name
      self.meaning = meaning
    }

    var status: Int? { Int(name.prefix(3)) }
  }

  static let others: [Row] = [
    Row(.notInstalled, "not_installed", "the app was removed while the push was on the device"),
    Row(.tokenInactive, "token_inactive", "APNs knows that the token is gone"),
    Row(
      .notificationsDisabled, "notifications_disabled",
      "the user does not allow notifications, and the push is one to be shown"),
    Row(.unregistered, "410 Unregistered", "the token is no longer valid"),
    Row(.badPriority, "400 BadPriority"),
    Row(.expired, "expired", "the expiration in the push's header, or APNs' own limit, was over"),
    Row(.newerPush, "newer_push", "a newer push took the one slot"),
    Row(.badDeviceToken, "400 BadDeviceToken"),
    Row(.payloadTooLarge, "413 PayloadTooLarge"),
    Row(.tooManyRequests, "429 TooManyRequests"),
    Row(.tooManyTokenUpdates, "429 TooManyProviderTokenUpdates"),
    Row(.internalServerError, "500 InternalServerError"),
    Row(.serviceUnavailable, "503 ServiceUnavailable"),
    Row(.expiredProviderToken, "403 ExpiredProviderToken"),
    Row(.badPath, "404 BadPath"),
    Row(.methodNotAllowed, "405 MethodNotAllowed"),
    Row(.wrongTopic, "400 DeviceTokenNotForTopic"),
    Row(.missingTopic, "400 MissingTopic"),
    Row(.invalidPushType, "400 InvalidPushType"),
    Row(.olderPush, "older_push", "the one slot kept the push that was there"),
    Row(
      .pushTypeIgnored, "push_type_ignored", "the device ignores a silent push whose type is not `background`"
    ),
    Row(.priorityIgnored, "priority_ignored", "the device ignores a silent push whose priority is 10"),
    Row(.extensionTerminated, "extension_terminated"),
    Row(.deviceOff, "device_off", "the device was off when the push had waited for as long as it may"),
    Row(.alertStylesOff, "alert_styles_off", "the user has the app's alerts shown in no place"),
    Row(
      .activityBudget, "activity_budget",
      "the device has shown as many starts or updates of Live Activities as it grants"),
    Row(.noActivity, "no_activity", "no Live Activity runs that the push could change"),
    Row(.widgetBudget, "widget_budget", "the widget has no reload left"),
    Row(.systemDefect, "system_defect", "a defect of the system version on the device"),
  ]

  public static let count = FactorID.allCases.count + others.count

  private var other: Row? {
    index < FactorID.allCases.count ? nil : Self.others[index - FactorID.allCases.count]
  }

  /// The name in results.
  public var name: String { other?.name ?? FactorID.allCases[index].name }

  /// What the name means; nil for a factor, which has a summary of its own.
  public var meaning: String? {
    other.flatMap { row in row.meaning ?? row.status.map { "an answer of APNs with status \($0)" } }
  }

  /// The status code that APNs answers with; nil for what happens to a push that it took.
  public var status: Int? { other?.status }

  /// What an outage of APNs, or of the provider's credentials, is answered with.
  public static let outages: [Reason] = [
    .expiredProviderToken, .badPath, .methodNotAllowed, .tooManyRequests, .internalServerError,
    .serviceUnavailable,
  ]
}
