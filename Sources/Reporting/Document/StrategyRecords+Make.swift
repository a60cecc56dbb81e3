import ExperimentDesign
import Experiments
import OutputAnalysis
import PushModel
import PushPolicy
import Quantities
import ScenarioDecoding

/// The counts of a closed set, by name.
private func counted<Case: CaseIterable & RawRepresentable>(
  _ cases: Case.Type, _ name: KeyPath<Case, String>, isAll: Bool = true, _ count: (Int) -> Int64
) -> Named<Int64> where Case.RawValue == UInt8 {
  Named(
    Case.allCases.map { ($0[keyPath: name], count(Int($0.rawValue))) }.filter { isAll || $0.1 > 0 })
}

extension StrategyRecord {
  init(_ result: StrategyResult) {
    let tally = result.total
    title = result.strategy.title
    sent = tally.sent
    fates = counted(Fate.self, \.name) { tally.fates[$0] }
    reasons = Named(
      Fate.allCases.map { fate in
        let all = (0..<Reason.count).map(Reason.init(index:)).map { ($0.name, tally.reasonCount(fate, $0)) }
        return (fate.name, Named(all.filter { $0.1 > 0 }))
      }.filter { !$0.1.isEmpty })
    results = counted(LaunchResult.self, \.name) { tally.results[$0] }
    deliveredInForeground = tally.deliveredInForeground
    shown = tally.shown
    launches = tally.wakes
    opens = tally.opens
    energy = EnergyRecord(tally.energy, of: result.strategy)
    metrics = Named(result.metrics.map { ($0.metric.name, MetricRecord($0, tally)) })
    latency = LatencyRecord(tally.latency)
    heldTime = Named(
      FactorID.allCases.filter { tally.held[Int($0.rawValue)] > 0 }
        .map { ($0.name, Double(tally.held[Int($0.rawValue)]) / 1000) })
    byHour = (0..<24).map { SegmentRecord(tally.byHour[$0]) }
    byClass = Named(UserClass.allCases.map { ($0.name, SegmentRecord(tally.byClass[Int($0.rawValue)])) })
    byDeviceKind = Named(
      DeviceKind.allCases.map { ($0.name, SegmentRecord(tally.byKind[Int($0.rawValue)])) })
    if tally.sent > 0 { byShareDelivered = tally.byShareDelivered.indices.map { tally.byShareDelivered[$0] } }
    if let found = result.incidence {
      let counts = tally.byHourAndBattery
      byHourAndBattery = (0..<24).map { hour in
        (0..<10).map { tenth in
          HourCellRecord(
            sent: counts.sent(hour: hour, tenth: tenth),
            within5min: counts.deliveredWithin5min(hour: hour, tenth: tenth))
        }
      }
      incidence = IncidenceRecord(found)
      quantilesOfSent = Named(
        found.quantiles.map { level, time in
          (
            "p\(Int((level * 100).rounded()))",
            EstimateRecord(estimate: time.estimate, low: time.low, high: time.high)
          )
        })
    }
    var all =
      result.plans.map { ($0.mechanism.name, MechanismRecord($0.mechanism, result)) }
      + result.tasks.map { ($0.name, MechanismRecord(tally.tasks[Int($0.rawValue)])) }
    if result.strategy.backgroundDownload != nil {
      all.append(("background_download", MechanismRecord(tally.downloads)))
    }
    if !all.isEmpty { mechanisms = Named(all) }
    let apns = result.plans.map { plan in (plan, tally.apns[Int(plan.mechanism.rawValue)]) }
    let days = apns.map(\.1.days).max() ?? 0
    if !apns.isEmpty { apnsMetrics = APNsMetricsCSV.counts(apns, days: days) }
    let watched = counted(FactorID.self, \.name, isAll: false) { tally.shadow[$0] }
    if !watched.isEmpty { shadow = watched }
  }
}

extension EnergyRecord {
  init(_ sums: EnergySums, of strategy: Strategy) {
    total = Double(sums.total) / 1e6
    onCharger = Double(sums.whileCharging) / 1e6
    wakes = Double(sums.wakes) / 1e6
    wastedWakes = Double(sums.wakes - sums.usefulWakes) / 1e6
    let left = EnergyGap.names(strategy)
    if !left.isEmpty { notPriced = left }
  }
}

