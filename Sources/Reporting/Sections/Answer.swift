import Experiments

/// What a result comes to: a sentence that answers the scenario's question in units that people use, a table that bears
/// it out, and what follows step by step. Kinds of questions have kinds of answers.
struct Answer {
  enum Kind {
    /// Freshness against cost.
    case freshness
    /// Which rate is worth it.
    case rate
    /// What becomes of what is sent, as a share.
    case share
    /// How often tasks come to their end.
    case tasks
  }

  let view: RunView
  let kind: Kind
  let metric: String

  init?(_ view: RunView) {
    self.view = view
    guard let headline = view.headline else { return nil }
    let hasTasks = view.strategies.contains { $0.record.mechanisms?["processing_task"] != nil }
    if view.senders.isEmpty, hasTasks, view.record.selection == nil, view.record.precision == nil {
      (kind, metric) = (.tasks, headline)
    } else if headline == Pareto.benefit {
      (kind, metric) = (.freshness, headline)
    } else if let front = view.record.pareto, front.y != Pareto.benefit, view.has(front.y) {
      (kind, metric) = (.rate, front.y)
    } else {
      (kind, metric) = (.share, headline)
    }
  }

  private var display: Metric.Display? { Metric.named(metric)?.display }

  // MARK: The sentence

  /// The answer under each of the policies.
  static func title(_ views: [RunView]) -> Words {
    let answers = views.compactMap { Answer($0) }
    guard let first = answers.first else { return "The result has no metric to answer with." }
    return answers.count > 1 ? first.across(answers) : first.title
  }

  var title: Words {
    switch kind {
    case .freshness: freshness
    case .rate: rate
    case .share: share
    case .tasks: tasks
    }
  }

  /// `61 of 100 opens find the newest content`, or the value with what it is of.
  private func said(_ value: Double) -> String {
    guard let display, !display.whole.isEmpty else {
      return "\(view.style(metric).text(value)) \(display?.does ?? Wording.metric(metric))"
    }
    return "\(Wording.ofHundred(value)) of 100 \(display.whole) \(display.does)"
  }

  /// The value of a strategy with what it is of, and behind it how far it may be moved: by what is assumed, and by chance.
  private func said(_ strategy: RunView.Strategy) -> String {
    guard let value = strategy.value(metric) else { return "–" }
    guard let record = strategy.record.metric(metric), let range = record.plausible else {
      return said(value)
    }
    let chance = record.half.map { "; chance ± \(short($0))" } ?? ""
    let brackets = " (plausible \(self.range(range))\(chance))"
    guard let display, !display.whole.isEmpty else {
      return "\(view.style(metric).text(value))\(brackets) \(display?.does ?? Wording.metric(metric))"
    }
    return "\(Wording.ofHundred(value)) of 100\(brackets) \(display.whole) \(display.does)"
  }

  /// The value of a strategy without what it is of, and what is plausible behind it.
  private func short(_ strategy: RunView.Strategy) -> String {
    guard let value = strategy.value(metric) else { return "–" }
    let range = strategy.record.metric(metric)?.plausible.map { " (\(self.range($0)))" } ?? ""
    return short(value) + range
  }

  private func range(_ ends: (low: Double, high: Double)) -> String {
    guard let display, !display.whole.isEmpty else {
      let ends = view.style(metric).interval(ends.low, ends.high)
      return "\(ends.low) to \(ends.high)"
    }
    return "\(Wording.ofHundred(ends.low)) to \(Wording.ofHundred(ends.high))"
  }

  /// Without what it is of.
  private func short(_ value: Double) -> String {
    guard let display, !display.whole.isEmpty else { return view.style(metric).text(value) }
    return Wording.ofHundred(value)
  }

  /// `0.09 % of a charge a day`; in joules where the file says no more.
  static func cost(_ strategy: RunView.Strategy) -> String? {
    if let share = strategy.value("battery_per_device_day") {
      return share < 5e-6 ? "next to no charge" : "\(Wording.charge(share)) of a charge a day"
    }
    return strategy.value(Pareto.cost).map { NumberStyle(.joulesPerDeviceDay).text($0) + " a day" }
  }

  private func priced(_ strategy: RunView.Strategy) -> String {
    Self.cost(strategy).map { ", for \($0)" } ?? ""
  }

  /// What nothing beats, the cheapest first.
  var front: [RunView.Strategy] {
    (view.record.pareto?.front ?? []).reversed().compactMap(view.strategy).filter { $0.value(metric) != nil }
  }

