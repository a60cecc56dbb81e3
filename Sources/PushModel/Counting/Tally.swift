public import OutputAnalysis
public import PushPolicy
public import Quantities

/// What one strategy did in one replication, as whole numbers only: adding tallies is exact and its order does not
/// matter, so the result is the same on any number of threads.
///
/// Only pushes, opens and launches after the warm-up count, except in ``daily``.
public struct Tally: Sendable {
  /// Segments by which pushes are counted apart.
  public struct Segment: Sendable {
    public var sent: Int64 = 0
    public var delivered: Int64 = 0
    public var within5min: Int64 = 0
    public var notWakeable: Int64 = 0
    public var opens: Int64 = 0
    public var freshOpens: Int64 = 0

    mutating func add(_ other: Segment) {
      sent += other.sent
      delivered += other.delivered
      within5min += other.within5min
      notWakeable += other.notWakeable
      opens += other.opens
      freshOpens += other.freshOpens
    }
  }

  /// The pushes of one mechanism, counted apart where a strategy has several.
  public struct MechanismCounts: Sendable {
    public var fates = InlineArray<10, Int64>(repeating: 0)
    /// As ``Tally/within``.
    public var within = ByThreshold<Int64>(repeating: 0)
    /// As ``Tally/latency``.
    public var latency = LogHistogram()

    public init() {}

    public var sent: Int64 { fates.indices.reduce(0) { $0 + fates[$1] } }

    mutating func countDelivered(_ time: SimDuration) {
      fates[Int(Fate.delivered.rawValue)] += 1
      latency.record(time.microseconds)
      Tally.countWithin(&within, time)
    }

    mutating func add(_ other: borrowing MechanismCounts) {
      for i in fates.indices { fates[i] += other.fates[i] }
      for i in within.indices { within[i] += other.within[i] }
      latency.merge(other.latency)
    }
  }

  /// The system's opportunities for one task mechanism: each ends as not due, refused, passed over or a run.
  public struct TaskCounts: Sendable {
    public var notDue: Int64 = 0
    /// By ``PushPolicy/TaskReason``.
    public var refused = InlineArray<31, Int64>(repeating: 0)
    /// The system chose not to, or the app was running anyhow.
    public var passedOver: Int64 = 0
    /// Of these, those that a lowered probability passed over, by what lowered it most.
    public var passedOverFor = InlineArray<31, Int64>(repeating: 0)
    public var runs: Int64 = 0
    /// Of the runs that have ended.
    public var results = InlineArray<5, Int64>(repeating: 0)
    /// Runs ended before their time, as when the user turns to the device; each is a failed one.
    public var interrupted: Int64 = 0

    public var opportunities: Int64 {
      notDue + passedOver + runs + refused.indices.reduce(0) { $0 + refused[$1] }
    }

    /// The reasons for which the task was not started, the most frequent first; the order of the registry decides ties.
    public var reasons: [(reason: TaskReason, count: Int64)] {
      TaskReason.allCases.map { ($0, refused[Int($0.index)] + passedOverFor[Int($0.index)]) }
        .filter { $0.1 > 0 }.sorted { ($1.1, $0.0.index) < ($0.1, $1.0.index) }
    }

    mutating func add(_ other: borrowing TaskCounts) {
      notDue += other.notDue
      for i in refused.indices { refused[i] += other.refused[i] }
      passedOver += other.passedOver
      for i in passedOverFor.indices { passedOverFor[i] += other.passedOverFor[i] }
      runs += other.runs
      for i in results.indices { results[i] += other.results[i] }
      interrupted += other.interrupted
    }
  }

  /// Transfers of a background session: each is completed, cancelled, superseded, or pending at the end.
  public struct DownloadCounts: Sendable {
    public var started: Int64 = 0
    public var completed: Int64 = 0
    /// By a force quit, or with the app.
    public var cancelled: Int64 = 0
    /// Called off for one that brings what is newer, or does not wait.
    public var superseded: Int64 = 0
    /// From start to completion. Unit: microseconds.
    public var time = LogHistogram()

    public var pending: Int64 { started - completed - cancelled - superseded }

