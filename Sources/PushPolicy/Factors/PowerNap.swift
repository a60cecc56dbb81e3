public import Quantities

/// **What it models.** An M-chip device (every Mac, part of the iPads) sleeps and wakes now and then for Power Nap.
///
/// **Rule.** While it sleeps: hold to the next Power Nap wake; all pushes held for the app are handled in that one
/// launch, which still obeys the other factors.
///
/// **Interactions.** The device stays reachable for APNs while it sleeps, so pushes gather on the device, in order.
///
/// **Scope and limitations.** The guides' reading (C0-04, C0-05). Apple describes Power Nap for Macs only (P2, P6);
/// iPhones never sleep in this sense. The wakes are part of the device's life, at lognormal intervals.
///
/// **Validation.** `ValidationTests`: C0-04, C0-05.
///
/// **Sources.** C0-04, C0-05; intervals P3, P7, P8.
public struct PowerNap: PolicyFactor {
  /// Median time between two wakes. Unit: seconds.
  public var median = 0.0
  /// Standard deviation of the logarithm of the interval.
  public var sigma = 0.0
  /// Unit: seconds.
  public var shortest = 0.0
  /// Unit: seconds.
  public var longest = 0.0

  public static let id = FactorID.powerNap
  public static let summary = "A sleeping M-chip device gathers pushes until its next Power Nap wake."
  public static let sources = "C0-04, C0-05, P3, P7, P8"
  public static let gates: GatedWork = [.refresh, .processing, .download]
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "power_nap.median", .number(.time, 60...86_400, \.powerNap.median),
      "median time between two Power Nap wakes"),
    ParameterKey(
      "power_nap.sigma", .number(.count, 0...3, \.powerNap.sigma),
      "spread (sigma of the logarithm) of the time between two Power Nap wakes"),
    ParameterKey(
      "power_nap.shortest", .number(.time, 0...86_400, \.powerNap.shortest),
      "shortest time between two Power Nap wakes"),
    ParameterKey(
      "power_nap.longest", .number(.time, 60...604_800, \.powerNap.longest),
      "longest time between two Power Nap wakes"),
  ]

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard context.state.contains(.asleep), context.occasion != .powerNapWake else { return .abstain }
    return .hold(Hold(lifts: .asleep))
  }

  public init() {}
}