  private var freshness: Words {
    guard let best = front.last ?? view.ranked(metric).first else { return "–" }
    let start: Words = "\(name: best.label): \(said(best))\(priced(best))"
    guard let least = front.first, front.count > 1 else {
      return start + (view.strategies.count > 1 ? "; no other strategy is fresher or cheaper." : ".")
    }
    var text = start + ". "
    // The last step may be a bad buy: then the one before it is named as well.
    let steps = self.steps
    if steps.count > 1, let last = steps[steps.count - 1].price, let before = steps[steps.count - 2].price,
      last > 3 * before, front.count > 2
    {
      let cheaper = front[front.count - 2]
      text =
        text
        + "\(name: cheaper.label) has \(short(cheaper)) for \(Self.cost(cheaper) ?? "less"), "
      return text + "\(name: least.label) \(short(least))."
    }
    return text + "\(name: least.label): \(short(least))."
  }

  private var rate: Words {
    guard let most = front.last, let top = most.value(metric) else { return share }
    let enough = front.first { $0.value(metric)! >= 0.9 * top } ?? most
    guard enough.key != most.key else {
      return "\(name: most.label): the most, \(said(most))\(priced(most))."
    }
    return
      "Above \(name: enough.label) little is gained: \(said(enough))\(priced(enough)). \(name: most.label), the most, has \(short(most)) for \(Self.cost(most) ?? "more")."
  }

  private var share: Words {
    let ranked = view.ranked(metric)
    guard let best = ranked.first, let worst = ranked.last, let top = best.value(metric) else { return "–" }
    let text: Words = "\(name: best.label): \(said(best))"
    guard ranked.count > 1 else { return text + why(best) }
    if short(top) == short(worst.value(metric)!) {
      return "With each strategy \(said(best))" + why(best)
    }
    return text + ". \(name: worst.label): \(short(worst))."
  }

  /// What keeps most pushes from being delivered.
  private func why(_ strategy: RunView.Strategy) -> Words {
    guard metric.hasPrefix("delivered"), let most = FateParts(strategy.record).others.first else {
      return "."
    }
    return "; most others: \(most.name), \(Wording.ofHundred(most.share))."
  }

  private var deviceDays: Double {
    let given = view.record.provenance
    return Double(given.devices) * Double(given.replications) * (given.duration?.value ?? 0) / 86_400
  }

  /// How many processing tasks end with new data, per device and day.
  private func ended(_ strategy: RunView.Strategy) -> Double? {
    guard deviceDays > 0 else { return nil }
    return strategy.record.mechanisms?["processing_task"]?.results?["new_data"].map {
      Double($0) / deviceDays
    }
  }

  private var tasks: Words {
    let ranked = view.strategies.compactMap { strategy in ended(strategy).map { (strategy, $0) } }
      .sorted { ($1.1, $0.0.index) < ($0.1, $1.0.index) }
    guard let best = ranked.first, let worst = ranked.last else { return freshness }
    let text: Words =
      "\(name: best.0.label): on \(Wording.ofHundred(best.1)) of 100 days a device's processing task ends with new data\(priced(best.0))."
    return ranked.count == 1 ? text : text + " \(name: worst.0.label): \(Wording.ofHundred(worst.1))."
  }

  // MARK: Several policies

  /// How far policies disagree about a strategy.
  struct Disagreement {
    var strategy: RunView.Strategy
    /// By policy.
    var values: [Double]
    /// Whether some difference is beyond chance, and too large to do without knowing which policy is right.
    var matters: Bool
  }

  static func disagreements(_ answers: [Answer]) -> [Disagreement] {
    guard let first = answers.first else { return [] }
    return first.view.strategies.compactMap { strategy in
      let values = answers.compactMap { $0.view.strategy(strategy.key)?.value(first.metric) }
      guard values.count == answers.count, let low = values.min(), let high = values.max() else { return nil }
      let isClear = (first.view.document.policyDifferences ?? []).contains {
        $0.metric == first.metric && $0.strategy == strategy.key && ($0.low ?? 0) * ($0.high ?? 0) > 0
      }
      return Disagreement(
        strategy: strategy, values: values, matters: isClear && high - low > 0.1 * high)
    }
  }

