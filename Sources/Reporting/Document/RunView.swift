import Experiments

/// The results under one policy, as sections look at them.
struct RunView {
  struct Strategy {
    /// Its place in the scenario, which gives its colour.
    let index: Int
    let key: String
    let at: At<StrategyRecord>

    var record: StrategyRecord { at.value }
    /// What readers call it.
    var label: String { record.title ?? key }
    var name: Words { Words([.name(label)]) }
    func value(_ metric: String) -> Double? { record.metrics[metric]?.estimate }
    func metric(_ name: String) -> At<MetricRecord>? {
      record.metric(name) == nil ? nil : at.metrics[name]
    }
    /// An estimate with its interval; a dash where there is none.
    func words(_ name: String) -> Words {
      metric(name)?.words(mark: EnergyGap.mark(name, of: record)) ?? "–"
    }
  }

  let document: ResultDocument
  let run: At<RunRecord>
  /// Tells the identifiers of one run's elements from another's.
  let suffix: String
  let strategies: [Strategy]

  init(_ document: ResultDocument, _ run: At<RunRecord>, suffix: String) {
    self.document = document
    self.run = run
    self.suffix = suffix
    strategies = run.strategies.items().enumerated().map { Strategy(index: $0, key: $1.name, at: $1.at) }
  }

  /// The runs of a result, one per policy.
  static func all(_ document: ResultDocument) -> [RunView] {
    let runs = document.placedRuns
    return runs.enumerated().map { RunView(document, $1, suffix: runs.count == 1 ? "" : "-\($0 + 1)") }
  }

  /// The same in a page about two results, its numbers' places beginning with a name.
  func moved(below name: String) -> RunView {
    RunView(document, At(record, [name] + run.path), suffix: suffix)
  }

  var record: RunRecord { run.value }
  var policy: String { record.provenance.policy }
  /// Under which rules, in words.
  var rules: String { Wording.policy(policy) }

  /// The strategies that sent pushes.
  var senders: [Strategy] { strategies.filter { $0.record.sent > 0 } }

  func strategy(_ key: String) -> Strategy? { strategies.first { $0.key == key } }
  func label(_ key: String) -> String { strategy(key)?.label ?? key }
  func has(_ metric: String) -> Bool { strategies.contains { $0.record.metric(metric) != nil } }

  /// The metric that says most about what the scenario asks: what it names itself, else what its users notice.
  var headline: String? {
    let asked = [record.selection?.metric, record.precision?.metric].compactMap(\.self)
    return (asked + Metric.headlines.map(\.name)).first(where: has)
  }

  /// Those that tables show, of those that there are.
  var shownMetrics: [String] {
    Metric.shown.filter { metric in
      // Where every handler comes to its end there is nothing to say.
      metric.display!.role != .exception || strategies.contains { ($0.value(metric.name) ?? 1) < 0.9995 }
    }.map(\.name).filter(has)
  }

  /// By a metric, the highest first; those without it are left out.
  func ranked(_ metric: String) -> [Strategy] {
    strategies.filter { $0.value(metric) != nil }.sorted {
      ($1.value(metric)!, $0.index) < ($0.value(metric)!, $1.index)
    }
  }

  func style(_ metric: String) -> NumberStyle {
    strategies.lazy.compactMap { $0.record.metric(metric)?.style }.first ?? NumberStyle(metric: metric)
  }

  /// Whether the scenario asks for differences whose intervals hold together.
  var jointly: Bool { record.comparison.confidence == "joint" }
  var confidence: String { NumberText.percent(record.provenance.confidence, decimals: 0) }

  /// What a metric means, in a sentence, if the file says so.
  func meaning(_ metric: String) -> String? { document.definitions.metrics[metric] }

  /// A table with a row for each strategy.
  func table(
    _ label: String, _ columns: [Table.Column], of strategies: [Strategy]? = nil, isFluid: Bool = false,
    _ cells: (Strategy) -> [Words]
  ) -> Table {
    Table(
      label: label, columns: [Table.Column("strategy")] + columns,
      rows: (strategies ?? self.strategies).map { [$0.name] + cells($0) }, isFluid: isFluid)
  }

  /// A table of metrics by strategy.
  func table(_ label: String, metrics: [String], of strategies: [Strategy]? = nil) -> Table {
    table(
      label, metrics.map { .number(Words(Metric.named($0)?.display?.column ?? Wording.metric($0))) },
      of: strategies
    ) { strategy in metrics.map { strategy.words($0) } }
  }
}
