public import OutputAnalysis
import PushModel

/// How precisely a metric has to be known. Replications go on until it is.
public struct PrecisionGoal: Sendable {
  public var metric: String
  /// Nil: of every strategy that has the metric.
  public var strategy: String?
  /// Of the interval, in the metric's unit.
  public var target: SequentialPrecision.Target
  /// Replications before the first look.
  public var minimum: Int
  /// Most replications.
  public var maximum: Int

  public init(
    metric: String, strategy: String?, target: SequentialPrecision.Target, minimum: Int, maximum: Int
  ) {
    self.metric = metric
    self.strategy = strategy
    self.target = target
    self.minimum = minimum
    self.maximum = maximum
  }

  func rule(confidence: Double) -> SequentialPrecision {
    SequentialPrecision(
      target, confidence: confidence, minimum: minimum, maximum: max(minimum, maximum))
  }
}

/// Which strategy is the best in a metric. Replications go on until it is selected.
public struct SelectionGoal: Sendable {
  public var metric: String
  /// The least difference that matters, in the metric's unit.
  public var indifference: Double
  /// The probability of a correct selection, if the best is ahead by at least the indifference.
  public var confidence: Double
  public var goal: KimNelson.Goal
  /// Replications of the first stage.
  public var minimum: Int
  /// Most replications.
  public var maximum: Int

