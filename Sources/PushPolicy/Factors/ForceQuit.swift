public import Quantities

/// **What it models.** The user swiped the app away in the app switcher.
///
/// **Rule.** Never, until the user opens the app or the device restarts; what was held is discarded.
///
/// **Interactions.** The model discards held pushes at the moment of the force quit, and ends what runs in the background;
/// off or in shadow, a force quit does nothing at all.
///
/// **Scope and limitations.** How many users force-quit is unknown; see the population's `settings.force_quit`.
///
/// **Validation.** `ValidationTests`: R-39 (none until reopened), S7 (a restart clears it).
///
/// **Sources.** S3, S7, R-39. The guides are silent.
public struct ForceQuit: PolicyFactor {
  public static let id = FactorID.forceQuit
  public static let summary =
    "After a force quit nothing wakes the app until it is opened or the device restarts."
  public static let sources = "S3, S7, R-39"
  public static let gates: GatedWork = [.refresh, .processingByParameter]
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    context.state.contains(.forceQuit) ? .never : .abstain
  }

  public init() {}
}
