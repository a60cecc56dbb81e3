import Experiments
public import ScenarioDecoding

/// A result as its file has it, and all that pages, summaries and tables are made of. Fields may be added, never renamed
/// (Documentation/ResultFiles.md).
public struct ResultDocument: Sendable {
  public static let format = "pushsim-result/1"
  static let note = "Apple publishes no delivery rate: every number here is an output of the model."

  var scenario = ""
  var question = ""
  /// By policy.
  var runs: [RunRecord] = []
  /// By strategy and metric, each later policy minus the first, whose names `baseline` has; nil with one policy.
  var policyDifferences: [ComparisonRecord]?
  var definitions = DefinitionsRecord()
  var reproduce: ReproduceRecord?
  /// Keys that were set and that the run does not read; nil: there are none.
  var idleSettings: [IdleSettingRecord]?

  public init(_ json: JSONValue) {
    scenario = json["scenario"]?.string ?? ""
    question = json["question"]?.string ?? ""
    let several = json["runs"]?.elements ?? []
    runs = (several.isEmpty ? [json] : several).compactMap { RunRecord($0) }
    policyDifferences = json["policy_differences"].flatMap { [ComparisonRecord]($0) }
    if let given = json["definitions"].flatMap({ DefinitionsRecord($0) }) { definitions = given }
    idleSettings = json["settings_without_effect"].flatMap { [IdleSettingRecord]($0) }
    reproduce = json["reproduce"].flatMap { ReproduceRecord($0) }
  }

  init() {}

  /// With one policy the run's fields stand in the file itself.
  public var json: JSONValue {
    let head = [
      JSONValue.Member("format", .string(Self.format)), .init("scenario", .string(scenario)),
      .init("question", .string(question)),
    ]
    var members: [JSONValue.Member] = head
    if runs.count == 1 {
      members += runs[0].members
    } else {
      members += [
        .init("runs", .array(runs.map { .object(head + $0.members) })),
        .init("policy_differences", policyDifferences.json),
      ]
    }
    members.append(.init("definitions", definitions.json))
    if let idleSettings { members.append(.init("settings_without_effect", idleSettings.json)) }
    if let reproduce { members.append(.init("reproduce", reproduce.json)) }
    return .object(members)
  }

  /// The runs with their places in the file.
  var placedRuns: [At<RunRecord>] {
    runs.count == 1 ? [At(runs[0], [])] : runs.enumerated().map { At($1, ["runs", "\($0)"]) }
  }
}

struct RunRecord: Record {
  var provenance = ProvenanceRecord()
  var note = ""
  var warmUp: WarmUpRecord?
  var strategies = Named<StrategyRecord>()
  var comparison = ComparisonSettingsRecord()
  var comparisons: [ComparisonRecord] = []
  var expectations: [ExpectationRecord] = []
  var chanceOfAnyWrongMiss: Double?
  var assumptions: [AssumptionRecord] = []
  var knownParameters: [AssumptionRecord] = []
  var assumptionsThatMatter: [String] = []
  var precision: PrecisionRecord?
  var selection: SelectionRecord?
  var pareto: ParetoRecord?
  var recommendation: [String]?
  var timelines: [JSONValue]?
  var uncertainty: UncertaintyRecord?
  var assumesNothing: Bool?

  static let fields: [Field<Self>] = [
    Field("provenance", \.provenance, "where the numbers come from"),
    Field("note", \.note, "what every number is"),
    Field("warm_up", \.warmUp, "whether the warm-up is long enough"),
    Field("strategies", \.strategies, "what each did, by name"),
    Field("comparison", \.comparison, "which differences the scenario asks for"),
    Field("comparisons", \.comparisons, "differences between strategies, paired by replication"),
    Field("expectations", \.expectations, "what the scenario claims and what became of it"),
    Field(
      optional: "chance_of_any_wrong_miss", \.chanceOfAnyWrongMiss,
      "at most the chance that some expectation is missed though all are true"),
    Field("assumptions", \.assumptions, "parameters that are assumed or could not be verified"),
    Field("known_parameters", \.knownParameters, "the other parameters"),
    Field(
      "assumptions_that_matter", \.assumptionsThatMatter, "those behind the commonest reasons of the run"),
    Field(optional: "precision", \.precision, "what became of the precision that the scenario asks for"),
    Field(optional: "selection", \.selection, "which strategy was selected"),
    Field(optional: "pareto", \.pareto, "which strategies nothing beats"),
    Field(optional: "recommendation", \.recommendation, "what follows from it, in sentences"),
    Field(optional: "timelines", \.timelines, "some days of single devices"),
    Field(optional: "uncertainty", \.uncertainty, "what is not known, carried through to the answer"),
    Field(
      optional: "assumes_nothing", \.assumesNothing,
      "true: no parameter that the run reads is assumed and has a prior, so that no `uncertainty` is to be had"
    ),
  ]
}

