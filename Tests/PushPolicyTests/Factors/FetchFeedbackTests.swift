import PushPolicy
import Quantities
import Testing

@Suite struct FetchFeedbackTests {
  private let policy = testPolicy()
  private static let results: [LaunchResult] = [.newData, .noData, .failed, .timedOut, .killed]

  /// The reputation after many launches that all end alike.
  private func fixedPoint(_ result: LaunchResult, runTime: SimDuration) -> Double {
    var state = FetchFeedback.State()
    for _ in 0..<2000 { state.recordResult(result, runTime: runTime, policy) }
    return state.reputation
  }

  @Test func `a launch is worth the more the better it ends`() {
    let values = Self.results.map { policy.fetchFeedback.value(of: $0, runTime: 1, limit: 30) }
    #expect(values == [1.2, 1, 0.4, 0.2, 0.1])
    #expect(values == values.sorted(by: >))
  }

  @Test func `launches that all end alike take the reputation to their value`() {
    for result in Self.results {
      let isLate = result == .timedOut || result == .killed
      let value = policy.fetchFeedback.value(of: result, runTime: 1, limit: 30)
      #expect(abs(fixedPoint(result, runTime: .seconds(isLate ? 30 : 1)) - value) < 1e-9)
    }
  }

  @Test func `one launch moves the reputation by the gain towards its value`() {
    var state = FetchFeedback.State()
    state.recordResult(.failed, runTime: .seconds(1), policy)
    #expect(abs(state.reputation - (1 + 0.1 * (0.4 - 1))) < 1e-15)
    state.recordResult(.newData, runTime: .seconds(1), policy)
    #expect(abs(state.reputation - (0.94 + 0.1 * (1.2 - 0.94))) < 1e-15)
  }

  @Test(arguments: [(LaunchResult.newData, 1.2), (LaunchResult.noData, 1.0), (LaunchResult.failed, 0.4)])
  func `a slow handler loses value linearly, down to that of a late one at the limit`(
    result: LaunchResult, full: Double
  ) {
    func value(_ seconds: Double) -> Double {
      policy.fetchFeedback.value(of: result, runTime: seconds, limit: 30)
    }
    #expect(value(0) == full)
    #expect(value(5) == full)
    #expect(abs(value(17.5) - (full + 0.2) / 2) < 1e-12)
    #expect(abs(value(11.25) - (0.75 * full + 0.25 * 0.2)) < 1e-12)
    #expect(abs(value(30) - 0.2) < 1e-12)
    #expect(abs(value(45) - 0.2) < 1e-12)
  }

  @Test func `a slow handler never gains, even where a late one is worth more than a failed one`() {
    let policy = testPolicy { $0.fetchFeedback.late = 0.9 }
    for seconds in [0.0, 5, 10, 29, 30] {
      #expect(policy.fetchFeedback.value(of: .failed, runTime: seconds, limit: 30) == 0.4)
    }
  }

  @Test func `the time of a late or never completing handler does not matter`() {
    for seconds in [0.0, 10, 30] {
      #expect(policy.fetchFeedback.value(of: .timedOut, runTime: seconds, limit: 30) == 0.2)
      #expect(policy.fetchFeedback.value(of: .killed, runTime: seconds, limit: 30) == 0.1)
    }
  }

  @Test(arguments: [LaunchResult.timedOut, .killed])
  func `after as many misses in a row as allowed everything is held until the app is opened`(
    miss: LaunchResult
  ) {
    var memory = freshMemory(policy)
    for _ in 0..<2 { memory.feedback.recordResult(miss, runTime: .seconds(30), policy) }
    #expect(FetchFeedback.evaluate(context(), memory, policy) == .abstain)
    memory.feedback.recordResult(miss, runTime: .seconds(30), policy)
    for occasion in [DeliveryContext.Occasion.arrival, .recheck, .powerNapWake] {
      let verdict = FetchFeedback.evaluate(context(at: noon + .days(300), occasion: occasion), memory, policy)
      #expect(verdict == .hold(Hold(lifts: .inFront)))
    }
    memory.recordOpen(at: noon + .days(301), policy)
    #expect(FetchFeedback.evaluate(context(at: noon + .days(301)), memory, policy) == .abstain)
  }

  @Test(arguments: [LaunchResult.newData, .noData, .failed])
  func `a handler that completes in time, however it ends, starts the count of misses afresh`(
    result: LaunchResult
  ) {
    var state = FetchFeedback.State()
    state.recordResult(.killed, runTime: .seconds(30), policy)
    state.recordResult(.timedOut, runTime: .seconds(30), policy)
    #expect(state.missesInARow == 2)
    state.recordResult(result, runTime: .seconds(29), policy)
    #expect(state.missesInARow == 0)
  }

  @Test func `an open moves a bad reputation a part of the way to 1, and never lowers a good one`() {
    for reputation in [0.0, 0.1, 0.5, 0.999, 1, 1.1, 1.3] {
      var state = FetchFeedback.State()
      state.reputation = reputation
      state.recordOpen(policy)
      let expected = reputation < 1 ? reputation + 0.25 * (1 - reputation) : reputation
      #expect(abs(state.reputation - expected) < 1e-15)
      #expect(state.reputation >= reputation)
    }
  }

  @Test func `a policy without the factor treats every app as of good reputation`() {
    var state = FetchFeedback.State()
    state.reputation = 0.3
    #expect(policy.reputation(state) == 0.3)
    for mode in [FactorMode.off, .shadow] {
      var other = policy
      other.modes[Int(FactorID.fetchFeedback.rawValue)] = mode.rawValue
      #expect(other.reputation(state) == 1)
    }
  }
}
