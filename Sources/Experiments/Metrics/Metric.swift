public import OutputAnalysis
public import PushModel
import PushPolicy
public import Quantities

/// A number that a replication yields for a strategy.
public struct Metric: Sendable {
  public enum Unit: String, Sendable {
    case proportion
    case seconds = "s"
    case perDeviceDay = "per device and day"
    case joules = "J"
    case joulesPerDeviceDay = "J per device and day"
    case bytesPerDeviceDay = "B per device and day"
    case proportionPerDeviceDay = "proportion per device and day"

    /// What a value is written as, and the largest that may be asked for.
    public var measure: (dimension: Dimension, limit: Double) {
      switch self {
      case .proportion: (.proportion, 1)
      case .seconds: (.time, 31_536_000)
      case .perDeviceDay: (.count, 1_000_000)
      case .joules, .joulesPerDeviceDay: (.energy, 1_000_000_000)
      case .bytesPerDeviceDay: (.bytes, 1_000_000_000_000)
      case .proportionPerDeviceDay: (.proportion, 1000)
      }
    }
  }

  /// How results show a metric beside the list of all.
  public struct Display: Sendable {
    public enum Role: Sendable {
      /// May be what a scenario is answered by, if the scenario does not say.
      case headline
      /// What a strategy costs.
      case cost
      /// Stands beside the others.
      case detail
      /// A share that says something only where it is not the whole.
      case exception
    }

    /// Its place among the others in a table; of the headlines of a result the first is the answer.
    public var place: Int
    public var role: Role
    /// The title of a column, without the unit.
    public var column: String
    /// What the column means, in a sentence for the lines below a table.
    public var legend: String
    /// Of a share: what it is a share of, and what those do that are counted, as in `opens`, `find the newest content`.
    public var whole: String
    public var does: String

    init(
      _ place: Int, _ role: Role, _ column: String, _ legend: String, _ whole: String = "",
      _ does: String = ""
    ) {
      self.place = place
      self.role = role
      self.column = column
      self.legend = legend
      self.whole = whole
      self.does = does
    }
  }

  /// The name in scenario files and results.
  public let name: String
  public let unit: Unit
  /// What it means, in one line.
  public let summary: String
  /// Whether it is about pushes; a strategy that sends none has no such metric.
  public let isAboutPushes: Bool
  /// Whether it is about launches in the background; a strategy that brings about none has no such metric.
  public let isAboutWakes: Bool
  /// Whether it needs content updates to mean anything.
  public let needsContent: Bool
  /// Nil: only in the list of all metrics.
  public let display: Display?
  /// What else a strategy must have.
  let appliesTo: @Sendable (Strategy) -> Bool
  private let ratio: @Sendable (_ tally: Tally, _ days: Double) -> ReplicationSample.Item

  init(
    _ name: String, _ unit: Unit, _ summary: String, pushes: Bool = false, wakes: Bool = false,
    content: Bool = false, display: Display? = nil,
    appliesTo: @escaping @Sendable (Strategy) -> Bool = { _ in true },
    _ ratio: @escaping @Sendable (_ tally: Tally, _ days: Double) -> ReplicationSample.Item
  ) {
    self.name = name
    self.unit = unit
    self.summary = summary
    isAboutPushes = pushes
    isAboutWakes = wakes
    needsContent = content
    self.display = display
    self.appliesTo = appliesTo
    self.ratio = ratio
  }

  /// What a replication says: a part and the whole that it is of. A whole of 0 has nothing to divide by, but its part
  /// counts.
  ///
  /// - Parameters:
  ///   - tally: what the strategy did.
  ///   - days: the length of the measured time, in days.
  public func item(_ tally: Tally, _ days: Double) -> ReplicationSample.Item {
    var item = ratio(tally, days)
    // Devices are independent of each other; what happens several times to one of them is alike.
    if item.units == 0 { item.units = min(Double(tally.devices), item.whole) }
    return item
  }

  /// What is known of its parts, which decides how its interval is made.
  public var kind: ReplicationSample.Kind {
    switch unit {
    case .proportion: .share
    case .perDeviceDay: .rate
    default: .amount
    }
  }

  /// `5min` is 5 min.
  private static func words(_ threshold: String) -> String {
    let digits = threshold.prefix { $0.isNumber }
    return "\(digits) \(threshold.dropFirst(digits.count))"
  }

  /// - Parameter units: how many independent units the whole comes from; 0: one of each device, as far as it goes.
  private static func ratio(_ part: Int64, _ whole: Int64, units: Double = 0) -> ReplicationSample.Item {
    ReplicationSample.Item(Double(part), of: Double(whole), units: units)
  }

  /// Of pushes to devices on which the app may be woken; those are as many as their share of the pushes says.
  private static func ofWakeable(_ part: Int64, _ tally: Tally) -> ReplicationSample.Item {
    let units = Double(tally.devices) * Double(wakeable(tally)) / Double(max(1, tally.sent))
    return ratio(part, wakeable(tally), units: min(units, Double(wakeable(tally))))
  }

