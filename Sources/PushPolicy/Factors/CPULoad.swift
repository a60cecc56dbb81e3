public import Quantities

/// **What it models.** A busy processor.
///
/// **Rule.** Above `threshold` and not relieved by the charger: hold until the load drops.
///
/// **Interactions.** ``Charger`` lifts it.
///
/// **Scope and limitations.** Logs show the gate for processing tasks (D11, R-101); for pushes only the guides name it.
///
/// **Validation.** `ValidationTests`: C0-03.
///
/// **Sources.** C0-03, D11, R-101; the number is assumed.
public struct CPULoad: PolicyFactor {
  /// Unit: fraction of the processor's capacity.
  public var threshold = 0.0

  public static let id = FactorID.cpuLoad
  public static let summary = "A processor busier than the threshold holds a push until the load drops."
  public static let sources = "C0-03, D11, R-101"
  public static let gates: GatedWork = [.refresh, .processing]
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "cpu_load.threshold", .number(.proportion, 0...1, \.cpuLoad.threshold),
      "processor load above which a push waits")
  ]

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    guard context.state.contains(.cpuBusy) else { return .abstain }
    if app.pointee.policy.charger.liftsCPULoad, app.pointee.policy.chargerRelieves(context.state) {
      return .abstain
    }
    return .hold(Hold(lifts: [.cpuBusy, .charging]))
  }

  public init() {}
}
