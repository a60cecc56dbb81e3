import PushPolicy
import Quantities
import Testing

@Suite struct PayloadTests {
  /// Every combination of the four parts of a payload.
  static let requests = (0..<16).map { PushRequest(rawValue: $0) }

  @Test(arguments: requests)
  func `only content-available without alert, sound or badge may wake the app`(request: PushRequest) {
    let policy = testPolicy()
    let verdict = Payload.evaluate(context(request: request), freshMemory(policy), policy)
    #expect(verdict == (request == .contentAvailable ? .abstain : .never))
  }

  @Test(arguments: requests)
  func `where an alert may wake the app, it takes content-available`(request: PushRequest) {
    var policy = testPolicy()
    policy.payload.alertMayWake = true
    let verdict = Payload.evaluate(context(request: request), freshMemory(policy), policy)
    #expect(verdict == (request.contains(.contentAvailable) ? .abstain : .never))
  }

  @Test func `mutable-content changes nothing about a launch`() {
    for request in Self.requests {
      for alertMayWake in [false, true] {
        let policy = testPolicy { $0.payload.alertMayWake = alertMayWake }
        #expect(policy.payload.mayWake(request.union(.mutableContent)) == policy.payload.mayWake(request))
      }
    }
  }

  @Test func `a payload with alert, sound or badge is visible, with content-available alone it is not`() {
    for request in Self.requests {
      let visible = !request.isDisjoint(with: [.alert, .sound, .badge])
      #expect(request.isVisible == visible)
    }
  }

  @Test func `the payload is judged whatever the state of the device`() {
    expectReads(Payload.self, only: [])
  }
}