  private static func perDeviceDay(_ sum: Double, _ tally: Tally, _ days: Double) -> ReplicationSample.Item {
    ReplicationSample.Item(sum, of: Double(tally.devices) * days)
  }

  /// The pushes that a mechanism of the strategy sent; they are not counted apart where it is the only one.
  private static func sent(_ mechanism: PushMechanism, _ tally: Tally) -> Int64 {
    let apart = tally.byMechanism.indices.contains { tally.byMechanism[$0].sent > 0 }
    return apart ? tally.byMechanism[Int(mechanism.rawValue)].sent : tally.sent
  }
  private static func delivered(_ tally: Tally) -> Int64 { tally.fates[Int(Fate.delivered.rawValue)] }
  private static func wakeable(_ tally: Tally) -> Int64 {
    tally.sent - tally.fates[Int(Fate.notWakeable.rawValue)]
  }

  /// All metrics, in the order in which results list them.
  public static let all: [Metric] = {
    var all: [Metric] = [
      Metric(
        "delivered", .proportion, "share of pushes that woke or reached the app, or of alerts shown",
        pushes: true,
        display: Display(
          6, .detail, "ever", "ever: share of the pushes that were delivered at all.", "pushes",
          "are delivered at all")
      ) {
        tally, _ in
        ratio(delivered(tally), tally.sent)
      }
    ]
    for (index, threshold) in Tally.thresholdNames.enumerated() {
      all.append(
        Metric(
          "delivered_within_" + threshold, .proportion,
          "share of pushes that woke or reached the app, or of alerts shown, within \(words(threshold)) of the send",
          pushes: true,
          display: Tally.thresholds[index] != Tally.headline
            ? nil
            : Display(
              5, .headline, "5 min",
              "5 min: share of the pushes that were delivered within 5 min of the send.",
              "pushes", "are delivered within 5 min")
        ) { tally, _ in ratio(tally.within[index], tally.sent) })
    }
    all.append(
      Metric(
        "delivered_of_wakeable", .proportion, "`delivered`, of pushes whose fate is not `not_wakeable`",
        pushes: true
      ) {
        tally, _ in ofWakeable(delivered(tally), tally)
      })
    for (index, threshold) in Tally.thresholdNames.enumerated() {
      all.append(
        Metric(
          "delivered_within_\(threshold)_of_wakeable", .proportion,
          "`delivered_within_\(threshold)`, of pushes whose fate is not `not_wakeable`", pushes: true
        ) { tally, _ in ofWakeable(tally.within[index], tally) })
    }
    all += [
      Metric(
        "woken_within_15min", .proportion,
        "share of sends after which this or a newer push, or the user, started the app within 15 min",
        pushes: true
      ) { tally, _ in ratio(tally.wokenWithin15min, tally.sent) },
      Metric(
        "handlers_completed", .proportion,
        "share of the silent pushes delivered whose handler came to its end within the time that it got",
        display: Display(
          7, .exception, "in time",
          "in time: of the silent pushes delivered, those whose handler ended within the time it got.",
          "silent pushes delivered", "have a handler that ends in time"),
        appliesTo: { $0.backgroundPush != nil }
      ) { tally, _ in
        let delivered = tally.results.indices.reduce(0) { $0 + tally.results[$1] }
        let cut = [LaunchResult.timedOut, .killed].reduce(0) { $0 + tally.results[Int($1.rawValue)] }
        return ratio(delivered - cut, delivered)
      },
      Metric(
        "calls_rung", .proportion, "share of VoIP pushes whose call rang",
        display: Display(
          3, .detail, "rang", "rang: share of the VoIP pushes whose call rang.", "calls", "ring"),
        appliesTo: { $0.voipPush != nil }
      ) { tally, _ in ratio(Int64(clamping: tally.ring.count), sent(.voip, tally)) },
      Metric(
        "calls_rung_within_5s", .proportion, "share of VoIP pushes whose call rang within 5 s of the send",
        display: Display(
          2, .headline, "rang 5 s", "rang 5 s: the same, within 5 s of the send.", "calls", "ring within 5 s"),
        appliesTo: { $0.voipPush != nil }
      ) { tally, _ in ratio(tally.rangWithin5s, sent(.voip, tally)) },
      Metric(
        "alerts_enriched", .proportion,
        "share of alerts sent that were shown as the service extension made them, attachment and all",
        display: Display(
          4, .headline, "enriched",
          "enriched: share of the alerts sent that were shown as the service extension made them.", "alerts",
          "are shown as the extension makes them"),
        appliesTo: { $0.alerts.serviceExtension != nil }
      ) { tally, _ in
        ratio(tally.alerts[Int(ServiceExtension.Outcome.enriched.rawValue)], sent(.alert, tally))
      },
      Metric(
        "fresh_open", .proportion, "share of opens that found the newest content", content: true,
        display: Display(
          1, .headline, "fresh", "fresh: share of opens that found the newest content.", "opens",
          "find the newest content")
      ) {
        tally, _ in
        ratio(tally.freshOpens, tally.opens, units: Double(tally.users))
      },
      Metric("fresh_open_per_user", .proportion, "that share per user, averaged over users", content: true) {
        tally, _ in
        ReplicationSample.Item(
          Double(tally.userFreshShares) / 4_294_967_296, of: Double(tally.users), units: Double(tally.users))
      },
      Metric(
        "staleness_at_open_s", .seconds, "mean age of the first missed update at an open, 0 when fresh",
        content: true
      ) { tally, _ in
        ReplicationSample.Item(Double(tally.stalenessMilliseconds) / 1000, of: Double(tally.opens))
      },
      Metric(
        "wakes_per_device_day", .perDeviceDay, "launches in the background",
        display: Display(
          8, .headline, "wakes/d", "wakes/d: launches in the background, per device and day.", "",
          "wakes a day")
      ) { tally, days in
        perDeviceDay(Double(tally.wakes), tally, days)
      },
      Metric(
        "wasted_wakes", .proportion, "share of wakes whose content was superseded or never seen",
        wakes: true, content: true
      ) { tally, _ in ratio(tally.wakes - tally.usefulWakes, tally.wakes) },
      Metric(
        "pushes_per_device_day", .perDeviceDay,
        "pushes sent; what makes it differ is often rare, as a removed app, and then its interval is too narrow"
      ) { tally, days in
        perDeviceDay(Double(tally.sent), tally, days)
      },
      Metric(
        Pareto.cost, .joulesPerDeviceDay, "energy of what the strategy does on the device",
        display: Display(10, .detail, "J/d", "J/d: energy of what the strategy does on a device, per day.")
      ) {
        tally, days in perDeviceDay(Double(tally.energy.total) * 1e-6, tally, days)
      },
      Metric(
        "battery_per_device_day", .proportionPerDeviceDay,
        "share of a full battery that is taken for it, off the charger",
        display: Display(
          9, .cost, "battery/d",
          "battery/d: share of a full battery that the strategy takes on a device off its charger, per day.",
          "a charge", "a day")
      ) { tally, days in perDeviceDay(Double(tally.energy.batteryShares) / 4_294_967_296, tally, days) },
      Metric(
        "joules_per_fresh_open", .joules, "that energy by open that found the newest content", content: true
      ) { tally, _ in
        ReplicationSample.Item(Double(tally.energy.total) * 1e-6, of: Double(tally.freshOpens))
      },
      Metric(
        "wasted_energy_share", .proportion,
        "share of that energy that went into wakes whose content was superseded or never seen", content: true
      ) { tally, _ in ratio(tally.energy.wakes - tally.energy.usefulWakes, tally.energy.total) },
      Metric(
        "bytes_per_device_day", .bytesPerDeviceDay, "payloads of pushes that arrived, and what was loaded"
      ) { tally, days in perDeviceDay(Double(tally.energy.bytes), tally, days) },
      Metric(
        "longest_silence_s", .seconds,
        "longest time in which nothing reached the app: no push, no shown alert, no task; mean over the devices that have the app at the end",
        appliesTo: Self.reachesApp
      ) { tally, _ in
        ReplicationSample.Item(
          (tally.silence.mean ?? 0) * Double(tally.silence.count) * 1e-6, of: Double(tally.silence.count))
      },
    ]
    for (index, silence) in Tally.silences.enumerated() {
      all.append(
        Metric(
          "silent_over_" + silence.name, .proportion,
          "share of these devices whose longest silence is over \(words(silence.name))",
          appliesTo: Self.reachesApp
        ) { tally, _ in ratio(tally.silentFor[index], Int64(clamping: tally.silence.count)) })
    }
    return all
  }()

  /// Something of the strategy reaches the app without the user.
  private static let reachesApp: @Sendable (Strategy) -> Bool = { $0.sendsPushes || !$0.tasks.isEmpty }

  public static func named(_ name: String) -> Metric? { all.first { $0.name == name } }

  /// Those that results show beside the list of all, what says most first.
  public static let shown: [Metric] = all.filter { $0.display != nil }.sorted {
    $0.display!.place < $1.display!.place
  }

  /// What a scenario may be answered by, what users notice first; and what it costs.
  public static let headlines: [Metric] = shown.filter { $0.display!.role == .headline }
  public static let main: [Metric] = shown.filter { [.headline, .cost].contains($0.display!.role) }
}

extension Metric {
  /// Whether a strategy has the metric.
  ///
  /// - Parameter hasContent: whether there are content updates.
  public func applies(to strategy: Strategy, hasContent: Bool) -> Bool {
    appliesTo(strategy) && (!isAboutPushes || strategy.sendsPushes)
      && (!isAboutWakes || strategy.sendsPushes || !strategy.tasks.isEmpty)
      && (!needsContent || hasContent)
  }
}
