import PushsimTestSupport
import Testing

@testable import pushsim_coverage

/// The coverage study (`make coverage`, Documentation/Coverage.md) with fewer experiments.
struct CoverageTests {
  // 200 experiments are too few for the band of 93.5 to 96.5 %; a row fails if so many or so few are right that even its
  // nearer edge is implausible, which happens to a right one with less than 10⁻⁶.
  @Test func `no interval is right less or more often than it says`() {
    for row in Study(trials: 200, seed: 2).rows() {
      let share = row.share
      let edge =
        switch row.claim {
        case .nominal: min(max(share, Coverage.nominal.lowerBound), Coverage.nominal.upperBound)
        case .atLeast: min(1, max(share, 0.95))
        case .shown: share
        }
      #expect(
        edge == share || isPlausible(row.right, of: row.trials, probability: edge),
        "\(row.kind), \(row.model): \(row.right) of \(row.trials)")
    }
  }

  @Test func `the study finds an interval out that is too narrow`() {
    // 80 % where 95 % is claimed.
    let row = Coverage(kind: "", model: "", claim: .nominal, right: 160, trials: 200, replications: 1)
    #expect(!row.isAsClaimed)
    #expect(!isPlausible(row.right, of: row.trials, probability: Coverage.nominal.lowerBound))
  }
}
