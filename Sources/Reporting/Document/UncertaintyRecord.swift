import Experiments
import ScenarioDecoding

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
