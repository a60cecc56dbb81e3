import Distributions
import Foundation
import OutputAnalysis
import Testing

@Suite struct WarmUpTests {
  @Test func `a series that settles is cut where it settles`() throws {
    // Ten values on another level, then 90 around 1.
    let series = (0..<100).map { $0 < 10 ? 5.0 : $0 % 2 == 0 ? 0.9 : 1.1 }
    let warmUp = try #require(WarmUp(series))
    #expect(warmUp.truncation == 10 && warmUp.length == 100 && !warmUp.isRejected)
    #expect(WarmUp(series, batch: 2)?.truncation == 10)
  }

  @Test func `a constant series needs no warm-up`() {
    #expect(WarmUp([Double](repeating: 3, count: 50))?.truncation == 0)
  }

  @Test func `a series that never settles is rejected`() {
    #expect(WarmUp((0..<100).map { Double($0) })?.isRejected == true)
    #expect(WarmUp((0..<100).map { $0 < 70 ? 0.0 : 1 })?.isRejected == true)
  }

  @Test func `fewer than ten batches say nothing`() {
    #expect(WarmUp([Double](repeating: 3, count: 49)) == nil)
    #expect(WarmUp([], batch: 1) == nil)
    #expect(WarmUp([Double](repeating: 3, count: 10), batch: 1) != nil)
  }

  // The definition, by sums over every start: Σ(Y − Ȳ)²/(n − d)², with 5 batches kept at least.
  @Test func `the truncation makes the marginal standard error least`() {
    for seed in 0..<20 as Range<UInt64> {
      var stream = StreamFamily(seed: seed, replication: 0).stream(.test)
      let series = (0..<40).map { 2 * exp(-Double($0) / 4) + stream.unitGaussian() }
      var best = (start: 0, error: Double.infinity)
      for start in 0...35 {
        let kept = series[start...]
        let mean = kept.reduce(0, +) / Double(kept.count)
        let error =
          kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(kept.count * kept.count)
        if error < best.error { best = (start, error) }
      }
      #expect(WarmUp(series, batch: 1)?.truncation == best.start)
    }
  }
}
