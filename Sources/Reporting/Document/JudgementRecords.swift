import Experiments
import ScenarioDecoding

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
