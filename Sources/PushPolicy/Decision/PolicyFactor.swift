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
  /// The work beside pushes that the factor stops while it would hold or refuse a push; none unless the factor says so.
  static var gates: GatedWork { get }
  /// Pure: the same arguments give the same verdict.
  ///
  /// The app comes by its address, since even a borrowed value of its size is copied on its way into a function.
  static func evaluate(_ context: DeliveryContext, _ app: UnsafePointer<AppUnderPolicy>) -> Verdict
}

/// Kinds of work in the background, beside pushes, that a policy factor may stop.
public struct GatedWork: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ``AppRefresh``.
  public static let refresh = GatedWork(rawValue: 1)
  /// ``ProcessingTask``.
  public static let processing = GatedWork(rawValue: 2)
  /// ``ProcessingTask``, where a parameter of it says so.
  public static let processingByParameter = GatedWork(rawValue: 4)
  /// Any ``BackgroundDownload``.
  public static let download = GatedWork(rawValue: 8)
  /// A ``BackgroundDownload`` whose time the system chooses.
  public static let discretionaryDownload = GatedWork(rawValue: 16)
}

extension PolicyFactor {
  public static var gates: GatedWork { [] }

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
