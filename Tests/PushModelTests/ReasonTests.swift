import Quantities
import Testing

@testable import PushModel
@testable import PushPolicy

/// Reasons and thresholds are tables: a row at a wrong place would give the counts of one to the name of another.
@Suite struct ReasonTests {
  @Test func `a reason outside the policy has its row at the place of its number`() {
    let factors = FactorID.allCases.count
    #expect(Reason.others.map(\.reason.index) == Array(factors..<Reason.count))
    #expect(
      TaskReason.conditions.map { Int($0.reason.index) } == Array(factors..<TaskReason.allCases.count))
  }

  @Test func `names are different, and an answer of APNs tells its status`() {
    let names = (0..<Reason.count).map { Reason(index: $0).name }
    #expect(Set(names).count == names.count)
    #expect(Set(TaskReason.allCases.map(\.name)).count == TaskReason.allCases.count)
    #expect(Reason.unregistered.status == 410 && Reason.tooManyRequests.status == 429)
    #expect(Reason.deviceOff.status == nil && Reason(.lowPowerMode).status == nil)
    #expect(Reason.outages.map(\.status) == [403, 404, 405, 429, 500, 503])
  }

  @Test func `a delivery counts for the thresholds that it keeps, their ends included`() {
    #expect(Tally.thresholdNames == ["1min", "5min", "15min", "1h"])
    let times: [SimDuration] = [
      .seconds(60), .minutes(5) + SimDuration(microseconds: 1), .hours(1), .hours(2),
    ]
    var within = Tally.ByThreshold<Int64>(repeating: 0)
    for time in times { Tally.countWithin(&within, time) }
    #expect(within.indices.map { within[$0] } == [1, 1, 2, 3])
  }
}
