public import Quantities

/// One reason for which the system delivers, holds or discards a push: a file in `Factors/` with its rule, its
/// parameters and its own memory. The numbers are data of the profiles in `Scenarios/policies/`.
public protocol PolicyFactor: Sendable {
  static var id: FactorID { get }
  /// One line.
  static var summary: String { get }
  /// The claims and facts behind the rule; see `Documentation/Model.md` for the list of identifiers.
  static var sources: String { get }
  static var keys: [ParameterKey<Policy>] { get }
  /// Pure: the same arguments give the same verdict.
  ///
  /// The app comes by its address, since even a borrowed value of its size is copied on its way into a function.
  static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict
}

extension PolicyFactor {
  /// The verdict on values that are kept apart, as in a trace.
  public static func evaluate(_ context: DeliveryContext, _ memory: AppMemory, _ policy: Policy) -> Verdict {
    var app = AppUnderPolicy(memory: memory, policy: policy)
    return withUnsafePointer(to: &app) { evaluate(context, $0) }
  }
}

/// Whether a factor counts.
public enum FactorMode: Int, Sendable, CaseIterable {
  case on
  case off
  /// Evaluated and reported, not applied.
  case shadow

  public static let names = ["on", "off", "shadow"]
}
