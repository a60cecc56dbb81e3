import Distributions
import ExperimentDesign
import Foundation
import PushsimTestSupport
import Testing

/// Functions whose indices are known in closed form.
private enum Known {
  /// Ishigami and Homma, 1990, with a = 7 and b = 0.1, on the unit cube.
  static func ishigami(_ u: [Double]) -> Double {
    let x = u.map { (2 * $0 - 1) * Double.pi }
    return sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4) * sin(x[0])
  }

  static let ishigamiIndices: (first: [Double], total: [Double]) = {
    let p4 = pow(Double.pi, 4)
    let v1 = 0.5 * pow(1 + 0.1 * p4 / 5, 2)
    let v2 = 49.0 / 8
    let v13 = 8 * 0.01 * p4 * p4 / 225
    let v = v1 + v2 + v13
    return ([v1 / v, v2 / v, 0], [(v1 + v13) / v, v2 / v, v13 / v])
  }()

  static let weights = [0.0, 1, 4.5, 99]

  /// Sobol's g-function.
  static func g(_ u: [Double]) -> Double {
    zip(u, weights).reduce(1) { $0 * ((4 * $1.0 - 2).magnitude + $1.1) / (1 + $1.1) }
  }

  static let gIndices: (first: [Double], total: [Double]) = {
    let parts = weights.map { 1 / (3 * (1 + $0) * (1 + $0)) }
    let v = parts.reduce(1) { $0 * (1 + $1) } - 1
    return (parts.map { $0 / v }, parts.map { $0 * (v + 1) / (1 + $0) / v })
  }()
}

@Suite struct SensitivityTests {
  private func family(_ seed: Int) -> StreamFamily { StreamFamily(seed: UInt64(seed), replication: 0) }

  /// Indices over several scramblings against the closed forms: the mean at the false-alarm rate of the helper beside a
  /// bias of 0.01 (a ratio of estimates has one of the order of one over the samples), and the coverage of intervals.
  private func check(
    _ function: ([Double]) -> Double, _ known: (first: [Double], total: [Double]), samples: Int
  ) {
    let seeds = 8
    let dimensions = known.first.count
    var first = Array(repeating: [Double](), count: dimensions)
    var total = first
    var covered = 0
    for seed in 0..<seeds {
      let design = SobolDesign(dimensions: dimensions, samples: samples, family(seed))
      let indices = design.indices(design.points.map { [function($0)] }, confidence: 0.99, family(seed))!
      for (i, index) in indices.enumerated() {
        first[i].append(index.first)
        total[i].append(index.total)
        covered += index.firstInterval.contains(known.first[i]) ? 1 : 0
        covered += index.totalInterval.contains(known.total[i]) ? 1 : 0
      }
    }
    for i in 0..<dimensions {
      #expect(isPlausibleMean(first[i], known.first[i], bias: 0.01), "first index \(i): \(first[i])")
      #expect(isPlausibleMean(total[i], known.total[i], bias: 0.01), "total index \(i): \(total[i])")
    }
    #expect(Double(covered) >= 0.9 * Double(2 * dimensions * seeds), "\(covered) intervals hold the index")
  }

  @Test func `indices of Ishigami's function are those of the closed form`() {
    check(Known.ishigami, Known.ishigamiIndices, samples: 128)
  }

  @Test func `indices of Sobol's g-function are those of the closed form`() {
    check(Known.g, Known.gIndices, samples: 128)
  }

  /// x + ½ y, with a shift that all points of a replication share and an error of each value.
  private func noisy(_ points: [[Double]], replications: Int, error: Double, seed: Int) -> [[Double]] {
    var stream = family(seed).stream(.test)
    let shifts = (0..<replications).map { _ in 10 * stream.unitGaussian() }
    return points.map { point in
      shifts.map { point[0] + 0.5 * point[1] + $0 + error * stream.unitGaussian() }
    }
  }

  @Test func `chance adds nothing to the indices`() {
    // True indices 0.8, 0.2, 0 and 0 of a variance of 0.104, beside an error variance of 0.09 and a shared one of 100.
    var totals = Array(repeating: [Double](), count: 3)
    for seed in 0..<12 {
      let design = SobolDesign(dimensions: 3, samples: 64, family(seed))
      let values = noisy(design.points, replications: 3, error: 0.3, seed: 100 + seed)
      let indices = design.indices(values, confidence: 0.95, family(seed))!
      for i in 0..<3 { totals[i].append(indices[i].total) }
    }
    #expect(isPlausibleMean(totals[0], 0.8, bias: 0.02), "\(totals[0])")
    #expect(isPlausibleMean(totals[1], 0.2, bias: 0.02), "\(totals[1])")
    #expect(isPlausibleMean(totals[2], 0, bias: 0.02), "\(totals[2])")
  }

  @Test func `a result that does not vary has no indices`() {
    let design = SobolDesign(dimensions: 2, samples: 8, family(1))
    #expect(design.indices(design.points.map { _ in [1, 2] }, confidence: 0.95, family(1)) == nil)
  }