struct ProvenanceRecord: Record {
  var version = "–"
  var digest = ""
  var policy = "–"
  var policySettings: Named<String>?
  var population = ""
  var populationSettings: Named<String>?
  var seed: UInt64 = 0
  var devices: Int64 = 0
  var replications: Int64 = 0
  var duration: Seconds?
  var warmUp: Seconds?
  var confidence = 0.95

  static let fields: [Field<Self>] = [
    Field("pushsim", \.version, "version"), Field("scenario_sha256", \.digest, "digest of all files read"),
    Field("policy", \.policy),
    Field(optional: "policy_settings", \.policySettings, "what the scenario sets in it"),
    Field("population", \.population),
    Field(optional: "population_settings", \.populationSettings, "what the scenario sets in it"),
    Field("seed", \.seed),
    Field("devices", \.devices, "of a replication"), Field("replications", \.replications),
    Field("duration_s", \.duration, "the length that counts"),
    Field("warm_up_s", \.warmUp, "the length before it"),
    Field("confidence", \.confidence, "of the intervals"),
  ]
}

struct WarmUpRecord: Record {
  var given = Seconds(value: 0)
  var suggested: Seconds?
  var isAdequate: Bool?
  var strategy: String?
  var metric: String?

  static let fields: [Field<Self>] = [
    Field("given_s", \.given), Field("suggested_s", \.suggested), Field("adequate", \.isAdequate),
    Field(optional: "strategy", \.strategy), Field(optional: "metric", \.metric, "what settles last"),
  ]
}

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

struct ComparisonSettingsRecord: Record {
  var against = "baseline"
  var confidence = "each"

  static let fields: [Field<Self>] = [
    Field("against", \.against, "`baseline` or `all_pairs`"),
    Field("confidence", \.confidence, "`each` or `joint`"),
  ]
}

struct ComparisonRecord: Record {
  var metric = ""
  var strategy = "–"
  var baseline = "–"
  var difference: Double?
  var low: Double?
  var high: Double?
  var jointLow: Double?
  var jointHigh: Double?
  var varianceReduction: Double?
  var equivalentReplications: Double?
  var isSame: Bool?
  var plausibleLow: Double?
  var plausibleHigh: Double?

  static let fields: [Field<Self>] = [
    Field("metric", \.metric), Field("strategy", \.strategy), Field("baseline", \.baseline),
    Field("difference", \.difference, "the strategy minus the baseline"), Field("low", \.low),
    Field("high", \.high), Field("joint_low", \.jointLow, "holds together with those of the metric's others"),
    Field("joint_high", \.jointHigh), Field("variance_reduction", \.varianceReduction),
    Field("equivalent_independent_replications", \.equivalentReplications),
    Field(optional: "no_replication_differs", \.isSame),
    Field(optional: "plausible_low", \.plausibleLow, "as of metrics"),
    Field(optional: "plausible_high", \.plausibleHigh),
  ]
}

struct ExpectationRecord: Record {
  var strategy = "–"
  var metric = ""
  var within: [Double]?
  var atLeast: Double?
  var atMost: Double?
  var observed: Double?
  var low: Double?
  var high: Double?
  var isMet: Bool?
  var outcome = "–"
  var replicationsToDecide: Int64??
  var source: String?
  var interval: String?
  var plausibleLow: Double?
  var plausibleHigh: Double?

  static let fields: [Field<Self>] = [
    Field("strategy", \.strategy), Field("metric", \.metric), Field(optional: "within", \.within),
    Field(optional: "at_least", \.atLeast), Field(optional: "at_most", \.atMost),
    Field("observed", \.observed), Field("low", \.low), Field("high", \.high), Field("met", \.isMet),
    Field("outcome", \.outcome, "`met`, `missed` or `undecided`"),
    Field(optional: "replications_to_decide", \.replicationsToDecide, "null: more than anybody looks at"),
    Field(optional: "source", \.source),
    Field(optional: "interval", \.interval, "`plausible`: the range of what is assumed; else that of chance"),
    Field(optional: "plausible_low", \.plausibleLow, "as of metrics"),
    Field(optional: "plausible_high", \.plausibleHigh),
  ]
}