  /// What is best whichever policy is right, and on what not to rely.
  private func across(_ answers: [Answer]) -> Words {
    let all = Self.disagreements(answers)
    guard let best = all.max(by: { $0.values.min()! < $1.values.min()! }) else { return title }
    func under(_ answer: Answer, _ item: Disagreement, isWhole: Bool = false) -> String {
      guard let strategy = answer.view.strategy(item.strategy.key) else { return "–" }
      return isWhole ? answer.said(strategy) : answer.short(strategy)
    }
    func each(_ item: Disagreement) -> String {
      Wording.list(answers.map { "\(under($0, item)) \($0.view.rules)" })
    }
    let least = answers.indices.min { best.values[$0] < best.values[$1] } ?? 0
    var text: Words =
      best.matters
      ? "\(name: best.strategy.label): \(under(answers[0], best, isWhole: true)) \(view.rules), "
        + Words(
          answers.dropFirst().map { "\(under($0, best)) \($0.view.rules)" }.joined(separator: ", "))
        + "."
      : "\(name: best.strategy.label): \(under(answers[least], best, isWhole: true)), whichever policy is right."
    func ratio(_ item: Disagreement) -> Double { item.values.max()! / max(item.values.min()!, 1e-9) }
    if let worst = all.filter({ $0.matters && $0.strategy.key != best.strategy.key }).max(by: {
      ratio($0) < ratio($1)
    }) {
      text = text + " Do not rely on \(name: worst.strategy.label): \(each(worst))."
    }
    return text
  }

  // MARK: The tag

  /// What kind of numbers these are, in one line.
  static func caveat(_ views: [RunView]) -> Words {
    guard let view = views.first else { return "" }
    let record = view.record
    let (assumed, known) = (record.assumptions.count, record.knownParameters.count)
    var text: Words = "A model, no measurement"
    if assumed > 0 {
      text =
        text
        + ": \(assumed) of its \(assumed + known) parameters are \("assumed", to: "how-sure\(view.suffix)")"
    }
    text = text + ". "
    if let study = record.uncertainty {
      return text + UncertaintySection.meaning(study)
        + " Chance: the \(view.confidence) interval over replications."
    }
    if record.assumesNothing == true {
      text =
        text + "Nothing that the run reads is assumed and has a range, so intervals are of chance alone. "
    }
    let hasIntervals = view.strategies.contains { $0.record.metrics.items.contains { $0.value.low != nil } }
    return text
      + (hasIntervals
        ? record.assumesNothing == true
          ? "Intervals: \(view.confidence)."
          : "Intervals (\(view.confidence)) are of chance alone; what is assumed may move a number far more."
        : "One replication gives no intervals: how precise these numbers are is not known.")
  }

  // MARK: Steps along the front

  struct Step {
    var from: RunView.Strategy
    var to: RunView.Strategy
    var gain: Double
    /// Joules, and the share of a charge if it is known.
    var energy: Double
    var charge: Double?
    /// Joules for each unit of gain; nil where it costs nothing.
    var price: Double?
  }

  /// From the cheapest on the front to the best, each step with its marginal cost.
  var steps: [Step] {
    zip(front, front.dropFirst()).compactMap { from, to in
      guard let before = from.value(metric), let after = to.value(metric),
        let costBefore = from.value(Pareto.cost), let costAfter = to.value(Pareto.cost)
      else { return nil }
      let charge = to.value("battery_per_device_day").flatMap { to in
        from.value("battery_per_device_day").map { to - $0 }
      }
      let (gain, energy) = (after - before, costAfter - costBefore)
      // What cannot be told apart is said as such.
      guard gain > 0 else { return nil }
      return Step(
        from: from, to: to, gain: gain, energy: energy, charge: charge,
        price: energy > 0 ? energy / gain : nil)
    }
  }

  private func sentence(_ step: Step) -> Words {
    let isShare = view.style(metric) == .percent(decimals: 1)
    let gain = isShare ? NumberText.fixed(step.gain * 100, 1) : view.style(metric).text(step.gain)
    let what = isShare ? "more of 100 \(display?.whole ?? "") fresh" : "more \(display?.does ?? "")"
    let joules = NumberStyle(.joules).text(step.energy)
    let cost = step.charge.map { "\(Wording.charge(max(0, $0))) of a charge (\(joules))" } ?? joules
    let unit = isShare ? step.price.map { $0 / 100 } : step.price
    let price = unit.map { ", \(NumberStyle(.joules).text($0)) for each" } ?? ""
    let steps = self.steps
    let isBest = steps.count > 1 && step.price != nil && step.price == steps.compactMap(\.price).min()
    let bill = step.energy > 0 ? "\(cost) more a day\(price)" : "no more energy"
    return
      "\(name: step.to.label) rather than \(name: step.from.label): \(gain) \(what), for \(bill)\(isBest ? ": the best buy" : "")."
  }