    mutating func add(_ other: borrowing DownloadCounts) {
      started += other.started
      completed += other.completed
      cancelled += other.cancelled
      superseded += other.superseded
      time.merge(other.time)
    }
  }

  public var devices: Int64 = 0
  public var sent: Int64 = 0
  public var fates = InlineArray<10, Int64>(repeating: 0)
  /// By fate, then reason: `fate * 64 + reason`.
  public var reasons = InlineArray<640, Int64>(repeating: 0)
  public var results = InlineArray<5, Int64>(repeating: 0)
  public var deliveredInForeground: Int64 = 0
  /// Visible notifications shown to the user.
  public var shown: Int64 = 0
  /// Delivered within each of the ``thresholds`` of the send.
  public var within = ByThreshold<Int64>(repeating: 0)
  public var wokenWithin15min: Int64 = 0
  public var byHour = InlineArray<24, Segment>(repeating: Segment())
  public var byClass = InlineArray<4, Segment>(repeating: Segment())
  public var byKind = InlineArray<3, Segment>(repeating: Segment())
  /// Devices to which pushes were sent, by the share of theirs that was delivered: none, then up to each tenth.
  public var byShareDelivered = InlineArray<11, Int64>(repeating: 0)
  /// Launches in the background, and those whose content was on the screen before it was superseded.
  public var wakes: Int64 = 0
  public var usefulWakes: Int64 = 0
  public var launchesInForeground: Int64 = 0
  public var opens: Int64 = 0
  public var freshOpens: Int64 = 0
  /// Devices with at least one open, and the sum of their shares of fresh opens in units of 2⁻³².
  public var users: Int64 = 0
  public var userFreshShares: Int64 = 0
  /// Sum over opens, in milliseconds.
  public var stalenessMilliseconds: Int64 = 0
  /// By factor: pushes that a factor in shadow mode would have held or refused on arrival.
  public var shadow = InlineArray<26, Int64>(repeating: 0)
  /// From send to launch, of the pushes delivered. Unit: microseconds.
  public var latency = LogHistogram()
  /// From send to end, of all pushes.
  public var incidence = IncidenceCounts()
  public var byHourAndBattery = HourBatteryCounts()
  /// By factor: for how long it held pushes, in all. Unit: milliseconds.
  public var held = InlineArray<26, Int64>(repeating: 0)
  /// With what was before the end of the warm-up.
  public var daily = DailyCounts()
  /// At each open. Unit: microseconds.
  public var staleness = LogHistogram()
  /// What it cost.
  public var energy = EnergySums()

  /// What Apple's delivery metrics would show, by ``PushMechanism``.
  public var apns = InlineArray<3, APNsMetrics>(repeating: APNsMetrics())
  /// By ``PushMechanism``; empty for a strategy with one.
  public var byMechanism = InlineArray<3, MechanismCounts>(repeating: MechanismCounts())

  /// What the service extension made of the alerts that arrived, by `ServiceExtension.Outcome`.
  public var alerts = InlineArray<6, Int64>(repeating: 0)
  /// What the user saw of the alerts shown, by `ContentExtension.Outcome`.
  public var contentViews = InlineArray<4, Int64>(repeating: 0)
  /// Opens that an alert brought about; they are among the `opens`.
  public var provokedOpens: Int64 = 0
  /// What the app made of VoIP pushes, by `VoIPPush.Outcome`.
  public var calls = InlineArray<6, Int64>(repeating: 0)
  /// VoIP pushes whose call rang within 5 s of the send.
  public var rangWithin5s: Int64 = 0
  /// From the send of a VoIP push to the ringing. Unit: microseconds.
  public var ring = LogHistogram()

  public var downloads = DownloadCounts()

  /// Of each device that has the app at the end: the longest time in which nothing reached the app. Unit: microseconds.
  public var silence = LogHistogram()
  /// Devices whose longest silence is longer than each of ``silences``.
  public var silentFor = InlineArray<3, Int64>(repeating: 0)

  /// By ``TaskMechanism``.
  public var tasks = InlineArray<2, TaskCounts>(repeating: TaskCounts())

  /// A value for each of the ``thresholds``.
  public typealias ByThreshold<Value> = InlineArray<4, Value>

