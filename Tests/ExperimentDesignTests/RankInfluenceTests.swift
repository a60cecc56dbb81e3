import Distributions
import ExperimentDesign
import Testing

@Suite struct RankInfluenceTests {
  private static func points(_ count: Int, _ inputs: Int, seed: UInt64) -> [[Double]] {
    DesignPoints.points(count: count, dimensions: inputs, StreamFamily(seed: seed, replication: 0))
  }

  @Test func `inputs are named in the order of what they explain`() throws {
    let points = Self.points(64, 80, seed: 3)
    // Variances in the ratio 16 : 4 : 0.04, exponentiated: ranks do not see the curve.
    let found = RankInfluence.strongest(3, points, points.map { exp2(4 * $0[7] - 2 * $0[31] + 0.2 * $0[50]) })
    #expect(found.prefix(2).map(\.input) == [7, 31])
    #expect(abs(found[0].share - 0.8) < 0.1 && abs(found[1].share - 0.2) < 0.1)
    #expect(found[0].high > found[0].low && found[1].high < found[1].low)
  }

  @Test func `chance names an input in few designs only`() {
    var named = 0
    for seed in 0..<100 {
      let points = Self.points(64, 80, seed: UInt64(100 + seed))
      var stream = StreamFamily(seed: UInt64(seed), replication: 1).stream(device: 0, .test)
      let outputs = points.map { _ in stream.uniform() }
      if !RankInfluence.strongest(3, points, outputs).isEmpty { named += 1 }
    }
    // At most 5 in 100 are expected; 16 or more have a probability below 1e-4.
    #expect(named < 16)
  }

  @Test func `nothing varies, nothing is named`() {
    let points = Self.points(16, 3, seed: 1)
    #expect(RankInfluence.strongest(3, points, points.map { _ in 1 }).isEmpty)
    #expect(RankInfluence.strongest(3, [], []).isEmpty)
  }

  private func exp2(_ x: Double) -> Double { x >= 0 ? power(2, x) : 1 / power(2, -x) }
  /// A growing curve, without a C library: 2^x by its whole part and a straight line between.
  private func power(_ base: Double, _ x: Double) -> Double {
    var value = 1.0
    for _ in 0..<Int(x) { value *= base }
    return value * (1 + (x - x.rounded(.down)))
  }
}
