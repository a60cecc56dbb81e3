public import CPushsim

extension RandomStream {
  /// Uniform on (0, 1], 53 bits: safe under a logarithm.
  @inlinable
  public mutating func uniformPositive() -> Double { 1 - uniform() }

  /// ``uniformPositive()``, told apart in a build that counts draws by kind.
  mutating func uniformForInversion(isGaussian: Bool) -> Double {
    ps_count(isGaussian ? PS_TRUNCATED : PS_UNIFORM)
    return 1 - ps_bits53(&state)
  }

  /// An exponential variate of mean 1, by inversion: one uniform a draw, so that streams stay in step.
  @inlinable
  public mutating func unitExponential() -> Double { ps_unit_exponential(&state) }

  /// A Gaussian variate of mean 0 and standard deviation 1, by the ziggurat.
  ///
  /// - Limitations: takes a varying number of outputs from the stream (one in about 98 % of the draws).
  @inlinable
  public mutating func unitGaussian() -> Double { ps_ran_gaussian(&state, 1) }

  /// A whole number, uniform on `0 ..< bound`.
  ///
  /// Takes 64 bits whatever the bound, so that streams stay in step; the price is a bias below `bound` · 2⁻⁶⁴.
  ///
  /// - Precondition: `bound` is positive.
  @inlinable
  public mutating func index(below bound: Int) -> Int {
    precondition(bound > 0, "an index below \(bound) does not exist")
    return Int(ps_index_bits(&state).multipliedFullWidth(by: UInt64(bound)).high)
  }
}
