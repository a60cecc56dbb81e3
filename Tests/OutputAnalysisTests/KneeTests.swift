import Distributions
import OutputAnalysis
import Testing

@Suite struct KneeTests {
  private let x = [10.0, 20, 30, 40, 60, 80]

  /// A curve in each of so many replications, moved as a whole and with noise of its own at each point.
  private func curves(
    _ replications: Int, noise: Double, number: Int, _ mean: (Double) -> Double
  ) -> [[Double?]] {
    var stream = StreamFamily(seed: 7, replication: number).stream(.test)
    let shared = (0..<replications).map { _ in stream.unitGaussian() }
    return x.map { x in shared.map { mean(x) + $0 + noise * stream.unitGaussian() } }
  }

  // The chord from (10, 10) to (80, 44) is 10 + 30 · 34/70 at 40, where the line is 40: 108/7 above it.
  @Test func `a broken line has its knee where it breaks, above or below the chord, in any order of points`()
  {
    func broken(_ x: Double) -> Double { x < 40 ? x : 40 + 0.1 * (x - 40) }
    func check(_ knee: Knee?, at place: Int, _ expected: Double) {
      guard case .bend(let index, let distance, let candidates)? = knee else {
        Issue.record("no knee was found")
        return
      }
      #expect(index == place)
      #expect(abs(distance - expected) < 1e-9)
      #expect(candidates == [place])
    }
    let up = curves(6, noise: 0, number: 0, broken)
    check(Knee.find(x: x, y: up, confidence: 0.95), at: 3, 108.0 / 7)
    let down = curves(6, noise: 0, number: 0) { -broken($0) }
    check(Knee.find(x: x, y: down, confidence: 0.95), at: 3, -108.0 / 7)
    check(Knee.find(x: x.reversed(), y: up.reversed(), confidence: 0.95), at: 2, 108.0 / 7)
  }

  @Test func `points that noise does not tell from the knee are candidates`() {
    let y = curves(5, noise: 4, number: 1) { $0 < 40 ? $0 : 40 + 0.1 * ($0 - 40) }
    guard case .bend(let index, _, let candidates)? = Knee.find(x: x, y: y, confidence: 0.95) else {
      Issue.record("no knee was found")
      return
    }
    #expect(candidates.contains(index))
    #expect(candidates.count > 1)
  }

  // The family of tests is exact for normal noise up to Bonferroni's bound: 400 curves of which each is called bent with
  // at most 5 %. More than 45 have a probability below 10⁻⁵ (binomial, 20 expected at most).
  @Test func `a straight line with noise is called straight`() {
    var bent = 0
    for number in 0..<400 {
      let y = curves(8, noise: 1, number: number) { 3 - 0.2 * $0 }
      if Knee.find(x: x, y: y, confidence: 0.95) != .straight { bent += 1 }
    }
    #expect(bent <= 45)
    // A test that could not find anything would pass too.
    #expect(bent > 0)
  }

  // The candidates hold the farthest point of the true curve but for 5 %: 300 curves, 15 misses expected at most, more
  // than 36 with a probability below 10⁻⁶. Curves called straight hold none.
  @Test func `the candidates cover the true knee`() {
    var misses = 0
    for number in 0..<300 {
      let y = curves(6, noise: 4, number: 1000 + number) { $0 < 40 ? $0 : 40 + 0.1 * ($0 - 40) }
      if case .bend(_, _, let candidates)? = Knee.find(x: x, y: y, confidence: 0.95), !candidates.contains(3)
      {
        misses += 1
      }
    }
    #expect(misses <= 36)
  }

  @Test func `what rounding leaves of a straight line is no knee`() {
    let y = x.map { x in [Double?](repeating: 0.1 * x + 1.0 / 3, count: 4) }
    #expect(Knee.find(x: x, y: y, confidence: 0.95) == .straight)
  }

  @Test func `two points, one replication or a value given twice have no knee to look for`() {
    #expect(Knee.find(x: [1, 2], y: [[1, 2], [3, 4]], confidence: 0.95) == nil)
    #expect(Knee.find(x: [1, 2, 3], y: [[1], [3], [4]], confidence: 0.95) == nil)
    #expect(Knee.find(x: [1, 2, 2], y: [[1, 2], [3, 4], [3, 4]], confidence: 0.95) == nil)
    // Replications without a value at some point count for none.
    #expect(Knee.find(x: [1, 2, 3], y: [[1, 2], [nil, 4], [3, 4]], confidence: 0.95) == nil)
  }
}