struct AssumptionRecord: Record {
  var parameter = ""
  var value = ""
  var prior: String?
  var evidence = ""
  var source = ""

  static let fields: [Field<Self>] = [
    Field("parameter", \.parameter), Field("value", \.value), Field("prior", \.prior, "what is plausible"),
    Field("evidence", \.evidence), Field("source", \.source),
  ]
}

struct UncertaintyRecord: Record {
  struct Effects: Record {
    var mean: Double?
    var standardError: Double?
    var low: Double?
    var high: Double?
    var chanceVariance: Double?
    var ignoranceVariance: Double?
    var ignoranceShare: Double?
    var influences: [Influence]?
    static let fields: [Field<Self>] = [
      Field("mean", \.mean), Field("standard_error", \.standardError), Field("low", \.low),
      Field("high", \.high), Field("chance_variance", \.chanceVariance),
      Field("ignorance_variance", \.ignoranceVariance), Field("ignorance_share", \.ignoranceShare),
      Field(optional: "influences", \.influences, "the parameters that matter most, the first most"),
    ]
  }

  struct Influence: Record {
    var parameter = ""
    var share: Double?
    var low: Double?
    var high: Double?
    static let fields: [Field<Self>] = [
      Field("parameter", \.parameter),
      Field("share", \.share, "of the variance of the sets' ranks, beyond those before it"),
      Field("low", \.low, "the mean where the parameter is in its lowest third"),
      Field("high", \.high, "the mean where it is in its highest third"),
    ]
  }

  struct Order: Record {
    var metric = ""
    var order: [String] = []
    var shareSame: Double?
    var shareSameFirst: Double?
    static let fields: [Field<Self>] = [
      Field("metric", \.metric), Field("order", \.order, "of the run, the strategy with the most first"),
      Field("share_same", \.shareSame, "of the sets: the whole order is the same"),
      Field("share_same_first", \.shareSameFirst, "of the sets: the first is the same"),
    ]
  }

  struct Ranking: Record {
    var metric = ""
    var strategy = "–"
    var other = "–"
    var shareHigher: Double?
    var shareUndecided: Double?
    var difference = Effects()
    static let fields: [Field<Self>] = [
      Field("metric", \.metric), Field("strategy", \.strategy), Field("other", \.other),
      Field("share_higher", \.shareHigher), Field("share_undecided", \.shareUndecided),
      Field("difference", \.difference),
    ]
  }

  struct Parameter: Record {
    var parameter = ""
    var value = "–"
    var prior: String?
    var evidence = "–"
    static let fields: [Field<Self>] = [
      Field("parameter", \.parameter), Field("value", \.value), Field("prior", \.prior),
      Field("evidence", \.evidence),
    ]
  }

  var samples: Int64 = 0
  var replications: Int64 = 0
  var confidence = 0.95
  var design = ""
  var parameters: [Parameter] = []
  var strategies = Named<Named<Effects>>()
  var rankings: [Ranking] = []
  var orders: [Order]?
  var devices: Int64?

  static let fields: [Field<Self>] = [
    Field("samples", \.samples, "sets of parameters"), Field("replications", \.replications, "of a set"),
    Field(
      "confidence", \.confidence, "the share of the sets that `low` to `high` holds: no confidence in iOS"),
    Field("design", \.design), Field("parameters", \.parameters),
    Field("strategies", \.strategies, "by strategy and metric"), Field("rankings", \.rankings),
    Field(optional: "orders", \.orders, "whether strategies keep their order"),
    Field(optional: "devices", \.devices, "of a replication of a set"),
  ]
}

struct DefinitionsRecord: Record {
  var metrics = Named<String>()
  var fates = Named<String>()
  var reasons = Named<String>()

  static let fields: [Field<Self>] = [
    Field("metrics", \.metrics), Field("fates", \.fates), Field("reasons", \.reasons),
  ]
}

struct IdleSettingRecord: Record {
  var path = ""
  var reason = ""

  static let fields: [Field<Self>] = [Field("path", \.path), Field("reason", \.reason, "what turns it off")]
}

struct ReproduceRecord: Record {
  var command = ""
  var scenarioFile = ""
  var scenarioText = ""

  static let fields: [Field<Self>] = [
    Field("command", \.command), Field("scenario_file", \.scenarioFile),
    Field("scenario_text", \.scenarioText),
  ]
}
