import Foundation
import OutputAnalysis
import Testing

/// What SciPy and statsmodels make of the same data; `made_by` in the fixture says how and with which versions.
private struct Oracle: Decodable {
  struct Mean: Decodable {
    var name: String
    var values: [Double]
    var confidence: Double
    var mean: Double
    var interval: [Double]
  }
  struct Comparison: Decodable {
    var a: [Double]
    var b: [Double]
    var family: Int
    var difference: Double
    var interval: [Double]
    var joint: [Double]
    var varianceReduction: Double
  }
  struct Eta: Decodable {
    var systems: Int
    var confidence: Double
    var firstStage: Int
    var eta: Double
  }
  var madeBy: String
  var means: [Mean]
  var comparisons: [Comparison]
  var etas: [Eta]

  static func read() throws -> Oracle {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/scipy.json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Oracle.self, from: Data(contentsOf: file))
  }
}

/// Two programs round differently; far from 0 the difference of nearly equal numbers loses digits.
private func isClose(_ a: Double?, _ b: Double, scale: Double = 0) -> Bool {
  guard let a else { return false }
  return (a - b).magnitude <= 1e-9 * b.magnitude + 1e-12 * scale
}

@Suite struct OracleTests {
  @Test func `means have the intervals of statsmodels`() throws {
    let oracle = try Oracle.read()
    #expect(oracle.means.count >= 15)
    for item in oracle.means {
      let estimate = MeanEstimate(item.values, confidence: item.confidence)
      #expect(isClose(estimate.mean, item.mean), "\(item.name)")
      #expect(isClose(estimate.interval?.lower, item.interval[0], scale: item.mean), "\(item.name)")
      #expect(isClose(estimate.interval?.upper, item.interval[1], scale: item.mean), "\(item.name)")
    }
  }

  @Test func `paired comparisons have the intervals of SciPy, alone and together`() throws {
    let oracle = try Oracle.read()
    #expect(oracle.comparisons.contains { $0.family > 1 })
    for item in oracle.comparisons {
      let comparison = PairedComparison(item.a, item.b, family: item.family)
      #expect(isClose(comparison.difference.mean, item.difference))
      #expect(isClose(comparison.difference.interval?.lower, item.interval[0], scale: 100))
      #expect(isClose(comparison.difference.interval?.upper, item.interval[1], scale: 100))
      #expect(isClose(comparison.joint?.lower, item.joint[0], scale: 100))
      #expect(isClose(comparison.joint?.upper, item.joint[1], scale: 100))
      #expect(isClose(comparison.varianceReduction, item.varianceReduction))
    }
  }

  @Test func `the constant of Kim and Nelson solves its equation`() throws {
    for item in try Oracle.read().etas {
      let eta = KimNelson.eta(
        systems: item.systems, confidence: item.confidence, firstStage: item.firstStage)
      #expect(isClose(eta, item.eta), "\(item)")
    }
  }
}