  /// The times from the send within which deliveries are counted, ascending.
  public static var thresholds: ByThreshold<SimDuration> {
    [.minutes(1), .minutes(5), .minutes(15), .hours(1)]
  }

  /// Their names in metrics and results, such as `5min`.
  public static let thresholdNames: [String] = {
    let thresholds = Tally.thresholds
    return thresholds.indices.map { index in
      let minutes = thresholds[index].microseconds / SimDuration.minutes(1).microseconds
      return minutes < 60 ? "\(minutes)min" : "\(minutes / 60)h"
    }
  }()

  /// The threshold that summaries show, and that hours, classes, days and devices are counted by.
  public static var headline: SimDuration { .minutes(5) }

  static func countWithin(_ within: inout ByThreshold<Int64>, _ time: SimDuration) {
    let thresholds = Tally.thresholds
    for index in thresholds.indices where time <= thresholds[index] { within[index] += 1 }
  }

  public static let silences: [(name: String, hours: Int64)] = [("6h", 6), ("1d", 24), ("3d", 72)]

  public init() {}

  /// Whether a sum of energy, bytes or time is beyond what can be counted: the others, which are counts, cannot be.
  public var isFull: Bool {
    energy.isFull || userFreshShares == .max || stalenessMilliseconds == .max
      || held.indices.contains { held[$0] == .max }
  }

  /// Adds what another part of the same replication counted.
  public mutating func add(_ other: borrowing Tally) {
    devices += other.devices
    sent += other.sent
    for i in fates.indices { fates[i] += other.fates[i] }
    for i in reasons.indices { reasons[i] += other.reasons[i] }
    for i in results.indices { results[i] += other.results[i] }
    deliveredInForeground += other.deliveredInForeground
    shown += other.shown
    for i in within.indices { within[i] += other.within[i] }
    wokenWithin15min += other.wokenWithin15min
    for i in byHour.indices { byHour[i].add(other.byHour[i]) }
    for i in byClass.indices { byClass[i].add(other.byClass[i]) }
    for i in byKind.indices { byKind[i].add(other.byKind[i]) }
    for i in byShareDelivered.indices { byShareDelivered[i] += other.byShareDelivered[i] }
    wakes += other.wakes
    usefulWakes += other.usefulWakes
    launchesInForeground += other.launchesInForeground
    opens += other.opens
    freshOpens += other.freshOpens
    users += other.users
    userFreshShares.addSaturating(other.userFreshShares)
    stalenessMilliseconds.addSaturating(other.stalenessMilliseconds)
    for i in shadow.indices { shadow[i] += other.shadow[i] }
    latency.merge(other.latency)
    incidence.add(other.incidence)
    byHourAndBattery.add(other.byHourAndBattery)
    for i in held.indices { held[i].addSaturating(other.held[i]) }
    daily.add(other.daily)
    staleness.merge(other.staleness)
    energy.add(other.energy)
    for i in alerts.indices { alerts[i] += other.alerts[i] }
    for i in contentViews.indices { contentViews[i] += other.contentViews[i] }
    provokedOpens += other.provokedOpens
    for i in calls.indices { calls[i] += other.calls[i] }
    rangWithin5s += other.rangWithin5s
    ring.merge(other.ring)
    downloads.add(other.downloads)
    silence.merge(other.silence)
    for i in silentFor.indices { silentFor[i] += other.silentFor[i] }
    for i in tasks.indices { tasks[i].add(other.tasks[i]) }
    for i in apns.indices { apns[i].add(other.apns[i]) }
    for i in byMechanism.indices { byMechanism[i].add(other.byMechanism[i]) }
  }

  public func reasonCount(_ fate: Fate, _ reason: Reason) -> Int64 {
    reasons[Int(fate.rawValue) * 64 + reason.index]
  }

  /// - Parameter longest: of a device.
  mutating func countSilence(_ longest: SimDuration) {
    silence.record(longest.microseconds)
    for index in silentFor.indices where longest > .hours(Self.silences[index].hours) {
      silentFor[index] += 1
    }
  }

  mutating func count(_ fate: Fate, _ reason: Reason) {
    reasons[Int(fate.rawValue) * 64 + reason.index] += 1
  }
}
