/// What a number of a scenario measures. Values are kept in the SI unit named with each case.
public enum Dimension: String, Sendable, CaseIterable, Hashable {
  /// A pure number, written bare.
  case count
  /// Written in `%` (or bare from 0 to 1 where a proportion is expected); kept as a fraction.
  case proportion
  /// Kept in seconds.
  case time
  /// Events per time, such as `2 /h`; kept per second.
  case rate
  /// A change of a proportion per time, such as `1.2 %/h`; kept as a fraction per second.
  case proportionRate
  /// Kept in bytes.
  case bytes
  /// Kept in joules; also `Wh`.
  case energy
  /// Kept in watts.
  case power
  /// Kept in bytes per second.
  case bandwidth
}
