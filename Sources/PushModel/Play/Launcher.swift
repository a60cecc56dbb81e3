import Distributions
import PushPolicy
import Quantities

/// A launch of the app: for pushes, or for a task.
struct Handler: Sendable, BitwiseCopyable {
  var ends = SimTime.distantFuture
  var runTime = SimDuration.zero
  var result = LaunchResult.newData
  var isBackground = false
  /// The task that it runs; nil for a push.
  var task: TaskMechanism?
  /// Whether the data is on the device when it ends, and of which version.
  var brings = false
  var version = 0
  var counts = false
  /// It ran out of what it was granted, before it ran out of the limit: no fault of the app.
  var isExcused = false
  /// What the launch has cost so far. Unit: microjoules.
  var energy: Int64 = 0
  var isRunning: Bool { ends != .distantFuture }

  /// Settles how the launch goes.
  ///
  /// - Parameters:
  ///   - wanted: how long the app would run. Unit: seconds.
  ///   - limit: how long it may. Unit: seconds.
  ///   - coin: a uniform number, which the shares divide up.
  ///   - findsNothing: whether the server has nothing newer than the app.
  mutating func settle(
    wanted: Double, limit: Double, coin: Double, _ shares: HandlerShares, isReachable: Bool,
    findsNothing: Bool
  ) {
    runTime = SimDuration(seconds: max(0, min(wanted, limit)))
    if coin >= 1 - shares.neverCompletes {
      result = .killed
      runTime = SimDuration(seconds: limit)
    } else if wanted >= limit {
      result = .timedOut
    } else if coin >= shares.newData + shares.noData || !isReachable {
      result = .failed
    } else if coin >= shares.newData || findsNothing {
      // A launch that finds nothing newer on the server brings no data, whatever the app hoped for.
      result = .noData
    } else {
      result = .newData
    }
    // A handler that forgets its completion handler has done its work all the same, if the network let it.
    brings = result == .newData || (result == .killed && wanted < limit && isReachable)
  }
}

/// What launches the app on the device at hand: one launch at a time, which handles all that it is for.
///
/// `Play` starts, stops and ends launches, and `Play+Tasks` interrupts them; all others ask whether the app runs.
struct Launcher: Sendable {
  /// What the system grants to a launch for a push, in seconds; nil: the limit.
  let grant: Distribution?
  /// The launch that is running, or none.
  private(set) var handler = Handler()
  /// How many launches for pushes there were.
  private var launches: UInt32 = 0

  init(grant: Distribution?) { self.grant = grant }

  var isRunning: Bool { handler.isRunning }

  /// A device begins.
  mutating func begin() {
    handler = Handler()
    launches = 0
  }

  /// The number of the next launch for a push, which names its streams.
  mutating func takeNumber() -> UInt32 {
    defer { launches += 1 }
    return launches
  }

  mutating func start(_ launch: Handler) { handler = launch }

  /// The launch is over.
  ///
  /// - Returns: what it was.
  mutating func end() -> Handler {
    defer { handler = Handler() }
    return handler
  }

  /// For how long the launch has run.
  func runTime(at now: SimTime) -> SimDuration { handler.runTime - (handler.ends - now) }

  /// The system ends the run: the app puts its work away, and has nothing to show for it.
  mutating func interrupt(at now: SimTime) {
    handler.runTime = runTime(at: now)
    handler.ends = now
    handler.result = .failed
    handler.brings = false
    handler.isExcused = true
  }
}
