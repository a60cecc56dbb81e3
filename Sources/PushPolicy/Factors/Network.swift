public import Quantities

/// **What it models.** A launch that is to fetch content needs the network.
///
/// **Rule.** Hold while the device is offline or off; matters for pushes that other factors hold on the device.
///
/// **Interactions.** A push that has not reached the device waits at APNs instead. Nothing runs on a device that is off,
/// whatever the mode of this factor: that is the model's.
///
/// **Scope and limitations.** On or off; the quality of the network is not weighed.
///
/// **Validation.** Not validated: no published measurement found.
///
/// **Sources.** None; assumed. The guides are silent.
public struct Network: PolicyFactor {
  public static let id = FactorID.network
  public static let summary = "What is held on the device is not launched while it is offline."
  public static let sources = "none; assumed"
  public static let gates: GatedWork = [.refresh, .download]
  public static let keys: [ParameterKey<Policy>] = []

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    context.state.isReachable ? .abstain : .hold(Hold(lifts: [.wifi, .cellular, .poweredOn]))
  }

  public init() {}
}
