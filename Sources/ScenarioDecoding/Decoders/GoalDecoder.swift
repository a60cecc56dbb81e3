import Experiments
import OutputAnalysis
import PushModel
import Quantities

/// Reads what the number of replications follows from, and how strategies are compared.
struct GoalDecoder {
  let context: DecodingContext
  /// Those without a mistake.
  let strategies: [Strategy]
  /// Of all strategies.
  let names: [String]
  let hasContent: Bool

  func read(_ experiment: MappingReader, into settings: inout ExperimentSettings) {
    if experiment.has("precision"), let mapping = experiment.mapping("precision") {
      settings.precision = precision(mapping)
    }
    if experiment.has("selection"), let mapping = experiment.mapping("selection") {
      settings.selection = selection(mapping)
    }
    if experiment.has("comparison"), let mapping = experiment.mapping("comparison") {
      let against = mapping.choice("against")
      settings.comparison.partners = against == 1 ? .allPairs : .baseline
      settings.comparison.isJoint = mapping.choice("confidence") == 0
      if against == 0, !experiment.hasOrMeans("baseline") {
        context.log.add(Messages.noBaseline(mapping.node.span.firstLine))
      }
    }
  }

  private func precision(_ mapping: MappingReader) -> PrecisionGoal? {
    let strategy = mapping.has("strategy") ? mapping.text("strategy") : nil
    if let strategy, !names.isEmpty, !names.contains(strategy), let node = mapping.value("strategy")?.node {
      context.log.add(Messages.unknownStrategy(strategy, node.span, known: names))
      return nil
    }
    let metric = metric(mapping, of: strategies.filter { $0.name == strategy ?? $0.name }, atLeast: 1)
    let counts = counts(mapping)
    guard let key = mapping.exactlyOne(of: ["half_width", "relative"]), let metric, let counts else {
      return nil
    }
    let target =
      key == "relative"
      ? mapping.quantity(key).map(SequentialPrecision.Target.relative)
      : mapping.value(key)?.quantity(of: metric, isPositive: true).map(SequentialPrecision.Target.absolute)
    return target.map {
      PrecisionGoal(
        metric: metric.name, strategy: strategy, target: $0, minimum: counts.minimum, maximum: counts.maximum)
    }
  }

  private func selection(_ mapping: MappingReader) -> SelectionGoal? {
    let metric = metric(mapping, of: strategies, atLeast: 2)
    let counts = counts(mapping)
    let confidence = mapping.quantity("confidence")
    let best = mapping.choice("best")
    guard let metric, let counts, let confidence, let best,
      let indifference = mapping.value("indifference")?.quantity(of: metric, isPositive: true)
    else { return nil }
    return SelectionGoal(
      metric: metric.name, indifference: indifference, confidence: confidence,
      goal: best == 0 ? .highest : .lowest, minimum: counts.minimum, maximum: counts.maximum)
  }

  /// - Parameter atLeast: how many of the strategies must have the metric.
  private func metric(_ mapping: MappingReader, of strategies: [Strategy], atLeast: Int) -> Metric? {
    guard let name = mapping.text("metric"), let node = mapping.value("metric")?.node else { return nil }
    guard let metric = Metric.named(name) else {
      context.log.add(Messages.unknownMetric(name, node.span, known: Metric.all.map(\.name)))
      return nil
    }
    // A strategy with a mistake, which has been told, may be one that has it.
    let count = strategies.count { metric.applies(to: $0, hasContent: hasContent) }
    guard count >= atLeast || context.log.hasErrors else {
      context.log.add(Messages.tooFewHaveMetric(name, node.span, count: count, atLeast: atLeast))
      return nil
    }
    return metric
  }

  private func counts(_ mapping: MappingReader) -> (minimum: Int, maximum: Int)? {
    guard let minimum = mapping.integer("min_replications"), let maximum = mapping.integer("max_replications")
    else { return nil }
    guard minimum <= maximum else {
      let key = mapping.has("max_replications") ? "max_replications" : "min_replications"
      context.log.add(Messages.leastAboveMostReplications(mapping.value(key)?.node.span ?? mapping.node.span))
      return nil
    }
    return (minimum, maximum)
  }
}

extension ValueReader {
  /// A value of a metric, in the metric's unit.
  ///
  /// - Parameter isPositive: whether 0 is too small.
  func quantity(of metric: Metric, isPositive: Bool = false) -> Double? {
    let low = isPositive ? Double.leastNonzeroMagnitude : 0
    let (dimension, limit) = metric.unit.measure
    return quantity(dimension, low...limit, allowsBareProportion: dimension == .proportion)
  }
}
