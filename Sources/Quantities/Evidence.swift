/// How well a parameter's value is known. Apple publishes neither delivery rates nor the rules behind them, so every
/// parameter says what it stands on, and reports list the assumed ones first.
public enum Evidence: String, Sendable, CaseIterable, Hashable {
  /// Apple's documentation, or the guides that the `guide` profile follows, state the value.
  case documented
  /// Measured: public logs or data show the value (grade A of the population study).
  case observed
  /// A published figure from a vendor, a poll or an abstract (grade B).
  case reported
  /// From memory or a secondary source that could not be checked (grade C).
  case unverified
  /// No source was found; the value is ours and needs a prior (grade D).
  case assumed
  /// Set by the scenario's author or on the command line.
  case given

  /// Whether an answer that depends on this parameter must say so.
  public var isAssumption: Bool { self == .assumed || self == .unverified }
}
