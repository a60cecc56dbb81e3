import Experiments
import ScenarioDecoding

struct StrategyRecord: Record {
  var title: String?
  var sent: Int64 = 0
  var fates = Named<Int64>()
  var reasons = Named<Named<Int64>>()
  var results = Named<Int64>()
  var deliveredInForeground: Int64 = 0
  var shown: Int64 = 0
  var launches: Int64 = 0
  var opens: Int64 = 0
  var energy: EnergyRecord?
  var metrics = Named<MetricRecord>()
  var latency = LatencyRecord()
  var heldTime = Named<Double>()
  var byHour: [SegmentRecord] = []
  var byClass = Named<SegmentRecord>()
  var byDeviceKind = Named<SegmentRecord>()
  var byShareDelivered: [Int64]?
  var byHourAndBattery: [[HourCellRecord]]?
  var incidence: IncidenceRecord?
  var quantilesOfSent: Named<EstimateRecord>?
  var mechanisms: Named<MechanismRecord>?
  var shadow: Named<Int64>?
  var apnsMetrics: Named<Named<[Int64]>>?

  static let fields: [Field<Self>] = [
    Field(optional: "title", \.title, "what readers call it"),
    Field("sent", \.sent, "pushes sent"), Field("fates", \.fates, "they add up to `sent`"),
    Field("reasons", \.reasons, "by fate"), Field("results", \.results, "of launches"),
    Field("delivered_in_foreground", \.deliveredInForeground), Field("shown", \.shown, "alerts shown"),
    Field("launches_in_background", \.launches), Field("opens", \.opens, "by users"),
    Field("energy_j", \.energy, "of all devices and replications"), Field("metrics", \.metrics),
    Field("latency_s", \.latency, "from send to delivery, of the pushes delivered"),
    Field("held_time_s", \.heldTime, "by the factor that held, added up over all pushes"),
    Field("by_hour", \.byHour, "by the device's hour"), Field("by_class", \.byClass, "by class of user"),
    Field("by_device_kind", \.byDeviceKind),
    Field(
      optional: "devices_by_share_delivered", \.byShareDelivered,
      "devices to which pushes were sent: those that got none, then up to 10 %, 20 % and so on of theirs"),
    Field(optional: "by_hour_and_battery", \.byHourAndBattery, "by hour, then tenth of the charge"),
    Field(optional: "incidence", \.incidence, "how soon pushes met each end"),
    Field(optional: "latency_quantiles_of_sent", \.quantilesOfSent, "when shares of all sent were delivered"),
    Field(optional: "mechanisms", \.mechanisms, "what each mechanism did"),
    Field(optional: "shadow", \.shadow, "how often factors that are only watched would have said no"),
    Field(optional: "apns_metrics", \.apnsMetrics, "by push type and status, a count for each day"),
  ]

  func metric(_ name: String) -> MetricRecord? { metrics[name].flatMap { $0.estimate == nil ? nil : $0 } }

  /// What it sends pushes by; empty if the file does not say.
  var pushMechanisms: [String] { (mechanisms?.items ?? []).filter { $0.value.sent != nil }.map(\.name) }
}

struct EnergyRecord: Record {
  var total = 0.0
  var onCharger = 0.0
  var wakes = 0.0
  var wastedWakes = 0.0
  var notPriced: [String]?

  static let fields: [Field<Self>] = [
    Field("total", \.total), Field("on_charger", \.onCharger), Field("wakes", \.wakes),
    Field("wasted_wakes", \.wastedWakes),
    Field(optional: "not_priced", \.notPriced, "what the energy leaves out"),
  ]
}

struct MetricRecord: Record {
  var estimate: Double?
  var low: Double?
  var high: Double?
  var unit = ""
  var p50: Double??
  var p90: Double??
  var p99: Double??
  var byReplication: [Double?]?
  var parts: [Double?]?
  var wholes: [Double?]?
  var units: [Double?]?
  var plausibleLow: Double?
  var plausibleHigh: Double?

  static let fields: [Field<Self>] = [
    Field("estimate", \.estimate), Field("low", \.low, "end of the interval"), Field("high", \.high),
    Field("unit", \.unit), Field(optional: "p50", \.p50), Field(optional: "p90", \.p90),
    Field(optional: "p99", \.p99),
    Field(optional: "by_replication", \.byReplication, "values of single replications, of up to 100 of them"),
    Field(optional: "parts_by_replication", \.parts, "what is divided, where wholes differ"),
    Field(optional: "wholes_by_replication", \.wholes, "by what"),
    Field(optional: "units_by_replication", \.units, "how many independent units a share comes from"),
    Field(
      optional: "plausible_low", \.plausibleLow,
      "end of the range that holds 90 % of what the priors of assumed parameters give"),
    Field(optional: "plausible_high", \.plausibleHigh),
  ]

