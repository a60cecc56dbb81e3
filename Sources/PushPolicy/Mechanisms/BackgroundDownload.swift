public import Quantities

/// **What it models.** A download by a background `URLSession`, which the system does in a process of its own while the
/// app is suspended.
///
/// **Rule.** A transfer that the app marks as discretionary, or that it enqueues while in the background, waits for Wi-Fi
/// and a charger, but no longer than `longest_wait`, after which any network will do; the gates of background work pause
/// it. Any other transfer goes on at once over any network. A force quit cancels both.
///
/// **Interactions.** Gates as of pushes, by the modes of their factors. The launch of the app when a transfer is done
/// draws on ``DevicePool``: ``AppUnderPolicy/recordTaskLaunch(at:)``.
///
/// **Scope and limitations.** Bandwidth, and what becomes of a transfer that is interrupted, are the model's. One set of
/// notes on Apple's talk has the gates of the two kinds the other way round (W12); the rule follows the majority. The
/// time after which the system gives a transfer up is not modelled.
///
/// **Sources.** C0-11, C4-12, W12, B22, B23; the longest wait is assumed.
public struct BackgroundDownload: Sendable {
  public var needsWiFi = false
  public var needsPower = false
  /// Unit: seconds.
  public var longestWait = 0.0
  public var forceQuitCancels = true

  public init() {}

  /// A transfer that is not done.
  @frozen
  public struct Transfer: Equatable, Sendable, BitwiseCopyable {
    /// Whether the system may choose the time: marked so, or enqueued in the background (C4-12).
    public var isDiscretionary: Bool
    public var enqueuedAt: SimTime

    @inlinable
    public init(markedDiscretionary: Bool, enqueuedInFront: Bool, at now: SimTime) {
      isDiscretionary = markedDiscretionary || !enqueuedInFront
      enqueuedAt = now
    }
  }

  static let gates = FactorRegistry.gates(of: .download)
  package static let discretionaryGates = FactorRegistry.gates(of: [.download, .discretionaryDownload])

  /// Whether what happens to the device ends the transfer: it is lost, and the app has to enqueue it again.
  public static func isCancelled(_ state: DeviceState, _ policy: borrowing Policy) -> Bool {
    !state.contains(.installed)
      || state.contains(.forceQuit) && policy.backgroundDownload.forceQuitCancels
        && policy.enabled.contains(.forceQuit)
  }

  /// Whether bytes flow now: `runs` with probability 1, or what pauses the transfer. There is nothing to draw; the model
  /// asks again at each change of the device's state, and at ``mustRunFrom(_:)``.
  ///
  /// - Returns: `notDue` on a device that is off.
  public static func judge(
    now: SimTime, state: DeviceState, transfer: Transfer, app: UnsafePointer<AppUnderPolicy>
  ) -> TaskVerdict {
    guard TaskGates.isThere(state) else { return .notDue }
    if isCancelled(state, app.pointee.policy) { return .refused(TaskReason(.forceQuit)) }
    // Bytes do not depend on the factors' modes.
    if !state.isReachable { return .refused(.requiresNetwork) }
    let asked = transfer.isDiscretionary ? discretionaryGates : gates
    if let gate = TaskGates.firstRefusing(asked, now: now, state: state, app) { return .refused(gate) }
    if transfer.isDiscretionary, now < app.pointee.policy.backgroundDownload.mustRunFrom(transfer) {
      if app.pointee.policy.backgroundDownload.needsWiFi, !state.contains(.wifi) {
        return .refused(.requiresNetwork)
      }
      if app.pointee.policy.backgroundDownload.needsPower, !state.contains(.charging) {
        return .refused(.requiresPower)
      }
    }
    return .runs(probability: 1)
  }

  /// From when on a discretionary transfer no longer waits for Wi-Fi and a charger.
  public func mustRunFrom(_ transfer: Transfer) -> SimTime {
    transfer.enqueuedAt + SimDuration(seconds: longestWait)
  }

  static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "background_download.needs_wifi", .flag(\.backgroundDownload.needsWiFi),
      "whether a discretionary transfer waits for Wi-Fi"),
    ParameterKey(
      "background_download.needs_power", .flag(\.backgroundDownload.needsPower),
      "whether a discretionary transfer waits for a charger"),
    ParameterKey(
      "background_download.longest_wait", .number(.time, 0...31_536_000, \.backgroundDownload.longestWait),
      "longest time that a discretionary transfer waits for a charger or for Wi-Fi"),
    ParameterKey(
      "background_download.force_quit_cancels", .flag(\.backgroundDownload.forceQuitCancels),
      "whether a force quit cancels transfers"),
  ]
}
