public import Quantities

/// **What it models.** A connected charger, on which the system is generous.
///
/// **Rule.** Connected: lifts `battery_level` and `cpu_load`; by itself it has nothing to say.
///
/// **Interactions.** Read by ``BatteryLevel`` and ``CPULoad``. It does not lift Low Power Mode.
///
/// **Scope and limitations.** Apple does not say so; developers' reports do.
///
/// **Validation.** `ValidationTests`.
///
/// **Sources.** R-05, R-94.
public struct Charger: PolicyFactor {
  public var liftsBatteryLevel = false
  public var liftsCPULoad = false

  public static let id = FactorID.charger
  public static let summary = "A connected charger lifts the battery and the processor factors."
  public static let sources = "R-05, R-94"
  public static let keys: [ParameterKey<Policy>] = [
    ParameterKey(
      "charger.lifts_battery_level", .flag(\.charger.liftsBatteryLevel),
      "whether a charger lifts `battery_level`"),
    ParameterKey(
      "charger.lifts_cpu_load", .flag(\.charger.liftsCPULoad), "whether a charger lifts `cpu_load`"),
  ]

  @inlinable @inline(__always)
  public static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict {
    .abstain
  }

  public init() {}
}
