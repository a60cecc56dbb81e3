public import Quantities

/// **What it models.** A notification content extension: the app's own view of a notification, in place of the system's.
///
/// **Rule.** It runs when the user opens a notification to look at it, if one of its categories is the notification's. One
/// that needs more memory than `memory_limit` is terminated.
///
/// **Interactions.** None; it shows what ``ServiceExtension`` has left of the notification.
///
/// **Scope and limitations.** The guides say that a watchdog terminates it, and give no limit but that on memory. That the
/// user then sees the system's view is ours.
///
/// **Sources.** C2-07, C2-11; no other source has a limit.
public struct ContentExtension: Sendable {
  /// Unit: bytes.
  public var memoryLimit = Double.infinity

  public init() {}

  @frozen
  public enum Outcome: UInt8, NamedByCase, Sendable, CaseIterable, BitwiseCopyable {
    /// The user did not open the notification.
    case notOpened
    /// The system's view: no extension has the category.
    case standard
    /// The extension's view.
    case custom
    /// The extension was terminated; the system's view again.
    case killed
  }

  /// What the user sees of a notification that is shown.
  ///
  /// - Parameters:
  ///   - isOpened: whether the user touches it, pulls it down or presses it.
  ///   - hasCategory: whether its category is one of the extension's.
  ///   - peakMemory: the most that the extension needs. Unit: bytes.
  public func open(isOpened: Bool, hasCategory: Bool, peakMemory: Double) -> Outcome {
    guard isOpened else { return .notOpened }
    guard hasCategory else { return .standard }
    return peakMemory > memoryLimit ? .killed : .custom
  }

  static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "content_extension.memory_limit", .number(.bytes, 1...1e12, \.contentExtension.memoryLimit),
      "most memory that a content extension may use")
  ]
}