  var style: NumberStyle { NumberStyle(unit: unit) }
  /// From the estimate to the farther end of the interval.
  var half: Double? {
    guard let estimate, let low, let high else { return nil }
    return max(high - estimate, estimate - low)
  }

  /// Where what is assumed may move it.
  var plausible: (low: Double, high: Double)? {
    plausibleLow.flatMap { low in plausibleHigh.map { (low, $0) } }
  }
}

struct EstimateRecord: Record {
  var estimate: Double?
  var low: Double?
  var high: Double?

  static let fields: [Field<Self>] = [
    Field("estimate", \.estimate), Field("low", \.low), Field("high", \.high),
  ]
}

struct LatencyRecord: Record {
  var count: Int64 = 0
  var p50: Double?
  var p90: Double?
  var p95: Double?
  var p99: Double?

  static let fields: [Field<Self>] = [
    Field("count", \.count), Field("p50", \.p50), Field("p90", \.p90), Field("p95", \.p95),
    Field("p99", \.p99),
  ]

  static let shares: [(key: any KeyPath<Self, Double?> & Sendable, share: Double)] = [
    (\.p50, 0.5), (\.p90, 0.9), (\.p95, 0.95), (\.p99, 0.99),
  ]
}

struct SegmentRecord: Record {
  var sent: Int64 = 0
  var delivered: Int64 = 0
  var within5min: Int64 = 0
  var notWakeable: Int64 = 0
  var opens: Int64 = 0
  var freshOpens: Int64 = 0

  static let fields: [Field<Self>] = [
    Field("sent", \.sent), Field("delivered", \.delivered), Field("delivered_within_5min", \.within5min),
    Field("not_wakeable", \.notWakeable), Field("opens", \.opens), Field("fresh_opens", \.freshOpens),
  ]
}

struct HourCellRecord: Record {
  var sent: Int64 = 0
  var within5min: Int64 = 0

  static let fields: [Field<Self>] = [
    Field("sent", \.sent), Field("delivered_within_5min", \.within5min),
  ]
}

struct IncidenceRecord: Record {
  var times: [Double] = []
  var ends = Named<CurveRecord>()
  var pending = CurveRecord()
  var delivered = Named<Named<CurveRecord>>()

  static let fields: [Field<Self>] = [
    Field("times_s", \.times), Field("ends", \.ends, "by end, a share for each time"),
    Field("pending", \.pending), Field("delivered", \.delivered, "of classes, kinds of device, hours"),
  ]
}

/// A share for each time.
struct CurveRecord: Record {
  var estimate: [Double] = []
  var low: [Double]??
  var high: [Double]??

  static let fields: [Field<Self>] = [
    Field("estimate", \.estimate), Field(optional: "low", \.low), Field(optional: "high", \.high),
  ]
}

/// What a mechanism did; which fields there are depends on the mechanism.
struct MechanismRecord: Record {
  var sent: Int64?
  var fates: Named<Int64>?
  var deliveredWithin: Named<Int64>?
  var latency: LatencyRecord?
  var serviceExtension: Named<Int64>?
  var contentExtension: Named<Int64>?
  var opensProvoked: Int64?
  var calls: Named<Int64>?
  var rangWithin5s: Int64?
  var ring: LatencyRecord?
  var opportunities: Int64?
  var notDue: Int64?
  var refused: Named<Int64>?
  var passedOver: Int64?
  var passedOverFor: Named<Int64>?
  var runs: Int64?
  var results: Named<Int64>?
  var interrupted: Int64?
  var started: Int64?
  var completed: Int64?
  var cancelled: Int64?
  var superseded: Int64?
  var pending: Int64?
  var time: LatencyRecord?

  static let fields: [Field<Self>] = [
    Field(optional: "sent", \.sent), Field(optional: "fates", \.fates),
    Field(optional: "delivered_within", \.deliveredWithin), Field(optional: "latency_s", \.latency),
    Field(optional: "service_extension", \.serviceExtension, "how alerts were shown"),
    Field(optional: "content_extension", \.contentExtension, "what users who expanded an alert saw"),
    Field(optional: "opens_provoked", \.opensProvoked), Field(optional: "calls", \.calls),
    Field(optional: "rang_within_5s", \.rangWithin5s), Field(optional: "ring_s", \.ring),
    Field(optional: "opportunities", \.opportunities), Field(optional: "not_due", \.notDue),
    Field(optional: "refused", \.refused, "by reason"), Field(optional: "passed_over", \.passedOver),
    Field(optional: "passed_over_for", \.passedOverFor, "by reason"),
    Field(optional: "runs", \.runs), Field(optional: "results", \.results),
    Field(optional: "interrupted", \.interrupted), Field(optional: "started", \.started),
    Field(optional: "completed", \.completed), Field(optional: "cancelled", \.cancelled),
    Field(optional: "superseded", \.superseded), Field(optional: "pending", \.pending),
    Field(optional: "time_s", \.time, "from start to completion"),
  ]
}