extension MetricRecord {
  init(_ result: MetricResult, _ tally: Tally) {
    estimate = result.estimate
    low = result.low
    high = result.high
    unit = result.metric.unit.rawValue
    if result.metric.name == "staleness_at_open_s" {
      p50 = .some(tally.staleness.seconds(0.5))
      p90 = .some(tally.staleness.seconds(0.9))
      p99 = .some(tally.staleness.seconds(0.99))
    }
    // For differences to another run, which are paired by replication.
    let items = result.sample.items
    guard items.count <= ResultDocument.valuesListed else { return }
    byReplication = items.map(\.value)
    // What the values weigh; without it they weigh the same.
    if Set(items.map(\.whole)).count > 1 {
      parts = items.map(\.part)
      wholes = items.map(\.whole)
    }
    if result.sample.kind == .share { units = items.map(\.units) }
  }
}

extension LogHistogram {
  /// A quantile of a histogram of microseconds, whose cells are wider than that.
  fileprivate func seconds(_ p: Double) -> Double? { quantile(p).map { Double($0).rounded() / 1e6 } }
}

extension LatencyRecord {
  init(_ latency: LogHistogram) {
    count = Int64(clamping: latency.count)
    p50 = latency.seconds(0.5)
    p90 = latency.seconds(0.9)
    p95 = latency.seconds(0.95)
    p99 = latency.seconds(0.99)
  }
}

extension SegmentRecord {
  init(_ segment: Tally.Segment) {
    sent = segment.sent
    delivered = segment.delivered
    within5min = segment.within5min
    notWakeable = segment.notWakeable
    opens = segment.opens
    freshOpens = segment.freshOpens
  }
}

extension CurveRecord {
  /// With six decimals: they are many.
  private static func rounded(_ values: [Double]) -> [Double] { values.map { ($0 * 1e6).rounded() / 1e6 } }

  init(_ values: [Double]) { estimate = Self.rounded(values) }

  init(_ curve: CurveEstimate) {
    estimate = Self.rounded(curve.estimate)
    low = .some(curve.low.map(Self.rounded))
    high = .some(curve.high.map(Self.rounded))
  }
}

extension IncidenceRecord {
  init(_ incidence: IncidenceResult) {
    var segments: [(String, [(String, CurveRecord)])] = [
      ("by_class", []), ("by_device_kind", []), ("by_hours", []),
    ]
    for (segment, curve) in incidence.segments {
      switch segment {
      case .userClass(let value): segments[0].1.append((value.name, CurveRecord(curve)))
      case .deviceKind(let value): segments[1].1.append((value.name, CurveRecord(curve)))
      case .quarter(let quarter):
        segments[2].1.append((["0-6", "6-12", "12-18", "18-24"][quarter], CurveRecord(curve)))
      }
    }
    times = incidence.times
    ends = Named(
      incidence.ends.map {
        ($0.fate.name, $0.fate == .delivered ? CurveRecord(incidence.delivered) : CurveRecord($0.shares))
      })
    pending = CurveRecord(incidence.pending)
    delivered = Named(segments.map { ($0.0, Named($0.1)) })
  }
}

extension MechanismRecord {
  init(_ mechanism: PushMechanism, _ strategy: StrategyResult) {
    let counts = strategy.counts(mechanism)
    let tally = strategy.total
    sent = counts.sent
    fates = counted(Fate.self, \.name) { counts.fates[$0] }
    deliveredWithin = Named(
      Tally.thresholdNames.enumerated().map { ($1, counts.within[$0]) })
    latency = LatencyRecord(counts.latency)
    switch mechanism {
    case .background: break
    case .alert:
      let alerts = strategy.strategy.alerts
      if alerts.serviceExtension != nil {
        serviceExtension = counted(ServiceExtension.Outcome.self, \.name) { tally.alerts[$0] }
      }
      if alerts.contentExtension != nil {
        contentExtension = counted(ContentExtension.Outcome.self, \.name) { tally.contentViews[$0] }
      }
      if alerts.opens > 0 { opensProvoked = tally.provokedOpens }
    case .voip:
      calls = counted(VoIPPush.Outcome.self, \.name) { tally.calls[$0] }
      rangWithin5s = tally.rangWithin5s
      ring = LatencyRecord(tally.ring)
    }
  }

  init(_ counts: Tally.DownloadCounts) {
    started = counts.started
    completed = counts.completed
    cancelled = counts.cancelled
    superseded = counts.superseded
    pending = counts.pending
    time = LatencyRecord(counts.time)
  }

  init(_ counts: Tally.TaskCounts) {
    opportunities = counts.opportunities
    notDue = counts.notDue
    func byReason(_ count: (Int) -> Int64) -> Named<Int64> {
      Named(TaskReason.allCases.map { ($0.name, count(Int($0.index))) }.filter { $0.1 > 0 })
    }
    refused = byReason { counts.refused[$0] }
    passedOver = counts.passedOver
    passedOverFor = byReason { counts.passedOverFor[$0] }
    runs = counts.runs
    results = counted(LaunchResult.self, \.name) { counts.results[$0] }
    interrupted = counts.interrupted
  }
}
