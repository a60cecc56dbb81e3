import Experiments
import OutputAnalysis

// What became of what a scenario aims at.

struct PrecisionRecord: Record {
  struct Item: Record {
    var isReached = false
    var halfWidth: Double?
    var wanted: Double?
    static let fields: [Field<Self>] = [
      Field("reached", \.isReached), Field("half_width", \.halfWidth), Field("wanted", \.wanted),
    ]
  }

  var metric = ""
  var strategy: String?
  var target = 0.0
  var isRelative = false
  var isReached = false
  var replications: Int64 = 0
  var halfWidth: Double?
  var strategies = Named<Item>()

  static let fields: [Field<Self>] = [
    Field("metric", \.metric), Field(optional: "strategy", \.strategy), Field("target", \.target),
    Field("relative", \.isRelative), Field("reached", \.isReached), Field("replications", \.replications),
    Field("half_width", \.halfWidth), Field("strategies", \.strategies),
  ]
}

struct SelectionRecord: Record {
  struct Elimination: Record {
    var strategy = "–"
    var replications: Int64 = 0
    static let fields: [Field<Self>] = [
      Field("strategy", \.strategy), Field("replications", \.replications, "after so many"),
    ]
  }

  var metric = ""
  var best = "highest"
  var indifference = 0.0
  var confidence = 0.95
  var selected: String?
  var ties: [String] = []
  var undecided: [String] = []
  var eliminated: [Elimination] = []
  var replications: Int64 = 0

  static let fields: [Field<Self>] = [
    Field("metric", \.metric), Field("best", \.best, "`highest` or `lowest`"),
    Field("indifference", \.indifference), Field("confidence", \.confidence), Field("selected", \.selected),
    Field("ties", \.ties), Field("undecided", \.undecided), Field("eliminated", \.eliminated),
    Field("replications", \.replications),
  ]
}

struct ParetoRecord: Record {
  struct Beaten: Record {
    var strategy = ""
    var by = ""
    var isLess: Bool?
    var isDearer: Bool?
    static let fields: [Field<Self>] = [
      Field("strategy", \.strategy), Field("by", \.by), Field(optional: "less_in_y", \.isLess),
      Field(optional: "more_in_x", \.isDearer),
    ]
  }

  var x = Pareto.cost
  var y = Pareto.benefit
  var front: [String] = []
  var dominated: [Beaten] = []
  var ties: [[String]] = []

  static let fields: [Field<Self>] = [
    Field("x", \.x, "the metric of which less is better"), Field("y", \.y, "the one of which more is better"),
    Field("front", \.front, "what nothing beats, the best in `y` first"), Field("dominated", \.dominated),
    Field("ties", \.ties, "strategies that cannot be told apart"),
  ]
}

extension PrecisionRecord {
  init(_ result: PrecisionResult, _ count: Int64) {
    metric = result.goal.metric
    strategy = result.goal.strategy
    switch result.goal.target {
    case .absolute(let width): target = width
    case .relative(let share): (target, isRelative) = (share, true)
    }
    isReached = result.isReached
    replications = count
    halfWidth = result.halfWidth
    strategies = Named(
      result.items.map {
        ($0.strategy, Item(isReached: $0.isReached, halfWidth: $0.halfWidth, wanted: $0.wanted))
      })
  }
}

extension SelectionRecord {
  init(_ result: SelectionResult, _ count: Int64) {
    metric = result.goal.metric
    best = result.goal.goal == .highest ? "highest" : "lowest"
    indifference = result.goal.indifference
    confidence = result.goal.confidence
    selected = result.best
    ties = result.ties
    undecided = result.best == nil ? result.survivors : []
    eliminated = result.eliminated.map {
      Elimination(strategy: $0.strategy, replications: Int64($0.replications))
    }
    replications = count
  }
}

extension ParetoRecord {
  init(_ pareto: Pareto) {
    y = pareto.metric
    front = pareto.front.map(\.strategy)
    dominated = pareto.dominated.map {
      Beaten(strategy: $0.strategy, by: $0.by, isLess: $0.isLess, isDearer: $0.isDearer)
    }
    ties = pareto.ties
  }
}