  @Test func `Morris finds linear effects exactly, curvature in sigma, and nothing where nothing is`() throws
  {
    let design = MorrisDesign(dimensions: 4, trajectories: 12, family(5))
    // 3 a − 2 b + a c: linear in b, an interaction of a and c, nothing of d.
    let values = design.points.map { [3 * $0[0] - 2 * $0[1] + $0[0] * $0[2]] }
    let effects = design.effects(values, confidence: 0.95, family(5))
    let b = effects[1]
    let (mean, size) = (try #require(b.mean), try #require(b.meanSize))
    #expect(abs(mean + 2) < 1e-12 && abs(size - 2) < 1e-12)
    #expect(try #require(b.standardDeviation) < 1e-12)
    #expect((3.0...4.0).contains(try #require(effects[0].mean)))
    #expect(try #require(effects[0].standardDeviation) > 0.1)
    #expect(try #require(effects[0].meanSizeInterval).contains(effects[0].meanSize!))
    #expect(effects[3].meanSize == 0 && !effects[3].isAboveChance)
    #expect(effects.allSatisfy { $0.count == 12 })
  }

  @Test func `Morris tells effects from chance`() throws {
    // Bound of chance at 99.9 %: 40 trials of an inert dimension pass it 0.04 times, more than 3 times with a
    // probability below 1e-6.
    var inert = 0
    for seed in 0..<40 {
      let design = MorrisDesign(dimensions: 3, trajectories: 6, family(seed))
      let values = noisy(design.points, replications: 3, error: 0.1, seed: 200 + seed)
      let effects = design.effects(values, confidence: 0.999, family(seed))
      #expect(effects[0].isAboveChance)
      inert += effects[2].isAboveChance ? 1 : 0
      // What chance gives is there, and not taken for an effect.
      #expect(try #require(effects[2].meanSize) > 0)
    }
    #expect(inert <= 3)
  }

  @Test func `a value that is missing takes its steps with it`() {
    let design = MorrisDesign(dimensions: 2, trajectories: 2, family(1))
    var values = design.points.map { [$0[0] + $0[1]] }
    values[1] = [.nan]
    let effects = design.effects(values, confidence: 0.95, family(1))
    #expect(effects.map(\.count) == [1, 1])
    #expect(effects.allSatisfy { abs($0.mean! - 1) < 1e-12 })
  }
}

@Suite struct CrossedEffectsTests {
  @Test func `variances of settings, replications and rest are told apart`() {
    // Means over 200 experiments of known variances 4, 9 and 1, at the false-alarm rate of the helper.
    var settings: [Double] = []
    var replications: [Double] = []
    var rest: [Double] = []
    var chance: [Double] = []
    for seed in 0..<200 {
      var stream = StreamFamily(seed: UInt64(seed), replication: 0).stream(.test)
      let shifts = (0..<4).map { _ in 3 * stream.unitGaussian() }
      let values = (0..<12).map { _ in
        let setting = 2 * stream.unitGaussian()
        return shifts.map { 5 + setting + $0 + stream.unitGaussian() }
      }
      let effects = CrossedEffects(values)!
      settings.append(effects.settingVariance)
      replications.append(effects.replicationVariance)
      rest.append(effects.restVariance)
      chance.append(effects.chanceVariance)
    }
    #expect(isPlausibleMean(settings, 4))
    // Negative estimates, set to 0, are rare here.
    #expect(isPlausibleMean(replications, 9, bias: 0.05))
    #expect(isPlausibleMean(rest, 1))
    #expect(isPlausibleMean(chance, 10 / 4.0))
  }

  @Test func `what a replication does to all settings alike leaves their spread as it is`() throws {
    let effects = try #require(CrossedEffects([[1, 11], [2, 12], [4, 14]]))
    #expect(effects.mean == 22 / 3.0)
    #expect(effects.restVariance < 1e-20)
    #expect(abs(effects.settingVariance - 7.0 / 3) < 1e-12)
    for (corrected, mean) in zip(effects.corrected, [6.0, 7, 9]) { #expect(abs(corrected - mean) < 1e-12) }
    #expect(effects.chanceVariance == 25)
    let share = try #require(effects.settingShare)
    #expect(abs(share - 7.0 / 82) < 1e-12)
  }

  @Test func `settings that differ by chance only have an interval of no width`() throws {
    // The means are equal, the values are not.
    let effects = try #require(CrossedEffects([[0, 2], [2, 0]]))
    #expect(effects.settingVariance == 0 && effects.settingShare == 0)
    #expect(effects.interval(share: 0.95) == (1, 1))
    #expect(CrossedEffects([[1, 1], [1, 1]])?.settingShare == nil)
    #expect(CrossedEffects([[1, 2]]) == nil && CrossedEffects([[1], [2]]) == nil)
  }

  @Test func `quantiles of a sample lie between its values`() {
    #expect(sampleQuantile([1, 2, 4], 0) == 1)
    #expect(sampleQuantile([1, 2, 4], 0.75) == 3)
    #expect(sampleQuantile([1, 2, 4], 1) == 4)
  }
}
