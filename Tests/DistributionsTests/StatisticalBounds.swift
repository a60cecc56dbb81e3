import Distributions

// Each statistical assertion has a false-alarm rate of at most 10⁻⁶; seeds are fixed, so a test that passes once
// passes always.

/// Two-sided normal quantile for 10⁻⁶.
let zAlpha = 4.891638

/// Draws for each test of a distribution.
let sampleSize = 40_000

/// A stream of its own for each test.
func testStream(_ item: UInt32) -> RandomStream {
  StreamFamily(seed: 20_260_101, replication: 0).stream(.test, item: item)
}

/// The distance that an empirical distribution function of `count` draws exceeds with probability at most 10⁻⁶.
///
/// Dvoretzky, Kiefer and Wolfowitz with Massart's constant: 2·exp(−2nε²) = 10⁻⁶ for any distribution, atoms or not.
func dkwBound(_ count: Int) -> Double { (14.508657738524219 / (2 * Double(count))).squareRoot() }

/// The largest distance between the empirical distribution function of `sample` and `cdf`, looked at on both sides of
/// each value, so that atoms are compared too.
func distance(of sample: [Double], from cdf: (Double) -> Double) -> Double {
  let sorted = sample.sorted()
  let count = Double(sorted.count)
  var largest = 0.0
  var start = 0
  while start < sorted.count {
    let x = sorted[start]
    var end = start
    while end < sorted.count, sorted[end] == x { end += 1 }
    largest = max(
      largest, (Double(end) / count - cdf(x)).magnitude, (Double(start) / count - cdf(x.nextDown)).magnitude)
    start = end
  }
  return largest
}
