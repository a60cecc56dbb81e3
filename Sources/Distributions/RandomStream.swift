public import CPushsim

/// What a stream is for. The raw values are part of the results: never renumber, only append.
public enum StreamPurpose: UInt8, Sendable, CaseIterable {
  // The world, one per replication (device 0).
  case content = 1
  case parameter = 2
  // What hits all devices at once; of a device, whether it reaches it.
  case sharedEvents = 4
  // Points of an experiment's design and resampling of its results: one of each a study.
  case design = 3
  // A device's life: schedule, network, user.
  case traits = 10
  case opens = 11
  case sessions = 12
  case sleep = 13
  case screen = 14
  case charging = 15
  case lowPowerMode = 16
  case network = 17
  case forceQuit = 18
  case churn = 19
  case cpu = 20
  case powerNap = 21
  case restart = 22
  case otherPushes = 23
  case otherNotifications = 24
  case screenUse = 25
  case camera = 26
  // The path of a push, keyed by its number.
  case send = 40
  case transit = 41
  case policy = 42
  // The system on a device: what a profile draws once per device, and what releases held pushes.
  case system = 43
  case release = 44
  case provider = 45
  case apns = 46
  case link = 47
  case restriction = 48
  // When the system could run a task of the app.
  case opportunity = 49
  // What extensions and the app make of a push, and the user of an alert.
  case serviceExtension = 50
  case reaction = 51
  case call = 52
  case download = 53
  // The feedback loop, keyed by the launch's number.
  case handler = 60
  case grant = 61
  // Free for tests and tools.
  case test = 250

  /// The name in a stream's path, as in `replication 3 / device 17 / charging / 0`.
  public var name: String { "\(self)" }
}

/// All random streams of one replication. A stream is named by its path (replication, device, purpose, item) and
/// costs a few stores to create: Philox is a function of key and counter, so there is nothing to seed, and adding a
/// device, a purpose or a draw in one stream moves no other (Decision 0004).
@frozen
public struct StreamFamily: Sendable {
  @usableFromInline let seed: UInt64
  @usableFromInline let replication: UInt32

  /// - Parameters:
  ///   - seed: the run's seed, the generator's key.
  ///   - replication: 0-based, below 2²⁴.
  @inlinable
  public init(seed: UInt64, replication: Int) {
    precondition(replication >= 0 && replication < 1 << 24, "replication \(replication) is out of range")
    self.seed = seed
    self.replication = UInt32(replication)
  }

  /// The stream of a purpose: `device` and `item` tell apart the things that draw for the same purpose.
  ///
  /// - Parameter lane: tells apart, below 16, what numbers its items from 0 each, as mechanisms do.
  @inlinable
  public func stream(
    device: UInt32 = 0, _ purpose: StreamPurpose, item: UInt32 = 0, lane: UInt32 = 0
  ) -> RandomStream {
    RandomStream(
      ps_stream(
        key: (UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32)),
        // A stream is far shorter than the 2²⁸ blocks that a lane has.
        counter: (lane << 28, item, device, replication << 8 | UInt32(purpose.rawValue)),
        block: (0, 0, 0, 0), used: 4))
  }
}

/// A sequence of independent random bits, to be consumed by one owner.
@frozen
public struct RandomStream: Sendable {
  @usableFromInline var state: ps_stream

  @inlinable init(_ state: ps_stream) { self.state = state }

  /// Uniform on [0, 1), 53 bits.
  @inlinable
  public mutating func uniform() -> Double { ps_uniform(&state) }

  /// True with probability `p`; draws once whatever `p` is.
  @inlinable
  public mutating func bernoulli(_ p: Double) -> Bool { uniform() < p }

  /// 32 uniform bits.
  @inlinable
  public mutating func bits() -> UInt32 { ps_next(&state) }
}
