public import Quantities

/// **What it models.** Settings → General → Background App Refresh, for the device and for the app.
///
/// **Rule.** Off: never. "Wi-Fi only": hold while the device is not on Wi-Fi.
///
/// **Interactions.** A Wi-Fi-only hold that runs out its deadline is a refusal by the policy; a switch that is off
/// makes the app not wakeable.
///
/// **Scope and limitations.** No public source says how many users switch it off.
///
/// **Validation.** `ValidationTests`: C4-11, R-43, R-46.
///
/// **Sources.** C4-11, W5, R-43, R-46.
public struct RefreshSwitch: PolicyFactor {
  public static let id = FactorID.refreshSwitch
  public static let summary = "Background App Refresh off: never; on Wi-Fi only: held until Wi-Fi."
  public static let sources = "C4-11, W5, R-43, R-46"
  public static let gates: GatedWork = [.refresh, .processing, .discretionaryDownload]
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    if context.state.contains(.refreshOff) { return .never }
    if context.state.contains(.refreshOnWiFiOnly), !context.state.contains(.wifi) {
      return .hold(Hold(lifts: [.wifi, .refreshOnWiFiOnly]))
    }
    return .abstain
  }

  public init() {}
}
