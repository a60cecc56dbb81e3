import Distributions
import ExperimentDesign
import PushsimTestSupport
import Testing

@Suite struct DesignPointsTests {
  private func family(_ seed: UInt64) -> StreamFamily { StreamFamily(seed: seed, replication: 0) }

  @Test func `scrambled Sobol points have one in each elementary interval of two dimensions`() {
    // The first two dimensions are a (0, 2)-sequence, which nested scrambling keeps.
    let points = DesignPoints.sobol(count: 64, dimensions: 2, family(3))
    for x in 0...6 {
      let columns = 1 << x
      let rows = 64 / columns
      let cells = points.map { Int($0[0] * Double(columns)) * rows + Int($0[1] * Double(rows)) }
      #expect(Set(cells).count == 64, "boxes of 1/\(columns) by 1/\(rows)")
    }
  }

  @Test(arguments: [1, 17, 40]) func `each dimension is stratified and open at both ends`(dimensions: Int) {
    for points in [
      DesignPoints.sobol(count: 32, dimensions: dimensions, family(1)),
      DesignPoints.latinHypercube(count: 32, dimensions: dimensions, family(1)),
    ] {
      for dimension in 0..<dimensions {
        let values = points.map { $0[dimension] }
        #expect(values.allSatisfy { $0 > 0 && $0 < 1 })
        #expect(Set(values.map { Int($0 * 32) }).count == 32, "dimension \(dimension)")
      }
    }
  }

  @Test func `a longer design begins with the shorter one, and another seed gives another`() {
    let short = DesignPoints.sobol(count: 5, dimensions: 3, family(1))
    #expect(Array(DesignPoints.sobol(count: 9, dimensions: 3, family(1)).prefix(5)) == short)
    #expect(DesignPoints.sobol(count: 5, dimensions: 3, family(2)) != short)
  }

  @Test func `a scrambled point is uniform over seeds and independent of another dimension`() {
    // Each count is a binomial one; false-alarm rate of the helper, three times.
    let seeds = 400
    var first = 0
    var both = 0
    var quarter = 0
    for seed in 0..<seeds {
      let point = DesignPoints.sobol(count: 3, dimensions: 2, family(UInt64(seed)))[2]
      first += point[0] < 0.5 ? 1 : 0
      both += (point[0] < 0.5) == (point[1] < 0.5) ? 1 : 0
      quarter += point[1] < 0.25 ? 1 : 0
    }
    #expect(isPlausible(first, of: seeds, probability: 0.5))
    #expect(isPlausible(both, of: seeds, probability: 0.5))
    #expect(isPlausible(quarter, of: seeds, probability: 0.25))
  }

  @Test func `scrambled Sobol points integrate far better than independent points`() {
    // The product of 1 + (x − ½)/2 over five dimensions has mean 1; independent points miss it by 0.021 (the root of
    // (1 + 1/48)⁵ − 1 = 0.109 over 256 points). A tenth of that is 3 times what these points miss it by.
    let errors = (0..<8).map { seed in
      let points = DesignPoints.sobol(count: 256, dimensions: 5, family(UInt64(seed)))
      return points.reduce(0) { $0 + $1.reduce(1) { $0 * (1 + ($1 - 0.5) / 2) } } / 256 - 1
    }
    #expect((errors.reduce(0) { $0 + $1 * $1 } / 8).squareRoot() < 0.0021)
  }

  @Test func `beyond the dimensions of the Sobol sequence the points are a Latin hypercube`() {
    let points = DesignPoints.points(count: 7, dimensions: 41, family(1))
    #expect(points == DesignPoints.latinHypercube(count: 7, dimensions: 41, family(1)))
    // Columns are permuted apart.
    #expect(points.map { Int($0[0] * 7) } != points.map { Int($0[1] * 7) })
  }
}
