public import Distributions
public import Quantities

/// What hits all devices of a replication at once, so that they are not independent: nothing, unless a scenario has it.
///
/// Each kind comes at random at its rate, from the start of the run, and lasts for a time. A replication draws when; each
/// device draws whether an event reaches it, and when.
public struct SharedEvents: Sendable {
  /// How often something comes, and for how long.
  public struct Episodes: Sendable {
    /// Unit: per second.
    public var rate: Double
    /// Unit: seconds.
    public var lasts: Distribution

    public init(rate: Double, lasts: Distribution) {
      self.rate = rate
      self.lasts = lasts
    }
  }

  /// A defect that spreads over the devices, until it is repaired everywhere.
  public struct Defect: Sendable {
    public var episodes: Episodes
    /// Share of the devices that have it in the end. Unit: dimensionless, 0 to 1.
    public var reaches: Distribution
    /// A device that gets it does so at a uniform time within this from the beginning.
    public var spreadsOver: SimDuration
    /// Share of what it concerns that fails on a device that has it. Unit: dimensionless, 0 to 1.
    public var fails: Distribution

    public init(episodes: Episodes, reaches: Distribution, spreadsOver: SimDuration, fails: Distribution) {
      self.episodes = episodes
      self.reaches = reaches
      self.spreadsOver = spreadsOver
      self.fails = fails
    }
  }

  /// APNs answers every request with 503.
  public var apnsIncident: Episodes?
  /// A system version that does not hand over silent pushes.
  public var newSystem: Defect?
  /// A release of the app whose handler never completes.
  public var badRelease: Defect?

  public init() {}

  /// One event of a replication.
  struct Event: Sendable {
    enum Kind: UInt32, Sendable {
      case apnsIncident
      case newSystem
      case badRelease
    }

    var kind: Kind
    var from: SimTime
    var until: SimTime
    var reaches = 1.0
    var spreadsOver = SimDuration.zero
    var fails = 1.0
  }

  /// The events of a replication that begin before `end`: by kind, then by time.
  func draw(until end: SimTime, _ streams: StreamFamily) -> [Event] {
    var events: [Event] = []
    if let apnsIncident { draw(.apnsIncident, apnsIncident, nil, until: end, streams, into: &events) }
    if let newSystem { draw(.newSystem, newSystem.episodes, newSystem, until: end, streams, into: &events) }
    if let badRelease {
      draw(.badRelease, badRelease.episodes, badRelease, until: end, streams, into: &events)
    }
    return events
  }

  private func draw(
    _ kind: Event.Kind, _ episodes: Episodes, _ defect: Defect?, until end: SimTime, _ streams: StreamFamily,
    into events: inout [Event]
  ) {
    guard episodes.rate > 0 else { return }
    // The first lane is that of the devices.
    var stream = streams.stream(.sharedEvents, lane: 1 + kind.rawValue)
    var now = SimTime.zero
    // As many as a device can have streams for; so many are a mistake in any case.
    for _ in 0..<Self.most {
      now += SimDuration(seconds: min(stream.unitExponential() / episodes.rate, 1e10))
      guard now < end else { return }
      let lasts = min(max(0, episodes.lasts.draw(&stream)), 1e9)
      var event = Event(kind: kind, from: now, until: now + SimDuration(seconds: lasts))
      if let defect {
        event.reaches = defect.reaches.draw(&stream)
        event.fails = defect.fails.draw(&stream)
        event.spreadsOver = defect.spreadsOver
      }
      events.append(event)
    }
  }

  /// The most events of a kind in a replication.
  static let most = 10_000
}