  private var ties: [Words] {
    (view.record.pareto?.ties ?? []).map {
      "\(name: Wording.list($0.map(view.label))) cannot be told apart at this precision."
    }
  }

  /// What follows, in sentences.
  var sentences: [Words] { steps.map(sentence) + ties }

  /// The whole answer, in sentences.
  var recommendation: [String] {
    let beaten = view.strategies.compactMap { strategy in
      self.beaten(strategy).map { "\(strategy.label) is \($0)." }
    }
    let hasIntervals = view.strategies.contains { $0.record.metrics[metric]?.low != nil }
    let note =
      hasIntervals ? [] : ["One replication gives no precision: more of them would tell strategies apart."]
    let unpriced = view.strategies.filter { !EnergyGap.mark(Pareto.cost, of: $0.record).isEmpty }.map {
      "The energy of \($0.label) is \(EnergyGap.note)."
    }
    return [title.plain] + steps.map { sentence($0).plain } + beaten + note + ties.map(\.plain) + unpriced
  }

  /// Why a strategy is none to choose; nil on the front, and where there is none.
  func beaten(_ strategy: RunView.Strategy) -> String? {
    guard let loss = view.record.pareto?.dominated.first(where: { $0.strategy == strategy.key }) else {
      return nil
    }
    let less = kind == .freshness ? "less fresh" : "fewer"
    let why =
      switch (loss.isLess, loss.isDearer) {
      case (true?, true?): ": \(less) and dearer"
      case (true?, _): ": \(less), and no cheaper"
      case (_, true?): ": dearer, and no \(kind == .freshness ? "fresher" : "more")"
      default: ""
      }
    return "beaten by \(view.label(loss.by))\(why)"
  }

  // MARK: The table

  /// The strategies, the best first, with what they give and what they cost.
  var table: Table {
    let ranked = view.ranked(metric)
    let listed = ranked + view.strategies.filter { strategy in !ranked.contains { $0.key == strategy.key } }
    let more = view.shownMetrics.filter { name in
      guard name != metric, let role = Metric.named(name)?.display?.role else { return false }
      // Beside the cost, what is of the same whole: of calls that they rang at all.
      let isAkin = kind == .share && display?.whole.isEmpty == false && whole(name) == display?.whole
      return role == .cost || role == .exception || isAkin
        || (kind == .rate && name == "delivered_within_5min")
    }
    var columns = [Table.Column.number(Words(Wording.metric(metric)))]
    if kind == .tasks { columns.append(.number("tasks ended with new data, a day")) }
    columns += more.map {
      .number(Words($0 == "battery_per_device_day" ? "battery a day" : Wording.metric($0)))
    }
    var table = view.table("What the strategies come to", columns, of: listed) { strategy in
      var cells = [strategy.words(metric)]
      if kind == .tasks { cells.append(Words(ended(strategy).map { NumberText.fixed($0, 2) } ?? "–")) }
      return cells + more.map { strategy.words($0) }
    }
    for (row, strategy) in listed.enumerated() {
      guard let reason = beaten(strategy) else { continue }
      table.rows[row][0] = table.rows[row][0] + Words([.line(Words(reason))])
      table.faintRows.insert(row)
    }
    return table
  }

  private func whole(_ metric: String) -> String? { Metric.named(metric)?.display?.whole }

  /// Policies side by side, with what to make of it.
  static func table(_ answers: [Answer]) -> Table? {
    guard let first = answers.first, answers.count > 1 else { return nil }
    let all = disagreements(answers)
    guard !all.isEmpty else { return nil }
    return Table(
      label: "\(Wording.metric(first.metric)) by policy",
      columns: [Table.Column("\(Wording.metric(first.metric))")]
        + answers.map { .number(Words($0.view.rules)) } + [Table.Column("what to make of it")],
      rows: all.map { item in
        [item.strategy.name]
          + answers.map { $0.view.strategy(item.strategy.key)?.words(first.metric) ?? "–" }
          + [item.matters ? Words([.tag("do not rely on this", .bad)]) : "holds under either"]
      })
  }
}
