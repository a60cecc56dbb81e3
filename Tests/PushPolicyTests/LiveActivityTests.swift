import PushPolicy
import Quantities
import Testing

private func at(_ minutes: Int64) -> SimTime { .zero + .minutes(minutes) }

private let rules: LiveActivity = {
  var rules = LiveActivity()
  rules.startBudget = 3
  rules.startRefill = 1.0 / 3600
  rules.updateBudget = 2
  rules.updateRefill = 1.0 / 600
  rules.frequentFactor = 3
  rules.lifetime = 8 * 3600
  rules.startsSince = 17
  rules.updatesSince = 16
  return rules
}()

private func outcomes(
  _ pushes: [(LiveActivity.Event, Int64)], priority: Int = 10, frequent: Bool = false, version: Double = 26
) -> [LiveActivity.Outcome] {
  var state = LiveActivity.State(rules, isFrequent: frequent)
  state.begin(at: .zero)
  return pushes.map {
    rules.receive(
      $0.0, priority: priority, isFrequent: frequent, systemVersion: version, &state, at: at($0.1))
  }
}

struct LiveActivityTests {
  @Test(arguments: [10, 5])
  func `starts draw on their budget at any priority, and one comes back an hour`(priority: Int) {
    let starts = [0, 1, 2, 3, 59, 63, 64].map { (LiveActivity.Event.start, Int64($0)) }
    let expected: [LiveActivity.Outcome] = [
      .shown, .shown, .shown, .overBudget, .overBudget, .shown, .overBudget,
    ]
    #expect(outcomes(starts, priority: priority) == expected)
  }

  @Test func `updates of priority 10 draw on theirs, those of priority 5 on none`() {
    let updates = (0..<5).map { (LiveActivity.Event.update, Int64($0)) }
    #expect(outcomes(updates) == [.shown, .shown, .overBudget, .overBudget, .overBudget])
    #expect(outcomes(updates, priority: 5) == [.shown, .shown, .shown, .shown, .shown])
    #expect(outcomes((0..<8).map { (.update, $0) }, frequent: true).prefix(6).allSatisfy { $0 == .shown })
  }

  @Test func `an activity runs for eight hours or until its end, and then nothing changes it`() {
    #expect(outcomes([(.update, 479), (.update, 480)]) == [.shown, .nothingToChange])
    #expect(outcomes([(.end, 10), (.update, 30)]) == [.shown, .nothingToChange])
    #expect(outcomes([(.end, 10), (.start, 20), (.update, 40)]) == [.shown, .shown, .shown])
  }

  @Test func `an old system knows no starts, an older one no updates`() {
    #expect(outcomes([(.start, 1), (.update, 2)], version: 16) == [.unknown, .shown])
    #expect(outcomes([(.start, 1), (.update, 2)], version: 15) == [.unknown, .unknown])
  }
}

struct RefillingBudgetTests {
  @Test func `the next place comes when the refill has brought a whole one`() {
    let refill = 1.0 / 600
    #expect(RefillingBudget(places: 1).nextPlace(refill: refill) == .zero)
    // Never more than `most`: after a long time there is one again.
    var budget = RefillingBudget(places: 1)
    let taken = [5, 10, 15, 500, 501].map { budget.take(most: 1, refill: refill, at: at($0)) }
    #expect(taken == [true, false, true, true, false])
    #expect(budget.nextPlace(refill: refill) == at(510))
    #expect(budget.nextPlace(refill: 0) == .distantFuture)
  }
}