  public init(
    metric: String, indifference: Double, confidence: Double, goal: KimNelson.Goal, minimum: Int, maximum: Int
  ) {
    self.metric = metric
    self.indifference = indifference
    self.confidence = confidence
    self.goal = goal
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// Which strategies are compared, and what their intervals promise.
public struct ComparisonSettings: Sendable {
  public enum Partners: Sendable { case baseline, allPairs }

  public var partners = Partners.baseline
  /// Whether the summary shows the intervals that hold for all comparisons of a metric together, rather than for each
  /// alone. Results have both.
  public var isJoint = false

  public init() {}
}

/// What came of a ``PrecisionGoal``.
public struct PrecisionResult: Sendable {
  /// One strategy's part.
  public struct Item: Sendable {
    public var strategy: String
    /// Of the interval; nil with fewer than two values.
    public var halfWidth: Double?
    /// What it had to be; nil where the target is relative to 0.
    public var wanted: Double?
    public var isReached: Bool
  }

  public var goal: PrecisionGoal
  public var items: [Item]

  /// Whether every strategy's interval is narrow enough.
  public var isReached: Bool { !items.isEmpty && items.allSatisfy(\.isReached) }
  /// The greatest; nil where one is not known.
  public var halfWidth: Double? {
    items.contains { $0.halfWidth == nil } ? nil : items.compactMap(\.halfWidth).max()
  }
}

/// What came of a ``SelectionGoal``.
public struct SelectionResult: Sendable {
  /// A strategy that was left out.
  public struct Elimination: Sendable {
    public var strategy: String
    /// After so many replications.
    public var replications: Int
  }

  public var goal: SelectionGoal
  /// Nil if the replications did not suffice.
  public var best: String?
  /// Those between which it could not be told; only the best if there is one.
  public var survivors: [String]
  /// In the order in which they were left out.
  public var eliminated: [Elimination]
  /// Those whose mean over all replications is less than the indifference behind the best's: as good, as far as it matters.
  public var ties: [String]
}

// MARK: - How many replications, and what they came to

extension Estimation {
  /// Replications before the first look.
  var firstReplications: Int {
    let experiment = scenario.experiment
    guard experiment.mostReplications != nil else { return experiment.replications }
    return max(experiment.precision?.minimum ?? 1, experiment.selection?.minimum ?? 1)
  }

  /// How many replications there have to be before the next look; nil when there are enough.
  ///
  /// The values alone decide, so neither threads nor the speed of the machine change the result.
  func nextReplications(_ output: ReplicationOutput, count: Int) -> Int? {
    let experiment = scenario.experiment
    guard experiment.mostReplications != nil else { return nil }
    var next = count
    for samples in output.samples {
      if let goal = experiment.precision {
        let rule = goal.rule(confidence: experiment.confidence)
        for (_, sample) in concerned(goal.metric, goal.strategy, samples) {
          if case .more(let wanted) = rule.step(sample) { next = max(next, min(goal.maximum, wanted)) }
        }
      }
      if let goal = experiment.selection, let selected = select(goal, samples), selected.best == nil {
        // A fifth more: few looks, and little work that was not needed.
        next = max(next, min(goal.maximum, count + max(5, count / 5)))
      }
    }
    return next > count ? next : nil
  }

  /// The strategies that have the metric, with what replications say of it.
  ///
  /// - Parameters:
  ///   - only: the name of one; nil: all.
  ///   - samples: by strategy and metric.
  private func concerned(
    _ name: String, _ only: String?, _ samples: [[ReplicationSample]]
  ) -> [(strategy: String, sample: ReplicationSample)] {
    guard let index = Metric.all.firstIndex(where: { $0.name == name }) else { return [] }
    let hasContent = scenario.input.content != nil
    return zip(scenario.input.strategies, samples).compactMap { strategy, samples in
      (only ?? strategy.name) == strategy.name
        && Metric.all[index].applies(to: strategy, hasContent: hasContent)
        ? (strategy.name, samples[index]) : nil
    }
  }

  func precision(_ samples: [[ReplicationSample]]) -> PrecisionResult? {
    guard let goal = scenario.experiment.precision else { return nil }
    let rule = goal.rule(confidence: scenario.experiment.confidence)
    let items = concerned(goal.metric, goal.strategy, samples).map { name, sample in
      let estimate = MeanEstimate(sample, confidence: rule.confidence, widening: widening)
      let halfWidth = estimate?.interval?.halfWidth
      let wanted = estimate.flatMap { rule.targetHalfWidth(at: $0.mean) }
      // A fixed number of replications was not chosen by luck: what the interval says holds.
      let isReached =
        scenario.experiment.mostReplications == nil
        ? halfWidth.flatMap { half in wanted.map { half <= $0 } } ?? false : rule.step(sample) == .reached
      return PrecisionResult.Item(strategy: name, halfWidth: halfWidth, wanted: wanted, isReached: isReached)
    }
    return PrecisionResult(goal: goal, items: items)
  }

  func selection(_ samples: [[ReplicationSample]]) -> SelectionResult? {
    scenario.experiment.selection.flatMap { select($0, samples) }
  }

  /// Nil with fewer than two strategies to select from.
  private func select(_ goal: SelectionGoal, _ samples: [[ReplicationSample]]) -> SelectionResult? {
    let systems = concerned(goal.metric, nil, samples)
    guard systems.count >= 2 else { return nil }
    var procedure = KimNelson(
      systems: systems.count, indifference: goal.indifference, confidence: goal.confidence, goal: goal.goal,
      firstStage: goal.minimum, kind: systems[0].sample.kind)
    var eliminated: [SelectionResult.Elimination] = []
    for replication in 0..<systems[0].sample.count {
      let before = procedure.eliminated.count
      procedure.add(systems.map { $0.sample[replication] })
      eliminated += procedure.eliminated.dropFirst(before).map {
        SelectionResult.Elimination(strategy: systems[$0.system].strategy, replications: replication + 1)
      }
    }
    var ties: [String] = []
    if let best = procedure.best {
      for (name, sample) in systems where name != systems[best].strategy {
        guard let highest = systems[best].sample.estimate, let other = sample.estimate else { continue }
        let lead = highest - other
        if (goal.goal == .highest ? lead : -lead) < goal.indifference { ties.append(name) }
      }
    }
    return SelectionResult(
      goal: goal, best: procedure.best.map { systems[$0].strategy },
      survivors: procedure.survivors.map { systems[$0].strategy }, eliminated: eliminated, ties: ties)
  }
}
